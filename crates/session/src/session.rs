//! A game that is played and saved. Every action is checked against the rules, then stored, and
//! only then part of the session: a move that was shown survives whatever happens to the process.

use std::time::{Duration, Instant};

use noughts_rules::{AnyGameState, Assistance, Outcome, Side, Termination, UnratedReason};
use noughts_store::{
    GameId, GameSummary, NewGame, NewOnlineGame, SecretHash, Store, StoreError, StoredMove,
};
use noughts_text::{GameOver, PlayerLabel};

use crate::participant::Participant;
use crate::policy::{self, GameRequest, PlayMode, RatingConditions, RatingEvent};

/// A game at one point in time. An action returns the next session and leaves this one unchanged.
#[derive(Clone, Debug)]
pub struct Session {
    id: GameId,
    state: AnyGameState,
    /// X, then O.
    seats: [Participant; 2],
    /// The time each move took.
    move_times: Vec<Duration>,
    /// Moves that were taken back; the next one to redo is last.
    undone: Vec<StoredMove>,
    /// A side changed hands after the first move, so the game isn't rated.
    changed_hands: bool,
    /// The first assistance a player used, which makes the game unrated.
    assistance: Option<Assistance>,
    /// The result and how the game ended, once it is over.
    result: Option<(Option<Outcome>, Termination)>,
    /// The number of changes other than moves.
    changes: u64,
    /// The number of initial moves that were part of the setup and not played in this game.
    setup_moves: usize,
    turn_started: Instant,
}

/// Something that happens in a game.
#[derive(Clone, Debug)]
pub enum GameAction {
    /// A move, timed from the start of its turn.
    Move(String),
    /// A bot's move and the time it took: it may be shown later than it was found.
    BotMove(String, Duration),
    /// Back to a human's previous decision; one move if no human plays.
    TakeBack,
    /// Back to this side's previous decision.
    TakeBackFor(Side),
    /// Forward again to the next decision.
    Redo,
    /// This side resigns. Before the first move, the game is abandoned.
    Resign(Side),
    /// The players agree to a draw.
    AgreeDraw,
    /// Another participant takes over a side.
    Reseat(Side, Participant),
    /// The same, and the visitor with this token hash controls the side. Before the first move,
    /// this is how an invited guest takes a seat.
    ReseatVisitor(Side, Participant, SecretHash),
    /// The game ends without a result.
    Abandon,
}

/// Why an action wasn't performed.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The rules or the state of the game don't allow it.
    #[error("{0}")]
    Rejected(String),
    /// It couldn't be stored.
    #[error("the change couldn't be saved, so it wasn't made: {0}")]
    Store(#[from] StoreError),
}

impl Session {
    /// Starts a game from the current position of `from`: stores its start position and its moves,
    /// without times. The moves can be taken back.
    ///
    /// # Errors
    /// The game is over in `from`, one player has both seats, or the game can't be stored.
    pub async fn start_from(
        store: &Store,
        from: &AnyGameState,
        seats: [Participant; 2],
    ) -> Result<Session, SessionError> {
        check_distinct_players(&seats)?;
        if from.outcome().is_some() {
            let reason = "the game is already over in this position";
            return Err(SessionError::Rejected(reason.into()));
        }
        let mut start = from.clone();
        while start.undo().is_some() {}
        let game = NewGame {
            variant: from.variant(),
            start: (!from.has_standard_start()).then(|| from.start_text()),
            seats: seats.each_ref().map(Participant::to_seat),
        };
        let id = store.create_game(&game).await?;
        let mut session = Session::new(id, start, seats);
        // A player who chooses the position could choose a won one.
        if game.start.is_some() || !from.moves().is_empty() {
            session.mark_assisted(store, Assistance::Position).await?;
        }
        for text in from.moves() {
            let took = Duration::ZERO;
            if let Err(error) = session.make_move(store, StoredMove { text, took }).await {
                // The caller needs this error; a game left behind is discarded later.
                session.setup_moves = session.move_times.len();
                let _ = session.release(store).await;
                return Err(error);
            }
        }
        session.setup_moves = session.move_times.len();
        session.turn_started = Instant::now();
        Ok(session)
    }

    /// Starts an online game, whose seats are controlled by visitors.
    pub async fn start_online(
        store: &Store,
        new: &NewOnlineGame,
        seats: [Participant; 2],
    ) -> Result<Session, SessionError> {
        check_distinct_players(&seats)?;
        let variant = new.game.variant;
        let state = match &new.game.start {
            None => AnyGameState::new(variant),
            Some(text) => AnyGameState::from_text(variant, text)
                .map_err(|error| SessionError::Rejected(error.to_string()))?,
        };
        let id = store.create_online_game(new).await?;
        let mut session = Session::new(id, state, seats);
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

    /// Resumes a stored game if it is open and no other process plays it.
    pub async fn resume(store: &Store, id: GameId) -> Result<Session, SessionError> {
        // Acquired before it is read, so that another process can't move in between.
        if !store.acquire_game(id).await? {
            return Err(SessionError::Rejected(
                "the game is over or is being played in another program".into(),
            ));
        }
        let resumed = Session::load(store, id).await;
        if resumed.is_err() {
            store.release_game(id).await?;
        }
        resumed
    }

    async fn load(store: &Store, id: GameId) -> Result<Session, SessionError> {
        let missing = || SessionError::Rejected(format!("game {id} no longer exists"));
        let (game, state) = store.replay_game(id).await?.ok_or_else(missing)?;
        let [x, o] = game.seats.each_ref().map(Participant::from_seat);
        let seats = x
            .and_then(|x| Ok([x, o?]))
            .map_err(SessionError::Rejected)?;
        if state.outcome().is_some() {
            let reason = format!("game {id} is over, but it was saved as unfinished");
            return Err(SessionError::Rejected(reason));
        }
        let claims = store.seat_claims(id).await?.ok_or_else(missing)?;
        Ok(Session {
            move_times: game.moves.iter().map(|mv| mv.took).collect(),
            changed_hands: game.changed_hands,
            assistance: game.assistance,
            changes: claims.changes,
            ..Session::new(id, state, seats)
        })
    }

    /// Leaves the game open, so that any process can resume it at once. A game without moves, or
    /// with only its setup moves, is discarded instead.
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

    /// Its ID in the store.
    #[must_use]
    pub fn id(&self) -> GameId {
        self.id
    }

    /// The state of the game.
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

    /// The time each move took.
    #[must_use]
    pub fn move_times(&self) -> &[Duration] {
        &self.move_times
    }

    /// Does it have no moves other than its setup moves?
    #[must_use]
    pub fn is_unplayed(&self) -> bool {
        self.move_times.len() <= self.setup_moves
    }

    /// The number of changes other than moves. Together with the number of moves, it identifies one
    /// state of the game.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Has a side changed hands, so that the game isn't rated?
    #[must_use]
    pub fn has_changed_hands(&self) -> bool {
        self.changed_hands
    }

    /// The first assistance a player used.
    #[must_use]
    pub fn assistance(&self) -> Option<Assistance> {
        self.assistance
    }

    /// Does the game count in the players' records? It doesn't if a side changed hands or a player
    /// used assistance.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        self.unrated_reason().is_none()
    }

    /// Why it isn't rated, if so.
    #[must_use]
    pub fn unrated_reason(&self) -> Option<UnratedReason> {
        UnratedReason::new(self.changed_hands, self.assistance)
    }

    /// Why the game won't be rated if this happens; `None` if it changes nothing.
    #[must_use]
    pub fn unrated_by(&self, event: RatingEvent) -> Option<UnratedReason> {
        let game = RatingConditions {
            unrated: self.unrated_reason(),
            is_over: self.result.is_some(),
            has_humans: self.humans().contains(&true),
            moves: self.move_times.len(),
        };
        policy::unrated_by(game, event)
    }

    /// Records that a player used assistance, so that the game isn't rated. Returns whether it is
    /// the first time. Assistance after the end of a game doesn't count.
    ///
    /// # Errors
    /// It couldn't be stored.
    pub async fn mark_assisted(
        &mut self,
        store: &Store,
        kind: Assistance,
    ) -> Result<bool, SessionError> {
        if self.result.is_some() || self.assistance.is_some() {
            return Ok(false);
        }
        store.mark_assisted(self.id, kind).await?;
        self.assistance = Some(kind);
        Ok(true)
    }

    /// Takes over assistance that was stored without this session.
    pub fn set_assistance(&mut self, kind: Assistance) {
        self.assistance = Some(kind);
    }

    /// The result and how the game ended; the result is `None` if it was abandoned.
    pub fn result(&self) -> Option<(Option<Outcome>, Termination)> {
        self.result
    }

    /// How the game ended, for sentences about it; `None` while it runs.
    #[must_use]
    pub fn game_over(&self) -> Option<GameOver> {
        let (outcome, termination) = self.result?;
        Some(GameOver {
            variant: self.state.variant(),
            outcome,
            termination,
            players: Some(self.seats.each_ref().map(PlayerLabel::from)),
            moves: self.state.moves().len(),
        })
    }

    /// Who is to move; `None` once the game is over.
    pub fn to_move(&self) -> Option<&Participant> {
        self.result
            .is_none()
            .then(|| self.participant(self.state.side()))
    }

    /// Is there a decision to take back to?
    #[must_use]
    pub fn can_take_back(&self) -> bool {
        self.result.is_none() && self.takeback(None).is_some()
    }

    /// Is there a move to redo, and may players who sit like this redo it?
    #[must_use]
    pub fn can_redo(&self, mode: PlayMode) -> bool {
        self.result.is_none() && policy::can_redo(mode, self.undone.len())
    }

    /// Applies an action. Returns the session after it, once it is stored.
    pub async fn apply(&self, store: &Store, action: GameAction) -> Result<Session, SessionError> {
        if self.result.is_some() {
            return Err(SessionError::Rejected("the game is over".into()));
        }
        let mut next = self.clone();
        match action {
            GameAction::Move(text) => {
                next.undone.clear();
                let took = self.turn_started.elapsed();
                next.make_move(store, StoredMove { text, took }).await?;
            }
            GameAction::BotMove(text, took) => {
                next.undone.clear();
                next.make_move(store, StoredMove { text, took }).await?;
            }
            GameAction::TakeBack => next.take_back(store, self.takeback(None)).await?,
            GameAction::TakeBackFor(side) => {
                next.take_back(store, self.takeback(Some(side))).await?;
            }
            GameAction::Redo => next.redo(store).await?,
            // Before the first move, nobody has won or lost anything.
            GameAction::Resign(_) if self.is_unplayed() => {
                next.finish(store, None, Termination::Abandoned).await?;
            }
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
            GameAction::Reseat(side, participant) => {
                next.reseat(store, side, participant, None).await?;
            }
            GameAction::ReseatVisitor(side, participant, visitor) => {
                next.reseat(store, side, participant, Some(visitor)).await?;
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
        // Store the canonical spelling of the move.
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
            return Err(SessionError::Rejected("no move to take back".into()));
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
            return Err(SessionError::Rejected("no move to redo".into()));
        }
        let start = self.move_times.len();
        while let Some(mv) = self.undone.pop() {
            match self.make_move(store, mv.clone()).await {
                Ok(()) => {}
                Err(error) if self.move_times.len() == start => return Err(error),
                // What is stored can't be undone by failing later moves.
                Err(_) => {
                    self.undone.push(mv);
                    break;
                }
            }
            let is_human_turn = self.to_move().is_none_or(Participant::is_human);
            if is_human_turn || !self.humans().contains(&true) {
                break;
            }
        }
        Ok(())
    }

    async fn reseat(
        &mut self,
        store: &Store,
        side: Side,
        participant: Participant,
        visitor: Option<SecretHash>,
    ) -> Result<(), SessionError> {
        let mut seats = self.seats.clone();
        let is_same = seats[side as usize] == participant;
        if is_same && visitor.is_none() {
            return Ok(());
        }
        seats[side as usize] = participant;
        check_distinct_players(&seats)?;
        let seat = seats[side as usize].to_seat();
        (store.reseat(self.id, side, &seat, visitor.as_ref())).await?;
        self.changes += 1;
        self.changed_hands |= !is_same && !self.move_times.is_empty();
        self.seats = seats;
        Ok(())
    }

    /// Which sides humans play.
    fn humans(&self) -> [bool; 2] {
        self.seats.each_ref().map(Participant::is_human)
    }

    /// The number of moves that a takeback keeps, once everybody who is asked has agreed.
    fn takeback(&self, side: Option<Side>) -> Option<usize> {
        policy::takeback(&self.state.move_sides(), self.humans(), side)
    }
}

/// Open games that humans can continue and that fit the request. Games without moves are discarded, because there is
/// nothing to come back to; imported games are always kept.
pub async fn resumable_games(
    store: &Store,
    request: &GameRequest,
) -> Result<Vec<GameSummary>, StoreError> {
    let (played, empty): (Vec<_>, Vec<_>) = store
        .resumable_games()
        .await?
        .into_iter()
        .partition(|game| game.move_count > 0 || game.is_imported);
    // An online game may be waiting for a guest with the invite link.
    for game in empty.into_iter().filter(|game| !game.is_online) {
        // Another process may have discarded it first.
        let _ = store.discard_game(game.id).await;
    }
    let mut fitting = Vec::new();
    for game in played {
        let fits = can_be_resumed(&game) && request.fits(&game);
        // A game that can't be read doesn't fit.
        if fits
            && (request.start.is_none()
                || matches!(store.game(game.id).await, Ok(Some(game)) if request.fits_start(&game)))
        {
            fitting.push(game);
        }
    }
    Ok(fitting)
}

/// Can a human continue it, against participants that this program knows? A guest's game continues
/// in the browser it was started in.
fn can_be_resumed(game: &GameSummary) -> bool {
    let seats: Result<Vec<Participant>, String> =
        game.seats.iter().map(Participant::from_seat).collect();
    let can_play = |participant: &Participant| match participant {
        Participant::Player(_) => true,
        Participant::Guest => false,
        Participant::Bot(kind) => kind.check_supports(game.variant).is_ok(),
    };
    seats.is_ok_and(|seats| seats.iter().all(can_play) && seats.iter().any(Participant::is_human))
}

/// Rejects the same player on both sides: a win couldn't be attributed.
fn check_distinct_players(seats: &[Participant; 2]) -> Result<(), SessionError> {
    match (seats[0].player_name(), seats[1].player_name()) {
        (Some(x), Some(o)) if x == o => Err(SessionError::Rejected(noughts_text::same_player(
            x.as_str(),
        ))),
        _ => Ok(()),
    }
}

impl SessionError {
    /// The reason, without the remark that the action wasn't performed.
    pub fn cause(&self) -> String {
        match self {
            SessionError::Rejected(reason) => reason.clone(),
            SessionError::Store(error) => error.to_string(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
