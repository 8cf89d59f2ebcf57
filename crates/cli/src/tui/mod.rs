//! The terminal interface: takes over the terminal and passes events to the screens. The rules
//! decide what is legal, and the session stores games.

mod app;
mod app_context;
mod appearance;
pub(crate) mod board;
mod event;
mod game_setup;
mod screens;
mod tablebase_build;
mod terminal;
#[cfg(test)]
mod testing;
pub(crate) mod theme;
mod widgets;

pub(crate) use widgets::truncate;

use std::ffi::OsStr;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal};
use std::iter;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use crossterm::event::KeyCode;
use noughts_engine::BotKind;
use noughts_rules::{AnyGameState, Side};
use noughts_session::policy::{GameRequest, RequestedPlayer};

use crate::error::CliError;
use crate::store_handle::StoreHandle;
use app::{LoopControl, TerminalApp};
use app_context::AppContext;
use appearance::{Appearance, TerminalEnv};
use event::Event;
use screens::{Screen, ScreenFactory, menu, question, resume};
use terminal::TerminalGuard;

/// How the terminal interface starts.
pub(crate) struct LaunchOptions {
    /// The data directory, or why there is none.
    pub(crate) data_dir: Result<PathBuf, CliError>,
    /// Store nothing on disk.
    pub(crate) in_memory: bool,
    /// The seed of the random choices.
    pub(crate) seed: Option<u64>,
    /// Draw everything in ASCII.
    pub(crate) ascii: bool,
    /// The bots' thinking time per move.
    pub(crate) bot_time: Option<Duration>,
}

pub(crate) fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Is there a terminal that can show the interface?
pub(crate) fn can_run() -> bool {
    is_terminal() && !is_dumb(std::env::var_os("TERM").as_deref())
}

/// A terminal that can't move its cursor. Only Unix names its terminals.
fn is_dumb(term: Option<&OsStr>) -> bool {
    match term {
        None => cfg!(unix),
        Some(name) => name.is_empty() || name == "dumb" || name == "unknown",
    }
}

/// Runs the terminal interface, starting with the menu.
pub(crate) fn run_menu(options: LaunchOptions) -> Result<(), CliError> {
    run(options, |context| {
        resume::offer(context, &GameRequest::default(), menu::MenuScreen::open)
    })
}

/// Runs the terminal interface, starting with a game: the first of the registry, if none was given.
pub(crate) fn run_game(request: GameRequest, options: LaunchOptions) -> Result<(), CliError> {
    run(options, move |context| {
        let variant = request.variant.unwrap_or_default();
        let from = request.start.clone();
        let from = from.unwrap_or_else(|| AnyGameState::new(variant));
        let seats = seats(&request.seats, from.side());
        let request = GameRequest {
            variant: Some(variant),
            ..request
        };
        resume::offer(context, &request, |context: &mut AppContext| {
            menu::start_game(context, from, seats)
        })
    })
}

/// Fills the seats that weren't given: with a human, or with a bot if the other player is a human.
/// If neither was given, the human plays the side that moves first.
fn seats(requested: &[Option<RequestedPlayer>; 2], first: Side) -> [RequestedPlayer; 2] {
    let default_opponent = |other: Option<&RequestedPlayer>| match other {
        Some(RequestedPlayer::Human(_)) => RequestedPlayer::Bot(BotKind::Medium),
        _ => RequestedPlayer::Human(None),
    };
    let [mover, other] = [first, first.other()].map(|side| requested[side as usize].clone());
    let mover = mover.unwrap_or_else(|| default_opponent(other.as_ref()));
    let other = other.unwrap_or_else(|| default_opponent(Some(&mover)));
    match first {
        Side::X => [mover, other],
        Side::O => [other, mover],
    }
}

fn run(
    options: LaunchOptions,
    first: impl FnOnce(&mut AppContext) -> Box<dyn Screen> + 'static,
) -> Result<(), CliError> {
    let (sender, events) = mpsc::channel();
    let terminal_env = TerminalEnv::detect(options.ascii);
    let seed = options
        .seed
        .unwrap_or_else(|| RandomState::new().hash_one(0));
    let (store_handle, data_dir, store_error) = open(options.data_dir, options.in_memory)?;
    terminal::watch_signals(store_handle.runtime_handle(), &sender);
    let mut context = AppContext::new(store_handle, terminal_env, data_dir, sender.clone(), seed);
    context.bot_time = options.bot_time;
    context.deterministic = options.seed.is_some();
    if let Some(saved) = context.load_setting(Appearance::SETTING_KEY) {
        context.set_appearance(Appearance::from_json(&saved));
    }
    let first: ScreenFactory = Box::new(first);
    let screen = match store_error {
        None => first(&mut context),
        Some(store_error) => question::store_unavailable(&store_error, first),
    };
    let mut app = TerminalApp::new(screen, context);
    match run_event_loop(&mut app, &events, sender) {
        Ok(None) => Ok(()),
        Ok(Some(signal)) => Err(CliError::Signal(signal)),
        Err(_) if terminal::is_disconnected() => Err(CliError::Signal(terminal::SIGHUP)),
        Err(error) => Err(CliError::failed("can't use the terminal", error)),
    }
}

/// The store, the data directory, and the reason if games can't be saved there.
fn open(
    data_dir: Result<PathBuf, CliError>,
    in_memory: bool,
) -> Result<(StoreHandle, Option<PathBuf>, Option<String>), CliError> {
    if in_memory {
        return Ok((StoreHandle::in_memory()?, data_dir.ok(), None));
    }
    let (opened, data_dir) = match data_dir {
        Ok(data_dir) => (StoreHandle::open(&data_dir), Some(data_dir)),
        Err(error) => (Err(error), None),
    };
    match opened {
        Ok(store_handle) => Ok((store_handle, data_dir, None)),
        Err(CliError::Failure(reason) | CliError::Argument(reason)) => {
            Ok((StoreHandle::in_memory()?, data_dir, Some(reason)))
        }
        Err(error) => Err(error),
    }
}

/// Runs the screens until one of them quits, or until a signal does; then returns the signal's
/// number.
fn run_event_loop(
    app: &mut TerminalApp,
    events: &Receiver<Event>,
    sender: mpsc::Sender<Event>,
) -> io::Result<Option<u8>> {
    /// Draw after this many events, so that a held key or a moving mouse can't delay a frame.
    const MAX_EVENTS_PER_FRAME: usize = 32;
    let mut terminal = TerminalGuard::enter()?;
    event::spawn_terminal_reader(sender);
    loop {
        terminal.draw(|frame| app.draw(frame))?;
        let Some(first) = next_event(events, app.next_tick()) else {
            return Ok(None);
        };
        let pending = iter::once(first).chain(events.try_iter());
        for event in pending.take(MAX_EVENTS_PER_FRAME) {
            panic_if_requested(&event);
            match app.handle_event(event) {
                LoopControl::Continue => {}
                LoopControl::Redraw => terminal.force_redraw()?,
                LoopControl::Suspend => terminal.suspend()?,
                LoopControl::Resume => terminal.resume()?,
                LoopControl::Quit => return Ok(None),
                LoopControl::QuitBySignal(signal) => return Ok(Some(signal)),
            }
        }
    }
}

/// The next event; `None` if all senders are gone.
fn next_event(events: &Receiver<Event>, tick_after: Option<Duration>) -> Option<Event> {
    let Some(time) = tick_after else {
        return events.recv().ok();
    };
    match events.recv_timeout(time) {
        Ok(event) => Some(event),
        Err(RecvTimeoutError::Timeout) => Some(Event::Tick),
        Err(RecvTimeoutError::Disconnected) => None,
    }
}

/// Panics on F12 if `NOUGHTS_BREAK_DOWN` is set, in debug builds only. A test checks that the
/// terminal is restored after a panic.
fn panic_if_requested(event: &Event) {
    let requested = matches!(event, Event::Key(key) if key.code == KeyCode::F(12));
    if requested && cfg!(debug_assertions) && std::env::var_os("NOUGHTS_BREAK_DOWN").is_some() {
        panic!("panic requested with NOUGHTS_BREAK_DOWN");
    }
}

#[cfg(test)]
mod tests {
    use noughts_rules::Variant;
    use noughts_store::{GameFilter, Name, NewGame, Seat};

    use super::*;

    fn player_name(name: &str) -> Name {
        Name::new(name).expect("a name")
    }

    #[test]
    fn only_matching_games_are_offered() {
        let store_handle = StoreHandle::in_memory().expect("a store in memory");
        let game = NewGame {
            variant: Variant::MISERE,
            start: None,
            seats: [
                Seat::Player(player_name("Ada")),
                Seat::Bot("perfect".into()),
            ],
        };
        store_handle
            .block_on(store_handle.store().create_game(&game))
            .expect("a game");
        let games = store_handle.block_on(store_handle.store().games(&GameFilter::default()));
        let game = &games.expect("a store in memory")[0];
        let human = |name| Some(RequestedPlayer::Human(Some(player_name(name))));
        let bot = |kind| Some(RequestedPlayer::Bot(kind));
        let anyone = || Some(RequestedPlayer::Human(None));
        for (requested, expected) in [
            ([human("ada"), None], true),
            ([human("Zed"), None], false),
            ([None, human("Ada")], false),
            ([None, None], true),
            ([anyone(), bot(BotKind::Perfect)], true),
            ([human("Ada"), bot(BotKind::Hard)], false),
            ([bot(BotKind::Perfect), human("Ada")], false),
            ([None, bot(BotKind::Medium)], false),
            ([None, anyone()], false),
        ] {
            let request = |variant| GameRequest {
                variant: Some(variant),
                seats: requested.clone(),
                start: None,
            };
            let fits = request(Variant::MISERE).fits(game);
            assert_eq!(fits, expected, "{requested:?}");
            assert!(!request(Variant::CLASSIC).fits(game), "{requested:?}");
        }
    }

    #[test]
    fn the_human_plays_the_side_to_move() {
        let (you, medium) = (
            RequestedPlayer::Human(None),
            RequestedPlayer::Bot(BotKind::Medium),
        );
        let (x, o) = (Side::X, Side::O);
        let bot = Some(RequestedPlayer::Bot(BotKind::Hard));
        for (requested, first, expected) in [
            ([None, None], x, [you.clone(), medium.clone()]),
            ([None, None], o, [medium.clone(), you.clone()]),
            ([Some(you.clone()), None], o, [you.clone(), medium]),
            (
                [None, bot.clone()],
                o,
                [you, RequestedPlayer::Bot(BotKind::Hard)],
            ),
        ] {
            assert!(
                seats(&requested, first) == expected,
                "{requested:?} {first}"
            );
        }
    }

    #[test]
    fn dumb_terminals_are_detected_by_name() {
        for (term, dumb) in [
            (Some("dumb"), true),
            (Some("unknown"), true),
            (Some(""), true),
            (None, cfg!(unix)),
            (Some("xterm"), false),
            (Some("linux"), false),
        ] {
            assert_eq!(is_dumb(term.map(OsStr::new)), dumb, "{term:?}");
        }
    }

    /// If the data directory is unusable, there is a reason and a store in memory.
    #[test]
    fn without_a_data_dir_games_are_not_saved() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "in the way").expect("a file");
        let nowhere = || Err(CliError::Failure("there is no home".into()));
        for (data_dir, in_memory, is_persistent, has_error) in [
            (Ok(folder.path().join("new")), false, true, false),
            (Ok(folder.path().join("new")), true, false, false),
            (Ok(file.clone()), false, false, true),
            (Ok(file.join("below")), false, false, true),
            (nowhere(), false, false, true),
            (nowhere(), true, false, false),
        ] {
            let (store_handle, _, reason) = open(data_dir, in_memory).expect("a store");
            assert_eq!(store_handle.is_persistent(), is_persistent);
            assert_eq!(reason.is_some(), has_error, "{reason:?}");
        }
    }
}
