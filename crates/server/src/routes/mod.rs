//! The handlers of pages, one file for each. Their markup is in `view`.

mod analysis;
mod api;
mod game;
mod games;
mod health;
mod home;
mod new_game;
mod players;
mod rules;
mod session;
#[cfg(test)]
mod tests;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use maud::Markup;
use utoipa::openapi::OpenApi;

use crate::app::App;
use crate::error::ApiErrorKind;

pub(crate) use health::metrics_router;

/// All pages. One of them documents the API with this description.
pub(crate) fn router(app: &App, api: &'static OpenApi) -> Router<App> {
    let pages = Router::new()
        .route("/", get(home::home))
        .route("/new", get(new_game::new_game))
        .route("/analysis", get(analysis::analysis))
        .route("/api", get(|| api::api(api)))
        .route("/games", get(games::games))
        .route("/games/{uid}", get(game::game))
        .route("/join/{uid}/{code}", get(game::join))
        .route("/players", get(players::players))
        .route("/players/{name}", get(players::player))
        .route("/rules", get(rules::rules_index))
        .route("/rules/{variant}", get(rules::variant_rules))
        .route("/session", get(session::session));
    pages.merge(health::router(app))
}

/// A page that may contain a message about invalid input. The status reports it as well, for
/// programs and search engines.
fn page_with_status(is_invalid: bool, page: Markup) -> (StatusCode, Markup) {
    let status = match is_invalid {
        true => ApiErrorKind::Invalid.status(),
        false => StatusCode::OK,
    };
    (status, page)
}
