//! A load test: many open sockets, games, and moves per second on a separate server process with a
//! store on disk, all on this machine.
//!
//! `cargo bench -p noughts-server --bench load [-- --sockets N --games N --rate N[,N…] --seconds
//! N]`
//!
//! With `--stored-games 200000 --stored-players 60000 --readers 12` each rate is measured twice,
//! alone and next to clients that read lists and exports, and the ratio is printed.
//!
//! As a test (`cargo test`) it runs on a small scale and only checks that nothing is lost.

mod client;
mod options;
mod players;
mod readers;
mod report;
mod server;
mod spectators;
mod stored_games;

use std::process::ExitCode;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use client::Target;
use options::Options;
use players::BenchGame;
use readers::Readers;
use report::{Measurement, Report};
use server::Server;
use spectators::SpectatorStats;

/// The name of the small-scale run as a test.
const TEST: &str = "nothing_is_lost_under_load";

fn main() -> ExitCode {
    if let Some(dir) = server::server_folder() {
        server::serve(&dir);
        return ExitCode::SUCCESS;
    }
    // A test runner asks which tests there are: one, and none that is ignored.
    let has = |flag: &str| std::env::args().any(|arg| arg == flag);
    if has("--list") {
        if !has("--ignored") {
            println!("{TEST}: test");
        }
        return ExitCode::SUCCESS;
    }
    let options = Options::read();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let figures = runtime.block_on(run(&options));
    figures.print(&options);
    match figures.meets_targets(&options) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Opens all games and sockets, plays for a while, and checks that every spectator saw the end.
async fn run(options: &Options) -> Report {
    let server = Server::start(options).await;
    let target = Target {
        address: server.address(),
        html: options.html,
    };
    let mut games = Vec::new();
    for number in 0..options.games {
        games.push(BenchGame::new(target, number, &options.variant).await);
    }
    // The memory of the games alone, before anyone watches.
    sleep(Duration::from_secs(1)).await;
    let before = server.memory();

    let mut spectators: JoinSet<SpectatorStats> = JoinSet::new();
    for game in &mut games {
        game.connect_players().await;
    }
    let players = 2 * options.games;
    for number in players..options.sockets.max(players) {
        let game = &games[number % options.games];
        let socket = client::watch(target, &game.uid(), None).await;
        spectators.spawn(spectators::watch(target, socket, game.news()));
    }
    sleep(Duration::from_secs(1)).await;
    let open = server.memory();
    let sockets = players + spectators.len();

    let warm_up = games.into_iter().map(BenchGame::warm_up);
    let mut games = warm_up.collect::<JoinSet<BenchGame>>().join_all().await;

    let started = Instant::now();
    let (server_began, self_began) = (server.cpu_seconds(), server::own_cpu_seconds());
    let mut figures = Report {
        sockets,
        ..Report::default()
    };
    let mut readers = None;
    for &rate in &options.rates {
        for with_readers in [false, true] {
            if with_readers && options.readers == 0 {
                continue;
            }
            if with_readers {
                readers = Some(Readers::start(target, options.readers));
            }
            games = measure(games, rate, options).await;
            let mut measurement = Measurement {
                rate,
                requested_moves: (rate as u64 * options.seconds) as f64,
                ..Measurement::default()
            };
            for game in &mut games {
                measurement.moves.add(game.take_stats());
            }
            if let Some(readers) = &readers {
                readers.first_answer().await;
            }
            let is_last = Some(&rate) == options.rates.last();
            if with_readers
                && !is_last
                && let Some(readers) = readers.take()
            {
                measurement.read_stats = Some(readers.finish().await);
            }
            figures.measurements.push(measurement);
        }
    }
    let took = started.elapsed();
    figures.processors = (
        (server.cpu_seconds() - server_began) / took.as_secs_f64(),
        (server::own_cpu_seconds() - self_began) / took.as_secs_f64(),
    );
    figures.memory = [before, open, server.memory()];
    games.into_iter().for_each(BenchGame::end);
    let mut open = Vec::new();
    for mut stats in spectators.join_all().await {
        open.extend(stats.socket.take());
        figures.spectators.add(&stats);
    }
    // Stop with all clients connected and in the middle of whatever they read.
    if let Some(readers) = &readers {
        readers.release();
    }
    figures.shutdown_time = server.stop();
    if let Some(readers) = readers
        && let Some(last) = figures.measurements.last_mut()
    {
        last.read_stats = Some(readers.finish().await);
    }
    for socket in open {
        figures.unnotified += usize::from(!spectators::was_notified(socket).await);
    }
    figures
}

/// Plays all games at one rate.
async fn measure(games: Vec<BenchGame>, rate: usize, options: &Options) -> Vec<BenchGame> {
    let started = Instant::now();
    let until = started + Duration::from_secs(options.seconds);
    let every = Duration::from_secs_f64(options.games as f64 / rate as f64);
    let mut playing: JoinSet<BenchGame> = JoinSet::new();
    for (number, game) in games.into_iter().enumerate() {
        // Spread the first moves over one move interval.
        let first = started + every.mul_f64(number as f64 / options.games as f64);
        playing.spawn(game.play(first, every, until));
    }
    playing.join_all().await
}
