//! `noughts serve`: the web server.

use std::io::{self, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use noughts_server::{AddressPseudonyms, Config, IpNet, ServerLimits, parse_network};
use noughts_store::Store;
use tokio::net::{TcpListener, lookup_host};
use tokio::runtime::Builder;
use url::{ParseError, Url};

use crate::data::DataArgs;
use crate::error::CliError;
use crate::key_file;
use crate::log::{LogFormat, LogGuard};
use crate::open_files;
use crate::search_args::{MAX_MEBIBYTES, number};
use crate::signals::StopSignals;

/// The variable for the metrics token, so that other users don't see it in the process list.
const METRICS_TOKEN: &str = "NOUGHTS_METRICS_TOKEN";

/// Shorter tokens could be guessed.
const MIN_TOKEN_LENGTH: usize = 16;

const EXPECTED_ORIGIN: &str = "must be an address without a path, such as https://example.org";

/// How long shutdown waits for blocking work that can't be stopped.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// Serve the web page and the API
#[derive(Args)]
#[command(after_help = "Example: noughts serve --addr 127.0.0.1:8000")]
pub(crate) struct ServeArgs {
    /// Address to listen on; port 0 picks a free port, and 127.0.0.1 only accepts connections from this machine
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7272")]
    addr: String,

    #[command(flatten)]
    data: DataArgs,

    #[arg(
        long,
        value_name = "URL",
        value_parser = parse_origin,
        help = "Public address of the page, such as https://example.org, if it differs from --addr"
    )]
    origin: Option<String>,

    /// Turn off limits on requests, games and messages, for your own bots and for tests
    #[arg(long)]
    unlimited: bool,

    /// Memory for all bots together, in MiB [default: a quarter of the machine's memory]
    #[arg(long, value_name = "MIB", value_parser = number(1, MAX_MEBIBYTES), allow_negative_numbers = true)]
    bot_memory_total: Option<usize>,

    /// Trust the Forwarded and X-Forwarded-For headers of a proxy on another machine, given by
    /// its address or network (repeatable)
    #[arg(long, value_name = "CIDR", value_parser = parse_network)]
    trusted_proxy: Vec<IpNet>,

    /// Serve /metrics on this address instead of --addr, to every client that can reach it
    #[arg(long, value_name = "HOST:PORT")]
    metrics_addr: Option<String>,

    /// Serve /metrics to clients that send this token; without one, only to this machine
    /// [default: NOUGHTS_METRICS_TOKEN]
    #[arg(long, value_name = "TOKEN")]
    metrics_token: Option<String>,

    /// Format of the log on standard error
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    log: LogFormat,

    /// Log visitors' IP addresses instead of only a keyed hash
    #[arg(long)]
    log_addresses: bool,
}

impl ServeArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let log = LogGuard::init(self.log)?;
        let metrics_token = self.metrics_token()?;
        let dir = self.data.dir()?;
        let files = open_files::raise_limit();
        let runtime = Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| CliError::failed("can't start a thread", error))?;
        let served = runtime.block_on(async {
            let mut signals = StopSignals::new()?;
            let stop = async move {
                signals.next().await;
            };
            let (listener, address) = listen("--addr", &self.addr).await?;
            let metrics = match &self.metrics_addr {
                Some(addr) => Some(listen("--metrics-addr", addr).await?),
                None => None,
            };
            let store = Store::open(&dir).await?;
            // Next to the database, so that an address keeps its name in the log after a restart.
            let log_key = key_file::read_or_create(&dir.join("log-key")).map_err(|error| {
                tracing::warn!(%error, "can't store the log key, so hashes of addresses in the log will change after a restart");
            });
            let log_names = AddressPseudonyms::new(log_key.ok(), self.log_addresses);
            let mut config = Config::new(store.clone(), dir);
            config.log = Some(log.writer());
            config.log_names = log_names;
            config.trusted_proxies.clone_from(&self.trusted_proxy);
            config.metrics_token = metrics_token;
            config.origin.clone_from(&self.origin);
            config.is_local = address.ip().is_loopback();
            if let Some(mebibytes) = self.bot_memory_total {
                config.bot_memory = mebibytes << 20;
            }
            if self.unlimited {
                config.limits = ServerLimits::unlimited();
            }
            let requested = config.limits.connections;
            config.limits.connections = open_files::max_connections(files, requested);
            if config.limits.connections < requested {
                let (connections, files) = (config.limits.connections, files.unwrap_or_default());
                tracing::warn!(
                    connections,
                    files,
                    "the limit on open files allows fewer connections than intended; raise it with `ulimit -n`"
                );
            }
            if !config.is_local {
                tracing::warn!("anyone who can reach {address} can play here");
            }
            tracing::info!("listening on http://{}/", local_address(address));
            if let Some((listener, address)) = metrics {
                tracing::info!("serving metrics at http://{}/metrics", local_address(address));
                config.metrics_listener = Some(Arc::new(listener));
            }
            print_address(local_address(address));
            noughts_server::run(listener, config, stop).await;
            store.close().await;
            Ok(())
        });
        runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
        served
    }

    fn metrics_token(&self) -> Result<Option<String>, CliError> {
        let token = match &self.metrics_token {
            Some(token) => Some(("--metrics-token", token.clone())),
            None => std::env::var(METRICS_TOKEN)
                .ok()
                .filter(|token| !token.is_empty())
                .map(|token| (METRICS_TOKEN, token)),
        };
        let Some((place, token)) = token else {
            return Ok(None);
        };
        if token.len() < MIN_TOKEN_LENGTH || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            let reason = format!(
                "must have at least {MIN_TOKEN_LENGTH} ASCII characters and no spaces; `openssl rand -hex 16` generates one"
            );
            return Err(CliError::argument(place, reason));
        }
        Ok(Some(token))
    }
}

async fn listen(option: &str, text: &str) -> Result<(TcpListener, SocketAddr), CliError> {
    let invalid = || {
        let reason = "must be a host and a port, such as 127.0.0.1:7272";
        CliError::argument(&format!("{option} '{text}'"), reason)
    };
    let mut found = lookup_host(text).await.map_err(|_| invalid())?;
    let address = found.next().ok_or_else(invalid)?;
    let listening = TcpListener::bind(address).await;
    let listener = listening.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => CliError::Failure(format!(
            "{address} is already in use; choose another port with {option}, or 0 for any free port"
        )),
        _ => CliError::failed(&format!("can't listen on {address}"), error),
    })?;
    let address = listener.local_addr();
    let address = address.map_err(|error| CliError::failed("can't listen", error))?;
    Ok((listener, address))
}

/// The address to open on this machine: the unspecified address can be listened on, but not
/// opened.
fn local_address(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

/// Prints the server's URL, the only line on standard output. On its own thread, since the server
/// runs even if nobody reads it.
fn print_address(address: SocketAddr) {
    let print = move || {
        let mut output = io::stdout().lock();
        let written = writeln!(output, "http://{address}/").and_then(|()| output.flush());
        if let Err(error) = written {
            tracing::warn!(%error, "can't write the address to standard output");
        }
    };
    let printer = std::thread::Builder::new().name("address".into());
    if let Err(error) = printer.spawn(print) {
        tracing::warn!(%error, "can't write the address to standard output");
    }
}

/// Parses an origin: `http://` or `https://`, a host and optionally a port, and nothing after that.
/// Normalized as in browsers: lower case, and without the scheme's default port.
fn parse_origin(text: &str) -> Result<String, String> {
    let url = match Url::parse(text) {
        Ok(url) if url.port() != Some(0) && !text.trim_end_matches('/').ends_with(':') => url,
        Ok(_) | Err(ParseError::InvalidPort) => {
            return Err("the port must be a number from 1 to 65535".into());
        }
        Err(_) => return Err(EXPECTED_ORIGIN.into()),
    };
    let origin = url.origin().ascii_serialization();
    // Nothing but the origin, and only the schemes of pages.
    let is_origin = url.as_str() == format!("{origin}/");
    match is_origin && origin.starts_with("http") {
        true => Ok(origin),
        false => Err(EXPECTED_ORIGIN.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_normalized_as_in_browsers() {
        for (text, expected) in [
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
            assert_eq!(parse_origin(text).ok().as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_printed_address_works_on_this_machine() {
        for (listening, expected) in [
            ("127.0.0.1:7272", "127.0.0.1:7272"),
            ("0.0.0.0:7272", "127.0.0.1:7272"),
            ("[::]:7272", "[::1]:7272"),
            ("192.168.1.5:80", "192.168.1.5:80"),
        ] {
            let address: SocketAddr = listening.parse().expect("an address");
            assert_eq!(local_address(address).to_string(), expected);
        }
    }
}
