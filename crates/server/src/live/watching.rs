//! Somebody who watches a game, whoever plays it: every state, the newest first and
//! none twice. Who is slow misses states in between, never the last one.

use std::sync::Arc;
use std::time::Duration;

use noughts_store::SecretHash;
use tokio::sync::watch;
use tokio::time::sleep;

use super::room::{Presence, Room};
use super::rooms::Opened;
use super::state::State;
use crate::app::App;
use crate::error::Error;

/// How often a game is looked at that another program plays.
const GLANCE: Duration = Duration::from_secs(3);

/// Somebody who watches a game.
pub(crate) struct Watching {
    uid: String,
    visitor: SecretHash,
    seat: Option<Inside>,
    state: Arc<State>,
}

/// In a room.
struct Inside {
    news: watch::Receiver<Arc<State>>,
    presence: Presence,
}

impl Watching {
    pub(crate) async fn begin(
        app: &App,
        uid: &str,
        visitor: SecretHash,
    ) -> Result<Watching, Error> {
        let opened = app.rooms.open(app, uid).await?;
        let mut watching = Watching {
            uid: uid.into(),
            visitor,
            seat: None,
            state: opened.state(),
        };
        watching.sit(app, opened).await;
        Ok(watching)
    }

    async fn sit(&mut self, app: &App, opened: Opened) {
        let Opened::Room(room) = opened else {
            self.seat = None;
            return;
        };
        let presence = room.enter(self.visitor);
        let mut news = room.subscribe();
        self.state = news.borrow_and_update().clone();
        self.seat = Some(Inside { news, presence });
        // A game between bots goes on when somebody watches.
        room.wake(app).await;
    }

    /// The newest state that was seen.
    pub(crate) fn state(&self) -> &Arc<State> {
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
                let state = opened.state();
                let same = state.rev == self.state.rev && state.over == self.state.over;
                self.state = state;
                Box::pin(self.sit(app, opened)).await;
                if !same || self.seat.is_some() {
                    return Ok(());
                }
                continue;
            };
            if !self.state.gone {
                // The sender lives as long as the presence.
                let _ = inside.news.changed().await;
                self.state = inside.news.borrow_and_update().clone();
                if !self.state.gone {
                    return Ok(());
                }
            }
            let opened = Box::pin(app.rooms.open(app, &self.uid)).await?;
            self.state = opened.state();
            Box::pin(self.sit(app, opened)).await;
            return Ok(());
        }
    }
}
