//! The server's configuration.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use noughts_store::Store;
use tokio::net::TcpListener;

use crate::address_pseudonyms::AddressPseudonyms;
use crate::log_writer::LogWriter;
use crate::machine;

/// The server's configuration.
#[derive(Clone)]
pub struct Config {
    /// Players and games.
    pub store: Store,
    /// The program's data folder, where tablebases are read and built.
    pub data_dir: PathBuf,
    /// The public origin, such as `https://example.org`, if it differs from the address that the
    /// server listens on.
    pub origin: Option<String>,
    /// Only this machine can reach the server. It then answers only to this machine's own names.
    pub is_local: bool,
    /// Proxies on other machines whose reports of a client's address are trusted. A proxy on this
    /// machine is trusted if `origin` is set.
    pub trusted_proxies: Vec<IpNet>,
    /// The token required for `/metrics`. Without one, only this machine may read them.
    pub metrics_token: Option<String>,
    /// Where `/metrics` is served instead of the server's own address.
    pub metrics_listener: Option<Arc<TcpListener>>,
    /// The log's writer, for `/healthz` and `/metrics` to report on.
    pub log: Option<LogWriter>,
    /// How addresses appear in the log.
    pub log_names: AddressPseudonyms,
    /// What one visitor may use.
    pub limits: ServerLimits,
    /// Bytes for the search tables of all bots and analyses.
    pub bot_memory: usize,
}

impl Config {
    /// The default settings, for a server that only this machine reaches. Bots get a quarter of the
    /// memory that the program may use.
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
            log_names: AddressPseudonyms::new(None, false),
            limits: ServerLimits::default(),
            bot_memory: usize::try_from(machine::memory_limit() / 4).unwrap_or(usize::MAX),
        }
    }

    /// Is the server only reached over HTTPS?
    pub(crate) fn is_https(&self) -> bool {
        let origin = self.origin.as_deref();
        origin.is_some_and(|origin| origin.starts_with("https:"))
    }

    /// Is this the address of a trusted proxy?
    pub(crate) fn is_proxy(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        (self.origin.is_some() && address.is_loopback())
            || self
                .trusted_proxies
                .iter()
                .any(|proxies| proxies.contains(&address))
    }
}

/// What one visitor may use, so that enough is left for the others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ServerLimits {
    /// The size of a request body.
    pub body_bytes: usize,
    /// The size of a body with a position: those of deep boards are long.
    pub position_bytes: usize,
    /// The size of a message on a socket.
    pub message_bytes: usize,
    /// How long a client may take to send the headers of a request.
    pub headers_timeout: Duration,
    /// How long a client may take to send a body.
    pub body_timeout: Duration,
    /// How long a request may take until its response starts.
    pub response_timeout: Duration,
    /// Requests from one address.
    pub requests: RateLimit,
    /// Messages on one socket.
    pub messages: RateLimit,
    /// Games created by one visitor.
    pub games: RateLimit,
    /// Games created from one address, which many visitors may share.
    pub games_per_address: RateLimit,
    /// KiB of positions stored for one visitor, as they are on disk.
    pub stored_kib: RateLimit,
    /// KiB of positions stored for one address.
    pub stored_kib_per_address: RateLimit,
    /// Moves in games between bots, per visitor.
    pub bot_moves: RateLimit,
    /// Moves in games between bots, per address.
    pub bot_moves_per_address: RateLimit,
    /// Streams and sockets open to one address at once.
    pub streams: usize,
    /// Connections from one address; four times as many from an IPv6 site (/48).
    pub connections_per_address: usize,
    /// Connections in total.
    pub connections: usize,
}

/// A token bucket: a burst, and then one more per interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RateLimit {
    /// How many are allowed at once.
    pub burst: u32,
    /// The time after which one more is allowed; zero means no limit.
    pub interval: Duration,
}

impl RateLimit {
    /// No limit.
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

impl ServerLimits {
    /// For trusted programs: sizes are limited, rates aren't.
    #[must_use]
    pub fn unlimited() -> ServerLimits {
        ServerLimits {
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
            ..ServerLimits::default()
        }
    }
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        ServerLimits {
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
