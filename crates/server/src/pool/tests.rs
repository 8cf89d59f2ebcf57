use std::path::Path;
use std::time::Duration;

use noughts_engine::BotKind;
use noughts_rules::Variant;
use tokio::task::yield_now;

use super::*;
use crate::middleware::{TaskOwner, VisitorKey};

/// A pool whose folder has no tables.
fn pool() -> EnginePool {
    EnginePool::new(Path::new("/nowhere"), 1 << 30)
}

fn play(variant: &str) -> AnyGameState {
    AnyGameState::new(variant.parse().expect("a variant"))
}

fn bot(pool: &EnginePool, kind: BotKind, variant: Variant) -> BotPlayer {
    BotPlayer::new(kind, variant, &pool.bot_settings(variant)).expect("it plays this")
}

/// Somebody, from an address of their own.
fn visitor(number: usize) -> TaskOwner {
    let address = std::net::IpAddr::from((number as u128).to_be_bytes());
    TaskOwner {
        visitor: VisitorKey::Address(address),
        address,
    }
}

/// Somebody else from the address of the first.
fn neighbour(number: u8) -> TaskOwner {
    TaskOwner {
        visitor: VisitorKey::Token([number; 32]),
        address: visitor(1).address,
    }
}

/// Waits for something that threads bring about; a test that waits in vain is killed
/// by its limit and never passes.
async fn until(mut is: impl FnMut() -> bool) {
    while !is() {
        yield_now().await;
        std::thread::yield_now();
    }
}

fn running(pool: &EnginePool) -> (usize, usize) {
    let [moves, analyses] = pool.load();
    (moves.running, analyses.running)
}

#[tokio::test]
async fn a_bot_moves() {
    let pool = pool();
    let play = play("classic");
    let job = pool.start_bot_move(
        visitor(1),
        &bot(&pool, BotKind::Medium, play.variant()),
        &play,
        SearchLimits::NONE,
    );
    let report = job.result().await.expect("a move");
    assert_eq!(report.best.as_deref(), Some("b2"));
    until(|| running(&pool) == (0, 0)).await;
}

#[tokio::test]
async fn dropping_a_job_stops_the_bot() {
    let pool = pool();
    let play = play("ultimate");
    let endless = SearchLimits::time(Duration::from_secs(3600));
    let job = pool.start_bot_move(
        visitor(1),
        &bot(&pool, BotKind::Mcts, play.variant()),
        &play,
        endless,
    );
    until(|| running(&pool).0 == 1).await;
    drop(job);
    until(|| running(&pool).0 == 0).await;
}

#[tokio::test]
async fn dropping_an_analysis_stops_it() {
    let pool = pool();
    let mut watching = pool
        .start_analysis(visitor(1), &play("ultimate"), SearchLimits::NONE)
        .expect("room for one");
    assert!(watching.next_after(0).await.is_some(), "a first report");
    assert_eq!(running(&pool).1, 1);
    drop(watching);
    until(|| running(&pool).1 == 0).await;
}

/// However many analyses there are, a bot's move waits for none of them.
#[tokio::test]
async fn analyses_do_not_delay_moves() {
    let pool = pool();
    let deep = play("ultimate");
    let mut all = Vec::new();
    for number in 0..LEAST_ANALYSES + 20 {
        let analysis = pool.start_analysis(visitor(number), &deep, SearchLimits::NONE);
        all.push(analysis.expect("room in the queue"));
    }
    until(|| running(&pool).1 >= LEAST_ANALYSES).await;
    let play = play("classic");
    let medium = bot(&pool, BotKind::Medium, play.variant());
    for _ in 0..100 {
        let done = pool
            .start_bot_move(visitor(1), &medium, &play, SearchLimits::NONE)
            .result()
            .await;
        assert!(done.is_ok());
    }
    // Nobody's analysis has ended for it: the endless ones are still at work.
    assert!(running(&pool).1 >= LEAST_ANALYSES);
    assert!(pool.load()[1].waiting > 0);
    drop(all);
    until(|| pool.load()[1] == Load::default()).await;
}

#[tokio::test]
async fn a_visitors_newest_analyses_replace_the_oldest() {
    let pool = pool();
    let deep = play("ultimate");
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

/// The queue is finite, and places in it that nobody wants any more are free.
#[tokio::test]
async fn too_many_analyses_are_refused() {
    let pool = pool();
    let deep = play("ultimate");
    let mut all = Vec::new();
    let refused = loop {
        match pool.start_analysis(visitor(all.len()), &deep, SearchLimits::NONE) {
            Ok(analysis) => all.push(analysis),
            Err(error) => break error,
        }
    };
    assert_eq!(refused.kind, Kind::Busy);
    assert!(all.len() >= ANALYSES_WAITING);
    all.clear();
    assert!(
        pool.start_analysis(visitor(3), &deep, SearchLimits::NONE)
            .is_ok()
    );
}

#[tokio::test]
async fn an_analysis_tells_all_it_knows_at_its_end() {
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
fn a_table_that_cannot_be_built_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tables");
    // A file where the folder should be.
    std::fs::write(&file, "").expect("a file");
    let shelf = Arc::new(TablebaseCache::open(folder.path()));
    let variant = Variant::TIC_TAC_TWO;
    assert_eq!(shelf.status(Variant::CLASSIC), TablebaseStatus::Unsupported);
    assert_eq!(shelf.status(variant), TablebaseStatus::Missing(None));
    shelf.start_build();
    while matches!(shelf.status(variant), TablebaseStatus::Building(_)) {
        std::thread::yield_now();
    }
    assert!(matches!(
        shelf.status(variant),
        TablebaseStatus::Missing(Some(_))
    ));
}

const ENDLESS: SearchLimits = SearchLimits::time(Duration::from_secs(3600));

/// However many games somebody plays against bots that think, the bots of others move.
#[tokio::test]
async fn one_visitors_bots_do_not_delay_others() {
    let pool = pool();
    let deep = play("ultimate");
    let mcts = bot(&pool, BotKind::Mcts, deep.variant());
    // Each game has a bot of its own, which thinks about one move at a time.
    let think = |owner| {
        let mcts = bot(&pool, BotKind::Mcts, deep.variant());
        pool.start_bot_move(owner, &mcts, &deep, ENDLESS)
    };
    let mut mine: Vec<BotJob> = (0..18).map(|_| think(visitor(1))).collect();
    mine.extend((0..18).map(|number| think(neighbour(number))));
    until(|| running(&pool).0 > 0).await;
    // One that answers at once does so for everybody.
    let small = play("classic");
    for kind in [
        BotKind::Random,
        BotKind::Easy,
        BotKind::Medium,
        BotKind::Hard,
    ] {
        let quick = bot(&pool, kind, small.variant());
        for owner in [visitor(1), visitor(2)] {
            let done = pool
                .start_bot_move(owner, &quick, &small, SearchLimits::NONE)
                .result()
                .await;
            assert!(done.is_ok(), "{kind}");
        }
    }
    // One that thinks finds a thread that the others do not have.
    let brief = SearchLimits::time(Duration::from_millis(20));
    let done = pool
        .start_bot_move(visitor(2), &mcts, &deep, brief)
        .result()
        .await;
    assert!(done.is_ok());
    drop(mine);
    until(|| running(&pool).0 == 0).await;
}

/// Hints wait for no analysis.
#[tokio::test]
async fn analyses_do_not_delay_hints() {
    let pool = pool();
    let deep = play("ultimate");
    let all: Vec<_> = (0..20)
        .map(|number| pool.start_analysis(visitor(number), &deep, SearchLimits::NONE))
        .collect();
    until(|| running(&pool).1 >= LEAST_ANALYSES).await;
    let small = play("classic");
    let best = bot(&pool, BotKind::Best, small.variant());
    let limits = SearchLimits::nodes(100);
    let hint = pool
        .start_hint(visitor(30), &best, &small, limits)
        .result()
        .await;
    assert!(hint.is_ok());
    assert!(all.iter().all(Result::is_ok));
}

/// Whoever comes from one address leaves a thread to the others.
#[tokio::test]
async fn an_address_never_has_all_threads() {
    let pool = pool();
    let deep = play("ultimate");
    let _mine: Vec<_> = (0..10)
        .map(|number| pool.start_analysis(neighbour(number), &deep, SearchLimits::NONE))
        .collect();
    until(|| running(&pool).1 >= LEAST_ANALYSES - 1).await;
    let mut theirs = pool
        .start_analysis(visitor(2), &deep, SearchLimits::NONE)
        .expect("room");
    assert!(theirs.next_after(0).await.is_some(), "it has begun");
    assert!(!theirs.is_queued());
}

fn crew(threads: usize) -> WorkerPool {
    WorkerPool::new(
        "test",
        PoolConfig {
            threads,
            max_waiting: 100,
            max_per_visitor: 1,
            max_reviews: 1,
            priority: Priority::Normal,
        },
    )
}

fn task(owner: TaskOwner) -> TaskInfo {
    about(owner, &play("classic"))
}

/// Work that ends when it is stopped.
fn endless(about: &TaskInfo) -> impl FnOnce() + Send + 'static {
    let stop = about.stop.clone();
    move || {
        while !stop.is_stopped() {
            std::thread::yield_now();
        }
    }
}

#[tokio::test]
async fn turns_go_round_among_addresses_and_visitors() {
    let crew = crew(1);
    let (gate, wait) = std::sync::mpsc::channel::<()>();
    let blocks = move || {
        let _ = wait.recv();
    };
    assert!(crew.submit(blocks, &task(visitor(9))));
    until(|| crew.load().running == 1).await;
    let (tell, told) = std::sync::mpsc::channel();
    for (owner, name) in [
        (visitor(1), "a1"),
        (visitor(1), "a2"),
        (visitor(1), "a3"),
        (neighbour(7), "b1"),
        (visitor(2), "c1"),
        (visitor(2), "c2"),
    ] {
        let tell = tell.clone();
        let work = move || {
            let _ = tell.send(name);
        };
        assert!(crew.submit(work, &task(owner)));
    }
    drop((gate, tell));
    let order: Vec<&str> = told.iter().collect();
    assert_eq!(order, ["a1", "c1", "b1", "c2", "a2", "a3"]);
}

/// An analysis that has had its share ends for somebody who waits, and for nobody else.
#[tokio::test]
async fn those_who_wait_get_a_turn() {
    let crew = crew(1);
    let (mine, again, theirs) = (task(visitor(1)), task(visitor(1)), task(visitor(2)));
    assert!(crew.submit(endless(&mine), &mine));
    until(|| crew.load().running == 1).await;
    crew.preempt_expired(Duration::ZERO);
    assert!(crew.submit(endless(&again), &again));
    crew.preempt_expired(Duration::ZERO);
    assert!(!mine.stop.is_stopped(), "no one else waits");
    assert!(crew.submit(endless(&theirs), &theirs));
    crew.preempt_expired(Duration::from_secs(3600));
    assert!(!mine.stop.is_stopped(), "it has not had its share");
    crew.preempt_expired(Duration::ZERO);
    assert!(mine.stop.is_stopped() && mine.preempted.is_stopped());
    until(|| {
        crew.load()
            == Load {
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
async fn large_tasks_are_done_one_after_the_other() {
    assert!(about(visitor(1), &play("ception:depth=6")).is_large);
    assert!(!about(visitor(1), &play("ception:depth=5")).is_large);
    let crew = crew(4);
    let large = |number| TaskInfo {
        is_large: true,
        ..task(visitor(number))
    };
    let (first, second, small) = (large(1), large(2), task(visitor(3)));
    for about in [&first, &second, &small] {
        assert!(crew.submit(endless(about), about));
    }
    until(|| crew.load().running == 2).await;
    small.stop.stop();
    until(|| crew.load().running == 1).await;
    assert_eq!(crew.load().waiting, 1, "though threads are free");
    first.stop.stop();
    until(|| crew.load().waiting == 0).await;
    second.stop.stop();
}

/// The tables of every game once stayed until the game ended: 17 MB each, whatever the
/// number of games.
#[tokio::test]
async fn bots_share_one_memory_budget() {
    let budget = 16 << 20;
    let pool = EnginePool::new(Path::new("/nowhere"), budget);
    let deep = play("ultimate");
    let limits = SearchLimits::nodes(2000);
    let each = bot(&pool, BotKind::Best, deep.variant()).max_memory();
    let bots: Vec<BotPlayer> = (0..budget / each + 2)
        .map(|_| bot(&pool, BotKind::Best, deep.variant()))
        .collect();
    for best in &bots {
        pool.start_bot_move(visitor(1), best, &deep, limits)
            .result()
            .await
            .expect("a move");
        assert!(pool.memory.used() <= budget);
        let held: usize = bots.iter().map(BotPlayer::memory).sum();
        assert!(held <= budget, "{held} bytes in all");
    }
    // The one that thought last has its tables, the first lost them, and thinks all the same.
    assert!(bots.last().is_some_and(|last| last.memory() > 0));
    assert_eq!(bots[0].memory(), 0);
    pool.start_bot_move(visitor(1), &bots[0], &deep, limits)
        .result()
        .await
        .expect("a move");
    assert!(bots[0].memory() > 0);
    drop(bots);
    // A game's tables go with it, as soon as the thread has let go of the last bot.
    until(|| pool.memory.used() == 0).await;
}

/// However small the budget, bots and analyses work.
#[tokio::test]
async fn a_tiny_budget_is_enough_to_think() {
    let pool = EnginePool::new(Path::new("/nowhere"), 0);
    let deep = play("ultimate");
    for kind in BotKind::ALL {
        if let Ok(computer) =
            BotPlayer::new(kind, deep.variant(), &pool.bot_settings(deep.variant()))
        {
            let done = pool
                .start_bot_move(visitor(1), &computer, &deep, SearchLimits::nodes(100))
                .result()
                .await;
            assert!(done.expect("a move").best.is_some(), "{kind}");
        }
    }
    let analysis = pool
        .start_analysis(visitor(1), &deep, SearchLimits::nodes(100))
        .expect("room");
    assert!(analysis.join().await.1.best.is_some());
}

/// Guards reviews that saved what a look had found before it made room for others.
#[tokio::test]
async fn a_look_of_a_review_is_never_cut_off() {
    let crew = crew(1);
    let (look, other) = (task(visitor(1)), task(visitor(2)));
    let look = TaskInfo {
        is_review: true,
        ..look
    };
    assert!(crew.submit(endless(&look), &look));
    until(|| crew.load().running == 1).await;
    assert!(crew.submit(endless(&other), &other));
    crew.preempt_expired(Duration::ZERO);
    assert!(!look.stop.is_stopped(), "it has nodes left");
    look.stop.stop();
    other.stop.stop();

    let pool = pool();
    let deep = play("ultimate");
    let limits = SearchLimits::nodes(20_000);
    let alone = pool
        .start_review_search(visitor(1), &deep, limits)
        .expect("room");
    let alone = alone.join().await;
    assert_eq!(alone.0, AnalysisEnd::Complete);

    // All threads but one analyze, one looks, and others wait.
    let mut all = Vec::new();
    let look = pool
        .start_review_search(visitor(1), &deep, limits)
        .expect("room");
    for number in 2..40 {
        let analysis = pool.start_analysis(visitor(number), &deep, SearchLimits::NONE);
        all.push(analysis.expect("room"));
    }
    until(|| pool.load()[1].waiting > 0).await;
    let mut finish = std::pin::pin!(look.join());
    let looked = loop {
        // Whatever runs has had its share.
        pool.analyses.preempt_expired(Duration::ZERO);
        match futures_util::FutureExt::now_or_never(&mut finish) {
            Some(looked) => break looked,
            None => std::thread::yield_now(),
        }
    };
    assert_eq!(looked.0, AnalysisEnd::Complete);
    let told = |report: &noughts_engine::SearchReport<String>| {
        (
            report.value,
            report.best.clone(),
            report.depth,
            report.nodes,
        )
    };
    assert_eq!(told(&looked.1), told(&alone.1), "the same on a busy server");
}

/// Whoever waits for the end learns whether it is one.
#[tokio::test]
async fn an_analysis_that_was_cut_off_says_so() {
    let pool = pool();
    let deep = play("ultimate");
    let mut all = Vec::new();
    for number in 1..40 {
        let analysis = pool.start_analysis(visitor(number), &deep, SearchLimits::NONE);
        all.push(analysis.expect("room"));
    }
    until(|| pool.load()[1].waiting > 0 && running(&pool).1 >= LEAST_ANALYSES).await;
    pool.analyses.preempt_expired(Duration::ZERO);
    let ends = all.into_iter().map(|one| Box::pin(one.join()));
    let ((ending, report), _, rest) = futures_util::future::select_all(ends).await;
    assert_eq!(ending, AnalysisEnd::Stopped);
    assert!(report.note.is_some_and(|note| note.contains("others wait")));
    drop(rest);
}

/// Guards looks that took 16 MiB on every thread, whatever the budget.
#[tokio::test]
async fn looks_stay_within_the_budget_of_analyses() {
    for for_analyses in [0, 1 << 20, 16 << 20, 64 << 20, ANALYSES_MEMORY] {
        for threads in [LEAST_ANALYSES, 7, 64] {
            let looks = most_looks(for_analyses, threads);
            assert!((1..=threads).contains(&looks));
            let each = analysis_memory(for_analyses, threads, looks);
            assert!(each >= LEAST_MEMORY);
            // Below that, one look and the least tables are what is needed to work at all.
            let least = review::MEMORY_BYTES + threads * LEAST_MEMORY;
            for looking in [0, looks] {
                let used = looking * review::MEMORY_BYTES + (threads - looking) * each;
                let most = for_analyses.max(least);
                assert!(used <= most, "{used} of {for_analyses}, {threads} threads");
            }
        }
    }

    let crew = crew(4);
    let look = |number| TaskInfo {
        is_review: true,
        ..task(visitor(number))
    };
    let (first, second, other) = (look(1), look(2), task(visitor(3)));
    for about in [&first, &second, &other] {
        assert!(crew.submit(endless(about), about));
    }
    until(|| crew.load().running == 2).await;
    other.stop.stop();
    until(|| crew.load().running == 1).await;
    assert_eq!(crew.load().waiting, 1, "though threads are free");
    first.stop.stop();
    until(|| crew.load().waiting == 0).await;
    second.stop.stop();
}
