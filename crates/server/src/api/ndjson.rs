//! Streamed responses with one JSON object per line.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::ApiError;
use crate::middleware::{StreamPermit, Visitor};

/// A line of the response.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only for the schema")]
pub(crate) enum NdjsonLine<T> {
    /// A result.
    Item(T),
    /// The last line of a response that ends early.
    End(StreamEnd),
}

/// Why a response ends early.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum StreamEnd {
    /// The server is stopping: reconnect in a moment.
    Shutdown,
    /// The visitor was banned, or the session ended.
    Error {
        /// The error.
        error: ApiError,
    },
}

/// A value as a line.
pub(super) fn json_line(value: &impl Serialize) -> Bytes {
    // JSON can't represent maps with non-string keys, and there are none here.
    serde_json::to_vec(value).unwrap_or_default().into()
}

/// A response of these lines. It ends when there are no more, when the server stops, or when the
/// visitor's access is revoked. The stream is polled only as fast as the client reads, and dropped
/// if the client disconnects. The visitor's permit is held until then.
pub(super) fn ndjson_response(
    app: &App,
    visitor: Visitor,
    permit: StreamPermit,
    lines: impl Stream<Item = Bytes> + Send + 'static,
) -> Response {
    let app = app.clone();
    let ending = async move {
        tokio::select! {
            () = app.shutdown.cancelled() => StreamEnd::Shutdown,
            error = app.access.wait_until_revoked(visitor) => StreamEnd::Error { error },
        }
    };
    let running = Some((Box::pin(lines), Box::pin(ending)));
    let lines = stream::unfold((running, permit), |(running, permit)| async move {
        let (mut lines, mut ending) = running?;
        tokio::select! {
            biased;
            end = &mut ending => Some((json_line(&end), (None, permit))),
            line = lines.next() => Some((line?, (Some((lines, ending)), permit))),
        }
    });
    let lines = lines.map(|line| Ok::<_, Infallible>([&line[..], b"\n"].concat()));
    let body = Body::from_stream(lines.fuse());
    ([(CONTENT_TYPE, "application/x-ndjson")], body).into_response()
}
