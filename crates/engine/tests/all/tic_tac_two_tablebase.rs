//! The table of Tic-Tac-Two beside the rules: whatever it says of a position must follow from
//! the legal moves, and no file whatsoever makes it panic.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::shared_tablebase::{data, table};
use noughts_conformance::test_rng::TestRng;
use noughts_engine::tablebase::{LayerSummary, Tablebase, TablebaseError, VERSION};
use noughts_engine::{
    AnyBot, BotKind, BotSettings, ExactValue, GameValue, SearchLimits, StopFlag, Tablebases,
};
use noughts_rules::{
    AnyGameState, Game, GameState, Outcome, Setup, Side, TicTacTwo, TicTacTwoPosition, Variant,
};

/// The numbers of pieces that can be set up: X's, O's.
fn counts() -> Vec<(usize, usize)> {
    let opening = [(0, 0), (1, 0), (1, 1), (2, 1)];
    let rest = (2..=4).flat_map(|x| (2..=4).map(move |o| (x, o)));
    opening.into_iter().chain(rest).collect()
}

/// Any position with so many pieces.
fn random_setup(dice: &mut TestRng, (x, o): (usize, usize)) -> Setup {
    let mut setup = Setup::new(25);
    setup.grid = Some((2, 2));
    if x.min(o) >= 2 {
        setup.grid = Some((1 + dice.below(3) as u8, 1 + dice.below(3) as u8));
        setup.side = Side::BOTH[dice.below(2)];
    } else if x > o {
        setup.side = Side::O;
    }
    for (player, count) in [(Side::X, x), (Side::O, o)] {
        for _ in 0..count {
            loop {
                let cell = dice.below(25);
                if setup.cells[cell].is_none() {
                    setup.cells[cell] = Some(player);
                    break;
                }
            }
        }
    }
    setup
}

fn random_position(game: &TicTacTwo, dice: &mut TestRng) -> TicTacTwoPosition {
    let counts = counts();
    let counts = counts[dice.below(counts.len())];
    let setup = random_setup(dice, counts);
    game.position(&setup).expect("it can be set up")
}

/// What the rules and the values one move on make of a position.
fn by_moves(game: &TicTacTwo, table: &Tablebase, position: &TicTacTwoPosition) -> ExactValue {
    if let Some(outcome) = game.outcome(position) {
        return ExactValue::from_outcome(outcome, game.side(position));
    }
    let values = game.moves(position).into_iter().map(|mv| {
        let next = game.play(*position, mv).expect("the move is legal");
        table
            .probe(&next)
            .expect("it is in the table")
            .backed_up(false)
    });
    values.max().expect("there is always a move")
}

fn follows_from_the_moves(seed: u64, positions: usize) {
    let game = TicTacTwo::standard();
    let table = table();
    for counts in counts() {
        let mut dice = TestRng::for_name(seed, &format!("{counts:?}"));
        for _ in 0..positions {
            let setup = random_setup(&mut dice, counts);
            let position = game.position(&setup).expect("it can be set up");
            assert_eq!(
                table.probe(&position),
                Some(by_moves(&game, table, &position)),
                "{}",
                game.text(&position)
            );
        }
    }
}

#[test]
fn every_value_follows_from_the_moves_of_the_rules() {
    follows_from_the_moves(1, 6000);
}

#[test]
#[ignore = "soak"]
fn soak_every_value_follows_from_the_moves_of_the_rules() {
    let times = std::env::var("NOUGHTS_SOAK").ok();
    let times = times.and_then(|times| times.parse().ok()).unwrap_or(10);
    follows_from_the_moves(2, 6000 * times);
}

/// The opening has few positions with pieces where they can be in a game: all of them.
#[test]
fn every_opening_follows_from_the_moves_of_the_rules() {
    fn walk(game: &TicTacTwo, position: &TicTacTwoPosition) {
        let value = by_moves(game, table(), position);
        assert_eq!(
            table().probe(position),
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
    assert_eq!(table().probe(&game.start()), Some(ExactValue::DRAW));
    walk(&game, &game.start());
}

#[test]
fn images_and_exchanged_players_are_worth_the_same() {
    let game = TicTacTwo::standard();
    let mut dice = TestRng::new(2);
    for _ in 0..20_000 {
        let position = random_position(&game, &mut dice);
        let value = table().probe(&position);
        assert!(value.is_some());
        for &symmetry in game.symmetries() {
            let image = game.map_position(&position, symmetry);
            assert_eq!(table().probe(&image), value, "{}", game.text(&image));
        }
        let mut setup = game.setup(&position);
        setup.side = setup.side.other();
        for cell in &mut setup.cells {
            *cell = cell.map(Side::other);
        }
        // In the opening the counts do not allow it.
        if let Ok(exchanged) = game.position(&setup) {
            assert_eq!(
                table().probe(&exchanged),
                value,
                "{}",
                game.text(&exchanged)
            );
        }
    }
}

/// Can the side to move win within so many plies? Asks the rules alone.
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

/// Does the side to move lose within so many plies, whatever it does?
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
fn a_plain_search_finds_the_same_short_wins() {
    let game = TicTacTwo::standard();
    let mut dice = TestRng::new(3);
    let mut seen = [0; 7];
    for _ in 0..4000 {
        let position = random_position(&game, &mut dice);
        let value = table().probe(&position).expect("it is in the table");
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

/// From a hundred thousand positions: with best play of both sides a win takes exactly as long
/// as the table says, and against any play it does not slip away, nor does a draw.
#[test]
fn the_best_moves_keep_what_the_table_promises() {
    let game = TicTacTwo::standard();
    let table = table();
    let mut dice = TestRng::new(4);
    for round in 0..100_000 {
        let start = random_position(&game, &mut dice);
        let hero = game.side(&start);
        let promised = table.probe(&start).expect("it is in the table");
        let careless = round % 2 == 0;
        let (mut position, mut value, mut plies) = (start, promised, 0);
        // A draw may go on for ever.
        let most = if promised == ExactValue::DRAW { 12 } else { 40 };
        while game.outcome(&position).is_none() && plies < most {
            let moves = if game.side(&position) == hero || !careless {
                table.best_moves(&position).expect("it is in the table")
            } else {
                game.moves(&position)
            };
            let mv = dice.pick(&moves).expect("there is a move");
            position = game.play(position, mv).expect("the move is legal");
            plies += 1;
            let now = table.probe(&position).expect("it is in the table");
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
        match promised.game_value() {
            GameValue::Win => {
                assert_eq!(winner, Some(Some(hero)), "{}", game.text(&start));
                let most = promised.plies().expect("the table knows lengths");
                assert!(plies <= most, "{}", game.text(&start));
                assert!(careless || plies == most, "{}", game.text(&start));
            }
            GameValue::Draw => assert_ne!(winner, Some(Some(hero.other()))),
            GameValue::Loss if !careless => {
                assert_eq!(winner, Some(Some(hero.other())));
                assert_eq!(Some(plies), promised.plies(), "{}", game.text(&start));
            }
            GameValue::Loss => {}
        }
    }
}

/// The same of the bots that play by the table: `perfect` as the hero, the longest defence (or,
/// where it is the hero who loses, the quickest win) against it.
fn bots_keep_what_the_table_promises(kind: BotKind, seed: u64, positions: usize) {
    let game = TicTacTwo::standard();
    let table = table();
    let tables = Tablebases::open(&data()).0;
    let settings = BotSettings {
        tablebases: tables,
        memory: 1 << 20,
        ..BotSettings::default()
    };
    let mut bot = AnyBot::new(kind, Variant::TIC_TAC_TWO, &settings).expect("it plays");
    let mut dice = TestRng::new(seed);
    for _ in 0..positions {
        let start = random_position(&game, &mut dice);
        let hero = game.side(&start);
        let promised = table.probe(&start).expect("it is in the table");
        let mut play = GameState::from_position(game.clone(), start);
        // A draw may go on for ever.
        let most = if promised == ExactValue::DRAW { 4 } else { 40 };
        let mut plies = 0;
        while play.outcome().is_none() && plies < most {
            let mv = if play.side() == hero {
                let any = AnyGameState::TicTacTwo(play.clone());
                let report = bot.think(
                    &any,
                    SearchLimits::nodes(2000),
                    &StopFlag::new(),
                    &mut |_| {},
                );
                let value = report.value.exact().expect("the table knows it");
                assert_eq!(
                    Some(value),
                    table.probe(play.position()),
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
                    .expect("it is one")
            } else {
                let moves = table
                    .best_moves(play.position())
                    .expect("it is in the table");
                dice.pick(&moves).expect("there is a move")
            };
            play.play(mv).expect("the move is legal");
            plies += 1;
        }
        match promised.game_value() {
            GameValue::Win => assert_eq!(
                play.outcome(),
                Some(Outcome::Win(hero)),
                "{}",
                game.text(&start)
            ),
            GameValue::Loss => assert_eq!(play.outcome(), Some(Outcome::Win(hero.other()))),
            GameValue::Draw => {
                let now = table.probe(play.position()).expect("it is in the table");
                assert_eq!(now.game_value(), GameValue::Draw, "{}", game.text(&start));
            }
        }
        assert!(
            promised.plies().is_none_or(|promised| promised == plies),
            "{}",
            game.text(&start)
        );
    }
}

#[test]
fn perfect_and_best_keep_what_the_table_promises() {
    bots_keep_what_the_table_promises(BotKind::Perfect, 21, 6000);
    bots_keep_what_the_table_promises(BotKind::Best, 22, 2000);
}

#[test]
#[ignore = "soak"]
fn soak_perfect_keeps_what_the_table_promises() {
    bots_keep_what_the_table_promises(BotKind::Perfect, 23, 100_000);
}

/// Positions up to symmetry, counted by Burnside's lemma from the rules page alone.
#[test]
fn no_position_is_missing() {
    let layers = table().summary().expect("the file is good");
    let choose = |n: u64, k: u64| (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1));
    for layer in &layers {
        let (a, b) = (layer.mine as u64, layer.theirs as u64);
        // Ways to lay out pieces that a symmetry with so many fixed cells, its other cells in
        // cycles of the same length, does not change.
        let kept = |fixed: u64, length: u64| -> u64 {
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
        // The grid in the centre is kept by all symmetries. Of the nine, half a turn and a
        // quarter keep one, a mirror three.
        let grids = if a.min(b) >= 2 { [9, 1, 1, 3] } else { [1; 4] };
        let sum = grids[0] * kept(25, 1)
            + grids[1] * kept(1, 2)
            + 2 * grids[2] * kept(1, 4)
            + 4 * grids[3] * kept(5, 2);
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

/// Every position of the file, by the program's own check.
/// The short form is `every_value_follows_from_the_moves_of_the_rules`.
#[test]
#[ignore = "soak"]
fn soak_the_check_finds_nothing_wrong() {
    let layers = table().summary().expect("the file is good");
    let positions: u64 = layers.iter().map(|layer| layer.positions).sum();
    let checked = table().check(2, &|_| {}).expect("all values are right");
    assert_eq!(checked as u64, positions);
}

#[test]
fn tables_know_their_game() {
    let data = data();
    assert!(table().path().starts_with(&data));
    let (tables, problem) = Tablebases::open(&data);
    assert!(problem.is_none());
    let standard = TicTacTwo::standard();
    assert!(tables.tic_tac_two(&standard).is_some());
    for name in [
        "tic-tac-two:pieces=3",
        "tic-tac-two:board=7",
        "tic-tac-two:after=3",
    ] {
        let Ok(Variant::TicTacTwo(options)) = name.parse() else {
            panic!("{name} is a variant");
        };
        let game = TicTacTwo::new(options);
        assert!(tables.tic_tac_two(&game).is_none(), "{name}");
        // Asked all the same, it neither panics nor speaks of what it does not know.
        let mut dice = TestRng::new(5);
        for _ in 0..1000 {
            let mut position = game.start();
            while let Some(mv) = game.random_move(&position, &mut dice.0) {
                game.apply(&mut position, mv);
                let _ = table().probe(&position);
                if dice.chance(1, 30) {
                    break;
                }
            }
        }
    }
    let (none, problem) = Tablebases::open(Path::new("/nowhere/at/all"));
    assert!(problem.is_none() && none.tic_tac_two(&standard).is_none());
}

/// A file of its own to spoil.
struct Spoiled {
    path: PathBuf,
    good: Vec<u8>,
}

impl Spoiled {
    fn new(name: &str) -> Spoiled {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("spoiled-{name}.table"));
        let good = fs::read(table().path()).expect("the table is there");
        Spoiled { path, good }
    }

    fn open(&self, bytes: &[u8]) -> Result<Tablebase, TablebaseError> {
        fs::write(&self.path, bytes).expect("it can be written");
        Tablebase::open(&self.path)
    }

    /// The file as it should be, to be changed in place.
    fn write_good(&self) -> fs::File {
        fs::write(&self.path, &self.good).expect("it can be written");
        let file = fs::OpenOptions::new().write(true).open(&self.path);
        file.expect("it is there")
    }

    fn error(&self, bytes: &[u8]) -> TablebaseError {
        self.open(bytes).expect_err("the file is bad")
    }

    /// The lengths of the blocks, by the layout that the documents give.
    fn lengths(&self) -> Vec<usize> {
        let positions = u64::from_le_bytes(self.good[16..24].try_into().expect("eight bytes"));
        let count = (positions as usize).div_ceil(65536);
        let words = self.good[64..64 + 4 * count].chunks(4);
        let words = words.map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
        words.map(|length| length as usize).collect()
    }
}

impl Drop for Spoiled {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[test]
fn files_that_are_none_or_only_half_are_refused() {
    let spoiled = Spoiled::new("half");
    let good = &spoiled.good;
    for bytes in [
        &b""[..],
        b"NOUGHT",
        b"SQLite format 3\0 and so on",
        &[0; 4096],
    ] {
        let error = spoiled.error(bytes);
        assert!(
            matches!(error, TablebaseError::NotATablebase { .. }),
            "{error}"
        );
    }
    let header = 64 + 4 * spoiled.lengths().len() + 8;
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
        good.len() - 1,
    ] {
        let error = spoiled.error(&good[..len]);
        assert!(
            matches!(error, TablebaseError::Truncated { .. }),
            "{len}: {error}"
        );
        assert!(!error.to_string().contains('\n'));
    }
    for (version, word) in [
        (VERSION + 1, "newer"),
        (0, "reads version"),
        (u32::MAX, "newer"),
    ] {
        let mut other = good.clone();
        other[8..12].copy_from_slice(&version.to_le_bytes());
        let error = spoiled.error(&other);
        assert!(
            matches!(error, TablebaseError::UnsupportedVersion { found, .. } if found == version)
        );
        assert!(error.to_string().contains(word), "{error}");
    }
    let mut longer = good.clone();
    longer.push(0);
    let error = spoiled.error(&longer);
    assert!(matches!(error, TablebaseError::Corrupted { .. }), "{error}");
    let folder = Tablebase::open(Path::new(env!("CARGO_TARGET_TMPDIR")));
    assert!(matches!(folder, Err(TablebaseError::Read { .. })));
}

/// Guards against a half-solved table that is taken for a good one.
#[test]
fn a_build_that_is_stopped_leaves_all_as_it_was() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stopped");
    let path = folder.join("table");
    let stop = StopFlag::new();
    let built = Tablebase::build_with_stop_flag(&path, 1, &stop, &|_| stop.stop());
    assert!(matches!(built, Err(TablebaseError::Stopped { .. })));
    let left = fs::read_dir(&folder).expect("the folder was made").count();
    assert_eq!(left, 0, "a draft was left behind");

    let table = table();
    let stop = StopFlag::new();
    let checked = table.check_with_stop_flag(1, &stop, &|_| stop.stop());
    assert!(matches!(checked, Err(TablebaseError::Stopped { .. })));
}

#[test]
fn every_changed_bit_is_noticed() {
    let spoiled = Spoiled::new("bits");
    let mut dice = TestRng::new(6);
    let lengths = spoiled.lengths();
    let header = 64 + 4 * lengths.len() + 8;
    let file = spoiled.write_good();
    for _ in 0..300 {
        let at = 12 + dice.below(header - 12);
        let changed = spoiled.good[at] ^ (1 << dice.below(8));
        file.write_all_at(&[changed], at as u64).expect("written");
        let error = Tablebase::open(&spoiled.path).expect_err("the file is bad");
        assert!(matches!(error, TablebaseError::Corrupted { .. }), "{error}");
        let good = &spoiled.good[at..=at];
        file.write_all_at(good, at as u64).expect("written");
    }
    Tablebase::open(&spoiled.path).expect("all bits are as they were");
    // Damage in a block spoils that block alone.
    for _ in 0..3 {
        let mut bytes = spoiled.good.clone();
        let at = dice.below(bytes.len() - header);
        bytes[header + at] ^= 1 << dice.below(8);
        let mut end = 0;
        let block = lengths.iter().position(|length| {
            end += length;
            at < end
        });
        let damaged = spoiled.open(&bytes).expect("the header is good");
        let error = damaged.summary().expect_err("a block is bad").to_string();
        let block = block.expect("it lies in a block");
        assert!(
            error.ends_with(&format!("block {block} is wrong")),
            "{error}"
        );
        let game = TicTacTwo::standard();
        let mut silent = 0;
        for _ in 0..20_000 {
            let position = random_position(&game, &mut dice);
            match damaged.probe(&position) {
                None => silent += 1,
                value => assert_eq!(value, table().probe(&position)),
            }
        }
        assert!(silent < 1000, "{silent}");
    }
}

/// A file whose checksums are right and one value is not. Written by the layout that the
/// documents give. The check goes through the whole file, which takes a minute.
#[test]
#[ignore = "soak"]
fn soak_the_check_finds_a_single_wrong_value() {
    let spoiled = Spoiled::new("value");
    let lengths = spoiled.lengths();
    let header = 64 + 4 * lengths.len() + 8;
    let block = 700;
    let start = header + lengths[..block].iter().sum::<usize>();
    let packed = &spoiled.good[start..start + lengths[block]];
    let mut codes = zstd::bulk::decompress(packed, 65536).expect("the block is good");
    let place = codes
        .iter()
        .rposition(|&code| code == 5)
        .expect("a win in five");
    codes[place] = 7;
    let packed = zstd::bulk::compress(&codes, 1).expect("it can be packed");
    let mut bytes = spoiled.good.clone();
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
    let wrong = spoiled.open(&bytes).expect("the checksums are right");
    let error = wrong.check(2, &|_| {}).expect_err("a value is wrong");
    let TablebaseError::WrongValues { wrong, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(*wrong, 1, "{error}");
    assert!(!error.to_string().contains('\n'));
}
