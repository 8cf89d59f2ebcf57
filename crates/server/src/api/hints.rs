//! `POST /hints`: the move that the strongest bot would make.

use noughts_rules::Assistance;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use noughts_engine::{BotKind, SearchLimits};
use noughts_session::BotPlayer;
use noughts_text::{assistance_notice, move_value};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::analyses::ValueView;
use super::extract::{Given, LargeJsonBody};
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::middleware::Visitor;

/// How long to search for a hint.
const HINT_LIMITS: SearchLimits = SearchLimits::time(Duration::from_secs(1));

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(hint))
}

/// A recommended move.
#[derive(Serialize, ToSchema)]
pub(crate) struct Hint {
    /// The move.
    #[serde(rename = "move")]
    text: String,
    /// Its value for the player who makes it.
    #[serde(flatten)]
    worth: ValueView,
    /// The hint in words.
    sentence: String,
}

/// Recommends a move, after thinking for at most a second.
///
/// If the position belongs to a game you're playing, that game is no longer rated. In games against another player, hints
/// aren't available until the game is over.
#[utoipa::path(post, path = "/hints", tag = "analysis", request_body = Given,
    responses(
        (status = 200, description = "The move", body = Hint),
        (status = 422, description = "The variant, the position or a move is invalid, the game is over, or you're playing it against another player", body = super::ErrorBody),
    ))]
async fn hint(
    State(app): State<App>,
    visitor: Visitor,
    LargeJsonBody(position): LargeJsonBody<Given>,
) -> Result<Json<Hint>, ApiError> {
    let state = position.into_state().await?;
    let variant = state.variant();
    if state.outcome().is_some() {
        let message = format!(
            "no hint is available: {prompt}",
            prompt = noughts_text::prompt(&state)
        );
        return Err(ApiError::new(ApiErrorKind::Refused, message));
    }
    let bot = BotPlayer::new(BotKind::Best, variant, &app.pool.bot_settings(variant))
        .map_err(|error| ApiError::new(ApiErrorKind::Refused, error.to_string()))?;
    let assistance = Assistance::Hint;
    let assisted = app.rooms.assisted_games(&visitor, &state)?;
    let job = app
        .pool
        .start_hint(visitor.owner(), &bot, &state, HINT_LIMITS);
    let busy = |reason| ApiError::new(ApiErrorKind::Busy, reason);
    let report = job.result().await.map_err(busy)?;
    let text = report
        .best
        .ok_or_else(|| ApiError::new(ApiErrorKind::Busy, "no move was found in time; try again"))?;
    let advice = format!("{text} {value}.", value = move_value(report.value));
    let was_rated = assisted.mark_assisted(&app, assistance).await?;
    Ok(Json(Hint {
        sentence: match was_rated {
            true => format!("{advice} {notice}", notice = assistance_notice(assistance)),
            false => advice,
        },
        worth: ValueView::from_value(report.value),
        text,
    }))
}
