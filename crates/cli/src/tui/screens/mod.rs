//! The screens and the trait that they implement.

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

/// The smallest supported terminal.
pub(crate) const MIN_SIZE: Size = Size::new(40, 12);

/// The size for which the regular layouts are made.
const REGULAR_SIZE: Size = Size::new(80, 24);

/// Is the area too small for the regular layout? Then a screen shows only the most important parts.
pub(crate) fn is_compact(area: Rect) -> bool {
    area.width < REGULAR_SIZE.width || area.height < REGULAR_SIZE.height
}

/// A screen: handles events and is drawn after each of them.
pub(crate) trait Screen {
    fn handle_event(&mut self, event: Event, context: &mut AppContext) -> Navigation;

    fn draw(&mut self, frame: &mut Frame, context: &AppContext);

    /// The smallest terminal in which the screen is usable.
    fn min_size(&self) -> Size {
        MIN_SIZE
    }

    /// When the screen wants an [`Event::Tick`] if nothing else happens; `None` if nothing changes
    /// by itself.
    fn next_tick(&self) -> Option<Duration> {
        None
    }
}

/// Creates a screen.
pub(crate) type ScreenFactory = Box<dyn FnOnce(&mut AppContext) -> Box<dyn Screen>>;

/// What follows an event.
pub(crate) enum Navigation {
    /// Stay on this screen.
    Stay,
    /// Show another screen.
    Go(Box<dyn Screen>),
    /// Quit the program.
    Quit,
}

impl Navigation {
    /// Shows a screen that was opened; otherwise stays and passes on the reason.
    pub(crate) fn open<S: Screen + 'static>(
        opened: Result<S, String>,
        show_error: impl FnOnce(String),
    ) -> Navigation {
        match opened {
            Ok(screen) => Navigation::Go(Box::new(screen)),
            Err(reason) => {
                show_error(reason);
                Navigation::Stay
            }
        }
    }

    /// Shows the screen that follows this one.
    pub(crate) fn follow(next: &mut Option<ScreenFactory>, context: &mut AppContext) -> Navigation {
        match next.take() {
            Some(next) => Navigation::Go(next(context)),
            None => Navigation::Stay,
        }
    }
}
