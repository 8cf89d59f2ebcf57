//! `/analysis`: any position, as text, by moves, or by the id of a stored one.

use axum::extract::State;
use axum::response::IntoResponse;
use serde::Deserialize;

use super::page_with_status;
use crate::app::App;
use crate::error::{ApiError, no_such_position};
use crate::extract::QueryParams;
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
    QueryParams(params): QueryParams<AnalysisParams>,
) -> Result<impl IntoResponse, ApiError> {
    let setup = match &params.id {
        Some(id) => {
            let stored = app.config.store.position(id).await?;
            AnalysisSetup::from_stored(&stored.ok_or_else(no_such_position)?)
        }
        None => AnalysisSetup::from_form(&params.variant, &params.position, &params.moves),
    };
    Ok(page_with_status(
        setup.error.is_some(),
        pages::analysis(&setup),
    ))
}
