//! What errors are made of: names that are near, lists that end, and other people's text
//! on one line.

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;

/// So many names are listed before the rest is only counted.
const LISTED: usize = 10;

/// Longer text of others is cut.
const LONGEST: usize = 80;

/// Shows nothing, or turns the direction of what stands behind it, or is something else on
/// every screen. (What joins two letters or signs is part of how they are written.)
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

/// Somebody's text on one line, whatever is in it, and not without end.
pub(crate) fn excerpt(text: &str) -> String {
    cut(text, LONGEST)
}

/// The same for what may be long, such as all moves of a game.
pub(crate) fn long_excerpt(text: &str) -> String {
    cut(text, 40 * LONGEST)
}

fn cut(text: &str, longest: usize) -> String {
    let text = text.trim();
    let visible = |c: char| if is_unprintable(c) { '\u{fffd}' } else { c };
    let mut line: String = text.chars().take(longest).map(visible).collect();
    if text.chars().nth(longest).is_some() {
        line.push('…');
    }
    line
}

/// `a, b, c`; of many the first ten, `and 7 more`.
pub(crate) fn join_names<T: AsRef<str>>(names: &[T]) -> String {
    let first: Vec<String> = names
        .iter()
        .take(LISTED)
        .map(|n| excerpt(n.as_ref()))
        .collect();
    let text = first.join(", ");
    match names.len().saturating_sub(LISTED) {
        0 => text,
        rest => format!("{text} and {rest} more"),
    }
}

/// ` (did you mean WORD?)` if one of these words is what was meant, else nothing.
pub(crate) fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match closest_name(word, known) {
        Some(near) => format!(" (did you mean {near}?)"),
        None => String::new(),
    }
}

/// The word that differs least, if it differs little: by a third of its letters at most.
pub(crate) fn closest_name<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let letters: Vec<char> = word.chars().flat_map(char::to_lowercase).take(64).collect();
    let near = known.into_iter().map(|other| {
        let other_letters: Vec<char> = other
            .chars()
            .flat_map(char::to_lowercase)
            .take(64)
            .collect();
        (distance(&letters, &other_letters), other)
    });
    let (far, found) = near.min_by_key(|(far, _)| *far)?;
    let most = (found.chars().count().max(letters.len()) / 3).max(1);
    (far <= most && !letters.is_empty()).then_some(found)
}

/// How many letters must be put in, left out, changed, or swapped with the next.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            rows[i][j] = match (i, j) {
                (0, n) | (n, 0) => n,
                _ => {
                    let differs = usize::from(one[i - 1] != other[j - 1]);
                    let mut least = (rows[i - 1][j] + 1)
                        .min(rows[i][j - 1] + 1)
                        .min(rows[i - 1][j - 1] + differs);
                    if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                        least = least.min(rows[i - 2][j - 2] + 1);
                    }
                    least
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
    fn a_slip_of_the_finger_is_understood() {
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
        assert_eq!(
            suggestion("esay", bots),
            " (did you mean easy?)"
        );
    }

    #[test]
    fn lists_end() {
        let names: Vec<String> = (1..=1000).map(|n| n.to_string()).collect();
        assert_eq!(join_names(&names[..10]), "1, 2, 3, 4, 5, 6, 7, 8, 9, 10");
        assert_eq!(
            join_names(&names),
            "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 990 more"
        );
    }

    #[test]
    fn text_of_others_is_one_harmless_line() {
        assert_eq!(
            excerpt("a\n\u{1b}[31m\u{202e}b "),
            "a\u{fffd}\u{fffd}[31m\u{fffd}b"
        );
        assert_eq!(excerpt(&"x".repeat(1000)).chars().count(), LONGEST + 1);
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
