//! Streamed responses with one JSON object per line.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::ApiError;
use crate::middleware::{StreamPermit, Visitor};

/// The media type.
pub(crate) const NDJSON: &str = "application/x-ndjson";

/// The last line for a visitor who was banned or whose session ended.
#[derive(Serialize, ToSchema)]
pub(crate) struct Revoked {
    /// Always `error`.
    #[serde(rename = "type")]
    #[schema(pattern = "^error$")]
    kind: &'static str,
    /// Why the response ends.
    error: ApiError,
}

/// The last line before the server stops, which tells clients to reconnect.
const SHUTDOWN_LINE: &str = "{\"type\":\"bye\"}\n";

/// A response of these lines. It ends when there are no more, when the server stops, or when the
/// visitor's access is revoked. The stream is polled only as fast as the client reads, and dropped
/// if the client disconnects. The visitor's permit is held until then.
pub(crate) fn ndjson_response<T: Serialize>(
    app: &App,
    visitor: Visitor,
    permit: StreamPermit,
    items: impl Stream<Item = T> + Send + 'static,
) -> Response {
    let app = app.clone();
    let ending = async move {
        tokio::select! {
            () = app.shutdown.wait() => Bytes::from_static(SHUTDOWN_LINE.as_bytes()),
            error = app.access.wait_until_revoked(visitor) => line_bytes(&Revoked { kind: "error", error }),
        }
    };
    let running = Some((Box::pin(items), Box::pin(ending)));
    let lines = stream::unfold((running, permit), |(running, permit)| async move {
        let (mut items, mut ending) = running?;
        tokio::select! {
            biased;
            last = &mut ending => Some((last, (None, permit))),
            line = items.next() => Some((line_bytes(&line?), (Some((items, ending)), permit))),
        }
    });
    let lines = lines.map(Ok::<Bytes, Infallible>);
    let headers = [(CONTENT_TYPE, NDJSON), (CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(lines)).into_response()
}

fn line_bytes(line: &impl Serialize) -> Bytes {
    // JSON can't represent maps with non-string keys, and there are none here.
    let mut bytes = serde_json::to_vec(line).unwrap_or_default();
    bytes.push(b'\n');
    bytes.into()
}
