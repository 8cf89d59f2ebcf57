//! Widgets shared by several screens.

mod click_map;
mod dialog;
mod key_hints;
mod move_list;
mod pane;
mod player_panel;
mod plot;
mod select_list;
mod text;
mod text_input;
mod text_viewer;
mod value_bar;

pub(crate) use click_map::ClickMap;
pub(crate) use dialog::{Dialog, DialogResult, popup_frame};
pub(crate) use key_hints::{KeyHint, KeyHintBar};
pub(crate) use move_list::{MoveEntry, MoveList, move_entries};
pub(crate) use pane::Pane;
pub(crate) use player_panel::{PlayerInfo, PlayerPanel};
pub(crate) use plot::{PlotPoint, ValuePlot};
pub(crate) use select_list::{ListInput, ListRow, SelectList};
pub(crate) use text::{draw_right, draw_wrapped, truncate, wrap, wrap_lines, wrap_truncated};
pub(crate) use text_input::TextInput;
pub(crate) use text_viewer::TextViewer;
pub(crate) use value_bar::draw_value_bar;
