//! The rules of a variant as text for players. What they say belongs to the game.

use noughts_rules::Variant;

use crate::wrap;

/// A paragraph of the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paragraph {
    /// The heading above it, if it starts a section.
    pub heading: Option<String>,
    /// The text, on one line.
    pub text: String,
}

/// The rules of a variant as paragraphs, and its name.
pub fn rules_text(variant: Variant) -> Vec<Paragraph> {
    let mut paragraphs = Vec::new();
    let mut heading = None;
    for part in variant.rules_text().split("\n\n") {
        match part.strip_prefix("## ") {
            Some(text) => heading = Some(text.to_owned()),
            None => paragraphs.push(Paragraph {
                heading: heading.take(),
                text: part.replace('\n', " "),
            }),
        }
    }
    let (short, full) = (variant.to_string(), variant.full_name());
    paragraphs.push(Paragraph {
        heading: Some("Variant name".into()),
        text: match short == full {
            true => format!("{full}."),
            false => format!("{short}; with all options, {full}."),
        },
    });
    paragraphs
}

/// The same as lines of this many columns, with an empty line before each heading.
pub fn rules_lines(variant: Variant, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for Paragraph { heading, text } in rules_text(variant) {
        if let Some(heading) = heading {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.push(heading);
        }
        lines.extend(wrap(&text, columns));
    }
    lines
}

#[cfg(test)]
mod tests;
