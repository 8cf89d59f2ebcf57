//! What clients send: new games, and actions in a game.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Side;

/// An action in a game: the body of `POST /api/v1/games/{id}/actions`, and a message on its socket. `rev` is the revision
/// of the state that it refers to.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Action {
    /// Makes a move.
    Move {
        /// The state's revision.
        rev: String,
        /// The move.
        #[serde(rename = "move")]
        text: String,
    },
    /// Takes back your last move and any moves after it; in online games, asks the opponent first.
    Takeback {
        /// The state's revision.
        rev: String,
    },
    /// Redoes moves that were taken back.
    Redo {
        /// The state's revision.
        rev: String,
    },
    /// Resigns. If you play both sides, `side` selects one; by default, the side to move resigns.
    /// Before the first move, the game ends without a result.
    Resign {
        /// The state's revision.
        rev: String,
        /// The side that resigns.
        side: Option<Side>,
    },
    /// Makes an offer to the opponent (`draw`, `rematch`). If you play both sides, it takes effect immediately; against a
    /// bot, a rematch does, and the bot accepts or declines a draw at once.
    Offer {
        /// The state's revision.
        rev: String,
        /// What to offer.
        offer: OfferKind,
    },
    /// Accepts the opponent's offer.
    Accept {
        /// The state's revision.
        rev: String,
        /// The offer you're accepting. If the open offer is a different one, the request is rejected.
        offer: OfferKind,
    },
    /// Declines the opponent's offer, or withdraws your own.
    Decline {
        /// The state's revision.
        rev: String,
        /// The offer you're declining; any offer by default.
        offer: Option<OfferKind>,
    },
    /// Hands one of your sides over to a bot, or to a player on the same device.
    Seat {
        /// The state's revision.
        rev: String,
        /// The side.
        side: Side,
        /// The new player.
        seat: NewSeat,
    },
    /// Abandons the game without a result.
    Abandon {
        /// The state's revision.
        rev: String,
    },
    /// Pauses or resumes a game between bots.
    Pause {
        /// The state's revision.
        rev: String,
        /// `true` to pause, `false` to resume.
        paused: bool,
    },
    /// Changes the speed of a game between bots.
    Speed {
        /// The state's revision.
        rev: String,
        /// From 1, the slowest, to 6, without pauses.
        #[schema(minimum = 1, maximum = 6)]
        speed: usize,
    },
}

impl Action {
    /// The types of actions.
    pub const TYPES: [&str; 11] = [
        "move", "takeback", "redo", "resign", "offer", "accept", "decline", "seat", "abandon",
        "pause", "speed",
    ];

    /// The revision that the action refers to.
    #[must_use]
    pub fn rev(&self) -> &str {
        match self {
            Action::Move { rev, .. }
            | Action::Takeback { rev }
            | Action::Redo { rev }
            | Action::Resign { rev, .. }
            | Action::Offer { rev, .. }
            | Action::Accept { rev, .. }
            | Action::Decline { rev, .. }
            | Action::Seat { rev, .. }
            | Action::Abandon { rev }
            | Action::Pause { rev, .. }
            | Action::Speed { rev, .. } => rev,
        }
    }
}

/// What one side offers the other.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum OfferKind {
    /// A draw.
    Draw,
    /// A takeback.
    Takeback,
    /// A rematch with sides swapped.
    Rematch,
}

/// A player for a seat.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum NewSeat {
    /// The visitor who sends the request.
    Human {
        /// The name; without one, the player is a guest and has no record.
        name: Option<String>,
    },
    /// A bot.
    Bot {
        /// Its name.
        name: String,
    },
    /// A player who joins by invite link. Only in new games.
    Invited {},
}

/// A new game: the body of `POST /api/v1/games`.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The variant's name.
    pub variant: String,
    /// The start position as text; the standard one if missing.
    pub position: Option<String>,
    /// X's seat.
    pub x: NewSeat,
    /// O's seat.
    pub o: NewSeat,
}

/// A player who joins by invite link.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// The last part of the link: 32 hexadecimal digits.
    #[schema(max_length = 64)]
    pub code: String,
    /// The name; without one, the player is a guest and has no record.
    #[schema(max_length = 40)]
    pub name: Option<String>,
}
