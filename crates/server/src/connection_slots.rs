//! Slots for connections: a limit in total, and one per address. When all are taken, the oldest
//! connection that never sent a request is closed, so that silent connections can't keep others
//! out.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use metrics::counter;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::config::ServerLimits;
use crate::meter;
use crate::network::NetworkCounts;

/// All slots of a listener.
pub(crate) struct ConnectionSlots {
    permits: Arc<Semaphore>,
    total: usize,
    per_address: usize,
    occupancy: Mutex<Occupancy>,
}

#[derive(Default)]
struct Occupancy {
    /// The number for the next connection. The smallest number is the oldest connection.
    next: u64,
    /// Connections that haven't sent a request yet.
    silent: BTreeMap<u64, SilentConnection>,
    /// The open connections of each network.
    networks: NetworkCounts,
}

struct SilentConnection {
    address: IpAddr,
    /// Canceled under the lock when the slot is given to another connection.
    evicted: CancellationToken,
}

/// The slot of one connection, until it's dropped.
pub(crate) struct ConnectionSlot {
    slots: Arc<ConnectionSlots>,
    number: u64,
    /// `None` for a trusted proxy, which has many clients.
    address: Option<IpAddr>,
    evicted: CancellationToken,
    has_sent_request: AtomicBool,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionSlots {
    pub(crate) fn new(limits: &ServerLimits) -> Arc<ConnectionSlots> {
        let total = limits.connections.min(Semaphore::MAX_PERMITS);
        Arc::new(ConnectionSlots {
            permits: Arc::new(Semaphore::new(total)),
            total,
            per_address: limits.connections_per_address,
            occupancy: Mutex::default(),
        })
    }

    /// Waits for a free slot. If all are taken, the oldest silent connection is closed. If none is
    /// silent, new clients wait in the listen queue, where they cost nothing.
    pub(crate) async fn acquire_permit(&self) -> OwnedSemaphorePermit {
        if self.permits.available_permits() == 0 {
            let mut occupancy = self.occupancy.lock();
            if let Some(oldest) = occupancy.silent.keys().next().copied() {
                occupancy.evict(oldest);
            }
        }
        match self.permits.clone().acquire_owned().await {
            Ok(permit) => permit,
            // It's never closed.
            Err(_) => std::future::pending().await,
        }
    }

    /// The slot for a connection from this address. `None` if its network has too many and all of
    /// them are active. Pass no address for a trusted proxy.
    pub(crate) fn claim(
        self: &Arc<ConnectionSlots>,
        permit: OwnedSemaphorePermit,
        address: Option<IpAddr>,
    ) -> Option<ConnectionSlot> {
        let address = address.map(|address| address.to_canonical());
        let mut occupancy = self.occupancy.lock();
        let number = occupancy.next;
        occupancy.next += 1;
        let evicted = CancellationToken::new();
        if let Some(address) = address {
            while let Some((full, _)) = occupancy.networks.full_network(address, self.per_address) {
                // A scan of at most all slots, and only for a network with too many connections.
                let mut silent = occupancy.silent.iter();
                let (&oldest, _) = silent.find(|(_, silent)| full.contains(&silent.address))?;
                occupancy.evict(oldest);
            }
            occupancy.networks.add(address);
            let evicted = evicted.clone();
            occupancy
                .silent
                .insert(number, SilentConnection { address, evicted });
        }
        drop(occupancy);
        Some(ConnectionSlot {
            slots: self.clone(),
            number,
            address,
            evicted,
            has_sent_request: AtomicBool::new(false),
            _permit: permit,
        })
    }

    /// Waits until every connection has ended.
    pub(crate) async fn wait_until_empty(&self) {
        let all = u32::try_from(self.total).unwrap_or(u32::MAX);
        let _ = self.permits.acquire_many(all).await;
    }

    /// The number of open connections.
    pub(crate) fn open_count(&self) -> usize {
        self.total - self.permits.available_permits()
    }
}

impl Occupancy {
    /// Closes a silent connection; its address can have another one at once.
    fn evict(&mut self, number: u64) {
        if let Some(silent) = self.silent.remove(&number) {
            self.networks.remove(silent.address);
            silent.evicted.cancel();
            counter!(meter::EVICTED).increment(1);
        }
    }
}

impl ConnectionSlot {
    /// The connection has sent a request, so it's no longer closed to make room.
    pub(crate) fn mark_active(&self) {
        if !self.has_sent_request.swap(true, Ordering::Relaxed) {
            self.slots.occupancy.lock().silent.remove(&self.number);
        }
    }

    pub(crate) fn is_active(&self) -> bool {
        self.has_sent_request.load(Ordering::Relaxed)
    }

    /// Waits until the connection has to make room for another one.
    pub(crate) async fn wait_until_evicted(&self) {
        self.evicted.cancelled().await;
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let Some(address) = self.address else {
            return;
        };
        let mut occupancy = self.slots.occupancy.lock();
        occupancy.silent.remove(&self.number);
        if !self.evicted.is_cancelled() {
            occupancy.networks.remove(address);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{Duration, timeout};

    use super::*;

    fn slots(connections: usize, connections_of_address: usize) -> Arc<ConnectionSlots> {
        ConnectionSlots::new(&ServerLimits {
            connections,
            connections_per_address: connections_of_address,
            ..ServerLimits::default()
        })
    }

    async fn take(slots: &Arc<ConnectionSlots>, address: &str) -> Option<ConnectionSlot> {
        let permit = slots.acquire_permit().await;
        slots.claim(permit, Some(address.parse().expect("an address")))
    }

    fn is_evicted(slot: &ConnectionSlot) -> bool {
        slot.evicted.is_cancelled()
    }

    #[tokio::test]
    async fn connections_per_address_are_limited_and_silent_ones_are_evicted() {
        let slots = slots(100, 2);
        let first = take(&slots, "192.0.2.1").await.expect("room");
        let second = take(&slots, "192.0.2.1").await.expect("room");
        first.mark_active();
        let third = take(&slots, "192.0.2.1").await.expect("room");
        assert!(is_evicted(&second) && !is_evicted(&first));
        second.wait_until_evicted().await;
        third.mark_active();
        // Both are active.
        assert!(take(&slots, "192.0.2.1").await.is_none());
        assert!(take(&slots, "::ffff:192.0.2.1").await.is_none());
        assert!(take(&slots, "192.0.2.2").await.is_some());
        drop(second);
        assert!(take(&slots, "192.0.2.1").await.is_none());
        drop(first);
        assert!(take(&slots, "192.0.2.1").await.is_some());
    }

    #[tokio::test]
    async fn ipv6_is_limited_by_subnet_and_by_site() {
        let slots = slots(100, 1);
        let mut open = Vec::new();
        for subnet in 0..4 {
            let address = format!("2001:db8:1:{subnet}::1");
            let slot = take(&slots, &address).await.expect("room");
            slot.mark_active();
            open.push(slot);
            let neighbor = format!("2001:db8:1:{subnet}:ffff::");
            assert!(take(&slots, &neighbor).await.is_none(), "{neighbor}");
        }
        assert!(take(&slots, "2001:db8:1:4::1").await.is_none());
        assert!(take(&slots, "2001:db8:2::1").await.is_some());
        open.pop();
        assert!(take(&slots, "2001:db8:1:4::1").await.is_some());
    }

    #[tokio::test]
    async fn connections_from_proxies_are_not_limited() {
        let slots = slots(100, 1);
        let mut open = Vec::new();
        for _ in 0..5 {
            let permit = slots.acquire_permit().await;
            open.push(slots.claim(permit, None).expect("room"));
        }
        assert_eq!(slots.open_count(), 5);
        drop(open);
        assert_eq!(slots.open_count(), 0);
    }

    #[tokio::test]
    async fn closed_connections_leave_no_entries() {
        let slots = slots(3, 2);
        let mut open = Vec::new();
        for address in ["192.0.2.1", "2001:db8::1", "192.0.2.1"] {
            open.push(take(&slots, address).await.expect("room"));
        }
        open[1].mark_active();
        // The oldest silent one has to go, and ends when it's told to.
        let next = tokio::spawn({
            let slots = slots.clone();
            async move { take(&slots, "192.0.2.9").await.expect("room") }
        });
        open[0].wait_until_evicted().await;
        drop(open.remove(0));
        let next = next.await.expect("no panic");
        drop((open, next));
        timeout(Duration::from_secs(60), slots.wait_until_empty())
            .await
            .expect("all ended");
        let occupancy = slots.occupancy.lock();
        assert!(occupancy.silent.is_empty() && occupancy.networks.0.is_empty());
    }
}
