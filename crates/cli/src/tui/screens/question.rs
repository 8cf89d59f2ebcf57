//! A screen that consists of a single dialog.

use noughts_text::capitalize;
use ratatui::Frame;

use crate::tui::app_context::AppContext;
use crate::tui::event::Event;
use crate::tui::screens::menu::MenuScreen;
use crate::tui::screens::{Navigation, Screen, ScreenFactory};
use crate::tui::widgets::{Dialog, DialogResult};

pub(crate) struct QuestionScreen {
    dialog: Dialog<bool>,
    next_screen: Option<ScreenFactory>,
}

/// Continues with the next screen with this choice, or quits.
fn ask(
    title: &str,
    text: String,
    (key, proceed): (char, &str),
    next_screen: ScreenFactory,
) -> Box<dyn Screen> {
    let dialog = Dialog::new(title, text).choice(key, proceed, true);
    Box::new(QuestionScreen {
        dialog: dialog.choice('q', "Quit", false).with_width(66),
        next_screen: Some(next_screen),
    })
}

/// The store is unavailable: play without saving, or quit.
pub(crate) fn store_unavailable(error: &str, next_screen: ScreenFactory) -> Box<dyn Screen> {
    let text =
        format!("Games can't be saved: {error}.\n\nYou can still play, but nothing will be saved.");
    let proceed = ('p', "Play without saving");
    ask("Can't save games", text, proceed, next_screen)
}

/// A game couldn't be started: go to the menu, or quit.
pub(crate) fn game_unavailable(title: &str, error: &str) -> Box<dyn Screen> {
    let text = format!("{}.", capitalize(error));
    let proceed = ('m', "Go to the menu");
    ask(title, text, proceed, Box::new(MenuScreen::open))
}

impl Screen for QuestionScreen {
    fn handle_event(&mut self, event: Event, context: &mut AppContext) -> Navigation {
        match self.dialog.handle_event(&event) {
            DialogResult::Chosen(true) => Navigation::follow(&mut self.next_screen, context),
            DialogResult::Chosen(false) | DialogResult::Canceled => Navigation::Quit,
            DialogResult::Pending => Navigation::Stay,
        }
    }

    fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        let area = frame.area();
        self.dialog.render(&context.theme, area, frame.buffer_mut());
    }
}
