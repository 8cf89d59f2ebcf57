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

mod audience;
mod client;
mod options;
mod players;
mod readers;
mod report;
mod server;
mod stored;

use std::process::ExitCode;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use audience::Seen;
use client::Door;
use options::Options;
use players::Table;
use readers::Readers;
use report::{Figures, Measured};
use server::Server;

/// What the short form is called as a test.
const TEST: &str = "nothing_is_lost_under_load";

fn main() -> ExitCode {
    if let Some(dir) = server::folder_to_serve() {
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
    match figures.keeps_what_is_promised(&options) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Opens everything, plays for a while, and looks whether everybody saw the end.
async fn run(options: &Options) -> Figures {
    let server = Server::start(options).await;
    let door = Door {
        address: server.address(),
        html: options.html,
    };
    let mut tables = Vec::new();
    for number in 0..options.games {
        tables.push(Table::new(door, number, &options.variant).await);
    }
    // The games alone, before anybody watches.
    sleep(Duration::from_secs(1)).await;
    let before = server.memory();

    let mut audience: JoinSet<Seen> = JoinSet::new();
    for table in &mut tables {
        table.sit_down().await;
    }
    let players = 2 * options.games;
    for number in players..options.sockets.max(players) {
        let table = &tables[number % options.games];
        let socket = client::watch(door, &table.uid(), None).await;
        audience.spawn(audience::watch(door, socket, table.news()));
    }
    sleep(Duration::from_secs(1)).await;
    let open = server.memory();
    let sockets = players + audience.len();

    let warming = tables.into_iter().map(Table::warm_up);
    let mut tables = warming.collect::<JoinSet<Table>>().join_all().await;

    let began = Instant::now();
    let (server_began, self_began) = (server.processor(), server::own_processor());
    let mut figures = Figures::new(sockets);
    let mut readers = None;
    for &rate in &options.rates {
        for with_readers in [false, true] {
            if with_readers && options.readers == 0 {
                continue;
            }
            if with_readers {
                readers = Some(Readers::start(door, options.readers));
            }
            let mut measured = Measured::new(rate, options);
            tables = measure(tables, rate, options).await;
            for table in &mut tables {
                measured.add_played(table.take_played());
            }
            if let Some(readers) = &readers {
                readers.first_answer().await;
            }
            let is_last = Some(&rate) == options.rates.last();
            if with_readers
                && !is_last
                && let Some(readers) = readers.take()
            {
                measured.read = Some(readers.end().await);
            }
            figures.measured.push(measured);
        }
    }
    let took = began.elapsed();
    figures.set_processors(
        (server.processor() - server_began) / took.as_secs_f64(),
        (server::own_processor() - self_began) / took.as_secs_f64(),
    );
    figures.set_memory(before, open, server.memory());
    tables.into_iter().for_each(Table::end);
    let mut open = Vec::new();
    for mut seen in audience.join_all().await {
        open.extend(seen.socket.take());
        figures.add_seen(&seen);
    }
    // With everybody still there, in the middle of whatever they read.
    if let Some(readers) = &readers {
        readers.release();
    }
    figures.stopped = server.stop();
    if let Some(readers) = readers
        && let Some(last) = figures.measured.last_mut()
    {
        last.read = Some(readers.end().await);
    }
    for socket in open {
        figures.untold += usize::from(!audience::was_told(socket).await);
    }
    figures
}

/// Plays in all games at one rate.
async fn measure(tables: Vec<Table>, rate: usize, options: &Options) -> Vec<Table> {
    let began = Instant::now();
    let until = began + Duration::from_secs(options.seconds);
    let every = Duration::from_secs_f64(options.games as f64 / rate as f64);
    let mut playing: JoinSet<Table> = JoinSet::new();
    for (number, table) in tables.into_iter().enumerate() {
        // Spread over the time that one game has for a move.
        let first = began + every.mul_f64(number as f64 / options.games as f64);
        playing.spawn(table.play(first, every, until));
    }
    playing.join_all().await
}
