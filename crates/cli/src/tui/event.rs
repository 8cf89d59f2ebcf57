//! The events of a screen: keys, mouse, resizing and messages from background tasks. All of them
//! come through one channel, so an idle screen uses no CPU time.

use std::sync::mpsc::Sender;
use std::thread;

use crossterm::event::{self, KeyEvent, KeyEventKind, KeyModifiers, MouseEvent};
use noughts_engine::SearchReport;
use noughts_store::{GameSummary, Name, PlayerRecord, Tally};

use noughts_session::{SearchUpdate, Session, SessionError};

use crate::tui::terminal;

pub(crate) enum Event {
    Key(KeyEvent),
    Mouse(MouseEvent),
    Paste(String),
    Resize,
    /// The time that the screen asked for with `Screen::next_tick` has passed.
    Tick,
    /// The program must exit because of this signal.
    Terminate(u8),
    /// The program must stop until the shell continues it.
    #[cfg_attr(not(unix), allow(dead_code, reason = "only Unix has job control"))]
    Suspend,
    /// The program was stopped and continues: the terminal's content is unknown.
    #[cfg_attr(not(unix), allow(dead_code, reason = "only Unix has job control"))]
    Resume,
    /// From a background task.
    Task(TaskId, TaskMessage),
}

/// Identifies the messages of a background task. Messages of a task that is no longer of interest
/// may arrive late and are ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TaskId(pub(crate) u64);

/// A message from a background task.
pub(crate) enum TaskMessage {
    /// An action was stored and applied, or it failed.
    ActionDone(Result<Box<Session>, SessionError>),
    SearchUpdate(SearchUpdate),
    /// An intermediate result.
    AnalysisUpdate(SearchReport<String>),
    AnalysisEnded,
    /// All known players, most recently active first.
    Players(Result<Vec<(Name, Tally)>, String>),
    /// A player's record.
    PlayerRecord(Result<Option<PlayerRecord>, String>),
    /// Stored games.
    Games(Result<Vec<GameSummary>, String>),
    /// The finished fraction of the tablebase build, from 0 to 1.
    BuildProgress(f64),
    /// The tablebase is ready, or the build failed.
    BuildFinished(Result<(), String>),
}

/// Is this a shortcut such as Ctrl-A, and not the key alone?
pub(crate) fn is_shortcut(key: KeyEvent) -> bool {
    key.modifiers
        .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SUPER)
}

/// Starts a thread that reads terminal events until the program exits.
pub(crate) fn spawn_terminal_reader(events: Sender<Event>) {
    thread::spawn(move || {
        loop {
            let event = match event::read() {
                // Some terminals also report key releases.
                Ok(event::Event::Key(key)) if key.kind == KeyEventKind::Release => continue,
                Ok(event::Event::Key(key)) => Event::Key(key),
                Ok(event::Event::Mouse(mouse)) => Event::Mouse(mouse),
                Ok(event::Event::Paste(text)) => Event::Paste(text),
                Ok(event::Event::Resize(..)) => Event::Resize,
                Ok(event::Event::FocusGained | event::Event::FocusLost) => continue,
                // A terminal that can't be read is treated as disconnected.
                Err(_) => return terminal::exit_by_signal(terminal::SIGHUP, &events),
            };
            if events.send(event).is_err() {
                return;
            }
        }
    });
}
