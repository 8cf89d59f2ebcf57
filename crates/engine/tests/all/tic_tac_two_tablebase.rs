//! Checks the tablebase of Tic-Tac-Two against the rules: every value must follow from the legal
//! moves, and no file may make it panic.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::shared_tablebase::{data_folder, tablebase};
use noughts_conformance::test_rng::TestRng;
use noughts_engine::tablebase::{LayerSummary, Tablebase, TablebaseError};
use noughts_engine::{
    AnyBot, BotKind, BotSettings, ExactValue, GameValue, SearchLimits, StopFlag, Tablebases,
};
use noughts_rules::{
    AnyGameState, Game, GameState, Outcome, Symmetry, TicTacTwo, TicTacTwoMove, TicTacTwoOptions,
    TicTacTwoPosition, Variant,
};

/// All valid numbers of pieces of X and O.
fn counts() -> Vec<(usize, usize)> {
    let opening = [(0, 0), (1, 0), (1, 1), (2, 1)];
    let rest = (2..=4).flat_map(|x| (2..=4).map(move |o| (x, o)));
    opening.into_iter().chain(rest).collect()
}

/// All moves with the best value.
fn best_moves(tablebase: &Tablebase, position: &TicTacTwoPosition) -> Vec<TicTacTwoMove> {
    let moves = tablebase.moves(&TicTacTwo::standard(), position);
    let mut moves = moves.expect("it is in the table");
    let best = moves.first().map(|&(_, value)| value);
    moves.retain(|&(_, value)| Some(value) == best);
    moves.into_iter().map(|(mv, _)| mv).collect()
}

/// A random position with these numbers of pieces.
fn position_with(game: &TicTacTwo, rng: &mut TestRng, (x, o): (usize, usize)) -> TicTacTwoPosition {
    let (mut center, mut side) = ("c3", if x > o { 'o' } else { 'x' });
    if x.min(o) >= 2 {
        let centers = ["b2", "c2", "d2", "b3", "c3", "d3", "b4", "c4", "d4"];
        center = centers[rng.below(9)];
        side = ['x', 'o'][rng.below(2)];
    }
    let mut cells = ['.'; 25];
    for (letter, count) in [('x', x), ('o', o)] {
        for _ in 0..count {
            loop {
                let cell = rng.below(25);
                if cells[cell] == '.' {
                    cells[cell] = letter;
                    break;
                }
            }
        }
    }
    let rows: Vec<String> = cells.chunks(5).map(|row| row.iter().collect()).collect();
    let text = format!("{rows} {side} @{center}", rows = rows.join("/"));
    game.parse(&text).expect("a valid position")
}

fn random_position(game: &TicTacTwo, rng: &mut TestRng) -> TicTacTwoPosition {
    let counts = counts();
    let counts = counts[rng.below(counts.len())];
    position_with(game, rng, counts)
}

/// The value of a position according to the rules and the values after each move.
fn value_from_moves(
    game: &TicTacTwo,
    tablebase: &Tablebase,
    position: &TicTacTwoPosition,
) -> ExactValue {
    if let Some(outcome) = game.outcome(position) {
        return ExactValue::from_outcome(outcome, game.side(position));
    }
    let values = game.moves(position).into_iter().map(|mv| {
        let next = game.play(*position, mv).expect("the move is legal");
        tablebase
            .probe(&next)
            .expect("it is in the table")
            .backed_up(false)
    });
    values.max().expect("there is always a move")
}

fn check_values(seed: u64, positions: usize) {
    let game = TicTacTwo::standard();
    let tablebase = tablebase();
    for counts in counts() {
        let mut rng = TestRng::for_name(seed, &format!("{counts:?}"));
        for _ in 0..positions {
            let position = position_with(&game, &mut rng, counts);
            assert_eq!(
                tablebase.probe(&position),
                Some(value_from_moves(&game, tablebase, &position)),
                "{}",
                game.text(&position)
            );
        }
    }
}

#[test]
fn every_value_follows_from_the_moves_of_the_rules() {
    check_values(1, 6000);
}

#[test]
#[ignore = "soak"]
fn soak_every_value_follows_from_the_moves_of_the_rules() {
    let times = std::env::var("NOUGHTS_SOAK").ok();
    let times = times.and_then(|times| times.parse().ok()).unwrap_or(10);
    check_values(2, 6000 * times);
}

/// The opening has few reachable positions: check all of them.
#[test]
fn every_opening_follows_from_the_moves_of_the_rules() {
    fn walk(game: &TicTacTwo, position: &TicTacTwoPosition) {
        let value = value_from_moves(game, tablebase(), position);
        assert_eq!(
            tablebase().probe(position),
            Some(value),
            "{}",
            game.text(position)
        );
        if game.is_opening(position) {
            for mv in game.moves(position) {
                walk(game, &game.play(*position, mv).expect("the move is legal"));
            }
        }
    }
    let game = TicTacTwo::standard();
    assert_eq!(tablebase().probe(&game.start()), Some(ExactValue::DRAW));
    walk(&game, &game.start());
}

#[test]
fn symmetric_and_exchanged_positions_have_the_same_value() {
    let game = TicTacTwo::standard();
    let mut rng = TestRng::new(2);
    for _ in 0..20_000 {
        let position = random_position(&game, &mut rng);
        let value = tablebase().probe(&position);
        assert!(value.is_some());
        for symmetry in (0..game.count_symmetries()).map(Symmetry) {
            let image = game.map_position(&position, symmetry);
            assert_eq!(tablebase().probe(&image), value, "{}", game.text(&image));
        }
        let text = game.text(&position);
        let exchanged = text.chars().map(|letter| match letter {
            'x' => 'o',
            'o' => 'x',
            other => other,
        });
        // In the opening the numbers of pieces don't allow it.
        if let Ok(exchanged) = game.parse(&exchanged.collect::<String>()) {
            assert_eq!(
                tablebase().probe(&exchanged),
                value,
                "{}",
                game.text(&exchanged)
            );
        }
    }
}

/// Whether the side to move can win within this many plies, by the rules alone.
fn wins_within(game: &TicTacTwo, position: &TicTacTwoPosition, plies: u32) -> bool {
    match game.outcome(position) {
        Some(outcome) => outcome == Outcome::Win(game.side(position)),
        None => {
            plies > 0
                && game.moves(position).into_iter().any(|mv| {
                    let mut next = *position;
                    game.apply(&mut next, mv);
                    loses_within(game, &next, plies - 1)
                })
        }
    }
}

/// Whether the side to move loses within this many plies, whatever it plays.
fn loses_within(game: &TicTacTwo, position: &TicTacTwoPosition, plies: u32) -> bool {
    match game.outcome(position) {
        Some(outcome) => outcome == Outcome::Win(game.side(position).other()),
        None => {
            plies > 0
                && game.moves(position).into_iter().all(|mv| {
                    let mut next = *position;
                    game.apply(&mut next, mv);
                    wins_within(game, &next, plies - 1)
                })
        }
    }
}

#[test]
fn short_wins_match_a_plain_search() {
    let game = TicTacTwo::standard();
    let mut rng = TestRng::new(3);
    let mut seen = [0; 7];
    for _ in 0..4000 {
        let position = random_position(&game, &mut rng);
        let value = tablebase().probe(&position).expect("it is in the table");
        let win = (0..=5).find(|&plies| wins_within(&game, &position, plies));
        let loss = (0..=4).find(|&plies| loses_within(&game, &position, plies));
        let text = game.text(&position);
        match value.plies() {
            Some(plies) if value.game_value() == GameValue::Win && plies <= 5 => {
                assert_eq!((win, loss), (Some(plies), None), "{text}");
                seen[plies as usize] += 1;
            }
            Some(plies) if value.game_value() == GameValue::Loss && plies <= 4 => {
                assert_eq!((win, loss), (None, Some(plies)), "{text}");
                seen[plies as usize] += 1;
            }
            _ => {
                assert_eq!((win, loss), (None, None), "{text}");
                seen[6] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&seen| seen > 20), "{seen:?}");
}

/// From a hundred thousand positions: with best play on both sides a win takes exactly the stated
/// distance, and no opponent can prevent it or win a drawn game.
#[test]
fn best_moves_keep_the_value() {
    let game = TicTacTwo::standard();
    let tablebase = tablebase();
    let mut rng = TestRng::new(4);
    for round in 0..100_000 {
        let start = random_position(&game, &mut rng);
        let hero = game.side(&start);
        let expected = tablebase.probe(&start).expect("it is in the table");
        let is_random_opponent = round % 2 == 0;
        let (mut position, mut value, mut plies) = (start, expected, 0);
        // A draw may never end.
        let max_plies = if expected == ExactValue::DRAW { 12 } else { 40 };
        while game.outcome(&position).is_none() && plies < max_plies {
            let moves = if game.side(&position) == hero || !is_random_opponent {
                best_moves(tablebase, &position)
            } else {
                game.moves(&position)
            };
            let mv = rng.pick(&moves).expect("there is a move");
            position = game.play(position, mv).expect("the move is legal");
            plies += 1;
            let now = tablebase.probe(&position).expect("it is in the table");
            let now = if game.side(&position) == hero {
                now
            } else {
                now.backed_up(false)
            };
            assert!(
                now.game_value() >= value.game_value(),
                "{}",
                game.text(&start)
            );
            value = now;
        }
        let winner = game.outcome(&position).map(Outcome::winner);
        match expected.game_value() {
            GameValue::Win => {
                assert_eq!(winner, Some(Some(hero)), "{}", game.text(&start));
                let max_plies = expected.plies().expect("the table knows lengths");
                assert!(plies <= max_plies, "{}", game.text(&start));
                assert!(
                    is_random_opponent || plies == max_plies,
                    "{}",
                    game.text(&start)
                );
            }
            GameValue::Draw => assert_ne!(winner, Some(Some(hero.other()))),
            GameValue::Loss if !is_random_opponent => {
                assert_eq!(winner, Some(Some(hero.other())));
                assert_eq!(Some(plies), expected.plies(), "{}", game.text(&start));
            }
            GameValue::Loss => {}
        }
    }
}

/// The same for bots that use the tablebase: the bot plays the hero, against the longest defense
/// (or, if the hero loses, the fastest win).
fn check_bot_keeps_values(kind: BotKind, seed: u64, positions: usize) {
    let game = TicTacTwo::standard();
    let tablebase = tablebase();
    let tables = Tablebases::open(&data_folder()).0;
    let settings = BotSettings {
        tablebases: tables,
        memory: 1 << 20,
        ..BotSettings::default()
    };
    let mut bot = AnyBot::new(kind, Variant::TIC_TAC_TWO, &settings).expect("it plays");
    let mut rng = TestRng::new(seed);
    for _ in 0..positions {
        let start = random_position(&game, &mut rng);
        let hero = game.side(&start);
        let expected = tablebase.probe(&start).expect("it is in the table");
        let mut state = GameState::from_position(game.clone(), start);
        // A draw may never end.
        let max_plies = if expected == ExactValue::DRAW { 4 } else { 40 };
        let mut plies = 0;
        while state.outcome().is_none() && plies < max_plies {
            let mv = if state.side() == hero {
                let any = AnyGameState::TicTacTwo(state.clone());
                let report = bot.think(
                    &any,
                    SearchLimits::nodes(2000),
                    &StopFlag::new(),
                    &mut |_| {},
                );
                let value = report.value.exact().expect("the table knows it");
                assert_eq!(
                    Some(value),
                    tablebase.probe(state.position()),
                    "{}",
                    game.text(&start)
                );
                let line = report.pv.len() as u32;
                assert!(
                    value.plies().is_none_or(|plies| plies == line),
                    "{}",
                    game.text(&start)
                );
                game.parse_move(&report.best.expect("there is a move"))
                    .expect("valid move text")
            } else {
                let moves = best_moves(tablebase, state.position());
                rng.pick(&moves).expect("there is a move")
            };
            state.play(mv).expect("the move is legal");
            plies += 1;
        }
        match expected.game_value() {
            GameValue::Win => assert_eq!(
                state.outcome(),
                Some(Outcome::Win(hero)),
                "{}",
                game.text(&start)
            ),
            GameValue::Loss => assert_eq!(state.outcome(), Some(Outcome::Win(hero.other()))),
            GameValue::Draw => {
                let now = tablebase
                    .probe(state.position())
                    .expect("it is in the table");
                assert_eq!(now.game_value(), GameValue::Draw, "{}", game.text(&start));
            }
        }
        assert!(
            expected.plies().is_none_or(|expected| expected == plies),
            "{}",
            game.text(&start)
        );
    }
}

#[test]
fn perfect_and_best_keep_the_value() {
    check_bot_keeps_values(BotKind::Perfect, 21, 6000);
    check_bot_keeps_values(BotKind::Best, 22, 2000);
}

#[test]
#[ignore = "soak"]
fn soak_perfect_keeps_the_value() {
    check_bot_keeps_values(BotKind::Perfect, 23, 100_000);
}

/// The number of positions up to symmetry, by Burnside's lemma and the rules alone.
#[test]
fn no_position_is_missing() {
    let layers = tablebase().summary().expect("the file is good");
    let choose = |n: u64, k: u64| (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1));
    for layer in &layers {
        let (a, b) = layer.pieces.expect("layers are divided by pieces");
        let (a, b) = (a as u64, b as u64);
        // The number of piece placements that are fixed by a symmetry with this many fixed cells,
        // whose other cells are in cycles of the same length.
        let fixed_placements = |fixed: u64, length: u64| -> u64 {
            let cycles = (25 - fixed) / length;
            let mut ways = 0;
            for a_fixed in (0..=a.min(fixed)).filter(|n| (a - n) % length == 0) {
                for b_fixed in (0..=b.min(fixed - a_fixed)).filter(|n| (b - n) % length == 0) {
                    let (a_cycles, b_cycles) = ((a - a_fixed) / length, (b - b_fixed) / length);
                    if a_cycles + b_cycles <= cycles {
                        ways += choose(fixed, a_fixed)
                            * choose(fixed - a_fixed, b_fixed)
                            * choose(cycles, a_cycles)
                            * choose(cycles - a_cycles, b_cycles);
                    }
                }
            }
            ways
        };
        // Every symmetry fixes the grid in the center. Of all nine grids, a half turn and a quarter
        // turn fix one, a reflection three.
        let grids = if a.min(b) >= 2 { [9, 1, 1, 3] } else { [1; 4] };
        let sum = grids[0] * fixed_placements(25, 1)
            + grids[1] * fixed_placements(1, 2)
            + 2 * grids[2] * fixed_placements(1, 4)
            + 4 * grids[3] * fixed_placements(5, 2);
        assert_eq!(layer.positions, sum / 8, "{a} + {b}");
        let LayerSummary {
            finished,
            wins,
            losses,
            draws,
            ..
        } = *layer;
        assert_eq!(layer.positions, finished + wins + losses + draws);
    }
}

/// Every position of the file, by the program's own check. The short form is
/// `every_value_follows_from_the_moves_of_the_rules`.
#[test]
#[ignore = "soak"]
fn soak_check_finds_no_errors() {
    let layers = tablebase().summary().expect("the file is good");
    let positions: u64 = layers.iter().map(|layer| layer.positions).sum();
    let checked = tablebase()
        .check(2, &StopFlag::new(), &|_| {})
        .expect("all values are right");
    assert_eq!(checked as u64, positions);
}

#[test]
fn tablebases_match_only_their_game() {
    let data_folder = data_folder();
    assert!(tablebase().path().starts_with(&data_folder));
    let (tables, errors) = Tablebases::open(&data_folder);
    assert!(errors.is_empty());
    let standard = TicTacTwo::standard();
    assert!(tables.get(standard.variant()).is_some());
    for name in [
        "tic-tac-two:pieces=3",
        "tic-tac-two:board=7",
        "tic-tac-two:after=3",
    ] {
        let Ok(Some(options)) = name.parse::<Variant>().map(TicTacTwoOptions::of) else {
            panic!("{name} is a variant");
        };
        let game = TicTacTwo::new(options);
        assert!(tables.get(game.variant()).is_none(), "{name}");
        // Probing a position of another variant must not panic or return a wrong value.
        let mut rng = TestRng::new(5);
        for _ in 0..1000 {
            let mut position = game.start();
            while let Some(mv) = game.random_move(&position, &mut rng.0) {
                game.apply(&mut position, mv);
                let _ = tablebase().probe(&position);
                if rng.chance(1, 30) {
                    break;
                }
            }
        }
    }
    let (none, errors) = Tablebases::open(Path::new("/nowhere/at/all"));
    assert!(errors.is_empty() && none.get(standard.variant()).is_none());
}

/// A copy of the file to corrupt.
struct CorruptibleFile {
    path: PathBuf,
    original: Vec<u8>,
}

impl CorruptibleFile {
    fn new(name: &str) -> CorruptibleFile {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("spoiled-{name}.table"));
        let original = fs::read(tablebase().path()).expect("the table is there");
        CorruptibleFile { path, original }
    }

    fn open(&self, bytes: &[u8]) -> Result<Tablebase, TablebaseError> {
        fs::write(&self.path, bytes).expect("it can be written");
        Tablebase::open(Variant::TIC_TAC_TWO, &self.path)
    }

    /// Writes the intact file, to be changed in place.
    fn write_original(&self) -> fs::File {
        fs::write(&self.path, &self.original).expect("it can be written");
        let file = fs::OpenOptions::new().write(true).open(&self.path);
        file.expect("it is there")
    }

    fn error(&self, bytes: &[u8]) -> TablebaseError {
        self.open(bytes).expect_err("the file is bad")
    }

    /// The lengths of the blocks, according to the documented layout.
    fn lengths(&self) -> Vec<usize> {
        let positions = u64::from_le_bytes(self.original[16..24].try_into().expect("eight bytes"));
        let count = (positions as usize).div_ceil(65536);
        let words = self.original[64..64 + 4 * count].chunks(4);
        let words = words.map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
        words.map(|length| length as usize).collect()
    }
}

impl Drop for CorruptibleFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[test]
fn invalid_and_truncated_files_are_rejected() {
    let file_copy = CorruptibleFile::new("half");
    let original = &file_copy.original;
    for bytes in [
        &b""[..],
        b"NOUGHT",
        b"SQLite format 3\0 and so on",
        &[0; 4096],
    ] {
        let error = file_copy.error(bytes);
        assert!(
            matches!(error, TablebaseError::NotATablebase { .. }),
            "{error}"
        );
    }
    let header = 64 + 4 * file_copy.lengths().len() + 8;
    for len in [
        8,
        11,
        12,
        30,
        63,
        64,
        1000,
        header - 1,
        header,
        header + 1,
        original.len() - 1,
    ] {
        let error = file_copy.error(&original[..len]);
        assert!(
            matches!(error, TablebaseError::Truncated { .. }),
            "{len}: {error}"
        );
        assert!(!error.to_string().contains('\n'));
    }
    for (version, word) in [(2, "newer"), (0, "reads version"), (u32::MAX, "newer")] {
        let mut other = original.clone();
        other[8..12].copy_from_slice(&version.to_le_bytes());
        let error = file_copy.error(&other);
        assert!(
            matches!(error, TablebaseError::UnsupportedVersion { found, .. } if found == version)
        );
        assert!(error.to_string().contains(word), "{error}");
    }
    let mut longer = original.clone();
    longer.push(0);
    let error = file_copy.error(&longer);
    assert!(matches!(error, TablebaseError::Corrupted { .. }), "{error}");
    let folder = Tablebase::open(Variant::TIC_TAC_TWO, Path::new(env!("CARGO_TARGET_TMPDIR")));
    assert!(matches!(folder, Err(TablebaseError::Read { .. })));
}

/// A half-solved tablebase must never be taken for a good one.
#[test]
fn stopped_build_leaves_the_file_unchanged() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stopped");
    let path = folder.join("table");
    let stop = StopFlag::new();
    let built = Tablebase::build(Variant::TIC_TAC_TWO, &path, 1, &stop, &|_| stop.stop());
    assert!(matches!(built, Err(TablebaseError::Stopped { .. })));
    let left = fs::read_dir(&folder).expect("the folder was made").count();
    assert_eq!(left, 0, "a draft was left behind");

    let tablebase = tablebase();
    let stop = StopFlag::new();
    let checked = tablebase.check(1, &stop, &|_| stop.stop());
    assert!(matches!(checked, Err(TablebaseError::Stopped { .. })));
}

#[test]
fn every_flipped_bit_is_detected() {
    let file_copy = CorruptibleFile::new("bits");
    let mut rng = TestRng::new(6);
    let lengths = file_copy.lengths();
    let header = 64 + 4 * lengths.len() + 8;
    let file = file_copy.write_original();
    for _ in 0..300 {
        let offset = 12 + rng.below(header - 12);
        let changed = file_copy.original[offset] ^ (1 << rng.below(8));
        file.write_all_at(&[changed], offset as u64)
            .expect("written");
        let error =
            Tablebase::open(Variant::TIC_TAC_TWO, &file_copy.path).expect_err("the file is bad");
        assert!(matches!(error, TablebaseError::Corrupted { .. }), "{error}");
        let original = &file_copy.original[offset..=offset];
        file.write_all_at(original, offset as u64).expect("written");
    }
    Tablebase::open(Variant::TIC_TAC_TWO, &file_copy.path).expect("all bits are as they were");
    // A corrupted block affects only that block.
    for _ in 0..3 {
        let mut bytes = file_copy.original.clone();
        let offset = rng.below(bytes.len() - header);
        bytes[header + offset] ^= 1 << rng.below(8);
        let mut end = 0;
        let block = lengths.iter().position(|length| {
            end += length;
            offset < end
        });
        let damaged = file_copy.open(&bytes).expect("the header is good");
        let error = damaged.summary().expect_err("a block is bad").to_string();
        let block = block.expect("it lies in a block");
        assert!(
            error.ends_with(&format!("block {block} is wrong")),
            "{error}"
        );
        let game = TicTacTwo::standard();
        let mut missing = 0;
        for _ in 0..20_000 {
            let position = random_position(&game, &mut rng);
            match damaged.probe(&position) {
                None => missing += 1,
                value => assert_eq!(value, tablebase().probe(&position)),
            }
        }
        assert!(missing < 1000, "{missing}");
    }
}

/// A file with correct checksums and one wrong value, written according to the documented layout.
/// The check reads the whole file, which takes a minute.
#[test]
#[ignore = "soak"]
fn soak_check_finds_a_single_wrong_value() {
    let file_copy = CorruptibleFile::new("value");
    let lengths = file_copy.lengths();
    let header = 64 + 4 * lengths.len() + 8;
    let block = 700;
    let start = header + lengths[..block].iter().sum::<usize>();
    let packed = &file_copy.original[start..start + lengths[block]];
    let mut codes = zstd::bulk::decompress(packed, 65536).expect("the block is good");
    let place = codes
        .iter()
        .rposition(|&code| code == 5)
        .expect("a win in five");
    codes[place] = 7;
    let packed = zstd::bulk::compress(&codes, 1).expect("it can be packed");
    let mut bytes = file_copy.original.clone();
    bytes.splice(start..start + lengths[block], packed.iter().copied());
    let len = bytes.len() as u64;
    bytes[24..32].copy_from_slice(&len.to_le_bytes());
    let length = packed.len() as u32;
    bytes[64 + 4 * block..68 + 4 * block].copy_from_slice(&length.to_le_bytes());
    let sum = bytes[..header - 8]
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
    bytes[header - 8..header].copy_from_slice(&sum.to_le_bytes());
    let wrong = file_copy.open(&bytes).expect("the checksums are right");
    let error = wrong
        .check(2, &StopFlag::new(), &|_| {})
        .expect_err("a value is wrong");
    let TablebaseError::WrongValues { wrong, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(*wrong, 1, "{error}");
    assert!(!error.to_string().contains('\n'));
}
