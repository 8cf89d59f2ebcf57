//! Styles, scripts and icons, embedded in the binary. All are served below a folder named by a hash
//! of their contents, so that they can be cached forever and scripts can import each other by
//! relative names.

use std::sync::LazyLock;

use axum::Router;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};

#[derive(RustEmbed)]
#[folder = "../../web/src"]
struct WebAssets;

/// The first 16 hex digits of a hash over the names and contents of all files.
static HASH: LazyLock<String> = LazyLock::new(|| {
    let mut names: Vec<_> = WebAssets::iter().collect();
    names.sort_unstable();
    let mut digest = Sha256::new();
    for name in names {
        digest.update(name.as_bytes());
        digest.update([0]);
        if let Some(file) = WebAssets::get(&name) {
            digest.update(file.metadata.sha256_hash());
        }
    }
    hex::encode(&digest.finalize()[..8])
});

/// The URL of a file.
pub(crate) fn url(name: &str) -> String {
    format!("/assets/{}/{name}", *HASH)
}

/// The URLs of all files.
#[cfg(test)]
pub(crate) fn all_urls() -> impl Iterator<Item = String> {
    WebAssets::iter().map(|name| url(&name))
}

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/assets/{hash}/{*name}", get(asset))
        .route("/favicon.ico", get(favicon))
}

async fn asset(Path((hash, name)): Path<(String, String)>) -> Result<Response, ApiError> {
    // An old page gets the current file, but must not cache it forever.
    let cache_control = match hash == *HASH {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    file(&name, cache_control)
}

async fn favicon() -> Result<Response, ApiError> {
    file("icon.svg", "public, max-age=86400")
}

fn file(name: &str, cache_control: &'static str) -> Result<Response, ApiError> {
    let missing = || ApiErrorKind::NotFound.error("this file doesn't exist");
    let file = WebAssets::get(name).ok_or_else(missing)?;
    let headers = [
        (CONTENT_TYPE, media_type(name)),
        (CACHE_CONTROL, cache_control),
    ];
    Ok((headers, file.data).into_response())
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_asset_has_a_known_media_type() {
        let mut count = 0;
        for name in WebAssets::iter() {
            assert_ne!(media_type(&name), "application/octet-stream", "{name}");
            count += 1;
        }
        assert!(count > 0, "the page comes with files");
    }

    #[test]
    fn only_existing_assets_are_served() {
        for name in ["../Cargo.toml", "page.css/", "", "nothing.js"] {
            assert!(file(name, "no-cache").is_err(), "{name}");
        }
        assert!(file("page.css", "no-cache").is_ok());
    }
}
