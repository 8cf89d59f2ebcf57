//! WebSockets with compressed messages (permessage-deflate). Nothing is kept between messages, so
//! that thousands of idle sockets take little memory.

use std::future::{Future, poll_fn};
use std::sync::OnceLock;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, header};
use axum::response::{IntoResponse, Response};
use futures_util::SinkExt;
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};
pub(super) use yawc::close::CloseCode;
use yawc::{
    DeflatePool, Frame, HttpStream, IncomingUpgrade, OpCode, Options, WebSocket, WebSocketError,
};

use crate::error::{ApiError, ApiErrorKind};

/// The buffers of an idle socket. Longer messages use larger ones for a moment.
const BUFFER_BYTES: usize = 1 << 10;

/// Shorter messages aren't worth compressing.
const MIN_COMPRESSED_BYTES: usize = 128;

/// Compressors that are ready for the next message, on whichever socket.
const POOLED_COMPRESSORS: usize = 16;

/// How long a closed socket waits for the client to close its end. Ending a connection while data
/// is on its way would also discard what was sent last.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// A valid request for a WebSocket upgrade.
pub(super) struct WebSocketUpgrade(IncomingUpgrade);

impl<S: Sync> FromRequestParts<S> for WebSocketUpgrade {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        state: &S,
    ) -> Result<WebSocketUpgrade, ApiError> {
        let headers = &parts.headers;
        let is_upgrade = parts.method == Method::GET
            && has_token(headers, header::CONNECTION, "upgrade")
            && has_token(headers, header::UPGRADE, "websocket");
        if !is_upgrade {
            return Err(not_websocket());
        }
        let upgrade = IncomingUpgrade::from_request_parts(parts, state).await;
        upgrade.map(WebSocketUpgrade).map_err(|_| not_websocket())
    }
}

fn not_websocket() -> ApiError {
    let message = "this URL accepts only WebSocket connections, version 13";
    ApiErrorKind::BadRequest.error(message)
}

/// Does the comma-separated header contain this word?
fn has_token(headers: &HeaderMap, name: HeaderName, word: &str) -> bool {
    let lines = headers.get_all(name);
    let texts = lines.iter().filter_map(|line| line.to_str().ok());
    let mut words = texts.flat_map(|text| text.split(','));
    words.any(|token| token.trim().eq_ignore_ascii_case(word))
}

impl WebSocketUpgrade {
    /// Accepts the upgrade and serves the socket in a new task. A message longer than `max_bytes`
    /// ends it.
    pub(super) fn serve<F>(
        self,
        runtime: &Handle,
        max_bytes: usize,
        serve: impl FnOnce(Socket) -> F + Send + 'static,
    ) -> Response
    where
        F: Future<Output = ()> + Send,
    {
        let Ok((response, upgrade)) = self.0.upgrade(options(max_bytes)) else {
            return not_websocket().into_response();
        };
        runtime.spawn(async move {
            // A client that has disconnected in the meantime needs no response.
            if let Ok(socket) = upgrade.await {
                serve(Socket { socket, max_bytes }).await;
            }
        });
        response.map(|_| Body::empty())
    }
}

fn options(max_bytes: usize) -> Options {
    static POOL: OnceLock<DeflatePool> = OnceLock::new();
    let pool = POOL.get_or_init(|| DeflatePool::new(POOLED_COMPRESSORS));
    Options::default()
        // A message that is a bit too long is still read, to explain why it's rejected.
        .with_limits(4 * max_bytes, 4 * max_bytes)
        .with_read_buffer_capacity(BUFFER_BYTES)
        .with_write_buffer_capacity(BUFFER_BYTES)
        .with_balanced_compression()
        .with_compression_threshold(MIN_COMPRESSED_BYTES)
        .server_no_context_takeover()
        .client_no_context_takeover()
        .with_deflate_pool(pool.clone())
}

pub(super) struct Socket {
    socket: WebSocket<HttpStream>,
    max_bytes: usize,
}

/// What arrived on a socket.
pub(super) enum Incoming {
    /// A text message.
    Text(String),
    /// A binary message.
    Binary,
    /// A ping or a pong.
    Control,
    /// A message beyond the size limit.
    TooLong,
    /// The client closed the socket, or the connection is gone.
    Closed,
    /// Not a valid WebSocket message; the socket can't be used afterwards.
    Malformed(CloseCode),
}

impl Socket {
    /// The next message. Cancel safe.
    pub(super) async fn receive(&mut self) -> Incoming {
        match self.socket.next_frame().await {
            Ok(frame) if frame.payload().len() > self.max_bytes => Incoming::TooLong,
            Ok(frame) => match frame.opcode() {
                OpCode::Text => match String::from_utf8(frame.into_payload().into()) {
                    Ok(text) => Incoming::Text(text),
                    Err(_) => Incoming::Malformed(CloseCode::Invalid),
                },
                OpCode::Binary | OpCode::Continuation => Incoming::Binary,
                OpCode::Ping | OpCode::Pong => Incoming::Control,
                OpCode::Close => Incoming::Closed,
            },
            Err(WebSocketError::FrameTooLarge) => Incoming::TooLong,
            Err(WebSocketError::ConnectionClosed | WebSocketError::IoError(_)) => Incoming::Closed,
            Err(_) => Incoming::Malformed(CloseCode::Protocol),
        }
    }

    /// Sends a message. Returns whether that worked.
    pub(super) async fn send(&mut self, text: impl Into<Bytes>) -> bool {
        self.socket.send(Frame::text(text)).await.is_ok()
    }

    /// Pings the client. Returns whether the ping was sent.
    pub(super) async fn ping(&mut self) -> bool {
        self.socket.send(Frame::ping(Bytes::new())).await.is_ok()
    }

    /// Answers the client's Close, which has been read, with the same code.
    pub(super) async fn answer_close(&mut self) {
        // The answer is already queued: it is sent before anything else could be.
        let sent = poll_fn(|cx| self.socket.poll_ready_unpin(cx)).await;
        if sent.is_ok() {
            let _ = self.socket.close().await;
        }
    }

    /// Closes the socket, and waits for a moment until the client has done so, too.
    pub(super) async fn close(&mut self, code: CloseCode, reason: &str) {
        if self.socket.send(Frame::close(code, reason)).await.is_ok() {
            let closed = async {
                while self.socket.next_frame().await.is_ok() {}
                // After an invalid message nothing more is read.
                sleep(CLOSE_TIMEOUT).await;
            };
            let _ = timeout(CLOSE_TIMEOUT, closed).await;
        }
    }
}
