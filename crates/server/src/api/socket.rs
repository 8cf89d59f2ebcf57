//! A game as it goes on, for browsers: a WebSocket on which one can also act. One task
//! and small buffers for each, since there may be thousands.

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
use crate::error::{Error, Kind};
use crate::live::{ActionError, GameSubscription};
use crate::middleware::{MessageLimiter, StreamPermit, Visitor};

/// Who does not take what is sent for so long is gone.
const PATIENCE: Duration = Duration::from_secs(30);

/// A tag is for the sender to know the answer by.
const LONGEST_TAG: usize = 100;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(open))
}

/// Opens a socket to a game. It sends what the stream sends; an action is sent as for
/// `/actions`, and its answer has the same `tag` as the action. `{"do":"look","path":"ab"}`
/// asks for the state again, with the parts of the page zoomed into a board.
#[utoipa::path(get, path = "/games/{id}/socket", tag = "play",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$"), ViewParams),
    responses(
        (status = 101, description = "The socket is open"),
        (status = 400, description = "It was not asked for a socket", body = super::ErrorBody),
        (status = 404, description = "There is no such game", body = super::ErrorBody),
    ))]
async fn open(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(wish): QueryParams<ViewParams>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Error> {
    let eyes = Viewer::new(&app, &headers, visitor, wish)?;
    let open = app.rate_limiters.open_stream(&visitor)?;
    let watching = GameSubscription::open(&app, &id, visitor.hash).await?;
    let most = app.config.limits.message_bytes;
    let runtime = match watching.snapshot().role_of(&visitor.hash).is_participant() {
        true => Handle::current(),
        false => app.spectators.handle().clone(),
    };
    // Beside the task, which is as large as everything that it may ever do.
    let talk = Box::new(Talk {
        messages: app.rate_limiters.message_limiter(),
        sent: SentParts::default(),
        watching,
        eyes,
        app,
        _open: open,
    });
    Ok(upgrade.serve(&runtime, most, |socket| Box::pin(talk.go_on(socket))))
}

struct Talk {
    app: App,
    watching: GameSubscription,
    eyes: Viewer,
    sent: SentParts,
    messages: MessageLimiter,
    _open: StreamPermit,
}

/// Looks at another board, or another moment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LookThere {
    #[serde(default)]
    path: String,
    ply: Option<usize>,
}

impl Talk {
    async fn go_on(mut self: Box<Talk>, mut socket: Socket) {
        let app = self.app.clone();
        let mut stopping = std::pin::pin!(app.shutdown.wait());
        let mut revoked = std::pin::pin!(app.access.wait_until_revoked(self.eyes.visitor));
        let mut beat = heartbeat();
        let mut heard = Instant::now();
        let mut next = Some(self.state(None));
        loop {
            if let Some(text) = next.take()
                && !within(socket.send(text)).await
            {
                return;
            }
            next = tokio::select! {
                message = socket.receive() => {
                    heard = Instant::now();
                    match message {
                        Incoming::Text(text) => Some(Box::pin(self.hear(&text)).await),
                        Incoming::Binary => Some(self.refuse_binary()),
                        // It has no answer in which this could be said.
                        Incoming::Control if self.messages.check().is_err() => {
                            let reason = "too many pings in a short time";
                            return end(socket, CloseCode::Policy, reason).await;
                        }
                        Incoming::Control => None,
                        Incoming::TooLong => {
                            let most = app.config.limits.message_bytes;
                            let reason = format!("a message may have up to {most} bytes");
                            return end(socket, CloseCode::Size, &reason).await;
                        }
                        Incoming::Malformed(code) => {
                            return end(socket, code, "this isn't a WebSocket message").await;
                        }
                        Incoming::Closed => {
                            within(async { socket.answer_close().await; true }).await;
                            return;
                        }
                    }
                }
                changed = self.watching.changed(&app) => match changed {
                    Ok(()) => Some(self.state(None)),
                    Err(_) => return end(socket, CloseCode::Away, "the game no longer exists").await,
                },
                _ = beat.tick() => {
                    if heard.elapsed() > 3 * HEARTBEAT
                        || !within(socket.ping()).await
                    {
                        return;
                    }
                    None
                }
                error = &mut revoked => {
                    let frame = self.eyes.error_frame(&error.into(), None);
                    Box::pin(dismiss(socket, frame)).await;
                    return;
                }
                () = &mut stopping => {
                    if within(socket.send(SHUTDOWN_FRAME)).await {
                        let reason = "the server stops; come back in a moment";
                        end(socket, CloseCode::Restart, reason).await;
                    }
                    return;
                }
            };
        }
    }

    fn refuse_binary(&self) -> Bytes {
        let counted = self.messages.check();
        let error = match counted {
            Ok(()) => Error::new(Kind::BadRequest, "messages are text"),
            Err(error) => error,
        };
        self.eyes.error_frame(&error.into(), None).into()
    }

    fn state(&mut self, tag: Option<&Value>) -> Bytes {
        self.eyes
            .frame(self.watching.snapshot(), tag, &mut self.sent)
    }

    /// Does what a message says, and answers it.
    async fn hear(&mut self, text: &str) -> Bytes {
        let mut tag = None;
        match self.answer(text, &mut tag).await {
            Ok(()) => {
                self.watching.catch_up();
                self.state(tag.as_ref())
            }
            Err(refused) => self.eyes.error_frame(&refused, tag.as_ref()).into(),
        }
    }

    async fn answer(&mut self, text: &str, tag: &mut Option<Value>) -> Result<(), ActionError> {
        self.messages.check()?;
        let unreadable = |error: serde_json::Error| {
            let reason = error.to_string();
            // Of all that can be said here, looking is no action.
            let reason = reason.replacen(
                "expected one of `move`",
                "expected one of `look`, `move`",
                1,
            );
            let message = format!("the message cannot be read: {reason}");
            Error::new(Kind::BadRequest, message)
        };
        let mut message: serde_json::Map<String, Value> =
            serde_json::from_str(text).map_err(unreadable)?;
        *tag = match message.remove("tag") {
            None | Some(Value::Null) => None,
            Some(Value::String(tag)) if tag.len() <= LONGEST_TAG => Some(tag.into()),
            Some(Value::Number(tag)) => Some(tag.into()),
            Some(_) => {
                let message = format!("a tag is a number or up to {LONGEST_TAG} bytes of text");
                return Err(Error::new(Kind::BadRequest, message).into());
            }
        };
        if message.get("do").and_then(Value::as_str) == Some("look") {
            message.remove("do");
            let there: LookThere = serde_json::from_value(message.into()).map_err(unreadable)?;
            self.eyes.change_view(there.path, there.ply)?;
            return Ok(());
        }
        let action: Action = serde_json::from_value(message.into()).map_err(unreadable)?;
        let Some(room) = self.watching.room().cloned() else {
            let message = "this game is not played here; it can only be looked at";
            return Err(Error::new(Kind::NotYours, message).into());
        };
        room.handle_action(&self.app, self.eyes.visitor, action)
            .await?;
        Ok(())
    }
}

/// Was it taken in time?
async fn within(sending: impl Future<Output = bool>) -> bool {
    timeout(PATIENCE, sending).await.unwrap_or(false)
}

/// Closes the socket with a reason. Boxed, since every socket's task has room for this.
fn end(mut socket: Socket, code: CloseCode, reason: &str) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        within(async {
            socket.close(code, reason).await;
            true
        })
        .await;
    })
}

/// The visitor was banned, or the session ended.
async fn dismiss(mut socket: Socket, frame: String) {
    if within(socket.send(frame)).await {
        end(socket, CloseCode::Policy, "your session has ended").await;
    }
}
