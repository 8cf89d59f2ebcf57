//! Writes the perft files of `crates/rules/tests/perft`, from random games of the slow reference.
//! The seed is fixed, so every run writes the same files.
//!
//! `rules.perft`, whose numbers come from elsewhere, isn't changed.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write as _;

use noughts_conformance::test_rng::TestRng;
use noughts_reference::{History, State};

const SEED: u64 = 1_955;

/// Positions per file.
const CASES: usize = 44;

const HEADER: &str = "\
# Leaf counts from the slow reference; made by
#     cargo run --release -p noughts-conformance --example make_perft
#
# One case a line:  variant | position or `start` | depth count; depth count; …
# A finished game has no leaves. `#` begins a comment.
";

/// A file: its variants, which take turns; the maximum number of leaves to count at once; and the
/// maximum depth.
struct File {
    name: &'static str,
    about: &'static str,
    variants: &'static [&'static str],
    leaves: u64,
    depth: u32,
}

const FILES: &[File] = &[
    File {
        name: "classic",
        about: "Three by three.",
        variants: &["classic"],
        leaves: 150_000,
        depth: 9,
    },
    File {
        name: "misere",
        about: "Three by three, a line loses.",
        variants: &["misere"],
        leaves: 150_000,
        depth: 9,
    },
    File {
        name: "mnk",
        about: "Other flat boards, among them the largest and the narrowest.",
        variants: &[
            "mnk:4,4,3",
            "mnk:4,3,3,misere",
            "mnk:5,5,4",
            "mnk:7,8,5",
            "mnk:8,7,4",
            "mnk:8,8,5",
            "mnk:15,15,5",
            "mnk:16,16,6",
            "mnk:3,16,3,misere",
            "mnk:1,9,2",
            "mnk:6,2,2",
        ],
        leaves: 60_000,
        depth: 6,
    },
    File {
        name: "tic-tac-two",
        about: "The usual options.",
        variants: &["tic-tac-two"],
        leaves: 30_000,
        depth: 5,
    },
    File {
        name: "tic-tac-two-options",
        about: "Other boards, grids and numbers of pieces.",
        variants: &[
            "tic-tac-two:board=3",
            "tic-tac-two:board=3,pieces=5,after=5",
            "tic-tac-two:board=7",
            "tic-tac-two:board=7,grid=5,pieces=6,after=3",
            "tic-tac-two:board=7,grid=7,pieces=9,after=9",
            "tic-tac-two:grid=5,pieces=9",
            "tic-tac-two:pieces=3,after=3",
            "tic-tac-two:pieces=9,after=5",
        ],
        leaves: 30_000,
        depth: 5,
    },
    File {
        name: "ultimate",
        about: "Depth 2, 4a and 5b, won boards closed.",
        variants: &["ultimate"],
        leaves: 15_000,
        depth: 6,
    },
    File {
        name: "5a",
        about: "Won boards take moves.",
        variants: &["ception:5a"],
        leaves: 15_000,
        depth: 6,
    },
    File {
        name: "5c",
        about: "One more move in a won board.",
        variants: &["ception:5c"],
        leaves: 15_000,
        depth: 6,
    },
    File {
        name: "5d",
        about: "More moves for as long as one is sent to won boards.",
        variants: &["ception:5d"],
        leaves: 15_000,
        depth: 6,
    },
    File {
        name: "free-any",
        about: "5b, but free moves may go into won boards.",
        variants: &["ception:free=any"],
        leaves: 15_000,
        depth: 6,
    },
    File {
        name: "4b",
        about: "Boards that both can own.",
        variants: &[
            "ception:4b",
            "ception:4b,5a",
            "ception:4b,5c",
            "ception:4b,5d",
        ],
        leaves: 15_000,
        depth: 6,
    },
    File {
        name: "end-most",
        about: "Boards are counted in the end.",
        variants: &[
            "ception:end=most",
            "ception:free=any,end=most",
            "ception:5a,end=most",
            "ception:4b,5c,end=most",
        ],
        leaves: 15_000,
        depth: 6,
    },
    File {
        name: "depth-1",
        about: "Nine cells with the names of nested boards.",
        variants: &["ception:depth=1"],
        leaves: 150_000,
        depth: 9,
    },
    File {
        name: "depth-3",
        about: "729 cells; the last two letters say where to play.",
        variants: &[
            "ception:depth=3",
            "ception:free=any,depth=3",
            "ception:5a,depth=3",
            "ception:5c,depth=3",
            "ception:4b,5d,depth=3",
        ],
        leaves: 1_500,
        depth: 4,
    },
    File {
        name: "depth-3-history",
        about: "729 cells; the last letters of the last two moves say where to play.",
        variants: &[
            "ception:depth=3,trail=history",
            "ception:free=any,depth=3,trail=history",
            "ception:5a,depth=3,trail=history",
            "ception:5c,depth=3,trail=history",
            "ception:4b,5d,depth=3,trail=history",
        ],
        leaves: 1_500,
        depth: 4,
    },
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../rules/tests/perft");
    for file in FILES {
        let mut rng = TestRng::for_name(SEED, file.name);
        std::fs::write(
            format!("{folder}/{}.perft", file.name),
            cases(file, &mut rng)?,
        )?;
    }
    let mut rng = TestRng::for_name(SEED, "part-ways");
    std::fs::write(format!("{folder}/part-ways.perft"), part_ways(&mut rng)?)?;
    Ok(())
}

fn cases(file: &File, rng: &mut TestRng) -> Result<String, Box<dyn Error>> {
    let mut text = format!("{HEADER}#\n# {}\n\n", file.about);
    let mut seen = HashSet::new();
    for variant in file.variants {
        let start = State::start(variant)?;
        writeln!(
            text,
            "{variant} | start | {}",
            counts(&start, file.leaves, file.depth)
        )?;
        seen.insert((*variant, start.to_text()));
    }
    let mut finished = 0;
    for &variant in file.variants.iter().cycle() {
        if seen.len() >= CASES {
            break;
        }
        let game = random_game(variant, rng)?;
        // Mostly late positions, and one or two after the end.
        let last = game.len() - 1;
        let ply = if finished < 2 && rng.chance(1, 10) {
            finished += 1;
            last
        } else if rng.chance(1, 2) {
            last.saturating_sub(1 + rng.below(10))
        } else {
            last / 3 + rng.below(last - last / 3)
        };
        let Some(state) = game.get(ply) else { continue };
        if seen.insert((variant, state.to_text())) {
            let counts = counts(state, file.leaves, file.depth);
            writeln!(text, "{variant} | {} | {counts}", state.to_text())?;
        }
    }
    Ok(text)
}

/// Every position of a random game.
fn random_game(variant: &str, rng: &mut TestRng) -> Result<Vec<State>, Box<dyn Error>> {
    let mut history = History::new(State::start(variant)?);
    let mut states = vec![history.state().clone()];
    // Tic-Tac-Two games can be long; by then all pieces are on the board.
    while history.outcome().is_none() && states.len() < 800 {
        if variant.starts_with("tic") && states.len() > 40 {
            break;
        }
        let moves = history.state().legal_moves();
        history.play(&moves[rng.below(moves.len())])?;
        states.push(history.state().clone());
    }
    Ok(states)
}

/// The counts of depths 1, 2, … until there would be too many leaves.
fn counts(state: &State, leaves: u64, depth: u32) -> String {
    let mut counts: Vec<u64> = Vec::new();
    while counts.len() < depth as usize {
        let (last, before) = match counts[..] {
            [] => (1, 1),
            [only] => (only, 1),
            [.., before, last] => (last, before.max(1)),
        };
        // Assumes that the next count grows like the last one.
        if !counts.is_empty() && (last * last / before > leaves || last == 0) {
            break;
        }
        counts.push(state.perft(counts.len() as u32 + 1));
    }
    let counts = (1..)
        .zip(counts)
        .map(|(depth, count)| format!("{depth} {count}"));
    counts.collect::<Vec<_>>().join("; ")
}

/// Positions of `ception:5a` whose target is won, counted under all versions of rule 5: a program
/// that confuses two of them can't get all counts right.
fn part_ways(rng: &mut TestRng) -> Result<String, Box<dyn Error>> {
    const RULES: [&str; 4] = ["ception:5a", "ultimate", "ception:5c", "ception:5d"];
    const DEPTH: u32 = 4;
    let about = "The same positions under 5a, 5b, 5c and 5d, which part ways there.";
    let mut text = format!("{HEADER}#\n# {about}\n");
    let mut groups = 0;
    while groups < 12 {
        let game = random_game("ception:5a", rng)?;
        let ply = game.len() / 3 + rng.below(game.len() - game.len() / 3);
        let Some(state) = game.get(ply) else { continue };
        let position = state.to_text();
        let mut leaves = HashSet::new();
        for rule in RULES {
            leaves.insert(State::from_text(rule, &position)?.perft(DEPTH));
        }
        if leaves.len() < RULES.len() {
            continue;
        }
        groups += 1;
        text.push('\n');
        for rule in RULES.iter().chain(&["ception:free=any"]) {
            let state = State::from_text(rule, &position)?;
            let counts: Vec<String> = (1..=DEPTH)
                .map(|depth| format!("{depth} {}", state.perft(depth)))
                .collect();
            writeln!(text, "{rule} | {position} | {}", counts.join("; "))?;
        }
    }
    Ok(text)
}
