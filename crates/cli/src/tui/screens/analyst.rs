//! Analyses that tell their news to a screen and are stopped without anybody waiting
//! for them.

use std::thread;

use noughts_engine::{Analysis, Limits, Settings};
use noughts_rules::AnyPlay;

use crate::tui::event::{News, Ticket};
use crate::tui::house::House;

/// An analysis at work. Dropping it stops it; on the largest boards it takes a while
/// until it is gone.
pub(super) struct Running(Option<Analysis>);

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(analysis) = self.0.take() {
            analysis.stop();
            thread::spawn(move || drop(analysis));
        }
    }
}

/// Tells the end when it is dropped, whichever way the analysis ends.
struct AtEnd<F: Fn(News)>(F);

impl<F: Fn(News)> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)(News::AnalysisOver);
    }
}

/// Begins an analysis.
pub(super) fn analyse(
    play: &AnyPlay,
    settings: &Settings,
    limits: Limits,
    house: &mut House,
) -> (Ticket, Running) {
    let (ticket, tell) = house.ticket();
    let told = AtEnd(tell);
    let analysis = Analysis::watched(play, settings, limits, move |report| {
        (told.0)(News::Analysed(report.clone()));
    });
    (ticket, Running(Some(analysis)))
}
