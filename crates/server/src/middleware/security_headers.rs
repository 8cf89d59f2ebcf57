//! Security headers, and defaults for caching.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::config::Config;

/// Nothing is loaded from other sites, and nothing inline runs.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'";

/// For an image that is opened on its own: its inline styles are allowed, and nothing else.
const IMAGE_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

const SECURITY_HEADERS: [(&str, &str); 7] = [
    ("content-security-policy", PAGE_POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    // The URL of an invitation contains its secret.
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Sets the headers. A response without Cache-Control isn't cached.
pub(super) fn insert(headers: &mut HeaderMap, config: &Config) {
    let is_image = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind == "image/svg+xml");
    for (name, value) in SECURITY_HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if is_image {
        let policy = HeaderValue::from_static(IMAGE_POLICY);
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    if config.is_https() {
        // A page on an unencrypted subdomain could otherwise set cookies for this host.
        let hsts = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, hsts);
    }
}
