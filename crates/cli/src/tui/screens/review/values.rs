//! The values of all positions of a game, analyzed in the background one after the other.

use std::ops::Deref;

use noughts_engine::SearchReport;
use noughts_rules::{AnyGameState, Outcome, Side};
use noughts_session::review;

use crate::tui::app_context::AppContext;
use crate::tui::event::{TaskId, TaskMessage};
use crate::tui::screens::analysis_task::{RunningAnalysis, start_analysis};
use crate::tui::widgets::PlotPoint;

pub(super) struct PositionValues {
    values: review::GameReview,
    running: Option<(usize, TaskId, RunningAnalysis)>,
}

impl Deref for PositionValues {
    type Target = review::GameReview;

    fn deref(&self) -> &review::GameReview {
        &self.values
    }
}

impl PositionValues {
    /// `sides` are the sides to move at each ply, one more than there are moves.
    pub(super) fn new(
        sides: &[Side],
        moves: Vec<String>,
        outcome: Option<Outcome>,
    ) -> PositionValues {
        PositionValues {
            values: review::GameReview::new(sides, moves, outcome),
            running: None,
        }
    }

    /// Starts the next analysis unless one is running.
    pub(super) fn analyze_next(
        &mut self,
        shown: usize,
        context: &mut AppContext,
        state_at: impl Fn(usize) -> AnyGameState,
    ) {
        if self.running.is_some() {
            return;
        }
        if let Some((next, limits)) = self.values.next_search(shown) {
            let state = state_at(next);
            let settings = review::search_settings(context.bot_settings(state.variant()));
            let (task, running) = start_analysis(&state, &settings, limits, context);
            self.running = Some((next, task, running));
        }
    }

    /// Handles a message of the running analysis.
    pub(super) fn handle_message(&mut self, task: TaskId, message: TaskMessage) {
        let Some((ply, _, _)) = self
            .running
            .as_ref()
            .filter(|(_, own_task, _)| *own_task == task)
        else {
            return;
        };
        let ply = *ply;
        match message {
            TaskMessage::AnalysisUpdate(report) => self.set_report(ply, report),
            TaskMessage::AnalysisEnded => self.running = None,
            _ => {}
        }
    }

    pub(super) fn set_report(&mut self, ply: usize, report: SearchReport<String>) {
        self.values.add_report(ply, report);
    }

    pub(super) fn points(&self) -> Vec<PlotPoint> {
        let points = (0..self.len()).map(|ply| PlotPoint {
            value: self.value_at(ply).filter(|value| !value.is_unknown()),
            mistake: ply
                .checked_sub(1)
                .is_some_and(|mv| self.mistake(mv).is_some()),
        });
        points.collect()
    }

    pub(super) fn is_analyzing(&self) -> bool {
        self.running.is_some()
    }
}
