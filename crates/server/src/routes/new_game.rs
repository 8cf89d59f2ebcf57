//! `/new`: the form for a new game.

use axum::extract::{RawQuery, State};
use axum::response::IntoResponse;

use super::page_with_status;
use crate::app::App;
use crate::view::pages::{self, NewGameForm};

pub(super) async fn new_game(
    State(app): State<App>,
    RawQuery(query): RawQuery,
) -> impl IntoResponse {
    let query = query.unwrap_or_default();
    let fields = form_urlencoded::parse(query.as_bytes()).into_owned();
    let fields: Vec<(String, String)> = fields.collect();
    let form = NewGameForm::from_fields(&fields);
    let tablebases = app.pool.tablebases.tablebases_for(form.variant);
    page_with_status(form.error.is_some(), pages::new_game(&form, &tablebases))
}
