//! How a page is answered. What goes wrong is made a page by the guards.

use axum::http::header::CACHE_CONTROL;
use axum::http::{Extensions, HeaderMap, StatusCode, Version};
use axum::response::{IntoResponse, Response};
use maud::Markup;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};

use crate::error::Kind;

/// A page. Nobody keeps it: the next look may show something else.
pub(crate) struct PageResponse(pub(crate) Markup);

impl PageResponse {
    /// A page that says on itself what was wrong with the request, or a plain one. Programs and search engines read
    /// the status.
    pub(crate) fn with_validity(wrong: bool, page: Markup) -> (StatusCode, PageResponse) {
        let status = match wrong {
            true => Kind::Invalid.status(),
            false => StatusCode::OK,
        };
        (status, PageResponse(page))
    }
}

impl IntoResponse for PageResponse {
    fn into_response(self) -> Response {
        ([(CACHE_CONTROL, "no-store")], self.0).into_response()
    }
}

type CompressionPredicate =
    And<SizeAbove, fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool>;

/// Makes what is sent smaller, where that is worth it. Errors stay as they are: the
/// guards read them.
pub(crate) fn compression_layer() -> CompressionLayer<CompressionPredicate> {
    fn succeeded(status: StatusCode, _: Version, _: &HeaderMap, _: &Extensions) -> bool {
        status.is_success()
    }
    let worth: CompressionPredicate = SizeAbove::new(512).and(succeeded as fn(_, _, &_, &_) -> _);
    CompressionLayer::new().compress_when(worth)
}
