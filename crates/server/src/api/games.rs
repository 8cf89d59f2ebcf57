//! `/games`: creating, reading and joining games.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use noughts_wire::{GameView, JoinRequest, NewGame, NewSeat, PositionRequest};

use super::actions::view_response;
use super::extract::{JsonBody, LargeJsonBody, read_position};
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::live::{NewRoom, parse_seat};
use crate::view::{ViewParams, ViewRequest};

/// Creates a game. You control every seat that isn't open to an invited player.
#[utoipa::path(post, path = "/games", tag = "play", request_body = NewGame, params(ViewParams),
    responses(
        (status = 201, description = "The new game", body = GameView),
        (status = 422, description = "The variant, the position, a bot or a name is invalid", body = super::ErrorBody),
    ))]
pub(super) async fn create(
    State(app): State<App>,
    request: ViewRequest,
    JsonBody(new): LargeJsonBody<NewGame>,
) -> Result<Response, ApiError> {
    let position = PositionRequest {
        variant: new.variant,
        position: new.position,
        moves: None,
    };
    let state = read_position(position).await?;
    let message = "the game is already over in this position; start from another one";
    ApiErrorKind::Invalid.require(state.outcome().is_none(), message)?;
    let x = parse_seat(&new.x, state.variant())?;
    let o = parse_seat(&new.o, state.variant())?;
    let invites = [new.x == NewSeat::Invited {}, new.o == NewSeat::Invited {}];
    let message =
        "you can invite a player to one seat only; the other seat must be yours or a computer's";
    ApiErrorKind::Invalid.require(invites != [true; 2], message)?;
    let start = (!state.has_standard_start()).then(|| state.start_text());
    let new_room = NewRoom {
        variant: state.variant(),
        start,
        seats: [x, o],
        seat_owners: invites.map(|invited| (!invited).then_some(request.visitor.hash)),
        invites,
        previous_game: None,
        created_by: request.visitor,
    };
    let room = app.rooms.create(&app, new_room).await;
    let result = room.map(|room| room.snapshot());
    Ok(view_response(&request, StatusCode::CREATED, result))
}

/// Returns a game's current state.
#[utoipa::path(get, path = "/games/{id}", tag = "play",
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$"), ViewParams),
    responses((status = 200, description = "The game", body = GameView)))]
pub(super) async fn read(
    State(app): State<App>,
    request: ViewRequest,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let opened = app.rooms.open(&app, &id).await?;
    let snapshot = opened.snapshot();
    Ok(view_response(&request, StatusCode::OK, Ok(snapshot)))
}

/// Joins a game by invite link.
#[utoipa::path(post, path = "/games/{id}/join", tag = "play", request_body = JoinRequest,
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$"), ViewParams),
    responses(
        (status = 200, description = "The game, with you in the open seat", body = GameView),
        (status = 403, description = "The code isn't the one in the invite link", body = super::ErrorBody),
        (status = 422, description = "The seat is taken, or the name isn't allowed", body = super::actions::RefusedBody),
    ))]
pub(super) async fn join(
    State(app): State<App>,
    request: ViewRequest,
    Path(id): Path<String>,
    JsonBody(JoinRequest { code, name }): JsonBody<JoinRequest>,
) -> Result<Response, ApiError> {
    let room = app.rooms.open(&app, &id).await?.into_room()?;
    let result = room.join(&app, request.visitor, code, name).await;
    Ok(view_response(&request, StatusCode::OK, result))
}
