//! What keys and the mouse do on the screen of a game. The board is asked first
//! wherever it may want a key: in a half-made move letters are directions.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};
use noughts_store::Assistance;

use super::dialogs::Destination;
use super::{LONGEST_MOVE, Notice, Playing};
use crate::tui::board::Answer;
use crate::tui::house::House;
use crate::tui::screens::Next;
use crate::tui::widgets::{Field, KeyWord};
use noughts_session::{Step, typed};

impl Playing {
    pub(super) fn key(&mut self, key: KeyEvent, house: &mut House) -> Next {
        if self.open.is_some() {
            return self.dialog_key(key, house);
        }
        self.notice = None;
        if self.typing.is_some() {
            self.type_move(key, house);
            return Next::Stay;
        }
        if key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT)
        {
            return Next::Stay;
        }
        if self.before_board(key, house) {
            return Next::Stay;
        }
        if self.board_takes(key) {
            let answer = self.board.key(self.table.play(), key);
            if answer != Answer::Ignored {
                self.answered(answer, house);
                return Next::Stay;
            }
        }
        self.own_key(key, house)
    }

    /// Keys that mean the same to every board, but something else here and now.
    fn before_board(&mut self, key: KeyEvent, house: &mut House) -> bool {
        match key.code {
            KeyCode::Enter if self.table.over().is_some() => {
                self.open = Some(self.end_dialog(house));
            }
            KeyCode::Char(' ') if self.is_watching() => {
                let paused = self.pace.is_paused();
                self.pace.pause(!paused);
            }
            KeyCode::Home if self.board.away(self.table.play()).is_some() => {
                self.board.follow(self.table.play());
            }
            KeyCode::Esc if !self.board.half_made() => self.escape(),
            _ => return false,
        }
        true
    }

    /// Esc takes away what lies on the board, else makes the computer move.
    fn escape(&mut self) {
        if self.advice.tip().is_some() || self.advice.is_asked() {
            self.advice.forget_tip();
        } else if self.computers.broken().is_some() {
            self.computers.stop();
        } else if self.table.person_moves() {
            if self.board.away(self.table.play()).is_some() {
                self.board.follow(self.table.play());
            }
        } else {
            self.computers.hurry();
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
        self.table.person_moves() || looks
    }

    fn answered(&mut self, answer: Answer, house: &mut House) {
        match answer {
            Answer::Ignored | Answer::Redraw => {}
            // One only looks around.
            Answer::Refused(_) | Answer::Move(_) if !self.table.person_moves() => {}
            Answer::Refused(reason) => self.notice = Some(Notice::Refused(reason)),
            Answer::Move(mv) => self.step(Step::Move(mv), house),
        }
    }

    fn own_key(&mut self, key: KeyEvent, house: &mut House) -> Next {
        let running = self.table.over().is_none();
        let KeyCode::Char(letter) = key.code else {
            return Next::Stay;
        };
        match letter {
            '?' => self.show_rules(&house.look),
            'n' => return self.ask_to_leave(Destination::Menu, house),
            'q' => return self.ask_to_leave(Destination::Quit, house),
            'a' if running => self.switch_analysis(house),
            '/' if self.table.person_moves() => self.typing = Some(Field::new("", LONGEST_MOVE)),
            't' if self.table.person_moves() => self.take_hint(house),
            'u' if running => self.undo(house),
            'r' if running => self.redo(house),
            'R' => return self.ask_to_leave(Destination::Restart, house),
            's' if running => self.ask_side(),
            'x' if running => self.ask_to_settle(),
            '+' | '=' if self.is_watching() => self.pace.faster(),
            '-' if self.is_watching() => self.pace.slower(),
            '.' if self.is_watching() => self.pace.step(),
            _ => {}
        }
        Next::Stay
    }

    /// Two computers play, and people only look on.
    pub(super) fn is_watching(&self) -> bool {
        self.table.is_watched() && self.table.over().is_none()
    }

    fn take_hint(&mut self, house: &mut House) {
        if self.assist(Assistance::Hint, house) {
            self.advice.ask_tip(self.table.play(), house);
        }
    }

    fn undo(&mut self, house: &mut House) {
        if !self.table.can_undo {
            self.notice = Some(Notice::Refused("there is no move to take back".into()));
            return;
        }
        // Else the computer would make the move again at once.
        if self.is_watching() {
            self.pace.pause(true);
        }
        self.step_instead(Step::Undo, house);
    }

    fn redo(&mut self, house: &mut House) {
        if !self.table.can_redo {
            self.notice = Some(Notice::Refused("there is no move to make again".into()));
            return;
        }
        self.step_instead(Step::Redo, house);
    }

    /// A move as text. A refusal leaves what was typed, to be edited; typing anew
    /// replaces it.
    fn type_move(&mut self, key: KeyEvent, house: &mut House) {
        let stale = std::mem::take(&mut self.stale);
        let Some(field) = &mut self.typing else {
            return;
        };
        match key.code {
            KeyCode::Char(_)
                if stale && key.modifiers.difference(KeyModifiers::SHIFT).is_empty() =>
            {
                *field = Field::new("", LONGEST_MOVE);
                field.key(key);
            }
            KeyCode::Esc => self.typing = None,
            KeyCode::Enter => {
                let text = field.text().trim().to_owned();
                if text.is_empty() {
                    self.typing = None;
                } else if self.table.person_moves() {
                    match typed::legal_move(&text, self.table.play()) {
                        Ok(mv) => self.step(Step::Move(mv), house),
                        Err(reason) => {
                            self.notice = Some(Notice::Refused(reason));
                            self.stale = true;
                        }
                    }
                }
            }
            _ => {
                field.key(key);
            }
        }
    }

    pub(super) fn mouse(&mut self, mouse: MouseEvent, house: &mut House) -> Next {
        if self.open.is_some() {
            return self.dialog_mouse(mouse, house);
        }
        if let Some(key) = self.key_line.mouse(mouse) {
            return self.key(key, house);
        }
        if self.moves.contains(mouse.column, mouse.row) {
            match mouse.kind {
                MouseEventKind::ScrollUp => self.moves.scroll(1),
                MouseEventKind::ScrollDown => self.moves.scroll(-1),
                _ => {}
            }
            return Next::Stay;
        }
        let looks = matches!(
            mouse.kind,
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown | MouseEventKind::Moved
        );
        let deep = self.board.breadcrumb(self.table.play()).is_some();
        if self.table.person_moves() || looks || deep {
            let answer = self.board.mouse(self.table.play(), mouse);
            if !matches!(answer, Answer::Ignored | Answer::Redraw) {
                self.notice = None;
            }
            self.answered(answer, house);
        }
        Next::Stay
    }

    /// The keys that do something now, the most important ones first.
    pub(super) fn key_words(&self) -> Vec<KeyWord> {
        if self.typing.is_some() {
            return vec![
                KeyWord::new("Enter", "makes the move", KeyCode::Enter),
                KeyWord::new("Esc", "back to the board", KeyCode::Esc),
            ];
        }
        if self.board.half_made() {
            // Other letters may be directions now.
            return vec![
                KeyWord::new("Enter", "play", KeyCode::Enter),
                KeyWord::new("Esc", "cancel", KeyCode::Esc),
                KeyWord::letter("?", "help"),
                KeyWord::letter("q", "quit"),
            ];
        }
        let mut words = Vec::new();
        if self.table.over().is_some() {
            words.push(KeyWord::new("Enter", "what next", KeyCode::Enter));
        }
        if self.is_watching() {
            self.watching_keys(&mut words);
        }
        self.moving_keys(&mut words);
        if self.table.can_undo {
            words.push(KeyWord::letter("u", "undo"));
        }
        if self.table.can_redo {
            words.push(KeyWord::letter("r", "redo"));
        }
        if self.table.over().is_none() {
            let analysis = match self.advice.is_on() {
                true => "analysis off",
                false => "analysis",
            };
            words.push(KeyWord::letter("a", analysis));
            words.push(KeyWord::letter("s", "hand over"));
            let end = match self.table.side_of_person() {
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
        let pause = match self.pace.is_paused() {
            true => "go on",
            false => "pause",
        };
        words.push(KeyWord::new("Space", pause, KeyCode::Char(' ')));
        words.push(KeyWord::letter(".", "one move"));
        words.push(KeyWord::letter("+", "faster"));
        words.push(KeyWord::letter("-", "slower"));
    }

    fn moving_keys(&self, words: &mut Vec<KeyWord>) {
        if self.table.person_moves() {
            let enter = match self.board.looks_closer() {
                true => "look closer",
                false => "play",
            };
            words.push(KeyWord::new("Enter", enter, KeyCode::Enter));
            words.push(KeyWord::letter("/", "type"));
            words.push(KeyWord::letter("t", "hint"));
        } else if self.computers.at_work().is_some() {
            words.push(KeyWord::new("Esc", "move now", KeyCode::Esc));
        }
        if let Some(back) = self.board.away(self.table.play()) {
            let key = match self.table.person_moves() {
                true => "Esc",
                false => "Home",
            };
            words.push(KeyWord::new(key, back, KeyCode::Home));
        }
        if self.board.breadcrumb(self.table.play()).is_some() {
            words.push(KeyWord::new("z Z", "zoom", KeyCode::Char('z')));
        }
    }
}
