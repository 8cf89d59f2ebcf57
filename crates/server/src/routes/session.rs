//! `/session`: how the server recognizes a visitor, and how to end the session.

use super::PageResponse;
use crate::middleware::Visitor;
use crate::view::pages;

pub(super) async fn session(visitor: Visitor) -> PageResponse {
    PageResponse(pages::session(&visitor.id().to_string()))
}
