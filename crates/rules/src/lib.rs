//! The rules of the tic-tac-toe family: m,n,k boards, Tic-Tac-Two, and nested
//! boards ("Ception", ultimate tic-tac-toe) of any depth with all their variants.
//!
//! Pure: no input or output, no clock, no threads, and no randomness but what the
//! caller hands in. Nothing here panics, whatever the input.
//!
//! - [`Variant`] names a game; [`Game`] is its rules, which search is generic over.
//! - [`Setup`] is a board somebody set up; [`Game::position`] is the one gate from
//!   there to a position.
//! - [`Play`] is a game in progress with its history; [`AnyPlay`] is one of any
//!   variant, for front ends, in text.
//! - [`Record`] is a game as a text file.
//!
//! ```
//! use noughts_rules::{AnyPlay, Outcome, Player};
//!
//! let mut play = AnyPlay::new("classic".parse()?);
//! for mv in ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"] {
//!     play.play(mv)?;
//! }
//! assert_eq!(play.outcome(), Some(Outcome::Draw));
//! assert_eq!(play.prompt(), "draw: no legal move is left");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any;
mod bits;
mod draw;
mod error;
mod formats;
mod game;
mod hash;
mod mnk;
mod nested;
mod nine;
mod notation;
mod outcome;
mod perft;
mod planes;
mod play;
mod record;
mod setup;
mod symmetry;
mod tic_tac_two;
mod variant;

pub use any::{AnyPlay, Shape, Visitor};
pub use draw::{Drawing, Glyph, Ink};
pub use error::{FaultKinds, PlayError, Refusal, RefusalKind, SetupError};
pub use formats::FormatError;
pub use game::Game;
pub use mnk::{LargeMnk, Mnk, MnkMove, MnkPosition};
pub use nested::{
    Around, Board, D1, D2, D3, Deep, Depth, Foreseen, Nested, NestedBoard, NestedMove, NestedPlay,
    NestedPosition, Place, Rule5a, Ultimate, Why, path_text,
};
pub use nine::LINES;
pub use outcome::{Ending, Outcome, Player};
pub use perft::{divide, perft, perft_until};
pub use play::{Occurrences, Play};
pub use record::{Record, RecordError};
pub use setup::{Owner, Setup};
pub use symmetry::Symmetry;
pub use tic_tac_two::{Cell, TicTacTwo, TicTacTwoMove, TicTacTwoPosition, TurnKind};
pub use variant::{
    End, Free, MnkOptions, NestedOptions, Owning, Sent, TicTacTwoOptions, Trail, Variant,
    VariantError,
};
