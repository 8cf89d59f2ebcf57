//! A screen that is nothing but a question: where something must be said before
//! there is anything else to show.

use ratatui::Frame;
use ratatui::text::Line;

use crate::tui::app_context::AppContext;
use crate::tui::event::Event;
use crate::tui::screens::menu::MenuScreen;
use crate::tui::screens::{Navigation, Screen};
use crate::tui::widgets::{Choice, Dialog, Picked};

/// What makes a screen.
type Then = Box<dyn FnOnce(&mut AppContext) -> Box<dyn Screen>>;

pub(crate) struct Question {
    dialog: Dialog<bool>,
    then: Option<Then>,
}

/// Nothing can be kept: play all the same, or not at all.
pub(crate) fn without_store(problem: &str, then: Then) -> Box<dyn Screen> {
    let text = vec![
        Line::from(format!("Games cannot be kept: {problem}.")),
        Line::default(),
        Line::from("You can play all the same; nothing of it will be remembered."),
    ];
    let choices = vec![
        Choice::new('p', "Play without keeping anything", true),
        Choice::new('q', "Quit", false),
    ];
    Box::new(Question {
        dialog: Dialog::new("No place for games", text, choices).with_width(66),
        then: Some(then),
    })
}

/// Something could not be done: on to the menu, or quit.
pub(crate) fn to_menu(title: &str, problem: &str) -> Box<dyn Screen> {
    let choices = vec![
        Choice::new('m', "To the menu", true),
        Choice::new('q', "Quit", false),
    ];
    let text = vec![Line::from(format!("{problem}."))];
    Box::new(Question {
        dialog: Dialog::new(title, text, choices).with_width(66),
        then: Some(Box::new(MenuScreen::open)),
    })
}

impl Screen for Question {
    fn handle_event(&mut self, event: Event, house: &mut AppContext) -> Navigation {
        let picked = match event {
            Event::Key(key) => self.dialog.handle_key(key),
            Event::Mouse(mouse) => self.dialog.handle_mouse(mouse),
            _ => Picked::Pending,
        };
        match picked {
            Picked::Chosen(true) => match self.then.take() {
                Some(then) => Navigation::Go(then(house)),
                None => Navigation::Stay,
            },
            Picked::Chosen(false) | Picked::Canceled => Navigation::Quit,
            Picked::Pending => Navigation::Stay,
        }
    }

    fn draw(&mut self, frame: &mut Frame, house: &AppContext) {
        let area = frame.area();
        self.dialog.render(&house.theme, area, frame.buffer_mut());
    }
}
