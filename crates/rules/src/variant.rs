//! Variants and their names. The spelling is the same everywhere: flags, files, URLs and
//! the database.

use std::fmt;
use std::str::FromStr;

use crate::notation::{quoted, truncated};
use crate::options::{MNK_OPTIONS, NESTED_OPTIONS, OptionKind, OptionSpec, TIC_TAC_TWO_OPTIONS};

/// A game of the family with its options. `Display` prints the canonical name, and parsing
/// accepts other spellings, too.
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variant {
    /// m,n,k boards, including `classic` and `misere`.
    Mnk(MnkOptions),
    /// Tic-Tac-Two.
    TicTacTwo(TicTacTwoOptions),
    /// Nested boards, including `ultimate`.
    Nested(NestedOptions),
}

/// The options of an m,n,k board. Created by [`MnkOptions::new`] or by parsing a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MnkOptions {
    pub(crate) columns: u8,
    pub(crate) rows: u8,
    pub(crate) line: u8,
    pub(crate) misere: bool,
}

/// The options of Tic-Tac-Two. Created by parsing a name, or from the values of its options.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TicTacTwoOptions {
    pub(crate) board_size: u8,
    pub(crate) grid_size: u8,
    pub(crate) pieces: u8,
    pub(crate) opening_pieces: u8,
}

/// The options of a nested board. Created by [`NestedOptions::new`] or by parsing a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NestedOptions {
    pub(crate) shared_boards: SharedBoards,
    pub(crate) won_board_rule: WonBoardRule,
    pub(crate) free_move_target: FreeMoveTarget,
    pub(crate) depth: u8,
    pub(crate) trail_rule: TrailRule,
    pub(crate) tiebreak: Tiebreak,
}

/// Rule 4: can both players own the same board?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SharedBoards {
    /// `4a`: the first owner keeps it.
    Forbidden,
    /// `4b`: both can own it.
    Allowed,
}

/// Rule 5: what happens when a player is sent to a board that is won or full.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WonBoardRule {
    /// `5a`: the player plays in a won board; a full one gives a free move.
    PlayOn,
    /// `5b`: a won or full board gives a free move.
    FreeMove,
    /// `5c`: the player plays in the won board, then moves again once.
    ExtraMove,
    /// `5d`: the player keeps moving as long as they are sent to won boards.
    ExtraMoveChain,
}

impl WonBoardRule {
    /// Its spelling in variant names.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            WonBoardRule::PlayOn => "5a",
            WonBoardRule::FreeMove => "5b",
            WonBoardRule::ExtraMove => "5c",
            WonBoardRule::ExtraMoveChain => "5d",
        }
    }
}

/// Where a free move may go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FreeMoveTarget {
    /// `free=open`: not into won boards.
    OpenBoards,
    /// `free=any`: into won boards, too.
    AnyBoard,
}

/// Which letters name the board to play in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TrailRule {
    /// `trail=suffix`: the last letters of the last move.
    Suffix,
    /// `trail=history`: the last letter of each of the last moves.
    History,
}

/// What decides the game if it ends and nobody owns the outermost board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tiebreak {
    /// `end=draw`: the game is a draw.
    Draw,
    /// `end=most`: the player who owns more of the nine outermost boards wins.
    MostBoards,
}

/// A name or a combination of options that isn't a variant: which part is wrong, and what is allowed there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{name}`: {reason}", reason = self.reason())]
pub struct VariantError {
    name: String,
    fault: Fault,
}

/// What is wrong with a name or with options.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fault {
    /// The value of an option; the text follows the option's name.
    Option(&'static OptionSpec, String),
    /// Anything else, as a whole sentence.
    Other(String),
}

impl<S: Into<String>> From<S> for Fault {
    fn from(reason: S) -> Fault {
        Fault::Other(reason.into())
    }
}

impl VariantError {
    /// What is wrong, without the name of the variant. Options are called as in variant names.
    #[must_use]
    pub fn reason(&self) -> String {
        match &self.fault {
            Fault::Option(option, problem) => format!("{} {problem}", option.name),
            Fault::Other(reason) => reason.clone(),
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
            Fault::Option(option, problem) => format!("“{}” {problem}", option.label),
            Fault::Other(reason) => reason.clone(),
        }
    }

    /// The option whose value is wrong.
    #[must_use]
    pub fn option(&self) -> Option<&'static OptionSpec> {
        match self.fault {
            Fault::Option(option, _) => Some(option),
            Fault::Other(_) => None,
        }
    }
}

/// The families, as error messages list them.
const FAMILIES: &str = "classic, misere, mnk:M,N,K, tic-tac-two, ultimate, ception";

impl Variant {
    /// The classic game.
    pub const CLASSIC: Variant = Variant::Mnk(MnkOptions::CLASSIC);
    /// The classic board, where completing a line loses.
    pub const MISERE: Variant = Variant::Mnk(MnkOptions {
        misere: true,
        ..MnkOptions::CLASSIC
    });
    /// Tic-Tac-Two with its standard options.
    pub const TIC_TAC_TWO: Variant = Variant::TicTacTwo(TicTacTwoOptions::STANDARD);
    /// Ultimate tic-tac-toe.
    pub const ULTIMATE: Variant = Variant::Nested(NestedOptions::ULTIMATE);

    /// A one-sentence summary, for menus and lists.
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Variant::Mnk(o) => {
                let verb = if o.misere { "loses" } else { "wins" };
                let (columns, rows, line) = (o.columns, o.rows, o.line);
                format!("{columns}×{rows} board: {line} in a row {verb}.")
            }
            Variant::TicTacTwo(o) if o.grid_size == o.board_size => {
                format!("Line up three on a {b}×{b} board.", b = o.board_size)
            }
            Variant::TicTacTwo(o) => format!(
                "Line up three inside a {g}×{g} grid that moves around a {b}×{b} board.",
                g = o.grid_size,
                b = o.board_size
            ),
            Variant::Nested(o) if o.depth == 1 => "A single board of nine cells.".into(),
            Variant::Nested(o) => o.summary(),
        }
    }

    /// The options of this variant's family.
    #[must_use]
    pub fn options(&self) -> &'static [OptionSpec] {
        match self {
            Variant::Mnk(_) => &MNK_OPTIONS,
            Variant::TicTacTwo(_) => &TIC_TAC_TWO_OPTIONS,
            Variant::Nested(_) => &NESTED_OPTIONS,
        }
    }

    /// The value of each option: a number, or the index of a word.
    #[must_use]
    pub fn option_values(&self) -> Vec<u8> {
        match self {
            Variant::Mnk(o) => vec![o.columns, o.rows, o.line, o.misere.into()],
            Variant::TicTacTwo(o) => vec![o.board_size, o.grid_size, o.pieces, o.opening_pieces],
            Variant::Nested(o) => vec![
                o.shared_boards as u8,
                o.won_board_rule as u8,
                o.free_move_target as u8,
                o.depth,
                o.trail_rule as u8,
                o.tiebreak as u8,
            ],
        }
    }

    /// The variant of the same family with these values, in the order of [`Variant::options`].
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
        self.with_values(values).checked()
    }

    fn checked(self) -> Result<Variant, VariantError> {
        self.validated().map_err(|fault| VariantError {
            name: self.to_string(),
            fault,
        })
    }

    /// The same, allowed or not.
    fn with_values(self, values: &[u8]) -> Variant {
        let value = |option: usize| values.get(option).copied().unwrap_or_default();
        match self {
            Variant::Mnk(_) => Variant::Mnk(MnkOptions {
                columns: value(0),
                rows: value(1),
                line: value(2),
                misere: value(3) != 0,
            }),
            Variant::TicTacTwo(_) => Variant::TicTacTwo(TicTacTwoOptions {
                board_size: value(0),
                grid_size: value(1),
                pieces: value(2),
                opening_pieces: value(3),
            }),
            Variant::Nested(_) => Variant::Nested(NestedOptions {
                shared_boards: match value(0) {
                    0 => SharedBoards::Forbidden,
                    _ => SharedBoards::Allowed,
                },
                won_board_rule: match value(1) {
                    0 => WonBoardRule::PlayOn,
                    1 => WonBoardRule::FreeMove,
                    2 => WonBoardRule::ExtraMove,
                    _ => WonBoardRule::ExtraMoveChain,
                },
                free_move_target: match value(2) {
                    0 => FreeMoveTarget::OpenBoards,
                    _ => FreeMoveTarget::AnyBoard,
                },
                depth: value(3),
                trail_rule: match value(4) {
                    0 => TrailRule::Suffix,
                    _ => TrailRule::History,
                },
                tiebreak: match value(5) {
                    0 => Tiebreak::Draw,
                    _ => Tiebreak::MostBoards,
                },
            }),
        }
    }

    /// The variant in its canonical form, if its options are allowed.
    fn validated(self) -> Result<Variant, Fault> {
        let values = self.option_values();
        for (option, &value) in self.options().iter().zip(&values) {
            // How long the opening is depends on the number of pieces.
            if !option.contains(value) && option.name != "after" {
                let problem = format!("is {value}, but must be {}", option.range_text());
                return Err(Fault::Option(option, problem));
            }
        }
        match self {
            Variant::Mnk(o) => {
                let (columns, rows, line) = o.size();
                let longest = columns.max(rows);
                if line > longest {
                    let problem = format!(
                        "is {line}, but a line on a {columns}×{rows} board has at most {longest} cells"
                    );
                    return Err(Fault::Option(&MNK_OPTIONS[2], problem));
                }
                Ok(self)
            }
            Variant::TicTacTwo(o) => {
                let (board, grid) = (o.board_size, o.grid_size);
                let (pieces, after) = (o.pieces, o.opening_pieces);
                if grid > board {
                    let problem =
                        format!("is {grid}, but must be at most the size of the board, {board}");
                    return Err(Fault::Option(&TIC_TAC_TWO_OPTIONS[1], problem));
                }
                if !(2..=pieces).contains(&after) {
                    let problem =
                        format!("is {after}, but must be from 2 to the number of pieces, {pieces}");
                    return Err(Fault::Option(&TIC_TAC_TWO_OPTIONS[3], problem));
                }
                Ok(self)
            }
            Variant::Nested(o) => Ok(Variant::Nested(o.canonical())),
        }
    }

    /// Parses the options after the colon of a name, which replace those of this variant.
    fn parse_options(self, text: &str, allowed: &str) -> Result<Variant, Fault> {
        let mut values = self.option_values();
        let mut seen: Vec<&str> = Vec::new();
        for option in text.split(',') {
            let spelled = (self.options().iter().zip(&mut values)).find_map(|(spec, value)| {
                let text = option.strip_prefix(spec.key)?;
                let parsed = match spec.kind {
                    OptionKind::Number(..) => number(spec, text),
                    OptionKind::Words(_) => Ok(spec.parse_value(text)?),
                };
                Some((spec, value, parsed))
            });
            let Some((spec, value, parsed)) = spelled else {
                let option = quoted(option);
                return Err(format!("unknown option {option}; {allowed}").into());
            };
            if seen.contains(&spec.name) {
                return Err(format!("{} can only be given once", spec.name).into());
            }
            seen.push(spec.name);
            *value = parsed?;
        }
        let parsed = self.with_values(&values);
        let validated = parsed.validated()?;
        match parsed {
            Variant::Nested(o) if seen.contains(&"free") && !o.has_free_move_option() => {
                Err("free needs 4a and 5b; with other rules it's always free=any".into())
            }
            _ => Ok(validated),
        }
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
        let (family, default) = match self {
            Variant::Mnk(o) => {
                let misere = if o.misere { ",misere" } else { "" };
                return format!("mnk:{},{},{}{misere}", o.columns, o.rows, o.line);
            }
            Variant::TicTacTwo(_) => ("tic-tac-two", Variant::TIC_TAC_TWO),
            Variant::Nested(_) => ("ception", Variant::ULTIMATE),
        };
        let has_effect = |option: &OptionSpec| match (self, option.name) {
            (Variant::Nested(o), "free") => o.has_free_move_option(),
            (Variant::Nested(o), "trail") => o.depth > 2,
            _ => true,
        };
        let values = self
            .option_values()
            .into_iter()
            .zip(default.option_values());
        let options = self.options().iter().zip(values);
        let spelled = options
            .filter(|(option, (value, default))| has_effect(option) && (all || value != default))
            .map(|(option, (value, _))| option.spell(value));
        format!("{family}:{}", spelled.collect::<Vec<_>>().join(","))
    }
}

impl MnkOptions {
    pub(crate) const CLASSIC: MnkOptions = MnkOptions {
        columns: 3,
        rows: 3,
        line: 3,
        misere: false,
    };

    /// A board of `columns` by `rows`, with `line` in a row to win, or with `misere` to lose.
    ///
    /// # Errors
    /// All three must be from 1 to 16, and `line` at most the longer side.
    pub fn new(columns: u8, rows: u8, line: u8, misere: bool) -> Result<MnkOptions, VariantError> {
        let options = MnkOptions {
            columns,
            rows,
            line,
            misere,
        };
        Variant::Mnk(options).checked().map(|_| options)
    }

    /// Columns, rows, and the length of a line.
    #[must_use]
    pub fn size(&self) -> (u8, u8, u8) {
        (self.columns, self.rows, self.line)
    }

    /// Does completing a line lose?
    #[must_use]
    pub fn is_misere(&self) -> bool {
        self.misere
    }

    fn parse(options: &str) -> Result<Variant, Fault> {
        let allowed = "use mnk:M,N,K or mnk:M,N,K,misere (columns, rows, marks in a row)";
        let parts: Vec<&str> = options.split(',').collect();
        let mut values = [0; 4];
        for (value, (spec, part)) in values.iter_mut().zip(MNK_OPTIONS[..3].iter().zip(&parts)) {
            *value = number(spec, part)?;
        }
        match parts[..] {
            [_, _, _] => {}
            [_, _, _, "misere"] => values[3] = 1,
            [_, _, _, ""] => {
                return Err(format!("nothing follows the last comma; {allowed}").into());
            }
            [_, _, _, "misere", other, ..] => {
                return Err(format!("unexpected option {}; {allowed}", quoted(other)).into());
            }
            [_, _, _, other, ..] => {
                return Err(format!("unknown option {}; {allowed}", quoted(other)).into());
            }
            _ => return Err(format!("mnk needs three numbers; {allowed}").into()),
        }
        Variant::CLASSIC.with_values(&values).validated()
    }
}

impl TicTacTwoOptions {
    pub(crate) const STANDARD: TicTacTwoOptions = TicTacTwoOptions {
        board_size: 5,
        grid_size: 3,
        pieces: 4,
        opening_pieces: 2,
    };

    /// The side length of the board.
    #[must_use]
    pub fn board_size(&self) -> u8 {
        self.board_size
    }

    /// The side length of the grid.
    #[must_use]
    pub fn grid_size(&self) -> u8 {
        self.grid_size
    }

    /// The number of pieces each player has.
    #[must_use]
    pub fn pieces(&self) -> u8 {
        self.pieces
    }

    /// How many pieces both players must place before the grid and the pieces can move.
    #[must_use]
    pub fn opening_pieces(&self) -> u8 {
        self.opening_pieces
    }
}

impl NestedOptions {
    pub(crate) const ULTIMATE: NestedOptions = NestedOptions {
        shared_boards: SharedBoards::Forbidden,
        won_board_rule: WonBoardRule::FreeMove,
        free_move_target: FreeMoveTarget::OpenBoards,
        depth: 2,
        trail_rule: TrailRule::Suffix,
        tiebreak: Tiebreak::Draw,
    };

    pub(crate) const RULE_5A: NestedOptions = NestedOptions {
        won_board_rule: WonBoardRule::PlayOn,
        free_move_target: FreeMoveTarget::AnyBoard,
        ..NestedOptions::ULTIMATE
    };

    /// The nested game with these options. Options that make no difference are normalized:
    /// the trail rule at depth 2, all of them at depth 1, and the free-move target, which is
    /// [`FreeMoveTarget::AnyBoard`] unless the rules are 4a and 5b.
    ///
    /// # Errors
    /// The depth must be from 1 to 6.
    pub fn new(
        shared_boards: SharedBoards,
        won_board_rule: WonBoardRule,
        free_move_target: FreeMoveTarget,
        depth: u8,
        trail_rule: TrailRule,
        tiebreak: Tiebreak,
    ) -> Result<NestedOptions, VariantError> {
        let options = NestedOptions {
            shared_boards,
            won_board_rule,
            free_move_target,
            depth,
            trail_rule,
            tiebreak,
        };
        let variant = Variant::Nested(options).checked();
        variant.map(|_| options.canonical())
    }

    fn canonical(mut self) -> NestedOptions {
        if self.depth == 1 {
            return NestedOptions {
                depth: 1,
                ..NestedOptions::ULTIMATE
            };
        }
        if self.depth == 2 {
            self.trail_rule = TrailRule::Suffix;
        }
        if !self.has_free_move_option() {
            self.free_move_target = FreeMoveTarget::AnyBoard;
        }
        self
    }

    fn summary(&self) -> String {
        let boards = match self.depth {
            2 => "Nine boards in one".into(),
            depth => format!("Nested boards, {depth} levels deep"),
        };
        let rule = match self.won_board_rule {
            WonBoardRule::PlayOn => "won boards stay in play",
            WonBoardRule::FreeMove => "each move picks the next board",
            WonBoardRule::ExtraMove => "won boards give an extra move",
            WonBoardRule::ExtraMoveChain => "won boards give extra moves",
        };
        let suffix = match self.shared_boards {
            SharedBoards::Forbidden => "",
            SharedBoards::Allowed => ", and boards can be shared",
        };
        format!("{boards}: {rule}{suffix}.")
    }

    /// Does this game have the option `free` (see [`NestedOptions::free_move_target`])? Only
    /// under 4a and 5b.
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// for (name, has) in [("ultimate", true), ("ception:5a", false)] {
    ///     let Variant::Nested(options) = name.parse()? else { unreachable!() };
    ///     assert_eq!(options.has_free_move_option(), has);
    /// }
    /// # Ok::<(), noughts_rules::VariantError>(())
    /// ```
    #[must_use]
    pub fn has_free_move_option(&self) -> bool {
        self.shared_boards == SharedBoards::Forbidden
            && self.won_board_rule == WonBoardRule::FreeMove
    }

    /// Rule 4: can both players own the same board?
    #[must_use]
    pub fn shared_boards(&self) -> SharedBoards {
        self.shared_boards
    }

    /// Rule 5: what happens when a player is sent to a won board.
    #[must_use]
    pub fn won_board_rule(&self) -> WonBoardRule {
        self.won_board_rule
    }

    /// Where a free move may go.
    #[must_use]
    pub fn free_move_target(&self) -> FreeMoveTarget {
        self.free_move_target
    }

    /// How many levels the board has.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// Which letters make up the trail.
    #[must_use]
    pub fn trail_rule(&self) -> TrailRule {
        self.trail_rule
    }

    /// What decides a game that ends without an owner of the outermost board.
    #[must_use]
    pub fn tiebreak(&self) -> Tiebreak {
        self.tiebreak
    }
}

/// A small number in plain digits, without a sign or leading zeros.
fn number(option: &'static OptionSpec, text: &str) -> Result<u8, Fault> {
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
            Err(Fault::Option(option, problem))
        }
    }
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(name: &str) -> Result<Variant, VariantError> {
        let (family, options) = match name.split_once(':') {
            Some((family, options)) => (family, Some(options)),
            None => (name, None),
        };
        let without_options = |variant| match options {
            None => Ok(variant),
            Some(_) => Err(format!("{family} doesn't take options").into()),
        };
        let parsed = match (family, options) {
            ("classic", _) => without_options(Variant::CLASSIC),
            ("misere", _) => without_options(Variant::MISERE),
            ("ultimate", _) => without_options(Variant::ULTIMATE),
            ("mnk", None | Some("")) => {
                Err("mnk needs a size: mnk:M,N,K or mnk:M,N,K,misere".into())
            }
            ("mnk", Some(options)) => MnkOptions::parse(options),
            ("tic-tac-two", None) => Ok(Variant::TIC_TAC_TWO),
            ("tic-tac-two", Some(options)) => Variant::TIC_TAC_TWO.parse_options(
                options,
                "tic-tac-two takes board=, grid=, pieces= and after=",
            ),
            ("ception", None) => Ok(Variant::ULTIMATE),
            ("ception", Some(options)) => Variant::ULTIMATE.parse_options(
                options,
                "ception takes 4a or 4b; 5a, 5b, 5c or 5d; free=open or free=any; depth=1 to \
                 depth=6; trail=suffix or trail=history; end=draw or end=most",
            ),
            _ if family.chars().any(char::is_uppercase) => {
                Err(format!("game names are lowercase; use one of {FAMILIES}").into())
            }
            _ => Err(format!("unknown game; use one of {FAMILIES}").into()),
        };
        parsed.map_err(|fault| VariantError {
            name: truncated(name, 60),
            fault,
        })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Variant::CLASSIC => f.write_str("classic"),
            Variant::MISERE => f.write_str("misere"),
            Variant::TIC_TAC_TWO => f.write_str("tic-tac-two"),
            Variant::ULTIMATE => f.write_str("ultimate"),
            _ => f.write_str(&self.spelled_name(false)),
        }
    }
}
