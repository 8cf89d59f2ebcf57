//! `/games/{id}/socket`: a game in progress over a WebSocket, for browsers. Clients can also act on
//! it. One task and small buffers per socket, since there may be thousands.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::QueryParams;
use super::stream::{HEARTBEAT, SHUTDOWN_FRAME, heartbeat};
use super::types::Action;
use super::viewer::{SentParts, ViewParams, Viewer};
use super::websocket::{CloseCode, Incoming, Socket, WebSocketUpgrade};
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::live::{ActionError, GameSubscription};
use crate::middleware::{MessageLimiter, StreamPermit, Visitor};

/// A client that doesn't read what is sent for this long is disconnected.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// A tag lets the sender match the response.
const MAX_TAG_BYTES: usize = 100;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(open))
}

/// Opens a WebSocket to a game.
///
/// It sends the same messages as `/stream`. Clients send actions as for `/actions`; the reply to an action has the same
/// `tag` as the action. `{"do":"look","path":"ab"}` requests the state again, with the parts of the page zoomed into a
/// board.
#[utoipa::path(get, path = "/games/{id}/socket", tag = "play",
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$"), ViewParams),
    responses(
        (status = 101, description = "The socket is open"),
        (status = 400, description = "The request isn't a WebSocket upgrade", body = super::ErrorBody),
        (status = 404, description = "The game doesn't exist", body = super::ErrorBody),
    ))]
async fn open(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(params): QueryParams<ViewParams>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let viewer = Viewer::new(&app, &headers, visitor, params)?;
    let permit = app.rate_limiters.open_stream(&visitor)?;
    let subscription = GameSubscription::open(&app, &id, visitor.hash).await?;
    let max_bytes = app.config.limits.message_bytes;
    let runtime = match subscription
        .snapshot()
        .role_of(&visitor.hash)
        .is_participant()
    {
        true => Handle::current(),
        false => app.spectators.handle().clone(),
    };
    // Outside of the task, whose size is that of everything it may ever do.
    let connection = Box::new(GameSocket {
        messages: app.rate_limiters.message_limiter(),
        sent: SentParts::default(),
        subscription,
        viewer,
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
    viewer: Viewer,
    sent: SentParts,
    messages: MessageLimiter,
    _permit: StreamPermit,
}

/// A request to switch to another board or another ply.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LookRequest {
    #[serde(default)]
    path: String,
    ply: Option<usize>,
}

impl GameSocket {
    async fn run(mut self: Box<GameSocket>, mut socket: Socket) {
        let app = self.app.clone();
        let mut stopping = std::pin::pin!(app.shutdown.wait());
        let mut revoked = std::pin::pin!(app.access.wait_until_revoked(self.viewer.visitor));
        let mut heartbeat_timer = heartbeat();
        let mut last_received = Instant::now();
        let mut next = Some(self.state(None));
        loop {
            if let Some(text) = next.take()
                && !with_timeout(socket.send(text)).await
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
                        Incoming::Control if self.messages.check().is_err() => {
                            let reason = "too many pings in a short time";
                            return close(socket, CloseCode::Policy, reason).await;
                        }
                        Incoming::Control => None,
                        Incoming::TooLong => {
                            let max_bytes = app.config.limits.message_bytes;
                            let reason = format!("a message can have up to {max_bytes} bytes");
                            return close(socket, CloseCode::Size, &reason).await;
                        }
                        Incoming::Malformed(code) => {
                            return close(socket, code, "invalid WebSocket message").await;
                        }
                        Incoming::Closed => {
                            with_timeout(async { socket.answer_close().await; true }).await;
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
                        || !with_timeout(socket.ping()).await
                    {
                        return;
                    }
                    None
                }
                error = &mut revoked => {
                    let frame = self.viewer.error_frame(&error.into(), None);
                    Box::pin(close_revoked(socket, frame)).await;
                    return;
                }
                () = &mut stopping => {
                    if with_timeout(socket.send(SHUTDOWN_FRAME)).await {
                        let reason = "the server is stopping; reconnect in a moment";
                        close(socket, CloseCode::Restart, reason).await;
                    }
                    return;
                }
            };
        }
    }

    fn refuse_binary(&self) -> Bytes {
        let result = self.messages.check();
        let error = match result {
            Ok(()) => ApiError::new(
                ApiErrorKind::BadRequest,
                "messages must be text, not binary",
            ),
            Err(error) => error,
        };
        self.viewer.error_frame(&error.into(), None).into()
    }

    fn state(&mut self, tag: Option<&Value>) -> Bytes {
        self.viewer
            .frame(self.subscription.snapshot(), tag, &mut self.sent)
    }

    /// Handles a message and returns the response frame.
    async fn handle_message(&mut self, text: &str) -> Bytes {
        let mut tag = None;
        match self.apply_message(text, &mut tag).await {
            Ok(()) => {
                self.subscription.catch_up();
                self.state(tag.as_ref())
            }
            Err(error) => self.viewer.error_frame(&error, tag.as_ref()).into(),
        }
    }

    async fn apply_message(
        &mut self,
        text: &str,
        tag: &mut Option<Value>,
    ) -> Result<(), ActionError> {
        self.messages.check()?;
        let parse_error = |error: serde_json::Error| {
            let reason = error.to_string();
            // `look` isn't an action, but is accepted here too.
            let reason = reason.replacen(
                "expected one of `move`",
                "expected one of `look`, `move`",
                1,
            );
            let message = format!("the message is invalid: {reason}");
            ApiError::new(ApiErrorKind::BadRequest, message)
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
                return Err(ApiError::new(ApiErrorKind::BadRequest, message).into());
            }
        };
        if message.get("do").and_then(Value::as_str) == Some("look") {
            message.remove("do");
            let request: LookRequest =
                serde_json::from_value(message.into()).map_err(parse_error)?;
            self.viewer.change_view(request.path, request.ply)?;
            return Ok(());
        }
        let action: Action = serde_json::from_value(message.into()).map_err(parse_error)?;
        let Some(room) = self.subscription.room().cloned() else {
            let message = "this game isn't being played on this server; you can only watch it";
            return Err(ApiError::new(ApiErrorKind::NotYours, message).into());
        };
        room.handle_action(&self.app, self.viewer.visitor, action)
            .await?;
        Ok(())
    }
}

/// Sends with a timeout. Returns whether that worked.
async fn with_timeout(sending: impl Future<Output = bool>) -> bool {
    timeout(SEND_TIMEOUT, sending).await.unwrap_or(false)
}

/// Closes the socket with a reason. Boxed, since every socket's task would otherwise reserve space
/// for this future.
fn close(mut socket: Socket, code: CloseCode, reason: &str) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        with_timeout(async {
            socket.close(code, reason).await;
            true
        })
        .await;
    })
}

/// Closes the socket of a visitor that was banned or whose session ended.
async fn close_revoked(mut socket: Socket, frame: String) {
    if with_timeout(socket.send(frame)).await {
        close(socket, CloseCode::Policy, "your session has ended").await;
    }
}
