//! All rooms: made, opened from the store when somebody comes, and let go when nobody
//! has come for a while.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use noughts_rules::{AnyGameState, GameState, Variant};
use noughts_session::{Participant, Session, SessionError, Speed};
use noughts_store::{
    Assistance, GameId, NewGame, NewOnlineGame, Seat, SeatClaims, SecretHash, Store, StoredGame,
    StoredPosition, Tally, Timestamp,
};

use super::actions::ActionError;
use super::invite;
use super::live_game::{GameBacking, LiveGame};
use super::published::PublishedSnapshot;
use super::room::Room;
use super::snapshot::{GameSnapshot, Rev};
use super::tally_cache::TallyCache;
use crate::app::App;
use crate::error::{Error, Kind};
use crate::meter;
use crate::middleware::{RateLimiters, Visitor};

/// A room that nobody has used for so long is let go.
const IDLE: Duration = Duration::from_secs(5 * 60);

/// A game without a move, which nobody has open, is forgotten when it is so old.
const UNPLAYED: Duration = Duration::from_secs(3600);

/// The same where a friend was invited, who may come later.
const INVITED: Duration = Duration::from_secs(30 * 24 * 3600);

/// The rooms' games take at most about this many bytes. Beyond that, rooms that nobody
/// watches are let go, the least recently used first.
const MEMORY: usize = 64 << 20;

/// After the games have grown by this many bytes, it is time to count them.
const GROWTH: usize = 8 << 20;

/// All rooms.
#[derive(Default)]
pub(crate) struct Rooms {
    rooms: Mutex<HashMap<String, Arc<Room>>>,
    /// Bytes that the games may have grown by since they were last counted.
    growth: AtomicUsize,
    /// Held while a game is taken from the store or given back.
    gate: tokio::sync::Mutex<()>,
    pub(super) tallies: TallyCache,
}

/// A game to be made.
pub(crate) struct NewRoom {
    pub(crate) variant: Variant,
    /// The position to begin with; none for the usual one.
    pub(crate) start: Option<String>,
    pub(crate) seats: [Participant; 2],
    /// Who acts for the seats.
    pub(crate) seat_owners: [Option<SecretHash>; 2],
    /// A seat that is held open for whoever has the link.
    pub(crate) invites: [bool; 2],
    /// The game that it follows.
    pub(crate) previous_game: Option<GameId>,
    /// Who makes it, and whose share it is counted in.
    pub(crate) created_by: Visitor,
}

impl NewRoom {
    /// Counts it: this is the one place where visitors' games come from.
    fn count(&self, rates: &RateLimiters) -> Result<(), Error> {
        rates.check_new_game(&self.created_by)?;
        let Some(start) = &self.start else {
            return Ok(());
        };
        let kept = StoredPosition {
            variant: self.variant,
            position: start.clone(),
            moves: Vec::new(),
        };
        rates.check_stored_bytes(&self.created_by, kept.compress().bytes())
    }
}

/// A game that was asked for.
pub(crate) enum OpenedGame {
    /// It is played or was played by visitors.
    Live(Arc<Room>),
    /// It is somebody else's: played in another program, or imported. It can be looked
    /// at.
    ReadOnly(Arc<PublishedSnapshot>),
}

impl OpenedGame {
    pub(crate) fn snapshot(&self) -> Arc<PublishedSnapshot> {
        match self {
            OpenedGame::Live(room) => room.snapshot(),
            OpenedGame::ReadOnly(state) => state.clone(),
        }
    }

    /// The room, to do something in it.
    pub(crate) fn into_room(self) -> Result<Arc<Room>, Error> {
        match self {
            OpenedGame::Live(room) => Ok(room),
            OpenedGame::ReadOnly(_) => Err(Error::new(
                Kind::NotYours,
                "this game is not played here; it can only be looked at",
            )),
        }
    }
}

impl Rooms {
    /// Makes a game and its room, if the visitor may have one more.
    pub(crate) async fn create(
        &self,
        app: &App,
        making: NewRoom,
    ) -> Result<Arc<Room>, ActionError> {
        making.count(&app.rate_limiters)?;
        let store = &app.config.store;
        let uid = Store::new_uid()?;
        let invite = match making.invites {
            [false, false] => None,
            _ => Some(invite::new(&making.created_by, &uid)?),
        };
        let claims = SeatClaims {
            visitors: making.seat_owners,
            invites: making.invites.map(|invited| invite.filter(|_| invited)),
            ..SeatClaims::default()
        };
        let new = NewOnlineGame {
            uid: uid.clone(),
            game: NewGame {
                variant: making.variant,
                start: making.start,
                seats: [making.seats[0].to_seat(), making.seats[1].to_seat()],
            },
            visitors: claims.visitors,
            invites: claims.invites,
            rematch_of: making.previous_game,
        };
        let session = Session::start_online(store, &new, making.seats).await;
        let session = session.map_err(Error::from)?;
        let tallies = self.tallies_of(store, &new.game.seats).await?;
        let table = LiveGame::new(session.id(), GameBacking::Session(session), claims, tallies);
        let room = Room::new(uid, table);
        room.set_owner(making.created_by.owner());
        self.insert(&room);
        self.record_growth(app, room.snapshot().estimated_bytes());
        room.wake_bot(app).await;
        Ok(room)
    }

    /// The game that is known by this name.
    pub(crate) async fn open(&self, app: &App, uid: &str) -> Result<OpenedGame, Error> {
        let opened = match self.known(uid) {
            Some(room) => OpenedGame::Live(room),
            None => {
                let opened = self.load(&app.config.store, uid).await?;
                self.record_growth(app, opened.snapshot().estimated_bytes());
                opened
            }
        };
        if let OpenedGame::Live(room) = &opened {
            room.touch();
            room.wake_bot(app).await;
        }
        Ok(opened)
    }

    async fn load(&self, store: &Store, uid: &str) -> Result<OpenedGame, Error> {
        let id = store.find_game(uid).await?.ok_or_else(no_such_game)?;
        let claims = store.seat_claims(id).await?.ok_or_else(no_such_game)?;
        // A game without visitors is never played here: nobody waits while it is replayed.
        if claims.visitors.iter().all(Option::is_none) {
            let (still, claims) = self.still(store, id).await?;
            return Ok(OpenedGame::ReadOnly(Arc::new(PublishedSnapshot::new(
                still, &claims,
            ))));
        }
        let _gate = self.gate.lock().await;
        if let Some(room) = self.known(uid) {
            return Ok(OpenedGame::Live(room));
        }
        let table = match Session::resume(store, id).await {
            Ok(session) => {
                let seats = [session.seats()[0].to_seat(), session.seats()[1].to_seat()];
                let tallies = self.tallies_of(store, &seats).await?;
                // Nobody else could change them once the game was held.
                let claims = store.seat_claims(id).await?.ok_or_else(no_such_game)?;
                LiveGame::new(id, GameBacking::Session(session), claims, tallies)
            }
            Err(SessionError::Rejected(_)) => {
                let (still, claims) = self.still(store, id).await?;
                if still.over.is_none() {
                    return Ok(OpenedGame::ReadOnly(Arc::new(PublishedSnapshot::new(
                        still, &claims,
                    ))));
                }
                let tallies = still.tallies;
                LiveGame::new(id, GameBacking::Ended(Box::new(still)), claims, tallies)
            }
            Err(SessionError::Store(error)) => return Err(error.into()),
        };
        let room = Room::new(uid.into(), table);
        self.insert(&room);
        Ok(OpenedGame::Live(room))
    }

    /// A stored game that nobody plays here.
    async fn still(&self, store: &Store, id: GameId) -> Result<(GameSnapshot, SeatClaims), Error> {
        let (stored, play) = store.replay_game(id).await?.ok_or_else(no_such_game)?;
        let tallies = self.tallies_of(store, &stored.seats).await?;
        let claims = store.seat_claims(id).await?.ok_or_else(no_such_game)?;
        Ok((still(&stored, play, &claims, tallies), claims))
    }

    async fn tallies_of(
        &self,
        store: &Store,
        seats: &[Seat; 2],
    ) -> Result<[Option<Tally>; 2], Error> {
        Ok([
            self.tallies.get(store, &seats[0]).await?,
            self.tallies.get(store, &seats[1]).await?,
        ])
    }

    /// Lets go of the rooms that nobody uses.
    pub(crate) async fn close_idle(&self, store: &Store) {
        self.let_go(store, IDLE).await;
    }

    /// Forgets games that were made a while ago and in which nothing ever happened.
    pub(crate) async fn delete_unplayed(&self, store: &Store) {
        let before = |age: Duration| {
            let now = Timestamp::now().as_millis();
            Timestamp::from_millis(now - age.as_millis() as i64)
        };
        let forgotten = store.delete_unplayed_games(before(UNPLAYED), before(INVITED));
        if let Err(error) = forgotten.await {
            tracing::warn!(%error, "games without a move were not forgotten");
        }
    }

    /// Lets go of all rooms. What is being written is written first.
    pub(crate) async fn close_all(&self, store: &Store) {
        let rooms: Vec<Arc<Room>> = self.lock().values().cloned().collect();
        for room in rooms {
            let mut table = room.game.lock().await;
            if let Some((_, task)) = table.bot_task.take() {
                task.abort();
            }
        }
        self.let_go(store, Duration::ZERO).await;
    }

    async fn let_go(&self, store: &Store, idle: Duration) {
        let _gate = self.gate.lock().await;
        let idle = idle.as_secs();
        let mut gone = Vec::new();
        self.lock().retain(|_, room| {
            // Whoever has it in hand is about to do something with it.
            let used = Arc::strong_count(room) > 1 || room.is_watched();
            let stays = idle > 0 && (used || room.idle_seconds() < idle);
            if !stays {
                gone.push(room.clone());
            }
            stays
        });
        self.release(store, gone).await;
    }

    /// A game takes up to this many bytes more than before. Now and then all of them are
    /// counted.
    pub(super) fn record_growth(&self, app: &App, bytes: usize) {
        if self.growth.fetch_add(bytes, Ordering::Relaxed) + bytes >= GROWTH {
            self.growth.store(0, Ordering::Relaxed);
            let app = app.clone();
            tokio::spawn(async move { app.rooms.evict_to_limit(&app.config.store, MEMORY).await });
        }
    }

    /// Lets go of rooms that nobody watches, the least recently used first, until the
    /// others' games take no more than this many bytes.
    pub(super) async fn evict_to_limit(&self, store: &Store, most: usize) {
        let _gate = self.gate.lock().await;
        let mut gone = Vec::new();
        {
            let mut all = self.lock();
            let mut total: usize = all
                .values()
                .map(|room| room.snapshot().estimated_bytes())
                .sum();
            let mut unused: Vec<(u64, String)> = all
                .iter()
                .filter(|(_, room)| Arc::strong_count(room) == 1 && !room.is_watched())
                .map(|(uid, room)| (room.idle_seconds(), uid.clone()))
                .collect();
            unused.sort_unstable_by(|a, b| b.cmp(a));
            for (_, uid) in unused {
                if total <= most {
                    break;
                }
                if let Some(room) = all.remove(&uid) {
                    total -= room.snapshot().estimated_bytes();
                    gone.push(room);
                }
            }
        }
        self.release(store, gone).await;
    }

    /// Leaves games to any program.
    async fn release(&self, store: &Store, gone: Vec<Arc<Room>>) {
        meter::set_rooms(self.lock().len());
        // All at once, so that they are written together.
        let releases = gone.iter().map(|room| async move {
            let table = room.game.lock().await;
            if table.is_over() {
                return;
            }
            if let Err(error) = store.release_game(table.id).await {
                tracing::warn!(game = room.uid(), %error, "a game was not let go");
            }
        });
        join_all(releases).await;
    }

    /// Drops games that were deleted or changed in the store: who watches one looks again.
    pub(crate) async fn drop_stale(&self, uids: &[String]) {
        for room in uids.iter().filter_map(|uid| self.known(uid)) {
            self.remove(&room);
            let thinking = room.game.lock().await.bot_task.take();
            if let Some((_, task)) = thinking {
                task.abort();
            }
            room.publish_closed();
        }
    }

    /// The room is of no use any more.
    pub(super) fn remove(&self, room: &Room) {
        self.lock().remove(room.uid());
    }

    fn known(&self, uid: &str) -> Option<Arc<Room>> {
        self.lock().get(uid).cloned()
    }

    fn insert(&self, room: &Arc<Room>) {
        let mut all = self.lock();
        all.insert(room.uid().into(), room.clone());
        meter::set_rooms(all.len());
    }

    /// This visitor wants the engine's help with a position: returns those of their open games
    /// that it is about. They aren't rated once the help is delivered.
    ///
    /// Positions are compared with the games that this server has in memory. It can't know
    /// of help from another browser or program, or with a mirrored position.
    ///
    /// # Errors
    /// One of the games is against another visitor, who must not lose a rated game to it.
    pub(crate) fn assisted_games(
        &self,
        visitor: &Visitor,
        play: &AnyGameState,
    ) -> Result<AssistedGames, Error> {
        let rooms: Vec<Arc<Room>> = {
            let all = self.lock();
            let theirs = all.values().filter(|room| plays(&room.snapshot(), visitor));
            theirs.cloned().collect()
        };
        let mut helped = Vec::new();
        for room in rooms {
            let state = room.snapshot();
            if is_about(play, &state.state) && is_helped(&state)? {
                helped.push(room);
            }
        }
        Ok(AssistedGames(helped))
    }

    /// The same for help with one game, as a review of it is.
    pub(crate) async fn assisted_game(
        &self,
        app: &App,
        visitor: &Visitor,
        uid: &str,
    ) -> Result<AssistedGames, Error> {
        let OpenedGame::Live(room) = self.open(app, uid).await? else {
            return Ok(AssistedGames::default());
        };
        let state = room.snapshot();
        let is_helped = plays(&state, visitor) && is_helped(&state)?;
        Ok(AssistedGames(
            is_helped.then_some(room).into_iter().collect(),
        ))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Open games that the engine's help is about.
#[derive(Default)]
pub(crate) struct AssistedGames(Vec<Arc<Room>>);

impl AssistedGames {
    /// Notes that the help is delivered: the games aren't rated. Returns whether one of them was
    /// until now.
    pub(crate) async fn mark_assisted(self, app: &App, how: Assistance) -> Result<bool, Error> {
        let mut first = false;
        for room in self.0 {
            let marked = room.mark_assisted(app, how).await;
            first |= marked.map_err(|refused| refused.error)?;
        }
        Ok(first)
    }
}

/// Does this visitor play in the game, which goes on?
fn plays(state: &PublishedSnapshot, visitor: &Visitor) -> bool {
    let you = state.role_of(&visitor.hash);
    (you.x || you.o) && state.over.is_none()
}

/// Does help with this game change anything? Where a friend is still awaited, nobody plays yet.
fn is_helped(state: &PublishedSnapshot) -> Result<bool, Error> {
    match state.is_online {
        true if state.invited == [false; 2] => Err(Error::new(
            Kind::Refused,
            "you're playing this position against another player, so there are no hints and no \
             analysis until the game is over",
        )),
        apart => Ok(!apart),
    }
}

/// Does an analysis of the first tell something about the game that is at the second: the
/// same position, or one that its moves led to?
fn is_about(asked: &AnyGameState, game: &AnyGameState) -> bool {
    fn follows<G: noughts_rules::Game>(asked: &GameState<G>, game: &GameState<G>) -> bool {
        let moves = game.moves();
        let goes_on =
            !moves.is_empty() && asked.moves().starts_with(moves) && asked.start() == game.start();
        goes_on || asked.position() == game.position()
    }
    // Values, not texts: a deep board has half a million cells to write.
    macro_rules! follows_as {
        ($($kind:ident)*) => {
            match (asked, game) {
                $((AnyGameState::$kind(asked), AnyGameState::$kind(game)) => follows(asked, game),)*
                _ => false,
            }
        };
    }
    asked.variant() == game.variant()
        && follows_as!(
            Mnk LargeMnk TicTacTwo Ultimate Rule5a Nested1 Nested2 Nested3 NestedDeep
        )
}

fn no_such_game() -> Error {
    Error::new(Kind::NotFound, "there is no such game")
}

/// A stored game that nobody plays here.
fn still(
    game: &StoredGame,
    play: AnyGameState,
    claims: &SeatClaims,
    tallies: [Option<Tally>; 2],
) -> GameSnapshot {
    GameSnapshot {
        ids: Some((game.uid.clone(), game.id)),
        state: play,
        rev: Rev {
            moves: game.moves.len(),
            changes: claims.changes,
        },
        seats: game.seats.clone(),
        invited: [claims.invites[0].is_some(), claims.invites[1].is_some()],
        tallies,
        connected: [true; 2],
        is_online: false,
        move_times: game.moves.iter().map(|mv| mv.took).collect(),
        can_undo: false,
        can_redo: false,
        handed_over: game.changed_hands,
        assisted: game.assistance,
        thinking: false,
        paused: false,
        speed: Speed::default(),
        offer: None,
        over: game.end.map(|end| (game.result, end)),
        next: claims.rematch.clone(),
    }
}

#[cfg(test)]
mod tests {
    use noughts_rules::Record;

    use super::*;
    use crate::tests::test_server::TestServer;

    /// A game with this many moves, each the first that is legal.
    fn played(variant: &str, position: Option<&str>, moves: usize) -> AnyGameState {
        let variant = variant.parse().expect("a variant");
        let mut play = match position {
            None => AnyGameState::new(variant),
            Some(text) => AnyGameState::from_text(variant, text).expect("a position"),
        };
        for _ in 0..moves {
            let mv = play.legal_moves().swap_remove(0);
            play.play(&mv).expect("a legal move");
        }
        play
    }

    /// Positions are compared by value, however they came about.
    #[test]
    fn what_is_asked_is_compared_with_the_game() {
        for variant in [
            "classic",
            "mnk:9,9,5",
            "tic-tac-two",
            "ultimate",
            "ception:5a",
            "ception:5c",
            "ception:depth=1",
            "ception:depth=3",
            "ception:depth=4",
        ] {
            let game = played(variant, None, 2);
            let text = game.position_text();
            assert!(is_about(&game, &game), "{variant}");
            let placed = played(variant, Some(&text), 0);
            assert!(is_about(&placed, &game), "{variant}");
            let later = played(variant, None, 3);
            assert!(is_about(&later, &game), "{variant}");
            assert!(!is_about(&game, &later), "{variant}");
            assert!(!is_about(&played(variant, None, 0), &game), "{variant}");
            assert!(!is_about(&played("mnk:3,3,2", None, 0), &game));
        }
    }

    /// Guards a gate that every player waited at while an imported game was replayed.
    #[tokio::test]
    async fn a_game_without_visitors_is_opened_past_the_gate() {
        let uid = "00000000000000000000000000000001";
        let text = format!("[Variant \"classic\"]\n[X \"Ada\"]\n[Id \"{uid}\"]\n\n1. b2 *\n");
        let house = TestServer::new().await;
        let records = Record::parse_all(&text).expect("a record");
        house.store().import(&records).await.expect("imported");
        let _gate = house.app.rooms.gate.lock().await;
        let opened = house.app.rooms.open(&house.app, uid);
        let opened = tokio::time::timeout(Duration::from_secs(60), opened).await;
        let opened = opened.expect("it doesn't wait").expect("opened");
        assert!(matches!(opened, OpenedGame::ReadOnly(_)));
    }
}
