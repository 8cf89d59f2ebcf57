//! `/games`: creating, reading and joining games.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use noughts_rules::AnyGameState;
use noughts_session::Participant;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Given, JsonBody, LargeJsonBody, QueryParams};
use super::types::{GameView, NewGame, NewSeat};
use super::viewer::{ViewParams, Viewer};
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::live::{NewRoom, parse_bot, parse_human};
use crate::middleware::Visitor;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(make))
        .routes(routes!(read))
        .routes(routes!(join))
}

/// Creates a game. You control every seat that isn't open to an invited player.
#[utoipa::path(post, path = "/games", tag = "play", request_body = NewGame, params(ViewParams),
    responses(
        (status = 201, description = "The new game", body = GameView),
        (status = 422, description = "The variant, the position, a bot or a name is invalid", body = super::ErrorBody),
    ))]
async fn make(
    State(app): State<App>,
    visitor: Visitor,
    QueryParams(params): QueryParams<ViewParams>,
    headers: HeaderMap,
    LargeJsonBody(new): LargeJsonBody<NewGame>,
) -> Result<Response, ApiError> {
    let viewer = Viewer::new(&app, &headers, visitor, params)?;
    let position = Given {
        variant: new.variant,
        position: new.position,
        moves: None,
    };
    let state = position.into_state().await?;
    if state.outcome().is_some() {
        let message = "the game is already over in this position; start from another one";
        return Err(ApiError::new(ApiErrorKind::Invalid, message));
    }
    let x = participant(&new.x, &state)?;
    let o = participant(&new.o, &state)?;
    let invites = [new.x == NewSeat::Invite, new.o == NewSeat::Invite];
    if invites == [true; 2] {
        let message =
            "you can invite a player to one seat only; the other one is yours or a computer's";
        return Err(ApiError::new(ApiErrorKind::Invalid, message));
    }
    let start = (!state.has_standard_start()).then(|| state.start_text());
    let new_room = NewRoom {
        variant: state.variant(),
        start,
        seats: [x, o],
        seat_owners: invites.map(|invited| (!invited).then_some(visitor.hash)),
        invites,
        previous_game: None,
        created_by: visitor,
    };
    let room = app.rooms.create(&app, new_room).await;
    match room {
        Ok(room) => Ok(viewer.view_response(StatusCode::CREATED, &room.snapshot())),
        Err(error) => Ok(viewer.error_response(&error)),
    }
}

fn participant(seat: &NewSeat, state: &AnyGameState) -> Result<Participant, ApiError> {
    match seat {
        NewSeat::Person { name } => parse_human(name.as_deref()),
        NewSeat::Invite => Ok(Participant::Guest),
        NewSeat::Bot { bot } => Ok(Participant::Bot(parse_bot(bot, state.variant())?)),
    }
}

/// Returns a game's current state.
#[utoipa::path(get, path = "/games/{id}", tag = "play",
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$"), ViewParams),
    responses(
        (status = 200, description = "The game", body = GameView),
        (status = 404, description = "The game doesn't exist", body = super::ErrorBody),
    ))]
async fn read(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(params): QueryParams<ViewParams>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let viewer = Viewer::new(&app, &headers, visitor, params)?;
    let opened = app.rooms.open(&app, &id).await?;
    Ok(viewer.view_response(StatusCode::OK, &opened.snapshot()))
}

/// A player who joins by invite link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Guest {
    /// The last part of the link: 32 hexadecimal digits.
    #[schema(max_length = 64)]
    code: String,
    /// The name; without one, the player is a guest and has no record.
    #[schema(max_length = 40)]
    name: Option<String>,
}

/// Joins a game by invite link.
#[utoipa::path(post, path = "/games/{id}/join", tag = "play", request_body = Guest,
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$"), ViewParams),
    responses(
        (status = 200, description = "The game, with you in the open seat", body = GameView),
        (status = 403, description = "The code isn't the one in the invite link", body = super::ErrorBody),
        (status = 404, description = "The game doesn't exist", body = super::ErrorBody),
        (status = 422, description = "The seat is taken, or the name isn't allowed", body = super::actions::RefusedBody),
    ))]
async fn join(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(params): QueryParams<ViewParams>,
    headers: HeaderMap,
    JsonBody(request): JsonBody<Guest>,
) -> Result<Response, ApiError> {
    let viewer = Viewer::new(&app, &headers, visitor, params)?;
    let room = app.rooms.open(&app, &id).await?.into_room()?;
    match room.join(&app, visitor, request.code, request.name).await {
        Ok(snapshot) => Ok(viewer.view_response(StatusCode::OK, &snapshot)),
        Err(error) => Ok(viewer.error_response(&error)),
    }
}
