//! Values for all options of a game, before they are turned into a variant. The rules crate decides
//! whether they fit together.

pub use noughts_rules::{OptionKind, OptionSpec};
use noughts_rules::{Variant, VariantError};

/// The requested option values, which together form a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantRequest {
    /// The last valid variant.
    variant: Variant,
    /// One per option: a number, or the index of a word. Games without options have none.
    values: Vec<u8>,
}

/// An option as displayed.
pub struct OptionState {
    /// The label.
    pub label: &'static str,
    /// The value in force.
    pub value: String,
    /// The value in words, if it doesn't explain itself.
    pub words: Option<&'static str>,
    /// One sentence that explains the value.
    pub description: String,
    /// Does it have no effect given the other options?
    pub has_no_effect: bool,
}

impl OptionState {
    /// The value with its words, if they fit in this many columns: `5a keep playing`.
    #[must_use]
    pub fn value_with_words(&self, columns: usize) -> String {
        let both = self.words.map(|words| format!("{} {words}", self.value));
        let both = both.filter(|both| both.chars().count() <= columns);
        both.unwrap_or_else(|| self.value.clone())
    }
}

/// Why an option can't have a value, in the words of menus and forms.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// The rules don't allow the value, alone or with the others.
    #[error("{}", .0.labeled_reason())]
    Rules(VariantError),
    /// The game is the same for every value.
    #[error("this has no effect with the other options you chose")]
    NoEffect,
    /// The text isn't one of the option's values.
    #[error("“{}” must be {}", .0.label, allowed_text(.0))]
    NotAValue(&'static OptionSpec),
}

impl OptionError {
    /// The option with the wrong value.
    #[must_use]
    pub fn option(&self) -> Option<&'static OptionSpec> {
        match self {
            OptionError::Rules(error) => error.option(),
            OptionError::NoEffect => None,
            OptionError::NotAValue(option) => Some(option),
        }
    }
}

fn allowed_text(option: &OptionSpec) -> String {
    match option.kind {
        OptionKind::Number(..) => "a whole number".into(),
        OptionKind::Words(_) => format!("one of {words}", words = option.allowed_values()),
    }
}

impl VariantRequest {
    /// The options of a variant; the named variants have none.
    #[must_use]
    pub fn from_variant(variant: Variant) -> VariantRequest {
        match variant.takes_options() {
            true => VariantRequest::with_all_options(variant),
            false => VariantRequest {
                variant,
                values: Vec::new(),
            },
        }
    }

    /// All options of a variant, for named variants as well.
    #[must_use]
    pub fn with_all_options(variant: Variant) -> VariantRequest {
        let values = variant.option_values();
        let request = VariantRequest { variant, values };
        let mut all_options = request.clone();
        for (i, value) in all_options.values.iter_mut().enumerate() {
            // A value that other options force wasn't requested.
            if request.has_no_effect(i) {
                *value = 0;
            }
        }
        all_options
    }

    /// The specifications of the options, in the order of [`VariantRequest::option_views`].
    #[must_use]
    pub fn specs(&self) -> &'static [OptionSpec] {
        match self.values[..] {
            [] => &[],
            _ => self.variant.options(),
        }
    }

    /// The number of options.
    #[must_use]
    pub fn option_count(&self) -> usize {
        self.values.len()
    }

    /// Builds the variant if the options fit together.
    ///
    /// # Errors
    /// Which one doesn't fit, and why.
    pub fn build(&self) -> Result<Variant, OptionError> {
        match self.values[..] {
            [] => Ok(self.variant),
            _ => (self.variant.with_option_values(&self.values)).map_err(OptionError::Rules),
        }
    }

    /// The variant; while the options don't fit together, which only [`VariantRequest::with_text`] can cause, the
    /// last one that did.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.build().unwrap_or(self.variant)
    }

    /// The requested value of an option, as shown in a form.
    #[must_use]
    pub fn value_text(&self, option: usize) -> String {
        let spec = self.specs().get(option).zip(self.values.get(option));
        spec.map_or_else(String::new, |(spec, &value)| spec.value_text(value))
    }

    /// The request with one option set from a form field. Whether it fits the others is checked
    /// when all of them are set: [`VariantRequest::build`].
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// use noughts_session::options::VariantRequest;
    ///
    /// let request = VariantRequest::with_all_options(Variant::CLASSIC).with_text(2, "4")?;
    /// let error = request.build().unwrap_err();
    /// assert_eq!(error.to_string(), "“In a row” is 4, but a line on a 3×3 board has at most 3 cells");
    /// assert_eq!(error.option().map(|option| option.field), Some("line"));
    /// assert_eq!(request.with_text(1, "4")?.variant().to_string(), "mnk:3,4,4");
    /// # Ok::<(), noughts_session::options::OptionError>(())
    /// ```
    ///
    /// # Errors
    /// The option doesn't have this value.
    pub fn with_text(&self, option: usize, text: &str) -> Result<VariantRequest, OptionError> {
        match self.specs().get(option) {
            None => Ok(self.clone()),
            Some(spec) => match spec.parse_value(text) {
                Some(value) => Ok(self.with_raw_value(option, value)),
                None => Err(OptionError::NotAValue(spec)),
            },
        }
    }

    fn with_raw_value(&self, option: usize, value: u8) -> VariantRequest {
        let mut other = self.clone();
        if let Some(raw_value) = other.values.get_mut(option) {
            *raw_value = value;
        }
        other.variant = other.variant();
        other
    }

    /// The request with one option stepped to its next or previous value.
    ///
    /// # Errors
    /// Why the value isn't allowed.
    pub fn with_step(&self, option: usize, forward: bool) -> Result<VariantRequest, OptionError> {
        let (Some(spec), Some(&value)) = (self.specs().get(option), self.values.get(option)) else {
            return Ok(self.clone());
        };
        let next = match spec.kind {
            OptionKind::Number(step, ..) if forward => value.saturating_add(step),
            OptionKind::Number(step, ..) => value.saturating_sub(step),
            OptionKind::Words(words) => {
                let count = words.len() as u8;
                (value + if forward { 1 } else { count - 1 }) % count
            }
        };
        let changed = self.with_raw_value(option, next);
        changed.build()?;
        match self.has_no_effect(option) {
            true => Err(self.no_effect_reason(option)),
            false => Ok(changed),
        }
    }

    /// Is it the same game for every value of the option?
    #[must_use]
    pub fn has_no_effect(&self, option: usize) -> bool {
        option < self.values.len() && !self.variant().option_has_effect(option)
    }

    /// Why an option has no effect: in a name, the rules may reject it with a reason.
    fn no_effect_reason(&self, option: usize) -> OptionError {
        let options = self.specs().iter().zip(&self.values).enumerate();
        let parts = options
            .filter(|(i, (spec, _))| spec.key.is_empty() || *i == option)
            .map(|(_, (spec, &value))| spec.spell(value));
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        let name = format!("{}:{}", self.variant.info().name, parts.join(","));
        let error = name.parse::<Variant>().err();
        error.map_or(OptionError::NoEffect, OptionError::Rules)
    }

    /// The options as displayed.
    #[must_use]
    pub fn option_views(&self) -> Vec<OptionState> {
        let effective = self.variant().option_values();
        let views = self.specs().iter().zip(effective).enumerate();
        let views = views.map(|(i, (spec, value))| OptionState {
            label: spec.label,
            value: spec.value_text(value),
            words: spec.meaning(value),
            description: spec.description(value),
            has_no_effect: self.has_no_effect(i),
        });
        views.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(name: &str) -> VariantRequest {
        VariantRequest::with_all_options(name.parse().expect("a variant"))
    }

    fn option(request: &VariantRequest, label: &str) -> usize {
        let found = request
            .option_views()
            .iter()
            .position(|view| view.label == label);
        found.expect("an option")
    }

    /// The variant name after some changes, or why the last one is rejected.
    fn variant_after(name: &str, changes: &[(&str, bool)]) -> Result<String, OptionError> {
        let mut request = request(name);
        for &(label, forward) in changes {
            request = request.with_step(option(&request, label), forward)?;
        }
        Ok(request.variant().to_string())
    }

    #[test]
    fn options_change_the_variant() {
        for (name, changes, expected) in [
            ("mnk:15,15,5", vec![("Columns", true)], "mnk:16,15,5"),
            ("mnk:4,3,3", vec![("Columns", false)], "classic"),
            ("classic", vec![("A line", true)], "misere"),
            ("tic-tac-two", vec![("Board", true)], "tic-tac-two:board=7"),
            (
                "tic-tac-two",
                vec![("Pieces", false)],
                "tic-tac-two:pieces=3",
            ),
            ("ultimate", vec![("Won boards", false)], "ception:5a"),
            (
                "ultimate",
                vec![("Free move goes to", true)],
                "ception:free=any",
            ),
            (
                "ception:5a",
                vec![("Depth", true), ("Trail", true)],
                "ception:5a,depth=3,trail=history",
            ),
        ] {
            assert_eq!(
                variant_after(name, &changes).as_deref(),
                Ok(expected),
                "{name}"
            );
        }
    }

    /// The reasons come from the rules crate, with the labels of the menu.
    #[test]
    fn rejected_changes_give_the_reason() {
        for (name, label, forward, reason) in [
            (
                "mnk:16,15,5",
                "Columns",
                true,
                "“Columns” is 17, but must be from 1 to 16",
            ),
            (
                "mnk:3,3,3",
                "In a row",
                true,
                "“In a row” is 4, but a line on a 3×3 board has at most 3 cells",
            ),
            (
                "tic-tac-two",
                "Grid",
                false,
                "“Grid” is 1, but must be 3, 5 or 7",
            ),
            (
                "tic-tac-two",
                "Opening",
                false,
                "“Opening” is 1, but must be from 2 to 9",
            ),
            (
                "ception:depth=6",
                "Depth",
                true,
                "“Depth” is 7, but must be from 1 to 6",
            ),
            (
                "ception:5a",
                "Free move goes to",
                true,
                "free needs 4a and 5b; with other rules it's always free=any",
            ),
            (
                "ultimate",
                "Trail",
                true,
                "this has no effect with the other options you chose",
            ),
            (
                "ception:depth=1",
                "Shared boards",
                true,
                "this has no effect with the other options you chose",
            ),
        ] {
            let request = request(name);
            let rejected = request.with_step(option(&request, label), forward);
            assert_eq!(
                rejected.err().map(|error| error.to_string()).as_deref(),
                Some(reason),
                "{name}"
            );
        }
    }

    /// Forms mark the option by this, not by the words of the reason.
    #[test]
    fn errors_name_the_option() {
        for (name, option, text, field) in [
            ("mnk:5,4,4", 2, "6", "line"),
            ("mnk:5,4,4", 0, "17", "columns"),
            ("tic-tac-two", 1, "7", "grid"),
            ("tic-tac-two", 2, "2", "pieces"),
            ("ultimate", 3, "7", "depth"),
            ("ultimate", 3, "deep", "depth"),
            ("ultimate", 1, "5e", "sent"),
        ] {
            let error = request(name)
                .with_text(option, text)
                .and_then(|request| request.build())
                .expect_err("not allowed");
            let found = error.option().expect("an option");
            assert_eq!(found.field, field, "{error}");
            let label = format!("“{}” ", found.label);
            assert!(error.to_string().starts_with(&label), "{error}");
        }
    }

    /// Changing an option and changing it back restores the variant.
    #[test]
    fn requested_values_survive_overriding_options() {
        let there_and_back = [("Won boards", false), ("Won boards", true)];
        assert_eq!(
            variant_after("ultimate", &there_and_back).as_deref(),
            Ok("ultimate")
        );
        let history = "ception:depth=3,trail=history";
        let up_and_down = [("Depth", false), ("Depth", true)];
        assert_eq!(variant_after(history, &up_and_down).as_deref(), Ok(history));
        assert_eq!(
            variant_after("ception:5a", &[("Won boards", true)]).as_deref(),
            Ok("ultimate")
        );
    }

    #[test]
    fn every_value_has_a_description() {
        for name in ["mnk:7,7,4", "tic-tac-two", "ception:4b,5d,depth=3"] {
            for view in request(name).option_views() {
                assert!(view.description.ends_with('.'), "{}", view.label);
                assert!(
                    view.description.chars().count() <= 100,
                    "{}",
                    view.description
                );
            }
        }
        assert_eq!(
            VariantRequest::from_variant(Variant::CLASSIC).option_count(),
            0
        );
    }

    /// Forms show the range of numbers, which must match the rules crate.
    #[test]
    fn number_ranges_match_the_rules() {
        // Games in which no other option limits the largest value.
        for name in ["mnk:16,16,1", "tic-tac-two:board=7,pieces=9", "ultimate"] {
            let request = request(name);
            for (i, spec) in request.specs().iter().enumerate() {
                let OptionKind::Number(step, (from, to), _) = spec.kind else {
                    continue;
                };
                for value in 0..=20 {
                    let fits = (from..=to).step_by(step.into()).any(|v| v == value);
                    let built = request.with_raw_value(i, value).build();
                    assert_eq!(built.is_ok(), fits, "{name} {}={value}", spec.field);
                }
            }
        }
    }

    /// Random changes always lead to a valid variant.
    #[test]
    fn random_changes_always_give_a_variant() {
        for name in ["mnk:3,3,3", "tic-tac-two", "ultimate"] {
            let mut request = request(name);
            let mut random = 1_u32;
            for _ in 0..2000 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let option = (random >> 24) as usize % request.option_count();
                if let Ok(next) = request.with_step(option, random >> 20 & 1 == 1) {
                    request = next;
                }
                let variant = request.variant();
                assert_eq!(variant.to_string().parse(), Ok(variant));
            }
        }
    }
}
