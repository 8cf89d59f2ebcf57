//! `/new`: the form for a new game.

use axum::extract::{Query, State};
use axum::response::IntoResponse;

use super::PageResponse;
use crate::app::App;
use crate::view::pages::{self, NewGameForm};

pub(super) async fn new_game(
    State(app): State<App>,
    Query(fields): Query<Vec<(String, String)>>,
) -> impl IntoResponse {
    let form = NewGameForm::from_fields(&fields);
    let tablebases = app.pool.tablebases().tablebases_for(form.variant);
    PageResponse::with_validity(form.error.is_some(), pages::new_game(&form, &tablebases))
}
