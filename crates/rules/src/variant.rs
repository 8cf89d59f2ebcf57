//! The games by name. One spelling everywhere: flags, files, addresses, database.

use std::fmt;
use std::str::FromStr;

use crate::notation::{quoted, truncated};

/// A game of the family with its options. Prints as its canonical name; reading
/// a name and printing it gives the canonical one.
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
///     "`mnk:3,3,4`: K is 4, but a line of a 3 by 3 board has at most 3 cells",
/// );
/// # Ok::<(), noughts_rules::VariantError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variant {
    /// m,n,k boards; `classic` and `misere` among them.
    Mnk(MnkOptions),
    /// Tic-Tac-Two.
    TicTacTwo(TicTacTwoOptions),
    /// Nested boards; `ultimate` among them.
    Nested(NestedOptions),
}

/// The options of an m,n,k board. Made by [`MnkOptions::new`] or by reading a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MnkOptions {
    pub(crate) columns: u8,
    pub(crate) rows: u8,
    pub(crate) line: u8,
    pub(crate) misere: bool,
}

/// The options of Tic-Tac-Two. Made by [`TicTacTwoOptions::new`] or by reading a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TicTacTwoOptions {
    pub(crate) board_size: u8,
    pub(crate) grid_size: u8,
    pub(crate) pieces: u8,
    pub(crate) opening_pieces: u8,
}

/// The options of a nested board. Made by [`NestedOptions::new`] or by reading a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NestedOptions {
    pub(crate) shared_boards: SharedBoards,
    pub(crate) won_board_rule: WonBoardRule,
    pub(crate) free_move_target: FreeMoveTarget,
    pub(crate) depth: u8,
    pub(crate) trail_rule: TrailRule,
    pub(crate) tiebreak: Tiebreak,
}

/// Rule 4: who can own a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SharedBoards {
    /// `4a`: the first owner keeps it.
    Forbidden,
    /// `4b`: both can own it.
    Allowed,
}

/// Rule 5: what happens when one is sent to a board that is won or full.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WonBoardRule {
    /// `5a`: a won board takes moves; a full one gives a free move.
    PlayOn,
    /// `5b`: won or full gives a free move.
    FreeMove,
    /// `5c`: play in the won board, then once more.
    ExtraMove,
    /// `5d`: play on for as long as one is sent to won boards.
    ExtraMoveChain,
}

/// Where a free move may go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FreeMoveTarget {
    /// `free=open`: won boards are closed.
    OpenBoards,
    /// `free=any`: won boards take free moves, too.
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

/// What counts when nobody owns the outermost board at the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tiebreak {
    /// `end=draw`: nothing.
    Draw,
    /// `end=most`: more of the nine outermost boards win.
    MostBoards,
}

/// A name that is no variant: which part is wrong, and what is allowed there.
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

/// The families, as an error lists them.
const FAMILIES: &str = "classic, misere, mnk:M,N,K, tic-tac-two, ultimate, ception";

impl Variant {
    /// The classic game.
    pub const CLASSIC: Variant = Variant::Mnk(MnkOptions::CLASSIC);
    /// The classic board, where completing a line loses.
    pub const MISERE: Variant = Variant::Mnk(MnkOptions {
        misere: true,
        ..MnkOptions::CLASSIC
    });
    /// Tic-Tac-Two with its usual options.
    pub const TIC_TAC_TWO: Variant = Variant::TicTacTwo(TicTacTwoOptions::STANDARD);
    /// Ultimate tic-tac-toe.
    pub const ULTIMATE: Variant = Variant::Nested(NestedOptions::ULTIMATE);

    /// One sentence about the game, for menus and lists.
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Variant::Mnk(o) => {
                let verb = if o.misere { "loses" } else { "wins" };
                let (columns, rows, line) = (o.columns, o.rows, o.line);
                format!("{columns}×{rows} cells: {line} in a row {verb}.")
            }
            Variant::TicTacTwo(o) => format!(
                "A {g}×{g} grid moves over a {b}×{b} board; line up three inside it.",
                g = o.grid_size,
                b = o.board_size
            ),
            Variant::Nested(o) if o.depth == 1 => "A nested board by itself: nine cells.".into(),
            Variant::Nested(o) => o.sentence(),
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

    /// A board of `columns` by `rows`, `line` in a row; with `misere` a line loses.
    ///
    /// # Errors
    /// All three go from 1 to 16, and `line` is at most the longer side.
    pub fn new(columns: u8, rows: u8, line: u8, misere: bool) -> Result<MnkOptions, VariantError> {
        let options = MnkOptions {
            columns,
            rows,
            line,
            misere,
        };
        match options.fault() {
            None => Ok(options),
            Some(reason) => Err(VariantError {
                name: Variant::Mnk(options).to_string(),
                reason,
            }),
        }
    }

    fn fault(&self) -> Option<String> {
        for (what, n) in [("M", self.columns), ("N", self.rows), ("K", self.line)] {
            if !(1..=16).contains(&n) {
                return Some(format!("{what} is {n}, but must be from 1 to 16"));
            }
        }
        let longest = self.columns.max(self.rows);
        (self.line > longest).then(|| {
            format!(
                "K is {}, but a line of a {} by {} board has at most {longest} cells",
                self.line, self.columns, self.rows
            )
        })
    }

    /// Columns, rows, and marks to a line.
    #[must_use]
    pub fn size(&self) -> (u8, u8, u8) {
        (self.columns, self.rows, self.line)
    }

    /// Does a line lose?
    #[must_use]
    pub fn is_misere(&self) -> bool {
        self.misere
    }

    fn read(options: &str) -> Result<MnkOptions, String> {
        let allowed = "mnk takes M,N,K or M,N,K,misere: columns, rows, marks in a row";
        let parts: Vec<&str> = options.split(',').collect();
        let range = "a whole number from 1 to 16";
        let mut sizes = [0; 3];
        for (size, (what, part)) in sizes.iter_mut().zip(["M", "N", "K"].iter().zip(&parts)) {
            *size = number(what, part, range)?;
        }
        if parts.len() < 3 {
            return Err(format!("{allowed}; three numbers are needed"));
        }
        let misere = match parts.get(3) {
            None => false,
            Some(&"misere") => true,
            Some(&"") => return Err(format!("nothing stands behind the last comma; {allowed}")),
            Some(other) => return Err(format!("{} is unknown; {allowed}", quoted(other))),
        };
        if parts.len() > 4 {
            return Err(format!("{} is one too many; {allowed}", quoted(parts[4])));
        }
        let [columns, rows, line] = sizes;
        let options = MnkOptions {
            columns,
            rows,
            line,
            misere,
        };
        options.fault().map_or(Ok(options), Err)
    }
}

impl TicTacTwoOptions {
    pub(crate) const STANDARD: TicTacTwoOptions = TicTacTwoOptions {
        board_size: 5,
        grid_size: 3,
        pieces: 4,
        opening_pieces: 2,
    };

    /// A grid of side `grid` on a board of side `board`, `pieces` pieces each;
    /// the grid and pieces may move once both players have placed `after`.
    ///
    /// # Errors
    /// Board and grid are odd, 3 ≤ grid ≤ board ≤ 7; 3 ≤ pieces ≤ 9; 2 ≤ after ≤ pieces.
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
        match options.fault() {
            None => Ok(options),
            Some(reason) => Err(VariantError {
                name: Variant::TicTacTwo(options).to_string(),
                reason,
            }),
        }
    }

    fn fault(&self) -> Option<String> {
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
                "grid is {grid}, but must fit the board, whose side is {board}"
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

    /// The side of the board.
    #[must_use]
    pub fn board_size(&self) -> u8 {
        self.board_size
    }

    /// The side of the grid.
    #[must_use]
    pub fn grid_size(&self) -> u8 {
        self.grid_size
    }

    /// Pieces for each player.
    #[must_use]
    pub fn pieces(&self) -> u8 {
        self.pieces
    }

    /// How many pieces both players place before anything may move.
    #[must_use]
    pub fn opening_pieces(&self) -> u8 {
        self.opening_pieces
    }

    fn read(options: &str) -> Result<TicTacTwoOptions, String> {
        let mut read = TicTacTwoOptions::STANDARD;
        let mut seen = Seen::default();
        for option in options.split(',') {
            let Some((key, value)) = option.split_once('=') else {
                return Err(format!(
                    "{} is no option of tic-tac-two; allowed are board=, grid=, pieces=, after=",
                    quoted(option)
                ));
            };
            let (slot, range) = match key {
                "board" => (&mut read.board_size, "3, 5 or 7"),
                "grid" => (&mut read.grid_size, "3, 5 or 7"),
                "pieces" => (&mut read.pieces, "a whole number from 3 to 9"),
                "after" => (&mut read.opening_pieces, "a whole number from 2 to pieces"),
                _ => {
                    return Err(format!(
                        "{} is no option of tic-tac-two; allowed are board=, grid=, pieces=, after=",
                        quoted(option)
                    ));
                }
            };
            seen.once(key)?;
            *slot = number(key, value, range)?;
        }
        read.fault().map_or(Ok(read), Err)
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

    /// The nested game with these options. Those that make no difference are
    /// dropped: `trail` at depth 2, everything at depth 1, and `free` is
    /// [`Free::Any`] unless the rules are 4a and 5b.
    ///
    /// # Errors
    /// The depth goes from 1 to 6.
    pub fn new(
        owning: SharedBoards,
        sent: WonBoardRule,
        free: FreeMoveTarget,
        depth: u8,
        trail: TrailRule,
        end: Tiebreak,
    ) -> Result<NestedOptions, VariantError> {
        let options = NestedOptions {
            shared_boards: owning,
            won_board_rule: sent,
            free_move_target: free,
            depth,
            trail_rule: trail,
            tiebreak: end,
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

    fn sentence(&self) -> String {
        let boards = match self.depth {
            2 => "Nine boards in one".into(),
            depth => format!("Boards in boards, {depth} deep"),
        };
        let rule = match self.won_board_rule {
            WonBoardRule::PlayOn => "won boards stay in play",
            WonBoardRule::FreeMove => "your cell picks the next board",
            WonBoardRule::ExtraMove => "won boards give an extra move",
            WonBoardRule::ExtraMoveChain => "won boards give extra moves",
        };
        let owning = match self.shared_boards {
            SharedBoards::Forbidden => "",
            SharedBoards::Allowed => ", and both can own one",
        };
        format!("{boards}: {rule}{owning}.")
    }

    /// Is [`free`](NestedOptions::free) an option of this game? Only under 4a and 5b.
    ///
    /// ```
    /// use noughts_rules::Variant;
    /// for (name, has) in [("ultimate", true), ("ception:5a", false)] {
    ///     let Variant::Nested(options) = name.parse()? else { unreachable!() };
    ///     assert_eq!(options.has_free(), has);
    /// }
    /// # Ok::<(), noughts_rules::VariantError>(())
    /// ```
    #[must_use]
    pub fn has_free_move_option(&self) -> bool {
        self.shared_boards == SharedBoards::Forbidden
            && self.won_board_rule == WonBoardRule::FreeMove
    }

    /// Rule 4.
    #[must_use]
    pub fn shared_boards(&self) -> SharedBoards {
        self.shared_boards
    }

    /// Rule 5.
    #[must_use]
    pub fn won_board_rule(&self) -> WonBoardRule {
        self.won_board_rule
    }

    /// Where a free move may go.
    #[must_use]
    pub fn free_move_target(&self) -> FreeMoveTarget {
        self.free_move_target
    }

    /// How many levels there are.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// Which letters make the trail.
    #[must_use]
    pub fn trail_rule(&self) -> TrailRule {
        self.trail_rule
    }

    /// What counts at the end.
    #[must_use]
    pub fn tiebreak(&self) -> Tiebreak {
        self.tiebreak
    }

    fn read(options: &str) -> Result<NestedOptions, String> {
        let allowed = "allowed are 4a, 4b; 5a, 5b, 5c, 5d; free=open, free=any; depth=1 to depth=6; \
                       trail=suffix, trail=history; end=draw, end=most";
        let mut read = NestedOptions::ULTIMATE;
        let mut seen = Seen::default();
        for option in options.split(',') {
            match option {
                "4a" => read.shared_boards = SharedBoards::Forbidden,
                "4b" => read.shared_boards = SharedBoards::Allowed,
                "5a" => read.won_board_rule = WonBoardRule::PlayOn,
                "5b" => read.won_board_rule = WonBoardRule::FreeMove,
                "5c" => read.won_board_rule = WonBoardRule::ExtraMove,
                "5d" => read.won_board_rule = WonBoardRule::ExtraMoveChain,
                "free=open" => read.free_move_target = FreeMoveTarget::OpenBoards,
                "free=any" => read.free_move_target = FreeMoveTarget::AnyBoard,
                "trail=suffix" => read.trail_rule = TrailRule::Suffix,
                "trail=history" => read.trail_rule = TrailRule::History,
                "end=draw" => read.tiebreak = Tiebreak::Draw,
                "end=most" => read.tiebreak = Tiebreak::MostBoards,
                _ => match option.strip_prefix("depth=") {
                    Some(value) => {
                        let range = "a whole number from 1 to 6";
                        read.depth = number("depth", value, range)?;
                        if !(1..=6).contains(&read.depth) {
                            return Err(format!("depth is {value}, but must be from 1 to 6"));
                        }
                    }
                    None => return Err(format!("{} is unknown; {allowed}", quoted(option))),
                },
            }
            seen.once(match option.split_once('=') {
                Some((key, _)) => key,
                None if option.starts_with('4') => "4a or 4b",
                None => "5a, 5b, 5c or 5d",
            })?;
        }
        if seen.0.contains(&"free") && !read.has_free_move_option() {
            return Err("free is an option only with 4a and 5b; elsewhere it is always any".into());
        }
        Ok(read.canonical())
    }
}

/// Refuses an option that comes twice.
#[derive(Default)]
struct Seen<'a>(Vec<&'a str>);

impl<'a> Seen<'a> {
    fn once(&mut self, key: &'a str) -> Result<(), String> {
        if self.0.contains(&key) {
            return Err(format!("{key} is given twice"));
        }
        self.0.push(key);
        Ok(())
    }
}

/// A small number in plain digits, without sign or leading zeros.
fn number(what: &str, text: &str, allowed: &str) -> Result<u8, String> {
    let plain = !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    match text.parse() {
        Ok(n) if plain => Ok(n),
        _ => Err(format!("{what} is {}, but must be {allowed}", quoted(text))),
    }
}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(name: &str) -> Result<Variant, VariantError> {
        let (family, options) = match name.split_once(':') {
            Some((family, options)) => (family, Some(options)),
            None => (name, None),
        };
        let plain = |variant| match options {
            None => Ok(variant),
            Some(_) => Err(format!("{family} takes no options")),
        };
        let read = match (family, options) {
            ("classic", _) => plain(Variant::CLASSIC),
            ("misere", _) => plain(Variant::MISERE),
            ("ultimate", _) => plain(Variant::ULTIMATE),
            ("mnk", None | Some("")) => {
                Err("mnk needs its size: mnk:M,N,K or mnk:M,N,K,misere".into())
            }
            ("mnk", Some(options)) => MnkOptions::read(options).map(Variant::Mnk),
            ("tic-tac-two", None) => Ok(Variant::TIC_TAC_TWO),
            ("tic-tac-two", Some(options)) => {
                TicTacTwoOptions::read(options).map(Variant::TicTacTwo)
            }
            ("ception", None) => Ok(Variant::ULTIMATE),
            ("ception", Some(options)) => NestedOptions::read(options).map(Variant::Nested),
            _ if family.chars().any(char::is_uppercase) => {
                Err(format!("names are lower case; the games are {FAMILIES}"))
            }
            _ => Err(format!("there is no such game; the games are {FAMILIES}")),
        };
        read.map_err(|reason| VariantError {
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
                let usual = TicTacTwoOptions::STANDARD;
                let differing = [
                    ("board", o.board_size, usual.board_size),
                    ("grid", o.grid_size, usual.grid_size),
                    ("pieces", o.pieces, usual.pieces),
                    ("after", o.opening_pieces, usual.opening_pieces),
                ]
                .into_iter()
                .filter(|(_, is, usual)| is != usual)
                .map(|(key, is, _)| format!("{key}={is}"));
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
