//! How much of everything one visitor, address or socket has had lately.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::address::counted_networks;
use super::visitor::{TaskOwner, Visitor, VisitorKey};
use crate::config::{Limits, RateLimit};
use crate::error::{Error, Kind};
use crate::meter;
use crate::network::Network;

/// Whoever has been quiet is forgotten after so many questions.
const TIDY_EVERY: usize = 4096;

/// How many households' share an IPv6 site has.
pub(crate) const SITE_MULTIPLIER: u32 = 4;

/// What has been had lately, of everything that is counted.
pub(crate) struct RateLimiters {
    requests: ByAddress,
    games: Keyed<VisitorKey>,
    games_of_address: ByAddress,
    kept: Keyed<VisitorKey>,
    kept_of_address: ByAddress,
    bot_moves: Keyed<VisitorKey>,
    bot_moves_of_address: ByAddress,
    probes: DefaultDirectRateLimiter,
    messages: Option<Quota>,
    streams: usize,
    open: Arc<Mutex<HashMap<Network, usize>>>,
}

impl RateLimiters {
    pub(crate) fn new(limits: &Limits) -> RateLimiters {
        RateLimiters {
            requests: ByAddress::new(limits.requests),
            games: Keyed::new(limits.games),
            games_of_address: ByAddress::new(limits.games_per_address),
            kept: Keyed::new(limits.stored_kib),
            kept_of_address: ByAddress::new(limits.stored_kib_per_address),
            bot_moves: Keyed::new(limits.bot_moves),
            bot_moves_of_address: ByAddress::new(limits.bot_moves_per_address),
            probes: RateLimiter::direct(Quota::per_second(NonZeroU32::MIN)),
            messages: quota(limits.messages),
            streams: limits.streams,
            open: Arc::default(),
        }
    }

    /// One more request from an address.
    pub(super) fn check_request(&self, address: IpAddr) -> Result<(), Error> {
        let asked = self.requests.ask(address, 1);
        asked.map_err(|wait| too_many("requests", wait))
    }

    /// One more game of a visitor.
    pub(crate) fn check_new_game(&self, visitor: &Visitor) -> Result<(), Error> {
        self.game_or_name(visitor, "new games")
    }

    /// One more seat that a visitor takes or gives under a name. Names are stored, and
    /// counted together with games.
    pub(crate) fn check_seat(&self, visitor: &Visitor) -> Result<(), Error> {
        self.game_or_name(visitor, "seats taken")
    }

    fn game_or_name(&self, visitor: &Visitor, what: &str) -> Result<(), Error> {
        let asked = self.games.ask(&visitor.key(), 1);
        let asked = asked.and_then(|()| self.games_of_address.ask(visitor.address(), 1));
        asked.map_err(|wait| too_many(what, wait))
    }

    /// This many more bytes that are stored for a visitor.
    pub(crate) fn check_stored_bytes(&self, visitor: &Visitor, bytes: usize) -> Result<(), Error> {
        let kib = u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        let asked = self.kept.ask(&visitor.key(), kib);
        let asked = asked.and_then(|()| self.kept_of_address.ask(visitor.address(), kib));
        asked.map_err(|wait| too_many("bytes to store", wait))
    }

    /// One more move of a game in which only bots play.
    ///
    /// # Errors
    /// How long to wait: there were too many already.
    pub(crate) fn check_bot_move(&self, owner: TaskOwner) -> Result<(), Duration> {
        self.bot_moves.ask(&owner.visitor, 1)?;
        self.bot_moves_of_address.ask(owner.address, 1)
    }

    /// May it be tried again whether something can be written? Not more than once a
    /// second, whoever asks.
    pub(crate) fn may_probe_store(&self) -> bool {
        self.probes.check().is_ok()
    }

    /// What a socket's messages are counted by.
    pub(crate) fn message_limiter(&self) -> MessageLimiter {
        MessageLimiter(self.messages.map(RateLimiter::direct))
    }

    /// One more stream, socket or export to a visitor, until the pass is dropped. An IPv6 site
    /// has [`PER_SITE`] times as many as a household.
    pub(crate) fn open_stream(&self, visitor: &Visitor) -> Result<StreamPermit, Error> {
        let address = visitor.address();
        let mut all = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut most = self.streams;
        for network in counted_networks(address) {
            if all.get(&network).copied().unwrap_or_default() >= most {
                return Err(Error::new(
                    Kind::TooMany,
                    format!(
                        "{most} games, analyses and exports are open from your network; close one to open another"
                    ),
                ));
            }
            most = most.saturating_mul(SITE_MULTIPLIER as usize);
        }
        for network in counted_networks(address) {
            *all.entry(network).or_default() += 1;
        }
        meter::change_open_streams(1.0);
        Ok(StreamPermit {
            address,
            all: self.open.clone(),
        })
    }
}

fn too_many(what: &str, wait: Duration) -> Error {
    let seconds = wait.as_secs() + 1;
    Error::new(
        Kind::TooMany,
        format!("too many {what} in a short time; try again in {seconds} s"),
    )
    .with_retry_after(seconds)
}

/// A stream or socket that is open.
pub(crate) struct StreamPermit {
    address: IpAddr,
    all: Arc<Mutex<HashMap<Network, usize>>>,
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        for network in counted_networks(self.address) {
            if let Some(count) = all.get_mut(&network) {
                *count -= 1;
                if *count == 0 {
                    all.remove(&network);
                }
            }
        }
        meter::change_open_streams(-1.0);
    }
}

/// The messages of one socket.
pub(crate) struct MessageLimiter(Option<DefaultDirectRateLimiter>);

impl MessageLimiter {
    /// One more.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.0.as_ref().map(DefaultDirectRateLimiter::check) {
            Some(Err(early)) => {
                let wait = early.wait_time_from(DefaultClock::default().now());
                Err(too_many("messages", wait))
            }
            _ => Ok(()),
        }
    }
}

/// Counts by address: an IPv6 household has as much as an IPv4 address, and all households of
/// one site (/48) together have [`PER_SITE`] times as much.
struct ByAddress {
    households: Keyed<IpAddr>,
    sites: Keyed<Network>,
}

impl ByAddress {
    fn new(rate: RateLimit) -> ByAddress {
        ByAddress {
            households: Keyed::new(rate),
            sites: Keyed::new(RateLimit {
                burst: rate.burst.saturating_mul(SITE_MULTIPLIER),
                interval: rate.interval / SITE_MULTIPLIER,
            }),
        }
    }

    fn ask(&self, household: IpAddr, count: u32) -> Result<(), Duration> {
        self.households.ask(&household, count)?;
        match counted_networks(household).nth(1) {
            Some(site) => self.sites.ask(&site, count),
            None => Ok(()),
        }
    }
}

/// Counts by somebody; nothing is counted where nothing is limited.
struct Keyed<K: Hash + Eq + Clone> {
    burst: NonZeroU32,
    limiter: Option<DefaultKeyedRateLimiter<K>>,
    asked: AtomicUsize,
}

impl<K: Hash + Eq + Clone> Keyed<K> {
    fn new(rate: RateLimit) -> Keyed<K> {
        Keyed {
            burst: NonZeroU32::new(rate.burst).unwrap_or(NonZeroU32::MIN),
            limiter: quota(rate).map(RateLimiter::keyed),
            asked: AtomicUsize::new(0),
        }
    }

    /// How long to wait for so many more, where there was too much already. Nobody is
    /// refused for ever: more than may come at once counts as all of that.
    fn ask(&self, key: &K, count: u32) -> Result<(), Duration> {
        let Some(limiter) = &self.limiter else {
            return Ok(());
        };
        if self.asked.fetch_add(1, Ordering::Relaxed) % TIDY_EVERY == TIDY_EVERY - 1 {
            limiter.retain_recent();
        }
        let now = DefaultClock::default().now();
        let count = NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
        match limiter.check_key_n(key, count.min(self.burst)) {
            Ok(Err(early)) => Err(early.wait_time_from(now)),
            Ok(Ok(())) | Err(_) => Ok(()),
        }
    }
}

fn quota(rate: RateLimit) -> Option<Quota> {
    let quota = Quota::with_period(rate.interval)?;
    Some(quota.allow_burst(NonZeroU32::new(rate.burst).unwrap_or(NonZeroU32::MIN)))
}
