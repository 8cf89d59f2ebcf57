//! Analyses that report to a screen and are stopped without waiting for them.

use std::thread;

use noughts_engine::{Analysis, BotSettings, SearchLimits};
use noughts_rules::AnyGameState;

use crate::tui::app_context::AppContext;
use crate::tui::event::{TaskId, TaskMessage};

/// A running analysis. Dropping it stops it; on the largest boards its threads take a while to end.
pub(super) struct RunningAnalysis(Option<Analysis>);

impl Drop for RunningAnalysis {
    fn drop(&mut self) {
        if let Some(analysis) = self.0.take() {
            analysis.stop();
            thread::spawn(move || drop(analysis));
        }
    }
}

/// Sends the final message when it is dropped, however the analysis ends.
struct EndNotifier<F: Fn(TaskMessage)>(F);

impl<F: Fn(TaskMessage)> Drop for EndNotifier<F> {
    fn drop(&mut self) {
        (self.0)(TaskMessage::AnalysisEnded);
    }
}

pub(super) fn start_analysis(
    state: &AnyGameState,
    settings: &BotSettings,
    limits: SearchLimits,
    context: &mut AppContext,
) -> (TaskId, RunningAnalysis) {
    let (task, send) = context.new_task();
    let notifier = EndNotifier(send);
    let analysis = Analysis::with_callback(state, settings, limits, move |report| {
        (notifier.0)(TaskMessage::AnalysisUpdate(report.clone()));
    });
    (task, RunningAnalysis(Some(analysis)))
}
