//! `noughts players ban`, `unban`, `bans` and `end-session`: who may use the server. A running
//! server reads the same store and applies changes within a second or two.

use clap::Args;
use noughts_store::{Ban, BanTarget, VisitorId};
use serde::Serialize;
use serde_json::json;

use crate::columns::{Align, align_columns};
use crate::data::DataArgs;
use crate::error::CliError;
use crate::output;
use crate::store_handle::StoreHandle;

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
pub(super) struct AddBan {
    /// Address (203.0.113.7), network (203.0.113.0/24, 2001:db8::/48) or visitor (16 hexadecimal digits,
    /// from `noughts games show` or the server's log)
    #[arg(value_name = "TARGET")]
    target: BanTarget,

    /// Reason, shown to banned visitors
    #[arg(long, value_name = "TEXT", value_parser = parse_reason)]
    reason: Option<String>,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// Lift a ban
#[derive(Args)]
#[command(after_help = "Example: noughts players unban 203.0.113.0/24")]
pub(super) struct Unban {
    /// Address, network or visitor, as listed by `noughts players bans`
    #[arg(value_name = "TARGET")]
    target: BanTarget,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// List banned visitors and addresses
#[derive(Args)]
#[command(after_help = "Example: noughts players bans --json")]
pub(super) struct Bans {
    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// End a visitor's session
///
/// The visitor's cookie or token is no longer accepted. They aren't banned and can return as a new
/// visitor. A running server ends the session within a second or two. This can't be undone.
#[derive(Args)]
#[command(after_help = "Example: noughts players end-session 9f86d081884c7d65")]
pub(super) struct EndSession {
    /// Visitor: 16 hexadecimal digits, from `noughts games show` or the server's log
    #[arg(value_name = "VISITOR")]
    visitor: VisitorId,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

fn parse_reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    let count = text.chars().count();
    match (1..=MAX_REASON_LENGTH).contains(&count) {
        true => Ok(text.into()),
        false => Err(format!("must have 1 to {MAX_REASON_LENGTH} characters")),
    }
}

/// A ban, in JSON.
#[derive(Serialize)]
struct BanJson {
    target: String,
    kind: &'static str,
    reason: Option<String>,
    since: String,
}

impl From<&Ban> for BanJson {
    fn from(ban: &Ban) -> BanJson {
        BanJson {
            target: ban.target.to_string(),
            kind: kind(ban.target),
            reason: ban.reason.clone(),
            since: ban.since.to_string(),
        }
    }
}

fn kind(target: BanTarget) -> &'static str {
    match target {
        BanTarget::Visitor(_) => "visitor",
        BanTarget::Network(_) => "network",
    }
}

impl AddBan {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let handle = StoreHandle::open(&self.data.dir()?)?;
        let target = self.target;
        let banned = handle.store().ban(target, self.reason.as_deref());
        let is_new = handle.block_on(banned)?;
        if self.json {
            let target = target.to_string();
            return output::print_json(&json!({"banned": target, "new": is_new}));
        }
        let already = if is_new { "" } else { " already" };
        output::print(&format!("{target} is{already} banned\n"))
    }
}

impl Unban {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let handle = StoreHandle::open(&self.data.dir()?)?;
        let target = self.target;
        if !handle.block_on(handle.store().unban(target))? {
            return Err(CliError::Failure(format!(
                "{target} isn't banned; `noughts players bans` lists all bans"
            )));
        }
        if self.json {
            return output::print_json(&json!({"unbanned": target.to_string()}));
        }
        output::print(&format!("{target} is no longer banned\n"))
    }
}

impl Bans {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let handle = StoreHandle::open_read_only(&self.data.dir()?)?;
        let bans = handle.block_on(handle.store().bans())?;
        if self.json {
            let bans: Vec<BanJson> = bans.iter().map(BanJson::from).collect();
            return output::print_json(&json!({"bans": bans}));
        }
        if bans.is_empty() {
            output::note("no visitors or addresses are banned");
            return Ok(());
        }
        let mut rows = vec![["banned", "since", "reason"].map(String::from).to_vec()];
        rows.extend(bans.iter().map(|ban| {
            let reason = ban.reason.clone().unwrap_or_default();
            vec![ban.target.to_string(), ban.since.to_local_string(), reason]
        }));
        output::print(&align_columns(
            &[Align::Left, Align::Left, Align::Left],
            &rows,
        ))
    }
}

impl EndSession {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let handle = StoreHandle::open(&self.data.dir()?)?;
        let visitor = self.visitor;
        let is_new = handle.block_on(handle.store().end_session(visitor))?;
        if self.json {
            let visitor = visitor.to_string();
            return output::print_json(&json!({"ended": visitor, "new": is_new}));
        }
        let already = if is_new { "" } else { " already" };
        output::print(&format!("the session of {visitor} has{already} ended\n"))
    }
}
