//! Finishes every response: sets headers, and gives all errors the same format, whether they come
//! from a handler, the framework or a panic.

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use maud::Markup;

use super::security_headers;
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind, new_error_id, with_log_id};

/// Renders an error as a page.
pub(crate) type ErrorPage = fn(&ApiError) -> Markup;

/// The longest error text that is taken over from the framework.
const MAX_MESSAGE_BYTES: usize = 4 << 10;

pub(super) async fn finish_response(
    State((app, render)): State<(App, ErrorPage)>,
    request: Request,
    next: Next,
) -> Response {
    let render = wants_page(&request).then_some(render);
    let mut response = next.run(request).await;
    if response.status().is_client_error() || response.status().is_server_error() {
        response = format_error(response, render).await;
    }
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

/// Rewrites an error response in the common format: as a page, or as JSON.
async fn format_error(response: Response, render: Option<ErrorPage>) -> Response {
    let known = response.extensions().get::<ApiError>().cloned();
    match &known {
        Some(error) if render.is_none() && !is_internal(error) => return response,
        // Already a page, or JSON with more than an error in it.
        None if is_formatted(response.headers()) => return response,
        _ => {}
    }
    let (parts, body) = response.into_parts();
    let mut error = match known {
        Some(error) => error,
        None => framework_error(parts.status, body).await,
    };
    if is_internal(&error) {
        error = hide_details(&error);
    }
    let mut formatted = match render {
        Some(render) => (error.kind.status(), render(&error)).into_response(),
        None => error.into_response(),
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
    error.kind.error(with_log_id(what, &id))
}

/// The framework's own errors, which are plain text.
async fn framework_error(status: StatusCode, body: Body) -> ApiError {
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        let message = "the request is too large; /api lists the limits";
        return ApiErrorKind::TooLarge.error(message);
    }
    let kind = match status.is_client_error() {
        true => ApiErrorKind::BadRequest,
        false => ApiErrorKind::Internal,
    };
    let text = to_bytes(body, MAX_MESSAGE_BYTES).await.unwrap_or_default();
    kind.error(String::from_utf8_lossy(&text))
}
