//! Writes of many tasks in one transaction. The disk is waited for once for all that
//! has come up while it was last waited for; nobody waits for others to come, so that a
//! task alone is as fast as it would be without this. What a piece of work writes is not
//! known here, except for moves: they come by the thousand, and go in by one statement.

use std::collections::{HashSet, VecDeque};
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sqlx::{Connection, SqliteConnection};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::error::{StoreError, Trouble};
use crate::moves::{self, NewMove};
use crate::store::Store;

/// So many go together at most, so that the first of them need not wait long.
const AT_ONCE: usize = 256;

/// How many other writes share a commit with moves; each takes longer than all the moves.
const WITH_MOVES: usize = 2;

pub(crate) type Doing<'c, T> = Pin<Box<dyn Future<Output = Result<T, Trouble>> + Send + 'c>>;

/// A piece of work on the store within a transaction: it may be done a second time, where
/// the first attempt was undone by others' misfortune.
pub(crate) type Work<E, T> = for<'c> fn(&'c Store, &'c E, &'c mut SqliteConnection) -> Doing<'c, T>;

/// What waits to be written.
#[derive(Default)]
pub(crate) struct Queue(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    moves: VecDeque<Piece>,
    others: VecDeque<Piece>,
    /// Somebody is at work, and will find what is added.
    busy: bool,
}

impl Waiting {
    fn add(&mut self, piece: Piece) {
        match piece {
            Piece::Move(..) => self.moves.push_back(piece),
            Piece::Other(_) => self.others.push_back(piece),
        }
    }

    /// What goes together next: those who wait longest, and moves before all else.
    fn take(&mut self) -> Vec<Piece> {
        let moves = self.moves.len().min(AT_ONCE);
        let others = match moves {
            0 => AT_ONCE,
            _ => WITH_MOVES,
        };
        let others = self.others.len().min(others);
        let mut pieces: Vec<Piece> = self.moves.drain(..moves).collect();
        pieces.extend(self.others.drain(..others));
        pieces
    }
}

/// Something to write, and where its outcome goes.
enum Piece {
    Move(NewMove, Told<()>),
    Other(Box<dyn Other>),
}

/// What came of it so far, and whom to tell once that is on the disk.
struct Told<T> {
    outcome: Option<Result<T, Trouble>>,
    whom: oneshot::Sender<Result<T, Trouble>>,
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let waiting = self.waiting();
        write!(f, "{} waiting", waiting.moves.len() + waiting.others.len())
    }
}

impl Store {
    /// Writes; returns when it is on the disk, or when nothing was changed.
    pub(crate) async fn written<E, T>(&self, about: E, work: Work<E, T>) -> Result<T, StoreError>
    where
        E: Send + Sync + 'static,
        T: Send + 'static,
    {
        let (told, outcome) = told();
        let other = Job { about, work, told };
        self.enqueue(Piece::Other(Box::new(other)));
        self.told(heard(outcome)).await
    }

    /// Adds a move, in the same way.
    pub(crate) async fn moved(&self, new: NewMove) -> Result<(), StoreError> {
        let (told, outcome) = told();
        self.enqueue(Piece::Move(new, told));
        self.told(heard(outcome)).await
    }

    /// Everything that waits is written before this returns.
    pub(crate) async fn settle(&self) {
        while self.queue().waiting().busy {
            let nothing: Work<(), ()> = |_, _, _| Box::pin(async { Ok(()) });
            let _ = self.written((), nothing).await;
        }
    }

    /// The work is a task of its own: who asked for it may go away in the middle.
    fn enqueue(&self, piece: Piece) {
        // A runtime that ends drops the shift at once, which asks for the same lock.
        let is_busy = {
            let mut waiting = self.queue().waiting();
            waiting.add(piece);
            mem::replace(&mut waiting.busy, true)
        };
        if !is_busy {
            let shift = Shift {
                store: self.clone(),
                done: false,
            };
            // On a thread of its own: each statement is a walk to SQLite's thread and back, and
            // a busy runtime would let each wait behind everything else that it has to do.
            let runtime = Handle::current();
            let work = runtime.clone();
            runtime.spawn_blocking(move || work.block_on(shift.work()));
        }
    }
}

fn told<T>() -> (Told<T>, oneshot::Receiver<Result<T, Trouble>>) {
    let (whom, heard) = oneshot::channel();
    let told = Told {
        outcome: None,
        whom,
    };
    (told, heard)
}

async fn heard<T>(outcome: oneshot::Receiver<Result<T, Trouble>>) -> Result<T, Trouble> {
    let gone = || Err(StoreError::Ending.into());
    outcome.await.unwrap_or_else(|_| gone())
}

/// Somebody at work until nothing waits any more.
struct Shift {
    store: Store,
    done: bool,
}

impl Shift {
    async fn work(mut self) {
        while let Some(pieces) = self.next() {
            self.store.write_all(pieces).await;
        }
    }

    fn next(&mut self) -> Option<Vec<Piece>> {
        let mut waiting = self.store.queue().waiting();
        let pieces = waiting.take();
        if pieces.is_empty() {
            waiting.busy = false;
            self.done = true;
            return None;
        }
        Some(pieces)
    }
}

/// A runtime that ends takes its tasks with it. Those who wait are told, and whoever
/// comes later begins anew.
impl Drop for Shift {
    fn drop(&mut self) {
        if !self.done {
            *self.store.queue().waiting() = Waiting::default();
        }
    }
}

impl Store {
    async fn write_all(&self, mut pieces: Vec<Piece>) {
        if pieces.len() > 1 {
            match self.together(&mut pieces).await {
                Ok(()) => {
                    self.note_writing(true);
                    return pieces.into_iter().for_each(Piece::tell);
                }
                // Nobody can write now, and there is no use in asking for each.
                Err(Failed::AtOnce(trouble)) => {
                    self.note_writing(false);
                    for piece in pieces {
                        piece.fail(trouble.again(self.file()));
                    }
                    return;
                }
                // One of them must be the cause, and the others shall not suffer for it.
                Err(Failed::Midway) => {}
            }
        }
        for mut piece in pieces {
            let done = self.alone(&mut piece).await;
            // What the store refuses to write says nothing of whether it could.
            if done.is_err() || !piece.is_refused() {
                self.note_writing(done.is_ok());
            }
            match done {
                Ok(()) => piece.tell(),
                Err(trouble) => piece.fail(trouble),
            }
        }
    }

    async fn alone(&self, piece: &mut Piece) -> Result<(), Trouble> {
        let mut writing = self.write().await?;
        piece.attempt(self, &mut writing).await?;
        match piece.is_refused() {
            true => Ok(writing.rollback().await?),
            false => self.commit(writing, 1).await,
        }
    }

    async fn together(&self, pieces: &mut [Piece]) -> Result<(), Failed> {
        let mut writing = self.write().await.map_err(Failed::AtOnce)?;
        let all = async {
            self.add_moves(pieces, &mut writing).await?;
            for piece in pieces.iter_mut().filter(|piece| !piece.is_settled()) {
                let mut part = writing.begin().await?;
                piece.attempt(self, &mut part).await?;
                match piece.is_refused() {
                    true => part.rollback().await?,
                    false => part.commit().await?,
                }
            }
            Ok::<(), Trouble>(())
        };
        all.await.map_err(|_| Failed::Midway)?;
        let committed = self.commit(writing, pieces.len()).await;
        committed.map_err(|trouble| match trouble {
            // The file is not there any more, for none of them.
            Trouble::Said(_) => Failed::AtOnce(trouble),
            _ => Failed::Midway,
        })
    }

    /// All moves that can simply be added, by one statement. Those that are left are
    /// looked at one by one, and get their reasons.
    async fn add_moves(
        &self,
        pieces: &mut [Piece],
        writing: &mut SqliteConnection,
    ) -> Result<(), Trouble> {
        // Of two moves in one game the second is judged by what the first has left.
        let mut games = HashSet::new();
        let mut firsts: Vec<(&NewMove, &mut Told<()>)> = Vec::new();
        for piece in pieces {
            if let Piece::Move(new, told) = piece
                && games.insert(new.game)
            {
                firsts.push((new, told));
            }
        }
        let news: Vec<&NewMove> = firsts.iter().map(|(new, _)| *new).collect();
        let added = moves::add(writing, &news, self.program().uid()).await?;
        for (new, told) in firsts {
            if added.contains(&new.game) {
                told.outcome = Some(Ok(()));
            }
        }
        Ok(())
    }
}

/// Why several could not be written together.
enum Failed {
    /// The transaction did not even begin, or the file is gone.
    AtOnce(Trouble),
    /// Something went wrong in it, and it was undone.
    Midway,
}

impl Piece {
    /// Does it, within a transaction. What is refused is an outcome; an error is what
    /// spoils the transaction.
    async fn attempt(
        &mut self,
        store: &Store,
        writing: &mut SqliteConnection,
    ) -> Result<(), Trouble> {
        match self {
            Piece::Move(new, told) => told.keep(moves::add_one(store, writing, new).await),
            Piece::Other(other) => other.attempt(store, writing).await,
        }
    }

    fn is_settled(&self) -> bool {
        matches!(self, Piece::Move(_, told) if told.outcome.is_some())
    }

    fn is_refused(&self) -> bool {
        match self {
            Piece::Move(_, told) => told.is_refused(),
            Piece::Other(other) => other.is_refused(),
        }
    }

    fn tell(self) {
        match self {
            Piece::Move(_, told) => told.tell(),
            Piece::Other(other) => other.tell(),
        }
    }

    fn fail(self, trouble: Trouble) {
        match self {
            Piece::Move(_, told) => told.fail(trouble),
            Piece::Other(other) => other.fail(trouble),
        }
    }
}

impl<T> Told<T> {
    fn keep(&mut self, outcome: Result<T, Trouble>) -> Result<(), Trouble> {
        match outcome {
            Err(trouble @ Trouble::Sql(_)) => Err(trouble),
            outcome => {
                self.outcome = Some(outcome);
                Ok(())
            }
        }
    }

    fn is_refused(&self) -> bool {
        matches!(self.outcome, Some(Err(_)))
    }

    /// Who asked may have gone away meanwhile.
    fn tell(self) {
        if let Some(outcome) = self.outcome {
            let _ = self.whom.send(outcome);
        }
    }

    fn fail(self, trouble: Trouble) {
        let _ = self.whom.send(Err(trouble));
    }
}

/// Any piece of work, whatever it is about and gives.
trait Other: Send {
    fn attempt<'c>(
        &'c mut self,
        store: &'c Store,
        writing: &'c mut SqliteConnection,
    ) -> Doing<'c, ()>;
    fn is_refused(&self) -> bool;
    fn tell(self: Box<Self>);
    fn fail(self: Box<Self>, trouble: Trouble);
}

struct Job<E, T> {
    about: E,
    work: Work<E, T>,
    told: Told<T>,
}

impl<E: Send + Sync, T: Send> Other for Job<E, T> {
    fn attempt<'c>(
        &'c mut self,
        store: &'c Store,
        writing: &'c mut SqliteConnection,
    ) -> Doing<'c, ()> {
        Box::pin(async move {
            let outcome = (self.work)(store, &self.about, writing).await;
            self.told.keep(outcome)
        })
    }

    fn is_refused(&self) -> bool {
        self.told.is_refused()
    }

    fn tell(self: Box<Self>) {
        self.told.tell();
    }

    fn fail(self: Box<Self>, trouble: Trouble) {
        self.told.fail(trouble);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::games::{GameId, StoredMove};

    /// Guards moves that wait until others' games are made and ended.
    #[test]
    fn moves_do_not_wait_for_much_else() {
        let mut waiting = Waiting::default();
        let nothing: Work<(), ()> = |_, _, _| Box::pin(async { Ok(()) });
        for number in 0..300 {
            if number % 30 == 0 {
                waiting.add(Piece::Other(Box::new(Job {
                    about: (),
                    work: nothing,
                    told: told().0,
                })));
            }
            let new = NewMove {
                game: GameId(number),
                ply: 0,
                mv: StoredMove {
                    text: "a1".into(),
                    took: Duration::ZERO,
                },
                end: None,
            };
            waiting.add(Piece::Move(new, told().0));
        }
        let mut taken = Vec::new();
        loop {
            let pieces = waiting.take();
            let is_move = |piece: &&Piece| matches!(piece, Piece::Move(..));
            let moves = pieces.iter().filter(is_move).count();
            taken.push((moves, pieces.len() - moves));
            if pieces.is_empty() {
                break;
            }
        }
        assert_eq!(taken, [(256, 2), (44, 2), (0, 6), (0, 0)]);
    }

    /// Guards an end that looked like a mistake of the one who asked.
    #[tokio::test]
    async fn work_that_goes_with_its_runtime_says_that_the_program_is_ending() {
        let (told, outcome) = told::<()>();
        drop(told);
        let error = heard(outcome).await;
        assert!(
            matches!(error, Err(Trouble::Said(StoreError::Ending))),
            "{error:?}"
        );
    }
}
