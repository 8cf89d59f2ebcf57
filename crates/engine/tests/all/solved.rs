//! Known values are found again.

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

/// The first player wins or draws: nobody can do better by moving second.
#[test]
fn flat_boards() {
    for (name, verdict) in [
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
            Some(verdict),
            "{name}"
        );
    }
}

#[test]
fn misere_is_drawn_on_three_by_three() {
    assert_eq!(value("misere"), Some(ExactValue::DRAW));
}

/// A small board solved by looking at every game: no pruning, no symmetry, nothing of the engine.
struct FullSearch {
    cells: u32,
    lines: Vec<u32>,
    misere: bool,
    known: HashMap<[u32; 2], ExactValue>,
}

impl FullSearch {
    fn new(columns: usize, rows: usize, line: usize, misere: bool) -> FullSearch {
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
        FullSearch {
            cells: (columns * rows) as u32,
            lines,
            misere,
            known: HashMap::new(),
        }
    }

    /// The value for the side to move, from its marks and its opponent's.
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

/// Every board up to 4×4 with every k, normal and misère, from the start and from random positions: each move has the
/// value that a full search finds. Above twelve free cells the full search takes too long; there all moves are solved.
#[test]
fn every_board_up_to_four_by_four_is_solved() {
    let settings = BotSettings::default();
    let mut compared = 0;
    for (columns, rows) in (1..=4).flat_map(|columns| (1..=4).map(move |rows| (columns, rows))) {
        for (line, misere) in (1..=4).flat_map(|line| [(line, false), (line, true)]) {
            let Ok(options) = MnkOptions::new(columns, rows, line, misere) else {
                continue;
            };
            let [width, height, length] = [columns, rows, line].map(usize::from);
            let mut truth = FullSearch::new(width, height, length, misere);
            let variant = Variant::Mnk(options);
            let mut dice = TestRng::for_name(1, &variant.to_string());
            for moves in [0, 1, 2, 3, 4, 5, 8] {
                let mut play = AnyGameState::new(variant);
                let mut marks = [0u32, 0];
                for _ in 0..moves {
                    let legal = play.legal_moves();
                    if let Some(mv) = legal.get(dice.below(legal.len())) {
                        play.play(mv).expect("a legal move");
                        marks = [marks[1], marks[0] | 1 << cell_of(mv, width)];
                    }
                }
                let solution = solve_any(&play, &settings, SearchLimits::NONE, &StopFlag::new());
                let free = (width * height) as u32 - (marks[0] | marks[1]).count_ones();
                if free > 12 {
                    assert!(solution.value.is_some(), "{variant} {:?}", play.moves());
                    assert!(solution.moves.iter().all(|(_, value)| value.is_some()));
                    continue;
                }
                let case = format!("{variant} {:?}", play.moves());
                assert_eq!(solution.value, Some(truth.value(marks)), "{case}");
                if play.outcome().is_none() {
                    let mut wanted = truth.moves(marks);
                    wanted.sort_unstable_by_key(|&(cell, _)| cell);
                    let found = solution
                        .moves
                        .iter()
                        .map(|(mv, value)| (cell_of(mv, width), *value));
                    let mut found: Vec<_> = found.collect();
                    found.sort_unstable_by_key(|&(cell, _)| cell);
                    let wanted: Vec<_> = wanted
                        .into_iter()
                        .map(|(cell, value)| (cell, Some(value)))
                        .collect();
                    assert_eq!(found, wanted, "{case}");
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

/// The number of a cell written like `b3`, row by row.
fn cell_of(mv: &str, columns: usize) -> u32 {
    let (column, row) = mv.split_at(1);
    let column = usize::from(column.as_bytes()[0] - b'a');
    let row: usize = row.parse().expect("a row");
    ((row - 1) * columns + column) as u32
}

/// `ception:5a` is won by a strategy; the game is known, its length is not.
#[test]
fn x_wins_ception_5a() {
    let variant: Variant = "ception:5a".parse().expect("a variant");
    let settings = BotSettings::default();
    let limits = SearchLimits::time(Duration::from_secs(20));
    let mut play = AnyGameState::new(variant);
    for verdict in [GameValue::Win, GameValue::Loss] {
        let solution = solve_any(&play, &settings, limits, &StopFlag::new());
        assert_eq!(solution.value, Some(ExactValue::without_distance(verdict)));
        for kind in [BotKind::Perfect, BotKind::Best] {
            let mut bot = AnyBot::new(kind, variant, &settings).expect("it plays everything");
            let report = bot.think(&play, limits, &StopFlag::new(), &mut |_| {});
            let exact = ExactValue::without_distance(verdict);
            assert_eq!(report.value, Value::Exact(exact), "{kind}");
        }
        play.play("ee").ok();
    }
}

/// Where nothing is known, that is said, and how far the search has come.
#[test]
fn perfect_says_what_is_not_proved() {
    for (name, moves, note) in [
        ("ception:5a", "aa", "not proved: searched "),
        ("ultimate", "", "not proved: searched "),
        ("mnk:15,15,5", "", "not proved: searched "),
        (
            "tic-tac-two",
            "",
            "there is no table for tic-tac-two, so this is a search; `noughts tablebase build tic-tac-two` makes one",
        ),
        (
            "tic-tac-two:board=7",
            "",
            "tic-tac-two:board=7 cannot be solved here",
        ),
    ] {
        let variant = name.parse().expect("a variant");
        let mut play = AnyGameState::new(variant);
        for mv in moves.split_whitespace() {
            play.play(mv).expect("a legal move");
        }
        let settings = BotSettings {
            memory: 1 << 20,
            ..BotSettings::default()
        };
        let mut bot = AnyBot::new(BotKind::Perfect, variant, &settings).expect("it plays all");
        let mut said = Vec::new();
        for _ in 0..2 {
            let report = bot.think(
                &play,
                SearchLimits::nodes(30_000),
                &StopFlag::new(),
                &mut |_| {},
            );
            assert_eq!(report.value.exact(), None, "{name}");
            said.push(report.note.expect("a note"));
        }
        assert!(said[0].starts_with(note), "{name}: {}", said[0]);
        // What can be done about it is said once; what was done, each time.
        assert!(said[1].starts_with("not proved: searched "), "{}", said[1]);
    }
}

/// Boards too large to be searched to the end: forced wins are still found and proved.
#[test]
fn short_wins_are_found_on_large_boards() {
    for (name, text, plies) in [
        // Three in a row with room on both sides.
        (
            "mnk:7,7,5",
            "o....../......./..xxx../......./......./......./oo..... x",
            3,
        ),
        // Two in a row, of four.
        (
            "mnk:8,7,4",
            "o......./......../..xx..../......../......../......../o....... x",
            3,
        ),
    ] {
        let variant = name.parse().expect("a variant");
        let play = AnyGameState::from_text(variant, text).expect("a position");
        let limits = SearchLimits::time(Duration::from_secs(10));
        let mut bot =
            AnyBot::new(BotKind::Perfect, variant, &BotSettings::default()).expect("it plays all");
        let report = bot.think(&play, limits, &StopFlag::new(), &mut |_| {});
        assert_eq!(report.value, Value::Exact(ExactValue::win(plies)), "{name}");
        assert_eq!(report.pv.len(), plies as usize);
    }
}
