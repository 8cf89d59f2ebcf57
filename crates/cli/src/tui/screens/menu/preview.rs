//! A board in mid-game that shows what a game looks like.

use noughts_rules::{AnyGameState, Family, Game, GameState, GameVisitor, Variant};
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

/// Instructive games; other variants show a random game.
const EXAMPLES: [(&str, &str); 5] = [
    ("classic", "b2 a1 c1 a3 a2"),
    ("misere", "b2 a1 c2 b3"),
    (
        "mnk:15,15,5",
        "h8 i9 i7 g9 h9 h7 g8 i8 j6 k5 f8 e8 h6 h5 g7 f7 i5 e9 k7 j7 l8",
    ),
    ("tic-tac-two", "c3 b2 d2 b4 d4 @b3 b3 @c2"),
    (
        "ultimate",
        "di id df fg gb be eh hc ch hh hd de ei ic cg gg gf fe eb bi if fa ag gd dd db bb bd dg gh \
         hf fc cc cb",
    ),
];

impl Preview {
    pub(super) fn new(variant: Variant) -> Preview {
        let mut state = AnyGameState::new(variant);
        let name = variant.to_string();
        let example = EXAMPLES.iter().find(|(game, _)| *game == name);
        let moves = match example {
            Some((_, moves)) => moves.split_whitespace().map(str::to_owned).collect(),
            None => state.visit(RandomOpening),
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
        let note = u16::from(self.is_larger_than(area));
        let [board, last] = vertical![*=1, ==note].areas(area);
        Span::styled("part of the board", theme.dim())
            .into_centered_line()
            .render(last, buf);
        let view = BoardRenderContext::inactive(&self.state, theme);
        self.board.render(&view, board, buf);
    }

    /// Is the board larger than the area, when drawn cell by cell?
    fn is_larger_than(&self, area: Rect) -> bool {
        let Family::Mnk(options) = self.variant().family() else {
            return false;
        };
        let (columns, rows, _) = options.size();
        u16::from(columns) * 2 + 2 > area.width || u16::from(rows) + 1 > area.height
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

    #[test]
    fn previews_are_unfinished_games() {
        for (name, moves) in EXAMPLES {
            let preview = Preview::new(name.parse().expect("a variant"));
            assert_eq!(
                preview.state.ply(),
                moves.split_whitespace().count(),
                "{name}"
            );
            assert_eq!(preview.state.outcome(), None, "{name}");
        }
        for name in [
            "mnk:1,1,1",
            "mnk:2,1,2",
            "mnk:16,16,5",
            "tic-tac-two:board=7",
            "ception:5c",
            "ception:depth=6",
        ] {
            let preview = Preview::new(name.parse().expect("a variant"));
            assert_eq!(preview.state.outcome(), None, "{name}");
        }
    }
}
