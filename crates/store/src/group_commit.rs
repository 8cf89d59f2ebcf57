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

use crate::error::{StoreError, StoreFailure};
use crate::moves::{self, NewMove};
use crate::store::Store;

/// The maximum number of writes per transaction, so that the first one doesn't wait long.
const MAX_GROUP: usize = 256;

/// The maximum number of other writes in a transaction with moves; each takes longer than all the
/// moves.
const MAX_OTHERS_WITH_MOVES: usize = 2;

pub(crate) type WriteFuture<'c, T> =
    Pin<Box<dyn Future<Output = Result<T, StoreFailure>> + Send + 'c>>;

/// A write within a transaction. It may run a second time, if the first transaction was rolled back
/// because of another write.
pub(crate) type WriteFn<E, T> =
    for<'c> fn(&'c Store, &'c E, &'c mut SqliteConnection) -> WriteFuture<'c, T>;

/// The queue of pending writes.
#[derive(Default)]
pub(crate) struct WriteQueue(Mutex<PendingWrites>);

#[derive(Default)]
struct PendingWrites {
    moves: VecDeque<QueuedWrite>,
    others: VecDeque<QueuedWrite>,
    /// A worker is running and will find new writes.
    has_worker: bool,
}

impl PendingWrites {
    fn add(&mut self, write: QueuedWrite) {
        match write {
            QueuedWrite::Move(..) => self.moves.push_back(write),
            QueuedWrite::Other(_) => self.others.push_back(write),
        }
    }

    /// The next group: the oldest writes, moves before all others.
    fn take(&mut self) -> Vec<QueuedWrite> {
        let moves = self.moves.len().min(MAX_GROUP);
        let others = match moves {
            0 => MAX_GROUP,
            _ => MAX_OTHERS_WITH_MOVES,
        };
        let others = self.others.len().min(others);
        let mut writes: Vec<QueuedWrite> = self.moves.drain(..moves).collect();
        writes.extend(self.others.drain(..others));
        writes
    }
}

/// A queued write and where its result goes.
enum QueuedWrite {
    Move(NewMove, PendingReply<()>),
    Other(Box<dyn ErasedWrite>),
}

/// The result so far, and the channel to send it to once it is on disk.
struct PendingReply<T> {
    result: Option<Result<T, StoreFailure>>,
    sender: oneshot::Sender<Result<T, StoreFailure>>,
}

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
    pub(crate) async fn submit_write<E, T>(
        &self,
        input: E,
        write: WriteFn<E, T>,
    ) -> Result<T, StoreError>
    where
        E: Send + Sync + 'static,
        T: Send + 'static,
    {
        let (reply, receiver) = reply_channel();
        let other = WriteJob {
            input,
            write,
            reply,
        };
        self.enqueue(QueuedWrite::Other(Box::new(other)));
        self.with_error_context(await_reply(receiver)).await
    }

    /// Queues a move in the same way.
    pub(crate) async fn submit_move(&self, new: NewMove) -> Result<(), StoreError> {
        let (reply, receiver) = reply_channel();
        self.enqueue(QueuedWrite::Move(new, reply));
        self.with_error_context(await_reply(receiver)).await
    }

    /// Waits until everything queued is written.
    pub(crate) async fn flush(&self) {
        while self.queue().pending().has_worker {
            let no_op: WriteFn<(), ()> = |_, _, _| Box::pin(async { Ok(()) });
            let _ = self.submit_write((), no_op).await;
        }
    }

    /// The worker is a separate task, because the caller may be canceled at any time.
    fn enqueue(&self, write: QueuedWrite) {
        // A runtime that shuts down drops the worker at once, which takes the same lock.
        let had_worker = {
            let mut pending = self.queue().pending();
            pending.add(write);
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

fn reply_channel<T>() -> (PendingReply<T>, oneshot::Receiver<Result<T, StoreFailure>>) {
    let (sender, receiver) = oneshot::channel();
    let reply = PendingReply {
        result: None,
        sender,
    };
    (reply, receiver)
}

async fn await_reply<T>(
    receiver: oneshot::Receiver<Result<T, StoreFailure>>,
) -> Result<T, StoreFailure> {
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
        while let Some(writes) = self.next() {
            self.store.write_all(writes).await;
        }
    }

    fn next(&mut self) -> Option<Vec<QueuedWrite>> {
        let mut pending = self.store.queue().pending();
        let writes = pending.take();
        if writes.is_empty() {
            pending.has_worker = false;
            self.done = true;
            return None;
        }
        Some(writes)
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
    async fn write_all(&self, mut writes: Vec<QueuedWrite>) {
        if writes.len() > 1 {
            match self.write_group(&mut writes).await {
                Ok(()) => {
                    self.record_write_result(true);
                    return writes.into_iter().for_each(QueuedWrite::send_reply);
                }
                // Writing is impossible for now, so don't try each one.
                Err(GroupFailure::Unavailable(failure)) => {
                    self.record_write_result(false);
                    for write in writes {
                        write.fail(failure.duplicate(self.file()));
                    }
                    return;
                }
                // One of them must be the cause, and the others must not fail because of it.
                Err(GroupFailure::RolledBack) => {}
            }
        }
        for mut write in writes {
            let done = self.write_alone(&mut write).await;
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

    async fn write_alone(&self, write: &mut QueuedWrite) -> Result<(), StoreFailure> {
        let mut tx = self.begin_write().await?;
        write.attempt(self, &mut tx).await?;
        match write.is_rejected() {
            true => Ok(tx.rollback().await?),
            false => self.commit(tx, 1).await,
        }
    }

    async fn write_group(&self, writes: &mut [QueuedWrite]) -> Result<(), GroupFailure> {
        let mut tx = self
            .begin_write()
            .await
            .map_err(GroupFailure::Unavailable)?;
        let all = async {
            self.add_moves(writes, &mut tx).await?;
            for write in writes.iter_mut().filter(|write| !write.is_done()) {
                let mut savepoint = tx.begin().await?;
                write.attempt(self, &mut savepoint).await?;
                match write.is_rejected() {
                    true => savepoint.rollback().await?,
                    false => savepoint.commit().await?,
                }
            }
            Ok::<(), StoreFailure>(())
        };
        all.await.map_err(|_| GroupFailure::RolledBack)?;
        let committed = self.commit(tx, writes.len()).await;
        committed.map_err(|failure| match failure {
            // The file is gone, for all of them.
            StoreFailure::Store(_) => GroupFailure::Unavailable(failure),
            _ => GroupFailure::RolledBack,
        })
    }

    /// Adds all moves that are valid, with few statements. The rest are tried one at a time, to get
    /// their errors.
    async fn add_moves(
        &self,
        writes: &mut [QueuedWrite],
        tx: &mut SqliteConnection,
    ) -> Result<(), StoreFailure> {
        // If a game has two moves, the second depends on the first.
        let mut games = HashSet::new();
        let mut first_moves: Vec<(&NewMove, &mut PendingReply<()>)> = Vec::new();
        for write in writes {
            if let QueuedWrite::Move(new, reply) = write
                && games.insert(new.game)
            {
                first_moves.push((new, reply));
            }
        }
        let new_moves: Vec<&NewMove> = first_moves.iter().map(|(new, _)| *new).collect();
        let added = moves::add(tx, &new_moves, self.process().uid()).await?;
        for (new, reply) in first_moves {
            if added.contains(&new.game) {
                reply.result = Some(Ok(()));
            }
        }
        Ok(())
    }
}

/// Why a group couldn't be written.
enum GroupFailure {
    /// The transaction couldn't start, or the file is gone.
    Unavailable(StoreFailure),
    /// The transaction failed and was rolled back.
    RolledBack,
}

impl QueuedWrite {
    /// Runs the write within a transaction. A rejection is a result; an error invalidates the
    /// transaction.
    async fn attempt(
        &mut self,
        store: &Store,
        tx: &mut SqliteConnection,
    ) -> Result<(), StoreFailure> {
        match self {
            QueuedWrite::Move(new, reply) => reply.record(moves::add_one(store, tx, new).await),
            QueuedWrite::Other(other) => other.attempt(store, tx).await,
        }
    }

    fn is_done(&self) -> bool {
        matches!(self, QueuedWrite::Move(_, reply) if reply.result.is_some())
    }

    fn is_rejected(&self) -> bool {
        match self {
            QueuedWrite::Move(_, reply) => reply.is_rejected(),
            QueuedWrite::Other(other) => other.is_rejected(),
        }
    }

    fn send_reply(self) {
        match self {
            QueuedWrite::Move(_, reply) => reply.send_reply(),
            QueuedWrite::Other(other) => other.send_reply(),
        }
    }

    fn fail(self, failure: StoreFailure) {
        match self {
            QueuedWrite::Move(_, reply) => reply.fail(failure),
            QueuedWrite::Other(other) => other.fail(failure),
        }
    }
}

impl<T> PendingReply<T> {
    fn record(&mut self, result: Result<T, StoreFailure>) -> Result<(), StoreFailure> {
        match result {
            Err(failure @ StoreFailure::Sql(_)) => Err(failure),
            result => {
                self.result = Some(result);
                Ok(())
            }
        }
    }

    fn is_rejected(&self) -> bool {
        matches!(self.result, Some(Err(_)))
    }

    /// The caller may have been canceled meanwhile.
    fn send_reply(self) {
        if let Some(result) = self.result {
            let _ = self.sender.send(result);
        }
    }

    fn fail(self, failure: StoreFailure) {
        let _ = self.sender.send(Err(failure));
    }
}

/// A write of any input and output type.
trait ErasedWrite: Send {
    fn attempt<'c>(
        &'c mut self,
        store: &'c Store,
        tx: &'c mut SqliteConnection,
    ) -> WriteFuture<'c, ()>;
    fn is_rejected(&self) -> bool;
    fn send_reply(self: Box<Self>);
    fn fail(self: Box<Self>, failure: StoreFailure);
}

struct WriteJob<E, T> {
    input: E,
    write: WriteFn<E, T>,
    reply: PendingReply<T>,
}

impl<E: Send + Sync, T: Send> ErasedWrite for WriteJob<E, T> {
    fn attempt<'c>(
        &'c mut self,
        store: &'c Store,
        tx: &'c mut SqliteConnection,
    ) -> WriteFuture<'c, ()> {
        Box::pin(async move {
            let result = (self.write)(store, &self.input, tx).await;
            self.reply.record(result)
        })
    }

    fn is_rejected(&self) -> bool {
        self.reply.is_rejected()
    }

    fn send_reply(self: Box<Self>) {
        self.reply.send_reply();
    }

    fn fail(self: Box<Self>, failure: StoreFailure) {
        self.reply.fail(failure);
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
                pending.add(QueuedWrite::Other(Box::new(WriteJob {
                    input: (),
                    write: no_op,
                    reply: reply_channel().0,
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
            pending.add(QueuedWrite::Move(new, reply_channel().0));
        }
        let mut taken = Vec::new();
        loop {
            let writes = pending.take();
            let is_move = |write: &&QueuedWrite| matches!(write, QueuedWrite::Move(..));
            let moves = writes.iter().filter(is_move).count();
            taken.push((moves, writes.len() - moves));
            if writes.is_empty() {
                break;
            }
        }
        assert_eq!(taken, [(256, 2), (44, 2), (0, 6), (0, 0)]);
    }

    /// Regression test: a shutdown looked like an error of the caller.
    #[tokio::test]
    async fn a_write_dropped_with_its_runtime_reports_a_shutdown() {
        let (reply, receiver) = reply_channel::<()>();
        drop(reply);
        let error = await_reply(receiver).await;
        assert!(
            matches!(error, Err(StoreFailure::Store(StoreError::ShuttingDown))),
            "{error:?}"
        );
    }
}
