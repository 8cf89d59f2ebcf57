//! Games to be shown by tests: stored with moves of known length, and screens that a
//! test can look into while the driver drives them.

use std::cell::{Ref, RefCell, RefMut};
use std::rc::Rc;
use std::time::Duration;

use noughts_engine::{RankedMove, SearchReport, Value};
use noughts_rules::AnyGameState;
use noughts_store::{GameId, Name, NewGame, Seat, StoredMove, Termination};
use ratatui::Frame;
use ratatui::layout::Size;

use crate::tui::app_context::AppContext;
use crate::tui::event::{Event, TaskMessage, Ticket};
use crate::tui::screens::{Navigation, Screen};
use crate::tui::testing::Driver;

/// A screen that the test holds, too.
pub(super) struct SharedScreen<S>(Rc<RefCell<S>>);

impl<S: Screen + 'static> SharedScreen<S> {
    /// The screen for the driver; what the test keeps goes into `kept`.
    pub(super) fn boxed(screen: S, kept: &mut Option<ScreenProbe<S>>) -> Box<dyn Screen> {
        let shared = Rc::new(RefCell::new(screen));
        *kept = Some(ScreenProbe(Rc::clone(&shared)));
        Box::new(SharedScreen(shared))
    }
}

impl<S: Screen> Screen for SharedScreen<S> {
    fn handle_event(&mut self, event: Event, house: &mut AppContext) -> Navigation {
        self.0.borrow_mut().handle_event(event, house)
    }

    fn draw(&mut self, frame: &mut Frame, house: &AppContext) {
        self.0.borrow_mut().draw(frame, house);
    }

    fn min_size(&self) -> Size {
        self.0.borrow().min_size()
    }

    fn next_tick(&self) -> Option<Duration> {
        self.0.borrow().next_tick()
    }
}

/// The inside of a screen that is being driven.
pub(super) struct ScreenProbe<S>(Rc<RefCell<S>>);

impl<S> ScreenProbe<S> {
    pub(super) fn screen(&self) -> Ref<'_, S> {
        self.0.borrow()
    }

    pub(super) fn look_mut(&self) -> RefMut<'_, S> {
        self.0.borrow_mut()
    }

    /// Is it still the screen that is shown?
    pub(super) fn is_driven(&self) -> bool {
        Rc::strong_count(&self.0) > 1
    }
}

/// `medium` is a computer, `Anna` a person.
pub(super) fn seat(name: &str) -> Seat {
    match name.parse::<noughts_engine::BotKind>() {
        Ok(kind) => Seat::Bot(kind.name().into()),
        Err(_) => Seat::Player(Name::new(name).expect("a name")),
    }
}

/// A game in the store with these moves, each of which took its number of tenths of
/// a second.
pub(super) fn store_game(
    house: &AppContext,
    variant: &str,
    seats: [&str; 2],
    moves: &str,
) -> GameId {
    let variant = variant.parse().expect("a variant");
    let store = house.store_handle.store();
    let game = NewGame {
        variant,
        start: None,
        seats: seats.map(seat),
    };
    let mut play = AnyGameState::new(variant);
    house.store_handle.block_on(async {
        let id = store.create_game(&game).await.expect("a game");
        for (ply, mv) in moves.split_whitespace().enumerate() {
            play.play(mv).expect("a legal move");
            let took = Duration::from_millis(100 * (ply as u64 + 1));
            let mv = StoredMove {
                text: mv.into(),
                took,
            };
            let end = play.outcome().zip(play.ending().map(Termination::from));
            store.add_move(id, ply, &mv, end).await.expect("a move");
        }
        id
    })
}

/// The moves of a game as they are stored.
pub(super) fn stored_moves(house: &AppContext, game: GameId) -> Vec<String> {
    let store = house.store_handle.store();
    let game = house.store_handle.block_on(store.game(game));
    let game = game.expect("a store").expect("a game");
    game.moves.into_iter().map(|mv| mv.text).collect()
}

/// A report that says this of a position, with these values of its moves.
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

/// Lets the work that was begun last tell some news. What it really finds out is not
/// waited for.
pub(super) fn send_to_last_task(driver: &mut Driver, news: TaskMessage) {
    let (Ticket(next), _) = driver.context().new_task();
    driver.send_event(Event::Task(Ticket(next - 1), news));
}

/// The picture with clocks that stand still, so that it is the same every time.
pub(super) fn stable_text(driver: &Driver) -> String {
    let text = driver.text();
    let lines = text.lines().map(|line| {
        let mut signs: Vec<char> = line.chars().collect();
        for at in 0..signs.len().saturating_sub(3) {
            let is_time = signs[at].is_ascii_digit()
                && signs[at + 1] == '.'
                && signs[at + 2].is_ascii_digit()
                && signs[at + 3] == ' '
                && line.contains(" s left");
            if is_time {
                signs[at] = '0';
                signs[at + 2] = '0';
            }
            if ('\u{2800}'..='\u{28ff}').contains(&signs[at]) && line.contains(" s left") {
                signs[at] = '*';
            }
        }
        signs.into_iter().collect::<String>()
    });
    lines.collect::<Vec<_>>().join("\n")
}
