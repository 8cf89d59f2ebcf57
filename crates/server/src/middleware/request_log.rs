//! Logs and counts every request: what was requested, how it went, by whom and from where. The
//! route's pattern is logged and never the path itself, which may contain a secret or a name.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;

use super::visitor::VisitorKey;
use noughts_store::VisitorId;

use crate::app::App;
use crate::meter;

/// Who sent a request, as far as the middleware knows.
#[derive(Default)]
pub(super) struct RequestClient {
    pub(super) address: OnceLock<IpAddr>,
    pub(super) visitor: OnceLock<VisitorKey>,
}

impl RequestClient {
    /// The client of a request, for the middleware to fill in.
    pub(super) fn of(request: &Request) -> Arc<RequestClient> {
        let client = request.extensions().get::<Arc<RequestClient>>();
        client.cloned().unwrap_or_default()
    }
}

pub(super) async fn log_request(
    State(app): State<App>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let client = Arc::<RequestClient>::default();
    request.extensions_mut().insert(client.clone());
    let response = next.run(request).await;
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    let status = response.status().as_u16();
    let took = started.elapsed();
    meter::record_request(&method, route, status, took);
    let ms = took.as_secs_f64() * 1e3;
    let names = &app.config.log_names;
    let visitor = match client.visitor.get() {
        Some(VisitorKey::Token(hash)) => VisitorId::from_hash(hash).to_string(),
        // Without a cookie or token from an earlier request.
        Some(VisitorKey::Address(_)) => "new".into(),
        None => "unknown".into(),
    };
    let address = client.address.get();
    let address = address.map_or_else(|| "unknown".into(), |&address| names.address_label(address));
    match status {
        500.. => tracing::error!(%method, route, status, ms, visitor, address, "request"),
        _ if route == "/healthz" || route.starts_with("/assets/") => {
            tracing::debug!(%method, route, status, ms, visitor, address, "request");
        }
        _ => tracing::info!(%method, route, status, ms, visitor, address, "request"),
    }
    response
}
