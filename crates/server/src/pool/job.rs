//! Handles to work on other threads: a bot's move, or an analysis that improves over time.

use std::sync::Arc;

use noughts_engine::{SearchReport, StopFlag};
use tokio::sync::{oneshot, watch};

use super::visitor_slots::VisitorSlot;

/// A bot choosing a move. Dropping it stops the bot.
pub(crate) struct BotJob {
    stop: StopFlag,
    receiver: oneshot::Receiver<Result<SearchReport<String>, String>>,
    /// The visitor's slot, for requests that need one.
    slot: Option<VisitorSlot>,
}

impl BotJob {
    pub(super) fn new(
        stop: StopFlag,
        receiver: oneshot::Receiver<Result<SearchReport<String>, String>>,
    ) -> BotJob {
        BotJob {
            stop,
            receiver,
            slot: None,
        }
    }

    pub(super) fn with_slot(mut self, slot: VisitorSlot) -> BotJob {
        self.slot = Some(slot);
        self
    }

    /// Waits for the move.
    ///
    /// # Errors
    /// Why there is none: the bot panicked, or too many others are queued.
    pub(crate) async fn result(mut self) -> Result<SearchReport<String>, String> {
        let result = (&mut self.receiver).await;
        result.unwrap_or_else(|_| Err("too many bots are thinking; try again in a moment".into()))
    }
}

impl Drop for BotJob {
    fn drop(&mut self) {
        self.stop.stop();
        drop(self.slot.take());
    }
}

/// How an analysis ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AnalysisEnd {
    /// It used up its limits, or proved the value.
    Complete,
    /// It was stopped before that: others were waiting, nobody was, or the server is stopping.
    Stopped,
    /// It panicked.
    Failed,
}

/// The progress of an analysis.
#[derive(Clone, Default)]
pub(crate) struct AnalysisProgress {
    /// It's no longer queued.
    pub(crate) is_started: bool,
    /// Increases with every report.
    pub(crate) sequence: u64,
    /// The newest report.
    pub(crate) report: Option<Arc<SearchReport<String>>>,
    pub(crate) is_done: bool,
    /// How it ended, if it was ever started.
    ending: Option<AnalysisEnd>,
}

impl AnalysisProgress {
    pub(super) fn add_report(&mut self, report: SearchReport<String>) {
        self.sequence += 1;
        self.report = Some(Arc::new(report));
    }

    /// Ends the analysis, with a note for the user if there is one.
    pub(super) fn finish(&mut self, ending: AnalysisEnd, note: Option<&str>) {
        self.sequence += 1;
        self.is_done = true;
        self.ending = Some(ending);
        if let Some(note) = note {
            let report = self.report.as_deref().cloned();
            self.report = Some(Arc::new(SearchReport {
                note: Some(note.into()),
                ..report.unwrap_or_else(SearchReport::empty)
            }));
        }
    }
}

/// A queued or running analysis. Dropping it stops the analysis.
pub(crate) struct AnalysisHandle {
    stop: StopFlag,
    progress: watch::Receiver<AnalysisProgress>,
    /// The visitor's slot, held as long as the handle.
    slot: Option<VisitorSlot>,
}

impl AnalysisHandle {
    pub(super) fn new(
        stop: StopFlag,
        progress: watch::Receiver<AnalysisProgress>,
    ) -> AnalysisHandle {
        AnalysisHandle {
            stop,
            progress,
            slot: None,
        }
    }

    pub(super) fn with_slot(mut self, slot: VisitorSlot) -> AnalysisHandle {
        self.slot = Some(slot);
        self
    }

    /// Waits for progress after this sequence number. A slow reader skips reports and gets the
    /// newest. `None` once there are no more.
    pub(crate) async fn next_after(&mut self, sequence: u64) -> Option<AnalysisProgress> {
        let progress = self
            .progress
            .wait_for(|progress| progress.sequence > sequence)
            .await;
        progress.ok().map(|progress| progress.clone())
    }

    /// Is it waiting for a thread?
    pub(crate) fn is_queued(&self) -> bool {
        !self.progress.borrow().is_started
    }

    pub(crate) async fn wait_until_done(&mut self) {
        // An error means that it was never started or is gone, so it's done too.
        let _ = self.progress.wait_for(|progress| progress.is_done).await;
    }

    /// Waits for the end. Returns how it ended, and the last report.
    pub(crate) async fn join(mut self) -> (AnalysisEnd, SearchReport<String>) {
        self.wait_until_done().await;
        let progress = self.progress.borrow().clone();
        let report = progress
            .report
            .map_or_else(SearchReport::empty, Arc::unwrap_or_clone);
        // An analysis that was never started was stopped while it was queued.
        (progress.ending.unwrap_or(AnalysisEnd::Stopped), report)
    }
}

impl Drop for AnalysisHandle {
    fn drop(&mut self) {
        self.stop.stop();
        drop(self.slot.take());
    }
}
