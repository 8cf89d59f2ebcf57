//! The figures, and what is promised of them.

use std::time::Duration;

use crate::options::Options;
use crate::players::MoveStats;
use crate::readers::ReadStats;
use crate::spectators::SpectatorStats;

/// What is promised for the full load on two cores.
const P99: Duration = Duration::from_millis(25);
const MEMORY_OF_SOCKET: f64 = 20_000.0;

/// With readers a move may take this long, or this many times what it takes without them.
const P99_WITH_READERS: Duration = Duration::from_millis(50);
const TIMES_WITHOUT: u32 = 3;

/// The share of the asked moves that must have been made.
const KEPT_UP: f64 = 0.98;

/// The moves at one rate.
pub(crate) struct Measurement {
    rate: usize,
    wanted: f64,
    played: MoveStats,
    /// What readers got meanwhile, if there were any.
    pub(crate) read_stats: Option<ReadStats>,
}

impl Measurement {
    pub(crate) fn new(rate: usize, options: &Options) -> Measurement {
        Measurement {
            rate,
            wanted: (rate as u64 * options.seconds) as f64,
            played: MoveStats::default(),
            read_stats: None,
        }
    }

    pub(crate) fn add_moves(&mut self, played: MoveStats) {
        let all = &mut self.played;
        all.acknowledged.extend(played.acknowledged);
        all.broadcast.extend(played.broadcast);
        all.late.extend(played.late);
        all.games += played.games;
        all.errors.extend(played.errors);
    }

    fn p99(&self) -> Duration {
        times(&self.played.acknowledged)[1]
    }

    fn share_made(&self) -> f64 {
        self.played.acknowledged.len() as f64 / self.wanted
    }

    /// `alone` is the p99 at the same rate without readers.
    fn is_quick(&self, alone: Option<Duration>) -> bool {
        let most = match alone {
            Some(alone) => P99_WITH_READERS.max(alone * TIMES_WITHOUT),
            None => P99,
        };
        self.p99() <= most && self.share_made() >= KEPT_UP
    }

    fn print(&self, alone: Option<Duration>) {
        let moves = self.played.acknowledged.len();
        let share = 100.0 * self.share_made();
        let readers = match &self.read_stats {
            Some(read) => format!(
                ", next to readers who got {} answers and {:.0} MB",
                read.took.len(),
                read.bytes as f64 / 1e6
            ),
            None => String::new(),
        };
        println!(
            "\n{} moves a second{readers}: {moves} moves, {share:.1} % of those asked",
            self.rate
        );
        println!(
            "{:<44} {:>9} {:>9} {:>9}",
            "milliseconds", "p50", "p99", "max"
        );
        let played = &self.played;
        let mut rows = vec![
            (
                "move sent to acknowledged (after the commit)",
                &played.acknowledged,
            ),
            ("move sent to seen by the opponent", &played.broadcast),
            ("move sent later than it was due", &played.late),
        ];
        if let Some(read) = &self.read_stats {
            rows.push(("list or export, to its end", &read.took));
        }
        for (what, all) in rows {
            let [p50, p99, max] = times(all).map(|time| time.as_secs_f64() * 1e3);
            println!("{what:<44} {p50:>9.2} {p99:>9.2} {max:>9.2}");
        }
        if let Some(alone) = alone {
            let ratio = self.p99().as_secs_f64() / alone.as_secs_f64();
            println!("p99 with readers is {ratio:.2} times the p99 without");
        }
        if let Some(read) = &self.read_stats
            && read.refused > 0
        {
            let first = read.first_refusal.as_deref().unwrap_or_default();
            let first: String = first.chars().take(300).collect();
            println!(
                "{} lists or exports were refused, the first: {first}",
                read.refused
            );
        }
    }
}

pub(crate) struct Report {
    sockets: usize,
    /// What the server took to end when it was asked to.
    pub(crate) shutdown_time: Duration,
    /// Those who watched and were not told that it ends.
    pub(crate) unnotified: usize,
    /// Each rate, alone and then with readers.
    pub(crate) measurements: Vec<Measurement>,
    seen: SpectatorStats,
    memory: [u64; 3],
    processors: (f64, f64),
}

impl Report {
    pub(crate) fn new(sockets: usize) -> Report {
        Report {
            sockets,
            shutdown_time: Duration::ZERO,
            unnotified: 0,
            measurements: Vec::new(),
            seen: SpectatorStats::default(),
            memory: [0; 3],
            processors: (0.0, 0.0),
        }
    }

    pub(crate) fn add_spectator(&mut self, seen: &SpectatorStats) {
        self.seen.states += seen.states;
        self.seen.skipped += seen.skipped;
        self.seen.lost += seen.lost;
        self.seen.out_of_order += seen.out_of_order;
    }

    pub(crate) fn set_memory(&mut self, before: u64, open: u64, after: u64) {
        self.memory = [before, open, after];
    }

    pub(crate) fn set_cpu_usage(&mut self, server: f64, load: f64) {
        self.processors = (server, load);
    }

    fn memory_of_socket(&self, moment: usize) -> f64 {
        let more = self.memory[moment].saturating_sub(self.memory[0]);
        more as f64 / self.sockets as f64
    }

    /// Each measurement with the p99 of the one at the same rate without readers.
    fn compared(&self) -> impl Iterator<Item = (&Measurement, Option<Duration>)> {
        self.measurements.iter().map(|measured| {
            let alone = self
                .measurements
                .iter()
                .find(|other| other.rate == measured.rate && other.read_stats.is_none());
            let alone = alone.filter(|_| measured.read_stats.is_some());
            (measured, alone.map(Measurement::p99))
        })
    }

    fn troubles(&self) -> impl Iterator<Item = &String> {
        self.measurements
            .iter()
            .flat_map(|measured| &measured.played.errors)
    }

    fn nothing_lost(&self) -> bool {
        self.troubles().next().is_none()
            && self.seen.lost == 0
            && self.seen.out_of_order == 0
            && self.unnotified == 0
    }

    fn nothing_refused(&self) -> bool {
        let read = self
            .measurements
            .iter()
            .filter_map(|measured| measured.read_stats.as_ref());
        read.map(|read| read.refused).sum::<usize>() == 0
    }

    /// In the short form only that nothing is lost or refused, and that there was something.
    pub(crate) fn meets_targets(&self, options: &Options) -> bool {
        let something = self.seen.states > 0
            && self.measurements.iter().all(|measured| {
                let read = measured
                    .read_stats
                    .as_ref()
                    .is_none_or(|read| !read.took.is_empty());
                read && !measured.played.acknowledged.is_empty()
            });
        // What readers take is theirs, once they are there.
        let light = options.readers > 0 || self.memory_of_socket(2) < MEMORY_OF_SOCKET;
        let quick = self
            .compared()
            .all(|(measured, alone)| measured.is_quick(alone))
            && light;
        something && self.nothing_lost() && self.nothing_refused() && (options.is_test || quick)
    }

    pub(crate) fn print(&self, options: &Options) {
        println!(
            "{} sockets{}, {} games of {} at once, {} s for each measurement",
            self.sockets,
            if options.html { " with the page" } else { "" },
            options.games,
            options.variant,
            options.seconds
        );
        if options.stored_games > 0 {
            println!(
                "{} games of {} players were stored before",
                options.stored_games, options.stored_players
            );
        }
        for (measured, alone) in self.compared() {
            measured.print(alone);
        }
        let games: usize = self
            .measurements
            .iter()
            .map(|measured| measured.played.games)
            .sum();
        println!("\n{games} games were begun in all");
        println!(
            "{} states came to those who watch; {} in between were left out for a newer one",
            self.seen.states, self.seen.skipped
        );
        println!(
            "last states that did not come: {}; states out of order: {}; troubles: {}",
            self.seen.lost,
            self.seen.out_of_order,
            self.troubles().count()
        );
        for trouble in self.troubles().take(3) {
            println!("  {trouble}");
        }
        let [before, open, after] = self.memory.map(|bytes| bytes as f64 / 1e6);
        println!(
            "server's memory: {before:.1} MB with the games, {open:.1} MB with the sockets, {after:.1} MB after the load"
        );
        println!(
            "a socket: {:.1} kB open, {:.1} kB after the load",
            self.memory_of_socket(1) / 1e3,
            self.memory_of_socket(2) / 1e3
        );
        println!(
            "asked to end, the server ended after {:.2} s; {} were not told",
            self.shutdown_time.as_secs_f64(),
            self.unnotified
        );
        let (server, load) = self.processors;
        println!("processors: {server:.2} for the server, {load:.2} for the load beside it");
        if !options.is_test {
            println!(
                "\nwanted: p99 of {} ms without readers, and with them {} ms or {TIMES_WITHOUT} times as long; \
                 nothing lost or refused; {} kB a socket; {:.0} % of the moves: {}",
                P99.as_millis(),
                P99_WITH_READERS.as_millis(),
                MEMORY_OF_SOCKET / 1e3,
                KEPT_UP * 100.0,
                if self.meets_targets(options) {
                    "kept"
                } else {
                    "MISSED"
                }
            );
        }
    }
}

/// The middle, the 99th of a hundred, and the longest.
fn times(all: &[Duration]) -> [Duration; 3] {
    let mut all = all.to_vec();
    all.sort();
    let last = all.len().saturating_sub(1);
    let at = |share: f64| {
        let index = (last as f64 * share).round() as usize;
        all.get(index).copied().unwrap_or_default()
    };
    [at(0.5), at(0.99), at(1.0)]
}
