//! A game or a position as a file: its record, and images of its board.

use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use noughts_pictures as pictures;
use noughts_rules::{AnyGameState, Record};
use noughts_store::StoredGame;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Given, QueryParams};
use super::game_list::plain_text;
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::middleware::Visitor;
use crate::view::{formatting, png};

/// The width in pixels if the request has none.
const DEFAULT_WIDTH: u32 = 600;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(record))
        .routes(routes!(svg))
        .routes(routes!(png))
        .routes(routes!(position_record))
        .routes(routes!(position_svg))
        .routes(routes!(position_png))
}

/// A position in query parameters.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PositionParams {
    /// The variant's name.
    #[param(example = "classic", max_length = 100)]
    variant: String,
    /// The start position as text, if it fits in a URL; the standard one if missing.
    position: Option<String>,
    /// The moves played from there, separated by spaces.
    moves: Option<String>,
    /// For a PNG: the width in pixels; 600 by default.
    #[param(minimum = 32, maximum = 2048)]
    width: Option<u32>,
}

impl PositionParams {
    async fn to_state(&self) -> Result<AnyGameState, ApiError> {
        let moves = self.moves.as_deref().unwrap_or_default();
        let position = Given {
            variant: self.variant.clone(),
            position: self.position.clone(),
            moves: Some(moves.split_whitespace().map(Into::into).collect()),
        };
        position.into_state().await
    }
}

/// Returns a position as a record, with the moves that led to it.
#[utoipa::path(get, path = "/position/record", tag = "analysis", params(PositionParams),
    responses(
        (status = 200, description = "The record", body = String, content_type = "text/plain"),
        (status = 422, description = "The variant, the position or a move is invalid", body = super::ErrorBody),
    ))]
async fn position_record(
    QueryParams(params): QueryParams<PositionParams>,
) -> Result<Response, ApiError> {
    Ok(plain_text(Record::new(params.to_state().await?).to_text()))
}

/// Returns a position as an SVG image.
#[utoipa::path(get, path = "/position/board.svg", tag = "analysis", params(PositionParams),
    responses(
        (status = 200, description = "The image", body = String, content_type = "image/svg+xml"),
        (status = 422, description = "The variant, the position or a move is invalid", body = super::ErrorBody),
    ))]
async fn position_svg(
    State(app): State<App>,
    visitor: Visitor,
    QueryParams(params): QueryParams<PositionParams>,
) -> Result<Response, ApiError> {
    draw_svg(&app, &visitor, params.to_state().await?, None).await
}

/// Returns a position as a PNG image.
#[utoipa::path(get, path = "/position/board.png", tag = "analysis", params(PositionParams),
    responses(
        (status = 200, description = "The image", body = Vec<u8>, content_type = "image/png"),
        (status = 422, description = "The variant, the position or a move is invalid", body = super::ErrorBody),
    ))]
async fn position_png(
    State(app): State<App>,
    visitor: Visitor,
    QueryParams(params): QueryParams<PositionParams>,
) -> Result<Response, ApiError> {
    let width = checked_width(params.width)?;
    draw_png(&app, &visitor, params.to_state().await?, None, width).await
}

/// The query parameters of an SVG image.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlyParams {
    /// The number of moves to show; all of them by default.
    #[param(minimum = 0, maximum = 1000000)]
    ply: Option<usize>,
}

/// The query parameters of a PNG image.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImageParams {
    /// The number of moves to show; all of them by default.
    #[param(minimum = 0, maximum = 1000000)]
    ply: Option<usize>,
    /// The width in pixels; 600 by default.
    #[param(minimum = 32, maximum = 2048)]
    width: Option<u32>,
}

/// Returns the game's record, in the format that `noughts games import` reads.
#[utoipa::path(get, path = "/games/{id}/record", tag = "games",
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$")),
    responses(
        (status = 200, description = "The record", body = String, content_type = "text/plain"),
        (status = 404, description = "The game doesn't exist", body = super::ErrorBody),
    ))]
async fn record(State(app): State<App>, Path(id): Path<String>) -> Result<Response, ApiError> {
    let store = &app.config.store;
    let found = match store.find_game(&id).await? {
        Some(id) => store.record_text(id).await?,
        None => None,
    };
    Ok(plain_text(found.ok_or_else(no_such_game)?))
}

/// Returns the board as an SVG image.
#[utoipa::path(get, path = "/games/{id}/board.svg", tag = "games",
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$"), PlyParams),
    responses(
        (status = 200, description = "The image", body = String, content_type = "image/svg+xml"),
        (status = 404, description = "The game doesn't exist", body = super::ErrorBody),
    ))]
async fn svg(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(params): QueryParams<PlyParams>,
) -> Result<Response, ApiError> {
    let state = load_state(&app, &id, params.ply).await?;
    draw_svg(&app, &visitor, state, params.ply).await
}

/// Returns the board as a PNG image.
#[utoipa::path(get, path = "/games/{id}/board.png", tag = "games",
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$"), ImageParams),
    responses(
        (status = 200, description = "The image", body = Vec<u8>, content_type = "image/png"),
        (status = 404, description = "The game doesn't exist", body = super::ErrorBody),
    ))]
async fn png(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(params): QueryParams<ImageParams>,
) -> Result<Response, ApiError> {
    let width = checked_width(params.width)?;
    let state = load_state(&app, &id, params.ply).await?;
    draw_png(&app, &visitor, state, params.ply, width).await
}

fn checked_width(width: Option<u32>) -> Result<u32, ApiError> {
    let width = width.unwrap_or(DEFAULT_WIDTH);
    if (32..=2048).contains(&width) {
        return Ok(width);
    }
    let message = format!("width is {width}, but must be from 32 to 2048");
    Err(ApiError::new(ApiErrorKind::BadRequest, message))
}

async fn draw_svg(
    app: &App,
    visitor: &Visitor,
    state: AnyGameState,
    ply: Option<usize>,
) -> Result<Response, ApiError> {
    let rendering = app.pool.render_image(visitor.owner(), move || {
        pictures::svg_document(&at_ply(state, ply))
    });
    let image = rendering.await?;
    Ok(image_response("image/svg+xml", image.into_bytes()))
}

async fn draw_png(
    app: &App,
    visitor: &Visitor,
    state: AnyGameState,
    ply: Option<usize>,
    width: u32,
) -> Result<Response, ApiError> {
    let rendering = app.pool.render_image(visitor.owner(), move || {
        png::render_png(&at_ply(state, ply), width)
    });
    let image = rendering
        .await?
        .map_err(|reason| ApiError::new(ApiErrorKind::Internal, reason))?;
    Ok(image_response("image/png", image))
}

/// An image that isn't cached, since the game may continue.
fn image_response(kind: &'static str, bytes: Vec<u8>) -> Response {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-store")], bytes).into_response()
}

/// The stored game with this id, and its state after replaying it.
pub(super) async fn load_game(app: &App, id: &str) -> Result<(StoredGame, AnyGameState), ApiError> {
    let store = &app.config.store;
    let found = match store.find_game(id).await? {
        Some(id) => store.replay_game(id).await?,
        None => None,
    };
    found.ok_or_else(no_such_game)
}

fn no_such_game() -> ApiError {
    ApiError::new(ApiErrorKind::NotFound, "this game doesn't exist")
}

/// The game's final state, after checking that the game has this many moves.
async fn load_state(app: &App, id: &str, ply: Option<usize>) -> Result<AnyGameState, ApiError> {
    let (game, state) = load_game(app, id).await?;
    let move_count = game.moves.len();
    match ply {
        Some(ply) if ply > move_count => {
            let moves = noughts_text::plural(move_count, "move");
            let message = format!("ply is {ply}, but the game has {moves}");
            Err(ApiError::new(ApiErrorKind::BadRequest, message))
        }
        _ => Ok(state),
    }
}

/// The state after this many moves.
fn at_ply(state: AnyGameState, ply: Option<usize>) -> AnyGameState {
    match ply {
        Some(ply) if ply < state.ply() => formatting::state_at_ply(&state, ply),
        _ => state,
    }
}
