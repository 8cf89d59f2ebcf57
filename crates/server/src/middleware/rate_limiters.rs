//! Rate limits per visitor, address and socket.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use ipnet::IpNet;
use metrics::gauge;
use parking_lot::Mutex;

use super::visitor::{TaskOwner, Visitor, VisitorKey};
use crate::config::{RateLimit, ServerLimits};
use crate::error::{ApiError, ApiErrorKind};
use crate::meter;
use crate::network::{NetworkCounts, SITE_MULTIPLIER, counted_networks};

/// Idle entries are removed after this many checks.
const CLEANUP_INTERVAL: usize = 4096;

/// The state of all rate limits.
pub(crate) struct RateLimiters {
    requests: AddressLimiter,
    games: OwnerLimiter,
    stored_kib: OwnerLimiter,
    bot_moves: OwnerLimiter,
    probes: DefaultDirectRateLimiter,
    messages: Option<Quota>,
    streams: usize,
    open_streams: Arc<Mutex<NetworkCounts>>,
}

impl RateLimiters {
    pub(crate) fn new(limits: &ServerLimits) -> RateLimiters {
        RateLimiters {
            requests: AddressLimiter::new(limits.requests),
            games: OwnerLimiter::new(limits.games, limits.games_per_address),
            stored_kib: OwnerLimiter::new(limits.stored_kib, limits.stored_kib_per_address),
            bot_moves: OwnerLimiter::new(limits.bot_moves, limits.bot_moves_per_address),
            probes: RateLimiter::direct(Quota::per_second(NonZeroU32::MIN)),
            messages: quota(limits.messages),
            streams: limits.streams,
            open_streams: Arc::default(),
        }
    }

    /// Counts a request from an address.
    pub(super) fn check_request(&self, address: IpAddr) -> Result<(), ApiError> {
        let result = self.requests.check(address, 1);
        result.map_err(|wait| too_many("requests", wait))
    }

    /// Counts a new game of a visitor.
    pub(crate) fn check_new_game(&self, visitor: &Visitor) -> Result<(), ApiError> {
        let result = self.games.check(visitor.owner, 1);
        result.map_err(|wait| too_many("new games", wait))
    }

    /// Counts a seat that a visitor takes or hands over under a name. Names are stored, so they are
    /// counted together with games.
    pub(crate) fn check_seat(&self, visitor: &Visitor) -> Result<(), ApiError> {
        let result = self.games.check(visitor.owner, 1);
        result.map_err(|wait| too_many("players joined or sides handed over", wait))
    }

    /// Counts bytes that are stored for a visitor.
    pub(crate) fn check_stored_bytes(
        &self,
        visitor: &Visitor,
        bytes: usize,
    ) -> Result<(), ApiError> {
        let kib = u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        let result = self.stored_kib.check(visitor.owner, kib);
        result.map_err(|wait| too_many("stored positions", wait))
    }

    /// Counts a move in a game between bots.
    ///
    /// # Errors
    /// How long to wait, if there were too many.
    pub(crate) fn check_bot_move(&self, owner: TaskOwner) -> Result<(), Duration> {
        self.bot_moves.check(owner, 1)
    }

    /// May the health check try a write? At most once a second in total.
    pub(crate) fn may_probe_store(&self) -> bool {
        self.probes.check().is_ok()
    }

    /// A limiter for the messages of one socket.
    pub(crate) fn message_limiter(&self) -> MessageLimiter {
        MessageLimiter(self.messages.map(RateLimiter::direct))
    }

    /// Counts a stream, socket or export of a visitor until the permit is dropped. An IPv6 site may
    /// have [`SITE_MULTIPLIER`] times as many as a subnet.
    pub(crate) fn open_stream(&self, visitor: &Visitor) -> Result<StreamPermit, ApiError> {
        let address = visitor.owner.address;
        let mut open_streams = self.open_streams.lock();
        if let Some((_, limit)) = open_streams.full_network(address, self.streams) {
            let message = format!(
                "your network has {limit} games, analyses and exports open, which is the limit; close one to open another"
            );
            return Err(ApiErrorKind::TooMany.error(message));
        }
        open_streams.add(address);
        gauge!(meter::STREAMS).increment(1.0);
        Ok(StreamPermit {
            address,
            open_streams: self.open_streams.clone(),
        })
    }
}

fn too_many(what: &str, wait: Duration) -> ApiError {
    let seconds = wait.as_secs() + 1;
    let message = format!("too many {what} recently; try again in {seconds} seconds");
    ApiError {
        retry: Some(seconds),
        ..ApiErrorKind::TooMany.error(message)
    }
}

/// An open stream, socket or export.
pub(crate) struct StreamPermit {
    address: IpAddr,
    open_streams: Arc<Mutex<NetworkCounts>>,
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        self.open_streams.lock().remove(self.address);
        gauge!(meter::STREAMS).decrement(1.0);
    }
}

/// The limiter for the messages of one socket.
pub(crate) struct MessageLimiter(Option<DefaultDirectRateLimiter>);

impl MessageLimiter {
    /// Counts a message.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        match self.0.as_ref().map(DefaultDirectRateLimiter::check) {
            Some(Err(not_until)) => {
                let wait = not_until.wait_time_from(DefaultClock::default().now());
                Err(too_many("messages", wait))
            }
            _ => Ok(()),
        }
    }
}

/// Limits by visitor, and by the address that many visitors may share.
struct OwnerLimiter {
    visitors: KeyedLimiter<VisitorKey>,
    addresses: AddressLimiter,
}

impl OwnerLimiter {
    fn new(per_visitor: RateLimit, per_address: RateLimit) -> OwnerLimiter {
        OwnerLimiter {
            visitors: KeyedLimiter::new(per_visitor),
            addresses: AddressLimiter::new(per_address),
        }
    }

    fn check(&self, owner: TaskOwner, count: u32) -> Result<(), Duration> {
        self.visitors.check(&owner.visitor, count)?;
        self.addresses.check(owner.address, count)
    }
}

/// Limits by address: an IPv6 subnet is allowed as much as an IPv4 address, and all subnets of one
/// site (/48) together [`SITE_MULTIPLIER`] times as much.
struct AddressLimiter([KeyedLimiter<IpNet>; 2]);

impl AddressLimiter {
    fn new(rate: RateLimit) -> AddressLimiter {
        let site_rate = RateLimit {
            burst: rate.burst.saturating_mul(SITE_MULTIPLIER),
            interval: rate.interval / SITE_MULTIPLIER,
        };
        AddressLimiter([rate, site_rate].map(KeyedLimiter::new))
    }

    fn check(&self, address: IpAddr, count: u32) -> Result<(), Duration> {
        let mut networks = counted_networks(address).zip(&self.0);
        networks.try_for_each(|(network, limiter)| limiter.check(&network, count))
    }
}

/// Limits by key. Without a limit nothing is counted.
struct KeyedLimiter<K: Hash + Eq + Clone> {
    burst: NonZeroU32,
    limiter: Option<DefaultKeyedRateLimiter<K>>,
    checks: AtomicUsize,
}

impl<K: Hash + Eq + Clone> KeyedLimiter<K> {
    fn new(rate: RateLimit) -> KeyedLimiter<K> {
        KeyedLimiter {
            burst: NonZeroU32::new(rate.burst).unwrap_or(NonZeroU32::MIN),
            limiter: quota(rate).map(RateLimiter::keyed),
            checks: AtomicUsize::new(0),
        }
    }

    /// Counts `count` more, or returns how long to wait. More than a full burst counts as one
    /// burst, so that nobody is rejected forever.
    fn check(&self, key: &K, count: u32) -> Result<(), Duration> {
        let Some(limiter) = &self.limiter else {
            return Ok(());
        };
        if self.checks.fetch_add(1, Ordering::Relaxed) % CLEANUP_INTERVAL == CLEANUP_INTERVAL - 1 {
            limiter.retain_recent();
        }
        let now = DefaultClock::default().now();
        let count = NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
        match limiter.check_key_n(key, count.min(self.burst)) {
            Ok(Err(not_until)) => Err(not_until.wait_time_from(now)),
            Ok(Ok(())) | Err(_) => Ok(()),
        }
    }
}

fn quota(rate: RateLimit) -> Option<Quota> {
    let quota = Quota::with_period(rate.interval)?;
    Some(quota.allow_burst(NonZeroU32::new(rate.burst).unwrap_or(NonZeroU32::MIN)))
}
