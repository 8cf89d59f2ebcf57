//! Who planned a tournament, and on which machine. A plan contains command lines and a database can
//! be copied, so command lines written by somebody else aren't run without asking.

use std::fmt;
use std::path::Path;

use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};
use noughts_arena::{BotSource, Plan, Program};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::key_file;

/// Who planned a tournament, and where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct PlanAuthor {
    user: String,
    machine: String,
    /// A MAC of the plan's programs with a key that only this user can read: names alone could be
    /// forged by anybody who hands out a database. Empty without programs or without a key.
    seal: String,
}

impl PlanAuthor {
    /// This user on this machine.
    pub(crate) fn current(plan: &Plan) -> PlanAuthor {
        PlanAuthor::with_key(plan, user_key)
    }

    /// Has this user accepted the programs of this plan on this machine? Without a key that can't
    /// be known, and every plan with programs counts as foreign.
    pub(crate) fn is_current(&self, plan: &Plan) -> bool {
        self.matches_key(plan, user_key)
    }

    fn with_key(plan: &Plan, key: impl FnOnce() -> Option<[u8; 32]>) -> PlanAuthor {
        PlanAuthor {
            user: user(),
            machine: machine(),
            seal: seal(plan, key).unwrap_or_default(),
        }
    }

    fn matches_key(&self, plan: &Plan, key: impl FnOnce() -> Option<[u8; 32]>) -> bool {
        match seal(plan, key) {
            Some(seal) => self.seal == seal,
            None => programs(plan).is_empty(),
        }
    }
}

/// `alice on castle`, without terminal control characters.
impl fmt::Display for PlanAuthor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |text: &str| -> String {
            let text = text.chars().take(60);
            text.map(|c| if c.is_ascii_graphic() { c } else { '?' })
                .collect()
        };
        write!(f, "{} on {}", plain(&self.user), plain(&self.machine))
    }
}

fn programs(plan: &Plan) -> Vec<&Program> {
    let bots = plan.bots.iter();
    bots.filter_map(|bot| match &bot.source {
        BotSource::Program(program) => Some(program),
        BotSource::Builtin(_) | BotSource::Custom => None,
    })
    .collect()
}

/// `None` for plans without programs: the key is created only if it is needed.
fn seal(plan: &Plan, key: impl FnOnce() -> Option<[u8; 32]>) -> Option<String> {
    let programs = programs(plan);
    if programs.is_empty() {
        return None;
    }
    let key = key()?;
    let programs = serde_json::to_string(&programs).ok()?;
    let inner = Sha256::new()
        .chain_update(key)
        .chain_update(programs)
        .finalize();
    let outer = Sha256::new().chain_update(key).chain_update(inner);
    let outer = outer.finalize();
    Some(outer.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// This user's key, which authenticates their own plans; `None` if it can't be stored or read. It is
/// in the program's configuration folder, which isn't part of a copy of the data folder.
fn user_key() -> Option<[u8; 32]> {
    let folder = choose_native_strategy().ok()?.config_dir().join("noughts");
    key_file::read_or_create(&folder.join("arena-key")).ok()
}

fn user() -> String {
    let variable = if cfg!(windows) { "USERNAME" } else { "USER" };
    std::env::var(variable).unwrap_or_else(|_| unnamed_user())
}

#[cfg(unix)]
fn unnamed_user() -> String {
    format!("user {id}", id = rustix::process::getuid().as_raw())
}

#[cfg(not(unix))]
fn unnamed_user() -> String {
    "unknown user".into()
}

#[cfg(unix)]
fn machine() -> String {
    let system = rustix::system::uname();
    system.nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn machine() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "unknown machine".into())
}

/// Does this file belong to the current user?
#[cfg(unix)]
pub(crate) fn is_owned_by_user(file: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let uid = rustix::process::getuid().as_raw();
    file.metadata().is_ok_and(|metadata| metadata.uid() == uid)
}

/// Does this file belong to the current user? Unknown on this platform.
#[cfg(not(unix))]
pub(crate) fn is_owned_by_user(_: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(command: &str) -> Plan {
        let text = format!(
            r#"{{"variant": "classic", "format": "round-robin", "rounds": 1, "openings": "start",
                "bots": [
                    {{"name": "a", "who": {{"program": {{"protocol": "ugi", "command": "{command}",
                     "arguments": [], "directory": null, "options": {{}}, "threads": 1}}}}}},
                    {{"name": "b", "who": {{"ours": {{"kind": "easy", "threads": 1, "hash": 1}}}}}}
                ],
                "pace": "nodes=10", "margin_ms": 20, "patience_ms": 5000, "seed": 7,
                "adjudication": {{"exact": false}}, "scoring": "points"}}"#
        );
        serde_json::from_str(&text).expect("a plan")
    }

    /// A seal isn't valid for other command lines, users or machines.
    #[test]
    fn a_seal_is_valid_only_for_its_programs_and_user() {
        let key = || Some([7; 32]);
        let mine = plan("./bot");
        let author = PlanAuthor::with_key(&mine, key);
        assert!(author.matches_key(&mine, key));
        let mut longer = mine.clone();
        longer.rounds = 100;
        assert!(
            author.matches_key(&longer, key),
            "more games run nothing else"
        );
        assert!(!author.matches_key(&plan("./evil"), key));
        let other_user = PlanAuthor {
            seal: PlanAuthor::with_key(&mine, || Some([8; 32])).seal,
            ..author.clone()
        };
        assert!(!other_user.matches_key(&mine, key));
        let json = serde_json::to_string(&author).expect("plain text");
        assert_eq!(
            serde_json::from_str::<PlanAuthor>(&json).expect("its own"),
            author
        );
    }

    /// Guards against accepting a plan as the user's own because the seal couldn't be checked.
    #[test]
    fn without_a_key_every_plan_with_programs_is_foreign() {
        let mine = plan("./bot");
        let unsealed = PlanAuthor::with_key(&mine, || None);
        assert_eq!(unsealed.seal, "");
        assert!(!unsealed.matches_key(&mine, || None));
        assert!(!unsealed.matches_key(&mine, || Some([7; 32])));
        assert!(!PlanAuthor::with_key(&mine, || Some([7; 32])).matches_key(&mine, || None));
    }

    /// Guards against creating a key that isn't needed.
    #[test]
    fn a_plan_without_programs_needs_no_key() {
        let mut without_programs = plan("./bot");
        without_programs.bots.remove(0);
        let no_key = || -> Option<[u8; 32]> { panic!("nobody asks for it") };
        assert!(
            PlanAuthor::with_key(&without_programs, no_key).matches_key(&without_programs, no_key)
        );
    }

    #[test]
    fn names_contain_no_terminal_control_characters() {
        let author = PlanAuthor {
            user: "a\u{1b}[31m".into(),
            machine: "b\u{202e}".into(),
            seal: String::new(),
        };
        assert_eq!(author.to_string(), "a?[31m on b?");
    }
}
