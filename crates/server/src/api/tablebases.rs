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

/// How it stands with the table of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableView {
    /// Which of these.
    state: TableWord,
    /// How much of it is built, from 0 to 1.
    done: Option<f64>,
    /// Whoever asks may have it built.
    allowed: bool,
    /// What there is to say of it.
    sentence: String,
}

/// How it stands with a table.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TableWord {
    /// There is none for this game.
    None,
    /// It was not built yet.
    Missing,
    /// It is being built.
    Building,
    /// It is there, and used.
    There,
}

/// Is there a table with the exact value of every position of this game?
#[utoipa::path(get, path = "/tables/{variant}", tag = "analysis",
    params(("variant" = String, Path, description = "The variant's name", min_length = 1, max_length = 100, example = "tic-tac-two")),
    responses(
        (status = 200, description = "How it stands", body = TableView),
        (status = 422, description = "There is no such variant", body = super::ErrorBody),
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

/// Builds the table of a game, beside everything else; it takes a minute or more. Only
/// one is built at a time, and only by who asks on the machine where the server runs.
#[utoipa::path(post, path = "/tables/{variant}", tag = "analysis",
    params(("variant" = String, Path, description = "The variant's name", min_length = 1, max_length = 100, example = "tic-tac-two")),
    responses(
        (status = 202, description = "It is being built, or there", body = TableView),
        (status = 403, description = "The server does not allow it", body = super::ErrorBody),
        (status = 422, description = "There is no such variant, or no table for it", body = super::ErrorBody),
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
        let message = format!("there are no tables for {variant}; they can be built for {names}");
        return Err(ApiError::new(ApiErrorKind::Refused, message));
    }
    if !may_build(&app, &visitor) {
        let message = "tables are built only on the machine where the server runs, here or with `noughts tablebase build tic-tac-two`";
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
            "This game has no exact table.".into(),
        ),
        TablebaseStatus::Missing(None) => {
            let sentence = "The table with the exact value of every position is not built yet: it takes a minute or more, and 13 MiB.";
            (TableWord::Missing, None, sentence.into())
        }
        TablebaseStatus::Missing(Some(_)) => {
            // The reason contains file names, so it's only in the log.
            let sentence = "The table could not be built; the server's log says why.";
            (TableWord::Missing, None, sentence.into())
        }
        TablebaseStatus::Building(done) => {
            let percent = (done * 100.0).floor();
            let sentence = format!("Building the exact table: {percent} %.");
            (TableWord::Building, Some(done), sentence)
        }
        TablebaseStatus::Ready => {
            let sentence = "The exact table is there: every value of this game is proved.";
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
