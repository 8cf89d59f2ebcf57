//! Tokens, which identify visitors. Half of a token is the day of issue and random bits, half is a
//! signature with the server's key, so that no other token is accepted and nothing is stored for
//! visitors who only watch. Tokens expire, so that ended sessions needn't be stored forever.

use noughts_store::Timestamp;
use sha2::{Digest, Sha256};

use crate::digest::hmac_sha256;
use crate::error::{ApiError, ApiErrorKind};

/// A token, 64 hexadecimal digits as text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct SignedToken([u8; 32]);

/// The key that tokens are signed with.
pub(super) struct TokenKey {
    key: [u8; 32],
    /// The day on which this server started to date its tokens. Tokens without a date are older,
    /// and count as issued on that day.
    dated_since: Day,
}

/// Days since 1970.
pub(super) type Day = u16;

/// How many days a token is accepted.
pub(super) const TOKEN_LIFETIME_DAYS: Day = 365;

/// Bytes of a token before its signature, and of the signature.
const HALF_BYTES: usize = 16;

/// Bytes of the day of issue, which comes first in a token.
const DAY_BYTES: usize = size_of::<Day>();

/// The prefix of the signed message of a dated token. Tokens without a date have no prefix, so that
/// neither passes for the other.
const DATED_PREFIX: &[u8] = b"dated";

impl TokenKey {
    pub(super) fn new(key: [u8; 32], dated_since: Day) -> TokenKey {
        TokenKey { key, dated_since }
    }

    pub(super) fn issue(&self, today: Day) -> Result<SignedToken, ApiError> {
        Ok(self.sign(today, random_bytes()?))
    }

    /// The token with this date and these random bytes.
    pub(super) fn sign(&self, day: Day, random: [u8; HALF_BYTES - DAY_BYTES]) -> SignedToken {
        let mut half = [0; HALF_BYTES];
        half[..DAY_BYTES].copy_from_slice(&day.to_be_bytes());
        half[DAY_BYTES..].copy_from_slice(&random);
        self.sign_half(half, DATED_PREFIX)
    }

    fn sign_half(&self, half: [u8; HALF_BYTES], prefix: &[u8]) -> SignedToken {
        let message = [prefix, &half].concat();
        let mut token = [0; 32];
        token[..HALF_BYTES].copy_from_slice(&half);
        token[HALF_BYTES..].copy_from_slice(&hmac_sha256(&self.key, &message)[..HALF_BYTES]);
        SignedToken(token)
    }

    /// Was this token issued with this key, and is it recent enough?
    pub(super) fn accepts(&self, token: &SignedToken, today: Day) -> bool {
        let mut half = [0; HALF_BYTES];
        half.copy_from_slice(&token.0[..HALF_BYTES]);
        let issued = if self.sign_half(half, DATED_PREFIX).constant_time_eq(token) {
            Day::from_be_bytes([half[0], half[1]])
        } else if self.sign_half(half, b"").constant_time_eq(token) {
            self.dated_since
        } else {
            return false;
        };
        // A clock that is set back doesn't invalidate tokens.
        today.saturating_sub(issued) <= TOKEN_LIFETIME_DAYS
    }

    /// Sessions that ended before this day have expired tokens. `None` while a token without a date
    /// may be accepted, since its session may have ended at any time.
    pub(super) fn expired_before(&self, today: Day) -> Option<Day> {
        let undated_expired = today.saturating_sub(self.dated_since) > TOKEN_LIFETIME_DAYS;
        undated_expired.then(|| today - TOKEN_LIFETIME_DAYS)
    }
}

/// Milliseconds in a day.
const DAY_MS: i64 = 24 * 3600 * 1000;

pub(super) fn day_of(moment: Timestamp) -> Day {
    let days = moment.as_millis().div_euclid(DAY_MS);
    Day::try_from(days.max(0)).unwrap_or(Day::MAX)
}

pub(super) fn start_of(day: Day) -> Timestamp {
    Timestamp::from_millis(i64::from(day) * DAY_MS)
}

impl SignedToken {
    /// Compares in constant time.
    fn constant_time_eq(&self, other: &SignedToken) -> bool {
        let pairs = self.0.iter().zip(&other.0);
        pairs.fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
    }

    /// Parses 64 hexadecimal digits.
    pub(super) fn parse(text: &str) -> Option<SignedToken> {
        let mut token = [0; 32];
        hex::decode_to_slice(text, &mut token).ok()?;
        Some(SignedToken(token))
    }

    /// The hash that is stored in place of the token.
    pub(super) fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.to_hex().as_bytes()).into()
    }

    /// A key that only the token's owner can compute; it's never stored.
    pub(super) fn seal_key(&self) -> [u8; 32] {
        hmac_sha256(&self.0, b"seal")
    }

    pub(crate) fn to_hex(self) -> String {
        hex::encode(self.0)
    }
}

/// Random bytes from the operating system.
pub(crate) fn random_bytes<const N: usize>() -> Result<[u8; N], ApiError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        ApiErrorKind::Internal.error(format!("the system can't provide random numbers: {error}"))
    })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_issued_tokens_are_accepted() {
        let today = 20_000;
        let key = TokenKey::new([3; 32], today);
        let token = key.issue(today).expect("random");
        assert!(key.accepts(&token, today));
        let other_key = TokenKey::new([4; 32], today);
        assert!(!other_key.accepts(&token, today), "another server's");
        let parsed = SignedToken::parse(&token.to_hex().to_uppercase()).expect("digits");
        assert!(parsed == token && key.accepts(&parsed, today));
        for byte in 0..32 {
            for bit in 0..8 {
                let mut forged = token;
                forged.0[byte] ^= 1 << bit;
                assert!(!key.accepts(&forged, today), "{byte} {bit}");
            }
        }
    }

    /// Guards against ended sessions that had to be stored forever because their tokens never
    /// expired.
    #[test]
    fn a_token_expires_with_its_cookie() {
        let since = 20_000;
        let key = TokenKey::new([3; 32], since);
        let token = key.issue(since + 7).expect("random");
        assert!(key.accepts(&token, since + 7 + TOKEN_LIFETIME_DAYS));
        assert!(!key.accepts(&token, since + 8 + TOKEN_LIFETIME_DAYS));
        assert!(key.accepts(&token, since), "the clock was set back");
        // Tokens of earlier versions have no date.
        let undated = key.sign_half([9; HALF_BYTES], b"");
        assert!(key.accepts(&undated, since + TOKEN_LIFETIME_DAYS));
        assert!(!key.accepts(&undated, since + 1 + TOKEN_LIFETIME_DAYS));
        // No session is deleted whose token could still be accepted.
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
