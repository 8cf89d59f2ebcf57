//! `GET /games` and `/games/export`: stored games, as a list and as records.

use std::io;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use futures_util::{StreamExt, stream};
use noughts_rules::{Outcome, Side};
use noughts_store::{ExportPart, GameExport, GameFilter, GameId, Name, ResultFilter};
use noughts_wire::GameList;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::extract::{QueryParams, check_range};
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::middleware::{StreamPermit, Visitor};

/// The page size if the request has none.
const DEFAULT_LIMIT: u32 = 50;
/// The largest page size.
const MAX_LIMIT: u32 = 500;

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
    #[param(max_length = 100)]
    variant: Option<String>,
    /// Only games with this result; `win` and `loss` are from the point of view of `player`.
    #[param(inline)]
    result: Option<ResultParam>,
    /// Only games in progress (`true`) or finished games (`false`).
    open: Option<bool>,
    /// The maximum number of games, newest first; 50 by default.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// Only games listed after the game with this number; use it to get the next page.
    #[param(minimum = 1)]
    before: Option<i64>,
}

/// A result to filter by.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResultParam {
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

/// Lists games, finished and in progress, newest first. Games without a move aren't listed.
#[utoipa::path(get, path = "/games", tag = "games", params(GameListParams),
    responses(
        (status = 200, description = "The games", body = GameList),
        (status = 422, description = "A name or the variant is invalid", body = super::ErrorBody),
    ))]
pub(super) async fn list(
    State(app): State<App>,
    QueryParams(params): QueryParams<GameListParams>,
) -> Result<Json<GameList>, ApiError> {
    let limit = page_limit(params.limit)?;
    let filter = GameFilter {
        limit: Some(limit + 1),
        ..params.filter()?
    };
    let mut games = app.config.store.games(&filter).await?;
    let more = games.len() > limit as usize;
    games.truncate(limit as usize);
    let games = games.iter().map(Into::into).collect();
    Ok(Json(GameList { games, more }))
}

/// Exports the same games as records, oldest first, in the format that `noughts games import` reads.
#[utoipa::path(get, path = "/games/export", tag = "games", params(GameListParams),
    responses(
        (status = 200, description = "The records", body = String, content_type = "text/plain"),
        (status = 422, description = "A name or the variant is invalid", body = super::ErrorBody),
    ))]
pub(super) async fn export(
    State(app): State<App>,
    visitor: Visitor,
    QueryParams(params): QueryParams<GameListParams>,
) -> Result<impl IntoResponse, ApiError> {
    let filter = GameFilter {
        limit: Some(page_limit(params.limit)?),
        ..params.filter()?
    };
    let permit = app.rate_limiters.open_stream(&visitor)?;
    let mut export = app.config.store.export(&filter).await?;
    // An error before the first part has a status of its own.
    let first = export.next_part().await.transpose()?;
    let records = stream_records(app, visitor, permit, first, export);
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], records))
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
    // Compression polls once more after the end.
    Body::from_stream(first.chain(rest).fuse())
}

/// The page size, checked.
pub(super) fn page_limit(limit: Option<u32>) -> Result<u32, ApiError> {
    check_range("limit", limit.unwrap_or(DEFAULT_LIMIT), 1..=MAX_LIMIT)
}

impl GameListParams {
    fn filter(&self) -> Result<GameFilter, ApiError> {
        let player = self.player.as_deref().map(Name::new).transpose()?;
        let result = self.result.map(|result| match result {
            ResultParam::Win => ResultFilter::Won,
            ResultParam::Loss => ResultFilter::Lost,
            ResultParam::X => ResultFilter::Outcome(Outcome::Win(Side::X)),
            ResultParam::O => ResultFilter::Outcome(Outcome::Win(Side::O)),
            ResultParam::Draw => ResultFilter::Outcome(Outcome::Draw),
        });
        let is_of_player = matches!(result, Some(ResultFilter::Won | ResultFilter::Lost));
        let message = "to list won or lost games, name the player";
        ApiErrorKind::Invalid.require(player.is_some() || !is_of_player, message)?;
        let opponent = self.opponent.as_deref();
        let is_name = opponent.is_none_or(|name| (1..=100).contains(&name.chars().count()));
        let message = "an opponent's name must have 1 to 100 characters";
        ApiErrorKind::Invalid.require(is_name, message)?;
        let message = "before must be a game number, 1 or higher";
        ApiErrorKind::BadRequest.require(self.before.is_none_or(|before| before >= 1), message)?;
        Ok(GameFilter {
            player,
            opponent: self.opponent.clone(),
            variant: self.variant.as_deref().map(str::parse).transpose()?,
            result,
            open: self.open,
            played: true,
            before: self.before.map(GameId),
            ..GameFilter::default()
        })
    }
}
