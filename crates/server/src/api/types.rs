//! The API's JSON types.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    /// The side that moves first.
    X,
    /// The other side.
    O,
}

/// The state of a game.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct GameState {
    /// 32 hexadecimal digits; the game's page is `/games/{id}`.
    pub(crate) id: String,
    /// The game's number on the command line.
    pub(crate) number: i64,
    /// The variant's name.
    pub(crate) variant: String,
    /// The revision of this state; actions include the revision that they refer to.
    pub(crate) rev: String,
    /// The number of moves played.
    pub(crate) ply: usize,
    /// The side to move; after the game is over, the side that would have moved next.
    pub(crate) side: Side,
    /// The start position as text; null if it is the standard one or has more than 4096 characters.
    pub(crate) start: Option<String>,
    /// The position as text; null if it has more than 4096 characters.
    pub(crate) position: Option<String>,
    /// The moves played.
    pub(crate) moves: Vec<String>,
    /// X's seat and O's seat.
    pub(crate) seats: [SeatState; 2],
    /// The legal moves.
    pub(crate) choices: Choices,
    /// What happens next or how the game ended, as a sentence.
    pub(crate) prompt: String,
    /// Is a bot thinking about its move?
    pub(crate) thinking: bool,
    /// Is a game between bots paused?
    pub(crate) paused: bool,
    /// The speed of a game between bots, from 1, the slowest, to 6, without pauses.
    pub(crate) speed: usize,
    /// Can a move be taken back?
    pub(crate) can_undo: bool,
    /// Can a move that was taken back be redone?
    pub(crate) can_redo: bool,
    /// Did a side change hands? Then the game isn't rated.
    pub(crate) handed: bool,
    /// The first assistance that a player had: `hint`, `takeback` or `analysis`, or `position` if the game started from
    /// a chosen position. Then the game isn't rated.
    pub(crate) assisted: Option<String>,
    /// Is the game rated?
    pub(crate) rated: bool,
    /// The offer that one side has made to the other.
    pub(crate) offer: Option<OfferState>,
    /// The result, once the game is over.
    pub(crate) over: Option<OverState>,
    /// The ID of the rematch, if there is one.
    pub(crate) next: Option<String>,
}

/// A seat.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct SeatState {
    /// `person`, `guest`, `bot`, `invited` (the invited player hasn't joined yet) or `deleted`.
    pub(crate) kind: SeatKind,
    /// The player's or bot's name, or a placeholder.
    pub(crate) name: String,
    /// A description of the bot.
    pub(crate) sentence: Option<String>,
    /// The player's record.
    pub(crate) tally: Option<TallyState>,
    /// Is the player connected?
    pub(crate) connected: bool,
    /// Tic-Tac-Two: pieces in hand.
    pub(crate) hand: Option<u8>,
}

/// The kind of player in a seat.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SeatKind {
    /// A human with a name.
    Person,
    /// A human without a name, who has no record.
    Guest,
    /// A bot.
    Bot,
    /// Open to the player with the invite link, who hasn't joined yet.
    Invited,
    /// A deleted player.
    Deleted,
}

/// Wins, losses and draws.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
pub(crate) struct TallyState {
    /// Games won.
    pub(crate) wins: u64,
    /// Games lost.
    pub(crate) losses: u64,
    /// Games drawn.
    pub(crate) ties: u64,
}

/// The legal moves.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug, Default)]
pub(crate) struct Choices {
    /// The number of legal moves.
    pub(crate) count: usize,
    /// The legal moves; null if there are more than 300.
    pub(crate) moves: Option<Vec<Choice>>,
    /// Nested games: the paths of the boards that can be played in. A board that is entirely open stands for all boards
    /// inside it; an empty path is the whole board.
    pub(crate) open: Option<Vec<String>>,
}

/// A legal move and its consequences.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct Choice {
    /// The move.
    #[serde(rename = "move")]
    pub(crate) text: String,
    /// `mark` a cell, `place` a piece, move a `piece`, move the `grid`.
    pub(crate) kind: ChoiceKind,
    /// The cell that a piece moves from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    /// The cell that is marked or moved to; for the grid, its new center.
    pub(crate) to: String,
    /// Nested games: the path of the board that the opponent is sent to; empty for any board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sends: Option<String>,
    /// m,n,k games and Tic-Tac-Two: the lines of either side that the move completes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) lines: Vec<LineState>,
}

/// The kind of a move.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChoiceKind {
    /// Mark a cell.
    Mark,
    /// Place a piece from the hand.
    Place,
    /// Move a piece from one cell to another.
    Piece,
    /// Move the grid.
    Grid,
}

/// A completed line.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct LineState {
    /// The side that owns it.
    pub(crate) side: Side,
    /// Its cells.
    pub(crate) cells: Vec<String>,
}

/// An offer that one side has made to the other.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
pub(crate) struct OfferState {
    /// What is offered.
    pub(crate) kind: OfferWord,
    /// The side that made the offer.
    pub(crate) by: Side,
}

/// The kind of an offer.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OfferWord {
    /// A draw.
    Draw,
    /// A takeback.
    Undo,
    /// A rematch with sides swapped.
    Rematch,
}

/// How a game ended.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct OverState {
    /// `x`, `o` or `draw`; null if the game was abandoned.
    pub(crate) result: Option<String>,
    /// How it ended: `line`, `resigned`, …
    pub(crate) how: String,
    /// The result as a sentence.
    pub(crate) sentence: String,
}

/// An action in a game: the body of `POST /api/v1/games/{id}/actions`, and a message on its socket. `rev` is the revision
/// of the state that it refers to.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Action {
    /// Makes a move.
    Move {
        /// The state's revision.
        rev: String,
        /// The move.
        #[serde(rename = "move")]
        text: String,
    },
    /// Takes back to your previous move; in online games, asks the opponent first.
    Undo {
        /// The state's revision.
        rev: String,
    },
    /// Redoes moves that were taken back.
    Redo {
        /// The state's revision.
        rev: String,
    },
    /// Resigns. If you play both sides, `side` selects one; by default, the side to move resigns.
    Resign {
        /// The state's revision.
        rev: String,
        /// The side that resigns.
        side: Option<Side>,
    },
    /// Makes an offer to the opponent (`draw`, `rematch`). If you play both sides, it takes effect immediately; against a
    /// bot, a rematch does.
    Offer {
        /// The state's revision.
        rev: String,
        /// What to offer.
        offer: OfferWord,
    },
    /// Accepts the opponent's offer.
    Accept {
        /// The state's revision.
        rev: String,
        /// The offer that is meant; a different one isn't accepted.
        offer: OfferWord,
    },
    /// Declines the opponent's offer, or withdraws your own.
    Decline {
        /// The state's revision.
        rev: String,
        /// The offer that is meant; any offer by default.
        offer: Option<OfferWord>,
    },
    /// Hands one of your sides over to a bot, or to a player at the same device.
    Seat {
        /// The state's revision.
        rev: String,
        /// The side.
        side: Side,
        /// The new player or bot.
        who: NewSeat,
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
    /// The revision that the action is about.
    pub(crate) fn rev(&self) -> &str {
        match self {
            Action::Move { rev, .. }
            | Action::Undo { rev }
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

/// A player or bot for a seat.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum NewSeat {
    /// The visitor who sends the request.
    Person {
        /// The name; without one, the player is a guest and has no record.
        name: Option<String>,
    },
    /// A bot.
    Bot {
        /// Its name.
        bot: String,
    },
    /// A player who joins by invite link. Only in new games.
    Invite,
}

/// A new game: the body of `POST /api/v1/games`.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    /// The variant's name.
    pub(crate) variant: String,
    /// The start position as text; the standard one if missing.
    pub(crate) position: Option<String>,
    /// X's seat.
    pub(crate) x: NewSeat,
    /// O's seat.
    pub(crate) o: NewSeat,
}

/// A game as a visitor sees it: the response to reading, creating and acting in a game, and every state in a stream.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct GameView {
    /// The sides that the visitor plays.
    pub(crate) you: Vec<Side>,
    /// The game.
    pub(crate) game: GameState,
    /// The invite link; only for the visitor who created the game.
    pub(crate) invite: Option<String>,
    /// Parts of the page by element ID, if they were requested.
    pub(crate) html: Option<std::collections::BTreeMap<String, String>>,
}
