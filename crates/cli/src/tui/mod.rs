//! The terminal game: takes the terminal over, and hands events to the screens.
//! What is legal and how a game is kept is asked of others.

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

use std::ffi::OsStr;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal};
use std::iter;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use crossterm::event::KeyCode;
use noughts_engine::BotKind;
use noughts_rules::{AnyGameState, Side, Variant};
use noughts_store::{GameSummary, Seat};

use crate::error::Error;
use crate::participant_arg::ParticipantArg;
use crate::store_handle::StoreHandle;
use app::{App, Flow};
use app_context::AppContext;
use appearance::{Appearance, Surroundings};
use event::Event;
use screens::{Screen, menu, question, resume};
use terminal::Screenful;

/// How the terminal game is to start.
pub(crate) struct LaunchOptions {
    /// The folder of the program's data, or why there is none.
    pub(crate) data_dir: Result<PathBuf, Error>,
    /// Nothing is to be kept.
    pub(crate) in_memory: bool,
    /// Where chance begins.
    pub(crate) seed: Option<u64>,
    /// Everything in ASCII.
    pub(crate) ascii: bool,
    /// How long bots think about a move.
    pub(crate) bot_time: Option<Duration>,
}

/// Does somebody sit at a terminal?
pub(crate) fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Is there a terminal that can show the game?
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

/// The terminal game from its menu.
pub(crate) fn run_menu(start: LaunchOptions) -> Result<(), Error> {
    run(start, |house| {
        resume::offer(house, |_, _| true, menu::MenuScreen::open)
    })
}

/// The terminal game, one game at once.
pub(crate) fn run_game(
    variant: Variant,
    from: Option<AnyGameState>,
    asked: [Option<ParticipantArg>; 2],
    start: LaunchOptions,
) -> Result<(), Error> {
    run(start, move |house| {
        let given = from.clone();
        let wanted = |keeper: &StoreHandle, game: &GameSummary| {
            let same_start = |from| keeper.continues_from(game.id, from);
            fits(game, variant, &asked) && given.as_ref().is_none_or(same_start)
        };
        let from = from.unwrap_or_else(|| AnyGameState::new(variant));
        let seats = seats(&asked, from.side());
        let begin = move |house: &mut AppContext| menu::begin_at_once(house, from, seats);
        resume::offer(house, wanted, begin)
    })
}

/// Who plays if nothing is asked: a side that wasn't given is a human, or, if the other is one, a
/// computer. If neither was given, the human plays the side that moves first.
fn seats(asked: &[Option<ParticipantArg>; 2], first: Side) -> [ParticipantArg; 2] {
    let against = |other: Option<&ParticipantArg>| match other {
        Some(ParticipantArg::Human(_)) => ParticipantArg::Bot(BotKind::Medium),
        _ => ParticipantArg::Human(None),
    };
    let [mover, other] = [first, first.other()].map(|side| asked[side as usize].clone());
    let mover = mover.unwrap_or_else(|| against(other.as_ref()));
    let other = other.unwrap_or_else(|| against(Some(&mover)));
    match first {
        Side::X => [mover, other],
        Side::O => [other, mover],
    }
}

/// Is an unfinished game one that was asked for? Whoever was named must sit where they
/// were put.
fn fits(game: &GameSummary, variant: Variant, asked: &[Option<ParticipantArg>; 2]) -> bool {
    let sits = |(seat, who): (&Seat, &Option<ParticipantArg>)| match who {
        None => true,
        Some(ParticipantArg::Human(None)) => seat.player_name().is_some(),
        Some(ParticipantArg::Human(Some(name))) => seat.player_name() == Some(name),
        Some(ParticipantArg::Bot(kind)) => *seat == Seat::Bot(kind.name().into()),
    };
    game.variant == variant && game.seats.iter().zip(asked).all(sits)
}

/// What makes the first screen.
type First = Box<dyn FnOnce(&mut AppContext) -> Box<dyn Screen>>;

fn run(
    start: LaunchOptions,
    first: impl FnOnce(&mut AppContext) -> Box<dyn Screen> + 'static,
) -> Result<(), Error> {
    let (sender, events) = mpsc::channel();
    let around = Surroundings::detect(start.ascii);
    let seed = start.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let (keeper, dir, problem) = open(start.data_dir, start.in_memory)?;
    terminal::watch_signals(keeper.runtime_handle(), &sender);
    let mut house = AppContext::new(keeper, around, dir, sender.clone(), seed);
    house.set_time(start.bot_time);
    if start.seed.is_some() {
        house.set_repeatable();
    }
    if let Some(kept) = house.load_setting(Appearance::SETTING_KEY) {
        house.set_appearance(Appearance::from_json(&kept));
    }
    let first: First = Box::new(first);
    let screen = match problem {
        None => first(&mut house),
        Some(problem) => question::without_store(&problem, first),
    };
    let mut stage = App::new(screen, house);
    match show(&mut stage, &events, sender) {
        Ok(None) => Ok(()),
        Ok(Some(signal)) => Err(Error::Signal(signal)),
        Err(_) if terminal::is_gone() => Err(Error::Signal(terminal::HANG_UP)),
        Err(error) => Err(Error::Failure(format!("cannot use the terminal: {error}"))),
    }
}

/// The store, the folder of the data, and why nothing can be kept where it should.
fn open(
    dir: Result<PathBuf, Error>,
    unsaved: bool,
) -> Result<(StoreHandle, Option<PathBuf>, Option<String>), Error> {
    let dir = match dir {
        Ok(dir) if unsaved => return Ok((StoreHandle::in_memory()?, Some(dir), None)),
        Err(_) if unsaved => return Ok((StoreHandle::in_memory()?, None, None)),
        Ok(dir) => dir,
        Err(Error::Failure(reason) | Error::Argument(reason)) => {
            return Ok((StoreHandle::in_memory()?, None, Some(reason)));
        }
        Err(error) => return Err(error),
    };
    match StoreHandle::open(&dir) {
        Ok(keeper) => Ok((keeper, Some(dir), None)),
        Err(Error::Failure(reason)) => Ok((StoreHandle::in_memory()?, Some(dir), Some(reason))),
        Err(error) => Err(error),
    }
}

/// Shows screens until one of them ends the program, or a signal does: then it gives the
/// signal's number.
fn show(
    stage: &mut App,
    events: &Receiver<Event>,
    sender: mpsc::Sender<Event>,
) -> io::Result<Option<u8>> {
    /// A held key or a moving mouse must not keep the picture waiting.
    const AT_ONCE: usize = 32;
    let mut screenful = Screenful::enter()?;
    event::read_terminal(sender);
    loop {
        screenful.draw(|frame| stage.draw(frame))?;
        let Some(first) = next_event(events, stage.next_tick()) else {
            return Ok(None);
        };
        for event in iter::once(first).chain(events.try_iter()).take(AT_ONCE) {
            break_down_if_asked(&event);
            match stage.handle_event(event) {
                Flow::On => {}
                Flow::Afresh => screenful.redraw()?,
                Flow::Suspend => screenful.suspend()?,
                Flow::Resume => screenful.resume()?,
                Flow::Quit => return Ok(None),
                Flow::EndBy(signal) => return Ok(Some(signal)),
            }
        }
    }
}

/// The next event; nothing when nobody is left to send any.
fn next_event(events: &Receiver<Event>, wake: Option<Duration>) -> Option<Event> {
    let Some(time) = wake else {
        return events.recv().ok();
    };
    match events.recv_timeout(time) {
        Ok(event) => Some(event),
        Err(RecvTimeoutError::Timeout) => Some(Event::Tick),
        Err(RecvTimeoutError::Disconnected) => None,
    }
}

/// So that a test can see the terminal given back after a panic: a program that was
/// built for tests breaks down at F12 where this variable is set.
fn break_down_if_asked(event: &Event) {
    let asked = matches!(event, Event::Key(key) if key.code == KeyCode::F(12));
    if asked && cfg!(debug_assertions) && std::env::var_os("NOUGHTS_BREAK_DOWN").is_some() {
        panic!("asked to break down");
    }
}

#[cfg(test)]
mod tests {
    use noughts_store::{GameFilter, Name, NewGame};

    use super::*;

    fn named(name: &str) -> Name {
        Name::new(name).expect("a name")
    }

    #[test]
    fn only_games_that_were_asked_for_are_offered() {
        let keeper = StoreHandle::in_memory().expect("a store in memory");
        let game = NewGame {
            variant: Variant::MISERE,
            start: None,
            seats: [Seat::Player(named("Ada")), Seat::Bot("perfect".into())],
        };
        keeper
            .block_on(keeper.store().create_game(&game))
            .expect("a game");
        let games = keeper.block_on(keeper.store().games(&GameFilter::default()));
        let game = &games.expect("a store in memory")[0];
        let human = |name| Some(ParticipantArg::Human(Some(named(name))));
        let bot = |kind| Some(ParticipantArg::Bot(kind));
        let somebody = || Some(ParticipantArg::Human(None));
        for (asked, expected) in [
            ([human("ada"), None], true),
            ([human("Zed"), None], false),
            ([None, human("Ada")], false),
            ([None, None], true),
            ([somebody(), bot(BotKind::Perfect)], true),
            ([human("Ada"), bot(BotKind::Hard)], false),
            ([bot(BotKind::Perfect), human("Ada")], false),
            ([None, bot(BotKind::Medium)], false),
            ([None, somebody()], false),
        ] {
            assert_eq!(fits(game, Variant::MISERE, &asked), expected, "{asked:?}");
            assert!(!fits(game, Variant::CLASSIC, &asked), "{asked:?}");
        }
    }

    #[test]
    fn you_play_the_side_to_move() {
        let (you, medium) = (
            ParticipantArg::Human(None),
            ParticipantArg::Bot(BotKind::Medium),
        );
        let (x, o) = (Side::X, Side::O);
        let bot = Some(ParticipantArg::Bot(BotKind::Hard));
        for (asked, first, expected) in [
            ([None, None], x, [you.clone(), medium.clone()]),
            ([None, None], o, [medium.clone(), you.clone()]),
            ([Some(you.clone()), None], o, [you.clone(), medium]),
            (
                [None, bot.clone()],
                o,
                [you, ParticipantArg::Bot(BotKind::Hard)],
            ),
        ] {
            assert!(seats(&asked, first) == expected, "{asked:?} {first}");
        }
    }

    #[test]
    fn dumb_terminals_are_told_by_their_name() {
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

    /// Whatever is wrong with the folder, there is a sentence and a store to play with.
    #[test]
    fn without_a_folder_games_are_played_but_not_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "in the way").expect("a file");
        let nowhere = || Err(Error::Failure("there is no home".into()));
        for (dir, unsaved, kept, problem) in [
            (Ok(folder.path().join("new")), false, true, false),
            (Ok(folder.path().join("new")), true, false, false),
            (Ok(file.clone()), false, false, true),
            (Ok(file.join("below")), false, false, true),
            (nowhere(), false, false, true),
            (nowhere(), true, false, false),
        ] {
            let (keeper, _, told) = open(dir, unsaved).expect("a store");
            assert_eq!(keeper.is_persistent(), kept);
            assert_eq!(told.is_some(), problem, "{told:?}");
        }
    }
}
