//! The middleware around all routes: rate limits, origin checks, security headers, and identifying
//! the visitor. Whether the visitor may do what the request asks for is decided elsewhere.

mod access;
mod address;
mod origin;
mod rate_limiters;
mod request_log;
mod response;
mod security_headers;
mod token;
mod visitor;

use std::panic::AssertUnwindSafe;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate, SizeAbove};

use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::network::subnet_address;
use request_log::RequestClient;

pub(crate) use access::AccessControl;
pub(crate) use rate_limiters::{MessageLimiter, RateLimiters, StreamPermit};
pub(crate) use response::ErrorPage;
pub(crate) use token::random_bytes;
pub(crate) use visitor::{TaskOwner, Visitor, VisitorKey, clear_cookie};

/// Adds all middleware to the routes. The last layer is the outermost.
pub(crate) fn apply(routes: Router<App>, app: &App, error_page: ErrorPage) -> Router<App> {
    let limits = &app.config.limits;
    let compression =
        CompressionLayer::new().compress_when(SizeAbove::new(512).and(is_compressible));
    let not_found = "this page doesn't exist; the games are at / and the API is described at /api";
    let not_allowed = "this method isn't allowed for this URL; /api lists the allowed methods";
    let routes = routes
        .fallback(ApiErrorKind::NotFound.error(not_found))
        .method_not_allowed_fallback(ApiErrorKind::MethodNotAllowed.error(not_allowed))
        .layer(compression)
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .layer(middleware::from_fn_with_state(app.clone(), admit));
    apply_to_all(routes, app, error_page)
}

/// The middleware of all listeners.
fn apply_to_all(routes: Router<App>, app: &App, error_page: ErrorPage) -> Router<App> {
    routes
        .layer(middleware::from_fn_with_state(
            (app.clone(), error_page),
            response::finish_response,
        ))
        .layer(middleware::from_fn_with_state(
            app.clone(),
            request_log::log_request,
        ))
}

/// Successful responses are compressed, except images and streams, whose lines would otherwise be
/// held back. Errors aren't, since other middleware reads them.
fn is_compressible(status: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    status.is_success()
        && !kind.is_some_and(|kind| matches!(kind, b"application/x-ndjson" | b"image/png"))
}

/// Adds the middleware for the listener that only serves metrics; `local` if only this machine can
/// reach it.
pub(crate) fn apply_to_metrics(
    routes: Router<App>,
    app: &App,
    error_page: ErrorPage,
    local: bool,
) -> Router<App> {
    let identify = move |State(app): State<App>, mut request: Request, next: Next| async move {
        let address = address::client_address(&request, &app.config).for_limits();
        let _ = RequestClient::of(&request).address.set(address);
        let host_check = match is_probe(&request) {
            true => Ok(()),
            false => origin::check_host(request.headers(), request.uri(), None, local),
        };
        let loaded = app.access.load(&app.config.store).await;
        let identified = loaded.and(host_check).and_then(|()| {
            let subnet = subnet_address(address);
            visitor::identify(&HeaderMap::new(), subnet, &app.config, &app.access)
        });
        match identified {
            Ok(identified) => {
                request.extensions_mut().insert(identified.visitor);
                next.run(request).await
            }
            Err(error) => error.into_response(),
        }
    };
    let not_found = "only /metrics and /healthz are available at this address";
    let routes = routes
        .fallback(ApiErrorKind::NotFound.error(not_found))
        .layer(middleware::from_fn_with_state(app.clone(), identify));
    apply_to_all(routes, app, error_page)
}

/// Admits a request, or responds with the reason why not.
async fn admit(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let loaded = app.access.load(&app.config.store).await;
    let identified = match loaded.and_then(|()| check_request(&app, &request)) {
        Ok(identified) => identified,
        Err(error) => return error.into_response(),
    };
    request.extensions_mut().insert(identified.visitor);
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    // Only until the response starts: what is streamed after that may take longer.
    let task = AssertUnwindSafe(next.run(request)).catch_unwind();
    let mut response = match tokio::time::timeout(app.config.limits.response_timeout, task).await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => ApiErrorKind::Internal
            .error("a request handler panicked")
            .into_response(),
        Err(_) => ApiErrorKind::Busy
            .error("the server took too long to respond; try again later")
            .into_response(),
    };
    if let Some(cookie) = identified.cookie
        && should_set_cookie(&method, &path, &response)
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// All checks that are made before a request is read.
fn check_request(app: &App, request: &Request) -> Result<visitor::IdentifiedVisitor, ApiError> {
    let config = &app.config;
    let client = RequestClient::of(request);
    let source = address::client_address(request, config);
    let _ = client.address.set(source.for_limits());
    let address = subnet_address(source.for_limits());
    if !is_probe(request) {
        let origin = config.origin.as_deref();
        origin::check_host(request.headers(), request.uri(), origin, config.is_local)?;
        app.rate_limiters.check_request(address)?;
        for &candidate in source.candidates() {
            app.access.check_address(subnet_address(candidate))?;
        }
        // Which of the two headers the client wrote is unknown, so neither can be counted or banned.
        let is_disputed = matches!(source, address::ClientAddress::Disputed(_));
        let message = "the X-Forwarded-For and Forwarded headers name different addresses; send neither, and let \
             the proxy in front of this server set one and remove the other";
        ApiErrorKind::BadRequest.require(!is_disputed, message)?;
    }
    origin::check_origin(request.method(), request.headers(), request.uri(), config)?;
    let headers = match request.uri().path() {
        // The token for metrics isn't a visitor's.
        "/metrics" => &HeaderMap::new(),
        _ => request.headers(),
    };
    let identified = visitor::identify(headers, address, config, &app.access)?;
    let _ = client.visitor.set(identified.visitor.owner.visitor);
    if !is_probe(request) {
        app.access.check_visitor(&identified.visitor)?;
    }
    Ok(identified)
}

/// Health checks may use any host name.
fn is_probe(request: &Request) -> bool {
    request.uri().path() == "/healthz"
}

/// A new visitor gets a cookie with a page or a successful POST, not with every image or script. A
/// program that requests a token has that instead.
fn should_set_cookie(method: &Method, path: &str, response: &Response) -> bool {
    let is_page = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let is_action = *method == Method::POST && path != "/api/v1/token";
    response.status().is_success() && (is_page || is_action)
}

#[cfg(test)]
mod tests;
