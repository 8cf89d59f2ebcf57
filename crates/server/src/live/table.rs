//! What is on the table of a room: the game, who sits there, what is proposed. All
//! of it changes under the room's lock.

use std::time::Instant;

use noughts_rules::{AnyPlay, Player};
use noughts_session::{Computer, Session, Speed};
use noughts_store::{Claims, GameId, Seat, SecretHash, Tally};
use tokio::task::AbortHandle;

use super::snapshot::{Offer, Rev, Snapshot};

/// What is on the table.
pub(super) struct Table {
    pub(super) id: GameId,
    pub(super) game: Game,
    pub(super) claims: Claims,
    pub(super) tallies: [Option<Tally>; 2],
    pub(super) offer: Option<Offer>,
    pub(super) paused: bool,
    /// How fast bots play each other.
    pub(super) speed: Speed,
    /// The bots of the seats, once they have thought.
    pub(super) computers: [Option<Computer>; 2],
    /// A bot at work on the move of this state.
    pub(super) thinking: Option<(Rev, AbortHandle)>,
    /// When the last move was made.
    pub(super) moved: Instant,
}

/// The game itself.
#[allow(
    clippy::large_enum_variant,
    reason = "one for each room, and nearly all are sessions"
)]
pub(super) enum Game {
    /// It is played here, or was until it ended.
    Session(Session),
    /// It had ended before.
    Ended(Box<Snapshot>),
}

impl Table {
    pub(super) fn new(
        id: GameId,
        game: Game,
        claims: Claims,
        tallies: [Option<Tally>; 2],
    ) -> Table {
        Table {
            id,
            game,
            claims,
            tallies,
            offer: None,
            paused: false,
            speed: Speed::default(),
            computers: [None, None],
            thinking: None,
            moved: Instant::now(),
        }
    }

    pub(super) fn session(&self) -> Option<&Session> {
        match &self.game {
            Game::Session(session) => Some(session),
            Game::Ended(_) => None,
        }
    }

    pub(super) fn play(&self) -> &AnyPlay {
        match &self.game {
            Game::Session(session) => session.play(),
            Game::Ended(snapshot) => &snapshot.play,
        }
    }

    pub(super) fn rev(&self) -> Rev {
        match &self.game {
            Game::Session(session) => Rev {
                moves: session.times().len(),
                changes: session.changes(),
            },
            Game::Ended(snapshot) => snapshot.rev,
        }
    }

    pub(super) fn seats(&self) -> [Seat; 2] {
        match &self.game {
            Game::Session(session) => [session.seats()[0].seat(), session.seats()[1].seat()],
            Game::Ended(snapshot) => snapshot.seats.clone(),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        match &self.game {
            Game::Session(session) => session.over().is_some(),
            Game::Ended(_) => true,
        }
    }

    /// Is a person awaited?
    pub(super) fn awaits(&self) -> bool {
        self.claims.invites.iter().any(Option::is_some)
    }

    /// Does this visitor act for the side, be it a person's or a bot's?
    pub(super) fn minds(&self, side: Player, visitor: &SecretHash) -> bool {
        self.claims.sitters[side as usize].as_ref() == Some(visitor)
    }

    /// Which sides this visitor plays as a person.
    pub(super) fn plays(&self, visitor: &SecretHash) -> Vec<Player> {
        let seats = self.seats();
        let mut sides = Player::BOTH.to_vec();
        sides.retain(|&side| self.minds(side, visitor) && seats[side as usize].is_human());
        sides
    }

    /// Do two people sit here who see each other's moves only through the server?
    pub(super) fn is_apart(&self) -> bool {
        let people = self.seats().iter().all(Seat::is_human);
        let [x, o] = &self.claims.sitters;
        people && (self.awaits() || x != o)
    }

    /// Do only bots play?
    pub(super) fn is_show(&self) -> bool {
        !self.seats().iter().any(Seat::is_human)
    }

    /// The game as it stands. Who is there is known to the room.
    pub(super) fn snapshot(&self, uid: &str) -> Snapshot {
        let shared = |snapshot: Snapshot| Snapshot {
            tallies: self.tallies,
            offer: self.offer,
            apart: self.is_apart(),
            paused: self.paused,
            speed: self.speed,
            next: self.claims.next.clone(),
            ..snapshot
        };
        let session = match &self.game {
            Game::Ended(snapshot) => return shared(Snapshot::clone(snapshot)),
            Game::Session(session) => session,
        };
        shared(Snapshot {
            game: Some((uid.into(), self.id)),
            play: session.play().clone(),
            rev: self.rev(),
            seats: self.seats(),
            invited: [
                self.claims.invites[0].is_some(),
                self.claims.invites[1].is_some(),
            ],
            tallies: [None; 2],
            connected: [false; 2],
            apart: false,
            times: session.times().to_vec(),
            can_undo: session.can_undo() && !self.awaits(),
            can_redo: session.can_redo() && !self.is_apart(),
            handed: session.is_handed(),
            assisted: session.assisted(),
            thinking: self.thinking.is_some(),
            paused: false,
            speed: self.speed,
            offer: None,
            over: session.over(),
            next: None,
        })
    }
}
