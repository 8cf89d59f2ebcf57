//! The help of the game screen: keys, mouse and symbols.

use noughts_rules::{AnyGameState, Variant};

use super::GameScreen;
use crate::tui::screens::rules::{self, HelpEntry};
use crate::tui::theme::Theme;
use crate::tui::widgets::TextViewer;

impl GameScreen {
    pub(super) fn help(&self, theme: &Theme) -> TextViewer {
        let state = self.game.state();
        let symbols = rules::symbol_help(state, depth(state), false, theme);
        rules::help_viewer(self.game.variant(), &self.keys(), &symbols, theme)
    }

    /// All keys of this game, including those that do nothing at the moment.
    fn keys(&self) -> Vec<HelpEntry> {
        let state = self.game.state();
        let (grid, depth) = (matches!(state, AnyGameState::TicTacTwo(_)), depth(state));
        let digits = match state.variant() {
            Variant::Mnk(options) => options.size().0 <= 3 && options.size().1 <= 3,
            _ => true,
        };
        let entries = [
            (true, "arrows, hjkl", "move the cursor"),
            (true, "Enter, Space", "play at the cursor"),
            (
                digits && depth < 2 && !grid,
                "1 to 9",
                "take the cell that lies so on a keypad",
            ),
            (
                depth > 1,
                "1 to 9",
                "choose a board or a cell as on a keypad",
            ),
            (grid, "1 to 9", "choose a place in the grid as on a keypad"),
            (
                grid,
                "g",
                "move the grid, then a direction (hjkl, yubn) and Enter",
            ),
            (depth > 2, "z  Z", "look closer, look from farther away"),
            (
                depth > 2,
                "Esc, Home",
                "back to the board that one must play in",
            ),
            (true, "/", "type a move; Enter makes it, Esc goes back"),
            (true, "t", "a hint"),
            (true, "u  r", "take a move back, make it again"),
            (true, "a", "analysis: what every move is worth"),
            (true, "s", "hand a side over to somebody else"),
            (true, "x", "resign, offer a draw, or give the game up"),
            (
                true,
                "Esc",
                "cancel; hide a hint; make the computer move now",
            ),
            (
                self.game.is_bots_only(),
                "Space  .",
                "pause and go on; one move",
            ),
            (self.game.is_bots_only(), "+  -", "faster, slower"),
            (true, "R", "restart: the same game from its start"),
            (true, "n", "a new game, from the menu"),
            (true, "q", "quit"),
            (true, "?", "this text"),
            (
                true,
                "mouse",
                "a click plays, or presses a key of the last lines",
            ),
            (grid, "drag", "move a piece or the grid"),
            (depth > 2, "click on a map", "look there"),
            (true, "wheel", "scroll the moves"),
            (
                depth > 2,
                "wheel",
                "over the board: look closer or from farther away",
            ),
        ];
        let entries = entries.into_iter().filter(|(applies, ..)| *applies);
        entries
            .map(|(_, key, meaning)| (key.to_owned(), meaning.to_owned()))
            .collect()
    }
}

/// The depth of nested boards; 0 in other games.
fn depth(state: &AnyGameState) -> usize {
    match state.variant() {
        Variant::Nested(options) => options.depth().into(),
        _ => 0,
    }
}
