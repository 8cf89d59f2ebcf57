//! The JSON API, one file per resource.

mod actions;
mod analyses;
mod files;
mod game_list;
mod games;
mod hints;
mod ndjson;
mod openapi;
mod players;
mod positions;
mod review;
mod sessions;
mod socket;
mod stream;
mod tablebases;
#[cfg(test)]
mod tests;
mod variants;
mod websocket;

use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::ErrorBody;
use crate::extract;

pub(crate) use openapi::description;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .nest("/api/v1", resources())
        .route("/api/openapi.json", get(openapi::json))
}

fn resources() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(sessions::issue))
        .routes(routes!(sessions::end))
        .routes(routes!(games::create))
        .routes(routes!(games::read))
        .routes(routes!(games::join))
        .routes(routes!(actions::act))
        .routes(routes!(stream::watch))
        .routes(routes!(socket::open))
        .routes(routes!(variants::variants))
        .routes(routes!(variants::variant_details))
        .routes(routes!(game_list::list))
        .routes(routes!(game_list::export))
        .routes(routes!(files::record))
        .routes(routes!(files::svg))
        .routes(routes!(files::png))
        .routes(routes!(files::position_record))
        .routes(routes!(files::position_svg))
        .routes(routes!(files::position_png))
        .routes(routes!(players::players))
        .routes(routes!(players::player))
        .routes(routes!(positions::position))
        .routes(routes!(positions::taps))
        .routes(routes!(positions::store_position))
        .routes(routes!(positions::stored_position))
        .routes(routes!(analyses::analyze))
        .routes(routes!(hints::hint))
        .routes(routes!(review::review))
        .routes(routes!(tablebases::tablebase, tablebases::build))
}
