//! `/games/{id}/stream`: a game in progress as lines of JSON over plain HTTP. The socket sends the
//! same frames.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Serialize;
use tokio::time::{Interval, MissedTickBehavior, interval};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::QueryParams;
use super::ndjson::NDJSON;
use super::types::GameView;
use super::viewer::{SentParts, ViewParams, Viewer};
use crate::app::App;
use crate::error::ApiError;
use crate::live::GameSubscription;
use crate::middleware::{StreamPermit, Visitor};

/// How often something is sent even if nothing happens.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(20);

/// The last frame before the server stops, which tells clients to reconnect.
pub(super) const SHUTDOWN_FRAME: &str = r#"{"type":"bye"}"#;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(watch))
}

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
    reason = "only for the schema; frames are assembled from cached JSON"
)]
pub(crate) enum StreamLine {
    /// The game's current state. The same `rev` may be sent again: a player connecting, an offer or a bot starting to
    /// think doesn't change it.
    State(GameView),
    /// A message on the socket was invalid or not allowed, or the visitor's session has ended.
    Error {
        /// The error.
        error: ApiError,
        /// The game's current state, if that is the reason.
        #[serde(skip_serializing_if = "Option::is_none")]
        view: Option<GameView>,
    },
    /// The server is stopping: reconnect in a moment.
    Bye,
}

struct Stream {
    app: App,
    subscription: GameSubscription,
    viewer: Viewer,
    sent: SentParts,
    heartbeat_timer: Interval,
    is_started: bool,
    is_ended: bool,
    _permit: StreamPermit,
}

/// Streams a game as lines of JSON.
///
/// The current state is sent immediately, and a new line follows for each change: the fields of `GameView`, and
/// `"type":"state"`. Before the server stops, it sends `{"type":"bye"}`. An empty line is sent every 20 seconds.
#[utoipa::path(get, path = "/games/{id}/stream", tag = "play",
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$"), ViewParams),
    responses(
        (status = 200, description = "The states, line by line", body = StreamLine, content_type = "application/x-ndjson"),
        (status = 404, description = "The game doesn't exist", body = super::ErrorBody),
    ))]
async fn watch(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(params): QueryParams<ViewParams>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let stream = Stream {
        viewer: Viewer::new(&app, &headers, visitor, params)?,
        _permit: app.rate_limiters.open_stream(&visitor)?,
        subscription: GameSubscription::open(&app, &id, visitor.hash).await?,
        sent: SentParts::default(),
        heartbeat_timer: heartbeat(),
        is_started: false,
        is_ended: false,
        app,
    };
    let lines = stream::unfold(stream, |mut stream| async move {
        let line = stream.next().await?;
        Some((Ok::<Bytes, Infallible>(line), stream))
    });
    let headers = [(CONTENT_TYPE, NDJSON), (CACHE_CONTROL, "no-store")];
    Ok((headers, Body::from_stream(lines)).into_response())
}

impl Stream {
    async fn next(&mut self) -> Option<Bytes> {
        if self.is_ended {
            return None;
        }
        let line = match self.is_started {
            false => {
                self.is_started = true;
                self.frame()
            }
            true => tokio::select! {
                changed = self.subscription.changed(&self.app) => match changed {
                    Ok(()) => self.frame(),
                    // The game was deleted: there is nothing left to watch.
                    Err(_) => return None,
                },
                _ = self.heartbeat_timer.tick() => Bytes::new(),
                error = self.app.access.wait_until_revoked(self.viewer.visitor) => {
                    self.is_ended = true;
                    self.viewer.error_frame(&error.into(), None).into()
                }
                () = self.app.shutdown.wait() => {
                    self.is_ended = true;
                    SHUTDOWN_FRAME.into()
                }
            },
        };
        Some([&line[..], b"\n"].concat().into())
    }

    fn frame(&mut self) -> Bytes {
        self.viewer
            .frame(self.subscription.snapshot(), None, &mut self.sent)
    }
}
