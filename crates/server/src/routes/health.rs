//! `/healthz` and `/metrics`, for the server's operator.

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum_extra::headers::HeaderMapExt;
use axum_extra::headers::authorization::{Authorization, Bearer};
use metrics::{counter, gauge};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::meter;
use crate::middleware::Visitor;

/// `/healthz`, and `/metrics` unless it has its own listener.
pub(super) fn router(app: &App) -> Router<App> {
    match app.config.metrics_listener {
        Some(_) => Router::new().route("/healthz", get(health)),
        None => metrics_router(),
    }
}

/// The routes of the listener for metrics.
pub(crate) fn metrics_router() -> Router<App> {
    Router::new()
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
}

async fn health(State(app): State<App>) -> Result<String, ApiError> {
    let is_running = !app.shutdown.is_cancelled();
    ApiErrorKind::Busy.require(is_running, "the server is shutting down")?;
    let store = &app.config.store;
    // A load balancer that gets this error sends no more requests, so nothing else would try to write.
    if store.is_failing()
        && app.rate_limiters.may_probe_store()
        && let Err(error) = store.check_writable().await
    {
        tracing::error!(%error, "can't write to the database");
    }
    let message =
        "games can't be saved right now, so moves are rejected; see the server's log for the cause";
    ApiErrorKind::Busy.require(!store.is_failing(), message)?;
    Ok(healthy(&app))
}

/// Games continue while the log can't be written, so that doesn't make the server unhealthy.
fn healthy(app: &App) -> String {
    let log = app.config.log.as_ref();
    match log.map(|log| (log.dropped(), log.is_failing())) {
        None | Some((0, _)) => "ok".into(),
        Some((dropped, true)) => {
            format!("ok\nThe log can't be written. Lines dropped: {dropped}\n")
        }
        Some((dropped, false)) => {
            format!("ok\nThe log can be written again. Lines dropped: {dropped}\n")
        }
    }
}

/// Metrics are for clients with the token; without a configured token, only for this machine,
/// since usage isn't public.
async fn metrics(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<impl IntoResponse, ApiError> {
    let config = &app.config;
    match &config.metrics_token {
        Some(token) if !has_token(token, &headers) => {
            let message =
                "metrics require the server's metrics token, sent as `Authorization: Bearer TOKEN`";
            return Err(ApiErrorKind::NotYours.error(message));
        }
        // The operator chose the listener's address and knows who can reach it.
        None if config.metrics_listener.is_none() && !visitor.owner.address.is_loopback() => {
            let message = "metrics are only available from localhost";
            return Err(ApiErrorKind::NotFound.error(message));
        }
        _ => {}
    }
    for (kind, load) in ["moves", "analyses"].into_iter().zip(app.pool.load()) {
        gauge!(meter::WAITING, "kind" => kind).set(load.waiting as f64);
        gauge!(meter::RUNNING, "kind" => kind).set(load.running as f64);
    }
    let (used, limit) = app.pool.bot_memory_usage();
    gauge!(meter::BOT_MEMORY).set(used as f64);
    gauge!(meter::BOT_MEMORY_LIMIT).set(limit as f64);
    if let Some(log) = &config.log {
        counter!(meter::LOG_DROPPED).absolute(log.dropped());
    }
    let kind = [(
        header::CONTENT_TYPE,
        "text/plain; version=0.0.4; charset=utf-8",
    )];
    Ok((kind, meter::render()))
}

/// Does the request carry this token? Comparing hashes keeps the timing independent of the
/// token.
fn has_token(token: &str, headers: &HeaderMap) -> bool {
    let bearer = headers.typed_get::<Authorization<Bearer>>();
    bearer.is_some_and(|bearer| Sha256::digest(bearer.token().trim()) == Sha256::digest(token))
}
