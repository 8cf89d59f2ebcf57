//! `/tablebases`: the status of tablebases, and building one.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use noughts_engine::tablebase::build_cost;
use noughts_rules::Variant;
use noughts_wire::TablebaseInfo;

use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::middleware::Visitor;
use crate::pool::TablebaseStatus;

/// Why a game has no tablebase.
const NO_TABLEBASE: &str =
    "positions can't repeat in it, it's solved without one, or it has too many positions";

/// Returns the status of a game's tablebase, which has the exact value of every position.
#[utoipa::path(get, path = "/tablebases/{variant}", tag = "analysis",
    params(("variant" = String, Path, description = "The variant's name", min_length = 1, max_length = 100)),
    responses(
        (status = 200, description = "The status", body = TablebaseInfo),
        (status = 422, description = "The variant is invalid", body = super::ErrorBody),
    ))]
pub(super) async fn tablebase(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<Json<TablebaseInfo>, ApiError> {
    let variant: Variant = name.parse()?;
    let cache = app.pool.tablebases.clone();
    if !matches!(
        cache.status(variant),
        TablebaseStatus::Ready | TablebaseStatus::Building(_)
    ) {
        // The terminal program may have built it in the meantime.
        let _ = tokio::task::spawn_blocking(move || cache.reload(variant)).await;
    }
    Ok(Json(tablebase_view(&app, &visitor, variant)))
}

/// Builds the tablebase of a game in the background, which takes a minute or more.
///
/// Only one tablebase is built at a time. The request is accepted only from the machine that runs the server.
#[utoipa::path(post, path = "/tablebases/{variant}", tag = "analysis",
    params(("variant" = String, Path, description = "The variant's name", min_length = 1, max_length = 100)),
    responses(
        (status = 202, description = "It's being built, or is ready", body = TablebaseInfo),
        (status = 403, description = "The request comes from another machine", body = super::ErrorBody),
        (status = 422, description = "The variant is invalid, or has no tablebase", body = super::ErrorBody),
    ))]
pub(super) async fn build(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<(StatusCode, Json<TablebaseInfo>), ApiError> {
    let variant: Variant = name.parse()?;
    if app.pool.tablebases.status(variant) == TablebaseStatus::Unsupported {
        let message = format!("no tablebase is available for {variant}; {NO_TABLEBASE}");
        return Err(ApiErrorKind::Refused.error(message));
    }
    let message = format!(
        "tablebases can only be built on the machine that runs the server; open this page there, or run `noughts tablebase build {variant}`"
    );
    ApiErrorKind::NotYours.require(may_build(&app, &visitor), &message)?;
    app.pool.tablebases.start_build(variant);
    let view = tablebase_view(&app, &visitor, variant);
    Ok((StatusCode::ACCEPTED, Json(view)))
}

/// A build takes the whole machine for a minute or more, so it's allowed only from the machine
/// itself.
fn may_build(app: &App, visitor: &Visitor) -> bool {
    app.config.is_local && visitor.owner.address.is_loopback()
}

fn tablebase_view(app: &App, visitor: &Visitor, variant: Variant) -> TablebaseInfo {
    use noughts_wire::TablebaseStatus as Status;
    let status = app.pool.tablebases.status(variant);
    let sentence = match &status {
        TablebaseStatus::Unsupported => {
            format!("No tablebase is available for this game: {NO_TABLEBASE}.")
        }
        TablebaseStatus::Missing(None) => {
            let cost = build_cost(variant).map_or_else(String::new, |cost| cost.to_string());
            format!(
                "The tablebase with the exact value of every position isn't built yet. Building it takes {cost}."
            )
        }
        // The reason contains file names, so it's only in the log.
        TablebaseStatus::Missing(Some(_)) => {
            "The tablebase couldn't be built. The server's log has the details.".into()
        }
        TablebaseStatus::Building(done) => {
            format!("Building the tablebase: {}%.", (done * 100.0).floor())
        }
        TablebaseStatus::Ready => {
            "The tablebase is ready: every value of this game is proved.".into()
        }
    };
    let (status, progress) = match status {
        TablebaseStatus::Unsupported => (Status::None, None),
        TablebaseStatus::Missing(_) => (Status::Missing, None),
        TablebaseStatus::Building(done) => (Status::Building, Some(done)),
        TablebaseStatus::Ready => (Status::Ready, Some(1.0)),
    };
    TablebaseInfo {
        status,
        progress,
        allowed: may_build(app, visitor),
        sentence,
    }
}
