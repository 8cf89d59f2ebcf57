//! How addresses appear in the log: as short keyed hashes, so that the log shows what came from the
//! same address without revealing it.

use std::net::IpAddr;

use crate::digest::hmac_sha256;
use crate::network::subnet_address;

/// Bytes of the hash that are shown.
const LABEL_BYTES: usize = 6;

/// Formats addresses for the log.
#[derive(Clone)]
pub struct AddressPseudonyms {
    key: [u8; 32],
    shows_addresses: bool,
}

impl AddressPseudonyms {
    /// Labels depend on the key: with the same key, an address has the same label in every run.
    /// Without one, the key is random. With `shows_addresses`, addresses are logged as they are.
    #[must_use]
    pub fn new(key: Option<[u8; 32]>, shows_addresses: bool) -> AddressPseudonyms {
        let key = key.unwrap_or_else(|| {
            let mut key = [0; 32];
            // Without random numbers no tokens can be issued either.
            let _ = getrandom::fill(&mut key);
            key
        });
        AddressPseudonyms {
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
        let message = match subnet_address(address) {
            IpAddr::V4(address) => [&b"4"[..], &address.octets()].concat(),
            IpAddr::V6(address) => [&b"6"[..], &address.octets()].concat(),
        };
        hex::encode(&hmac_sha256(&self.key, &message)[..LABEL_BYTES])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_depend_on_the_key_and_hide_addresses() {
        let address: IpAddr = "192.0.2.7".parse().expect("an address");
        let names = AddressPseudonyms::new(Some([1; 32]), false);
        assert_eq!(names.address_label(address), names.address_label(address));
        assert_eq!(names.address_label(address).len(), 2 * LABEL_BYTES);
        assert!(!names.address_label(address).contains("192"));
        assert_ne!(
            names.address_label(address),
            AddressPseudonyms::new(Some([2; 32]), false).address_label(address)
        );
        assert_eq!(
            AddressPseudonyms::new(Some([1; 32]), true).address_label(address),
            "192.0.2.7".to_owned()
        );
        let [one, other] = ["2001:db8::1", "2001:db8::ffff:2"]
            .map(|text| names.address_label(text.parse().expect("an address")));
        assert_eq!(one, other, "one household has one name");
    }
}
