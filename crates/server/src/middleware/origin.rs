//! Which hosts the server answers to, and which origins may act.

use std::net::IpAddr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, Uri, header};

use crate::config::Config;
use crate::error::{ApiError, ApiErrorKind};

/// Rejects foreign hosts. By DNS rebinding, another site could otherwise have its own name resolve
/// to this machine and read what is here.
///
/// `origin` is the public origin, and `local` says that only this machine reaches the server.
pub(super) fn check_host(
    headers: &HeaderMap,
    uri: &Uri,
    origin: Option<&str>,
    local: bool,
) -> Result<(), ApiError> {
    let reject = |what: &str| Err(ApiErrorKind::ForeignOrigin.error(what));
    if headers.get_all(header::HOST).iter().count() > 1 {
        return reject("the request has more than one Host header; send one");
    }
    if headers.contains_key(header::HOST)
        && let Some(target) = uri.authority()
        && !is_same_host(Some(target.as_str()), authority(headers, uri))
    {
        return reject(
            "the request's URL and Host header name different hosts; send the same host in both",
        );
    }
    let Some(authority) = authority(headers, uri) else {
        return reject("the request has no Host header; send one");
    };
    let name = host_name(authority);
    let own = origin.and_then(host_and_port);
    match own {
        _ if is_this_machine(name) => Ok(()),
        Some(own) if host_name(own).eq_ignore_ascii_case(name) => Ok(()),
        None if !local => Ok(()),
        _ => reject(
            "this server doesn't accept requests for that host name; allow it with `noughts serve --origin`",
        ),
    }
}

/// Rejects cross-site requests that change something or open a socket.
pub(super) fn check_origin(
    method: &Method,
    headers: &HeaderMap,
    uri: &Uri,
    config: &Config,
) -> Result<(), ApiError> {
    let is_socket = headers.contains_key(header::UPGRADE);
    if (method.is_safe() && !is_socket) || is_same_origin(headers, uri, config) {
        return Ok(());
    }
    Err(ApiErrorKind::ForeignOrigin.error(
        "this request came from a page on another site; only this server's own pages can send it",
    ))
}

fn is_same_origin(headers: &HeaderMap, uri: &Uri, config: &Config) -> bool {
    let text = |name| {
        headers
            .get(name)
            .map(|value| value.to_str().unwrap_or("null"))
    };
    let is_own_origin = |origin: &str| {
        let is_addressed_here = || {
            let host = host_and_port(origin);
            host.is_some() && is_same_host(host, authority(headers, uri))
        };
        match config.origin.as_deref() {
            None => is_addressed_here(),
            Some(own) if own.trim_end_matches('/').eq_ignore_ascii_case(origin) => true,
            // By its public name the server is reached with the public scheme only; bypassing the
            // reverse proxy, without encryption.
            Some(own) => {
                !is_addressed_to(headers, uri, own)
                    && origin.starts_with("http://")
                    && is_addressed_here()
            }
        }
    };
    if headers.get_all(header::ORIGIN).iter().count() > 1 {
        return false;
    }
    if let Some(origin) = text(header::ORIGIN) {
        return is_own_origin(origin);
    }
    // Programs send neither header.
    match (headers.get("sec-fetch-site"), text(header::REFERER)) {
        (Some(site), _) => matches!(site.as_bytes(), b"same-origin" | b"none"),
        (None, Some(referer)) => origin_of(referer).is_some_and(is_own_origin),
        (None, None) => true,
    }
}

/// Is the request addressed to the host of this origin?
pub(super) fn is_addressed_to(headers: &HeaderMap, uri: &Uri, origin: &str) -> bool {
    let (requested, own) = (authority(headers, uri), host_and_port(origin));
    is_same_host(requested.map(host_name), own.map(host_name))
}

fn is_same_host(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other)
        .is_some_and(|(one, other)| one.eq_ignore_ascii_case(other))
}

/// The host that the request is addressed to, with its port if it has one.
fn authority<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    host.or_else(|| uri.authority().map(Authority::as_str))
}

/// The host of an origin with its port; `None` for `null` and anything else that isn't an origin.
fn host_and_port(origin: &str) -> Option<&str> {
    let host = origin
        .strip_prefix("http://")
        .or(origin.strip_prefix("https://"))?;
    let host = host.trim_end_matches('/');
    (!host.is_empty() && !host.contains('/')).then_some(host)
}

/// The origin of a URL.
fn origin_of(address: &str) -> Option<&str> {
    let after = address.find("://")? + 3;
    let end = address[after..].find(['/', '?', '#']);
    Some(end.map_or(address, |end| &address[..after + end]))
}

/// The host without its port.
fn host_name(authority: &str) -> &str {
    match authority.strip_prefix('[') {
        Some(inside) => inside.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    }
}

/// An IP address isn't resolved, so no other site's name can stand for it.
fn is_this_machine(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}
