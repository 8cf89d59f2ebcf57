//! A game that is played and kept. Every step is checked by the rules, then stored,
//! and only then is there a session in which it has happened: what is shown as made
//! survives whatever happens to the program.

use std::fmt;
use std::time::{Duration, Instant};

use noughts_rules::{AnyPlay, Outcome, Player, Variant};
use noughts_store::{
    Assistance, ClaimedGame, End, GameId, Listed, NewGame, SecretHash, Store, StoreError,
    StoredMove,
};

use crate::who::Who;

/// A game at one moment. A step gives the next one and leaves this as it is.
#[derive(Clone, Debug)]
pub struct Session {
    id: GameId,
    play: AnyPlay,
    /// X's and O's.
    seats: [Who; 2],
    /// What each move took.
    times: Vec<Duration>,
    /// What was taken back, the next to redo last.
    undone: Vec<StoredMove>,
    /// A side changed hands, so that the game counts in nobody's record.
    handed: bool,
    /// The first help that a player had, so that the game isn't rated.
    assisted: Option<Assistance>,
    /// The result and how it came, once it is over.
    over: Option<(Option<Outcome>, End)>,
    /// How many times something else than a move has changed it.
    changes: u64,
    /// How many of the moves were given when the game started: nobody made them here.
    given: usize,
    turn_began: Instant,
}

/// Something that happens in a game.
#[derive(Clone, Debug)]
pub enum Step {
    /// A move, timed from when its turn began.
    Move(String),
    /// A computer's move, and what it took: it may be shown later than it is found.
    Reply(String, Duration),
    /// Back to a person's previous decision; where no person plays, one move.
    Undo,
    /// Back to this side's previous decision.
    UndoOf(Player),
    /// Forward again to the next decision.
    Redo,
    /// This side gives up.
    Resign(Player),
    /// Both are content with a draw.
    AgreeDraw,
    /// Somebody else plays a side from now on.
    Hand(Player, Who),
    /// The same, and the visitor with this secret acts for the side. Before the first
    /// move that is how a guest takes a seat.
    Seat(Player, Who, SecretHash),
    /// Nobody plays on, and nobody has won.
    Abandon,
}

/// Why a step did not happen.
#[derive(Debug)]
pub enum Problem {
    /// The rules, or how a game is played, do not allow it.
    Refused(String),
    /// It could not be stored.
    NotStored(StoreError),
}

impl Session {
    /// A game from its start.
    pub async fn begin(
        store: &Store,
        variant: Variant,
        seats: [Who; 2],
    ) -> Result<Session, Problem> {
        Session::begin_from(store, &AnyPlay::new(variant), seats).await
    }

    /// A game from wherever `from` is: its start position is stored as the game's, its moves
    /// as the game's first moves, without times. They can be taken back.
    ///
    /// # Errors
    /// The game is over in `from`, one person has both seats, or it can't be stored.
    pub async fn begin_from(
        store: &Store,
        from: &AnyPlay,
        seats: [Who; 2],
    ) -> Result<Session, Problem> {
        refuse_twice(&seats)?;
        if from.outcome().is_some() {
            let reason = "the game is over in this position";
            return Err(Problem::Refused(reason.into()));
        }
        let mut start = from.clone();
        while start.undo().is_some() {}
        let game = NewGame {
            variant: from.variant(),
            start: (!from.is_from_start()).then(|| from.start_text()),
            seats: [seats[0].seat(), seats[1].seat()],
        };
        let id = store.begin(&game).await?;
        let mut session = Session::begun(id, start, seats);
        // Somebody who may choose the position can choose one that is won.
        if game.start.is_some() || !from.moves().is_empty() {
            session.assist(store, Assistance::Position).await?;
        }
        for text in from.moves() {
            let took = Duration::ZERO;
            if let Err(problem) = session.make(store, StoredMove { text, took }).await {
                // The problem is what the player needs to know; the rest is discarded later.
                session.given = session.times.len();
                let _ = session.let_go(store).await;
                return Err(problem);
            }
        }
        session.given = session.times.len();
        session.turn_began = Instant::now();
        Ok(session)
    }

    /// A game for whose seats visitors act, from wherever it starts.
    pub async fn begin_claimed(
        store: &Store,
        new: &ClaimedGame,
        seats: [Who; 2],
    ) -> Result<Session, Problem> {
        refuse_twice(&seats)?;
        let variant = new.game.variant;
        let play = match &new.game.start {
            None => AnyPlay::new(variant),
            Some(text) => AnyPlay::from_text(variant, text)
                .map_err(|error| Problem::Refused(error.to_string()))?,
        };
        let id = store.begin_claimed(new).await?;
        let mut session = Session::begun(id, play, seats);
        if new.game.start.is_some() {
            session.assist(store, Assistance::Position).await?;
        }
        Ok(session)
    }

    fn begun(id: GameId, play: AnyPlay, seats: [Who; 2]) -> Session {
        Session {
            id,
            play,
            seats,
            times: Vec::new(),
            undone: Vec::new(),
            handed: false,
            assisted: None,
            over: None,
            changes: 0,
            given: 0,
            turn_began: Instant::now(),
        }
    }

    /// A stored game, to be played on if it is open and nobody else plays it.
    pub async fn resume(store: &Store, id: GameId) -> Result<Session, Problem> {
        // Held before it is read: another program cannot move in between.
        if !store.hold(id).await? {
            return Err(Problem::Refused(
                "the game has ended, or another program is playing it".into(),
            ));
        }
        let resumed = Session::read(store, id).await;
        if resumed.is_err() {
            store.release(id).await?;
        }
        resumed
    }

    async fn read(store: &Store, id: GameId) -> Result<Session, Problem> {
        let gone = || Problem::Refused(format!("there is no game {id} any more"));
        let (game, play) = store.replayed(id).await?.ok_or_else(gone)?;
        let seats = [
            Who::of_seat(&game.seats[0]).map_err(Problem::Refused)?,
            Who::of_seat(&game.seats[1]).map_err(Problem::Refused)?,
        ];
        if play.outcome().is_some() {
            let reason = format!("game {id} is over, though it was stored as open");
            return Err(Problem::Refused(reason));
        }
        let claims = store.claims(id).await?.ok_or_else(gone)?;
        Ok(Session {
            times: game.moves.iter().map(|mv| mv.took).collect(),
            handed: game.handed,
            assisted: game.assisted,
            changes: claims.changes,
            ..Session::begun(id, play, seats)
        })
    }

    /// Leaves the game open, so that any program may resume it at once. Nobody comes
    /// back to an empty board: a game without a move is not kept, nor one that only has the
    /// moves it was started with.
    pub async fn let_go(&self, store: &Store) -> Result<(), Problem> {
        match self.over {
            Some(_) => Ok(()),
            None if self.is_untouched() => {
                if !self.times.is_empty() {
                    store.take_back(self.id, 0).await?;
                }
                Ok(store.discard(self.id).await?)
            }
            None => Ok(store.release(self.id).await?),
        }
    }

    /// Its number in the store.
    #[must_use]
    pub fn id(&self) -> GameId {
        self.id
    }

    /// The game by the rules.
    #[must_use]
    pub fn play(&self) -> &AnyPlay {
        &self.play
    }

    /// Who plays X and who plays O.
    #[must_use]
    pub fn seats(&self) -> &[Who; 2] {
        &self.seats
    }

    /// Who plays this side.
    #[must_use]
    pub fn who(&self, side: Player) -> &Who {
        &self.seats[side as usize]
    }

    /// What each move took.
    #[must_use]
    pub fn times(&self) -> &[Duration] {
        &self.times
    }

    /// Does it have no moves except those it was started with?
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        self.times.len() <= self.given
    }

    /// How many times something else than a move has changed it: with the number of
    /// moves it names one state of the game.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Did a side change hands, so that it counts for nobody?
    #[must_use]
    pub fn is_handed(&self) -> bool {
        self.handed
    }

    /// The first help that a player had.
    #[must_use]
    pub fn assisted(&self) -> Option<Assistance> {
        self.assisted
    }

    /// Does it count in the players' records? Not after a side changed hands or a player
    /// had help.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        !self.handed && self.assisted.is_none()
    }

    /// Notes that a player had help, so that the game isn't rated. Returns whether that is
    /// the first time. Nobody needs help in a game that is over.
    ///
    /// # Errors
    /// It couldn't be stored.
    pub async fn assist(&mut self, store: &Store, how: Assistance) -> Result<bool, Problem> {
        if self.over.is_some() || self.assisted.is_some() {
            return Ok(false);
        }
        store.mark_assisted(self.id, how).await?;
        self.assisted = Some(how);
        Ok(true)
    }

    /// Takes over help that was stored by other means than this session.
    pub fn set_assisted(&mut self, how: Assistance) {
        self.assisted = Some(how);
    }

    /// The result and how it came; nobody's result where it was abandoned.
    pub fn over(&self) -> Option<(Option<Outcome>, End)> {
        self.over
    }

    /// Who is to move; nobody once it is over.
    pub fn to_move(&self) -> Option<&Who> {
        self.over.is_none().then(|| self.who(self.play.side()))
    }

    /// Is there a decision to go back to?
    #[must_use]
    pub fn can_undo(&self) -> bool {
        self.over.is_none() && self.decision_before().is_some()
    }

    /// Was something taken back that can be made again?
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.over.is_none() && !self.undone.is_empty()
    }

    /// The game after a step that was stored.
    pub async fn step(&self, store: &Store, step: Step) -> Result<Session, Problem> {
        if self.over.is_some() {
            return Err(Problem::Refused("the game is over".into()));
        }
        let mut next = self.clone();
        match step {
            Step::Move(text) => {
                next.undone.clear();
                let took = self.turn_began.elapsed();
                next.make(store, StoredMove { text, took }).await?;
            }
            Step::Reply(text, took) => {
                next.undone.clear();
                next.make(store, StoredMove { text, took }).await?;
            }
            Step::Undo => next.undo(store, self.decision_before()).await?,
            Step::UndoOf(side) => next.undo(store, self.decision_of(side)).await?,
            Step::Redo => next.redo(store).await?,
            Step::Resign(side) => {
                let result = Outcome::Win(side.other());
                next.finish(store, Some(result), End::Resigned).await?;
            }
            Step::AgreeDraw => {
                next.finish(store, Some(Outcome::Draw), End::AgreedDraw)
                    .await?;
            }
            Step::Abandon => next.finish(store, None, End::Abandoned).await?,
            Step::Hand(side, who) => next.hand(store, side, who, None).await?,
            Step::Seat(side, who, sitter) => next.hand(store, side, who, Some(sitter)).await?,
        }
        next.turn_began = Instant::now();
        Ok(next)
    }

    async fn make(&mut self, store: &Store, mv: StoredMove) -> Result<(), Problem> {
        let ply = self.times.len();
        self.play
            .play(&mv.text)
            .map_err(|refusal| Problem::Refused(refusal.to_string()))?;
        // Stored in the one spelling that the rules give it.
        let text = self.play.moves().pop().unwrap_or_default();
        let mv = StoredMove { text, ..mv };
        let end = self.play.outcome().zip(self.play.ending().map(End::from));
        if let Err(error) = store.add_move(self.id, ply, &mv, end).await {
            self.play.undo();
            return Err(error.into());
        }
        self.times.push(mv.took);
        self.over = end.map(|(outcome, end)| (Some(outcome), end));
        Ok(())
    }

    async fn finish(
        &mut self,
        store: &Store,
        result: Option<Outcome>,
        end: End,
    ) -> Result<(), Problem> {
        store.finish(self.id, result, end).await?;
        self.changes += 1;
        self.over = Some((result, end));
        Ok(())
    }

    async fn undo(&mut self, store: &Store, to: Option<usize>) -> Result<(), Problem> {
        let Some(to) = to else {
            return Err(Problem::Refused("there is no move to take back".into()));
        };
        store.take_back(self.id, to).await?;
        self.changes += 1;
        self.assisted.get_or_insert(Assistance::Takeback);
        while self.times.len() > to {
            let (Some(text), Some(took)) = (self.play.undo(), self.times.pop()) else {
                break;
            };
            self.undone.push(StoredMove { text, took });
        }
        self.given = self.given.min(to);
        Ok(())
    }

    async fn redo(&mut self, store: &Store) -> Result<(), Problem> {
        if self.undone.is_empty() {
            return Err(Problem::Refused("there is no move to make again".into()));
        }
        let from = self.times.len();
        while let Some(mv) = self.undone.pop() {
            match self.make(store, mv.clone()).await {
                Ok(()) => {}
                Err(problem) if self.times.len() == from => return Err(problem),
                // What was stored has happened.
                Err(_) => {
                    self.undone.push(mv);
                    break;
                }
            }
            let decides = self.to_move().is_none_or(Who::is_person);
            if decides || !self.has_people() {
                break;
            }
        }
        Ok(())
    }

    async fn hand(
        &mut self,
        store: &Store,
        side: Player,
        who: Who,
        sitter: Option<SecretHash>,
    ) -> Result<(), Problem> {
        let mut seats = self.seats.clone();
        let same = seats[side as usize] == who;
        if same && sitter.is_none() {
            return Ok(());
        }
        seats[side as usize] = who;
        refuse_twice(&seats)?;
        let seat = seats[side as usize].seat();
        match sitter {
            None => store.reseat(self.id, side, &seat).await?,
            Some(sitter) => store.reseat_claimed(self.id, side, &seat, &sitter).await?,
        }
        self.changes += 1;
        self.handed |= !same && !self.times.is_empty();
        self.seats = seats;
        Ok(())
    }

    fn has_people(&self) -> bool {
        self.seats.iter().any(Who::is_person)
    }

    /// How many moves had been made when a person last decided on one.
    fn decision_before(&self) -> Option<usize> {
        if self.times.is_empty() {
            return None;
        }
        if !self.has_people() {
            return Some(self.times.len() - 1);
        }
        let sides = self.play.sides();
        sides.iter().rposition(|&side| self.who(side).is_person())
    }

    /// How many moves had been made when this side last decided on one.
    fn decision_of(&self, side: Player) -> Option<usize> {
        self.play.sides().iter().rposition(|&mover| mover == side)
    }
}

/// The games that were left and that people can play on. Those that never saw a move
/// are forgotten: there is nothing in them to come back to. Imported ones always stay.
pub async fn left_open(store: &Store) -> Result<Vec<Listed>, StoreError> {
    let (played, empty): (Vec<_>, Vec<_>) = store
        .resumable()
        .await?
        .into_iter()
        .partition(|game| game.moves > 0 || game.imported);
    // What a visitor of a server made may wait for a guest who has the link.
    for game in empty.into_iter().filter(|game| !game.claimed) {
        // Another program may be quicker, and then it is done.
        let _ = store.discard(game.id).await;
    }
    Ok(played.into_iter().filter(goes_on).collect())
}

/// Can a person play it on, against somebody whom this program knows? The game of a guest
/// is played on in the browser where it was begun.
fn goes_on(game: &Listed) -> bool {
    let seats: Result<Vec<Who>, String> = game.seats.iter().map(Who::of_seat).collect();
    let sits = |who: &Who| match who {
        Who::Person(_) => true,
        Who::Guest => false,
        Who::Bot(kind) => kind.plays(game.variant).is_ok(),
    };
    seats.is_ok_and(|seats| seats.iter().all(sits) && seats.iter().any(Who::is_person))
}

/// Nobody plays against themselves: whose win would it be?
fn refuse_twice(seats: &[Who; 2]) -> Result<(), Problem> {
    match (seats[0].person(), seats[1].person()) {
        (Some(x), Some(o)) if x == o => Err(Problem::Refused(format!(
            "{x} cannot play both sides; the other player needs another name"
        ))),
        _ => Ok(()),
    }
}

impl Problem {
    /// Why, without what did not happen.
    pub fn cause(&self) -> String {
        match self {
            Problem::Refused(reason) => reason.clone(),
            Problem::NotStored(error) => error.to_string(),
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        Problem::NotStored(error)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Refused(reason) => f.write_str(reason),
            Problem::NotStored(error) => {
                write!(f, "it could not be kept, so it was not made: {error}")
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests;
