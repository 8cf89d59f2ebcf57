//! Small maps of the boards around the window: who owns what, where one is looking,
//! where one must play.

use noughts_rules::{NestedGameState, Owner, path_text};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{NestedBoard, Node, node_count};
use crate::tui::board::RenderContext;
use crate::tui::board::canvas::Canvas;
use crate::tui::board::marks::letter;
use crate::tui::theme::Theme;

/// A map is three squares of three characters wide, under a name.
pub(super) const WIDTH: u16 = 9;
pub(super) const HEIGHT: u16 = 4;

/// What a board is summed up in: one sign.
pub(super) fn summary(
    play: &dyn NestedGameState,
    level: u32,
    index: usize,
    lit: bool,
    look: &Theme,
) -> Option<(char, Style)> {
    let signs = look.symbols();
    let untouched = node_count(play.depth().saturating_sub(level)) as u32;
    let left = play.count_open_cells(level, index);
    let takes = play.accepts_move(level, index);
    match play.owner(level, index) {
        Owner::One(player) => Some((letter(player), look.side(player))),
        Owner::Both => Some((signs.shared, look.strong())),
        Owner::Nobody if left == 0 => Some((signs.closed, look.dim())),
        Owner::Nobody if lit && takes => Some((signs.target, look.target_board(play.side()))),
        Owner::Nobody if left < untouched => Some((signs.started, look.text())),
        Owner::Nobody if takes => Some((signs.legal, look.legal_move())),
        Owner::Nobody => None,
    }
}

/// One map for each board around the window, from the outermost, one after the other
/// with these steps. Gives where each of their squares is.
pub(super) fn draw(
    board: &NestedBoard,
    play: &dyn NestedGameState,
    view: &RenderContext<'_>,
    lit: bool,
    (start, step): ((u16, u16), (u16, u16)),
    sheet: &mut Canvas<'_>,
) -> Vec<(Rect, Node)> {
    let look = view.theme;
    let mut spots = Vec::new();
    for level in 0..board.zoom {
        let (x, y) = (
            start.0 + step.0 * level as u16,
            start.1 + step.1 * level as u16,
        );
        let around = board.cursor_at(level);
        let title = match level {
            0 => "whole".into(),
            _ => path_text(around, level),
        };
        let left = x + (WIDTH - title.len() as u16) / 2;
        sheet.write(left, y, &title, look.dim());
        for place in 0..9u16 {
            let spot = Node {
                level: level + 1,
                index: around * 9 + usize::from(place),
            };
            let rect = Rect::new(x + place % 3 * 3, y + 1 + place / 3, 3, 1);
            let looking = board.cursor_at(level + 1) == spot.index;
            draw_square(play, spot, looking, lit, rect, look, sheet);
            let name = path_text(spot.index, spot.level);
            if view.hint.is_some_and(|hint| hint.starts_with(&name)) {
                sheet.put(rect.x + 2, rect.y, look.symbols().hint, look.hint());
            }
            spots.push((rect, spot));
        }
    }
    spots
}

fn draw_square(
    play: &dyn NestedGameState,
    spot: Node,
    looking: bool,
    lit: bool,
    rect: Rect,
    look: &Theme,
    sheet: &mut Canvas<'_>,
) {
    let signs = look.symbols();
    let summed = summary(play, spot.level, spot.index, lit, look);
    let (sign, style) = summed.unwrap_or((signs.legal, look.hairline()));
    sheet.put(rect.x + 1, rect.y, sign, style);
    if looking {
        let [left, right] = signs.winning_line.sides;
        sheet.put(rect.x, rect.y, left, look.strong());
        sheet.put(rect.x + 2, rect.y, right, look.strong());
    }
    // An owned board keeps its letter; that one must play there is said before it.
    let owned = play.owner(spot.level, spot.index) != Owner::Nobody;
    if owned && lit && play.accepts_move(spot.level, spot.index) {
        sheet.put(rect.x, rect.y, signs.target, look.target_board(play.side()));
    }
}
