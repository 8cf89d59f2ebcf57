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

use crate::error::{StoreError, StoreFailure};
use crate::moves::{self, NewMove};
use crate::store::Store;

/// So many go together at most, so that the first of them need not wait long.
const MAX_GROUP: usize = 256;

/// How many other writes share a commit with moves; each takes longer than all the moves.
const MAX_OTHERS_WITH_MOVES: usize = 2;

pub(crate) type WriteFuture<'c, T> =
    Pin<Box<dyn Future<Output = Result<T, StoreFailure>> + Send + 'c>>;

/// A piece of work on the store within a transaction: it may be done a second time, where
/// the first attempt was undone by others' misfortune.
pub(crate) type WriteFn<E, T> =
    for<'c> fn(&'c Store, &'c E, &'c mut SqliteConnection) -> WriteFuture<'c, T>;

/// What waits to be written.
#[derive(Default)]
pub(crate) struct WriteQueue(Mutex<PendingWrites>);

#[derive(Default)]
struct PendingWrites {
    moves: VecDeque<QueuedWrite>,
    others: VecDeque<QueuedWrite>,
    /// Somebody is at work, and will find what is added.
    has_worker: bool,
}

impl PendingWrites {
    fn add(&mut self, piece: QueuedWrite) {
        match piece {
            QueuedWrite::Move(..) => self.moves.push_back(piece),
            QueuedWrite::Other(_) => self.others.push_back(piece),
        }
    }

    /// What goes together next: those who wait longest, and moves before all else.
    fn take(&mut self) -> Vec<QueuedWrite> {
        let moves = self.moves.len().min(MAX_GROUP);
        let others = match moves {
            0 => MAX_GROUP,
            _ => MAX_OTHERS_WITH_MOVES,
        };
        let others = self.others.len().min(others);
        let mut pieces: Vec<QueuedWrite> = self.moves.drain(..moves).collect();
        pieces.extend(self.others.drain(..others));
        pieces
    }
}

/// Something to write, and where its outcome goes.
enum QueuedWrite {
    Move(NewMove, PendingReply<()>),
    Other(Box<dyn ErasedWrite>),
}

/// What came of it so far, and whom to tell once that is on the disk.
struct PendingReply<T> {
    outcome: Option<Result<T, StoreFailure>>,
    sender: oneshot::Sender<Result<T, StoreFailure>>,
}

impl WriteQueue {
    fn waiting(&self) -> MutexGuard<'_, PendingWrites> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for WriteQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let waiting = self.waiting();
        write!(f, "{} waiting", waiting.moves.len() + waiting.others.len())
    }
}

impl Store {
    /// Writes; returns when it is on the disk, or when nothing was changed.
    pub(crate) async fn submit_write<E, T>(
        &self,
        about: E,
        work: WriteFn<E, T>,
    ) -> Result<T, StoreError>
    where
        E: Send + Sync + 'static,
        T: Send + 'static,
    {
        let (told, outcome) = reply_channel();
        let other = WriteJob { about, work, told };
        self.enqueue(QueuedWrite::Other(Box::new(other)));
        self.with_error_context(await_reply(outcome)).await
    }

    /// Adds a move, in the same way.
    pub(crate) async fn submit_move(&self, new: NewMove) -> Result<(), StoreError> {
        let (told, outcome) = reply_channel();
        self.enqueue(QueuedWrite::Move(new, told));
        self.with_error_context(await_reply(outcome)).await
    }

    /// Everything that waits is written before this returns.
    pub(crate) async fn flush(&self) {
        while self.queue().waiting().has_worker {
            let nothing: WriteFn<(), ()> = |_, _, _| Box::pin(async { Ok(()) });
            let _ = self.submit_write((), nothing).await;
        }
    }

    /// The work is a task of its own: who asked for it may go away in the middle.
    fn enqueue(&self, piece: QueuedWrite) {
        // A runtime that ends drops the shift at once, which asks for the same lock.
        let is_busy = {
            let mut waiting = self.queue().waiting();
            waiting.add(piece);
            mem::replace(&mut waiting.has_worker, true)
        };
        if !is_busy {
            let shift = WriteWorker {
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

fn reply_channel<T>() -> (PendingReply<T>, oneshot::Receiver<Result<T, StoreFailure>>) {
    let (whom, heard) = oneshot::channel();
    let told = PendingReply {
        outcome: None,
        sender: whom,
    };
    (told, heard)
}

async fn await_reply<T>(
    outcome: oneshot::Receiver<Result<T, StoreFailure>>,
) -> Result<T, StoreFailure> {
    let gone = || Err(StoreError::ShuttingDown.into());
    outcome.await.unwrap_or_else(|_| gone())
}

/// Somebody at work until nothing waits any more.
struct WriteWorker {
    store: Store,
    done: bool,
}

impl WriteWorker {
    async fn work(mut self) {
        while let Some(pieces) = self.next() {
            self.store.write_all(pieces).await;
        }
    }

    fn next(&mut self) -> Option<Vec<QueuedWrite>> {
        let mut waiting = self.store.queue().waiting();
        let pieces = waiting.take();
        if pieces.is_empty() {
            waiting.has_worker = false;
            self.done = true;
            return None;
        }
        Some(pieces)
    }
}

/// A runtime that ends takes its tasks with it. Those who wait are told, and whoever
/// comes later begins anew.
impl Drop for WriteWorker {
    fn drop(&mut self) {
        if !self.done {
            *self.store.queue().waiting() = PendingWrites::default();
        }
    }
}

impl Store {
    async fn write_all(&self, mut pieces: Vec<QueuedWrite>) {
        if pieces.len() > 1 {
            match self.write_group(&mut pieces).await {
                Ok(()) => {
                    self.record_write_result(true);
                    return pieces.into_iter().for_each(QueuedWrite::tell);
                }
                // Nobody can write now, and there is no use in asking for each.
                Err(BatchFailure::Unavailable(trouble)) => {
                    self.record_write_result(false);
                    for piece in pieces {
                        piece.fail(trouble.duplicate(self.file()));
                    }
                    return;
                }
                // One of them must be the cause, and the others shall not suffer for it.
                Err(BatchFailure::RolledBack) => {}
            }
        }
        for mut piece in pieces {
            let done = self.write_alone(&mut piece).await;
            // What the store refuses to write says nothing of whether it could.
            if done.is_err() || !piece.is_refused() {
                self.record_write_result(done.is_ok());
            }
            match done {
                Ok(()) => piece.tell(),
                Err(trouble) => piece.fail(trouble),
            }
        }
    }

    async fn write_alone(&self, piece: &mut QueuedWrite) -> Result<(), StoreFailure> {
        let mut writing = self.begin_write().await?;
        piece.attempt(self, &mut writing).await?;
        match piece.is_refused() {
            true => Ok(writing.rollback().await?),
            false => self.commit(writing, 1).await,
        }
    }

    async fn write_group(&self, pieces: &mut [QueuedWrite]) -> Result<(), BatchFailure> {
        let mut writing = self
            .begin_write()
            .await
            .map_err(BatchFailure::Unavailable)?;
        let all = async {
            self.add_moves(pieces, &mut writing).await?;
            for piece in pieces.iter_mut().filter(|piece| !piece.is_done()) {
                let mut part = writing.begin().await?;
                piece.attempt(self, &mut part).await?;
                match piece.is_refused() {
                    true => part.rollback().await?,
                    false => part.commit().await?,
                }
            }
            Ok::<(), StoreFailure>(())
        };
        all.await.map_err(|_| BatchFailure::RolledBack)?;
        let committed = self.commit(writing, pieces.len()).await;
        committed.map_err(|trouble| match trouble {
            // The file is not there any more, for none of them.
            StoreFailure::Store(_) => BatchFailure::Unavailable(trouble),
            _ => BatchFailure::RolledBack,
        })
    }

    /// All moves that can simply be added, by one statement. Those that are left are
    /// looked at one by one, and get their reasons.
    async fn add_moves(
        &self,
        pieces: &mut [QueuedWrite],
        writing: &mut SqliteConnection,
    ) -> Result<(), StoreFailure> {
        // Of two moves in one game the second is judged by what the first has left.
        let mut games = HashSet::new();
        let mut firsts: Vec<(&NewMove, &mut PendingReply<()>)> = Vec::new();
        for piece in pieces {
            if let QueuedWrite::Move(new, told) = piece
                && games.insert(new.game)
            {
                firsts.push((new, told));
            }
        }
        let news: Vec<&NewMove> = firsts.iter().map(|(new, _)| *new).collect();
        let added = moves::add(writing, &news, self.process().uid()).await?;
        for (new, told) in firsts {
            if added.contains(&new.game) {
                told.outcome = Some(Ok(()));
            }
        }
        Ok(())
    }
}

/// Why several could not be written together.
enum BatchFailure {
    /// The transaction did not even begin, or the file is gone.
    Unavailable(StoreFailure),
    /// Something went wrong in it, and it was undone.
    RolledBack,
}

impl QueuedWrite {
    /// Does it, within a transaction. What is refused is an outcome; an error is what
    /// spoils the transaction.
    async fn attempt(
        &mut self,
        store: &Store,
        writing: &mut SqliteConnection,
    ) -> Result<(), StoreFailure> {
        match self {
            QueuedWrite::Move(new, told) => told.record(moves::add_one(store, writing, new).await),
            QueuedWrite::Other(other) => other.attempt(store, writing).await,
        }
    }

    fn is_done(&self) -> bool {
        matches!(self, QueuedWrite::Move(_, told) if told.outcome.is_some())
    }

    fn is_refused(&self) -> bool {
        match self {
            QueuedWrite::Move(_, told) => told.is_refused(),
            QueuedWrite::Other(other) => other.is_refused(),
        }
    }

    fn tell(self) {
        match self {
            QueuedWrite::Move(_, told) => told.tell(),
            QueuedWrite::Other(other) => other.tell(),
        }
    }

    fn fail(self, trouble: StoreFailure) {
        match self {
            QueuedWrite::Move(_, told) => told.fail(trouble),
            QueuedWrite::Other(other) => other.fail(trouble),
        }
    }
}

impl<T> PendingReply<T> {
    fn record(&mut self, outcome: Result<T, StoreFailure>) -> Result<(), StoreFailure> {
        match outcome {
            Err(trouble @ StoreFailure::Sql(_)) => Err(trouble),
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
            let _ = self.sender.send(outcome);
        }
    }

    fn fail(self, trouble: StoreFailure) {
        let _ = self.sender.send(Err(trouble));
    }
}

/// Any piece of work, whatever it is about and gives.
trait ErasedWrite: Send {
    fn attempt<'c>(
        &'c mut self,
        store: &'c Store,
        writing: &'c mut SqliteConnection,
    ) -> WriteFuture<'c, ()>;
    fn is_refused(&self) -> bool;
    fn tell(self: Box<Self>);
    fn fail(self: Box<Self>, trouble: StoreFailure);
}

struct WriteJob<E, T> {
    about: E,
    work: WriteFn<E, T>,
    told: PendingReply<T>,
}

impl<E: Send + Sync, T: Send> ErasedWrite for WriteJob<E, T> {
    fn attempt<'c>(
        &'c mut self,
        store: &'c Store,
        writing: &'c mut SqliteConnection,
    ) -> WriteFuture<'c, ()> {
        Box::pin(async move {
            let outcome = (self.work)(store, &self.about, writing).await;
            self.told.record(outcome)
        })
    }

    fn is_refused(&self) -> bool {
        self.told.is_refused()
    }

    fn tell(self: Box<Self>) {
        self.told.tell();
    }

    fn fail(self: Box<Self>, trouble: StoreFailure) {
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
        let mut waiting = PendingWrites::default();
        let nothing: WriteFn<(), ()> = |_, _, _| Box::pin(async { Ok(()) });
        for number in 0..300 {
            if number % 30 == 0 {
                waiting.add(QueuedWrite::Other(Box::new(WriteJob {
                    about: (),
                    work: nothing,
                    told: reply_channel().0,
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
            waiting.add(QueuedWrite::Move(new, reply_channel().0));
        }
        let mut taken = Vec::new();
        loop {
            let pieces = waiting.take();
            let is_move = |piece: &&QueuedWrite| matches!(piece, QueuedWrite::Move(..));
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
        let (told, outcome) = reply_channel::<()>();
        drop(told);
        let error = await_reply(outcome).await;
        assert!(
            matches!(error, Err(StoreFailure::Store(StoreError::ShuttingDown))),
            "{error:?}"
        );
    }
}
