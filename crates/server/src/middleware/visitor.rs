//! Who a visitor is: a token, in a cookie for browsers and in a header for programs. The
//! token itself goes no further than this file: others get its hash, and a key that
//! follows from it.

use std::net::IpAddr;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use noughts_store::VisitorId;

use super::access::{self, AccessControl};
use super::address::UNKNOWN_ADDRESS;
use super::token::{TOKEN_LIFETIME_DAYS, Token};
use crate::config::Config;
use crate::digest::hmac_sha256;
use crate::error::{Error, Kind};

/// The cookie's name.
const COOKIE: &str = "noughts";

/// Its name where everybody comes by HTTPS: browsers take such a cookie only from this very
/// host, and not from its subdomains or without encryption.
const HOST_COOKIE: &str = "__Host-noughts";

/// How long a browser keeps the cookie, in seconds: as long as its token is accepted.
const KEPT: u32 = TOKEN_LIFETIME_DAYS as u32 * 24 * 3600;

/// A visitor, recognized by the hash of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Visitor {
    /// SHA-256 of the token: what the store keeps of who sits where.
    pub(crate) hash: [u8; 32],
    seal: Seal,
    key: VisitorKey,
    address: IpAddr,
}

/// A key that follows from a visitor's token, and that isn't stored.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seal([u8; 32]);

/// It is as secret as the token.
impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

/// By whom things are counted that one may have so many of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum VisitorKey {
    /// Somebody who has been here before.
    Token([u8; 32]),
    /// Somebody who shows no secret, and would be somebody new every time.
    Address(IpAddr),
}

/// Whose work something is, so that everybody gets a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TaskOwner {
    pub(crate) visitor: VisitorKey,
    /// Secrets cost nothing; addresses do.
    pub(crate) address: IpAddr,
}

impl TaskOwner {
    /// Somebody known by this hash, who came from nobody knows where.
    pub(crate) fn with_unknown_address(hash: [u8; 32]) -> TaskOwner {
        TaskOwner {
            visitor: VisitorKey::Token(hash),
            address: UNKNOWN_ADDRESS,
        }
    }
}

impl Visitor {
    fn new(token: &Token, is_new: bool, address: IpAddr) -> Visitor {
        let hash = token.hash();
        Visitor {
            hash,
            seal: Seal(token.seal_key()),
            key: match is_new {
                true => VisitorKey::Address(address),
                false => VisitorKey::Token(hash),
            },
            address,
        }
    }

    /// As logs and commands name this visitor.
    pub(crate) fn id(&self) -> VisitorId {
        VisitorId::from_hash(&self.hash)
    }

    /// Did the request show a token, so that there is a session?
    pub(crate) fn has_token(&self) -> bool {
        matches!(self.key, VisitorKey::Token(_))
    }

    /// Bytes that only somebody with this visitor's token can compute, others for each
    /// purpose. The store has nothing from which they follow.
    pub(crate) fn secret_bytes(&self, purpose: &str) -> [u8; 32] {
        hmac_sha256(&self.seal.0, purpose.as_bytes())
    }

    /// As the one whose work something is.
    pub(crate) fn owner(&self) -> TaskOwner {
        TaskOwner {
            visitor: self.key,
            address: self.address,
        }
    }

    /// By what this visitor's share is counted.
    pub(crate) fn key(&self) -> VisitorKey {
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
pub(super) struct IdentifiedVisitor {
    pub(super) visitor: Visitor,
    pub(super) cookie: Option<HeaderValue>,
}

/// Recognizes a visitor by what a request shows. A token that isn't accepted is an error
/// where a program sends it, and replaced where a browser does.
pub(super) fn identify(
    headers: &HeaderMap,
    address: IpAddr,
    config: &Config,
    access: &AccessControl,
) -> Result<IdentifiedVisitor, Error> {
    let known = |token: &Token| IdentifiedVisitor {
        visitor: Visitor::new(token, false, address),
        cookie: None,
    };
    if let Some(shown) = headers.get(header::AUTHORIZATION) {
        let token = shown.to_str().ok().and_then(bearer).and_then(Token::parse);
        let token = token.ok_or_else(|| {
            Error::new(
                Kind::BadRequest,
                "Authorization is `Bearer` and 64 hexadecimal digits; POST /api/v1/token gives some",
            )
        })?;
        return match access.accepts(&token)? {
            true => Ok(known(&token)),
            false => Err(access::unknown_token()),
        };
    }
    if let Some(token) = cookie(headers, config).and_then(Token::parse)
        && access.accepts(&token)?
    {
        return Ok(known(&token));
    }
    let token = access.issue_token()?;
    Ok(IdentifiedVisitor {
        visitor: Visitor::new(&token, true, address),
        cookie: Some(set_cookie(&token.to_hex(), KEPT, config)?),
    })
}

/// Has everybody come by HTTPS?
fn is_secure(config: &Config) -> bool {
    let origin = config.origin.as_deref();
    origin.is_some_and(|origin| origin.starts_with("https:"))
}

fn cookie_name(config: &Config) -> &'static str {
    if is_secure(config) {
        HOST_COOKIE
    } else {
        COOKIE
    }
}

fn set_cookie(value: &str, seconds: u32, config: &Config) -> Result<HeaderValue, Error> {
    let name = cookie_name(config);
    let secure = if is_secure(config) { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&text).map_err(|error| Error::new(Kind::Internal, error.to_string()))
}

/// The header by which a browser forgets its cookie.
pub(crate) fn clear_cookie(config: &Config) -> Result<HeaderValue, Error> {
    set_cookie("", 0, config)
}

fn bearer(text: &str) -> Option<&str> {
    let (scheme, token) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie<'a>(headers: &'a HeaderMap, config: &Config) -> Option<&'a str> {
    let wanted = cookie_name(config);
    let cookies = headers.get_all(header::COOKIE).iter();
    let mut pairs = cookies
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(name, value)| (name == wanted).then_some(value))
}
