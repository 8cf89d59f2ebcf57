//! Who a visitor is: a secret of 256 bits, in a cookie for browsers and in a header for
//! programs. Nothing but its hash goes further than this file.

use std::net::IpAddr;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use sha2::{Digest, Sha256};

use super::address::UNKNOWN;
use crate::config::Config;
use crate::error::{Error, Kind};

/// The cookie's name.
const COOKIE: &str = "noughts";

/// A year, in seconds.
const KEPT: u32 = 365 * 24 * 3600;

/// A visitor, known again by the hash of a secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Visitor {
    /// SHA-256 of the secret: what the store keeps of who sits where.
    pub(crate) hash: [u8; 32],
    key: Key,
    address: IpAddr,
}

/// By whom things are counted that one may have so many of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    /// Somebody who has been here before.
    Known([u8; 32]),
    /// Somebody who shows no secret, and would be somebody new every time.
    Address(IpAddr),
}

/// Whose work something is, so that everybody gets a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Owner {
    pub(crate) visitor: Key,
    /// Secrets cost nothing; addresses do.
    pub(crate) address: IpAddr,
}

impl Owner {
    /// Somebody known by this hash, who came from nobody knows where.
    pub(crate) fn from_elsewhere(hash: [u8; 32]) -> Owner {
        Owner {
            visitor: Key::Known(hash),
            address: UNKNOWN,
        }
    }
}

impl Visitor {
    /// As the one whose work something is.
    pub(crate) fn owner(&self) -> Owner {
        Owner {
            visitor: self.key,
            address: self.address,
        }
    }

    /// By what this visitor's share is counted.
    pub(crate) fn key(&self) -> Key {
        self.key
    }

    /// Where the visitor comes from; of the newer addresses the half that belongs to
    /// one household.
    pub(crate) fn address(&self) -> IpAddr {
        self.address
    }
}

/// The guard has met every visitor before a request gets further.
impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Visitor, Error> {
        let visitor = parts.extensions.get::<Visitor>().copied();
        visitor.ok_or_else(|| Error::new(Kind::Internal, "a request came past the guard"))
    }
}

/// A visitor, and the cookie to give to somebody new.
pub(super) struct Met {
    pub(super) who: Visitor,
    pub(super) cookie: Option<HeaderValue>,
}

/// Looks at what a request shows. A secret that is none is refused where a program
/// sends it, and replaced where a browser does.
pub(super) fn meet(headers: &HeaderMap, address: IpAddr, config: &Config) -> Result<Met, Error> {
    let known = |hash| Met {
        who: Visitor {
            hash,
            key: Key::Known(hash),
            address,
        },
        cookie: None,
    };
    if let Some(shown) = headers.get(header::AUTHORIZATION) {
        let token = shown.to_str().ok().and_then(bearer);
        let hash = token.and_then(hash_of);
        return hash.map(known).ok_or_else(|| {
            Error::new(
                Kind::BadRequest,
                "Authorization is `Bearer` and 64 hexadecimal digits; POST /api/v1/token gives some",
            )
        });
    }
    if let Some(hash) = cookie(headers).and_then(hash_of) {
        return Ok(known(hash));
    }
    let token = new_token()?;
    let secure = match &config.origin {
        Some(origin) if origin.starts_with("https:") => "; Secure",
        _ => "",
    };
    let text = format!("{COOKIE}={token}; Path=/; Max-Age={KEPT}; HttpOnly; SameSite=Lax{secure}");
    Ok(Met {
        who: Visitor {
            hash: Sha256::digest(token.as_bytes()).into(),
            key: Key::Address(address),
            address,
        },
        cookie: HeaderValue::from_str(&text).ok(),
    })
}

/// A new secret of 256 bits, in 64 hexadecimal digits.
pub(crate) fn new_token() -> Result<String, Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::new(
            Kind::Internal,
            format!("the system gives no random numbers: {error}"),
        )
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The hash of what has the form of a secret.
fn hash_of(token: &str) -> Option<[u8; 32]> {
    let fits = token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    fits.then(|| Sha256::digest(token.to_ascii_lowercase().as_bytes()).into())
}

fn bearer(text: &str) -> Option<&str> {
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let mut pairs = cookies
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(name, value)| (name == COOKIE).then_some(value))
}
