//! A live game at one moment, the same for all viewers, with what is serialized once for all of
//! them. What a given visitor may see and do is a [`Viewer`].

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::body::Bytes;
use noughts_rules::{AnyGameState, Assistance, Outcome, Side, Termination, UnratedReason};
use noughts_session::{PlaybackSpeed, seat_label};
use noughts_store::{GameId, Seat, SeatClaims, SecretHash, Tally};
use noughts_text::GameOver;
use noughts_wire::OfferKind;

use super::invite;
use super::viewer::Viewer;
use crate::middleware::Visitor;

/// Estimated bytes of a room, and of each of its moves.
const ROOM_BYTES: usize = 4 << 10;
const MOVE_BYTES: usize = 64;

/// A live game at one moment.
#[derive(Clone, Debug)]
pub(crate) struct GameSnapshot {
    /// Its uid and number in the store; `None` for a board that isn't a stored game (the front
    /// page's first board, the analysis).
    pub(crate) ids: Option<(String, GameId)>,
    /// Counts the snapshots of a room.
    pub(crate) sequence: u64,
    pub(crate) state: Arc<AnyGameState>,
    pub(crate) rev: Revision,
    /// X's seat and O's.
    pub(crate) seats: [Seat; 2],
    /// Who controls the seats, the invitations to them, and the rematch.
    pub(crate) claims: SeatClaims,
    /// Wins, losses and draws of players with a name.
    pub(crate) tallies: [Option<Tally>; 2],
    /// Is a client connected for the seat? Always true for bots.
    pub(crate) connected: [bool; 2],
    /// Are the two seats controlled by two visitors? Then a takeback needs consent.
    pub(crate) is_online: bool,
    /// How long each move took.
    pub(crate) move_times: Arc<[Duration]>,
    pub(crate) can_take_back: bool,
    pub(crate) can_redo: bool,
    /// A side changed hands, so the game isn't rated.
    pub(crate) handed_over: bool,
    /// The first help that a player had. With any, the game isn't rated.
    pub(crate) assisted: Option<Assistance>,
    /// A bot is choosing its move.
    pub(crate) thinking: bool,
    /// A game between bots that is paused.
    pub(crate) paused: bool,
    /// How fast bots play each other.
    pub(crate) speed: PlaybackSpeed,
    pub(crate) offer: Option<Offer>,
    /// The result and how the game ended.
    pub(crate) over: Option<(Option<Outcome>, Termination)>,
    /// The room was closed: subscribers have to open the game again.
    pub(crate) is_closed: bool,
    pub(crate) cache: SnapshotCache,
}

/// What is serialized once for all viewers, on first use.
#[derive(Default, Debug)]
pub(crate) struct SnapshotCache {
    /// The fields of the game as JSON.
    pub(crate) fields: OnceLock<Vec<(String, String)>>,
    /// The parts of the page for spectators.
    pub(crate) parts: OnceLock<Vec<PagePart>>,
    /// The messages to spectators: without the parts of the page, and with them.
    pub(crate) messages: [SpectatorMessages; 2],
}

/// A part of a game's page.
#[derive(Debug)]
pub(crate) struct PagePart {
    /// The id of its element.
    pub(crate) id: &'static str,
    pub(crate) markup: String,
    /// The hashes of the pieces of the markup, to find out what has changed.
    pub(crate) hashes: Box<[u64]>,
}

/// The messages that all spectators share.
#[derive(Default, Debug)]
pub(crate) struct SpectatorMessages {
    /// The complete state.
    pub(crate) state: OnceLock<Bytes>,
    /// The changes since the previous snapshot.
    pub(crate) update: OnceLock<Bytes>,
}

/// A changed copy of a snapshot is serialized again.
impl Clone for SnapshotCache {
    fn clone(&self) -> SnapshotCache {
        SnapshotCache::default()
    }
}

impl SnapshotCache {
    fn bytes(&self) -> usize {
        let fields = self.fields.get().into_iter().flatten();
        let fields: usize = fields.map(|(_, json)| json.len()).sum();
        let parts = self.parts.get().into_iter().flatten();
        let parts: usize = parts
            .map(|part| part.markup.len() + 8 * part.hashes.len())
            .sum();
        let messages = self.messages.iter();
        let messages = messages.flat_map(|kind| [kind.state.get(), kind.update.get()]);
        let messages: usize = messages.flatten().map(Bytes::len).sum();
        fields + parts + messages
    }
}

/// The estimated memory of a room whose game has this many moves.
pub(super) fn estimate_game_bytes(state: &AnyGameState, moves: usize) -> usize {
    let cells = match moves {
        // All games share one large empty board.
        0 if state.has_standard_start() => 0,
        _ => state.view().shape().count_cells() as usize,
    };
    // A cell of a large board takes slightly more than half a byte.
    ROOM_BYTES + moves * MOVE_BYTES + cells * 9 / 16
}

/// A revision of a game: how many moves were made, and how many times anything else has changed.
/// Stored, so it survives restarts. Written `7.0`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Revision {
    pub(crate) moves: usize,
    pub(crate) changes: u64,
}

/// An offer from one side to the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Offer {
    pub(crate) kind: OfferKind,
    pub(crate) by: Side,
}

impl GameSnapshot {
    /// The snapshot of a board that isn't a stored game.
    pub(crate) fn unsaved(state: AnyGameState, seats: [Seat; 2]) -> GameSnapshot {
        let over = state.outcome().zip(state.ending());
        let moves = state.move_count();
        GameSnapshot {
            rev: Revision { moves, changes: 0 },
            can_take_back: moves > 0,
            over: over.map(|(outcome, ending)| (Some(outcome), ending.into())),
            ..GameSnapshot::new(Arc::new(state), seats)
        }
    }

    /// A snapshot with the defaults of all fields that have one.
    pub(super) fn new(state: Arc<AnyGameState>, seats: [Seat; 2]) -> GameSnapshot {
        GameSnapshot {
            ids: None,
            sequence: 0,
            state,
            rev: Revision::default(),
            seats,
            claims: SeatClaims::default(),
            tallies: [None; 2],
            connected: [true; 2],
            is_online: false,
            move_times: Arc::default(),
            can_take_back: false,
            can_redo: false,
            handed_over: false,
            assisted: None,
            thinking: false,
            paused: false,
            speed: PlaybackSpeed::default(),
            offer: None,
            over: None,
            is_closed: false,
            cache: SnapshotCache::default(),
        }
    }

    /// Is this the next snapshot of the same room?
    pub(crate) fn follows(&self, earlier: &GameSnapshot) -> bool {
        self.sequence == earlier.sequence + 1
    }

    /// Is the seat reserved for an invite link that hasn't been used yet?
    pub(crate) fn is_invited(&self, side: Side) -> bool {
        self.claims.invites[side as usize].is_some()
    }

    /// Is an invited player still missing?
    pub(crate) fn is_waiting_for_opponent(&self) -> bool {
        self.claims.invites.iter().any(Option::is_some)
    }

    /// The visitor who controls the side.
    pub(super) fn seat_owner(&self, side: Side) -> Option<&SecretHash> {
        self.claims.visitors[side as usize].as_ref()
    }

    /// The visitor as a viewer of this game.
    pub(crate) fn viewer(&self, visitor: &SecretHash) -> Viewer {
        let is_human = |side: Side| self.seats[side as usize].is_human();
        let owns = |side: Side| self.seat_owner(side) == Some(visitor);
        let plays_as = |side| is_human(side) && owns(side);
        Viewer {
            x: plays_as(Side::X),
            o: plays_as(Side::O),
            host: !Side::BOTH.into_iter().any(is_human) && Side::BOTH.into_iter().any(owns),
            ..Viewer::default()
        }
    }

    /// The path of the invite link, for the visitor who created the game, while the seat is free.
    pub(crate) fn invite_path(&self, visitor: &Visitor) -> Option<String> {
        let (uid, _) = self.ids.as_ref()?;
        let mut invites = self.claims.invites.iter().flatten();
        let code = invites.find_map(|invite| invite::reveal_code(invite, visitor, uid))?;
        Some(format!("/join/{uid}/{code}"))
    }

    /// The seat that this invite code is for.
    pub(crate) fn side_for_invite(&self, code: &str) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|&side| {
            let invite = self.claims.invites[side as usize].as_ref();
            invite.is_some_and(|invite| invite::is_code_of(code, invite))
        })
    }

    /// The estimated memory in bytes.
    pub(super) fn estimated_bytes(&self) -> usize {
        estimate_game_bytes(&self.state, self.rev.moves) + self.cache.bytes()
    }

    /// How the game ended, for sentences about it; `None` while it runs.
    pub(crate) fn game_over(&self) -> Option<GameOver> {
        let (outcome, termination) = self.over?;
        Some(GameOver {
            variant: self.state.variant(),
            outcome,
            termination,
            players: self
                .ids
                .is_some()
                .then(|| [0, 1].map(|seat| seat_label(&self.seats[seat]))),
            moves: self.rev.moves,
        })
    }

    /// Why the game isn't rated, if so.
    pub(crate) fn unrated_reason(&self) -> Option<UnratedReason> {
        UnratedReason::new(self.handed_over, self.assisted)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.moves, self.changes)
    }
}

impl FromStr for Revision {
    type Err = String;

    fn from_str(text: &str) -> Result<Revision, String> {
        let read = text.split_once('.').and_then(|(moves, changes)| {
            Some(Revision {
                moves: moves.parse().ok()?,
                changes: changes.parse().ok()?,
            })
        });
        let read = read.filter(|rev| rev.to_string() == text);
        read.ok_or_else(|| "rev must be two numbers separated by a dot, such as 7.0".into())
    }
}
