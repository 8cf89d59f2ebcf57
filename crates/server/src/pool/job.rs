//! Work that goes on elsewhere, seen by whoever waits for it: a bot's move, or an
//! analysis that knows more and more.

use std::sync::Arc;

use noughts_engine::{Report, Stop};
use tokio::sync::{oneshot, watch};

use super::desks::Place;

/// A bot that thinks about a move. Dropping it stops the bot.
pub(crate) struct Job {
    stop: Stop,
    answer: oneshot::Receiver<Result<Report<String>, String>>,
    /// The visitor's place, where it is counted.
    place: Option<Place>,
}

impl Job {
    pub(super) fn new(
        stop: Stop,
        answer: oneshot::Receiver<Result<Report<String>, String>>,
    ) -> Job {
        Job {
            stop,
            answer,
            place: None,
        }
    }

    pub(super) fn at(mut self, place: Place) -> Job {
        self.place = Some(place);
        self
    }

    /// Waits for the move.
    ///
    /// # Errors
    /// Why there is none: the bot broke down, or too many others wait.
    pub(crate) async fn done(mut self) -> Result<Report<String>, String> {
        let answer = (&mut self.answer).await;
        answer.unwrap_or_else(|_| Err("too many bots are thinking; try again in a moment".into()))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop.stop();
        drop(self.place.take());
    }
}

/// How an analysis came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// It used its limits, or proved the value.
    Complete,
    /// It was stopped before that: others waited, nobody did, or the server stops.
    Stopped,
    /// It panicked.
    Failed,
}

/// What an analysis knows by now.
#[derive(Clone, Default)]
pub(crate) struct Known {
    /// It has had its turn.
    pub(crate) begun: bool,
    /// Grows with every report.
    pub(crate) number: u64,
    /// The newest.
    pub(crate) report: Option<Arc<Report<String>>>,
    /// It has come to its end.
    pub(crate) done: bool,
    /// How, if it was ever begun.
    ending: Option<Ending>,
}

impl Known {
    pub(super) fn learn(&mut self, report: Report<String>) {
        self.number += 1;
        self.report = Some(Arc::new(report));
    }

    /// It ends; perhaps there is something to say of it.
    pub(super) fn end(&mut self, ending: Ending, note: Option<&str>) {
        self.number += 1;
        self.done = true;
        self.ending = Some(ending);
        if let Some(note) = note {
            let known = self.report.as_deref().cloned();
            self.report = Some(Arc::new(Report {
                note: Some(note.into()),
                ..known.unwrap_or_else(Report::empty)
            }));
        }
    }
}

/// An analysis at work. Dropping it stops it.
pub(crate) struct Watching {
    stop: Stop,
    known: watch::Receiver<Known>,
    /// The visitor's place among their analyses, kept as long as this.
    place: Option<Place>,
}

impl Watching {
    pub(super) fn new(stop: Stop, known: watch::Receiver<Known>) -> Watching {
        Watching {
            stop,
            known,
            place: None,
        }
    }

    pub(super) fn at(mut self, place: Place) -> Watching {
        self.place = Some(place);
        self
    }

    /// Waits until more is known than in the report of this number: a slow reader
    /// misses some of them and gets the newest. None once there is no more to come.
    pub(crate) async fn after(&mut self, number: u64) -> Option<Known> {
        let known = self.known.wait_for(|known| known.number > number).await;
        known.ok().map(|known| known.clone())
    }

    /// Is it waiting for its turn?
    pub(crate) fn waits(&self) -> bool {
        !self.known.borrow().begun
    }

    /// Waits until it has come to its end.
    pub(crate) async fn ended(&mut self) {
        // An error says that it was never begun, or is gone: an end, too.
        let _ = self.known.wait_for(|known| known.done).await;
    }

    /// Waits for the end. Returns how it ended, and all that is known.
    pub(crate) async fn finish(mut self) -> (Ending, Report<String>) {
        self.ended().await;
        let known = self.known.borrow().clone();
        let report = known
            .report
            .map_or_else(Report::empty, Arc::unwrap_or_clone);
        // One that was never begun was stopped before its turn.
        (known.ending.unwrap_or(Ending::Stopped), report)
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.stop.stop();
        drop(self.place.take());
    }
}
