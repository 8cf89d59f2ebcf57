//! The figures, and the targets they are checked against.

use std::time::Duration;

use crate::options::Options;
use crate::players::MoveStats;
use crate::readers::ReadStats;
use crate::spectators::SpectatorStats;

/// Targets for the full load on two cores.
const P99: Duration = Duration::from_millis(25);
const MAX_SOCKET_BYTES: f64 = 20_000.0;

/// With readers a move may take this long, or this many times as long as without them.
const P99_WITH_READERS: Duration = Duration::from_millis(50);
const MAX_RATIO: u32 = 3;

/// The share of the requested moves that must be made.
const MIN_SHARE_MADE: f64 = 0.98;

/// The moves at one rate.
#[derive(Default)]
pub(crate) struct Measurement {
    pub(crate) rate: usize,
    pub(crate) requested_moves: f64,
    pub(crate) moves: MoveStats,
    /// What readers did at the same time, if there were any.
    pub(crate) read_stats: Option<ReadStats>,
}

impl Measurement {
    fn p99(&self) -> Duration {
        percentiles(&self.moves.acknowledged)[1]
    }

    fn share_made(&self) -> f64 {
        self.moves.acknowledged.len() as f64 / self.requested_moves
    }

    /// `alone` is the p99 at the same rate without readers.
    fn is_quick(&self, baseline: Option<Duration>) -> bool {
        let limit = match baseline {
            Some(baseline) => P99_WITH_READERS.max(baseline * MAX_RATIO),
            None => P99,
        };
        self.p99() <= limit && self.share_made() >= MIN_SHARE_MADE
    }

    fn print(&self, baseline: Option<Duration>) {
        let moves = self.moves.acknowledged.len();
        let share = 100.0 * self.share_made();
        let readers = match &self.read_stats {
            Some(read) => format!(
                ", with readers that received {responses} responses and {megabytes:.0} MB",
                responses = read.took.len(),
                megabytes = read.bytes as f64 / 1e6
            ),
            None => String::new(),
        };
        println!(
            "\n{rate} moves per second{readers}: {moves} moves, {share:.1}% of the target",
            rate = self.rate
        );
        println!(
            "{:<44} {:>9} {:>9} {:>9}",
            "milliseconds", "p50", "p99", "max"
        );
        let stats = &self.moves;
        let mut rows = vec![
            (
                "move sent to acknowledged (after the commit)",
                &stats.acknowledged,
            ),
            ("move sent to seen by the opponent", &stats.broadcast),
            ("delay before a move was sent", &stats.late),
        ];
        if let Some(read) = &self.read_stats {
            rows.push(("list or export, complete", &read.took));
        }
        for (what, all) in rows {
            let [p50, p99, max] = percentiles(all).map(|time| time.as_secs_f64() * 1e3);
            println!("{what:<44} {p50:>9.2} {p99:>9.2} {max:>9.2}");
        }
        if let Some(baseline) = baseline {
            let ratio = self.p99().as_secs_f64() / baseline.as_secs_f64();
            println!("p99 with readers is {ratio:.2} times the p99 without");
        }
        if let Some(read) = &self.read_stats
            && read.refused > 0
        {
            let first = read.first_refusal.as_deref().unwrap_or_default();
            let first: String = first.chars().take(300).collect();
            println!(
                "{refused} lists or exports were refused; the first error: {first}",
                refused = read.refused
            );
        }
    }
}

#[derive(Default)]
pub(crate) struct Report {
    pub(crate) sockets: usize,
    /// How long the server took to shut down.
    pub(crate) shutdown_time: Duration,
    /// Spectators that received no shutdown message.
    pub(crate) unnotified: usize,
    /// Each rate, alone and then with readers.
    pub(crate) measurements: Vec<Measurement>,
    pub(crate) spectators: SpectatorStats,
    /// Bytes of the server with the games, with the sockets, and after the load.
    pub(crate) memory: [u64; 3],
    /// Processors used by the server and by the load generator.
    pub(crate) processors: (f64, f64),
}

impl Report {
    fn socket_bytes(&self, moment: usize) -> f64 {
        let more = self.memory[moment].saturating_sub(self.memory[0]);
        more as f64 / self.sockets as f64
    }

    /// Each measurement with the p99 of the measurement at the same rate without readers.
    fn with_baseline(&self) -> impl Iterator<Item = (&Measurement, Option<Duration>)> {
        self.measurements.iter().map(|measurement| {
            let baseline = self
                .measurements
                .iter()
                .find(|other| other.rate == measurement.rate && other.read_stats.is_none());
            let baseline = baseline.filter(|_| measurement.read_stats.is_some());
            (measurement, baseline.map(Measurement::p99))
        })
    }

    fn errors(&self) -> impl Iterator<Item = &String> {
        self.measurements
            .iter()
            .flat_map(|measurement| &measurement.moves.errors)
    }

    fn nothing_lost(&self) -> bool {
        self.errors().next().is_none()
            && self.spectators.lost == 0
            && self.spectators.out_of_order == 0
            && self.unnotified == 0
    }

    fn nothing_refused(&self) -> bool {
        let read = self
            .measurements
            .iter()
            .filter_map(|measurement| measurement.read_stats.as_ref());
        read.map(|read| read.refused).sum::<usize>() == 0
    }

    /// The small-scale run only checks that something happened and nothing was lost or refused.
    pub(crate) fn meets_targets(&self, options: &Options) -> bool {
        let has_results = self.spectators.states > 0
            && self.measurements.iter().all(|measurement| {
                let read = measurement
                    .read_stats
                    .as_ref()
                    .is_none_or(|read| !read.took.is_empty());
                read && !measurement.moves.acknowledged.is_empty()
            });
        // Memory used for readers isn't the sockets'.
        let is_light = options.readers > 0 || self.socket_bytes(2) < MAX_SOCKET_BYTES;
        let is_quick = self
            .with_baseline()
            .all(|(measurement, baseline)| measurement.is_quick(baseline))
            && is_light;
        has_results
            && self.nothing_lost()
            && self.nothing_refused()
            && (options.is_test || is_quick)
    }

    pub(crate) fn print(&self, options: &Options) {
        println!(
            "{sockets} sockets{html}, {games} concurrent games of {variant}, {seconds} s per measurement",
            sockets = self.sockets,
            html = if options.html { " with HTML" } else { "" },
            games = options.games,
            variant = options.variant,
            seconds = options.seconds
        );
        if options.stored_games > 0 {
            println!(
                "{games} games of {players} players stored beforehand",
                games = options.stored_games,
                players = options.stored_players
            );
        }
        for (measurement, baseline) in self.with_baseline() {
            measurement.print(baseline);
        }
        let games: usize = self
            .measurements
            .iter()
            .map(|measurement| measurement.moves.games)
            .sum();
        println!("\n{games} games started in total");
        println!(
            "{states} states received by spectators; {skipped} skipped in favor of a newer one",
            states = self.spectators.states,
            skipped = self.spectators.skipped
        );
        println!(
            "final states lost: {lost}; states out of order: {out_of_order}; errors: {errors}",
            lost = self.spectators.lost,
            out_of_order = self.spectators.out_of_order,
            errors = self.errors().count()
        );
        for error in self.errors().take(3) {
            println!("  {error}");
        }
        let [before, open, after] = self.memory.map(|bytes| bytes as f64 / 1e6);
        println!(
            "server memory: {before:.1} MB with the games, {open:.1} MB with the sockets, {after:.1} MB after the load"
        );
        println!(
            "per socket: {open:.1} kB when open, {after:.1} kB after the load",
            open = self.socket_bytes(1) / 1e3,
            after = self.socket_bytes(2) / 1e3
        );
        println!(
            "shutdown took {seconds:.2} s; {unnotified} sockets weren't notified",
            seconds = self.shutdown_time.as_secs_f64(),
            unnotified = self.unnotified
        );
        let (server, load) = self.processors;
        println!("processors: {server:.2} for the server, {load:.2} for the load generator");
        if !options.is_test {
            println!(
                "\ntargets: p99 of {p99} ms without readers, and {with_readers} ms or {MAX_RATIO} times as long with them; \
                 nothing lost or refused; {kilobytes} kB per socket; {share:.0}% of the moves: {verdict}",
                p99 = P99.as_millis(),
                with_readers = P99_WITH_READERS.as_millis(),
                kilobytes = MAX_SOCKET_BYTES / 1e3,
                share = MIN_SHARE_MADE * 100.0,
                verdict = if self.meets_targets(options) {
                    "met"
                } else {
                    "MISSED"
                }
            );
        }
    }
}

/// The median, the 99th percentile and the maximum.
fn percentiles(all: &[Duration]) -> [Duration; 3] {
    let mut all = all.to_vec();
    all.sort();
    let last = all.len().saturating_sub(1);
    let percentile = |share: f64| {
        let index = (last as f64 * share).round() as usize;
        all.get(index).copied().unwrap_or_default()
    };
    [percentile(0.5), percentile(0.99), percentile(1.0)]
}
