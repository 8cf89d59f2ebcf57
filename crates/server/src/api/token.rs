//! Secrets for programs, by which they are known again.

use axum::Json;
use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::Error;
use crate::guard;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(make))
}

/// A secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct Token {
    /// 64 hexadecimal digits. Whoever has them plays your games.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    token: String,
}

/// Makes a secret for a program, to be sent as `Authorization: Bearer …`. It is told
/// only here.
#[utoipa::path(post, path = "/token", tag = "play",
    responses((status = 201, description = "A new secret", body = Token)))]
async fn make() -> Result<(StatusCode, Json<Token>), Error> {
    let token = guard::new_token()?;
    Ok((StatusCode::CREATED, Json(Token { token })))
}
