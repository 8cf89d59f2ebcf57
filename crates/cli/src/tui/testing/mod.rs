//! Drives screens without a terminal: takes keys and clicks, and returns the screen as text. Waits
//! for messages, never for a fixed time.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::store_handle::StoreHandle;
use crate::tui::app::{LoopControl, TerminalApp};
use crate::tui::app_context::AppContext;
use crate::tui::appearance::TerminalEnv;
use crate::tui::event::Event;
use crate::tui::screens::Screen;
use crate::tui::theme::{Background, ColorDepth, Theme};

/// No test takes this long unless something is wrong.
const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) struct Driver {
    app: TerminalApp,
    terminal: Terminal<TestBackend>,
    events: Receiver<Event>,
    ended: bool,
}

/// A theme with Unicode characters.
pub(crate) fn theme() -> Theme {
    Theme::new(ColorDepth::Rgb, Background::Dark, false)
}

/// A mouse event without modifiers.
pub(crate) fn mouse_event(kind: MouseEventKind, column: u16, row: u16) -> MouseEvent {
    MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }
}

pub(crate) fn row_text(buf: &Buffer, row: u16) -> String {
    let area = buf.area;
    let mut text = String::new();
    let mut column = area.x;
    while column < area.right() {
        let symbol = buf.cell((column, row)).map_or(" ", |cell| cell.symbol());
        text += symbol;
        // A wide character takes the next cell, too.
        column += (unicode_width::UnicodeWidthStr::width(symbol) as u16).max(1);
    }
    text.trim_end().to_owned()
}

impl Driver {
    /// A screen of this size with an empty store.
    pub(crate) fn new(
        width: u16,
        height: u16,
        first: impl FnOnce(&mut AppContext) -> Box<dyn Screen>,
    ) -> Driver {
        let store_handle = StoreHandle::in_memory().expect("a store in memory");
        Driver::with_store(width, height, store_handle, TerminalEnv::default(), first)
    }

    /// A screen with this store and environment. Random choices are the same every time.
    pub(crate) fn with_store(
        width: u16,
        height: u16,
        store_handle: StoreHandle,
        terminal_env: TerminalEnv,
        first: impl FnOnce(&mut AppContext) -> Box<dyn Screen>,
    ) -> Driver {
        let (sender, events) = mpsc::channel();
        let mut context = AppContext::new(store_handle, terminal_env, None, sender, 7);
        let screen = first(&mut context);
        let terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
        let mut driver = Driver {
            app: TerminalApp::new(screen, context),
            terminal,
            events,
            ended: false,
        };
        driver.draw();
        driver
    }

    fn draw(&mut self) {
        let app = &mut self.app;
        let drawn = self.terminal.draw(|frame| app.draw(frame));
        drawn.expect("nothing can fail in memory");
    }

    pub(crate) fn show_screen(&mut self, create: impl FnOnce(&mut AppContext) -> Box<dyn Screen>) {
        self.app.show_screen(create);
        self.ended = false;
        self.draw();
    }

    /// Handles an event and draws.
    pub(crate) fn send_event(&mut self, event: Event) {
        if self.ended {
            return;
        }
        self.ended = matches!(
            self.app.handle_event(event),
            LoopControl::Quit | LoopControl::QuitBySignal(_)
        );
        self.draw();
    }

    /// Presses keys: characters as they are, others by name: `<enter>`, `<esc>`, `<up>`, `<down>`,
    /// `<left>`, `<right>`, `<tab>`, `<backtab>`, `<backspace>`, `<del>`, `<home>`, `<end>`,
    /// `<pgup>`, `<pgdn>`, `<lt>` for `<`, `<c-x>` for Ctrl and a letter.
    pub(crate) fn keys(&mut self, keys: &str) {
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let key = match rest.strip_prefix('<').and_then(|name| name.split_once('>')) {
                Some((name, after_name)) => {
                    rest = after_name;
                    named_key(name)
                }
                None => {
                    rest = &rest[c.len_utf8()..];
                    KeyCode::Char(c).into()
                }
            };
            self.send_event(Event::Key(key));
        }
    }

    /// Clicks: a press and a release.
    pub(crate) fn click(&mut self, column: u16, row: u16) {
        for kind in [MouseEventKind::Down, MouseEventKind::Up] {
            self.send_event(Event::Mouse(mouse_event(
                kind(MouseButton::Left),
                column,
                row,
            )));
        }
    }

    /// Clicks the middle of the first occurrence of this text.
    pub(crate) fn click_on(&mut self, text: &str) {
        let buf = self.terminal.backend().buffer();
        let rows = (0..buf.area.height).map(|y| (y, row_text(buf, y)));
        let found = rows.into_iter().find_map(|(y, line)| {
            let offset = line.find(text)?;
            let before = unicode_width::UnicodeWidthStr::width(&line[..offset]);
            let half = unicode_width::UnicodeWidthStr::width(text) / 2;
            Some(((before + half) as u16, y))
        });
        let Some((x, y)) = found else {
            panic!("there is no {text:?} in\n{}", self.text());
        };
        self.click(x, y);
    }

    pub(crate) fn resize(&mut self, width: u16, height: u16) {
        self.terminal.backend_mut().resize(width, height);
        let resized = self.terminal.resize(Rect::new(0, 0, width, height));
        resized.expect("nothing can fail in memory");
        self.send_event(Event::Resize);
    }

    pub(crate) fn tick(&mut self) {
        self.send_event(Event::Tick);
    }

    /// Handles messages until the text of the screen satisfies the condition.
    pub(crate) fn wait_until(&mut self, condition: impl Fn(&str) -> bool) {
        while !condition(&self.text()) {
            let timeout = self.app.next_tick().unwrap_or(TIMEOUT);
            match self.events.recv_timeout(timeout) {
                Ok(event) => self.send_event(event),
                Err(_) if self.app.next_tick().is_some() => self.tick(),
                Err(_) => panic!("timed out waiting for an event:\n{}", self.text()),
            }
        }
    }

    pub(crate) fn wait_for_text(&mut self, text: &str) {
        self.wait_until(|screen| screen.contains(text));
    }

    /// Waits for this many messages.
    pub(crate) fn receive_events(&mut self, count: usize) {
        for _ in 0..count {
            match self.events.recv_timeout(TIMEOUT) {
                Ok(event) => self.send_event(event),
                Err(_) => panic!("no message arrived:\n{}", self.text()),
            }
        }
    }

    /// Waits until all settings are saved.
    pub(crate) fn wait_for_store(&mut self) {
        let (done, wait) = mpsc::channel();
        let store_handle = &self.app.context.store_handle;
        let store = store_handle.store().clone();
        // The store writes in the order of the requests.
        store_handle.spawn(async move {
            let _ = store.set_preference("settled", "").await;
            let _ = done.send(());
        });
        wait.recv_timeout(TIMEOUT).expect("the store answers");
    }

    /// Handles the messages that have arrived, without waiting.
    pub(crate) fn process_pending(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.send_event(event);
        }
    }

    /// The text of the screen.
    pub(crate) fn text(&self) -> String {
        let buf = self.terminal.backend().buffer();
        let rows = (0..buf.area.height).map(|y| row_text(buf, y) + "\n");
        rows.collect()
    }

    /// The text with all timestamps replaced, for snapshots.
    pub(crate) fn text_without_times(&self) -> String {
        replace_timestamps(&self.text())
    }

    pub(crate) fn context(&mut self) -> &mut AppContext {
        &mut self.app.context
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// The store, for another run of the program.
    pub(crate) fn into_store_handle(self) -> StoreHandle {
        self.app.context.store_handle
    }
}

fn named_key(name: &str) -> KeyEvent {
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "tab" => KeyCode::Tab,
        "backtab" => KeyCode::BackTab,
        "backspace" => KeyCode::Backspace,
        "del" => KeyCode::Delete,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        "lt" => KeyCode::Char('<'),
        _ => match name.strip_prefix("c-").and_then(|c| c.chars().next()) {
            Some(c) => return KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL),
            None => panic!("unknown key <{name}>"),
        },
    };
    code.into()
}

/// Replaces timestamps: `2026-11-15 20:31` becomes `YYYY-MM-DD hh:mm`.
pub(crate) fn replace_timestamps(text: &str) -> String {
    const PATTERN: &str = "YYYY-MM-DD hh:mm";
    let is_timestamp = |part: &str| {
        let matches = part.chars().zip(PATTERN.chars()).all(|(c, expected)| {
            if expected.is_alphabetic() {
                c.is_ascii_digit()
            } else {
                c == expected
            }
        });
        matches && part.len() == PATTERN.len()
    };
    let mut result = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if rest.get(..PATTERN.len()).is_some_and(is_timestamp) {
            result += PATTERN;
            rest = &rest[PATTERN.len()..];
        } else {
            result.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    result
}

#[test]
fn timestamps_are_replaced() {
    let text = "│ 2026-11-15 20:31 × 2026-11-15 ×2";
    assert_eq!(
        replace_timestamps(text),
        "│ YYYY-MM-DD hh:mm × 2026-11-15 ×2"
    );
}
