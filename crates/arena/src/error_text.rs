//! Text for error messages: suggestions for misspelled names, shortened lists, and sanitized user
//! input.

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;

/// How many names are listed before the rest is only counted.
const MAX_NAMES: usize = 10;

/// The longest excerpt of user input, in characters.
const MAX_EXCERPT: usize = 80;

/// Whether a character is invisible, changes the text direction, or looks different on every
/// screen. The zero-width joiners are allowed: they are part of how some text is written.
pub(crate) fn is_unprintable(c: char) -> bool {
    use GeneralCategory as Category;
    let category = CodePointMapData::<Category>::new().get(c);
    match category {
        Category::Control
        | Category::LineSeparator
        | Category::ParagraphSeparator
        | Category::Unassigned
        | Category::PrivateUse => true,
        Category::Format => !matches!(c, '\u{200c}' | '\u{200d}'),
        _ => false,
    }
}

/// User input on one line, with unprintable characters replaced, shortened if necessary.
pub(crate) fn excerpt(text: &str) -> String {
    sanitized_excerpt(text, MAX_EXCERPT)
}

/// The same for long text, such as all moves of a game.
pub(crate) fn long_excerpt(text: &str) -> String {
    sanitized_excerpt(text, 40 * MAX_EXCERPT)
}

fn sanitized_excerpt(text: &str, longest: usize) -> String {
    truncated(&sanitized(text.trim()), longest)
}

/// Text with unprintable characters replaced, so that it stays on one line.
pub(crate) fn sanitized(text: &str) -> String {
    text.replace(is_unprintable, "\u{fffd}")
}

/// The first characters of a text, and `…` if there are more.
pub(crate) fn truncated(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `a, b, c`; of more than ten names the first ten, `and 7 more`.
pub(crate) fn join_names<T: AsRef<str>>(names: &[T]) -> String {
    let first = names.iter().take(MAX_NAMES);
    let first: Vec<String> = first.map(|n| excerpt(n.as_ref())).collect();
    let text = first.join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => text,
        rest => format!("{text} and {rest} more"),
    }
}

/// ` (did you mean WORD?)` if a known word is close enough, otherwise empty.
pub(crate) fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match closest_name(word, known) {
        Some(candidates) => format!(" (did you mean {candidates}?)"),
        None => String::new(),
    }
}

/// The closest known word, if at most a third of its letters differ.
pub(crate) fn closest_name<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let word: String = word.to_lowercase().chars().take(64).collect();
    let candidates = known.into_iter().map(|name| {
        let distance = strsim::osa_distance(&word, &name.to_lowercase());
        (distance, name)
    });
    let (distance, found) = candidates.min_by_key(|(distance, _)| *distance)?;
    let max_distance = (found.chars().count().max(word.chars().count()) / 3).max(1);
    (distance <= max_distance && !word.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_get_suggestions() {
        let bots = ["random", "easy", "mcts", "alpha-beta", "perfect"];
        for (word, meant) in [
            ("mcst", Some("mcts")),
            ("MCTS", Some("mcts")),
            ("mct", Some("mcts")),
            ("alphabeta", Some("alpha-beta")),
            ("perfekt", Some("perfect")),
            ("stockfish", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(closest_name(word, bots), meant, "{word}");
        }
        assert_eq!(suggestion("esay", bots), " (did you mean easy?)");
    }

    #[test]
    fn long_lists_are_shortened() {
        let names: Vec<String> = (1..=1000).map(|n| n.to_string()).collect();
        assert_eq!(join_names(&names[..10]), "1, 2, 3, 4, 5, 6, 7, 8, 9, 10");
        assert_eq!(
            join_names(&names),
            "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 990 more"
        );
    }

    #[test]
    fn user_text_is_sanitized() {
        assert_eq!(
            excerpt("a\n\u{1b}[31m\u{202e}b "),
            "a\u{fffd}\u{fffd}[31m\u{fffd}b"
        );
        assert_eq!(excerpt(&"x".repeat(1000)).chars().count(), MAX_EXCERPT + 1);
        for c in [
            '\u{202e}', '\u{2066}', '\u{200b}', '\u{feff}', '\u{0}', '\u{2028}', '\u{e000}',
        ] {
            assert!(is_unprintable(c), "{c:?}");
        }
        for c in ['a', 'ä', '李', '👩', '\u{200d}', ' ', '\u{308}'] {
            assert!(!is_unprintable(c), "{c:?}");
        }
    }
}
