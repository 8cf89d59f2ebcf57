//! What every moment of a game is worth, found out in the background, one look after
//! the other.

use std::ops::Deref;

use noughts_engine::SearchReport;
use noughts_rules::{AnyGameState, Outcome, Side};
use noughts_session::review;

use crate::tui::app_context::AppContext;
use crate::tui::event::{TaskMessage, Ticket};
use crate::tui::screens::analysis_task::{RunningAnalysis, start_analysis};
use crate::tui::widgets::PlotPoint;

pub(super) struct PositionValues {
    known: review::GameReview,
    running: Option<(usize, Ticket, RunningAnalysis)>,
}

impl Deref for PositionValues {
    type Target = review::GameReview;

    fn deref(&self) -> &review::GameReview {
        &self.known
    }
}

impl PositionValues {
    /// `sides` says who is to move at each moment, one more than there are moves.
    pub(super) fn new(
        sides: &[Side],
        moves: Vec<String>,
        outcome: Option<Outcome>,
    ) -> PositionValues {
        PositionValues {
            known: review::GameReview::new(sides, moves, outcome),
            running: None,
        }
    }

    /// Looks at the next moment, unless one is being looked at.
    pub(super) fn analyze_next(
        &mut self,
        shown: usize,
        house: &mut AppContext,
        at: impl Fn(usize) -> AnyGameState,
    ) {
        if self.running.is_some() {
            return;
        }
        if let Some((next, limits)) = self.known.next_search(shown) {
            let play = at(next);
            let settings = review::search_settings(house.bot_settings(play.variant()));
            let (ticket, running) = start_analysis(&play, &settings, limits, house);
            self.running = Some((next, ticket, running));
        }
    }

    /// Takes the news of the look that is going on.
    pub(super) fn handle_message(&mut self, ticket: Ticket, news: TaskMessage) {
        let Some((at, _, _)) = self.running.as_ref().filter(|(_, mine, _)| *mine == ticket) else {
            return;
        };
        let at = *at;
        match news {
            TaskMessage::Analysed(report) => self.set_report(at, report),
            TaskMessage::AnalysisOver => self.running = None,
            _ => {}
        }
    }

    pub(super) fn set_report(&mut self, at: usize, report: SearchReport<String>) {
        self.known.add_report(at, report);
    }

    pub(super) fn points(&self) -> Vec<PlotPoint> {
        let points = (0..self.len()).map(|at| PlotPoint {
            value: self.value_at(at).filter(|worth| !worth.is_unknown()),
            mistake: at
                .checked_sub(1)
                .is_some_and(|mv| self.mistake(mv).is_some()),
        });
        points.collect()
    }

    pub(super) fn is_analyzing(&self) -> bool {
        self.running.is_some()
    }
}
