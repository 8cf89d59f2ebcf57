//! The client's address, also behind proxies.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, header};

use super::origin::is_addressed_to;
use crate::config::Config;
use crate::network::IpNetwork;

/// The address of a client whose real address is unknown. All such clients are counted as one.
pub(super) const UNKNOWN_ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// The prefix length of an IPv6 subnet, which one household usually has.
const SUBNET_BITS: u8 = 64;

/// The prefix length of an IPv6 site: a company, or a customer of a hosting provider.
const SITE_BITS: u8 = 48;

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
    let forwarded = Forwarded::parse(headers, config);
    if let Some(disputed) = forwarded.disputed() {
        return disputed;
    }
    ClientAddress::Single(match forwarded.x_forwarded_for.or(forwarded.rfc_7239) {
        Some(Some(client)) if !client.is_loopback() => client,
        Some(_) => UNKNOWN_ADDRESS,
        None if is_addressed_to_proxy() => UNKNOWN_ADDRESS,
        None => peer,
    })
}

/// The address that stands for all addresses counted as one client: an IPv4 address itself, or the
/// first address of an IPv6 subnet (/64).
pub(crate) fn subnet_address(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        address if address.is_loopback() => address,
        address => IpNetwork::containing(address, SUBNET_BITS).first(),
    }
}

/// The networks that a client is counted in, the smallest first: its IPv4 address or IPv6 subnet
/// and, for IPv6, its site, which has 65,536 subnets to choose from.
pub(crate) fn counted_networks(address: IpAddr) -> impl Iterator<Item = IpNetwork> + Clone {
    let address = address.to_canonical();
    let bits: &[u8] = match address {
        IpAddr::V4(_) => &[32],
        IpAddr::V6(_) => &[SUBNET_BITS, SITE_BITS],
    };
    bits.iter()
        .map(move |&bits| IpNetwork::containing(address, bits))
}

/// What proxies report in the two headers: `None` without the header, `Some(None)` if it can't be
/// used.
struct Forwarded {
    /// `X-Forwarded-For`.
    x_forwarded_for: Option<Option<IpAddr>>,
    /// `Forwarded` (RFC 7239).
    rfc_7239: Option<Option<IpAddr>>,
}

impl Forwarded {
    fn parse(headers: &HeaderMap, config: &Config) -> Forwarded {
        let lines = |name| {
            let lines = headers.get_all(name).iter().rev();
            // From the right, since that is what trusted proxies added. The left part is the
            // client's own text, so a quote in it must not change how the right part is parsed.
            lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(','))
        };
        let x_forwarded_for = headers.contains_key("x-forwarded-for").then(|| {
            let entries = lines(header::HeaderName::from_static("x-forwarded-for"));
            first_untrusted(entries.map(parse_address), config)
        });
        let rfc_7239 = headers.contains_key(header::FORWARDED).then(|| {
            let entries = lines(header::FORWARDED);
            first_untrusted(entries.map(parse_forwarded), config)
        });
        Forwarded {
            x_forwarded_for,
            rfc_7239,
        }
    }

    /// A proxy sets one of the two headers and may pass on the client's own version of the other,
    /// so if both are present they must agree.
    fn disputed(&self) -> Option<ClientAddress> {
        let (x_forwarded_for, rfc_7239) = (self.x_forwarded_for?, self.rfc_7239?);
        (x_forwarded_for != rfc_7239)
            .then(|| ClientAddress::Disputed(x_forwarded_for.into_iter().chain(rfc_7239).collect()))
    }
}

/// The first address from the right that isn't a proxy's; the leftmost one if all are.
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
