//! `POST /games/{id}/actions`: moves, offers, seats and everything else done in a game.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use noughts_wire::{Action, GameView};
use serde::Serialize;
use utoipa::ToSchema;

use super::extract::JsonBody;
use crate::app::App;
use crate::error::ApiError;
use crate::live::{ActionError, GameSnapshot};
use crate::view::{ViewParams, ViewRequest};

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
        (status = 409, description = "The game has changed in the meantime", body = StaleBody),
        (status = 422, description = "The action isn't allowed", body = RefusedBody),
    ))]
pub(super) async fn act(
    State(app): State<App>,
    request: ViewRequest,
    Path(id): Path<String>,
    JsonBody(action): JsonBody<Action>,
) -> Result<Response, ApiError> {
    let room = app.rooms.open(&app, &id).await?.into_room()?;
    let result = room.handle_action(&app, request.visitor, action).await;
    Ok(view_response(&request, StatusCode::OK, result))
}

/// A response with the view of a game, or with the error and the view if the error has a snapshot.
pub(super) fn view_response(
    request: &ViewRequest,
    status: StatusCode,
    result: Result<Arc<GameSnapshot>, ActionError>,
) -> Response {
    let (status, body) = match result {
        Ok(snapshot) => (status, request.view_json(&snapshot)),
        Err(ActionError {
            error,
            snapshot: None,
        }) => return error.into_response(),
        Err(ActionError {
            error,
            snapshot: Some(snapshot),
        }) => {
            let view = request.view_json(&snapshot);
            // JSON can represent every error.
            let json = serde_json::to_string(&error).unwrap_or_default();
            let body = format!(r#"{{"error":{json},"view":{view}}}"#);
            (error.kind.status(), body)
        }
    };
    (status, [(CONTENT_TYPE, "application/json")], body).into_response()
}
