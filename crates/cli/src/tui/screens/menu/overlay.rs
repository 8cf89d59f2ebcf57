//! Dialogs over the menu.

use noughts_engine::BotKind;
use ratatui::Frame;

use super::appearance_dialog::AppearanceDialog;
use super::level_picker::LevelPicker;
use super::player_picker::PlayerPicker;
use crate::tui::app_context::AppContext;
use crate::tui::event::Event;
use crate::tui::screens::tablebase_offer::TablebaseOffer;
use crate::tui::widgets::{Dialog, DialogResult, TextViewer};

pub(super) enum Overlay {
    Player(PlayerPicker),
    Level(LevelPicker),
    Appearance(AppearanceDialog),
    TablebaseOffer(Dialog<TablebaseOffer>),
    Rules(TextViewer),
    /// Quit although a build is running?
    Quit(Dialog<bool>),
}

/// The result of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OverlayResult {
    /// It stays open.
    Pending,
    /// It closes without a result.
    Canceled,
    Name(usize, String),
    Level(usize, BotKind),
    /// The answer to the offer to build the tablebase.
    TablebaseOffer(TablebaseOffer),
    Quit,
}

impl Overlay {
    pub(super) fn handle_event(&mut self, event: Event, context: &mut AppContext) -> OverlayResult {
        match (self, event) {
            (Overlay::Player(picker), event) => {
                let chosen = match event {
                    Event::Paste(text) => picker.paste(&text),
                    Event::Key(key) => picker.handle_key(key),
                    Event::Mouse(mouse) => picker.handle_mouse(mouse),
                    _ => DialogResult::Pending,
                };
                result_of(chosen, |name| OverlayResult::Name(picker.player(), name))
            }
            (Overlay::Level(picker), Event::Key(key)) => {
                result_of(picker.handle_key(key), |level| {
                    OverlayResult::Level(picker.player(), level)
                })
            }
            (Overlay::Level(picker), Event::Mouse(mouse)) => {
                let chosen = picker.handle_mouse(mouse);
                result_of(chosen, |level| OverlayResult::Level(picker.player(), level))
            }
            (Overlay::Appearance(dialog), Event::Key(key)) => {
                pending_if(dialog.handle_key(key, context))
            }
            (Overlay::Appearance(dialog), Event::Mouse(mouse)) => {
                pending_if(dialog.handle_mouse(mouse, context))
            }
            (Overlay::TablebaseOffer(dialog), Event::Key(key)) => {
                result_of(dialog.handle_key(key), OverlayResult::TablebaseOffer)
            }
            (Overlay::TablebaseOffer(dialog), Event::Mouse(mouse)) => {
                result_of(dialog.handle_mouse(mouse), OverlayResult::TablebaseOffer)
            }
            (Overlay::Quit(dialog), Event::Key(key)) => result_of(dialog.handle_key(key), quit_if),
            (Overlay::Quit(dialog), Event::Mouse(mouse)) => {
                result_of(dialog.handle_mouse(mouse), quit_if)
            }
            (Overlay::Rules(viewer), Event::Key(key)) => pending_if(viewer.handle_key(key)),
            (Overlay::Rules(viewer), Event::Mouse(mouse)) => {
                viewer.handle_mouse(mouse);
                OverlayResult::Pending
            }
            _ => OverlayResult::Pending,
        }
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        let area = frame.area();
        match self {
            Overlay::Player(picker) => picker.draw(frame, &context.theme),
            Overlay::Level(picker) => picker.draw(frame, &context.theme, &context.tablebases),
            Overlay::Appearance(dialog) => dialog.draw(frame, context),
            Overlay::TablebaseOffer(dialog) => {
                dialog.render(&context.theme, area, frame.buffer_mut());
            }
            Overlay::Quit(dialog) => dialog.render(&context.theme, area, frame.buffer_mut()),
            Overlay::Rules(viewer) => viewer.render(&context.theme, area, frame.buffer_mut()),
        }
    }
}

fn quit_if(sure: bool) -> OverlayResult {
    if sure {
        OverlayResult::Quit
    } else {
        OverlayResult::Canceled
    }
}

fn pending_if(stays_open: bool) -> OverlayResult {
    if stays_open {
        OverlayResult::Pending
    } else {
        OverlayResult::Canceled
    }
}

fn result_of<T>(chosen: DialogResult<T>, answer: impl FnOnce(T) -> OverlayResult) -> OverlayResult {
    match chosen {
        DialogResult::Chosen(chosen) => answer(chosen),
        DialogResult::Canceled => OverlayResult::Canceled,
        DialogResult::Pending => OverlayResult::Pending,
    }
}
