//! Everything that can go wrong with a request: one table from kind to status, and a sentence for
//! people.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use noughts_engine::{UnknownBotError, UnsupportedVariantError};
use noughts_rules::VariantError;
use noughts_session::SessionError;
use noughts_store::{NameError, StoreError};
use serde::Serialize;
use utoipa::ToSchema;

/// The kind of an error. The names are part of the API.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ApiErrorKind {
    /// The request is invalid: its JSON, a parameter or a message.
    BadRequest,
    /// A variant, position, move, name or bot doesn't exist or isn't allowed.
    Invalid,
    /// The resource doesn't exist.
    NotFound,
    /// The method isn't allowed for this URL.
    MethodNotAllowed,
    /// The token wasn't issued by this server, or its session has ended.
    UnknownToken,
    /// The operator has banned the visitor or their network.
    Banned,
    /// The visitor doesn't play this side.
    NotYours,
    /// The request came from another site.
    ForeignOrigin,
    /// The rules or the state of the game don't allow the action.
    Refused,
    /// The game has changed in the meantime; the response has its current state.
    Stale,
    /// The body isn't JSON.
    WrongType,
    /// The body didn't arrive in time.
    TooSlow,
    /// The request is too large.
    TooLarge,
    /// Too many requests, games or analyses; try again later.
    TooMany,
    /// The server is overloaded or stopping.
    Busy,
    /// The saved games can't be read or written, for example because the disk is full. The message has the cause.
    Store,
    /// An internal error.
    Internal,
}

impl ApiErrorKind {
    /// The HTTP status of each kind of error.
    pub(crate) fn status(self) -> StatusCode {
        match self {
            ApiErrorKind::BadRequest => StatusCode::BAD_REQUEST,
            ApiErrorKind::Invalid | ApiErrorKind::Refused => StatusCode::UNPROCESSABLE_ENTITY,
            ApiErrorKind::NotFound => StatusCode::NOT_FOUND,
            ApiErrorKind::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            ApiErrorKind::UnknownToken => StatusCode::UNAUTHORIZED,
            ApiErrorKind::Banned | ApiErrorKind::NotYours | ApiErrorKind::ForeignOrigin => {
                StatusCode::FORBIDDEN
            }
            ApiErrorKind::Stale => StatusCode::CONFLICT,
            ApiErrorKind::WrongType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ApiErrorKind::TooSlow => StatusCode::REQUEST_TIMEOUT,
            ApiErrorKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ApiErrorKind::TooMany => StatusCode::TOO_MANY_REQUESTS,
            ApiErrorKind::Busy | ApiErrorKind::Store => StatusCode::SERVICE_UNAVAILABLE,
            ApiErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// An error of this kind.
    pub(crate) fn error(self, message: impl Into<String>) -> ApiError {
        ApiError {
            kind: self,
            message: message.into(),
            retry: None,
        }
    }

    /// An error of this kind unless the condition holds.
    pub(crate) fn require(self, condition: bool, message: &str) -> Result<(), ApiError> {
        match condition {
            true => Ok(()),
            false => Err(self.error(message)),
        }
    }
}

/// An error.
#[derive(Clone, PartialEq, Serialize, ToSchema, Debug)]
pub(crate) struct ApiError {
    /// The kind of the error.
    pub(crate) kind: ApiErrorKind,
    /// What is wrong and what is allowed, in one sentence.
    pub(crate) message: String,
    /// The seconds to wait before trying again, sent in the `Retry-After` header.
    #[serde(skip)]
    pub(crate) retry: Option<u64>,
}

/// The body of an error response.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// The error.
    error: ApiError,
}

/// The default for `Retry-After`, in seconds.
const DEFAULT_RETRY_SECS: u64 = 5;

impl ApiError {
    /// The value of `Retry-After`, for errors where trying again makes sense.
    fn retry_after(&self) -> Option<u64> {
        match self.kind {
            ApiErrorKind::TooMany | ApiErrorKind::Busy | ApiErrorKind::Store => {
                Some(self.retry.unwrap_or(DEFAULT_RETRY_SECS))
            }
            _ => None,
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        let kind = match error {
            StoreError::SamePlayer(_) | StoreError::Invalid(_) => ApiErrorKind::Invalid,
            StoreError::Conflict { .. }
            | StoreError::TournamentConflict { .. }
            | StoreError::PlayerInGame(_)
            | StoreError::NameTaken(_) => ApiErrorKind::Refused,
            StoreError::NoSuchGame(_)
            | StoreError::NoSuchTournament(_)
            | StoreError::NoSuchPlayer(_)
            | StoreError::NoSuchOpponent(_) => ApiErrorKind::NotFound,
            error => return unavailable(&error),
        };
        kind.error(error.to_string())
    }
}

/// Why the saved games can't be used, without the path of the file: that is only in the log.
fn unavailable(error: &StoreError) -> ApiError {
    let mut kind = ApiErrorKind::Store;
    let what = match error {
        StoreError::Overloaded => return ApiErrorKind::Busy.error(error.to_string()),
        StoreError::ShuttingDown => {
            let what = "the server is stopping; try again in a few seconds";
            return ApiErrorKind::Busy.error(what);
        }
        StoreError::Busy { .. } => {
            kind = ApiErrorKind::Busy;
            "another program on the server is using the saved games; try again in a moment"
        }
        StoreError::DiskFull { .. } => {
            "the server's disk is full, so nothing can be saved until its operator frees up space"
        }
        StoreError::ReadOnly { .. } => "the server isn't allowed to write to the saved games",
        StoreError::FileReplaced { .. } => {
            "the server's saved games were deleted or replaced, so nothing can be saved"
        }
        StoreError::Corrupt { .. } => "the server's saved games are corrupted",
        _ => "the server can't use the saved games",
    };
    let id = new_error_id();
    tracing::error!(id, %error, "the saved games can't be used");
    kind.error(with_log_id(what, &id))
}

/// A message that says where the operator finds the details.
pub(crate) fn with_log_id(what: &str, id: &str) -> String {
    format!("{what}; nothing was changed. Give the server's operator this error ID: {id}")
}

/// An id by which a visitor and the operator can refer to the same error. Visitors don't see file
/// paths or what the program was doing; the log has those under this id.
pub(crate) fn new_error_id() -> String {
    let mut bytes = [0; 4];
    // Without random numbers all ids are the same, which is better than no error.
    let _ = getrandom::fill(&mut bytes);
    hex::encode(bytes)
}

/// What a request names and doesn't exist or isn't allowed.
macro_rules! invalid_input {
    ($($error:ty)*) => {
        $(impl From<$error> for ApiError {
            fn from(error: $error) -> ApiError {
                ApiErrorKind::Invalid.error(error.to_string())
            }
        })*
    };
}

invalid_input! { NameError VariantError UnknownBotError UnsupportedVariantError }

pub(crate) fn no_such_game() -> ApiError {
    ApiErrorKind::NotFound.error("this game doesn't exist")
}

pub(crate) fn not_played_here() -> ApiError {
    ApiErrorKind::NotYours
        .error("this game isn't being played on this server; you can only watch it")
}

pub(crate) fn no_such_position() -> ApiError {
    ApiErrorKind::NotFound.error("this position doesn't exist or is no longer stored")
}

impl From<SessionError> for ApiError {
    fn from(error: SessionError) -> ApiError {
        match error {
            SessionError::Rejected(reason) => ApiErrorKind::Refused.error(reason),
            SessionError::Store(error) => error.into(),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let error = self.clone();
        let mut response = (self.kind.status(), Json(ErrorBody { error })).into_response();
        if let Some(seconds) = self.retry_after() {
            let seconds = HeaderValue::from(seconds);
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        if self.kind == ApiErrorKind::UnknownToken {
            let scheme = HeaderValue::from_static(r#"Bearer error="invalid_token""#);
            let headers = response.headers_mut();
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        // The middleware renders errors as pages for people, and hides internal ones.
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// Guards against responses with the path of the database, and against blaming the server's own
    /// load on another program.
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
            let shown = ApiError::from(error.clone());
            assert_eq!(shown.kind.status(), StatusCode::SERVICE_UNAVAILABLE);
            assert!(shown.message.contains(cause), "{error:?}: {shown:?}");
            assert!(!shown.message.contains("secret"), "{error:?}: {shown:?}");
            assert!(shown.into_response().headers().contains_key("retry-after"));
        }
    }
}
