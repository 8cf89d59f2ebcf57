//! The rule options of a game, one value each, before they are a variant. Which of
//! them go together is asked of the rules.

use noughts_rules::{
    FreeMoveTarget, MnkOptions, NestedOptions, SharedBoards, TicTacTwoOptions, Tiebreak, TrailRule,
    Variant, VariantError, WonBoardRule,
};

use super::{MNK_OPTIONS, NESTED_OPTIONS, OptionKind, OptionSpec, TIC_TAC_TWO_OPTIONS};

/// Games whose options are of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    /// A game without options.
    Fixed(Variant),
    Mnk,
    TicTacTwo,
    Nested,
}

/// Options that are wished for; all together they are a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantRequest {
    family: Family,
    /// One for each option: a number, or which of the words.
    values: Vec<u8>,
}

/// An option as it is shown.
pub struct OptionView {
    /// What it is called.
    pub label: &'static str,
    /// What is in force.
    pub value: String,
    /// One sentence on what that means.
    pub description: String,
    /// It makes no difference as the other options are.
    pub has_no_effect: bool,
}

const OWNING: [SharedBoards; 2] = [SharedBoards::Forbidden, SharedBoards::Allowed];
const SENT: [WonBoardRule; 4] = [
    WonBoardRule::PlayOn,
    WonBoardRule::FreeMove,
    WonBoardRule::ExtraMove,
    WonBoardRule::ExtraMoveChain,
];
const FREE: [FreeMoveTarget; 2] = [FreeMoveTarget::OpenBoards, FreeMoveTarget::AnyBoard];
const TRAIL: [TrailRule; 2] = [TrailRule::Suffix, TrailRule::History];
const END: [Tiebreak; 2] = [Tiebreak::Draw, Tiebreak::MostBoards];

impl VariantRequest {
    /// The options of a variant.
    #[must_use]
    pub fn from_variant(variant: Variant) -> VariantRequest {
        match variant {
            Variant::CLASSIC | Variant::MISERE | Variant::ULTIMATE => VariantRequest {
                family: Family::Fixed(variant),
                values: Vec::new(),
            },
            variant => VariantRequest::with_all_options(variant),
        }
    }

    /// The options of a variant, even where they are the usual ones.
    #[must_use]
    pub fn with_all_options(variant: Variant) -> VariantRequest {
        let (family, values) = values_of(variant);
        let wish = VariantRequest { family, values };
        let mut open = wish.clone();
        for (i, value) in open.values.iter_mut().enumerate() {
            // What is forced on an option was not wished for.
            if wish.has_no_effect(i) {
                *value = 0;
            }
        }
        open
    }

    /// The options, in the order of [`Wish::rules`].
    #[must_use]
    pub fn specs(&self) -> &'static [OptionSpec] {
        match self.family {
            Family::Fixed(_) => &[],
            Family::Mnk => &MNK_OPTIONS,
            Family::TicTacTwo => &TIC_TAC_TWO_OPTIONS,
            Family::Nested => &NESTED_OPTIONS,
        }
    }

    /// How many options there are.
    #[must_use]
    pub fn option_count(&self) -> usize {
        self.values.len()
    }

    /// The variant, if the options go together.
    ///
    /// # Errors
    /// Why they do not, in the words of the rules.
    pub fn build(&self) -> Result<Variant, VariantError> {
        let built = match (self.family, self.values.as_slice()) {
            (Family::Mnk, &[columns, rows, line, misere]) => {
                Variant::Mnk(MnkOptions::new(columns, rows, line, misere == 1)?)
            }
            (Family::TicTacTwo, &[board, grid, pieces, after]) => {
                Variant::TicTacTwo(TicTacTwoOptions::new(board, grid, pieces, after)?)
            }
            (Family::Nested, &[owning, sent, free, depth, trail, end]) => {
                Variant::Nested(NestedOptions::new(
                    value_at(&OWNING, owning),
                    value_at(&SENT, sent),
                    value_at(&FREE, free),
                    depth,
                    value_at(&TRAIL, trail),
                    value_at(&END, end),
                )?)
            }
            (Family::Fixed(variant), _) => variant,
            // No other wish is ever made.
            _ => Variant::CLASSIC,
        };
        Ok(built)
    }

    /// The variant: a wish is only ever changed into one that has one.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.build().unwrap_or(Variant::CLASSIC)
    }

    /// What is wished for an option, as a form shows it.
    #[must_use]
    pub fn value_text(&self, option: usize) -> String {
        let value = self.values.get(option).copied().unwrap_or_default();
        match self.specs().get(option).map(|c| &c.kind) {
            Some(OptionKind::Words(words)) => value_at(words, value).0.into(),
            _ => value.to_string(),
        }
    }

    /// The wish with one option as a form gives it. Whether it goes together with the
    /// others is asked when all are filled in: [`Wish::built`].
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// use noughts_session::options::Wish;
    ///
    /// let wish = Wish::open(Variant::CLASSIC).filled("line", "4")?;
    /// let error = wish.built().unwrap_err();
    /// assert_eq!(error.reason(), "K is 4, but a line of a 3 by 3 board has at most 3 cells");
    /// assert_eq!(wish.filled("rows", "4")?.variant().to_string(), "mnk:3,4,4");
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// There is no such option, or it has no such value.
    pub fn with_field(&self, field: &str, text: &str) -> Result<VariantRequest, String> {
        let choosables = self.specs();
        let Some(option) = choosables.iter().position(|c| c.field == field) else {
            return Err(format!("this game has no option {field:?}"));
        };
        let OptionSpec {
            label,
            kind: values,
            ..
        } = &choosables[option];
        let value = match values {
            OptionKind::Number(..) => text.parse().ok(),
            OptionKind::Words(words) => (0u8..)
                .zip(words.iter())
                .find(|(_, (word, _))| *word == text)
                .map(|(place, _)| place),
        };
        match (value, values) {
            (Some(value), _) => Ok(self.with_raw_value(option, value)),
            (None, OptionKind::Number(..)) => Err(format!("{label} must be a whole number")),
            (None, OptionKind::Words(words)) => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                Err(format!("{label} must be one of {}", words.join(", ")))
            }
        }
    }

    fn with_raw_value(&self, option: usize, value: u8) -> VariantRequest {
        let mut other = self.clone();
        if let Some(slot) = other.values.get_mut(option) {
            *slot = value;
        }
        other
    }

    /// The wish with one option moved on or back.
    ///
    /// # Errors
    /// Why it cannot be, in the words of the rules.
    pub fn with_step(&self, option: usize, on: bool) -> Result<VariantRequest, String> {
        let (Some(choosable), Some(&value)) = (self.specs().get(option), self.values.get(option))
        else {
            return Ok(self.clone());
        };
        let next = match choosable.kind {
            OptionKind::Number(step, ..) if on => value.saturating_add(step),
            OptionKind::Number(step, ..) => value.saturating_sub(step),
            OptionKind::Words(words) => {
                let many = words.len() as u8;
                (value + if on { 1 } else { many - 1 }) % many
            }
        };
        let changed = self.with_raw_value(option, next);
        match changed.build() {
            Err(error) => Err(error.reason().into()),
            Ok(_) if self.has_no_effect(option) => Err(self.no_effect_reason(option)),
            Ok(_) => Ok(changed),
        }
    }

    /// The wish with one option at a value: a number as text, or one of the words.
    ///
    /// ```
    /// use noughts_session::options::Wish;
    /// let wish = Wish::open("ultimate".parse()?);
    /// let deeper = wish.set(3, "3")?;
    /// assert_eq!(deeper.variant().to_string(), "ception:depth=3");
    /// assert!(wish.set(3, "7").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Why it cannot be, in the words of the rules.
    pub fn with_value(&self, option: usize, value: &str) -> Result<VariantRequest, String> {
        let Some(choosable) = self.specs().get(option) else {
            return Ok(self.clone());
        };
        let read = match choosable.kind {
            OptionKind::Number(..) => value.parse().ok(),
            OptionKind::Words(words) => words
                .iter()
                .position(|(word, _)| *word == value)
                .and_then(|at| u8::try_from(at).ok()),
        };
        let label = choosable.label;
        let read = read.ok_or_else(|| format!("{label} cannot be {value:?}"))?;
        let changed = self.with_raw_value(option, read);
        match changed.build() {
            Err(error) => Err(error.reason().into()),
            Ok(_) => Ok(changed),
        }
    }

    /// A reason of the rules in the words of the menu: options by their labels.
    #[must_use]
    pub fn with_menu_labels(&self, reason: &str) -> String {
        let Some((named, rest)) = reason.split_once(" is ") else {
            return reason.into();
        };
        let choosables = self.specs();
        let option = match (self.family, named) {
            (Family::Mnk, "M") => Some(0),
            (Family::Mnk, "N") => Some(1),
            (Family::Mnk, "K") => Some(2),
            _ => choosables
                .iter()
                .position(|option| option.key.strip_suffix('=') == Some(named)),
        };
        match option.and_then(|at| choosables.get(at)) {
            Some(option) => format!("{} is {rest}", option.label),
            None => reason.into(),
        }
    }

    /// Is it the same game whatever the option says?
    #[must_use]
    pub fn has_no_effect(&self, option: usize) -> bool {
        let Some(OptionKind::Words(words)) = self.specs().get(option).map(|c| &c.kind) else {
            return false;
        };
        let all = (0..words.len() as u8).map(|value| self.with_raw_value(option, value).build());
        let mut all = all.collect::<Vec<_>>();
        all.dedup();
        all.len() == 1
    }

    /// Why an option makes no difference: as the rules say it, if they do.
    fn no_effect_reason(&self, option: usize) -> String {
        const DEPTH: usize = 3;
        let words = self.specs().iter().zip(self.option_views());
        let named = words
            .enumerate()
            .filter(|(i, (choosable, _))| choosable.key.is_empty() || *i == DEPTH || *i == option)
            .map(|(_, (choosable, rule))| format!("{}{}", choosable.key, rule.value));
        let name = format!("ception:{}", named.collect::<Vec<_>>().join(","));
        match name.parse::<Variant>() {
            Err(error) => error.reason().into(),
            Ok(_) => "this makes no difference with the other options as they are".into(),
        }
    }

    /// The options as they are shown.
    #[must_use]
    pub fn option_views(&self) -> Vec<OptionView> {
        let (_, in_force) = values_of(self.variant());
        let rule = |(i, choosable): (usize, &'static OptionSpec)| {
            let value = in_force.get(i).copied().unwrap_or_default();
            let (value, sentence) = match choosable.kind {
                OptionKind::Number(.., sentence) => (value.to_string(), sentence),
                OptionKind::Words(words) => {
                    let (word, sentence) = value_at(words, value);
                    (word.to_owned(), sentence)
                }
            };
            OptionView {
                label: choosable.label,
                value,
                description: sentence.to_owned(),
                has_no_effect: self.has_no_effect(i),
            }
        };
        self.specs().iter().enumerate().map(rule).collect()
    }
}

/// What a variant says of each option.
fn values_of(variant: Variant) -> (Family, Vec<u8>) {
    match variant {
        Variant::Mnk(options) => {
            let (columns, rows, line) = options.size();
            let misere = u8::from(options.is_misere());
            (Family::Mnk, vec![columns, rows, line, misere])
        }
        Variant::TicTacTwo(o) => {
            let values = vec![
                o.board_size(),
                o.grid_size(),
                o.pieces(),
                o.opening_pieces(),
            ];
            (Family::TicTacTwo, values)
        }
        Variant::Nested(o) => {
            let values = vec![
                index_of(&OWNING, o.shared_boards()),
                index_of(&SENT, o.won_board_rule()),
                index_of(&FREE, o.free_move_target()),
                o.depth(),
                index_of(&TRAIL, o.trail_rule()),
                index_of(&END, o.tiebreak()),
            ];
            (Family::Nested, values)
        }
    }
}

/// Which of them it is.
fn index_of<T: PartialEq + Copy>(all: &[T], one: T) -> u8 {
    all.iter().position(|&each| each == one).unwrap_or(0) as u8
}

/// The one at this place; the first for places that are none.
fn value_at<T: Copy>(all: &[T], place: u8) -> T {
    all.get(usize::from(place)).copied().unwrap_or(all[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(name: &str) -> VariantRequest {
        VariantRequest::with_all_options(name.parse().expect("a variant"))
    }

    fn option(wish: &VariantRequest, label: &str) -> usize {
        let found = wish
            .option_views()
            .iter()
            .position(|rule| rule.label == label);
        found.expect("an option")
    }

    /// The name after some changes, or why the last one cannot be.
    fn after(name: &str, changes: &[(&str, bool)]) -> Result<String, String> {
        let mut wish = wish(name);
        for &(label, on) in changes {
            wish = wish.with_step(option(&wish, label), on)?;
        }
        Ok(wish.variant().to_string())
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
            ("ultimate", vec![("Sent to won", false)], "ception:5a"),
            ("ultimate", vec![("Free moves", true)], "ception:free=any"),
            (
                "ception:5a",
                vec![("Depth", true), ("Trail", true)],
                "ception:5a,depth=3,trail=history",
            ),
        ] {
            assert_eq!(after(name, &changes).as_deref(), Ok(expected), "{name}");
        }
    }

    /// The reasons are those of the rules.
    #[test]
    fn what_cannot_be_says_why() {
        for (name, label, on, reason) in [
            (
                "mnk:16,15,5",
                "Columns",
                true,
                "M is 17, but must be from 1 to 16",
            ),
            (
                "mnk:3,3,3",
                "In a row",
                true,
                "K is 4, but a line of a 3 by 3 board has at most 3 cells",
            ),
            (
                "tic-tac-two",
                "Grid",
                false,
                "grid is 1, but must be 3, 5 or 7",
            ),
            (
                "tic-tac-two",
                "After",
                false,
                "after is 1, but must be from 2 to the number of pieces, 4",
            ),
            (
                "ception:depth=6",
                "Depth",
                true,
                "depth is 7, but must be from 1 to 6",
            ),
            (
                "ception:5a",
                "Free moves",
                true,
                "free is an option only with 4a and 5b; elsewhere it is always any",
            ),
            (
                "ultimate",
                "Trail",
                true,
                "this makes no difference with the other options as they are",
            ),
            (
                "ception:depth=1",
                "Owning",
                true,
                "this makes no difference with the other options as they are",
            ),
        ] {
            let wish = wish(name);
            let refused = wish.with_step(option(&wish, label), on);
            assert_eq!(
                refused.as_ref().err().map(String::as_str),
                Some(reason),
                "{name}"
            );
        }
    }

    #[test]
    fn options_are_called_as_the_menu_calls_them() {
        for (name, reason, expected) in [
            ("mnk:5,4,4", "K is 5, but", "In a row is 5, but"),
            ("mnk:5,4,4", "M is 17, but", "Columns is 17, but"),
            ("tic-tac-two", "grid is 1, but", "Grid is 1, but"),
            ("ultimate", "depth is 7, but", "Depth is 7, but"),
            ("ultimate", "this is not so", "this is not so"),
            ("ultimate", "no", "no"),
        ] {
            assert_eq!(wish(name).with_menu_labels(reason), expected);
        }
    }

    /// Trying another rule and coming back is coming back.
    #[test]
    fn wishes_outlive_what_overrules_them() {
        let there_and_back = [("Sent to won", false), ("Sent to won", true)];
        assert_eq!(
            after("ultimate", &there_and_back).as_deref(),
            Ok("ultimate")
        );
        let history = "ception:depth=3,trail=history";
        let up_and_down = [("Depth", false), ("Depth", true)];
        assert_eq!(after(history, &up_and_down).as_deref(), Ok(history));
        assert_eq!(
            after("ception:5a", &[("Sent to won", true)]).as_deref(),
            Ok("ultimate")
        );
    }

    #[test]
    fn every_value_has_a_sentence() {
        for name in ["mnk:7,7,4", "tic-tac-two", "ception:4b,5d,depth=3"] {
            for rule in wish(name).option_views() {
                assert!(rule.description.ends_with('.'), "{}", rule.label);
                assert!(
                    rule.description.chars().count() <= 100,
                    "{}",
                    rule.description
                );
            }
        }
        assert_eq!(
            VariantRequest::from_variant(Variant::CLASSIC).option_count(),
            0
        );
    }

    /// Forms show from where to where numbers go; the rules must agree.
    #[test]
    fn numbers_go_as_far_as_the_rules_let_them() {
        // Roomy games: no other option stands in the way of the largest value.
        for name in ["mnk:16,16,1", "tic-tac-two:board=7,pieces=9", "ultimate"] {
            let wish = wish(name);
            for (i, choosable) in wish.specs().iter().enumerate() {
                let OptionKind::Number(step, (from, to), _) = choosable.kind else {
                    continue;
                };
                for value in 0..=20 {
                    let fits = (from..=to).step_by(step.into()).any(|v| v == value);
                    let built = wish.with_raw_value(i, value).build();
                    assert_eq!(built.is_ok(), fits, "{name} {}={value}", choosable.field);
                }
            }
        }
    }

    /// Random changes never leave the variants that there are.
    #[test]
    fn whatever_is_pressed_there_is_a_variant() {
        for name in ["mnk:3,3,3", "tic-tac-two", "ultimate"] {
            let mut wish = wish(name);
            let mut dice = 1_u32;
            for _ in 0..2000 {
                dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let option = (dice >> 24) as usize % wish.option_count();
                if let Ok(next) = wish.with_step(option, dice >> 20 & 1 == 1) {
                    wish = next;
                }
                let variant = wish.variant();
                assert_eq!(variant.to_string().parse(), Ok(variant));
            }
        }
    }
}
