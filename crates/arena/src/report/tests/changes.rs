//! Changes, applied by somebody who knows no rule, give what the rules have.

use std::collections::HashMap;

use noughts_rules::{AnyGameState, Ending, Outcome, Owner, Side, Variant};
use rand_core::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::random_play;
use crate::report::changes::game_changes;

/// The board as the page's script has it.
#[derive(Default)]
struct Shown {
    cells: HashMap<usize, char>,
    owners: HashMap<usize, char>,
    grid: Option<usize>,
    target: Option<usize>,
    line: Vec<usize>,
}

impl Shown {
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

fn check(shown: &Shown, play: &AnyGameState) {
    let setup = play.setup();
    for (cell, mark) in setup.cells.iter().enumerate() {
        assert_eq!(shown.cells.get(&cell).copied(), mark.map(Side::letter));
    }
    let Variant::Nested(options) = play.variant() else {
        let columns = match play.variant() {
            Variant::TicTacTwo(options) => usize::from(options.board_size()),
            _ => 0,
        };
        let grid = setup
            .grid
            .map(|(column, row)| usize::from(row) * columns + usize::from(column));
        assert_eq!(shown.grid, grid);
        return;
    };
    let mut number = 0;
    for level in 1..u32::from(options.depth()) {
        for index in 0..9usize.pow(level) {
            let owner = match play.owner(level, index) {
                Owner::Nobody => 'N',
                Owner::One(Side::X) => 'X',
                Owner::One(Side::O) => 'O',
                Owner::Both => 'B',
            };
            assert_eq!(shown.owners.get(&number).copied().unwrap_or('N'), owner);
            number += 1;
        }
    }
    // Sent somewhere: all legal moves are there.
    if let Some(target) = shown.target {
        let path = (0..options.depth() - 1)
            .rev()
            .map(|i| (target / 9usize.pow(u32::from(i)) % 9) as u8)
            .map(|letter| char::from(b'a' + letter))
            .collect::<String>();
        let moves = play.legal_moves();
        assert!(!moves.is_empty() && moves.iter().all(|mv| mv.starts_with(&path)));
    }
}

/// Walks through a game from its start position, whatever that is.
fn walk(play: &AnyGameState) {
    let changes = game_changes(play);
    let moves = play.moves();
    assert_eq!(changes.plies.len(), moves.len());
    let mut now = AnyGameState::from_text(play.variant(), &play.start_text()).expect("a position");
    let mut shown = Shown::default();
    shown.apply(&changes.start, None);
    check(&shown, &now);
    for (mv, text) in moves.iter().zip(&changes.plies) {
        let side = text.chars().next();
        assert_eq!(side, Some(now.side().letter()));
        now.play(mv).expect("it was played");
        shown.apply(&text[1..], side);
        check(&shown, &now);
    }
}

#[test]
fn changes_give_the_boards_that_the_rules_have() {
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
fn a_game_may_begin_anywhere() {
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
        let mut play = AnyGameState::from_text(before.variant(), &text).expect("a position");
        for _ in 0..3 {
            if let Some(mv) = play.legal_moves().first() {
                play.play(mv).expect("it is legal");
            }
        }
        assert!(!play.has_standard_start());
        walk(&play);
    }
}

#[test]
fn a_move_is_a_few_characters() {
    let mut play = AnyGameState::new(Variant::ULTIMATE);
    for mv in ["ee", "ea"] {
        play.play(mv).expect("it is legal");
    }
    let changes = game_changes(&play);
    assert_eq!(changes.start, "");
    assert_eq!(changes.plies, ["x40>4", "o36>0"]);
}

/// Where a line ended the game, three or more cells or boards of one mark are named; else
/// none are.
#[test]
fn the_line_that_ended_a_game_is_named() {
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
            let play = random_play(variant, &mut dice, 3000);
            let changes = game_changes(&play);
            let mut shown = Shown::default();
            for text in &changes.plies {
                assert!(shown.line.is_empty(), "only the last move ends it");
                shown.apply(&text[1..], text.chars().next());
            }
            if play.ending() != Some(Ending::Line) {
                continue;
            }
            lines += 1;
            let boards = matches!(play.variant(), Variant::Nested(options) if options.depth() > 1);
            let marks: Vec<String> = shown
                .line
                .iter()
                .map(|place| match boards {
                    true => shown.owners.get(place).map(char::to_ascii_lowercase),
                    false => shown.cells.get(place).copied(),
                })
                .map(|mark| mark.expect("a mark").to_string())
                .collect();
            assert!(marks.len() >= 3, "{variant}: {marks:?}");
            assert!(
                marks.iter().all(|mark| *mark == marks[0]),
                "{variant}: {marks:?}"
            );
            let Some(Outcome::Win(winner)) = play.outcome() else {
                panic!("a line wins");
            };
            let whose = if variant == "misere" {
                winner.other()
            } else {
                winner
            };
            assert_eq!(marks[0], whose.letter().to_string(), "{variant}");
        }
        assert!(lines > 0, "{variant}: no line in 40 games");
    }
}
