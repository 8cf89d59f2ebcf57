//! `/new`: a game is set up.

use axum::extract::{Query, State};

use super::Page;
use crate::app::App;
use crate::view::pages::{self, Setup};

pub(super) async fn new(
    State(app): State<App>,
    Query(fields): Query<Vec<(String, String)>>,
) -> Page {
    let setup = Setup::read(&fields);
    let tables = app.pool.shelf().tables(setup.variant);
    Page(pages::new(&setup, &tables))
}
