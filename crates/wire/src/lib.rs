//! The JSON that noughts speaks: the types of the HTTP API, of `--json` and of the Python package.
//! A field has one name, one type and one meaning everywhere.
//!
//! - A side is `x` or `o`; a result is `x`, `o` or `draw`.
//! - `id` is a game's public ID of 32 hexadecimal digits; `number` is its number in this store.
//! - `value` and `plies` are for the side to move: see [`PositionValue`].
//! - `ply` counts moves played; times are in milliseconds and end in `_ms`.

mod action;
mod analysis;
mod bot;
mod choices;
mod game;
mod live;
mod player;
mod position;
mod value;
mod variant;

pub use action::{Action, JoinRequest, NewGame, NewSeat, OfferKind};
pub use analysis::{
    AnalysisRequest, AnalysisUpdate, Hint, MistakeKind, ReviewedPosition, TablebaseInfo,
    TablebaseStatus,
};
pub use bot::{BotInfo, BotList};
pub use choices::{Choice, Choices, CompletedLine, PieceKind, ReservePieces};
pub use game::{
    GameDetails, GameHeader, GameList, GameResult, GameSummary, PlayedMove, Seat, SeatKind, Side,
};
pub use live::{Game, GameUpdate, GameView, LiveSeat, NewMoves, Offer, PartUpdate, PatchStep};
pub use player::{
    PlayerDetails, PlayerEntry, PlayerList, RecordByOpponent, RecordByVariant, Tally,
};
pub use position::{
    BestMove, MoveList, MoveValue, PositionInfo, PositionRequest, PositionView,
    PositionViewRequest, SolvedMove, SolvedPosition, StoredPosition, TapMeaning, TapRequest,
};
pub use value::{PositionValue, ProvedOrEstimated, round_estimate};
pub use variant::{
    OptionInfo, OptionNumbers, OptionValue, RulesParagraph, VariantDetails, VariantSummary,
};
