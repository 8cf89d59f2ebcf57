//! Many people at once: so many open sockets, so many games, so many moves a second, on
//! a server of its own with a store on the disk, all on this machine.
//!
//! `cargo bench -p noughts-server --bench load [-- --sockets N --games N --rate N --seconds N]`
//!
//! As a test (`cargo test`) it is the same in small, and only looks whether anything was
//! lost.

mod audience;
mod client;
mod options;
mod players;
mod report;
mod server;

use std::process::ExitCode;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use audience::Seen;
use client::Door;
use options::Options;
use players::{Played, Table};
use report::Figures;
use server::Server;

fn main() -> ExitCode {
    if let Some(dir) = server::folder_to_serve() {
        server::serve(&dir);
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
    let server = Server::start();
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
    let tables = warming.collect::<JoinSet<Table>>().join_all().await;

    let began = Instant::now();
    let until = began + Duration::from_secs(options.seconds);
    let every = Duration::from_secs_f64(options.games as f64 / options.rate as f64);
    let (server_began, self_began) = (server.processor(), server::own_processor());
    let mut playing: JoinSet<Played> = JoinSet::new();
    for (number, table) in tables.into_iter().enumerate() {
        // Spread over the time that one game has for a move.
        let first = began + every.mul_f64(number as f64 / options.games as f64);
        playing.spawn(table.play(first, every, until));
    }
    let mut figures = Figures::new(options, sockets);
    for played in playing.join_all().await {
        figures.add_played(played);
    }
    let took = began.elapsed();
    figures.set_processors(
        (server.processor() - server_began) / took.as_secs_f64(),
        (server::own_processor() - self_began) / took.as_secs_f64(),
    );
    figures.set_memory(before, open, server.memory());
    figures.took = took;
    let mut open = Vec::new();
    for mut seen in audience.join_all().await {
        open.extend(seen.socket.take());
        figures.add_seen(&seen);
    }
    // With everybody still there.
    figures.stopped = server.stop();
    for socket in open {
        figures.untold += usize::from(!audience::was_told(socket).await);
    }
    figures
}
