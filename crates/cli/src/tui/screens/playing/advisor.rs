//! Help on request: a hint, a running analysis, and the evaluation that decides about a draw offer.

use std::time::Duration;

use noughts_engine::{SearchLimits, SearchReport};
use noughts_rules::{AnyGameState, Side};
use noughts_session::{BotPlayer, SearchHandle, SearchUpdate, policy};
use noughts_text::ValueForX;

use crate::tui::app_context::AppContext;
use crate::tui::board::Annotations;
use crate::tui::event::{TaskId, TaskMessage};
use crate::tui::screens::analysis_task::{RunningAnalysis, start_analysis};

/// Long enough for one position; a forgotten analysis mustn't keep the CPU busy for hours.
const ANALYSIS_LIMITS: SearchLimits = SearchLimits::time(Duration::from_secs(120));

#[derive(Default)]
pub(super) struct Advisor {
    pub(super) analysis_on: bool,
    running: Option<(TaskId, RunningAnalysis)>,
    pub(super) analysis: Option<AnalysisResult>,
    /// Created on first use.
    bot: Option<BotPlayer>,
    /// Dropping the handle stops the search.
    pub(super) pending: Option<(TaskId, AdvisorRequest, SearchHandle)>,
    /// The suggested move, and what it does.
    pub(super) hint: Option<(String, String)>,
}

/// The analysis of the current position.
pub(super) struct AnalysisResult {
    pub(super) report: SearchReport<String>,
    pub(super) value: ValueForX,
    pub(super) annotations: Annotations,
}

/// Why the position is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AdvisorRequest {
    Hint,
    /// A draw was offered to the bot of this side.
    Draw(Side),
}

impl Advisor {
    pub(super) fn toggle_analysis(&mut self, state: &AnyGameState, context: &mut AppContext) {
        self.analysis_on = !self.analysis_on;
        self.start_if_on(state, context);
    }

    /// Clears everything known about the previous position.
    pub(super) fn position_changed(&mut self, state: &AnyGameState, context: &mut AppContext) {
        self.clear_hint();
        self.start_if_on(state, context);
    }

    /// Starts over with the tablebase that has become available.
    pub(super) fn restart(&mut self, state: &AnyGameState, context: &mut AppContext) {
        self.bot = None;
        self.start_if_on(state, context);
    }

    fn start_if_on(&mut self, state: &AnyGameState, context: &mut AppContext) {
        self.running = None;
        self.analysis = None;
        if !self.analysis_on || state.outcome().is_some() {
            return;
        }
        let settings = context.bot_settings(state.variant());
        self.running = Some(start_analysis(state, &settings, ANALYSIS_LIMITS, context));
    }

    /// Stops the analysis but keeps it switched on.
    pub(super) fn stop(&mut self) {
        self.running = None;
        self.clear_hint();
    }

    /// Stores a result if it is about the current position.
    pub(super) fn update_analysis(
        &mut self,
        task: TaskId,
        report: SearchReport<String>,
        side: Side,
    ) {
        if matches!(self.running, Some((own_task, _)) if own_task == task) {
            self.analysis = Some(AnalysisResult {
                value: ValueForX::from_side(report.value, side),
                annotations: Annotations::from(&report),
                report,
            });
        }
    }

    /// Evaluates the position; the report arrives as a message.
    pub(super) fn ask(
        &mut self,
        request: AdvisorRequest,
        state: &AnyGameState,
        context: &mut AppContext,
    ) {
        self.hint = None;
        let variant = state.variant();
        if self.bot.is_none() {
            let settings = context.bot_settings(variant);
            self.bot = BotPlayer::new(policy::ADVISOR, variant, &settings).ok();
        }
        if let Some(bot) = &self.bot {
            let (task, send) = context.new_task();
            let search = bot.start_search(state, policy::ADVISOR_LIMITS, move |update| {
                if matches!(update, SearchUpdate::Finished(_)) {
                    send(TaskMessage::SearchUpdate(update));
                }
            });
            self.pending = Some((task, request, search));
        }
    }

    /// The request that this message answers, if the answer is still wanted.
    pub(super) fn take_request(&mut self, task: TaskId) -> Option<AdvisorRequest> {
        let answered = self.pending.take_if(|(own_task, ..)| *own_task == task);
        answered.map(|(_, request, _)| request)
    }

    pub(super) fn clear_hint(&mut self) {
        self.pending = None;
        self.hint = None;
    }
}
