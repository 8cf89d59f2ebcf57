//! Ranges of IP addresses: of trusted proxies, and of clients that are counted together.

use std::collections::HashMap;
use std::net::IpAddr;

use ipnet::IpNet;

/// The prefix length of an IPv6 subnet, which one household usually has.
const SUBNET_BITS: u8 = 64;

/// The prefix length of an IPv6 site: a company, or a customer of a hosting provider.
const SITE_BITS: u8 = 48;

/// An IPv6 site is allowed this many times as much as a single subnet.
pub(crate) const SITE_MULTIPLIER: u32 = 4;

/// How many things, such as connections, each network has open.
#[derive(Default)]
pub(crate) struct NetworkCounts(pub(crate) HashMap<IpNet, usize>);

impl NetworkCounts {
    /// The smallest network of this address that has as many as it may have, and how many that is,
    /// if a subnet may have this many.
    pub(crate) fn full_network(&self, address: IpAddr, limit: usize) -> Option<(IpNet, usize)> {
        let site_limit = limit.saturating_mul(SITE_MULTIPLIER as usize);
        let mut networks = counted_networks(address).zip([limit, site_limit]);
        networks.find(|(network, limit)| self.0.get(network).copied().unwrap_or(0) >= *limit)
    }

    pub(crate) fn add(&mut self, address: IpAddr) {
        for network in counted_networks(address) {
            *self.0.entry(network).or_default() += 1;
        }
    }

    pub(crate) fn remove(&mut self, address: IpAddr) {
        for network in counted_networks(address) {
            if let Some(count) = self.0.get_mut(&network) {
                *count -= 1;
                if *count == 0 {
                    self.0.remove(&network);
                }
            }
        }
    }
}

/// Parses an address or a range such as `10.0.0.0/8`.
///
/// ```
/// let network = noughts_server::parse_network("10.1.2.3/8").unwrap();
/// assert_eq!(network.to_string(), "10.0.0.0/8");
/// ```
///
/// # Errors
/// What is expected instead, as a clause.
pub fn parse_network(text: &str) -> Result<IpNet, String> {
    let network = match text.parse::<IpAddr>() {
        Ok(address) => Some(IpNet::from(address.to_canonical())),
        Err(_) => text.parse().ok(),
    };
    // `::ffff:10.0.0.0/104` is 10.0.0.0/8.
    let network = match network {
        Some(IpNet::V6(mapped)) if let Some(address) = mapped.addr().to_ipv4_mapped() => {
            let bits = mapped.prefix_len().checked_sub(96);
            bits.and_then(|bits| IpNet::new(address.into(), bits).ok())
        }
        network => network,
    };
    network
        .map(|network| network.trunc())
        .ok_or_else(|| expected_network(text))
}

/// What is expected instead of this text.
fn expected_network(text: &str) -> String {
    let max_bits = |address: IpAddr| if address.is_ipv4() { 32 } else { 128 };
    let range = text.split_once('/');
    match range.and_then(|(address, bits)| Some((address.parse().ok()?, bits.parse::<u32>().ok()?)))
    {
        Some((address, bits)) => {
            format!(
                "/{bits} is too long: the prefix length is at most {max_bits}",
                max_bits = max_bits(address)
            )
        }
        None => "expected an address or a range such as 10.0.0.0/8 or 2001:db8::/32".into(),
    }
}

/// The address that stands for all addresses counted as one client: an IPv4 address itself, or the
/// first address of an IPv6 subnet (/64).
pub(crate) fn subnet_address(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        address if address.is_loopback() => address,
        address => counted_networks(address)
            .next()
            .map_or(address, |subnet| subnet.addr()),
    }
}

/// The networks that a client is counted in, the smallest first: its IPv4 address or IPv6 subnet
/// and, for IPv6, its site, which has 65,536 subnets to choose from.
pub(crate) fn counted_networks(address: IpAddr) -> impl Iterator<Item = IpNet> + Clone {
    let address = address.to_canonical();
    let bits: &[u8] = match address {
        IpAddr::V4(_) => &[32],
        IpAddr::V6(_) => &[SUBNET_BITS, SITE_BITS],
    };
    // These prefix lengths are valid for the address.
    let networks = bits
        .iter()
        .filter_map(move |&bits| IpNet::new(address, bits).ok());
    networks.map(|network| network.trunc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_parse_and_display() {
        for (text, expected) in [
            ("10.0.0.0/8", Some("10.0.0.0/8")),
            ("10.1.2.3/8", Some("10.0.0.0/8")),
            ("10.1.2.3", Some("10.1.2.3/32")),
            ("0.0.0.0/0", Some("0.0.0.0/0")),
            ("2001:db8::/32", Some("2001:db8::/32")),
            ("2001:db8::1", Some("2001:db8::1/128")),
            ("::/0", Some("::/0")),
            ("::ffff:10.1.2.3/104", Some("10.0.0.0/8")),
            ("::ffff:10.1.2.3/8", None),
            ("10.0.0.0/33", None),
            ("10.0.0.0/", None),
            ("10.0.0.0/+8", None),
            ("10.0.0/8", None),
            ("2001:db8::/129", None),
            ("proxy.example", None),
            ("", None),
        ] {
            let read = parse_network(text).map(|network| network.to_string());
            assert_eq!(read.ok().as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_range_contains_its_addresses() {
        for (network, address, is_in) in [
            ("10.0.0.0/8", "10.255.255.255", true),
            ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/8", "::ffff:10.1.1.1", true),
            ("0.0.0.0/0", "1.2.3.4", true),
            ("0.0.0.0/0", "::1", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("2001:db8::/32", "2001:db9::1", false),
            ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false),
        ] {
            let network = parse_network(network).expect("a range");
            let address: IpAddr = address.parse().expect("an address");
            let address = address.to_canonical();
            assert_eq!(network.contains(&address), is_in, "{network} {address}");
        }
    }

    #[test]
    fn clients_are_counted_by_subnet_and_site() {
        for (address, subnet, networks) in [
            ("10.1.1.1", "10.1.1.1", "10.1.1.1/32"),
            ("::ffff:10.1.1.1", "10.1.1.1", "10.1.1.1/32"),
            ("127.0.0.1", "127.0.0.1", "127.0.0.1/32"),
            ("::1", "::1", "::/64 ::/48"),
            (
                "2001:db8:1:2:3::4",
                "2001:db8:1:2::",
                "2001:db8:1:2::/64 2001:db8:1::/48",
            ),
        ] {
            let address: IpAddr = address.parse().expect("an address");
            assert_eq!(subnet_address(address).to_string(), subnet);
            let all: Vec<String> = counted_networks(address)
                .map(|one| one.to_string())
                .collect();
            assert_eq!(all.join(" "), networks);
        }
    }
}
