//! `/players`: players and their statistics.

use axum::Json;
use axum::extract::{Path, State};
use noughts_store::{Name, PlayerFilter};
use noughts_wire::{PlayerDetails, PlayerList};
use serde::Deserialize;
use utoipa::IntoParams;

use super::extract::QueryParams;
use super::game_list::page_limit;
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};

/// The query parameters of the list of players.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlayerListParams {
    /// The maximum number of players; 50 by default.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// Where to continue: `next` from the previous page.
    #[param(max_length = 100, example = "1700000000000-12-3")]
    after: Option<String>,
}

/// The query parameters of a player's record.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlayerParams {
    /// The maximum number of variants and opponents; 50 by default.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// The number of variants and opponents to skip; 0 by default.
    #[param(minimum = 0, maximum = 1000000)]
    from: Option<u32>,
}

/// Lists all players who have played, most recently active first.
#[utoipa::path(get, path = "/players", tag = "players", params(PlayerListParams),
    responses((status = 200, description = "The players", body = PlayerList)))]
pub(super) async fn players(
    State(app): State<App>,
    QueryParams(params): QueryParams<PlayerListParams>,
) -> Result<Json<PlayerList>, ApiError> {
    let after = params.after.as_deref().map(str::parse).transpose();
    let filter = PlayerFilter {
        played: true,
        after: after.map_err(|message: String| ApiErrorKind::BadRequest.error(message))?,
        limit: Some(page_limit(params.limit)?),
    };
    let page = app.config.store.players(&filter).await?;
    Ok(Json(page.into()))
}

/// Returns a player's statistics. Games that aren't rated don't count.
#[utoipa::path(get, path = "/players/{name}", tag = "players",
    params(("name" = String, Path, description = "The player's name; case doesn't matter", min_length = 1, max_length = 100, example = "Ada"), PlayerParams),
    responses(
        (status = 200, description = "The statistics", body = PlayerDetails),
        (status = 404, description = "There's no player with this name", body = super::ErrorBody),
        (status = 422, description = "The name is invalid", body = super::ErrorBody),
    ))]
pub(super) async fn player(
    State(app): State<App>,
    Path(name): Path<String>,
    QueryParams(params): QueryParams<PlayerParams>,
) -> Result<Json<PlayerDetails>, ApiError> {
    let (from, limit) = (params.from.unwrap_or(0), page_limit(params.limit)?);
    let name = Name::new(&name)?;
    let store = &app.config.store;
    let record = store.player_record_page(&name, from, limit).await?;
    let record = record.ok_or_else(|| {
        let message =
            format!("there's no player named {name}; GET /api/v1/players lists all players");
        ApiErrorKind::NotFound.error(message)
    })?;
    Ok(Json((&record).into()))
}
