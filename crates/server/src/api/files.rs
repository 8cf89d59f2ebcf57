//! A game or a position as a file: its record, and images of its board.

use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use noughts_rules::{AnyGameState, Record};
use noughts_session::stored_game_over;
use noughts_store::StoredGame;
use noughts_wire::PositionRequest;
use serde::Deserialize;
use utoipa::IntoParams;

use super::extract::{QueryParams, check_range, read_position};
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind, no_such_game};
use crate::middleware::Visitor;
use crate::view::formatting::shown_state;
use crate::view::png;

/// The width in pixels if the request has none.
const DEFAULT_WIDTH: u32 = 600;

/// A position in query parameters.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PositionParams {
    /// The variant's name.
    #[param(max_length = 100)]
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
        checked_width(self.width)?;
        let moves = self.moves.as_deref().unwrap_or_default();
        let position = PositionRequest {
            variant: self.variant.clone(),
            position: self.position.clone(),
            moves: Some(moves.split_whitespace().map(Into::into).collect()),
        };
        read_position(position).await
    }
}

/// Returns a position as a record, with the moves that led to it.
#[utoipa::path(get, path = "/position/record", tag = "analysis", params(PositionParams),
    responses((status = 200, description = "The record", body = String, content_type = "text/plain")))]
pub(super) async fn position_record(
    QueryParams(params): QueryParams<PositionParams>,
) -> Result<String, ApiError> {
    Ok(Record::new(params.to_state().await?).to_text())
}

/// Returns a position as an SVG image.
#[utoipa::path(get, path = "/position/board.svg", tag = "analysis", params(PositionParams),
    responses((status = 200, description = "The image", body = String, content_type = "image/svg+xml")))]
pub(super) async fn position_svg(
    State(app): State<App>,
    visitor: Visitor,
    QueryParams(params): QueryParams<PositionParams>,
) -> Result<Response, ApiError> {
    let state = params.to_state().await?;
    draw(&app, &visitor, state, "image/svg+xml", svg_bytes).await
}

/// Returns a position as a PNG image.
#[utoipa::path(get, path = "/position/board.png", tag = "analysis", params(PositionParams),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "image/png")))]
pub(super) async fn position_png(
    State(app): State<App>,
    visitor: Visitor,
    QueryParams(params): QueryParams<PositionParams>,
) -> Result<Response, ApiError> {
    let width = checked_width(params.width)?;
    let state = params.to_state().await?;
    let render = move |state: &AnyGameState| png::render_png(state, width);
    draw(&app, &visitor, state, "image/png", render).await
}

/// The query parameters of an image.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImageParams {
    /// The number of moves to show; all of them by default.
    #[param(minimum = 0, maximum = 1000000)]
    ply: Option<usize>,
    /// For a PNG: the width in pixels; 600 by default.
    #[param(minimum = 32, maximum = 2048)]
    width: Option<u32>,
}

/// Returns the game's record, in the format that `noughts games import` reads.
#[utoipa::path(get, path = "/games/{id}/record", tag = "games",
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The record", body = String, content_type = "text/plain")))]
pub(super) async fn record(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<String, ApiError> {
    let store = &app.config.store;
    let id = store.find_game(&id).await?.ok_or_else(no_such_game)?;
    store.record_text(id).await?.ok_or_else(no_such_game)
}

/// Returns the board as an SVG image.
#[utoipa::path(get, path = "/games/{id}/board.svg", tag = "games",
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$"), ImageParams),
    responses((status = 200, description = "The image", body = String, content_type = "image/svg+xml")))]
pub(super) async fn svg(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(params): QueryParams<ImageParams>,
) -> Result<Response, ApiError> {
    checked_width(params.width)?;
    let (game, state) = load_game_at(&app, &id, params.ply).await?;
    let is_last = params.ply.is_none_or(|ply| ply == game.moves.len());
    let over = stored_game_over(&game).filter(|_| is_last);
    let render = move |state: &AnyGameState| match over {
        Some(over) => {
            let image = noughts_view::svg_document_with_prompt(state, &over.sentence());
            Ok(image.into_bytes())
        }
        None => svg_bytes(&shown_state(state, params.ply)),
    };
    draw(&app, &visitor, state, "image/svg+xml", render).await
}

/// Returns the board as a PNG image.
#[utoipa::path(get, path = "/games/{id}/board.png", tag = "games",
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$"), ImageParams),
    responses((status = 200, description = "The image", body = Vec<u8>, content_type = "image/png")))]
pub(super) async fn png(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(params): QueryParams<ImageParams>,
) -> Result<Response, ApiError> {
    let width = checked_width(params.width)?;
    let (_, state) = load_game_at(&app, &id, params.ply).await?;
    let render =
        move |state: &AnyGameState| png::render_png(&shown_state(state, params.ply), width);
    draw(&app, &visitor, state, "image/png", render).await
}

fn checked_width(width: Option<u32>) -> Result<u32, ApiError> {
    check_range("width", width.unwrap_or(DEFAULT_WIDTH), 32..=2048)
}

/// Draws a position. The image isn't cached, since the game may continue.
async fn draw(
    app: &App,
    visitor: &Visitor,
    state: AnyGameState,
    kind: &'static str,
    render: impl FnOnce(&AnyGameState) -> Result<Vec<u8>, String> + Send + 'static,
) -> Result<Response, ApiError> {
    let image = app.pool.render_image(visitor.owner, state, render);
    let internal = |reason| ApiErrorKind::Internal.error(reason);
    let image = image.await?.map_err(internal)?;
    Ok(([(CONTENT_TYPE, kind)], image).into_response())
}

fn svg_bytes(state: &AnyGameState) -> Result<Vec<u8>, String> {
    Ok(noughts_view::svg_document(state).into_bytes())
}

/// The stored game with this id, and its state after replaying it.
pub(super) async fn load_game(app: &App, id: &str) -> Result<(StoredGame, AnyGameState), ApiError> {
    let store = &app.config.store;
    let id = store.find_game(id).await?.ok_or_else(no_such_game)?;
    store.replay_game(id).await?.ok_or_else(no_such_game)
}

/// The same, after checking that the game has this many moves.
async fn load_game_at(
    app: &App,
    id: &str,
    ply: Option<usize>,
) -> Result<(StoredGame, AnyGameState), ApiError> {
    let (game, state) = load_game(app, id).await?;
    if let Some(ply) = ply {
        check_range("ply", ply, 0..=game.moves.len())?;
    }
    Ok((game, state))
}
