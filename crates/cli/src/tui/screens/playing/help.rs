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
                "play a cell, laid out like a keypad",
            ),
            (
                depth > 1,
                "1 to 9",
                "choose a board or cell, laid out like a keypad",
            ),
            (
                grid,
                "1 to 9",
                "choose a cell of the grid, laid out like a keypad",
            ),
            (
                grid,
                "g",
                "move the grid: a direction (hjkl, yubn), then Enter",
            ),
            (depth > 2, "z  Z", "zoom in, zoom out"),
            (depth > 2, "Esc, Home", "back to the board you must play in"),
            (true, "/", "type a move: Enter to play it, Esc to cancel"),
            (true, "t", "get a hint"),
            (true, "u  r", "take back a move, redo it"),
            (true, "a", "analysis: show the value of every move"),
            (true, "s", "hand over a side to another player"),
            (true, "x", "resign, offer a draw, or abandon the game"),
            (
                true,
                "Esc",
                "cancel, hide a hint, or make the computer move now",
            ),
            (
                self.game.is_bots_only(),
                "Space  .",
                "pause or continue; step one move",
            ),
            (self.game.is_bots_only(), "+  -", "faster, slower"),
            (true, "R", "restart: start this game over"),
            (true, "n", "new game, from the menu"),
            (true, "q", "quit"),
            (true, "?", "this help"),
            (
                true,
                "mouse",
                "click a cell to play it, or a key at the bottom",
            ),
            (grid, "drag", "move a piece or the grid"),
            (depth > 2, "click a map", "go there"),
            (true, "wheel", "scroll the moves"),
            (depth > 2, "wheel", "over the board: zoom in or out"),
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
