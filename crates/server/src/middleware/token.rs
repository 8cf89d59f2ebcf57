//! Tokens: what a visitor is known by. Half of a token is the day of issue and random bits, half
//! is a signature with the server's key, so that no other token is accepted and nothing is stored
//! of visitors who only look. Tokens expire, so that ended sessions needn't be stored for good.

use noughts_store::Timestamp;
use sha2::{Digest, Sha256};

use crate::digest::{hmac_sha256, to_hex};
use crate::error::{Error, Kind};

/// A token, 64 hexadecimal digits as text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token([u8; 32]);

/// The key that tokens are signed with.
pub(super) struct TokenKey {
    key: [u8; 32],
    /// The day on which this server first dated its tokens. Those without a date are older, and
    /// count as issued then.
    dated_since: Day,
}

/// Days since 1970.
pub(super) type Day = u16;

/// A token is accepted for this many days.
pub(super) const TOKEN_LIFETIME_DAYS: Day = 365;

/// Bytes of a token before its signature, and of the signature.
const HALF: usize = 16;

/// Bytes of the day of issue, the first of a token.
const DAY: usize = size_of::<Day>();

/// What the signature of a dated token is about, next to its first half. Tokens without a date
/// have none of it, so that neither passes for the other.
const DATED: &[u8] = b"dated";

impl TokenKey {
    pub(super) fn new(key: [u8; 32], dated_since: Day) -> TokenKey {
        TokenKey { key, dated_since }
    }

    /// A new token.
    pub(super) fn issue(&self, today: Day) -> Result<Token, Error> {
        Ok(self.sign(today, random_bytes()?))
    }

    /// The token with this date and these random bytes.
    pub(super) fn sign(&self, day: Day, random: [u8; HALF - DAY]) -> Token {
        let mut half = [0; HALF];
        half[..DAY].copy_from_slice(&day.to_be_bytes());
        half[DAY..].copy_from_slice(&random);
        self.signed(half, DATED)
    }

    fn signed(&self, half: [u8; HALF], prefix: &[u8]) -> Token {
        let message = [prefix, &half].concat();
        let mut token = [0; 32];
        token[..HALF].copy_from_slice(&half);
        token[HALF..].copy_from_slice(&hmac_sha256(&self.key, &message)[..HALF]);
        Token(token)
    }

    /// Was this token issued with this key, and isn't it too old?
    pub(super) fn accepts(&self, token: &Token, today: Day) -> bool {
        let mut half = [0; HALF];
        half.copy_from_slice(&token.0[..HALF]);
        let issued = if self.signed(half, DATED).equals(token) {
            Day::from_be_bytes([half[0], half[1]])
        } else if self.signed(half, b"").equals(token) {
            self.dated_since
        } else {
            return false;
        };
        // A clock that was set back makes nobody a stranger.
        today.saturating_sub(issued) <= TOKEN_LIFETIME_DAYS
    }

    /// The day before which sessions ended whose tokens have all expired; none while a token
    /// without a date may be accepted, since its session may have ended at any time.
    pub(super) fn expired_before(&self, today: Day) -> Option<Day> {
        let undated_expired = today.saturating_sub(self.dated_since) > TOKEN_LIFETIME_DAYS;
        undated_expired.then(|| today - TOKEN_LIFETIME_DAYS)
    }
}

/// Milliseconds of a day.
const DAY_MS: i64 = 24 * 3600 * 1000;

/// The day of this moment.
pub(super) fn day_of(moment: Timestamp) -> Day {
    let days = moment.as_millis().div_euclid(DAY_MS);
    Day::try_from(days.max(0)).unwrap_or(Day::MAX)
}

/// When this day begins.
pub(super) fn start_of(day: Day) -> Timestamp {
    Timestamp::from_millis(i64::from(day) * DAY_MS)
}

impl Token {
    /// Compares all bytes, wherever the first difference is.
    fn equals(&self, other: &Token) -> bool {
        let pairs = self.0.iter().zip(&other.0);
        pairs.fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
    }

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
        Sha256::digest(self.to_hex().as_bytes()).into()
    }

    /// A key that only those have who have the token: the store doesn't.
    pub(super) fn seal_key(&self) -> [u8; 32] {
        hmac_sha256(&self.0, b"seal")
    }

    pub(crate) fn to_hex(&self) -> String {
        to_hex(&self.0)
    }
}

/// Random bytes from the system.
pub(crate) fn random_bytes<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::new(
            Kind::Internal,
            format!("the system gives no random numbers: {error}"),
        )
    })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_issued_is_accepted() {
        let today = 20_000;
        let key = TokenKey::new([3; 32], today);
        let token = key.issue(today).expect("random");
        assert!(key.accepts(&token, today));
        let elsewhere = TokenKey::new([4; 32], today);
        assert!(!elsewhere.accepts(&token, today), "another server's");
        let again = Token::parse(&token.to_hex().to_uppercase()).expect("digits");
        assert!(again == token && key.accepts(&again, today));
        for byte in 0..32 {
            for bit in 0..8 {
                let mut forged = token;
                forged.0[byte] ^= 1 << bit;
                assert!(!key.accepts(&forged, today), "{byte} {bit}");
            }
        }
    }

    /// Guards ended sessions that had to be stored for ever, since their tokens never expired.
    #[test]
    fn a_token_expires_with_its_cookie() {
        let since = 20_000;
        let key = TokenKey::new([3; 32], since);
        let token = key.issue(since + 7).expect("random");
        assert!(key.accepts(&token, since + 7 + TOKEN_LIFETIME_DAYS));
        assert!(!key.accepts(&token, since + 8 + TOKEN_LIFETIME_DAYS));
        assert!(key.accepts(&token, since), "the clock was set back");
        // One of an earlier version has no date.
        let undated = key.signed([9; HALF], b"");
        assert!(key.accepts(&undated, since + TOKEN_LIFETIME_DAYS));
        assert!(!key.accepts(&undated, since + 1 + TOKEN_LIFETIME_DAYS));
        // No row goes whose token could still be accepted.
        assert_eq!(key.expired_before(since + TOKEN_LIFETIME_DAYS), None);
        assert_eq!(
            key.expired_before(since + 1 + TOKEN_LIFETIME_DAYS),
            Some(since + 1)
        );
    }

    #[test]
    fn days_are_counted_from_1970() {
        assert_eq!(day_of(Timestamp::from_millis(DAY_MS - 1)), 0);
        assert_eq!(day_of(Timestamp::from_millis(-1)), 0);
        assert_eq!(day_of(start_of(20_773)), 20_773);
    }
}
