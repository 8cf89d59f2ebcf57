//! `cargo xtask windows`: does what runs on Windows still compile for it? Nothing is linked
//! and nothing is run. Outside bots can't play there yet: the arena refuses them.
//!
//! Rust's own build of the standard library for that target is used. (Debian's compiler
//! with its sources, `rustc-web` and `rust-web-src`, is older than what the workspace
//! needs.) The C of SQLite and Zstandard needs a C compiler for Windows.

use std::process::Command;

use crate::{Done, cargo, checks, run, works};

const TARGET: &str = "x86_64-pc-windows-gnu";
const C_COMPILER: &str = "x86_64-w64-mingw32-gcc";
/// Debian's name of the package that has it.
const C_PACKAGE: &str = "gcc-mingw-w64-x86-64";

/// What must compile: every crate of the program and of the Python package.
const PACKAGES: [&str; 9] = [
    "noughts-rules",
    "noughts-engine",
    "noughts-store",
    "noughts-arena",
    "noughts-pictures",
    "noughts-session",
    "noughts-server",
    "noughts",
    "noughts-python",
];

pub(crate) fn check() -> Done {
    if !works(Command::new(C_COMPILER).arg("--version")) {
        checks::packages(&[C_PACKAGE])?;
    }
    run(
        "installing the standard library for Windows",
        Command::new("rustup").args(["target", "add", TARGET]),
    )?;
    let mut command = cargo();
    command.args(["check", "--target", TARGET]);
    for package in PACKAGES {
        command.args(["--package", package]);
    }
    run(
        "checking for Windows",
        command
            .args(["--lib", "--bins"])
            // Python isn't asked for anything: the package uses its stable interface.
            .env("PYO3_NO_PYTHON", "1")
            .env("RUSTFLAGS", "-D warnings"),
    )
}
