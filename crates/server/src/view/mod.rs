//! Markup: pages, and the parts of them that are updated live. One function renders a part
//! both for the initial page and for every update.

mod error_page;
pub(crate) mod formatting;
#[cfg(test)]
mod gallery;
mod icons;
pub(crate) mod layout;
pub(crate) mod pages;
mod parts;
pub(crate) mod png;
mod qr;

pub(crate) use error_page::error_page;
pub(crate) use parts::{ViewOptions, render_parts, unsaved_snapshot};
