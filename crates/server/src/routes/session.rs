//! `/session`: what this server knows of a visitor, and the end of their session.

use super::PageResponse;
use crate::middleware::Visitor;
use crate::view::pages;

pub(super) async fn session(visitor: Visitor) -> PageResponse {
    PageResponse(pages::session(&visitor.id().to_string()))
}
