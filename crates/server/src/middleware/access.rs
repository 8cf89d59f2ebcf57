//! Who is let in: tokens that this server issued, sessions that weren't ended, nobody who
//! is banned. Sessions are ended and visitors banned by other programs, too, which write
//! to the same store: it is read again every second.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use noughts_store::{AccessCursor, Ban, Store, StoreError, Timestamp, VisitorId};
use tokio::sync::{OnceCell, watch};

use super::token::{Day, Token, TokenKey, day_of, start_of};
use super::visitor::Visitor;
use crate::error::{Error, Kind};

/// What the key in the store is for.
const PURPOSE: &str = "tokens";

/// Where the store has the day on which the server first dated its tokens.
const DATED_SINCE: &str = "tokens are dated since";

/// Who is let in.
pub(crate) struct AccessControl {
    key: OnceCell<TokenKey>,
    rules: RwLock<Rules>,
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct Rules {
    marks: AccessCursor,
    ended: HashSet<VisitorId>,
    bans: Vec<Ban>,
}

impl Default for AccessControl {
    fn default() -> AccessControl {
        AccessControl {
            key: OnceCell::new(),
            rules: RwLock::default(),
            changed: watch::Sender::new(()),
        }
    }
}

impl AccessControl {
    /// Reads what is needed before anybody can be recognized; once is enough. Forgets ended
    /// sessions whose tokens have expired.
    pub(crate) async fn load(&self, store: &Store) -> Result<(), Error> {
        let load = async {
            let key = store.server_key(PURPOSE).await?;
            let key = TokenKey::new(key, dated_since(store).await?);
            if let Some(day) = key.expired_before(today()) {
                store.delete_ended_sessions(start_of(day)).await?;
            }
            self.refresh(store).await?;
            Ok::<_, StoreError>(key)
        };
        self.key.get_or_try_init(|| load).await?;
        Ok(())
    }

    /// Reads what has changed in the store. Returns the games that were deleted or
    /// changed by the operator.
    pub(crate) async fn refresh(&self, store: &Store) -> Result<Vec<String>, StoreError> {
        let since = self.rules().marks;
        let news = store.access_changes_since(since).await?;
        if news.cursor == since {
            return Ok(Vec::new());
        }
        let mut rules = self.rules.write().unwrap_or_else(PoisonError::into_inner);
        rules.marks = news.cursor;
        rules.ended.extend(news.ended_sessions);
        if let Some(bans) = news.bans {
            rules.bans = bans;
        }
        drop(rules);
        self.changed.send_replace(());
        Ok(news.stale_games)
    }

    /// A new token.
    pub(crate) fn issue_token(&self) -> Result<Token, Error> {
        self.key()?.issue(today())
    }

    /// Was it issued here in the last year, and does its session go on?
    pub(super) fn accepts(&self, token: &Token) -> Result<bool, Error> {
        let is_ours = self.key()?.accepts(token, today());
        Ok(is_ours
            && !self
                .rules()
                .ended
                .contains(&VisitorId::from_hash(&token.hash())))
    }

    /// Ends a visitor's session: the token is never accepted again.
    pub(crate) async fn end_session(&self, store: &Store, visitor: VisitorId) -> Result<(), Error> {
        store.end_session(visitor).await?;
        let mut rules = self.rules.write().unwrap_or_else(PoisonError::into_inner);
        rules.ended.insert(visitor);
        drop(rules);
        self.changed.send_replace(());
        Ok(())
    }

    /// Turns away those whose address is banned.
    pub(super) fn check_address(&self, address: IpAddr) -> Result<(), Error> {
        let rules = self.rules();
        let mut bans = rules.bans.iter();
        match bans.find(|ban| ban.target.covers_address(address)) {
            Some(ban) => Err(banned(ban)),
            None => Ok(()),
        }
    }

    /// Turns away those who are banned, and those whose session was ended.
    pub(super) fn check_visitor(&self, visitor: &Visitor) -> Result<(), Error> {
        let rules = self.rules();
        let (id, address) = (visitor.id(), visitor.address());
        let mut bans = rules.bans.iter();
        if let Some(ban) = bans.find(|ban| ban.target.covers(id, address)) {
            return Err(banned(ban));
        }
        match rules.ended.contains(&id) {
            true => Err(unknown_token()),
            false => Ok(()),
        }
    }

    /// Waits until a visitor who was let in no longer is; returns why.
    pub(crate) async fn wait_until_revoked(&self, visitor: Visitor) -> Error {
        let mut changed = self.changed.subscribe();
        loop {
            if let Err(error) = self.check_visitor(&visitor) {
                return error;
            }
            // The sender lives as long as this.
            let _ = changed.changed().await;
        }
    }

    fn key(&self) -> Result<&TokenKey, Error> {
        let key = self.key.get();
        key.ok_or_else(|| Error::new(Kind::Internal, "the key for tokens was not read"))
    }

    fn rules(&self) -> RwLockReadGuard<'_, Rules> {
        self.rules.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The token that this number always gets.
    #[cfg(test)]
    pub(crate) fn token_of(&self, number: u8) -> String {
        // The same for all servers of a test, before and after midnight.
        static DAY: std::sync::OnceLock<Day> = std::sync::OnceLock::new();
        let key = self.key.get().expect("it was loaded");
        key.sign(*DAY.get_or_init(today), [number; 14]).to_hex()
    }
}

fn today() -> Day {
    day_of(Timestamp::now())
}

/// The day on which this server first dated its tokens.
async fn dated_since(store: &Store) -> Result<Day, StoreError> {
    let stored = store.preference(DATED_SINCE).await?;
    if let Some(day) = stored.and_then(|day| day.parse().ok()) {
        return Ok(day);
    }
    let today = today();
    store
        .set_preference(DATED_SINCE, &today.to_string())
        .await?;
    Ok(today)
}

/// Why a token isn't accepted.
pub(super) fn unknown_token() -> Error {
    Error::new(
        Kind::UnknownToken,
        "this token wasn't issued by this server, is older than a year, or its session has ended; \
         POST /api/v1/token gives a new one",
    )
}

fn banned(ban: &Ban) -> Error {
    let reason = ban.reason.as_deref();
    let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
    let message = format!("you are banned from this server{reason}; its operator can lift that");
    Error::new(Kind::Banned, message)
}
