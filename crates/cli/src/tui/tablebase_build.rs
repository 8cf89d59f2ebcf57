//! The exact table of Tic-Tac-Two: whether it is there, and building it while
//! people play.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use noughts_engine::tablebase::{self, Tablebase};
use noughts_rules::Variant;

use crate::tui::event::{TaskMessage, Ticket};

/// How it stands with the table of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum TablebaseStatus {
    /// There is none for this game.
    NotFor,
    /// Nobody has looked yet.
    Unknown,
    /// There is no place to keep one.
    NoPlace,
    Missing,
    /// How much of it is done, from 0 to 1.
    Building(f64),
    Ready,
}

/// A table that is being built, or what came of it until that was seen.
#[derive(Default)]
pub(crate) enum TablebaseBuild {
    #[default]
    Idle,
    Going {
        ticket: Ticket,
        progress: f64,
    },
    Finished(Result<(), String>),
}

impl TablebaseBuild {
    pub(crate) fn progress(&self) -> Option<f64> {
        match self {
            TablebaseBuild::Going { progress: done, .. } => Some(*done),
            _ => None,
        }
    }

    /// Takes news of the building; true when it has ended well.
    pub(crate) fn handle_message(&mut self, ticket: Ticket, news: &TaskMessage) -> bool {
        let TablebaseBuild::Going {
            ticket: ours,
            progress: done,
        } = self
        else {
            return false;
        };
        if *ours != ticket {
            return false;
        }
        match news {
            TaskMessage::BuildProgress(now) => *done = *now,
            TaskMessage::BuildFinished(built) => {
                *self = TablebaseBuild::Finished(built.clone());
                return built.is_ok();
            }
            _ => {}
        }
        false
    }

    /// What there is to say of it.
    pub(crate) fn notice(&self) -> Option<String> {
        match self {
            TablebaseBuild::Idle => None,
            TablebaseBuild::Going { progress: done, .. } => {
                let percent = (done * 100.0).floor();
                Some(format!("building the exact table: {percent} %"))
            }
            TablebaseBuild::Finished(Ok(())) => Some("the exact table is ready".into()),
            TablebaseBuild::Finished(Err(reason)) => {
                Some(format!("the table was not built: {reason}"))
            }
        }
    }
}

/// Builds the table beside everything else. Ending the program stops it; the next
/// build removes what it left behind.
pub(crate) fn build(path: PathBuf, tell: impl Fn(TaskMessage) + Send + Sync + 'static) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    // Half the machine stays with the game.
    let threads = (cores / 2).max(1);
    let work = move || {
        let told = AtomicU32::new(0);
        let built = catch_unwind(AssertUnwindSafe(|| {
            Tablebase::build(&path, threads, &|progress| {
                let done = progress.build_fraction();
                let percent = (done * 100.0) as u32;
                // Thousands of steps, but no more than a hundred frames.
                if told.fetch_max(percent, Ordering::Relaxed) < percent {
                    tell(TaskMessage::BuildProgress(done));
                }
            })
        }));
        tell(TaskMessage::BuildFinished(match built {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("the program broke down over it".into()),
        }));
    };
    // Without a thread nothing is ever told; a system in that state has other worries.
    let _ = thread::Builder::new().name("table".into()).spawn(work);
}

/// Is there such a table?
pub(crate) fn has_table(variant: Variant) -> bool {
    tablebase::SUPPORTED_VARIANTS.contains(&variant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_heard_is_said() {
        let (ours, other) = (Ticket(1), Ticket(2));
        let mut building = TablebaseBuild::Going {
            ticket: ours,
            progress: 0.0,
        };
        assert!(!building.handle_message(ours, &TaskMessage::BuildProgress(0.43)));
        assert!(
            !building.handle_message(other, &TaskMessage::BuildProgress(0.9)),
            "somebody else's"
        );
        let notice = building.notice().expect("it goes on");
        assert!(notice.contains("43 %"), "{notice}");
        assert!(building.handle_message(ours, &TaskMessage::BuildFinished(Ok(()))));
        assert_eq!(building.progress(), None);
        assert!(building.notice().expect("it ended").contains("ready"));
    }

    #[test]
    fn a_failure_has_its_sentence() {
        let folder = std::env::temp_dir().join(format!("noughts-building-{}", std::process::id()));
        // A file where the folder should be.
        std::fs::write(&folder, "").expect("a file");
        let (sender, told) = std::sync::mpsc::channel();
        build(tablebase::tablebase_path(&folder), move |news| {
            let _ = sender.send(news);
        });
        let mut building = TablebaseBuild::Going {
            ticket: Ticket(1),
            progress: 0.0,
        };
        assert!(!building.handle_message(Ticket(1), &told.recv().expect("news")));
        let notice = building.notice().expect("it failed");
        assert!(notice.starts_with("the table was not built: "), "{notice}");
        std::fs::remove_file(&folder).expect("the file is there");
    }
}
