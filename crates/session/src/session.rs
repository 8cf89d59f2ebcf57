//! A game that is played and kept. Every step is checked by the rules, then stored,
//! and only then is there a session in which it has happened: what is shown as made
//! survives whatever happens to the program.

use std::fmt;
use std::time::{Duration, Instant};

use noughts_rules::{AnyGameState, Outcome, Side, Variant};
use noughts_store::{
    Assistance, GameId, GameSummary, NewGame, NewOnlineGame, SecretHash, Store, StoreError,
    StoredMove, Termination,
};

use crate::participant::Participant;

/// A game at one moment. A step gives the next one and leaves this as it is.
#[derive(Clone, Debug)]
pub struct Session {
    id: GameId,
    state: AnyGameState,
    /// X's and O's.
    seats: [Participant; 2],
    /// What each move took.
    move_times: Vec<Duration>,
    /// What was taken back, the next to redo last.
    undone: Vec<StoredMove>,
    /// A side changed hands, so that the game counts in nobody's record.
    changed_hands: bool,
    /// The first help that a player had, so that the game isn't rated.
    assistance: Option<Assistance>,
    /// The result and how it came, once it is over.
    result: Option<(Option<Outcome>, Termination)>,
    /// How many times something else than a move has changed it.
    changes: u64,
    /// How many of the moves were given when the game started: nobody made them here.
    setup_moves: usize,
    turn_started: Instant,
}

/// Something that happens in a game.
#[derive(Clone, Debug)]
pub enum GameAction {
    /// A move, timed from when its turn began.
    Move(String),
    /// A computer's move, and what it took: it may be shown later than it is found.
    BotMove(String, Duration),
    /// Back to a person's previous decision; where no person plays, one move.
    TakeBack,
    /// Back to this side's previous decision.
    TakeBackFor(Side),
    /// Forward again to the next decision.
    Redo,
    /// This side gives up.
    Resign(Side),
    /// Both are content with a draw.
    AgreeDraw,
    /// Somebody else plays a side from now on.
    Reseat(Side, Participant),
    /// The same, and the visitor with this secret acts for the side. Before the first
    /// move that is how a guest takes a seat.
    ReseatVisitor(Side, Participant, SecretHash),
    /// Nobody plays on, and nobody has won.
    Abandon,
}

/// Why a step did not happen.
#[derive(Debug)]
pub enum SessionError {
    /// The rules, or how a game is played, do not allow it.
    Rejected(String),
    /// It could not be stored.
    Store(StoreError),
}

impl Session {
    /// A game from its start.
    pub async fn start(
        store: &Store,
        variant: Variant,
        seats: [Participant; 2],
    ) -> Result<Session, SessionError> {
        Session::start_from(store, &AnyGameState::new(variant), seats).await
    }

    /// A game from wherever `from` is: its start position is stored as the game's, its moves
    /// as the game's first moves, without times. They can be taken back.
    ///
    /// # Errors
    /// The game is over in `from`, one person has both seats, or it can't be stored.
    pub async fn start_from(
        store: &Store,
        from: &AnyGameState,
        seats: [Participant; 2],
    ) -> Result<Session, SessionError> {
        check_distinct_players(&seats)?;
        if from.outcome().is_some() {
            let reason = "the game is over in this position";
            return Err(SessionError::Rejected(reason.into()));
        }
        let mut start = from.clone();
        while start.undo().is_some() {}
        let game = NewGame {
            variant: from.variant(),
            start: (!from.has_standard_start()).then(|| from.start_text()),
            seats: [seats[0].to_seat(), seats[1].to_seat()],
        };
        let id = store.create_game(&game).await?;
        let mut session = Session::new(id, start, seats);
        // Somebody who may choose the position can choose one that is won.
        if game.start.is_some() || !from.moves().is_empty() {
            session.mark_assisted(store, Assistance::Position).await?;
        }
        for text in from.moves() {
            let took = Duration::ZERO;
            if let Err(problem) = session.make_move(store, StoredMove { text, took }).await {
                // The problem is what the player needs to know; the rest is discarded later.
                session.setup_moves = session.move_times.len();
                let _ = session.release(store).await;
                return Err(problem);
            }
        }
        session.setup_moves = session.move_times.len();
        session.turn_started = Instant::now();
        Ok(session)
    }

    /// A game for whose seats visitors act, from wherever it starts.
    pub async fn start_online(
        store: &Store,
        new: &NewOnlineGame,
        seats: [Participant; 2],
    ) -> Result<Session, SessionError> {
        check_distinct_players(&seats)?;
        let variant = new.game.variant;
        let play = match &new.game.start {
            None => AnyGameState::new(variant),
            Some(text) => AnyGameState::from_text(variant, text)
                .map_err(|error| SessionError::Rejected(error.to_string()))?,
        };
        let id = store.create_online_game(new).await?;
        let mut session = Session::new(id, play, seats);
        if new.game.start.is_some() {
            session.mark_assisted(store, Assistance::Position).await?;
        }
        Ok(session)
    }

    fn new(id: GameId, state: AnyGameState, seats: [Participant; 2]) -> Session {
        Session {
            id,
            state,
            seats,
            move_times: Vec::new(),
            undone: Vec::new(),
            changed_hands: false,
            assistance: None,
            result: None,
            changes: 0,
            setup_moves: 0,
            turn_started: Instant::now(),
        }
    }

    /// A stored game, to be played on if it is open and nobody else plays it.
    pub async fn resume(store: &Store, id: GameId) -> Result<Session, SessionError> {
        // Held before it is read: another program cannot move in between.
        if !store.acquire_game(id).await? {
            return Err(SessionError::Rejected(
                "the game has ended, or another program is playing it".into(),
            ));
        }
        let resumed = Session::load(store, id).await;
        if resumed.is_err() {
            store.release_game(id).await?;
        }
        resumed
    }

    async fn load(store: &Store, id: GameId) -> Result<Session, SessionError> {
        let gone = || SessionError::Rejected(format!("there is no game {id} any more"));
        let (game, play) = store.replay_game(id).await?.ok_or_else(gone)?;
        let seats = [
            Participant::from_seat(&game.seats[0]).map_err(SessionError::Rejected)?,
            Participant::from_seat(&game.seats[1]).map_err(SessionError::Rejected)?,
        ];
        if play.outcome().is_some() {
            let reason = format!("game {id} is over, though it was stored as open");
            return Err(SessionError::Rejected(reason));
        }
        let claims = store.seat_claims(id).await?.ok_or_else(gone)?;
        Ok(Session {
            move_times: game.moves.iter().map(|mv| mv.took).collect(),
            changed_hands: game.changed_hands,
            assistance: game.assistance,
            changes: claims.changes,
            ..Session::new(id, play, seats)
        })
    }

    /// Leaves the game open, so that any program may resume it at once. Nobody comes
    /// back to an empty board: a game without a move is not kept, nor one that only has the
    /// moves it was started with.
    pub async fn release(&self, store: &Store) -> Result<(), SessionError> {
        match self.result {
            Some(_) => Ok(()),
            None if self.is_unplayed() => {
                if !self.move_times.is_empty() {
                    store.take_back(self.id, 0).await?;
                }
                Ok(store.discard_game(self.id).await?)
            }
            None => Ok(store.release_game(self.id).await?),
        }
    }

    /// Its number in the store.
    #[must_use]
    pub fn id(&self) -> GameId {
        self.id
    }

    /// The game by the rules.
    #[must_use]
    pub fn game_state(&self) -> &AnyGameState {
        &self.state
    }

    /// Who plays X and who plays O.
    #[must_use]
    pub fn seats(&self) -> &[Participant; 2] {
        &self.seats
    }

    /// Who plays this side.
    #[must_use]
    pub fn participant(&self, side: Side) -> &Participant {
        &self.seats[side as usize]
    }

    /// What each move took.
    #[must_use]
    pub fn move_times(&self) -> &[Duration] {
        &self.move_times
    }

    /// Does it have no moves except those it was started with?
    #[must_use]
    pub fn is_unplayed(&self) -> bool {
        self.move_times.len() <= self.setup_moves
    }

    /// How many times something else than a move has changed it: with the number of
    /// moves it names one state of the game.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Did a side change hands, so that it counts for nobody?
    #[must_use]
    pub fn has_changed_hands(&self) -> bool {
        self.changed_hands
    }

    /// The first help that a player had.
    #[must_use]
    pub fn assistance(&self) -> Option<Assistance> {
        self.assistance
    }

    /// Does it count in the players' records? Not after a side changed hands or a player
    /// had help.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        !self.changed_hands && self.assistance.is_none()
    }

    /// Notes that a player had help, so that the game isn't rated. Returns whether that is
    /// the first time. Nobody needs help in a game that is over.
    ///
    /// # Errors
    /// It couldn't be stored.
    pub async fn mark_assisted(
        &mut self,
        store: &Store,
        how: Assistance,
    ) -> Result<bool, SessionError> {
        if self.result.is_some() || self.assistance.is_some() {
            return Ok(false);
        }
        store.mark_assisted(self.id, how).await?;
        self.assistance = Some(how);
        Ok(true)
    }

    /// Takes over help that was stored by other means than this session.
    pub fn set_assisted(&mut self, how: Assistance) {
        self.assistance = Some(how);
    }

    /// The result and how it came; nobody's result where it was abandoned.
    pub fn result(&self) -> Option<(Option<Outcome>, Termination)> {
        self.result
    }

    /// Who is to move; nobody once it is over.
    pub fn to_move(&self) -> Option<&Participant> {
        self.result
            .is_none()
            .then(|| self.participant(self.state.side()))
    }

    /// Is there a decision to go back to?
    #[must_use]
    pub fn can_take_back(&self) -> bool {
        self.result.is_none() && self.last_human_decision().is_some()
    }

    /// Was something taken back that can be made again?
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.result.is_none() && !self.undone.is_empty()
    }

    /// The game after a step that was stored.
    pub async fn apply(&self, store: &Store, step: GameAction) -> Result<Session, SessionError> {
        if self.result.is_some() {
            return Err(SessionError::Rejected("the game is over".into()));
        }
        let mut next = self.clone();
        match step {
            GameAction::Move(text) => {
                next.undone.clear();
                let took = self.turn_started.elapsed();
                next.make_move(store, StoredMove { text, took }).await?;
            }
            GameAction::BotMove(text, took) => {
                next.undone.clear();
                next.make_move(store, StoredMove { text, took }).await?;
            }
            GameAction::TakeBack => next.take_back(store, self.last_human_decision()).await?,
            GameAction::TakeBackFor(side) => {
                next.take_back(store, self.last_decision_of(side)).await?
            }
            GameAction::Redo => next.redo(store).await?,
            GameAction::Resign(side) => {
                let result = Outcome::Win(side.other());
                next.finish(store, Some(result), Termination::Resigned)
                    .await?;
            }
            GameAction::AgreeDraw => {
                next.finish(store, Some(Outcome::Draw), Termination::AgreedDraw)
                    .await?;
            }
            GameAction::Abandon => next.finish(store, None, Termination::Abandoned).await?,
            GameAction::Reseat(side, who) => next.reseat(store, side, who, None).await?,
            GameAction::ReseatVisitor(side, who, sitter) => {
                next.reseat(store, side, who, Some(sitter)).await?
            }
        }
        next.turn_started = Instant::now();
        Ok(next)
    }

    async fn make_move(&mut self, store: &Store, mv: StoredMove) -> Result<(), SessionError> {
        let ply = self.move_times.len();
        self.state
            .play(&mv.text)
            .map_err(|refusal| SessionError::Rejected(refusal.to_string()))?;
        // Stored in the one spelling that the rules give it.
        let text = self.state.moves().pop().unwrap_or_default();
        let mv = StoredMove { text, ..mv };
        let end = self
            .state
            .outcome()
            .zip(self.state.ending().map(Termination::from));
        if let Err(error) = store.add_move(self.id, ply, &mv, end).await {
            self.state.undo();
            return Err(error.into());
        }
        self.move_times.push(mv.took);
        self.result = end.map(|(outcome, end)| (Some(outcome), end));
        Ok(())
    }

    async fn finish(
        &mut self,
        store: &Store,
        result: Option<Outcome>,
        end: Termination,
    ) -> Result<(), SessionError> {
        store.finish_game(self.id, result, end).await?;
        self.changes += 1;
        self.result = Some((result, end));
        Ok(())
    }

    async fn take_back(&mut self, store: &Store, to: Option<usize>) -> Result<(), SessionError> {
        let Some(to) = to else {
            return Err(SessionError::Rejected(
                "there is no move to take back".into(),
            ));
        };
        store.take_back(self.id, to).await?;
        self.changes += 1;
        self.assistance.get_or_insert(Assistance::Takeback);
        while self.move_times.len() > to {
            let (Some(text), Some(took)) = (self.state.undo(), self.move_times.pop()) else {
                break;
            };
            self.undone.push(StoredMove { text, took });
        }
        self.setup_moves = self.setup_moves.min(to);
        Ok(())
    }

    async fn redo(&mut self, store: &Store) -> Result<(), SessionError> {
        if self.undone.is_empty() {
            return Err(SessionError::Rejected(
                "there is no move to make again".into(),
            ));
        }
        let from = self.move_times.len();
        while let Some(mv) = self.undone.pop() {
            match self.make_move(store, mv.clone()).await {
                Ok(()) => {}
                Err(problem) if self.move_times.len() == from => return Err(problem),
                // What was stored has happened.
                Err(_) => {
                    self.undone.push(mv);
                    break;
                }
            }
            let decides = self.to_move().is_none_or(Participant::is_human);
            if decides || !self.has_humans() {
                break;
            }
        }
        Ok(())
    }

    async fn reseat(
        &mut self,
        store: &Store,
        side: Side,
        who: Participant,
        sitter: Option<SecretHash>,
    ) -> Result<(), SessionError> {
        let mut seats = self.seats.clone();
        let same = seats[side as usize] == who;
        if same && sitter.is_none() {
            return Ok(());
        }
        seats[side as usize] = who;
        check_distinct_players(&seats)?;
        let seat = seats[side as usize].to_seat();
        match sitter {
            None => store.reseat(self.id, side, &seat).await?,
            Some(sitter) => store.reseat_visitor(self.id, side, &seat, &sitter).await?,
        }
        self.changes += 1;
        self.changed_hands |= !same && !self.move_times.is_empty();
        self.seats = seats;
        Ok(())
    }

    fn has_humans(&self) -> bool {
        self.seats.iter().any(Participant::is_human)
    }

    /// How many moves had been made when a person last decided on one.
    fn last_human_decision(&self) -> Option<usize> {
        if self.move_times.is_empty() {
            return None;
        }
        if !self.has_humans() {
            return Some(self.move_times.len() - 1);
        }
        let sides = self.state.move_sides();
        sides
            .iter()
            .rposition(|&side| self.participant(side).is_human())
    }

    /// How many moves had been made when this side last decided on one.
    fn last_decision_of(&self, side: Side) -> Option<usize> {
        self.state
            .move_sides()
            .iter()
            .rposition(|&mover| mover == side)
    }
}

/// The games that were left and that people can play on. Those that never saw a move
/// are forgotten: there is nothing in them to come back to. Imported ones always stay.
pub async fn resumable_games(store: &Store) -> Result<Vec<GameSummary>, StoreError> {
    let (played, empty): (Vec<_>, Vec<_>) = store
        .resumable_games()
        .await?
        .into_iter()
        .partition(|game| game.move_count > 0 || game.is_imported);
    // What a visitor of a server made may wait for a guest who has the link.
    for game in empty.into_iter().filter(|game| !game.is_online) {
        // Another program may be quicker, and then it is done.
        let _ = store.discard_game(game.id).await;
    }
    Ok(played.into_iter().filter(can_be_resumed).collect())
}

/// Can a person play it on, against somebody whom this program knows? The game of a guest
/// is played on in the browser where it was begun.
fn can_be_resumed(game: &GameSummary) -> bool {
    let seats: Result<Vec<Participant>, String> =
        game.seats.iter().map(Participant::from_seat).collect();
    let sits = |who: &Participant| match who {
        Participant::Player(_) => true,
        Participant::Guest => false,
        Participant::Bot(kind) => kind.check_supports(game.variant).is_ok(),
    };
    seats.is_ok_and(|seats| seats.iter().all(sits) && seats.iter().any(Participant::is_human))
}

/// Nobody plays against themselves: whose win would it be?
fn check_distinct_players(seats: &[Participant; 2]) -> Result<(), SessionError> {
    match (seats[0].player_name(), seats[1].player_name()) {
        (Some(x), Some(o)) if x == o => Err(SessionError::Rejected(format!(
            "{x} cannot play both sides; the other player needs another name"
        ))),
        _ => Ok(()),
    }
}

impl SessionError {
    /// Why, without what did not happen.
    pub fn cause(&self) -> String {
        match self {
            SessionError::Rejected(reason) => reason.clone(),
            SessionError::Store(error) => error.to_string(),
        }
    }
}

impl From<StoreError> for SessionError {
    fn from(error: StoreError) -> SessionError {
        SessionError::Store(error)
    }
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Rejected(reason) => f.write_str(reason),
            SessionError::Store(error) => {
                write!(f, "it could not be kept, so it was not made: {error}")
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
