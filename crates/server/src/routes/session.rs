//! `/session`: what this server knows of a visitor, and the end of their session.

use super::Page;
use crate::guard::Visitor;
use crate::view::pages;

pub(super) async fn session(visitor: Visitor) -> Page {
    Page(pages::session(&visitor.id().to_string()))
}
