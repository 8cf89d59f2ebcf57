//! What all requests share, the routes put together, and the life of the server.

use std::future::Future;
use std::io;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;

use crate::config::Config;
use crate::guard::Rates;
use crate::listen::{self, Stop};
use crate::live::Rooms;
use crate::pool::Pool;
use crate::{api, assets, guard, routes};

/// What all requests share.
#[derive(Clone)]
pub(crate) struct App(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) config: Config,
    /// The games that are being played or watched.
    pub(crate) rooms: Rooms,
    /// Where bots think and positions are analysed.
    pub(crate) pool: Pool,
    /// What visitors have had lately.
    pub(crate) rates: Rates,
    /// Whether the server is stopping.
    pub(crate) stop: Stop,
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
            pool: Pool::new(&config.tables),
            rates: Rates::new(&config.limits),
            stop: Stop::default(),
            config,
        }))
    }
}

/// Every route with every guard.
pub(crate) fn router(app: &App) -> Router {
    let (api, _description) = api::router().split_for_parts();
    let routes = Router::new()
        .merge(routes::router())
        .merge(api)
        .merge(assets::router());
    guard::around(routes, app).with_state(app.clone())
}

/// Serves on a listener until `shutdown` comes; then finishes what is being written,
/// tells clients to come back, and returns.
///
/// # Errors
/// The listener failed.
pub async fn run(
    listener: TcpListener,
    config: Config,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let app = App::new(config);
    let stopping = app.clone();
    let stopper = tokio::spawn(async move {
        shutdown.await;
        stopping.stop.begin();
        // Nobody waits for the rest of a list any more.
        stopping.config.store.interrupt_lists();
    });
    let connections = app.config.limits.connections;
    let caretaker = tokio::spawn(look_after(app.clone()));
    let served = listen::serve(listener, router(&app), &app.stop, connections).await;
    stopper.abort();
    caretaker.abort();
    app.rooms.close(&app.config.store).await;
    served
}

/// Lets go of what nobody uses.
async fn look_after(app: App) {
    let mut rounds = tokio::time::interval(Duration::from_secs(60));
    for round in 0u64.. {
        rounds.tick().await;
        app.rooms.tidy(&app.config.store).await;
        if round % 10 == 0 {
            app.rooms.forget_unplayed(&app.config.store).await;
        }
    }
}
