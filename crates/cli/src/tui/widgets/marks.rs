//! The players' marks, drawn three by three.

use noughts_rules::Player;

use crate::tui::look::Look;

/// Three lines of three columns.
pub(crate) fn mark(look: &Look, player: Player) -> [&'static str; 3] {
    match (look.ascii(), player) {
        (false, Player::X) => ["╲ ╱", " ╳ ", "╱ ╲"],
        (false, Player::O) => ["╭─╮", "│ │", "╰─╯"],
        (true, Player::X) => ["\\ /", " X ", "/ \\"],
        (true, Player::O) => [".-.", "| |", "'-'"],
    }
}

/// One piece in a row of them.
pub(crate) fn piece(look: &Look, player: Player) -> char {
    match (look.ascii(), player) {
        (false, Player::X) => '✕',
        (false, Player::O) => '○',
        (true, Player::X) => 'X',
        (true, Player::O) => 'O',
    }
}
