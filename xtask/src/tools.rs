//! Installs what tests of the web page need in addition to Rust: a browser with its driver, and a
//! few Python programs in their own environment under `target`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{TaskResult, root, run, succeeds};

/// Pinned, so that a new release can't break an old commit: the API fuzzer, and a package that
/// contains the axe-core script.
const PYTHON_PACKAGES: [&str; 2] = ["schemathesis==4.32.5", "axe-playwright-python==0.1.8"];

/// Programs and the Debian packages that provide them.
const PROGRAMS: [(&str, &str); 4] = [
    ("chromium-headless-shell", "chromium-headless-shell"),
    ("chromedriver", "chromium-driver"),
    ("node", "nodejs"),
    ("npm", "npm"),
];

/// Installs what is missing.
pub(crate) fn install() -> TaskResult {
    let missing: Vec<&str> = PROGRAMS
        .into_iter()
        .filter(|(program, _)| !succeeds(Command::new(program).arg("--version")))
        .map(|(_, package)| package)
        .collect();
    install_packages(&missing)?;
    install_python_programs()
}

pub(crate) fn install_packages(names: &[&str]) -> TaskResult {
    if names.is_empty() {
        return Ok(());
    }
    let task = format!("installing {}", names.join(" and "));
    if !succeeds(Command::new("apt-get").arg("--version")) {
        eprintln!(
            "Install {packages} (apt-get isn't available to do it for you).",
            packages = names.join(" and ")
        );
        return Err(task);
    }
    let update = ["update", "--quiet=2"];
    run(
        "updating the package lists",
        as_root("apt-get").args(update),
    )?;
    let install = ["install", "--yes", "--quiet=2", "--no-install-recommends"];
    run(&task, as_root("apt-get").args(install).args(names))
}

/// Runs a program as root, through sudo if necessary.
fn as_root(program: &str) -> Command {
    let id = Command::new("id").arg("-u").output();
    let is_root = id.is_ok_and(|id| id.stdout.trim_ascii() == b"0");
    let mut command = Command::new(if is_root { program } else { "sudo" });
    if !is_root {
        command.args(["-n", program]);
    }
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

/// Creates the environment with the Python programs.
fn install_python_programs() -> TaskResult {
    let [checker, axe] = PYTHON_PACKAGES;
    ensure_venv(&environment(), &PYTHON_PACKAGES.join("\n"), |bin| {
        run("installing the API checker", pip_install(bin).arg(checker))?;
        // Only this package's script is needed, none of its dependencies.
        run(
            "installing axe-core",
            pip_install(bin).args(["--no-deps", axe]),
        )?;
        let script = find(&environment().join("lib"), "axe.min.js").ok_or("finding axe-core")?;
        fs::copy(script, environment().join("axe.min.js"))
            .map_err(|error| format!("copying axe-core ({error})"))?;
        Ok(())
    })
}

/// Ensures a Python environment in this folder with the packages that `requirements` lists, installed by
/// `install`. It is reused as long as the list and Python's version stay the same; these are
/// written last, so an interrupted installation is repeated.
pub(crate) fn ensure_venv(
    environment: &Path,
    requirements: &str,
    install: impl FnOnce(&Path) -> TaskResult,
) -> TaskResult {
    let stamp = environment.join("installed.txt");
    let version = Command::new("python3").arg("--version").output();
    let version = version.map(|output| output.stdout).unwrap_or_default();
    let requirements = format!("{}{requirements}", String::from_utf8_lossy(&version));
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == requirements) {
        return Ok(());
    }
    let venv = || {
        let mut command = Command::new("python3");
        command.args(["-m", "venv", "--clear"]).arg(environment);
        command
    };
    let _ = fs::remove_dir_all(environment);
    if !succeeds(&mut venv()) {
        install_packages(&["python3", "python3-venv"])?;
        run("creating a Python environment", &mut venv())?;
    }
    install(&environment.join("bin"))?;
    fs::write(stamp, requirements).map_err(|error| format!("writing the package list ({error})"))
}

/// `pip install` in an environment.
pub(crate) fn pip_install(bin: &Path) -> Command {
    let mut command = Command::new(bin.join("pip"));
    command.args(["install", "--quiet", "--disable-pip-version-check"]);
    command
}

/// Where the tests look for these programs.
fn environment() -> PathBuf {
    root().join("target/checks")
}

fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(folder).ok()?;
    entries.flatten().find_map(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return find(&path, name);
        }
        path.ends_with(name).then_some(path)
    })
}
