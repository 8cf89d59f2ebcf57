//! A request becomes a socket. Messages go out in pieces: what is kept for sending stays
//! as small as a piece, however long they are, and there may be thousands of sockets.

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
use tokio_tungstenite::tungstenite::{Error as Trouble, Message};

use crate::error::{Error, Kind};

/// Messages that come are short; longer ones are read piece by piece.
const READ_BUFFER: usize = 4 << 10;

/// Bytes of a piece that is sent: most messages are one.
const PIECE: usize = 4 << 10;

/// What is still read after a socket was closed, and for how long.
const LONGEST_REST: u64 = 4 << 20;
const REST_WITHIN: Duration = Duration::from_secs(1);

/// A request for a socket.
pub(super) struct WebSocketUpgrade {
    /// What proves that we know what a socket is.
    accept: String,
    on: OnUpgrade,
}

impl<S: Sync> FromRequestParts<S> for WebSocketUpgrade {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<WebSocketUpgrade, Error> {
        let wanted = || {
            Error::new(
                Kind::BadRequest,
                "this address is for WebSockets, version 13",
            )
        };
        let headers = &parts.headers;
        let asked = parts.method == Method::GET
            && says(headers, header::CONNECTION, "upgrade")
            && says(headers, header::UPGRADE, "websocket")
            && says(headers, header::SEC_WEBSOCKET_VERSION, "13");
        let key = headers.get(header::SEC_WEBSOCKET_KEY);
        let accept = key.map(|key| derive_accept_key(key.as_bytes()));
        let on = parts.extensions.remove::<OnUpgrade>();
        match (asked, accept, on) {
            (true, Some(accept), Some(on)) => Ok(WebSocketUpgrade { accept, on }),
            _ => Err(wanted()),
        }
    }
}

/// Is this one of the words of the header?
fn says(headers: &HeaderMap, name: HeaderName, word: &str) -> bool {
    let lines = headers.get_all(name);
    let texts = lines.iter().filter_map(|line| line.to_str().ok());
    let mut words = texts.flat_map(|text| text.split(','));
    words.any(|said| said.trim().eq_ignore_ascii_case(word))
}

impl WebSocketUpgrade {
    /// Agrees, and talks on the socket in a task of its own. Longer messages than `most`
    /// bytes end it.
    pub(super) fn serve<F>(
        self,
        runtime: &Handle,
        most: usize,
        talk: impl FnOnce(Socket) -> F + Send + 'static,
    ) -> Response
    where
        F: Future<Output = ()> + Send,
    {
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0)
            .max_message_size(Some(most))
            .max_frame_size(Some(most));
        runtime.spawn(async move {
            // Who has gone away meanwhile needs no answer.
            if let Ok(upgraded) = self.on.await {
                let (io, role) = (TokioIo::new(upgraded), Role::Server);
                let socket = WebSocketStream::from_raw_socket(io, role, Some(config)).await;
                talk(Socket(socket)).await;
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

/// A socket to a visitor.
pub(super) struct Socket(WebSocketStream<TokioIo<Upgraded>>);

/// What came on a socket.
pub(super) enum Incoming {
    /// A message.
    Text(String),
    /// A message that is no text.
    Binary,
    /// Nothing but that somebody is there.
    Control,
    /// A message that is too long to be heard.
    TooLong,
    /// The client closes the socket, or its connection is gone.
    Closed,
    /// Something that isn't a message of a WebSocket; it can't go on after that.
    Malformed(CloseCode),
}

impl Socket {
    /// What comes next. Nothing is lost where the wait is broken off.
    pub(super) async fn receive(&mut self) -> Incoming {
        match self.0.next().await {
            Some(Ok(Message::Text(text))) => Incoming::Text(text.as_str().to_owned()),
            Some(Ok(Message::Binary(_))) => Incoming::Binary,
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => Incoming::Control,
            Some(Err(Trouble::Capacity(_))) => Incoming::TooLong,
            Some(Err(Trouble::Utf8(_))) => Incoming::Malformed(CloseCode::Invalid),
            Some(Err(Trouble::Protocol(ProtocolError::ResetWithoutClosingHandshake))) => {
                Incoming::Closed
            }
            Some(Err(Trouble::Protocol(_))) => Incoming::Malformed(CloseCode::Protocol),
            Some(Ok(Message::Close(_)) | Err(_)) | None => Incoming::Closed,
        }
    }

    /// Sends a message. Was it taken?
    pub(super) async fn send(&mut self, text: impl Into<Bytes>) -> bool {
        let bytes = text.into();
        let mut start = 0;
        loop {
            let end = bytes.len().min(start + PIECE);
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

    /// Asks whether somebody is still there.
    pub(super) async fn ping(&mut self) -> bool {
        self.0.send(Message::Ping(Bytes::new())).await.is_ok()
    }

    /// Answers the client's Close, which has been read, with the same code.
    pub(super) async fn answer_close(&mut self) {
        // The answer is already queued; it only has to be sent.
        let _ = self.0.flush().await;
    }

    /// Closes the socket. What the client has sent meanwhile, its own Close last, is read
    /// and thrown away for a moment: a connection that is cut with something unread takes
    /// with it what was sent last.
    pub(super) async fn close(&mut self, code: CloseCode, reason: &str) {
        let frame = CloseFrame {
            code,
            reason: reason.to_owned().into(),
        };
        if self.0.send(Message::Close(Some(frame))).await.is_ok() {
            let mut rest = self.0.get_mut().take(LONGEST_REST);
            let _ = timeout(REST_WITHIN, copy(&mut rest, &mut sink())).await;
        }
    }
}
