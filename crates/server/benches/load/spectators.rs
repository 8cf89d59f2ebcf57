//! Somebody who watches a table, game after game.

use tokio::sync::watch;
use tokio::time::{Duration, timeout};

use crate::client::{self, Socket, Target};
use crate::players::GameNews;

/// The last state of a game must have come after this.
const PATIENCE: Duration = Duration::from_secs(10);

/// What somebody saw.
#[derive(Default)]
pub(crate) struct SpectatorStats {
    /// Messages that came.
    pub(crate) states: u64,
    /// States in between that were left out because there was a newer one already.
    pub(crate) skipped: u64,
    /// Games whose last state never came, and sockets that broke.
    pub(crate) lost: u64,
    /// Messages that told of an older state than the one before.
    pub(crate) out_of_order: u64,
    /// The socket, which is still open.
    pub(crate) socket: Option<Socket>,
}

/// Was one told that the server stops, before the socket ended?
pub(crate) async fn was_notified(mut socket: Socket) -> bool {
    let mut told = false;
    while let Some(message) = client::next(&mut socket).await {
        told |= message == r#"{"type":"bye"}"#;
    }
    told
}

/// Watches until the table says that this was all.
pub(crate) async fn watch(
    door: Target,
    mut socket: Socket,
    mut news: watch::Receiver<GameNews>,
) -> SpectatorStats {
    let mut seen = SpectatorStats::default();
    let mut uid = news.borrow_and_update().uid.clone();
    let mut at: Option<(u64, u64)> = None;
    loop {
        tokio::select! {
            message = client::next(&mut socket) => {
                let Some(now) = message.as_deref().and_then(client::rev) else {
                    seen.lost += 1;
                    return seen;
                };
                seen.states += 1;
                if let Some(before) = at {
                    seen.out_of_order += u64::from(now < before);
                    seen.skipped += now.0.saturating_sub(before.0 + 1);
                }
                at = Some(now);
            }
            changed = news.changed() => {
                let table = news.borrow_and_update().clone();
                if changed.is_err() {
                    return seen;
                }
                let Some(last) = table.last_rev.or((table.uid != uid).then_some((0, 0))) else {
                    continue;
                };
                if timeout(PATIENCE, reach(&mut socket, &mut at, last, &mut seen)).await.is_err() {
                    seen.lost += 1;
                }
                if table.is_last_game {
                    seen.socket = Some(socket);
                    return seen;
                }
                // The next game is there, or will be in a moment.
                let waited = news.wait_for(|table| table.uid != uid).await;
                let Ok(next) = waited.map(|table| table.uid.clone()) else {
                    return seen;
                };
                uid = next;
                socket = client::watch(door, &uid, None).await;
                at = None;
            }
        }
    }
}

/// Reads on until this state has come.
async fn reach(
    socket: &mut Socket,
    at: &mut Option<(u64, u64)>,
    last: (u64, u64),
    seen: &mut SpectatorStats,
) {
    while at.is_none_or(|at| at < last) {
        let Some(now) = client::next(socket).await.as_deref().and_then(client::rev) else {
            seen.lost += 1;
            return;
        };
        seen.states += 1;
        if let Some(before) = *at {
            seen.skipped += now.0.saturating_sub(before.0 + 1);
        }
        *at = Some(now);
    }
}
