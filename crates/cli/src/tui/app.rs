//! The current screen and what applies to all screens: global keys, signals, and a terminal that is
//! too small.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyModifiers};
use ratatui::Frame;
use ratatui::buffer::Buffer;

use crate::tui::app_context::AppContext;
use crate::tui::event::Event;
use crate::tui::screens::{Navigation, Screen, too_small};
use crate::tui::terminal;

pub(crate) struct TerminalApp {
    screen: Box<dyn Screen>,
    pub(crate) context: AppContext,
    /// The terminal was too small for the screen at the last draw.
    too_small_for_screen: bool,
    /// The last frame had characters whose width terminals disagree about.
    ambiguous_width: bool,
}

/// Does the buffer have emoji or combined characters? If the terminal draws them wider or narrower
/// than we assume, it leaves remnants when something else is drawn there.
fn has_ambiguous_width(buf: &Buffer) -> bool {
    let ambiguous_width = |symbol: &str| {
        let mut chars = symbol.chars();
        chars.next().is_some_and(|c| c >= '\u{1f000}') || chars.next().is_some()
    };
    buf.content
        .iter()
        .any(|cell| ambiguous_width(cell.symbol()))
}

/// Replaces non-ASCII characters in names and texts, which an ASCII terminal would show as
/// something else.
fn replace_non_ascii(buf: &mut Buffer) {
    for cell in &mut buf.content {
        let symbol = cell.symbol();
        if symbol.is_ascii() {
            continue;
        }
        let replacement = match symbol {
            "×" => "x",
            "“" | "”" => "\"",
            "è" | "é" => "e",
            "·" | "…" => ".",
            "–" | "—" | "−" => "-",
            _ => "?",
        };
        cell.set_symbol(replacement);
    }
}

/// What the event loop does after an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LoopControl {
    Continue,
    /// Redraw every cell, whatever the terminal shows.
    Redraw,
    /// Stop until the shell continues the program.
    Suspend,
    /// The shell has continued the program.
    Resume,
    Quit,
    /// Quit because of this signal.
    QuitBySignal(u8),
}

impl TerminalApp {
    pub(crate) fn new(screen: Box<dyn Screen>, context: AppContext) -> TerminalApp {
        TerminalApp {
            screen,
            context,
            too_small_for_screen: false,
            ambiguous_width: false,
        }
    }

    pub(crate) fn handle_event(&mut self, event: Event) -> LoopControl {
        match &event {
            Event::Terminate(signal) => return LoopControl::QuitBySignal(*signal),
            Event::Suspend => return LoopControl::Suspend,
            Event::Resume => return LoopControl::Resume,
            Event::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => match key.code {
                // All moves are stored, so there is nothing to ask.
                KeyCode::Char('c') => return LoopControl::QuitBySignal(terminal::SIGINT),
                KeyCode::Char('z') => {
                    terminal::request_suspend();
                    return LoopControl::Continue;
                }
                KeyCode::Char('l') => return LoopControl::Redraw,
                _ => {}
            },
            Event::Task(task, message) => self.context.handle_message(*task, message),
            _ => {}
        }
        // Ignore input for a screen that isn't visible.
        let is_input = matches!(event, Event::Key(_) | Event::Mouse(_) | Event::Paste(_));
        if self.too_small_for_screen && is_input {
            return LoopControl::Continue;
        }
        let key = matches!(event, Event::Key(_));
        if key {
            self.context.dismiss_notice();
        }
        let may_change_everything = match self.screen.handle_event(event, &mut self.context) {
            Navigation::Stay => key,
            Navigation::Go(next) => {
                self.screen = next;
                true
            }
            Navigation::Quit => return LoopControl::Quit,
        };
        match self.ambiguous_width && may_change_everything {
            true => LoopControl::Redraw,
            false => LoopControl::Continue,
        }
    }

    #[cfg(test)]
    pub(crate) fn show_screen(&mut self, create: impl FnOnce(&mut AppContext) -> Box<dyn Screen>) {
        self.screen = create(&mut self.context);
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame) {
        let area = frame.area();
        frame
            .buffer_mut()
            .set_style(area, self.context.theme.base());
        let min_size = self.screen.min_size();
        self.too_small_for_screen = too_small::is_too_small(area, min_size);
        if self.too_small_for_screen {
            too_small::draw(
                frame,
                min_size,
                self.context.store_handle.is_persistent(),
                &self.context.theme,
            );
        } else {
            self.screen.draw(frame, &self.context);
        }
        if self.context.theme.ascii() {
            replace_non_ascii(frame.buffer_mut());
        }
        self.ambiguous_width = has_ambiguous_width(frame.buffer_mut());
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

    /// Only characters with a disputed width are worth a full redraw.
    #[test]
    fn common_characters_need_no_full_redraw() {
        for (text, ambiguous_width) in [
            ("Zoë 李 ▸ ◯╳ ▗▟▀", false),
            ("Ann 🇳🇴", true),
            ("👩‍👩‍👧", true),
            ("🦀", true),
        ] {
            let mut buf = Buffer::empty(Rect::new(0, 0, 20, 1));
            buf.set_string(0, 0, text, Style::new());
            assert_eq!(has_ambiguous_width(&buf), ambiguous_width, "{text}");
        }
    }
}
