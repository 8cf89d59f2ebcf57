//! Connections: taken in, watched over, and let go when the server stops.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{MissedTickBehavior, Sleep, interval, sleep, timeout};
use tower::ServiceExt;

use crate::meter;

/// Who has not said what they want after this has left.
const HEADERS_WITHIN: Duration = Duration::from_secs(15);

/// What is being done when the server stops may take so long. Clients come back by
/// themselves, and what was acknowledged is on the disk.
const FAREWELL: Duration = Duration::from_secs(4);

/// Who does not take what is sent for so long has left, or does not read.
const TAKEN_WITHIN: Duration = Duration::from_secs(30);

/// Requests are short; what is longer is a body, which is read as it comes.
const READ_BUFFER: usize = 16 << 10;

/// Whether the server is stopping, and when it begins to.
#[derive(Debug)]
pub(crate) struct Stop(watch::Sender<bool>);

impl Default for Stop {
    fn default() -> Stop {
        Stop(watch::Sender::new(false))
    }
}

impl Stop {
    pub(crate) fn begin(&self) {
        self.0.send_replace(true);
    }

    pub(crate) fn is_coming(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for it, however long.
    pub(crate) async fn coming(&self) {
        let mut news = self.0.subscribe();
        stopped(&mut news).await;
    }
}

/// Takes connections until the server stops, and then gives those that are open their
/// time to end.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    stop: &Stop,
    connections: usize,
) -> io::Result<()> {
    meter::begin();
    let places = Arc::new(Semaphore::new(connections));
    let mut upkeep = interval(Duration::from_secs(5));
    upkeep.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut coming = std::pin::pin!(stop.coming());
    loop {
        let (guest, peer) = tokio::select! {
            () = &mut coming => break,
            _ = upkeep.tick() => {
                meter::gather();
                continue;
            }
            accepted = accept(&listener, &places) => accepted,
        };
        tokio::spawn(talk(guest, peer, router.clone(), stop.0.subscribe()));
    }
    drop(listener);
    let all = u32::try_from(connections).unwrap_or(u32::MAX);
    if timeout(FAREWELL, places.acquire_many(all)).await.is_err() {
        let open = connections - places.available_permits();
        tracing::warn!(open, "connections are cut off");
    }
    Ok(())
}

/// The next connection. There is room for it before it is taken: whoever comes when all
/// places are taken waits outside, where it costs nothing.
async fn accept(listener: &TcpListener, places: &Arc<Semaphore>) -> (Guest, SocketAddr) {
    loop {
        let Ok(place) = places.clone().acquire_owned().await else {
            return std::future::pending().await;
        };
        match listener.accept().await {
            Ok((stream, peer)) => {
                // What is sent is small, and waited for.
                let _ = stream.set_nodelay(true);
                let guest = Guest {
                    stream,
                    late: None,
                    patience: TAKEN_WITHIN,
                    _place: Some(place),
                };
                return (guest, peer);
            }
            // One who has left again, or no more files just now: both pass.
            Err(error) => {
                tracing::debug!(%error, "a connection was not made");
                sleep(Duration::from_millis(20)).await;
            }
        }
    }
}

/// One connection, with all its requests one after the other.
async fn talk(guest: Guest, peer: SocketAddr, router: Router, mut stop: watch::Receiver<bool>) {
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let mut request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().oneshot(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_WITHIN)
        .max_buf_size(READ_BUFFER)
        .serve_connection(TokioIo::new(guest), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = &mut connection => Some(ended),
        () = stopped(&mut stop) => None,
    };
    let ended = match ended {
        Some(ended) => ended,
        None => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::trace!(%error, "a connection broke off");
    }
}

async fn stopped(stop: &mut watch::Receiver<bool>) {
    // It fails when the server is gone, and that is the same.
    let _ = stop.wait_for(|&stops| stops).await;
}

/// A connection and its place, which it keeps when it becomes a socket.
struct Guest<S = TcpStream> {
    stream: S,
    /// When it is too late, while something waits to be taken.
    late: Option<Pin<Box<Sleep>>>,
    patience: Duration,
    _place: Option<OwnedSemaphorePermit>,
}

impl<S> Guest<S> {
    /// Ends the connection where what is to be sent has waited for too long.
    fn in_time<T>(
        &mut self,
        cx: &mut Context<'_>,
        sent: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if sent.is_ready() {
            self.late = None;
            return sent;
        }
        let patience = self.patience;
        let late = self.late.get_or_insert_with(|| Box::pin(sleep(patience)));
        match late.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Guest<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Guest<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.in_time(cx, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = Pin::new(&mut self.stream).poll_write_vectored(cx, pieces);
        self.in_time(cx, sent)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    /// Somebody who never reads is sent away; one who reads slowly is not.
    #[tokio::test]
    async fn who_does_not_take_what_is_sent_is_dropped() {
        let (stream, mut reader) = duplex(10);
        let mut guest = Guest {
            stream,
            late: None,
            patience: Duration::from_millis(20),
            _place: None,
        };
        let reading = tokio::spawn(async move {
            let mut some = [0; 5];
            for _ in 0..10 {
                reader.read_exact(&mut some).await.expect("sent");
            }
            reader
        });
        guest.write_all(&[0; 50]).await.expect("it is read");
        let _reader = reading.await.expect("no panic");
        let error = guest.write_all(&[0; 50]).await.expect_err("nobody reads");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
