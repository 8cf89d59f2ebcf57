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
use ratatui::layout::{Rect, Size};

use crate::tui::event::Event;
use crate::tui::house::House;

/// What the smallest layouts are made for.
pub(crate) const SMALLEST: Size = Size::new(40, 12);

/// What the usual layouts are made for.
const USUAL: Size = Size::new(80, 24);

/// Is there too little room for the usual layout? Then a screen shows the parts that
/// matter most.
pub(crate) fn is_compact(area: Rect) -> bool {
    area.width < USUAL.width || area.height < USUAL.height
}

/// One screen: it is told what happens, and draws itself after every event.
pub(crate) trait Screen {
    fn event(&mut self, event: Event, house: &mut House) -> Next;

    fn draw(&mut self, frame: &mut Frame, house: &House);

    /// The smallest terminal that it can be used in.
    fn least_size(&self) -> Size {
        SMALLEST
    }

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
