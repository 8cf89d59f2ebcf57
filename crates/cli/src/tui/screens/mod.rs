//! The screens, one file each, and what a screen is.

mod analysis_task;
mod game_parts;
pub(crate) mod menu;
pub(crate) mod players;
pub(crate) mod playing;
pub(crate) mod question;
pub(crate) mod resume;
pub(crate) mod review;
mod rules;
pub(crate) mod saved_games;
pub(crate) mod tablebase_offer;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub(crate) mod too_small;

use std::time::Duration;

use ratatui::Frame;
use ratatui::layout::{Rect, Size};

use crate::tui::app_context::AppContext;
use crate::tui::event::Event;

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
    fn handle_event(&mut self, event: Event, house: &mut AppContext) -> Navigation;

    fn draw(&mut self, frame: &mut Frame, house: &AppContext);

    /// The smallest terminal that it can be used in.
    fn min_size(&self) -> Size {
        SMALLEST
    }

    /// When it wants an [`Event::Tick`] if nothing else happens; a screen where
    /// nothing moves by itself wants none.
    fn next_tick(&self) -> Option<Duration> {
        None
    }
}

/// What comes after an event.
pub(crate) enum Navigation {
    /// The same screen.
    Stay,
    /// Another screen.
    Go(Box<dyn Screen>),
    /// The end of the program.
    Quit,
}
