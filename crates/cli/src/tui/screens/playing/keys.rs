//! Keys and mouse on the game screen. The board gets keys first where it may need them: during a
//! partial move letters are directions.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};
use noughts_rules::Assistance;

use super::dialogs::Destination;
use super::{GameScreen, MAX_MOVE_CHARS, Notice};
use crate::tui::app_context::AppContext;
use crate::tui::board::BoardResponse;
use crate::tui::event::is_shortcut;
use crate::tui::screens::Navigation;
use crate::tui::widgets::{KeyHint, TextInput};
use noughts_session::{GameAction, player_input};
use noughts_text::Action;

impl GameScreen {
    pub(super) fn handle_key(&mut self, key: KeyEvent, context: &mut AppContext) -> Navigation {
        self.notice = None;
        if self.move_input.is_some() {
            self.type_move(key, context);
            return Navigation::Stay;
        }
        if is_shortcut(key) || self.handle_key_before_board(key, context) {
            return Navigation::Stay;
        }
        if self.board_accepts(key) {
            let response = self.board.handle_key(self.game.state(), key);
            if response != BoardResponse::Ignored {
                self.handle_response(response, context);
                return Navigation::Stay;
            }
        }
        self.handle_screen_key(key, context)
    }

    /// Keys that override the board's in certain states.
    fn handle_key_before_board(&mut self, key: KeyEvent, context: &mut AppContext) -> bool {
        match key.code {
            KeyCode::Enter if self.game.result().is_some() => {
                self.dialog = self.game_over_dialog(context);
            }
            KeyCode::Char(' ') if self.is_watching() => {
                self.playback.set_paused(!self.playback.paused);
            }
            KeyCode::Home if self.board.way_back(self.game.state()).is_some() => {
                self.board.sync(self.game.state());
            }
            KeyCode::Esc if !self.board.has_partial_move() => self.escape(),
            _ => return false,
        }
        true
    }

    /// Esc removes a hint or an error, otherwise makes the bot move.
    fn escape(&mut self) {
        if self.advisor.hint.is_some() || self.advisor.pending.is_some() {
            self.advisor.clear_hint();
        } else if self.bots.failure.is_some() {
            self.bots.stop();
        } else if self.game.is_human_to_move() {
            if self.board.way_back(self.game.state()).is_some() {
                self.board.sync(self.game.state());
            }
        } else {
            self.bots.force_move();
        }
    }

    /// If no human is to move, the player may still look around on the board.
    fn board_accepts(&self, key: KeyEvent) -> bool {
        let only_looks = matches!(
            key.code,
            KeyCode::Up
                | KeyCode::Down
                | KeyCode::Left
                | KeyCode::Right
                | KeyCode::Char('h' | 'j' | 'k' | 'l' | 'z' | 'Z')
        );
        self.game.is_human_to_move() || only_looks
    }

    fn handle_response(&mut self, response: BoardResponse, context: &mut AppContext) {
        match response {
            BoardResponse::Ignored | BoardResponse::Redraw => {}
            // The player is only looking around.
            BoardResponse::Rejected(_) | BoardResponse::Move(_)
                if !self.game.is_human_to_move() => {}
            BoardResponse::Rejected(reason) => self.notice = Some(Notice::Error(reason)),
            BoardResponse::Move(mv) => self.submit(GameAction::Move(mv), context),
        }
    }

    fn handle_screen_key(&mut self, key: KeyEvent, context: &mut AppContext) -> Navigation {
        let running = self.game.result().is_none();
        let KeyCode::Char(letter) = key.code else {
            return Navigation::Stay;
        };
        match Action::from_key(letter) {
            Some(Action::Help) => self.show_help(&context.theme),
            Some(Action::NewGame) => return self.confirm_leave(Destination::Menu, context),
            Some(Action::Quit) => return self.confirm_leave(Destination::Quit, context),
            Some(Action::Restart) => return self.confirm_leave(Destination::Restart, context),
            Some(Action::TypeMove) if self.game.is_human_to_move() => {
                self.move_input = Some(TextInput::new("", MAX_MOVE_CHARS));
            }
            Some(Action::Hint) if self.game.is_human_to_move() => {
                self.request_assistance(Assistance::Hint, context);
            }
            Some(Action::Analysis) if self.advisor.analysis_on => {
                self.toggle_analysis(context);
            }
            Some(Action::Analysis) if running => {
                self.request_assistance(Assistance::Analysis, context);
            }
            Some(Action::TakeBack) if self.game.can_undo => {
                self.request_assistance(Assistance::Takeback, context);
            }
            Some(Action::TakeBack) if running => self.reject("no move to take back"),
            Some(Action::Redo) if self.game.can_redo => {
                self.submit_interrupting(GameAction::Redo, context);
            }
            Some(Action::Redo) if running => self.reject("no move to redo"),
            Some(Action::HandOver) if running => self.ask_side_to_hand_over(),
            Some(Action::EndGame) if running => self.ask_to_end_game(),
            Some(Action::Faster) if self.is_watching() => {
                self.playback.speed = self.playback.speed.faster();
            }
            Some(Action::Slower) if self.is_watching() => {
                self.playback.speed = self.playback.speed.slower();
            }
            Some(Action::Step) if self.is_watching() => self.playback.step_once(),
            _ => {}
        }
        Navigation::Stay
    }

    pub(super) fn reject(&mut self, reason: impl Into<String>) {
        self.notice = Some(Notice::Error(reason.into()));
    }

    /// Are two bots playing?
    pub(super) fn is_watching(&self) -> bool {
        self.game.is_bots_only() && self.game.result().is_none()
    }

    /// Edits the typed move. After a rejection the text stays for editing, and typing a character
    /// replaces it.
    fn type_move(&mut self, key: KeyEvent, context: &mut AppContext) {
        let was_rejected = std::mem::take(&mut self.input_rejected);
        let Some(input) = &mut self.move_input else {
            return;
        };
        match key.code {
            KeyCode::Char(_)
                if was_rejected && key.modifiers.difference(KeyModifiers::SHIFT).is_empty() =>
            {
                *input = TextInput::new("", MAX_MOVE_CHARS);
                input.handle_key(key);
            }
            KeyCode::Esc => self.move_input = None,
            KeyCode::Enter => {
                let text = input.text().trim().to_owned();
                if text.is_empty() {
                    self.move_input = None;
                } else if self.game.is_human_to_move() {
                    match player_input::parse_move(&text, self.game.state()) {
                        Ok(mv) => self.submit(GameAction::Move(mv), context),
                        Err(reason) => {
                            self.notice = Some(Notice::Error(reason));
                            self.input_rejected = true;
                        }
                    }
                }
            }
            _ => {
                input.handle_key(key);
            }
        }
    }

    pub(super) fn handle_mouse(
        &mut self,
        mouse: MouseEvent,
        context: &mut AppContext,
    ) -> Navigation {
        if let Some(key) = self.key_hint_bar.handle_mouse(mouse) {
            return self.handle_key(key, context);
        }
        if self.move_list.contains(mouse.column, mouse.row) {
            match mouse.kind {
                MouseEventKind::ScrollUp => self.move_list.scroll(1),
                MouseEventKind::ScrollDown => self.move_list.scroll(-1),
                _ => {}
            }
            return Navigation::Stay;
        }
        let only_looks = matches!(
            mouse.kind,
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown | MouseEventKind::Moved
        );
        let is_deep = self.board.breadcrumb(self.game.state()).is_some();
        if self.game.is_human_to_move() || only_looks || is_deep {
            let response = self.board.handle_mouse(self.game.state(), mouse);
            // As with keys, a new action replaces the notice. Moving the mouse doesn't: the notice would vanish unread.
            let is_action = matches!(
                mouse.kind,
                MouseEventKind::Down(_) | MouseEventKind::ScrollUp | MouseEventKind::ScrollDown
            );
            match response {
                BoardResponse::Redraw if is_action => self.notice = None,
                BoardResponse::Rejected(_) | BoardResponse::Move(_) => self.notice = None,
                BoardResponse::Redraw | BoardResponse::Ignored => {}
            }
            self.handle_response(response, context);
        }
        Navigation::Stay
    }

    /// The keys that do something now, most important first.
    pub(super) fn key_hints(&self) -> Vec<KeyHint> {
        if self.move_input.is_some() {
            return vec![
                KeyHint::new("Enter", "play", KeyCode::Enter),
                KeyHint::new("Esc", "cancel", KeyCode::Esc),
            ];
        }
        if self.board.has_partial_move() {
            // Other letters may be directions now.
            return vec![
                KeyHint::new("Enter", "play", KeyCode::Enter),
                KeyHint::new("Esc", "cancel", KeyCode::Esc),
                KeyHint::action(Action::Help),
                KeyHint::action(Action::Quit),
            ];
        }
        let mut hints = Vec::new();
        if self.game.result().is_some() {
            hints.push(KeyHint::new("Enter", "options", KeyCode::Enter));
        }
        if self.is_watching() {
            hints.push(match self.playback.paused {
                true => KeyHint::new("Space", "continue", KeyCode::Char(' ')),
                false => KeyHint::action(Action::Pause),
            });
            hints.extend([Action::Step, Action::Faster, Action::Slower].map(KeyHint::action));
        }
        self.add_move_keys(&mut hints);
        if self.game.can_undo {
            hints.push(KeyHint::action(Action::TakeBack));
        }
        if self.game.can_redo {
            hints.push(KeyHint::action(Action::Redo));
        }
        if self.game.result().is_none() {
            hints.push(match self.advisor.analysis_on {
                true => KeyHint::letter("a", "hide analysis"),
                false => KeyHint::action(Action::Analysis),
            });
            hints.push(KeyHint::action(Action::HandOver));
            hints.push(match self.game.human_side() {
                Some(_) => KeyHint::action(Action::EndGame),
                None => KeyHint::letter("x", "end"),
            });
        }
        let always = [Action::Help, Action::Restart, Action::NewGame, Action::Quit];
        hints.extend(always.map(KeyHint::action));
        hints
    }

    fn add_move_keys(&self, hints: &mut Vec<KeyHint>) {
        if self.game.is_human_to_move() {
            let enter = match self.board.enter_zooms_in() {
                true => "zoom in",
                false => "play",
            };
            hints.push(KeyHint::new("Enter", enter, KeyCode::Enter));
            hints.extend([Action::TypeMove, Action::Hint].map(KeyHint::action));
        } else if self.bots.turn.is_some() {
            hints.push(KeyHint::new("Esc", "move now", KeyCode::Esc));
        }
        if let Some(back) = self.board.way_back(self.game.state()) {
            let key = match self.game.is_human_to_move() {
                true => "Esc",
                false => "Home",
            };
            hints.push(KeyHint::new(key, back, KeyCode::Home));
        }
        if self.board.breadcrumb(self.game.state()).is_some() {
            hints.push(KeyHint::new("z Z", "zoom", KeyCode::Char('z')));
        }
    }
}
