//! Help on request: a hint, a running analysis, and a bot's answer to a draw offer.

use noughts_text::{ValueForX, move_value};
use std::time::Duration;

use noughts_engine::{BotKind, SearchLimits, SearchReport, Value};
use noughts_rules::{AnyGameState, Side};

use crate::tui::app_context::AppContext;
use crate::tui::board::Annotations;
use crate::tui::event::{TaskId, TaskMessage};
use crate::tui::screens::analysis_task::{RunningAnalysis, start_analysis};

use noughts_session::{BotPlayer, SearchHandle, SearchUpdate};

/// The time limit for a hint.
const HINT_LIMITS: SearchLimits = SearchLimits::time(Duration::from_secs(1));
/// Long enough for one position; a forgotten analysis mustn't keep the CPU busy for hours.
const ANALYSIS_LIMITS: SearchLimits = SearchLimits::time(Duration::from_secs(120));
/// A bot declines a draw if its advantage exceeds this.
const DRAW_THRESHOLD: f64 = 0.05;

#[derive(Default)]
pub(super) struct Advisor {
    analysis_on: bool,
    running: Option<(TaskId, RunningAnalysis)>,
    analysis: Option<AnalysisResult>,
    /// Created on first use.
    bot: Option<BotPlayer>,
    pending_request: Option<PendingRequest>,
    hint: Option<Hint>,
}

/// The analysis of the current position.
pub(super) struct AnalysisResult {
    pub(super) report: SearchReport<String>,
    pub(super) value: ValueForX,
    pub(super) annotations: Annotations,
}

pub(super) struct Hint {
    pub(super) mv: String,
    pub(super) text: String,
}

struct PendingRequest {
    task: TaskId,
    /// Dropping it stops the search.
    _thinking: SearchHandle,
    kind: RequestKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RequestKind {
    Hint,
    /// A draw was offered to this side.
    Draw(Side),
}

/// What the answer of the search means.
pub(super) enum AdvisorReply {
    /// Not for us, or not finished.
    Ignored,
    /// A hint is available.
    Hint,
    /// The bot's side, and whether it agrees to the draw.
    Draw(Side, bool),
    Failed(String),
}

impl Advisor {
    pub(super) fn is_analysis_on(&self) -> bool {
        self.analysis_on
    }

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
        if self
            .running
            .as_ref()
            .is_none_or(|(own_task, _)| *own_task != task)
        {
            return;
        }
        let moves = report.moves.iter();
        let annotations = moves.map(|ranked| (ranked.mv.clone(), ranked.value));
        self.analysis = Some(AnalysisResult {
            value: ValueForX::from_side(report.value, side),
            annotations: Annotations(annotations.collect()),
            report,
        });
    }

    pub(super) fn analysis(&self) -> Option<&AnalysisResult> {
        self.analysis.as_ref()
    }

    pub(super) fn request_hint(&mut self, state: &AnyGameState, context: &mut AppContext) {
        self.ask(state, RequestKind::Hint, context);
    }

    /// Asks whether the bot of this side would agree to a draw.
    pub(super) fn offer_draw(
        &mut self,
        state: &AnyGameState,
        side: Side,
        context: &mut AppContext,
    ) {
        self.ask(state, RequestKind::Draw(side), context);
    }

    fn ask(&mut self, state: &AnyGameState, kind: RequestKind, context: &mut AppContext) {
        self.hint = None;
        let variant = state.variant();
        if self.bot.is_none() {
            let settings = context.bot_settings(variant);
            self.bot = BotPlayer::new(BotKind::Best, variant, &settings).ok();
        }
        let Some(bot) = &self.bot else {
            return;
        };
        let (task, send) = context.new_task();
        let thinking = bot.start_search(state, HINT_LIMITS, move |update| {
            if matches!(update, SearchUpdate::Finished(_)) {
                send(TaskMessage::SearchUpdate(update));
            }
        });
        self.pending_request = Some(PendingRequest {
            task,
            _thinking: thinking,
            kind,
        });
    }

    /// Handles the answer of the search if it is still wanted.
    pub(super) fn handle_search_update(
        &mut self,
        task: TaskId,
        update: SearchUpdate,
        state: &AnyGameState,
    ) -> AdvisorReply {
        let (Some(pending_request), SearchUpdate::Finished(done)) = (
            self.pending_request
                .take_if(|pending_request| pending_request.task == task),
            update,
        ) else {
            return AdvisorReply::Ignored;
        };
        let report = match done {
            Ok(report) => report,
            Err(reason) => return AdvisorReply::Failed(reason),
        };
        match (pending_request.kind, report.best) {
            (RequestKind::Hint, Some(mv)) => {
                let text = move_value(report.value);
                self.hint = Some(Hint { mv, text });
                AdvisorReply::Hint
            }
            (RequestKind::Hint, None) => AdvisorReply::Failed("no move to suggest".into()),
            (RequestKind::Draw(side), _) => {
                let value = ValueForX::from_side(report.value, state.side()).value_for(side);
                AdvisorReply::Draw(side, accepts_draw(value))
            }
        }
    }

    pub(super) fn is_pending(&self) -> bool {
        self.pending_request.is_some()
    }

    pub(super) fn hint(&self) -> Option<&Hint> {
        self.hint.as_ref()
    }

    pub(super) fn clear_hint(&mut self) {
        self.pending_request = None;
        self.hint = None;
    }
}

/// A bot accepts unless it is better off than a draw.
fn accepts_draw(value: Value) -> bool {
    value.expected_result() <= DRAW_THRESHOLD
}
