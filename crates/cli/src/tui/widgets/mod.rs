//! Parts that several screens use.

mod clicks;
mod dialog;
mod field;
mod key_line;
mod marks;
mod move_list;
mod pane;
mod plot;
mod reader;
mod rows;
mod scores;
mod text;
mod value_bar;

pub(crate) use clicks::Clicks;
pub(crate) use dialog::{Choice, Dialog, Picked, frame};
pub(crate) use field::Field;
pub(crate) use key_line::{KeyLine, KeyWord};
pub(crate) use move_list::{Entry, MoveList, entries};
pub(crate) use noughts_session::{Worth, for_mover};
pub(crate) use pane::Pane;
pub(crate) use plot::{Plot, Point};
pub(crate) use reader::Reader;
pub(crate) use rows::Rows;
pub(crate) use scores::{Scores, Standing};
pub(crate) use text::{put, short, wrap, wrap_lines, wrap_within};
pub(crate) use value_bar::ValueBar;
