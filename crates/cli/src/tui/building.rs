//! The exact table of Tic-Tac-Two: whether it is there, and building it while
//! people play.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use noughts_engine::tablebase::{self, Table};
use noughts_rules::Variant;

use crate::tui::event::{News, Ticket};

/// How it stands with the table of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum TableState {
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
pub(crate) enum Building {
    #[default]
    Nothing,
    Going {
        ticket: Ticket,
        done: f64,
    },
    Ended(Result<(), String>),
}

impl Building {
    pub(crate) fn done(&self) -> Option<f64> {
        match self {
            Building::Going { done, .. } => Some(*done),
            _ => None,
        }
    }

    /// Takes news of the building; true when it has ended well.
    pub(crate) fn hear(&mut self, ticket: Ticket, news: &News) -> bool {
        let Building::Going { ticket: ours, done } = self else {
            return false;
        };
        if *ours != ticket {
            return false;
        }
        match news {
            News::Building(now) => *done = *now,
            News::Built(built) => {
                *self = Building::Ended(built.clone());
                return built.is_ok();
            }
            _ => {}
        }
        false
    }

    /// What there is to say of it.
    pub(crate) fn notice(&self) -> Option<String> {
        match self {
            Building::Nothing => None,
            Building::Going { done, .. } => {
                let percent = (done * 100.0).floor();
                Some(format!("building the exact table: {percent} %"))
            }
            Building::Ended(Ok(())) => Some("the exact table is ready".into()),
            Building::Ended(Err(reason)) => Some(format!("the table was not built: {reason}")),
        }
    }
}

/// Builds the table beside everything else. Ending the program stops it; the next
/// build removes what it left behind.
pub(crate) fn build(path: PathBuf, tell: impl Fn(News) + Send + Sync + 'static) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    // Half the machine stays with the game.
    let threads = (cores / 2).max(1);
    let work = move || {
        let told = AtomicU32::new(0);
        let built = catch_unwind(AssertUnwindSafe(|| {
            Table::build(&path, threads, &|progress| {
                let done = progress.of_build();
                let percent = (done * 100.0) as u32;
                // Thousands of steps, but no more than a hundred frames.
                if told.fetch_max(percent, Ordering::Relaxed) < percent {
                    tell(News::Building(done));
                }
            })
        }));
        tell(News::Built(match built {
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
    tablebase::VARIANTS.contains(&variant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_heard_is_said() {
        let (ours, other) = (Ticket(1), Ticket(2));
        let mut building = Building::Going {
            ticket: ours,
            done: 0.0,
        };
        assert!(!building.hear(ours, &News::Building(0.43)));
        assert!(
            !building.hear(other, &News::Building(0.9)),
            "somebody else's"
        );
        let notice = building.notice().expect("it goes on");
        assert!(notice.contains("43 %"), "{notice}");
        assert!(building.hear(ours, &News::Built(Ok(()))));
        assert_eq!(building.done(), None);
        assert!(building.notice().expect("it ended").contains("ready"));
    }

    #[test]
    fn a_failure_has_its_sentence() {
        let folder = std::env::temp_dir().join(format!("noughts-building-{}", std::process::id()));
        // A file where the folder should be.
        std::fs::write(&folder, "").expect("a file");
        let (sender, told) = std::sync::mpsc::channel();
        build(tablebase::path_in(&folder), move |news| {
            let _ = sender.send(news);
        });
        let mut building = Building::Going {
            ticket: Ticket(1),
            done: 0.0,
        };
        assert!(!building.hear(Ticket(1), &told.recv().expect("news")));
        let notice = building.notice().expect("it failed");
        assert!(notice.starts_with("the table was not built: "), "{notice}");
        std::fs::remove_file(&folder).expect("the file is there");
    }
}
