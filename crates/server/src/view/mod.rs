//! Markup: pages, and the parts of them that are updated live. One function renders a part
//! both for the initial page and for every update.

mod choices;
mod error_page;
pub(crate) mod formatting;
mod json;
pub(crate) mod layout;
mod messages;
pub(crate) mod pages;
mod parts;
mod patch;
pub(crate) mod png;
mod qr;
#[cfg(test)]
mod tests;
mod view_request;

pub(crate) use choices::{choices, levels, shown_paths};
pub(crate) use error_page::error_page;
pub(crate) use json::position_text;
pub(crate) use messages::StreamWriter;
pub(crate) use parts::render_parts;
pub(crate) use view_request::{ViewParams, ViewRequest, check_board_path};
