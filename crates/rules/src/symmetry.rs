//! Symmetries of boards, above all the eight rotations and reflections of a square.

use crate::word_enum;

/// A symmetry of a game's board, by its number: the identity is the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symmetry(pub u32);

impl Symmetry {
    /// Nothing moves.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// The symmetry with this number of a rectangular board.
    #[must_use]
    #[inline]
    pub fn of_square(self) -> SquareSymmetry {
        let all = SquareSymmetry::ALL;
        all.get(self.0 as usize)
            .copied()
            .unwrap_or(SquareSymmetry::Identity)
    }
}

impl From<SquareSymmetry> for Symmetry {
    fn from(symmetry: SquareSymmetry) -> Symmetry {
        Symmetry(symmetry as u32)
    }
}

word_enum! {
    /// A rotation or reflection of a rectangular board. A board that isn't square has only the
    /// four that preserve its shape.
    ///
    /// ```text
    ///  a b    identity   a b    rotate90   c a    rotate180  d c    rotate270  b d
    ///  c d               c d               d b               b a               a c
    ///
    ///         left-right b a    top-bottom c d    transpose  a c    anti-      d b
    ///                    d c               a b               b d    transpose  c a
    /// ```
    ///
    /// In `ALL`, the four that preserve the shape of a rectangle come first.
    ///
    /// ```
    /// use noughts_rules::SquareSymmetry;
    /// let names = SquareSymmetry::ALL.map(SquareSymmetry::name).join(" ");
    /// assert_eq!(
    ///     names,
    ///     "identity rotate180 left-right top-bottom rotate90 rotate270 transpose anti-transpose",
    /// );
    /// ```
    #[repr(u8)]
    pub enum SquareSymmetry, word: name {
        /// Nothing moves.
        Identity = "identity",
        /// A half turn.
        Rotate180 = "rotate180",
        /// Swaps left and right.
        LeftRight = "left-right",
        /// Swaps top and bottom.
        TopBottom = "top-bottom",
        /// A quarter turn clockwise.
        Rotate90 = "rotate90",
        /// A quarter turn counterclockwise.
        Rotate270 = "rotate270",
        /// A reflection in the diagonal from the top left.
        Transpose = "transpose",
        /// A reflection in the diagonal from the top right.
        AntiTranspose = "anti-transpose",
    }
}

impl SquareSymmetry {
    /// The symmetries of a board of this size.
    ///
    /// ```
    /// use noughts_rules::SquareSymmetry;
    /// assert_eq!(SquareSymmetry::for_board(3, 3).len(), 8);
    /// assert_eq!(SquareSymmetry::for_board(4, 3).len(), 4);
    /// ```
    #[must_use]
    pub fn for_board(columns: u8, rows: u8) -> &'static [SquareSymmetry] {
        if columns == rows {
            &SquareSymmetry::ALL
        } else {
            &SquareSymmetry::ALL[..4]
        }
    }

    /// Where a cell goes on a board of this size.
    ///
    /// ```
    /// use noughts_rules::SquareSymmetry;
    /// // A clockwise turn moves a1, the top left corner, to c1, the top right one.
    /// assert_eq!(SquareSymmetry::Rotate90.apply(0, 0, 3, 3), (2, 0));
    /// ```
    #[must_use]
    pub const fn apply(self, col: u8, row: u8, columns: u8, rows: u8) -> (u8, u8) {
        let right = columns.wrapping_sub(1).wrapping_sub(col);
        let bottom = rows.wrapping_sub(1).wrapping_sub(row);
        match self {
            SquareSymmetry::Identity => (col, row),
            SquareSymmetry::Rotate180 => (right, bottom),
            SquareSymmetry::LeftRight => (right, row),
            SquareSymmetry::TopBottom => (col, bottom),
            SquareSymmetry::Rotate90 => (bottom, col),
            SquareSymmetry::Rotate270 => (row, right),
            SquareSymmetry::Transpose => (row, col),
            SquareSymmetry::AntiTranspose => (bottom, right),
        }
    }

    /// The symmetry that undoes this one.
    ///
    /// ```
    /// use noughts_rules::SquareSymmetry;
    /// assert_eq!(SquareSymmetry::Rotate90.inverse(), SquareSymmetry::Rotate270);
    /// ```
    #[must_use]
    pub const fn inverse(self) -> SquareSymmetry {
        match self {
            SquareSymmetry::Rotate90 => SquareSymmetry::Rotate270,
            SquareSymmetry::Rotate270 => SquareSymmetry::Rotate90,
            other => other,
        }
    }
}
