//! Answers that grow: one JSON object on each line, as they are found.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::Error;
use crate::middleware::{StreamPermit, Visitor};

/// What the lines are called.
pub(crate) const NDJSON: &str = "application/x-ndjson";

/// The last line to a visitor who was banned, or whose session has ended.
#[derive(Serialize, ToSchema)]
pub(crate) struct Revoked {
    /// `error`.
    #[serde(rename = "type")]
    #[schema(pattern = "^error$")]
    kind: &'static str,
    /// Why there are no more lines.
    error: Error,
}

/// The last line before the server stops: come back.
const BYE: &str = "{\"type\":\"bye\"}\n";

/// An answer of these lines, until there are no more, the server stops or the visitor is no
/// longer let in. A reader who does not read keeps the stream from being asked for more; one who
/// leaves drops it. The visitor's pass is held as long.
pub(crate) fn ndjson_response<T: Serialize>(
    app: &App,
    visitor: Visitor,
    pass: StreamPermit,
    of: impl Stream<Item = T> + Send + 'static,
) -> Response {
    let app = app.clone();
    let ending = async move {
        tokio::select! {
            () = app.shutdown.wait() => Bytes::from_static(BYE.as_bytes()),
            error = app.access.wait_until_revoked(visitor) => text(&Revoked { kind: "error", error }),
        }
    };
    let going = Some((Box::pin(of), Box::pin(ending)));
    let lines = stream::unfold((going, pass), |(going, pass)| async move {
        let (mut of, mut ending) = going?;
        tokio::select! {
            biased;
            last = &mut ending => Some((last, (None, pass))),
            line = of.next() => Some((text(&line?), (Some((of, ending)), pass))),
        }
    });
    let lines = lines.map(Ok::<Bytes, Infallible>);
    let headers = [(CONTENT_TYPE, NDJSON), (CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(lines)).into_response()
}

fn text(line: &impl Serialize) -> Bytes {
    // What is told here has no map with odd keys, which is all that JSON cannot say.
    let mut text = serde_json::to_vec(line).unwrap_or_default();
    text.push(b'\n');
    text.into()
}
