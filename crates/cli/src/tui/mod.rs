//! The terminal game: takes the terminal over, and hands events to the screens.
//! What is legal and how a game is kept is asked of others.

mod appearance;
pub(crate) mod board;
mod building;
mod event;
mod house;
pub(crate) mod look;
mod screens;
mod setup;
mod stage;
mod terminal;
#[cfg(test)]
mod testing;
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
use noughts_rules::{AnyPlay, Player, Variant};
use noughts_store::{Listed, Seat};

use crate::error::Error;
use crate::keeper::Keeper;
use crate::who_arg::WhoArg;
use appearance::{Appearance, Surroundings};
use event::Event;
use house::House;
use screens::{Screen, menu, question, resume};
use stage::{Flow, Stage};
use terminal::Screenful;

/// How the terminal game is to start.
pub(crate) struct Start {
    /// The folder of the program's data, or why there is none.
    pub(crate) dir: Result<PathBuf, Error>,
    /// Nothing is to be kept.
    pub(crate) unsaved: bool,
    /// Where chance begins.
    pub(crate) seed: Option<u64>,
    /// Everything in ASCII.
    pub(crate) ascii: bool,
    /// How long bots think about a move.
    pub(crate) time: Option<Duration>,
}

/// Does somebody sit at a terminal?
pub(crate) fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Is there a terminal that can show the game?
pub(crate) fn is_possible() -> bool {
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
pub(crate) fn menu(start: Start) -> Result<(), Error> {
    run(start, |house| {
        resume::offer(house, |_, _| true, menu::Menu::open)
    })
}

/// The terminal game, one game at once.
pub(crate) fn play(
    variant: Variant,
    from: Option<AnyPlay>,
    asked: [Option<WhoArg>; 2],
    start: Start,
) -> Result<(), Error> {
    run(start, move |house| {
        let given = from.clone();
        let wanted = |keeper: &Keeper, game: &Listed| {
            let same_start = |from| keeper.is_started_from(game.id, from);
            fits(game, variant, &asked) && given.as_ref().is_none_or(same_start)
        };
        let from = from.unwrap_or_else(|| AnyPlay::new(variant));
        let seats = seats(&asked, from.side());
        let begin = move |house: &mut House| menu::begin_at_once(house, from, seats);
        resume::offer(house, wanted, begin)
    })
}

/// Who plays if nothing is asked: a side that wasn't given is a human, or, if the other is one, a
/// computer. If neither was given, the human plays the side that moves first.
fn seats(asked: &[Option<WhoArg>; 2], first: Player) -> [WhoArg; 2] {
    let against = |other: Option<&WhoArg>| match other {
        Some(WhoArg::Human(_)) => WhoArg::Bot(BotKind::Medium),
        _ => WhoArg::Human(None),
    };
    let [mover, other] = [first, first.other()].map(|side| asked[side as usize].clone());
    let mover = mover.unwrap_or_else(|| against(other.as_ref()));
    let other = other.unwrap_or_else(|| against(Some(&mover)));
    match first {
        Player::X => [mover, other],
        Player::O => [other, mover],
    }
}

/// Is an unfinished game one that was asked for? Whoever was named must sit where they
/// were put.
fn fits(game: &Listed, variant: Variant, asked: &[Option<WhoArg>; 2]) -> bool {
    let sits = |(seat, who): (&Seat, &Option<WhoArg>)| match who {
        None => true,
        Some(WhoArg::Human(None)) => seat.person().is_some(),
        Some(WhoArg::Human(Some(name))) => seat.person() == Some(name),
        Some(WhoArg::Bot(kind)) => *seat == Seat::Bot(kind.name().into()),
    };
    game.variant == variant && game.seats.iter().zip(asked).all(sits)
}

/// What makes the first screen.
type First = Box<dyn FnOnce(&mut House) -> Box<dyn Screen>>;

fn run(
    start: Start,
    first: impl FnOnce(&mut House) -> Box<dyn Screen> + 'static,
) -> Result<(), Error> {
    let (sender, events) = mpsc::channel();
    let around = Surroundings::here(start.ascii);
    let seed = start.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    let (keeper, dir, problem) = open(start.dir, start.unsaved)?;
    terminal::watch_signals(keeper.handle(), &sender);
    let mut house = House::new(keeper, around, dir, sender.clone(), seed);
    house.set_time(start.time);
    if start.seed.is_some() {
        house.set_repeatable();
    }
    if let Some(kept) = house.remembered(Appearance::CHOICE) {
        house.set_appearance(Appearance::from_json(&kept));
    }
    let first: First = Box::new(first);
    let screen = match problem {
        None => first(&mut house),
        Some(problem) => question::without_store(&problem, first),
    };
    let mut stage = Stage::new(screen, house);
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
) -> Result<(Keeper, Option<PathBuf>, Option<String>), Error> {
    let dir = match dir {
        Ok(dir) if unsaved => return Ok((Keeper::unsaved()?, Some(dir), None)),
        Err(_) if unsaved => return Ok((Keeper::unsaved()?, None, None)),
        Ok(dir) => dir,
        Err(Error::Failure(reason) | Error::Argument(reason)) => {
            return Ok((Keeper::unsaved()?, None, Some(reason)));
        }
        Err(error) => return Err(error),
    };
    match Keeper::open(&dir) {
        Ok(keeper) => Ok((keeper, Some(dir), None)),
        Err(Error::Failure(reason)) => Ok((Keeper::unsaved()?, Some(dir), Some(reason))),
        Err(error) => Err(error),
    }
}

/// Shows screens until one of them ends the program, or a signal does: then it gives the
/// signal's number.
fn show(
    stage: &mut Stage,
    events: &Receiver<Event>,
    sender: mpsc::Sender<Event>,
) -> io::Result<Option<u8>> {
    /// A held key or a moving mouse must not keep the picture waiting.
    const AT_ONCE: usize = 32;
    let mut screenful = Screenful::take()?;
    event::read_terminal(sender);
    loop {
        screenful.draw(|frame| stage.draw(frame))?;
        let Some(first) = next_event(events, stage.wake()) else {
            return Ok(None);
        };
        for event in iter::once(first).chain(events.try_iter()).take(AT_ONCE) {
            break_down_if_asked(&event);
            match stage.event(event) {
                Flow::On => {}
                Flow::Afresh => screenful.redraw()?,
                Flow::Suspend => screenful.suspend()?,
                Flow::Resume => screenful.resume()?,
                Flow::End => return Ok(None),
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
    use noughts_store::{Filter, Name, NewGame};

    use super::*;

    fn named(name: &str) -> Name {
        Name::new(name).expect("a name")
    }

    #[test]
    fn only_games_that_were_asked_for_are_offered() {
        let keeper = Keeper::unsaved().expect("a store in memory");
        let game = NewGame {
            variant: Variant::MISERE,
            start: None,
            seats: [Seat::Person(named("Ada")), Seat::Bot("perfect".into())],
        };
        keeper.wait(keeper.store().begin(&game)).expect("a game");
        let games = keeper.wait(keeper.store().games(&Filter::default()));
        let game = &games.expect("a store in memory")[0];
        let human = |name| Some(WhoArg::Human(Some(named(name))));
        let bot = |kind| Some(WhoArg::Bot(kind));
        let somebody = || Some(WhoArg::Human(None));
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
        let (you, medium) = (WhoArg::Human(None), WhoArg::Bot(BotKind::Medium));
        let (x, o) = (Player::X, Player::O);
        let bot = Some(WhoArg::Bot(BotKind::Hard));
        for (asked, first, expected) in [
            ([None, None], x, [you.clone(), medium.clone()]),
            ([None, None], o, [medium.clone(), you.clone()]),
            ([Some(you.clone()), None], o, [you.clone(), medium]),
            ([None, bot.clone()], o, [you, WhoArg::Bot(BotKind::Hard)]),
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
            assert_eq!(keeper.is_kept(), kept);
            assert_eq!(told.is_some(), problem, "{told:?}");
        }
    }
}
