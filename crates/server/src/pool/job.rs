//! Work that goes on elsewhere, seen by whoever waits for it: a bot's move, or an
//! analysis that knows more and more.

use std::sync::Arc;

use noughts_engine::{SearchReport, StopFlag};
use tokio::sync::{oneshot, watch};

use super::visitor_slots::VisitorSlot;

/// A bot that thinks about a move. Dropping it stops the bot.
pub(crate) struct BotJob {
    stop: StopFlag,
    answer: oneshot::Receiver<Result<SearchReport<String>, String>>,
    /// The visitor's place, where it is counted.
    place: Option<VisitorSlot>,
}

impl BotJob {
    pub(super) fn new(
        stop: StopFlag,
        answer: oneshot::Receiver<Result<SearchReport<String>, String>>,
    ) -> BotJob {
        BotJob {
            stop,
            answer,
            place: None,
        }
    }

    pub(super) fn with_slot(mut self, place: VisitorSlot) -> BotJob {
        self.place = Some(place);
        self
    }

    /// Waits for the move.
    ///
    /// # Errors
    /// Why there is none: the bot broke down, or too many others wait.
    pub(crate) async fn result(mut self) -> Result<SearchReport<String>, String> {
        let answer = (&mut self.answer).await;
        answer.unwrap_or_else(|_| Err("too many bots are thinking; try again in a moment".into()))
    }
}

impl Drop for BotJob {
    fn drop(&mut self) {
        self.stop.stop();
        drop(self.place.take());
    }
}

/// How an analysis came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnalysisEnd {
    /// It used its limits, or proved the value.
    Complete,
    /// It was stopped before that: others waited, nobody did, or the server stops.
    Stopped,
    /// It panicked.
    Failed,
}

/// What an analysis knows by now.
#[derive(Clone, Default)]
pub(crate) struct AnalysisProgress {
    /// It has had its turn.
    pub(crate) is_started: bool,
    /// Grows with every report.
    pub(crate) sequence: u64,
    /// The newest.
    pub(crate) report: Option<Arc<SearchReport<String>>>,
    /// It has come to its end.
    pub(crate) is_done: bool,
    /// How, if it was ever begun.
    ending: Option<AnalysisEnd>,
}

impl AnalysisProgress {
    pub(super) fn add_report(&mut self, report: SearchReport<String>) {
        self.sequence += 1;
        self.report = Some(Arc::new(report));
    }

    /// It ends; perhaps there is something to say of it.
    pub(super) fn finish(&mut self, ending: AnalysisEnd, note: Option<&str>) {
        self.sequence += 1;
        self.is_done = true;
        self.ending = Some(ending);
        if let Some(note) = note {
            let known = self.report.as_deref().cloned();
            self.report = Some(Arc::new(SearchReport {
                note: Some(note.into()),
                ..known.unwrap_or_else(SearchReport::empty)
            }));
        }
    }
}

/// An analysis at work. Dropping it stops it.
pub(crate) struct AnalysisHandle {
    stop: StopFlag,
    known: watch::Receiver<AnalysisProgress>,
    /// The visitor's place among their analyses, kept as long as this.
    place: Option<VisitorSlot>,
}

impl AnalysisHandle {
    pub(super) fn new(stop: StopFlag, known: watch::Receiver<AnalysisProgress>) -> AnalysisHandle {
        AnalysisHandle {
            stop,
            known,
            place: None,
        }
    }

    pub(super) fn with_slot(mut self, place: VisitorSlot) -> AnalysisHandle {
        self.place = Some(place);
        self
    }

    /// Waits until more is known than in the report of this number: a slow reader
    /// misses some of them and gets the newest. None once there is no more to come.
    pub(crate) async fn next_after(&mut self, number: u64) -> Option<AnalysisProgress> {
        let known = self.known.wait_for(|known| known.sequence > number).await;
        known.ok().map(|known| known.clone())
    }

    /// Is it waiting for its turn?
    pub(crate) fn is_queued(&self) -> bool {
        !self.known.borrow().is_started
    }

    /// Waits until it has come to its end.
    pub(crate) async fn wait_until_done(&mut self) {
        // An error says that it was never begun, or is gone: an end, too.
        let _ = self.known.wait_for(|known| known.is_done).await;
    }

    /// Waits for the end. Returns how it ended, and all that is known.
    pub(crate) async fn join(mut self) -> (AnalysisEnd, SearchReport<String>) {
        self.wait_until_done().await;
        let known = self.known.borrow().clone();
        let report = known
            .report
            .map_or_else(SearchReport::empty, Arc::unwrap_or_clone);
        // One that was never begun was stopped before its turn.
        (known.ending.unwrap_or(AnalysisEnd::Stopped), report)
    }
}

impl Drop for AnalysisHandle {
    fn drop(&mut self) {
        self.stop.stop();
        drop(self.place.take());
    }
}
