//! Reproduces known results.

use std::collections::HashMap;
use std::time::Duration;

use noughts_conformance::test_rng::TestRng;
use noughts_engine::solve::solve_any;
use noughts_engine::{
    AnyBot, BotKind, BotSettings, ExactValue, GameValue, SearchLimits, StopFlag, Value,
};
use noughts_rules::{AnyGameState, MnkOptions, Variant};

fn value(name: &str) -> Option<ExactValue> {
    let variant = name.parse().expect("a variant");
    let settings = BotSettings::default();
    solve_any(
        &AnyGameState::new(variant),
        &settings,
        SearchLimits::NONE,
        &StopFlag::new(),
    )
    .value
}

/// The first player wins or draws: moving second is never an advantage (strategy stealing).
#[test]
fn known_mnk_values() {
    for (name, game_value) in [
        ("classic", GameValue::Draw),
        ("mnk:1,1,1", GameValue::Win),
        ("mnk:2,2,2", GameValue::Win),
        ("mnk:3,2,2", GameValue::Win),
        ("mnk:4,3,3", GameValue::Win),
        ("mnk:3,4,3", GameValue::Win),
        ("mnk:4,4,3", GameValue::Win),
        ("mnk:5,3,3", GameValue::Win),
        ("mnk:5,5,3", GameValue::Win),
        ("mnk:7,7,3", GameValue::Win),
        ("mnk:4,4,4", GameValue::Draw),
        ("mnk:5,4,4", GameValue::Draw),
        ("mnk:4,5,4", GameValue::Draw),
        ("mnk:5,5,4", GameValue::Draw),
        ("mnk:6,4,4", GameValue::Draw),
        ("mnk:5,5,5", GameValue::Draw),
        ("mnk:6,6,6", GameValue::Draw),
    ] {
        assert_eq!(
            value(name).map(ExactValue::game_value),
            Some(game_value),
            "{name}"
        );
    }
}

/// The games beyond rows on a flat board, from the table of known values.
#[test]
fn known_values_of_other_games() {
    let (win, loss) = (ExactValue::win, ExactValue::loss);
    for (name, known) in [
        ("gravity:4,4,4", ExactValue::DRAW),
        ("gravity:5,4,4", ExactValue::DRAW),
        ("gravity:4,4,3", win(9)),
        ("cube:3", win(7)),
        ("wild", win(7)),
        ("wild:misere", ExactValue::DRAW),
        ("notakto", win(6)),
        ("notakto:2", loss(11)),
        ("notakto:3", win(14)),
        ("numerical", win(9)),
        ("order-and-chaos:size=4,line=4", win(13)),
    ] {
        assert_eq!(value(name), Some(known), "{name}");
    }
}

/// The first moves that are best, each with its value, and the value of the others.
#[test]
fn known_first_moves_of_other_games() {
    let (win, draw) = (ExactValue::win, Some(ExactValue::DRAW));
    let edges = ["a2", "b1", "b3", "c2"];
    let odd = |n: &str| edges.map(|cell| format!("{cell}={n}"));
    for (name, best, value, others) in [
        ("wild", vec!["b2=x".into(), "b2=o".into()], win(7), draw),
        (
            "wild:misere",
            vec!["b2=x".into(), "b2=o".into()],
            ExactValue::DRAW,
            None,
        ),
        ("notakto", vec!["b2".into()], win(6), None),
        (
            "numerical",
            ["1", "3", "7", "9"].map(odd).concat(),
            win(9),
            draw,
        ),
        (
            "gravity:4,4,3",
            vec!["b".into(), "c".into()],
            win(9),
            Some(win(15)),
        ),
    ] {
        let variant = name.parse().expect("a variant");
        let state = AnyGameState::new(variant);
        let settings = BotSettings::default();
        let result = solve_any(&state, &settings, SearchLimits::NONE, &StopFlag::new());
        for (mv, found) in result.moves {
            match (best.contains(&mv), others) {
                (true, _) => assert_eq!(found, Some(value), "{name} {mv}"),
                (false, Some(_)) => assert_eq!(found, others, "{name} {mv}"),
                (false, None) => assert!(found.is_some() && found < Some(value), "{name} {mv}"),
            }
        }
    }
}

#[test]
fn misere_is_drawn_on_three_by_three() {
    assert_eq!(value("misere"), Some(ExactValue::DRAW));
}

/// Solves a small board by searching every game, without pruning, symmetry or any code of the
/// engine.
struct MnkFullSearch {
    cells: u32,
    lines: Vec<u32>,
    misere: bool,
    known: HashMap<[u32; 2], ExactValue>,
}

impl MnkFullSearch {
    fn new(columns: usize, rows: usize, line: usize, misere: bool) -> MnkFullSearch {
        let mut lines = Vec::new();
        for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)))
        {
            for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let cell = |step: usize| {
                    let column = column.checked_add_signed(right * step as isize)?;
                    let row = row.checked_add_signed(down * step as isize)?;
                    (column < columns && row < rows).then_some(1 << (row * columns + column))
                };
                lines.extend((0..line).map(cell).sum::<Option<u32>>());
            }
        }
        MnkFullSearch {
            cells: (columns * rows) as u32,
            lines,
            misere,
            known: HashMap::new(),
        }
    }

    /// The value for the side to move, given its marks and the opponent's.
    fn value(&mut self, marks: [u32; 2]) -> ExactValue {
        let [mine, theirs] = marks;
        if self.lines.iter().any(|line| theirs & line == *line) {
            return if self.misere {
                ExactValue::win(0)
            } else {
                ExactValue::loss(0)
            };
        }
        if (mine | theirs).count_ones() == self.cells {
            return ExactValue::DRAW;
        }
        if let Some(&value) = self.known.get(&marks) {
            return value;
        }
        let value = self.moves(marks).into_iter().map(|(_, value)| value).max();
        let value = value.expect("a cell is free");
        self.known.insert(marks, value);
        value
    }

    /// The value of each move, by cell.
    fn moves(&mut self, [mine, theirs]: [u32; 2]) -> Vec<(u32, ExactValue)> {
        let free = (0..self.cells).filter(|cell| (mine | theirs) >> cell & 1 == 0);
        free.map(|cell| {
            (
                cell,
                self.value([theirs, mine | 1 << cell]).backed_up(false),
            )
        })
        .collect()
    }
}

/// Every board up to 4×4 with every k, normal and misère, from the start and from random positions:
/// each move must have the value that a full search finds. With more than twelve free cells the
/// full search takes too long; there, all moves must be solved.
#[test]
fn every_board_up_to_four_by_four_is_solved_correctly() {
    let settings = BotSettings::default();
    let mut compared = 0;
    for (columns, rows) in (1..=4).flat_map(|columns| (1..=4).map(move |rows| (columns, rows))) {
        for (line, misere) in (1..=4).flat_map(|line| [(line, false), (line, true)]) {
            let Ok(options) = MnkOptions::new(columns, rows, line, misere) else {
                continue;
            };
            let [width, height, length] = [columns, rows, line].map(usize::from);
            let mut full_search = MnkFullSearch::new(width, height, length, misere);
            let variant = options.variant();
            let mut rng = TestRng::for_name(1, &variant.to_string());
            for moves in [0, 1, 2, 3, 4, 5, 8] {
                let mut state = AnyGameState::new(variant);
                let mut marks = [0u32, 0];
                for _ in 0..moves {
                    let legal = state.legal_moves();
                    if let Some(mv) = legal.get(rng.below(legal.len())) {
                        state.play(mv).expect("a legal move");
                        marks = [marks[1], marks[0] | 1 << cell_of(mv, width)];
                    }
                }
                let result = solve_any(&state, &settings, SearchLimits::NONE, &StopFlag::new());
                let free = (width * height) as u32 - (marks[0] | marks[1]).count_ones();
                if free > 12 {
                    assert!(result.value.is_some(), "{variant} {:?}", state.moves());
                    assert!(result.moves.iter().all(|(_, value)| value.is_some()));
                    continue;
                }
                let case = format!("{variant} {:?}", state.moves());
                assert_eq!(result.value, Some(full_search.value(marks)), "{case}");
                if state.outcome().is_none() {
                    let mut expected = full_search.moves(marks);
                    expected.sort_unstable_by_key(|&(cell, _)| cell);
                    let actual = result
                        .moves
                        .iter()
                        .map(|(mv, value)| (cell_of(mv, width), *value));
                    let mut actual: Vec<_> = actual.collect();
                    actual.sort_unstable_by_key(|&(cell, _)| cell);
                    let expected: Vec<_> = expected
                        .into_iter()
                        .map(|(cell, value)| (cell, Some(value)))
                        .collect();
                    assert_eq!(actual, expected, "{case}");
                    compared += 1;
                }
            }
        }
    }
    assert!(
        compared > 300,
        "{compared} positions with a move were compared"
    );
}

/// The index of a cell written like `b3`, in row-major order.
fn cell_of(mv: &str, columns: usize) -> u32 {
    let (column, row) = mv.split_at(1);
    let column = usize::from(column.as_bytes()[0] - b'a');
    let row: usize = row.parse().expect("a row");
    ((row - 1) * columns + column) as u32
}

/// `ception:5a` is won by a strategy; its distance isn't known.
#[test]
fn x_wins_ception_5a() {
    let variant: Variant = "ception:5a".parse().expect("a variant");
    let settings = BotSettings::default();
    let limits = SearchLimits::time(Duration::from_secs(20));
    let mut state = AnyGameState::new(variant);
    for game_value in [GameValue::Win, GameValue::Loss] {
        let result = solve_any(&state, &settings, limits, &StopFlag::new());
        assert_eq!(result.value, Some(ExactValue::without_distance(game_value)));
        for kind in [BotKind::Perfect, BotKind::Best] {
            let mut bot = AnyBot::new(kind, variant, &settings).expect("it plays everything");
            let report = bot.think(&state, limits, &StopFlag::new(), &mut |_| {});
            let exact = ExactValue::without_distance(game_value);
            assert_eq!(report.value, Value::Exact(exact), "{kind}");
        }
        state.play("ee").ok();
    }
}

/// If nothing is proved, the note says so and how deep the search went.
#[test]
fn perfect_notes_what_is_not_proved() {
    for (name, moves, note) in [
        ("ception:5a", "aa", "not proved: searched "),
        ("ultimate", "", "not proved: searched "),
        ("mnk:15,15,5", "", "not proved: searched "),
        (
            "tic-tac-two",
            "",
            "there's no tablebase for tic-tac-two yet, so this value comes from a search",
        ),
        (
            "tic-tac-two:board=7",
            "",
            "tic-tac-two:board=7 has no tablebase, so this value comes from a search",
        ),
    ] {
        let variant = name.parse().expect("a variant");
        let mut state = AnyGameState::new(variant);
        for mv in moves.split_whitespace() {
            state.play(mv).expect("a legal move");
        }
        let settings = BotSettings {
            memory: 1 << 20,
            ..BotSettings::default()
        };
        let mut bot = AnyBot::new(BotKind::Perfect, variant, &settings).expect("it plays all");
        let mut notes = Vec::new();
        for _ in 0..2 {
            let report = bot.think(
                &state,
                SearchLimits::nodes(30_000),
                &StopFlag::new(),
                &mut |_| {},
            );
            assert_eq!(report.value.exact(), None, "{name}");
            notes.push(report.note.expect("a note").to_string());
        }
        assert!(notes[0].starts_with(note), "{name}: {}", notes[0]);
        // The note about the missing tablebase comes once; the search depth is reported each time.
        assert!(
            notes[1].starts_with("not proved: searched "),
            "{}",
            notes[1]
        );
    }
}

/// Forced wins are found and proved even on boards too large to be searched to the end.
#[test]
fn short_wins_are_proved_on_large_boards() {
    for (name, text, plies) in [
        // Three in a row with space on both sides.
        (
            "mnk:7,7,5",
            "o....../......./..xxx../......./......./......./oo..... x",
            3,
        ),
        // Two of four in a row.
        (
            "mnk:8,7,4",
            "o......./......../..xx..../......../......../......../o....... x",
            3,
        ),
    ] {
        let variant = name.parse().expect("a variant");
        let state = AnyGameState::from_text(variant, text).expect("a position");
        let limits = SearchLimits::time(Duration::from_secs(10));
        let mut bot =
            AnyBot::new(BotKind::Perfect, variant, &BotSettings::default()).expect("it plays all");
        let report = bot.think(&state, limits, &StopFlag::new(), &mut |_| {});
        assert_eq!(report.value, Value::Exact(ExactValue::win(plies)), "{name}");
        assert_eq!(report.pv.len(), plies as usize);
    }
}
