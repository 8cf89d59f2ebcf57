//! Answers that grow: one JSON object on each line, as they are found.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, future, stream};
use serde::Serialize;

use crate::app::App;
use crate::guard::Open;

/// What the lines are called.
pub(crate) const NDJSON: &str = "application/x-ndjson";

/// The last line before the server stops: come back.
const BYE: &str = "{\"type\":\"bye\"}\n";

/// An answer of these lines, until there are no more or the server stops. A reader who
/// does not read keeps the stream from being asked for more; one who leaves drops it.
/// The visitor's pass is held as long.
pub(crate) fn lines<T: Serialize>(
    app: &App,
    pass: Open,
    of: impl Stream<Item = T> + Send + 'static,
) -> Response {
    let (stopping, stopped) = (app.clone(), app.clone());
    let stopping = Box::pin(async move { stopping.stop.coming().await });
    let lines = of.map(|line| text(&line)).take_until(stopping);
    let bye = stream::once(async move {
        let stops = stopped.stop.is_coming();
        stops.then(|| Bytes::from_static(BYE.as_bytes()))
    });
    let bye = Box::pin(bye).filter_map(future::ready);
    let lines = lines.chain(bye).map(move |line| {
        let _held = &pass;
        Ok::<Bytes, Infallible>(line)
    });
    let headers = [(CONTENT_TYPE, NDJSON), (CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(lines)).into_response()
}

fn text(line: &impl Serialize) -> Bytes {
    // What is told here has no map with odd keys, which is all that JSON cannot say.
    let mut text = serde_json::to_vec(line).unwrap_or_default();
    text.push(b'\n');
    text.into()
}
