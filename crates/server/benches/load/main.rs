//! Many people at once: so many open sockets, so many games, so many moves a second, on
//! a server of its own with a store on the disk, all on this machine.
//!
//! `cargo bench -p noughts-server --bench load [-- --sockets N --games N --rate N[,N…] --seconds N]`
//!
//! With `--stored-games 200000 --stored-players 60000 --readers 12` each rate is measured twice,
//! alone and next to clients that read lists and exports, and the ratio is printed.
//!
//! As a test (`cargo test`) it is the same in small, and only looks whether anything was
//! lost.

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

/// What the short form is called as a test.
const TEST: &str = "nothing_is_lost_under_load";

fn main() -> ExitCode {
    if let Some(dir) = server::server_folder() {
        server::serve(&dir);
        return ExitCode::SUCCESS;
    }
    // As a test runner asks which tests there are: one, and none that is ignored.
    let has = |flag: &str| std::env::args().any(|arg| arg == flag);
    if has("--list") {
        if !has("--ignored") {
            println!("{TEST}: test");
        }
        return ExitCode::SUCCESS;
    }
    let options = match Options::read() {
        Ok(options) => options,
        Err(what) => {
            eprintln!("error: {what}");
            return ExitCode::from(2);
        }
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let figures = runtime.block_on(run(&options));
    figures.print(&options);
    match figures.meets_targets(&options) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Opens everything, plays for a while, and looks whether everybody saw the end.
async fn run(options: &Options) -> Report {
    let server = Server::start(options).await;
    let door = Target {
        address: server.address(),
        html: options.html,
    };
    let mut tables = Vec::new();
    for number in 0..options.games {
        tables.push(BenchGame::new(door, number, &options.variant).await);
    }
    // The games alone, before anybody watches.
    sleep(Duration::from_secs(1)).await;
    let before = server.memory();

    let mut audience: JoinSet<SpectatorStats> = JoinSet::new();
    for table in &mut tables {
        table.connect_players().await;
    }
    let players = 2 * options.games;
    for number in players..options.sockets.max(players) {
        let table = &tables[number % options.games];
        let socket = client::watch(door, &table.uid(), None).await;
        audience.spawn(spectators::watch(door, socket, table.news()));
    }
    sleep(Duration::from_secs(1)).await;
    let open = server.memory();
    let sockets = players + audience.len();

    let warming = tables.into_iter().map(BenchGame::warm_up);
    let mut tables = warming.collect::<JoinSet<BenchGame>>().join_all().await;

    let began = Instant::now();
    let (server_began, self_began) = (server.cpu_seconds(), server::own_cpu_seconds());
    let mut figures = Report::new(sockets);
    let mut readers = None;
    for &rate in &options.rates {
        for with_readers in [false, true] {
            if with_readers && options.readers == 0 {
                continue;
            }
            if with_readers {
                readers = Some(Readers::start(door, options.readers));
            }
            let mut measured = Measurement::new(rate, options);
            tables = measure(tables, rate, options).await;
            for table in &mut tables {
                measured.add_moves(table.take_stats());
            }
            if let Some(readers) = &readers {
                readers.first_answer().await;
            }
            let is_last = Some(&rate) == options.rates.last();
            if with_readers
                && !is_last
                && let Some(readers) = readers.take()
            {
                measured.read_stats = Some(readers.finish().await);
            }
            figures.measurements.push(measured);
        }
    }
    let took = began.elapsed();
    figures.set_cpu_usage(
        (server.cpu_seconds() - server_began) / took.as_secs_f64(),
        (server::own_cpu_seconds() - self_began) / took.as_secs_f64(),
    );
    figures.set_memory(before, open, server.memory());
    tables.into_iter().for_each(BenchGame::end);
    let mut open = Vec::new();
    for mut seen in audience.join_all().await {
        open.extend(seen.socket.take());
        figures.add_spectator(&seen);
    }
    // With everybody still there, in the middle of whatever they read.
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

/// Plays in all games at one rate.
async fn measure(tables: Vec<BenchGame>, rate: usize, options: &Options) -> Vec<BenchGame> {
    let began = Instant::now();
    let until = began + Duration::from_secs(options.seconds);
    let every = Duration::from_secs_f64(options.games as f64 / rate as f64);
    let mut playing: JoinSet<BenchGame> = JoinSet::new();
    for (number, table) in tables.into_iter().enumerate() {
        // Spread over the time that one game has for a move.
        let first = began + every.mul_f64(number as f64 / options.games as f64);
        playing.spawn(table.play(first, every, until));
    }
    playing.join_all().await
}
