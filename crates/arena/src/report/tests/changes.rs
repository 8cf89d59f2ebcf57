//! Changes applied without knowing the rules give the same boards as the rules.

use std::collections::HashMap;

use noughts_rules::{AnyGameState, Ending, Family, Outcome, Owner, Side, Variant};
use rand_core::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::random_play;
use crate::report::changes::game_changes;

/// The board as the page's script reconstructs it.
#[derive(Default)]
struct ReplayBoard {
    cells: HashMap<usize, char>,
    owners: HashMap<usize, char>,
    grid: Option<usize>,
    target: Option<usize>,
    line: Vec<usize>,
}

impl ReplayBoard {
    fn apply(&mut self, text: &str, side: Option<char>) {
        self.target = None;
        let mut letter = None;
        let mut digits = String::new();
        for c in text.chars().chain([',']) {
            if c.is_ascii_digit() {
                digits.push(c);
                continue;
            }
            if let Ok(number) = digits.parse::<usize>() {
                match letter.take() {
                    None => drop(self.cells.insert(number, side.expect("a mover"))),
                    Some('-') => drop(self.cells.remove(&number)),
                    Some('@') => self.grid = Some(number),
                    Some('>') => self.target = Some(number),
                    Some('!' | '*') => self.line.push(number),
                    Some(mark @ ('x' | 'o')) => drop(self.cells.insert(number, mark)),
                    Some(owner) => drop(self.owners.insert(number, owner)),
                }
            }
            digits.clear();
            letter = Some(c).filter(|&c| c != ',');
        }
    }
}

fn check(board: &ReplayBoard, state: &AnyGameState) {
    let setup = state.setup();
    for (cell, mark) in setup.cells.iter().enumerate() {
        assert_eq!(board.cells.get(&cell).copied(), mark.map(Side::letter));
    }
    let Family::Nested(options) = state.variant().family() else {
        let columns = match state.variant().family() {
            Family::TicTacTwo(options) => usize::from(options.board_size()),
            _ => 0,
        };
        let grid = setup
            .grid
            .map(|(column, row)| usize::from(row) * columns + usize::from(column));
        assert_eq!(board.grid, grid);
        return;
    };
    let mut number = 0;
    for level in 1..u32::from(options.depth()) {
        for index in 0..9usize.pow(level) {
            let owner = match state.owner(level, index) {
                Owner::Nobody => 'N',
                Owner::One(Side::X) => 'X',
                Owner::One(Side::O) => 'O',
                Owner::Both => 'B',
            };
            assert_eq!(board.owners.get(&number).copied().unwrap_or('N'), owner);
            number += 1;
        }
    }
    // If there is a target board, all legal moves are on it.
    if let Some(target) = board.target {
        let path = (0..options.depth() - 1)
            .rev()
            .map(|i| (target / 9usize.pow(u32::from(i)) % 9) as u8)
            .map(|letter| char::from(b'a' + letter))
            .collect::<String>();
        let moves = state.legal_moves();
        assert!(!moves.is_empty() && moves.iter().all(|mv| mv.starts_with(&path)));
    }
}

/// Replays a game from its starting position.
fn walk(state: &AnyGameState) {
    let changes = game_changes(state);
    let moves = state.moves();
    assert_eq!(changes.plies.len(), moves.len());
    let mut expected =
        AnyGameState::from_text(state.variant(), &state.start_text()).expect("a position");
    let mut board = ReplayBoard::default();
    board.apply(&changes.start, None);
    check(&board, &expected);
    for (mv, text) in moves.iter().zip(&changes.plies) {
        let side = text.chars().next();
        assert_eq!(side, Some(expected.side().letter()));
        expected.play(mv).expect("it was played");
        board.apply(&text[1..], side);
        check(&board, &expected);
    }
}

#[test]
fn changes_reproduce_the_boards() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(5);
    for (variant, games) in [
        ("classic", 20),
        ("misere", 10),
        ("mnk:7,6,4", 5),
        ("mnk:16,16,5", 2),
        ("tic-tac-two", 30),
        ("tic-tac-two:board=7,grid=5", 10),
        ("ultimate", 30),
        ("ception:depth=1", 5),
        ("ception:5a", 10),
        ("ception:4b,5c", 20),
        ("ception:5d,end=most", 20),
        ("ception:depth=3,trail=history", 3),
        ("ception:4b,depth=4", 1),
    ] {
        for _ in 0..games {
            walk(&random_play(variant, &mut dice, 300));
        }
    }
}

#[test]
fn games_may_start_from_any_position() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(6);
    for variant in [
        "classic",
        "tic-tac-two",
        "ultimate",
        "ception:4b,5d",
        "ception:depth=3",
    ] {
        let before = random_play(variant, &mut dice, 5);
        let text = before.position_text();
        let mut state = AnyGameState::from_text(before.variant(), &text).expect("a position");
        for _ in 0..3 {
            if let Some(mv) = state.legal_moves().first() {
                state.play(mv).expect("it is legal");
            }
        }
        assert!(!state.has_standard_start());
        walk(&state);
    }
}

#[test]
fn moves_are_encoded_compactly() {
    let mut state = AnyGameState::new(Variant::ULTIMATE);
    for mv in ["ee", "ea"] {
        state.play(mv).expect("it is legal");
    }
    let changes = game_changes(&state);
    assert_eq!(changes.start, "");
    assert_eq!(changes.plies, ["x40>4", "o36>0"]);
}

/// If a line ended the game, it names three or more cells or boards of the same mark; otherwise
/// nothing.
#[test]
fn the_winning_line_is_marked() {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(7);
    let variants = [
        "classic",
        "misere",
        "mnk:7,6,4",
        "mnk:16,16,5",
        "tic-tac-two",
        "tic-tac-two:board=7,grid=5",
        "ultimate",
        "ception:depth=1",
        "ception:5a",
        "ception:depth=3",
    ];
    for variant in variants {
        let mut lines = 0;
        for _ in 0..40 {
            let state = random_play(variant, &mut dice, 3000);
            let changes = game_changes(&state);
            let mut board = ReplayBoard::default();
            for text in &changes.plies {
                assert!(board.line.is_empty(), "only the last move ends it");
                board.apply(&text[1..], text.chars().next());
            }
            if state.ending() != Some(Ending::Line) {
                continue;
            }
            lines += 1;
            let boards = matches!(state.variant(), Family::Nested(options) if options.depth() > 1);
            let marks: Vec<String> = board
                .line
                .iter()
                .map(|place| match boards {
                    true => board.owners.get(place).map(char::to_ascii_lowercase),
                    false => board.cells.get(place).copied(),
                })
                .map(|mark| mark.expect("a mark").to_string())
                .collect();
            assert!(marks.len() >= 3, "{variant}: {marks:?}");
            assert!(
                marks.iter().all(|mark| *mark == marks[0]),
                "{variant}: {marks:?}"
            );
            let Some(Outcome::Win(winner)) = state.outcome() else {
                panic!("a line wins");
            };
            let marked_side = if variant == "misere" {
                winner.other()
            } else {
                winner
            };
            assert_eq!(marks[0], marked_side.letter().to_string(), "{variant}");
        }
        assert!(lines > 0, "{variant}: no line in 40 games");
    }
}
