//! Tasks for the whole project: `cargo xtask test` runs everything that must pass, `cargo xtask
//! soak` runs what takes too long for that.

mod python;
mod slowest_tests;
mod targets;
mod tools;
mod web;

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

const HELP: &str = "\
cargo xtask test            run all required checks; installs the tools it needs
cargo xtask soak [PART]     run the long checks: tests, fuzz, bench, play, python, advisories (default: all)
cargo xtask python          run the part of the checks that tests the Python package
cargo xtask windows         check the crates that run on Windows; installs the tools it needs
cargo xtask wasm            check the crates that compile for WebAssembly
cargo xtask perft-files     rebuild crates/rules/tests/perft with the slow reference
cargo xtask docs            rewrite what the documentation shows of the program: docs/games.md and every transcript
";

/// Checks licenses and sources; pinned, so that a new release can't break an old commit.
const CARGO_DENY: &str = "0.20.2";
/// Runs every test in its own process, with a time limit.
const CARGO_NEXTEST: &str = "0.9.143";
const CARGO_FUZZ: &str = "0.13.2";

/// Inputs per fuzz target in a soak.
const FUZZ_RUNS: u64 = 10_000_000;

/// The fuzz targets, the maximum length of their inputs, and whether the fuzzer traces comparisons.
/// That teaches it words, which inputs that encode moves don't contain, and halves its speed.
const FUZZ_TARGETS: [(&str, usize, bool); 5] = [
    ("variant", 80, true),
    ("position", 1000, true),
    ("moves", 80, false),
    ("record", 400, true),
    ("play", 100, false),
];

type TaskResult = Result<(), String>;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["test"] => test(),
        ["soak"] => soak(&["tests", "fuzz", "bench", "play", "python", "advisories"]),
        ["soak", parts @ ..] => soak(parts),
        ["perft-files"] => perft_files(),
        ["docs"] => docs(),
        ["python"] => python::install().and_then(|()| python::test()),
        ["windows"] => targets::check_windows(),
        ["wasm"] => targets::check_wasm(),
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(task) => {
            eprintln!("xtask: {task} failed");
            ExitCode::FAILURE
        }
    }
}

fn test() -> TaskResult {
    let start = Instant::now();
    ensure_component("rustfmt", "fmt")?;
    ensure_component("clippy", "clippy")?;
    ensure_cargo_tool("cargo-nextest", CARGO_NEXTEST)?;
    ensure_cargo_tool("cargo-deny", CARGO_DENY)?;
    tools::install()?;
    web::install()?;
    python::install()?;
    let installed = start.elapsed();
    run_cargo("formatting", "fmt --all --check")?;
    web::check()?;
    let licenses = "deny --all-features check bans licenses sources";
    run_cargo("licenses and sources", licenses)?;
    run_cargo("clippy", "clippy --workspace --all-targets -- -D warnings")?;
    let documentation = "doc --workspace --no-deps --document-private-items";
    // Examples need the same dependencies as tests, so the builds of clippy are reused.
    // Not the binaries: that of `noughts` has the same page as its library.
    let targets = "--lib --examples";
    // Its documentation is written for Python, and its reference page is generated from it.
    let exclude = "--exclude noughts-python";
    let arguments = [documentation, targets, exclude].join(" ");
    run(
        "documentation",
        cargo(&arguments).env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    run_cargo("building the tests", "nextest run --workspace --no-run")?;
    let tests = run_cargo("tests", "nextest run --workspace");
    slowest_tests::print(&root().join("target/nextest/default/junit.xml"));
    tests?;
    run_cargo("examples in the documentation", "test --workspace --doc")?;
    python::test()?;
    let total = start.elapsed();
    eprintln!(
        "\n── all checks passed in {:.0} s, plus {:.0} s for installing tools",
        (total - installed).as_secs_f64(),
        installed.as_secs_f64()
    );
    Ok(())
}

fn soak(parts: &[&str]) -> TaskResult {
    for &part in parts {
        match part {
            "tests" => run_cargo("long tests", "test --release --workspace -- --ignored")?,
            "fuzz" => fuzz()?,
            "bench" => run_cargo("benchmarks", "bench --workspace")?,
            "play" => play()?,
            "python" => python::soak()?,
            // The advisory database is only published as a git repository, so this needs the network.
            "advisories" => {
                ensure_cargo_tool("cargo-deny", CARGO_DENY)?;
                run_cargo("advisories", "deny --all-features check advisories")?;
            }
            other => {
                eprint!("{HELP}");
                return Err(format!("soak (unknown part {other:?})"));
            }
        }
    }
    Ok(())
}

/// The matches documented on the page about bots: the ladder of levels, and a peer.
fn play() -> TaskResult {
    run_cargo("ladder of levels", "run --release -- bench ladder")?;
    let strength = "bench --bench strength -- --games 200";
    run_cargo("match against board-game", strength)
}

/// Runs every fuzz target; needs a nightly toolchain. New inputs go to the build folder: the corpus
/// in the repository is curated by hand.
fn fuzz() -> TaskResult {
    ensure_cargo_tool("cargo-fuzz", CARGO_FUZZ)?;
    for (name, length, traces_compares) in FUZZ_TARGETS {
        let corpus = root().join("target/fuzz-corpus").join(name);
        std::fs::create_dir_all(&corpus)
            .map_err(|error| format!("creating {folder} ({error})", folder = corpus.display()))?;
        let mut command = Command::new("cargo");
        command.args(["+nightly", "fuzz", "run", "--sanitizer", "none", "-O", "-a"]);
        command.args((!traces_compares).then_some("--no-trace-compares"));
        let curated = root().join("fuzz/corpus").join(name);
        command.arg(name).args([corpus, curated]);
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

fn perft_files() -> TaskResult {
    let example = "run --release --package noughts-conformance --example make_perft";
    run_cargo("rebuilding the perft files", example)
}

/// Rewrites the page of games, and the outputs of the commands in the documentation. Read the difference before you
/// commit it.
fn docs() -> TaskResult {
    let page = "test --package noughts-text --test games_page";
    run(
        "the page of games",
        cargo(page).env("NOUGHTS_DOCS", "overwrite"),
    )?;
    let transcripts =
        "test --package noughts --test commands --test store --package own-game --test tutorial";
    run("transcripts", cargo(transcripts).env("TRYCMD", "overwrite"))
}

fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// The cargo that runs this program, with these arguments.
fn cargo(arguments: &str) -> Command {
    let mut command = build_command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments.split(' '));
    command
}

fn run_cargo(name: &str, arguments: &str) -> TaskResult {
    run(name, &mut cargo(arguments))
}

/// A command that compiles. Writing incremental compilation data costs a sixth of the first build,
/// so it is enabled only if it has been used before.
fn build_command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    if env::var_os("CARGO_INCREMENTAL").is_none() && !is_incremental() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Whether anything except this program has been compiled incrementally.
fn is_incremental() -> bool {
    let builds = std::fs::read_dir(root().join("target/debug/incremental"));
    let mut builds = builds.into_iter().flatten().flatten();
    builds.any(|folder| {
        folder
            .file_name()
            .as_encoded_bytes()
            .starts_with(b"noughts")
    })
}

fn run(name: &str, command: &mut Command) -> TaskResult {
    eprintln!("\n── {name}");
    let start = Instant::now();
    let status = command.current_dir(root()).status();
    match status {
        Ok(status) if status.success() => {
            eprintln!("── {name}: {:.0} s", start.elapsed().as_secs_f64());
            Ok(())
        }
        Ok(_) => Err(name.to_owned()),
        Err(error) => Err(format!("{name} ({error})")),
    }
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

fn has_subcommand(name: &str) -> bool {
    succeeds(&mut cargo(&format!("{name} --version")))
}

/// Ensures a toolchain component that a minimal installation leaves out.
fn ensure_component(name: &str, subcommand: &str) -> TaskResult {
    if has_subcommand(subcommand) {
        return Ok(());
    }
    run(
        &format!("installing {name}"),
        Command::new("rustup").args(["component", "add", name]),
    )
}

/// Ensures a cargo subcommand that isn't part of the toolchain.
fn ensure_cargo_tool(name: &str, version: &str) -> TaskResult {
    if has_subcommand(name.trim_start_matches("cargo-")) {
        return Ok(());
    }
    let install = format!("install --locked {name} --version {version}");
    run_cargo(&format!("installing {name}"), &install)
}
