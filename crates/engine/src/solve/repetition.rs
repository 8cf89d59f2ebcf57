//! Draws by repetition within the next two plies: the third occurrence of a position is a draw.

use noughts_rules::{Game, GameState};

/// How the game's history affects a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repetition {
    /// Not at all.
    None,
    /// The move ends the game in a draw.
    Immediate,
    /// A reply can end the game in a draw.
    OnReply,
}

/// Looks two plies ahead for positions that have occurred twice.
pub(crate) fn repetition<G: Game>(state: &GameState<G>, mv: G::Move) -> Repetition {
    let game = state.game();
    let next = game.after(state.position(), mv);
    if !game.can_repeat() || game.outcome(&next).is_some() {
        return Repetition::None;
    }
    if state.occurrences(&next) >= 2 {
        return Repetition::Immediate;
    }
    let is_reply_drawing = game.moves(&next).into_iter().any(|reply| {
        let after = game.after(&next, reply);
        game.outcome(&after).is_none() && state.occurrences(&after) >= 2
    });
    if is_reply_drawing {
        Repetition::OnReply
    } else {
        Repetition::None
    }
}
