//! `noughts serve`: the web page and the API.

use std::io::{self, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use clap::{Args, ValueEnum};
use noughts_server::{Config, Limits};
use noughts_store::Store;
use tokio::net::{TcpListener, lookup_host};
use tokio::runtime::Builder;
use tracing_subscriber::EnvFilter;

use crate::data::Data;
use crate::error::Error;
use crate::thinking::mebibytes;

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

    /// MiB for what all bots remember [default: a quarter of the memory].
    #[arg(long, value_name = "MIB", value_parser = mebibytes, allow_negative_numbers = true)]
    bot_memory_total: Option<usize>,

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
            if let Some(mebibytes) = self.bot_memory_total {
                config.bot_memory = mebibytes << 20;
            }
            if self.unlimited {
                config.limits = Limits::unlimited();
            }
            if !config.local {
                tracing::warn!("everybody who reaches {address} can play here");
            }
            say(here(address))
                .map_err(|error| failure("cannot write to standard output", &error))?;
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

/// Where the page is for somebody on this machine: an address that stands for all of a
/// machine's is none to go to.
fn here(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
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

/// `http://` or `https://`, a host and perhaps a port; nothing behind that. Written as
/// browsers write it: in small letters, and without the port that goes without saying.
fn origin(text: &str) -> Result<String, String> {
    let wanted = "an address such as https://example.org is needed, without a path";
    let text = text.to_ascii_lowercase();
    let text = text.strip_suffix('/').unwrap_or(&text);
    let (scheme, usual, rest) = match text.split_once("://") {
        Some(("https", rest)) => ("https", 443, rest),
        Some(("http", rest)) => ("http", 80, rest),
        _ => return Err(wanted.into()),
    };
    // The colons of a number in brackets are none before a port.
    let end = rest.rfind(']').map_or(0, |end| end + 1);
    let (host, port) = match rest[end..].split_once(':') {
        Some((_, port)) => (&rest[..rest.len() - port.len() - 1], Some(port)),
        None => (rest, None),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || ".-".contains(c);
    let number = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let fits = match number {
        Some(number) => number.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.chars().all(is_name),
    };
    if !fits {
        return Err(wanted.into());
    }
    let Some(port) = port else {
        return Ok(format!("{scheme}://{host}"));
    };
    let digits = port.chars().all(|c| c.is_ascii_digit());
    match port.parse::<u16>() {
        Ok(port) if digits && port == usual => Ok(format!("{scheme}://{host}")),
        Ok(port) if digits && port > 0 => Ok(format!("{scheme}://{host}:{port}")),
        _ => Err("a port is a number from 1 to 65535".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_written_as_browsers_write_it() {
        for (text, wanted) in [
            ("https://example.org", Some("https://example.org")),
            ("HTTPS://Example.ORG/", Some("https://example.org")),
            ("https://example.org:443", Some("https://example.org")),
            ("http://example.org:80", Some("http://example.org")),
            ("http://example.org:0443", Some("http://example.org:443")),
            ("http://[::1]:8000", Some("http://[::1]:8000")),
            ("https://[2001:db8::1]", Some("https://[2001:db8::1]")),
            ("https://example.org:0", None),
            ("https://example.org:65536", None),
            ("https://example.org:+80", None),
            ("https://example.org:", None),
            ("https://a:b:1", None),
            ("https://[::1", None),
            ("https://example.org/path", None),
            ("https://", None),
            ("ftp://example.org", None),
        ] {
            assert_eq!(origin(text).ok().as_deref(), wanted, "{text}");
        }
    }

    #[test]
    fn the_address_that_is_told_works_here() {
        for (listening, told) in [
            ("127.0.0.1:7272", "127.0.0.1:7272"),
            ("0.0.0.0:7272", "127.0.0.1:7272"),
            ("[::]:7272", "[::1]:7272"),
            ("192.168.1.5:80", "192.168.1.5:80"),
        ] {
            let address: SocketAddr = listening.parse().expect("an address");
            assert_eq!(here(address).to_string(), told);
        }
    }
}
