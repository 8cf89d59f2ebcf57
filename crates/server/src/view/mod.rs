//! Markup: pages and the parts of them that change while one looks. A part is made
//! by one function for the first page and for every later update.

#[cfg(test)]
mod gallery;
mod icons;
pub(crate) mod layout;
pub(crate) mod pages;
mod parts;
pub(crate) mod png;
mod qr;
mod trouble;
pub(crate) mod words;

pub(crate) use parts::{Look, parts, unborn};
pub(crate) use trouble::trouble;
