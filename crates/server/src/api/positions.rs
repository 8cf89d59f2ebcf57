//! `POST /position`: a board that isn't a stored game. `/positions`: positions stored under a short
//! id because they are too long for a URL.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use noughts_rules::AnyGameState;
use noughts_store::{Seat, StoredPosition};
use noughts_text::GameOver;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::analyses::api_side;
use super::choices::choices;
use super::extract::{Given, LargeJsonBody, check_path};
use super::types::{Choices, OverState, Side};
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::live::ViewerRole;
use crate::middleware::Visitor;
use crate::view::{self, ViewOptions, formatting};

/// The parts of a page that a board without a game has.
const PAGE_PARTS: [&str; 7] = ["board", "crumbs", "mini", "say", "moves", "tools", "share"];
/// Longer position texts are left out.
const MAX_POSITION_CHARS: usize = 4096;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(position))
        .routes(routes!(store_position))
        .routes(routes!(stored_position))
}

/// A position and how to show it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionWanted {
    /// The variant's name.
    #[schema(example = "classic", max_length = 100)]
    variant: String,
    /// The start position as text; the standard one if missing.
    #[schema(max_length = 700000)]
    position: Option<String>,
    /// The moves played from there.
    #[schema(example = json!(["b2", "a1"]), max_items = 10000)]
    moves: Option<Vec<String>>,
    /// The board to zoom into; empty for the whole board.
    #[schema(max_length = 6, pattern = "^[a-i]*$")]
    path: Option<String>,
    /// The number of moves to show; all of them by default.
    #[schema(minimum = 0, maximum = 10000)]
    ply: Option<usize>,
}

/// A position outside of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct PositionView {
    /// The position.
    state: PositionState,
    /// Parts of the page by element ID: `board`, `say`, `moves`, `crumbs`, `mini`.
    html: BTreeMap<&'static str, String>,
}

/// A position and its legal moves.
#[derive(Serialize, ToSchema)]
pub(crate) struct PositionState {
    /// The variant's name.
    variant: String,
    /// The number of moves played.
    ply: usize,
    /// The side to move; after the game is over, the side that would have moved next.
    side: Side,
    /// The position as text; null if it has more than 4096 characters.
    position: Option<String>,
    /// All moves, including those after `ply`.
    moves: Vec<String>,
    /// The legal moves.
    choices: Choices,
    /// What happens next or how the game ended, as a sentence.
    prompt: String,
    /// The result, once the game is over.
    over: Option<OverState>,
}

/// A stored position.
#[derive(Serialize, ToSchema)]
pub(crate) struct KeptView {
    /// 32 hexadecimal digits; equal positions have the same ID.
    id: String,
    /// The variant's name.
    variant: String,
    /// The start position as text.
    position: String,
    /// The moves played from there.
    moves: Vec<String>,
}

/// Returns any position with its legal moves and its board. Nothing is stored.
#[utoipa::path(post, path = "/position", tag = "positions", request_body = PositionWanted,
    responses(
        (status = 200, description = "The position", body = PositionView),
        (status = 422, description = "The variant, the position or a move is invalid", body = super::ErrorBody),
    ))]
async fn position(
    LargeJsonBody(request): LargeJsonBody<PositionWanted>,
) -> Result<Json<PositionView>, ApiError> {
    let path = check_path(request.path.as_deref().unwrap_or_default())?.to_owned();
    let position_request = Given {
        variant: request.variant,
        position: request.position,
        moves: request.moves,
    };
    let game_state = position_request.into_state().await?;
    let moves = game_state.moves();
    // Beyond the last move, show the last.
    let past_ply = request.ply.filter(|&ply| ply < moves.len());
    let options = ViewOptions {
        path,
        ply: past_ply,
        ..ViewOptions::default()
    };
    let state = match past_ply {
        Some(ply) => position_state(&formatting::state_at_ply(&game_state, ply), ply, moves),
        None => position_state(&game_state, moves.len(), moves),
    };
    let role = ViewerRole {
        x: true,
        o: true,
        host: false,
    };
    let seats = [Seat::Guest, Seat::Guest];
    let parts = view::render_parts(&view::unsaved_snapshot(game_state, seats), role, &options);
    let parts = parts.into_iter().filter(|(id, _)| PAGE_PARTS.contains(id));
    Ok(Json(PositionView {
        state,
        html: parts.map(|(id, part)| (id, part.into_string())).collect(),
    }))
}

/// The position after this many moves.
fn position_state(state: &AnyGameState, ply: usize, moves: Vec<String>) -> PositionState {
    let text = state.position_text();
    PositionState {
        variant: state.variant().to_string(),
        ply,
        side: api_side(state.side()),
        position: (text.len() <= MAX_POSITION_CHARS).then_some(text),
        moves,
        choices: choices(state),
        prompt: noughts_text::prompt(state),
        over: over_state(state),
    }
}

fn over_state(game_state: &AnyGameState) -> Option<OverState> {
    let over = GameOver::of_state(game_state)?;
    Some(OverState {
        result: over.outcome.map(|outcome| outcome.as_str().into()),
        how: over.termination.as_str().into(),
        sentence: over.sentence(),
    })
}

/// Stores a position under an ID, for links such as `/analysis?id={id}`.
///
/// When stored positions take more than 256 MiB, the ones that were least recently requested are deleted.
#[utoipa::path(post, path = "/positions", tag = "positions", request_body = Given,
    responses(
        (status = 201, description = "The stored position", body = KeptView),
        (status = 422, description = "The variant, the position or a move is invalid", body = super::ErrorBody),
    ))]
async fn store_position(
    State(app): State<App>,
    visitor: Visitor,
    LargeJsonBody(position_request): LargeJsonBody<Given>,
) -> Result<(StatusCode, Json<KeptView>), ApiError> {
    let game_state = position_request.into_state().await?;
    let stored = StoredPosition {
        variant: game_state.variant(),
        position: game_state.start_text(),
        moves: game_state.moves(),
    };
    let compressed = stored.compress();
    app.rate_limiters
        .check_stored_bytes(&visitor, compressed.bytes())?;
    let id = app.config.store.save_position(&compressed).await?;
    Ok((StatusCode::CREATED, Json(stored_view(id, stored))))
}

/// Returns a stored position.
#[utoipa::path(get, path = "/positions/{id}", tag = "positions",
    params(("id" = String, Path, description = "The position's ID", pattern = "^[0-9a-f]{32}$")),
    responses(
        (status = 200, description = "The position", body = KeptView),
        (status = 404, description = "The position doesn't exist", body = super::ErrorBody),
    ))]
async fn stored_position(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<KeptView>, ApiError> {
    let stored = app.config.store.position(&id).await?;
    let stored = stored.ok_or_else(|| {
        ApiError::new(
            ApiErrorKind::NotFound,
            "this position doesn't exist or is no longer stored",
        )
    })?;
    Ok(Json(stored_view(id, stored)))
}

fn stored_view(id: String, stored: StoredPosition) -> KeptView {
    KeptView {
        id,
        variant: stored.variant.to_string(),
        position: stored.position,
        moves: stored.moves,
    }
}
