//! The router and the server's background tasks. Only this module imports all the others.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

use crate::app::App;
use crate::config::Config;
use crate::live::IDLE_TIMEOUT;
use crate::{api, assets, listen, middleware, routes, view};

/// All routes, with all middleware.
pub(crate) fn router(app: &App) -> Router {
    let (api, _description) = api::router().split_for_parts();
    let routes = Router::new()
        .merge(routes::router(app, api::description()))
        .merge(api)
        .merge(assets::router());
    middleware::apply(routes, app, view::error_page).with_state(app.clone())
}

/// Serves on a listener until `shutdown` completes. Then finishes pending writes, tells clients to
/// reconnect, and returns.
pub async fn run(
    listener: TcpListener,
    config: Config,
    shutdown: impl Future<Output = ()> + Send + 'static,
) {
    let app = App::new(config);
    // Dropping the set stops them.
    let mut tasks = JoinSet::new();
    let stopping_app = app.clone();
    tasks.spawn(async move {
        shutdown.await;
        stopping_app.shutdown.cancel();
        // Lists that are still being read won't be finished.
        stopping_app.config.store.interrupt_lists();
    });
    tasks.spawn(maintain(app.clone()));
    tasks.spawn(serve_metrics(app.clone()));
    tasks.spawn(follow_operator(app.clone()));
    listen::serve(Arc::new(listener), router(&app), &app).await;
    drop(tasks);
    app.rooms.close_all(&app.config.store).await;
}

/// Serves the metrics if they have a listener of their own.
async fn serve_metrics(app: App) {
    let Some(listener) = app.config.metrics_listener.clone() else {
        return;
    };
    let local = listener.local_addr();
    let local = local.is_ok_and(|address| address.ip().is_loopback());
    let routes =
        middleware::apply_to_metrics(routes::metrics_router(), &app, view::error_page, local);
    listen::serve(listener, routes.with_state(app.clone()), &app).await;
}

/// How often the store is checked for the operator's changes.
const OPERATOR_POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Applies what the operator does in other programs: bans, ended sessions, deleted games.
async fn follow_operator(app: App) {
    let mut interval = tokio::time::interval(OPERATOR_POLL_INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut failed = false;
    loop {
        interval.tick().await;
        match app.access.refresh(&app.config.store).await {
            Ok(stale) => {
                failed = false;
                app.rooms.drop_stale(&stale).await;
            }
            // Logged once, not every second.
            Err(error) if !failed => {
                failed = true;
                tracing::warn!(%error, "bans and ended sessions can't be read");
            }
            Err(_) => {}
        }
    }
}

/// Closes idle rooms and deletes unplayed games.
async fn maintain(app: App) {
    let mut interval = tokio::time::interval(Duration::from_secs(60));
    for round in 0u64.. {
        interval.tick().await;
        app.rooms.close_idle(&app.config.store, IDLE_TIMEOUT).await;
        if round % 10 == 0 {
            app.rooms.delete_unplayed(&app.config.store).await;
        }
    }
}
