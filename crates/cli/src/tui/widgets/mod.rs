//! Parts that several screens use.

mod click_map;
mod dialog;
mod key_hints;
mod marks;
mod move_list;
mod pane;
mod player_panel;
mod plot;
mod select_list;
mod text;
mod text_input;
mod text_viewer;
mod value_bar;

pub(crate) use click_map::Clicks;
pub(crate) use dialog::{Choice, Dialog, Picked, popup_frame};
pub(crate) use key_hints::{KeyLine, KeyWord};
pub(crate) use move_list::{MoveEntry, MoveList, move_entries};
pub(crate) use noughts_session::{XRelativeValue, mover_value_text};
pub(crate) use pane::Pane;
pub(crate) use player_panel::{PlayerInfo, Scores};
pub(crate) use plot::{Plot, PlotPoint};
pub(crate) use select_list::SelectList;
pub(crate) use text::{put_text, truncate, wrap, wrap_lines, wrap_truncated};
pub(crate) use text_input::TextInput;
pub(crate) use text_viewer::TextViewer;
pub(crate) use value_bar::ValueBar;
