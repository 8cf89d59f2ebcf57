//! The mutable state of a room: the game, who controls the seats, pending offers. It changes only
//! under the room's lock.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Instant;

use noughts_rules::{Assistance, Side};
use noughts_session::policy::PlayMode;
use noughts_session::{BotPlayer, Participant, Session, SessionError};
use noughts_store::{GameId, Seat, SeatClaims, SecretHash, Store, Tally};
use tokio::task::AbortHandle;

use super::snapshot::{GameSnapshot, Revision};

/// The mutable state of a room.
pub(super) struct LiveGame {
    pub(super) id: GameId,
    /// `None` if the game was over before the room was opened.
    session: Option<Session>,
    /// The game as it is now. Its board is shared with the snapshots that are sent.
    now: GameSnapshot,
    /// The bots of the seats, once they have been created.
    pub(super) bots: [Option<BotPlayer>; 2],
    /// The task of the bot to move, and the revision it's for.
    pub(super) bot_task: Option<(Revision, AbortHandle)>,
    pub(super) last_move_at: Instant,
}

impl Deref for LiveGame {
    type Target = GameSnapshot;

    fn deref(&self) -> &GameSnapshot {
        &self.now
    }
}

impl DerefMut for LiveGame {
    fn deref_mut(&mut self) -> &mut GameSnapshot {
        &mut self.now
    }
}

impl LiveGame {
    /// A game that is played here.
    pub(super) fn from_session(
        uid: &str,
        session: Session,
        claims: SeatClaims,
        tallies: [Option<Tally>; 2],
    ) -> LiveGame {
        let id = session.id();
        let state = Arc::new(session.game_state().clone());
        let seats = session.seats().each_ref().map(Participant::to_seat);
        let now = GameSnapshot {
            ids: Some((uid.into(), id)),
            claims,
            tallies,
            ..GameSnapshot::new(state, seats)
        };
        let mut game = LiveGame::new(id, now);
        game.set_session(session);
        game
    }

    /// A game that was over before the room was opened.
    pub(super) fn new(id: GameId, now: GameSnapshot) -> LiveGame {
        LiveGame {
            id,
            session: None,
            now,
            bots: [None, None],
            bot_task: None,
            last_move_at: Instant::now(),
        }
    }

    pub(super) fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// Replaces the session after an action.
    pub(super) fn set_session(&mut self, session: Session) {
        let now = &mut self.now;
        now.state = Arc::new(session.game_state().clone());
        now.rev = Revision {
            moves: session.move_times().len(),
            changes: session.changes(),
        };
        now.seats = session.seats().each_ref().map(Participant::to_seat);
        now.move_times = session.move_times().into();
        now.handed_over = session.has_changed_hands();
        now.assisted = session.assistance();
        now.over = session.result();
        self.session = Some(session);
    }

    /// Records that a player had help. Returns whether the game was rated until now.
    pub(super) async fn mark_assisted(
        &mut self,
        store: &Store,
        assistance: Assistance,
    ) -> Result<bool, SessionError> {
        let Some(session) = &mut self.session else {
            return Ok(false);
        };
        let was_rated = session.mark_assisted(store, assistance).await?;
        self.now.assisted = session.assistance();
        Ok(was_rated)
    }

    /// Stops the bot's task. It doesn't hold the lock while it thinks, so nothing is left half done.
    pub(super) fn stop_bot(&mut self) {
        if let Some((_, task)) = self.bot_task.take() {
            task.abort();
        }
    }

    /// Does this visitor control a side?
    pub(super) fn is_seated(&self, visitor: &SecretHash) -> bool {
        self.claims.visitors.contains(&Some(*visitor))
    }

    /// The sides that this visitor plays as a human.
    pub(super) fn human_sides_of(&self, visitor: &SecretHash) -> Vec<Side> {
        self.viewer(visitor).sides()
    }

    /// Do two humans play who see each other's moves only through the server?
    pub(super) fn is_online(&self) -> bool {
        let are_human = self.seats.iter().all(Seat::is_human);
        let [x, o] = &self.claims.visitors;
        are_human && (self.is_waiting_for_opponent() || x != o)
    }

    /// Do only bots play?
    pub(super) fn is_bot_match(&self) -> bool {
        !self.seats.iter().any(Seat::is_human)
    }

    /// The current snapshot. The room adds who is connected.
    pub(super) fn snapshot(&self) -> GameSnapshot {
        let session = self.session.as_ref();
        let is_online = self.is_online();
        let mode = match is_online {
            true => PlayMode::Online,
            false => PlayMode::Local,
        };
        GameSnapshot {
            is_online,
            can_take_back: session.is_some_and(Session::can_take_back)
                && !self.is_waiting_for_opponent(),
            can_redo: session.is_some_and(|session| session.can_redo(mode)),
            thinking: self.bot_task.is_some(),
            ..self.now.clone()
        }
    }
}
