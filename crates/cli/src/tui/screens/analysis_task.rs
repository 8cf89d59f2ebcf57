//! Analyses that report to a screen and are stopped without waiting for them.

use noughts_engine::analysis::analyze;
use noughts_engine::{BackgroundTask, BotSettings, SearchLimits};
use noughts_rules::AnyGameState;

use crate::tui::app_context::AppContext;
use crate::tui::event::{TaskId, TaskMessage};

/// A running analysis. Dropping it stops it; on the largest boards its threads take a while to end.
pub(super) struct RunningAnalysis(Option<BackgroundTask<()>>);

impl Drop for RunningAnalysis {
    fn drop(&mut self) {
        if let Some(task) = &self.0 {
            task.stop();
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
    let (state, settings) = (state.clone(), settings.clone());
    let analysis = BackgroundTask::start(move |stop, _| {
        analyze(&state, &settings, limits, stop, &mut |report| {
            (notifier.0)(TaskMessage::AnalysisUpdate(report.clone()));
        });
    });
    // Without a thread the analysis ends at once, with no result.
    (task, RunningAnalysis(analysis.ok()))
}
