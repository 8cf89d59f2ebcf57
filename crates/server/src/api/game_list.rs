//! `GET /games` and `/games/export`: stored games, as a list and as records.

use std::io;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use noughts_rules::{Outcome, Side};
use noughts_store::{
    ExportPart, GameExport, GameFilter, GameId, GameSummary, Name, ResultFilter, Seat,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{QueryParams, parse_variant};
use super::types::SeatKind;
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::middleware::{StreamPermit, Visitor};

/// The page size if the request has none.
const DEFAULT_LIMIT: u32 = 50;
/// The largest page size.
const MAX_LIMIT: u32 = 500;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(export))
}

/// The query parameters of game lists and exports.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct GameListParams {
    /// Only games of this player.
    #[param(min_length = 1, max_length = 100, example = "Ada")]
    player: Option<String>,
    /// Only games with this player or bot (against `player`, if that is given).
    #[param(min_length = 1, max_length = 100, example = "hard")]
    opponent: Option<String>,
    /// Only games of this variant.
    #[param(max_length = 100, example = "classic")]
    variant: Option<String>,
    /// Only games with this result; `win` and `loss` are from the point of view of `player`.
    #[param(inline)]
    result: Option<ResultIs>,
    /// Only games in progress (`true`) or finished games (`false`).
    open: Option<bool>,
    /// The maximum number of games, newest first; 50 by default.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// Only games that come after the game with this number in the list: the next page.
    #[param(minimum = 1)]
    before: Option<i64>,
}

/// A result to filter by.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResultIs {
    /// The player won.
    Win,
    /// The player lost.
    Loss,
    /// X won.
    X,
    /// O won.
    O,
    /// The game was a draw.
    #[serde(alias = "tie")]
    Draw,
}

/// A page of the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct GamesPage {
    /// The games, newest first.
    games: Vec<GameItem>,
    /// Are there more games after the last one?
    more: bool,
}

/// A game in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameItem {
    /// 32 hexadecimal digits; the game's page is `/games/{id}`.
    id: String,
    /// The game's number on the command line.
    number: i64,
    /// The variant's name.
    variant: String,
    /// X's player.
    x: SeatName,
    /// O's player.
    o: SeatName,
    /// How many moves were made.
    moves: usize,
    /// When it started.
    #[schema(format = DateTime)]
    started: String,
    /// When it ended, if it has.
    #[schema(format = DateTime)]
    ended: Option<String>,
    /// `x`, `o` or `draw`; null while the game is in progress and if it was abandoned.
    result: Option<&'static str>,
    /// How it ended, in one word.
    ending: Option<&'static str>,
    /// Is the game rated? It isn't if a side changed hands, a player had assistance, or it started from a chosen
    /// position.
    rated: bool,
}

/// The player or bot of one side.
#[derive(Serialize, ToSchema)]
pub(crate) struct SeatName {
    /// `person`, `guest`, `bot` or `deleted`.
    pub(super) kind: SeatKind,
    /// The name; null for guests and deleted players.
    pub(super) name: Option<String>,
}

impl SeatName {
    pub(super) fn from_seat(seat: &Seat) -> SeatName {
        let kind = match seat {
            Seat::Player(_) => SeatKind::Person,
            Seat::Guest => SeatKind::Guest,
            Seat::Bot(_) => SeatKind::Bot,
            Seat::Deleted => SeatKind::Deleted,
        };
        let name = seat.name().map(Into::into);
        SeatName { kind, name }
    }
}

/// Lists games, finished and in progress, newest first. Games without a move aren't listed.
#[utoipa::path(get, path = "/games", tag = "games", params(GameListParams),
    responses(
        (status = 200, description = "The games", body = GamesPage),
        (status = 422, description = "A name or the variant is invalid", body = super::ErrorBody),
    ))]
async fn list(
    State(app): State<App>,
    QueryParams(params): QueryParams<GameListParams>,
) -> Result<Json<GamesPage>, ApiError> {
    let limit = params.limit()?;
    let filter = GameFilter {
        limit: Some(limit + 1),
        ..params.filter()?
    };
    let mut games = app.config.store.games(&filter).await?;
    let more = games.len() > limit as usize;
    games.truncate(limit as usize);
    let games = games.iter().map(list_item).collect();
    Ok(Json(GamesPage { games, more }))
}

/// Exports the same games as records, oldest first, in the format that `noughts games import` reads.
#[utoipa::path(get, path = "/games/export", tag = "games", params(GameListParams),
    responses(
        (status = 200, description = "The records", body = String, content_type = "text/plain"),
        (status = 422, description = "A name or the variant is invalid", body = super::ErrorBody),
    ))]
async fn export(
    State(app): State<App>,
    visitor: Visitor,
    QueryParams(params): QueryParams<GameListParams>,
) -> Result<Response, ApiError> {
    let filter = GameFilter {
        limit: Some(params.limit()?),
        ..params.filter()?
    };
    let permit = app.rate_limiters.open_stream(&visitor)?;
    let mut export = app.config.store.export(&filter).await?;
    // An error before the first part has a status of its own.
    let first = export.next_part().await.transpose()?;
    Ok(plain_text(stream_records(
        app, visitor, permit, first, export,
    )))
}

/// Streams the records a few at a time, as fast as the client reads them. An error in the middle
/// breaks the connection, so that no client takes a part for the whole. So does a ban or the end of
/// the visitor's session. The visitor's permit is held until the end.
fn stream_records(
    app: App,
    visitor: Visitor,
    permit: StreamPermit,
    first: Option<ExportPart>,
    export: GameExport,
) -> Body {
    let rest = stream::unfold((export, permit), move |(mut export, permit)| {
        let app = app.clone();
        async move {
            let interrupted = || Err(io::Error::other("the export was interrupted"));
            let text = tokio::select! {
                biased;
                _ = app.access.wait_until_revoked(visitor) => interrupted(),
                part = export.next_part() => match part? {
                    Ok(part) => Ok(format!("\n{}", part.text)),
                    Err(error) => {
                        tracing::warn!(%error, "an export was interrupted");
                        interrupted()
                    }
                },
            };
            Some((text, (export, permit)))
        }
    });
    let first = stream::iter(first.map(|part| Ok(part.text)));
    Body::from_stream(stream::StreamExt::chain(first, rest))
}

/// A plain-text response that isn't cached.
pub(super) fn plain_text(text: impl Into<Body>) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/plain; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, text.into()).into_response()
}

/// The page size, checked.
pub(super) fn page_limit(limit: Option<u32>) -> Result<u32, ApiError> {
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    if (1..=MAX_LIMIT).contains(&limit) {
        return Ok(limit);
    }
    let message = format!("limit is {limit}, but must be from 1 to {MAX_LIMIT}");
    Err(ApiError::new(ApiErrorKind::BadRequest, message))
}

impl GameListParams {
    fn limit(&self) -> Result<u32, ApiError> {
        page_limit(self.limit)
    }

    fn filter(&self) -> Result<GameFilter, ApiError> {
        let invalid = |message: String| ApiError::new(ApiErrorKind::Invalid, message);
        let player = self.player.as_deref().map(Name::new);
        let player = player.transpose().map_err(|e| invalid(e.to_string()))?;
        let result = self.result.map(|result| match result {
            ResultIs::Win => ResultFilter::Won,
            ResultIs::Loss => ResultFilter::Lost,
            ResultIs::X => ResultFilter::Outcome(Outcome::Win(Side::X)),
            ResultIs::O => ResultFilter::Outcome(Outcome::Win(Side::O)),
            ResultIs::Draw => ResultFilter::Outcome(Outcome::Draw),
        });
        if player.is_none() && matches!(result, Some(ResultFilter::Won | ResultFilter::Lost)) {
            let message = "to list won or lost games, name the player";
            return Err(invalid(message.into()));
        }
        let opponent = self.opponent.as_deref();
        if opponent.is_some_and(|name| !(1..=100).contains(&name.chars().count())) {
            return Err(invalid(
                "an opponent's name must have 1 to 100 characters".into(),
            ));
        }
        if self.before.is_some_and(|before| before < 1) {
            let message = "before must be a game number, 1 or higher";
            return Err(ApiError::new(ApiErrorKind::BadRequest, message));
        }
        Ok(GameFilter {
            player,
            opponent: self.opponent.clone(),
            variant: self.variant.as_deref().map(parse_variant).transpose()?,
            result,
            open: self.open,
            played: true,
            before: self.before.map(GameId),
            ..GameFilter::default()
        })
    }
}

fn list_item(game: &GameSummary) -> GameItem {
    let [x, o] = &game.seats;
    GameItem {
        id: game.uid.clone(),
        number: game.id.0,
        variant: game.variant.to_string(),
        x: SeatName::from_seat(x),
        o: SeatName::from_seat(o),
        moves: game.move_count,
        started: game.started.to_string(),
        ended: game.ended.map(|ended| ended.to_string()),
        result: game.result.map(Outcome::as_str),
        ending: game.end.map(noughts_rules::Termination::as_str),
        rated: game.is_rated(),
    }
}
