//! What all parts are rendered from: a snapshot of a game, the viewer and their options.

use std::borrow::Cow;

use noughts_rules::{AnyGameState, Side};
use noughts_store::Seat;

use crate::live::{GameSnapshot, Viewer};
use crate::view::formatting;

pub(super) struct RenderContext<'a> {
    pub(super) snapshot: &'a GameSnapshot,
    pub(super) viewer: &'a Viewer,
    /// The state that is shown: the current or an earlier one.
    pub(super) shown_state: Cow<'a, AnyGameState>,
}

impl<'a> RenderContext<'a> {
    pub(super) fn new(snapshot: &'a GameSnapshot, viewer: &'a Viewer) -> RenderContext<'a> {
        RenderContext {
            snapshot,
            viewer,
            shown_state: formatting::shown_state(&snapshot.state, viewer.ply),
        }
    }

    /// Is an earlier position shown?
    pub(super) fn is_viewing_past(&self) -> bool {
        self.shown_state.move_count() < self.snapshot.state.move_count()
    }

    /// Is it an analysis board, without a saved game or an opponent?
    pub(super) fn is_analysis_board(&self) -> bool {
        self.snapshot.ids.is_none() && self.plays_both_sides()
    }

    /// Does the viewer play both sides?
    pub(super) fn plays_both_sides(&self) -> bool {
        self.viewer.x && self.viewer.o
    }

    pub(super) fn seat(&self, side: Side) -> &Seat {
        &self.snapshot.seats[side as usize]
    }

    pub(super) fn is_bot(&self, side: Side) -> bool {
        matches!(self.seat(side), Seat::Bot(_))
    }

    /// Why the game isn't rated, as a sentence to the viewer.
    pub(super) fn unrated_notice(&self) -> Option<String> {
        let is_against_bot = |side: Side| self.is_bot(side.other());
        let is_only_human = self.viewer.side().is_some_and(is_against_bot);
        let reason = self.snapshot.unrated_reason()?;
        Some(noughts_text::unrated_notice(reason, is_only_human))
    }

    /// The player's name in sentences.
    pub(super) fn display_name(&self, side: Side) -> String {
        match self.snapshot.is_invited(side) {
            true if self.viewer.is_player() => "Your opponent".into(),
            true => "Invited player".into(),
            false => noughts_session::display_name(self.seat(side)),
        }
    }

    /// The name, with the side if both players have the same name.
    pub(super) fn unambiguous_name(&self, side: Side) -> String {
        let name = self.display_name(side);
        match name == self.display_name(side.other()) {
            true => format!("{name} ({side})"),
            false => name,
        }
    }

    pub(super) fn is_ongoing(&self) -> bool {
        self.snapshot.over.is_none()
    }
}
