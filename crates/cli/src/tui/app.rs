//! A screen in its house: what every event means whatever the screen, and what is
//! drawn when there is no room for any.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::Frame;
use ratatui::buffer::Buffer;

use crate::tui::app_context::AppContext;
use crate::tui::event::Event;
use crate::tui::screens::{Navigation, Screen, too_small};
use crate::tui::terminal;

pub(crate) struct App {
    screen: Box<dyn Screen>,
    pub(crate) context: AppContext,
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
    Quit,
    /// The end, by the signal with this number.
    EndBy(u8),
}

impl App {
    pub(crate) fn new(screen: Box<dyn Screen>, context: AppContext) -> App {
        App {
            screen,
            context,
            small: false,
            odd: false,
        }
    }

    pub(crate) fn handle_event(&mut self, event: Event) -> Flow {
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
            Event::Task(ticket, news) => self.context.handle_message(*ticket, news),
            _ => {}
        }
        // Nobody presses what they do not see.
        let pressed = matches!(event, Event::Key(_) | Event::Mouse(_) | Event::Paste(_));
        if self.small && pressed {
            return Flow::On;
        }
        let key = matches!(event, Event::Key(_));
        if key {
            self.context.noticed();
        }
        let on = |afresh| if afresh { Flow::Afresh } else { Flow::On };
        match self.screen.handle_event(event, &mut self.context) {
            Navigation::Stay => on(self.odd && key),
            Navigation::Go(next) => {
                self.screen = next;
                on(self.odd)
            }
            Navigation::Quit => Flow::Quit,
        }
    }

    /// Shows another screen, whatever this one is about.
    #[cfg(test)]
    pub(crate) fn show_screen(&mut self, to: impl FnOnce(&mut AppContext) -> Box<dyn Screen>) {
        self.screen = to(&mut self.context);
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame) {
        let area = frame.area();
        frame
            .buffer_mut()
            .set_style(area, self.context.theme.base());
        let least = self.screen.min_size();
        self.small = too_small::is_too_small(area, least);
        if self.small {
            too_small::draw(
                frame,
                least,
                self.context.store_handle.is_persistent(),
                &self.context.theme,
            );
        } else {
            self.screen.draw(frame, &self.context);
        }
        if self.context.theme.ascii() {
            spell_in_ascii(frame.buffer_mut());
        }
        self.odd = is_odd(frame.buffer_mut());
    }

    pub(crate) fn next_tick(&self) -> Option<Duration> {
        self.screen.next_tick()
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
