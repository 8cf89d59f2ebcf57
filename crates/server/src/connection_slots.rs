//! Places for connections: how many there are in all, and how many one address may have.
//! When there is no room, the oldest connection that never sent a request is closed, so that
//! silent connections can't keep others out.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use crate::config::Limits;
use crate::meter;
use crate::middleware::{SITE_MULTIPLIER, counted_networks};
use crate::network::Network;

/// All places of a listener.
pub(crate) struct ConnectionSlots {
    free: Arc<Semaphore>,
    total: usize,
    of_address: usize,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    /// Numbers are given out in order, so that the smallest one is the oldest.
    next: u64,
    /// Connections that haven't sent a request yet.
    silent: BTreeMap<u64, Silent>,
    networks: HashMap<Network, InNetwork>,
}

struct Silent {
    address: IpAddr,
    eviction: Arc<Eviction>,
}

/// What one network has.
#[derive(Default)]
struct InNetwork {
    open: usize,
    silent: BTreeSet<u64>,
}

/// Tells a connection to close.
#[derive(Default)]
struct Eviction {
    asked: Notify,
    /// Set while the table is locked: the place was given to another connection.
    is_done: AtomicBool,
}

/// The place of one connection, until it is dropped.
pub(crate) struct ConnectionSlot {
    places: Arc<ConnectionSlots>,
    number: u64,
    /// None for a trusted proxy, whose clients are many.
    address: Option<IpAddr>,
    eviction: Arc<Eviction>,
    has_spoken: AtomicBool,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionSlots {
    pub(crate) fn new(limits: &Limits) -> Arc<ConnectionSlots> {
        let total = limits.connections.min(Semaphore::MAX_PERMITS);
        Arc::new(ConnectionSlots {
            free: Arc::new(Semaphore::new(total)),
            total,
            of_address: limits.connections_per_address,
            taken: Mutex::default(),
        })
    }

    /// Waits until there is room for one more connection. Where all places are taken, the
    /// oldest silent connection has to go; where none is silent, newcomers wait outside,
    /// where they cost nothing.
    pub(crate) async fn acquire_permit(&self) -> OwnedSemaphorePermit {
        if self.free.available_permits() == 0 {
            let mut taken = self.lock();
            if let Some(oldest) = taken.silent.keys().next().copied() {
                taken.evict(oldest);
            }
        }
        match self.free.clone().acquire_owned().await {
            Ok(permit) => permit,
            // It is never closed.
            Err(_) => std::future::pending().await,
        }
    }

    /// A place for a connection from this address, or none where its network has too many
    /// and all of them are in use. A trusted proxy has no address here.
    pub(crate) fn claim(
        self: &Arc<ConnectionSlots>,
        permit: OwnedSemaphorePermit,
        address: Option<IpAddr>,
    ) -> Option<ConnectionSlot> {
        let mut taken = self.lock();
        let mut most = self.of_address;
        for network in address.into_iter().flat_map(counted_networks) {
            let here = taken.networks.get(&network);
            if here.is_some_and(|here| here.open >= most) {
                let oldest = here.and_then(|here| here.silent.first().copied());
                taken.evict(oldest?);
            }
            most = most.saturating_mul(SITE_MULTIPLIER as usize);
        }
        let number = taken.next;
        taken.next += 1;
        let eviction = Arc::<Eviction>::default();
        if let Some(address) = address {
            for network in counted_networks(address) {
                let here = taken.networks.entry(network).or_default();
                here.open += 1;
                here.silent.insert(number);
            }
            let eviction = eviction.clone();
            taken.silent.insert(number, Silent { address, eviction });
        }
        drop(taken);
        Some(ConnectionSlot {
            places: self.clone(),
            number,
            address,
            eviction,
            has_spoken: AtomicBool::new(false),
            _permit: permit,
        })
    }

    /// Waits until every connection has ended.
    pub(crate) async fn wait_until_empty(&self) {
        let all = u32::try_from(self.total).unwrap_or(u32::MAX);
        let _ = self.free.acquire_many(all).await;
    }

    /// How many connections there are.
    pub(crate) fn open_count(&self) -> usize {
        self.total - self.free.available_permits()
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    /// It isn't silent any more.
    fn forget_silent(&mut self, number: u64) -> Option<Silent> {
        let silent = self.silent.remove(&number)?;
        for network in counted_networks(silent.address) {
            if let Some(here) = self.networks.get_mut(&network) {
                here.silent.remove(&number);
            }
        }
        Some(silent)
    }

    /// Closes a silent connection; its address may have another one at once.
    fn evict(&mut self, number: u64) {
        if let Some(silent) = self.forget_silent(number) {
            self.leave(silent.address);
            silent.eviction.is_done.store(true, Ordering::Relaxed);
            silent.eviction.asked.notify_one();
            meter::count_evicted_connection();
        }
    }

    /// The networks of this address have one connection less.
    fn leave(&mut self, address: IpAddr) {
        for network in counted_networks(address) {
            if let Some(here) = self.networks.get_mut(&network) {
                here.open -= 1;
                if here.open == 0 {
                    self.networks.remove(&network);
                }
            }
        }
    }
}

impl ConnectionSlot {
    /// The connection has sent a request, and is closed for nobody else from now on.
    pub(crate) fn mark_active(&self) {
        if !self.has_spoken.swap(true, Ordering::Relaxed) {
            self.places.lock().forget_silent(self.number);
        }
    }

    pub(crate) fn is_active(&self) -> bool {
        self.has_spoken.load(Ordering::Relaxed)
    }

    /// Waits until the connection has to make room for another one.
    pub(crate) async fn wait_until_evicted(&self) {
        self.eviction.asked.notified().await;
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let Some(address) = self.address else {
            return;
        };
        let mut taken = self.places.lock();
        taken.forget_silent(self.number);
        if !self.eviction.is_done.load(Ordering::Relaxed) {
            taken.leave(address);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{Duration, timeout};

    use super::*;

    fn places(connections: usize, connections_of_address: usize) -> Arc<ConnectionSlots> {
        ConnectionSlots::new(&Limits {
            connections,
            connections_per_address: connections_of_address,
            ..Limits::default()
        })
    }

    async fn take(places: &Arc<ConnectionSlots>, address: &str) -> Option<ConnectionSlot> {
        let permit = places.acquire_permit().await;
        places.claim(permit, Some(address.parse().expect("an address")))
    }

    fn is_evicted(place: &ConnectionSlot) -> bool {
        place.eviction.is_done.load(Ordering::Relaxed)
    }

    #[tokio::test]
    async fn an_address_has_so_many_connections_and_silent_ones_make_room() {
        let places = places(100, 2);
        let first = take(&places, "192.0.2.1").await.expect("room");
        let second = take(&places, "192.0.2.1").await.expect("room");
        first.mark_active();
        let third = take(&places, "192.0.2.1").await.expect("room");
        assert!(is_evicted(&second) && !is_evicted(&first));
        second.wait_until_evicted().await;
        third.mark_active();
        // Both are in use.
        assert!(take(&places, "192.0.2.1").await.is_none());
        assert!(take(&places, "::ffff:192.0.2.1").await.is_none());
        assert!(take(&places, "192.0.2.2").await.is_some());
        drop(second);
        assert!(take(&places, "192.0.2.1").await.is_none());
        drop(first);
        assert!(take(&places, "192.0.2.1").await.is_some());
    }

    #[tokio::test]
    async fn ipv6_is_counted_by_household_and_by_site() {
        let places = places(100, 1);
        let mut open = Vec::new();
        for household in 0..4 {
            let address = format!("2001:db8:1:{household}::1");
            let place = take(&places, &address).await.expect("room");
            place.mark_active();
            open.push(place);
            let neighbor = format!("2001:db8:1:{household}:ffff::");
            assert!(take(&places, &neighbor).await.is_none(), "{neighbor}");
        }
        assert!(take(&places, "2001:db8:1:4::1").await.is_none());
        assert!(take(&places, "2001:db8:2::1").await.is_some());
        open.pop();
        assert!(take(&places, "2001:db8:1:4::1").await.is_some());
    }

    #[tokio::test]
    async fn proxies_are_not_counted() {
        let places = places(100, 1);
        let mut open = Vec::new();
        for _ in 0..5 {
            let permit = places.acquire_permit().await;
            open.push(places.claim(permit, None).expect("room"));
        }
        assert_eq!(places.open_count(), 5);
        drop(open);
        assert_eq!(places.open_count(), 0);
    }

    /// Whatever happened to connections, nothing about them is left.
    #[tokio::test]
    async fn nothing_is_left_of_connections_that_ended() {
        let places = places(3, 2);
        let mut open = Vec::new();
        for address in ["192.0.2.1", "2001:db8::1", "192.0.2.1"] {
            open.push(take(&places, address).await.expect("room"));
        }
        open[1].mark_active();
        // The oldest silent one has to go, and leaves when it is told.
        let next = tokio::spawn({
            let places = places.clone();
            async move { take(&places, "192.0.2.9").await.expect("room") }
        });
        open[0].wait_until_evicted().await;
        drop(open.remove(0));
        let next = next.await.expect("no panic");
        drop((open, next));
        timeout(Duration::from_secs(60), places.wait_until_empty())
            .await
            .expect("all ended");
        let taken = places.lock();
        assert!(taken.silent.is_empty() && taken.networks.is_empty());
    }
}
