//! A board in mid-game that shows what a game looks like.

use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, Variant};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::macros::vertical;
use ratatui::text::Span;
use ratatui::widgets::Widget;

use crate::tui::board::{Board, BoardRenderContext};
use crate::tui::theme::Theme;

pub(super) struct Preview {
    state: AnyGameState,
    board: Board,
}

impl Preview {
    pub(super) fn new(variant: Variant) -> Preview {
        let mut state = AnyGameState::new(variant);
        let sample = variant.preset().map_or(&[][..], |preset| preset.sample);
        let moves = match sample {
            [] => state.visit(RandomOpening),
            moves => moves.iter().map(|&mv| mv.to_owned()).collect(),
        };
        for mv in moves {
            if state.play(&mv).is_err() {
                break;
            }
        }
        let board = Board::new(&state);
        Preview { state, board }
    }

    pub(super) fn variant(&self) -> Variant {
        self.state.variant()
    }

    pub(super) fn render(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let note = u16::from(!self.board.fits(area));
        let [board, last] = vertical![*=1, ==note].areas(area);
        Span::styled("part of the board", theme.dim())
            .into_centered_line()
            .render(last, buf);
        let view = BoardRenderContext::inactive(&self.state, theme);
        self.board.render(&view, board, buf);
    }
}

/// The first moves of a random game with a fixed seed. They stop well before the game ends.
struct RandomOpening;

impl GameVisitor for RandomOpening {
    type Output = Vec<String>;

    fn visit<G: Game>(self, state: &GameState<G>) -> Vec<String> {
        /// Enough to see something on the largest board.
        const MAX_MOVES: usize = 400;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let game = state.game();
        let mut position = state.position().clone();
        let count = (game.count_moves(&position) * 2 / 5).min(MAX_MOVES);
        let mut moves = Vec::new();
        for _ in 0..count {
            let Some(mv) = game.random_move(&position, &mut rng) else {
                break;
            };
            game.apply(&mut position, mv);
            if game.outcome(&position).is_some() {
                break;
            }
            moves.push(game.move_text(mv));
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::testing::row_text;

    /// The preview of a variant in a room as large as that of an 80×24 terminal.
    fn small_preview(variant: &str) -> String {
        let area = Rect::new(0, 0, 28, 13);
        let mut buf = Buffer::empty(area);
        let mut preview = Preview::new(variant.parse().expect("a variant"));
        preview.render(&crate::tui::testing::theme(), area, &mut buf);
        let rows = area.rows().map(|row| row_text(&buf, row.y) + "\n");
        rows.collect()
    }

    /// All 64 cells were shown with the note that some are missing.
    #[test]
    fn only_a_part_of_a_board_has_a_note() {
        let note = "part of the board";
        for (variant, is_part) in [("qubic", false), ("classic", false), ("mnk:16,16,5", true)] {
            let text = small_preview(variant);
            assert_eq!(text.contains(note), is_part, "{variant}\n{text}");
        }
    }

    #[test]
    fn reserves_fit_into_a_small_preview() {
        let text = small_preview("gobblers");
        assert!(text.contains("O  s 1  m 1  l 1"), "{text}");
        assert!(text.contains("X  s 1  l 1"), "{text}");
        assert!(!text.contains("large"), "{text}");
    }

    #[test]
    fn previews_show_the_samples_of_presets_or_unfinished_games() {
        for (variant, preset) in noughts_rules::games::presets() {
            let preview = Preview::new(variant);
            match preset.sample {
                [] => assert_eq!(preview.state.outcome(), None, "{}", preset.name),
                moves => assert_eq!(preview.state.moves(), moves, "{}", preset.name),
            }
        }
        for name in [
            "mnk:1,1,1",
            "mnk:2,1,2",
            "mnk:16,16,5",
            "tic-tac-two:board=7",
            "ception:5c",
            "ception:depth=6",
            "gravity:1,1,1",
            "cube:5",
        ] {
            let preview = Preview::new(name.parse().expect("a variant"));
            assert_eq!(preview.state.outcome(), None, "{name}");
        }
    }
}
