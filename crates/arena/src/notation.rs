//! Move notations of UGI bots that differ from the project's own.

use noughts_rules::{AnyGameState, Variant, word_enum};
use serde::{Deserialize, Serialize};

word_enum! {
    /// The notation in which a UGI bot reads and writes the moves of a 9×9 board; the arena
    /// translates. The words are used in `bots.toml` and on the command line.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Notation, word: name {
        /// As in `docs/notation.md`: the board, then the cell, such as `ee`.
        #[default]
        Native = "native",
        /// File and rank on the 9×9 board, such as `e5`; rank 1 is at the bottom, as in chess.
        Global = "global",
        /// File and rank with rank 1 at the top.
        GlobalTop = "global-top",
    }
}

impl Notation {
    /// Whether this is the project's own notation.
    #[must_use]
    pub fn is_native(&self) -> bool {
        *self == Notation::Native
    }

    /// Checks whether moves of this variant can be written in this notation.
    ///
    /// # Errors
    /// The variant isn't played on a 9×9 board.
    pub fn check_variant(self, variant: Variant) -> Result<(), String> {
        let cells = || AnyGameState::new(variant).legal_moves();
        if self.is_native() || is_board_of_boards(&cells()) {
            return Ok(());
        }
        Err(format!(
            "notation {:?} only works on nine boards of nine cells",
            self.name()
        ))
    }

    /// Translates a native move to this notation.
    ///
    /// ```
    /// use noughts_arena::Notation;
    /// assert_eq!(Notation::Global.format_move("cg"), "g7");
    /// assert_eq!(Notation::GlobalTop.format_move("cg"), "g3");
    /// assert_eq!(Notation::Native.format_move("cg"), "cg");
    /// ```
    #[must_use]
    pub fn format_move(self, mv: &str) -> String {
        let cell = move_to_cell(mv).filter(|_| !self.is_native());
        // Anything that isn't a cell is passed on for the bot to reject.
        let Some((row, column)) = cell else {
            return mv.to_owned();
        };
        let rank = match self {
            Notation::GlobalTop => row + 1,
            Notation::Native | Notation::Global => 9 - row,
        };
        format!("{}{rank}", char::from(b'a' + column))
    }

    /// Translates a move in this notation to a native one; text that isn't a cell of the board is
    /// returned unchanged.
    #[must_use]
    pub fn parse_move(self, text: &str) -> String {
        let cell = match text.as_bytes() {
            [file @ b'a'..=b'i', rank @ b'1'..=b'9'] => Some((file - b'a', rank - b'1')),
            _ => None,
        };
        let Some((column, rank)) = cell.filter(|_| !self.is_native()) else {
            return text.to_owned();
        };
        let row = match self {
            Notation::GlobalTop => rank,
            Notation::Native | Notation::Global => 8 - rank,
        };
        cell_to_move(row.into(), column.into()).unwrap_or_else(|| text.to_owned())
    }
}

fn is_board_of_boards(moves: &[String]) -> bool {
    moves.len() == 81 && moves.iter().all(|mv| move_to_cell(mv).is_some())
}

/// Converts a move (the letters of board and cell) to a row and column of the 9×9 board, from 0.
pub(crate) fn move_to_cell(mv: &str) -> Option<(u8, u8)> {
    let [board, cell] = mv.as_bytes() else {
        return None;
    };
    let [board, cell] = [board, cell].map(|letter| letter.wrapping_sub(b'a'));
    (board < 9 && cell < 9).then_some((board / 3 * 3 + cell / 3, board % 3 * 3 + cell % 3))
}

/// The inverse of [`move_to_cell`].
pub(crate) fn cell_to_move(row: i64, col: i64) -> Option<String> {
    let row = u8::try_from(row).ok().filter(|&row| row < 9)?;
    let col = u8::try_from(col).ok().filter(|&col| col < 9)?;
    let board = row / 3 * 3 + col / 3;
    let cell = row % 3 * 3 + col % 3;
    Some(
        [board, cell]
            .map(|place| char::from(b'a' + place))
            .iter()
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The center, the corners, and the bottom-left cell of the top-right board.
    #[test]
    fn moves_translate_to_the_right_cells() {
        let cells = [
            ("ee", "e5", "e5"),
            ("aa", "a9", "a1"),
            ("cc", "i9", "i1"),
            ("gg", "a1", "a9"),
            ("ii", "i1", "i9"),
            ("cg", "g7", "g3"),
        ];
        for (native, bottom, top) in cells {
            assert_eq!(Notation::Global.format_move(native), bottom);
            assert_eq!(Notation::GlobalTop.format_move(native), top);
        }
        for notation in Notation::ALL {
            for mv in AnyGameState::new(Variant::ULTIMATE).legal_moves() {
                assert_eq!(notation.parse_move(&notation.format_move(&mv)), mv);
            }
            assert_eq!(Notation::from_word(notation.name()), Some(notation));
            assert_eq!(notation.parse_move("resign"), "resign");
        }
    }

    #[test]
    fn only_9x9_boards_have_global_notation() {
        for name in ["ultimate", "ception:end=most", "ception:5a"] {
            let variant = name.parse().expect("a variant");
            assert_eq!(Notation::Global.check_variant(variant), Ok(()), "{name}");
        }
        for name in ["classic", "mnk:9,9,5", "tic-tac-two", "ception:depth=3"] {
            let variant = name.parse().expect("a variant");
            assert!(Notation::Global.check_variant(variant).is_err(), "{name}");
            assert_eq!(Notation::Native.check_variant(variant), Ok(()), "{name}");
        }
    }

    #[test]
    fn cells_round_trip_and_are_distinct() {
        let mut seen = std::collections::BTreeSet::new();
        for mv in AnyGameState::new(Variant::ULTIMATE).legal_moves() {
            let (row, col) = move_to_cell(&mv).expect("a cell");
            assert_eq!(cell_to_move(row.into(), col.into()), Some(mv));
            seen.insert((row, col));
        }
        assert_eq!(seen.len(), 81);
        // The bottom-left cell of the top-right board.
        assert_eq!(move_to_cell("cg"), Some((2, 6)));
        assert_eq!(move_to_cell("ee"), Some((4, 4)));
        for (row, col) in [(-1, 0), (0, 9), (9, 0), (i64::MAX, 3)] {
            assert_eq!(cell_to_move(row, col), None);
        }
    }
}
