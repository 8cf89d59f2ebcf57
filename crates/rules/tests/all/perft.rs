//! The files of `tests/perft`, counted by the fast code. A new case is a new line
//! in a file; how they are written stands at the top of each.

use std::path::Path;

use noughts_rules::AnyGameState;

struct Case {
    place: String,
    play: AnyGameState,
    /// Depth, count, and whether only the soak test counts it.
    counts: Vec<(u32, u64, bool)>,
}

/// All cases of a file.
fn cases(name: &str) -> Vec<Case> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/perft")
        .join(name);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            let place = format!("{name}, line {number}: {line}");
            read(line, place.clone()).unwrap_or_else(|error| panic!("{place}: {error}"))
        })
        .collect()
}

fn read(line: &str, place: String) -> Result<Case, Box<dyn std::error::Error>> {
    let [variant, position, counts] = line.split(" | ").collect::<Vec<_>>()[..] else {
        return Err("a case has three parts".into());
    };
    let variant = variant.parse()?;
    let play = match position {
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
        place,
        play,
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

fn count(name: &str, soak_only: bool) {
    for case in cases(name) {
        for &(depth, count, soak) in &case.counts {
            if soak == soak_only {
                assert_eq!(
                    case.play.perft(depth),
                    count,
                    "depth {depth} of {}",
                    case.place
                );
            }
        }
        // Below each move the same leaves, counted one by one.
        if let Some(&(depth, count, false)) = case.counts.get(1) {
            let divided: u64 = case
                .play
                .divide(depth)
                .iter()
                .map(|(_, leaves)| leaves)
                .sum();
            assert_eq!(divided, count, "divided, {}", case.place);
        }
    }
}

#[test]
fn the_numbers_of_the_rules() {
    count("rules.perft", false);
}

#[test]
#[ignore = "soak"]
fn soak_the_larger_numbers_of_the_rules() {
    count("rules.perft", true);
}

#[test]
fn the_counts_of_the_reference() {
    for name in files().iter().filter(|name| *name != "rules.perft") {
        count(name, false);
    }
}

/// Too few cases, or none with moves, would let a wrong rule pass.
#[test]
fn every_game_has_at_least_forty_positions() {
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
        let going_on = cases
            .iter()
            .filter(|case| case.play.outcome().is_none())
            .count();
        assert!(
            going_on >= 35,
            "{name} has only {going_on} positions with moves"
        );
    }
}

/// A group of `part-ways.perft` is one position under several rules; a program
/// that plays one of 5a, 5b, 5c, 5d for another gets one of the counts wrong.
#[test]
fn the_rules_of_5_part_ways() {
    let cases = cases("part-ways.perft");
    for group in cases.chunks(5) {
        let (texts, counts): (Vec<String>, Vec<u64>) = group
            .iter()
            .take(4)
            .map(|case| (case.play.position_text(), case.play.perft(4)))
            .unzip();
        assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");
        for (i, count) in counts.iter().enumerate() {
            assert!(!counts[..i].contains(count), "{}: {counts:?}", texts[0]);
        }
    }
}
