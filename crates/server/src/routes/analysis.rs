//! `/analysis`: any position, as text, by moves, or by the id of a stored one.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use serde::Deserialize;

use super::PageResponse;
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::view::pages::{self, AnalysisSetup};

#[derive(Deserialize)]
pub(super) struct AnalysisParams {
    #[serde(default)]
    variant: String,
    #[serde(default)]
    position: String,
    #[serde(default)]
    moves: String,
    id: Option<String>,
}

pub(super) async fn analysis(
    State(app): State<App>,
    Query(params): Query<AnalysisParams>,
) -> Result<impl IntoResponse, ApiError> {
    let setup = match &params.id {
        Some(id) => {
            let not_found =
                || ApiError::new(ApiErrorKind::NotFound, "no position is saved under this ID");
            let stored = app.config.store.position(id).await?;
            AnalysisSetup::from_stored(&stored.ok_or_else(not_found)?)
        }
        None => AnalysisSetup::from_form(&params.variant, &params.position, &params.moves),
    };
    Ok(PageResponse::with_validity(
        setup.error.is_some(),
        pages::analysis(&setup),
    ))
}
