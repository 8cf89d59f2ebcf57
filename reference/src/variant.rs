//! Variant names: a family, or a family, a colon, and options separated by commas.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::board::Rules;
use crate::cube::Cube;
use crate::either_mark::EitherMark;
use crate::flat::Flat;
use crate::gobblers::Gobblers;
use crate::gravity::Gravity;
use crate::morris::Morris;
use crate::nested::NestedRules;
use crate::notakto::Notakto;
use crate::numerical::Numerical;
use crate::tic_tac_two::TicTacTwo;
use crate::vanishing::Vanishing;

/// The rules of one game.
pub(crate) enum Variant {
    OnBoards(Arc<dyn Rules>),
    Nested(NestedRules),
}

/// Parses a variant's name.
pub(crate) fn parse(name: &str) -> Result<Variant, String> {
    let (family, given) = match name.split_once(':') {
        Some((family, options)) => (family, options.split(',').collect()),
        None => (name, Vec::new()),
    };
    let known = Vec::new();
    let mut options = Options { given, known };
    let variant = match family {
        "classic" => on_boards(Flat::three_by_three(false)),
        "misere" => on_boards(Flat::three_by_three(true)),
        "mnk" => on_boards(Flat::parse(&mut options)?),
        "tic-tac-two" => on_boards(TicTacTwo::parse(&mut options)?),
        "ultimate" => Variant::Nested(NestedRules::ultimate()),
        "ception" => Variant::Nested(NestedRules::parse(&mut options)?),
        "connect-four" => on_boards(Gravity::connect_four()),
        "gravity" => on_boards(Gravity::parse(&mut options)?),
        "qubic" => on_boards(Cube::qubic()),
        "cube" => on_boards(Cube::parse(&mut options)?),
        "notakto" => on_boards(Notakto::parse(&mut options)?),
        "wild" => on_boards(EitherMark::parse_wild(&mut options)?),
        "order-and-chaos" => on_boards(EitherMark::parse_order_and_chaos(&mut options)?),
        "numerical" => on_boards(Numerical),
        "morris" => on_boards(Morris::parse(&mut options)?),
        "gobblers" => on_boards(Gobblers),
        "vanishing" => on_boards(Vanishing::parse(&mut options)?),
        _ => return Err(format!("no family is called {family:?}")),
    };
    // Each family has removed the options it knows.
    match (options.given.first(), options.known.join(", ")) {
        (None, _) => Ok(variant),
        (Some(surplus), known) if known.is_empty() => {
            Err(format!("{family} takes no option {surplus:?}"))
        }
        (Some(surplus), known) => Err(format!("{family} has no option {surplus:?}, only {known}")),
    }
}

fn on_boards(rules: impl Rules + 'static) -> Variant {
    Variant::OnBoards(Arc::new(rules))
}

impl Variant {
    /// The canonical name.
    pub(crate) fn name(&self) -> String {
        match self {
            Variant::OnBoards(rules) => rules.name(),
            Variant::Nested(rules) => rules.name(),
        }
    }
}

/// The options of a name. Each family takes those that it knows out of the list.
pub(crate) struct Options<'a> {
    given: Vec<&'a str>,
    /// The spellings that the family has asked for.
    known: Vec<String>,
}

impl Options<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Takes the first option, which must be a number in this range, without leading zeros.
    pub(crate) fn number(
        &mut self,
        what: &str,
        mut range: RangeInclusive<usize>,
    ) -> Result<usize, String> {
        let allowed = format!("must be a number from {} to {}", range.start(), range.end());
        if self.given.is_empty() {
            return Err(format!("{what} is missing, {allowed}"));
        }
        let text = self.given.remove(0);
        range
            .find(|number| number.to_string() == text)
            .ok_or(format!("{what} is {text:?}, {allowed}"))
    }

    /// Takes the option with one of these spellings; two of them are an error.
    pub(crate) fn take<T: Copy>(&mut self, choices: &[(String, T)]) -> Result<Option<T>, String> {
        let spellings: Vec<String> = choices.iter().map(|choice| choice.0.clone()).collect();
        let mut found = None;
        let mut rest = Vec::new();
        for option in &self.given {
            if let Some((_, value)) = choices.iter().find(|(spelling, _)| spelling == option) {
                if found.is_some() {
                    return Err(format!("{option} gives an option a second time"));
                }
                found = Some(*value);
            } else if key(option).is_some() && key(option) == key(&spellings[0]) {
                let allowed = spellings.join(", ");
                return Err(format!("{option:?} must be one of {allowed}"));
            } else {
                rest.push(*option);
            }
        }
        self.given = rest;
        self.known.extend(spellings);
        Ok(found)
    }
}

// The part of an option before the `=`, if it has one.
fn key(option: &str) -> Option<&str> {
    option.split_once('=').map(|(key, _)| key)
}

/// The spellings of an option whose values are words.
pub(crate) fn spelled<T: Copy>(choices: &[(&str, T)]) -> Vec<(String, T)> {
    let with_owned_text = |&(spelling, value): &(&str, T)| (String::from(spelling), value);
    choices.iter().map(with_owned_text).collect()
}

/// The spellings of an option whose values are numbers; none has a leading zero.
pub(crate) fn numbered(
    key: &str,
    numbers: impl IntoIterator<Item = usize>,
) -> Vec<(String, usize)> {
    let with_key = |number| (format!("{key}={number}"), number);
    numbers.into_iter().map(with_key).collect()
}

/// The options with numbers that differ from the default: key, value and default of each.
pub(crate) fn changed(options: &[(&str, usize, usize)]) -> Vec<String> {
    let mut changed = Vec::new();
    for (key, value, default) in options {
        if value != default {
            changed.push(format!("{key}={value}"));
        }
    }
    changed
}

/// The canonical name of a family with these options.
pub(crate) fn with_options(family: &str, options: &[String]) -> String {
    if options.is_empty() {
        return String::from(family);
    }
    format!("{family}:{}", options.join(","))
}
