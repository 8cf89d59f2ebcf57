//! Parses what a player types: names of variants and bots, and moves, in any unambiguous
//! spelling, converted to the canonical one. Stored games, records, UGI and the API don't use this.

mod moves;

use noughts_engine::{BotKind, UnknownBotError};
use noughts_rules::{Variant, games};

pub use moves::{MovePart, parse_move, parse_next_part};

/// The variant with this name or alias, ignoring case and accents.
///
/// ```
/// use noughts_rules::Variant;
/// use noughts_session::player_input;
///
/// assert_eq!(player_input::parse_variant("Tic-Tac-Toe"), Ok(Variant::CLASSIC));
/// assert_eq!(player_input::parse_variant("Misère"), Ok(Variant::MISERE));
/// assert!(player_input::parse_variant("ultimat").unwrap_err().ends_with("did you mean ultimate?"));
/// ```
///
/// # Errors
/// Which part of the name is wrong, what is allowed there, and the most similar name.
pub fn parse_variant(text: &str) -> Result<Variant, String> {
    let name = normalize(text);
    let (word, options) = match name.split_once(':') {
        Some((word, options)) => (word, Some(options)),
        None => (name.as_str(), None),
    };
    let known = known_names();
    let found = known.iter().find(|(known, _)| *known == word);
    let canonical = found.map_or(word, |(_, canonical)| *canonical);
    let full = match options {
        // An alias of one variant, not of a game.
        Some(_) if canonical.contains(':') => return Err(format!("{word} doesn't take options")),
        Some(options) => format!("{canonical}:{options}"),
        None => canonical.to_owned(),
    };
    let parsed: Result<Variant, _> = full.parse();
    parsed.map_err(|error| match suggest_variant(text) {
        Some(name) => format!("{reason}; did you mean {name}?", reason = error.reason()),
        None => error.reason(),
    })
}

/// The canonical name that was probably meant by an unknown name.
#[must_use]
pub fn suggest_variant(text: &str) -> Option<&'static str> {
    let name = normalize(text);
    let word = name.split(':').next().unwrap_or_default();
    let known = known_names();
    if known.iter().any(|(known, _)| *known == word) {
        // The game is known, so something else is wrong.
        return None;
    }
    // Among names at the same distance the first wins, so `tic-tac-too` suggests classic rather than tic-tac-two.
    let distances = known.iter().copied();
    let (distance, name) = distances
        .map(|(name, canonical)| (strsim::levenshtein(word, name), canonical))
        .min_by_key(|(distance, _)| *distance)?;
    // Up to a third of the letters may be wrong, or the rest of the name missing.
    let length = word.chars().count();
    if 3 * distance <= length {
        return Some(name);
    }
    let starts = |(known, _): &&(&str, &str)| length > 2 && known.starts_with(word);
    known.iter().find(starts).map(|(_, canonical)| *canonical)
}

/// Every name that finds a game or a variant, with the canonical one: aliases and names of presets, and the names of the
/// games themselves.
fn known_names() -> Vec<(&'static str, &'static str)> {
    let mut names = Vec::new();
    for info in games::all() {
        for preset in info.presets {
            names.extend(preset.aliases.iter().map(|alias| (*alias, preset.name)));
            names.extend((!preset.name.contains(':')).then_some((preset.name, preset.name)));
        }
        names.push((info.name, info.name));
    }
    names
}

/// The bot with this name, ignoring case.
///
/// ```
/// use noughts_engine::BotKind;
/// use noughts_session::player_input;
///
/// assert_eq!(player_input::parse_bot("Best"), Ok(BotKind::Best));
/// ```
///
/// # Errors
/// No bot has this name.
pub fn parse_bot(name: &str) -> Result<BotKind, UnknownBotError> {
    name.to_lowercase().parse()
}

/// Lower case, without accents, with `-` between words and no spaces elsewhere.
fn normalize(text: &str) -> String {
    let letters = text.chars().flat_map(char::to_lowercase);
    let letters = letters.filter(|letter| !('\u{300}'..='\u{36f}').contains(letter));
    let plain: String = letters
        .map(|letter| match letter {
            'à'..='å' => 'a',
            'è'..='ë' => 'e',
            'ì'..='ï' => 'i',
            'ò'..='ö' => 'o',
            'ù'..='ü' => 'u',
            '_' => ' ',
            letter => letter,
        })
        .collect();
    let mut name = plain.split_whitespace().collect::<Vec<_>>().join("-");
    for separator in [":", ",", "="] {
        name = name
            .replace(&format!("-{separator}"), separator)
            .replace(&format!("{separator}-"), separator);
    }
    name
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn variants_have_aliases_in_any_case() {
        for (text, name) in [
            ("classic", "classic"),
            ("Classic", "classic"),
            ("tic-tac-toe", "classic"),
            ("Tic Tac Toe", "classic"),
            ("TTT", "classic"),
            ("3x3", "classic"),
            ("misère", "misere"),
            ("mise\u{300}re", "misere"),
            ("MISÈRE", "misere"),
            ("gomoku", "mnk:15,15,5"),
            ("MNK: 4, 4, 4", "mnk:4,4,4"),
            ("tictactwo:board=7", "tic-tac-two:board=7"),
            ("uttt", "ultimate"),
            ("Ception:5A", "ception:5a"),
        ] {
            let found = parse_variant(text).map(|variant| variant.to_string());
            assert_eq!(found.as_deref(), Ok(name), "{text}");
        }
    }

    /// Every name and alias is accepted with capitals and spaces, and finds what it belongs to.
    #[test]
    fn every_name_of_the_registry_is_known() {
        for (variant, preset) in games::presets() {
            for name in preset.aliases.iter().chain([&preset.name]) {
                let typed = name.to_uppercase().replace('-', " ");
                assert_eq!(parse_variant(&typed), Ok(variant), "{typed}");
            }
        }
        for info in games::all() {
            let found = parse_variant(&info.name.to_uppercase());
            assert_eq!(found.is_ok(), info.default_values().is_some(), "{found:?}");
        }
    }

    /// Stored games, UGI and the API take canonical names only.
    #[test]
    fn other_parsers_know_no_aliases() {
        for (_, preset) in games::presets() {
            for alias in preset.aliases {
                assert!(alias.parse::<Variant>().is_err(), "{alias}");
            }
            assert!(preset.name.to_uppercase().parse::<Variant>().is_err());
        }
    }

    #[test]
    fn a_similar_name_is_suggested_for_an_unknown_one() {
        for (text, name) in [
            ("ultimat", Some("ultimate")),
            ("clasic", Some("classic")),
            ("tik-tak-toe", Some("classic")),
            ("tic-tac-too", Some("classic")),
            ("tic-tac-toes", Some("classic")),
            ("tick-tack-toe", Some("classic")),
            ("tic-tac-twoo", Some("tic-tac-two")),
            ("inception", Some("ception")),
            ("vanish", Some("vanishing")),
            ("Connect", Some("connect-four")),
            ("order", Some("order-and-chaos")),
            ("ception:depht=3", None),
            ("mnk:99,1,1", None),
            ("gomoku:3", None),
            ("chess", None),
            ("x", None),
            ("", None),
        ] {
            let reason = parse_variant(text).unwrap_err();
            match name {
                Some(name) => {
                    assert!(
                        reason.ends_with(&format!("; did you mean {name}?")),
                        "{reason}"
                    );
                }
                None => assert!(!reason.contains("did you mean"), "{text}: {reason}"),
            }
        }
    }
}
