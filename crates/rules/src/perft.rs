//! Perft: counting the games of a given length, to test the rules.

use std::convert::Infallible;
use std::ops::ControlFlow;

use crate::game::Game;

/// How many sequences of `depth` moves there are from here. A finished game has no leaves
/// below it. The last ply is counted, not played.
///
/// Only the position counts: a draw by repetition depends on the history and is ignored.
///
/// ```
/// use noughts_rules::{Mnk, Game, perft};
/// let game = Mnk::classic();
/// assert_eq!(perft(&game, &game.start(), 5), 15_120);
/// ```
#[must_use]
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => game.count_moves(position) as u64,
        2 => sum(game, position, |next| game.count_moves(next) as u64),
        _ => sum(game, position, |next| perft(game, next, depth - 1)),
    }
}

/// [`perft`] that can be canceled: returns `None` once `stopped` returns true. It is called
/// before every move except those of the last ply. (A count of a large depth never finishes.)
///
/// ```
/// use noughts_rules::{Mnk, Game, perft_until};
/// let game = Mnk::classic();
/// assert_eq!(perft_until(&game, &game.start(), 5, &|| false), Some(15_120));
/// assert_eq!(perft_until(&game, &game.start(), 5, &|| true), None);
/// ```
#[must_use]
pub fn perft_until<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    stopped: &impl Fn() -> bool,
) -> Option<u64> {
    if depth < 2 {
        return Some(perft(game, position, depth));
    }
    let mut total = 0;
    let completed = game.visit_moves(position, |mv| {
        if stopped() {
            return ControlFlow::Break(());
        }
        match perft_until(game, &game.after(position, mv), depth - 1, stopped) {
            Some(leaves) => total += leaves,
            None => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    });
    completed.is_continue().then_some(total)
}

/// The sum of `leaves` over the positions after each move.
#[inline(always)]
fn sum<G: Game>(game: &G, position: &G::Position, leaves: impl Fn(&G::Position) -> u64) -> u64 {
    let mut total = 0;
    let ControlFlow::Continue(()) = game.visit_moves::<Infallible>(position, |mv| {
        // In place: `Game::after` would copy the position once more.
        let mut next = position.clone();
        game.apply(&mut next, mv);
        total += leaves(&next);
        ControlFlow::Continue(())
    });
    total
}

/// [`perft`] below each move, in move order.
#[must_use]
pub fn divide<G: Game>(game: &G, position: &G::Position, depth: u32) -> Vec<(G::Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let moves = game.moves(position).into_iter();
    moves
        .map(|mv| (mv, perft(game, &game.after(position, mv), rest)))
        .collect()
}
