//! The pieces next to the board, and those to choose from at a cell.

use noughts_rules::{BoardView, Piece, Side, Target};
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::canvas::BoardCanvas;
use super::lines::{GridLines, LineWeight};
use super::painter::Painter;
use super::{Board, BoardRenderContext};

/// A kind of piece next to the board, in brackets while it is taken.
struct ReserveItem {
    kind: u8,
    text: String,
    area: Rect,
}

/// The kinds of pieces of one side, from left to right.
fn items(view: &dyn BoardView, side: Side, row: Rect) -> Vec<ReserveItem> {
    let pieces = view.pieces();
    let text = |kind: u8, piece: &Piece, count: u32, is_short: bool| match (piece.size, count) {
        (Some(_), count) if is_short => format!(" {} {count} ", view.piece_name(kind)),
        (Some(size), count) => format!(" {} {count} ", size.name()),
        (None, 1) => format!(" {} ", piece.mark),
        (None, count) => format!(" {} {count} ", piece.mark),
    };
    let texts = |side: Side, is_short: bool| -> (Vec<(u8, String)>, u16) {
        let reserve = view.reserve(side).into_iter();
        let texts = reserve.filter_map(|(kind, count)| {
            let piece = pieces.get(usize::from(kind))?;
            Some((kind, text(kind, piece, count, is_short)))
        });
        let texts: Vec<_> = texts.collect();
        let width = texts.iter().map(|(_, text)| text.len() as u16).sum();
        (texts, width)
    };
    // The side's letter and a space come first. Where the sizes of a side don't fit, both get their names in moves.
    let is_too_long = |side| texts(side, false).1 + 2 > row.width;
    let (texts, width) = texts(side, Side::BOTH.into_iter().any(is_too_long));
    let mut x = row.x + row.width.saturating_sub(width + 2) / 2 + 2;
    let items = texts.into_iter().map(|(kind, text)| {
        let area = Rect::new(x, row.y, text.len() as u16, 1);
        x += area.width;
        ReserveItem { kind, text, area }
    });
    items.collect()
}

/// Where the pieces are that can be taken.
pub(super) fn takeable(
    board: &Board,
    view: &dyn BoardView,
    rows: &[(Side, Rect)],
) -> Vec<(Rect, u8)> {
    let kinds = board.takeable_pieces(view);
    let own = rows.iter().filter(|(side, _)| *side == view.side());
    let items = own.flat_map(|(side, row)| items(view, *side, *row));
    let takeable = items.filter(|item| kinds.contains(&item.kind));
    takeable.map(|item| (item.area, item.kind)).collect()
}

/// Draws the pieces of both sides.
pub(super) fn draw(painter: &Painter<'_>, canvas: &mut BoardCanvas<'_>) {
    let (view, theme) = (painter.view, painter.theme);
    for (side, row) in &painter.layout.reserves {
        let items = items(view, *side, *row);
        let x = items
            .first()
            .map_or(row.x + row.width / 2, |item| item.area.x);
        canvas.put(
            x.saturating_sub(2),
            row.y,
            super::marks::letter(*side),
            theme.side(*side),
        );
        if items.is_empty() {
            canvas.write(x, row.y, " none left", theme.dim());
        }
        for item in items {
            let is_own = *side == view.side() && painter.context.active;
            let is_taken = is_own && painter.board.taps == [Target::Piece(item.kind)];
            let style = match (is_taken, is_own) {
                (true, _) => theme.accent().add_modifier(Modifier::REVERSED),
                (false, true) => theme.text(),
                (false, false) => theme.dim(),
            };
            canvas.write(item.area.x, row.y, &item.text, style);
            if is_taken {
                let [left, right] = theme.symbols().held.sides;
                canvas.put(item.area.x, row.y, left, style);
                canvas.put(item.area.right() - 1, row.y, right, style);
            }
        }
    }
}

/// Draws the pieces to choose from below the cell, or above it, and returns where they are.
pub(super) fn draw_chooser(
    board: &Board,
    context: &BoardRenderContext<'_>,
    canvas: &mut BoardCanvas<'_>,
) -> Vec<(Rect, u8)> {
    let (view, theme) = (context.state.view(), context.theme);
    let kinds = board.piece_choices(view);
    let Some(Target::Place(cell)) = board.taps.last() else {
        return Vec::new();
    };
    let Some(square) = board.layout.square_of(&board.shape, *cell) else {
        return Vec::new();
    };
    if kinds.is_empty() || !context.active {
        return Vec::new();
    }
    let area = canvas.area();
    let pieces = view.pieces();
    let width = (3 * kinds.len() as u16 + 2).min(area.width);
    let x = (square.x + square.width / 2).saturating_sub(width / 2);
    let x = x.clamp(area.x, area.right() - width);
    // With a border if there is room for one.
    let (y, height) = if square.bottom() + 3 <= area.bottom() {
        (square.bottom(), 3)
    } else if square.y >= area.y + 3 {
        (square.y - 3, 3)
    } else if square.bottom() < area.bottom() {
        (square.bottom(), 1)
    } else {
        (square.y.saturating_sub(1).max(area.y), 1)
    };
    let popup = Rect::new(x, y, width, height).intersection(area);
    canvas.clear(popup);
    if popup.height == 3 {
        let mut lines = GridLines::new(popup);
        lines.frame(popup, LineWeight::Light, theme.accent());
        lines.draw(canvas);
    }
    let row = popup.y + popup.height / 2;
    let items = (0..).zip(kinds).map(|(n, kind)| {
        let rect = Rect::new(popup.x + 1 + 3 * n, row, 3, 1);
        let piece = pieces.get(usize::from(kind));
        let mark = piece.map_or_else(String::new, |piece| piece.mark.to_string());
        let color = piece.and_then(Piece::color);
        let mut style = theme.color(color);
        if board.choice == Some(Target::Piece(kind)) {
            style = style.add_modifier(Modifier::REVERSED);
            let [left, right] = theme.symbols().cursor.sides;
            canvas.put(rect.x, row, left, style);
            canvas.put(rect.x + 2, row, right, style);
        }
        canvas.write(rect.x + 1, row, &mark, style);
        (rect.intersection(area), kind)
    });
    items.collect()
}
