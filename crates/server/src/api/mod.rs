//! The JSON API, one file per resource.

mod actions;
mod analyses;
mod choices;
mod extract;
mod files;
mod game_list;
mod game_state;
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
pub(crate) mod types;
mod variants;
mod viewer;
mod websocket;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::error::ApiError;

pub(crate) use extract::QueryParams;
pub(crate) use openapi::description;
pub(crate) use viewer::{ViewParams, Viewer};

/// The body of an error response.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// The error.
    error: ApiError,
}

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .nest("/api/v1", resources())
        .nest("/api", openapi::router())
}

fn resources() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(sessions::router())
        .merge(games::router())
        .merge(actions::router())
        .merge(stream::router())
        .merge(socket::router())
        .merge(variants::router())
        .merge(game_list::router())
        .merge(files::router())
        .merge(players::router())
        .merge(positions::router())
        .merge(analyses::router())
        .merge(hints::router())
        .merge(review::router())
        .merge(tablebases::router())
}
