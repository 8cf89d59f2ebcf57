//! The screens, one file each, and what a screen is.

mod analyst;
pub(crate) mod menu;
mod panes;
pub(crate) mod people;
pub(crate) mod playing;
pub(crate) mod question;
pub(crate) mod resume;
pub(crate) mod review;
mod rules;
pub(crate) mod saved;
pub(crate) mod small;
pub(crate) mod table;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::time::Duration;

use ratatui::Frame;

use crate::tui::event::Event;
use crate::tui::house::House;

/// One screen: it is told what happens, and draws itself after every event.
pub(crate) trait Screen {
    fn event(&mut self, event: Event, house: &mut House) -> Next;

    fn draw(&mut self, frame: &mut Frame, house: &House);

    /// When it wants an [`Event::Tick`] if nothing else happens; a screen where
    /// nothing moves by itself wants none.
    fn wake(&self) -> Option<Duration> {
        None
    }
}

/// What comes after an event.
pub(crate) enum Next {
    /// The same screen.
    Stay,
    /// Another screen.
    Go(Box<dyn Screen>),
    /// The end of the program.
    Quit,
}
