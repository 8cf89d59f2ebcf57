//! What a request brings, read, or a sentence on what is wrong with it.

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
use crate::error::{Error, Kind};

/// Moves in one request: longer than any game.
const MOST_MOVES: usize = 10_000;

/// A body in JSON.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for JsonBody<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<JsonBody<T>, Error> {
        let limits = &app.config.limits;
        read(request, limits.body_bytes, limits.body_timeout)
            .await
            .map(JsonBody)
    }
}

/// A body in JSON that may have a position in it: those of deep boards are long.
pub(crate) struct LargeJsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for LargeJsonBody<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<LargeJsonBody<T>, Error> {
        let limits = &app.config.limits;
        let body = read(request, limits.position_bytes, limits.body_timeout).await;
        body.map(LargeJsonBody)
    }
}

async fn read<T: DeserializeOwned>(
    request: Request,
    most: usize,
    within: Duration,
) -> Result<T, Error> {
    let kind = request.headers().get(CONTENT_TYPE);
    // A form of another site cannot say this.
    if !kind.is_some_and(|kind| kind.to_str().is_ok_and(is_json)) {
        let message = "the body is JSON, and the header Content-Type says application/json";
        return Err(Error::new(Kind::WrongType, message));
    }
    let body = timeout(within, whole(request, most)).await;
    let body = body.unwrap_or_else(|_| {
        let seconds = within.as_secs();
        let message = format!("the body was not there after {seconds} s; send it again");
        Err(Error::new(Kind::TooSlow, message))
    })?;
    serde_json::from_slice(&body).map_err(|error| {
        let message = format!("the body cannot be read: {error}");
        Error::new(Kind::BadRequest, message)
    })
}

/// The media type, and no other character set than JSON has.
fn is_json(kind: &str) -> bool {
    let mut parts = kind.split(';').map(str::trim);
    let is_it = |part: &str| part.eq_ignore_ascii_case("application/json");
    let is_set = |part: &str| {
        let set = part
            .split_once('=')
            .filter(|(name, _)| name.eq_ignore_ascii_case("charset"));
        set.is_some_and(|(_, set)| set.trim_matches('"').eq_ignore_ascii_case("utf-8"))
    };
    parts.next().is_some_and(is_it) && parts.all(is_set)
}

/// All of the body. One that says that it is too long is not read at all.
async fn whole(request: Request, most: usize) -> Result<Vec<u8>, Error> {
    let too_large = || {
        let message = format!("the body may have up to {most} bytes");
        Error::new(Kind::TooLarge, message)
    };
    let announced = request.headers().get(CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > most as u64) {
        return Err(too_large());
    }
    let mut pieces = request.into_body().into_data_stream();
    let mut body = Vec::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|_| {
            let message = "the body broke off, or is not sent as HTTP has it";
            Error::new(Kind::BadRequest, message)
        })?;
        if body.len() + piece.len() > most {
            return Err(too_large());
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// What stands behind the question mark of an address.
pub(crate) struct QueryParams<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<QueryParams<T>, Error> {
        if !parts.uri.query().is_none_or(is_text) {
            let message = "the address cannot be read: what stands behind % is no UTF-8";
            return Err(Error::new(Kind::BadRequest, message));
        }
        match Query::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(QueryParams(asked)),
            Err(rejection) => {
                let text = rejection.body_text();
                let reason = text.rsplit_once("string: ").map_or(&*text, |(_, why)| why);
                let message = format!("the address cannot be read: {}", plainly(reason));
                Err(Error::new(Kind::BadRequest, message))
            }
        }
    }
}

/// What is wrong with a value, in words that are not about programs.
fn plainly(reason: &str) -> String {
    let Some((name, what)) = reason.split_once(": ") else {
        return reason.into();
    };
    let what = match what {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "is not a whole number that is allowed here"
        }
        "number too large to fit in target type" | "number too small to fit in target type" => {
            "is out of range"
        }
        "provided string was not `true` or `false`" => "is `true` or `false`",
        _ => return reason.into(),
    };
    format!("{name} {what}")
}

/// Is it text, once what stands behind % is put in its place?
fn is_text(query: &str) -> bool {
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

/// A position: of a variant, where it began, and the moves from there.
#[derive(Clone, PartialEq, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Given {
    /// The variant's name.
    #[schema(example = "classic", max_length = 100)]
    pub(crate) variant: String,
    /// The position to begin with, as text; none for the usual start.
    #[schema(example = "x.o/.x./... o", max_length = 700000)]
    pub(crate) position: Option<String>,
    /// Moves from there.
    #[schema(example = json!(["c3", "a3"]), max_items = 10000)]
    pub(crate) moves: Option<Vec<String>>,
}

impl Given {
    /// The game as far as it is given, or why there is none.
    pub(crate) async fn into_state(self) -> Result<AnyGameState, Error> {
        // The text of a deep board has half a million cells.
        let read = tokio::task::spawn_blocking(move || self.read()).await;
        read.unwrap_or_else(|_| Err(Error::new(Kind::Internal, "the position was not read")))
    }

    fn read(&self) -> Result<AnyGameState, Error> {
        if self
            .moves
            .as_ref()
            .is_some_and(|all| all.len() > MOST_MOVES)
        {
            let message = format!("there may be up to {MOST_MOVES} moves");
            return Err(Error::new(Kind::BadRequest, message));
        }
        let variant = parse_variant(&self.variant)?;
        let mut play = match &self.position {
            None => AnyGameState::new(variant),
            Some(text) => AnyGameState::from_text(variant, text)
                .map_err(|error| Error::new(Kind::Invalid, format!("the position: {error}")))?,
        };
        for (ply, mv) in self.moves.iter().flatten().enumerate() {
            play.play(mv).map_err(|refusal| {
                Error::new(Kind::Invalid, format!("move {}: {refusal}", ply + 1))
            })?;
        }
        Ok(play)
    }
}

/// The variant of this name.
pub(crate) fn parse_variant(name: &str) -> Result<Variant, Error> {
    let variant = name.parse::<Variant>();
    variant.map_err(|error| Error::new(Kind::Invalid, error.to_string()))
}

/// The path of a board inside boards.
pub(crate) fn check_path(text: &str) -> Result<&str, Error> {
    let letters = text.bytes().all(|letter| (b'a'..=b'i').contains(&letter));
    if letters && text.len() <= 6 {
        return Ok(text);
    }
    let message = "a path has up to 6 letters from a to i";
    Err(Error::new(Kind::BadRequest, message))
}
