//! `/games/{id}/stream`: a game in progress as lines of JSON over plain HTTP. The socket sends the
//! same messages.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use futures_util::{StreamExt, stream};
use noughts_wire::{GameUpdate, GameView};
use serde::Serialize;
use tokio::time::{Interval, MissedTickBehavior, interval};
use utoipa::ToSchema;

use super::ndjson::ndjson_response;
use crate::app::App;
use crate::error::ApiError;
use crate::live::GameSubscription;
use crate::view::{StreamWriter, ViewParams, ViewRequest};

/// How often something is sent even if nothing happens.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(20);

pub(super) fn heartbeat() -> Interval {
    let mut heartbeat_timer = interval(HEARTBEAT);
    heartbeat_timer.set_missed_tick_behavior(MissedTickBehavior::Delay);
    heartbeat_timer.reset();
    heartbeat_timer
}

/// A line of a stream, and a message on a socket.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[allow(
    dead_code,
    reason = "only for the schema; messages are assembled from cached JSON"
)]
pub(crate) enum StreamMessage {
    /// The complete state: the first message.
    State(Box<GameView>),
    /// What has changed since the last message. The same `rev` may be sent again: a player connecting, an offer or a bot
    /// starting to think doesn't change it.
    Update(GameUpdate),
    /// A message on the socket was invalid or not allowed, or the visitor's session has ended.
    Error {
        /// The error.
        error: ApiError,
        /// What has changed since the last message, if that is the reason.
        #[serde(skip_serializing_if = "Option::is_none")]
        update: Option<GameUpdate>,
    },
    /// The server is stopping: reconnect in a moment.
    Shutdown,
}

/// Streams a game as lines of JSON.
///
/// The current state is sent immediately: the fields of `GameView`, and `"type":"state"`. For each change a line with
/// `"type":"update"` follows, which has only what has changed: see `GameUpdate`. Before the server stops, it sends
/// `{"type":"shutdown"}`. An empty line is sent every 20 seconds.
#[utoipa::path(get, path = "/games/{id}/stream", tag = "play",
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$"), ViewParams),
    responses(
        (status = 200, description = "The states, line by line", body = StreamMessage, content_type = "application/x-ndjson"),
    ))]
pub(super) async fn watch(
    State(app): State<App>,
    request: ViewRequest,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let visitor = request.visitor;
    let permit = app.rate_limiters.open_stream(&visitor)?;
    let subscription = GameSubscription::open(&app, &id, visitor.hash).await?;
    let mut messages = StreamWriter::new(request);
    let first = messages.next(subscription.snapshot(), None);
    let changes = (app.clone(), subscription, messages, heartbeat());
    let changes = stream::unfold(
        changes,
        |(app, mut subscription, mut messages, mut timer)| {
            async move {
                let line = tokio::select! {
                    // An error means that the game was deleted: there is nothing left to watch.
                    changed = subscription.changed(&app) => {
                        changed.ok()?;
                        messages.next(subscription.snapshot(), None)
                    }
                    _ = timer.tick() => Bytes::new(),
                };
                Some((line, (app, subscription, messages, timer)))
            }
        },
    );
    let lines = stream::iter([first]).chain(changes);
    Ok(ndjson_response(&app, visitor, permit, lines))
}
