//! The JSON API, one file for each resource.

mod actions;
mod analyses;
mod choices;
mod files;
mod games;
mod heard;
mod hints;
mod lines;
mod lists;
mod openapi;
mod players;
mod position;
mod review;
mod session;
mod shown;
mod socket;
mod state;
mod stream;
mod tables;
#[cfg(test)]
mod tests;
pub(crate) mod types;
mod upgrade;
mod variants;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::error::Error;

pub(crate) use heard::Asked;
pub(crate) use openapi::description;
pub(crate) use shown::{Eyes, Wish};

/// What went wrong, as the body of an answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// What.
    error: Error,
}

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .nest("/api/v1", resources())
        .nest("/api", openapi::router())
}

fn resources() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(session::router())
        .merge(games::router())
        .merge(actions::router())
        .merge(stream::router())
        .merge(socket::router())
        .merge(variants::router())
        .merge(lists::router())
        .merge(files::router())
        .merge(players::router())
        .merge(position::router())
        .merge(analyses::router())
        .merge(hints::router())
        .merge(review::router())
        .merge(tables::router())
}
