//! Answers that grow: one JSON object on each line, as they are found.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt};
use serde::Serialize;

use crate::app::App;
use crate::guard::Open;

/// What the lines are called.
pub(crate) const NDJSON: &str = "application/x-ndjson";

/// An answer of these lines, until there are no more or the server stops. A reader who
/// does not read keeps the stream from being asked for more; one who leaves drops it.
/// The visitor's pass is held as long.
pub(crate) fn lines<T: Serialize>(
    app: &App,
    pass: Open,
    of: impl Stream<Item = T> + Send + 'static,
) -> Response {
    let app = app.clone();
    let stopping = Box::pin(async move { app.stop.coming().await });
    let lines = of.take_until(stopping).map(move |line| {
        let _held = &pass;
        Ok::<Bytes, Infallible>(text(&line))
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
