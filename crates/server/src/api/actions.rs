//! `POST /games/{id}/actions`: moves, offers, seats and everything else done in a game.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{JsonBody, QueryParams};
use super::types::{Action, GameView};
use super::viewer::{ViewParams, Viewer};
use crate::app::App;
use crate::error::ApiError;
use crate::middleware::Visitor;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(act))
}

/// The game has gone on meanwhile.
#[derive(Serialize, ToSchema)]
pub(crate) struct StaleBody {
    /// What went wrong.
    error: ApiError,
    /// The game as it stands.
    view: GameView,
}

/// It is not allowed.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefusedBody {
    /// What is not allowed, and why.
    error: ApiError,
    /// The game as it stands, where the game is why.
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<GameView>,
}

/// Does something in a game: a move, undo, redo, resign, offers, seats. When the answer
/// comes, it is stored. The same move sent again is answered with the game as it stands,
/// and not made again.
#[utoipa::path(post, path = "/games/{id}/actions", tag = "play", request_body = Action,
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$"), ViewParams),
    responses(
        (status = 200, description = "The game after it", body = GameView),
        (status = 403, description = "It is not your turn, or not your game", body = super::ErrorBody),
        (status = 404, description = "There is no such game", body = super::ErrorBody),
        (status = 409, description = "The game has gone on meanwhile", body = StaleBody),
        (status = 422, description = "The rules do not allow it", body = RefusedBody),
    ))]
async fn act(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(params): QueryParams<ViewParams>,
    headers: HeaderMap,
    JsonBody(action): JsonBody<Action>,
) -> Result<Response, ApiError> {
    let viewer = Viewer::new(&app, &headers, visitor, params)?;
    let room = app.rooms.open(&app, &id).await?.into_room()?;
    match room.handle_action(&app, visitor, action).await {
        Ok(snapshot) => Ok(viewer.view_response(StatusCode::OK, &snapshot)),
        Err(error) => Ok(viewer.error_response(&error)),
    }
}
