//! What keys and the mouse do on the screen of a game. The board is asked first
//! wherever it may want a key: in a half-made move letters are directions.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};
use noughts_store::Assistance;

use super::dialogs::Destination;
use super::{GameScreen, MAX_MOVE_CHARS, Notice};
use crate::tui::app_context::AppContext;
use crate::tui::board::BoardResponse;
use crate::tui::screens::Navigation;
use crate::tui::widgets::{KeyWord, TextInput};
use noughts_session::{GameAction, player_input};

impl GameScreen {
    pub(super) fn handle_key(&mut self, key: KeyEvent, house: &mut AppContext) -> Navigation {
        if self.dialog.is_some() {
            return self.dialog_key(key, house);
        }
        self.notice = None;
        if self.typing.is_some() {
            self.type_move(key, house);
            return Navigation::Stay;
        }
        if key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
        {
            return Navigation::Stay;
        }
        if self.before_board(key, house) {
            return Navigation::Stay;
        }
        if self.board_takes(key) {
            let answer = self.board.handle_key(self.game.state(), key);
            if answer != BoardResponse::Ignored {
                self.answered(answer, house);
                return Navigation::Stay;
            }
        }
        self.own_key(key, house)
    }

    /// Keys that mean the same to every board, but something else here and now.
    fn before_board(&mut self, key: KeyEvent, house: &mut AppContext) -> bool {
        match key.code {
            KeyCode::Enter if self.game.result().is_some() => {
                self.dialog = Some(self.end_dialog(house));
            }
            KeyCode::Char(' ') if self.is_watching() => {
                let paused = self.playback.is_paused();
                self.playback.set_paused(!paused);
            }
            KeyCode::Home if self.board.way_back(self.game.state()).is_some() => {
                self.board.sync(self.game.state());
            }
            KeyCode::Esc if !self.board.has_partial_move() => self.escape(),
            _ => return false,
        }
        true
    }

    /// Esc takes away what lies on the board, else makes the computer move.
    fn escape(&mut self) {
        if self.advisor.hint().is_some() || self.advisor.is_pending() {
            self.advisor.forget_tip();
        } else if self.bots.failure().is_some() {
            self.bots.stop();
        } else if self.game.person_moves() {
            if self.board.way_back(self.game.state()).is_some() {
                self.board.sync(self.game.state());
            }
        } else {
            self.bots.force_move();
        }
    }

    /// When nobody is to move, one may still look around.
    fn board_takes(&self, key: KeyEvent) -> bool {
        let looks = matches!(
            key.code,
            KeyCode::Up
                | KeyCode::Down
                | KeyCode::Left
                | KeyCode::Right
                | KeyCode::Char('h' | 'j' | 'k' | 'l' | 'z' | 'Z')
        );
        self.game.person_moves() || looks
    }

    fn answered(&mut self, answer: BoardResponse, house: &mut AppContext) {
        match answer {
            BoardResponse::Ignored | BoardResponse::Redraw => {}
            // One only looks around.
            BoardResponse::Rejected(_) | BoardResponse::Move(_) if !self.game.person_moves() => {}
            BoardResponse::Rejected(reason) => self.notice = Some(Notice::Error(reason)),
            BoardResponse::Move(mv) => self.submit(GameAction::Move(mv), house),
        }
    }

    fn own_key(&mut self, key: KeyEvent, house: &mut AppContext) -> Navigation {
        let running = self.game.result().is_none();
        let KeyCode::Char(letter) = key.code else {
            return Navigation::Stay;
        };
        match letter {
            '?' => self.show_rules(&house.theme),
            'n' => return self.ask_to_leave(Destination::Menu, house),
            'q' => return self.ask_to_leave(Destination::Quit, house),
            'a' if running => self.switch_analysis(house),
            '/' if self.game.person_moves() => {
                self.typing = Some(TextInput::new("", MAX_MOVE_CHARS))
            }
            't' if self.game.person_moves() => self.take_hint(house),
            'u' if running => self.undo(house),
            'r' if running => self.redo(house),
            'R' => return self.ask_to_leave(Destination::Restart, house),
            's' if running => self.ask_side(),
            'x' if running => self.ask_to_settle(),
            '+' | '=' if self.is_watching() => self.playback.faster(),
            '-' if self.is_watching() => self.playback.slower(),
            '.' if self.is_watching() => self.playback.step_once(),
            _ => {}
        }
        Navigation::Stay
    }

    /// Two computers play, and people only look on.
    pub(super) fn is_watching(&self) -> bool {
        self.game.is_bots_only() && self.game.result().is_none()
    }

    fn take_hint(&mut self, house: &mut AppContext) {
        if self.record_assistance(Assistance::Hint, house) {
            self.advisor.ask_tip(self.game.state(), house);
        }
    }

    fn undo(&mut self, house: &mut AppContext) {
        if !self.game.can_undo {
            self.notice = Some(Notice::Error("there is no move to take back".into()));
            return;
        }
        // Else the computer would make the move again at once.
        if self.is_watching() {
            self.playback.set_paused(true);
        }
        self.step_instead(GameAction::TakeBack, house);
    }

    fn redo(&mut self, house: &mut AppContext) {
        if !self.game.can_redo {
            self.notice = Some(Notice::Error("there is no move to make again".into()));
            return;
        }
        self.step_instead(GameAction::Redo, house);
    }

    /// A move as text. A refusal leaves what was typed, to be edited; typing anew
    /// replaces it.
    fn type_move(&mut self, key: KeyEvent, house: &mut AppContext) {
        let stale = std::mem::take(&mut self.input_rejected);
        let Some(field) = &mut self.typing else {
            return;
        };
        match key.code {
            KeyCode::Char(_)
                if stale && key.modifiers.difference(KeyModifiers::SHIFT).is_empty() =>
            {
                *field = TextInput::new("", MAX_MOVE_CHARS);
                field.handle_key(key);
            }
            KeyCode::Esc => self.typing = None,
            KeyCode::Enter => {
                let text = field.text().trim().to_owned();
                if text.is_empty() {
                    self.typing = None;
                } else if self.game.person_moves() {
                    match player_input::parse_move(&text, self.game.state()) {
                        Ok(mv) => self.submit(GameAction::Move(mv), house),
                        Err(reason) => {
                            self.notice = Some(Notice::Error(reason));
                            self.input_rejected = true;
                        }
                    }
                }
            }
            _ => {
                field.handle_key(key);
            }
        }
    }

    pub(super) fn handle_mouse(&mut self, mouse: MouseEvent, house: &mut AppContext) -> Navigation {
        if self.dialog.is_some() {
            return self.dialog_mouse(mouse, house);
        }
        if let Some(key) = self.key_hint_bar.handle_mouse(mouse) {
            return self.handle_key(key, house);
        }
        if self.move_list.contains(mouse.column, mouse.row) {
            match mouse.kind {
                MouseEventKind::ScrollUp => self.move_list.scroll(1),
                MouseEventKind::ScrollDown => self.move_list.scroll(-1),
                _ => {}
            }
            return Navigation::Stay;
        }
        let looks = matches!(
            mouse.kind,
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown | MouseEventKind::Moved
        );
        let deep = self.board.breadcrumb(self.game.state()).is_some();
        if self.game.person_moves() || looks || deep {
            let answer = self.board.handle_mouse(self.game.state(), mouse);
            if !matches!(answer, BoardResponse::Ignored | BoardResponse::Redraw) {
                self.notice = None;
            }
            self.answered(answer, house);
        }
        Navigation::Stay
    }

    /// The keys that do something now, the most important ones first.
    pub(super) fn key_hints(&self) -> Vec<KeyWord> {
        if self.typing.is_some() {
            return vec![
                KeyWord::new("Enter", "makes the move", KeyCode::Enter),
                KeyWord::new("Esc", "back to the board", KeyCode::Esc),
            ];
        }
        if self.board.has_partial_move() {
            // Other letters may be directions now.
            return vec![
                KeyWord::new("Enter", "play", KeyCode::Enter),
                KeyWord::new("Esc", "cancel", KeyCode::Esc),
                KeyWord::letter("?", "help"),
                KeyWord::letter("q", "quit"),
            ];
        }
        let mut words = Vec::new();
        if self.game.result().is_some() {
            words.push(KeyWord::new("Enter", "what next", KeyCode::Enter));
        }
        if self.is_watching() {
            self.watching_keys(&mut words);
        }
        self.moving_keys(&mut words);
        if self.game.can_undo {
            words.push(KeyWord::letter("u", "undo"));
        }
        if self.game.can_redo {
            words.push(KeyWord::letter("r", "redo"));
        }
        if self.game.result().is_none() {
            let analysis = match self.advisor.is_on() {
                true => "analysis off",
                false => "analysis",
            };
            words.push(KeyWord::letter("a", analysis));
            words.push(KeyWord::letter("s", "hand over"));
            let end = match self.game.side_of_person() {
                Some(_) => "resign, draw",
                None => "end",
            };
            words.push(KeyWord::letter("x", end));
        }
        words.push(KeyWord::letter("?", "help"));
        words.push(KeyWord::letter("R", "restart"));
        words.push(KeyWord::letter("n", "new"));
        words.push(KeyWord::letter("q", "quit"));
        words
    }

    fn watching_keys(&self, words: &mut Vec<KeyWord>) {
        let pause = match self.playback.is_paused() {
            true => "go on",
            false => "pause",
        };
        words.push(KeyWord::new("Space", pause, KeyCode::Char(' ')));
        words.push(KeyWord::letter(".", "one move"));
        words.push(KeyWord::letter("+", "faster"));
        words.push(KeyWord::letter("-", "slower"));
    }

    fn moving_keys(&self, words: &mut Vec<KeyWord>) {
        if self.game.person_moves() {
            let enter = match self.board.enter_zooms_in() {
                true => "look closer",
                false => "play",
            };
            words.push(KeyWord::new("Enter", enter, KeyCode::Enter));
            words.push(KeyWord::letter("/", "type"));
            words.push(KeyWord::letter("t", "hint"));
        } else if self.bots.at_work().is_some() {
            words.push(KeyWord::new("Esc", "move now", KeyCode::Esc));
        }
        if let Some(back) = self.board.way_back(self.game.state()) {
            let key = match self.game.person_moves() {
                true => "Esc",
                false => "Home",
            };
            words.push(KeyWord::new(key, back, KeyCode::Home));
        }
        if self.board.breadcrumb(self.game.state()).is_some() {
            words.push(KeyWord::new("z Z", "zoom", KeyCode::Char('z')));
        }
    }
}
