//! Nested boards. Up to depth 3 every cell is shown; of deeper boards the three
//! outer levels, and below them the part that the next move goes to.

use super::{Canvas, Drawing, Ink, Weight, mark};
use crate::outcome::Player;
use crate::setup::Owner;

/// A nested board of two or three levels to be drawn.
pub(crate) struct Levels {
    /// Levels of boards: 1, 2 or 3.
    pub(crate) levels: u32,
    /// The cells of the innermost level, in the order of paths.
    pub(crate) cells: Vec<Square>,
    /// The innermost boards.
    pub(crate) boards: Vec<Inner>,
    /// The path of the whole picture, where it is a part of a larger board.
    pub(crate) path: String,
}

/// What a cell of the picture shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Square {
    Empty,
    Legal,
    Mark(Player),
    /// The last move.
    Last(Player),
    /// Summarised: owned by both, full without owner, or begun.
    Both,
    Full,
    Begun,
}

/// An innermost board of the picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Inner {
    pub(crate) owner: Owner,
    /// Nothing in it matters any more but its owner.
    pub(crate) closed: bool,
    /// The next move may go there.
    pub(crate) lit: bool,
}

const WIDTH: usize = 8;
const HEIGHT: usize = 4;

/// The names of places, beside every picture.
const KEY: [&str; 3] = ["a b c", "d e f", "g h i"];

/// Column and row of a board or cell whose path has this many letters.
fn column_row(index: usize, letters: u32) -> (usize, usize) {
    let (mut col, mut row) = (0, 0);
    for letter in (0..letters).rev() {
        let place = index / 9usize.pow(letter) % 9;
        (col, row) = (col * 3 + place % 3, row * 3 + place / 3);
    }
    (col, row)
}

impl Levels {
    pub(crate) fn draw(&self) -> Drawing {
        let side = 3usize.pow(self.levels - 1);
        let (right, bottom) = (side * WIDTH, side * HEIGHT);
        let mut canvas = Canvas::new(right + 4 + KEY[0].len(), bottom + 1);
        // With three levels the inner boards are set apart by blanks alone.
        let step = if self.levels > 2 { 3 } else { 1 };
        for n in (0..=side).step_by(step) {
            canvas.line((n * WIDTH, 0), (n * WIDTH, bottom), Weight::Light);
            canvas.line((0, n * HEIGHT), (right, n * HEIGHT), Weight::Light);
        }
        for (index, inner) in self.boards.iter().enumerate() {
            self.draw_board(&mut canvas, index, *inner);
        }
        for (row, text) in KEY.iter().enumerate() {
            canvas.write(right + 4, 1 + row, text, Ink::Label);
        }
        canvas.finish()
    }

    fn draw_board(&self, canvas: &mut Canvas, index: usize, inner: Inner) {
        let letters = self.levels - 1;
        let (col, row) = column_row(index, letters);
        let (x, y) = (col * WIDTH, row * HEIGHT);
        if inner.lit {
            canvas.frame((x, y), (x + WIDTH, y + HEIGHT), Weight::Heavy);
        }
        let owner = match inner.owner {
            Owner::Nobody => None,
            Owner::One(player) => Some((mark(player), Ink::Mark(player))),
            Owner::Both => Some(('*', Ink::Label)),
        };
        if letters > 0 {
            let name = format!("{}{}", self.path, crate::nested::path_text(index, letters));
            canvas.write(x + 1, y, &name, Ink::Label);
        }
        if let Some((letter, ink)) = owner {
            canvas.write(x + WIDTH - 1, y, &letter.to_string(), ink);
        }
        // The board of the last move still shows how it was won.
        if let Owner::One(player) = inner.owner
            && inner.closed
            && !self.holds_last(index)
        {
            let big = match player {
                Player::X => ["╲   ╱", "  ╳  ", "╱   ╲"],
                Player::O => ["╭───╮", "│   │", "╰───╯"],
            };
            for (i, text) in big.iter().enumerate() {
                canvas.write(x + 2, y + 1 + i, text, Ink::Mark(player));
            }
            return;
        }
        for place in 0..9 {
            let (cx, cy) = (x + 2 + place % 3 * 2, y + 1 + place / 3);
            match self.cells.get(index * 9 + place) {
                None | Some(Square::Empty) => {}
                Some(Square::Legal) => canvas.write(cx, cy, "·", Ink::Legal),
                Some(Square::Mark(player)) => {
                    canvas.write(cx, cy, &mark(*player).to_string(), Ink::Mark(*player));
                }
                Some(Square::Last(player)) => {
                    let text = format!("({})", mark(*player));
                    canvas.write(cx - 1, cy, &text, Ink::Bright(*player));
                }
                Some(Square::Both) => canvas.write(cx, cy, "*", Ink::Plain),
                Some(Square::Full) => canvas.write(cx, cy, "=", Ink::Plain),
                Some(Square::Begun) => canvas.write(cx, cy, ":", Ink::Plain),
            }
        }
    }

    /// Was the last move made in this board?
    fn holds_last(&self, index: usize) -> bool {
        (0..9).any(|place| matches!(self.cells.get(index * 9 + place), Some(Square::Last(_))))
    }
}
