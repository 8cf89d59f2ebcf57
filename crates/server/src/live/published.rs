//! A snapshot as it's broadcast: with who controls the seats, and with cached serializations that
//! all viewers share.

use std::ops::Deref;
use std::sync::OnceLock;

use axum::body::Bytes;
use noughts_rules::{AnyGameState, Side, Variant};
use noughts_store::{Invite, SeatClaims, SecretHash};

use super::invite;
use super::snapshot::{GameSnapshot, ViewerRole};
use crate::middleware::Visitor;

/// Estimated bytes of a room, and of each of its moves.
const ROOM_BYTES: usize = 4 << 10;
const MOVE_BYTES: usize = 64;

/// A broadcast snapshot.
#[derive(Clone, Debug)]
pub(crate) struct PublishedSnapshot {
    snapshot: GameSnapshot,
    seat_owners: [Option<SecretHash>; 2],
    invites: [Option<Invite>; 2],
    /// The room was closed: subscribers have to open the game again.
    pub(super) is_closed: bool,
    json: OnceLock<String>,
    frame: OnceLock<Bytes>,
    parts: OnceLock<Vec<PagePart>>,
}

/// The estimated memory of a room whose game has this many moves.
pub(super) fn estimate_game_bytes(state: &AnyGameState, moves: usize) -> usize {
    let cells = match state.variant() {
        // All games share one empty board.
        Variant::Nested(_) if moves == 0 && state.has_standard_start() => 0,
        Variant::Nested(options) => 9usize.saturating_pow(u32::from(options.depth())),
        Variant::Mnk(_) | Variant::TicTacTwo(_) => 0,
    };
    // A cell of a nested board takes slightly more than half a byte.
    ROOM_BYTES + moves * MOVE_BYTES + cells * 9 / 16
}

/// A part of a game's page, serialized.
#[derive(Clone, Debug)]
pub(crate) struct PagePart {
    pub(crate) id: &'static str,
    /// Its HTML as a JSON string.
    pub(crate) json: String,
    /// Identifies the content, to skip parts that haven't changed.
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
            seat_owners: claims.visitors,
            invites: claims.invites,
            is_closed: false,
            json: OnceLock::new(),
            frame: OnceLock::new(),
            parts: OnceLock::new(),
        }
    }

    /// Sets who is connected, and drops the cached serializations.
    pub(super) fn set_connected(&mut self, connected: [bool; 2]) {
        self.snapshot.connected = connected;
        self.json = OnceLock::new();
        self.frame = OnceLock::new();
        self.parts = OnceLock::new();
    }

    /// The visitor who controls the side.
    pub(super) fn seat_owner(&self, side: Side) -> Option<&SecretHash> {
        self.seat_owners[side as usize].as_ref()
    }

    pub(crate) fn snapshot(&self) -> &GameSnapshot {
        &self.snapshot
    }

    /// The visitor's role in this game.
    pub(crate) fn role_of(&self, visitor: &SecretHash) -> ViewerRole {
        let is_human = |side: Side| self.seats[side as usize].is_human();
        let owns = |side: Side| self.seat_owners[side as usize].as_ref() == Some(visitor);
        let plays_as = |side| is_human(side) && owns(side);
        let mut sides = Side::BOTH.into_iter();
        ViewerRole {
            x: plays_as(Side::X),
            o: plays_as(Side::O),
            host: !Side::BOTH.into_iter().any(is_human) && sides.any(owns),
        }
    }

    /// The path of the invite link, for the visitor who created the game, while the seat is free.
    pub(crate) fn invite_path(&self, visitor: &Visitor) -> Option<String> {
        let (uid, _) = self.ids.as_ref()?;
        let mut invites = self.invites.iter().flatten();
        let code = invites.find_map(|invite| invite::reveal_code(invite, visitor, uid))?;
        Some(format!("/join/{uid}/{code}"))
    }

    /// The seat that this invite code is for.
    pub(crate) fn side_for_invite(&self, code: &str) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|&side| {
            self.invites[side as usize]
                .as_ref()
                .is_some_and(|invite| invite::is_code_of(code, invite))
        })
    }

    /// The estimated memory in bytes.
    pub(super) fn estimated_bytes(&self) -> usize {
        let json = self.json.get().map_or(0, String::len);
        let parts = self.parts.get().into_iter().flatten();
        let parts: usize = parts.map(|part| part.json.len()).sum();
        let frame = self.frame.get().map_or(0, Bytes::len);
        estimate_game_bytes(&self.state, self.rev.moves) + json + frame + parts
    }

    /// The snapshot as JSON, serialized on first use.
    pub(crate) fn cached_json(&self, serialize: impl FnOnce(&GameSnapshot) -> String) -> &str {
        self.json.get_or_init(|| serialize(&self.snapshot))
    }

    /// The frame for all spectators, serialized on first use.
    pub(crate) fn spectator_frame(&self, serialize: impl FnOnce() -> String) -> Bytes {
        self.frame.get_or_init(|| serialize().into()).clone()
    }

    /// The parts of the page for all spectators, rendered on first use.
    pub(crate) fn spectator_parts(
        &self,
        render: impl FnOnce(&GameSnapshot) -> Vec<PagePart>,
    ) -> &[PagePart] {
        self.parts.get_or_init(|| render(&self.snapshot))
    }
}
