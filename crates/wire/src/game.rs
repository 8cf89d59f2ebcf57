//! Games: sides, results, seats, and stored games as lists and details show them.

use noughts_rules::Outcome;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side that moves first.
    X,
    /// The other side.
    O,
}

impl From<noughts_rules::Side> for Side {
    fn from(side: noughts_rules::Side) -> Side {
        match side {
            noughts_rules::Side::X => Side::X,
            noughts_rules::Side::O => Side::O,
        }
    }
}

impl From<Side> for noughts_rules::Side {
    fn from(side: Side) -> noughts_rules::Side {
        match side {
            Side::X => noughts_rules::Side::X,
            Side::O => noughts_rules::Side::O,
        }
    }
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// X won.
    X,
    /// O won.
    O,
    /// Nobody won.
    Draw,
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome {
            Outcome::Win(noughts_rules::Side::X) => GameResult::X,
            Outcome::Win(noughts_rules::Side::O) => GameResult::O,
            Outcome::Draw => GameResult::Draw,
        }
    }
}

/// The player of one side.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct Seat {
    /// What kind of player it is.
    pub kind: SeatKind,
    /// The name; null for guests, invited and deleted players.
    pub name: Option<String>,
    /// The visitor ID of the player; only in the operator's command-line output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visitor: Option<String>,
}

/// What kind of player has a seat.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum SeatKind {
    /// A human with a name.
    Human,
    /// A human without a name, who has no record.
    Guest,
    /// A bot.
    Bot,
    /// Open to the player with the invite link, who hasn't joined yet.
    Invited,
    /// A deleted player.
    Deleted,
}

/// What lists and details of stored games have in common.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct GameHeader {
    /// 32 hexadecimal digits; the game's page is `/games/{id}`.
    pub id: String,
    /// The game's number in this store.
    pub number: i64,
    /// The variant's name.
    pub variant: String,
    /// X's player.
    pub x: Seat,
    /// O's player.
    pub o: Seat,
    /// When it started.
    #[schema(format = DateTime)]
    pub started: String,
    /// When it ended, if it has.
    #[schema(format = DateTime)]
    pub ended: Option<String>,
    /// The result; null while the game is in progress and if it was abandoned.
    pub result: Option<GameResult>,
    /// How it ended, in one word: `line`, `resigned`, …; null while it is in progress.
    pub ending: Option<String>,
    /// Whether the game is rated. It isn't if a side changed hands, a player had assistance, or it started from a custom
    /// position.
    pub rated: bool,
    /// The first assistance that a player had: `hint`, `takeback` or `analysis`, or `position` if the game started from
    /// a custom position.
    pub assisted: Option<String>,
}

/// A game in a list.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct GameSummary {
    /// The game.
    #[serde(flatten)]
    pub game: GameHeader,
    /// How many moves were made.
    pub moves: usize,
}

/// A page of a list of games.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct GameList {
    /// The games, newest first.
    pub games: Vec<GameSummary>,
    /// Whether there are more games after the last one.
    pub more: bool,
}

/// A stored game with its moves.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct GameDetails {
    /// The game.
    #[serde(flatten)]
    pub game: GameHeader,
    /// The start position as text; null if it is the standard one.
    pub start: Option<String>,
    /// The position as text.
    pub position: String,
    /// The moves played.
    pub moves: Vec<PlayedMove>,
}

/// A move of a stored game.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct PlayedMove {
    /// The side that made it.
    pub side: Side,
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// How long it took.
    pub time_ms: u64,
    /// The position after the move, in a replay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

#[cfg(feature = "store")]
mod from_store {
    use super::*;

    impl From<&noughts_store::Seat> for Seat {
        fn from(seat: &noughts_store::Seat) -> Seat {
            let kind = match seat {
                noughts_store::Seat::Player(_) => SeatKind::Human,
                noughts_store::Seat::Guest => SeatKind::Guest,
                noughts_store::Seat::Bot(_) => SeatKind::Bot,
                noughts_store::Seat::Deleted => SeatKind::Deleted,
            };
            let name = seat.name().map(Into::into);
            Seat {
                kind,
                name,
                visitor: None,
            }
        }
    }

    impl From<&noughts_store::GameSummary> for GameSummary {
        fn from(game: &noughts_store::GameSummary) -> GameSummary {
            GameSummary {
                game: game.into(),
                moves: game.move_count,
            }
        }
    }

    impl From<&noughts_store::GameSummary> for GameHeader {
        fn from(game: &noughts_store::GameSummary) -> GameHeader {
            GameHeader {
                id: game.uid.clone(),
                number: game.id.0,
                variant: game.variant.to_string(),
                x: (&game.seats[0]).into(),
                o: (&game.seats[1]).into(),
                started: game.started.to_string(),
                ended: game.ended.map(|ended| ended.to_string()),
                result: game.result.map(Into::into),
                ending: game.end.map(|end| end.as_str().into()),
                rated: game.is_rated(),
                assisted: game.assistance.map(|how| how.as_str().into()),
            }
        }
    }
}
