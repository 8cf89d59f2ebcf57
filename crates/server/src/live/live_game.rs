//! The mutable state of a room: the game, who controls the seats, pending offers. It changes only
//! under the room's lock.

use std::time::Instant;

use noughts_rules::{AnyGameState, Side};
use noughts_session::{BotPlayer, PlaybackSpeed, Session};
use noughts_store::{GameId, Seat, SeatClaims, SecretHash, Tally};
use tokio::task::AbortHandle;

use super::snapshot::{GameSnapshot, Offer, Rev};

/// The mutable state of a room.
pub(super) struct LiveGame {
    pub(super) id: GameId,
    pub(super) backing: GameBacking,
    pub(super) claims: SeatClaims,
    pub(super) tallies: [Option<Tally>; 2],
    pub(super) offer: Option<Offer>,
    pub(super) paused: bool,
    /// How fast bots play each other.
    pub(super) speed: PlaybackSpeed,
    /// The bots of the seats, once they have been created.
    pub(super) bots: [Option<BotPlayer>; 2],
    /// The task of the bot to move, and the revision it's for.
    pub(super) bot_task: Option<(Rev, AbortHandle)>,
    pub(super) last_move_at: Instant,
}

/// Where the game's data comes from.
#[allow(
    clippy::large_enum_variant,
    reason = "there is one per room, and nearly all are sessions"
)]
pub(super) enum GameBacking {
    /// Played here, possibly to its end.
    Session(Session),
    /// Over before the room was opened.
    Ended(Box<GameSnapshot>),
}

impl LiveGame {
    pub(super) fn new(
        id: GameId,
        backing: GameBacking,
        claims: SeatClaims,
        tallies: [Option<Tally>; 2],
    ) -> LiveGame {
        LiveGame {
            id,
            backing,
            claims,
            tallies,
            offer: None,
            paused: false,
            speed: PlaybackSpeed::default(),
            bots: [None, None],
            bot_task: None,
            last_move_at: Instant::now(),
        }
    }

    pub(super) fn session(&self) -> Option<&Session> {
        match &self.backing {
            GameBacking::Session(session) => Some(session),
            GameBacking::Ended(_) => None,
        }
    }

    pub(super) fn state(&self) -> &AnyGameState {
        match &self.backing {
            GameBacking::Session(session) => session.game_state(),
            GameBacking::Ended(snapshot) => &snapshot.state,
        }
    }

    pub(super) fn rev(&self) -> Rev {
        match &self.backing {
            GameBacking::Session(session) => Rev {
                moves: session.move_times().len(),
                changes: session.changes(),
            },
            GameBacking::Ended(snapshot) => snapshot.rev,
        }
    }

    pub(super) fn seats(&self) -> [Seat; 2] {
        match &self.backing {
            GameBacking::Session(session) => {
                [session.seats()[0].to_seat(), session.seats()[1].to_seat()]
            }
            GameBacking::Ended(snapshot) => snapshot.seats.clone(),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        match &self.backing {
            GameBacking::Session(session) => session.result().is_some(),
            GameBacking::Ended(_) => true,
        }
    }

    /// Is an invited player still missing?
    pub(super) fn is_waiting_for_opponent(&self) -> bool {
        self.claims.invites.iter().any(Option::is_some)
    }

    /// Does this visitor control the side, whether a human or a bot plays it?
    pub(super) fn is_controlled_by(&self, side: Side, visitor: &SecretHash) -> bool {
        self.claims.visitors[side as usize].as_ref() == Some(visitor)
    }

    /// The sides that this visitor plays as a human.
    pub(super) fn human_sides_of(&self, visitor: &SecretHash) -> Vec<Side> {
        let seats = self.seats();
        let mut sides = Side::BOTH.to_vec();
        sides.retain(|&side| {
            self.is_controlled_by(side, visitor) && seats[side as usize].is_human()
        });
        sides
    }

    /// Do two humans play who see each other's moves only through the server?
    pub(super) fn is_online(&self) -> bool {
        let are_human = self.seats().iter().all(Seat::is_human);
        let [x, o] = &self.claims.visitors;
        are_human && (self.is_waiting_for_opponent() || x != o)
    }

    /// Do only bots play?
    pub(super) fn is_bot_match(&self) -> bool {
        !self.seats().iter().any(Seat::is_human)
    }

    /// The current snapshot. The room adds who is connected.
    pub(super) fn snapshot(&self, uid: &str) -> GameSnapshot {
        let with_shared = |snapshot: GameSnapshot| GameSnapshot {
            tallies: self.tallies,
            offer: self.offer,
            is_online: self.is_online(),
            paused: self.paused,
            speed: self.speed,
            next: self.claims.rematch.clone(),
            ..snapshot
        };
        let session = match &self.backing {
            GameBacking::Ended(snapshot) => return with_shared(GameSnapshot::clone(snapshot)),
            GameBacking::Session(session) => session,
        };
        with_shared(GameSnapshot {
            ids: Some((uid.into(), self.id)),
            state: session.game_state().clone(),
            rev: self.rev(),
            seats: self.seats(),
            invited: [
                self.claims.invites[0].is_some(),
                self.claims.invites[1].is_some(),
            ],
            tallies: [None; 2],
            connected: [false; 2],
            is_online: false,
            move_times: session.move_times().to_vec(),
            can_undo: session.can_take_back() && !self.is_waiting_for_opponent(),
            can_redo: session.can_redo() && !self.is_online(),
            handed_over: session.has_changed_hands(),
            assisted: session.assistance(),
            thinking: self.bot_task.is_some(),
            paused: false,
            speed: self.speed,
            offer: None,
            over: session.result(),
            next: None,
        })
    }
}
