//! One line in the log for every request, and its place in the metrics. The route's
//! pattern is told and never the address itself, in which there may be a secret.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;

use crate::meter;

pub(super) async fn tell(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    let status = response.status().as_u16();
    let took = began.elapsed();
    meter::request(&method, route, status, took);
    let ms = took.as_secs_f64() * 1e3;
    match status {
        500.. => tracing::error!(%method, route, status, ms, "request"),
        _ if route == "/healthz" || route.starts_with("/assets/") => {
            tracing::debug!(%method, route, status, ms, "request");
        }
        _ => tracing::info!(%method, route, status, ms, "request"),
    }
    response
}
