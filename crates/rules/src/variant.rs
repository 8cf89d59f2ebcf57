//! Variants and their names. The spelling is the same everywhere: flags, files, URLs and
//! the database.

use std::fmt;
use std::str::FromStr;

use crate::notation::{quoted, truncated};

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

/// The options of Tic-Tac-Two. Created by [`TicTacTwoOptions::new`] or by parsing a name.
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

/// A name that isn't a variant: which part is wrong, and what is allowed there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{name}`: {reason}")]
pub struct VariantError {
    name: String,
    reason: String,
}

impl VariantError {
    /// What is wrong, without the name.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
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
            Variant::TicTacTwo(o) => format!(
                "Line up three inside a {g}×{g} grid that moves around a {b}×{b} board.",
                g = o.grid_size,
                b = o.board_size
            ),
            Variant::Nested(o) if o.depth == 1 => "A single board of nine cells.".into(),
            Variant::Nested(o) => o.summary(),
        }
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
        match options.validation_error() {
            None => Ok(options),
            Some(reason) => Err(VariantError {
                name: Variant::Mnk(options).to_string(),
                reason,
            }),
        }
    }

    fn validation_error(&self) -> Option<String> {
        for (what, n) in [("M", self.columns), ("N", self.rows), ("K", self.line)] {
            if !(1..=16).contains(&n) {
                return Some(format!("{what} is {n}, but must be from 1 to 16"));
            }
        }
        let longest = self.columns.max(self.rows);
        (self.line > longest).then(|| {
            format!(
                "K is {line}, but a line on a {columns}×{rows} board has at most {longest} cells",
                line = self.line,
                columns = self.columns,
                rows = self.rows
            )
        })
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

    fn parse(options: &str) -> Result<MnkOptions, String> {
        let allowed = "use mnk:M,N,K or mnk:M,N,K,misere (columns, rows, marks in a row)";
        let parts: Vec<&str> = options.split(',').collect();
        let range = "a whole number from 1 to 16";
        let mut sizes = [0; 3];
        for (size, (what, part)) in sizes.iter_mut().zip(["M", "N", "K"].iter().zip(&parts)) {
            *size = number(what, part, range)?;
        }
        if parts.len() < 3 {
            return Err(format!("mnk needs three numbers; {allowed}"));
        }
        let misere = match parts.get(3) {
            None => false,
            Some(&"misere") => true,
            Some(&"") => return Err(format!("nothing follows the last comma; {allowed}")),
            Some(other) => {
                return Err(format!(
                    "unknown option {option}; {allowed}",
                    option = quoted(other)
                ));
            }
        };
        if parts.len() > 4 {
            return Err(format!(
                "unexpected option {option}; {allowed}",
                option = quoted(parts[4])
            ));
        }
        let [columns, rows, line] = sizes;
        let options = MnkOptions {
            columns,
            rows,
            line,
            misere,
        };
        options.validation_error().map_or(Ok(options), Err)
    }
}

impl TicTacTwoOptions {
    pub(crate) const STANDARD: TicTacTwoOptions = TicTacTwoOptions {
        board_size: 5,
        grid_size: 3,
        pieces: 4,
        opening_pieces: 2,
    };

    /// A grid of size `grid` on a board of size `board`, with `pieces` pieces for each player;
    /// the grid and the pieces can move once both players have placed `after`.
    ///
    /// # Errors
    /// Board and grid must be odd, with 3 ≤ grid ≤ board ≤ 7; 3 ≤ pieces ≤ 9;
    /// 2 ≤ after ≤ pieces.
    pub fn new(
        board: u8,
        grid: u8,
        pieces: u8,
        after: u8,
    ) -> Result<TicTacTwoOptions, VariantError> {
        let options = TicTacTwoOptions {
            board_size: board,
            grid_size: grid,
            pieces,
            opening_pieces: after,
        };
        match options.validation_error() {
            None => Ok(options),
            Some(reason) => Err(VariantError {
                name: Variant::TicTacTwo(options).to_string(),
                reason,
            }),
        }
    }

    fn validation_error(&self) -> Option<String> {
        let TicTacTwoOptions {
            board_size: board,
            grid_size: grid,
            pieces,
            opening_pieces: after,
        } = *self;
        if ![3, 5, 7].contains(&board) {
            Some(format!("board is {board}, but must be 3, 5 or 7"))
        } else if ![3, 5, 7].contains(&grid) {
            Some(format!("grid is {grid}, but must be 3, 5 or 7"))
        } else if grid > board {
            Some(format!(
                "grid is {grid}, but must be at most the size of the board, {board}"
            ))
        } else if !(3..=9).contains(&pieces) {
            Some(format!("pieces is {pieces}, but must be from 3 to 9"))
        } else if !(2..=pieces).contains(&after) {
            Some(format!(
                "after is {after}, but must be from 2 to the number of pieces, {pieces}"
            ))
        } else {
            None
        }
    }

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

    fn parse(options: &str) -> Result<TicTacTwoOptions, String> {
        let mut parsed = TicTacTwoOptions::STANDARD;
        let mut seen = SeenOptions::default();
        for option in options.split(',') {
            let Some((key, value)) = option.split_once('=') else {
                return Err(format!(
                    "unknown option {option}; tic-tac-two takes board=, grid=, pieces= and after=",
                    option = quoted(option)
                ));
            };
            let (field, range) = match key {
                "board" => (&mut parsed.board_size, "3, 5 or 7"),
                "grid" => (&mut parsed.grid_size, "3, 5 or 7"),
                "pieces" => (&mut parsed.pieces, "a whole number from 3 to 9"),
                "after" => (
                    &mut parsed.opening_pieces,
                    "a whole number from 2 to pieces",
                ),
                _ => {
                    return Err(format!(
                        "unknown option {option}; tic-tac-two takes board=, grid=, pieces= and after=",
                        option = quoted(option)
                    ));
                }
            };
            seen.insert_once(key)?;
            *field = number(key, value, range)?;
        }
        parsed.validation_error().map_or(Ok(parsed), Err)
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
        if (1..=6).contains(&depth) {
            Ok(options.canonical())
        } else {
            Err(VariantError {
                name: Variant::Nested(options).to_string(),
                reason: format!("depth is {depth}, but must be from 1 to 6"),
            })
        }
    }

    fn canonical(self) -> NestedOptions {
        match self.depth {
            1 => NestedOptions {
                depth: 1,
                ..NestedOptions::ULTIMATE
            },
            depth => NestedOptions {
                trail_rule: if depth == 2 {
                    TrailRule::Suffix
                } else {
                    self.trail_rule
                },
                free_move_target: if self.has_free_move_option() {
                    self.free_move_target
                } else {
                    FreeMoveTarget::AnyBoard
                },
                ..self
            },
        }
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

    fn parse(options: &str) -> Result<NestedOptions, String> {
        let allowed = "ception takes 4a or 4b; 5a, 5b, 5c or 5d; free=open or free=any; depth=1 to \
                       depth=6; trail=suffix or trail=history; end=draw or end=most";
        let mut parsed = NestedOptions::ULTIMATE;
        let mut seen = SeenOptions::default();
        for option in options.split(',') {
            match option {
                "4a" => parsed.shared_boards = SharedBoards::Forbidden,
                "4b" => parsed.shared_boards = SharedBoards::Allowed,
                "5a" => parsed.won_board_rule = WonBoardRule::PlayOn,
                "5b" => parsed.won_board_rule = WonBoardRule::FreeMove,
                "5c" => parsed.won_board_rule = WonBoardRule::ExtraMove,
                "5d" => parsed.won_board_rule = WonBoardRule::ExtraMoveChain,
                "free=open" => parsed.free_move_target = FreeMoveTarget::OpenBoards,
                "free=any" => parsed.free_move_target = FreeMoveTarget::AnyBoard,
                "trail=suffix" => parsed.trail_rule = TrailRule::Suffix,
                "trail=history" => parsed.trail_rule = TrailRule::History,
                "end=draw" => parsed.tiebreak = Tiebreak::Draw,
                "end=most" => parsed.tiebreak = Tiebreak::MostBoards,
                _ => match option.strip_prefix("depth=") {
                    Some(value) => {
                        let range = "a whole number from 1 to 6";
                        parsed.depth = number("depth", value, range)?;
                        if !(1..=6).contains(&parsed.depth) {
                            return Err(format!("depth is {value}, but must be from 1 to 6"));
                        }
                    }
                    None => {
                        return Err(format!(
                            "unknown option {option}; {allowed}",
                            option = quoted(option)
                        ));
                    }
                },
            }
            seen.insert_once(match option.split_once('=') {
                Some((key, _)) => key,
                None if option.starts_with('4') => "4a or 4b",
                None => "5a, 5b, 5c or 5d",
            })?;
        }
        if seen.0.contains(&"free") && !parsed.has_free_move_option() {
            return Err("free needs 4a and 5b; with other rules it's always free=any".into());
        }
        Ok(parsed.canonical())
    }
}

/// Rejects an option that is given twice.
#[derive(Default)]
struct SeenOptions<'a>(Vec<&'a str>);

impl<'a> SeenOptions<'a> {
    fn insert_once(&mut self, key: &'a str) -> Result<(), String> {
        if self.0.contains(&key) {
            return Err(format!("{key} can only be given once"));
        }
        self.0.push(key);
        Ok(())
    }
}

/// A small number in plain digits, without a sign or leading zeros.
fn number(what: &str, text: &str, allowed: &str) -> Result<u8, String> {
    let is_plain = !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    match text.parse() {
        Ok(n) if is_plain => Ok(n),
        _ => Err(format!(
            "{what} is {value}, but must be {allowed}",
            value = quoted(text)
        )),
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
            Some(_) => Err(format!("{family} doesn't take options")),
        };
        let parsed = match (family, options) {
            ("classic", _) => without_options(Variant::CLASSIC),
            ("misere", _) => without_options(Variant::MISERE),
            ("ultimate", _) => without_options(Variant::ULTIMATE),
            ("mnk", None | Some("")) => {
                Err("mnk needs a size: mnk:M,N,K or mnk:M,N,K,misere".into())
            }
            ("mnk", Some(options)) => MnkOptions::parse(options).map(Variant::Mnk),
            ("tic-tac-two", None) => Ok(Variant::TIC_TAC_TWO),
            ("tic-tac-two", Some(options)) => {
                TicTacTwoOptions::parse(options).map(Variant::TicTacTwo)
            }
            ("ception", None) => Ok(Variant::ULTIMATE),
            ("ception", Some(options)) => NestedOptions::parse(options).map(Variant::Nested),
            _ if family.chars().any(char::is_uppercase) => Err(format!(
                "game names are lowercase; the games are {FAMILIES}"
            )),
            _ => Err(format!("unknown game; the games are {FAMILIES}")),
        };
        parsed.map_err(|reason| VariantError {
            name: truncated(name, 60),
            reason,
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
            Variant::Mnk(o) => {
                write!(f, "mnk:{},{},{}", o.columns, o.rows, o.line)?;
                if o.misere {
                    f.write_str(",misere")
                } else {
                    Ok(())
                }
            }
            Variant::TicTacTwo(o) => {
                let default = TicTacTwoOptions::STANDARD;
                let differing = [
                    ("board", o.board_size, default.board_size),
                    ("grid", o.grid_size, default.grid_size),
                    ("pieces", o.pieces, default.pieces),
                    ("after", o.opening_pieces, default.opening_pieces),
                ]
                .into_iter()
                .filter(|(_, value, default)| value != default)
                .map(|(key, value, _)| format!("{key}={value}"));
                write_options(f, "tic-tac-two", differing)
            }
            Variant::Nested(o) => {
                let mut options = Vec::new();
                if o.shared_boards == SharedBoards::Allowed {
                    options.push("4b".into());
                }
                match o.won_board_rule {
                    WonBoardRule::PlayOn => options.push("5a".into()),
                    WonBoardRule::FreeMove => {}
                    WonBoardRule::ExtraMove => options.push("5c".into()),
                    WonBoardRule::ExtraMoveChain => options.push("5d".into()),
                }
                if o.free_move_target == FreeMoveTarget::AnyBoard && o.has_free_move_option() {
                    options.push("free=any".into());
                }
                if o.depth != 2 {
                    options.push(format!("depth={}", o.depth));
                }
                if o.trail_rule == TrailRule::History {
                    options.push("trail=history".into());
                }
                if o.tiebreak == Tiebreak::MostBoards {
                    options.push("end=most".into());
                }
                write_options(f, "ception", options.into_iter())
            }
        }
    }
}

fn write_options(
    f: &mut fmt::Formatter<'_>,
    family: &str,
    options: impl Iterator<Item = String>,
) -> fmt::Result {
    f.write_str(family)?;
    for (i, option) in options.enumerate() {
        write!(f, "{}{option}", if i == 0 { ':' } else { ',' })?;
    }
    Ok(())
}
