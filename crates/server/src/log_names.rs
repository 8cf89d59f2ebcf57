//! How addresses are called in the log: by short keyed hashes, so that the log shows what came from one address, and
//! nobody who reads it learns the address.

use std::fmt;
use std::net::IpAddr;

use crate::digest::{hmac_sha256, to_hex};
use crate::middleware;

/// Bytes of a hash that are shown.
const SHOWN: usize = 6;

/// How addresses are called in the log.
#[derive(Clone)]
pub struct LogNames {
    key: [u8; 32],
    shows_addresses: bool,
}

impl LogNames {
    /// Names that depend on a key: with the same key, an address has the same name in every
    /// run. Without one, it is random. Addresses are written out where `shows_addresses` says
    /// so.
    #[must_use]
    pub fn new(key: Option<[u8; 32]>, shows_addresses: bool) -> LogNames {
        let key = key.unwrap_or_else(|| {
            let mut key = [0; 32];
            // Without random numbers there are no secrets to visit the server with either.
            let _ = getrandom::fill(&mut key);
            key
        });
        LogNames {
            key,
            shows_addresses,
        }
    }

    pub(crate) fn address_label(&self, address: IpAddr) -> String {
        if address.is_unspecified() {
            return "unknown".into();
        }
        if self.shows_addresses {
            return address.to_string();
        }
        // IPv6 clients change the other half of their address from day to day.
        match middleware::subnet_address(address) {
            IpAddr::V4(address) => self.name(b'4', &address.octets()),
            IpAddr::V6(address) => self.name(b'6', &address.octets()),
        }
    }

    fn name(&self, kind: u8, bytes: &[u8]) -> String {
        let hash = hmac_sha256(&self.key, &[&[kind], bytes].concat());
        to_hex(&hash[..SHOWN])
    }
}

/// The key is nobody's business.
impl fmt::Debug for LogNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogNames")
            .field("shows_addresses", &self.shows_addresses)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_depend_on_the_key_and_hide_addresses() {
        let address: IpAddr = "192.0.2.7".parse().expect("an address");
        let names = LogNames::new(Some([1; 32]), false);
        assert_eq!(names.address_label(address), names.address_label(address));
        assert_eq!(names.address_label(address).len(), 2 * SHOWN);
        assert!(!names.address_label(address).contains("192"));
        assert_ne!(
            names.address_label(address),
            LogNames::new(Some([2; 32]), false).address_label(address)
        );
        assert_eq!(
            LogNames::new(Some([1; 32]), true).address_label(address),
            "192.0.2.7".to_owned()
        );
        let [one, other] = ["2001:db8::1", "2001:db8::ffff:2"]
            .map(|text| names.address_label(text.parse().expect("an address")));
        assert_eq!(one, other, "one household has one name");
    }
}
