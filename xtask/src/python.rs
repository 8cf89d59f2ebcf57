//! Tests the Python package as users get it: as a wheel in its own environment, with the frameworks
//! that it supports.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::{ensure_venv, pip_install};
use crate::{TaskResult, build_command, root, run, succeeds};

/// Pinned, so that a new release can't break an old commit: the wheel builder, and a checker that
/// the oldest supported Python can load the wheel.
const TOOLS: [&str; 2] = ["maturin==1.16.0", "abi3audit==0.0.26"];

/// Creates the test environment, unless it already has everything.
pub(crate) fn install() -> TaskResult {
    let requirements = fs::read_to_string(tests().join("requirements.txt"))
        .map_err(|error| format!("reading the requirements of the Python tests ({error})"))?;
    ensure_venv(
        &environment(),
        &format!("{}\n{requirements}", TOOLS.join("\n")),
        |bin| {
            run(
                "installing the requirements of the Python tests",
                pip_install(bin)
                    .args(TOOLS)
                    .arg("--requirement")
                    .arg(tests().join("requirements.txt")),
            )
        },
    )
}

/// Builds the wheel, installs it, and runs all tests against it.
pub(crate) fn test() -> TaskResult {
    let wheel = wheel()?;
    let bin = bin();
    run(
        "wheel compatibility with the oldest Python",
        Command::new(bin.join("abi3audit"))
            .args(["--strict", "--summary"])
            .arg(&wheel),
    )?;
    run(
        "installing the wheel",
        pip_install(&bin)
            .args(["--force-reinstall", "--no-deps"])
            .arg(&wheel),
    )?;
    run("Python tests", &mut pytest(&bin))
}

/// Runs the long forms of the tests.
pub(crate) fn soak() -> TaskResult {
    install()?;
    let bin = bin();
    if !succeeds(Command::new(bin.join("python")).args(["-c", "import noughts"])) {
        test()?;
    }
    run("long Python tests", pytest(&bin).env("NOUGHTS_SOAK", "1"))?;
    run(
        "speed of vectorized games",
        Command::new(bin.join("python")).arg("crates/python/benches/vector.py"),
    )
}

/// Builds the wheel with the profile of the tests, so that their builds are reused and debug
/// assertions are checked.
fn wheel() -> Result<PathBuf, String> {
    let wheels = root().join("target/python/wheels");
    let _ = fs::remove_dir_all(&wheels);
    run(
        "building the wheel",
        build_command(bin().join("maturin"))
            .args(["build", "--profile", "dev", "--locked", "--out"])
            .arg(&wheels),
    )?;
    let wheels_dir = fs::read_dir(&wheels).map_err(|error| format!("finding the wheel ({error})"));
    wheels_dir?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|end| end == "whl"))
        .ok_or_else(|| "finding the wheel".to_owned())
}

fn environment() -> PathBuf {
    root().join("target/python/environment")
}

fn bin() -> PathBuf {
    environment().join("bin")
}

fn tests() -> PathBuf {
    root().join("crates/python/tests")
}

fn pytest(bin: &Path) -> Command {
    let mut command = Command::new(bin.join("python"));
    let options = "-m pytest --quiet --durations=10 -p no:cacheprovider";
    command.args(options.split(' ')).arg(tests());
    command
}
