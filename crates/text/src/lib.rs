//! Every sentence that people read, from typed values.
//!
//! Front ends choose what to show and where; they never phrase. No code reads a sentence back: code that needs to
//! branch uses the value that the sentence was made from. Sentences take their arguments by name, so that they can be
//! translated.
//!
//! What a game says about itself (title, summary, options, rules) belongs to the game, not here.

mod actions;
mod counts;
mod description;
mod game_over;
mod layout;
mod mistakes;
mod offers;
mod players;
mod prompt;
mod rating;
pub mod rulebook;
mod values;

pub use actions::{Action, KeyTable, key_help, plain_help};
pub use counts::{is_or_are, join_and, join_or, plural, short_tally, tally};
pub use description::describe_board;
pub use game_over::{GameOver, PlayerLabel, Viewpoint, listed_result};
pub use layout::{capitalize, wrap};
pub use mistakes::{Mistake, MistakeKind, best_move_note};
pub use offers::{DrawRefusal, draw_considered, draw_declined};
pub use players::{
    GUEST, LEVELS, OTHER_BOTS, bot_name, no_move_found, numbered_player, perfection, same_player,
};
pub use prompt::{move_forms, next_part_question, prompt, prompt_for};
pub use rating::{assistance_notice, assistance_question, unrated_notice, unrated_warning};
pub use values::{ValueForX, hint, move_value, proved_value, value_legend, value_symbol};
