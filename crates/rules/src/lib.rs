//! The rules of the tic-tac-toe family: boards of any size, nested and upright ones, cubes, moving grids and pieces, with
//! all variants. Each game is a file in [`games`].
//!
//! Pure: no I/O, no clock, no threads, and no randomness except what the caller passes in.
//! Nothing here panics, whatever the input.
//!
//! - [`Variant`] names a game; [`Game`] is its rules, which search is generic over.
//! - [`Game::parse`] makes a position from text, or reports everything that is wrong with it.
//! - [`GameState`] is a game in progress with its history; [`AnyGameState`] does the same
//!   for any variant, in text, for front ends.
//! - [`Record`] is a game as a text file.
//!
//! ```
//! use noughts_rules::{AnyGameState, Outcome, Side};
//!
//! let mut state = AnyGameState::new("classic".parse()?);
//! for mv in ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"] {
//!     state.play(mv)?;
//! }
//! assert_eq!(state.outcome(), Some(Outcome::Draw));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[macro_use]
pub mod games;

mod any_game_state;
mod assistance;
mod bitboard;
mod bitboard9;
mod drawing;
mod error;
mod formats;
mod game;
mod game_state;
mod hash;
mod info;
mod notation;
mod options;
mod outcome;
mod perft;
mod planes;
mod record;
mod setup;
mod symmetry;
mod termination;
mod variant;
mod view;
mod word_enum;

pub use any_game_state::{AnyGameState, GameVisitor};
pub use assistance::{Assistance, AssistanceError, UnratedReason};
pub use bitboard::Bitboard;
pub use bitboard9::LINES;
pub use drawing::{Drawing, Glyph, GlyphKind, draw_view};
pub use error::{MoveError, MoveErrorKind, PlayError, SetupError, SetupFaultKinds};
pub use formats::FormatError;
pub use game::Game;
pub use game_state::{GameState, RepetitionCounter};
pub use games::mnk::{LargeMnk, Mnk, MnkMove, MnkOptions, MnkPosition};
pub use games::nested::{
    ClosedReason, D1, D2, D3, Depth, DynDepth, FreeMoveTarget, LeafBoard, MoveArea, Nested,
    NestedMove, NestedOptions, NestedPosition, ParentBoard, Rule5a, SharedBoards, Tiebreak,
    TrailRule, Ultimate, WonBoardRule, path_text,
};
pub use games::tic_tac_two::{
    TicTacTwo, TicTacTwoCell, TicTacTwoMove, TicTacTwoOptions, TicTacTwoPosition,
};
pub use games::{DynGame, DynMove, DynPosition};
pub use info::{Example, GameInfo, MAX_OPTIONS, OptionFault, OptionValues, Preset, option_values};
pub use notation::{column_name, parse_column};
pub use options::{OptionDefault, OptionKind, OptionSpec, OptionWord};
pub use outcome::{Ending, Outcome, Side};
pub use perft::{divide, perft, perft_until};
pub use record::{Record, RecordError};
pub use symmetry::{SquareSymmetry, Symmetry};
pub use termination::{Termination, TerminationError};
pub use variant::{Variant, VariantError};
pub use view::{
    BoardLook, BoardShape, BoardView, CellView, Frame, MAX_LISTED_TARGETS, Mark, Owner, Piece,
    PieceSize, Place, TapResult, Target,
};
