//! Which address a request comes from, also behind proxies.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, header};

use super::origin::is_addressed_to;
use crate::config::Config;
use crate::network::Network;

/// The address of a client whose real one isn't known. All of those are counted together.
pub(super) const UNKNOWN_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// The leading bits of an IPv6 address that one household has.
const HOUSEHOLD_BITS: u8 = 64;

/// The leading bits of an IPv6 address that one site has: a company, or a customer who rents
/// a server.
const SITE_BITS: u8 = 48;

/// Where a request comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ClientAddress {
    /// One address, or [`UNKNOWN`].
    Single(IpAddr),
    /// The two headers of proxies name different clients, so one of them was written by the
    /// client. These are the addresses that can be read.
    Disputed(Vec<IpAddr>),
}

impl ClientAddress {
    /// The address that the request is counted by.
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
    let forwarded = Forwarded::read(headers, config);
    if let Some(disputed) = forwarded.disputed() {
        return disputed;
    }
    ClientAddress::Single(match forwarded.usual.or(forwarded.standard) {
        Some(Some(client)) if !client.is_loopback() => client,
        Some(_) => UNKNOWN_ADDRESS,
        None if is_addressed_to_proxy() => UNKNOWN_ADDRESS,
        None => peer,
    })
}

/// The addresses that are counted as one: an IPv4 address, or the part of an IPv6 address
/// that belongs to one household.
pub(crate) fn subnet_address(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        address if address.is_loopback() => address,
        address => Network::containing(address, HOUSEHOLD_BITS).first(),
    }
}

/// The networks in which a client is counted, the smallest first: its household and, for
/// IPv6, its site, whose owner has 65,536 households to choose from.
pub(crate) fn counted_networks(address: IpAddr) -> impl Iterator<Item = Network> + Clone {
    let address = address.to_canonical();
    let bits: &[u8] = match address {
        IpAddr::V4(_) => &[32],
        IpAddr::V6(_) => &[HOUSEHOLD_BITS, SITE_BITS],
    };
    bits.iter()
        .map(move |&bits| Network::containing(address, bits))
}

/// What proxies report in either header: none without the header, and `Some(None)` where the
/// report can't be used.
struct Forwarded {
    /// `X-Forwarded-For`.
    usual: Option<Option<IpAddr>>,
    /// `Forwarded` (RFC 7239).
    standard: Option<Option<IpAddr>>,
}

impl Forwarded {
    fn read(headers: &HeaderMap, config: &Config) -> Forwarded {
        let lines = |name| {
            let lines = headers.get_all(name).iter().rev();
            // From the right: what trusted proxies added. The left part is the client's own
            // text, so a quote in it must not change how the right part is read.
            lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(','))
        };
        let usual = headers.contains_key("x-forwarded-for").then(|| {
            let entries = lines(header::HeaderName::from_static("x-forwarded-for"));
            first_untrusted(entries.map(address), config)
        });
        let standard = headers.contains_key(header::FORWARDED).then(|| {
            let entries = lines(header::FORWARDED);
            first_untrusted(entries.map(forwarded_for), config)
        });
        Forwarded { usual, standard }
    }

    /// A proxy sets one of the two headers and may pass on the client's own version of the
    /// other, so where both are there, they must agree.
    fn disputed(&self) -> Option<ClientAddress> {
        let (usual, standard) = (self.usual?, self.standard?);
        (usual != standard)
            .then(|| ClientAddress::Disputed(usual.into_iter().chain(standard).collect()))
    }
}

/// The first address, from the right, that isn't a proxy's; the left-most one where all are.
fn first_untrusted(
    entries: impl Iterator<Item = Option<IpAddr>>,
    config: &Config,
) -> Option<IpAddr> {
    let mut client = None;
    for entry in entries {
        let address = entry?;
        client = Some(address);
        if !config.is_proxy(address) {
            break;
        }
    }
    client
}

/// `1.2.3.4`, `1.2.3.4:5678`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:5678`.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let address = bare.unwrap_or(text).parse().ok();
    let address = address.or_else(|| text.parse().ok().map(|full: SocketAddr| full.ip()));
    address.map(|address: IpAddr| address.to_canonical())
}

/// The client in an element of `Forwarded`, such as `for="[2001:db8::1]:5678";proto=https`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    let value = value.trim();
    let quoted = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    address(quoted.unwrap_or(value))
}
