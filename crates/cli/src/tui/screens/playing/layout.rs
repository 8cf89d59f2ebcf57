//! The layout of the game screen: the board in the middle, the players at its sides, messages and
//! keys below.

use ratatui::layout::Rect;
use ratatui::macros::{horizontal, vertical};

use crate::tui::screens::game_parts::inset;
use crate::tui::screens::is_compact;

/// The areas of the screen; those that aren't shown are empty.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameAreas {
    pub(super) title: Rect,
    pub(super) breadcrumb: Rect,
    pub(super) board: Rect,
    /// X's panel, left of the board.
    pub(super) left: Rect,
    /// O's panel, right of the board.
    pub(super) right: Rect,
    pub(super) value_bar: Rect,
    pub(super) turn_options: Rect,
    pub(super) prompt: Rect,
    pub(super) keys: Rect,
    pub(super) notice: Rect,
    /// The game-over dialog, next to the board.
    pub(super) game_over: Rect,
    /// Both players in one line, if there is no room for their panels.
    pub(super) players: Rect,
}

/// What must be shown in addition to the board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LayoutOptions {
    pub(super) breadcrumb: bool,
    pub(super) value_bar: bool,
    /// Rows for the kinds of move.
    pub(super) turn_options: u16,
    /// A line for the tablebase build.
    pub(super) notice: bool,
    /// A move is being typed: one more line for it, and fewer keys.
    pub(super) move_input: bool,
    pub(super) game_over: bool,
}

/// The width of a dialog next to the board.
const DIALOG_WIDTH: u16 = 38;
/// The board is still large in this width.
const COMFORTABLE_BOARD_WIDTH: u16 = 44;

/// The rows of the compact layout apart from the board.
pub(super) const COMPACT_ROWS: u16 = 5;

impl GameAreas {
    /// The layout for small terminals: the board and a few lines.
    fn compact(area: Rect, options: LayoutOptions) -> GameAreas {
        let breadcrumb_rows = u16::from(options.breadcrumb);
        // The build progress isn't shown in a small terminal.
        let [
            title,
            players,
            breadcrumb,
            board,
            turn_options,
            prompt,
            keys,
        ] = vertical![==1, ==1, ==breadcrumb_rows, *=1, ==options.turn_options, ==2, ==1]
            .areas(area);
        let [bar, prompt] = match options.value_bar {
            true => vertical![==1; 2].areas(prompt),
            false => [Rect::default(), prompt],
        };
        GameAreas {
            title: inset(title),
            players: inset(players),
            breadcrumb: inset(breadcrumb),
            board,
            turn_options: inset(turn_options),
            value_bar: inset(bar),
            prompt: inset(prompt),
            keys,
            ..GameAreas::default()
        }
    }

    pub(super) fn new(area: Rect, options: LayoutOptions) -> GameAreas {
        if is_compact(area) {
            return GameAreas::compact(area, options);
        }
        let is_roomy = is_roomy(area);
        let [title, _, below] = vertical![==1, ==u16::from(is_roomy), *=1].areas(area);
        let (prompt_rows, keys) = if options.move_input { (3, 1) } else { (2, 2) };
        let gap = u16::from(is_roomy);
        let bar_rows = u16::from(options.value_bar && is_roomy);
        let notice_rows = u16::from(options.notice);
        let [main, bar, turn_options, _, prompt, _, keys, last] = vertical![
            *=1, ==bar_rows, ==options.turn_options, ==gap, ==prompt_rows, ==gap, ==keys, ==notice_rows
        ]
        .areas(below);
        // If there are few rows, the value bar takes one of the prompt's, and the board keeps its
        // size.
        let [bar, prompt] = match options.value_bar && !is_roomy {
            true => vertical![==1; 2].areas(prompt),
            false => [bar, prompt],
        };
        let side_width = side_width(area.width);
        let mut areas = GameAreas {
            title: inset(title),
            value_bar: inset(bar),
            turn_options: inset(turn_options),
            prompt: inset(prompt),
            keys,
            notice: inset(last),
            ..GameAreas::default()
        };
        let middle;
        if options.game_over && area.width < side_width + COMFORTABLE_BOARD_WIDTH + DIALOG_WIDTH {
            [middle, areas.game_over] = horizontal![*=1, ==DIALOG_WIDTH].areas(main);
        } else if options.game_over {
            [areas.left, middle, areas.game_over] =
                horizontal![==side_width, *=1, ==DIALOG_WIDTH + 6].areas(main);
        } else {
            [areas.left, middle, areas.right] =
                horizontal![==side_width, *=1, ==side_width].areas(main);
        }
        if options.game_over {
            // The dialog replaces the lines below the board.
            areas.game_over.height = areas.prompt.bottom().saturating_sub(areas.game_over.y);
            (areas.value_bar, areas.turn_options) = (Rect::default(), Rect::default());
            areas.prompt = Rect::default();
        }
        [areas.breadcrumb, areas.board] =
            vertical![==u16::from(options.breadcrumb), *=1].areas(middle);
        // One empty column on each side.
        areas.board = inset(areas.board);
        areas.breadcrumb = inset(areas.breadcrumb);
        areas
    }
}

/// Are there rows for everything, so that nothing shares those of the prompt?
pub(super) fn is_roomy(area: Rect) -> bool {
    area.height >= 32 && !is_compact(area)
}

/// The width of the side panels: the board gets most of any additional width.
fn side_width(width: u16) -> u16 {
    (18 + width.saturating_sub(80) / 5).min(32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In every configuration and size, the areas are disjoint and inside the screen.
    #[test]
    fn areas_never_overlap() {
        for bits in 0..64u8 {
            let on = |bit: u8| bits & (1 << bit) != 0;
            let options = LayoutOptions {
                breadcrumb: on(0),
                value_bar: on(1),
                turn_options: 2 * u16::from(on(2)),
                notice: on(3),
                game_over: on(4),
                move_input: on(5),
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
                let areas = GameAreas::new(area, options);
                let parts = [
                    areas.title,
                    areas.breadcrumb,
                    areas.board,
                    areas.left,
                    areas.right,
                    areas.value_bar,
                    areas.turn_options,
                    areas.prompt,
                    areas.keys,
                    areas.notice,
                    areas.game_over,
                    areas.players,
                ];
                let parts: Vec<Rect> = parts.into_iter().filter(|part| !part.is_empty()).collect();
                for (i, part) in parts.iter().enumerate() {
                    assert_eq!(area.intersection(*part), *part);
                    for other in &parts[i + 1..] {
                        assert!(
                            !part.intersects(*other),
                            "{width}x{height} {options:?} {areas:?}"
                        );
                    }
                }
                if (width, height) == (40, 12) && options.turn_options == 0 && !options.breadcrumb {
                    assert!(areas.board.height >= 7, "{options:?} {areas:?}");
                }
                if width >= 80 && height >= 24 {
                    assert!(
                        areas.board.width >= 40 && areas.board.height >= 13,
                        "{options:?} {areas:?}"
                    );
                }
            }
        }
    }
}
