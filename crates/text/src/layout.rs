//! Shaping text that is already phrased.

/// The text with a capital first letter.
///
/// ```
/// assert_eq!(noughts_text::capitalize("no moves left"), "No moves left");
/// ```
#[must_use]
pub fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// The text in lines of at most `width` columns; longer words stay whole.
///
/// ```
/// assert_eq!(noughts_text::wrap("one two three", 7), ["one two", "three"]);
/// ```
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let options = textwrap::Options::new(width)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    let lines = textwrap::wrap(text, options);
    lines
        .into_iter()
        .map(std::borrow::Cow::into_owned)
        .collect()
}
