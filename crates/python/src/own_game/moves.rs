//! The names of a game's moves and their numbers.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use noughts_rules::DynMove;

/// The longest name of a move.
const MAX_CHARS: usize = 40;

/// Moves are numbered when they first come up. A game that lists all of them has action numbers.
#[derive(Default)]
pub(super) struct MoveNames(RwLock<Names>);

#[derive(Default)]
struct Names {
    by_number: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

impl MoveNames {
    pub(super) fn count(&self) -> usize {
        self.read(|names| names.by_number.len())
    }

    pub(super) fn name(&self, mv: DynMove) -> String {
        let name = self.read(|names| names.by_number.get(mv.number() as usize).cloned());
        name.map_or_else(String::new, |name| (*name).to_owned())
    }

    pub(super) fn find(&self, name: &str) -> Option<DynMove> {
        self.read(|names| names.numbers.get(name).copied().map(DynMove::new))
    }

    /// The move with this name, which gets a number if it is new.
    ///
    /// # Errors
    /// Why it can't be the name of a move.
    pub(super) fn number(&self, name: &str) -> Result<DynMove, &'static str> {
        if let Some(known) = self.find(name) {
            return Ok(known);
        }
        check(name)?;
        let mut names = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let next = names.by_number.len() as u32;
        let name: Arc<str> = name.into();
        let number = *names.numbers.entry(Arc::clone(&name)).or_insert(next);
        if number == next {
            names.by_number.push(name);
        }
        Ok(DynMove::new(number))
    }

    fn read<T>(&self, read: impl FnOnce(&Names) -> T) -> T {
        read(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Can this be the name of a move? Records of games, protocols and lists of moves separate moves by spaces.
fn check(name: &str) -> Result<(), &'static str> {
    let length = name.chars().count();
    if !(1..=MAX_CHARS).contains(&length) {
        return Err("a move must have 1 to 40 characters");
    }
    if name.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err("a move must be one word, without spaces");
    }
    if name.contains(['{', '[']) {
        return Err("a move can't contain { or [, which have a meaning in records of games");
    }
    if matches!(name, "*" | "1-0" | "0-1" | "1/2-1/2") {
        return Err("in records of games this means a result; spell the move in another way");
    }
    let after_digits = name.trim_start_matches(|c: char| c.is_ascii_digit());
    if after_digits.starts_with('.') && after_digits.len() < name.len() {
        return Err(
            "a move can't start with a number and a dot, which count moves in records of games",
        );
    }
    Ok(())
}
