//! What the checks of the web page need beside Rust: a browser with its driver, and a
//! few Python programs in a folder of their own under `target`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{TaskResult, root, run, succeeds};

/// Pinned, so that a new one cannot break an old commit: the checker of the API against
/// its description, and a package that carries axe-core's one script.
const PYTHON_PACKAGES: [&str; 2] = ["schemathesis==4.32.5", "axe-playwright-python==0.1.8"];

/// Debian's names of what is called so.
const PROGRAMS: [(&str, &str); 3] = [
    ("chromium-headless-shell", "chromium-headless-shell"),
    ("chromedriver", "chromium-driver"),
    ("node", "nodejs"),
];

/// Installs what is not there.
pub(crate) fn install() -> TaskResult {
    let missing: Vec<&str> = PROGRAMS
        .into_iter()
        .filter(|(program, _)| !succeeds(Command::new(program).arg("--version")))
        .map(|(_, package)| package)
        .collect();
    install_packages(&missing)?;
    python()
}

pub(crate) fn install_packages(names: &[&str]) -> TaskResult {
    if names.is_empty() {
        return Ok(());
    }
    let what = format!("installing {}", names.join(" and "));
    if !succeeds(Command::new("apt-get").arg("--version")) {
        eprintln!(
            "Please install {} (this system has no apt-get to do it with).",
            names.join(" and ")
        );
        return Err(what);
    }
    let update = ["update", "--quiet=2"];
    run(
        "reading the lists of packages",
        as_root("apt-get").args(update),
    )?;
    let install = ["install", "--yes", "--quiet=2", "--no-install-recommends"];
    run(&what, as_root("apt-get").args(install).args(names))
}

/// The command as it is for who may install, else through sudo.
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

/// Makes the environment with the Python programs.
fn python() -> TaskResult {
    let [checker, axe] = PYTHON_PACKAGES;
    ensure_venv(&folder(), &PYTHON_PACKAGES.join("\n"), |bin| {
        run(
            "installing the checker of the API",
            pip_install(bin).arg(checker),
        )?;
        // Only the script of this package is wanted, none of its dependencies.
        run(
            "installing axe-core",
            pip_install(bin).args(["--no-deps", axe]),
        )?;
        let script = find(&folder().join("lib"), "axe.min.js").ok_or("looking for axe-core")?;
        fs::copy(script, folder().join("axe.min.js"))
            .map_err(|error| format!("copying axe-core ({error})"))?;
        Ok(())
    })
}

/// A Python environment in this folder with what `wanted` lists, filled by `install`. It's reused as long as the list
/// and Python's version stay the same; they are written last, so an installation that was interrupted is done again.
pub(crate) fn ensure_venv(
    folder: &Path,
    wanted: &str,
    install: impl FnOnce(&Path) -> TaskResult,
) -> TaskResult {
    let stamp = folder.join("installed.txt");
    let version = Command::new("python3").arg("--version").output();
    let version = version.map(|output| output.stdout).unwrap_or_default();
    let wanted = format!("{}{wanted}", String::from_utf8_lossy(&version));
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    let venv = || {
        let mut command = Command::new("python3");
        command.args(["-m", "venv", "--clear"]).arg(folder);
        command
    };
    let _ = fs::remove_dir_all(folder);
    if !succeeds(&mut venv()) {
        install_packages(&["python3", "python3-venv"])?;
        run("making a Python environment", &mut venv())?;
    }
    install(&folder.join("bin"))?;
    fs::write(stamp, wanted).map_err(|error| format!("writing the list of packages ({error})"))
}

/// `pip install` in an environment.
pub(crate) fn pip_install(bin: &Path) -> Command {
    let mut command = Command::new(bin.join("pip"));
    command.args(["install", "--quiet", "--disable-pip-version-check"]);
    command
}

/// Where the tests look for them.
fn folder() -> PathBuf {
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
