//! The response of a page. Middleware turns errors into pages.

use axum::http::header::CACHE_CONTROL;
use axum::http::{Extensions, HeaderMap, StatusCode, Version};
use axum::response::{IntoResponse, Response};
use maud::Markup;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};

use crate::error::ApiErrorKind;

/// A page. It isn't cached, since its content can change at any time.
pub(crate) struct PageResponse(pub(crate) Markup);

impl PageResponse {
    /// A page that may contain a message about invalid input. The status reports it as well, for programs and
    /// search engines.
    pub(crate) fn with_validity(is_invalid: bool, page: Markup) -> (StatusCode, PageResponse) {
        let status = match is_invalid {
            true => ApiErrorKind::Invalid.status(),
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

/// Compresses successful responses that are large enough. Errors aren't compressed, since
/// middleware reads them.
pub(crate) fn compression_layer() -> CompressionLayer<CompressionPredicate> {
    fn is_success(status: StatusCode, _: Version, _: &HeaderMap, _: &Extensions) -> bool {
        status.is_success()
    }
    let predicate: CompressionPredicate =
        SizeAbove::new(512).and(is_success as fn(_, _, &_, &_) -> _);
    CompressionLayer::new().compress_when(predicate)
}
