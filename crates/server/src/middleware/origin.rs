//! Which names the server answers to, and from which pages something may be done.

use std::net::IpAddr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, Uri, header};

use crate::config::Config;
use crate::error::{Error, Kind};

/// Refuses a name that is not ours. A page of somebody else could otherwise have its own
/// name lead to this machine, and then read what is here.
///
/// `origin` is the address that people use, and `local` says that only this machine reaches
/// the server.
pub(super) fn check_host(
    headers: &HeaderMap,
    uri: &Uri,
    origin: Option<&str>,
    local: bool,
) -> Result<(), Error> {
    let refused = |what: &str| Err(Error::new(Kind::ForeignOrigin, what));
    if headers.get_all(header::HOST).iter().count() > 1 {
        return refused("the request names two hosts");
    }
    if headers.contains_key(header::HOST)
        && let Some(target) = uri.authority()
        && !same(Some(target.as_str()), authority(headers, uri))
    {
        return refused("the request is addressed to another host than it names");
    }
    let Some(authority) = authority(headers, uri) else {
        return refused("the request names no host");
    };
    let name = name_of(authority);
    let ours = origin.and_then(host_of);
    match ours {
        _ if is_this_machine(name) => Ok(()),
        Some(ours) if name_of(ours).eq_ignore_ascii_case(name) => Ok(()),
        None if !local => Ok(()),
        _ => refused(
            "this server does not answer to that name; `noughts serve --origin` gives it one",
        ),
    }
}

/// Refuses what a page of somebody else would have a browser do here: everything that
/// changes something, and sockets.
pub(super) fn check_origin(
    method: &Method,
    headers: &HeaderMap,
    uri: &Uri,
    config: &Config,
) -> Result<(), Error> {
    let is_socket = headers.contains_key(header::UPGRADE);
    if (method.is_safe() && !is_socket) || is_from_here(headers, uri, config) {
        return Ok(());
    }
    Err(Error::new(
        Kind::ForeignOrigin,
        "this was asked by a page of another site; only pages of this server may",
    ))
}

fn is_from_here(headers: &HeaderMap, uri: &Uri, config: &Config) -> bool {
    let text = |name| {
        headers
            .get(name)
            .map(|value| value.to_str().unwrap_or("null"))
    };
    let is_ours = |origin: &str| {
        let here = || {
            let host = host_of(origin);
            host.is_some() && same(host, authority(headers, uri))
        };
        match config.origin.as_deref() {
            None => here(),
            Some(ours) if ours.trim_end_matches('/').eq_ignore_ascii_case(origin) => true,
            // By its name it is reached in one way only, and past the web server that
            // stands before it without encryption.
            Some(ours) => {
                !is_addressed_to(headers, uri, ours) && origin.starts_with("http://") && here()
            }
        }
    };
    if headers.get_all(header::ORIGIN).iter().count() > 1 {
        return false;
    }
    if let Some(origin) = text(header::ORIGIN) {
        return is_ours(origin);
    }
    // Programs send none of these.
    match (headers.get("sec-fetch-site"), text(header::REFERER)) {
        (Some(site), _) => matches!(site.as_bytes(), b"same-origin" | b"none"),
        (None, Some(referer)) => origin_of(referer).is_some_and(is_ours),
        (None, None) => true,
    }
}

/// Is the request addressed to the name in this origin?
pub(super) fn is_addressed_to(headers: &HeaderMap, uri: &Uri, origin: &str) -> bool {
    let (asked, ours) = (authority(headers, uri), host_of(origin));
    same(asked.map(name_of), ours.map(name_of))
}

fn same(one: Option<&str>, other: Option<&str>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        _ => false,
    }
}

/// Whom the request is addressed to, with the port where it has one.
fn authority<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    host.or_else(|| uri.authority().map(Authority::as_str))
}

/// The host of an origin, with its port; `null` and other things have none.
fn host_of(origin: &str) -> Option<&str> {
    let host = origin
        .strip_prefix("http://")
        .or(origin.strip_prefix("https://"))?;
    let host = host.trim_end_matches('/');
    (!host.is_empty() && !host.contains('/')).then_some(host)
}

/// The origin of an address.
fn origin_of(address: &str) -> Option<&str> {
    let after = address.find("://")? + 3;
    let end = address[after..].find(['/', '?', '#']);
    Some(end.map_or(address, |end| &address[..after + end]))
}

/// A host without its port.
fn name_of(authority: &str) -> &str {
    match authority.strip_prefix('[') {
        Some(inside) => inside.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    }
}

/// A number needs no name to be found, so nobody else's name can lead to it.
fn is_this_machine(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}
