//! A range of IP addresses, such as `10.0.0.0/8`: for trusted proxies, and for clients that are
//! counted together.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A range of addresses in CIDR notation.
///
/// ```
/// use noughts_server::IpNetwork;
///
/// let network: IpNetwork = "10.0.0.0/8".parse().unwrap();
/// assert!(network.contains([10, 1, 2, 3].into()));
/// assert!(!network.contains([11, 1, 2, 3].into()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IpNetwork {
    first: IpAddr,
    bits: u8,
}

impl IpNetwork {
    /// The range with this prefix length that contains an address; at most 32 for IPv4.
    pub(crate) fn containing(address: IpAddr, bits: u8) -> IpNetwork {
        match address.to_canonical() {
            IpAddr::V4(address) => {
                let bits = bits.min(32);
                let mask = u32::MAX.checked_shl(32 - u32::from(bits)).unwrap_or(0);
                let first = Ipv4Addr::from_bits(address.to_bits() & mask).into();
                IpNetwork { first, bits }
            }
            IpAddr::V6(address) => {
                let bits = bits.min(128);
                let mask = u128::MAX.checked_shl(128 - u32::from(bits)).unwrap_or(0);
                let first = Ipv6Addr::from_bits(address.to_bits() & mask).into();
                IpNetwork { first, bits }
            }
        }
    }

    pub(crate) fn first(&self) -> IpAddr {
        self.first
    }

    /// Is the address in this range? An IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) counts as the
    /// IPv4 address.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_ipv4() == self.first.is_ipv4()
            && IpNetwork::containing(address, self.bits).first == self.first
    }
}

impl FromStr for IpNetwork {
    type Err = String;

    fn from_str(text: &str) -> Result<IpNetwork, String> {
        let invalid =
            || "expected an address or a range such as 10.0.0.0/8 or 2001:db8::/32".to_owned();
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| invalid())?;
        let max_bits: u8 = if address.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            None => max_bits,
            Some(bits) if bits.bytes().all(|digit| digit.is_ascii_digit()) => {
                bits.parse().map_err(|_| invalid())?
            }
            Some(_) => return Err(invalid()),
        };
        if bits > max_bits {
            return Err(format!(
                "the prefix length can be at most {max_bits} for this address"
            ));
        }
        match address.to_canonical() {
            // `::ffff:10.0.0.0/104` is 10.0.0.0/8.
            IpAddr::V4(_) if address.is_ipv6() && bits < 96 => Err(invalid()),
            canonical if address.is_ipv6() && canonical.is_ipv4() => {
                Ok(IpNetwork::containing(canonical, bits - 96))
            }
            address => Ok(IpNetwork::containing(address, bits)),
        }
    }
}

impl fmt::Display for IpNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.bits)
    }
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
            let read = text.parse::<IpNetwork>().map(|network| network.to_string());
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
            let network: IpNetwork = network.parse().expect("a range");
            let address: IpAddr = address.parse().expect("an address");
            assert_eq!(network.contains(address), is_in, "{network} {address}");
        }
    }
}
