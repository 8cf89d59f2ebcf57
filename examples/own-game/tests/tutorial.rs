//! The tutorial `docs/add-a-game.md` shows exactly the files of this crate, and what the program prints.

use std::path::Path;

const PAGE: &str = include_str!("../../../docs/add-a-game.md");

/// The code blocks of a language, in order.
fn blocks(language: &str) -> Vec<&'static str> {
    let start = format!("```{language}\n");
    let after = PAGE.split(start.as_str()).skip(1);
    after
        .map(|text| text.split("\n```").next().unwrap_or_default())
        .collect()
}

#[test]
fn the_page_shows_the_files() {
    let code = blocks("rust");
    let [main, game @ .., test] = code.as_slice() else {
        panic!("the page has code");
    };
    assert_eq!(*main, include_str!("../src/main.rs").trim_end());
    assert_eq!(*test, include_str!("treblecross.rs").trim_end());
    // The parts of the rules are in the order of the file and leave nothing out.
    let file = include_str!("../src/treblecross.rs");
    let mut rest = file;
    for part in game {
        let found = rest.trim_start_matches('\n').strip_prefix(*part);
        rest = found.unwrap_or_else(|| panic!("the page and the file differ at:\n{part}"));
    }
    assert_eq!(rest, "\n");
    assert!(file.lines().count() < 150);
    let rules = include_str!("../src/treblecross.md");
    assert_eq!(blocks("markdown"), [rules.trim_end()]);
    let manifest = include_str!("../Cargo.toml");
    assert_eq!(blocks("toml"), [manifest.trim_end()]);
}

#[test]
fn the_page_shows_what_the_program_prints() {
    trycmd::TestCases::new()
        .env("NOUGHTS_DATA", env!("CARGO_TARGET_TMPDIR"))
        .register_bin("own-game", Path::new(env!("CARGO_BIN_EXE_own-game")))
        .case("../../docs/add-a-game.md");
}
