//! Identifies visitors by a token, in a cookie for browsers and in a header for programs. The token
//! itself doesn't leave this file: others get its hash, and a key derived from it.

use std::net::IpAddr;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum_extra::extract::CookieJar;
use axum_extra::headers::HeaderMapExt;
use axum_extra::headers::authorization::{Authorization, Bearer};
use noughts_store::VisitorId;

use super::access::{self, AccessControl};
use super::address::UNKNOWN_ADDRESS;
use super::token::{SignedToken, TOKEN_LIFETIME_DAYS};
use crate::config::Config;
use crate::digest::hmac_sha256;
use crate::error::{ApiError, ApiErrorKind};

/// The cookie's name.
const COOKIE_NAME: &str = "noughts";

/// The cookie's name over HTTPS: browsers accept such a cookie only from this very host, not from
/// its subdomains or without encryption.
const HOST_COOKIE_NAME: &str = "__Host-noughts";

/// How long a browser keeps the cookie, in seconds: as long as its token is accepted.
const COOKIE_MAX_AGE: u32 = TOKEN_LIFETIME_DAYS as u32 * 24 * 3600;

/// A visitor, identified by the hash of a token.
#[derive(Clone, Copy)]
pub(crate) struct Visitor {
    /// SHA-256 of the token. The store has it with the seats that the visitor has claimed.
    pub(crate) hash: [u8; 32],
    /// A key derived from the token that isn't stored. It's as secret as the token.
    seal_key: [u8; 32],
    /// Whom limits and turns are counted for. For IPv6, the address is the first one of the subnet.
    pub(crate) owner: TaskOwner,
}

/// What a visitor's rate limits are keyed by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum VisitorKey {
    /// The hash of a token from an earlier request.
    Token([u8; 32]),
    /// The address of a visitor without a token, who would otherwise be a new one with every
    /// request.
    Address(IpAddr),
}

/// The visitor and address that a task is scheduled for, so that all get their turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TaskOwner {
    pub(crate) visitor: VisitorKey,
    /// Tokens are free; addresses aren't.
    pub(crate) address: IpAddr,
}

impl TaskOwner {
    /// A visitor with this hash whose address is unknown.
    pub(crate) fn with_unknown_address(hash: [u8; 32]) -> TaskOwner {
        TaskOwner {
            visitor: VisitorKey::Token(hash),
            address: UNKNOWN_ADDRESS,
        }
    }
}

impl Visitor {
    fn new(token: &SignedToken, is_new: bool, address: IpAddr) -> Visitor {
        let hash = token.hash();
        Visitor {
            hash,
            seal_key: token.seal_key(),
            owner: TaskOwner {
                visitor: match is_new {
                    true => VisitorKey::Address(address),
                    false => VisitorKey::Token(hash),
                },
                address,
            },
        }
    }

    /// The id by which logs and commands refer to this visitor.
    pub(crate) fn id(&self) -> VisitorId {
        VisitorId::from_hash(&self.hash)
    }

    /// Did the request have a valid token, so that there is a session?
    pub(crate) fn has_token(&self) -> bool {
        matches!(self.owner.visitor, VisitorKey::Token(_))
    }

    /// Bytes that only the owner of this visitor's token can compute, different for each purpose.
    /// They can't be derived from what is stored.
    pub(crate) fn secret_bytes(&self, purpose: &str) -> [u8; 32] {
        hmac_sha256(&self.seal_key, purpose.as_bytes())
    }
}

/// The middleware identifies every visitor before a request gets this far.
impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Visitor, ApiError> {
        let visitor = parts.extensions.get::<Visitor>().copied();
        let missing = "the middleware didn't identify the visitor";
        visitor.ok_or_else(|| ApiErrorKind::Internal.error(missing))
    }
}

/// A visitor, and the cookie to set if they are new.
pub(super) struct IdentifiedVisitor {
    pub(super) visitor: Visitor,
    pub(super) cookie: Option<HeaderValue>,
}

/// Identifies a visitor by the request's headers. A token that isn't accepted is an error if a
/// program sends it, and replaced if a browser does.
pub(super) fn identify(
    headers: &HeaderMap,
    address: IpAddr,
    config: &Config,
    access: &AccessControl,
) -> Result<IdentifiedVisitor, ApiError> {
    let identified = |token: &SignedToken| IdentifiedVisitor {
        visitor: Visitor::new(token, false, address),
        cookie: None,
    };
    if headers.contains_key(header::AUTHORIZATION) {
        let bearer = headers.typed_get::<Authorization<Bearer>>();
        let token = bearer.and_then(|bearer| SignedToken::parse(bearer.token().trim()));
        let token = token.ok_or_else(|| {
            ApiErrorKind::BadRequest.error("the Authorization header must be `Bearer` and 64 hexadecimal digits; get a token with POST /api/v1/token",
            )
        })?;
        return match access.accepts(&token)? {
            true => Ok(identified(&token)),
            false => Err(access::unknown_token()),
        };
    }
    let cookies = CookieJar::from_headers(headers);
    let cookie = cookies.get(cookie_name(config));
    if let Some(token) = cookie.and_then(|cookie| SignedToken::parse(cookie.value()))
        && access.accepts(&token)?
    {
        return Ok(identified(&token));
    }
    let token = access.issue_token()?;
    Ok(IdentifiedVisitor {
        visitor: Visitor::new(&token, true, address),
        cookie: Some(set_cookie(&token.to_hex(), COOKIE_MAX_AGE, config)?),
    })
}

fn cookie_name(config: &Config) -> &'static str {
    match config.is_https() {
        true => HOST_COOKIE_NAME,
        false => COOKIE_NAME,
    }
}

fn set_cookie(value: &str, seconds: u32, config: &Config) -> Result<HeaderValue, ApiError> {
    let name = cookie_name(config);
    let secure = if config.is_https() { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&text).map_err(|error| ApiErrorKind::Internal.error(error.to_string()))
}

/// The header that deletes the browser's cookie.
pub(crate) fn clear_cookie(config: &Config) -> Result<HeaderValue, ApiError> {
    set_cookie("", 0, config)
}
