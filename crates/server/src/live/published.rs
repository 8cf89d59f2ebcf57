//! A state of a game as it is broadcast: the snapshot, who acts for its seats, and
//! what is made of it once for all who see it.

use std::ops::Deref;
use std::sync::OnceLock;

use axum::body::Bytes;
use noughts_rules::{AnyGameState, Side, Variant};
use noughts_store::{Invite, SeatClaims, SecretHash};

use super::invite;
use super::snapshot::{GameSnapshot, ViewerRole};
use crate::middleware::Visitor;

/// About how many bytes a room takes, and each of its moves.
const ROOM: usize = 4 << 10;
const MOVE: usize = 64;

/// A state of a game.
#[derive(Clone, Debug)]
pub(crate) struct PublishedSnapshot {
    snapshot: GameSnapshot,
    sitters: [Option<SecretHash>; 2],
    invites: [Option<Invite>; 2],
    /// The room has lost touch with the store: whoever watches comes in anew.
    pub(super) is_closed: bool,
    text: OnceLock<String>,
    frame: OnceLock<Bytes>,
    parts: OnceLock<Vec<PagePart>>,
}

/// About how many bytes a room takes for a game with this many moves.
pub(super) fn estimate_game_bytes(play: &AnyGameState, moves: usize) -> usize {
    let cells = match play.variant() {
        // All games share one empty board.
        Variant::Nested(_) if moves == 0 && play.has_standard_start() => 0,
        Variant::Nested(options) => 9usize.saturating_pow(u32::from(options.depth())),
        Variant::Mnk(_) | Variant::TicTacTwo(_) => 0,
    };
    // A cell of a nested board takes a little more than half a byte.
    ROOM + moves * MOVE + cells * 9 / 16
}

/// A part of a game's page, ready to be sent.
#[derive(Clone, Debug)]
pub(crate) struct PagePart {
    pub(crate) id: &'static str,
    /// Its markup, as JSON.
    pub(crate) json: String,
    /// To know it again.
    pub(crate) hash: u64,
}

impl Deref for PublishedSnapshot {
    type Target = GameSnapshot;

    fn deref(&self) -> &GameSnapshot {
        &self.snapshot
    }
}

impl PublishedSnapshot {
    pub(super) fn new(snapshot: GameSnapshot, claims: &SeatClaims) -> PublishedSnapshot {
        PublishedSnapshot {
            snapshot,
            sitters: claims.visitors,
            invites: claims.invites,
            is_closed: false,
            text: OnceLock::new(),
            frame: OnceLock::new(),
            parts: OnceLock::new(),
        }
    }

    /// Says who is there.
    pub(super) fn set_connected(&mut self, connected: [bool; 2]) {
        self.snapshot.connected = connected;
        self.text = OnceLock::new();
        self.frame = OnceLock::new();
        self.parts = OnceLock::new();
    }

    /// Who acts for the side.
    pub(super) fn seat_owner(&self, side: Side) -> Option<&SecretHash> {
        self.sitters[side as usize].as_ref()
    }

    pub(crate) fn snapshot(&self) -> &GameSnapshot {
        &self.snapshot
    }

    /// Which sides this visitor plays.
    pub(crate) fn role_of(&self, visitor: &SecretHash) -> ViewerRole {
        let person = |side: Side| self.seats[side as usize].is_human();
        let sits = |side: Side| self.sitters[side as usize].as_ref() == Some(visitor);
        let plays = |side| person(side) && sits(side);
        let mut sides = Side::BOTH.into_iter();
        ViewerRole {
            x: plays(Side::X),
            o: plays(Side::O),
            host: !Side::BOTH.into_iter().any(person) && sides.any(sits),
        }
    }

    /// The address of the invitation, for the visitor who made the game and while a seat
    /// is held open.
    pub(crate) fn invite_path(&self, visitor: &Visitor) -> Option<String> {
        let (uid, _) = self.ids.as_ref()?;
        let mut invites = self.invites.iter().flatten();
        let code = invites.find_map(|invite| invite::reveal_code(invite, visitor, uid))?;
        Some(format!("/join/{uid}/{code}"))
    }

    /// The seat that this code opens.
    pub(crate) fn side_for_invite(&self, code: &str) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|&side| {
            self.invites[side as usize]
                .as_ref()
                .is_some_and(|invite| invite::is_code_of(code, invite))
        })
    }

    /// About how many bytes it takes.
    pub(super) fn estimated_bytes(&self) -> usize {
        let text = self.text.get().map_or(0, String::len);
        let parts = self.parts.get().into_iter().flatten();
        let parts: usize = parts.map(|part| part.json.len()).sum();
        let frame = self.frame.get().map_or(0, Bytes::len);
        estimate_game_bytes(&self.state, self.rev.moves) + text + frame + parts
    }

    /// The state as text, made by the first who asks.
    pub(crate) fn cached_json(&self, make: impl FnOnce(&GameSnapshot) -> String) -> &str {
        self.text.get_or_init(|| make(&self.snapshot))
    }

    /// What is sent to those who only watch, made for the first of them.
    pub(crate) fn spectator_frame(&self, make: impl FnOnce() -> String) -> Bytes {
        self.frame.get_or_init(|| make().into()).clone()
    }

    /// The page as those see it who only watch, made by the first of them.
    pub(crate) fn spectator_parts(
        &self,
        make: impl FnOnce(&GameSnapshot) -> Vec<PagePart>,
    ) -> &[PagePart] {
        self.parts.get_or_init(|| make(&self.snapshot))
    }
}
