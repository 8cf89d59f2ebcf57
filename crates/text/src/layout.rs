//! Shaping text that is already phrased.

/// The text with a capital first letter.
///
/// ```
/// assert_eq!(noughts_text::capitalize("no moves left"), "No moves left");
/// ```
#[must_use]
pub fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The text with a small first letter, to continue a sentence.
pub(crate) fn uncapitalize(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

/// The text in lines of at most `width` columns, split at whitespace. A word that is longer than a line, such as a
/// path, is split at the end of the line.
///
/// ```
/// assert_eq!(noughts_text::wrap("one two three", 7), ["one two", "three"]);
/// assert!(noughts_text::wrap(" ", 7).is_empty());
/// ```
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let options = textwrap::Options::new(width.max(1))
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    let lines = textwrap::wrap(&text, options).into_iter();
    lines
        .filter(|line| !line.is_empty())
        .map(std::borrow::Cow::into_owned)
        .collect()
}
