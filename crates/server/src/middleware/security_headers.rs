//! What every answer says to browsers about itself.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::config::Config;

/// Nothing comes from elsewhere, and nothing runs that stands in a page itself.
const CONTENT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'";

/// A picture that is looked at by itself: its colours stand in it, and nothing else does.
const PICTURE: &str =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

const ALWAYS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // An invitation's secret stands in its address.
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Puts them on an answer. How long it may be kept is for who made it to say; what
/// nobody has said anything about is not kept.
pub(super) fn insert(headers: &mut HeaderMap, config: &Config) {
    let picture = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind == "image/svg+xml");
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if picture {
        let content = HeaderValue::from_static(PICTURE);
        headers.insert(header::CONTENT_SECURITY_POLICY, content);
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    if config
        .origin
        .as_deref()
        .is_some_and(|origin| origin.starts_with("https:"))
    {
        // A page of a subdomain that isn't encrypted could otherwise set cookies for this one.
        let year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
}
