//! Measures moves per second on this disk: one task that waits for each of its moves, and many
//! tasks whose moves share commits.
//!
//! `cargo bench -p noughts-store`

use std::time::{Duration, Instant};

use noughts_store::{GameId, NewGame, Seat, Store, StoredMove};
use tokio::task::JoinSet;

const DURATION: Duration = Duration::from_secs(3);

/// More plies than any game here has.
const MAX_PLIES: usize = 240;

async fn create_game(store: &Store) -> GameId {
    let new = NewGame {
        variant: "mnk:16,16,16".parse().expect("a variant"),
        start: None,
        seats: [Seat::Bot("easy".into()), Seat::Bot("hard".into())],
    };
    store.create_game(&new).await.expect("created")
}

/// Runs this many tasks for a while. Returns moves per second and the sorted latencies.
async fn measure(tasks: usize) -> (f64, Vec<Duration>) {
    let dir = tempfile::tempdir_in(".").expect("a folder on the disk");
    let store = Store::open(dir.path()).await.expect("opens");
    let started = Instant::now();
    let mut all = JoinSet::new();
    for _ in 0..tasks {
        let store = store.clone();
        all.spawn(async move {
            let mut latencies = Vec::new();
            loop {
                let game = create_game(&store).await;
                for ply in 0..MAX_PLIES {
                    let mv = StoredMove {
                        text: format!("{}{}", (b'a' + (ply % 16) as u8) as char, ply / 16 + 1),
                        took: Duration::from_millis(7),
                    };
                    let sent = Instant::now();
                    store.add_move(game, ply, &mv, None).await.expect("stored");
                    latencies.push(sent.elapsed());
                    if started.elapsed() > DURATION {
                        return latencies;
                    }
                }
            }
        });
    }
    let mut latencies: Vec<Duration> = all.join_all().await.into_iter().flatten().collect();
    let rate = latencies.len() as f64 / started.elapsed().as_secs_f64();
    latencies.sort();
    store.close().await;
    (rate, latencies)
}

#[tokio::main]
async fn main() {
    println!("tasks   moves/s    ratio   p50 ms   p99 ms   max ms");
    let mut single_task_rate = None;
    for tasks in [1, 10, 100, 1000] {
        let (rate, latencies) = measure(tasks).await;
        let ratio = rate / *single_task_rate.get_or_insert(rate);
        let percentile_ms = |fraction: f64| {
            let index = (latencies.len() as f64 * fraction) as usize;
            latencies[index.min(latencies.len() - 1)].as_secs_f64() * 1e3
        };
        println!(
            "{tasks:>5} {rate:>9.0} {ratio:>8.1} {:>8.2} {:>8.2} {:>8.2}",
            percentile_ms(0.5),
            percentile_ms(0.99),
            percentile_ms(1.0)
        );
    }
}
