//! `/rules` and `/rules/{variant}`.

use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use noughts_rules::Variant;

use super::Page;
use crate::error::{Error, Kind};
use crate::view::{pages, words};

pub(super) async fn rules() -> Page {
    Page(pages::rules())
}

pub(super) async fn rules_of(Path(name): Path<String>) -> Result<Response, Error> {
    let variant: Variant = name.parse().map_err(|error: noughts_rules::VariantError| {
        Error::new(Kind::NotFound, error.to_string())
    })?;
    // One address for each game.
    let canonical = variant.to_string();
    Ok(match canonical == name {
        true => Page(pages::rules_of(variant)).into_response(),
        false => {
            Redirect::permanent(&format!("/rules/{}", words::segment(&canonical))).into_response()
        }
    })
}
