//! Somebody who watches a game, whoever plays it: every state, the newest first and
//! none twice. Who is slow misses states in between, never the last one.

use std::sync::Arc;
use std::time::Duration;

use noughts_store::SecretHash;
use tokio::sync::watch;
use tokio::time::sleep;

use super::published::PublishedSnapshot;
use super::room::{Presence, Room};
use super::rooms::OpenedGame;
use crate::app::App;
use crate::error::Error;

/// How often a game is looked at that another program plays.
const GLANCE: Duration = Duration::from_secs(3);

/// Somebody who watches a game.
pub(crate) struct GameSubscription {
    uid: String,
    visitor: SecretHash,
    seat: Option<Inside>,
    state: Arc<PublishedSnapshot>,
}

/// In a room.
struct Inside {
    news: watch::Receiver<Arc<PublishedSnapshot>>,
    presence: Presence,
}

impl GameSubscription {
    pub(crate) async fn open(
        app: &App,
        uid: &str,
        visitor: SecretHash,
    ) -> Result<GameSubscription, Error> {
        let opened = app.rooms.open(app, uid).await?;
        let mut watching = GameSubscription {
            uid: uid.into(),
            visitor,
            seat: None,
            state: opened.snapshot(),
        };
        watching.sit(app, opened).await;
        Ok(watching)
    }

    async fn sit(&mut self, app: &App, opened: OpenedGame) {
        let OpenedGame::Live(room) = opened else {
            self.seat = None;
            return;
        };
        let presence = room.add_viewer(self.visitor);
        let mut news = room.subscribe();
        self.state = news.borrow_and_update().clone();
        self.seat = Some(Inside { news, presence });
        // A game between bots goes on when somebody watches.
        room.wake_bot(app).await;
    }

    /// The newest state that was seen.
    pub(crate) fn snapshot(&self) -> &Arc<PublishedSnapshot> {
        &self.state
    }

    /// The room, where there is one.
    pub(crate) fn room(&self) -> Option<&Arc<Room>> {
        self.seat.as_ref().map(|inside| inside.presence.room())
    }

    /// Takes note of all there is by now.
    pub(crate) fn catch_up(&mut self) {
        if let Some(inside) = &mut self.seat {
            self.state = inside.news.borrow_and_update().clone();
        }
    }

    /// Waits for the next state. Nothing is lost where the wait is broken off.
    pub(crate) async fn changed(&mut self, app: &App) -> Result<(), Error> {
        loop {
            let Some(inside) = &mut self.seat else {
                sleep(GLANCE).await;
                let opened = Box::pin(app.rooms.open(app, &self.uid)).await?;
                let state = opened.snapshot();
                let same = state.rev == self.state.rev && state.over == self.state.over;
                self.state = state;
                Box::pin(self.sit(app, opened)).await;
                if !same || self.seat.is_some() {
                    return Ok(());
                }
                continue;
            };
            if !self.state.is_closed {
                // The sender lives as long as the presence.
                let _ = inside.news.changed().await;
                self.state = inside.news.borrow_and_update().clone();
                if !self.state.is_closed {
                    return Ok(());
                }
            }
            let opened = Box::pin(app.rooms.open(app, &self.uid)).await?;
            self.state = opened.snapshot();
            Box::pin(self.sit(app, opened)).await;
            return Ok(());
        }
    }
}
