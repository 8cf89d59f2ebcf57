//! `/new`: a game is set up.

use axum::extract::{Query, State};
use axum::response::IntoResponse;

use super::Page;
use crate::app::App;
use crate::view::pages::{self, Setup};

pub(super) async fn new(
    State(app): State<App>,
    Query(fields): Query<Vec<(String, String)>>,
) -> impl IntoResponse {
    let setup = Setup::read(&fields);
    let tables = app.pool.shelf().tables(setup.variant);
    Page::answering(setup.problem.is_some(), pages::new(&setup, &tables))
}
