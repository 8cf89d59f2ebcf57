//! Everything that can go wrong with a request: one table from kind to status, and a
//! sentence for people.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use noughts_session::SessionError;
use noughts_store::StoreError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::digest::to_hex;

/// What kind of thing went wrong. The words are part of the API.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// The request cannot be read: its JSON, a parameter, a frame.
    BadRequest,
    /// A variant, position, move, name or bot that does not exist or is not allowed.
    Invalid,
    /// There is no such thing.
    NotFound,
    /// Not with this method.
    MethodNotAllowed,
    /// The token was not issued by this server, or its session has ended.
    UnknownToken,
    /// The operator has banned the visitor, or where they come from.
    Banned,
    /// The visitor does not sit there.
    NotYours,
    /// The request came from another site.
    ForeignOrigin,
    /// The rules, or how a game is played, do not allow it.
    Refused,
    /// The game has gone on meanwhile; the answer has its state.
    Stale,
    /// The body is something else than JSON.
    WrongType,
    /// The body did not come in time.
    TooSlow,
    /// Too large.
    TooLarge,
    /// Too many requests, games or analyses.
    TooMany,
    /// The server has too much to do, or is stopping.
    Busy,
    /// The saved games can't be read or written: the disk is full, say. The message names
    /// the cause.
    Store,
    /// A fault of the program.
    Internal,
}

impl Kind {
    /// The one table.
    pub(crate) fn status(self) -> StatusCode {
        match self {
            Kind::BadRequest => StatusCode::BAD_REQUEST,
            Kind::Invalid | Kind::Refused => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::NotFound => StatusCode::NOT_FOUND,
            Kind::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Kind::UnknownToken => StatusCode::UNAUTHORIZED,
            Kind::Banned | Kind::NotYours | Kind::ForeignOrigin => StatusCode::FORBIDDEN,
            Kind::Stale => StatusCode::CONFLICT,
            Kind::WrongType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Kind::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Kind::Busy | Kind::Store => StatusCode::SERVICE_UNAVAILABLE,
            Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// What went wrong, as the API says it.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct Error {
    /// What kind of thing.
    pub(crate) kind: Kind,
    /// What is wrong and what is allowed, in one sentence.
    pub(crate) message: String,
    /// After how many seconds it may go better; told in a header.
    #[serde(skip)]
    pub(crate) retry: Option<u64>,
}

/// Seconds after which to try again where nobody knows better.
const RETRY: u64 = 5;

impl Error {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Error {
        Error {
            kind,
            message: message.into(),
            retry: None,
        }
    }

    /// It may go better after so many seconds.
    pub(crate) fn with_retry_after(self, seconds: u64) -> Error {
        Error {
            retry: Some(seconds),
            ..self
        }
    }

    /// When to come again, where that is of use.
    fn retry_after(&self) -> Option<u64> {
        match self.kind {
            Kind::TooMany | Kind::Busy | Kind::Store => Some(self.retry.unwrap_or(RETRY)),
            _ => None,
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        let kind = match error {
            StoreError::SamePlayer(_) | StoreError::Invalid(_) => Kind::Invalid,
            StoreError::Conflict { .. }
            | StoreError::TournamentConflict { .. }
            | StoreError::PlayerInGame(_)
            | StoreError::NameTaken(_) => Kind::Refused,
            StoreError::NoSuchGame(_)
            | StoreError::NoSuchTournament(_)
            | StoreError::NoSuchPlayer(_)
            | StoreError::NoSuchOpponent(_) => Kind::NotFound,
            error => return unavailable(&error),
        };
        Error::new(kind, error.to_string())
    }
}

/// Why the saved games can't be used, without the path of the file: that is in the log.
fn unavailable(error: &StoreError) -> Error {
    let (kind, what) = match error {
        StoreError::Overloaded => {
            return Error::new(Kind::Busy, error.to_string());
        }
        StoreError::ShuttingDown => {
            let what = "the server is stopping; try again in a few seconds";
            return Error::new(Kind::Busy, what);
        }
        StoreError::Busy { .. } => (
            Kind::Busy,
            "another program on the server is writing to the saved games",
        ),
        StoreError::DiskFull { .. } => (
            Kind::Store,
            "the server's disk is full, so nothing can be saved",
        ),
        StoreError::ReadOnly { .. } => (
            Kind::Store,
            "the server isn't allowed to write to the saved games",
        ),
        StoreError::FileReplaced { .. } => (
            Kind::Store,
            "the server's saved games were deleted or replaced, so nothing can be saved",
        ),
        StoreError::Corrupt { .. } => (Kind::Store, "the server's saved games are corrupted"),
        _ => (Kind::Store, "the server can't use the saved games"),
    };
    let id = new_error_id();
    tracing::error!(id, %error, "the saved games can't be used");
    Error::new(
        kind,
        format!("{what}; nothing was changed, and the server's log has the details under {id}"),
    )
}

/// A number by which a visitor and the log name the same fault. Visitors get no more: where files
/// are and what the program was doing is none of their business.
pub(crate) fn new_error_id() -> String {
    let mut bytes = [0; 4];
    // Without random numbers all have the same, which is no reason to stay silent.
    let _ = getrandom::fill(&mut bytes);
    to_hex(&bytes)
}

impl From<SessionError> for Error {
    fn from(problem: SessionError) -> Error {
        match problem {
            SessionError::Rejected(reason) => Error::new(Kind::Refused, reason),
            SessionError::Store(error) => error.into(),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        #[derive(Serialize)]
        struct Body<'a> {
            error: &'a Error,
        }
        let mut response = (self.kind.status(), Json(Body { error: &self })).into_response();
        if let Some(seconds) = self.retry_after() {
            let seconds = HeaderValue::from(seconds);
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        if self.kind == Kind::UnknownToken {
            let scheme = HeaderValue::from_static(r#"Bearer error="invalid_token""#);
            let headers = response.headers_mut();
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        // For the guard, who makes pages of errors that people meet, and hides faults.
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// The path of the database was in the answer, and the server's own crowd was blamed on
    /// another program.
    #[test]
    fn an_unavailable_store_is_a_503_with_its_cause_and_without_a_path() {
        let file = || PathBuf::from("/secret/place/noughts.db");
        for (error, cause) in [
            (StoreError::Overloaded, "too many requests"),
            (StoreError::ShuttingDown, "stopping"),
            (StoreError::Busy { file: file() }, "another program"),
            (StoreError::DiskFull { path: file() }, "disk is full"),
            (StoreError::ReadOnly { path: file() }, "allowed to write"),
            (
                StoreError::FileReplaced { file: file() },
                "deleted or replaced",
            ),
            (StoreError::Foreign { file: file() }, "can't use"),
            (
                StoreError::Corrupt {
                    file: file(),
                    what: "a page of /secret/place is lost".into(),
                },
                "corrupted",
            ),
            (
                StoreError::Other {
                    file: file(),
                    what: "/secret/place".into(),
                },
                "can't use",
            ),
        ] {
            let shown = Error::from(error.clone());
            assert_eq!(shown.kind.status(), StatusCode::SERVICE_UNAVAILABLE);
            assert!(shown.message.contains(cause), "{error:?}: {shown:?}");
            assert!(!shown.message.contains("secret"), "{error:?}: {shown:?}");
            assert!(shown.into_response().headers().contains_key("retry-after"));
        }
    }
}
