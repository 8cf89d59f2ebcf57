//! `cargo xtask windows`: checks that everything that runs on Windows compiles for it. Nothing is
//! linked or run. External bots can't play there yet: the arena rejects them.
//!
//! The standard library for the target comes from rustup. If rustup can't provide it, Debian's
//! compiler builds it from Debian's sources. The C code of SQLite and Zstandard needs a C compiler
//! for Windows.

use std::path::Path;
use std::process::Command;

use crate::{TaskResult, cargo, root, run, succeeds, tools};

const TARGET: &str = "x86_64-pc-windows-gnu";
const C_COMPILER: &str = "x86_64-w64-mingw32-gcc";
/// The Debian package that provides it.
const C_PACKAGE: &str = "gcc-mingw-w64-x86-64";

/// Debian's current compiler, and the sources of its standard library.
const DEBIAN_PACKAGES: [&str; 3] = ["cargo-web", "rustc-web", "rust-web-src"];
const DEBIAN_SOURCES: &str = "/usr/lib/rustlib/src";

/// The packages that must compile: every crate of the program and the Python package.
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
        true => cargo("check"),
        false => debian_cargo()?,
    };
    for package in PACKAGES {
        command.args(["--package", package]);
    }
    run(
        "checking for Windows",
        command
            .args(["--lib", "--bins", "--target", TARGET])
            // No Python is needed: the package uses the stable ABI.
            .env("PYO3_NO_PYTHON", "1")
            .env("RUSTFLAGS", "-D warnings"),
    )
}

/// Debian's cargo, which builds the standard library first.
fn debian_cargo() -> Result<Command, String> {
    if !Path::new(DEBIAN_SOURCES).exists() || !Path::new("/usr/bin/cargo").exists() {
        tools::install_packages(&DEBIAN_PACKAGES)?;
    }
    let mut command = Command::new("/usr/bin/cargo");
    command
        .args(["check", "-Z", "build-std=std,panic_unwind"])
        .env("CARGO_TARGET_DIR", root().join("target/windows"))
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove("RUSTUP_TOOLCHAIN");
    Ok(command)
}
