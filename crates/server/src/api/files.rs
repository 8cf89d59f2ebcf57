//! A game or a position as a file: its record, and a picture of its board.

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
use crate::error::{Error, Kind};
use crate::middleware::Visitor;
use crate::view::{formatting, png};

/// Pixels across, where nothing is said.
const USUAL_WIDTH: u32 = 600;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(record))
        .routes(routes!(svg))
        .routes(routes!(png))
        .routes(routes!(position_record))
        .routes(routes!(position_svg))
        .routes(routes!(position_png))
}

/// A position, as short as an address must be.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PositionParams {
    /// The variant's name.
    #[param(example = "classic", max_length = 100)]
    variant: String,
    /// The position to begin with, as text, as long as an address can be; none for the
    /// usual start.
    position: Option<String>,
    /// Moves from there, with blanks between them.
    moves: Option<String>,
    /// For a PNG: pixels across; 600 where nothing is said.
    #[param(minimum = 32, maximum = 2048)]
    width: Option<u32>,
}

impl PositionParams {
    async fn play(&self) -> Result<AnyGameState, Error> {
        let moves = self.moves.as_deref().unwrap_or_default();
        let given = Given {
            variant: self.variant.clone(),
            position: self.position.clone(),
            moves: Some(moves.split_whitespace().map(Into::into).collect()),
        };
        given.into_state().await
    }
}

/// A position as a record, with the moves that led to it.
#[utoipa::path(get, path = "/position/record", tag = "analysis", params(PositionParams),
    responses(
        (status = 200, description = "The record", body = String, content_type = "text/plain"),
        (status = 422, description = "There is no such variant, position or move", body = super::ErrorBody),
    ))]
async fn position_record(
    QueryParams(shown): QueryParams<PositionParams>,
) -> Result<Response, Error> {
    Ok(plain_text(Record::new(shown.play().await?).to_text()))
}

/// A position as an SVG picture.
#[utoipa::path(get, path = "/position/board.svg", tag = "analysis", params(PositionParams),
    responses(
        (status = 200, description = "The picture", body = String, content_type = "image/svg+xml"),
        (status = 422, description = "There is no such variant, position or move", body = super::ErrorBody),
    ))]
async fn position_svg(
    State(app): State<App>,
    visitor: Visitor,
    QueryParams(shown): QueryParams<PositionParams>,
) -> Result<Response, Error> {
    draw_svg(&app, &visitor, shown.play().await?, None).await
}

/// A position as a PNG picture.
#[utoipa::path(get, path = "/position/board.png", tag = "analysis", params(PositionParams),
    responses(
        (status = 200, description = "The picture", body = Vec<u8>, content_type = "image/png"),
        (status = 422, description = "There is no such variant, position or move", body = super::ErrorBody),
    ))]
async fn position_png(
    State(app): State<App>,
    visitor: Visitor,
    QueryParams(shown): QueryParams<PositionParams>,
) -> Result<Response, Error> {
    let width = width(shown.width)?;
    draw_png(&app, &visitor, shown.play().await?, None, width).await
}

/// Which moment of the game.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlyParams {
    /// After so many moves; the newest where nothing is said.
    #[param(minimum = 0, maximum = 1000000)]
    ply: Option<usize>,
}

/// Which moment of the game, and how large.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImageParams {
    /// After so many moves; the newest where nothing is said.
    #[param(minimum = 0, maximum = 1000000)]
    ply: Option<usize>,
    /// Pixels across; 600 where nothing is said.
    #[param(minimum = 32, maximum = 2048)]
    width: Option<u32>,
}

/// The game's record: a text that `noughts games import` reads.
#[utoipa::path(get, path = "/games/{id}/record", tag = "games",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses(
        (status = 200, description = "The record", body = String, content_type = "text/plain"),
        (status = 404, description = "There is no such game", body = super::ErrorBody),
    ))]
async fn record(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Error> {
    let store = &app.config.store;
    let found = match store.find_game(&id).await? {
        Some(number) => store.record_text(number).await?,
        None => None,
    };
    Ok(plain_text(found.ok_or_else(no_such_game)?))
}

/// The board as an SVG picture.
#[utoipa::path(get, path = "/games/{id}/board.svg", tag = "games",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$"), PlyParams),
    responses(
        (status = 200, description = "The picture", body = String, content_type = "image/svg+xml"),
        (status = 404, description = "There is no such game", body = super::ErrorBody),
    ))]
async fn svg(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(moment): QueryParams<PlyParams>,
) -> Result<Response, Error> {
    let play = position(&app, &id, moment.ply).await?;
    draw_svg(&app, &visitor, play, moment.ply).await
}

/// The board as a PNG picture.
#[utoipa::path(get, path = "/games/{id}/board.png", tag = "games",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$"), ImageParams),
    responses(
        (status = 200, description = "The picture", body = Vec<u8>, content_type = "image/png"),
        (status = 404, description = "There is no such game", body = super::ErrorBody),
    ))]
async fn png(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(moment): QueryParams<ImageParams>,
) -> Result<Response, Error> {
    let width = width(moment.width)?;
    let play = position(&app, &id, moment.ply).await?;
    draw_png(&app, &visitor, play, moment.ply, width).await
}

fn width(asked: Option<u32>) -> Result<u32, Error> {
    let width = asked.unwrap_or(USUAL_WIDTH);
    if (32..=2048).contains(&width) {
        return Ok(width);
    }
    let message = format!("width is {width}, but must be from 32 to 2048");
    Err(Error::new(Kind::BadRequest, message))
}

async fn draw_svg(
    app: &App,
    visitor: &Visitor,
    play: AnyGameState,
    ply: Option<usize>,
) -> Result<Response, Error> {
    let drawn = app.pool.render_image(visitor.owner(), move || {
        pictures::svg_document(&seen(play, ply))
    });
    let picture = drawn.await?;
    Ok(image("image/svg+xml", picture.into_bytes()))
}

async fn draw_png(
    app: &App,
    visitor: &Visitor,
    play: AnyGameState,
    ply: Option<usize>,
    width: u32,
) -> Result<Response, Error> {
    let drawn = app.pool.render_image(visitor.owner(), move || {
        png::render_png(&seen(play, ply), width)
    });
    let picture = drawn
        .await?
        .map_err(|reason| Error::new(Kind::Internal, reason))?;
    Ok(image("image/png", picture))
}

/// A picture that nobody keeps: the game goes on.
fn image(kind: &'static str, bytes: Vec<u8>) -> Response {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-store")], bytes).into_response()
}

/// The game with this id, and the same by the rules.
pub(super) async fn load_game(app: &App, id: &str) -> Result<(StoredGame, AnyGameState), Error> {
    let store = &app.config.store;
    let found = match store.find_game(id).await? {
        Some(number) => store.replay_game(number).await?,
        None => None,
    };
    found.ok_or_else(no_such_game)
}

fn no_such_game() -> Error {
    Error::new(Kind::NotFound, "there is no such game")
}

/// A game that has this many moves.
async fn position(app: &App, id: &str, ply: Option<usize>) -> Result<AnyGameState, Error> {
    let (game, play) = load_game(app, id).await?;
    let made = game.moves.len();
    match ply {
        Some(ply) if ply > made => {
            let moves = formatting::pluralize(made, "move");
            let message = format!("ply is {ply}, but the game has {moves}");
            Err(Error::new(Kind::BadRequest, message))
        }
        _ => Ok(play),
    }
}

/// A game as it was after this many moves.
fn seen(play: AnyGameState, ply: Option<usize>) -> AnyGameState {
    match ply {
        Some(ply) if ply < play.ply() => formatting::state_at_ply(&play, ply),
        _ => play,
    }
}
