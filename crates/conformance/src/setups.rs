//! Mutated texts of positions: a game must accept exactly those that the reference accepts, and
//! print them the same.

use noughts_reference::State;
use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, Variant};

use crate::suite::{LINES, outcome_text};
use crate::test_rng::TestRng;

/// How many texts were accepted and rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MutationCounts {
    /// The game and the reference accepted it.
    pub accepted: usize,
    /// Both rejected it.
    pub rejected: usize,
}

/// Mutates the texts of random positions, `wanted` times.
///
/// # Panics
/// The game and the reference differ.
#[must_use]
pub fn check_mutations(name: &str, seed: u64, wanted: usize) -> MutationCounts {
    let variant: Variant = name.parse().unwrap_or_else(|error| panic!("{error}"));
    AnyGameState::new(variant).visit(SetupMutator { seed, wanted })
}

struct SetupMutator {
    seed: u64,
    wanted: usize,
}

impl GameVisitor for SetupMutator {
    type Output = MutationCounts;

    fn visit<G: Game>(self, state: &GameState<G>) -> MutationCounts {
        let game = state.game();
        let name = game.variant().to_string();
        let mut rng = TestRng::for_name(self.seed, &name);
        let mut tally = MutationCounts::default();
        let mut position = game.start();
        while tally.accepted + tally.rejected < self.wanted {
            match game.random_move(&position, &mut rng.0) {
                Some(mv) => game.apply(&mut position, mv),
                None => position = game.start(),
            }
            let text = game.text(&position);
            for _ in 0..4 {
                let mutant = mutate(&text, &mut rng);
                compare(game, &name, &mutant, &mut tally);
            }
        }
        tally
    }
}

fn compare<G: Game>(game: &G, name: &str, text: &str, tally: &mut MutationCounts) {
    // Digits and lists are accepted in addition to our own notation.
    if text.starts_with('[') || text.bytes().all(|b| b.is_ascii_digit()) {
        return;
    }
    match (game.parse(text), State::from_text(name, text)) {
        (Ok(read), Ok(reference)) => {
            let context = format!("{name}, {text:?}");
            assert_eq!(game.text(&read), reference.to_text(), "{context}: printed");
            assert_eq!(
                game.side(&read).letter(),
                reference.side(),
                "{context}: side"
            );
            assert_eq!(
                outcome_text(game.outcome(&read)),
                reference.outcome(),
                "{context}: outcome"
            );
            let mut moves: Vec<String> = game
                .moves(&read)
                .into_iter()
                .map(|mv| game.move_text(mv))
                .collect();
            moves.sort_unstable();
            assert_eq!(moves, reference.legal_moves(), "{context}: legal moves");
            assert_eq!(game.count_moves(&read), moves.len(), "{context}: count");
            tally.accepted += 1;
        }
        (Err(error), Err(_)) => {
            assert!(
                !error.to_string().is_empty(),
                "{name}, {text:?}: rejected without a reason"
            );
            assert!(
                !error.kinds().is_empty(),
                "{name}, {text:?}: rejected without a kind"
            );
            tally.rejected += 1;
        }
        (Ok(_), Err(reason)) => panic!("{name} reads {text:?}, but it must not: {reason}"),
        (Err(error), Ok(_)) => panic!("{name} refuses {text:?}, but it is right: {error}"),
    }
}

/// The text with one to three changes.
pub(crate) fn mutate(text: &str, rng: &mut TestRng) -> String {
    let mut fields: Vec<String> = text.split(' ').map(String::from).collect();
    for _ in 0..1 + rng.below(3) {
        match rng.below(12) {
            // Swapping marks preserves the counts, so these texts are often valid.
            0..=1 => swap_letters(&mut fields[0], rng),
            2 => {
                let field = rng.below(fields.len());
                swap_letters(&mut fields[field], rng);
            }
            3 => replace_mark(&mut fields[0], rng),
            4 => change_side(&mut fields, rng),
            5 => change_tail(&mut fields, rng),
            6 => change_owners(&mut fields, rng),
            7 => toggle_extra(&mut fields),
            8 => change_fields(&mut fields, rng),
            9 => break_letter(&mut fields, rng),
            10 => {
                // One more mark of each side, or one less.
                replace_letter(&mut fields[0], '.', 'x', rng);
                replace_letter(&mut fields[0], '.', 'o', rng);
            }
            _ => {
                replace_letter(&mut fields[0], 'x', '.', rng);
                replace_letter(&mut fields[0], 'o', '.', rng);
            }
        }
        if fields.is_empty() {
            fields.push(String::new());
        }
    }
    fields.join(" ")
}

fn indices_where(field: &str, mut wanted: impl FnMut(char) -> bool) -> Vec<usize> {
    let letters = field.char_indices();
    letters
        .filter(|&(_, c)| wanted(c))
        .map(|(i, _)| i)
        .collect()
}

/// All letters are ASCII except the one that [`break_letter`] inserts.
fn replace_char(field: &mut String, index: usize, letter: char) {
    if let Some(old) = field.get(index..).and_then(|rest| rest.chars().next()) {
        field.replace_range(
            index..index + old.len_utf8(),
            letter.encode_utf8(&mut [0; 4]),
        );
    }
}

fn letter_at(field: &str, index: usize) -> char {
    field
        .get(index..)
        .and_then(|rest| rest.chars().next())
        .unwrap_or('.')
}

fn swap_letters(field: &mut String, rng: &mut TestRng) {
    let cells = indices_where(field, |c| c != '/');
    if let (Some(a), Some(b)) = (rng.pick(&cells), rng.pick(&cells)) {
        let (first, second) = (letter_at(field, a), letter_at(field, b));
        replace_char(field, a, second);
        replace_char(field, b, first);
    }
}

fn replace_letter(field: &mut String, from: char, to: char, rng: &mut TestRng) {
    if let Some(index) = rng.pick(&indices_where(field, |c| c == from)) {
        replace_char(field, index, to);
    }
}

fn replace_mark(field: &mut String, rng: &mut TestRng) {
    let letters = field.replace('/', "") + "xo.";
    let (from, to) = (rng.pick_char(&letters), rng.pick_char(&letters));
    replace_letter(field, from, to, rng);
}

fn side_field(fields: &mut [String]) -> Option<&mut String> {
    fields
        .iter_mut()
        .skip(1)
        .find(|field| *field == "x" || *field == "o")
}

fn change_side(fields: &mut [String], rng: &mut TestRng) {
    let words = ["x", "o", "x", "o", "X", "", "xo", "-"];
    if let (Some(side), Some(spelling)) = (side_field(fields), rng.pick(&words)) {
        *side = spelling.into();
    }
}

/// The grid or the trail.
fn change_tail(fields: &mut Vec<String>, rng: &mut TestRng) {
    if fields.len() > 4 {
        fields.truncate(4);
    }
    let nested = fields.len() == 4;
    let Some(last) = fields.last_mut() else {
        return;
    };
    if last.starts_with('@') {
        *last = format!("@{}{}", rng.pick_char("abcdefgh"), rng.below(9));
    } else if nested {
        let mut length = rng.below(4);
        // Usually the right length.
        if rng.chance(2, 3) {
            length = last.trim_start_matches('-').len();
        }
        let letters = if rng.chance(1, 10) {
            "abcdefghijz@"
        } else {
            "abcdefghi"
        };
        *last = (0..length).map(|_| rng.pick_char(letters)).collect();
        if last.is_empty() && rng.chance(4, 5) {
            last.push('-');
        }
    }
}

fn change_owners(fields: &mut [String], rng: &mut TestRng) {
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
    if rng.chance(1, 4) {
        fields[1] = "-".into();
    } else if rng.chance(1, 2) {
        // The owners that follow from the marks, if there is only one group of them.
        fields[1] = fields[0].split('/').map(owner).collect();
        while let Some(both) = fields[1].find('*') {
            let letter = rng.pick_char("xo");
            replace_char(&mut fields[1], both, letter);
            if rng.chance(1, 4) {
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
        let index = rng.below(fields[1].len());
        let letter = rng.pick_char("xo.*");
        replace_char(&mut fields[1], index, letter);
    }
}

fn toggle_extra(fields: &mut Vec<String>) {
    if fields.last().is_some_and(|last| last == "+") {
        fields.pop();
    } else {
        fields.push("+".into());
    }
}

fn change_fields(fields: &mut Vec<String>, rng: &mut TestRng) {
    let index = rng.below(fields.len());
    match rng.below(4) {
        0 => {
            fields.remove(index);
        }
        1 => fields.insert(index, fields[index].clone()),
        2 => {
            let other = rng.below(fields.len());
            fields.swap(index, other);
        }
        _ => fields.insert(index, String::new()),
    }
}

/// Replaces, inserts or removes any letter.
fn break_letter(fields: &mut [String], rng: &mut TestRng) {
    let index = rng.below(fields.len());
    let field = &mut fields[index];
    let index = rng.pick(&indices_where(field, |_| true)).unwrap_or(0);
    let letter = rng.pick_char("xo.*-+/@,abcij01379XOé ");
    match rng.below(3) {
        0 => replace_char(field, index, letter),
        1 => field.insert(index, letter),
        _ if !field.is_empty() => {
            field.remove(index);
        }
        _ => {}
    }
}
