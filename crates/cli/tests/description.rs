//! The served description of the API against the server that serves it: schemathesis
//! makes requests of the one, right ones and wrong ones, and holds the other to it.

#[allow(dead_code, reason = "the browsers use the rest")]
#[path = "browser/server.rs"]
mod server;

use std::path::{Path, PathBuf};
use std::process::Command;

use server::Server;

/// What is not asked for at all:
/// - streams and sockets go on for as long as one listens;
/// - building a table keeps the machine busy for minutes.
const LEFT_OUT: [&str; 4] = [
    "--exclude-path-regex",
    "/(socket|stream)$",
    "--exclude-operation-id",
    "post_tables_variant",
];

/// What is not held against the server: that it refuses what has the right form. The
/// name of a variant, a position and a move are more than a pattern can say.
const NOT_CHECKED: [&str; 2] = ["--exclude-checks", "positive_data_acceptance"];

/// What is tried. An analysis may think for a minute where it is asked to, as it is by
/// chance, so that it is left out there.
const RUNS: [&[&str]; 2] = [
    &["--phases", "examples,coverage,stateful"],
    &["--phases", "fuzzing", "--exclude-path", "/api/v1/analyses"],
];

fn schemathesis() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("target/checks/bin/schemathesis");
    assert!(
        program.exists(),
        "there is no target/checks/bin/schemathesis; `cargo xtask test` installs it"
    );
    program
}

#[test]
fn the_server_does_what_its_description_says() {
    check("description", "12");
}

#[test]
#[ignore = "soak"]
fn soak_the_server_does_what_its_description_says() {
    check("description-soak", "100");
}

fn check(name: &str, examples: &str) {
    let program = schemathesis();
    let settings = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemathesis.toml");
    let server = Server::start_unlimited(name);
    let description = format!("http://{}/api/openapi.json", server.address());
    for run in RUNS {
        let output = Command::new(&program)
            .arg("--config-file")
            .arg(&settings)
            .args(["run", &description, "--no-color", "--seed", "7"])
            .args(["--max-examples", examples, "--generation-database", "none"])
            .args(["--request-timeout", "60"])
            .args(LEFT_OUT)
            .args(NOT_CHECKED)
            .args(run)
            .current_dir(server::folder(&format!("{name}-run")))
            .output()
            .expect("schemathesis starts");
        assert!(
            output.status.success(),
            "{run:?}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
