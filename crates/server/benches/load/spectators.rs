//! A spectator that follows one bench game after another.

use tokio::sync::watch;
use tokio::time::{Duration, timeout};

use crate::client::{self, Socket, Target};
use crate::players::GameNews;

/// How long a spectator waits for the last state of a game.
const LAST_STATE_TIMEOUT: Duration = Duration::from_secs(10);

/// What one spectator received.
#[derive(Default)]
pub(crate) struct SpectatorStats {
    /// Messages received.
    pub(crate) states: u64,
    /// Intermediate states that the server skipped because a newer one was available.
    pub(crate) skipped: u64,
    /// Games whose last state never arrived, and sockets that broke.
    pub(crate) lost: u64,
    /// Messages with an older state than the previous one.
    pub(crate) out_of_order: u64,
    /// The socket, still open at the end of the run.
    pub(crate) socket: Option<Socket>,
}

/// Reads the socket to its end. Returns whether the server announced its shutdown first.
pub(crate) async fn was_notified(mut socket: Socket) -> bool {
    let mut was_announced = false;
    while let Some(message) = client::next(&mut socket).await {
        was_announced |= message == r#"{"type":"shutdown"}"#;
    }
    was_announced
}

/// Watches until the players report that there are no more games.
pub(crate) async fn watch(
    target: Target,
    mut socket: Socket,
    mut news: watch::Receiver<GameNews>,
) -> SpectatorStats {
    let mut stats = SpectatorStats::default();
    let mut uid = news.borrow_and_update().uid.clone();
    let mut current: Option<(u64, u64)> = None;
    loop {
        tokio::select! {
            message = client::next(&mut socket) => {
                if !stats.record(message.as_deref(), &mut current) {
                    return stats;
                }
            }
            changed = news.changed() => {
                let news_now = news.borrow_and_update().clone();
                if changed.is_err() {
                    return stats;
                }
                let Some(last) = news_now.last_rev.or((news_now.uid != uid).then_some((0, 0))) else {
                    continue;
                };
                let reached = async {
                    while current.is_none_or(|current| current < last) {
                        let message = client::next(&mut socket).await;
                        if !stats.record(message.as_deref(), &mut current) {
                            break;
                        }
                    }
                };
                if timeout(LAST_STATE_TIMEOUT, reached).await.is_err() {
                    stats.lost += 1;
                }
                if news_now.is_last_game {
                    stats.socket = Some(socket);
                    return stats;
                }
                // The next game exists already, or will in a moment.
                let waited = news.wait_for(|news_now| news_now.uid != uid).await;
                let Ok(next) = waited.map(|news_now| news_now.uid.clone()) else {
                    return stats;
                };
                uid = next;
                socket = client::watch(target, &uid, None).await;
                current = None;
            }
        }
    }
}

impl SpectatorStats {
    pub(crate) fn add(&mut self, other: &SpectatorStats) {
        self.states += other.states;
        self.skipped += other.skipped;
        self.lost += other.lost;
        self.out_of_order += other.out_of_order;
    }

    /// Counts a message. Returns false if there was none, which is a broken socket.
    fn record(&mut self, message: Option<&str>, current: &mut Option<(u64, u64)>) -> bool {
        let Some(message) = message else {
            self.lost += 1;
            return false;
        };
        self.states += 1;
        if let Some(rev) = client::rev(message)
            && let Some(previous) = current.replace(rev)
        {
            self.out_of_order += u64::from(rev < previous);
            self.skipped += rev.0.saturating_sub(previous.0 + 1);
        }
        true
    }
}
