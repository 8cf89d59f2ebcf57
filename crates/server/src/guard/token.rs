//! Tokens: what a visitor is known by. Half of a token is random, half is a signature with
//! the server's key, so that no other token is accepted and nothing is stored of visitors
//! who only look.

use sha2::{Digest, Sha256};

use crate::error::{Error, Kind};

/// A token, 64 hexadecimal digits as text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token([u8; 32]);

/// The key that tokens are signed with.
pub(super) struct TokenKey([u8; 32]);

/// Bytes of a token that are random, and of its signature.
const HALF: usize = 16;

impl TokenKey {
    pub(super) fn new(key: [u8; 32]) -> TokenKey {
        TokenKey(key)
    }

    /// A new token.
    pub(super) fn issue(&self) -> Result<Token, Error> {
        Ok(self.sign(random()?))
    }

    /// The token with this random half.
    pub(super) fn sign(&self, half: [u8; HALF]) -> Token {
        let mut token = [0; 32];
        token[..HALF].copy_from_slice(&half);
        token[HALF..].copy_from_slice(&mac(&self.0, &half)[..HALF]);
        Token(token)
    }

    /// Was this token issued with this key?
    pub(super) fn issued(&self, token: &Token) -> bool {
        let mut half = [0; HALF];
        half.copy_from_slice(&token.0[..HALF]);
        let right = self.sign(half);
        // All bytes are compared, wherever the first difference is.
        let pairs = right.0.iter().zip(&token.0);
        pairs.fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
    }
}

impl Token {
    /// Reads 64 hexadecimal digits.
    pub(super) fn parse(text: &str) -> Option<Token> {
        let fits = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !fits {
            return None;
        }
        let mut token = [0; 32];
        for (byte, digits) in token.iter_mut().zip(text.as_bytes().chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        Some(Token(token))
    }

    /// What is stored of it.
    pub(super) fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.text().as_bytes()).into()
    }

    /// A key that only those have who have the token: the store doesn't.
    pub(super) fn seal(&self) -> [u8; 32] {
        mac(&self.0, b"seal")
    }

    pub(crate) fn text(&self) -> String {
        hexadecimal(&self.0)
    }
}

/// Random bytes from the system.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::new(
            Kind::Internal,
            format!("the system gives no random numbers: {error}"),
        )
    })?;
    Ok(bytes)
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// HMAC-SHA256 (RFC 2104).
pub(super) fn mac(key: &[u8; 32], message: &[u8]) -> [u8; 32] {
    let padded = |pad: u8| {
        let mut block = [pad; 64];
        for (byte, key) in block.iter_mut().zip(key) {
            *byte ^= key;
        }
        Sha256::new().chain_update(block)
    };
    let inner = padded(0x36).chain_update(message).finalize();
    padded(0x5c).chain_update(inner).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mac_is_hmac_sha256() {
        // RFC 4231, case 1: zeros behind a shorter key change nothing.
        let mut key = [0; 32];
        key[..20].fill(0x0b);
        assert_eq!(
            hexadecimal(&mac(&key, b"Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
    }

    #[test]
    fn only_what_was_issued_is_accepted() {
        let key = TokenKey::new([3; 32]);
        let token = key.issue().expect("random");
        assert!(key.issued(&token));
        assert!(!TokenKey::new([4; 32]).issued(&token), "another server's");
        let again = Token::parse(&token.text().to_uppercase()).expect("digits");
        assert!(again == token && key.issued(&again));
        for byte in 0..32 {
            for bit in 0..8 {
                let mut forged = token;
                forged.0[byte] ^= 1 << bit;
                assert!(!key.issued(&forged), "{byte} {bit}");
            }
        }
    }
}
