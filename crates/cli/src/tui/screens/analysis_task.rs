//! Analyses that tell their news to a screen and are stopped without anybody waiting
//! for them.

use std::thread;

use noughts_engine::{Analysis, BotSettings, SearchLimits};
use noughts_rules::AnyGameState;

use crate::tui::app_context::AppContext;
use crate::tui::event::{TaskMessage, Ticket};

/// An analysis at work. Dropping it stops it; on the largest boards it takes a while
/// until it is gone.
pub(super) struct RunningAnalysis(Option<Analysis>);

impl Drop for RunningAnalysis {
    fn drop(&mut self) {
        if let Some(analysis) = self.0.take() {
            analysis.stop();
            thread::spawn(move || drop(analysis));
        }
    }
}

/// Tells the end when it is dropped, whichever way the analysis ends.
struct AtEnd<F: Fn(TaskMessage)>(F);

impl<F: Fn(TaskMessage)> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)(TaskMessage::AnalysisOver);
    }
}

/// Begins an analysis.
pub(super) fn start_analysis(
    play: &AnyGameState,
    settings: &BotSettings,
    limits: SearchLimits,
    house: &mut AppContext,
) -> (Ticket, RunningAnalysis) {
    let (ticket, tell) = house.new_task();
    let told = AtEnd(tell);
    let analysis = Analysis::with_callback(play, settings, limits, move |report| {
        (told.0)(TaskMessage::Analysed(report.clone()));
    });
    (ticket, RunningAnalysis(Some(analysis)))
}
