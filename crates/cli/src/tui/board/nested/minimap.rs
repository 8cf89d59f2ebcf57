//! Minimaps of the boards around the window: who owns what, where the window is, and where the next
//! move must go.

use noughts_rules::{Owner, path_text};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::painter::NestedPainter;
use super::{BoardNode, node_count};
use crate::tui::board::canvas::BoardCanvas;
use crate::tui::board::marks::letter;

/// A minimap is a title above three by three squares, each three columns wide.
pub(super) const WIDTH: u16 = 9;
pub(super) const HEIGHT: u16 = 4;

impl NestedPainter<'_> {
    /// The symbol that summarizes a board.
    pub(super) fn summary(
        &self,
        level: u32,
        index: usize,
        highlight_targets: bool,
    ) -> Option<(char, Style)> {
        let (state, theme, symbols) = (self.state, self.theme, self.theme.symbols());
        let untouched = node_count(state.depth().saturating_sub(level)) as u32;
        let left = state.count_open_cells(level, index);
        let accepts = state.accepts_move(level, index);
        match state.owner(level, index) {
            Owner::One(side) => Some((letter(side), theme.side(side))),
            Owner::Both => Some((symbols.shared, theme.strong())),
            Owner::Nobody if left == 0 => Some((symbols.closed, theme.dim())),
            Owner::Nobody if highlight_targets && accepts => {
                Some((symbols.target, theme.side(state.side())))
            }
            Owner::Nobody if left < untouched => Some((symbols.started, theme.text())),
            Owner::Nobody if accepts => Some((symbols.legal, theme.dim())),
            Owner::Nobody => None,
        }
    }

    /// Draws one minimap per enclosing board, outermost first, and returns where each square is.
    pub(super) fn draw_minimaps(
        &self,
        (start, step): ((u16, u16), (u16, u16)),
        canvas: &mut BoardCanvas<'_>,
    ) -> Vec<(Rect, BoardNode)> {
        let mut nodes = Vec::new();
        for level in 0..self.board.zoom {
            let along = |start: u16, step: u16| start + step * level as u16;
            let (x, y) = (along(start.0, step.0), along(start.1, step.1));
            let enclosing = self.board.cursor_at(level);
            let title = match level {
                0 => "whole".into(),
                _ => path_text(enclosing, level),
            };
            let left = x + (WIDTH - title.len() as u16) / 2;
            canvas.write(left, y, &title, self.theme.dim());
            for child in 0..9u16 {
                let (level, index) = (level + 1, enclosing * 9 + usize::from(child));
                let rect = Rect::new(x + child % 3 * 3, y + 1 + child / 3, 3, 1);
                self.draw_minimap_square(level, index, rect, canvas);
                nodes.push((rect, BoardNode { level, index }));
            }
        }
        nodes
    }

    fn draw_minimap_square(
        &self,
        level: u32,
        index: usize,
        rect: Rect,
        canvas: &mut BoardCanvas<'_>,
    ) {
        let (state, theme, symbols) = (self.state, self.theme, self.theme.symbols());
        let summary = self.summary(level, index, self.highlight_targets);
        let (symbol, style) = summary.unwrap_or((symbols.legal, theme.hairline()));
        canvas.put(rect.x + 1, rect.y, symbol, style);
        if self.board.cursor_at(level) == index {
            let [left, right] = symbols.winning_line.sides;
            canvas.put(rect.x, rect.y, left, theme.strong());
            canvas.put(rect.x + 2, rect.y, right, theme.strong());
        }
        // An owned board keeps its letter, so the target symbol goes in front of it.
        let is_owned = state.owner(level, index) != Owner::Nobody;
        if is_owned && self.highlight_targets && state.accepts_move(level, index) {
            canvas.put(rect.x, rect.y, symbols.target, theme.side(state.side()));
        }
        let name = path_text(index, level);
        if self.view.hint.is_some_and(|hint| hint.starts_with(&name)) {
            canvas.put(rect.x + 2, rect.y, symbols.hint, theme.accent());
        }
    }
}
