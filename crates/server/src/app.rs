//! The state shared by all requests, the router, and the server's background tasks.

use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::time::MissedTickBehavior;

use crate::config::Config;
use crate::listen::{self, Shutdown};
use crate::live::Rooms;
use crate::middleware::{AccessControl, RateLimiters};
use crate::pool::EnginePool;
use crate::spectators::SpectatorRuntime;
use crate::{api, assets, middleware, routes};

/// The state shared by all requests.
#[derive(Clone)]
pub(crate) struct App(Arc<AppState>);

pub(crate) struct AppState {
    pub(crate) config: Config,
    /// The games being played or watched.
    pub(crate) rooms: Rooms,
    /// The threads that send to spectators.
    pub(crate) spectators: SpectatorRuntime,
    /// The threads on which bots think and positions are analyzed.
    pub(crate) pool: EnginePool,
    /// Tokens, ended sessions and bans.
    pub(crate) access: AccessControl,
    pub(crate) rate_limiters: RateLimiters,
    pub(crate) shutdown: Shutdown,
}

impl Deref for App {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.0
    }
}

impl App {
    pub(crate) fn new(config: Config) -> App {
        App(Arc::new(AppState {
            rooms: Rooms::default(),
            spectators: SpectatorRuntime::new(),
            pool: EnginePool::new(&config.data_dir, config.bot_memory),
            access: AccessControl::default(),
            rate_limiters: RateLimiters::new(&config.limits),
            shutdown: Shutdown::default(),
            config,
        }))
    }
}

/// All routes, with all middleware.
pub(crate) fn router(app: &App) -> Router {
    let (api, _description) = api::router().split_for_parts();
    let routes = Router::new()
        .merge(routes::router(app))
        .merge(api)
        .merge(assets::router());
    middleware::apply(routes, app).with_state(app.clone())
}

/// Serves on a listener until `shutdown` completes. Then finishes pending writes, tells clients to
/// reconnect, and returns.
pub async fn run(
    listener: TcpListener,
    config: Config,
    shutdown: impl Future<Output = ()> + Send + 'static,
) {
    let app = App::new(config);
    let stopping_app = app.clone();
    let shutdown_task = tokio::spawn(async move {
        shutdown.await;
        stopping_app.shutdown.start();
        // Lists that are still being read won't be finished.
        stopping_app.config.store.interrupt_lists();
    });
    let maintenance = tokio::spawn(maintain(app.clone()));
    let metrics = tokio::spawn(serve_metrics(app.clone()));
    let operator = tokio::spawn(follow_operator(app.clone()));
    listen::serve(listener, router(&app), &app).await;
    metrics.abort();
    shutdown_task.abort();
    maintenance.abort();
    operator.abort();
    app.rooms.close_all(&app.config.store).await;
}

/// Serves the metrics if they have a listener of their own.
async fn serve_metrics(app: App) {
    let Some(listener) = app.config.metrics_listener.clone() else {
        return;
    };
    let local = listener.local_addr();
    let local = local.is_ok_and(|address| address.ip().is_loopback());
    let routes = middleware::apply_to_metrics(routes::metrics_router(), &app, local);
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
        app.rooms.close_idle(&app.config.store).await;
        if round % 10 == 0 {
            app.rooms.delete_unplayed(&app.config.store).await;
        }
    }
}
