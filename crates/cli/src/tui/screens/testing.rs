//! Games to be shown by tests: stored with moves of known length, and screens that a
//! test can look into while the driver drives them.

use std::cell::{Ref, RefCell, RefMut};
use std::rc::Rc;
use std::time::Duration;

use noughts_engine::{Ranked, Report, Value};
use noughts_rules::AnyPlay;
use noughts_store::{End, GameId, Name, NewGame, Seat, StoredMove};
use ratatui::Frame;
use ratatui::layout::Size;

use crate::tui::event::{Event, News, Ticket};
use crate::tui::house::House;
use crate::tui::screens::{Next, Screen};
use crate::tui::testing::Driver;

/// A screen that the test holds, too.
pub(super) struct Seen<S>(Rc<RefCell<S>>);

impl<S: Screen + 'static> Seen<S> {
    /// The screen for the driver; what the test keeps goes into `kept`.
    pub(super) fn boxed(screen: S, kept: &mut Option<Inside<S>>) -> Box<dyn Screen> {
        let shared = Rc::new(RefCell::new(screen));
        *kept = Some(Inside(Rc::clone(&shared)));
        Box::new(Seen(shared))
    }
}

impl<S: Screen> Screen for Seen<S> {
    fn event(&mut self, event: Event, house: &mut House) -> Next {
        self.0.borrow_mut().event(event, house)
    }

    fn draw(&mut self, frame: &mut Frame, house: &House) {
        self.0.borrow_mut().draw(frame, house);
    }

    fn least_size(&self) -> Size {
        self.0.borrow().least_size()
    }

    fn wake(&self) -> Option<Duration> {
        self.0.borrow().wake()
    }
}

/// The inside of a screen that is being driven.
pub(super) struct Inside<S>(Rc<RefCell<S>>);

impl<S> Inside<S> {
    pub(super) fn look(&self) -> Ref<'_, S> {
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
        Err(_) => Seat::Person(Name::new(name).expect("a name")),
    }
}

/// A game in the store with these moves, each of which took its number of tenths of
/// a second.
pub(super) fn stored(house: &House, variant: &str, seats: [&str; 2], moves: &str) -> GameId {
    let variant = variant.parse().expect("a variant");
    let store = house.keeper.store();
    let game = NewGame {
        variant,
        start: None,
        seats: seats.map(seat),
    };
    let mut play = AnyPlay::new(variant);
    house.keeper.wait(async {
        let id = store.begin(&game).await.expect("a game");
        for (ply, mv) in moves.split_whitespace().enumerate() {
            play.play(mv).expect("a legal move");
            let took = Duration::from_millis(100 * (ply as u64 + 1));
            let mv = StoredMove {
                text: mv.into(),
                took,
            };
            let end = play.outcome().zip(play.ending().map(End::from));
            store.add_move(id, ply, &mv, end).await.expect("a move");
        }
        id
    })
}

/// The moves of a game as they are stored.
pub(super) fn moves_of(house: &House, game: GameId) -> Vec<String> {
    let store = house.keeper.store();
    let game = house.keeper.wait(store.game(game));
    let game = game.expect("a store").expect("a game");
    game.moves.into_iter().map(|mv| mv.text).collect()
}

/// A report that says this of a position, with these values of its moves.
pub(super) fn report(value: Value, line: &str, moves: &[(&str, Value)]) -> Report<String> {
    let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    Report {
        best: line.first().cloned(),
        value,
        line,
        moves: moves
            .iter()
            .map(|(mv, value)| Ranked {
                mv: (*mv).to_owned(),
                value: *value,
                nodes: 100,
                line: vec![(*mv).to_owned()],
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
pub(super) fn tell(driver: &mut Driver, news: News) {
    let (Ticket(next), _) = driver.house().ticket();
    driver.event(Event::News(Ticket(next - 1), news));
}

/// The picture with clocks that stand still, so that it is the same every time.
pub(super) fn still(driver: &Driver) -> String {
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
