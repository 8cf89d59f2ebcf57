//! Clients that read lists, records and exports as fast as they can.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Duration, Instant, sleep};

use crate::client::{self, Target};
use crate::stored_games::FREQUENT_PLAYER;

/// Measurements of the readers.
#[derive(Default)]
pub(crate) struct ReadStats {
    pub(crate) took: Vec<Duration>,
    pub(crate) bytes: u64,
    /// Responses other than 200, and the first of them.
    pub(crate) refused: usize,
    pub(crate) first_refusal: Option<String>,
}

/// Readers that run until they are stopped.
pub(crate) struct Readers {
    stop: Arc<AtomicBool>,
    /// Whether any reader has had a response.
    answered: watch::Sender<bool>,
    tasks: JoinSet<ReadStats>,
}

impl Readers {
    pub(crate) fn start(target: Target, count: usize) -> Readers {
        let stop = Arc::new(AtomicBool::new(false));
        let answered = watch::Sender::new(false);
        let mut tasks = JoinSet::new();
        for number in 0..count {
            tasks.spawn(read(target, number, stop.clone(), answered.clone()));
        }
        Readers {
            stop,
            answered,
            tasks,
        }
    }

    /// Waits until one of the readers has had a response.
    pub(crate) async fn first_answer(&self) {
        let mut answered = self.answered.subscribe();
        let _ = answered.wait_for(|&answered| answered).await;
    }

    /// From now on, readers ignore the outcome of what they are reading.
    pub(crate) fn release(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Stops the readers and returns their measurements.
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

/// Half of the readers request exports; the others walk through all lists.
async fn read(
    target: Target,
    number: usize,
    stop: Arc<AtomicBool>,
    answered: watch::Sender<bool>,
) -> ReadStats {
    let mut stats = ReadStats::default();
    let mut after = String::new();
    for round in number.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let is_exporter = number.is_multiple_of(2);
        let path = match (is_exporter, round % 6) {
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
        let sent_at = Instant::now();
        let response = client::get(target, &path).await;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        match response {
            Some((200, body)) => {
                stats.took.push(sent_at.elapsed());
                answered.send_replace(true);
                stats.bytes += body.len() as u64;
                if path.starts_with("/api/v1/players") {
                    let next = client::field(&body, "next");
                    after = next.map_or(String::new(), |next| format!("&after={next}"));
                }
            }
            response => {
                stats.refused += 1;
                answered.send_replace(true);
                let what = response.map(|(status, body)| format!("{path}: {status} {body}"));
                let what = what.unwrap_or_else(|| format!("{path}: interrupted"));
                stats.first_refusal.get_or_insert(what);
                sleep(Duration::from_millis(10)).await;
            }
        }
    }
    stats
}
