//! Glicko-2 ratings, for humans: they play irregularly and improve over time.

use std::collections::HashMap;

use serde::Serialize;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, confidence_interval, glicko2};

/// A rated game between two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatedGame<'a> {
    /// The first player's name.
    pub first: &'a str,
    /// The second player's name.
    pub second: &'a str,
    /// The result for the first player.
    pub result: RatedResult,
}

/// The result of a game for one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RatedResult {
    /// A win.
    Win,
    /// A draw.
    Draw,
    /// A loss.
    Loss,
}

/// A player's rating.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerRating {
    /// The player's name.
    pub name: String,
    /// The rating; everyone starts at 1500.
    pub rating: f64,
    /// The rating deviation: 350 at the start, and smaller with every game.
    pub deviation: f64,
    /// The rating volatility.
    pub volatility: f64,
    /// The 95% interval of the rating.
    pub interval: (f64, f64),
    /// The number of games.
    pub games: u64,
}

/// Ratings after all games, in the order in which they were played; best first. Each game is its
/// own rating period. Games against oneself are ignored.
///
/// ```
/// use noughts_arena::statistics::{RatedGame, RatedResult, glicko_ratings};
/// let game = RatedGame { first: "Ada", second: "Bob", result: RatedResult::Win };
/// let ratings = glicko_ratings([game]);
/// assert_eq!(ratings[0].name, "Ada");
/// assert_eq!(ratings[0].rating.round(), 1662.0);
/// assert_eq!(ratings[1].deviation.round(), 290.0);
/// ```
#[must_use]
pub fn glicko_ratings<'a>(games: impl IntoIterator<Item = RatedGame<'a>>) -> Vec<PlayerRating> {
    let config = Glicko2Config::new();
    let mut known: HashMap<&str, (Glicko2Rating, u64)> = HashMap::new();
    for game in games {
        if game.first == game.second {
            continue;
        }
        let mut take = |name| known.remove(name).unwrap_or((Glicko2Rating::new(), 0));
        let (first, second) = (take(game.first), take(game.second));
        let outcome = match game.result {
            RatedResult::Win => Outcomes::WIN,
            RatedResult::Draw => Outcomes::DRAW,
            RatedResult::Loss => Outcomes::LOSS,
        };
        let (one, other) = glicko2(&first.0, &second.0, &outcome, &config);
        known.insert(game.first, (one, first.1 + 1));
        known.insert(game.second, (other, second.1 + 1));
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
