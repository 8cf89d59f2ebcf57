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

/// The game has changed in the meantime.
#[derive(Serialize, ToSchema)]
pub(crate) struct StaleBody {
    /// The error.
    error: ApiError,
    /// The game's current state.
    view: GameView,
}

/// The action isn't allowed.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefusedBody {
    /// What isn't allowed, and why.
    error: ApiError,
    /// The game's current state, if that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<GameView>,
}

/// Performs an action in a game: makes a move, takes one back, resigns, makes or answers an offer, or changes a seat.
///
/// The action is stored before the response is sent. A move that is sent twice is made once; the second response has
/// the game's current state.
#[utoipa::path(post, path = "/games/{id}/actions", tag = "play", request_body = Action,
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$"), ViewParams),
    responses(
        (status = 200, description = "The game after the action", body = GameView),
        (status = 403, description = "It isn't your turn, or you don't play in this game", body = super::ErrorBody),
        (status = 404, description = "The game doesn't exist", body = super::ErrorBody),
        (status = 409, description = "The game has changed in the meantime", body = StaleBody),
        (status = 422, description = "The action isn't allowed", body = RefusedBody),
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
