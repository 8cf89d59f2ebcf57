//! A live game as a client sees it: complete, and what changes in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Choices, GameResult, OfferKind, ReservePieces, Seat, Side, Tally};

/// A game as a visitor sees it: the response to reading, creating and acting in a game, and the first message of a
/// stream.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct GameView {
    /// The sides that the visitor plays.
    pub you: Vec<Side>,
    /// The game.
    pub game: Game,
    /// The invite link; only for the visitor who created the game.
    pub invite: Option<String>,
    /// Parts of the page by element ID, if they were requested.
    pub html: Option<BTreeMap<String, String>>,
}

/// A game at one moment.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct Game {
    /// 32 hexadecimal digits; the game's page is `/games/{id}`.
    pub id: String,
    /// The game's number in this store.
    pub number: i64,
    /// The variant's name.
    pub variant: String,
    /// The start position as text; null if it is the standard one or has more than 4096 characters.
    pub start: Option<String>,
    /// The revision of this state; actions include the revision that they refer to.
    pub rev: String,
    /// How many moves led here, at least: those played, and one for each piece of a start position given as text.
    pub ply: usize,
    /// The side to move; after the game is over, the side that would have moved next.
    pub side: Side,
    /// The position as text; null if it has more than 4096 characters.
    pub position: Option<String>,
    /// The moves played.
    pub moves: Vec<String>,
    /// X's player.
    pub x: LiveSeat,
    /// O's player.
    pub o: LiveSeat,
    /// How the board is divided: columns and rows of each level, the outermost first. The last level is the cells.
    pub levels: Vec<(u8, u8)>,
    /// The legal moves.
    pub choices: Choices,
    /// What happens next or how the game ended, as a sentence.
    pub prompt: String,
    /// Whether a bot is thinking about its move.
    pub thinking: bool,
    /// Whether a game between bots is paused.
    pub paused: bool,
    /// The speed of a game between bots, from 1, the slowest, to 6, without pauses.
    pub speed: usize,
    /// Whether a move can be taken back.
    pub can_take_back: bool,
    /// Whether a move that was taken back can be redone.
    pub can_redo: bool,
    /// Whether a side changed hands. Then the game isn't rated.
    pub handed_over: bool,
    /// The first assistance that a player had: `hint`, `takeback` or `analysis`, or `position` if the game started from
    /// a custom position. Then the game isn't rated.
    pub assisted: Option<String>,
    /// Whether the game is rated.
    pub rated: bool,
    /// The offer that one side has made to the other.
    pub offer: Option<Offer>,
    /// The result; null while the game is in progress and if it was abandoned.
    pub result: Option<GameResult>,
    /// How it ended, in one word: `line`, `resigned`, …; null while it is in progress.
    pub ending: Option<String>,
    /// The ID of the rematch, if there is one.
    pub rematch: Option<String>,
}

/// The player of one side of a live game.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct LiveSeat {
    /// The player.
    #[serde(flatten)]
    pub seat: Seat,
    /// The name to show, also for players without one.
    pub label: String,
    /// A description of the bot.
    pub about: Option<String>,
    /// The player's record.
    pub tally: Option<Tally>,
    /// Whether the player is connected.
    pub connected: bool,
    /// The pieces next to the board that the side can still use; missing in games without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reserve: Vec<ReservePieces>,
}

/// An offer that one side has made to the other.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
pub struct Offer {
    /// What is offered.
    pub kind: OfferKind,
    /// The side that made the offer.
    pub by: Side,
}

/// What has changed since the last message of a stream. Fields that haven't changed are missing.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct GameUpdate {
    /// The sides that the visitor plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub you: Option<Vec<Side>>,
    /// The fields of `Game` that have changed, except `moves`: each replaces the old value.
    #[schema(value_type = Object)]
    pub game: BTreeMap<String, serde_json::Value>,
    /// How the list of moves has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<NewMoves>,
    /// The invite link; null when it is no longer valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invite: Option<Option<String>>,
    /// Parts of the page that have changed, by element ID, if they were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub html: Option<BTreeMap<String, PartUpdate>>,
}

/// A change of the list of moves: all moves from number `keep` on are replaced.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct NewMoves {
    /// How many moves stay.
    pub keep: usize,
    /// The moves after those.
    pub add: Vec<String>,
}

/// A part of the page: its new content, or a patch of the content that this stream sent before.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum PartUpdate {
    /// The new content.
    Content(String),
    /// Steps that make the new content from the old one, which is divided before every opening tag (`<` and a lowercase
    /// letter).
    Patch(Vec<PatchStep>),
}

/// A step of a patch.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum PatchStep {
    /// Copies this many pieces of the old content, or skips them if the number is negative.
    Pieces(i64),
    /// Adds new text.
    Text(String),
}
