//! Variants and their names. The spelling is the same everywhere: flags, files, URLs and
//! the database.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::games;
use crate::info::{Example, GameInfo, OptionFault, OptionValues, Preset, is_positional};
use crate::notation::{quoted, truncated};
use crate::options::{OptionDefault, OptionKind, OptionSpec};

/// A game with its options. `Display` prints the canonical name, and parsing accepts other spellings, too.
///
/// ```
/// use noughts_rules::Variant;
///
/// let game: Variant = "ception:depth=3,5c,4b".parse()?;
/// assert_eq!(game.to_string(), "ception:4b,5c,depth=3");
/// assert_eq!("mnk:3,3,3".parse::<Variant>()?.to_string(), "classic");
///
/// let error = "mnk:3,3,4".parse::<Variant>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`mnk:3,3,4`: K is 4, but a line on a 3×3 board has at most 3 cells",
/// );
/// # Ok::<(), noughts_rules::VariantError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    info: &'static GameInfo,
    /// Canonical and checked.
    values: OptionValues,
}

impl PartialEq for Variant {
    fn eq(&self, other: &Variant) -> bool {
        self.values == other.values && self.info.name == other.info.name
    }
}

impl Eq for Variant {}

impl PartialOrd for Variant {
    fn partial_cmp(&self, other: &Variant) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Variant {
    fn cmp(&self, other: &Variant) -> Ordering {
        (self.info.name, self.values).cmp(&(other.info.name, other.values))
    }
}

impl Hash for Variant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.info.name, self.values).hash(state);
    }
}

/// A name or a combination of options that isn't a variant: which part is wrong, and what is allowed there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{name}`: {reason}", reason = self.reason())]
pub struct VariantError {
    name: String,
    fault: OptionFault,
}

impl VariantError {
    /// What is wrong, without the name of the variant. Options are called as in variant names.
    #[must_use]
    pub fn reason(&self) -> String {
        match &self.fault {
            OptionFault::Option(option, problem) => format!("{} {problem}", option.name),
            OptionFault::Other(reason) => reason.clone(),
        }
    }

    /// The same with the label of the option in quotation marks, for menus and forms.
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// let error = "mnk:17,3,3".parse::<Variant>().unwrap_err();
    /// assert_eq!(error.reason(), "M is 17, but must be from 1 to 16");
    /// assert_eq!(error.labeled_reason(), "“Columns” is 17, but must be from 1 to 16");
    /// assert_eq!(error.option().map(|option| option.field), Some("columns"));
    /// ```
    #[must_use]
    pub fn labeled_reason(&self) -> String {
        match &self.fault {
            OptionFault::Option(option, problem) => format!("“{}” {problem}", option.label),
            OptionFault::Other(reason) => reason.clone(),
        }
    }

    /// The option whose value is wrong.
    #[must_use]
    pub fn option(&self) -> Option<&'static OptionSpec> {
        match self.fault {
            OptionFault::Option(option, _) => Some(option),
            OptionFault::Other(_) => None,
        }
    }
}

impl Variant {
    /// A variant whose values are known to be canonical and allowed.
    pub(crate) const fn from_checked(info: &'static GameInfo, values: OptionValues) -> Variant {
        Variant { info, values }
    }

    /// The variant of a game with these values, in the order of its options.
    ///
    /// # Errors
    /// Which value isn't allowed, alone or with the others.
    pub fn new(info: &'static GameInfo, values: OptionValues) -> Result<Variant, VariantError> {
        check(info, values, 0).map_err(|fault| VariantError {
            name: Variant { info, values }.to_string(),
            fault,
        })
    }

    /// What the game says about itself.
    #[must_use]
    pub fn info(&self) -> &'static GameInfo {
        self.info
    }

    /// The preset with this variant, if there is one.
    #[must_use]
    pub fn preset(&self) -> Option<&'static Preset> {
        let mut presets = self.info.presets.iter();
        presets.find(|preset| preset.values == self.values)
    }

    /// Can its name be followed by options? Games with a name of their own, such as `classic`, take none.
    #[must_use]
    pub fn takes_options(&self) -> bool {
        let is_own_name = |name: &str| name == self.info.name || name.contains(':');
        !self.info.options.is_empty() && self.preset().is_none_or(|preset| is_own_name(preset.name))
    }

    /// The title shown to players.
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// assert_eq!("mnk:15,15,5".parse::<Variant>()?.title(), "Five in a row");
    /// assert_eq!("mnk:7,6,4".parse::<Variant>()?.title(), "4 in a row on 7×6");
    /// assert_eq!("ception:4b,5c".parse::<Variant>()?.title(), "Ception 4b,5c");
    /// # Ok::<(), noughts_rules::VariantError>(())
    /// ```
    #[must_use]
    pub fn title(&self) -> String {
        match self.preset() {
            Some(preset) => preset.title.to_owned(),
            None => (self.info.variant_title)(*self),
        }
    }

    /// A one-sentence summary, for menus and lists.
    #[must_use]
    pub fn summary(&self) -> String {
        match self.preset() {
            Some(preset) => preset.summary.to_owned(),
            None => (self.info.variant_summary)(*self),
        }
    }

    /// The rules of a variant as Markdown: headings and paragraphs, only those that apply.
    ///
    /// In [`GameInfo::rules`], `{field}` is replaced by the value of the option with this form field, `{field:word}` by
    /// the value and the word (`1 piece`, `4 pieces`), `{cells}` by the number of cells, `{last}` by the name of the
    /// last one and `{longest}` by the length of the longer side. A paragraph that starts with `{?word …}` is kept only if one of these options applies: `5a`, `misere`,
    /// `move=any`; with `{!word …}` only if none does.
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// let rules = Variant::CLASSIC.rules_text();
    /// assert!(rules.contains("The board has 3 columns and 3 rows."));
    /// assert!(!rules.contains("misère"));
    /// assert!(Variant::MISERE.rules_text().contains("This is misère: avoid making a line."));
    /// ```
    #[must_use]
    pub fn rules_text(&self) -> String {
        self.info.rules_text(*self)
    }

    /// The positions to try the rules on that the rules of the variant have: blocks of code with the word `board`. The first
    /// line is the title. Then follow a sentence or two, and lines that start with `position:` or `moves:`. In the text they
    /// are paragraphs like others, with the same conditions, but [`Variant::rules_text`] leaves them out.
    ///
    /// ```
    /// use noughts_rules::{AnyGameState, Variant};
    /// for example in Variant::MISERE.examples() {
    ///     let position = example.position.unwrap_or_default();
    ///     assert!(AnyGameState::from_text(Variant::MISERE, &position).is_ok());
    /// }
    /// ```
    #[must_use]
    pub fn examples(&self) -> Vec<Example> {
        self.info.examples(*self)
    }

    /// What is known about the value of the starting position with best play, for players; `docs/solved.md` says how.
    #[must_use]
    pub fn known_value(&self) -> Option<&'static str> {
        (self.info.known_value)(*self)
    }

    /// The options of this variant's game.
    #[must_use]
    pub fn options(&self) -> &'static [OptionSpec] {
        self.info.options
    }

    /// The value of each option, and 0 beyond them.
    pub(crate) fn values(&self) -> OptionValues {
        self.values
    }

    /// The value of each option: a number, or the index of a word.
    #[must_use]
    pub fn option_values(&self) -> Vec<u8> {
        self.values[..self.info.options.len()].to_vec()
    }

    /// Does an option make a difference, given the others?
    #[must_use]
    pub fn option_has_effect(&self, option: usize) -> bool {
        (self.info.option_has_effect)(&self.values, option)
    }

    /// The variant of the same game with these values, in the order of [`Variant::options`].
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// let mut values = Variant::ULTIMATE.option_values();
    /// values[3] = 3;
    /// assert_eq!(Variant::ULTIMATE.with_option_values(&values)?.to_string(), "ception:depth=3");
    /// # Ok::<(), noughts_rules::VariantError>(())
    /// ```
    ///
    /// # Errors
    /// Which value isn't allowed, alone or with the others.
    pub fn with_option_values(&self, values: &[u8]) -> Result<Variant, VariantError> {
        let mut all = OptionValues::default();
        for (place, value) in all.iter_mut().zip(values).take(self.info.options.len()) {
            *place = *value;
        }
        Variant::new(self.info, all)
    }

    /// The name with all options that have an effect.
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// let name = "ception:4a,5b,free=open,depth=2,end=draw";
    /// assert_eq!(Variant::ULTIMATE.full_name(), name);
    /// ```
    #[must_use]
    pub fn full_name(&self) -> String {
        self.spelled_name(true)
    }

    /// The name with all options or only with those that aren't the default.
    fn spelled_name(&self, all: bool) -> String {
        let mut spelled = Vec::new();
        for (n, (option, &value)) in self.info.options.iter().zip(&self.values).enumerate() {
            let is_default = self.info.default_value(&self.values, n) == Some(value);
            let text = option.spell(value);
            if self.option_has_effect(n) && (all || !is_default) && !text.is_empty() {
                spelled.push(text);
            }
        }
        match spelled.is_empty() {
            true => self.info.name.to_owned(),
            false => format!("{}:{}", self.info.name, spelled.join(",")),
        }
    }
}

/// The variant in its canonical form, if its options are allowed.
fn check(
    info: &'static GameInfo,
    values: OptionValues,
    given: u32,
) -> Result<Variant, OptionFault> {
    for (option, &value) in info.options.iter().zip(&values) {
        if !option.contains(value) {
            let problem = format!("is {value}, but must be {}", option.range_text());
            return Err(OptionFault::Option(option, problem));
        }
    }
    (info.check_options)(&values, given)?;
    Ok(Variant {
        info,
        values: (info.canonical_options)(values),
    })
}

/// Parses the options after the colon of a name.
fn parse_options(info: &'static GameInfo, text: &str) -> Result<Variant, OptionFault> {
    let usage = info.usage;
    let mut values = OptionValues::default();
    let mut given = 0u32;
    let parts: Vec<&str> = text.split(',').collect();
    let mut rest = &parts[..];
    // Numbers that are given by their place come first.
    let positional = (info.options.iter().enumerate()).filter(|(_, option)| is_positional(option));
    for (n, option) in positional {
        let is_required = option.default == OptionDefault::Required;
        let is_number = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
        match rest {
            [part, others @ ..] if is_required || is_number(part) => {
                values[n] = number(option, part)?;
                given |= 1 << n;
                rest = others;
            }
            _ if is_required => {
                let count = (info.options.iter())
                    .filter(|option| option.default == OptionDefault::Required)
                    .count();
                let count = ["no numbers", "a number", "two numbers", "three numbers"]
                    .get(count)
                    .unwrap_or(&"more numbers");
                return Err(format!("{name} needs {count}; {usage}", name = info.name).into());
            }
            _ => {}
        }
    }
    if let ([.., ""], true) = (rest, given != 0) {
        return Err(format!("nothing follows the last comma; {usage}").into());
    }
    for part in rest {
        let mut options = info.options.iter().enumerate();
        let found = options.find_map(|(n, option)| {
            if let Some(flag) = option.flag {
                return (flag == *part).then_some((n, option, Ok(1)));
            }
            let text = part.strip_prefix(option.key)?;
            let parsed = match option.kind {
                OptionKind::Number(..) if is_positional(option) => return None,
                OptionKind::Number(..) => number(option, text),
                OptionKind::Words(_) => Ok(option.parse_value(text)?),
            };
            Some((n, option, parsed))
        });
        let Some((n, option, parsed)) = found else {
            return Err(format!("unknown option {part}; {usage}", part = quoted(part)).into());
        };
        if given >> n & 1 == 1 {
            return Err(format!("{} can only be given once", option.name).into());
        }
        given |= 1 << n;
        values[n] = parsed?;
    }
    check(info, info.fill_defaults(values, given), given)
}

/// A small number in plain digits, without a sign or leading zeros.
fn number(option: &'static OptionSpec, text: &str) -> Result<u8, OptionFault> {
    let is_plain =
        text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    match text.parse() {
        Ok(n) if is_plain => Ok(n),
        _ => {
            let range = match option.kind {
                OptionKind::Number(1, ..) => format!("a whole number {}", option.range_text()),
                _ => option.range_text(),
            };
            let problem = format!("is {value}, but must be {range}", value = quoted(text));
            Err(OptionFault::Option(option, problem))
        }
    }
}

/// Parses a name. [`VariantError`] says what is wrong with it.
fn parse(name: &str) -> Result<Variant, OptionFault> {
    let (word, options) = match name.split_once(':') {
        Some((word, options)) => (word, Some(options)),
        None => (name, None),
    };
    for info in games::all() {
        let mut presets = info.presets.iter();
        if let Some(preset) = presets.find(|preset| preset.name == word && word != info.name) {
            return match options {
                None => Ok(Variant::from_checked(info, preset.values)),
                Some(_) => Err(format!("{word} doesn't take options").into()),
            };
        }
        if info.name != word {
            continue;
        }
        return match (options, info.default_values()) {
            (None, Some(values)) => check(info, values, 0),
            (None | Some(""), None) => {
                Err(format!("{word} needs a size; {usage}", usage = info.usage).into())
            }
            (Some(_), _) if info.options.is_empty() => {
                Err(format!("{word} doesn't take options").into())
            }
            (Some(options), _) => parse_options(info, options),
        };
    }
    if word.chars().any(char::is_uppercase) {
        return Err(format!(
            "game names are lowercase; use one of {}",
            games::names().join(", ")
        )
        .into());
    }
    Err(format!("unknown game; use one of {}", games::names().join(", ")).into())
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(name: &str) -> Result<Variant, VariantError> {
        parse(name).map_err(|fault| VariantError {
            name: truncated(name, 60),
            fault,
        })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.preset().filter(|preset| !preset.name.contains(':')) {
            Some(preset) => f.write_str(preset.name),
            None => f.write_str(&self.spelled_name(false)),
        }
    }
}
