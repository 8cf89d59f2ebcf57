//! What lies over the menu while something is picked or read.

use noughts_engine::BotKind;
use ratatui::Frame;

use super::level::LevelPicker;
use super::looks::Looks;
use super::person::PersonPicker;
use crate::tui::event::Event;
use crate::tui::house::House;
use crate::tui::screens::table::Offer;
use crate::tui::widgets::{Dialog, Picked, Reader};

pub(super) enum Over {
    Person(PersonPicker),
    Level(LevelPicker),
    Looks(Looks),
    Table(Dialog<Offer>),
    Rules(Reader),
    /// Quit, and lose what is being done?
    Quit(Dialog<bool>),
}

/// What came of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    /// It stays open.
    Open,
    /// It is done with, and nothing was picked.
    Closed,
    /// A player's name.
    Name(usize, String),
    /// A player's level.
    Level(usize, BotKind),
    /// What is made of the offer to build the table.
    Offer(Offer),
    /// The end of the program.
    Quit,
}

impl Over {
    pub(super) fn event(&mut self, event: Event, house: &mut House) -> Said {
        match (self, event) {
            (Over::Person(picker), event) => {
                let picked = match event {
                    Event::Paste(text) => picker.paste(&text),
                    Event::Key(key) => picker.key(key),
                    Event::Mouse(mouse) => picker.mouse(mouse),
                    _ => Picked::Open,
                };
                said(picked, |name| Said::Name(picker.number(), name))
            }
            (Over::Level(picker), Event::Key(key)) => {
                said(picker.key(key), |level| Said::Level(picker.number(), level))
            }
            (Over::Level(picker), Event::Mouse(mouse)) => {
                let picked = picker.mouse(mouse);
                said(picked, |level| Said::Level(picker.number(), level))
            }
            (Over::Looks(looks), Event::Key(key)) => open(looks.key(key, house)),
            (Over::Looks(looks), Event::Mouse(mouse)) => open(looks.mouse(mouse, house)),
            (Over::Table(dialog), Event::Key(key)) => said(dialog.key(key), Said::Offer),
            (Over::Table(dialog), Event::Mouse(mouse)) => said(dialog.mouse(mouse), Said::Offer),
            (Over::Quit(dialog), Event::Key(key)) => said(dialog.key(key), quit),
            (Over::Quit(dialog), Event::Mouse(mouse)) => said(dialog.mouse(mouse), quit),
            (Over::Rules(reader), Event::Key(key)) => open(reader.key(key)),
            (Over::Rules(reader), Event::Mouse(mouse)) => {
                reader.mouse(mouse);
                Said::Open
            }
            _ => Said::Open,
        }
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, house: &House) {
        let area = frame.area();
        match self {
            Over::Person(picker) => picker.draw(frame, &house.look),
            Over::Level(picker) => picker.draw(frame, &house.look, &house.tables),
            Over::Looks(looks) => looks.draw(frame, house),
            Over::Table(dialog) => dialog.render(&house.look, area, frame.buffer_mut()),
            Over::Quit(dialog) => dialog.render(&house.look, area, frame.buffer_mut()),
            Over::Rules(reader) => reader.render(&house.look, area, frame.buffer_mut()),
        }
    }
}

fn quit(sure: bool) -> Said {
    if sure { Said::Quit } else { Said::Closed }
}

fn open(is_open: bool) -> Said {
    if is_open { Said::Open } else { Said::Closed }
}

fn said<T>(picked: Picked<T>, answer: impl FnOnce(T) -> Said) -> Said {
    match picked {
        Picked::Answer(picked) => answer(picked),
        Picked::Closed => Said::Closed,
        Picked::Open => Said::Open,
    }
}
