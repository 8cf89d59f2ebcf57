//! What all requests share, the routes put together, and the life of the server.

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

/// What all requests share.
#[derive(Clone)]
pub(crate) struct App(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) config: Config,
    /// The games that are being played or watched.
    pub(crate) rooms: Rooms,
    /// Where spectators are written to.
    pub(crate) spectators: SpectatorRuntime,
    /// Where bots think and positions are analysed.
    pub(crate) pool: EnginePool,
    /// Who is let in.
    pub(crate) access: AccessControl,
    /// What visitors have had lately.
    pub(crate) rate_limiters: RateLimiters,
    /// Whether the server is stopping.
    pub(crate) shutdown: Shutdown,
}

impl Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl App {
    pub(crate) fn new(config: Config) -> App {
        App(Arc::new(Inner {
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

/// Every route with every guard.
pub(crate) fn router(app: &App) -> Router {
    let (api, _description) = api::router().split_for_parts();
    let routes = Router::new()
        .merge(routes::router(app))
        .merge(api)
        .merge(assets::router());
    middleware::apply(routes, app).with_state(app.clone())
}

/// Serves on a listener until `shutdown` comes; then finishes what is being written,
/// tells clients to come back, and returns.
pub async fn run(
    listener: TcpListener,
    config: Config,
    shutdown: impl Future<Output = ()> + Send + 'static,
) {
    let app = App::new(config);
    let stopping = app.clone();
    let stopper = tokio::spawn(async move {
        shutdown.await;
        stopping.shutdown.start();
        // Nobody waits for the rest of a list any more.
        stopping.config.store.interrupt_lists();
    });
    let caretaker = tokio::spawn(look_after(app.clone()));
    let metrics = tokio::spawn(serve_metrics(app.clone()));
    let reader = tokio::spawn(follow_operator(app.clone()));
    listen::serve(listener, router(&app), &app).await;
    metrics.abort();
    stopper.abort();
    caretaker.abort();
    reader.abort();
    app.rooms.close_all(&app.config.store).await;
}

/// Serves the metrics where they have an address of their own.
async fn serve_metrics(app: App) {
    let Some(listener) = app.config.metrics_listener.clone() else {
        return;
    };
    let local = listener.local_addr();
    let local = local.is_ok_and(|address| address.ip().is_loopback());
    let routes = middleware::apply_to_metrics(routes::metrics_router(), &app, local);
    listen::serve(listener, routes.with_state(app.clone()), &app).await;
}

/// How often the store is asked what the operator has done.
const FOLLOW_EVERY: Duration = Duration::from_secs(1);

/// Applies what the operator does in other programs: bans, ended sessions, deleted games.
async fn follow_operator(app: App) {
    let mut rounds = tokio::time::interval(FOLLOW_EVERY);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut failed = false;
    loop {
        rounds.tick().await;
        match app.access.refresh(&app.config.store).await {
            Ok(stale) => {
                failed = false;
                app.rooms.drop_stale(&stale).await;
            }
            // Said once, and not every second.
            Err(error) if !failed => {
                failed = true;
                tracing::warn!(%error, "bans and ended sessions can't be read");
            }
            Err(_) => {}
        }
    }
}

/// Lets go of what nobody uses.
async fn look_after(app: App) {
    let mut rounds = tokio::time::interval(Duration::from_secs(60));
    for round in 0u64.. {
        rounds.tick().await;
        app.rooms.close_idle(&app.config.store).await;
        if round % 10 == 0 {
            app.rooms.delete_unplayed(&app.config.store).await;
        }
    }
}
