//! The tablebase of a game: whether it exists, and building it in the background.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use noughts_engine::StopFlag;
use noughts_engine::tablebase::{self, Tablebase};
use noughts_rules::Variant;

use crate::search_args::core_count;
use crate::tui::event::{TaskId, TaskMessage};

/// A running build, or the result of one until the player has seen it.
#[derive(Default)]
pub(crate) enum TablebaseBuild {
    #[default]
    Idle,
    Running {
        task: TaskId,
        progress: f64,
    },
    Finished(Result<(), String>),
}

impl TablebaseBuild {
    pub(crate) fn progress(&self) -> Option<f64> {
        match self {
            TablebaseBuild::Running { progress, .. } => Some(*progress),
            _ => None,
        }
    }

    /// Handles a message from the build. Returns true if the build has succeeded.
    pub(crate) fn handle_message(&mut self, task: TaskId, message: &TaskMessage) -> bool {
        let TablebaseBuild::Running {
            task: own_task,
            progress,
        } = self
        else {
            return false;
        };
        if *own_task != task {
            return false;
        }
        match message {
            TaskMessage::BuildProgress(now) => *progress = *now,
            TaskMessage::BuildFinished(built) => {
                *self = TablebaseBuild::Finished(built.clone());
                return built.is_ok();
            }
            _ => {}
        }
        false
    }

    pub(crate) fn notice(&self) -> Option<String> {
        match self {
            TablebaseBuild::Idle => None,
            TablebaseBuild::Running { progress, .. } => {
                let percent = (progress * 100.0).floor();
                Some(format!("Building the tablebase: {percent}%"))
            }
            TablebaseBuild::Finished(Ok(())) => Some("Tablebase ready".into()),
            TablebaseBuild::Finished(Err(reason)) => {
                Some(format!("Couldn't build the tablebase: {reason}"))
            }
        }
    }
}

/// Builds the tablebase of a variant below a folder in the background. Quitting the program stops it; the next build
/// removes the leftovers.
pub(crate) fn build(
    folder: &Path,
    variant: Variant,
    send: impl Fn(TaskMessage) + Send + Sync + 'static,
) {
    let path = tablebase::tablebase_path(folder, variant);
    // Leave half of the cores to the game.
    let threads = (core_count() / 2).max(1);
    let work = move || {
        let last_percent = AtomicU32::new(0);
        let built = catch_unwind(AssertUnwindSafe(|| {
            Tablebase::build(variant, &path, threads, &StopFlag::new(), &|progress| {
                let progress = progress.build_fraction();
                let percent = (progress * 100.0) as u32;
                // Thousands of progress reports, but at most a hundred redraws.
                if last_percent.fetch_max(percent, Ordering::Relaxed) < percent {
                    send(TaskMessage::BuildProgress(progress));
                }
            })
        }));
        send(TaskMessage::BuildFinished(match built {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("the build crashed".into()),
        }));
    };
    // If no thread can be started, no message is ever sent.
    let _ = thread::Builder::new().name("tablebase".into()).spawn(work);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notice_follows_the_build() {
        let (own_task, other) = (TaskId(1), TaskId(2));
        let mut build = TablebaseBuild::Running {
            task: own_task,
            progress: 0.0,
        };
        assert!(!build.handle_message(own_task, &TaskMessage::BuildProgress(0.43)));
        assert!(
            !build.handle_message(other, &TaskMessage::BuildProgress(0.9)),
            "another task"
        );
        let notice = build.notice().expect("a running build");
        assert!(notice.contains("43%"), "{notice}");
        assert!(build.handle_message(own_task, &TaskMessage::BuildFinished(Ok(()))));
        assert_eq!(build.progress(), None);
        assert!(build.notice().expect("a finished build").contains("ready"));
    }

    #[test]
    fn a_failed_build_has_a_notice() {
        let folder = std::env::temp_dir().join(format!("noughts-building-{}", std::process::id()));
        // A file where the directory should be.
        std::fs::write(&folder, "").expect("a file");
        let (sender, messages) = std::sync::mpsc::channel();
        build(&folder, Variant::TIC_TAC_TWO, move |message| {
            let _ = sender.send(message);
        });
        let mut build = TablebaseBuild::Running {
            task: TaskId(1),
            progress: 0.0,
        };
        assert!(!build.handle_message(TaskId(1), &messages.recv().expect("a message")));
        let notice = build.notice().expect("a failed build");
        assert!(
            notice.starts_with("Couldn't build the tablebase: "),
            "{notice}"
        );
        std::fs::remove_file(&folder).expect("the file is there");
    }
}
