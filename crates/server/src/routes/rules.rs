//! `/rules` and `/rules/{variant}`.

use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;

use crate::error::{ApiError, ApiErrorKind};
use crate::view::{formatting, pages};

pub(super) async fn rules_index() -> Markup {
    pages::rules_index()
}

pub(super) async fn variant_rules(Path(name): Path<String>) -> Result<Response, ApiError> {
    let variant = formatting::parse_variant(&name);
    let variant = variant.map_err(|error| ApiErrorKind::NotFound.error(error))?;
    // One canonical URL for each variant.
    Ok(match variant.to_string() == name {
        true => pages::variant_rules(variant).into_response(),
        false => Redirect::permanent(&formatting::rules_url(variant)).into_response(),
    })
}
