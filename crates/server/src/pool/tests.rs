use std::path::Path;
use std::time::Duration;

use noughts_engine::BotKind;
use noughts_rules::Variant;
use tokio::task::yield_now;

use super::*;
use crate::guard::Key;

/// A pool whose folder has no tables.
fn pool() -> Pool {
    Pool::new(Path::new("/nowhere"))
}

fn play(variant: &str) -> AnyPlay {
    AnyPlay::new(variant.parse().expect("a variant"))
}

fn bot(pool: &Pool, kind: BotKind, variant: Variant) -> Computer {
    Computer::new(kind, variant, &pool.settings(variant)).expect("it plays this")
}

/// Somebody.
fn visitor(number: usize) -> Key {
    Key::Address(std::net::IpAddr::from((number as u128).to_be_bytes()))
}

/// Waits for something that threads bring about; a test that waits in vain is killed
/// by its limit and never passes.
async fn until(mut is: impl FnMut() -> bool) {
    while !is() {
        yield_now().await;
        std::thread::yield_now();
    }
}

fn running(pool: &Pool) -> (usize, usize) {
    let [moves, analyses] = pool.load();
    (moves.running, analyses.running)
}

#[tokio::test]
async fn a_bot_moves() {
    let pool = pool();
    let play = play("classic");
    let job = pool.think(
        &bot(&pool, BotKind::Medium, play.variant()),
        &play,
        Limits::NONE,
    );
    let report = job.done().await.expect("a move");
    assert_eq!(report.best.as_deref(), Some("b2"));
    until(|| running(&pool) == (0, 0)).await;
}

#[tokio::test]
async fn dropping_a_job_stops_the_bot() {
    let pool = pool();
    let play = play("ultimate");
    let endless = Limits::time(Duration::from_secs(3600));
    let job = pool.think(&bot(&pool, BotKind::Mcts, play.variant()), &play, endless);
    until(|| running(&pool).0 == 1).await;
    drop(job);
    until(|| running(&pool).0 == 0).await;
}

#[tokio::test]
async fn dropping_an_analysis_stops_it() {
    let pool = pool();
    let mut watching = pool
        .analyse(visitor(1), &play("ultimate"), Limits::NONE)
        .expect("room for one");
    assert!(watching.after(0).await.is_some(), "a first report");
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
        let analysis = pool.analyse(visitor(number), &deep, Limits::NONE);
        all.push(analysis.expect("room in the queue"));
    }
    until(|| running(&pool).1 >= LEAST_ANALYSES).await;
    let play = play("classic");
    let medium = bot(&pool, BotKind::Medium, play.variant());
    for _ in 0..100 {
        let done = pool.think(&medium, &play, Limits::NONE).done().await;
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
    let mut first = pool.analyse(visitor(1), &deep, Limits::NONE).expect("room");
    let _second = pool.analyse(visitor(1), &deep, Limits::NONE).expect("room");
    let _bobs = pool.analyse(visitor(2), &deep, Limits::NONE).expect("room");
    until(|| running(&pool).1 == 3).await;
    let _third = pool.analyse(visitor(1), &deep, Limits::NONE).expect("room");
    first.ended().await;
    until(|| running(&pool).1 == 3).await;
}

/// The queue is finite, and places in it that nobody wants any more are free.
#[tokio::test]
async fn too_many_analyses_are_refused() {
    let pool = pool();
    let deep = play("ultimate");
    let mut all = Vec::new();
    let refused = loop {
        match pool.analyse(visitor(all.len()), &deep, Limits::NONE) {
            Ok(analysis) => all.push(analysis),
            Err(error) => break error,
        }
    };
    assert_eq!(refused.kind, Kind::Busy);
    assert!(all.len() >= ANALYSES_WAITING);
    all.clear();
    assert!(pool.analyse(visitor(3), &deep, Limits::NONE).is_ok());
}

#[tokio::test]
async fn an_analysis_tells_all_it_knows_at_its_end() {
    let pool = pool();
    let solved = AnyPlay::from_text(Variant::CLASSIC, "xox/.o./ox. x").expect("a position");
    let analysis = pool.analyse(visitor(1), &solved, Limits::nodes(10_000));
    let report = analysis.expect("room").finish().await;
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
    let shelf = Arc::new(Shelf::open(folder.path()));
    let variant = Variant::TIC_TAC_TWO;
    assert_eq!(shelf.state(Variant::CLASSIC), TableState::None);
    assert_eq!(shelf.state(variant), TableState::Missing(None));
    shelf.build();
    while matches!(shelf.state(variant), TableState::Building(_)) {
        std::thread::yield_now();
    }
    assert!(matches!(shelf.state(variant), TableState::Missing(Some(_))));
}
