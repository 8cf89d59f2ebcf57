//! The Python package as its users get it: a wheel, in an environment of its own, with the
//! frameworks that it is to fit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checks::environment;
use crate::{Done, root, run};

/// Pinned, so that a new one cannot break an old commit: what builds the wheel, and what
/// looks whether the oldest Python that is promised can load it.
const TOOLS: [&str; 2] = ["maturin==1.16.0", "abi3audit==0.0.26"];

/// Builds the wheel, installs it with what its tests need, and runs them all.
pub(crate) fn test() -> Done {
    let folder = root().join("target/python");
    let wheel = wheel(&folder)?;
    let bin = folder.join("environment/bin");
    run(
        "the wheel for the oldest Python",
        Command::new(bin.join("abi3audit"))
            .args(["--strict", "--summary"])
            .arg(&wheel),
    )?;
    run(
        "installing the wheel and what its tests need",
        pip(&bin)
            .arg("--force-reinstall")
            .arg(&wheel)
            .arg("--requirement")
            .arg(tests().join("requirements.txt")),
    )?;
    run("tests of the Python package", &mut pytest(&bin))
}

/// The long forms of its tests.
pub(crate) fn soak() -> Done {
    let bin = root().join("target/python/environment/bin");
    if !bin.join("pytest").exists() {
        test()?;
    }
    run(
        "long tests of the Python package",
        pytest(&bin).env("NOUGHTS_SOAK", "1"),
    )?;
    run(
        "speed of many games at once",
        Command::new(bin.join("python")).arg("crates/python/benches/vector.py"),
    )
}

/// A fresh environment with the tools, and the wheel.
fn wheel(folder: &Path) -> Result<PathBuf, String> {
    let made = folder.join("environment");
    environment(&made)?;
    let bin = made.join("bin");
    run("installing what builds the wheel", pip(&bin).args(TOOLS))?;
    let wheels = folder.join("wheels");
    let _ = fs::remove_dir_all(&wheels);
    run(
        "building the wheel",
        Command::new(bin.join("maturin"))
            .args(["build", "--release", "--locked", "--out"])
            .arg(&wheels),
    )?;
    let found = fs::read_dir(&wheels).map_err(|error| format!("looking for the wheel ({error})"));
    found?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|end| end == "whl"))
        .ok_or_else(|| "looking for the wheel".to_owned())
}

fn tests() -> PathBuf {
    root().join("crates/python/tests")
}

fn pip(bin: &Path) -> Command {
    let mut command = Command::new(bin.join("pip"));
    command.args(["install", "--quiet", "--disable-pip-version-check"]);
    command
}

fn pytest(bin: &Path) -> Command {
    let mut command = Command::new(bin.join("python"));
    command
        .args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider"])
        .arg(tests());
    command
}
