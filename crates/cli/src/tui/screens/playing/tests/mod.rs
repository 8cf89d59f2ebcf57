//! The game screen, driven without a terminal.

mod behavior;
mod pictures;
mod random;

use super::GameScreen;
use crate::tui::app_context::AppContext;
use crate::tui::screens::testing::{ScreenProbe, SharedScreen, store_game, stored_moves};
use crate::tui::testing::Driver;
use noughts_session::Session;

/// The sizes of all snapshots.
const SIZES: [(u16, u16); 2] = [(80, 24), (140, 45)];

fn resumed_game(
    context: &mut AppContext,
    variant: &str,
    seats: [&str; 2],
    moves: &str,
) -> GameScreen {
    let id = store_game(context, variant, seats, moves);
    let session = Session::resume(context.store_handle.store(), id);
    let session = context
        .store_handle
        .block_on(session)
        .expect("an unfinished game");
    GameScreen::from_session(context, session)
}

/// A driver for a resumed game, and a probe into its screen.
fn driver(
    (width, height): (u16, u16),
    variant: &str,
    seats: [&str; 2],
    moves: &str,
) -> (Driver, ScreenProbe<GameScreen>) {
    let mut probe = None;
    let driver = Driver::new(width, height, |context| {
        SharedScreen::boxed(resumed_game(context, variant, seats, moves), &mut probe)
    });
    (driver, probe.expect("a screen"))
}

/// The game on the screen is the stored one, move by move.
fn assert_shown_is_stored(driver: &mut Driver, probe: &ScreenProbe<GameScreen>) {
    let (id, shown) = {
        let screen = probe.screen();
        let session = &screen.game.session;
        (session.id(), session.game_state().moves())
    };
    assert_eq!(shown, stored_moves(driver.context(), id));
}

/// Waits until this many moves are shown.
fn wait_for_moves(driver: &mut Driver, probe: &ScreenProbe<GameScreen>, moves: usize) {
    driver.wait_until(|_| {
        let screen = probe.screen();
        screen.pending_action.is_none() && screen.game.entries.len() == moves
    });
}
