//! The handle to an analysis on another thread, which improves over time.

use std::sync::Arc;

use noughts_engine::{SearchNote, SearchReport, StopFlag};
use tokio::sync::watch;

/// Stops a search when it's dropped.
pub(super) struct StopOnDrop(pub(super) StopFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
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
                note: Some(SearchNote::Other(note.into())),
                ..report.unwrap_or_else(SearchReport::empty)
            }));
        }
    }
}

/// A queued or running analysis. Dropping it stops the analysis.
pub(crate) struct AnalysisHandle {
    pub(super) progress: watch::Receiver<AnalysisProgress>,
    pub(super) _stop: StopOnDrop,
}

impl AnalysisHandle {
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
