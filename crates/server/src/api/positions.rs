//! `POST /position`: a board that isn't a stored game. `/positions`: positions stored under a short
//! id because they are too long for a URL.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use noughts_rules::TapResult;
use noughts_store::Seat;
use noughts_text::GameOver;
use noughts_wire::{
    PositionRequest, PositionView, PositionViewRequest, StoredPosition, TapMeaning, TapRequest,
};

use super::extract::{JsonBody, LargeJsonBody, read_position};
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind, no_such_position};
use crate::live::{GameSnapshot, Viewer};
use crate::middleware::Visitor;
use crate::view::{check_board_path, choices, formatting, levels, position_text, render_parts};

/// The parts of a page that a board without a game has.
const PAGE_PARTS: [&str; 8] = [
    "board",
    "reserves",
    "breadcrumbs",
    "minimap",
    "status",
    "moves",
    "toolbar",
    "share",
];

/// Returns any position with its legal moves and its board. Nothing is stored.
#[utoipa::path(post, path = "/position", tag = "positions", request_body = PositionViewRequest,
    responses((status = 200, description = "The position", body = PositionView)))]
pub(super) async fn position(
    JsonBody(request): LargeJsonBody<PositionViewRequest>,
) -> Result<Json<PositionView>, ApiError> {
    let path = request.path.unwrap_or_default();
    check_board_path(&path)?;
    let game_state = read_position(PositionRequest {
        variant: request.variant,
        position: request.position,
        moves: request.moves,
    });
    let snapshot = GameSnapshot::unsaved(game_state.await?, [Seat::Guest, Seat::Guest]);
    let game_state = &*snapshot.state;
    // Beyond the last move, show the last.
    let ply = request.ply.filter(|&ply| ply < game_state.move_count());
    let viewer = Viewer {
        x: true,
        o: true,
        path,
        ply,
        ..Viewer::default()
    };
    let shown = &*formatting::shown_state(game_state, ply);
    let over = GameOver::of_state(shown);
    let parts = render_parts(&snapshot, &viewer).into_iter();
    let parts = parts.filter(|(id, _)| PAGE_PARTS.contains(id));
    Ok(Json(PositionView {
        variant: shown.variant().to_string(),
        ply: shown.ply(),
        side: shown.side().into(),
        position: position_text(shown),
        moves: game_state.moves(),
        levels: levels(shown),
        choices: choices(shown),
        prompt: noughts_text::prompt(shown),
        outcome: over.as_ref().and_then(|over| over.outcome).map(Into::into),
        ending: over.map(|over| over.termination.as_str().into()),
        html: parts
            .map(|(id, part)| (id.into(), part.into_string()))
            .collect(),
    }))
}

/// Returns what a sequence of taps means: a move, or the targets that continue it.
///
/// `choices` lists the taps of all legal moves, so this is only needed for positions with too many of them, and to find
/// out why a sequence starts no legal move.
#[utoipa::path(post, path = "/position/taps", tag = "positions", request_body = TapRequest,
    responses((status = 200, description = "The meaning", body = TapMeaning)))]
pub(super) async fn taps(
    JsonBody(request): LargeJsonBody<TapRequest>,
) -> Result<Json<TapMeaning>, ApiError> {
    let game_state = read_position(PositionRequest {
        variant: request.variant,
        position: request.position,
        moves: request.moves,
    });
    let game_state = game_state.await?;
    let view = game_state.view();
    let parse = |name: &String| {
        let target = view.parse_target(name);
        target.ok_or_else(|| {
            let name: String = name.chars().take(20).collect();
            let message = format!("`{name}` is neither a cell nor a piece of this game");
            ApiErrorKind::Invalid.error(message)
        })
    };
    let taps: Result<Vec<_>, _> = request.taps.iter().map(parse).collect();
    let taps = taps?;
    match view.tap(&taps) {
        TapResult::Move(text) => Ok(Json(TapMeaning {
            text: Some(text),
            next: Vec::new(),
            prompt: None,
        })),
        TapResult::Partial(next) => Ok(Json(TapMeaning {
            text: None,
            prompt: Some(noughts_text::next_part_question(view, &taps, &next).0),
            next: next
                .into_iter()
                .map(|target| view.target_name(target))
                .collect(),
        })),
        TapResult::Rejected(error) => Err(ApiErrorKind::Refused.error(error.to_string())),
    }
}

/// Stores a position under an ID, for links such as `/analysis?id={id}`.
///
/// When stored positions take more than 256 MiB, the ones that were least recently requested are deleted.
#[utoipa::path(post, path = "/positions", tag = "positions", request_body = PositionRequest,
    responses((status = 201, description = "The stored position", body = StoredPosition)))]
pub(super) async fn store_position(
    State(app): State<App>,
    visitor: Visitor,
    JsonBody(request): LargeJsonBody<PositionRequest>,
) -> Result<(StatusCode, Json<StoredPosition>), ApiError> {
    let game_state = read_position(request).await?;
    let stored = noughts_store::StoredPosition {
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
    responses((status = 200, description = "The position", body = StoredPosition)))]
pub(super) async fn stored_position(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<StoredPosition>, ApiError> {
    let stored = app.config.store.position(&id).await?;
    let stored = stored.ok_or_else(no_such_position)?;
    Ok(Json(stored_view(id, stored)))
}

fn stored_view(id: String, stored: noughts_store::StoredPosition) -> StoredPosition {
    StoredPosition {
        id,
        variant: stored.variant.to_string(),
        position: stored.position,
        moves: stored.moves,
    }
}
