//! Answers that players type.

/// Yes or no; otherwise the refusal.
pub(super) fn parse_yes_no(text: &str) -> Result<bool, String> {
    match text.to_lowercase().as_str() {
        "y" | "yes" => Ok(true),
        "n" | "no" => Ok(false),
        _ => Err("that's neither yes nor no; type y or n".into()),
    }
}

/// The refusal of an empty line.
pub(super) const EMPTY_ANSWER: &str = "the answer can't be empty";
