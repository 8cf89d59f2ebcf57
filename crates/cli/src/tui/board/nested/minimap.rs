//! Minimaps of the boards around the window: who owns what, where the window is, and where the next
//! move must go.

use noughts_rules::{NestedGameState, Owner, path_text};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{BoardNode, NestedBoardWidget, node_count};
use crate::tui::board::BoardRenderContext;
use crate::tui::board::canvas::BoardCanvas;
use crate::tui::board::marks::letter;
use crate::tui::theme::Theme;

/// A minimap is a title above three by three squares, each three columns wide.
pub(super) const WIDTH: u16 = 9;
pub(super) const HEIGHT: u16 = 4;

/// The symbol that summarizes a board.
pub(super) fn summary(
    state: &dyn NestedGameState,
    level: u32,
    index: usize,
    highlight_targets: bool,
    theme: &Theme,
) -> Option<(char, Style)> {
    let symbols = theme.symbols();
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
pub(super) fn draw(
    board: &NestedBoardWidget,
    state: &dyn NestedGameState,
    view: &BoardRenderContext<'_>,
    highlight_targets: bool,
    (start, step): ((u16, u16), (u16, u16)),
    canvas: &mut BoardCanvas<'_>,
) -> Vec<(Rect, BoardNode)> {
    let theme = view.theme;
    let mut nodes = Vec::new();
    for level in 0..board.zoom {
        let (x, y) = (
            start.0 + step.0 * level as u16,
            start.1 + step.1 * level as u16,
        );
        let enclosing = board.cursor_at(level);
        let title = match level {
            0 => "whole".into(),
            _ => path_text(enclosing, level),
        };
        let left = x + (WIDTH - title.len() as u16) / 2;
        canvas.write(left, y, &title, theme.dim());
        for child in 0..9u16 {
            let node = BoardNode {
                level: level + 1,
                index: enclosing * 9 + usize::from(child),
            };
            let rect = Rect::new(x + child % 3 * 3, y + 1 + child / 3, 3, 1);
            let is_current = board.cursor_at(level + 1) == node.index;
            draw_square(
                state,
                node,
                is_current,
                highlight_targets,
                rect,
                theme,
                canvas,
            );
            let name = path_text(node.index, node.level);
            if view.hint.is_some_and(|hint| hint.starts_with(&name)) {
                canvas.put(rect.x + 2, rect.y, theme.symbols().hint, theme.accent());
            }
            nodes.push((rect, node));
        }
    }
    nodes
}

fn draw_square(
    state: &dyn NestedGameState,
    node: BoardNode,
    is_current: bool,
    highlight_targets: bool,
    rect: Rect,
    theme: &Theme,
    canvas: &mut BoardCanvas<'_>,
) {
    let symbols = theme.symbols();
    let summarized = summary(state, node.level, node.index, highlight_targets, theme);
    let (symbol, style) = summarized.unwrap_or((symbols.legal, theme.hairline()));
    canvas.put(rect.x + 1, rect.y, symbol, style);
    if is_current {
        let [left, right] = symbols.winning_line.sides;
        canvas.put(rect.x, rect.y, left, theme.strong());
        canvas.put(rect.x + 2, rect.y, right, theme.strong());
    }
    // An owned board keeps its letter, so the target symbol goes in front of it.
    let is_owned = state.owner(node.level, node.index) != Owner::Nobody;
    if is_owned && highlight_targets && state.accepts_move(node.level, node.index) {
        canvas.put(rect.x, rect.y, symbols.target, theme.side(state.side()));
    }
}
