//! Screens driven without a terminal: keys and clicks go in, the picture comes out
//! as text. News are waited for, never slept for.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::keeper::Keeper;
use crate::tui::appearance::Surroundings;
use crate::tui::event::Event;
use crate::tui::house::House;
use crate::tui::look::{Colours, Ground, Look};
use crate::tui::screens::Screen;
use crate::tui::stage::{Flow, Stage};

/// No test needs as long; one that does has gone wrong.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Driver {
    stage: Stage,
    terminal: Terminal<TestBackend>,
    events: Receiver<Event>,
    ended: bool,
}

/// A look with all its characters.
pub(crate) fn look() -> Look {
    Look::new(Colours::Rgb, Ground::Dark, false)
}

/// A mouse event without keys held.
pub(crate) fn mouse(kind: MouseEventKind, column: u16, row: u16) -> MouseEvent {
    MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }
}

/// The text of a row.
pub(crate) fn row(buf: &Buffer, row: u16) -> String {
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
        first: impl FnOnce(&mut House) -> Box<dyn Screen>,
    ) -> Driver {
        let keeper = Keeper::unsaved().expect("a store in memory");
        Driver::with(width, height, keeper, Surroundings::default(), first)
    }

    /// The same with this store and these surroundings. What happens by chance
    /// happens the same every time.
    pub(crate) fn with(
        width: u16,
        height: u16,
        keeper: Keeper,
        around: Surroundings,
        first: impl FnOnce(&mut House) -> Box<dyn Screen>,
    ) -> Driver {
        let (sender, events) = mpsc::channel();
        let mut house = House::new(keeper, around, None, sender, 7);
        let screen = first(&mut house);
        let terminal = Terminal::new(TestBackend::new(width, height)).expect("a picture");
        let mut driver = Driver {
            stage: Stage::new(screen, house),
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
    pub(crate) fn go(&mut self, to: impl FnOnce(&mut House) -> Box<dyn Screen>) {
        self.stage.go(to);
        self.ended = false;
        self.draw();
    }

    /// Lets something happen, and draws.
    pub(crate) fn event(&mut self, event: Event) {
        if self.ended {
            return;
        }
        self.ended = matches!(self.stage.event(event), Flow::End | Flow::EndBy(_));
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
            self.event(Event::Key(key));
        }
    }

    /// Clicks: a press and a release.
    pub(crate) fn click(&mut self, column: u16, row: u16) {
        for kind in [MouseEventKind::Down, MouseEventKind::Up] {
            self.event(Event::Mouse(mouse(kind(MouseButton::Left), column, row)));
        }
    }

    /// Clicks at the middle of the first place with this text.
    pub(crate) fn click_on(&mut self, text: &str) {
        let buf = self.terminal.backend().buffer();
        let rows = (0..buf.area.height).map(|y| (y, row(buf, y)));
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
        self.event(Event::Resize);
    }

    /// Lets the time pass that the screen waits for.
    pub(crate) fn tick(&mut self) {
        self.event(Event::Tick);
    }

    /// Waits for news until the picture is as wanted.
    pub(crate) fn until(&mut self, wanted: impl Fn(&str) -> bool) {
        while !wanted(&self.text()) {
            let patience = self.stage.wake().unwrap_or(PATIENCE);
            match self.events.recv_timeout(patience) {
                Ok(event) => self.event(event),
                Err(_) if self.stage.wake().is_some() => self.tick(),
                Err(_) => panic!("nothing happens any more:\n{}", self.text()),
            }
        }
    }

    /// Waits until the picture has this text.
    pub(crate) fn until_text(&mut self, text: &str) {
        self.until(|picture| picture.contains(text));
    }

    /// Waits for so many news.
    pub(crate) fn hear(&mut self, many: usize) {
        for _ in 0..many {
            match self.events.recv_timeout(PATIENCE) {
                Ok(event) => self.event(event),
                Err(_) => panic!("there are no news:\n{}", self.text()),
            }
        }
    }

    /// Waits until all that is to be remembered has been stored.
    pub(crate) fn settle_stored(&mut self) {
        let (done, wait) = mpsc::channel();
        let keeper = &self.stage.house.keeper;
        let store = keeper.store().clone();
        // The store writes in the order in which it was asked to.
        keeper.spawn(async move {
            let _ = store.set_choice("settled", "").await;
            let _ = done.send(());
        });
        wait.recv_timeout(PATIENCE).expect("the store answers");
    }

    /// Takes the news that are there, without waiting.
    pub(crate) fn settle(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.event(event);
        }
    }

    /// The picture.
    pub(crate) fn text(&self) -> String {
        let buf = self.terminal.backend().buffer();
        let rows = (0..buf.area.height).map(|y| row(buf, y) + "\n");
        rows.collect()
    }

    /// The picture with every moment in it replaced, for snapshots.
    pub(crate) fn timeless(&self) -> String {
        timeless(&self.text())
    }

    pub(crate) fn house(&mut self) -> &mut House {
        &mut self.stage.house
    }

    /// Has the program ended?
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// The store, for another program on it.
    pub(crate) fn into_keeper(self) -> Keeper {
        self.stage.house.keeper
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
