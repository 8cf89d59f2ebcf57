//! Checks the server against its own OpenAPI description: schemathesis generates valid and invalid
//! requests from the description and checks the responses.

#[allow(dead_code, reason = "the browsers use the rest")]
#[path = "browser/server.rs"]
mod server;

use std::path::{Path, PathBuf};
use std::process::Command;

use server::Server;

/// Operations that aren't tested:
/// - streams and sockets, which don't end by themselves;
/// - building a tablebase, which keeps the machine busy for minutes.
const EXCLUDED_OPERATIONS: [&str; 4] = [
    "--exclude-path-regex",
    "/(socket|stream)$",
    "--exclude-operation-id",
    "post_tablebases_variant",
];

/// The server may reject requests that match the schema: no pattern can describe all valid variants,
/// positions and moves.
const EXCLUDED_CHECKS: [&str; 2] = ["--exclude-checks", "positive_data_acceptance"];

/// The phases of each run. Fuzzing leaves out analyses, because a random one may take a minute.
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
fn the_server_conforms_to_its_description() {
    check("description", "12");
}

#[test]
#[ignore = "soak"]
fn soak_the_server_conforms_to_its_description() {
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
            .args(EXCLUDED_OPERATIONS)
            .args(EXCLUDED_CHECKS)
            .args(run)
            .current_dir(server::test_dir(&format!("{name}-run")))
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
