//! A screen in its house: what every event means whatever the screen, and what is
//! drawn when there is no room for any.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::Frame;
use ratatui::buffer::Buffer;

use crate::tui::event::Event;
use crate::tui::house::House;
use crate::tui::screens::{Next, Screen, small};
use crate::tui::terminal;

pub(crate) struct Stage {
    screen: Box<dyn Screen>,
    pub(crate) house: House,
    /// There was no room for the screen when it was drawn last.
    small: bool,
    /// It had characters that terminals do not agree on how wide they are.
    odd: bool,
}

/// Emoji and what is made of several characters: a terminal that makes them wider or
/// narrower than we do leaves bits of them behind when something else is drawn there.
fn is_odd(buf: &Buffer) -> bool {
    let odd = |symbol: &str| {
        let mut signs = symbol.chars();
        signs.next().is_some_and(|sign| sign >= '\u{1f000}') || signs.next().is_some()
    };
    buf.content.iter().any(|cell| odd(cell.symbol()))
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
    /// With everything drawn again, whatever the terminal shows.
    Afresh,
    /// Stopped until the shell continues the program.
    Suspend,
    /// Continued by the shell.
    Resume,
    End,
    /// The end, by the signal with this number.
    EndBy(u8),
}

impl Stage {
    pub(crate) fn new(screen: Box<dyn Screen>, house: House) -> Stage {
        Stage {
            screen,
            house,
            small: false,
            odd: false,
        }
    }

    pub(crate) fn event(&mut self, event: Event) -> Flow {
        match &event {
            Event::Terminate(signal) => return Flow::EndBy(*signal),
            Event::Suspend => return Flow::Suspend,
            Event::Resume => return Flow::Resume,
            Event::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => match key.code {
                // What was played is stored: there is nothing to ask.
                KeyCode::Char('c') => return Flow::EndBy(terminal::INTERRUPT),
                KeyCode::Char('z') => {
                    terminal::ask_to_suspend();
                    return Flow::On;
                }
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
        let key = matches!(event, Event::Key(_));
        if key {
            self.house.noticed();
        }
        let on = |afresh| if afresh { Flow::Afresh } else { Flow::On };
        match self.screen.event(event, &mut self.house) {
            Next::Stay => on(self.odd && key),
            Next::Go(next) => {
                self.screen = next;
                on(self.odd)
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
        let least = self.screen.least_size();
        self.small = small::is_too_small(area, least);
        if self.small {
            small::draw(frame, least, self.house.keeper.is_kept(), &self.house.look);
        } else {
            self.screen.draw(frame, &self.house);
        }
        if self.house.look.ascii() {
            spell_in_ascii(frame.buffer_mut());
        }
        self.odd = is_odd(frame.buffer_mut());
    }

    pub(crate) fn wake(&self) -> Option<Duration> {
        self.screen.wake()
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    /// Only what terminals disagree on is worth a flicker.
    #[test]
    fn common_characters_are_not_odd() {
        for (text, odd) in [
            ("Zoë 李 ▸ ◯╳ ▗▟▀", false),
            ("Ann 🇳🇴", true),
            ("👩‍👩‍👧", true),
            ("🦀", true),
        ] {
            let mut buf = Buffer::empty(Rect::new(0, 0, 20, 1));
            buf.set_string(0, 0, text, Style::new());
            assert_eq!(is_odd(&buf), odd, "{text}");
        }
    }
}
