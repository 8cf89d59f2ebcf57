//! WebSocket upgrades. Messages are sent in fragments, so that the send buffer of each of thousands
//! of sockets stays small however long its messages are.

use std::future::Future;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, copy, sink};
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
pub(super) use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error as WsError, Message};

use crate::error::{ApiError, ApiErrorKind};

/// Incoming messages are short; longer ones are read piece by piece.
const READ_BUFFER: usize = 4 << 10;

/// Bytes in a fragment: most messages are a single one.
const FRAGMENT_BYTES: usize = 4 << 10;

/// How much is still read after a socket was closed, and for how long.
const MAX_DRAINED_BYTES: u64 = 4 << 20;
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// A valid request for a WebSocket upgrade.
pub(super) struct WebSocketUpgrade {
    /// The value of `Sec-WebSocket-Accept`.
    accept: String,
    upgrade: OnUpgrade,
}

impl<S: Sync> FromRequestParts<S> for WebSocketUpgrade {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<WebSocketUpgrade, ApiError> {
        let not_websocket = || {
            ApiError::new(
                ApiErrorKind::BadRequest,
                "this URL accepts only WebSocket connections, version 13",
            )
        };
        let headers = &parts.headers;
        let is_upgrade = parts.method == Method::GET
            && has_token(headers, header::CONNECTION, "upgrade")
            && has_token(headers, header::UPGRADE, "websocket")
            && has_token(headers, header::SEC_WEBSOCKET_VERSION, "13");
        let key = headers.get(header::SEC_WEBSOCKET_KEY);
        let accept = key.map(|key| derive_accept_key(key.as_bytes()));
        let upgrade = parts.extensions.remove::<OnUpgrade>();
        match (is_upgrade, accept, upgrade) {
            (true, Some(accept), Some(upgrade)) => Ok(WebSocketUpgrade { accept, upgrade }),
            _ => Err(not_websocket()),
        }
    }
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
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0)
            .max_message_size(Some(max_bytes))
            .max_frame_size(Some(max_bytes));
        runtime.spawn(async move {
            // A client that has disconnected in the meantime needs no response.
            if let Ok(upgraded) = self.upgrade.await {
                let (io, role) = (TokioIo::new(upgraded), Role::Server);
                let socket = WebSocketStream::from_raw_socket(io, role, Some(config)).await;
                serve(Socket(socket)).await;
            }
        });
        let headers = [
            (header::CONNECTION, "upgrade"),
            (header::UPGRADE, "websocket"),
            (header::SEC_WEBSOCKET_ACCEPT, self.accept.as_str()),
        ];
        (StatusCode::SWITCHING_PROTOCOLS, headers, Body::empty()).into_response()
    }
}

pub(super) struct Socket(WebSocketStream<TokioIo<Upgraded>>);

/// What arrived on a socket.
pub(super) enum Incoming {
    /// A text message.
    Text(String),
    /// A binary message.
    Binary,
    /// A ping, a pong or a bare frame.
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
        match self.0.next().await {
            Some(Ok(Message::Text(text))) => Incoming::Text(text.as_str().to_owned()),
            Some(Ok(Message::Binary(_))) => Incoming::Binary,
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => Incoming::Control,
            Some(Err(WsError::Capacity(_))) => Incoming::TooLong,
            Some(Err(WsError::Utf8(_))) => Incoming::Malformed(CloseCode::Invalid),
            Some(Err(WsError::Protocol(ProtocolError::ResetWithoutClosingHandshake))) => {
                Incoming::Closed
            }
            Some(Err(WsError::Protocol(_))) => Incoming::Malformed(CloseCode::Protocol),
            Some(Ok(Message::Close(_)) | Err(_)) | None => Incoming::Closed,
        }
    }

    /// Sends a message. Returns whether that worked.
    pub(super) async fn send(&mut self, text: impl Into<Bytes>) -> bool {
        let bytes = text.into();
        let mut start = 0;
        loop {
            let end = bytes.len().min(start + FRAGMENT_BYTES);
            let kind = if start == 0 {
                Data::Text
            } else {
                Data::Continue
            };
            let is_last = end == bytes.len();
            let frame = Frame::message(bytes.slice(start..end), OpCode::Data(kind), is_last);
            if self.0.send(Message::Frame(frame)).await.is_err() {
                return false;
            }
            if is_last {
                return true;
            }
            start = end;
        }
    }

    /// Pings the client. Returns whether the ping was sent.
    pub(super) async fn ping(&mut self) -> bool {
        self.0.send(Message::Ping(Bytes::new())).await.is_ok()
    }

    /// Answers the client's Close, which has been read, with the same code.
    pub(super) async fn answer_close(&mut self) {
        // The answer is already queued and only has to be flushed.
        let _ = self.0.flush().await;
    }

    /// Closes the socket. What the client has sent in the meantime, its own Close last, is read and
    /// discarded for a moment: closing a connection with unread data would also discard what was
    /// sent last.
    pub(super) async fn close(&mut self, code: CloseCode, reason: &str) {
        let frame = CloseFrame {
            code,
            reason: reason.to_owned().into(),
        };
        if self.0.send(Message::Close(Some(frame))).await.is_ok() {
            let mut unread = self.0.get_mut().take(MAX_DRAINED_BYTES);
            let _ = timeout(DRAIN_TIMEOUT, copy(&mut unread, &mut sink())).await;
        }
    }
}
