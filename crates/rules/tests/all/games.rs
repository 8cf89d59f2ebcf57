//! The games that have a folder of test data in `tests/games`: golden games and setups of an independent
//! implementation, leaf counts, and the variants that the conformance suite checks against the slow reference. A new
//! game needs no new test, only a folder.

use std::collections::{BTreeSet, HashSet};

use noughts_conformance::setups::{MutationCounts, check_mutations};
use noughts_conformance::suite::check_variant;
use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants::{CheckEffort, GameFolder, MIDDLE, SMALL, game_folders};
use noughts_rules::{
    AnyGameState, Game, GameInfo, GameState, GameVisitor, Outcome, Side, Variant, games,
};

use crate::{golden, perft};

const SEED: u64 = 20_261_119;

/// How many positions of each game are compared with the reference.
const POSITIONS: usize = 20_000;

/// Games that are older than the folders; their data is in the other folders of `tests`.
const OLDER: [&str; 3] = ["mnk", "tic-tac-two", "ception"];

#[test]
fn every_game_has_a_folder() {
    let names = games::all().into_iter().map(|info| info.name);
    let names: BTreeSet<&str> = names.filter(|name| !OLDER.contains(name)).collect();
    let folders = game_folders();
    let found: BTreeSet<&str> = folders.iter().map(|folder| folder.name.as_str()).collect();
    assert_eq!(found, names);
    for folder in &folders {
        assert!(!folder.variants.is_empty(), "{}", folder.name);
        for variant in &folder.variants {
            let variant: Variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(variant.info().name, folder.name);
        }
    }
}

/// Guards against a game that can be named, but that no menu shows.
#[test]
fn a_game_without_presets_is_rejected() {
    static INFO: GameInfo =
        GameInfo::new("menuless", "Menuless", "In no menu.", &AnyGameState::new);
    for register in [games::register, games::replace] {
        let error = register(&INFO).map_err(|error| error.to_string());
        let reason =
            "the game menuless has no presets; add at least one, so that menus can offer it";
        assert_eq!(error, Err(reason.to_owned()));
    }
    assert!(games::all().iter().all(|info| info.name != "menuless"));
}

#[test]
fn golden_games_replay() {
    for folder in game_folders() {
        let games = golden::games_of_file(&folder.file("golden.json"));
        assert!(games.len() >= 4, "{}", folder.name);
        games.iter().for_each(golden::replay);
    }
}

/// Setups that must be accepted, with their result, or rejected. Every game has some of both.
#[test]
fn golden_setups_are_accepted_or_rejected() {
    for folder in game_folders() {
        let text = read(&folder, "setups.tsv");
        let accepted = text.lines().filter(|line| check_setup(line)).count();
        let rejected = text.lines().count() - accepted;
        assert!(
            accepted > 0 && rejected > 0,
            "{}: {accepted}, {rejected}",
            folder.name
        );
    }
}

fn read(folder: &GameFolder, file: &str) -> String {
    let text = std::fs::read_to_string(folder.file(file));
    text.unwrap_or_else(|error| panic!("{}/{file}: {error}", folder.name))
}

/// Changed texts of positions are accepted exactly if the reference accepts them.
#[test]
fn changed_setups_are_validated_like_the_reference() {
    for folder in game_folders() {
        for variant in &folder.variants {
            let MutationCounts { accepted, rejected } = check_mutations(variant, SEED, 3_000);
            // If all of them were accepted or all rejected, this would test nothing.
            let least = accepted.min(rejected);
            assert!(
                least > 60,
                "{variant}: {accepted} accepted, {rejected} rejected"
            );
        }
    }
}

/// Checks a setup; returns whether it is accepted.
fn check_setup(line: &str) -> bool {
    let fields: Vec<&str> = line.split('\t').collect();
    let [variant, position, verdict, result] = fields[..] else {
        panic!("{line:?} has four fields");
    };
    let variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    match (AnyGameState::from_text(variant, position), verdict) {
        (Ok(state), "accepted") => {
            let outcome = state.outcome().map_or("open", Outcome::as_str);
            assert_eq!(outcome, result, "{line}");
            assert_eq!(state.position_text(), position, "{line}");
            true
        }
        (Err(error), "refused") => {
            assert!(!error.to_string().is_empty(), "{line}");
            false
        }
        (Ok(_), _) => panic!("{line}: was accepted"),
        (Err(error), _) => panic!("{line}: {error}"),
    }
}

#[test]
fn leaf_counts_of_the_games() {
    for folder in game_folders() {
        // The start and a position in the middle, to several depths.
        let deep = perft::check_file(&folder.file("counts.perft"), false);
        assert!(deep >= 2, "{}: {deep}", folder.name);
    }
}

#[test]
#[ignore = "soak"]
fn soak_larger_leaf_counts_of_the_games() {
    for folder in game_folders() {
        perft::check_file(&folder.file("counts.perft"), true);
    }
}

/// Labels, prompts and typed cells depend on it.
#[test]
fn games_say_how_cells_are_named_and_touched() {
    for (variant, _) in games::presets() {
        let (state, game) = (AnyGameState::new(variant), variant.info().name);
        let view = state.view();
        assert_eq!(view.has_coordinates(), game != "ception", "{variant}");
        assert_eq!(view.plays_columns(), game == "gravity", "{variant}");
    }
}

/// The moves that lead to the pictures of presets are legal, and the game goes on after them.
#[test]
fn samples_of_presets_are_played() {
    for (variant, preset) in games::presets() {
        let mut state = AnyGameState::new(variant);
        for mv in preset.sample {
            let played = state.play(mv);
            assert_eq!(played.err(), None, "{variant}: {mv}");
        }
        assert_eq!(state.outcome(), None, "{variant}");
    }
}

/// The boards to try the rules on can be set up, and the game isn't over there. Every game has some.
#[test]
fn examples_of_the_rules_can_be_tried() {
    let mut with_examples = BTreeSet::new();
    for (variant, _) in games::presets() {
        for example in variant.examples() {
            with_examples.insert(variant.info().name);
            let state = example.state(variant);
            let state = state.unwrap_or_else(|| panic!("{variant}: {example:?}"));
            assert_eq!(state.outcome(), None, "{variant}: {}", example.title);
            assert!(example.text.ends_with(['.', '?']), "{variant}: {example:?}");
        }
    }
    let games = games::all();
    let all: BTreeSet<&str> = games.iter().map(|info| info.name).collect();
    assert_eq!(with_examples, all);
}

/// As many positions can be reached as are known from elsewhere. In `reachable.txt`, which small games have, a line has the
/// variant, the number of positions, and their number up to symmetry.
#[test]
fn reachable_positions_are_counted() {
    let folders = game_folders().into_iter();
    let counted: Vec<GameFolder> = folders
        .filter(|folder| folder.file("reachable.txt").exists())
        .collect();
    let names: Vec<&str> = counted.iter().map(|folder| folder.name.as_str()).collect();
    assert_eq!(names, ["gravity", "morris", "notakto", "vanishing", "wild"]);
    for folder in counted {
        let text = read(&folder, "reachable.txt");
        assert!(!text.is_empty(), "{}", folder.name);
        for line in text.lines() {
            let (variant, counts) = line.split_once(' ').unwrap_or_default();
            let variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
            let (all, distinct) = AnyGameState::new(variant).visit(ReachablePositions);
            assert_eq!(format!("{all} {distinct}"), counts, "{variant}");
        }
    }
}

/// Counts the positions that can be reached, and how many of them there are up to symmetry.
struct ReachablePositions;

impl GameVisitor for ReachablePositions {
    type Output = (usize, usize);

    fn visit<G: Game>(self, start: &GameState<G>) -> (usize, usize) {
        let game = start.game();
        let mut reached = HashSet::from([game.start()]);
        let mut waiting = vec![game.start()];
        while let Some(position) = waiting.pop() {
            game.for_each_move(&position, |mv| {
                let next = game.after(&position, mv);
                if reached.insert(next.clone()) {
                    waiting.push(next);
                }
            });
        }
        let distinct = reached.iter().map(|position| game.canonical(position).0);
        (reached.len(), distinct.collect::<HashSet<_>>().len())
    }
}

/// How many random games are played of each variant.
const RANDOM_GAMES: u32 = 20_000;

/// Random games are as long and end as often in each result as those of an independent implementation. In
/// `random-play.txt`, a line has the variant, the average number of plies, and how many percent X and O win and are drawn.
#[test]
fn random_games_have_the_expected_results() {
    for folder in game_folders() {
        let text = read(&folder, "random-play.txt");
        assert!(!text.is_empty(), "{}", folder.name);
        for line in text.lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let number = |n: usize| {
                fields[n]
                    .parse::<f64>()
                    .unwrap_or_else(|_| panic!("{line}"))
            };
            let variant = fields[0].parse().unwrap_or_else(|error| panic!("{error}"));
            let found = AnyGameState::new(variant).visit(RandomGames);
            // Both samples vary: three standard deviations of the difference.
            let tolerances = [0.4, 1.5, 1.5, 1.5];
            for (n, (found, tolerance)) in found.into_iter().zip(tolerances).enumerate() {
                let difference = (found - number(n + 1)).abs();
                assert!(difference <= tolerance, "{line}: value {n} is {found}");
            }
        }
    }
}

/// Plays random games; returns the average number of plies and the results in percent.
struct RandomGames;

impl GameVisitor for RandomGames {
    type Output = [f64; 4];

    fn visit<G: Game>(self, start: &GameState<G>) -> [f64; 4] {
        let mut rng = TestRng::for_name(SEED, &start.game().variant().to_string());
        let mut totals = [0u32; 4];
        for _ in 0..RANDOM_GAMES {
            let mut state = start.clone();
            while state.outcome().is_none() {
                let mv = state.game().random_move(state.position(), &mut rng.0);
                let played = mv.map(|mv| state.play(mv));
                assert_eq!(played, Some(Ok(())));
            }
            totals[0] += state.moves().len() as u32;
            totals[match state.outcome() {
                Some(Outcome::Win(Side::X)) => 1,
                Some(Outcome::Win(Side::O)) => 2,
                _ => 3,
            }] += 1;
        }
        let average = |total: u32| f64::from(total) / f64::from(RANDOM_GAMES);
        let [plies, results @ ..] = totals.map(average);
        let [x, o, draws] = results.map(|share| 100.0 * share);
        [plies, x, o, draws]
    }
}

/// Every game agrees with the reference in thousands of positions.
#[test]
fn games_conform() {
    let folders = game_folders();
    std::thread::scope(|scope| {
        for folder in &folders {
            scope.spawn(|| check_folder(folder, POSITIONS));
        }
    });
}

fn check_folder(folder: &GameFolder, positions: usize) {
    for variant in &folder.variants {
        let parsed: Variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
        let cells = AnyGameState::new(parsed).view().shape().count_cells();
        let effort: &CheckEffort = if cells > 30 { &MIDDLE } else { &SMALL };
        let (mut seen, mut seed) = (0, SEED);
        while seen < positions / folder.variants.len() {
            seen += check_variant(variant, seed, effort);
            seed += 1;
        }
    }
}
