//! The options of a game: what they are called, their values, and a sentence for each value. Names,
//! menus, forms and the API are made from them.

/// The values an option can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// A number: step, smallest and largest value, and a sentence.
    Number(u8, (u8, u8), &'static str),
    /// One of these words.
    Words(&'static [OptionWord]),
}

/// A value of an option: its word in a variant name, what it means in a few words, unless the word says it, and a
/// sentence.
pub type OptionWord = (&'static str, Option<&'static str>, &'static str);

/// An option: its label and possible values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// The label.
    pub label: &'static str,
    /// The name of the form field.
    pub field: &'static str,
    /// What errors about a variant name call it.
    pub name: &'static str,
    /// The text before the value in a variant name.
    pub key: &'static str,
    /// The possible values.
    pub kind: OptionKind,
    /// The value where none is given.
    pub default: OptionDefault,
    /// The word in a variant name that stands for the second of two values; the first is never spelled.
    pub flag: Option<&'static str>,
}

/// The value of an option that isn't given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionDefault {
    /// There is none: the option has to be given.
    Required,
    /// This value.
    Value(u8),
    /// The value of the option with this index.
    SameAs(usize),
}

impl OptionSpec {
    /// A value as text: a number or a word.
    #[must_use]
    pub fn value_text(&self, value: u8) -> String {
        match self.kind {
            OptionKind::Number(..) => value.to_string(),
            OptionKind::Words(words) => words[usize::from(value) % words.len()].0.into(),
        }
    }

    /// The value with this text. Whether a number is in range is checked with the whole variant.
    #[must_use]
    pub fn parse_value(&self, text: &str) -> Option<u8> {
        match self.kind {
            OptionKind::Number(..) => text.parse().ok(),
            OptionKind::Words(words) => {
                let index = words.iter().position(|(word, ..)| *word == text)?;
                u8::try_from(index).ok()
            }
        }
    }

    /// What a value means in a few words; `None` if it explains itself.
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// let won_boards = Variant::ULTIMATE.options()[1];
    /// assert_eq!(won_boards.meaning(0), Some("keep playing"));
    /// assert_eq!(
    ///     won_boards.description(0),
    ///     "Keep playing. Won boards stay open; only a full board gives a free move."
    /// );
    /// ```
    #[must_use]
    pub fn meaning(&self, value: u8) -> Option<&'static str> {
        match self.kind {
            OptionKind::Number(..) => None,
            OptionKind::Words(words) => words[usize::from(value) % words.len()].1,
        }
    }

    /// A sentence that explains a value, after its meaning.
    #[must_use]
    pub fn description(&self, value: u8) -> String {
        let sentence = match self.kind {
            OptionKind::Number(.., sentence) => sentence,
            OptionKind::Words(words) => words[usize::from(value) % words.len()].2,
        };
        match self.meaning(value).map(|meaning| meaning.split_at(1)) {
            Some((first, rest)) => format!("{}{rest}. {sentence}", first.to_uppercase()),
            None => sentence.into(),
        }
    }

    /// The option with this value in a variant name: `board=5`, `4b`. Empty for a flag that isn't set.
    #[must_use]
    pub fn spell(&self, value: u8) -> String {
        match (self.flag, value) {
            (Some(_), 0) => String::new(),
            (Some(word), _) => word.to_owned(),
            (None, value) => format!("{}{}", self.key, self.value_text(value)),
        }
    }

    /// Is it one of the option's values?
    pub(crate) fn contains(&self, value: u8) -> bool {
        match self.kind {
            OptionKind::Number(step, (from, to), _) => {
                (from..=to).contains(&value) && (value - from).is_multiple_of(step)
            }
            OptionKind::Words(words) => usize::from(value) < words.len(),
        }
    }

    /// The allowed values, as forms list them.
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// let allowed = |variant: Variant| variant.options()[0].allowed_values();
    /// assert_eq!(allowed(Variant::CLASSIC), "1 to 16");
    /// assert_eq!(allowed(Variant::TIC_TAC_TWO), "3, 5 or 7");
    /// assert_eq!(allowed(Variant::ULTIMATE), "4a, 4b");
    /// ```
    #[must_use]
    pub fn allowed_values(&self) -> String {
        match self.kind {
            OptionKind::Number(1, (from, to), _) => format!("{from} to {to}"),
            OptionKind::Number(step, (from, to), _) => {
                let values = (from..to)
                    .step_by(step.into())
                    .map(|value| value.to_string());
                format!("{} or {to}", values.collect::<Vec<_>>().join(", "))
            }
            OptionKind::Words(words) => {
                let words: Vec<&str> = words.iter().map(|(word, ..)| *word).collect();
                words.join(", ")
            }
        }
    }

    /// The allowed values after "must be".
    pub(crate) fn range_text(&self) -> String {
        let values = self.allowed_values();
        match self.kind {
            OptionKind::Number(1, ..) => format!("from {values}"),
            OptionKind::Number(..) => values,
            OptionKind::Words(_) => format!("one of {values}"),
        }
    }
}
