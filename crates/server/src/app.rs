//! The state shared by all requests.

use std::ops::Deref;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::live::Rooms;
use crate::middleware::{AccessControl, RateLimiters};
use crate::pool::EnginePool;
use crate::spectators::SpectatorRuntime;

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
    /// Canceled when the server is stopping.
    pub(crate) shutdown: CancellationToken,
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
            shutdown: CancellationToken::new(),
            config,
        }))
    }
}
