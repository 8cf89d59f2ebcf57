//! `/players`: players and their statistics.

use axum::Json;
use axum::extract::{Path, State};
use noughts_store::{Name, PlayerFilter, PlayerRecord, StoreError, Tally};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::QueryParams;
use super::game_list::{SeatName, page_limit};
use super::types::TallyState;
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(players))
        .routes(routes!(player))
}

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

/// A page of the list of players.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayersPage {
    /// The players, most recently active first.
    players: Vec<PlayerItem>,
    /// Are there more players after the last one?
    more: bool,
    /// Where the next page starts: send it as `after`. Null on the last page.
    next: Option<String>,
}

/// A player and their record.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayerItem {
    /// The name.
    name: String,
    /// Games won, lost and drawn.
    #[serde(flatten)]
    tally: TallyState,
}

/// A player's statistics.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayerView {
    /// The name.
    name: String,
    /// When the first game started.
    #[schema(format = DateTime)]
    since: String,
    /// All rated games.
    total: TallyState,
    /// By variant, most played first.
    by_game: Vec<ByGame>,
    /// By opponent, most frequent first.
    by_opponent: Vec<ByOpponent>,
    /// Are there more variants or opponents?
    more: bool,
}

/// The record in one variant.
#[derive(Serialize, ToSchema)]
pub(crate) struct ByGame {
    /// The variant's name.
    variant: String,
    /// Games won, lost and drawn.
    #[serde(flatten)]
    tally: TallyState,
}

/// The record against one opponent.
#[derive(Serialize, ToSchema)]
pub(crate) struct ByOpponent {
    /// The opponent.
    #[serde(flatten)]
    opponent: SeatName,
    /// Games won, lost and drawn.
    #[serde(flatten)]
    tally: TallyState,
}

fn tally_state(tally: Tally) -> TallyState {
    TallyState {
        wins: tally.wins,
        losses: tally.losses,
        ties: tally.draws,
    }
}

/// Lists all players who have played, most recently active first.
#[utoipa::path(get, path = "/players", tag = "players", params(PlayerListParams),
    responses((status = 200, description = "The players", body = PlayersPage)))]
async fn players(
    State(app): State<App>,
    QueryParams(params): QueryParams<PlayerListParams>,
) -> Result<Json<PlayersPage>, ApiError> {
    let after = params.after.as_deref().map(str::parse).transpose();
    let filter = PlayerFilter {
        played: true,
        after: after.map_err(|message: String| ApiError::new(ApiErrorKind::BadRequest, message))?,
        limit: Some(page_limit(params.limit)?),
    };
    let page = app.config.store.players(&filter).await?;
    let players = page.players.into_iter().map(|(name, tally)| PlayerItem {
        name: name.to_string(),
        tally: tally_state(tally),
    });
    Ok(Json(PlayersPage {
        players: players.collect(),
        more: page.next.is_some(),
        next: page.next.map(|next| next.to_string()),
    }))
}

/// Returns a player's statistics. Games that aren't rated don't count.
#[utoipa::path(get, path = "/players/{name}", tag = "players",
    params(("name" = String, Path, description = "The player's name; case doesn't matter", min_length = 1, max_length = 100, example = "Ada"), PlayerParams),
    responses(
        (status = 200, description = "The statistics", body = PlayerView),
        (status = 404, description = "There's no player with this name", body = super::ErrorBody),
        (status = 422, description = "The name is invalid", body = super::ErrorBody),
    ))]
async fn player(
    State(app): State<App>,
    Path(name): Path<String>,
    QueryParams(params): QueryParams<PlayerParams>,
) -> Result<Json<PlayerView>, ApiError> {
    let (from, limit) = (params.from.unwrap_or(0), page_limit(params.limit)?);
    let name = Name::new(&name)
        .map_err(|error| ApiError::new(ApiErrorKind::Invalid, error.to_string()))?;
    let record = app
        .config
        .store
        .player_record_page(&name, from, limit)
        .await?;
    let record = record.ok_or_else(|| {
        let error = StoreError::NoSuchPlayer(name);
        ApiError::new(ApiErrorKind::NotFound, error.to_string())
    })?;
    Ok(Json(player_view(&record)))
}

fn player_view(record: &PlayerRecord) -> PlayerView {
    let by_game = record.by_variant.iter().map(|(variant, tally)| ByGame {
        variant: variant.to_string(),
        tally: tally_state(*tally),
    });
    let by_opponent = record.by_opponent.iter().map(|(seat, tally)| ByOpponent {
        opponent: SeatName::from_seat(seat),
        tally: tally_state(*tally),
    });
    PlayerView {
        name: record.name.to_string(),
        since: record.since.to_string(),
        total: tally_state(record.total),
        by_game: by_game.collect(),
        by_opponent: by_opponent.collect(),
        more: record.has_more,
    }
}
