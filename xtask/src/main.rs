//! What is done to the project as a whole: `cargo xtask test` is all that must
//! pass, `cargo xtask soak` what takes too long for that.

mod checks;
mod python;
mod windows;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

const HELP: &str = "\
cargo xtask test            everything that must pass; installs what it needs
cargo xtask soak [WHAT]     what takes longer: tests, fuzz, bench, play, python (all if none is named)
cargo xtask windows         compiles for Windows what runs there; installs what it needs
cargo xtask perft-files     makes crates/rules/tests/perft anew with the slow reference
";

/// The checker of licences and sources; pinned, so that a new one cannot break an old commit.
const CARGO_DENY: &str = "0.20.2";
const CARGO_FUZZ: &str = "0.13.2";

/// How many inputs each fuzz target gets in a soak.
const FUZZ_RUNS: u64 = 10_000_000;

/// The fuzz targets, the longest input that each is given, and whether the fuzzer
/// watches comparisons: that teaches it words, which bytes that stand for moves do
/// not have, and halves its speed.
const FUZZ_TARGETS: [(&str, usize, bool); 5] = [
    ("variant", 80, true),
    ("position", 1000, true),
    ("moves", 80, false),
    ("record", 400, true),
    ("play", 100, false),
];

type Done = Result<(), String>;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["test"] => test(),
        ["soak"] => soak(&["tests", "fuzz", "bench", "play", "python"]),
        ["soak", what @ ..] => soak(what),
        ["perft-files"] => perft_files(),
        ["windows"] => windows::check(),
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("xtask: {what} failed");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Done {
    component("rustfmt", "fmt")?;
    component("clippy", "clippy")?;
    run("formatting", cargo().args(["fmt", "--all", "--check"]))?;
    run(
        "clippy",
        cargo().args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]),
    )?;
    run(
        "documentation",
        cargo()
            .args([
                "doc",
                "--workspace",
                "--no-deps",
                "--document-private-items",
            ])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    checks::install()?;
    run("tests", cargo().args(["test", "--workspace"]))?;
    python::test()?;
    tool("cargo-deny", CARGO_DENY)?;
    // The list of known advisories lies on another host; licences and sources are checked here.
    run(
        "licences and sources",
        cargo().args([
            "deny",
            "--all-features",
            "check",
            "bans",
            "licenses",
            "sources",
        ]),
    )
}

fn soak(what: &[&str]) -> Done {
    for &part in what {
        match part {
            "tests" => run(
                "long tests",
                cargo().args(["test", "--release", "--workspace", "--", "--ignored"]),
            )?,
            "fuzz" => fuzz()?,
            "bench" => run("benchmarks", cargo().args(["bench", "--workspace"]))?,
            "play" => play()?,
            "python" => python::soak()?,
            other => {
                eprint!("{HELP}");
                return Err(format!("soak {other}: there is no such part; it"));
            }
        }
    }
    Ok(())
}

/// The matches of the page on bots: the ladder of levels, and a peer.
fn play() -> Done {
    run(
        "the ladder",
        cargo().args(["run", "--release", "--", "bench", "ladder"]),
    )?;
    run(
        "the match with a peer",
        cargo().args(["bench", "--bench", "strength", "--", "--games", "200"]),
    )
}

/// Runs every fuzz target; needs a nightly toolchain. What it finds on its way
/// goes to the build folder: the corpus in the repository is chosen by hand.
fn fuzz() -> Done {
    tool("cargo-fuzz", CARGO_FUZZ)?;
    for (name, length, words) in FUZZ_TARGETS {
        let found = root().join("target/fuzz-corpus").join(name);
        std::fs::create_dir_all(&found)
            .map_err(|error| format!("making {} ({error})", found.display()))?;
        let mut command = Command::new("cargo");
        command.args(["+nightly", "fuzz", "run", "--sanitizer", "none", "-O", "-a"]);
        if !words {
            command.arg("--no-trace-compares");
        }
        command.arg(name);
        command
            .arg(found)
            .arg(root().join("fuzz/corpus").join(name));
        command.args(["--", "-print_final_stats=1"]);
        command.arg(format!("-runs={FUZZ_RUNS}"));
        command.arg(format!("-max_len={length}"));
        let dictionary = root().join(format!("fuzz/dict/{name}.dict"));
        if dictionary.exists() {
            command.arg(format!("-dict={}", dictionary.display()));
        }
        run(&format!("fuzzing {name}"), &mut command)?;
    }
    Ok(())
}

fn perft_files() -> Done {
    run(
        "making the perft files",
        cargo().args([
            "run",
            "--release",
            "--package",
            "noughts-conformance",
            "--example",
            "make_perft",
        ]),
    )
}

fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// The cargo that runs this.
fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn run(what: &str, command: &mut Command) -> Done {
    eprintln!("\n── {what}");
    let start = Instant::now();
    let status = command.current_dir(root()).status();
    match status {
        Ok(status) if status.success() => {
            eprintln!("── {what}: {:.0} s", start.elapsed().as_secs_f64());
            Ok(())
        }
        Ok(_) => Err(what.to_owned()),
        Err(error) => Err(format!("{what} ({error})")),
    }
}

fn works(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// A part of the toolchain that a slim installation leaves out.
fn component(name: &str, subcommand: &str) -> Done {
    if works(cargo().args([subcommand, "--version"])) {
        return Ok(());
    }
    run(
        &format!("installing {name}"),
        Command::new("rustup").args(["component", "add", name]),
    )
}

/// A cargo subcommand that is no part of the toolchain.
fn tool(name: &str, version: &str) -> Done {
    let subcommand = name.trim_start_matches("cargo-");
    if works(cargo().args([subcommand, "--version"])) {
        return Ok(());
    }
    run(
        &format!("installing {name}"),
        cargo().args(["install", "--locked", name, "--version", version]),
    )
}
