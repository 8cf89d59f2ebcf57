//! Moves a second on this disk: one task, which waits for each of its moves, and many
//! tasks, whose moves go to the disk together.
//!
//! `cargo bench -p noughts-store`

use std::time::{Duration, Instant};

use noughts_store::{GameId, NewGame, Seat, Store, StoredMove};
use tokio::task::JoinSet;

const SPAN: Duration = Duration::from_secs(3);

/// Longer than any game here lasts.
const LONGEST: usize = 240;

async fn begin(store: &Store) -> GameId {
    let new = NewGame {
        variant: "mnk:16,16,16".parse().expect("a variant"),
        start: None,
        seats: [Seat::Bot("easy".into()), Seat::Bot("hard".into())],
    };
    store.create_game(&new).await.expect("begun")
}

/// So many tasks for a while: moves a second, and what one took, in order.
async fn measure(tasks: usize) -> (f64, Vec<Duration>) {
    let dir = tempfile::tempdir_in(".").expect("a folder on the disk");
    let store = Store::open(dir.path()).await.expect("opens");
    let began = Instant::now();
    let mut all = JoinSet::new();
    for _ in 0..tasks {
        let store = store.clone();
        all.spawn(async move {
            let mut took = Vec::new();
            loop {
                let game = begin(&store).await;
                for ply in 0..LONGEST {
                    let mv = StoredMove {
                        text: format!("{}{}", (b'a' + (ply % 16) as u8) as char, ply / 16 + 1),
                        took: Duration::from_millis(7),
                    };
                    let asked = Instant::now();
                    store.add_move(game, ply, &mv, None).await.expect("stored");
                    took.push(asked.elapsed());
                    if began.elapsed() > SPAN {
                        return took;
                    }
                }
            }
        });
    }
    let mut took: Vec<Duration> = all.join_all().await.into_iter().flatten().collect();
    let rate = took.len() as f64 / began.elapsed().as_secs_f64();
    took.sort();
    store.close().await;
    (rate, took)
}

#[tokio::main]
async fn main() {
    println!("tasks   moves/s    ratio   p50 ms   p99 ms   max ms");
    let mut alone = None;
    for tasks in [1, 10, 100, 1000] {
        let (rate, took) = measure(tasks).await;
        let ratio = rate / *alone.get_or_insert(rate);
        let at = |share: f64| {
            let index = (took.len() as f64 * share) as usize;
            took[index.min(took.len() - 1)].as_secs_f64() * 1e3
        };
        println!(
            "{tasks:>5} {rate:>9.0} {ratio:>8.1} {:>8.2} {:>8.2} {:>8.2}",
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
}
