//! Glicko-2 ratings, for humans: they play irregularly and improve over time.

use std::collections::HashMap;

use noughts_rules::{Outcome, Side};
use serde::Serialize;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, confidence_interval, glicko2};

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

/// Ratings after all games, in the order in which they were played; best first. A game has the names
/// of X and O, and the outcome. Each game is its own rating period. Games against oneself are
/// ignored.
///
/// ```
/// use noughts_arena::statistics::glicko_ratings;
/// use noughts_rules::{Outcome, Side};
/// let ratings = glicko_ratings([("Ada".into(), "Bob".into(), Outcome::Win(Side::X))]);
/// assert_eq!(ratings[0].name, "Ada");
/// assert_eq!(ratings[0].rating.round(), 1662.0);
/// assert_eq!(ratings[1].deviation.round(), 290.0);
/// ```
#[must_use]
pub fn glicko_ratings(
    games: impl IntoIterator<Item = (String, String, Outcome)>,
) -> Vec<PlayerRating> {
    let config = Glicko2Config::new();
    let mut known: HashMap<String, (Glicko2Rating, u64)> = HashMap::new();
    for (x, o, outcome) in games {
        if x == o {
            continue;
        }
        let mut take = |name| known.remove(name).unwrap_or((Glicko2Rating::new(), 0));
        let (x_before, o_before) = (take(&x), take(&o));
        let outcome = match outcome {
            Outcome::Win(Side::X) => Outcomes::WIN,
            Outcome::Win(Side::O) => Outcomes::LOSS,
            Outcome::Draw => Outcomes::DRAW,
        };
        let (x_after, o_after) = glicko2(&x_before.0, &o_before.0, &outcome, &config);
        known.insert(x, (x_after, x_before.1 + 1));
        known.insert(o, (o_after, o_before.1 + 1));
    }
    let mut ratings: Vec<PlayerRating> = known
        .into_iter()
        .map(|(name, (rating, games))| PlayerRating {
            name,
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
