//! The players' marks, drawn three by three.

use noughts_rules::Side;

use crate::tui::theme::Theme;

/// Three lines of three columns.
pub(crate) fn large_mark(look: &Theme, player: Side) -> [&'static str; 3] {
    match (look.ascii(), player) {
        (false, Side::X) => ["╲ ╱", " ╳ ", "╱ ╲"],
        (false, Side::O) => ["╭─╮", "│ │", "╰─╯"],
        (true, Side::X) => ["\\ /", " X ", "/ \\"],
        (true, Side::O) => [".-.", "| |", "'-'"],
    }
}

/// One piece in a row of them.
pub(crate) fn piece_char(look: &Theme, player: Side) -> char {
    match (look.ascii(), player) {
        (false, Side::X) => '✕',
        (false, Side::O) => '○',
        (true, Side::X) => 'X',
        (true, Side::O) => 'O',
    }
}
