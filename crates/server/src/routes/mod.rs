//! The handlers of pages, one file for each. Their markup is in `view`.

mod analysis;
mod api;
mod game;
mod games;
mod health;
mod home;
mod new_game;
mod page;
mod players;
mod rules;
mod session;
#[cfg(test)]
mod tests;

use axum::Router;
use axum::routing::get;

use crate::app::App;

pub(crate) use health::metrics_router;
pub(crate) use page::{PageResponse, compression_layer};

pub(crate) fn router(app: &App) -> Router<App> {
    let pages = Router::new()
        .route("/", get(home::home))
        .route("/new", get(new_game::new_game))
        .route("/analysis", get(analysis::analysis))
        .route("/api", get(api::api))
        .route("/games", get(games::games))
        .route("/games/{uid}", get(game::game))
        .route("/join/{uid}/{code}", get(game::join))
        .route("/players", get(players::players))
        .route("/players/{name}", get(players::player))
        .route("/rules", get(rules::rules_index))
        .route("/rules/{variant}", get(rules::variant_rules))
        .route("/session", get(session::session))
        .layer(compression_layer());
    pages.merge(health::router(app))
}
