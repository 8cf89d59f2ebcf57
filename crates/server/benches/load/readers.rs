//! Clients that read lists, records and exports as fast as they come.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Duration, Instant, sleep};

use crate::client::{self, Target};
use crate::stored_games::FREQUENT_PLAYER;

/// What readers got.
#[derive(Default)]
pub(crate) struct ReadStats {
    pub(crate) took: Vec<Duration>,
    pub(crate) bytes: u64,
    /// Answers other than 200, and the first of them.
    pub(crate) refused: usize,
    pub(crate) first_refusal: Option<String>,
}

/// Readers at work until they are stopped.
pub(crate) struct Readers {
    stop: Arc<AtomicBool>,
    /// Whether any of them had an answer.
    answered: watch::Sender<bool>,
    tasks: JoinSet<ReadStats>,
}

impl Readers {
    pub(crate) fn start(door: Target, count: usize) -> Readers {
        let stop = Arc::new(AtomicBool::new(false));
        let answered = watch::Sender::new(false);
        let mut tasks = JoinSet::new();
        for number in 0..count {
            tasks.spawn(read(door, number, stop.clone(), answered.clone()));
        }
        Readers {
            stop,
            answered,
            tasks,
        }
    }

    /// Waits until one of them had an answer.
    pub(crate) async fn first_answer(&self) {
        let mut answered = self.answered.subscribe();
        let _ = answered.wait_for(|&answered| answered).await;
    }

    /// What they are doing may be broken off from now on.
    pub(crate) fn release(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// What they got.
    pub(crate) async fn finish(self) -> ReadStats {
        self.release();
        let mut all = ReadStats::default();
        for read in self.tasks.join_all().await {
            all.took.extend(read.took);
            all.bytes += read.bytes;
            all.refused += read.refused;
            all.first_refusal = all.first_refusal.or(read.first_refusal);
        }
        all
    }
}

/// Half of the readers are busy with exports; the others walk through all lists.
async fn read(
    door: Target,
    number: usize,
    stop: Arc<AtomicBool>,
    answered: watch::Sender<bool>,
) -> ReadStats {
    let mut got = ReadStats::default();
    let mut after = String::new();
    for round in number.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let exports = number.is_multiple_of(2);
        let path = match (exports, round % 6) {
            (true, 0) => "/api/v1/games/export?limit=500".to_owned(),
            (true, 1) => format!("/api/v1/games/export?limit=500&player={FREQUENT_PLAYER}"),
            (true, 2) => "/api/v1/games?limit=500".to_owned(),
            (true, _) => "/api/v1/games/export?limit=100&variant=ception:depth%3D4".to_owned(),
            (false, 0) => "/players".to_owned(),
            (false, 1) => format!("/api/v1/players?limit=500{after}"),
            (false, 2) => format!("/players/{FREQUENT_PLAYER}"),
            (false, 3) => format!("/games?player=P{round}"),
            (false, 4) => "/games?opponent=medium".to_owned(),
            (false, _) => format!("/games?player={FREQUENT_PLAYER}&variant=classic"),
        };
        let asked = Instant::now();
        let answer = client::get(door, &path).await;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        match answer {
            Some((200, body)) => {
                got.took.push(asked.elapsed());
                answered.send_replace(true);
                got.bytes += body.len() as u64;
                if path.starts_with("/api/v1/players") {
                    let next = client::field(&body, "next");
                    after = next.map_or(String::new(), |next| format!("&after={next}"));
                }
            }
            answer => {
                got.refused += 1;
                answered.send_replace(true);
                let what = answer.map(|(status, body)| format!("{path}: {status} {body}"));
                let what = what.unwrap_or_else(|| format!("{path}: broken off"));
                got.first_refusal.get_or_insert(what);
                sleep(Duration::from_millis(10)).await;
            }
        }
    }
    got
}
