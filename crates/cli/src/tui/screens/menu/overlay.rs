//! What lies over the menu while something is picked or read.

use noughts_engine::BotKind;
use ratatui::Frame;

use super::appearance_dialog::AppearanceDialog;
use super::level_picker::LevelPicker;
use super::player_picker::PersonPicker;
use crate::tui::app_context::AppContext;
use crate::tui::event::Event;
use crate::tui::screens::tablebase_offer::Offer;
use crate::tui::widgets::{Dialog, Picked, TextViewer};

pub(super) enum Overlay {
    Player(PersonPicker),
    Level(LevelPicker),
    Appearance(AppearanceDialog),
    TablebaseOffer(Dialog<Offer>),
    Rules(TextViewer),
    /// Quit, and lose what is being done?
    Quit(Dialog<bool>),
}

/// What came of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OverlayResult {
    /// It stays open.
    Pending,
    /// It is done with, and nothing was picked.
    Canceled,
    /// A player's name.
    Name(usize, String),
    /// A player's level.
    Level(usize, BotKind),
    /// What is made of the offer to build the table.
    TablebaseOffer(Offer),
    /// The end of the program.
    Quit,
}

impl Overlay {
    pub(super) fn handle_event(&mut self, event: Event, house: &mut AppContext) -> OverlayResult {
        match (self, event) {
            (Overlay::Player(picker), event) => {
                let picked = match event {
                    Event::Paste(text) => picker.paste(&text),
                    Event::Key(key) => picker.handle_key(key),
                    Event::Mouse(mouse) => picker.handle_mouse(mouse),
                    _ => Picked::Pending,
                };
                said(picked, |name| OverlayResult::Name(picker.player(), name))
            }
            (Overlay::Level(picker), Event::Key(key)) => said(picker.handle_key(key), |level| {
                OverlayResult::Level(picker.player(), level)
            }),
            (Overlay::Level(picker), Event::Mouse(mouse)) => {
                let picked = picker.handle_mouse(mouse);
                said(picked, |level| OverlayResult::Level(picker.player(), level))
            }
            (Overlay::Appearance(looks), Event::Key(key)) => open(looks.handle_key(key, house)),
            (Overlay::Appearance(looks), Event::Mouse(mouse)) => {
                open(looks.handle_mouse(mouse, house))
            }
            (Overlay::TablebaseOffer(dialog), Event::Key(key)) => {
                said(dialog.handle_key(key), OverlayResult::TablebaseOffer)
            }
            (Overlay::TablebaseOffer(dialog), Event::Mouse(mouse)) => {
                said(dialog.handle_mouse(mouse), OverlayResult::TablebaseOffer)
            }
            (Overlay::Quit(dialog), Event::Key(key)) => said(dialog.handle_key(key), quit),
            (Overlay::Quit(dialog), Event::Mouse(mouse)) => said(dialog.handle_mouse(mouse), quit),
            (Overlay::Rules(reader), Event::Key(key)) => open(reader.handle_key(key)),
            (Overlay::Rules(reader), Event::Mouse(mouse)) => {
                reader.handle_mouse(mouse);
                OverlayResult::Pending
            }
            _ => OverlayResult::Pending,
        }
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, house: &AppContext) {
        let area = frame.area();
        match self {
            Overlay::Player(picker) => picker.draw(frame, &house.theme),
            Overlay::Level(picker) => picker.draw(frame, &house.theme, &house.tablebases),
            Overlay::Appearance(looks) => looks.draw(frame, house),
            Overlay::TablebaseOffer(dialog) => {
                dialog.render(&house.theme, area, frame.buffer_mut())
            }
            Overlay::Quit(dialog) => dialog.render(&house.theme, area, frame.buffer_mut()),
            Overlay::Rules(reader) => reader.render(&house.theme, area, frame.buffer_mut()),
        }
    }
}

fn quit(sure: bool) -> OverlayResult {
    if sure {
        OverlayResult::Quit
    } else {
        OverlayResult::Canceled
    }
}

fn open(is_open: bool) -> OverlayResult {
    if is_open {
        OverlayResult::Pending
    } else {
        OverlayResult::Canceled
    }
}

fn said<T>(picked: Picked<T>, answer: impl FnOnce(T) -> OverlayResult) -> OverlayResult {
    match picked {
        Picked::Chosen(picked) => answer(picked),
        Picked::Canceled => OverlayResult::Canceled,
        Picked::Pending => OverlayResult::Pending,
    }
}
