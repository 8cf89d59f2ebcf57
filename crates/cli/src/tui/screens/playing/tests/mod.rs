//! The screen of a game, driven without a terminal.

mod behavior;
mod pictures;
mod random;

use super::GameScreen;
use crate::tui::app_context::AppContext;
use crate::tui::screens::testing::{ScreenProbe, SharedScreen, store_game, stored_moves};
use crate::tui::testing::Driver;
use noughts_session::Session;

/// The sizes of all pictures.
const SIZES: [(u16, u16); 2] = [(80, 24), (140, 45)];

/// A stored game, resumed.
fn resumed_game(
    house: &mut AppContext,
    variant: &str,
    seats: [&str; 2],
    moves: &str,
) -> GameScreen {
    let id = store_game(house, variant, seats, moves);
    let session = Session::resume(house.store_handle.store(), id);
    let session = house
        .store_handle
        .block_on(session)
        .expect("a game that is open");
    GameScreen::from_session(house, session)
}

/// A driver of a resumed game, and a way to look into the screen.
fn driver(
    (width, height): (u16, u16),
    variant: &str,
    seats: [&str; 2],
    moves: &str,
) -> (Driver, ScreenProbe<GameScreen>) {
    let mut kept = None;
    let driver = Driver::new(width, height, |house| {
        SharedScreen::boxed(resumed_game(house, variant, seats, moves), &mut kept)
    });
    (driver, kept.expect("a screen"))
}

/// The game on the screen is the one in the store, move by move.
fn assert_shown_is_stored(driver: &mut Driver, inside: &ScreenProbe<GameScreen>) {
    let (id, shown) = {
        let playing = inside.screen();
        let session = playing.game.session();
        (session.id(), session.game_state().moves())
    };
    assert_eq!(shown, stored_moves(driver.context(), id));
}

/// Waits until so many moves are shown.
fn until_moves(driver: &mut Driver, inside: &ScreenProbe<GameScreen>, moves: usize) {
    driver.wait_until(|_| {
        let playing = inside.screen();
        playing.stepping.is_none() && playing.game.entries.len() == moves
    });
}
