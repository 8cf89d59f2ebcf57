//! `/tables`: the status of tablebases, and building one.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use noughts_engine::tablebase;
use noughts_rules::Variant;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::parse_variant;
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::middleware::Visitor;
use crate::pool::TablebaseStatus;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(tablebase, build))
}

/// The status of a game's tablebase.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableView {
    /// The status.
    state: TableWord,
    /// The progress of building it, from 0 to 1.
    done: Option<f64>,
    /// Are you allowed to build it?
    allowed: bool,
    /// The status as a sentence.
    sentence: String,
}

/// The status of a tablebase.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TableWord {
    /// No tablebase is available for this game.
    None,
    /// It isn't built yet.
    Missing,
    /// It is being built.
    Building,
    /// It's ready and in use.
    There,
}

/// Returns the status of a game's tablebase, which has the exact value of every position.
#[utoipa::path(get, path = "/tables/{variant}", tag = "analysis",
    params(("variant" = String, Path, description = "The variant's name", min_length = 1, max_length = 100, example = "tic-tac-two")),
    responses(
        (status = 200, description = "The status", body = TableView),
        (status = 422, description = "The variant is invalid", body = super::ErrorBody),
    ))]
async fn tablebase(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<Json<TableView>, ApiError> {
    let variant = parse_variant(&name)?;
    if matches!(
        app.pool.tablebases().status(variant),
        TablebaseStatus::Missing(_)
    ) {
        // The terminal program may have built it in the meantime.
        let cache = Arc::clone(app.pool.tablebases());
        let _ = tokio::task::spawn_blocking(move || cache.reload()).await;
    }
    Ok(Json(tablebase_view(&app, &visitor, variant)))
}

/// Builds the tablebase of a game in the background, which takes a minute or more.
///
/// Only one tablebase is built at a time. The request is accepted only from the machine that runs the server.
#[utoipa::path(post, path = "/tables/{variant}", tag = "analysis",
    params(("variant" = String, Path, description = "The variant's name", min_length = 1, max_length = 100, example = "tic-tac-two")),
    responses(
        (status = 202, description = "It's being built, or is ready", body = TableView),
        (status = 403, description = "The request comes from another machine", body = super::ErrorBody),
        (status = 422, description = "The variant is invalid, or has no tablebase", body = super::ErrorBody),
    ))]
async fn build(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<(StatusCode, Json<TableView>), ApiError> {
    let variant = parse_variant(&name)?;
    if app.pool.tablebases().status(variant) == TablebaseStatus::Unsupported {
        let names = tablebase::SUPPORTED_VARIANTS.map(|variant| variant.to_string());
        let names = names.join(", ");
        let message =
            format!("no tablebase is available for {variant}; tablebases can be built for {names}");
        return Err(ApiError::new(ApiErrorKind::Refused, message));
    }
    if !may_build(&app, &visitor) {
        let message = "tablebases can be built only from the machine that runs the server, here or with `noughts tablebase build tic-tac-two`";
        return Err(ApiError::new(ApiErrorKind::NotYours, message));
    }
    app.pool.tablebases().start_build();
    Ok((
        StatusCode::ACCEPTED,
        Json(tablebase_view(&app, &visitor, variant)),
    ))
}

/// A build takes the whole machine for a minute or more, so it's allowed only from the machine
/// itself.
fn may_build(app: &App, visitor: &Visitor) -> bool {
    app.config.is_local && visitor.address().is_loopback()
}

fn tablebase_view(app: &App, visitor: &Visitor, variant: Variant) -> TableView {
    let (state, done, sentence) = match app.pool.tablebases().status(variant) {
        TablebaseStatus::Unsupported => (
            TableWord::None,
            None,
            "No tablebase is available for this game.".into(),
        ),
        TablebaseStatus::Missing(None) => {
            let sentence = "The tablebase with the exact value of every position isn't built yet. Building it takes a minute or more, and 13 MiB of disk space.";
            (TableWord::Missing, None, sentence.into())
        }
        TablebaseStatus::Missing(Some(_)) => {
            // The reason contains file names, so it's only in the log.
            let sentence = "The tablebase couldn't be built. The server's log has the details.";
            (TableWord::Missing, None, sentence.into())
        }
        TablebaseStatus::Building(done) => {
            let percent = (done * 100.0).floor();
            let sentence = format!("Building the tablebase: {percent}%.");
            (TableWord::Building, Some(done), sentence)
        }
        TablebaseStatus::Ready => {
            let sentence = "The tablebase is ready: every value of this game is proved.";
            (TableWord::There, Some(1.0), sentence.into())
        }
    };
    TableView {
        state,
        done,
        allowed: may_build(app, visitor),
        sentence,
    }
}
