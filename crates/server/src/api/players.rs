//! `/players`: people and how their games went.

use axum::Json;
use axum::extract::{Path, State};
use noughts_store::{Name, PersonRecord, StoreError, Tally};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::lists::SeatName;
use super::types::TallyState;
use crate::app::App;
use crate::error::{Error, Kind};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(players))
        .routes(routes!(player))
}

/// Somebody and how their games went.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayerItem {
    /// The name.
    name: String,
    /// Games won, lost and tied.
    #[serde(flatten)]
    tally: TallyState,
}

/// All that is told of a person.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayerView {
    /// The name.
    name: String,
    /// When the first game began.
    #[schema(format = DateTime)]
    since: String,
    /// All games.
    total: TallyState,
    /// By game, the most played first.
    by_game: Vec<ByGame>,
    /// By opponent, the most frequent first.
    by_opponent: Vec<ByOpponent>,
}

/// How the games of one variant went.
#[derive(Serialize, ToSchema)]
pub(crate) struct ByGame {
    /// The variant's name.
    variant: String,
    /// Games won, lost and tied.
    #[serde(flatten)]
    tally: TallyState,
}

/// How the games against somebody went.
#[derive(Serialize, ToSchema)]
pub(crate) struct ByOpponent {
    /// Who.
    #[serde(flatten)]
    opponent: SeatName,
    /// Games won, lost and tied.
    #[serde(flatten)]
    tally: TallyState,
}

fn state(tally: Tally) -> TallyState {
    TallyState {
        wins: tally.wins,
        losses: tally.losses,
        ties: tally.ties,
    }
}

/// Everybody who has played, the one who played last first.
#[utoipa::path(get, path = "/players", tag = "players",
    responses((status = 200, description = "The players", body = Vec<PlayerItem>)))]
async fn players(State(app): State<App>) -> Result<Json<Vec<PlayerItem>>, Error> {
    let people = app.config.store.people_who_played().await?.into_iter();
    let people = people.map(|(name, tally)| PlayerItem {
        name: name.to_string(),
        tally: state(tally),
    });
    Ok(Json(people.collect()))
}

/// Somebody's statistics. Games in which a side changed hands do not count.
#[utoipa::path(get, path = "/players/{name}", tag = "players",
    params(("name" = String, Path, description = "The person's name; upper and lower case are the same", min_length = 1, max_length = 100, example = "Ada")),
    responses(
        (status = 200, description = "The statistics", body = PlayerView),
        (status = 404, description = "There is nobody of this name", body = super::ErrorBody),
        (status = 422, description = "Nobody can be called so", body = super::ErrorBody),
    ))]
async fn player(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Json<PlayerView>, Error> {
    let name = Name::new(&name).map_err(|error| Error::new(Kind::Invalid, error.to_string()))?;
    let record = app.config.store.record(&name).await?;
    let record = record.ok_or_else(|| {
        let nobody = StoreError::NoSuchPerson(name);
        Error::new(Kind::NotFound, nobody.to_string())
    })?;
    Ok(Json(view(&record)))
}

fn view(record: &PersonRecord) -> PlayerView {
    let by_game = record.by_game.iter().map(|(variant, tally)| ByGame {
        variant: variant.to_string(),
        tally: state(*tally),
    });
    let by_opponent = record.by_opponent.iter().map(|(seat, tally)| ByOpponent {
        opponent: SeatName::of(seat),
        tally: state(*tally),
    });
    PlayerView {
        name: record.name.to_string(),
        since: record.since.to_string(),
        total: state(record.total),
        by_game: by_game.collect(),
        by_opponent: by_opponent.collect(),
    }
}
