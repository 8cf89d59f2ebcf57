//! The last hand on every answer: headers, and one form for everything that went
//! wrong, whoever found it: a handler, the framework, or a panic.

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::security_headers;
use crate::app::App;
use crate::error::{Error, Kind, new_error_id};
use crate::view;

/// Nobody says more in a sentence.
const LONGEST_SENTENCE: usize = 4 << 10;

pub(super) async fn finish_response(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Response {
    let wants_page = wants_page(&request);
    let response = next.run(request).await;
    let mut response = match response.status() {
        status if status.is_client_error() || status.is_server_error() => {
            mended(response, wants_page).await
        }
        _ => response,
    };
    security_headers::insert(response.headers_mut(), &app.config);
    response
}

/// People get a page, programs get JSON.
fn wants_page(request: &Request) -> bool {
    let path = request.uri().path();
    let accepts = request.headers().get(header::ACCEPT);
    let accepts = accepts.and_then(|accepts| accepts.to_str().ok());
    let opens = matches!(*request.method(), Method::GET | Method::HEAD);
    opens && !path.starts_with("/api/") && accepts.is_some_and(|all| all.contains("text/html"))
}

/// The same answer in our form.
async fn mended(response: Response, wants_page: bool) -> Response {
    let told = response.extensions().get::<Error>().cloned();
    let error = match told {
        Some(error) if !wants_page && !is_fault(&error) => return response,
        Some(error) => error,
        // A page already, or JSON with more in it than an error has.
        None if has_form(response.headers()) => return response,
        None => Error::new(Kind::Internal, ""),
    };
    let (parts, body) = response.into_parts();
    let error = match error.message.is_empty() {
        true => told_by_others(parts.status, body).await,
        false => error,
    };
    let error = if is_fault(&error) {
        hidden(&error)
    } else {
        error
    };
    let mut made = match wants_page {
        true => (error.kind.status(), view::error_page(&error)).into_response(),
        false => error.into_response(),
    };
    for name in [header::ALLOW, header::RETRY_AFTER, header::SET_COOKIE] {
        if let Some(value) = parts.headers.get(&name) {
            made.headers_mut().insert(name, value.clone());
        }
    }
    made
}

fn has_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    kind.is_some_and(|kind| kind.starts_with(b"application/json") || kind.starts_with(b"text/html"))
}

fn is_fault(error: &Error) -> bool {
    error.kind == Kind::Internal
}

/// The error as visitors see it: with a number, under which the log has the rest.
fn hidden(error: &Error) -> Error {
    let id = new_error_id();
    tracing::error!(id, kind = ?error.kind, reason = error.message, "fault");
    let what = "something went wrong here, which is not your fault";
    Error::new(
        error.kind,
        format!("{what}; nothing was changed, and the server's log has the reason under {id}"),
    )
}

/// What the framework found wrong, which says so in plain text.
async fn told_by_others(status: StatusCode, body: Body) -> Error {
    let text = to_bytes(body, LONGEST_SENTENCE).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let kind = match status {
        StatusCode::NOT_FOUND => Kind::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => Kind::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => Kind::TooLarge,
        StatusCode::TOO_MANY_REQUESTS => Kind::TooMany,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Kind::WrongType,
        StatusCode::REQUEST_TIMEOUT => Kind::TooSlow,
        StatusCode::SERVICE_UNAVAILABLE => Kind::Busy,
        status if status.is_client_error() => Kind::BadRequest,
        _ => Kind::Internal,
    };
    let message = match (kind, text.trim()) {
        (Kind::TooLarge, _) => "this is more than is taken at once; /api says how much is".into(),
        (_, "") => format!("{status}"),
        (_, text) => text.to_owned(),
    };
    Error::new(kind, message)
}
