//! What a server is run with.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use noughts_store::Store;
use tokio::net::TcpListener;

use crate::log_names::LogNames;
use crate::log_writer::LogWriter;
use crate::network::Network;

use crate::machine;

/// What a server is run with.
#[derive(Clone)]
pub struct Config {
    /// Players and games.
    pub store: Store,
    /// The folder of the program's data: where exact tables lie, and where one that is
    /// built goes.
    pub data_dir: PathBuf,
    /// The address that people use, such as `https://example.org`, where it is not the
    /// one that the server listens on.
    pub origin: Option<String>,
    /// Only this machine reaches the server. Then it answers to this machine's own
    /// names alone.
    pub is_local: bool,
    /// Proxies on other machines whose reports of a client's address are believed. One on
    /// this machine is believed where `origin` is given.
    pub trusted_proxies: Vec<Network>,
    /// What `/metrics` must be asked with. Without it, only this machine may ask.
    pub metrics_token: Option<String>,
    /// Where `/metrics` is served instead of the server's own address.
    pub metrics_listener: Option<Arc<TcpListener>>,
    /// The log's writer, for `/healthz` and `/metrics` to report on.
    pub log: Option<LogWriter>,
    /// How visitors and addresses are called in the log.
    pub log_names: LogNames,
    /// What one visitor may use.
    pub limits: Limits,
    /// Bytes for the search tables of all bots and analyses.
    pub bot_memory: usize,
}

impl Config {
    /// The usual settings, for a server that only this machine reaches. Bots get a quarter
    /// of the memory that the program may use.
    #[must_use]
    pub fn new(store: Store, data_dir: PathBuf) -> Config {
        Config {
            store,
            data_dir,
            origin: None,
            is_local: true,
            trusted_proxies: Vec::new(),
            metrics_token: None,
            metrics_listener: None,
            log: None,
            log_names: LogNames::new(None, false),
            limits: Limits::default(),
            bot_memory: usize::try_from(machine::memory_limit() / 4).unwrap_or(usize::MAX),
        }
    }

    /// Is this the address of a proxy whose reports are believed?
    pub(crate) fn is_proxy(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        (self.origin.is_some() && address.is_loopback())
            || self
                .trusted_proxies
                .iter()
                .any(|proxies| proxies.contains(address))
    }
}

/// What one visitor may use, so that there is something left for the others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// Bytes of a body with a position: those of deep boards are long.
    pub position_bytes: usize,
    /// Bytes of a message on a socket.
    pub message_bytes: usize,
    /// What the headers of a request may take to come.
    pub headers_timeout: Duration,
    /// What a body may take to come.
    pub body_timeout: Duration,
    /// What a request may take until its answer begins.
    pub response_timeout: Duration,
    /// Requests of one address.
    pub requests: RateLimit,
    /// Messages on one socket.
    pub messages: RateLimit,
    /// Games that one visitor makes.
    pub games: RateLimit,
    /// Games that are made from one address, behind which there may be many visitors.
    pub games_per_address: RateLimit,
    /// KiB of positions that are kept for one visitor, as they lie on the disk.
    pub stored_kib: RateLimit,
    /// The same for one address.
    pub stored_kib_per_address: RateLimit,
    /// Moves that bots make in games of one visitor in which only bots play.
    pub bot_moves: RateLimit,
    /// The same for one address.
    pub bot_moves_per_address: RateLimit,
    /// Streams and sockets that are open to one address at once.
    pub streams: usize,
    /// Connections of one address; four times as many of an IPv6 site (/48).
    pub connections_per_address: usize,
    /// Connections of all together.
    pub connections: usize,
}

/// So many at once, and after that one in each span of time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RateLimit {
    /// At once.
    pub burst: u32,
    /// The time after which there may be one more; zero means that nothing is counted.
    pub interval: Duration,
}

impl RateLimit {
    /// Whatever comes.
    pub const UNLIMITED: RateLimit = RateLimit {
        burst: 1,
        interval: Duration::ZERO,
    };

    const fn new(burst: u32, every_ms: u64) -> RateLimit {
        RateLimit {
            burst,
            interval: Duration::from_millis(every_ms),
        }
    }
}

impl Limits {
    /// For one's own programs: sizes are bounded, and nothing is counted.
    #[must_use]
    pub fn unlimited() -> Limits {
        Limits {
            requests: RateLimit::UNLIMITED,
            messages: RateLimit::UNLIMITED,
            games: RateLimit::UNLIMITED,
            games_per_address: RateLimit::UNLIMITED,
            stored_kib: RateLimit::UNLIMITED,
            stored_kib_per_address: RateLimit::UNLIMITED,
            bot_moves: RateLimit::UNLIMITED,
            bot_moves_per_address: RateLimit::UNLIMITED,
            streams: usize::MAX,
            connections_per_address: usize::MAX,
            ..Limits::default()
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes: 64 << 10,
            position_bytes: 1 << 20,
            message_bytes: 16 << 10,
            headers_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(20),
            response_timeout: Duration::from_secs(30),
            requests: RateLimit::new(120, 33),
            messages: RateLimit::new(40, 50),
            games: RateLimit::new(20, 3_000),
            games_per_address: RateLimit::new(200, 300),
            stored_kib: RateLimit::new(512, 1_000),
            stored_kib_per_address: RateLimit::new(2048, 250),
            bot_moves: RateLimit::new(40, 50),
            bot_moves_per_address: RateLimit::new(120, 16),
            streams: 200,
            connections_per_address: 400,
            connections: 16_000,
        }
    }
}
