//! What a game says about itself: its names, options, presets and texts. Names of variants, menus, forms,
//! help and the documentation are made from it.

use crate::any_game_state::AnyGameState;
use crate::options::{OptionDefault, OptionKind, OptionSpec};
use crate::outcome::Side;
use crate::termination::Termination;
use crate::variant::Variant;

/// The most options a game can have.
pub const MAX_OPTIONS: usize = 8;

/// The value of each option of a game: a number, or the index of a word. Unused places are 0.
pub type OptionValues = [u8; MAX_OPTIONS];

/// The values of all options of a game, in its order.
///
/// ```
/// use noughts_rules::option_values;
/// assert_eq!(option_values([7, 6, 4]), [7, 6, 4, 0, 0, 0, 0, 0]);
/// ```
#[must_use]
pub const fn option_values<const N: usize>(values: [u8; N]) -> OptionValues {
    const { assert!(N <= MAX_OPTIONS, "a game has at most MAX_OPTIONS options") };
    let mut all = [0; MAX_OPTIONS];
    let mut n = 0;
    while n < N {
        all[n] = values[n];
        n += 1;
    }
    all
}

/// A game of the registry: everything that is known about it without playing.
///
/// ```
/// use noughts_rules::Variant;
/// let info = Variant::ULTIMATE.info();
/// assert_eq!(info.name, "ception");
/// assert!(info.presets.iter().any(|preset| preset.name == "ultimate"));
/// ```
pub struct GameInfo {
    /// The name before the colon of a variant name: lower case, digits and hyphens.
    pub name: &'static str,
    /// The title shown to players.
    pub title: &'static str,
    /// One sentence that says what the game is about.
    pub summary: &'static str,
    /// The rules as Markdown; see [`Variant::rules_text`] for what is replaced in it.
    pub rules: &'static str,
    /// The options, in the order of variant names.
    pub options: &'static [OptionSpec],
    /// What can follow the colon of a variant name, for errors: `use mnk:M,N,K (columns, rows, marks in a row)`.
    pub usage: &'static str,
    /// The name with its required options, for lists: `mnk:M,N,K`.
    pub syntax: &'static str,
    /// Variants with a title of their own, which menus and lists offer: at least one.
    pub presets: &'static [Preset],
    /// Do the options fit together? Each is already known to have one of its values. The second argument says
    /// which options were given explicitly, as bits.
    pub check_options: fn(&OptionValues, u32) -> Result<(), OptionFault>,
    /// Replaces values that make no difference by those that are printed.
    pub canonical_options: fn(OptionValues) -> OptionValues,
    /// Does an option make a difference, given the others?
    pub option_has_effect: fn(&OptionValues, usize) -> bool,
    /// The title of a variant that isn't a preset.
    pub variant_title: fn(Variant) -> String,
    /// The summary of a variant that isn't a preset.
    pub variant_summary: fn(Variant) -> String,
    /// How a game ended, if the usual sentence doesn't fit: what follows "X wins: ".
    pub ending_text: fn(Variant, Termination, Option<Side>) -> Option<String>,
    /// What is known about the value of the starting position with best play, for players.
    pub known_value: fn(Variant) -> Option<&'static str>,
    /// Makes a game at its start. Only called with values that passed the checks.
    pub start: &'static (dyn Fn(Variant) -> AnyGameState + Send + Sync),
}

/// A variant offered as a starting point. If its name isn't the game's own name and has no colon, the variant
/// prints as it, and it takes no options.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The canonical name of the variant.
    pub name: &'static str,
    /// Other names that find it.
    pub aliases: &'static [&'static str],
    /// The values of the options.
    pub values: OptionValues,
    /// The title shown to players.
    pub title: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// A few moves that lead to a typical position, for its picture in lists.
    pub sample: &'static [&'static str],
}

/// Why values of options don't fit together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionFault {
    /// The value of this option is wrong; the text follows the option's name.
    Option(&'static OptionSpec, String),
    /// Anything else, as a whole sentence.
    Other(String),
}

impl<S: Into<String>> From<S> for OptionFault {
    fn from(reason: S) -> OptionFault {
        OptionFault::Other(reason.into())
    }
}

impl GameInfo {
    /// A game without options and with the usual texts; the rest is set with `..`. It still needs a preset.
    #[must_use]
    pub const fn new(
        name: &'static str,
        title: &'static str,
        summary: &'static str,
        start: &'static (dyn Fn(Variant) -> AnyGameState + Send + Sync),
    ) -> GameInfo {
        GameInfo {
            name,
            title,
            summary,
            rules: "",
            options: &[],
            usage: "",
            syntax: name,
            presets: &[],
            check_options: |_, _| Ok(()),
            canonical_options: |values| values,
            option_has_effect: |_, _| true,
            variant_title: |variant| {
                let name = variant.to_string();
                let options = name.split_once(':').map_or("", |(_, options)| options);
                format!("{} {options}", variant.info().title)
                    .trim_end()
                    .to_owned()
            },
            variant_summary: |variant| variant.info().summary.to_owned(),
            ending_text: |_, _, _| None,
            known_value: |_| None,
            start,
        }
    }

    /// The values of the options where none are given; `None` if some are required.
    #[must_use]
    pub fn default_values(&self) -> Option<OptionValues> {
        let mut values = OptionValues::default();
        for (option, value) in self.options.iter().zip(&mut values) {
            *value = match option.default {
                OptionDefault::Required => return None,
                OptionDefault::Value(value) => value,
                OptionDefault::SameAs(_) => 0,
            };
        }
        Some(self.fill_defaults(values, 0))
    }

    /// Fills in the defaults that depend on other values, except where `given` has a bit.
    pub(crate) fn fill_defaults(&self, mut values: OptionValues, given: u32) -> OptionValues {
        for (n, option) in self.options.iter().enumerate() {
            if given >> n & 1 == 1 {
                continue;
            }
            match option.default {
                OptionDefault::Required => {}
                OptionDefault::Value(value) => values[n] = value,
                OptionDefault::SameAs(other) => values[n] = values[other],
            }
        }
        values
    }

    /// The default of an option, given the values of the others; `None` if it is required.
    pub(crate) fn default_value(&self, values: &OptionValues, option: usize) -> Option<u8> {
        match self.options.get(option)?.default {
            OptionDefault::Required => None,
            OptionDefault::Value(value) => Some(value),
            OptionDefault::SameAs(other) => values.get(other).copied(),
        }
    }

    /// See [`Variant::rules_text`].
    pub(crate) fn rules_text(&self, variant: Variant) -> String {
        let mut paragraphs = self.rules_paragraphs(variant);
        paragraphs.retain(|paragraph| !paragraph.starts_with(EXAMPLE));
        paragraphs.join("\n\n")
    }

    /// See [`Variant::examples`].
    pub(crate) fn examples(&self, variant: Variant) -> Vec<Example> {
        let paragraphs = self.rules_paragraphs(variant);
        let examples = paragraphs.iter().filter_map(|text| Example::parse(text));
        examples.collect()
    }

    /// The paragraphs of the rules that apply to a variant, examples included.
    fn rules_paragraphs(&self, variant: Variant) -> Vec<String> {
        let values = variant.values();
        let options = || self.options.iter().zip(&values);
        let state = AnyGameState::new(variant);
        let (view, shape) = (state.view(), state.view().shape());
        let cells = shape.count_cells();
        let last = view.place_name(shape.cell(cells.saturating_sub(1)));
        let mut text = self.rules.replace("{cells}", &cells.to_string());
        text = text.replace("{last}", &last);
        let (columns, rows) = shape
            .size_at(shape.depth().saturating_sub(1))
            .unwrap_or((1, 1));
        text = text.replace("{longest}", &columns.max(rows).to_string());
        for (option, &value) in options() {
            text = text.replace(&format!("{{{}}}", option.field), &option.value_text(value));
            let counted = format!("{{{}:", option.field);
            while let Some((before, (word, after))) = text
                .split_once(&counted)
                .and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
            {
                let plural = if value == 1 { "" } else { "s" };
                text = format!("{before}{value} {word}{plural}{after}");
            }
        }
        let applies = |word: &str| {
            options().any(|(option, &value)| {
                option.spell(value) == word
                    || format!("{}={}", option.field, option.value_text(value)) == word
            })
        };
        let paragraphs = text.trim().split("\n\n").filter_map(|paragraph| {
            let mut rest = paragraph;
            while let Some((condition, others)) =
                rest.strip_prefix('{').and_then(|rest| rest.split_once('}'))
            {
                let (wanted, words) = match condition.strip_prefix('!') {
                    Some(words) => (false, words),
                    None => (true, condition.trim_start_matches('?')),
                };
                if words.split_whitespace().any(applies) != wanted {
                    return None;
                }
                rest = others.trim_start();
            }
            Some(rest.to_owned())
        });
        paragraphs.collect()
    }
}

/// How a paragraph of the rules starts that is an example.
const EXAMPLE: &str = "```board\n";

/// A position to try a rule on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Example {
    /// What it is about, in a few words.
    pub title: String,
    /// What to look at or to try.
    pub text: String,
    /// The position as text; `None` for the start.
    pub position: Option<String>,
    /// The moves played from there.
    pub moves: Vec<String>,
}

impl Example {
    /// The position, if the variant has it.
    #[must_use]
    pub fn state(&self, variant: Variant) -> Option<AnyGameState> {
        let mut state = match &self.position {
            Some(text) => AnyGameState::from_text(variant, text).ok()?,
            None => AnyGameState::new(variant),
        };
        for mv in &self.moves {
            state.play(mv).ok()?;
        }
        Some(state)
    }

    fn parse(paragraph: &str) -> Option<Example> {
        let lines = paragraph.strip_prefix(EXAMPLE)?.trim_end_matches('`');
        let (title, lines) = lines.split_once('\n')?;
        let mut example = Example {
            title: title.into(),
            ..Example::default()
        };
        for line in lines.lines() {
            match line.split_once(": ") {
                Some(("position", position)) => example.position = Some(position.into()),
                Some(("moves", moves)) => {
                    example.moves = moves.split_whitespace().map(Into::into).collect();
                }
                _ if example.text.is_empty() => example.text = line.into(),
                _ => example.text = format!("{} {line}", example.text),
            }
        }
        Some(example)
    }
}

impl std::fmt::Debug for GameInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GameInfo({})", self.name)
    }
}

/// Is this option a number that is given by its place, as the M of `mnk:M,N,K`?
pub(crate) fn is_positional(option: &OptionSpec) -> bool {
    option.key.is_empty() && matches!(option.kind, OptionKind::Number(..))
}
