//! The screen of a game, driven without a terminal.

mod conduct;
mod pictures;
mod random;

use super::Playing;
use crate::tui::house::House;
use crate::tui::screens::testing::{Inside, Seen, moves_of, stored};
use crate::tui::testing::Driver;
use noughts_session::Session;

/// The sizes of all pictures.
const SIZES: [(u16, u16); 2] = [(80, 24), (140, 45)];

/// A stored game, resumed.
fn resumed(house: &mut House, variant: &str, seats: [&str; 2], moves: &str) -> Playing {
    let id = stored(house, variant, seats, moves);
    let session = Session::resume(house.keeper.store(), id);
    let session = house.keeper.wait(session).expect("a game that is open");
    Playing::of(house, session)
}

/// A driver of a resumed game, and a way to look into the screen.
fn driver(
    (width, height): (u16, u16),
    variant: &str,
    seats: [&str; 2],
    moves: &str,
) -> (Driver, Inside<Playing>) {
    let mut kept = None;
    let driver = Driver::new(width, height, |house| {
        Seen::boxed(resumed(house, variant, seats, moves), &mut kept)
    });
    (driver, kept.expect("a screen"))
}

/// The game on the screen is the one in the store, move by move.
fn assert_shown_is_stored(driver: &mut Driver, inside: &Inside<Playing>) {
    let (id, shown) = {
        let playing = inside.look();
        let session = playing.table.session();
        (session.id(), session.play().moves())
    };
    assert_eq!(shown, moves_of(driver.house(), id));
}

/// Waits until so many moves are shown.
fn until_moves(driver: &mut Driver, inside: &Inside<Playing>, moves: usize) {
    driver.until(|_| {
        let playing = inside.look();
        playing.stepping.is_none() && playing.table.entries.len() == moves
    });
}
