//! `cargo xtask windows`: does what runs on Windows still compile for it? Nothing is linked
//! and nothing is run. Outside bots can't play there yet: the arena refuses them.
//!
//! The standard library for that target comes from rustup. Where rustup can't have it, Debian's
//! compiler builds it from Debian's sources. The C of SQLite and Zstandard needs a C compiler
//! for Windows.

use std::path::Path;
use std::process::Command;

use crate::{TaskResult, cargo, root, run, succeeds, tools};

const TARGET: &str = "x86_64-pc-windows-gnu";
const C_COMPILER: &str = "x86_64-w64-mingw32-gcc";
/// Debian's name of the package that has it.
const C_PACKAGE: &str = "gcc-mingw-w64-x86-64";

/// Debian's current compiler, and the sources of its standard library.
const DEBIAN: [&str; 3] = ["cargo-web", "rustc-web", "rust-web-src"];
const DEBIAN_SOURCES: &str = "/usr/lib/rustlib/src";

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

pub(crate) fn check() -> TaskResult {
    if !succeeds(Command::new(C_COMPILER).arg("--version")) {
        tools::install_packages(&[C_PACKAGE])?;
    }
    let has_library = succeeds(Command::new("rustup").args(["target", "add", TARGET]));
    let mut command = match has_library {
        true => cargo(),
        false => debian()?,
    };
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

/// Debian's cargo, which builds the standard library first.
fn debian() -> Result<Command, String> {
    if !Path::new(DEBIAN_SOURCES).exists() || !Path::new("/usr/bin/cargo").exists() {
        tools::install_packages(&DEBIAN)?;
    }
    let mut command = Command::new("/usr/bin/cargo");
    command
        .args(["-Z", "build-std=std,panic_unwind"])
        .env("CARGO_TARGET_DIR", root().join("target/windows"))
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove("RUSTUP_TOOLCHAIN");
    Ok(command)
}
