//! `noughts players ban`, `unban`, `bans` and `end-session`: who may use the server. A running
//! server reads the same store and applies changes within a second or two.

use clap::Args;
use noughts_store::{Ban, BanTarget, Store, VisitorId};
use serde_json::json;

use crate::columns::table;
use crate::data::StoreArgs;
use crate::error::CliError;
use crate::output;

/// The maximum length of a reason in characters, because banned visitors see it.
const MAX_REASON_LENGTH: usize = 200;

/// Ban a visitor or an address from the server
///
/// Banned visitors get an error on every page and request, and their open connections are closed. A
/// running server applies the ban within a second or two. A visitor can return with a new cookie; if they
/// do, ban the address, too.
#[derive(Args)]
#[command(
    after_help = "Examples: noughts players ban 203.0.113.0/24 --reason spam\n          noughts players ban 9f86d081884c7d65"
)]
pub(super) struct BanArgs {
    /// Address (203.0.113.7), network (203.0.113.0/24, 2001:db8::/48) or visitor (16 hexadecimal digits,
    /// from `noughts games show` or the server's log)
    #[arg(value_name = "TARGET")]
    target: BanTarget,

    /// Reason, shown to banned visitors
    #[arg(long, value_name = "TEXT", value_parser = parse_reason)]
    reason: Option<String>,

    #[command(flatten)]
    store: StoreArgs,
}

/// Lift a ban
#[derive(Args)]
#[command(after_help = "Example: noughts players unban 203.0.113.0/24")]
pub(super) struct UnbanArgs {
    /// Address, network or visitor, as listed by `noughts players bans`
    #[arg(value_name = "TARGET")]
    target: BanTarget,

    #[command(flatten)]
    store: StoreArgs,
}

/// List banned visitors and addresses
#[derive(Args)]
#[command(after_help = "Example: noughts players bans --json")]
pub(super) struct ListBansArgs {
    #[command(flatten)]
    store: StoreArgs,
}

/// End a visitor's session
///
/// The visitor's cookie or token is no longer accepted. They aren't banned and can return as a new
/// visitor. A running server ends the session within a second or two. This can't be undone.
#[derive(Args)]
#[command(after_help = "Example: noughts players end-session 9f86d081884c7d65")]
pub(super) struct EndSessionArgs {
    /// Visitor: 16 hexadecimal digits, from `noughts games show` or the server's log
    #[arg(value_name = "VISITOR")]
    visitor: VisitorId,

    #[command(flatten)]
    store: StoreArgs,
}

fn parse_reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    let count = text.chars().count();
    match (1..=MAX_REASON_LENGTH).contains(&count) {
        true => Ok(text.into()),
        false => Err(format!("must have 1 to {MAX_REASON_LENGTH} characters")),
    }
}

impl BanArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let handle = self.store.open()?;
        let target = self.target;
        let is_new = handle.query(|store| store.ban(target, self.reason.as_deref()))?;
        if self.store.json {
            let target = target.to_string();
            return output::print_json(&json!({"banned": target, "new": is_new}));
        }
        let already = if is_new { "" } else { " already" };
        output::print(&format!("{target} is{already} banned\n"))
    }
}

impl UnbanArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let handle = self.store.open()?;
        let target = self.target;
        if !handle.query(|store| store.unban(target))? {
            return Err(CliError::Failure(format!(
                "{target} isn't banned; `noughts players bans` lists all bans"
            )));
        }
        if self.store.json {
            return output::print_json(&json!({"unbanned": target.to_string()}));
        }
        output::print(&format!("{target} is no longer banned\n"))
    }
}

impl ListBansArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let handle = self.store.open_read_only()?;
        let bans = handle.query(Store::bans)?;
        if self.store.json {
            let ban = |ban: &Ban| {
                json!({
                    "target": ban.target.to_string(),
                    "kind": match ban.target {
                        BanTarget::Visitor(_) => "visitor",
                        BanTarget::Network(_) => "network",
                    },
                    "reason": ban.reason,
                    "since": ban.since.to_string(),
                })
            };
            let bans: Vec<_> = bans.iter().map(ban).collect();
            return output::print_json(&json!({"bans": bans}));
        }
        if bans.is_empty() {
            output::note("no visitors or addresses are banned");
            return Ok(());
        }
        let rows = bans.iter().map(|ban| {
            let reason = ban.reason.clone().unwrap_or_default();
            [ban.target.to_string(), ban.since.to_local_string(), reason]
        });
        output::print(&table(["banned", "since", "reason"], rows))
    }
}

impl EndSessionArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let handle = self.store.open()?;
        let visitor = self.visitor;
        let is_new = handle.query(|store| store.end_session(visitor))?;
        if self.store.json {
            let visitor = visitor.to_string();
            return output::print_json(&json!({"ended": visitor, "new": is_new}));
        }
        let already = if is_new { "" } else { " already" };
        output::print(&format!("the session of {visitor} has{already} ended\n"))
    }
}
