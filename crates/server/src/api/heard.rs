//! What a request brings, read, or a sentence on what is wrong with it.

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use noughts_rules::{AnyPlay, Variant};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{Error, Kind};

/// Moves in one request: longer than any game.
const MOST_MOVES: usize = 10_000;

/// A body in JSON.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Body<T>, Error> {
        read(request, app.config.limits.body).await.map(Body)
    }
}

/// A body in JSON that may have a position in it: those of deep boards are long.
pub(crate) struct LongBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for LongBody<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<LongBody<T>, Error> {
        read(request, app.config.limits.position)
            .await
            .map(LongBody)
    }
}

async fn read<T: DeserializeOwned>(request: Request, most: usize) -> Result<T, Error> {
    let kind = request.headers().get(CONTENT_TYPE);
    // A form of another site cannot say this.
    if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json")) {
        let message = "the body is JSON, and the header Content-Type says application/json";
        return Err(Error::new(Kind::BadRequest, message));
    }
    let body: Bytes = to_bytes(request.into_body(), most).await.map_err(|_| {
        let message = format!("the body may have up to {most} bytes");
        Error::new(Kind::TooLarge, message)
    })?;
    serde_json::from_slice(&body).map_err(|error| {
        let message = format!("the body cannot be read: {error}");
        Error::new(Kind::BadRequest, message)
    })
}

/// What stands behind the question mark of an address.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Error> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Asked(asked)),
            Err(rejection) => {
                let text = rejection.body_text();
                let reason = text.rsplit_once("string: ").map_or(&*text, |(_, why)| why);
                let message = format!("the address cannot be read: {reason}");
                Err(Error::new(Kind::BadRequest, message))
            }
        }
    }
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
    pub(crate) async fn play(self) -> Result<AnyPlay, Error> {
        // The text of a deep board has half a million cells.
        let read = tokio::task::spawn_blocking(move || self.read()).await;
        read.unwrap_or_else(|_| Err(Error::new(Kind::Internal, "the position was not read")))
    }

    fn read(&self) -> Result<AnyPlay, Error> {
        if self
            .moves
            .as_ref()
            .is_some_and(|all| all.len() > MOST_MOVES)
        {
            let message = format!("there may be up to {MOST_MOVES} moves");
            return Err(Error::new(Kind::BadRequest, message));
        }
        let variant = variant(&self.variant)?;
        let mut play = match &self.position {
            None => AnyPlay::new(variant),
            Some(text) => AnyPlay::from_text(variant, text)
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
pub(crate) fn variant(name: &str) -> Result<Variant, Error> {
    let variant = name.parse::<Variant>();
    variant.map_err(|error| Error::new(Kind::Invalid, error.to_string()))
}

/// The path of a board inside boards.
pub(crate) fn path(text: &str) -> Result<&str, Error> {
    let letters = text.bytes().all(|letter| (b'a'..=b'i').contains(&letter));
    if letters && text.len() <= 6 {
        return Ok(text);
    }
    let message = "a path has up to 6 letters from a to i";
    Err(Error::new(Kind::BadRequest, message))
}
