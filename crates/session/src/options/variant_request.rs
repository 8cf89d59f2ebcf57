//! Values for all options of a game, before they are turned into a variant. The rules crate decides
//! whether they fit together.

use noughts_rules::{
    FreeMoveTarget, MnkOptions, NestedOptions, SharedBoards, TicTacTwoOptions, Tiebreak, TrailRule,
    Variant, VariantError, WonBoardRule,
};

use super::{MNK_OPTIONS, NESTED_OPTIONS, OptionKind, OptionSpec, TIC_TAC_TWO_OPTIONS};

/// Games with the same set of options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    /// A game without options.
    Fixed(Variant),
    Mnk,
    TicTacTwo,
    Nested,
}

/// The requested option values, which together form a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantRequest {
    family: Family,
    /// One per option: a number, or the index of a word.
    values: Vec<u8>,
}

/// An option as displayed.
pub struct OptionState {
    /// The label.
    pub label: &'static str,
    /// The value in force.
    pub value: String,
    /// One sentence that explains the value.
    pub description: String,
    /// Does it have no effect given the other options?
    pub has_no_effect: bool,
}

const SHARED_BOARDS: [SharedBoards; 2] = [SharedBoards::Forbidden, SharedBoards::Allowed];
const WON_BOARD_RULES: [WonBoardRule; 4] = [
    WonBoardRule::PlayOn,
    WonBoardRule::FreeMove,
    WonBoardRule::ExtraMove,
    WonBoardRule::ExtraMoveChain,
];
const FREE_MOVE_TARGETS: [FreeMoveTarget; 2] =
    [FreeMoveTarget::OpenBoards, FreeMoveTarget::AnyBoard];
const TRAIL_RULES: [TrailRule; 2] = [TrailRule::Suffix, TrailRule::History];
const TIEBREAKS: [Tiebreak; 2] = [Tiebreak::Draw, Tiebreak::MostBoards];

impl VariantRequest {
    /// The options of a variant; the named variants have none.
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

    /// All options of a variant, for named variants as well.
    #[must_use]
    pub fn with_all_options(variant: Variant) -> VariantRequest {
        let (family, values) = values_of(variant);
        let request = VariantRequest { family, values };
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
        match self.family {
            Family::Fixed(_) => &[],
            Family::Mnk => &MNK_OPTIONS,
            Family::TicTacTwo => &TIC_TAC_TWO_OPTIONS,
            Family::Nested => &NESTED_OPTIONS,
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
    /// Why they don't, as the rules crate puts it.
    pub fn build(&self) -> Result<Variant, VariantError> {
        let built = match (self.family, self.values.as_slice()) {
            (Family::Mnk, &[columns, rows, line, misere]) => {
                Variant::Mnk(MnkOptions::new(columns, rows, line, misere == 1)?)
            }
            (Family::TicTacTwo, &[board, grid, pieces, opening_pieces]) => {
                Variant::TicTacTwo(TicTacTwoOptions::new(board, grid, pieces, opening_pieces)?)
            }
            (
                Family::Nested,
                &[
                    shared_boards,
                    won_board_rule,
                    free_move_target,
                    depth,
                    trail_rule,
                    tiebreak,
                ],
            ) => Variant::Nested(NestedOptions::new(
                value_at(&SHARED_BOARDS, shared_boards),
                value_at(&WON_BOARD_RULES, won_board_rule),
                value_at(&FREE_MOVE_TARGETS, free_move_target),
                depth,
                value_at(&TRAIL_RULES, trail_rule),
                value_at(&TIEBREAKS, tiebreak),
            )?),
            (Family::Fixed(variant), _) => variant,
            // No other request is ever created.
            _ => Variant::CLASSIC,
        };
        Ok(built)
    }

    /// The variant. Falls back to classic for options that don't fit together, which only
    /// [`VariantRequest::with_field`] can produce.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.build().unwrap_or(Variant::CLASSIC)
    }

    /// The requested value of an option, as shown in a form.
    #[must_use]
    pub fn value_text(&self, option: usize) -> String {
        let value = self.values.get(option).copied().unwrap_or_default();
        match self.specs().get(option).map(|spec| &spec.kind) {
            Some(OptionKind::Words(words)) => value_at(words, value).0.into(),
            _ => value.to_string(),
        }
    }

    /// The request with one option set from a form field. Whether it fits the others is checked
    /// when all of them are set: [`VariantRequest::build`].
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// use noughts_session::options::VariantRequest;
    ///
    /// let request = VariantRequest::with_all_options(Variant::CLASSIC).with_field("line", "4")?;
    /// let error = request.build().unwrap_err();
    /// assert_eq!(error.reason(), "K is 4, but a line on a 3×3 board has at most 3 cells");
    /// assert_eq!(request.with_field("rows", "4")?.variant().to_string(), "mnk:3,4,4");
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// The option doesn't exist, or it doesn't have this value.
    pub fn with_field(&self, field: &str, text: &str) -> Result<VariantRequest, String> {
        let specs = self.specs();
        let Some(option) = specs.iter().position(|spec| spec.field == field) else {
            return Err(format!("this game doesn't have the option {field:?}"));
        };
        let OptionSpec { label, kind, .. } = &specs[option];
        let value = match kind {
            OptionKind::Number(..) => text.parse().ok(),
            OptionKind::Words(words) => (0u8..)
                .zip(words.iter())
                .find(|(_, (word, _))| *word == text)
                .map(|(index, _)| index),
        };
        match (value, kind) {
            (Some(value), _) => Ok(self.with_raw_value(option, value)),
            (None, OptionKind::Number(..)) => Err(format!("{label} must be a whole number")),
            (None, OptionKind::Words(words)) => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                Err(format!(
                    "{label} must be one of {words}",
                    words = words.join(", ")
                ))
            }
        }
    }

    fn with_raw_value(&self, option: usize, value: u8) -> VariantRequest {
        let mut other = self.clone();
        if let Some(raw_value) = other.values.get_mut(option) {
            *raw_value = value;
        }
        other
    }

    /// The request with one option stepped to its next or previous value.
    ///
    /// # Errors
    /// Why the value isn't allowed, as the rules crate puts it.
    pub fn with_step(&self, option: usize, forward: bool) -> Result<VariantRequest, String> {
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
        match changed.build() {
            Err(error) => Err(error.reason().into()),
            Ok(_) if self.has_no_effect(option) => Err(self.no_effect_reason(option)),
            Ok(_) => Ok(changed),
        }
    }

    /// The request with one option set to a value: a number as text, or one of the words.
    ///
    /// ```
    /// use noughts_session::options::VariantRequest;
    /// let request = VariantRequest::with_all_options("ultimate".parse()?);
    /// let deeper = request.with_value(3, "3")?;
    /// assert_eq!(deeper.variant().to_string(), "ception:depth=3");
    /// assert!(request.with_value(3, "7").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Why the value isn't allowed, as the rules crate puts it.
    pub fn with_value(&self, option: usize, value: &str) -> Result<VariantRequest, String> {
        let Some(spec) = self.specs().get(option) else {
            return Ok(self.clone());
        };
        let raw_value = match spec.kind {
            OptionKind::Number(..) => value.parse().ok(),
            OptionKind::Words(words) => words
                .iter()
                .position(|(word, _)| *word == value)
                .and_then(|index| u8::try_from(index).ok()),
        };
        let label = spec.label;
        let raw_value = raw_value.ok_or_else(|| format!("{label} can't be {value:?}"))?;
        let changed = self.with_raw_value(option, raw_value);
        match changed.build() {
            Err(error) => Err(error.reason().into()),
            Ok(_) => Ok(changed),
        }
    }

    /// Replaces the option name in an error message of the rules crate with the label in the menu.
    #[must_use]
    pub fn with_menu_labels(&self, reason: &str) -> String {
        let Some((name, rest)) = reason.split_once(" is ") else {
            return reason.into();
        };
        let specs = self.specs();
        let option = match (self.family, name) {
            (Family::Mnk, "M") => Some(0),
            (Family::Mnk, "N") => Some(1),
            (Family::Mnk, "K") => Some(2),
            _ => specs
                .iter()
                .position(|option| option.key.strip_suffix('=') == Some(name)),
        };
        match option.and_then(|index| specs.get(index)) {
            Some(option) => format!("{} is {rest}", option.label),
            None => reason.into(),
        }
    }

    /// Is it the same game for every value of the option?
    #[must_use]
    pub fn has_no_effect(&self, option: usize) -> bool {
        let Some(OptionKind::Words(words)) = self.specs().get(option).map(|spec| &spec.kind) else {
            return false;
        };
        let all = (0..words.len() as u8).map(|value| self.with_raw_value(option, value).build());
        let mut all = all.collect::<Vec<_>>();
        all.dedup();
        all.len() == 1
    }

    /// Why an option has no effect: in the words of the rules crate, if it has a reason.
    fn no_effect_reason(&self, option: usize) -> String {
        const DEPTH: usize = 3;
        let options = self.specs().iter().zip(self.option_views());
        let parts = options
            .enumerate()
            .filter(|(i, (spec, _))| spec.key.is_empty() || *i == DEPTH || *i == option)
            .map(|(_, (spec, view))| format!("{}{}", spec.key, view.value));
        let name = format!("ception:{}", parts.collect::<Vec<_>>().join(","));
        match name.parse::<Variant>() {
            Err(error) => error.reason().into(),
            Ok(_) => "this has no effect with the other options you chose".into(),
        }
    }

    /// The options as displayed.
    #[must_use]
    pub fn option_views(&self) -> Vec<OptionState> {
        let (_, effective) = values_of(self.variant());
        let view = |(i, spec): (usize, &'static OptionSpec)| {
            let value = effective.get(i).copied().unwrap_or_default();
            let (value, description) = match spec.kind {
                OptionKind::Number(.., description) => (value.to_string(), description),
                OptionKind::Words(words) => {
                    let (word, description) = value_at(words, value);
                    (word.to_owned(), description)
                }
            };
            OptionState {
                label: spec.label,
                value,
                description: description.to_owned(),
                has_no_effect: self.has_no_effect(i),
            }
        };
        self.specs().iter().enumerate().map(view).collect()
    }
}

/// The option values of a variant.
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
                index_of(&SHARED_BOARDS, o.shared_boards()),
                index_of(&WON_BOARD_RULES, o.won_board_rule()),
                index_of(&FREE_MOVE_TARGETS, o.free_move_target()),
                o.depth(),
                index_of(&TRAIL_RULES, o.trail_rule()),
                index_of(&TIEBREAKS, o.tiebreak()),
            ];
            (Family::Nested, values)
        }
    }
}

/// The index of an item.
fn index_of<T: PartialEq + Copy>(all: &[T], item: T) -> u8 {
    all.iter()
        .position(|&candidate| candidate == item)
        .unwrap_or(0) as u8
}

/// The item at an index, or the first one if the index is out of range.
fn value_at<T: Copy>(all: &[T], index: u8) -> T {
    all.get(usize::from(index)).copied().unwrap_or(all[0])
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
    fn variant_after(name: &str, changes: &[(&str, bool)]) -> Result<String, String> {
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
            ("ultimate", vec![("Free moves", true)], "ception:free=any"),
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

    /// The reasons come from the rules crate.
    #[test]
    fn rejected_changes_give_the_reason() {
        for (name, label, forward, reason) in [
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
                "K is 4, but a line on a 3×3 board has at most 3 cells",
            ),
            (
                "tic-tac-two",
                "Grid",
                false,
                "grid is 1, but must be 3, 5 or 7",
            ),
            (
                "tic-tac-two",
                "Opening",
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
                rejected.as_ref().err().map(String::as_str),
                Some(reason),
                "{name}"
            );
        }
    }

    #[test]
    fn reasons_use_the_labels_of_the_menu() {
        for (name, reason, expected) in [
            ("mnk:5,4,4", "K is 5, but", "In a row is 5, but"),
            ("mnk:5,4,4", "M is 17, but", "Columns is 17, but"),
            ("tic-tac-two", "grid is 1, but", "Grid is 1, but"),
            ("ultimate", "depth is 7, but", "Depth is 7, but"),
            ("ultimate", "this is not so", "this is not so"),
            ("ultimate", "no", "no"),
        ] {
            assert_eq!(request(name).with_menu_labels(reason), expected);
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
