//! The client's address, also behind proxies.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderName, header};

use super::origin::is_addressed_to;
use crate::config::Config;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address of a client whose real address is unknown. All such clients are counted as one.
pub(super) const UNKNOWN_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// Where a request comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ClientAddress {
    /// One address, or [`UNKNOWN_ADDRESS`].
    Single(IpAddr),
    /// The two proxy headers name different clients, so one of them was written by the client.
    /// These are the addresses in them that can be parsed.
    Disputed(Vec<IpAddr>),
}

impl ClientAddress {
    /// The address used for rate limits.
    pub(super) fn for_limits(&self) -> IpAddr {
        match self {
            ClientAddress::Single(address) => *address,
            ClientAddress::Disputed(_) => UNKNOWN_ADDRESS,
        }
    }

    /// Every address that the request may come from.
    pub(super) fn candidates(&self) -> &[IpAddr] {
        match self {
            ClientAddress::Single(address) => std::slice::from_ref(address),
            ClientAddress::Disputed(addresses) => addresses,
        }
    }
}

/// The client's address: the peer's, or what a trusted proxy reports. A proxied request never
/// counts as coming from this machine.
pub(super) fn client_address(request: &Request, config: &Config) -> ClientAddress {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(Ipv4Addr::LOCALHOST.into(), |ConnectInfo(peer)| peer.ip());
    let peer = peer.to_canonical();
    if !config.is_proxy(peer) {
        return ClientAddress::Single(peer);
    }
    let headers = request.headers();
    let is_addressed_to_proxy = || {
        let origin = config.origin.as_deref();
        peer.is_loopback()
            && origin.is_some_and(|name| is_addressed_to(headers, request.uri(), name))
    };
    let x_forwarded_for = reported_client(headers, X_FORWARDED_FOR, parse_address, config);
    let rfc_7239 = reported_client(headers, header::FORWARDED, parse_forwarded, config);
    // A proxy sets one of the two headers and may pass on the client's own version of the other,
    // so if both are present they must agree.
    if let (Some(one), Some(other)) = (x_forwarded_for, rfc_7239)
        && one != other
    {
        return ClientAddress::Disputed(one.into_iter().chain(other).collect());
    }
    ClientAddress::Single(match x_forwarded_for.or(rfc_7239) {
        Some(Some(client)) if !client.is_loopback() => client,
        Some(_) => UNKNOWN_ADDRESS,
        None if is_addressed_to_proxy() => UNKNOWN_ADDRESS,
        None => peer,
    })
}

/// The client that proxies report in a header: the first address from the right that isn't a
/// proxy's, or the leftmost one if all are. `None` without the header, `Some(None)` if it can't be
/// used.
fn reported_client(
    headers: &HeaderMap,
    name: HeaderName,
    parse: fn(&str) -> Option<IpAddr>,
    config: &Config,
) -> Option<Option<IpAddr>> {
    if !headers.contains_key(&name) {
        return None;
    }
    let lines = headers.get_all(name).iter().rev();
    // From the right, since that is what trusted proxies added. The left part is the client's own
    // text, so a quote in it must not change how the right part is parsed.
    let entries = lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
    let mut client = None;
    for entry in entries {
        client = parse(entry);
        if !client.is_some_and(|address| config.is_proxy(address)) {
            break;
        }
    }
    Some(client)
}

/// `1.2.3.4`, `1.2.3.4:5678`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:5678`.
fn parse_address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let unbracketed = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let address = unbracketed.unwrap_or(text).parse().ok();
    let address = address.or_else(|| text.parse().ok().map(|socket: SocketAddr| socket.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

/// The client in an element of `Forwarded`, such as `for="[2001:db8::1]:5678";proto=https`.
fn parse_forwarded(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    let value = value.trim();
    let quoted = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    parse_address(quoted.unwrap_or(value))
}
