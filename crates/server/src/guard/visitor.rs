//! Who a visitor is: a secret of 256 bits, in a cookie for browsers and in a header for
//! programs. Nothing but its hash goes further than this file.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use sha2::{Digest, Sha256};

use super::origin::is_named;
use crate::config::Config;
use crate::error::{Error, Kind};

/// The cookie's name.
const COOKIE: &str = "noughts";

/// Where somebody comes from of whom that is not known.
const NOWHERE: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

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
            address: NOWHERE,
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

/// Where a request comes from. Behind a web server on this machine, which there is when
/// the address that people use was given, that server says so. What it passes on is never
/// taken for this machine's own, even where it does not say from whom.
pub(super) fn address(request: &Request, config: &Config) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::from([127, 0, 0, 1]), |ConnectInfo(peer)| peer.ip());
    let is_here = peer.to_canonical().is_loopback();
    let (Some(origin), true) = (&config.origin, is_here) else {
        return household(peer);
    };
    let headers = request.headers();
    let told = headers.get_all("x-forwarded-for").iter().next_back();
    match told.map(forwarded) {
        Some(Some(told)) if !told.to_canonical().is_loopback() => household(told),
        Some(_) => NOWHERE,
        None if is_named(headers, request.uri(), origin) => NOWHERE,
        None => household(peer),
    }
}

/// The last one is what the server nearest to us has seen; those before it are hearsay.
/// Some tell the port, too.
fn forwarded(line: &HeaderValue) -> Option<IpAddr> {
    let last = line.to_str().ok()?.rsplit(',').next()?.trim();
    let bare = last
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let address = bare.unwrap_or(last).parse().ok();
    address.or_else(|| {
        last.parse()
            .ok()
            .map(|with_port: SocketAddr| with_port.ip())
    })
}

fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}
