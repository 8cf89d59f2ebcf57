//! Texts of positions, spoiled in many ways: a game must take exactly those that
//! the reference takes, and print them alike.

use noughts_reference::State;
use noughts_rules::{AnyGameState, Game, GameState, Variant, Visitor};

use crate::suite::{LINES, outcome_text};
use crate::test_rng::TestRng;

/// How many texts were taken and how many refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MutationCounts {
    /// Both sides read it.
    pub accepted: usize,
    /// Neither did.
    pub rejected: usize,
}

/// Spoils the texts of random positions, `wanted` times.
///
/// # Panics
/// Where game and reference differ.
#[must_use]
pub fn check_mutations(name: &str, seed: u64, wanted: usize) -> MutationCounts {
    let variant: Variant = name.parse().unwrap_or_else(|error| panic!("{error}"));
    AnyGameState::new(variant).visit(Mutate { seed, wanted })
}

struct Mutate {
    seed: u64,
    wanted: usize,
}

impl Visitor for Mutate {
    type Output = MutationCounts;

    fn visit<G: Game>(self, play: &GameState<G>) -> MutationCounts {
        let game = play.game();
        let name = game.variant().to_string();
        let mut dice = TestRng::for_name(self.seed, &name);
        let mut tally = MutationCounts::default();
        let mut position = game.start();
        while tally.accepted + tally.rejected < self.wanted {
            match game.random_move(&position, &mut dice.0) {
                Some(mv) => game.apply(&mut position, mv),
                None => position = game.start(),
            }
            let text = game.text(&position);
            for _ in 0..4 {
                let mutant = mutate(&text, &mut dice);
                compare(game, &name, &mutant, &mut tally);
            }
        }
        tally
    }
}

fn compare<G: Game>(game: &G, name: &str, text: &str, tally: &mut MutationCounts) {
    // Digits and lists are read besides the project's own notation.
    if text.starts_with('[') || text.bytes().all(|b| b.is_ascii_digit()) {
        return;
    }
    match (game.parse(text), State::from_text(name, text)) {
        (Ok(read), Ok(state)) => {
            let at = format!("{name}, {text:?}");
            assert_eq!(game.text(&read), state.to_text(), "{at}: printed");
            assert_eq!(game.side(&read).letter(), state.side(), "{at}: side");
            assert_eq!(
                outcome_text(game.outcome(&read)),
                state.outcome(),
                "{at}: outcome"
            );
            let mut moves: Vec<String> = game
                .moves(&read)
                .into_iter()
                .map(|mv| game.move_text(mv))
                .collect();
            moves.sort_unstable();
            assert_eq!(moves, state.legal_moves(), "{at}: legal moves");
            assert_eq!(game.count_moves(&read), moves.len(), "{at}: count");
            tally.accepted += 1;
        }
        (Err(error), Err(_)) => {
            assert!(
                !error.to_string().is_empty(),
                "{name}, {text:?}: refused without a reason"
            );
            assert!(
                !error.kinds().is_empty(),
                "{name}, {text:?}: refused without a kind"
            );
            tally.rejected += 1;
        }
        (Ok(_), Err(reason)) => panic!("{name} reads {text:?}, but it must not: {reason}"),
        (Err(error), Ok(_)) => panic!("{name} refuses {text:?}, but it is right: {error}"),
    }
}

/// The text with one to three changes.
fn mutate(text: &str, dice: &mut TestRng) -> String {
    let mut fields: Vec<String> = text.split(' ').map(String::from).collect();
    for _ in 0..1 + dice.below(3) {
        match dice.below(12) {
            // Marks that move keep the counts, so that such texts are often right.
            0..=2 => swap_letters(&mut fields[0], dice),
            3 => replace_mark(&mut fields[0], dice),
            4 => change_side(&mut fields, dice),
            5 => change_tail(&mut fields, dice),
            6 => change_owners(&mut fields, dice),
            7 => toggle_extra(&mut fields),
            8 => change_fields(&mut fields, dice),
            9 => break_letter(&mut fields, dice),
            10 => {
                // A pair of marks more, or two marks less.
                replace_letter(&mut fields[0], '.', 'x', dice);
                replace_letter(&mut fields[0], '.', 'o', dice);
            }
            _ => {
                replace_letter(&mut fields[0], 'x', '.', dice);
                replace_letter(&mut fields[0], 'o', '.', dice);
            }
        }
        if fields.is_empty() {
            fields.push(String::new());
        }
    }
    fields.join(" ")
}

fn places(field: &str, mut wanted: impl FnMut(char) -> bool) -> Vec<usize> {
    let letters = field.char_indices();
    letters
        .filter(|&(_, c)| wanted(c))
        .map(|(i, _)| i)
        .collect()
}

/// All letters are ASCII but what [`break_letter`] puts in.
fn put(field: &mut String, at: usize, letter: char) {
    if let Some(old) = field.get(at..).and_then(|rest| rest.chars().next()) {
        field.replace_range(at..at + old.len_utf8(), letter.encode_utf8(&mut [0; 4]));
    }
}

fn letter_at(field: &str, at: usize) -> char {
    field
        .get(at..)
        .and_then(|rest| rest.chars().next())
        .unwrap_or('.')
}

fn swap_letters(field: &mut String, dice: &mut TestRng) {
    let cells = places(field, |c| "xo.".contains(c));
    if let (Some(a), Some(b)) = (dice.pick(&cells), dice.pick(&cells)) {
        let (first, second) = (letter_at(field, a), letter_at(field, b));
        put(field, a, second);
        put(field, b, first);
    }
}

fn replace_letter(field: &mut String, from: char, to: char, dice: &mut TestRng) {
    if let Some(at) = dice.pick(&places(field, |c| c == from)) {
        put(field, at, to);
    }
}

fn replace_mark(field: &mut String, dice: &mut TestRng) {
    let (from, to) = (dice.pick_char("xo."), dice.pick_char("xo."));
    replace_letter(field, from, to, dice);
}

fn side_field(fields: &mut [String]) -> Option<&mut String> {
    fields
        .iter_mut()
        .skip(1)
        .find(|field| *field == "x" || *field == "o")
}

fn change_side(fields: &mut [String], dice: &mut TestRng) {
    let words = ["x", "o", "x", "o", "X", "", "xo", "-"];
    if let (Some(side), Some(word)) = (side_field(fields), dice.pick(&words)) {
        *side = word.into();
    }
}

/// The grid or the trail.
fn change_tail(fields: &mut Vec<String>, dice: &mut TestRng) {
    if fields.len() > 4 {
        fields.truncate(4);
    }
    let nested = fields.len() == 4;
    let Some(last) = fields.last_mut() else {
        return;
    };
    if last.starts_with('@') {
        *last = format!("@{}{}", dice.pick_char("abcdefgh"), dice.below(9));
    } else if nested {
        let mut length = dice.below(4);
        // The right length more often than not.
        if dice.chance(2, 3) {
            length = last.trim_start_matches('-').len();
        }
        let letters = if dice.chance(1, 10) {
            "abcdefghijz@"
        } else {
            "abcdefghi"
        };
        *last = (0..length).map(|_| dice.pick_char(letters)).collect();
        if last.is_empty() && dice.chance(4, 5) {
            last.push('-');
        }
    }
}

fn change_owners(fields: &mut [String], dice: &mut TestRng) {
    if fields.len() < 4 {
        return;
    }
    let owner = |group: &str| {
        let cells: Vec<char> = group.chars().collect();
        let has = |mark| {
            LINES
                .iter()
                .any(|l| l.iter().all(|&i| cells.get(i) == Some(&mark)))
        };
        match (has('x'), has('o')) {
            (true, false) => 'x',
            (false, true) => 'o',
            (true, true) => '*',
            (false, false) => '.',
        }
    };
    if dice.chance(1, 4) {
        fields[1] = "-".into();
    } else if dice.chance(1, 2) {
        // The owners by the marks, where one group of them is all there is.
        fields[1] = fields[0].split('/').map(owner).collect();
        while let Some(both) = fields[1].find('*') {
            let letter = dice.pick_char("xo");
            put(&mut fields[1], both, letter);
            if dice.chance(1, 4) {
                break;
            }
        }
        if fields[1].len() > 9 {
            let inner: Vec<char> = fields[1].chars().collect();
            let inner: Vec<String> = inner
                .chunks(9)
                .map(|group| group.iter().collect())
                .collect();
            let outer: String = inner.iter().map(|group| owner(group)).collect();
            fields[1] = format!("{outer}/{}", inner.join("/"));
        }
    } else {
        let at = dice.below(fields[1].len());
        let letter = dice.pick_char("xo.*");
        put(&mut fields[1], at, letter);
    }
}

fn toggle_extra(fields: &mut Vec<String>) {
    if fields.last().is_some_and(|last| last == "+") {
        fields.pop();
    } else {
        fields.push("+".into());
    }
}

fn change_fields(fields: &mut Vec<String>, dice: &mut TestRng) {
    let at = dice.below(fields.len());
    match dice.below(4) {
        0 => {
            fields.remove(at);
        }
        1 => fields.insert(at, fields[at].clone()),
        2 => {
            let other = dice.below(fields.len());
            fields.swap(at, other);
        }
        _ => fields.insert(at, String::new()),
    }
}

/// Any letter anywhere: replaced, put in or taken out.
fn break_letter(fields: &mut [String], dice: &mut TestRng) {
    let at = dice.below(fields.len());
    let field = &mut fields[at];
    let at = dice.pick(&places(field, |_| true)).unwrap_or(0);
    let letter = dice.pick_char("xo.*-+/@abcij019XOé ");
    match dice.below(3) {
        0 => put(field, at, letter),
        1 => field.insert(at, letter),
        _ if !field.is_empty() => {
            field.remove(at);
        }
        _ => {}
    }
}
