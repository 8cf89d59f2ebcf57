//! What boards show and how they handle input, for every game.

mod input;
mod prompts;
mod random_input;
mod scenes;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use noughts_conformance::test_rng::TestRng;
use noughts_rules::{AnyGameState, Game, GameState, GameVisitor};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{Board, BoardRenderContext, BoardResponse};
use crate::tui::theme::{Background, ColorDepth, Theme};

pub(super) const PLAIN: Theme = Theme::new(ColorDepth::None, Background::Terminal, false);
pub(super) const ASCII: Theme = Theme::new(ColorDepth::None, Background::Terminal, true);

/// The board's area in an 80×24 terminal.
pub(super) const SMALL: Rect = Rect::new(0, 0, 44, 18);
pub(super) const LARGE: Rect = Rect::new(0, 0, 90, 40);

/// The game after these moves.
pub(super) fn state_after(variant: &str, moves: &str) -> AnyGameState {
    let variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    let mut state = AnyGameState::new(variant);
    for mv in moves.split_whitespace() {
        let result = state.play(mv);
        assert_eq!(result, Ok(()), "{variant}: {mv}");
    }
    state
}

/// Presses keys: letters and the tab for themselves, `<^>v` for the arrows, `!` for Enter, `~` for Esc. Returns
/// the last response.
pub(super) fn press(board: &mut Board, state: &AnyGameState, keys: &str) -> BoardResponse {
    let mut answer = BoardResponse::Ignored;
    for key in keys.chars() {
        let code = match key {
            '<' => KeyCode::Left,
            '^' => KeyCode::Up,
            '>' => KeyCode::Right,
            'v' => KeyCode::Down,
            '!' => KeyCode::Enter,
            '~' => KeyCode::Esc,
            '\t' => KeyCode::Tab,
            other => KeyCode::Char(other),
        };
        answer = board.handle_key(state, KeyEvent::from(code));
    }
    answer
}

pub(super) fn mouse(
    board: &mut Board,
    state: &AnyGameState,
    kind: MouseEventKind,
    position: Position,
) -> BoardResponse {
    let event = MouseEvent {
        kind,
        column: position.x,
        row: position.y,
        modifiers: KeyModifiers::NONE,
    };
    board.handle_mouse(state, event)
}

pub(super) fn click(board: &mut Board, state: &AnyGameState, position: Position) -> BoardResponse {
    mouse(
        board,
        state,
        MouseEventKind::Down(MouseButton::Left),
        position,
    );
    mouse(
        board,
        state,
        MouseEventKind::Up(MouseButton::Left),
        position,
    )
}

/// Draws the board for a human who may move.
pub(super) fn render(board: &mut Board, state: &AnyGameState, area: Rect) -> Buffer {
    let view = BoardRenderContext {
        state,
        theme: &PLAIN,
        active: state.outcome().is_none(),
        annotations: None,
        hint: None,
    };
    let mut buf = Buffer::empty(area);
    board.render(&view, area, &mut buf);
    buf
}

/// A random legal move. The legal moves aren't listed, since there may be half a million.
pub(super) fn random_move(state: &AnyGameState, rng: &mut TestRng) -> Option<String> {
    struct Pick<'a>(&'a mut TestRng);
    impl GameVisitor for Pick<'_> {
        type Output = Option<String>;
        fn visit<G: Game>(self, state: &GameState<G>) -> Option<String> {
            let mv = state.game().random_move(state.position(), &mut self.0.0)?;
            Some(state.game().move_text(mv))
        }
    }
    match state.outcome() {
        Some(_) => None,
        None => state.visit(Pick(rng)),
    }
}
