//! `cargo xtask windows` and `cargo xtask wasm`: check that what runs on another target compiles for
//! it. Nothing is linked or run. External bots can't play on Windows yet: the arena rejects them.
//!
//! The standard library for a target comes from rustup. If rustup can't provide it, Debian's
//! compiler builds it from Debian's sources. For Windows, the C code of SQLite and Zstandard needs a
//! C compiler, too; nothing that compiles for WebAssembly contains C code.

use std::path::Path;
use std::process::Command;

use crate::{TaskResult, cargo, root, run, succeeds, tools};

const C_COMPILER: &str = "x86_64-w64-mingw32-gcc";
/// The Debian package that provides it.
const C_PACKAGE: &str = "gcc-mingw-w64-x86-64";

/// Debian's current compiler, and the sources of its standard library.
const DEBIAN_PACKAGES: [&str; 3] = ["cargo-web", "rustc-web", "rust-web-src"];
const DEBIAN_SOURCES: &str = "/usr/lib/rustlib/src";

/// Every crate of the program, the Python package, and the example of a game of one's own.
const WINDOWS_PACKAGES: [&str; 10] = [
    "noughts-rules",
    "noughts-engine",
    "noughts-store",
    "noughts-arena",
    "noughts-view",
    "noughts-session",
    "noughts-server",
    "noughts",
    "noughts-python",
    "own-game",
];

/// The crates that do no I/O; none of them enables the engine's `native` feature.
const WASM_PACKAGES: [&str; 4] = [
    "noughts-rules",
    "noughts-text",
    "noughts-view",
    "noughts-wire",
];

pub(crate) fn check_windows() -> TaskResult {
    if !succeeds(Command::new(C_COMPILER).arg("--version")) {
        tools::install_packages(&[C_PACKAGE])?;
    }
    let target = "x86_64-pc-windows-gnu";
    check("checking for Windows", target, &WINDOWS_PACKAGES)
}

pub(crate) fn check_wasm() -> TaskResult {
    let target = "wasm32-unknown-unknown";
    check("checking for WebAssembly", target, &WASM_PACKAGES)
}

fn check(name: &str, target: &str, packages: &[&str]) -> TaskResult {
    let has_library = succeeds(Command::new("rustup").args(["target", "add", target]));
    let mut command = match has_library {
        true => cargo("check"),
        false => debian_cargo()?,
    };
    for package in packages {
        command.args(["--package", package]);
    }
    run(
        name,
        command
            .args(["--lib", "--bins", "--target", target])
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
        .env("CARGO_TARGET_DIR", root().join("target/other-targets"))
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove("RUSTUP_TOOLCHAIN");
    Ok(command)
}
