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
    let text = text.trim();
    let visible = |c: char| if is_unprintable(c) { '\u{fffd}' } else { c };
    let mut line: String = text.chars().take(longest).map(visible).collect();
    if text.chars().nth(longest).is_some() {
        line.push('…');
    }
    line
}

/// `a, b, c`; of more than ten names the first ten, `and 7 more`.
pub(crate) fn join_names<T: AsRef<str>>(names: &[T]) -> String {
    let first: Vec<String> = names
        .iter()
        .take(MAX_NAMES)
        .map(|n| excerpt(n.as_ref()))
        .collect();
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
    let letters: Vec<char> = word.chars().flat_map(char::to_lowercase).take(64).collect();
    let candidates = known.into_iter().map(|other| {
        let other_letters: Vec<char> = other
            .chars()
            .flat_map(char::to_lowercase)
            .take(64)
            .collect();
        (edit_distance(&letters, &other_letters), other)
    });
    let (distance, found) = candidates.min_by_key(|(distance, _)| *distance)?;
    let max_distance = (found.chars().count().max(letters.len()) / 3).max(1);
    (distance <= max_distance && !letters.is_empty()).then_some(found)
}

/// The edit distance: insertions, deletions, substitutions and transpositions.
fn edit_distance(one: &[char], other: &[char]) -> usize {
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            rows[i][j] = match (i, j) {
                (0, n) | (n, 0) => n,
                _ => {
                    let differs = usize::from(one[i - 1] != other[j - 1]);
                    let mut distance = (rows[i - 1][j] + 1)
                        .min(rows[i][j - 1] + 1)
                        .min(rows[i - 1][j - 1] + differs);
                    if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                        distance = distance.min(rows[i - 2][j - 2] + 1);
                    }
                    distance
                }
            };
        }
    }
    rows[one.len()][other.len()]
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
