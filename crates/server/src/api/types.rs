//! The API's JSON types.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    /// The one who moves first.
    X,
    /// The other.
    O,
}

/// A game at one moment.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct GameState {
    /// 32 hexadecimal digits; the game's page is `/games/{id}`.
    pub(crate) id: String,
    /// The number by which the terminal program knows it.
    pub(crate) number: i64,
    /// The variant's name.
    pub(crate) variant: String,
    /// Which state this is; actions name the state that they are about.
    pub(crate) rev: String,
    /// How many moves were made.
    pub(crate) ply: usize,
    /// Whose move it is (who would have moved next, once the game is over).
    pub(crate) side: Side,
    /// The position that it began with, where that is not the usual one and has no more
    /// than 4096 characters.
    pub(crate) start: Option<String>,
    /// The position as text; none where it has more than 4096 characters.
    pub(crate) position: Option<String>,
    /// The moves made.
    pub(crate) moves: Vec<String>,
    /// X's seat and O's.
    pub(crate) seats: [SeatState; 2],
    /// What the side to move may do.
    pub(crate) choices: Choices,
    /// What is expected, or how it ended, as a sentence.
    pub(crate) prompt: String,
    /// A bot is at work on its move.
    pub(crate) thinking: bool,
    /// A game between bots that waits.
    pub(crate) paused: bool,
    /// How fast bots play each other, from 1, the slowest, to 6, as fast as they think.
    pub(crate) speed: usize,
    /// Is there something to take back, to make again?
    pub(crate) can_undo: bool,
    /// The same forward.
    pub(crate) can_redo: bool,
    /// A side changed hands, so that the game counts for nobody.
    pub(crate) handed: bool,
    /// The first help that a player had: `hint`, `takeback` or `analysis`, or `position` where
    /// the game started from a chosen one. The game isn't rated then.
    pub(crate) assisted: Option<String>,
    /// Does it count in the players' records, once it has a result?
    pub(crate) rated: bool,
    /// What one side proposes to the other.
    pub(crate) offer: Option<OfferState>,
    /// The result and how it came, once it is over.
    pub(crate) over: Option<OverState>,
    /// The game that the same players began after this one.
    pub(crate) next: Option<String>,
}

/// A seat.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct SeatState {
    /// `person`, `guest`, `bot`, `invited` (nobody has taken it yet) or `deleted`.
    pub(crate) kind: SeatKind,
    /// The person's or bot's name, or what is shown instead.
    pub(crate) name: String,
    /// A bot's honest sentence.
    pub(crate) sentence: Option<String>,
    /// A person's record.
    pub(crate) tally: Option<TallyState>,
    /// Is somebody there?
    pub(crate) connected: bool,
    /// Tic-Tac-Two: pieces in hand.
    pub(crate) hand: Option<u8>,
}

/// Who sits there.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SeatKind {
    /// A person with a name.
    Person,
    /// A person without a name, who has no record.
    Guest,
    /// A bot.
    Bot,
    /// Offered by a link and not taken yet.
    Invited,
    /// A player who was deleted.
    Deleted,
}

/// Wins, losses and ties.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
pub(crate) struct TallyState {
    /// Games won.
    pub(crate) wins: u64,
    /// Games lost.
    pub(crate) losses: u64,
    /// Games tied.
    pub(crate) ties: u64,
}

/// What the side to move may do.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug, Default)]
pub(crate) struct Choices {
    /// How many legal moves there are.
    pub(crate) count: usize,
    /// The legal moves; none where there are more than 300.
    pub(crate) moves: Option<Vec<Choice>>,
    /// Nested games: the boards that may be played in, each by its path; a board in
    /// which everything is open stands for those inside it. The whole board is ``.
    pub(crate) open: Option<Vec<String>>,
}

/// A legal move and what comes of it.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct Choice {
    /// The move.
    #[serde(rename = "move")]
    pub(crate) text: String,
    /// `mark` a cell, `place` a piece, move a `piece`, move the `grid`.
    pub(crate) kind: ChoiceKind,
    /// Where a piece comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    /// The cell it goes to; the grid's new centre.
    pub(crate) to: String,
    /// Nested games: where the opponent is sent, `` for anywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sends: Option<String>,
    /// On flat boards and in Tic-Tac-Two: the lines that it completes, of either side.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) lines: Vec<LineState>,
}

/// What kind of move.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChoiceKind {
    /// A mark on a cell.
    Mark,
    /// A piece from the hand.
    Place,
    /// A piece from one cell to another.
    Piece,
    /// The grid.
    Grid,
}

/// A line and whose it is.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct LineState {
    /// Whose.
    pub(crate) side: Side,
    /// Its cells.
    pub(crate) cells: Vec<String>,
}

/// What one side proposes to the other.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
pub(crate) struct OfferState {
    /// What.
    pub(crate) kind: OfferWord,
    /// Who.
    pub(crate) by: Side,
}

/// What can be proposed.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OfferWord {
    /// To call it a draw.
    Draw,
    /// To take a move back.
    Undo,
    /// To play again, with sides changed.
    Rematch,
}

/// How a game ended.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct OverState {
    /// `x`, `o` or `draw`; none where it was abandoned.
    pub(crate) result: Option<String>,
    /// The store's word: `line`, `resigned`, …
    pub(crate) how: String,
    /// As a sentence.
    pub(crate) sentence: String,
}

/// What somebody does in a game: the body of `POST /api/v1/games/{id}/actions`, and a
/// frame on its socket. `rev` is the state that it is about.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Action {
    /// Makes a move.
    Move {
        /// The state.
        rev: String,
        /// The move.
        #[serde(rename = "move")]
        text: String,
    },
    /// Back to one's previous decision; asks the other side where they sit apart.
    Undo {
        /// The state.
        rev: String,
    },
    /// Forward again.
    Redo {
        /// The state.
        rev: String,
    },
    /// Gives up. Who plays both sides says which by `side`; without it, it's the side to move.
    Resign {
        /// The state.
        rev: String,
        /// Which side.
        side: Option<Side>,
    },
    /// Proposes something (`draw`, `rematch`); alone at both sides, or against a bot,
    /// it happens at once where that makes sense.
    Offer {
        /// The state.
        rev: String,
        /// What.
        offer: OfferWord,
    },
    /// Agrees to what is offered.
    Accept {
        /// The state.
        rev: String,
        /// What: another offer than the one that was meant is not agreed to.
        offer: OfferWord,
    },
    /// Declines it, or withdraws one's own.
    Decline {
        /// The state.
        rev: String,
        /// What; whatever is offered, where nothing is said.
        offer: Option<OfferWord>,
    },
    /// Hands a side to a bot or to a person here.
    Seat {
        /// The state.
        rev: String,
        /// Which side.
        side: Side,
        /// Who plays it from now on.
        who: NewSeat,
    },
    /// Leaves a game unfinished for good.
    Abandon {
        /// The state.
        rev: String,
    },
    /// Bots playing each other wait, or go on.
    Pause {
        /// The state.
        rev: String,
        /// Wait?
        paused: bool,
    },
    /// Bots play each other faster or slower.
    Speed {
        /// The state.
        rev: String,
        /// From 1, the slowest, to 6, as fast as they think.
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

/// Who is to sit somewhere.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum NewSeat {
    /// The visitor who asks, under this name.
    Person {
        /// The name; without one it is a guest, who has no record.
        name: Option<String>,
    },
    /// A bot.
    Bot {
        /// Its name.
        bot: String,
    },
    /// Whoever comes by the link. Only when a game is made.
    Invite,
}

/// A game to be made: the body of `POST /api/v1/games`.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    /// The variant's name.
    pub(crate) variant: String,
    /// The position to begin with; none for the usual one.
    pub(crate) position: Option<String>,
    /// X's seat.
    pub(crate) x: NewSeat,
    /// O's seat.
    pub(crate) o: NewSeat,
}

/// What a visitor gets to see of a game: the answer to reading, making and acting,
/// and every frame of a stream.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct GameView {
    /// Which sides the visitor plays.
    pub(crate) you: Vec<Side>,
    /// The game.
    pub(crate) game: GameState,
    /// To whom it is shown: the link for an invited friend, for who made it.
    pub(crate) invite: Option<String>,
    /// The page's parts by their ids, where they were asked for.
    pub(crate) html: Option<std::collections::BTreeMap<String, String>>,
}
