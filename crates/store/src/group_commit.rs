//! Group commit: writes of many tasks share one transaction. While one transaction waits for the
//! disk, new writes queue up for the next; nobody waits for more writes to arrive, so a single task
//! is as fast as without grouping. Writes are opaque here, except for moves: there are thousands of
//! them, and one statement inserts many.

use std::collections::{HashSet, VecDeque};
use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sqlx::{Connection, SqliteConnection};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::error::{RawResult, RawStoreError, StoreError};
use crate::moves::{self, NewMove};
use crate::store::Store;

/// The maximum number of writes per transaction, so that the first one doesn't wait long.
const MAX_GROUP: usize = 256;

/// The maximum number of other writes in a transaction with moves; each takes longer than all the
/// moves.
const MAX_OTHERS_WITH_MOVES: usize = 2;

type WriteFuture<'c, T> = Pin<Box<dyn Future<Output = RawResult<T>> + 'c>>;

/// A write within a transaction. It may run a second time, if the first transaction was rolled back
/// because of another write.
type WriteFn<E, T> = for<'c> fn(&'c Store, &'c E, &'c mut SqliteConnection) -> WriteFuture<'c, T>;

/// The queue of pending writes.
#[derive(Default)]
pub(crate) struct WriteQueue(Mutex<PendingWrites>);

#[derive(Default)]
struct PendingWrites {
    moves: VecDeque<MoveJob>,
    others: VecDeque<Box<dyn QueuedWrite>>,
    /// A worker is running and will find new writes.
    has_worker: bool,
}

impl PendingWrites {
    /// The next group: the oldest writes, moves before all others.
    fn take(&mut self) -> WriteGroup {
        let moves = self.moves.len().min(MAX_GROUP);
        let others = match moves {
            0 => MAX_GROUP,
            _ => MAX_OTHERS_WITH_MOVES,
        };
        let others = self.others.len().min(others);
        WriteGroup {
            moves: self.moves.drain(..moves).collect(),
            others: self.others.drain(..others).collect(),
        }
    }
}

/// Writes that share a transaction.
struct WriteGroup {
    moves: Vec<MoveJob>,
    others: Vec<Box<dyn QueuedWrite>>,
}

impl WriteGroup {
    fn len(&self) -> usize {
        self.moves.len() + self.others.len()
    }

    fn iter_mut(&mut self) -> impl Iterator<Item = &mut (dyn QueuedWrite + 'static)> {
        let moves = self.moves.iter_mut().map(|mv| mv as &mut dyn QueuedWrite);
        moves.chain(self.others.iter_mut().map(|other| &mut **other))
    }
}

/// A write of any input and output type, and where its result goes.
trait QueuedWrite: Send {
    /// Runs the write within a transaction. A rejection is a result; an error invalidates the
    /// transaction.
    fn attempt<'c>(
        &'c mut self,
        store: &'c Store,
        tx: &'c mut SqliteConnection,
    ) -> WriteFuture<'c, ()>;
    fn is_done(&self) -> bool;
    fn is_rejected(&self) -> bool;
    /// Sends the result, once it is on disk. The caller may have been canceled meanwhile.
    fn send_reply(&mut self);
    fn fail(&mut self, failure: RawStoreError);
}

struct WriteJob<E, T> {
    input: E,
    write: WriteFn<E, T>,
    /// The result so far.
    result: Option<RawResult<T>>,
    sender: Option<oneshot::Sender<RawResult<T>>>,
}

type MoveJob = WriteJob<NewMove, ()>;

impl WriteQueue {
    fn pending(&self) -> MutexGuard<'_, PendingWrites> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for WriteQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let pending = self.pending();
        write!(f, "{} waiting", pending.moves.len() + pending.others.len())
    }
}

impl Store {
    /// Queues a write. Returns when it is on disk, or has failed without changing anything.
    pub(crate) async fn submit_write<W, T>(&self, write: W) -> Result<T, StoreError>
    where
        W: AsyncFn(&Store, &mut SqliteConnection) -> RawResult<T> + Send + 'static,
        T: Send + 'static,
    {
        let (job, reply) = WriteJob::new(write, |store, write, tx| Box::pin(write(store, tx)));
        self.enqueue(|pending| pending.others.push_back(Box::new(job)));
        self.with_error_context(await_reply(reply)).await
    }

    /// Queues a move in the same way.
    pub(crate) async fn submit_move(&self, new: NewMove) -> Result<(), StoreError> {
        let write: WriteFn<NewMove, ()> = |store, new, tx| Box::pin(moves::add_one(store, tx, new));
        let (job, reply) = WriteJob::new(new, write);
        self.enqueue(|pending| pending.moves.push_back(job));
        self.with_error_context(await_reply(reply)).await
    }

    /// Waits until everything queued is written.
    pub(crate) async fn flush(&self) {
        while self.queue().pending().has_worker {
            let _ = self.submit_write(async |_, _| Ok(())).await;
        }
    }

    /// The worker is a separate task, because the caller may be canceled at any time.
    fn enqueue(&self, add: impl FnOnce(&mut PendingWrites)) {
        // A runtime that shuts down drops the worker at once, which takes the same lock.
        let had_worker = {
            let mut pending = self.queue().pending();
            add(&mut pending);
            mem::replace(&mut pending.has_worker, true)
        };
        if !had_worker {
            let worker = WriteWorker {
                store: self.clone(),
                done: false,
            };
            // On its own thread: each statement is a round trip to SQLite's thread, and on a busy
            // runtime each would wait behind everything else.
            let runtime = Handle::current();
            let handle = runtime.clone();
            runtime.spawn_blocking(move || handle.block_on(worker.run()));
        }
    }
}

type ReplyReceiver<T> = oneshot::Receiver<RawResult<T>>;

async fn await_reply<T>(receiver: ReplyReceiver<T>) -> RawResult<T> {
    let shut_down = || Err(StoreError::ShuttingDown.into());
    receiver.await.unwrap_or_else(|_| shut_down())
}

/// Writes groups until the queue is empty.
struct WriteWorker {
    store: Store,
    done: bool,
}

impl WriteWorker {
    async fn run(mut self) {
        while let Some(group) = self.next() {
            self.store.write_all(group).await;
        }
    }

    fn next(&mut self) -> Option<WriteGroup> {
        let mut pending = self.store.queue().pending();
        let group = pending.take();
        if group.len() == 0 {
            pending.has_worker = false;
            self.done = true;
            return None;
        }
        Some(group)
    }
}

/// A runtime that shuts down drops its tasks. Dropping the queue tells the waiting callers, and the
/// next write starts a new worker.
impl Drop for WriteWorker {
    fn drop(&mut self) {
        if !self.done {
            *self.store.queue().pending() = PendingWrites::default();
        }
    }
}

impl Store {
    async fn write_all(&self, mut group: WriteGroup) {
        if group.len() > 1 {
            match self.write_group(&mut group).await {
                Ok(()) => {
                    self.record_write_result(true);
                    return group.iter_mut().for_each(QueuedWrite::send_reply);
                }
                // Writing is impossible for now, so don't try each one.
                Err(GroupFailure::Unavailable(failure)) => {
                    self.record_write_result(false);
                    let error = failure.into_error(self.file());
                    return group
                        .iter_mut()
                        .for_each(|write| write.fail(error.clone().into()));
                }
                // One of them must be the cause, and the others must not fail because of it.
                Err(GroupFailure::RolledBack) => {}
            }
        }
        for write in group.iter_mut() {
            let done = self.write_alone(write).await;
            // A rejected write says nothing about whether writing works.
            if done.is_err() || !write.is_rejected() {
                self.record_write_result(done.is_ok());
            }
            match done {
                Ok(()) => write.send_reply(),
                Err(failure) => write.fail(failure),
            }
        }
    }

    async fn write_alone(&self, write: &mut dyn QueuedWrite) -> RawResult<()> {
        let mut tx = self.begin_write().await?;
        write.attempt(self, &mut tx).await?;
        match write.is_rejected() {
            true => Ok(tx.rollback().await?),
            false => self.commit(tx, 1).await,
        }
    }

    async fn write_group(&self, group: &mut WriteGroup) -> Result<(), GroupFailure> {
        let mut tx = self
            .begin_write()
            .await
            .map_err(GroupFailure::Unavailable)?;
        let all = async {
            self.add_moves(&mut group.moves, &mut tx).await?;
            for write in group.iter_mut().filter(|write| !write.is_done()) {
                let mut savepoint = tx.begin().await?;
                write.attempt(self, &mut savepoint).await?;
                match write.is_rejected() {
                    true => savepoint.rollback().await?,
                    false => savepoint.commit().await?,
                }
            }
            Ok::<(), RawStoreError>(())
        };
        all.await.map_err(|_| GroupFailure::RolledBack)?;
        let committed = self.commit(tx, group.len()).await;
        committed.map_err(|failure| match failure {
            // The file is gone, for all of them.
            RawStoreError::Store(_) => GroupFailure::Unavailable(failure),
            _ => GroupFailure::RolledBack,
        })
    }

    /// Adds all moves that are valid, with few statements. The rest are tried one at a time, to get
    /// their errors.
    async fn add_moves(&self, jobs: &mut [MoveJob], tx: &mut SqliteConnection) -> RawResult<()> {
        // If a game has two moves, the second depends on the first.
        let mut games = HashSet::new();
        let mut jobs: Vec<&mut MoveJob> = jobs.iter_mut().collect();
        jobs.retain(|job| games.insert(job.input.game));
        let new_moves: Vec<&NewMove> = jobs.iter().map(|job| &job.input).collect();
        let added = moves::add(tx, &new_moves, self.process().uid()).await?;
        for job in jobs {
            if added.contains(&job.input.game) {
                job.result = Some(Ok(()));
            }
        }
        Ok(())
    }
}

/// Why a group couldn't be written.
enum GroupFailure {
    /// The transaction couldn't start, or the file is gone.
    Unavailable(RawStoreError),
    /// The transaction failed and was rolled back.
    RolledBack,
}

impl<E, T> WriteJob<E, T> {
    fn new(input: E, write: WriteFn<E, T>) -> (WriteJob<E, T>, ReplyReceiver<T>) {
        let (sender, receiver) = oneshot::channel();
        let job = WriteJob {
            input,
            write,
            result: None,
            sender: Some(sender),
        };
        (job, receiver)
    }
}

impl<E: Send, T: Send> QueuedWrite for WriteJob<E, T> {
    fn attempt<'c>(
        &'c mut self,
        store: &'c Store,
        tx: &'c mut SqliteConnection,
    ) -> WriteFuture<'c, ()> {
        Box::pin(async move {
            match (self.write)(store, &self.input, tx).await {
                Err(failure @ RawStoreError::Sql(_)) => Err(failure),
                result => {
                    self.result = Some(result);
                    Ok(())
                }
            }
        })
    }

    fn is_done(&self) -> bool {
        self.result.is_some()
    }

    fn is_rejected(&self) -> bool {
        matches!(self.result, Some(Err(_)))
    }

    fn send_reply(&mut self) {
        if let (Some(sender), Some(result)) = (self.sender.take(), self.result.take()) {
            let _ = sender.send(result);
        }
    }

    fn fail(&mut self, failure: RawStoreError) {
        self.result = Some(Err(failure));
        self.send_reply();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::games::{GameId, StoredMove};

    /// Regression test: moves waited for the creation and the end of other games.
    #[test]
    fn moves_wait_for_few_other_writes() {
        let mut pending = PendingWrites::default();
        let no_op: WriteFn<(), ()> = |_, _, _| Box::pin(async { Ok(()) });
        for number in 0..300 {
            if number % 30 == 0 {
                let (job, _) = WriteJob::new((), no_op);
                pending.others.push_back(Box::new(job));
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
            let add: WriteFn<NewMove, ()> = |_, _, _| Box::pin(async { Ok(()) });
            pending.moves.push_back(WriteJob::new(new, add).0);
        }
        let mut taken = Vec::new();
        loop {
            let group = pending.take();
            taken.push((group.moves.len(), group.others.len()));
            if group.len() == 0 {
                break;
            }
        }
        assert_eq!(taken, [(256, 2), (44, 2), (0, 6), (0, 0)]);
    }

    /// Regression test: a shutdown looked like an error of the caller.
    #[tokio::test]
    async fn a_write_dropped_with_its_runtime_reports_a_shutdown() {
        let no_op: WriteFn<(), ()> = |_, _, _| Box::pin(async { Ok(()) });
        let (job, receiver) = WriteJob::new((), no_op);
        drop(job);
        let error = await_reply(receiver).await;
        assert!(
            matches!(error, Err(RawStoreError::Store(StoreError::ShuttingDown))),
            "{error:?}"
        );
    }
}
