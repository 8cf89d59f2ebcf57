//! Every sentence that people read, from typed values.
//!
//! Front ends choose what to show and where; they never phrase. No code reads a sentence back: code that needs to
//! branch uses the value that the sentence was made from. Sentences take their arguments by name, so that they can be
//! translated.
//!
//! What a game says about itself (title, summary, options, rules) belongs to the game, not here.

mod counts;
mod game_over;
mod layout;
mod players;
mod prompt;
mod rating;
mod values;

pub use counts::{join_and, plural, short_tally, tally};
pub use game_over::{GameOver, PlayerLabel, Viewpoint};
pub use layout::{capitalize, wrap};
pub use players::same_player;
pub use prompt::prompt;
pub use rating::{assistance_notice, unrated_notice};
pub use values::{ValueForX, move_value, value_symbol};
