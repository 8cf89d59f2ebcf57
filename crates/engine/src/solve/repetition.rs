//! The rule of repetition, as far as the next two plies: a position that has been
//! twice in the game is a draw when it comes again.

use noughts_rules::{Game, GameState};

/// What the game's history makes of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repetition {
    /// Nothing.
    None,
    /// The move ends the game as a draw.
    Immediate,
    /// An answer to it can.
    OnReply,
}

/// Looks two plies ahead for positions that have been twice in the game.
pub(crate) fn repetition<G: Game>(play: &GameState<G>, mv: G::Move) -> Repetition {
    let game = play.game();
    let mut next = play.position().clone();
    game.apply(&mut next, mv);
    if !G::CAN_REPEAT || game.outcome(&next).is_some() {
        return Repetition::None;
    }
    if play.occurrences(&next) >= 2 {
        return Repetition::Immediate;
    }
    let answered = game.moves(&next).into_iter().any(|answer| {
        let mut after = next.clone();
        game.apply(&mut after, answer);
        game.outcome(&after).is_none() && play.occurrences(&after) >= 2
    });
    if answered {
        Repetition::OnReply
    } else {
        Repetition::None
    }
}
