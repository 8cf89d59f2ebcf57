//! Helpers for tests of screens: stored games with fixed move times, and access to the state of a
//! driven screen.

use std::cell::{Ref, RefCell, RefMut};
use std::rc::Rc;
use std::time::Duration;

use noughts_engine::{RankedMove, SearchReport, Value};
use noughts_rules::{AnyGameState, Termination};
use noughts_store::{GameId, Name, NewGame, Seat, StoredMove};
use ratatui::Frame;
use ratatui::layout::Size;

use crate::tui::app_context::AppContext;
use crate::tui::event::{Event, TaskId, TaskMessage};
use crate::tui::screens::{Navigation, Screen};
use crate::tui::testing::Driver;

/// A screen shared between the driver and the test.
pub(super) struct SharedScreen<S>(Rc<RefCell<S>>);

impl<S: Screen + 'static> SharedScreen<S> {
    /// The screen for the driver; the test's probe goes into `probe`.
    pub(super) fn boxed(screen: S, probe: &mut Option<ScreenProbe<S>>) -> Box<dyn Screen> {
        let shared = Rc::new(RefCell::new(screen));
        *probe = Some(ScreenProbe(Rc::clone(&shared)));
        Box::new(SharedScreen(shared))
    }
}

impl<S: Screen> Screen for SharedScreen<S> {
    fn handle_event(&mut self, event: Event, context: &mut AppContext) -> Navigation {
        self.0.borrow_mut().handle_event(event, context)
    }

    fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        self.0.borrow_mut().draw(frame, context);
    }

    fn min_size(&self) -> Size {
        self.0.borrow().min_size()
    }

    fn next_tick(&self) -> Option<Duration> {
        self.0.borrow().next_tick()
    }
}

/// Access to the state of a driven screen.
pub(super) struct ScreenProbe<S>(Rc<RefCell<S>>);

impl<S> ScreenProbe<S> {
    pub(super) fn screen(&self) -> Ref<'_, S> {
        self.0.borrow()
    }

    pub(super) fn screen_mut(&self) -> RefMut<'_, S> {
        self.0.borrow_mut()
    }

    /// Is it still the current screen?
    pub(super) fn is_shown(&self) -> bool {
        Rc::strong_count(&self.0) > 1
    }
}

/// `medium` is a bot, `Anna` a human.
pub(super) fn seat(name: &str) -> Seat {
    match name.parse::<noughts_engine::BotKind>() {
        Ok(kind) => Seat::Bot(kind.name().into()),
        Err(_) => Seat::Player(Name::new(name).expect("a name")),
    }
}

/// Stores a game with these moves. The n-th move takes n tenths of a second.
pub(super) fn store_game(
    context: &AppContext,
    variant: &str,
    seats: [&str; 2],
    moves: &str,
) -> GameId {
    let variant = variant.parse().expect("a variant");
    let store = context.store_handle.store();
    let game = NewGame {
        variant,
        start: None,
        seats: seats.map(seat),
    };
    let mut state = AnyGameState::new(variant);
    context.store_handle.block_on(async {
        let id = store.create_game(&game).await.expect("a game");
        for (ply, mv) in moves.split_whitespace().enumerate() {
            state.play(mv).expect("a legal move");
            let elapsed = Duration::from_millis(100 * (ply as u64 + 1));
            let mv = StoredMove {
                text: mv.into(),
                took: elapsed,
            };
            let end = state.outcome().zip(state.ending().map(Termination::from));
            store.add_move(id, ply, &mv, end).await.expect("a move");
        }
        id
    })
}

pub(super) fn stored_moves(context: &AppContext, game: GameId) -> Vec<String> {
    let store = context.store_handle.store();
    let game = context.store_handle.block_on(store.game(game));
    let game = game.expect("a store").expect("a game");
    game.moves.into_iter().map(|mv| mv.text).collect()
}

/// A search report with these values.
pub(super) fn report(value: Value, line: &str, moves: &[(&str, Value)]) -> SearchReport<String> {
    let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    SearchReport {
        best: line.first().cloned(),
        value,
        pv: line,
        moves: moves
            .iter()
            .map(|(mv, value)| RankedMove {
                mv: (*mv).to_owned(),
                value: *value,
                nodes: 100,
                pv: vec![(*mv).to_owned()],
            })
            .collect(),
        depth: 9,
        nodes: 12_345,
        elapsed: Duration::from_millis(250),
        note: None,
    }
}

/// Sends a message in the name of the task that was started last, without waiting for its real
/// results.
pub(super) fn send_to_last_task(driver: &mut Driver, message: TaskMessage) {
    let (TaskId(next), _) = driver.context().new_task();
    driver.send_event(Event::Task(TaskId(next - 1), message));
}

/// The text with clocks and spinners replaced, so that snapshots are stable.
pub(super) fn stable_text(driver: &Driver) -> String {
    let text = driver.text();
    let lines = text.lines().map(|line| {
        let mut chars: Vec<char> = line.chars().collect();
        for index in 0..chars.len().saturating_sub(3) {
            let is_time = chars[index].is_ascii_digit()
                && chars[index + 1] == '.'
                && chars[index + 2].is_ascii_digit()
                && chars[index + 3] == ' '
                && line.contains(" s left");
            if is_time {
                chars[index] = '0';
                chars[index + 2] = '0';
            }
            if ('\u{2800}'..='\u{28ff}').contains(&chars[index]) && line.contains(" s left") {
                chars[index] = '*';
            }
        }
        chars.into_iter().collect::<String>()
    });
    lines.collect::<Vec<_>>().join("\n")
}
