//! A screen that is nothing but a question: where something must be said before
//! there is anything else to show.

use ratatui::Frame;
use ratatui::text::Line;

use crate::tui::event::Event;
use crate::tui::house::House;
use crate::tui::screens::menu::Menu;
use crate::tui::screens::{Next, Screen};
use crate::tui::widgets::{Choice, Dialog, Picked};

/// What makes a screen.
type Then = Box<dyn FnOnce(&mut House) -> Box<dyn Screen>>;

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
        dialog: Dialog::new("No place for games", text, choices).wide(66),
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
        dialog: Dialog::new(title, text, choices).wide(66),
        then: Some(Box::new(Menu::open)),
    })
}

impl Screen for Question {
    fn event(&mut self, event: Event, house: &mut House) -> Next {
        let picked = match event {
            Event::Key(key) => self.dialog.key(key),
            Event::Mouse(mouse) => self.dialog.mouse(mouse),
            _ => Picked::Open,
        };
        match picked {
            Picked::Answer(true) => match self.then.take() {
                Some(then) => Next::Go(then(house)),
                None => Next::Stay,
            },
            Picked::Answer(false) | Picked::Closed => Next::Quit,
            Picked::Open => Next::Stay,
        }
    }

    fn draw(&mut self, frame: &mut Frame, house: &House) {
        let area = frame.area();
        self.dialog.render(&house.look, area, frame.buffer_mut());
    }
}
