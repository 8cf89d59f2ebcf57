//! Access control: only tokens issued by this server whose session hasn't ended are accepted, and
//! banned visitors are rejected. Other programs also end sessions and ban visitors by writing to
//! the same store, so it's read again every second.

use std::collections::HashSet;
use std::net::IpAddr;

use noughts_store::{AccessChangeCursor, Ban, Store, StoreError, Timestamp, VisitorId};
use parking_lot::RwLock;
use tokio::sync::{OnceCell, watch};

use super::token::{Day, SignedToken, TokenKey, day_of, start_of};
use super::visitor::Visitor;
use crate::error::{ApiError, ApiErrorKind};

/// The purpose under which the store has the key.
const PURPOSE: &str = "tokens";

/// The setting for the day on which the server started to date its tokens.
const DATED_SINCE: &str = "tokens are dated since";

/// Decides which visitors have access.
#[derive(Default)]
pub(crate) struct AccessControl {
    key: OnceCell<TokenKey>,
    rules: RwLock<AccessRules>,
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct AccessRules {
    marks: AccessChangeCursor,
    ended: HashSet<VisitorId>,
    bans: Vec<Ban>,
}

impl AccessControl {
    /// Reads what is needed to identify visitors; later calls do nothing. Deletes ended sessions
    /// whose tokens have expired.
    pub(crate) async fn load(&self, store: &Store) -> Result<(), ApiError> {
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

    /// Reads what has changed in the store. Returns the games that the operator deleted or changed.
    pub(crate) async fn refresh(&self, store: &Store) -> Result<Vec<String>, StoreError> {
        let marks = self.rules.read().marks;
        let changes = store.access_changes_since(marks).await?;
        if changes.cursor == marks {
            return Ok(Vec::new());
        }
        let mut rules = self.rules.write();
        rules.marks = changes.cursor;
        rules.ended.extend(changes.ended_sessions);
        if let Some(bans) = changes.bans {
            rules.bans = bans;
        }
        drop(rules);
        self.changed.send_replace(());
        Ok(changes.stale_games)
    }

    pub(crate) fn issue_token(&self) -> Result<SignedToken, ApiError> {
        self.key()?.issue(today())
    }

    /// Was the token issued here within the last year, and is its session still valid?
    pub(super) fn accepts(&self, token: &SignedToken) -> Result<bool, ApiError> {
        let is_ours = self.key()?.accepts(token, today());
        let visitor = VisitorId::from_hash(&token.hash());
        Ok(is_ours && !self.rules.read().ended.contains(&visitor))
    }

    /// Ends a visitor's session: the token is never accepted again.
    pub(crate) async fn end_session(
        &self,
        store: &Store,
        visitor: VisitorId,
    ) -> Result<(), ApiError> {
        store.end_session(visitor).await?;
        self.rules.write().ended.insert(visitor);
        self.changed.send_replace(());
        Ok(())
    }

    /// Rejects banned addresses.
    pub(super) fn check_address(&self, address: IpAddr) -> Result<(), ApiError> {
        let rules = self.rules.read();
        rules.check_bans(|ban| ban.target.covers_address(address))
    }

    /// Rejects banned visitors and those whose session has ended.
    pub(super) fn check_visitor(&self, visitor: &Visitor) -> Result<(), ApiError> {
        let rules = self.rules.read();
        let (id, address) = (visitor.id(), visitor.owner.address);
        rules.check_bans(|ban| ban.target.covers(id, address))?;
        match rules.ended.contains(&id) {
            true => Err(unknown_token()),
            false => Ok(()),
        }
    }

    /// Waits until a visitor loses access. Returns the reason.
    pub(crate) async fn wait_until_revoked(&self, visitor: Visitor) -> ApiError {
        let mut changed = self.changed.subscribe();
        loop {
            if let Err(error) = self.check_visitor(&visitor) {
                return error;
            }
            // The sender lives as long as `self`.
            let _ = changed.changed().await;
        }
    }

    fn key(&self) -> Result<&TokenKey, ApiError> {
        let key = self.key.get();
        key.ok_or_else(|| ApiErrorKind::Internal.error("the token key isn't loaded"))
    }

    /// A token that is the same for the same number.
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

/// The day on which this server started to date its tokens.
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

/// The error for a token that isn't accepted.
pub(super) fn unknown_token() -> ApiError {
    ApiErrorKind::UnknownToken.error(
        "this token wasn't issued by this server, is older than a year, or its session has ended; \
         get a new one with POST /api/v1/token",
    )
}

impl AccessRules {
    fn check_bans(&self, is_covered: impl Fn(&&Ban) -> bool) -> Result<(), ApiError> {
        let Some(ban) = self.bans.iter().find(is_covered) else {
            return Ok(());
        };
        let reason = ban.reason.as_deref();
        let reason = reason.map_or_else(String::new, |reason| format!(" ({reason})"));
        let message =
            format!("you're banned from this server{reason}; its operator can lift the ban");
        Err(ApiErrorKind::Banned.error(message))
    }
}
