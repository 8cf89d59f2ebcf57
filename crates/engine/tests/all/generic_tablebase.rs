//! Games that can repeat, solved without knowing them: known values of the start, every value against an independent
//! fixpoint iteration, and files that are damaged.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use noughts_engine::solve::solve_any;
use noughts_engine::tablebase::{self, BuildStage, Tablebase, TablebaseError, tablebase_path};
use noughts_engine::{
    AnyBot, BotKind, BotSettings, ExactValue, GameValue, SearchLimits, StopFlag, Tablebases,
};
use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, Variant};

fn variant(name: &str) -> Variant {
    name.parse().expect("a variant")
}

/// A folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("generic-tablebase-{name}"));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn build(folder: &Path, variant: Variant) -> Tablebase {
    let path = tablebase_path(folder, variant);
    Tablebase::build(variant, &path, 2, &StopFlag::new(), &|_| {}).expect("it can be built")
}

const WIN: fn(u32) -> ExactValue = ExactValue::win;
const LOSS: fn(u32) -> ExactValue = ExactValue::loss;

/// A variant, the value of its start and of each first move.
type KnownValues = (&'static str, ExactValue, Vec<(&'static str, ExactValue)>);

/// All small games whose values were found independently.
fn known_values() -> Vec<KnownValues> {
    let draw = ExactValue::DRAW;
    let all = |center, corner, edge| {
        let corners = ["a1", "c1", "a3", "c3"].map(|mv| (mv, corner));
        let edges = ["b1", "a2", "c2", "b3"].map(|mv| (mv, edge));
        let center = [("b2", center)];
        center.into_iter().chain(corners).chain(edges).collect()
    };
    vec![
        ("morris", WIN(9), all(WIN(9), draw, LOSS(8))),
        ("morris:move=any", draw, all(draw, draw, draw)),
        ("vanishing", WIN(13), all(draw, draw, WIN(13))),
    ]
}

/// Without a tablebase, small games are solved in memory.
#[test]
fn small_games_are_solved_at_once() {
    for (name, value, moves) in known_values() {
        let state = AnyGameState::new(variant(name));
        let result = solve_any(
            &state,
            &BotSettings::default(),
            SearchLimits::NONE,
            &StopFlag::new(),
        );
        assert_eq!(result.value, Some(value), "{name}");
        assert_eq!(result.moves.len(), 9, "{name}");
        for (mv, found) in result.moves {
            let known = moves.iter().find(|(known, _)| *known == mv);
            assert_eq!(found, known.map(|&(_, value)| value), "{name} {mv}");
        }
        assert!(BotKind::Perfect.is_perfect(variant(name), &Tablebases::default()));
    }
    for name in ["tic-tac-two:board=7", "gobblers"] {
        assert!(
            !BotKind::Perfect.is_perfect(variant(name), &Tablebases::default()),
            "{name}"
        );
    }
}

/// A short time limit is kept, and what was found in it is used by the next call.
#[test]
fn solving_in_memory_respects_limits() {
    let state = AnyGameState::new(variant("vanishing"));
    let settings = BotSettings::default();
    let stop = StopFlag::new();
    stop.stop();
    let stopped = solve_any(&state, &settings, SearchLimits::NONE, &stop);
    assert_eq!(stopped.value, None);
    let within = |time| {
        let limits = SearchLimits::time(time);
        solve_any(&state, &settings, limits, &StopFlag::new()).value
    };
    assert_eq!(within(Duration::ZERO), None);
    let value = loop {
        if let Some(value) = within(Duration::from_millis(5)) {
            break value;
        }
    };
    assert_eq!(value, WIN(13));
}

/// The bots play on with the same values.
#[test]
fn exact_bots_win_small_games() {
    for kind in [BotKind::Perfect, BotKind::Best] {
        for (name, value, _) in known_values() {
            let Some(plies) = value.plies() else { continue };
            let mut state = AnyGameState::new(variant(name));
            let mut bot = AnyBot::new(kind, variant(name), &BotSettings::default())
                .expect("it plays every game");
            while state.outcome().is_none() {
                let limits = SearchLimits::nodes(100);
                let report = bot.think(&state, limits, &StopFlag::new(), &mut |_| {});
                let left = plies - state.ply() as u32;
                let expected = match state.ply() % 2 {
                    0 => WIN(left),
                    _ => LOSS(left),
                };
                assert_eq!(report.value.exact(), Some(expected), "{kind} {name}");
                assert_eq!(report.note, None);
                let best = report.best.expect("there is a move");
                state.play(&best).expect("it is legal");
            }
            assert_eq!(state.ply() as u32, plies, "{kind} {name}");
        }
    }
}

/// All positions that can be reached, with their values by repeated evaluation of all of them.
struct AllPositions<'a>(&'a Tablebase);

impl GameVisitor for AllPositions<'_> {
    /// How many positions there are, without and with counting symmetric ones once.
    type Output = (usize, usize);

    fn visit<G: Game>(self, state: &GameState<G>) -> (usize, usize) {
        let game = state.game();
        let mut positions = vec![game.start()];
        let mut numbers = HashMap::from([(game.text(&game.start()), 0)]);
        let mut moves: Vec<Vec<usize>> = Vec::new();
        while moves.len() < positions.len() {
            let position = positions[moves.len()].clone();
            let next = game.moves(&position).into_iter().map(|mv| {
                let next = game.after(&position, mv);
                assert_ne!(game.side(&next), game.side(&position));
                *numbers.entry(game.text(&next)).or_insert_with(|| {
                    positions.push(next);
                    positions.len() - 1
                })
            });
            let next = next.collect();
            moves.push(next);
        }
        let finished = |position: &G::Position| {
            let outcome = game.outcome(position)?;
            Some(ExactValue::from_outcome(outcome, game.side(position)))
        };
        let mut values: Vec<Option<ExactValue>> = positions.iter().map(finished).collect();
        loop {
            let evaluated = (0..positions.len()).map(|number| {
                let replies = moves[number].iter().map(|&next| values[next]);
                let mine = replies.map(|value| value.map(|value| value.backed_up(false)));
                let mine: Vec<Option<ExactValue>> = mine.collect();
                let best = mine.iter().flatten().max().copied();
                match best {
                    Some(best) if best > ExactValue::DRAW => Some(best),
                    best if mine.iter().all(Option::is_some) => best.or(values[number]),
                    _ => None,
                }
            });
            let evaluated: Vec<Option<ExactValue>> = evaluated.collect();
            if evaluated == values {
                break;
            }
            values = evaluated;
        }
        let mut representatives = 0;
        for (position, value) in positions.iter().zip(values) {
            let text = game.text(position);
            assert_eq!(
                self.0.probe(position),
                Some(value.unwrap_or(ExactValue::DRAW)),
                "{text}"
            );
            representatives += usize::from(game.representative(position) == *position);
        }
        (positions.len(), representatives)
    }
}

#[test]
fn every_value_agrees_with_a_fixpoint_iteration() {
    let folder = folder("fixpoint");
    for (name, counts) in [
        ("morris", Some((5_390, 744))),
        ("morris:move=any", None),
        ("vanishing", Some((128_170, 16_030))),
        ("vanishing:marks=4", None),
    ] {
        let variant = variant(name);
        let tablebase = build(&folder, variant);
        let found = AnyGameState::new(variant).visit(AllPositions(&tablebase));
        if let Some(counts) = counts {
            assert_eq!(found, counts, "{name}");
        }
        let summary = tablebase.summary().expect("the file is good");
        let [all] = &summary[..] else {
            panic!("{summary:?}")
        };
        assert_eq!(all.positions as usize, found.1, "{name}");
        assert_eq!(
            all.positions,
            all.finished + all.wins + all.losses + all.draws
        );
        let checked = tablebase.check(2, &StopFlag::new(), &|_| {});
        assert_eq!(checked.expect("all values are right"), found.1, "{name}");
    }
    // All of them are found below the folder, and nothing else.
    fs::write(folder.join("tables/morris.table.bak"), "").expect("it can be written");
    fs::write(folder.join("tables/chess.table"), "").expect("it can be written");
    let (tablebases, errors) = Tablebases::open(&folder);
    assert!(errors.is_empty(), "{errors:?}");
    for (name, value, _) in known_values() {
        let tablebase = tablebases.get(variant(name)).expect("it was built");
        assert_eq!(tablebase.probe_start(), Some(value), "{name}");
        let start = AnyGameState::new(variant(name));
        assert_eq!(tablebase.probe_state(&start), Some(value), "{name}");
    }
    let morris = tablebases.get(variant("morris")).expect("it was built");
    let other = AnyGameState::new(variant("vanishing"));
    assert_eq!(morris.probe_state(&other), None);
    fs::remove_dir_all(&folder).expect("it can be removed");
}

/// The same file, however many threads build it.
#[test]
fn files_are_deterministic() {
    let folder = folder("deterministic");
    let path = build(&folder, variant("morris")).path().to_path_buf();
    let first = fs::read(&path).expect("it was written");
    let again = Tablebase::build(variant("morris"), &path, 1, &StopFlag::new(), &|_| {});
    again.expect("it can be built");
    assert!(fs::read(&path).expect("it was written") == first);
    fs::remove_dir_all(&folder).expect("it can be removed");
}

#[test]
fn games_without_a_tablebase_are_refused() {
    let folder = folder("refused");
    let path = folder.join("file.table");
    let classic = Tablebase::build(Variant::CLASSIC, &path, 1, &StopFlag::new(), &|_| {});
    let error = classic.expect_err("positions can't repeat");
    assert!(error.to_string().contains("needs no tablebase"), "{error}");
    let error = Tablebase::open(Variant::CLASSIC, &path).expect_err("it has none");
    assert!(matches!(error, TablebaseError::NotNeeded { .. }), "{error}");
    for (name, supported) in [("classic", false), ("ultimate", false), ("morris", true)] {
        assert_eq!(tablebase::is_supported(variant(name)), supported, "{name}");
    }
    assert!(!folder.exists() || fs::read_dir(&folder).expect("a folder").count() == 0);
}

/// A half-solved tablebase must never be taken for a good one.
#[test]
fn stopped_build_leaves_nothing_behind() {
    let folder = folder("stopped");
    let path = tablebase_path(&folder, variant("vanishing"));
    for stage in [
        BuildStage::Listing,
        BuildStage::Solving,
        BuildStage::Packing,
    ] {
        let stop = StopFlag::new();
        let built = Tablebase::build(variant("vanishing"), &path, 1, &stop, &|progress| {
            if progress.stage == stage {
                stop.stop();
            }
        });
        let error = built.expect_err("it was stopped");
        assert!(matches!(error, TablebaseError::Stopped { .. }), "{error}");
        let left = fs::read_dir(folder.join("tables")).expect("the folder was made");
        assert_eq!(left.count(), 0, "{stage:?}");
    }
    fs::remove_dir_all(&folder).expect("it can be removed");
}

/// FNV-1a, as documented.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn damaged_files_are_refused() {
    let folder = folder("damaged");
    let morris = variant("morris");
    let tablebase = build(&folder, morris);
    let summary = tablebase.summary().expect("the file is good");
    let path = tablebase.path().to_path_buf();
    let original = fs::read(&path).expect("it was written");
    let mut ignored = 0;
    let open = |bytes: &[u8]| {
        fs::write(&path, bytes).expect("it can be written");
        Tablebase::open(morris, &path)
    };
    // The header is 72 bytes, the length of the only block and a checksum.
    let header = 72 + 4 + 8;
    for len in [0, 7] {
        let error = open(&original[..len]).expect_err("it is truncated");
        assert!(
            matches!(error, TablebaseError::NotATablebase { .. }),
            "{len}: {error}"
        );
    }
    for len in [8, 12, 31, 32, 71, 72, header, original.len() - 1] {
        let error = open(&original[..len]).expect_err("it is truncated");
        assert!(
            matches!(error, TablebaseError::Truncated { .. }),
            "{len}: {error}"
        );
    }
    let mut longer = original.clone();
    longer.push(0);
    open(&longer).expect_err("it has an extra byte");
    for offset in 0..original.len() {
        let mut changed = original.clone();
        changed[offset] ^= 1;
        match open(&changed) {
            Err(error) => assert!(offset < header, "{offset}: {error}"),
            Ok(tablebase) => {
                assert!(offset >= header, "{offset}");
                match tablebase.summary() {
                    Err(error) => {
                        assert!(matches!(error, TablebaseError::Corrupted { .. }), "{error}");
                        assert_eq!(tablebase.probe_start(), None);
                        assert!(tablebase.is_corrupted());
                    }
                    // A bit that the decoder ignores, so that all values are right.
                    Ok(found) => {
                        ignored += 1;
                        assert_eq!(found, summary, "{offset}");
                        tablebase
                            .check(1, &StopFlag::new(), &|_| {})
                            .expect("all values are right");
                    }
                }
            }
        }
    }
    assert!(ignored < 5, "{ignored}");
    // A good file under the name of another variant.
    fs::write(&path, &original).expect("it can be written");
    let error = Tablebase::open(variant("morris:move=any"), &path).expect_err("it is another");
    assert!(
        matches!(error, TablebaseError::NotATablebase { .. }),
        "{error}"
    );
    // A good file of the variant, but with other rules.
    let mut other = original.clone();
    other[64] ^= 1;
    let sum = checksum(&other[..header - 8]);
    other[header - 8..header].copy_from_slice(&sum.to_le_bytes());
    let error = open(&other).expect_err("the rules are others");
    assert!(
        matches!(error, TablebaseError::OtherRules { .. }),
        "{error}"
    );
    fs::remove_dir_all(&folder).expect("it can be removed");
}

/// A file with correct checksums and one wrong value, written according to the documented layout.
#[test]
fn check_finds_a_single_wrong_value() {
    let folder = folder("wrong");
    let morris = variant("morris");
    let path = build(&folder, morris).path().to_path_buf();
    let original = fs::read(&path).expect("it was written");
    let header = 72 + 4 + 8;
    let mut block = zstd::bulk::decompress(&original[header..], 1 << 20).expect("a good block");
    let positions = 744;
    // A win in 3 becomes one in 5.
    let place = block[..positions]
        .iter()
        .position(|&code| code == 1 + 2 * 3);
    let place = place.expect("there is a win in three plies");
    block[place] = 1 + 2 * 5;
    let packed = zstd::bulk::compress(&block, 1).expect("it can be packed");
    let mut bytes = original[..header].to_vec();
    bytes[24..32].copy_from_slice(&((header + packed.len()) as u64).to_le_bytes());
    bytes[72..76].copy_from_slice(&(packed.len() as u32).to_le_bytes());
    let sum = checksum(&bytes[..header - 8]);
    bytes[header - 8..].copy_from_slice(&sum.to_le_bytes());
    bytes.extend(packed);
    fs::write(&path, &bytes).expect("it can be written");
    let tablebase = Tablebase::open(morris, &path).expect("the checksums are right");
    let error = tablebase.check(2, &StopFlag::new(), &|_| {});
    let error = error.expect_err("a value is wrong");
    let TablebaseError::WrongValues {
        wrong, position, ..
    } = &error
    else {
        panic!("{error}");
    };
    // The position itself, and perhaps some that lead to it.
    assert!(*wrong >= 1, "{error}");
    AnyGameState::from_text(morris, position).expect("it is a position");
    assert!(!error.to_string().contains('\n'));
    fs::remove_dir_all(&folder).expect("it can be removed");
}

/// The largest game, by its own numbering: the known values, within 6 GiB and 45 minutes on two cores.
#[test]
#[ignore = "soak"]
fn soak_gobblers_is_solved() {
    let folder = folder("gobblers");
    let gobblers = variant("gobblers");
    let path = tablebase_path(&folder, gobblers);
    let started = std::time::Instant::now();
    let seconds = || started.elapsed().as_secs();
    let last = std::sync::Mutex::new((BuildStage::Listing, 0));
    let report = |progress: tablebase::BuildProgress| {
        let percent = 100 * progress.done / progress.total.max(1);
        let mut last = last.lock().expect("no thread panicked");
        if *last != (progress.stage, percent) {
            *last = (progress.stage, percent);
            println!("{} s: {:?} {percent} %", seconds(), progress.stage);
        }
    };
    let tablebase = Tablebase::build(gobblers, &path, 2, &StopFlag::new(), &report);
    let tablebase = tablebase.expect("it can be built");
    println!("built in {} s, {} bytes", seconds(), tablebase.file_len());
    assert!(seconds() <= 45 * 60);
    println!("{:?}", tablebase.summary().expect("the file is good"));
    assert_eq!(tablebase.probe_start(), Some(WIN(13)));
    let mut state = AnyGameState::new(gobblers);
    for mv in state.legal_moves() {
        state.play(&mv).expect("it is legal");
        let value = tablebase.probe_state(&state).expect("it is in the table");
        println!("{mv}: {}", value.backed_up(false));
        match mv.starts_with('m') {
            true => assert_eq!(value.game_value(), GameValue::Win, "{mv}"),
            false => assert!([LOSS(12), LOSS(14)].contains(&value), "{mv}: {value}"),
        }
        state.undo();
    }
    let checked = tablebase.check(2, &StopFlag::new(), &report);
    println!(
        "{} positions, checked after {} s",
        checked.expect("all values are right"),
        seconds()
    );
}

/// Counts the numbers of the positions that can be reached.
struct ReachableNumbers;

impl GameVisitor for ReachableNumbers {
    type Output = u64;

    fn visit<G: Game>(self, state: &GameState<G>) -> u64 {
        let game = state.game();
        let count = game.count_position_numbers() as usize;
        let mut seen = vec![0_u64; count.div_ceil(64)];
        let mut next = Vec::new();
        let mut reached = 0;
        let mut add = |position: &G::Position, next: &mut Vec<u32>| {
            let number = game.position_number(position).expect("it has a number") as usize;
            let bit = 1 << (number % 64);
            if seen[number / 64] & bit == 0 {
                seen[number / 64] |= bit;
                reached += 1;
                next.push(u32::try_from(number).expect("it isn't that large"));
            }
        };
        add(&game.start(), &mut next);
        while let Some(number) = next.pop() {
            let position = game.position_from_number(number.into());
            let position = position.expect("the number is used");
            game.for_each_move(&position, |mv| add(&game.after(&position, mv), &mut next));
        }
        reached
    }
}

/// The numbers distinguish neither more nor fewer positions than an independent count does.
#[test]
#[ignore = "soak"]
fn soak_gobblers_has_a_number_for_each_reachable_position() {
    let reached = AnyGameState::new(variant("gobblers")).visit(ReachableNumbers);
    assert_eq!(reached, 341_024_631);
}
