//! All rooms: created, loaded from the store on demand, and closed when they are idle.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use metrics::gauge;
use noughts_rules::{AnyGameState, Assistance, GameState, Variant, for_each_game_type};
use noughts_session::{Participant, Session, SessionError};
use noughts_store::{
    GameId, NewGame, NewOnlineGame, Seat, SeatClaims, SecretHash, Store, StoredPosition, Tally,
    Timestamp,
};
use parking_lot::Mutex;

use super::actions::ActionError;
use super::game_locks::GameLocks;
use super::invite;
use super::live_game::LiveGame;
use super::room::Room;
use super::snapshot::{GameSnapshot, Revision};
use super::tally_cache::TallyCache;
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind, no_such_game, not_played_here};
use crate::meter;
use crate::middleware::Visitor;

/// A room that is idle for this long is closed.
pub(crate) const IDLE_TIMEOUT: Duration = Duration::from_secs(5 * 60);

/// An unplayed game that isn't open is deleted at this age.
const UNPLAYED_LIFETIME: Duration = Duration::from_secs(3600);

/// The same if a friend was invited, who may come later.
const INVITED_LIFETIME: Duration = Duration::from_secs(30 * 24 * 3600);

/// The approximate memory limit for all games. Beyond it, rooms without viewers are closed, the
/// least recently used first.
const MEMORY_LIMIT: usize = 64 << 20;

/// After the games have grown by this many bytes, their memory is counted again.
const GROWTH_BEFORE_COUNT: usize = 8 << 20;

/// All rooms, by the uid of their game.
#[derive(Default)]
pub(crate) struct Rooms {
    pub(super) rooms: Mutex<HashMap<String, Arc<Room>>>,
    /// An upper bound on the bytes added since the games were last counted.
    growth: AtomicUsize,
    /// Held while a game is loaded from the store or released.
    locks: GameLocks,
    pub(super) tallies: TallyCache,
}

/// A game to be created.
pub(crate) struct NewRoom {
    pub(crate) variant: Variant,
    /// The position to start from; `None` for the default.
    pub(crate) start: Option<String>,
    pub(crate) seats: [Participant; 2],
    /// The visitors who control the seats.
    pub(crate) seat_owners: [Option<SecretHash>; 2],
    /// Which seat is reserved for the invite link.
    pub(crate) invites: [bool; 2],
    /// The game that this is a rematch of.
    pub(crate) previous_game: Option<GameId>,
    /// The visitor who creates it, and whose limits it counts against.
    pub(crate) created_by: Visitor,
}

/// A game that was opened by its uid.
pub(crate) enum OpenedGame {
    /// Played by visitors of this server, now or earlier.
    Live(Arc<Room>),
    /// Played in another program, or imported. It can only be watched.
    ReadOnly(Arc<GameSnapshot>),
}

impl OpenedGame {
    pub(crate) fn snapshot(&self) -> Arc<GameSnapshot> {
        match self {
            OpenedGame::Live(room) => room.snapshot(),
            OpenedGame::ReadOnly(snapshot) => snapshot.clone(),
        }
    }

    /// The room, to act in it.
    pub(crate) fn into_room(self) -> Result<Arc<Room>, ApiError> {
        match self {
            OpenedGame::Live(room) => Ok(room),
            OpenedGame::ReadOnly(_) => Err(not_played_here()),
        }
    }
}

impl Rooms {
    /// Creates a game and its room, within the visitor's limits. All games of visitors are created
    /// through here.
    pub(crate) async fn create(
        &self,
        app: &App,
        new_room: NewRoom,
    ) -> Result<Arc<Room>, ActionError> {
        let (limiters, visitor) = (&app.rate_limiters, &new_room.created_by);
        limiters.check_new_game(visitor)?;
        if let Some(start) = &new_room.start {
            let stored = StoredPosition {
                variant: new_room.variant,
                position: start.clone(),
                moves: Vec::new(),
            };
            limiters.check_stored_bytes(visitor, stored.compress().bytes())?;
        }
        let store = &app.config.store;
        let uid = Store::new_uid()?;
        let invite = match new_room.invites {
            [false, false] => None,
            _ => Some(invite::new(&new_room.created_by, &uid)?),
        };
        let claims = SeatClaims {
            visitors: new_room.seat_owners,
            invites: new_room.invites.map(|invited| invite.filter(|_| invited)),
            ..SeatClaims::default()
        };
        let new_game = NewOnlineGame {
            uid: uid.clone(),
            game: NewGame {
                variant: new_room.variant,
                start: new_room.start,
                seats: new_room.seats.each_ref().map(Participant::to_seat),
            },
            visitors: claims.visitors,
            invites: claims.invites,
            rematch_of: new_room.previous_game,
        };
        let session = Session::start_online(store, &new_game, new_room.seats).await;
        let session = session.map_err(ApiError::from)?;
        let tallies = self.load_tallies(store, &new_game.game.seats).await?;
        let game = LiveGame::from_session(&uid, session, claims, tallies);
        let room = Room::new(uid, game);
        room.set_owner(new_room.created_by.owner);
        self.insert(&room);
        self.record_growth(app, room.snapshot().estimated_bytes());
        room.wake_bot(app).await;
        Ok(room)
    }

    /// Opens the game with this uid.
    pub(crate) async fn open(&self, app: &App, uid: &str) -> Result<OpenedGame, ApiError> {
        let opened = match self.get(uid) {
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

    async fn load(&self, store: &Store, uid: &str) -> Result<OpenedGame, ApiError> {
        let id = store.find_game(uid).await?.ok_or_else(no_such_game)?;
        let claims = store.seat_claims(id).await?.ok_or_else(no_such_game)?;
        // A game without visitors is never played here.
        if claims.visitors.iter().all(Option::is_none) {
            let snapshot = self.load_snapshot(store, id).await?;
            return Ok(OpenedGame::ReadOnly(Arc::new(snapshot)));
        }
        let _guard = self.locks.lock(uid).await;
        if let Some(room) = self.get(uid) {
            return Ok(OpenedGame::Live(room));
        }
        let game = match Session::resume(store, id).await {
            Ok(session) => {
                let seats = session.seats().each_ref().map(Participant::to_seat);
                let tallies = self.load_tallies(store, &seats).await?;
                // Read again: nobody else can change them now that the game is held.
                let claims = store.seat_claims(id).await?.ok_or_else(no_such_game)?;
                LiveGame::from_session(uid, session, claims, tallies)
            }
            Err(SessionError::Rejected(_)) => {
                let snapshot = self.load_snapshot(store, id).await?;
                if snapshot.over.is_none() {
                    return Ok(OpenedGame::ReadOnly(Arc::new(snapshot)));
                }
                LiveGame::new(id, snapshot)
            }
            Err(SessionError::Store(error)) => return Err(error.into()),
        };
        let room = Room::new(uid.into(), game);
        self.insert(&room);
        Ok(OpenedGame::Live(room))
    }

    /// A stored game that isn't played here.
    async fn load_snapshot(&self, store: &Store, id: GameId) -> Result<GameSnapshot, ApiError> {
        let (game, state) = store.replay_game(id).await?.ok_or_else(no_such_game)?;
        let claims = store.seat_claims(id).await?.ok_or_else(no_such_game)?;
        Ok(GameSnapshot {
            ids: Some((game.uid.clone(), game.id)),
            rev: Revision {
                moves: game.moves.len(),
                changes: claims.changes,
            },
            tallies: self.load_tallies(store, &game.seats).await?,
            claims,
            move_times: game.moves.iter().map(|mv| mv.took).collect(),
            handed_over: game.changed_hands,
            assisted: game.assistance,
            over: game.end.map(|end| (game.result, end)),
            ..GameSnapshot::new(Arc::new(state), game.seats.clone())
        })
    }

    async fn load_tallies(
        &self,
        store: &Store,
        seats: &[Seat; 2],
    ) -> Result<[Option<Tally>; 2], ApiError> {
        Ok([
            self.tallies.get(store, &seats[0]).await?,
            self.tallies.get(store, &seats[1]).await?,
        ])
    }

    /// Deletes old games in which no move was made.
    pub(crate) async fn delete_unplayed(&self, store: &Store) {
        let before = |age: Duration| {
            let now = Timestamp::now().as_millis();
            Timestamp::from_millis(now - age.as_millis() as i64)
        };
        let deleted =
            store.delete_unplayed_games(before(UNPLAYED_LIFETIME), before(INVITED_LIFETIME));
        if let Err(error) = deleted.await {
            tracing::warn!(%error, "games without moves couldn't be deleted");
        }
    }

    /// Closes all rooms, after pending writes.
    pub(crate) async fn close_all(&self, store: &Store) {
        let rooms: Vec<Arc<Room>> = self.rooms.lock().values().cloned().collect();
        for room in rooms {
            room.game.lock().await.stop_bot();
        }
        self.close_idle(store, Duration::ZERO).await;
    }

    /// Closes the rooms that have been idle for this long.
    pub(crate) async fn close_idle(&self, store: &Store, idle: Duration) {
        let idle = idle.as_secs();
        let may_close = |room: &Room, references: usize| {
            idle == 0 || references == 0 && !room.is_watched() && room.idle_seconds() >= idle
        };
        let idle_rooms = {
            let all = self.rooms.lock();
            let idle_rooms = all
                .values()
                .filter(|room| may_close(room, Arc::strong_count(room) - 1));
            idle_rooms.cloned().collect()
        };
        self.close(store, idle_rooms, may_close).await;
    }

    /// Records that a game may have grown by this many bytes. Once enough has accumulated, the
    /// limit is enforced.
    pub(super) fn record_growth(&self, app: &App, bytes: usize) {
        if self.growth.fetch_add(bytes, Ordering::Relaxed) + bytes >= GROWTH_BEFORE_COUNT {
            self.growth.store(0, Ordering::Relaxed);
            let app = app.clone();
            tokio::spawn(async move {
                app.rooms
                    .evict_to_limit(&app.config.store, MEMORY_LIMIT)
                    .await;
            });
        }
    }

    /// Closes rooms without viewers, the least recently used first, until the rest takes at most
    /// this many bytes.
    pub(super) async fn evict_to_limit(&self, store: &Store, max_bytes: usize) {
        let may_close = |room: &Room, references: usize| references == 0 && !room.is_watched();
        let evicted = {
            let all = self.rooms.lock();
            let bytes = |room: &Room| room.snapshot().estimated_bytes();
            let mut total: usize = all.values().map(|room| bytes(room)).sum();
            let unused = all
                .values()
                .filter(|room| may_close(room, Arc::strong_count(room) - 1));
            let mut unused: Vec<&Arc<Room>> = unused.collect();
            unused.sort_unstable_by_key(|room| Reverse(room.idle_seconds()));
            let needed = unused.into_iter().take_while(|room| {
                let is_over = total > max_bytes;
                total = total.saturating_sub(bytes(room));
                is_over
            });
            needed.cloned().collect()
        };
        self.close(store, evicted, may_close).await;
    }

    /// Closes those of the rooms that may still be closed, given how many others hold a reference,
    /// and releases their games, so that any program can continue them.
    async fn close(
        &self,
        store: &Store,
        rooms: Vec<Arc<Room>>,
        may_close: impl Fn(&Room, usize) -> bool,
    ) {
        let may_close = &may_close;
        // All at once, so that they share a commit.
        let releases = rooms.into_iter().map(|room| async move {
            let _guard = self.locks.lock(room.uid()).await;
            {
                // Another reference means that someone is about to use it.
                let mut all = self.rooms.lock();
                let is_current = all.get(room.uid()).is_some_and(|it| Arc::ptr_eq(it, &room));
                if !is_current || !may_close(&room, Arc::strong_count(&room) - 2) {
                    return;
                }
                all.remove(room.uid());
            }
            let game = room.game.lock().await;
            if game.over.is_none()
                && let Err(error) = store.release_game(game.id).await
            {
                tracing::warn!(game = room.uid(), %error, "a game couldn't be released");
            }
        });
        join_all(releases).await;
        gauge!(meter::ROOMS).set(self.rooms.lock().len() as f64);
    }

    /// Closes the rooms of games that were deleted or changed in the store. Subscribers open them
    /// again.
    pub(crate) async fn drop_stale(&self, uids: &[String]) {
        for room in uids.iter().filter_map(|uid| self.get(uid)) {
            self.remove(&room);
            room.game.lock().await.stop_bot();
            room.publish_closed();
        }
    }

    /// Removes a room that is no longer valid.
    pub(super) fn remove(&self, room: &Room) {
        self.rooms.lock().remove(room.uid());
    }

    fn get(&self, uid: &str) -> Option<Arc<Room>> {
        self.rooms.lock().get(uid).cloned()
    }

    fn insert(&self, room: &Arc<Room>) {
        let mut all = self.rooms.lock();
        all.insert(room.uid().into(), room.clone());
        gauge!(meter::ROOMS).set(all.len() as f64);
    }

    /// The visitor asks for the engine's help with a position. Returns those of their open games
    /// that the help applies to. They aren't rated once the help is delivered.
    ///
    /// The position is compared with the games in this server's memory. Help from another browser
    /// or program, or with a mirrored position, goes unnoticed.
    ///
    /// # Errors
    /// One of the games is against another visitor, whose rated game must not be voided by it.
    pub(crate) fn assisted_games(
        &self,
        visitor: &Visitor,
        state: &AnyGameState,
    ) -> Result<PendingAssistance, ApiError> {
        // Only theirs are cloned: a room with another reference counts as in use.
        let is_theirs = |room: &&Arc<Room>| is_playing(&room.snapshot(), visitor);
        let rooms = self.rooms.lock();
        let theirs: Vec<Arc<Room>> = rooms.values().filter(is_theirs).cloned().collect();
        drop(rooms);
        let mut assisted = Vec::new();
        for room in theirs {
            let snapshot = room.snapshot();
            if is_about(state, &snapshot.state) && makes_difference(&snapshot)? {
                assisted.push(room);
            }
        }
        Ok(PendingAssistance(assisted))
    }

    /// The same for help with a given game, such as a review.
    pub(crate) async fn assisted_game(
        &self,
        app: &App,
        visitor: &Visitor,
        uid: &str,
    ) -> Result<PendingAssistance, ApiError> {
        let OpenedGame::Live(room) = self.open(app, uid).await? else {
            return Ok(PendingAssistance::default());
        };
        let snapshot = room.snapshot();
        let is_assisted = is_playing(&snapshot, visitor) && makes_difference(&snapshot)?;
        Ok(PendingAssistance(
            is_assisted.then_some(room).into_iter().collect(),
        ))
    }
}

/// Open games that the engine's help applies to.
#[derive(Default)]
pub(crate) struct PendingAssistance(Vec<Arc<Room>>);

impl PendingAssistance {
    /// Records that the help was delivered, so the games are no longer rated. Returns whether one
    /// of them was rated until now.
    pub(crate) async fn mark_assisted(
        self,
        app: &App,
        assistance: Assistance,
    ) -> Result<bool, ApiError> {
        let mut was_rated = false;
        for room in self.0 {
            let result = room.mark_assisted(app, assistance).await;
            was_rated |= result.map_err(|error| error.error)?;
        }
        Ok(was_rated)
    }
}

/// Does this visitor play in the game, and is it still in progress?
fn is_playing(snapshot: &GameSnapshot, visitor: &Visitor) -> bool {
    snapshot.viewer(&visitor.hash).is_player() && snapshot.over.is_none()
}

/// Does help with this game make a difference? Until an invited friend has joined, nobody is
/// playing.
fn makes_difference(snapshot: &GameSnapshot) -> Result<bool, ApiError> {
    match snapshot.is_online {
        true if !snapshot.is_waiting_for_opponent() => Err(ApiErrorKind::Refused.error(
            "you're playing this position against another player; hints and analysis aren't \
             available until the game is over",
        )),
        is_online => Ok(!is_online),
    }
}

/// Is an analysis of `asked` about the game at `game`: the same position, or one that continues its
/// moves?
fn is_about(asked: &AnyGameState, game: &AnyGameState) -> bool {
    fn follows<G: noughts_rules::Game>(asked: &GameState<G>, game: &GameState<G>) -> bool {
        let moves = game.moves();
        let is_continuation =
            !moves.is_empty() && asked.moves().starts_with(moves) && asked.start() == game.start();
        is_continuation || asked.position() == game.position()
    }
    // Compares values instead of texts: a deep board has half a million cells.
    macro_rules! follows_as {
        ([$asked:expr, $game:expr] $($kind:ident: $type:ty,)*) => {
            match ($asked, $game) {
                $((AnyGameState::$kind(asked), AnyGameState::$kind(game)) => follows(asked, game),)*
                _ => false,
            }
        };
    }
    asked.variant() == game.variant() && for_each_game_type!(follows_as [asked, game])
}

#[cfg(test)]
mod tests {
    use noughts_rules::games;

    use super::*;
    use crate::tests::test_server::{TestServer, game_id, human_seat};

    /// A game with this many moves, each the first legal one.
    fn game_after(variant: &str, position: Option<&str>, moves: usize) -> AnyGameState {
        let variant = variant.parse().expect("a variant");
        let mut state = match position {
            None => AnyGameState::new(variant),
            Some(text) => AnyGameState::from_text(variant, text).expect("a position"),
        };
        for _ in 0..moves {
            let mv = state.legal_moves().swap_remove(0);
            state.play(&mv).expect("a legal move");
        }
        state
    }

    /// Positions are compared by value, however they were reached.
    #[test]
    fn asked_positions_are_compared_with_the_game() {
        let presets = games::presets().into_iter();
        for variant in presets.map(|(variant, _)| variant.to_string()) {
            let variant = &*variant;
            let game = game_after(variant, None, 2);
            let text = game.position_text();
            assert!(is_about(&game, &game), "{variant}");
            let placed = game_after(variant, Some(&text), 0);
            assert!(is_about(&placed, &game), "{variant}");
            let later = game_after(variant, None, 3);
            assert!(is_about(&later, &game), "{variant}");
            assert!(!is_about(&game, &later), "{variant}");
            assert!(!is_about(&game_after(variant, None, 0), &game), "{variant}");
            let other = games::presets()
                .into_iter()
                .map(|(other, _)| other.to_string());
            let mut other = other.filter(|other| other != variant);
            let other = other.next().expect("there is more than one game");
            assert!(!is_about(&game_after(&other, None, 0), &game), "{variant}");
        }
    }

    /// Guards against a lock that all games share: opening one game waited while another was
    /// loaded or released.
    #[tokio::test]
    async fn a_game_is_opened_while_another_one_is_loaded() {
        let server = TestServer::new().await;
        let client = server.client(1);
        let mut ids = Vec::new();
        for _ in 0..2 {
            let seat = human_seat("");
            ids.push(game_id(
                &client.create_game("classic", seat.clone(), seat).await,
            ));
        }
        let rooms = &server.app.rooms;
        rooms.close_all(server.store()).await;
        let _guard = rooms.locks.lock(&ids[0]).await;
        let opened = rooms.open(&server.app, &ids[1]);
        let opened = tokio::time::timeout(Duration::from_secs(60), opened).await;
        let opened = opened.expect("it doesn't wait").expect("opened");
        assert!(matches!(opened, OpenedGame::Live(_)));
    }
}
