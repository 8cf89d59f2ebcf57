//! Screens driven without a terminal: keys and clicks go in, the picture comes out
//! as text. News are waited for, never slept for.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::store_handle::StoreHandle;
use crate::tui::app::{App, Flow};
use crate::tui::app_context::AppContext;
use crate::tui::appearance::Surroundings;
use crate::tui::event::Event;
use crate::tui::screens::Screen;
use crate::tui::theme::{Colours, Ground, Theme};

/// No test needs as long; one that does has gone wrong.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Driver {
    stage: App,
    terminal: Terminal<TestBackend>,
    events: Receiver<Event>,
    ended: bool,
}

/// A look with all its characters.
pub(crate) fn theme() -> Theme {
    Theme::new(Colours::Rgb, Ground::Dark, false)
}

/// A mouse event without keys held.
pub(crate) fn mouse_event(kind: MouseEventKind, column: u16, row: u16) -> MouseEvent {
    MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }
}

/// The text of a row.
pub(crate) fn row_text(buf: &Buffer, row: u16) -> String {
    let area = buf.area;
    let mut text = String::new();
    let mut column = area.x;
    while column < area.right() {
        let symbol = buf.cell((column, row)).map_or(" ", |cell| cell.symbol());
        text += symbol;
        // What is wide takes the next cell, too.
        column += (unicode_width::UnicodeWidthStr::width(symbol) as u16).max(1);
    }
    text.trim_end().to_owned()
}

impl Driver {
    /// A screen of this size, in a house with a store of its own that is empty.
    pub(crate) fn new(
        width: u16,
        height: u16,
        first: impl FnOnce(&mut AppContext) -> Box<dyn Screen>,
    ) -> Driver {
        let keeper = StoreHandle::in_memory().expect("a store in memory");
        Driver::with_store(width, height, keeper, Surroundings::default(), first)
    }

    /// The same with this store and these surroundings. What happens by chance
    /// happens the same every time.
    pub(crate) fn with_store(
        width: u16,
        height: u16,
        keeper: StoreHandle,
        around: Surroundings,
        first: impl FnOnce(&mut AppContext) -> Box<dyn Screen>,
    ) -> Driver {
        let (sender, events) = mpsc::channel();
        let mut house = AppContext::new(keeper, around, None, sender, 7);
        let screen = first(&mut house);
        let terminal = Terminal::new(TestBackend::new(width, height)).expect("a picture");
        let mut driver = Driver {
            stage: App::new(screen, house),
            terminal,
            events,
            ended: false,
        };
        driver.draw();
        driver
    }

    fn draw(&mut self) {
        let stage = &mut self.stage;
        let drawn = self.terminal.draw(|frame| stage.draw(frame));
        drawn.expect("nothing can fail in memory");
    }

    /// Shows another screen.
    pub(crate) fn show_screen(&mut self, to: impl FnOnce(&mut AppContext) -> Box<dyn Screen>) {
        self.stage.show_screen(to);
        self.ended = false;
        self.draw();
    }

    /// Lets something happen, and draws.
    pub(crate) fn send_event(&mut self, event: Event) {
        if self.ended {
            return;
        }
        self.ended = matches!(self.stage.handle_event(event), Flow::Quit | Flow::EndBy(_));
        self.draw();
    }

    /// Presses keys: letters as they stand, others by name: `<enter>`, `<esc>`,
    /// `<up>`, `<down>`, `<left>`, `<right>`, `<tab>`, `<backtab>`, `<backspace>`,
    /// `<del>`, `<home>`, `<end>`, `<pgup>`, `<pgdn>`, `<lt>` for `<`, `<c-x>` for
    /// Ctrl and a letter.
    pub(crate) fn keys(&mut self, keys: &str) {
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let key = match rest.strip_prefix('<').and_then(|name| name.split_once('>')) {
                Some((name, behind)) => {
                    rest = behind;
                    named(name)
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

    /// Clicks at the middle of the first place with this text.
    pub(crate) fn click_on(&mut self, text: &str) {
        let buf = self.terminal.backend().buffer();
        let rows = (0..buf.area.height).map(|y| (y, row_text(buf, y)));
        let found = rows.into_iter().find_map(|(y, line)| {
            let at = line.find(text)?;
            let before = unicode_width::UnicodeWidthStr::width(&line[..at]);
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

    /// Lets the time pass that the screen waits for.
    pub(crate) fn tick(&mut self) {
        self.send_event(Event::Tick);
    }

    /// Waits for news until the picture is as wanted.
    pub(crate) fn wait_until(&mut self, wanted: impl Fn(&str) -> bool) {
        while !wanted(&self.text()) {
            let patience = self.stage.next_tick().unwrap_or(PATIENCE);
            match self.events.recv_timeout(patience) {
                Ok(event) => self.send_event(event),
                Err(_) if self.stage.next_tick().is_some() => self.tick(),
                Err(_) => panic!("nothing happens any more:\n{}", self.text()),
            }
        }
    }

    /// Waits until the picture has this text.
    pub(crate) fn until_text(&mut self, text: &str) {
        self.wait_until(|picture| picture.contains(text));
    }

    /// Waits for so many news.
    pub(crate) fn receive_events(&mut self, many: usize) {
        for _ in 0..many {
            match self.events.recv_timeout(PATIENCE) {
                Ok(event) => self.send_event(event),
                Err(_) => panic!("there are no news:\n{}", self.text()),
            }
        }
    }

    /// Waits until all that is to be remembered has been stored.
    pub(crate) fn settle_stored(&mut self) {
        let (done, wait) = mpsc::channel();
        let keeper = &self.stage.context.store_handle;
        let store = keeper.store().clone();
        // The store writes in the order in which it was asked to.
        keeper.spawn(async move {
            let _ = store.set_preference("settled", "").await;
            let _ = done.send(());
        });
        wait.recv_timeout(PATIENCE).expect("the store answers");
    }

    /// Takes the news that are there, without waiting.
    pub(crate) fn process_pending(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.send_event(event);
        }
    }

    /// The picture.
    pub(crate) fn text(&self) -> String {
        let buf = self.terminal.backend().buffer();
        let rows = (0..buf.area.height).map(|y| row_text(buf, y) + "\n");
        rows.collect()
    }

    /// The picture with every moment in it replaced, for snapshots.
    pub(crate) fn text_without_times(&self) -> String {
        timeless(&self.text())
    }

    pub(crate) fn context(&mut self) -> &mut AppContext {
        &mut self.stage.context
    }

    /// Has the program ended?
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// The store, for another program on it.
    pub(crate) fn into_keeper(self) -> StoreHandle {
        self.stage.context.store_handle
    }
}

fn named(name: &str) -> KeyEvent {
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
            None => panic!("there is no key <{name}>"),
        },
    };
    code.into()
}

/// A text in which no moment is told: `2026-11-15 20:31` becomes `YYYY-MM-DD hh:mm`.
pub(crate) fn timeless(text: &str) -> String {
    const SHAPE: &str = "YYYY-MM-DD hh:mm";
    let is_moment = |part: &str| {
        let alike = part.chars().zip(SHAPE.chars()).all(|(c, shape)| {
            if shape.is_alphabetic() {
                c.is_ascii_digit()
            } else {
                c == shape
            }
        });
        alike && part.len() == SHAPE.len()
    };
    let mut told = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if rest.get(..SHAPE.len()).is_some_and(is_moment) {
            told += SHAPE;
            rest = &rest[SHAPE.len()..];
        } else {
            told.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    told
}

#[test]
fn moments_are_left_out() {
    let text = "│ 2026-11-15 20:31 × 2026-11-15 ×2";
    assert_eq!(timeless(text), "│ YYYY-MM-DD hh:mm × 2026-11-15 ×2");
}
