//! `/token` and `/session`: issuing tokens to programs, and ending sessions.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::ApiError;
use crate::middleware::{self, Visitor};

/// Roughly the bytes that an ended session takes on disk.
const SESSION_BYTES: usize = 100;

/// A token.
#[derive(Serialize, ToSchema)]
pub(crate) struct Token {
    /// 64 hexadecimal digits. Keep them secret: anyone who has them can play your games.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    token: String,
}

/// Issues a token for a program to send as `Authorization: Bearer …`.
///
/// The token is returned only once. Only tokens issued by this server are accepted.
#[utoipa::path(post, path = "/token", tag = "play",
    responses((status = 201, description = "The new token", body = Token)))]
pub(super) async fn issue(State(app): State<App>) -> Result<(StatusCode, Json<Token>), ApiError> {
    let token = app.access.issue_token()?.to_hex();
    Ok((StatusCode::CREATED, Json(Token { token })))
}

/// Ends your session permanently.
///
/// The token or cookie sent with the request is never accepted again, open streams and sockets are closed, and you can't
/// continue games that you were playing. The games aren't deleted.
#[utoipa::path(delete, path = "/session", tag = "play",
    responses((status = 204, description = "The session has ended")))]
pub(super) async fn end(State(app): State<App>, visitor: Visitor) -> Result<Response, ApiError> {
    if visitor.has_token() {
        app.rate_limiters
            .check_stored_bytes(&visitor, SESSION_BYTES)?;
        app.access
            .end_session(&app.config.store, visitor.id())
            .await?;
    }
    let cookie = middleware::clear_cookie(&app.config)?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}
