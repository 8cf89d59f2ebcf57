//! Finishes every response: sets headers, and gives all errors the same format, whether they come
//! from a handler, the framework or a panic.

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::security_headers;
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind, new_error_id};
use crate::view;

/// The longest error text that is taken over from the framework.
const MAX_MESSAGE_BYTES: usize = 4 << 10;

pub(super) async fn finish_response(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Response {
    let wants_page = wants_page(&request);
    let response = next.run(request).await;
    let mut response = match response.status() {
        status if status.is_client_error() || status.is_server_error() => {
            format_error(response, wants_page).await
        }
        _ => response,
    };
    security_headers::insert(response.headers_mut(), &app.config);
    response
}

/// Browsers get a page, programs get JSON.
fn wants_page(request: &Request) -> bool {
    let path = request.uri().path();
    let accepts = request.headers().get(header::ACCEPT);
    let accepts = accepts.and_then(|accepts| accepts.to_str().ok());
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    is_read && !path.starts_with("/api/") && accepts.is_some_and(|all| all.contains("text/html"))
}

/// Rewrites an error response in the common format.
async fn format_error(response: Response, wants_page: bool) -> Response {
    let known = response.extensions().get::<ApiError>().cloned();
    let error = match known {
        Some(error) if !wants_page && !is_internal(&error) => return response,
        Some(error) => error,
        // Already a page, or JSON with more than an error in it.
        None if is_formatted(response.headers()) => return response,
        None => ApiError::new(ApiErrorKind::Internal, ""),
    };
    let (parts, body) = response.into_parts();
    let error = match error.message.is_empty() {
        true => framework_error(parts.status, body).await,
        false => error,
    };
    let error = if is_internal(&error) {
        hide_details(&error)
    } else {
        error
    };
    let mut formatted = match wants_page {
        true => (error.kind.status(), view::error_page(&error)).into_response(),
        false => error.into_response(),
    };
    for name in [header::ALLOW, header::RETRY_AFTER, header::SET_COOKIE] {
        if let Some(value) = parts.headers.get(&name) {
            formatted.headers_mut().insert(name, value.clone());
        }
    }
    formatted
}

fn is_formatted(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    kind.is_some_and(|kind| kind.starts_with(b"application/json") || kind.starts_with(b"text/html"))
}

fn is_internal(error: &ApiError) -> bool {
    error.kind == ApiErrorKind::Internal
}

/// The error as visitors see it: with an id, under which the log has the details.
fn hide_details(error: &ApiError) -> ApiError {
    let id = new_error_id();
    tracing::error!(id, kind = ?error.kind, reason = error.message, "internal error");
    let what = "something went wrong on the server";
    ApiError::new(
        error.kind,
        format!("{what}; nothing was changed, and the server's log has the details under {id}"),
    )
}

/// The framework's own errors, which are plain text.
async fn framework_error(status: StatusCode, body: Body) -> ApiError {
    let text = to_bytes(body, MAX_MESSAGE_BYTES).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let kind = match status {
        StatusCode::NOT_FOUND => ApiErrorKind::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => ApiErrorKind::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => ApiErrorKind::TooLarge,
        StatusCode::TOO_MANY_REQUESTS => ApiErrorKind::TooMany,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ApiErrorKind::WrongType,
        StatusCode::REQUEST_TIMEOUT => ApiErrorKind::TooSlow,
        StatusCode::SERVICE_UNAVAILABLE => ApiErrorKind::Busy,
        status if status.is_client_error() => ApiErrorKind::BadRequest,
        _ => ApiErrorKind::Internal,
    };
    let message = match (kind, text.trim()) {
        (ApiErrorKind::TooLarge, _) => "the request is too large; /api lists the limits".into(),
        (_, "") => format!("{status}"),
        (_, text) => text.to_owned(),
    };
    ApiError::new(kind, message)
}
