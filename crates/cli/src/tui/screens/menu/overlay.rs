//! Dialogs over the menu.

use noughts_engine::BotKind;
use ratatui::Frame;

use super::appearance_dialog::AppearanceDialog;
use super::level_picker::LevelPicker;
use super::player_picker::PlayerPicker;
use crate::tui::app_context::AppContext;
use crate::tui::event::Event;
use crate::tui::widgets::{Dialog, DialogResult, TextViewer};

pub(super) enum Overlay {
    Player(PlayerPicker),
    Level(LevelPicker),
    Appearance(AppearanceDialog),
    /// Build the tablebase? Quit although a build is running?
    Question(Dialog<OverlayAnswer>),
    Rules(TextViewer),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OverlayAnswer {
    Name(usize, String),
    Level(usize, BotKind),
    /// Start the game after the offer to build the tablebase.
    Start {
        build: bool,
    },
    Stay,
    Quit,
}

impl Overlay {
    pub(super) fn handle_event(
        &mut self,
        event: &Event,
        context: &mut AppContext,
    ) -> DialogResult<OverlayAnswer> {
        match self {
            Overlay::Player(picker) => picker.handle_event(event),
            Overlay::Level(picker) => picker.handle_event(event),
            Overlay::Appearance(dialog) => dialog.handle_event(event, context),
            Overlay::Question(dialog) => dialog.handle_event(event),
            Overlay::Rules(viewer) => viewer.handle_event(event),
        }
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        let (area, theme) = (frame.area(), &context.theme);
        match self {
            Overlay::Player(picker) => picker.draw(frame, theme),
            Overlay::Level(picker) => picker.draw(frame, theme, &context.tablebases),
            Overlay::Appearance(dialog) => dialog.draw(frame, context),
            Overlay::Question(dialog) => dialog.render(theme, area, frame.buffer_mut()),
            Overlay::Rules(viewer) => viewer.render(theme, area, frame.buffer_mut()),
        }
    }
}
