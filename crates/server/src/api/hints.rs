//! `POST /hints`: the move that the strongest bot would make.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use noughts_engine::{BotKind, SearchLimits};
use noughts_session::{BotPlayer, mover_value_text};
use noughts_store::Assistance;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::analyses::ValueView;
use super::extract::{Given, LargeJsonBody};
use crate::app::App;
use crate::error::{Error, Kind};
use crate::middleware::Visitor;

/// How long somebody waits for a tip.
const TIP: SearchLimits = SearchLimits::time(Duration::from_secs(1));

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(hint))
}

/// A move that is recommended.
#[derive(Serialize, ToSchema)]
pub(crate) struct Hint {
    /// The move.
    #[serde(rename = "move")]
    text: String,
    /// What it is worth to the one who makes it.
    #[serde(flatten)]
    worth: ValueView,
    /// The same in words.
    sentence: String,
}

/// Recommends a move, after thinking for at most a second. If the position is that of a game
/// you're playing, the game isn't rated from then on. Against another player you get no hints
/// until the game is over.
#[utoipa::path(post, path = "/hints", tag = "analysis", request_body = Given,
    responses(
        (status = 200, description = "The move", body = Hint),
        (status = 422, description = "There is no such variant, position or move, the game is over, or you're playing it against another player", body = super::ErrorBody),
    ))]
async fn hint(
    State(app): State<App>,
    visitor: Visitor,
    LargeJsonBody(given): LargeJsonBody<Given>,
) -> Result<Json<Hint>, Error> {
    let play = given.into_state().await?;
    let variant = play.variant();
    if play.outcome().is_some() {
        let message = format!("there is no move to recommend: {}", play.prompt());
        return Err(Error::new(Kind::Refused, message));
    }
    let adviser = BotPlayer::new(BotKind::Best, variant, &app.pool.bot_settings(variant))
        .map_err(|reason| Error::new(Kind::Refused, reason))?;
    let how = Assistance::Hint;
    let helped = app.rooms.assisted_games(&visitor, &play)?;
    let job = app.pool.start_hint(visitor.owner(), &adviser, &play, TIP);
    let busy = |reason| Error::new(Kind::Busy, reason);
    let report = job.result().await.map_err(busy)?;
    let text = report
        .best
        .ok_or_else(|| Error::new(Kind::Busy, "no move was found in time; try again"))?;
    let advice = format!("{text} {}.", mover_value_text(report.value));
    let first = helped.mark_assisted(&app, how).await?;
    Ok(Json(Hint {
        sentence: match first {
            true => format!("{advice} {}", how.notice()),
            false => advice,
        },
        worth: ValueView::from_value(report.value),
        text,
    }))
}
