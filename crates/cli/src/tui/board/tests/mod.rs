//! What boards show and how they are played on, for every family.

mod input;
mod prompts;
mod random_input;
mod scenes;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use noughts_conformance::test_rng::TestRng;
use noughts_rules::{AnyGameState, Game, GameState, Visitor};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{Board, BoardResponse, BoardWidget, RenderContext};
use crate::tui::theme::{Colours, Ground, Theme};

pub(super) const PLAIN: Theme = Theme::new(Colours::None, Ground::Terminal, false);
pub(super) const ASCII: Theme = Theme::new(Colours::None, Ground::Terminal, true);

/// A terminal of 80×24 leaves the board this much.
pub(super) const SMALL: Rect = Rect::new(0, 0, 44, 18);
pub(super) const LARGE: Rect = Rect::new(0, 0, 90, 40);

/// The game after these moves.
pub(super) fn state_after(variant: &str, moves: &str) -> AnyGameState {
    let variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    let mut play = AnyGameState::new(variant);
    for mv in moves.split_whitespace() {
        let done = play.play(mv);
        assert_eq!(done, Ok(()), "{variant}: {mv}");
    }
    play
}

/// Presses keys: letters for themselves, `<^>v` for the arrows, `!` for Enter, `~` for
/// Esc. Gives the last answer.
pub(super) fn press(board: &mut Board, play: &AnyGameState, keys: &str) -> BoardResponse {
    let mut answer = BoardResponse::Ignored;
    for key in keys.chars() {
        let code = match key {
            '<' => KeyCode::Left,
            '^' => KeyCode::Up,
            '>' => KeyCode::Right,
            'v' => KeyCode::Down,
            '!' => KeyCode::Enter,
            '~' => KeyCode::Esc,
            other => KeyCode::Char(other),
        };
        answer = board.handle_key(play, KeyEvent::from(code));
    }
    answer
}

pub(super) fn mouse(
    board: &mut Board,
    play: &AnyGameState,
    kind: MouseEventKind,
    at: Position,
) -> BoardResponse {
    let event = MouseEvent {
        kind,
        column: at.x,
        row: at.y,
        modifiers: KeyModifiers::NONE,
    };
    board.handle_mouse(play, event)
}

pub(super) fn click(board: &mut Board, play: &AnyGameState, at: Position) -> BoardResponse {
    mouse(board, play, MouseEventKind::Down(MouseButton::Left), at);
    mouse(board, play, MouseEventKind::Up(MouseButton::Left), at)
}

/// Draws the board of a person who may move.
pub(super) fn render(board: &mut Board, play: &AnyGameState, area: Rect) -> Buffer {
    let view = RenderContext {
        state: play,
        theme: &PLAIN,
        active: play.outcome().is_none(),
        annotations: None,
        hint: None,
    };
    let mut buf = Buffer::empty(area);
    board.render(&view, area, &mut buf);
    buf
}

/// A random legal move, without a list of all of them: there may be half a million.
pub(super) fn random_move(play: &AnyGameState, dice: &mut TestRng) -> Option<String> {
    struct Pick<'a>(&'a mut TestRng);
    impl Visitor for Pick<'_> {
        type Output = Option<String>;
        fn visit<G: Game>(self, play: &GameState<G>) -> Option<String> {
            let mv = play.game().random_move(play.position(), &mut self.0.0)?;
            Some(play.game().move_text(mv))
        }
    }
    match play.outcome() {
        Some(_) => None,
        None => play.visit(Pick(dice)),
    }
}
