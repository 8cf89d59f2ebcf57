//! A screen that consists of a single dialog.

use ratatui::Frame;
use ratatui::text::Line;

use crate::tui::app_context::AppContext;
use crate::tui::event::Event;
use crate::tui::screens::menu::MenuScreen;
use crate::tui::screens::{Navigation, Screen, ScreenFactory};
use crate::tui::widgets::{Dialog, DialogChoice, DialogResult};

pub(crate) struct QuestionScreen {
    dialog: Dialog<bool>,
    next_screen: Option<ScreenFactory>,
}

/// The store is unavailable: play without saving, or quit.
pub(crate) fn store_unavailable(error: &str, next_screen: ScreenFactory) -> Box<dyn Screen> {
    let text = vec![
        Line::from(format!("Games can't be saved: {error}.")),
        Line::default(),
        Line::from("You can still play, but nothing will be saved."),
    ];
    let choices = vec![
        DialogChoice::new('p', "Play without saving", true),
        DialogChoice::new('q', "Quit", false),
    ];
    Box::new(QuestionScreen {
        dialog: Dialog::new("Can't save games", text, choices).with_width(66),
        next_screen: Some(next_screen),
    })
}

/// A game couldn't be started: go to the menu, or quit.
pub(crate) fn game_unavailable(title: &str, error: &str) -> Box<dyn Screen> {
    let choices = vec![
        DialogChoice::new('m', "Go to the menu", true),
        DialogChoice::new('q', "Quit", false),
    ];
    let text = vec![Line::from(format!("{error}."))];
    Box::new(QuestionScreen {
        dialog: Dialog::new(title, text, choices).with_width(66),
        next_screen: Some(Box::new(MenuScreen::open)),
    })
}

impl Screen for QuestionScreen {
    fn handle_event(&mut self, event: Event, context: &mut AppContext) -> Navigation {
        let answer = match event {
            Event::Key(key) => self.dialog.handle_key(key),
            Event::Mouse(mouse) => self.dialog.handle_mouse(mouse),
            _ => DialogResult::Pending,
        };
        match answer {
            DialogResult::Chosen(true) => match self.next_screen.take() {
                Some(next_screen) => Navigation::Go(next_screen(context)),
                None => Navigation::Stay,
            },
            DialogResult::Chosen(false) | DialogResult::Canceled => Navigation::Quit,
            DialogResult::Pending => Navigation::Stay,
        }
    }

    fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        let area = frame.area();
        self.dialog.render(&context.theme, area, frame.buffer_mut());
    }
}
