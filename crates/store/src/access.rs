//! Who may use a server: the key that tokens are signed with, sessions that were ended,
//! and bans. The command line writes them in one process, a running server reads them in
//! another. What a token looks like isn't known here.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::{IpNet, Ipv6Net};
use sqlx::SqliteConnection;

use crate::error::{StoreError, StoreFailure};
use crate::process::to_hex;
use crate::seat_claims::{SecretHash, parse_hex};
use crate::store::Store;
use crate::timestamp::Timestamp;

/// A visitor as logs and commands name one: the first 64 bits of what the token hashes to.
/// It identifies a visitor and proves nothing.
///
/// ```
/// use noughts_store::VisitorId;
/// let visitor = VisitorId::of(&[0xab; 32]);
/// assert_eq!(visitor.to_string(), "abababababababab");
/// assert_eq!("ABABABABABABABAB".parse(), Ok(visitor));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VisitorId(u64);

impl VisitorId {
    /// The visitor whose token hashes to this.
    #[must_use]
    pub fn from_hash(hash: &SecretHash) -> VisitorId {
        let [a, b, c, d, e, f, g, h, ..] = *hash;
        VisitorId(u64::from_be_bytes([a, b, c, d, e, f, g, h]))
    }
}

impl fmt::Display for VisitorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for VisitorId {
    type Err = String;

    fn from_str(text: &str) -> Result<VisitorId, String> {
        let digits = text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let number = u64::from_str_radix(text, 16).ok().filter(|_| digits);
        number.map(VisitorId).ok_or_else(|| {
            "a visitor is 16 hexadecimal digits; `noughts games show` and the server's log have them"
                .into()
        })
    }
}

/// Whom a ban turns away.
///
/// ```
/// use noughts_store::BanTarget;
/// for (text, means) in [
///     ("203.0.113.7", "203.0.113.7/32"),
///     ("203.0.113.7/24", "203.0.113.0/24"),
///     // Visitors with IPv6 are told apart by the half of the address that names a network.
///     ("2001:db8::1", "2001:db8::/64"),
///     ("2001:db8::/48", "2001:db8::/48"),
///     ("0123456789abcdef", "0123456789abcdef"),
/// ] {
///     let target: BanTarget = text.parse()?;
///     assert_eq!(target.to_string(), means);
/// }
/// assert!("0.0.0.0/0".parse::<BanTarget>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BanTarget {
    /// One visitor, wherever they come from.
    Visitor(VisitorId),
    /// Everybody from these addresses.
    Network(IpNet),
}

/// The longest prefix of an IPv6 network by which visitors are told apart.
const IPV6_PREFIX: u8 = 64;

impl BanTarget {
    /// Does it apply to this visitor at this address?
    #[must_use]
    pub fn covers(&self, visitor: VisitorId, address: IpAddr) -> bool {
        match self {
            BanTarget::Visitor(banned) => *banned == visitor,
            BanTarget::Network(_) => self.covers_address(address),
        }
    }

    /// Does it apply to everybody at this address?
    #[must_use]
    pub fn covers_address(&self, address: IpAddr) -> bool {
        match self {
            BanTarget::Visitor(_) => false,
            BanTarget::Network(network) => network.contains(&address.to_canonical()),
        }
    }
}

impl fmt::Display for BanTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BanTarget::Visitor(visitor) => visitor.fmt(f),
            BanTarget::Network(network) => network.fmt(f),
        }
    }
}

impl FromStr for BanTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<BanTarget, String> {
        if let Ok(visitor) = text.parse() {
            return Ok(BanTarget::Visitor(visitor));
        }
        let address = text.parse::<IpAddr>();
        let network = match address {
            Ok(address) => Some(IpNet::from(address.to_canonical())),
            Err(_) => text.parse().ok(),
        };
        match network {
            Some(network) if network.prefix_len() == 0 => {
                Err("this network is everybody; give a smaller one".into())
            }
            Some(IpNet::V6(network)) if network.prefix_len() > IPV6_PREFIX => {
                let network = Ipv6Net::new(network.addr(), IPV6_PREFIX);
                let network = network.map_err(|error| error.to_string())?;
                Ok(BanTarget::Network(IpNet::V6(network.trunc())))
            }
            Some(network) => Ok(BanTarget::Network(network.trunc())),
            None => Err(
                "give an address (203.0.113.7), a network (203.0.113.0/24, 2001:db8::/48), or a \
                 visitor (16 hexadecimal digits, from `noughts games show` or the server's log)"
                    .into(),
            ),
        }
    }
}

/// A visitor or a network that is turned away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ban {
    /// Whom.
    pub target: BanTarget,
    /// Why, for the operator and for whom it is about.
    pub reason: Option<String>,
    /// Since when.
    pub since: Timestamp,
}

/// How far somebody has read what [`Store::access_since`] returns. The default is from
/// the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AccessCursor {
    /// How many bans there are, and the newest one's number.
    bans: (i64, i64),
    ended: i64,
    stale: i64,
}

/// What has changed about who may use a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessChanges {
    /// Where to read on.
    pub cursor: AccessCursor,
    /// All bans, if there are others than before.
    pub bans: Option<Vec<Ban>>,
    /// Sessions that were ended.
    pub ended_sessions: Vec<VisitorId>,
    /// The `uid`s of games that were deleted or changed by the operator.
    pub stale_games: Vec<String>,
}

/// For this long it is known which games were deleted or changed, in milliseconds: a
/// server reads it within seconds.
const STALE_TTL_MS: i64 = 3600 * 1000;

impl Store {
    /// The server's own key for this purpose: 256 random bits, made by the first program
    /// that asks and then the same for all.
    ///
    /// # Errors
    /// The file can't be read or written, or the system has no random numbers.
    pub async fn server_key(&self, purpose: &str) -> Result<[u8; 32], StoreError> {
        let mut fresh = [0; 32];
        getrandom::fill(&mut fresh).map_err(|error| {
            StoreError::Invalid(format!("the system gives no random numbers: {error}"))
        })?;
        let about = (purpose.to_owned(), to_hex(&fresh));
        self.submit_write(about, |_, (purpose, fresh), writing| {
            Box::pin(async move {
                sqlx::query(
                    "INSERT INTO server_keys (name, key) VALUES ($1, $2)
                     ON CONFLICT (name) DO NOTHING",
                )
                .bind(purpose)
                .bind(fresh)
                .execute(&mut *writing)
                .await?;
                let key: String = sqlx::query_scalar("SELECT key FROM server_keys WHERE name = $1")
                    .bind(purpose)
                    .fetch_one(&mut *writing)
                    .await?;
                parse_hex(&key).ok_or_else(|| {
                    StoreFailure::Corrupt("a key of the server can't be read".into())
                })
            })
        })
        .await
    }

    /// Turns a visitor or a network away from now on. Returns whether that is new; a
    /// reason replaces the old one.
    ///
    /// # Errors
    /// No writing.
    pub async fn ban(&self, target: BanTarget, reason: Option<&str>) -> Result<bool, StoreError> {
        let about = (target.to_string(), reason.map(str::to_owned));
        self.submit_write(about, |_, (target, reason), writing| {
            Box::pin(async move {
                // A row with a new number, so that servers see that something has changed.
                let before = sqlx::query("DELETE FROM bans WHERE target = $1")
                    .bind(target)
                    .execute(&mut *writing)
                    .await?;
                sqlx::query("INSERT INTO bans (target, reason, since) VALUES ($1, $2, $3)")
                    .bind(target)
                    .bind(reason)
                    .bind(Timestamp::now().as_millis())
                    .execute(&mut *writing)
                    .await?;
                Ok(before.rows_affected() == 0)
            })
        })
        .await
    }

    /// Lifts a ban. Returns whether there was one.
    ///
    /// # Errors
    /// No writing.
    pub async fn unban(&self, target: BanTarget) -> Result<bool, StoreError> {
        self.submit_write(target.to_string(), |_, target, writing| {
            Box::pin(async move {
                let gone = sqlx::query("DELETE FROM bans WHERE target = $1")
                    .bind(target)
                    .execute(&mut *writing)
                    .await?;
                Ok(gone.rows_affected() > 0)
            })
        })
        .await
    }

    /// All bans, oldest first.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn bans(&self) -> Result<Vec<Ban>, StoreError> {
        self.with_error_context(async {
            let mut reading = self.read_pool().begin().await?;
            bans(&mut reading).await
        })
        .await
    }

    /// Ends a visitor's session for good: the token is no longer accepted. Returns whether
    /// it was open, as far as is known here.
    ///
    /// # Errors
    /// No writing.
    pub async fn end_session(&self, visitor: VisitorId) -> Result<bool, StoreError> {
        self.submit_write(visitor.to_string(), |_, visitor, writing| {
            Box::pin(async move {
                let done = sqlx::query(
                    "INSERT INTO ended_sessions (visitor, ended) VALUES ($1, $2)
                     ON CONFLICT (visitor) DO NOTHING",
                )
                .bind(visitor)
                .bind(Timestamp::now().as_millis())
                .execute(&mut *writing)
                .await?;
                Ok(done.rows_affected() > 0)
            })
        })
        .await
    }

    /// Forgets sessions that ended before this moment: their tokens have expired. Returns how many.
    ///
    /// # Errors
    /// No writing.
    pub async fn delete_ended_sessions(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.submit_write(before, |_, before, writing| {
            Box::pin(async move {
                let gone = sqlx::query("DELETE FROM ended_sessions WHERE ended < $1")
                    .bind(before.as_millis())
                    .execute(writing)
                    .await?;
                Ok(gone.rows_affected())
            })
        })
        .await
    }

    /// What has changed about who may use a server since these marks.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn access_changes_since(
        &self,
        since: AccessCursor,
    ) -> Result<AccessChanges, StoreError> {
        self.with_error_context(async {
            let mut reading = self.read_pool().begin().await?;
            let (count, newest, ended, stale): (i64, i64, i64, i64) = sqlx::query_as(
                "SELECT (SELECT COUNT(*) FROM bans),
                        (SELECT COALESCE(MAX(id), 0) FROM bans),
                        (SELECT COALESCE(MAX(id), 0) FROM ended_sessions),
                        (SELECT COALESCE(MAX(id), 0) FROM stale_games)",
            )
            .fetch_one(&mut *reading)
            .await?;
            let marks = AccessCursor {
                bans: (count, newest),
                ended: ended.max(since.ended),
                // Old rows go here and above, so that the largest number can be smaller than before.
                stale: stale.max(since.stale),
            };
            let mut news = AccessChanges {
                cursor: marks,
                bans: None,
                ended_sessions: Vec::new(),
                stale_games: Vec::new(),
            };
            if marks.bans != since.bans {
                news.bans = Some(bans(&mut reading).await?);
            }
            if marks.ended > since.ended {
                let sql = "SELECT visitor FROM ended_sessions WHERE id > $1";
                let rows: Vec<String> = sqlx::query_scalar(sql)
                    .bind(since.ended)
                    .fetch_all(&mut *reading)
                    .await?;
                let odd = |text: &str| StoreFailure::Corrupt(format!("{text:?} isn't a visitor"));
                news.ended_sessions = rows
                    .iter()
                    .map(|text| text.parse().map_err(|_| odd(text)))
                    .collect::<Result<_, StoreFailure>>()?;
            }
            if marks.stale > since.stale {
                news.stale_games = sqlx::query_scalar("SELECT uid FROM stale_games WHERE id > $1")
                    .bind(since.stale)
                    .fetch_all(&mut *reading)
                    .await?;
            }
            Ok(news)
        })
        .await
    }
}

async fn bans(connection: &mut SqliteConnection) -> Result<Vec<Ban>, StoreFailure> {
    let sql = "SELECT target, reason, since FROM bans ORDER BY id";
    let rows: Vec<(String, Option<String>, i64)> =
        sqlx::query_as(sql).fetch_all(connection).await?;
    rows.into_iter()
        .map(|(text, reason, since)| {
            let odd = |_| StoreFailure::Corrupt(format!("{text:?} is banned, but isn't anybody"));
            Ok(Ban {
                target: text.parse().map_err(odd)?,
                reason,
                since: Timestamp::from_millis(since),
            })
        })
        .collect()
}

/// Lets running servers know that they have something wrong in memory about these games:
/// `which` is a condition on `games`.
pub(crate) async fn mark_stale(
    connection: &mut SqliteConnection,
    which: &'static str,
    about: i64,
) -> Result<(), StoreFailure> {
    let now = Timestamp::now().as_millis();
    sqlx::query("DELETE FROM stale_games WHERE at < $1")
        .bind(now - STALE_TTL_MS)
        .execute(&mut *connection)
        .await?;
    let sql = format!(
        "INSERT INTO stale_games (uid, at)
         SELECT uid, $2 FROM games
         WHERE {which} AND EXISTS (SELECT 1 FROM sitters WHERE sitters.game = games.id)"
    );
    sqlx::query(sqlx::AssertSqlSafe(sql))
        .bind(about)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}
