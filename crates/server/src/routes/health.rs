//! `/healthz` and `/metrics`, for those who operate the server.

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use axum::routing::get;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::error::{Error, Kind};
use crate::meter;
use crate::middleware::Visitor;

/// `/healthz`, and `/metrics` unless it has an address of its own.
pub(super) fn router(app: &App) -> Router<App> {
    match app.config.metrics_listener {
        Some(_) => Router::new().route("/healthz", get(health)),
        None => metrics_router(),
    }
}

/// All that the address of the metrics serves.
pub(crate) fn metrics_router() -> Router<App> {
    Router::new()
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
}

async fn health(State(app): State<App>) -> Result<String, Error> {
    if app.shutdown.has_started() {
        return Err(Error::new(Kind::Busy, "the server is stopping"));
    }
    let store = &app.config.store;
    // Whoever is told of it sends nobody here any more, so that nothing else is tried.
    if store.is_failing()
        && app.rate_limiters.may_probe_store()
        && let Err(error) = store.check_writable().await
    {
        tracing::error!(%error, "nothing can be stored");
    }
    match store.is_failing() {
        true => Err(Error::new(
            Kind::Busy,
            "nothing can be stored just now, so that no move can be made; the server's log has the reason",
        )),
        false => Ok(healthy(&app)),
    }
}

/// Games go on while the log can't be written, so that is no reason to send players away.
fn healthy(app: &App) -> String {
    let log = app.config.log.as_ref();
    match log.map(|log| (log.dropped(), log.is_failing())) {
        None | Some((0, _)) => "ok".into(),
        Some((dropped, true)) => {
            format!("ok\nThe log can't be written. Lines dropped: {dropped}\n")
        }
        Some((dropped, false)) => {
            format!("ok\nThe log is written again. Lines dropped: {dropped}\n")
        }
    }
}

/// With a token for everybody who has it, else only for this machine: how much is played
/// here isn't everybody's business.
async fn metrics(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Error> {
    let config = &app.config;
    match &config.metrics_token {
        Some(token) if !is_shown(token, &headers) => {
            let what = "Metrics need the server's metrics token, as Authorization: Bearer TOKEN";
            return Err(Error::new(Kind::NotYours, what));
        }
        // An address of their own is chosen by the operator, who knows who reaches it.
        None if config.metrics_listener.is_none() && !visitor.address().is_loopback() => {
            let what = "Metrics are only available from the machine where the server runs";
            return Err(Error::new(Kind::NotFound, what));
        }
        _ => {}
    }
    for (kind, load) in ["moves", "analyses"].into_iter().zip(app.pool.load()) {
        meter::set_engine_load(kind, load.waiting, load.running);
    }
    let (used, limit) = app.pool.bot_memory_usage();
    meter::set_bot_memory(used, limit);
    if let Some(log) = &config.log {
        meter::set_dropped_log_lines(log.dropped());
    }
    let kind = [(
        header::CONTENT_TYPE,
        "text/plain; version=0.0.4; charset=utf-8",
    )];
    Ok((kind, meter::render()))
}

/// Does the request show this token? Hashes are compared, so that the time it takes says
/// nothing about the token.
fn is_shown(token: &str, headers: &HeaderMap) -> bool {
    let shown = headers.get(header::AUTHORIZATION);
    let shown = shown.and_then(|shown| shown.to_str().ok()?.split_once(' '));
    shown.is_some_and(|(scheme, shown)| {
        scheme.eq_ignore_ascii_case("bearer")
            && Sha256::digest(shown.trim()) == Sha256::digest(token)
    })
}
