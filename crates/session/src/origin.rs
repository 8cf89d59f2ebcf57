//! Who planned a tournament, and on which machine. A plan holds command lines, and a
//! database can be copied: command lines of somebody else aren't run without asking.

use std::fmt;
use std::path::Path;

use noughts_arena::{Plan, Program, Who};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Where a plan comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    user: String,
    machine: String,
    /// Follows from the plan's programs and from what only this machine knows of itself:
    /// names alone could be forged by whoever hands out a database.
    seal: String,
}

impl Origin {
    /// This user on this machine.
    #[must_use]
    pub fn here(plan: &Plan) -> Origin {
        Origin {
            user: user(),
            machine: machine(),
            seal: seal(plan, &secret()),
        }
    }

    /// Did this user accept the programs of this plan on this machine before?
    #[must_use]
    pub fn is_here(&self, plan: &Plan) -> bool {
        self.seal == seal(plan, &secret())
    }

    pub(crate) fn read(plan: &Value) -> Option<Origin> {
        let origin = plan.get("origin")?;
        let text = |key: &str| Some(origin.get(key)?.as_str()?.to_owned());
        Some(Origin {
            user: text("user")?,
            machine: text("machine")?,
            seal: text("seal")?,
        })
    }

    pub(crate) fn json(&self) -> Value {
        json!({"user": self.user, "machine": self.machine, "seal": self.seal})
    }
}

/// `alice on castle`, without anything that a terminal would obey.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |text: &str| -> String {
            let text = text.chars().take(60);
            text.map(|c| if c.is_ascii_graphic() { c } else { '?' })
                .collect()
        };
        write!(f, "{} on {}", plain(&self.user), plain(&self.machine))
    }
}

fn seal(plan: &Plan, secret: &str) -> String {
    let programs: Vec<&Program> = plan
        .bots
        .iter()
        .filter_map(|bot| match &bot.who {
            Who::Program(program) => Some(program),
            Who::Ours(_) | Who::Guest => None,
        })
        .collect();
    let programs = serde_json::to_string(&programs).unwrap_or_default();
    let inner = Sha256::digest(format!("{secret}\0{programs}"));
    let outer = Sha256::new()
        .chain_update(secret)
        .chain_update(inner)
        .finalize();
    outer.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What this machine and this user are known by here, and nowhere else.
fn secret() -> String {
    let files = ["/etc/machine-id", "/var/lib/dbus/machine-id"];
    let id = files
        .iter()
        .find_map(|file| {
            let text = std::fs::read_to_string(file).ok()?;
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        })
        .unwrap_or_else(machine);
    format!("noughts arena\0{id}\0{}", user_id())
}

#[cfg(unix)]
fn user_id() -> String {
    rustix::process::getuid().as_raw().to_string()
}

#[cfg(not(unix))]
fn user_id() -> String {
    user()
}

fn user() -> String {
    let variable = if cfg!(windows) { "USERNAME" } else { "USER" };
    std::env::var(variable).unwrap_or_else(|_| unnamed_user())
}

#[cfg(unix)]
fn unnamed_user() -> String {
    format!("user {}", user_id())
}

#[cfg(not(unix))]
fn unnamed_user() -> String {
    "somebody".into()
}

#[cfg(unix)]
fn machine() -> String {
    let system = rustix::system::uname();
    system.nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn machine() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "an unnamed machine".into())
}

/// Does this file belong to whoever runs this program?
#[cfg(unix)]
#[must_use]
pub fn is_own(file: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let uid = rustix::process::getuid().as_raw();
    file.metadata().is_ok_and(|about| about.uid() == uid)
}

/// Does this file belong to whoever runs this program? Here nobody can tell.
#[cfg(not(unix))]
#[must_use]
pub fn is_own(_: &Path) -> bool {
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

    /// A seal is of no use for other command lines, nor on another machine.
    #[test]
    fn a_seal_holds_for_its_programs_and_its_machine_only() {
        let mine = plan("./bot");
        let origin = Origin::here(&mine);
        assert!(origin.is_here(&mine));
        let mut longer = mine.clone();
        longer.rounds = 100;
        assert!(origin.is_here(&longer), "more games run nothing else");
        assert!(!origin.is_here(&plan("./evil")));
        let elsewhere = Origin {
            seal: seal(&mine, "another machine"),
            ..origin.clone()
        };
        assert!(!elsewhere.is_here(&mine));
        assert_eq!(
            Origin::read(&json!({"origin": origin.json()})),
            Some(origin)
        );
    }

    #[test]
    fn names_do_nothing_to_a_terminal() {
        let origin = Origin {
            user: "a\u{1b}[31m".into(),
            machine: "b\u{202e}".into(),
            seal: String::new(),
        };
        assert_eq!(origin.to_string(), "a?[31m on b?");
    }
}
