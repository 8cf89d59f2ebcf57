//! Player names, and when two names are the same.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use icu_casemap::CaseMapper;
use icu_normalizer::DecomposingNormalizer;
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
use icu_properties::{CodePointMapData, CodePointSetData};

/// A player's name: any Unicode, 1 to 40 characters, without surrounding spaces, with at least one
/// visible character. Names that differ only in case, in the encoding of accents, in invisible
/// characters or in the number of consecutive spaces are the same.
///
/// ```
/// use noughts_store::Name;
///
/// let name = Name::new("  Zoë ")?;
/// assert_eq!(name.as_str(), "Zoë");
/// assert_eq!(name, Name::new("ZOE\u{308}")?);
/// assert_eq!(Name::new("Straße")?, Name::new("STRASSE")?);
/// assert_eq!(Name::new("Ada  L.")?, Name::new("Ada L.")?);
///
/// let error = Name::new(" ").unwrap_err();
/// assert_eq!(error.to_string(), "a name needs at least one visible character");
/// # Ok::<(), noughts_store::NameError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Name {
    display: String,
    key: String,
}

/// Why a text isn't a valid name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// No visible character.
    #[error("a name needs at least one visible character")]
    Empty,
    /// Too many characters.
    #[error(
        "a name can have at most {max} characters, but this one has {_0}",
        max = Name::MAX_CHARS
    )]
    TooLong(usize),
    /// A character that a terminal would interpret instead of showing it.
    #[error("a name can't contain the unprintable character {character}", character = _0.escape_unicode())]
    Unprintable(char),
    /// A name that can't be part of a URL path: browsers resolve it.
    #[error("a name can't be just one or two dots")]
    Dots,
}

impl Name {
    /// The maximum length in characters.
    pub const MAX_CHARS: usize = 40;

    /// Parses a name; surrounding spaces are dropped.
    ///
    /// # Errors
    /// Why the text isn't a valid name.
    pub fn new(text: &str) -> Result<Name, NameError> {
        let name = Name::from_stored(text)?;
        if let Some(bad) = name.display.chars().find(|&c| is_unassigned(c)) {
            return Err(NameError::Unprintable(bad));
        }
        match name.key.as_str() {
            "." | ".." => Err(NameError::Dots),
            _ => Ok(name),
        }
    }

    /// Parses a stored name. Names that today's rules reject stay valid.
    pub(crate) fn from_stored(text: &str) -> Result<Name, NameError> {
        let display = text.trim();
        if let Some(bad) = display.chars().find(|&c| is_unprintable(c)) {
            return Err(NameError::Unprintable(bad));
        }
        if display.chars().all(|c| is_invisible(c) || is_blank(c)) {
            return Err(NameError::Empty);
        }
        match display.chars().count() {
            count if count > Name::MAX_CHARS => Err(NameError::TooLong(count)),
            _ => Ok(Name {
                display: display.into(),
                key: key_of(display),
            }),
        }
    }

    /// The name as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.display
    }

    /// The key that equal names share.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }
}

/// Control characters, line separators and bidirectional overrides.
pub(crate) fn is_unprintable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Unassigned and private-use characters: every screen shows something else.
fn is_unassigned(c: char) -> bool {
    matches!(
        CodePointMapData::<GeneralCategory>::new().get(c),
        GeneralCategory::Unassigned | GeneralCategory::PrivateUse
    )
}

/// Zero-width characters: joiners, soft hyphens, fillers.
fn is_invisible(c: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// Whitespace, including the blank Braille pattern, which Unicode classifies as a symbol.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{2800}'
}

/// Unicode's canonical caseless matching (decompose, fold, decompose again) of the visible
/// characters, with one space between words.
fn key_of(name: &str) -> String {
    let visible: String = name.chars().filter(|&c| !is_invisible(c)).collect();
    let words: Vec<&str> = visible.split(is_blank).filter(|w| !w.is_empty()).collect();
    let decompose = DecomposingNormalizer::new_nfd();
    let folded = CaseMapper::new()
        .fold_string(&decompose.normalize(&words.join(" ")))
        .into_owned();
    decompose.normalize(&folded).into_owned()
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.display)
    }
}

impl std::str::FromStr for Name {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Name, NameError> {
        Name::new(text)
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.key == other.key
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Name) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Name) -> Ordering {
        self.key.cmp(&other.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_all_scripts_are_valid() {
        let forty = "ж".repeat(40);
        for text in ["A", "李小龙", "👩‍👩‍👧‍👦", "O'Neill", "a b", "?", "محمد", &forty]
        {
            assert_eq!(Name::new(text).expect("a name").as_str(), text);
        }
    }

    #[test]
    fn invisible_and_unprintable_names_are_rejected() {
        for text in [
            "",
            " ",
            "\t\n",
            "\u{200b}",
            "\u{200d}\u{fe0f}",
            "\u{3000}",
            "\u{2800}",
            "\u{ad}",
            "\u{200b} \u{200b}",
            "\u{3164}\u{2800}\u{2060}",
        ] {
            assert_eq!(Name::new(text), Err(NameError::Empty), "{text:?}");
        }
        for bad in ['\0', '\u{1b}', '\u{7f}', '\u{9b}', '\u{2028}', '\u{202e}'] {
            let text = format!("a{bad}b");
            assert_eq!(Name::new(&text), Err(NameError::Unprintable(bad)));
        }
        for bad in ['\u{e000}', '\u{378}', '\u{10fffd}'] {
            let text = format!("a{bad}b");
            assert_eq!(Name::new(&text), Err(NameError::Unprintable(bad)));
            assert!(
                Name::from_stored(&text).is_ok(),
                "a stored name stays valid"
            );
        }
        for dots in [".", "..", " .. ", ".\u{200b}."] {
            assert_eq!(Name::new(dots), Err(NameError::Dots), "{dots:?}");
        }
        assert!(Name::new("...").is_ok());
        let long = "é".repeat(41);
        assert_eq!(Name::new(&long), Err(NameError::TooLong(41)));
    }

    #[test]
    fn invisible_characters_are_ignored_in_comparisons() {
        let plain = Name::new("Ada B").expect("a name");
        for text in [
            "Ada  B",
            "Ada\u{a0}B",
            "Ada \u{2800} B",
            "A\u{200b}da\u{200d} \u{ad}B",
            "\u{200b} ada b \u{feff}",
        ] {
            let name = Name::new(text).expect("a name");
            assert_eq!(name, plain, "{text:?}");
            assert_eq!(name.as_str(), text, "it is shown as it was written");
        }
        for text in ["AdaB", "Ada. B"] {
            assert_ne!(Name::new(text).expect("a name"), plain, "{text:?}");
        }
        assert_eq!(Name::new("\u{2800}x").expect("a name").key(), "x");
    }

    #[test]
    fn comparison_ignores_case_in_any_script() {
        for (one, other) in [
            ("ada", "ADA"),
            ("ΣΊΣΥΦΟΣ", "σίσυφος"),
            ("Éric", "E\u{301}RIC"),
            ("ǅ", "ǆ"),
            ("ﬃ", "FFI"),
            ("Ⴀ", "ⴀ"),
        ] {
            let (one, other) = (
                Name::new(one).expect("a name"),
                Name::new(other).expect("a name"),
            );
            assert_eq!(one, other);
            assert_eq!(one.cmp(&other), Ordering::Equal);
        }
        assert_ne!(
            Name::new("Ada").expect("a name"),
            Name::new("Adá").expect("a name")
        );
    }
}
