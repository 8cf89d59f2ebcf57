//! What the engine knows of particular games beyond their rules. All of it is optional: bots play any game without it,
//! only less well. Nothing outside this folder names a game.

mod cube;
mod gobblers;
mod gravity;
mod lines;
mod mnk;
pub mod nested;
mod order_and_chaos;
mod tic_tac_two;

#[cfg(test)]
mod tests {
    use noughts_rules::{AnyGameState, GameState, Outcome, games};
    use rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use crate::search::{ForcedMove, SearchHeuristics as _};
    use crate::search_game::{SearchGame, dispatch_game};

    /// Checks what the heuristics claim about a position by trying all moves and replies.
    fn check_claims<G: SearchGame>(game: &G, heuristics: &G::Heuristics, position: &G::Position) {
        let text = || format!("{} {}", game.variant(), game.text(position));
        let me = game.side(position);
        let loses_at_once = |next: &G::Position| match game.outcome(next) {
            Some(outcome) => outcome == Outcome::Win(me.other()),
            None if game.side(next) == me => false,
            None => {
                let replies = game.moves(next).into_iter();
                let mut ends = replies.map(|reply| game.outcome(&game.after(next, reply)));
                ends.any(|end| end == Some(Outcome::Win(me.other())))
            }
        };
        let moves: Vec<(G::Move, G::Position)> = game
            .moves(position)
            .into_iter()
            .map(|mv| (mv, game.after(position, mv)))
            .collect();
        let has_win = |next: &G::Position| game.outcome(next) == Some(Outcome::Win(me));
        match heuristics.forced_move(game, position) {
            ForcedMove::Win(win) => {
                let next = moves.iter().find(|(mv, _)| *mv == win);
                assert!(next.is_some_and(|(_, next)| has_win(next)), "{}", text());
            }
            ForcedMove::OnlyMove(only) => {
                for (mv, next) in &moves {
                    let end = game.outcome(next);
                    match *mv == only {
                        true => assert_ne!(end, Some(Outcome::Win(me.other())), "{}", text()),
                        false => assert!(loses_at_once(next), "{}", text()),
                    }
                }
                assert!(moves.iter().any(|(mv, _)| *mv == only), "{}", text());
            }
            ForcedMove::None => {}
        }
        if !heuristics.can_win(game, position, me, 1) {
            assert!(!moves.iter().any(|(_, next)| has_win(next)), "{}", text());
        }
        if !heuristics.can_win(game, position, me.other(), 2) {
            let is_lost = moves.iter().all(|(_, next)| loses_at_once(next));
            assert!(!is_lost, "{}", text());
        }
    }

    fn check_random_games<G: SearchGame>(state: &GameState<G>, plies: u32) {
        let (game, mut rng) = (state.game(), Xoshiro256PlusPlus::seed_from_u64(1));
        let heuristics = game.heuristics();
        let mut position = game.start();
        for _ in 0..plies {
            if game.outcome(&position).is_some() {
                position = game.start();
            }
            check_claims(game, &heuristics, &position);
            // Rarely a move that ends the game, so that boards fill up.
            for _ in 0..8 {
                if let Some(mv) = game.random_move(&position, &mut rng) {
                    let next = game.after(&position, mv);
                    if game.outcome(&next).is_none() {
                        position = next;
                        break;
                    }
                }
            }
            if rand_core::Rng::next_u32(&mut rng).is_multiple_of(40) {
                position = game.start();
            }
        }
    }

    #[test]
    fn claims_about_forced_moves_are_true() {
        let more = [
            "cube:4,3",
            "cube:5,4",
            "order-and-chaos:size=4,line=3",
            "mnk:4,4,3,misere",
        ];
        let more = more.map(|name| name.parse().expect("a variant"));
        let presets = games::presets().into_iter().map(|(variant, _)| variant);
        for variant in presets.chain(more) {
            let state = AnyGameState::new(variant);
            if state.count_actions() <= 150 {
                dispatch_game!(&state, state => check_random_games(state, 3000));
            }
        }
    }
}
