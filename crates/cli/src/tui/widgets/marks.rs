//! The marks of the two sides in three by three characters.

use noughts_rules::Side;

use crate::tui::theme::Theme;

pub(crate) fn large_mark(theme: &Theme, side: Side) -> [&'static str; 3] {
    match (theme.ascii(), side) {
        (false, Side::X) => ["╲ ╱", " ╳ ", "╱ ╲"],
        (false, Side::O) => ["╭─╮", "│ │", "╰─╯"],
        (true, Side::X) => ["\\ /", " X ", "/ \\"],
        (true, Side::O) => [".-.", "| |", "'-'"],
    }
}

/// A piece as one character.
pub(crate) fn piece_char(theme: &Theme, side: Side) -> char {
    match (theme.ascii(), side) {
        (false, Side::X) => '✕',
        (false, Side::O) => '○',
        (true, Side::X) => 'X',
        (true, Side::O) => 'O',
    }
}
