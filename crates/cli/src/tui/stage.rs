//! A screen in its house: what every event means whatever the screen, and what is
//! drawn when there is no room for any.

use std::time::Duration;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use crate::tui::event::Event;
use crate::tui::house::House;
use crate::tui::screens::{Next, Screen, small};

pub(crate) struct Stage {
    screen: Box<dyn Screen>,
    pub(crate) house: House,
    /// There was no room for the screen when it was drawn last.
    small: bool,
}

/// Names and sentences may have any character; a terminal that takes ASCII alone
/// would show something else in their place, or break the lines.
fn spell_in_ascii(buf: &mut Buffer) {
    for cell in &mut buf.content {
        let symbol = cell.symbol();
        if symbol.is_ascii() {
            continue;
        }
        let plain = match symbol {
            "×" => "x",
            "è" | "é" => "e",
            "·" | "…" => ".",
            "–" | "—" | "−" => "-",
            _ => "?",
        };
        cell.set_symbol(plain);
    }
}

/// How it goes on after an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    On,
    /// With everything drawn anew, whatever the terminal shows.
    Afresh,
    End,
}

impl Stage {
    pub(crate) fn new(screen: Box<dyn Screen>, house: House) -> Stage {
        Stage {
            screen,
            house,
            small: false,
        }
    }

    pub(crate) fn event(&mut self, event: Event) -> Flow {
        match &event {
            Event::Terminate => return Flow::End,
            Event::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => match key.code {
                // What was played is stored: there is nothing to ask.
                KeyCode::Char('c') => return Flow::End,
                KeyCode::Char('l') => return Flow::Afresh,
                _ => {}
            },
            Event::News(ticket, news) => self.house.hear(*ticket, news),
            _ => {}
        }
        // Nobody presses what they do not see.
        let pressed = matches!(event, Event::Key(_) | Event::Mouse(_) | Event::Paste(_));
        if self.small && pressed {
            return Flow::On;
        }
        if matches!(event, Event::Key(_)) {
            self.house.noticed();
        }
        match self.screen.event(event, &mut self.house) {
            Next::Stay => Flow::On,
            Next::Go(next) => {
                self.screen = next;
                Flow::On
            }
            Next::Quit => Flow::End,
        }
    }

    /// Shows another screen, whatever this one is about.
    #[cfg(test)]
    pub(crate) fn go(&mut self, to: impl FnOnce(&mut House) -> Box<dyn Screen>) {
        self.screen = to(&mut self.house);
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame) {
        let area = frame.area();
        frame.buffer_mut().set_style(area, self.house.look.base());
        self.small = small::is_too_small(area);
        if self.small {
            small::draw(frame, &self.house.look);
        } else {
            self.screen.draw(frame, &self.house);
        }
        if self.house.look.ascii() {
            spell_in_ascii(frame.buffer_mut());
        }
    }

    pub(crate) fn wake(&self) -> Option<Duration> {
        self.screen.wake()
    }
}
