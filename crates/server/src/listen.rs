//! Accepts and serves connections, and closes them when the server stops.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use metrics::counter;
use parking_lot::Mutex;
use tokio::io::AsyncWrite;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};
use tokio_io_timeout::TimeoutWriter;
use tokio_util::io::InspectReader;
use tower::ServiceExt;

use crate::app::App;
use crate::connection_slots::{ConnectionSlot, ConnectionSlots};
use crate::meter;

/// How long open connections get to finish when the server stops. Clients reconnect by themselves,
/// and what was acknowledged is on disk.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(4);

/// A client that doesn't read what is sent for this long is disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// The pause before accepting again after an error.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(20);

/// How often the same warning is logged.
const WARN_INTERVAL: Duration = Duration::from_secs(10);

/// Requests are short; bodies are read as they arrive.
const READ_BUFFER: usize = 16 << 10;

/// Accepts connections until the server stops, and then gives open ones time to finish.
pub(crate) async fn serve(listener: impl Accept, router: Router, app: &App) {
    meter::install();
    let slots = ConnectionSlots::new(&app.config.limits);
    let mut upkeep = interval(Duration::from_secs(5));
    upkeep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut reported = 0;
    let warnings = Warnings::default();
    loop {
        let (stream, peer, slot) = tokio::select! {
            () = app.shutdown.cancelled() => break,
            _ = upkeep.tick() => {
                meter::run_upkeep();
                report_dropped(app, &mut reported);
                continue;
            }
            accepted = accept(&listener, &slots, app, &warnings) => accepted,
        };
        let (router, app) = (router.clone(), app.clone());
        tokio::spawn(serve_connection(stream, peer, slot, router, app));
    }
    drop(listener);
    if timeout(SHUTDOWN_GRACE, slots.wait_until_empty())
        .await
        .is_err()
    {
        tracing::warn!(
            open = slots.open_count(),
            "closing connections that are still open"
        );
    }
}

/// Logs how many lines are missing from the log, once it can be written again.
fn report_dropped(app: &App, reported: &mut u64) {
    if let Some(log) = &app.config.log
        && log.dropped() > *reported
        && !log.is_failing()
    {
        tracing::warn!(lines = log.dropped() - *reported, "log lines were dropped");
        *reported = log.dropped();
    }
}

/// A source of connections.
pub(crate) trait Accept: Send {
    fn accept(&self) -> impl Future<Output = io::Result<(TcpStream, SocketAddr)>> + Send;
}

impl Accept for Arc<TcpListener> {
    async fn accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
        TcpListener::accept(self).await
    }
}

/// Warnings that are each logged at most once every ten seconds.
#[derive(Default)]
struct Warnings {
    accept_errors: RateLimitedWarning,
    refusals: RateLimitedWarning,
}

/// A rate-limited warning, with a count of occurrences.
#[derive(Default)]
struct RateLimitedWarning(Mutex<(Option<Instant>, u64)>);

impl RateLimitedWarning {
    /// Counts an occurrence. Returns the count since the last report, if it's time for one.
    fn record(&self, now: Instant) -> Option<u64> {
        let mut state = self.0.lock();
        let (reported, count) = &mut *state;
        *count += 1;
        if reported.is_some_and(|last_report| now.duration_since(last_report) < WARN_INTERVAL) {
            return None;
        }
        *reported = Some(now);
        Some(std::mem::take(count))
    }
}

/// The next connection. It's accepted only when there is a free slot.
async fn accept(
    listener: &impl Accept,
    slots: &Arc<ConnectionSlots>,
    app: &App,
    warnings: &Warnings,
) -> (TcpStream, SocketAddr, Arc<ConnectionSlot>) {
    loop {
        let permit = slots.acquire_permit().await;
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) if is_client_error(&error) => {
                tracing::debug!(%error, "a client disconnected before its connection was accepted");
                continue;
            }
            // Out of file descriptors or memory, which passes when connections end.
            Err(error) => {
                counter!(meter::ACCEPT_ERRORS).increment(1);
                if let Some(times) = warnings.accept_errors.record(Instant::now()) {
                    tracing::warn!(%error, times, open = slots.open_count(), "can't accept connections");
                }
                sleep(ACCEPT_RETRY_DELAY).await;
                continue;
            }
        };
        let address = peer.ip();
        let counted = (!app.config.is_proxy(address)).then_some(address);
        let Some(slot) = slots.claim(permit, counted) else {
            counter!(meter::REFUSED).increment(1);
            if let Some(times) = warnings.refusals.record(Instant::now()) {
                let address = app.config.log_names.address_label(address);
                tracing::warn!(address, times, "too many connections from one address");
            }
            refuse(stream);
            continue;
        };
        // Messages are small and latency matters.
        let _ = stream.set_nodelay(true);
        return (stream, peer, Arc::new(slot));
    }
}

/// Did only this one connection fail, because of the client?
fn is_client_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted
    )
}

/// Sends an error response if that is possible without blocking, and closes the connection.
fn refuse(stream: TcpStream) {
    const ANSWER: &str = "HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\n\
        Retry-After: 10\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 64\r\n\r\n\
        Too many connections from your network; close some and try again";
    if let Ok(mut stream) = stream.into_std() {
        // The socket is nonblocking, and an empty send buffer has room for this.
        let _ = stream.write(ANSWER.as_bytes());
    }
}

/// Serves all requests of one connection, one after the other.
async fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    slot: Arc<ConnectionSlot>,
    router: Router,
    app: App,
) {
    let request_slot = slot.clone();
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        request_slot.mark_active();
        let mut request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request)
    });
    // The stream owns the slot, which it keeps when it becomes a WebSocket.
    let owned = slot.clone();
    let stream = InspectReader::new(stream, move |_: &[u8]| {
        let _owned = &owned;
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(app.config.limits.headers_timeout)
        .max_buf_size(READ_BUFFER)
        .serve_connection(
            TokioIo::new(with_write_timeout(stream, WRITE_TIMEOUT)),
            service,
        )
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = &mut connection => ended,
        () = app.shutdown.cancelled() => {
            // A partial request isn't waited for.
            if !slot.is_active() {
                return;
            }
            connection.as_mut().graceful_shutdown();
            connection.await
        }
        () = slot.wait_until_evicted() => return,
    };
    if let Err(error) = ended {
        tracing::trace!(%error, "a connection failed");
    }
}

/// A stream that fails if what is sent isn't read for this long.
fn with_write_timeout<S: AsyncWrite>(stream: S, limit: Duration) -> Pin<Box<TimeoutWriter<S>>> {
    let mut writer = TimeoutWriter::new(stream);
    writer.set_timeout(Some(limit));
    Box::pin(writer)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use noughts_store::Store;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;
    use crate::config::Config;

    const LONG: Duration = Duration::from_secs(60);

    async fn app(settings: impl FnOnce(&mut Config)) -> App {
        let store = Store::in_memory().await.expect("opens");
        let mut config = Config::new(store, "tables".into());
        // Nothing here waits for a slow client to give up.
        config.limits.headers_timeout = Duration::from_secs(3600);
        settings(&mut config);
        App::new(config)
    }

    async fn start(app: &App) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (app, router) = (app.clone(), crate::server::router(app));
        tokio::spawn(async move { serve(Arc::new(listener), router, &app).await });
        address
    }

    async fn connect(address: SocketAddr) -> TcpStream {
        TcpStream::connect(address).await.expect("connected")
    }

    /// Sends a request on a connection that stays open.
    async fn send_request(stream: &mut TcpStream) -> String {
        let request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
        stream.write_all(request).await.expect("sent");
        let mut response = String::new();
        while !response.ends_with("\r\n\r\nok") {
            let mut buffer = [0; 1024];
            let read = stream.read(&mut buffer);
            let read = timeout(LONG, read).await.expect("an answer in time");
            match read.expect("an answer") {
                0 => break,
                read => response += &String::from_utf8_lossy(&buffer[..read]),
            }
        }
        response
    }

    /// Guards against silent connections: 1,139 of them made others wait for up to 23 s.
    #[tokio::test]
    async fn silent_connections_do_not_block_others() {
        for (connections, connections_of_address) in [(20, 1000), (1000, 20)] {
            let app = app(|config| {
                config.limits.connections = connections;
                config.limits.connections_per_address = connections_of_address;
            });
            let app = app.await;
            let address = start(&app).await;
            let mut active = connect(address).await;
            assert!(send_request(&mut active).await.starts_with("HTTP/1.1 200"));
            let mut silent = Vec::new();
            for _ in 0..100 {
                silent.push(connect(address).await);
            }
            for _ in 0..3 {
                let mut another = connect(address).await;
                assert!(send_request(&mut another).await.starts_with("HTTP/1.1 200"));
            }
            // The oldest silent one was closed, and the active one wasn't.
            let mut buffer = [0; 1];
            let gone = timeout(LONG, silent[0].read(&mut buffer)).await;
            assert_eq!(gone.expect("closed in time").unwrap_or(0), 0);
            assert!(send_request(&mut active).await.starts_with("HTTP/1.1 200"));
            app.shutdown.cancel();
        }
    }

    #[tokio::test]
    async fn an_address_with_too_many_connections_is_refused() {
        let app = app(|config| config.limits.connections_per_address = 3).await;
        let address = start(&app).await;
        let mut open = Vec::new();
        for _ in 0..3 {
            let mut stream = connect(address).await;
            assert!(send_request(&mut stream).await.starts_with("HTTP/1.1 200"));
            open.push(stream);
        }
        let mut refused = connect(address).await;
        let mut response = String::new();
        let reading = timeout(LONG, refused.read_to_string(&mut response)).await;
        reading.expect("closed in time").expect("read");
        let (head, body) = response.split_once("\r\n\r\n").expect("an answer");
        assert!(head.starts_with("HTTP/1.1 429"), "{response}");
        let length = format!("\r\nContent-Length: {}", body.len());
        assert!(head.ends_with(&length), "{response}");
        // Another loopback address, as another client.
        let other = tokio::net::TcpSocket::new_v4().expect("a socket");
        if other.bind(([127, 0, 0, 2], 0).into()).is_ok() {
            let mut other = other.connect(address).await.expect("connected");
            assert!(send_request(&mut other).await.starts_with("HTTP/1.1 200"));
        }
        app.shutdown.cancel();
    }

    /// Fails a few times, as if there were no file descriptors left.
    struct Exhausted {
        listener: TcpListener,
        failures: AtomicUsize,
    }

    impl Accept for Exhausted {
        async fn accept(&self) -> io::Result<(TcpStream, SocketAddr)> {
            let left = self.failures.load(Ordering::Relaxed);
            if left > 0 {
                self.failures.store(left - 1, Ordering::Relaxed);
                return Err(io::Error::from_raw_os_error(24));
            }
            self.listener.accept().await
        }
    }

    /// Guards against logging this at `debug`, where nobody saw it.
    #[tokio::test]
    async fn accept_errors_are_logged_and_retried() {
        let log = crate::tests::Log::default();
        let second = tracing::Dispatch::new(crate::tests::Log::default());
        let logging = tracing::subscriber::set_default(log.clone());
        let app = app(|_| ()).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let listener = Exhausted {
            listener,
            failures: AtomicUsize::new(3),
        };
        let slots = ConnectionSlots::new(&app.config.limits);
        let warnings = Warnings::default();
        let client = tokio::spawn(connect(address));
        let accepted = accept(&listener, &slots, &app, &warnings).await;
        client.await.expect("no panic");
        drop((logging, second));
        drop(accepted);
        let log = log.text();
        let warned = log
            .lines()
            .find(|line| line.contains("can't accept connections"));
        assert!(warned.is_some_and(|line| line.starts_with("WARN")), "{log}");
    }

    #[test]
    fn repeated_warnings_are_rate_limited() {
        let warning = RateLimitedWarning::default();
        let start = Instant::now();
        let counts: Vec<_> = (0..25)
            .filter_map(|second| warning.record(start + Duration::from_secs(second)))
            .collect();
        assert_eq!(counts, [1, 10, 10]);
    }

    /// A client that never reads is disconnected; one that reads slowly isn't.
    #[tokio::test]
    async fn a_client_that_does_not_read_is_disconnected() {
        let (stream, mut reader) = duplex(10);
        let mut connection = with_write_timeout(stream, Duration::from_millis(20));
        let reading = tokio::spawn(async move {
            let mut buffer = [0; 5];
            for _ in 0..10 {
                reader.read_exact(&mut buffer).await.expect("sent");
            }
            reader
        });
        connection.write_all(&[0; 50]).await.expect("it is read");
        let _reader = reading.await.expect("no panic");
        let error = connection
            .write_all(&[0; 50])
            .await
            .expect_err("nobody reads");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
