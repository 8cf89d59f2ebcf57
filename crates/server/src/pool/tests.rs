use std::path::Path;
use std::time::Duration;

use noughts_engine::BotKind;
use noughts_rules::Variant;
use tokio::task::yield_now;

use super::*;
use crate::middleware::{TaskOwner, VisitorKey};

/// A pool whose data folder has no tablebases.
fn pool() -> EnginePool {
    EnginePool::new(Path::new("/nowhere"), 1 << 30)
}

fn new_state(variant: &str) -> AnyGameState {
    AnyGameState::new(variant.parse().expect("a variant"))
}

fn bot(pool: &EnginePool, kind: BotKind, variant: Variant) -> BotPlayer {
    BotPlayer::new(kind, variant, &pool.bot_settings(variant)).expect("it plays this")
}

/// A visitor with an address of their own.
fn visitor(number: usize) -> TaskOwner {
    let address = std::net::IpAddr::from((number as u128).to_be_bytes());
    TaskOwner {
        visitor: VisitorKey::Address(address),
        address,
    }
}

/// Another visitor from the address of visitor 1.
fn neighbor(number: u8) -> TaskOwner {
    TaskOwner {
        visitor: VisitorKey::Token([number; 32]),
        address: visitor(1).address,
    }
}

/// Waits for a condition that other threads bring about. If it never comes, the test runner's
/// timeout ends the test.
async fn until(mut condition: impl FnMut() -> bool) {
    while !condition() {
        yield_now().await;
        std::thread::yield_now();
    }
}

fn running(pool: &EnginePool) -> (usize, usize) {
    let [moves, analyses] = pool.load();
    (moves.running, analyses.running)
}

#[tokio::test]
async fn a_bot_job_returns_a_move() {
    let pool = pool();
    let state = new_state("classic");
    let job = pool.start_bot_move(
        visitor(1),
        &bot(&pool, BotKind::Medium, state.variant()),
        &state,
        SearchLimits::NONE,
    );
    let report = job.await.expect("a move");
    assert_eq!(report.best.as_deref(), Some("b2"));
    until(|| running(&pool) == (0, 0)).await;
}

#[tokio::test]
async fn dropping_a_job_stops_the_bot() {
    let pool = pool();
    let state = new_state("ultimate");
    let endless = SearchLimits::time(Duration::from_secs(3600));
    let job = pool.start_bot_move(
        visitor(1),
        &bot(&pool, BotKind::Mcts, state.variant()),
        &state,
        endless,
    );
    until(|| running(&pool).0 == 1).await;
    drop(job);
    until(|| running(&pool).0 == 0).await;
}

#[tokio::test]
async fn dropping_an_analysis_stops_it() {
    let pool = pool();
    let mut handle = pool
        .start_analysis(visitor(1), &new_state("ultimate"), SearchLimits::NONE)
        .expect("room for one");
    assert!(handle.next_after(0).await.is_some(), "a first report");
    assert_eq!(running(&pool).1, 1);
    drop(handle);
    until(|| running(&pool).1 == 0).await;
}

/// However many analyses there are, a bot's move doesn't wait for them.
#[tokio::test]
async fn analyses_do_not_delay_moves() {
    let pool = pool();
    let deep = new_state("ultimate");
    let mut all = Vec::new();
    for number in 0..MIN_ANALYSIS_THREADS + 20 {
        let analysis = pool.start_analysis(visitor(number), &deep, SearchLimits::NONE);
        all.push(analysis.expect("room in the queue"));
    }
    until(|| running(&pool).1 >= MIN_ANALYSIS_THREADS).await;
    let state = new_state("classic");
    let medium = bot(&pool, BotKind::Medium, state.variant());
    for _ in 0..100 {
        let result = pool
            .start_bot_move(visitor(1), &medium, &state, SearchLimits::NONE)
            .await;
        assert!(result.is_ok());
    }
    // No analysis has ended to make room.
    assert!(running(&pool).1 >= MIN_ANALYSIS_THREADS);
    assert!(pool.load()[1].waiting > 0);
    drop(all);
    until(|| pool.load()[1] == PoolLoad::default()).await;
}

#[tokio::test]
async fn a_visitors_newest_analyses_replace_the_oldest() {
    let pool = pool();
    let deep = new_state("ultimate");
    let mut first = pool
        .start_analysis(visitor(1), &deep, SearchLimits::NONE)
        .expect("room");
    let _second = pool
        .start_analysis(visitor(1), &deep, SearchLimits::NONE)
        .expect("room");
    let _bobs = pool
        .start_analysis(visitor(2), &deep, SearchLimits::NONE)
        .expect("room");
    until(|| running(&pool).1 == 3).await;
    let _third = pool
        .start_analysis(visitor(1), &deep, SearchLimits::NONE)
        .expect("room");
    first.wait_until_done().await;
    until(|| running(&pool).1 == 3).await;
}

/// The queue is bounded, and canceled tasks don't count.
#[tokio::test]
async fn too_many_analyses_are_refused() {
    let pool = pool();
    let deep = new_state("ultimate");
    let mut all = Vec::new();
    let refused = loop {
        match pool.start_analysis(visitor(all.len()), &deep, SearchLimits::NONE) {
            Ok(analysis) => all.push(analysis),
            Err(error) => break error,
        }
    };
    assert_eq!(refused.kind, ApiErrorKind::Busy);
    assert!(all.len() >= MAX_QUEUED_ANALYSES);
    all.clear();
    assert!(
        pool.start_analysis(visitor(3), &deep, SearchLimits::NONE)
            .is_ok()
    );
}

#[tokio::test]
async fn a_finished_analysis_returns_its_report() {
    let pool = pool();
    let solved = AnyGameState::from_text(Variant::CLASSIC, "xox/.o./ox. x").expect("a position");
    let analysis = pool.start_analysis(visitor(1), &solved, SearchLimits::nodes(10_000));
    let (ending, report) = analysis.expect("room").join().await;
    assert_eq!(ending, AnalysisEnd::Complete);
    assert_eq!(report.value.to_string(), "draw");
    assert!(
        report
            .moves
            .iter()
            .all(|ranked| ranked.value.exact().is_some())
    );
}

#[test]
fn a_failed_tablebase_build_has_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tables");
    // A file in place of the folder.
    std::fs::write(&file, "").expect("a file");
    let cache = Arc::new(TablebaseCache::open(folder.path()));
    let variant = Variant::TIC_TAC_TWO;
    assert_eq!(cache.status(Variant::CLASSIC), TablebaseStatus::Unsupported);
    assert_eq!(cache.status(variant), TablebaseStatus::Missing(None));
    cache.start_build(variant);
    while matches!(cache.status(variant), TablebaseStatus::Building(_)) {
        std::thread::yield_now();
    }
    assert!(matches!(
        cache.status(variant),
        TablebaseStatus::Missing(Some(_))
    ));
}

const ENDLESS: SearchLimits = SearchLimits::time(Duration::from_secs(3600));

/// However many games one visitor plays against bots that search, the bots of others move.
#[tokio::test]
async fn one_visitors_bots_do_not_delay_others() {
    let pool = pool();
    let deep = new_state("ultimate");
    let mcts = bot(&pool, BotKind::Mcts, deep.variant());
    // Each game has its own bot, which thinks about one move at a time.
    let think = |owner| {
        let mcts = bot(&pool, BotKind::Mcts, deep.variant());
        pool.start_bot_move(owner, &mcts, &deep, ENDLESS)
    };
    let mut mine: Vec<_> = (0..18).map(|_| think(visitor(1))).collect();
    mine.extend((0..18).map(|number| think(neighbor(number))));
    until(|| running(&pool).0 > 0).await;
    // Bots that reply at once do so for everyone.
    let small = new_state("classic");
    for kind in [
        BotKind::Random,
        BotKind::Easy,
        BotKind::Medium,
        BotKind::Hard,
    ] {
        let quick = bot(&pool, kind, small.variant());
        for owner in [visitor(1), visitor(2)] {
            let result = pool
                .start_bot_move(owner, &quick, &small, SearchLimits::NONE)
                .await;
            assert!(result.is_ok(), "{kind}");
        }
    }
    // A bot that searches finds a thread that the others can't use.
    let brief = SearchLimits::time(Duration::from_millis(20));
    let result = pool.start_bot_move(visitor(2), &mcts, &deep, brief).await;
    assert!(result.is_ok());
    drop(mine);
    until(|| running(&pool).0 == 0).await;
}

#[tokio::test]
async fn analyses_do_not_delay_hints() {
    let pool = pool();
    let deep = new_state("ultimate");
    let all: Vec<_> = (0..20)
        .map(|number| pool.start_analysis(visitor(number), &deep, SearchLimits::NONE))
        .collect();
    until(|| running(&pool).1 >= MIN_ANALYSIS_THREADS).await;
    let small = new_state("classic");
    let best = bot(&pool, BotKind::Best, small.variant());
    let limits = SearchLimits::nodes(100);
    let hint = pool.start_hint(visitor(30), &best, &small, limits).await;
    assert!(hint.is_ok());
    assert!(all.iter().all(Result::is_ok));
}

#[tokio::test]
async fn an_address_never_uses_all_threads() {
    let pool = pool();
    let deep = new_state("ultimate");
    let _mine: Vec<_> = (0..10)
        .map(|number| pool.start_analysis(neighbor(number), &deep, SearchLimits::NONE))
        .collect();
    until(|| running(&pool).1 >= MIN_ANALYSIS_THREADS - 1).await;
    let mut theirs = pool
        .start_analysis(visitor(2), &deep, SearchLimits::NONE)
        .expect("room");
    assert!(theirs.next_after(0).await.is_some(), "it has begun");
    assert!(!theirs.is_queued());
}

fn lane(threads: usize) -> TaskLane {
    TaskLane {
        name: "test",
        threads,
        max_waiting: 100,
        max_per_visitor: 1,
        replaces_oldest: false,
        max_reviews: 1,
    }
}

fn new_workers(threads: usize) -> WorkerPool {
    WorkerPool::new("test", &[lane(threads)], None)
}

fn task(owner: TaskOwner) -> TaskInfo {
    task_info(lane(4), owner, &new_state("classic"))
}

/// Work that ends when it's stopped.
fn endless(task_info: &TaskInfo) -> impl FnOnce() + Send + 'static {
    let stop = task_info.stop.clone();
    move || {
        while !stop.is_stopped() {
            std::thread::yield_now();
        }
    }
}

#[tokio::test]
async fn turns_rotate_among_addresses_and_visitors() {
    let workers = new_workers(1);
    let (gate, wait) = std::sync::mpsc::channel::<()>();
    let blocks = move || {
        let _ = wait.recv();
    };
    assert!(workers.submit(blocks, &task(visitor(9))));
    until(|| workers.load().running == 1).await;
    let (sender, receiver) = std::sync::mpsc::channel();
    for (owner, name) in [
        (visitor(1), "a1"),
        (visitor(1), "a2"),
        (visitor(1), "a3"),
        (neighbor(7), "b1"),
        (visitor(2), "c1"),
        (visitor(2), "c2"),
    ] {
        let sender = sender.clone();
        let work = move || {
            let _ = sender.send(name);
        };
        assert!(workers.submit(work, &task(owner)));
    }
    drop((gate, sender));
    let order: Vec<&str> = receiver.iter().collect();
    assert_eq!(order, ["a1", "c1", "b1", "c2", "a2", "a3"]);
}

/// A lane never waits for another one, and a visitor's new task stops the oldest where it should.
#[tokio::test]
async fn lanes_have_threads_of_their_own() {
    let busy = lane(2);
    let replacing = TaskLane {
        name: "other",
        replaces_oldest: true,
        ..lane(1)
    };
    let workers = WorkerPool::new("test", &[busy, replacing], None);
    let all: Vec<TaskInfo> = (1..6).map(|number| task(visitor(number))).collect();
    for info in &all {
        let info = TaskInfo {
            lane: busy,
            ..info.clone()
        };
        assert!(workers.submit(endless(&info), &info));
    }
    until(|| workers.load().running == 2).await;
    let other = || TaskInfo {
        lane: replacing,
        ..task(visitor(1))
    };
    let (old, new) = (other(), other());
    assert!(workers.submit(endless(&old), &old));
    until(|| workers.load().running == 3).await;
    assert!(workers.submit(endless(&new), &new));
    assert!(old.stop.is_stopped() && !new.stop.is_stopped());
    until(|| workers.load().waiting == 3).await;
    assert!(all.iter().all(|info| !info.stop.is_stopped()));
    for info in all.iter().chain([&new]) {
        info.stop.stop();
    }
}

/// An analysis that has used its time slice ends only if another visitor is waiting.
#[tokio::test]
async fn expired_tasks_are_preempted_for_other_visitors() {
    let workers = new_workers(1);
    let (mine, again, theirs) = (task(visitor(1)), task(visitor(1)), task(visitor(2)));
    assert!(workers.submit(endless(&mine), &mine));
    until(|| workers.load().running == 1).await;
    workers.preempt_expired(&lane(4), Duration::ZERO);
    assert!(workers.submit(endless(&again), &again));
    workers.preempt_expired(&lane(4), Duration::ZERO);
    assert!(!mine.stop.is_stopped(), "no one else waits");
    assert!(workers.submit(endless(&theirs), &theirs));
    workers.preempt_expired(&lane(4), Duration::from_secs(3600));
    assert!(!mine.stop.is_stopped(), "it has not had its share");
    workers.preempt_expired(&lane(4), Duration::ZERO);
    assert!(mine.stop.is_stopped() && mine.preempted.is_stopped());
    until(|| {
        workers.load()
            == PoolLoad {
                running: 1,
                waiting: 1,
            }
    })
    .await;
    theirs.stop.stop();
    again.stop.stop();
}

/// The deepest boards take so much memory that one at a time is enough.
#[tokio::test]
async fn large_tasks_run_one_at_a_time() {
    assert!(task_info(lane(4), visitor(1), &new_state("ception:depth=6")).is_large);
    assert!(!task_info(lane(4), visitor(1), &new_state("ception:depth=5")).is_large);
    let workers = new_workers(4);
    let large = |number| TaskInfo {
        is_large: true,
        ..task(visitor(number))
    };
    let (first, second, small) = (large(1), large(2), task(visitor(3)));
    for task_info in [&first, &second, &small] {
        assert!(workers.submit(endless(task_info), task_info));
    }
    until(|| workers.load().running == 2).await;
    small.stop.stop();
    until(|| workers.load().running == 1).await;
    assert_eq!(workers.load().waiting, 1, "though threads are free");
    first.stop.stop();
    until(|| workers.load().waiting == 0).await;
    second.stop.stop();
}

/// Guards against keeping every game's tables until the game ends: 17 MB each, whatever the number
/// of games.
#[tokio::test]
async fn bots_share_one_memory_budget() {
    let budget = 16 << 20;
    let pool = EnginePool::new(Path::new("/nowhere"), budget);
    let deep = new_state("ultimate");
    let limits = SearchLimits::nodes(2000);
    let bot_bytes = bot(&pool, BotKind::Best, deep.variant()).max_memory();
    let bots: Vec<BotPlayer> = (0..budget / bot_bytes + 2)
        .map(|_| bot(&pool, BotKind::Best, deep.variant()))
        .collect();
    for best in &bots {
        pool.start_bot_move(visitor(1), best, &deep, limits)
            .await
            .expect("a move");
        assert!(pool.memory.used() <= budget);
        let held: usize = bots.iter().map(BotPlayer::memory).sum();
        assert!(held <= budget, "{held} bytes in all");
    }
    // The last bot has its tables, the first lost them and can think again.
    assert!(bots.last().is_some_and(|last| last.memory() > 0));
    assert_eq!(bots[0].memory(), 0);
    pool.start_bot_move(visitor(1), &bots[0], &deep, limits)
        .await
        .expect("a move");
    assert!(bots[0].memory() > 0);
    drop(bots);
    // A game's tables are freed with it, once the thread has dropped the last bot.
    until(|| pool.memory.used() == 0).await;
}

/// However small the budget is, bots and analyses work.
#[tokio::test]
async fn a_tiny_budget_is_enough_to_search() {
    let pool = EnginePool::new(Path::new("/nowhere"), 0);
    let deep = new_state("ultimate");
    for kind in BotKind::ALL {
        if let Ok(computer) =
            BotPlayer::new(kind, deep.variant(), &pool.bot_settings(deep.variant()))
        {
            let result = pool
                .start_bot_move(visitor(1), &computer, &deep, SearchLimits::nodes(100))
                .await;
            assert!(result.expect("a move").best.is_some(), "{kind}");
        }
    }
    let analysis = pool
        .start_analysis(visitor(1), &deep, SearchLimits::nodes(100))
        .expect("room");
    assert!(analysis.join().await.1.best.is_some());
}

/// Guards against reviews that saved the result of a preempted search.
#[tokio::test]
async fn a_review_search_is_never_preempted() {
    let workers = new_workers(1);
    let (review_task, other) = (task(visitor(1)), task(visitor(2)));
    let review_task = TaskInfo {
        is_review: true,
        ..review_task
    };
    assert!(workers.submit(endless(&review_task), &review_task));
    until(|| workers.load().running == 1).await;
    assert!(workers.submit(endless(&other), &other));
    workers.preempt_expired(&lane(4), Duration::ZERO);
    assert!(!review_task.stop.is_stopped(), "it has nodes left");
    review_task.stop.stop();
    other.stop.stop();

    let pool = pool();
    let deep = new_state("ultimate");
    let limits = SearchLimits::nodes(20_000);
    let alone = pool
        .start_review_search(visitor(1), &deep, limits)
        .expect("room");
    let alone = alone.join().await;
    assert_eq!(alone.0, AnalysisEnd::Complete);

    // All threads but one run analyses, one runs the review, and others are queued.
    let mut all = Vec::new();
    let review_task = pool
        .start_review_search(visitor(1), &deep, limits)
        .expect("room");
    for number in 2..40 {
        let analysis = pool.start_analysis(visitor(number), &deep, SearchLimits::NONE);
        all.push(analysis.expect("room"));
    }
    until(|| pool.load()[1].waiting > 0).await;
    let mut finish = std::pin::pin!(review_task.join());
    let result = loop {
        // Everything that runs has used its time slice.
        pool.analyses
            .preempt_expired(&pool.lanes.analyses, Duration::ZERO);
        match futures_util::FutureExt::now_or_never(&mut finish) {
            Some(result) => break result,
            None => std::thread::yield_now(),
        }
    };
    assert_eq!(result.0, AnalysisEnd::Complete);
    let summary = |report: &noughts_engine::SearchReport<String>| {
        (
            report.value,
            report.best.clone(),
            report.depth,
            report.nodes,
        )
    };
    assert_eq!(
        summary(&result.1),
        summary(&alone.1),
        "the same on a busy server"
    );
}

#[tokio::test]
async fn a_preempted_analysis_says_so() {
    let pool = pool();
    let deep = new_state("ultimate");
    let mut all = Vec::new();
    for number in 1..40 {
        let analysis = pool.start_analysis(visitor(number), &deep, SearchLimits::NONE);
        all.push(analysis.expect("room"));
    }
    until(|| pool.load()[1].waiting > 0 && running(&pool).1 >= MIN_ANALYSIS_THREADS).await;
    pool.analyses
        .preempt_expired(&pool.lanes.analyses, Duration::ZERO);
    let ends = all.into_iter().map(|one| Box::pin(one.join()));
    let ((ending, report), _, rest) = futures_util::future::select_all(ends).await;
    assert_eq!(ending, AnalysisEnd::Stopped);
    assert!(
        report
            .note
            .is_some_and(|note| note.to_string().contains("other visitors are waiting"))
    );
    drop(rest);
}

/// Guards against review searches that took 16 MiB on every thread, whatever the budget.
#[tokio::test]
async fn review_searches_stay_within_the_analysis_budget() {
    for budget in [0, 1 << 20, 16 << 20, 64 << 20, MAX_ANALYSES_MEMORY] {
        for threads in [MIN_ANALYSIS_THREADS, 7, 64] {
            let max_reviews = max_review_searches(budget, threads);
            assert!((1..=threads).contains(&max_reviews));
            let per_thread = analysis_memory(budget, threads, max_reviews);
            assert!(per_thread >= MIN_MEMORY);
            // Below that, one review and minimal tables are needed to work at all.
            let least = review::MEMORY_BYTES + threads * MIN_MEMORY;
            for running_reviews in [0, max_reviews] {
                let used = running_reviews * review::MEMORY_BYTES
                    + (threads - running_reviews) * per_thread;
                let limit = budget.max(least);
                assert!(used <= limit, "{used} of {budget}, {threads} threads");
            }
        }
    }

    let workers = new_workers(4);
    let review_task = |number| TaskInfo {
        is_review: true,
        ..task(visitor(number))
    };
    let (first, second, other) = (review_task(1), review_task(2), task(visitor(3)));
    for task_info in [&first, &second, &other] {
        assert!(workers.submit(endless(task_info), task_info));
    }
    until(|| workers.load().running == 2).await;
    other.stop.stop();
    until(|| workers.load().running == 1).await;
    assert_eq!(workers.load().waiting, 1, "though threads are free");
    first.stop.stop();
    until(|| workers.load().waiting == 0).await;
    second.stop.stop();
}
