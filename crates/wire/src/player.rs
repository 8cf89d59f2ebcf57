//! Players and their records.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Seat;

/// Rated games, won, lost and drawn.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
pub struct Tally {
    /// All of them.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
}

/// A player and their record.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct PlayerEntry {
    /// The name.
    pub name: String,
    /// The record.
    #[serde(flatten)]
    pub tally: Tally,
}

/// A page of the list of players.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct PlayerList {
    /// The players, most recently active first.
    pub players: Vec<PlayerEntry>,
    /// Whether there are more players after the last one.
    pub more: bool,
    /// Where the next page starts: send it as `after`. Null on the last page.
    pub next: Option<String>,
}

/// A player's statistics.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct PlayerDetails {
    /// The name.
    pub name: String,
    /// When the first game started.
    #[schema(format = DateTime)]
    pub since: String,
    /// All rated games.
    #[serde(flatten)]
    pub tally: Tally,
    /// By variant, most played first.
    pub by_game: Vec<RecordByVariant>,
    /// By opponent, most frequent first.
    pub by_opponent: Vec<RecordByOpponent>,
    /// Whether there are more variants or opponents.
    pub more: bool,
}

/// The record in one variant.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct RecordByVariant {
    /// The variant's name.
    pub variant: String,
    /// The record.
    #[serde(flatten)]
    pub tally: Tally,
}

/// The record against one opponent. Guests are counted together, and so are deleted players.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct RecordByOpponent {
    /// The opponent.
    #[serde(flatten)]
    pub opponent: Seat,
    /// The record.
    #[serde(flatten)]
    pub tally: Tally,
}

#[cfg(feature = "store")]
mod from_store {
    use noughts_store::PlayerRecord;

    use super::*;

    impl From<noughts_store::Tally> for Tally {
        fn from(tally: noughts_store::Tally) -> Tally {
            Tally {
                games: tally.games(),
                wins: tally.wins,
                losses: tally.losses,
                draws: tally.draws,
            }
        }
    }

    impl From<noughts_store::PlayerPage> for PlayerList {
        fn from(page: noughts_store::PlayerPage) -> PlayerList {
            let players = page.players.into_iter().map(|(name, tally)| PlayerEntry {
                name: name.to_string(),
                tally: tally.into(),
            });
            PlayerList {
                players: players.collect(),
                more: page.next.is_some(),
                next: page.next.map(|next| next.to_string()),
            }
        }
    }

    impl From<&PlayerRecord> for PlayerDetails {
        fn from(record: &PlayerRecord) -> PlayerDetails {
            let by_variant = record.by_variant.iter();
            let by_opponent = record.by_opponent.iter();
            PlayerDetails {
                name: record.name.to_string(),
                since: record.since.to_string(),
                tally: record.total.into(),
                by_game: by_variant
                    .map(|(variant, tally)| RecordByVariant {
                        variant: variant.to_string(),
                        tally: (*tally).into(),
                    })
                    .collect(),
                by_opponent: by_opponent
                    .map(|(seat, tally)| RecordByOpponent {
                        opponent: seat.into(),
                        tally: (*tally).into(),
                    })
                    .collect(),
                more: record.has_more,
            }
        }
    }
}
