//! A subscription to a game, whether it's played here or in another program: every new snapshot,
//! none twice. A slow subscriber misses intermediate snapshots, never the last one.

use std::sync::Arc;
use std::time::Duration;

use noughts_store::SecretHash;
use tokio::sync::watch;
use tokio::time::sleep;

use super::room::{Presence, Room};
use super::rooms::OpenedGame;
use super::snapshot::GameSnapshot;
use crate::app::App;
use crate::error::ApiError;

/// How often a game that another program plays is read from the store.
const POLL_INTERVAL: Duration = Duration::from_secs(3);

/// A subscription to a game.
pub(crate) struct GameSubscription {
    uid: String,
    visitor: SecretHash,
    room: Option<RoomSubscription>,
    snapshot: Arc<GameSnapshot>,
}

/// A subscription to a room.
struct RoomSubscription {
    updates: watch::Receiver<Arc<GameSnapshot>>,
    presence: Presence,
}

impl GameSubscription {
    pub(crate) async fn open(
        app: &App,
        uid: &str,
        visitor: SecretHash,
    ) -> Result<GameSubscription, ApiError> {
        let opened = app.rooms.open(app, uid).await?;
        let mut subscription = GameSubscription {
            uid: uid.into(),
            visitor,
            room: None,
            snapshot: opened.snapshot(),
        };
        subscription.attach(app, opened).await;
        Ok(subscription)
    }

    async fn attach(&mut self, app: &App, opened: OpenedGame) {
        let OpenedGame::Live(room) = opened else {
            self.room = None;
            return;
        };
        let presence = room.add_viewer(self.visitor);
        let mut updates = room.subscribe();
        self.snapshot = updates.borrow_and_update().clone();
        self.room = Some(RoomSubscription { updates, presence });
        // A game between bots continues when someone watches.
        room.wake_bot(app).await;
    }

    /// The newest snapshot received.
    pub(crate) fn snapshot(&self) -> &Arc<GameSnapshot> {
        &self.snapshot
    }

    /// The room, if the game is played here.
    pub(crate) fn room(&self) -> Option<&Arc<Room>> {
        self.room.as_ref().map(|room| &room.presence.room)
    }

    /// Takes the newest snapshot, so that [`changed`](Self::changed) waits for the next.
    pub(crate) fn catch_up(&mut self) {
        if let Some(room) = &mut self.room {
            self.snapshot = room.updates.borrow_and_update().clone();
        }
    }

    /// Waits for the next snapshot. Cancel safe.
    pub(crate) async fn changed(&mut self, app: &App) -> Result<(), ApiError> {
        loop {
            let was_live = self.room.is_some();
            match &mut self.room {
                None => sleep(POLL_INTERVAL).await,
                Some(_) if self.snapshot.is_closed => {}
                Some(room) => {
                    // The sender lives as long as the presence.
                    let _ = room.updates.changed().await;
                    self.snapshot = room.updates.borrow_and_update().clone();
                    if !self.snapshot.is_closed {
                        return Ok(());
                    }
                }
            }
            let opened = Box::pin(app.rooms.open(app, &self.uid)).await?;
            let before = std::mem::replace(&mut self.snapshot, opened.snapshot());
            let is_same = before.rev == self.snapshot.rev && before.over == self.snapshot.over;
            Box::pin(self.attach(app, opened)).await;
            if was_live || self.room.is_some() || !is_same {
                return Ok(());
            }
        }
    }
}
