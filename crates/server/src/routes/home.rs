//! `/`: the first board, and the games to choose from.

use super::Page;
use crate::view::pages;

pub(super) async fn home() -> Page {
    Page(pages::home())
}
