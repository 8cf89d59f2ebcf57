//! The figures, and what is promised of them.

use std::time::Duration;

use crate::audience::Seen;
use crate::options::Options;
use crate::players::Played;

/// What is promised for the full load on two cores.
const P99: Duration = Duration::from_millis(50);
const MEMORY_OF_SOCKET: f64 = 20_000.0;

/// The share of the asked moves that must have been made.
const KEPT_UP: f64 = 0.98;

pub(crate) struct Figures {
    sockets: usize,
    pub(crate) took: Duration,
    /// What the server took to end when it was asked to.
    pub(crate) stopped: Duration,
    /// Those who watched and were not told that it ends.
    pub(crate) untold: usize,
    wanted: f64,
    played: Played,
    seen: Seen,
    memory: [u64; 3],
    processors: (f64, f64),
}

impl Figures {
    pub(crate) fn new(options: &Options, sockets: usize) -> Figures {
        Figures {
            sockets,
            took: Duration::ZERO,
            stopped: Duration::ZERO,
            untold: 0,
            wanted: (options.rate as u64 * options.seconds) as f64,
            played: Played::default(),
            seen: Seen::default(),
            memory: [0; 3],
            processors: (0.0, 0.0),
        }
    }

    pub(crate) fn add_played(&mut self, played: Played) {
        let all = &mut self.played;
        all.acknowledged.extend(played.acknowledged);
        all.seen.extend(played.seen);
        all.late.extend(played.late);
        all.games += played.games;
        all.troubles.extend(played.troubles);
    }

    pub(crate) fn add_seen(&mut self, seen: &Seen) {
        self.seen.states += seen.states;
        self.seen.skipped += seen.skipped;
        self.seen.lost += seen.lost;
        self.seen.backwards += seen.backwards;
    }

    pub(crate) fn set_memory(&mut self, before: u64, open: u64, after: u64) {
        self.memory = [before, open, after];
    }

    pub(crate) fn set_processors(&mut self, server: f64, load: f64) {
        self.processors = (server, load);
    }

    fn memory_of_socket(&self, moment: usize) -> f64 {
        let more = self.memory[moment].saturating_sub(self.memory[0]);
        more as f64 / self.sockets as f64
    }

    fn share_made(&self) -> f64 {
        self.played.acknowledged.len() as f64 / self.wanted
    }

    fn nothing_lost(&self) -> bool {
        self.played.troubles.is_empty()
            && self.seen.lost == 0
            && self.seen.backwards == 0
            && self.untold == 0
    }

    /// In the short form only that nothing is lost, and that there was something.
    pub(crate) fn keeps_what_is_promised(&self, options: &Options) -> bool {
        let something = !self.played.acknowledged.is_empty() && self.seen.states > 0;
        let quick = times(&self.played.acknowledged)[1] < P99
            && self.memory_of_socket(2) < MEMORY_OF_SOCKET
            && self.share_made() >= KEPT_UP;
        something && self.nothing_lost() && (options.is_test || quick)
    }

    pub(crate) fn print(&self, options: &Options) {
        let moves = self.played.acknowledged.len();
        let seconds = self.took.as_secs_f64();
        println!(
            "{} sockets{}, {} games of {} at once, {moves} moves in {seconds:.1} s ({:.0} a second; {} asked)",
            self.sockets,
            if options.html { " with the page" } else { "" },
            options.games,
            options.variant,
            moves as f64 / seconds,
            options.rate
        );
        println!("{} games were begun in all", self.played.games);
        println!(
            "\n{:<44} {:>9} {:>9} {:>9}",
            "milliseconds", "p50", "p99", "max"
        );
        for (what, all) in [
            (
                "move sent to acknowledged (after the commit)",
                &self.played.acknowledged,
            ),
            ("move sent to seen by the opponent", &self.played.seen),
            ("move sent later than it was due", &self.played.late),
        ] {
            let [p50, p99, max] = times(all).map(|time| time.as_secs_f64() * 1e3);
            println!("{what:<44} {p50:>9.2} {p99:>9.2} {max:>9.2}");
        }
        println!(
            "\n{} states came to those who watch; {} in between were left out for a newer one",
            self.seen.states, self.seen.skipped
        );
        println!(
            "last states that did not come: {}; states out of order: {}; troubles: {}",
            self.seen.lost,
            self.seen.backwards,
            self.played.troubles.len()
        );
        for trouble in self.played.troubles.iter().take(3) {
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
            self.stopped.as_secs_f64(),
            self.untold
        );
        let (server, load) = self.processors;
        println!("processors: {server:.2} for the server, {load:.2} for the load beside it");
        if !options.is_test {
            println!(
                "\nwanted: p99 below {} ms, nothing lost, below {} kB a socket, {:.0} % of the moves: {}",
                P99.as_millis(),
                MEMORY_OF_SOCKET / 1e3,
                KEPT_UP * 100.0,
                if self.keeps_what_is_promised(options) {
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
