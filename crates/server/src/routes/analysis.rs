//! `/analysis`: any position, by its text, by moves, or by the number of one that is
//! kept.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use serde::Deserialize;

use super::PageResponse;
use crate::app::App;
use crate::error::{Error, Kind};
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
    Query(wanted): Query<AnalysisParams>,
) -> Result<impl IntoResponse, Error> {
    let studied = match &wanted.id {
        Some(id) => {
            let gone = || Error::new(Kind::NotFound, "no position is kept under this number");
            let kept = app.config.store.position(id).await?;
            AnalysisSetup::from_stored(&kept.ok_or_else(gone)?)
        }
        None => AnalysisSetup::from_form(&wanted.variant, &wanted.position, &wanted.moves),
    };
    Ok(PageResponse::with_validity(
        studied.error.is_some(),
        pages::analysis(&studied),
    ))
}
