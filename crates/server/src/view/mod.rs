//! Markup: pages and the parts of them that change while one looks. A part is made
//! by one function for the first page and for every later update.

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
