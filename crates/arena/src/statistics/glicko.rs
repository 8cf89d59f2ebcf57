//! Ratings of people, who play now and then and get better: Glicko-2.

use std::collections::HashMap;

use serde::Serialize;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, confidence_interval, glicko2};

/// A game between two people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatedGame<'a> {
    /// One.
    pub first: &'a str,
    /// The other.
    pub second: &'a str,
    /// What the first made of it.
    pub result: RatedResult,
}

/// What somebody made of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RatedResult {
    /// They won.
    Win,
    /// Nobody won.
    Draw,
    /// They lost.
    Loss,
}

/// A person's rating.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerRating {
    /// Who.
    pub name: String,
    /// Everybody begins with 1500.
    pub rating: f64,
    /// How far off it may well be: 350 at first, less with every game.
    pub deviation: f64,
    /// How erratic their results are.
    pub volatility: f64,
    /// From where to where the rating is with 95 %.
    pub interval: (f64, f64),
    /// How many games it is made of.
    pub games: u64,
}

/// Ratings after all games, in the order in which they were played; the best first. Each
/// game is a rating period of its own. A game against oneself counts for nothing.
///
/// ```
/// use noughts_arena::statistics::{Met, Scored, glicko};
/// let ratings = glicko([Met { first: "Ada", second: "Bob", scored: Scored::Win }]);
/// assert_eq!(ratings[0].name, "Ada");
/// assert_eq!(ratings[0].rating.round(), 1662.0);
/// assert_eq!(ratings[1].deviation.round(), 290.0);
/// ```
#[must_use]
pub fn glicko_ratings<'a>(games: impl IntoIterator<Item = RatedGame<'a>>) -> Vec<PlayerRating> {
    let config = Glicko2Config::new();
    let mut known: HashMap<&str, (Glicko2Rating, u64)> = HashMap::new();
    for met in games {
        if met.first == met.second {
            continue;
        }
        let mut take = |name| known.remove(name).unwrap_or((Glicko2Rating::new(), 0));
        let (first, second) = (take(met.first), take(met.second));
        let outcome = match met.result {
            RatedResult::Win => Outcomes::WIN,
            RatedResult::Draw => Outcomes::DRAW,
            RatedResult::Loss => Outcomes::LOSS,
        };
        let (one, other) = glicko2(&first.0, &second.0, &outcome, &config);
        known.insert(met.first, (one, first.1 + 1));
        known.insert(met.second, (other, second.1 + 1));
    }
    let mut ratings: Vec<PlayerRating> = known
        .into_iter()
        .map(|(name, (rating, games))| PlayerRating {
            name: name.into(),
            rating: rating.rating,
            deviation: rating.deviation,
            volatility: rating.volatility,
            interval: confidence_interval(&rating),
            games,
        })
        .collect();
    ratings.sort_by(|a, b| b.rating.total_cmp(&a.rating).then(a.name.cmp(&b.name)));
    ratings
}
