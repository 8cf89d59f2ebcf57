//! What can happen to a screen: a key, the mouse, a new size, news from what works
//! in the background. All of it comes through one channel, so that a screen that
//! waits does nothing at all.

use std::sync::mpsc::Sender;
use std::thread;

use crossterm::event::{self, KeyEvent, KeyEventKind, MouseEvent};
use noughts_engine::SearchReport;
use noughts_store::{GameSummary, Name, PlayerRecord, Tally};

use noughts_session::{SearchUpdate, Session, SessionError};

use crate::tui::terminal;

/// Something that happened.
pub(crate) enum Event {
    Key(KeyEvent),
    Mouse(MouseEvent),
    Paste(String),
    Resize,
    /// The time that the screen asked to be woken at has come.
    Tick,
    /// The program has to end, by the signal with this number.
    Terminate(u8),
    /// The program has to stop until the shell continues it.
    #[cfg_attr(not(unix), allow(dead_code, reason = "only Unix has job control"))]
    Suspend,
    /// The program was stopped and continues: the terminal shows something else now.
    #[cfg_attr(not(unix), allow(dead_code, reason = "only Unix has job control"))]
    Resume,
    /// From what works in the background.
    Task(Ticket, TaskMessage),
}

/// Tells the news of one piece of work from those of others, which may come late:
/// work that nobody wants any more is not waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Ticket(pub(crate) u64);

/// What work in the background has to tell.
pub(crate) enum TaskMessage {
    /// A step of a game was stored, or not made.
    ActionDone(Result<Box<Session>, SessionError>),
    /// A bot's thoughts.
    BotThought(SearchUpdate),
    /// More is known of a position.
    Analysed(SearchReport<String>),
    /// An analysis has come to its end.
    AnalysisOver,
    /// Everybody who is known, the one who played last first.
    Players(Result<Vec<(Name, Tally)>, String>),
    /// How somebody's games went.
    PlayerRecord(Result<Option<PlayerRecord>, String>),
    /// Games that are kept.
    Games(Result<Vec<GameSummary>, String>),
    /// The table being built: how much of it is done, from 0 to 1.
    BuildProgress(f64),
    /// The table is there, or why it is not.
    BuildFinished(Result<(), String>),
}

/// Reads the terminal until the program ends.
pub(crate) fn read_terminal(events: Sender<Event>) {
    thread::spawn(move || {
        loop {
            let event = match event::read() {
                // Some terminals report releases, too.
                Ok(event::Event::Key(key)) if key.kind == KeyEventKind::Release => continue,
                Ok(event::Event::Key(key)) => Event::Key(key),
                Ok(event::Event::Mouse(mouse)) => Event::Mouse(mouse),
                Ok(event::Event::Paste(text)) => Event::Paste(text),
                Ok(event::Event::Resize(..)) => Event::Resize,
                Ok(event::Event::FocusGained | event::Event::FocusLost) => continue,
                // The terminal can't be read: it is as good as gone.
                Err(_) => return terminal::end_by(terminal::HANG_UP, &events),
            };
            if events.send(event).is_err() {
                return;
            }
        }
    });
}
