//! `/new`: a game is set up.

use axum::extract::{Query, State};
use axum::response::IntoResponse;

use super::PageResponse;
use crate::app::App;
use crate::view::pages::{self, NewGameForm};

pub(super) async fn new_game(
    State(app): State<App>,
    Query(fields): Query<Vec<(String, String)>>,
) -> impl IntoResponse {
    let setup = NewGameForm::from_fields(&fields);
    let tables = app.pool.tablebases().tablebases_for(setup.variant);
    PageResponse::with_validity(setup.error.is_some(), pages::new_game(&setup, &tables))
}
