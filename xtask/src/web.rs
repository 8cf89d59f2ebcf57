//! Checks the scripts of the web page: their types, and common mistakes. The tools come from npm
//! and are only needed here: the page is served as it is written.

use std::fs;
use std::process::Command;

use crate::{TaskResult, root, run};

/// Installs the versions in the lock file, unless they are installed.
pub(crate) fn install() -> TaskResult {
    let lock = fs::read_to_string(root().join("web/package-lock.json"))
        .map_err(|error| format!("reading the packages of the web page ({error})"))?;
    let stamp = root().join("web/node_modules/installed.json");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    run(
        "installing the tools that check the scripts",
        Command::new("npm").args(["ci", "--prefix", "web", "--no-audit", "--no-fund"]),
    )?;
    // Written last, so that an interrupted installation is repeated.
    fs::write(stamp, lock).map_err(|error| format!("writing the package list ({error})"))
}

pub(crate) fn check() -> TaskResult {
    run(
        "types and style of the scripts",
        Command::new("npm").args(["run", "check", "--silent", "--prefix", "web"]),
    )
}
