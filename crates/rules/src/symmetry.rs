//! The eight rotations and reflections of a board.

use crate::word_enum;

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
    /// use noughts_rules::Symmetry;
    /// let names = Symmetry::ALL.map(Symmetry::name).join(" ");
    /// assert_eq!(
    ///     names,
    ///     "identity rotate180 left-right top-bottom rotate90 rotate270 transpose anti-transpose",
    /// );
    /// ```
    #[repr(u8)]
    pub enum Symmetry, word: name {
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

impl Symmetry {
    /// The symmetries of a board of this size.
    ///
    /// ```
    /// use noughts_rules::Symmetry;
    /// assert_eq!(Symmetry::for_board(3, 3).len(), 8);
    /// assert_eq!(Symmetry::for_board(4, 3).len(), 4);
    /// ```
    #[must_use]
    pub fn for_board(columns: u8, rows: u8) -> &'static [Symmetry] {
        if columns == rows {
            &Symmetry::ALL
        } else {
            &Symmetry::ALL[..4]
        }
    }

    /// Where a cell goes on a board of this size.
    ///
    /// ```
    /// use noughts_rules::Symmetry;
    /// // A clockwise turn moves a1, the top left corner, to c1, the top right one.
    /// assert_eq!(Symmetry::Rotate90.apply(0, 0, 3, 3), (2, 0));
    /// ```
    #[must_use]
    pub const fn apply(self, col: u8, row: u8, columns: u8, rows: u8) -> (u8, u8) {
        let right = columns.wrapping_sub(1).wrapping_sub(col);
        let bottom = rows.wrapping_sub(1).wrapping_sub(row);
        match self {
            Symmetry::Identity => (col, row),
            Symmetry::Rotate180 => (right, bottom),
            Symmetry::LeftRight => (right, row),
            Symmetry::TopBottom => (col, bottom),
            Symmetry::Rotate90 => (bottom, col),
            Symmetry::Rotate270 => (row, right),
            Symmetry::Transpose => (row, col),
            Symmetry::AntiTranspose => (bottom, right),
        }
    }

    /// The symmetry that undoes this one.
    ///
    /// ```
    /// use noughts_rules::Symmetry;
    /// assert_eq!(Symmetry::Rotate90.inverse(), Symmetry::Rotate270);
    /// ```
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        match self {
            Symmetry::Rotate90 => Symmetry::Rotate270,
            Symmetry::Rotate270 => Symmetry::Rotate90,
            other => other,
        }
    }
}
