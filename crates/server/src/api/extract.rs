//! Extractors for bodies and query strings. What they reject, they reject with a sentence that says
//! why.

use std::time::Duration;

use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use futures_util::StreamExt;
use noughts_rules::{AnyGameState, Variant};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};

/// The most moves in one request: more than any game has.
const MAX_MOVES: usize = 10_000;

/// A JSON body.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<JsonBody<T>, ApiError> {
        let limits = &app.config.limits;
        read(request, limits.body_bytes, limits.body_timeout)
            .await
            .map(JsonBody)
    }
}

/// A JSON body that may contain a position: those of deep boards are long.
pub(crate) struct LargeJsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for LargeJsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<LargeJsonBody<T>, ApiError> {
        let limits = &app.config.limits;
        let body = read(request, limits.position_bytes, limits.body_timeout).await;
        body.map(LargeJsonBody)
    }
}

async fn read<T: DeserializeOwned>(
    request: Request,
    max_bytes: usize,
    time_limit: Duration,
) -> Result<T, ApiError> {
    let kind = request.headers().get(CONTENT_TYPE);
    // A form on another site can't send this content type.
    if !kind.is_some_and(|kind| kind.to_str().is_ok_and(is_json)) {
        let message =
            "the request body must be JSON, with the header `Content-Type: application/json`";
        return Err(ApiError::new(ApiErrorKind::WrongType, message));
    }
    let body = timeout(time_limit, read_body(request, max_bytes)).await;
    let body = body.unwrap_or_else(|_| {
        let seconds = time_limit.as_secs();
        let message = format!("the request body didn't arrive within {seconds} s; send it again");
        Err(ApiError::new(ApiErrorKind::TooSlow, message))
    })?;
    serde_json::from_slice(&body).map_err(|error| {
        let message = format!("the request body is invalid: {error}");
        ApiError::new(ApiErrorKind::BadRequest, message)
    })
}

/// The media type is JSON, and the charset is UTF-8 if there is one.
fn is_json(kind: &str) -> bool {
    let mut parts = kind.split(';').map(str::trim);
    let is_media_type = |part: &str| part.eq_ignore_ascii_case("application/json");
    let is_utf8_charset = |part: &str| {
        let set = part
            .split_once('=')
            .filter(|(name, _)| name.eq_ignore_ascii_case("charset"));
        set.is_some_and(|(_, set)| set.trim_matches('"').eq_ignore_ascii_case("utf-8"))
    };
    parts.next().is_some_and(is_media_type) && parts.all(is_utf8_charset)
}

/// Reads the whole body. A body that is too long by its own Content-Length isn't read at all.
async fn read_body(request: Request, max_bytes: usize) -> Result<Vec<u8>, ApiError> {
    let too_large = || {
        let message = format!("the request body is too large; up to {max_bytes} bytes are allowed");
        ApiError::new(ApiErrorKind::TooLarge, message)
    };
    let content_length = request.headers().get(CONTENT_LENGTH);
    let content_length =
        content_length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if content_length.is_some_and(|length| length > max_bytes as u64) {
        return Err(too_large());
    }
    let mut chunks = request.into_body().into_data_stream();
    let mut body = Vec::new();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(|_| {
            let message = "the request body was truncated or malformed";
            ApiError::new(ApiErrorKind::BadRequest, message)
        })?;
        if body.len() + chunk.len() > max_bytes {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The parameters in a query string.
pub(crate) struct QueryParams<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<QueryParams<T>, ApiError> {
        if !parts.uri.query().is_none_or(is_utf8) {
            let message = "the URL's parameters aren't valid UTF-8";
            return Err(ApiError::new(ApiErrorKind::BadRequest, message));
        }
        match Query::from_request_parts(parts, state).await {
            Ok(Query(params)) => Ok(QueryParams(params)),
            Err(rejection) => {
                let text = rejection.body_text();
                let reason = text.rsplit_once("string: ").map_or(&*text, |(_, why)| why);
                let message = format!(
                    "the URL's parameters are invalid: {reason}",
                    reason = reword(reason)
                );
                Err(ApiError::new(ApiErrorKind::BadRequest, message))
            }
        }
    }
}

/// Rewords the parsing errors of values, which talk about programming.
fn reword(reason: &str) -> String {
    let Some((name, complaint)) = reason.split_once(": ") else {
        return reason.into();
    };
    let complaint = match complaint {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "must be a valid whole number"
        }
        "number too large to fit in target type" | "number too small to fit in target type" => {
            "is out of range"
        }
        "provided string was not `true` or `false`" => "must be `true` or `false`",
        _ => return reason.into(),
    };
    format!("{name} {complaint}")
}

/// Is the query valid UTF-8 after percent-decoding?
fn is_utf8(query: &str) -> bool {
    let mut bytes = Vec::with_capacity(query.len());
    let mut rest = query.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    std::str::from_utf8(&bytes).is_ok()
}

/// A position: the variant, the start position and the moves played from there.
#[derive(Clone, PartialEq, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Given {
    /// The variant's name.
    #[schema(example = "classic", max_length = 100)]
    pub(crate) variant: String,
    /// The start position as text; the standard one if missing.
    #[schema(example = "x.o/.x./... o", max_length = 700000)]
    pub(crate) position: Option<String>,
    /// The moves played from there.
    #[schema(example = json!(["c3", "a3"]), max_items = 10000)]
    pub(crate) moves: Option<Vec<String>>,
}

impl Given {
    /// Replays the moves. Parsing and replaying a deep board takes too long for an async task.
    pub(crate) async fn into_state(self) -> Result<AnyGameState, ApiError> {
        // The text of a deep board has half a million cells.
        let read = tokio::task::spawn_blocking(move || self.read()).await;
        read.unwrap_or_else(|_| {
            Err(ApiError::new(
                ApiErrorKind::Internal,
                "parsing the position panicked",
            ))
        })
    }

    fn read(&self) -> Result<AnyGameState, ApiError> {
        if self.moves.as_ref().is_some_and(|all| all.len() > MAX_MOVES) {
            let message = format!("too many moves; up to {MAX_MOVES} are allowed");
            return Err(ApiError::new(ApiErrorKind::BadRequest, message));
        }
        let variant = parse_variant(&self.variant)?;
        let mut state = match &self.position {
            None => AnyGameState::new(variant),
            Some(text) => AnyGameState::from_text(variant, text).map_err(|error| {
                ApiError::new(ApiErrorKind::Invalid, format!("invalid position: {error}"))
            })?,
        };
        for (ply, mv) in self.moves.iter().flatten().enumerate() {
            state.play(mv).map_err(|refusal| {
                ApiError::new(
                    ApiErrorKind::Invalid,
                    format!("move {number}: {refusal}", number = ply + 1),
                )
            })?;
        }
        Ok(state)
    }
}

pub(crate) fn parse_variant(name: &str) -> Result<Variant, ApiError> {
    let variant = name.parse::<Variant>();
    variant.map_err(|error| ApiError::new(ApiErrorKind::Invalid, error.to_string()))
}

/// Checks the path of a board inside boards.
pub(crate) fn check_path(text: &str) -> Result<&str, ApiError> {
    let letters = text.bytes().all(|letter| (b'a'..=b'i').contains(&letter));
    if letters && text.len() <= 6 {
        return Ok(text);
    }
    let message = "path must have at most 6 letters from a to i";
    Err(ApiError::new(ApiErrorKind::BadRequest, message))
}
