//! The options of games, for frameworks that have parameters of their own.

use std::collections::HashMap;

use noughts_rules::{GameInfo, OptionDefault, OptionKind, OptionSpec, Variant, games};
use pyo3::prelude::*;

use crate::errors::{Raise, VariantError};

/// The value of an option.
#[derive(Clone, PartialEq, FromPyObject, IntoPyObject)]
pub(crate) enum Value {
    Number(u8),
    Word(String),
}

fn value(option: &OptionSpec, value: u8) -> Value {
    match option.kind {
        OptionKind::Number(..) => Value::Number(value),
        OptionKind::Words(_) => Value::Word(option.value_text(value)),
    }
}

/// The options of a variant that make a difference, by their fields in forms.
pub(crate) fn of_variant(variant: Variant) -> Vec<(&'static str, Value)> {
    let values = variant.option_values();
    let options = variant.options().iter().zip(values).enumerate();
    options
        .filter(|(index, _)| variant.option_has_effect(*index))
        .map(|(_, (option, chosen))| (option.field, value(option, chosen)))
        .collect()
}

/// A game: its name and title, its options with their defaults (`None` if one has to be given, or depends on others), and
/// the names and titles of its variants that take no options.
type GameSpec = (
    &'static str,
    &'static str,
    Vec<(&'static str, Value, bool)>,
    Vec<(&'static str, &'static str)>,
);

/// All games with their options: the field, a value, and whether that is the default. Where an option has no default,
/// the value is that of the first preset.
#[pyfunction]
pub(crate) fn game_specs() -> Vec<GameSpec> {
    games::all().into_iter().map(spec).collect()
}

fn spec(info: &'static GameInfo) -> GameSpec {
    let first = info
        .presets
        .first()
        .map(|preset| preset.values)
        .unwrap_or_default();
    let options = info.options.iter().zip(first);
    let options = options.map(|(option, first)| match option.default {
        OptionDefault::Value(default) => (option.field, value(option, default), true),
        OptionDefault::Required | OptionDefault::SameAs(_) => {
            (option.field, value(option, first), false)
        }
    });
    let presets = info.presets.iter();
    let own_names = presets.filter(|preset| preset.name != info.name && !preset.name.contains(':'));
    (
        info.name,
        info.title,
        options.collect(),
        own_names
            .map(|preset| (preset.name, preset.title))
            .collect(),
    )
}

/// Returns the name of the variant of a game with these options, by their fields.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    reason = "arguments from Python are owned"
)]
pub(crate) fn variant_name(game: &str, options: HashMap<String, Value>) -> PyResult<String> {
    let info = games::all().into_iter().find(|info| info.name == game);
    let mut words = Vec::new();
    for option in info.into_iter().flat_map(|info| info.options) {
        let Some(given) = options.get(option.field) else {
            continue;
        };
        let text = match given {
            Value::Number(number) => number.to_string(),
            Value::Word(word) => word.clone(),
        };
        words.push(match (option.flag, option.parse_value(&text)) {
            (Some(_), Some(value)) => option.spell(value),
            _ => format!("{}{text}", option.key),
        });
    }
    words.retain(|word| !word.is_empty());
    let name = match words.is_empty() {
        true => game.to_owned(),
        false => format!("{game}:{}", words.join(",")),
    };
    let variant = name.parse::<Variant>().raise::<VariantError>()?;
    Ok(variant.to_string())
}
