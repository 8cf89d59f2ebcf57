//! `/session`: how the server recognizes a visitor, and how to end the session.

use maud::Markup;

use crate::middleware::Visitor;
use crate::view::pages;

pub(super) async fn session(visitor: Visitor) -> Markup {
    pages::session(&visitor.id().to_string())
}
