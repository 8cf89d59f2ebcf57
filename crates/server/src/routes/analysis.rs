//! `/analysis`: any position, by its text, by moves, or by the number of one that is
//! kept.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use serde::Deserialize;

use super::Page;
use crate::app::App;
use crate::error::{Error, Kind};
use crate::view::pages::{self, Studied};

#[derive(Deserialize)]
pub(super) struct Wanted {
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
    Query(wanted): Query<Wanted>,
) -> Result<impl IntoResponse, Error> {
    let studied = match &wanted.id {
        Some(id) => {
            let gone = || Error::new(Kind::NotFound, "no position is kept under this number");
            let kept = app.config.store.kept_position(id).await?;
            Studied::kept(&kept.ok_or_else(gone)?)
        }
        None => Studied::read(&wanted.variant, &wanted.position, &wanted.moves),
    };
    Ok(Page::answering(
        studied.problem.is_some(),
        pages::analysis(&studied),
    ))
}
