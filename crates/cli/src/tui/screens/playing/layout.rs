//! Where things are on the screen of a game: the board in the middle with what is
//! left, the players at its sides, and what is said in lines below.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::tui::screens::is_compact;

/// The parts. One that is not shown is empty.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Areas {
    pub(super) title: Rect,
    pub(super) breadcrumb: Rect,
    pub(super) board: Rect,
    /// X's side, left of the board.
    pub(super) left: Rect,
    /// O's side, right of the board.
    pub(super) right: Rect,
    pub(super) value_bar: Rect,
    pub(super) turn_options: Rect,
    pub(super) prompt: Rect,
    pub(super) keys: Rect,
    pub(super) notice: Rect,
    /// Beside the board, for what is said at the end of a game.
    pub(super) game_over: Rect,
    /// Both players in a line, where there is no room for their sides.
    pub(super) players: Rect,
}

/// What there is to show beside the board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LayoutOptions {
    pub(super) breadcrumb: bool,
    pub(super) value_bar: bool,
    /// Rows for the kinds of turn.
    pub(super) turn_options: u16,
    /// A line that belongs to no game.
    pub(super) notice: bool,
    /// A move is being typed: a line for it, and fewer keys to name.
    pub(super) typing: bool,
    /// The end of the game.
    pub(super) game_over: bool,
}

/// A dialog that stands beside the board takes this.
const END: u16 = 38;
/// A board is still large in this.
const BOARD: u16 = 44;

/// The rows of the compact layout that aren't the board's.
pub(super) const COMPACT_ROWS: u16 = 5;

impl Areas {
    /// The board, and a few lines: where the terminal is small.
    fn compact(area: Rect, wanted: LayoutOptions) -> Areas {
        let row = |wanted: bool| Constraint::Length(u16::from(wanted));
        let [title, players, crumb, board, options, prompt, keys, notice] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(1),
            row(wanted.breadcrumb),
            Constraint::Fill(1),
            Constraint::Length(wanted.turn_options),
            Constraint::Length(2),
            Constraint::Length(1),
            // What belongs to no game can wait for a larger window.
            row(false),
        ])
        .areas(area);
        let [bar, prompt] = match wanted.value_bar {
            true => Layout::vertical([Constraint::Length(1); 2]).areas(prompt),
            false => [Rect::default(), prompt],
        };
        Areas {
            title: inset(title),
            players: inset(players),
            breadcrumb: inset(crumb),
            board,
            turn_options: inset(options),
            value_bar: inset(bar),
            prompt: inset(prompt),
            keys,
            notice,
            ..Areas::default()
        }
    }

    pub(super) fn new(area: Rect, wanted: LayoutOptions) -> Areas {
        if is_compact(area) {
            return Areas::compact(area, wanted);
        }
        let roomy = area.height >= 32;
        let (said, keys) = if wanted.typing { (3, 1) } else { (2, 2) };
        let row = |wanted: bool, rows: u16| Constraint::Length(if wanted { rows } else { 0 });
        let [title, _, main, bar, options, _, prompt, _, keys, last] = Layout::vertical([
            Constraint::Length(1),
            row(roomy, 1),
            Constraint::Fill(1),
            row(wanted.value_bar && roomy, 1),
            Constraint::Length(wanted.turn_options),
            row(roomy, 1),
            Constraint::Length(said),
            row(roomy, 1),
            Constraint::Length(keys),
            row(wanted.notice, 1),
        ])
        .areas(area);
        // Where rows are few the bar takes one of the prompt's: the board stays as it is.
        let [bar, prompt] = match wanted.value_bar && !roomy {
            true => Layout::vertical([Constraint::Length(1); 2]).areas(prompt),
            false => [bar, prompt],
        };
        let side = side(area.width);
        let mut places = Areas {
            title: inset(title),
            value_bar: inset(bar),
            turn_options: inset(options),
            prompt: inset(prompt),
            keys,
            notice: inset(last),
            ..Areas::default()
        };
        let middle;
        if wanted.game_over && area.width < side + BOARD + END {
            [middle, places.game_over] =
                Layout::horizontal([Constraint::Fill(1), Constraint::Length(END)]).areas(main);
        } else if wanted.game_over {
            [places.left, middle, places.game_over] = Layout::horizontal([
                Constraint::Length(side),
                Constraint::Fill(1),
                Constraint::Length(END + 6),
            ])
            .areas(main);
        } else {
            [places.left, middle, places.right] = Layout::horizontal([
                Constraint::Length(side),
                Constraint::Fill(1),
                Constraint::Length(side),
            ])
            .areas(main);
        }
        if wanted.game_over {
            // What the lines below would say, the dialog says.
            places.game_over.height = places.prompt.bottom().saturating_sub(places.game_over.y);
            (places.value_bar, places.turn_options) = (Rect::default(), Rect::default());
            places.prompt = Rect::default();
        }
        [places.breadcrumb, places.board] =
            Layout::vertical([row(wanted.breadcrumb, 1), Constraint::Fill(1)]).areas(middle);
        // A column of air on either side.
        places.board = inset(places.board);
        places.breadcrumb = inset(places.breadcrumb);
        places
    }
}

/// How wide the panes at the sides are: the board gets the most of every column more.
fn side(width: u16) -> u16 {
    (18 + width.saturating_sub(80) / 5).min(32)
}

/// Without the first and the last column.
pub(super) fn inset(area: Rect) -> Rect {
    Rect {
        x: area.x + u16::from(area.width > 2),
        width: if area.width > 2 {
            area.width - 2
        } else {
            area.width
        },
        ..area
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is shown, and however small it gets: parts lie side by side, inside.
    #[test]
    fn parts_never_overlap() {
        for bits in 0..64u8 {
            let on = |bit: u8| bits & (1 << bit) != 0;
            let wanted = LayoutOptions {
                breadcrumb: on(0),
                value_bar: on(1),
                turn_options: 2 * u16::from(on(2)),
                notice: on(3),
                game_over: on(4),
                typing: on(5),
            };
            for (width, height) in [
                (80, 24),
                (100, 30),
                (140, 45),
                (300, 90),
                (1, 1),
                (20, 5),
                (40, 12),
                (79, 60),
                (200, 23),
            ] {
                let area = Rect::new(0, 0, width, height);
                let p = Areas::new(area, wanted);
                let parts = [
                    p.title,
                    p.breadcrumb,
                    p.board,
                    p.left,
                    p.right,
                    p.value_bar,
                    p.turn_options,
                    p.prompt,
                    p.keys,
                    p.notice,
                    p.game_over,
                    p.players,
                ];
                let parts: Vec<Rect> = parts.into_iter().filter(|part| !part.is_empty()).collect();
                for (i, part) in parts.iter().enumerate() {
                    assert_eq!(area.intersection(*part), *part);
                    for other in &parts[i + 1..] {
                        assert!(
                            !part.intersects(*other),
                            "{width}x{height} {wanted:?} {p:?}"
                        );
                    }
                }
                if (width, height) == (40, 12) && wanted.turn_options == 0 && !wanted.breadcrumb {
                    assert!(p.board.height >= 7, "{wanted:?} {p:?}");
                }
                if width >= 80 && height >= 24 {
                    assert!(
                        p.board.width >= 40 && p.board.height >= 13,
                        "{wanted:?} {p:?}"
                    );
                }
            }
        }
    }
}
