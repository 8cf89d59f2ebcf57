//! `POST /hints`: the move that the strongest bot would make.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use noughts_engine::{BotKind, SearchLimits};
use noughts_rules::Assistance;
use noughts_session::BotPlayer;
use noughts_text::assistance_notice;
use noughts_wire::{Hint, PositionRequest, PositionValue};

use super::extract::{JsonBody, LargeJsonBody, read_position};
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::middleware::Visitor;
use crate::view::shown_paths;

/// How long to search for a hint.
const HINT_LIMITS: SearchLimits = SearchLimits::time(Duration::from_secs(1));

/// Recommends a move, after thinking for at most a second.
///
/// If the position belongs to a game you're playing, that game is no longer rated. In games against another player, hints
/// aren't available until the game is over.
#[utoipa::path(post, path = "/hints", tag = "analysis", request_body = PositionRequest,
    responses(
        (status = 200, description = "The move", body = Hint),
        (status = 422, description = "The variant, the position or a move is invalid, the game is over, or you're playing it against another player", body = super::ErrorBody),
    ))]
pub(super) async fn hint(
    State(app): State<App>,
    visitor: Visitor,
    JsonBody(position): LargeJsonBody<PositionRequest>,
) -> Result<Json<Hint>, ApiError> {
    let state = read_position(position).await?;
    let variant = state.variant();
    let message = "the game is over, so there's no hint";
    ApiErrorKind::Refused.require(state.outcome().is_none(), message)?;
    let bot = BotPlayer::new(BotKind::Best, variant, &app.pool.bot_settings(variant))
        .map_err(|error| ApiErrorKind::Refused.error(error.to_string()))?;
    let assistance = Assistance::Hint;
    let assisted = app.rooms.assisted_games(&visitor, &state)?;
    let job = app
        .pool
        .start_hint(visitor.owner, &bot, &state, HINT_LIMITS);
    let busy = |reason| ApiErrorKind::Busy.error(reason);
    let report = job.await.map_err(busy)?;
    let text = report
        .best
        .ok_or_else(|| ApiErrorKind::Busy.error("no move was found in time; try again"))?;
    let advice = format!("{}.", noughts_text::hint(&text, report.value));
    let was_rated = assisted.mark_assisted(&app, assistance).await?;
    Ok(Json(Hint {
        sentence: match was_rated {
            true => format!("{advice} {notice}", notice = assistance_notice(assistance)),
            false => advice,
        },
        value: PositionValue::if_known(report.value),
        places: shown_paths(&state, &text),
        text,
    }))
}
