//! `/games/{id}/socket`: a game in progress over a WebSocket, for browsers. Clients can also act on
//! it. One task and small buffers per socket, since there may be thousands.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use futures_util::future::BoxFuture;
use noughts_wire::Action;
use serde::Deserialize;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout};

use super::stream::{HEARTBEAT, heartbeat};
use super::websocket::{CloseCode, Incoming, Socket, WebSocketUpgrade};
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind, not_played_here};
use crate::live::{ActionError, GameSubscription};
use crate::middleware::{MessageLimiter, StreamPermit};
use crate::view::{StreamWriter, ViewParams, ViewRequest};

/// A client that doesn't read what is sent for this long is disconnected.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// The last message before the server stops, which tells clients to reconnect.
const SHUTDOWN_MESSAGE: &str = r#"{"type":"shutdown"}"#;

/// A tag lets the sender match the response.
const MAX_TAG_BYTES: usize = 100;

/// Opens a WebSocket to a game.
///
/// It sends the same messages as `/stream`, compressed if the client supports it (permessage-deflate). Clients send
/// actions as for `/actions`; the reply to an action has the same `tag` as the action. `{"type":"view","path":"4.0"}`
/// zooms the parts of the page into a board.
#[utoipa::path(get, path = "/games/{id}/socket", tag = "play",
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$"), ViewParams),
    responses(
        (status = 101, description = "The socket is open"),
        (status = 400, description = "The request isn't a WebSocket upgrade", body = super::ErrorBody),
    ))]
pub(super) async fn open(
    State(app): State<App>,
    request: ViewRequest,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let visitor = request.visitor;
    let permit = app.rate_limiters.open_stream(&visitor)?;
    let subscription = GameSubscription::open(&app, &id, visitor.hash).await?;
    let max_bytes = app.config.limits.message_bytes;
    let viewer = subscription.snapshot().viewer(&visitor.hash);
    let runtime = match viewer.is_participant() {
        true => Handle::current(),
        false => app.spectators.handle(),
    };
    // Outside of the task, whose size is that of everything it may ever do.
    let connection = Box::new(GameSocket {
        limiter: app.rate_limiters.message_limiter(),
        messages: StreamWriter::new(request),
        subscription,
        app,
        _permit: permit,
    });
    Ok(upgrade.serve(&runtime, max_bytes, |socket| {
        Box::pin(connection.run(socket))
    }))
}

struct GameSocket {
    app: App,
    subscription: GameSubscription,
    messages: StreamWriter,
    limiter: MessageLimiter,
    _permit: StreamPermit,
}

/// A message that selects a board or a ply.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ViewMessage {
    #[serde(default)]
    path: String,
    ply: Option<usize>,
}

impl GameSocket {
    async fn run(mut self: Box<GameSocket>, mut socket: Socket) {
        let app = self.app.clone();
        let mut stopping = std::pin::pin!(app.shutdown.cancelled());
        let mut revoked =
            std::pin::pin!(app.access.wait_until_revoked(self.messages.request.visitor));
        let mut heartbeat_timer = heartbeat();
        let mut last_received = Instant::now();
        let mut next = Some(self.state(None));
        loop {
            if let Some(text) = next.take()
                && with_timeout(socket.send(text)).await != Some(true)
            {
                return;
            }
            next = tokio::select! {
                message = socket.receive() => {
                    last_received = Instant::now();
                    match message {
                        Incoming::Text(text) => Some(Box::pin(self.handle_message(&text)).await),
                        Incoming::Binary => Some(self.refuse_binary()),
                        // A ping has no response that could carry the error.
                        Incoming::Control if self.limiter.check().is_err() => {
                            let reason = "too many pings";
                            return close(socket, CloseCode::Policy, reason).await;
                        }
                        Incoming::Control => None,
                        Incoming::TooLong => {
                            let max_bytes = app.config.limits.message_bytes;
                            let reason = format!("a message can be up to {max_bytes} bytes long");
                            return close(socket, CloseCode::Size, &reason).await;
                        }
                        Incoming::Malformed(code) => {
                            return close(socket, code, "invalid WebSocket message").await;
                        }
                        Incoming::Closed => {
                            with_timeout(socket.answer_close()).await;
                            return;
                        }
                    }
                }
                changed = self.subscription.changed(&app) => match changed {
                    Ok(()) => Some(self.state(None)),
                    Err(_) => return close(socket, CloseCode::Away, "the game no longer exists").await,
                },
                _ = heartbeat_timer.tick() => {
                    if last_received.elapsed() > 3 * HEARTBEAT
                        || with_timeout(socket.ping()).await != Some(true)
                    {
                        return;
                    }
                    None
                }
                error = &mut revoked => {
                    let last = self.messages.error(&error, None, None);
                    let reason = "your session has ended";
                    return close_after(socket, last, CloseCode::Policy, reason).await;
                }
                () = &mut stopping => {
                    let last = Bytes::from_static(SHUTDOWN_MESSAGE.as_bytes());
                    let reason = "the server is stopping; reconnect in a moment";
                    return close_after(socket, last, CloseCode::Restart, reason).await;
                }
            };
        }
    }

    fn refuse_binary(&mut self) -> Bytes {
        let not_text = "messages must be text, not binary";
        let not_text = ApiErrorKind::BadRequest.error(not_text);
        let error = self.limiter.check().err().unwrap_or(not_text);
        self.messages.error(&error, None, None)
    }

    fn state(&mut self, tag: Option<&Value>) -> Bytes {
        self.messages.next(self.subscription.snapshot(), tag)
    }

    /// Handles a message and returns the response.
    async fn handle_message(&mut self, text: &str) -> Bytes {
        let mut tag = None;
        match self.apply_message(text, &mut tag).await {
            Ok(()) => {
                self.subscription.catch_up();
                self.state(tag.as_ref())
            }
            Err(ActionError { error, snapshot }) => {
                if snapshot.is_some() {
                    self.subscription.catch_up();
                }
                let snapshot = snapshot.map(|_| self.subscription.snapshot());
                self.messages.error(&error, snapshot, tag.as_ref())
            }
        }
    }

    async fn apply_message(
        &mut self,
        text: &str,
        tag: &mut Option<Value>,
    ) -> Result<(), ActionError> {
        self.limiter.check()?;
        let parse_error = |error: serde_json::Error| {
            let message = format!("the message is invalid: {error}");
            ApiErrorKind::BadRequest.error(message)
        };
        let mut message: serde_json::Map<String, Value> =
            serde_json::from_str(text).map_err(parse_error)?;
        *tag = match message.remove("tag") {
            None | Some(Value::Null) => None,
            Some(Value::String(tag)) if tag.len() <= MAX_TAG_BYTES => Some(tag.into()),
            Some(Value::Number(tag)) => Some(tag.into()),
            Some(_) => {
                let message =
                    format!("tag must be a number or a string of up to {MAX_TAG_BYTES} bytes");
                return Err(ApiErrorKind::BadRequest.error(message).into());
            }
        };
        match message.get("type").and_then(Value::as_str) {
            Some("view") => {
                message.remove("type");
                let view: ViewMessage =
                    serde_json::from_value(message.into()).map_err(parse_error)?;
                self.messages.request.select(view.path, view.ply)?;
                return Ok(());
            }
            Some(kind) if Action::TYPES.contains(&kind) => {}
            _ => {
                let types = Action::TYPES.join("`, `");
                let message =
                    format!("the message is invalid: type must be one of `view`, `{types}`");
                return Err(ApiErrorKind::BadRequest.error(message).into());
            }
        }
        let action: Action = serde_json::from_value(message.into()).map_err(parse_error)?;
        let Some(room) = self.subscription.room().cloned() else {
            return Err(not_played_here().into());
        };
        room.handle_action(&self.app, self.messages.request.visitor, action)
            .await?;
        Ok(())
    }
}

/// The result of sending; `None` if that took too long.
async fn with_timeout<T>(sending: impl Future<Output = T>) -> Option<T> {
    timeout(SEND_TIMEOUT, sending).await.ok()
}

/// Closes the socket with a reason. Boxed, since every socket's task would otherwise reserve space
/// for this future.
fn close(mut socket: Socket, code: CloseCode, reason: &str) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        with_timeout(socket.close(code, reason)).await;
    })
}

/// Sends a last message and closes the socket.
fn close_after(
    mut socket: Socket,
    last: Bytes,
    code: CloseCode,
    reason: &str,
) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        if with_timeout(socket.send(last)).await == Some(true) {
            close(socket, code, reason).await;
        }
    })
}
