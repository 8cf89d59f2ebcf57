//! `noughts serve`: the web page and the API.

use std::io::{self, Write};
use std::net::SocketAddr;

use clap::{Args, ValueEnum};
use noughts_server::{Config, Limits};
use noughts_store::Store;
use tokio::net::{TcpListener, lookup_host};
use tokio::runtime::Builder;
use tracing_subscriber::EnvFilter;

use crate::data::Data;
use crate::error::Error;

/// Serve the web page and its API
#[derive(Args)]
#[command(after_help = "Example: noughts serve --addr 127.0.0.1:8000")]
pub(crate) struct Serve {
    /// Where to listen. Port 0 takes any free one. Only this machine reaches 127.0.0.1.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7272")]
    addr: String,

    #[command(flatten)]
    data: Data,

    #[arg(
        long,
        value_name = "URL",
        value_parser = origin,
        help = "The address that people use, such as https://example.org, if it is another one"
    )]
    origin: Option<String>,

    /// Count nobody's requests, games and messages: for one's own bots and for tests.
    #[arg(long)]
    unlimited: bool,

    /// How the log on standard error is written.
    #[arg(long, value_enum, value_name = "FORM", default_value = "text")]
    log: Log,
}

/// How the log is written.
#[derive(Clone, Copy, ValueEnum)]
enum Log {
    /// For people.
    Text,
    /// For programs, one JSON object on each line.
    Json,
}

impl Serve {
    pub(crate) fn run(&self) -> Result<(), Error> {
        self.log.begin();
        let dir = self.data.dir()?;
        let runtime = Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| failure("cannot start a thread", &error))?;
        runtime.block_on(async {
            let stop = stop_asked().map_err(|error| failure("cannot hear signals", &error))?;
            let (listener, address) = self.listen().await?;
            let store = Store::open(&dir).await?;
            let mut config = Config::new(store.clone(), dir);
            config.origin.clone_from(&self.origin);
            config.local = address.ip().is_loopback();
            if self.unlimited {
                config.limits = Limits::unlimited();
            }
            if !config.local {
                tracing::warn!("everybody who reaches {address} can play here");
            }
            say(address).map_err(|error| failure("cannot write to standard output", &error))?;
            let served = noughts_server::run(listener, config, stop).await;
            store.close().await;
            served.map_err(|error| failure("the server has stopped", &error))
        })
    }

    async fn listen(&self) -> Result<(TcpListener, SocketAddr), Error> {
        let wanted = || {
            let reason = "a host and a port are needed, such as 127.0.0.1:7272";
            Error::argument(&format!("--addr '{}'", self.addr), reason)
        };
        let mut found = lookup_host(&self.addr).await.map_err(|_| wanted())?;
        let address = found.next().ok_or_else(wanted)?;
        let listening = TcpListener::bind(address).await;
        let listener = listening.map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => Error::Failure(format!(
                "another program listens on {address}; choose another port with --addr, or 0 for any free one"
            )),
            _ => failure(&format!("cannot listen on {address}"), &error),
        })?;
        let address = listener.local_addr();
        let address = address.map_err(|error| failure("cannot listen", &error))?;
        Ok((listener, address))
    }
}

impl Log {
    fn begin(self) {
        let chosen = EnvFilter::try_from_env("NOUGHTS_LOG");
        let filter = chosen.unwrap_or_else(|_| EnvFilter::new("info"));
        let log = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_writer(io::stderr)
            .with_target(false);
        match self {
            Log::Text => log.with_ansi(false).init(),
            Log::Json => log.json().init(),
        }
    }
}

/// The one line on standard output: where the page is.
fn say(address: SocketAddr) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "http://{address}/")?;
    output.flush()
}

/// Becomes ready when the program is asked to end. From now on: whoever asks before the
/// server is up is heard, too.
fn stop_asked() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

fn failure(what: &str, error: &io::Error) -> Error {
    Error::Failure(format!("{what}: {error}"))
}

/// `http://` or `https://`, a host and perhaps a port; nothing behind that.
fn origin(text: &str) -> Result<String, String> {
    let wanted = "an address such as https://example.org is needed, without a path";
    let text = text.strip_suffix('/').unwrap_or(text);
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
        .ok_or(wanted)?;
    let fits = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
    if host.is_empty() || !host.chars().all(fits) {
        return Err(wanted.into());
    }
    Ok(text.to_ascii_lowercase())
}
