//! The files of `tests/perft`, counted by the fast code. A new case is a new line in a file; the
//! format is explained at the top of each.

use std::path::Path;

use noughts_rules::AnyGameState;

struct Case {
    location: String,
    state: AnyGameState,
    /// Depth, count, and whether only the soak test counts it.
    counts: Vec<(u32, u64, bool)>,
}

fn cases(name: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    cases_of_file(&folder.join(name))
}

/// All cases of a file.
fn cases_of_file(file: &Path) -> Vec<Case> {
    let name = file.display();
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{name}: {error}"));
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            let location = format!("{name}, line {number}: {line}");
            parse_case(line, location.clone()).unwrap_or_else(|error| panic!("{location}: {error}"))
        })
        .collect()
}

fn parse_case(line: &str, location: String) -> Result<Case, Box<dyn std::error::Error>> {
    let [variant, position, counts] = line.split(" | ").collect::<Vec<_>>()[..] else {
        return Err("a case has three parts".into());
    };
    let variant = variant.parse()?;
    let state = match position {
        "start" => AnyGameState::new(variant),
        text => AnyGameState::from_text(variant, text)?,
    };
    let mut read = Vec::new();
    for part in counts.split("; ") {
        let (depth, count) = part.split_once(' ').ok_or("a count has a depth")?;
        let soak = depth.starts_with('~');
        read.push((depth.trim_start_matches('~').parse()?, count.parse()?, soak));
    }
    Ok(Case {
        location,
        state,
        counts: read,
    })
}

fn files() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn check_counts(name: &str, soak_only: bool) {
    check_cases(cases(name), soak_only);
}

/// Checks all counts of a file; returns how many cases have counts to several depths.
pub(crate) fn check_file(file: &Path, soak_only: bool) -> usize {
    let cases = cases_of_file(file);
    let deep = cases.iter().filter(|case| case.counts.len() > 1).count();
    check_cases(cases, soak_only);
    deep
}

fn check_cases(cases: Vec<Case>, soak_only: bool) {
    assert!(
        cases.iter().any(|case| case.counts.len() >= 2),
        "no case with several depths"
    );
    for case in cases {
        for &(depth, count, soak) in &case.counts {
            if soak == soak_only {
                assert_eq!(
                    case.state.perft(depth),
                    count,
                    "depth {depth} of {}",
                    case.location
                );
            }
        }
        // The counts below each move add up to the same number.
        if let Some(&(depth, count, false)) = case.counts.get(1) {
            let divided: u64 = case
                .state
                .divide(depth)
                .iter()
                .map(|(_, leaves)| leaves)
                .sum();
            assert_eq!(divided, count, "divided, {}", case.location);
        }
    }
}

#[test]
fn known_perft_counts() {
    check_counts("rules.perft", false);
}

#[test]
#[ignore = "soak"]
fn soak_larger_known_perft_counts() {
    check_counts("rules.perft", true);
}

#[test]
fn perft_counts_of_the_reference() {
    for name in files().iter().filter(|name| *name != "rules.perft") {
        check_counts(name, false);
    }
}

/// Too few cases, or none with moves, would let a wrong rule pass.
#[test]
fn every_file_has_at_least_forty_positions() {
    let files = files();
    let expected = [
        "4b",
        "5a",
        "5c",
        "5d",
        "classic",
        "depth-1",
        "depth-3-history",
        "depth-3",
        "end-most",
        "free-any",
        "misere",
        "mnk",
        "part-ways",
        "rules",
        "tic-tac-two-options",
        "tic-tac-two",
        "ultimate",
    ];
    for name in expected {
        let file = format!("{name}.perft");
        assert!(files.contains(&file), "{file} is missing");
    }
    for name in files.iter().filter(|name| *name != "rules.perft") {
        let cases = cases(name);
        assert!(cases.len() >= 40, "{name} has only {}", cases.len());
        let ongoing = cases
            .iter()
            .filter(|case| case.state.outcome().is_none())
            .count();
        assert!(
            ongoing >= 35,
            "{name} has only {ongoing} positions with moves"
        );
    }
}

/// A group of `part-ways.perft` is one position under several rules; a program that confuses
/// two of 5a, 5b, 5c and 5d gets one of the counts wrong.
#[test]
fn versions_of_rule_5_have_different_counts() {
    let cases = cases("part-ways.perft");
    for group in cases.chunks(5) {
        let (texts, counts): (Vec<String>, Vec<u64>) = group
            .iter()
            .take(4)
            .map(|case| (case.state.position_text(), case.state.perft(4)))
            .unzip();
        assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");
        for (i, count) in counts.iter().enumerate() {
            assert!(!counts[..i].contains(count), "{}: {counts:?}", texts[0]);
        }
    }
}
