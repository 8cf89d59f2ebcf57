//! What every request passes: limits, origins, headers, and who the visitor is. What a
//! request asks for, and whether the visitor may have it, is known elsewhere.

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
use axum::http::{HeaderMap, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;

use crate::app::App;
use crate::error::{Error, Kind};
use request_log::RequestClient;

pub(crate) use access::AccessControl;
pub(crate) use address::{counted_networks, subnet_address};
pub(crate) use rate_limiters::{MessageLimiter, RateLimiters, SITE_MULTIPLIER, StreamPermit};
pub(crate) use token::random_bytes;
pub(crate) use visitor::{TaskOwner, Visitor, VisitorKey, clear_cookie};

/// Puts all guards around the routes. The last is the outermost.
pub(crate) fn apply(routes: Router<App>, app: &App) -> Router<App> {
    let limits = &app.config.limits;
    routes
        .fallback(|| async { nothing_here() })
        .method_not_allowed_fallback(|| async { other_method() })
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .layer(middleware::from_fn_with_state(app.clone(), admit))
        .layer(middleware::from_fn_with_state(
            app.clone(),
            response::finish_response,
        ))
        .layer(middleware::from_fn_with_state(
            app.clone(),
            request_log::log_request,
        ))
}

/// The guards of the address that serves nothing but metrics: `local` where only this
/// machine reaches it.
pub(crate) fn apply_to_metrics(routes: Router<App>, app: &App, local: bool) -> Router<App> {
    let named = move |State(app): State<App>, mut request: Request, next: Next| async move {
        let address = address::client_address(&request, &app.config).for_limits();
        RequestClient::of(&request).set_address(address);
        let is_ours = match is_probe(&request) {
            true => Ok(()),
            false => origin::check_host(request.headers(), request.uri(), None, local),
        };
        let loaded = app.access.load(&app.config.store).await;
        let met = loaded.and(is_ours).and_then(|()| {
            let household = address::subnet_address(address);
            visitor::identify(&HeaderMap::new(), household, &app.config, &app.access)
        });
        match met {
            Ok(met) => {
                request.extensions_mut().insert(met.visitor);
                next.run(request).await
            }
            Err(error) => error.into_response(),
        }
    };
    routes
        .fallback(|| async {
            Error::new(
                Kind::NotFound,
                "only /metrics and /healthz are at this address",
            )
        })
        .layer(middleware::from_fn_with_state(app.clone(), named))
        .layer(middleware::from_fn_with_state(
            app.clone(),
            response::finish_response,
        ))
        .layer(middleware::from_fn_with_state(
            app.clone(),
            request_log::log_request,
        ))
}

fn nothing_here() -> Error {
    Error::new(
        Kind::NotFound,
        "there is nothing at this address; / has the games and /api describes the API",
    )
}

fn other_method() -> Error {
    Error::new(
        Kind::MethodNotAllowed,
        "this address is not asked in this way; /api says how",
    )
}

/// Lets a request in, or says why not.
async fn admit(State(app): State<App>, mut request: Request, next: Next) -> Response {
    if let Err(error) = app.access.load(&app.config.store).await {
        return error.into_response();
    }
    let visitor = match judge(&app, &request) {
        Ok(visitor) => visitor,
        Err(refusal) => return *refusal,
    };
    request.extensions_mut().insert(visitor.visitor);
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    // Until the answer begins: what is streamed after that may take its time.
    let work = AssertUnwindSafe(next.run(request)).catch_unwind();
    let mut response = match tokio::time::timeout(app.config.limits.response_timeout, work).await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => Error::new(Kind::Internal, "a panic").into_response(),
        Err(_) => {
            Error::new(Kind::Busy, "this takes too long just now; try again later").into_response()
        }
    };
    if let Some(cookie) = visitor.cookie
        && remembers(&method, &path, &response)
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// Everything that is looked at before a request is read.
fn judge(app: &App, request: &Request) -> Result<visitor::IdentifiedVisitor, Box<Response>> {
    let refused = |error: Error| Box::new(error.into_response());
    let config = &app.config;
    let client = RequestClient::of(request);
    let source = address::client_address(request, config);
    client.set_address(source.for_limits());
    let address = address::subnet_address(source.for_limits());
    if !is_probe(request) {
        let origin = config.origin.as_deref();
        origin::check_host(request.headers(), request.uri(), origin, config.is_local)
            .map_err(refused)?;
        app.rate_limiters.check_request(address).map_err(refused)?;
        for &possible in source.candidates() {
            let possible = address::subnet_address(possible);
            app.access.check_address(possible).map_err(refused)?;
        }
        if let address::ClientAddress::Disputed(_) = source {
            return Err(refused(disputed_address()));
        }
    }
    origin::check_origin(request.method(), request.headers(), request.uri(), config)
        .map_err(refused)?;
    let met = match is_for_metrics(request) {
        // Its token isn't a visitor's.
        true => visitor::identify(&HeaderMap::new(), address, config, &app.access),
        false => visitor::identify(request.headers(), address, config, &app.access),
    };
    let met = met.map_err(refused)?;
    client.set_visitor(&met.visitor);
    if !is_probe(request) {
        app.access.check_visitor(&met.visitor).map_err(refused)?;
    }
    Ok(met)
}

/// Which of the two is the client's own text isn't known, so neither can be counted or banned.
fn disputed_address() -> Error {
    Error::new(
        Kind::BadRequest,
        "the headers X-Forwarded-For and Forwarded name different addresses; send neither, and let \
         the proxy in front of this server set one and remove the other",
    )
}

fn is_for_metrics(request: &Request) -> bool {
    request.uri().path() == "/metrics"
}

/// Probes call a server by whatever name they have for it.
fn is_probe(request: &Request) -> bool {
    request.uri().path() == "/healthz"
}

/// Somebody new is remembered when a page is opened or something is done, and not
/// with every picture or script. A program that asks for a token has that.
fn remembers(method: &Method, path: &str, response: &Response) -> bool {
    let is_page = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let does = *method == Method::POST && path != "/api/v1/token";
    response.status().is_success() && (is_page || does)
}

#[cfg(test)]
mod tests;
