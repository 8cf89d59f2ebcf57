//! `/healthz` and `/metrics`, for those who watch over the server.

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::app::App;
use crate::error::{Error, Kind};
use crate::guard::Visitor;
use crate::meter;

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
}

async fn health(State(app): State<App>) -> Result<&'static str, Error> {
    if app.stop.is_coming() {
        return Err(Error::new(Kind::Busy, "the server is stopping"));
    }
    let store = &app.config.store;
    // Whoever is told of it sends nobody here any more, so that nothing else is tried.
    if store.is_failing()
        && app.rates.probe()
        && let Err(error) = store.try_writing().await
    {
        tracing::error!(%error, "nothing can be stored");
    }
    match store.is_failing() {
        true => Err(Error::new(
            Kind::Busy,
            "nothing can be stored just now, so that no move can be made; the server's log has the reason",
        )),
        false => Ok("ok"),
    }
}

/// Only for those on this machine: how much is played here is not everybody's business.
async fn metrics(State(app): State<App>, visitor: Visitor) -> Result<impl IntoResponse, Error> {
    if !visitor.address().is_loopback() {
        let what = "the figures are told only on the machine where the server runs";
        return Err(Error::new(Kind::NotFound, what));
    }
    for (kind, load) in ["moves", "analyses"].into_iter().zip(app.pool.load()) {
        meter::thinking(kind, load.waiting, load.running);
    }
    let (used, limit) = app.pool.memory();
    meter::bot_memory(used, limit);
    let kind = [(
        header::CONTENT_TYPE,
        "text/plain; version=0.0.4; charset=utf-8",
    )];
    Ok((kind, meter::text()))
}
