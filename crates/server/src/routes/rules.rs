//! `/rules` and `/rules/{variant}`.

use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use noughts_rules::Variant;

use super::PageResponse;
use crate::error::{ApiError, ApiErrorKind};
use crate::view::{formatting, pages};

pub(super) async fn rules_index() -> PageResponse {
    PageResponse(pages::rules_index())
}

pub(super) async fn variant_rules(Path(name): Path<String>) -> Result<Response, ApiError> {
    let variant: Variant = name.parse().map_err(|error: noughts_rules::VariantError| {
        ApiError::new(ApiErrorKind::NotFound, error.to_string())
    })?;
    // One canonical URL for each variant.
    let canonical = variant.to_string();
    Ok(match canonical == name {
        true => PageResponse(pages::variant_rules(variant)).into_response(),
        false => Redirect::permanent(&format!(
            "/rules/{}",
            formatting::encode_path_segment(&canonical)
        ))
        .into_response(),
    })
}
