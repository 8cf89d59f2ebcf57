//! Access control for a server: signing keys, ended sessions and bans. The command line writes them
//! in one process and a running server reads them in another. The format of tokens is defined
//! elsewhere.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::{IpNet, Ipv6Net};
use sqlx::SqliteConnection;

use crate::error::{RawResult, RawStoreError, StoreError};
use crate::process::random_bytes;
use crate::seat_claims::{SecretHash, parse_hex};
use crate::store::Store;
use crate::timestamp::Timestamp;

/// A visitor as named in logs and commands: the first 64 bits of the token's hash. It identifies a
/// visitor but isn't a secret.
///
/// ```
/// use noughts_store::VisitorId;
/// let visitor = VisitorId::from_hash(&[0xab; 32]);
/// assert_eq!(visitor.to_string(), "abababababababab");
/// assert_eq!("ABABABABABABABAB".parse(), Ok(visitor));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VisitorId(u64);

impl VisitorId {
    /// The visitor whose token has this hash.
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
            "a visitor ID has 16 hexadecimal digits; find it with `noughts games show` or in the server's log"
                .into()
        })
    }
}

/// What a ban applies to.
///
/// ```
/// use noughts_store::BanTarget;
/// for (text, canonical) in [
///     ("203.0.113.7", "203.0.113.7/32"),
///     ("203.0.113.7/24", "203.0.113.0/24"),
///     // IPv6 visitors are distinguished by the network half of their address.
///     ("2001:db8::1", "2001:db8::/64"),
///     ("2001:db8::/48", "2001:db8::/48"),
///     ("0123456789abcdef", "0123456789abcdef"),
/// ] {
///     let target: BanTarget = text.parse()?;
///     assert_eq!(target.to_string(), canonical);
/// }
/// assert!("0.0.0.0/0".parse::<BanTarget>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BanTarget {
    /// One visitor, at any address.
    Visitor(VisitorId),
    /// Everybody in this network.
    Network(IpNet),
}

/// The longest IPv6 prefix that distinguishes visitors.
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
                Err("this network includes every address; choose a smaller one".into())
            }
            Some(IpNet::V6(network)) if network.prefix_len() > IPV6_PREFIX => {
                let network = Ipv6Net::new(network.addr(), IPV6_PREFIX);
                let network = network.map_err(|error| error.to_string())?;
                Ok(BanTarget::Network(IpNet::V6(network.trunc())))
            }
            Some(network) => Ok(BanTarget::Network(network.trunc())),
            None => Err(
                "expected an address (203.0.113.7), a network (203.0.113.0/24, 2001:db8::/48) or a \
                 visitor ID (16 hexadecimal digits, from `noughts games show` or the server's log)"
                    .into(),
            ),
        }
    }
}

/// A banned visitor or network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ban {
    /// What the ban applies to.
    pub target: BanTarget,
    /// The reason, for the operator and for the banned visitor.
    pub reason: Option<String>,
    /// When the ban started.
    pub since: Timestamp,
}

/// How far a reader of [`Store::access_changes_since`] has read. The default is the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AccessChangeCursor {
    /// The number of bans and the newest row ID.
    bans: (i64, i64),
    ended: i64,
    stale: i64,
}

/// Changes to access control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessChanges {
    /// Where to continue reading.
    pub cursor: AccessChangeCursor,
    /// All bans, if they have changed.
    pub bans: Option<Vec<Ban>>,
    /// Sessions that were ended.
    pub ended_sessions: Vec<VisitorId>,
    /// The `uid`s of games that the operator deleted or changed.
    pub stale_games: Vec<String>,
}

/// How long deleted and changed games are listed, in milliseconds. A server reads the list every
/// few seconds.
const STALE_TTL_MS: i64 = 3600 * 1000;

impl Store {
    /// The server's key for this purpose: 256 random bits, created by the first process that asks
    /// and shared by all.
    ///
    /// # Errors
    /// The file can't be read or written, or the system has no random numbers.
    pub async fn server_key(&self, purpose: &str) -> Result<[u8; 32], StoreError> {
        let (purpose, new_key) = (purpose.to_owned(), hex::encode(random_bytes::<32>()?));
        self.submit_write(async move |_, tx| {
            let sql = "INSERT INTO server_keys (name, key) VALUES ($1, $2)
                 ON CONFLICT (name) DO NOTHING";
            execute!(&mut *tx, sql, &purpose, &new_key)?;
            let sql = "SELECT key FROM server_keys WHERE name = $1";
            let (key,): (String,) = fetch_one!(tx, sql, &purpose)?;
            parse_hex(&key).ok_or_else(|| RawStoreError::Corrupt("a server key is invalid".into()))
        })
        .await
    }

    /// Bans a visitor or a network. Returns whether the ban is new; a new reason replaces the old
    /// one.
    ///
    /// # Errors
    /// The file can't be written.
    pub async fn ban(&self, target: BanTarget, reason: Option<&str>) -> Result<bool, StoreError> {
        let (target, reason) = (target.to_string(), reason.map(str::to_owned));
        self.submit_write(async move |_, tx| {
            // A new row ID tells running servers that something has changed.
            let replaced = delete_ban(tx, &target).await?;
            let sql = "INSERT INTO bans (target, reason, since) VALUES ($1, $2, $3)";
            execute!(tx, sql, &target, &reason, Timestamp::now().as_millis())?;
            Ok(!replaced)
        })
        .await
    }

    /// Lifts a ban. Returns whether there was one.
    ///
    /// # Errors
    /// The file can't be written.
    pub async fn unban(&self, target: BanTarget) -> Result<bool, StoreError> {
        let target = target.to_string();
        self.submit_write(async move |_, tx| delete_ban(tx, &target).await)
            .await
    }

    /// All bans, oldest first.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn bans(&self) -> Result<Vec<Ban>, StoreError> {
        self.with_error_context(async {
            let mut tx = self.read_pool().begin().await?;
            bans(&mut tx).await
        })
        .await
    }

    /// Ends a visitor's session permanently: the token is no longer accepted. Returns whether the
    /// session wasn't already ended.
    ///
    /// # Errors
    /// The file can't be written.
    pub async fn end_session(&self, visitor: VisitorId) -> Result<bool, StoreError> {
        self.submit_write(async move |_, tx| {
            let sql = "INSERT INTO ended_sessions (visitor, ended) VALUES ($1, $2)
                 ON CONFLICT (visitor) DO NOTHING";
            let inserted = execute!(tx, sql, visitor.to_string(), Timestamp::now().as_millis())?;
            Ok(inserted > 0)
        })
        .await
    }

    /// Deletes sessions that ended before this time, whose tokens have expired. Returns how many.
    ///
    /// # Errors
    /// The file can't be written.
    pub async fn delete_ended_sessions(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.submit_write(async move |_, tx| {
            let sql = "DELETE FROM ended_sessions WHERE ended < $1";
            Ok(execute!(tx, sql, before.as_millis())?)
        })
        .await
    }

    /// The changes to access control since a cursor.
    ///
    /// # Errors
    /// The file can't be read.
    pub async fn access_changes_since(
        &self,
        since: AccessChangeCursor,
    ) -> Result<AccessChanges, StoreError> {
        self.with_error_context(async {
            let mut tx = self.read_pool().begin().await?;
            let sql = "SELECT (SELECT COUNT(*) FROM bans),
                        (SELECT COALESCE(MAX(id), 0) FROM bans),
                        (SELECT COALESCE(MAX(id), 0) FROM ended_sessions),
                        (SELECT COALESCE(MAX(id), 0) FROM stale_games)";
            let (count, newest, ended, stale): (i64, i64, i64, i64) = fetch_one!(&mut *tx, sql)?;
            let cursor = AccessChangeCursor {
                bans: (count, newest),
                ended: ended.max(since.ended),
                // Old rows are deleted, so the largest ID can be smaller than before.
                stale: stale.max(since.stale),
            };
            let mut changes = AccessChanges {
                cursor,
                bans: None,
                ended_sessions: Vec::new(),
                stale_games: Vec::new(),
            };
            if cursor.bans != since.bans {
                changes.bans = Some(bans(&mut tx).await?);
            }
            if cursor.ended > since.ended {
                let sql = "SELECT visitor FROM ended_sessions WHERE id > $1";
                let rows: Vec<(String,)> = fetch_all!(&mut *tx, sql, since.ended)?;
                let corrupt =
                    |text: &str| RawStoreError::Corrupt(format!("{text:?} isn't a visitor ID"));
                changes.ended_sessions = rows
                    .iter()
                    .map(|(text,)| text.parse().map_err(|_| corrupt(text)))
                    .collect::<RawResult<_>>()?;
            }
            if cursor.stale > since.stale {
                let sql = "SELECT uid FROM stale_games WHERE id > $1";
                let rows: Vec<(String,)> = fetch_all!(&mut *tx, sql, since.stale)?;
                changes.stale_games = rows.into_iter().map(|(uid,)| uid).collect();
            }
            Ok(changes)
        })
        .await
    }
}

/// Returns whether there was one.
async fn delete_ban(connection: &mut SqliteConnection, target: &str) -> RawResult<bool> {
    let deleted = execute!(connection, "DELETE FROM bans WHERE target = $1", target)?;
    Ok(deleted > 0)
}

async fn bans(connection: &mut SqliteConnection) -> RawResult<Vec<Ban>> {
    let sql = "SELECT target, reason, since FROM bans ORDER BY id";
    let rows: Vec<(String, Option<String>, i64)> = fetch_all!(connection, sql)?;
    rows.into_iter()
        .map(|(text, reason, since)| {
            let corrupt = |_| {
                RawStoreError::Corrupt(format!(
                    "{text:?} is banned, but isn't a visitor ID or a network"
                ))
            };
            Ok(Ban {
                target: text.parse().map_err(corrupt)?,
                reason,
                since: Timestamp::from_millis(since),
            })
        })
        .collect()
}

/// Tells running servers to drop these games from memory. `condition` is an SQL condition on
/// `games`.
pub(crate) async fn mark_stale(
    connection: &mut SqliteConnection,
    condition: &'static str,
    value: i64,
) -> RawResult<()> {
    let now = Timestamp::now().as_millis();
    let sql = "DELETE FROM stale_games WHERE at < $1";
    execute!(&mut *connection, sql, now - STALE_TTL_MS)?;
    let sql = format!(
        "INSERT INTO stale_games (uid, at)
         SELECT uid, $2 FROM games
         WHERE {condition} AND EXISTS (SELECT 1 FROM sitters WHERE sitters.game = games.id)"
    );
    execute!(connection, sqlx::AssertSqlSafe(sql), value, now)?;
    Ok(())
}
