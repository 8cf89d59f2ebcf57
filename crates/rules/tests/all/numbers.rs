//! Known numbers: finished games, reachable positions, statistics of random games.

use std::collections::HashSet;

use noughts_conformance::test_rng::TestRng;
use noughts_rules::{
    Game, Mnk, Nested, NestedOptions, NestedPosition, Outcome, Rule5a, Side, SquareSymmetry,
    TicTacTwo, Ultimate,
};

/// Counts finished games below a position, and collects all positions.
fn walk(
    game: &Mnk,
    position: &<Mnk as Game>::Position,
    seen: &mut HashSet<<Mnk as Game>::Position>,
) -> u64 {
    seen.insert(*position);
    if game.outcome(position).is_some() {
        return 1;
    }
    let mut games = 0;
    for mv in game.moves(position) {
        let mut next = *position;
        game.apply(&mut next, mv);
        games += walk(game, &next, seen);
    }
    games
}

#[test]
fn classic_game_and_position_counts() {
    let game = Mnk::classic();
    let mut seen = HashSet::new();
    assert_eq!(
        walk(&game, &game.start(), &mut seen),
        255_168,
        "finished games"
    );
    assert_eq!(seen.len(), 5_478, "reachable positions");
    let canonical: HashSet<_> = seen
        .iter()
        .map(|position| game.canonical(position).0)
        .collect();
    assert_eq!(canonical.len(), 765, "up to symmetry");
    let hashes: HashSet<u64> = seen.iter().map(|position| game.hash(position)).collect();
    assert_eq!(hashes.len(), 5_478, "hashes");
}

/// Perfect play at the classic game is a draw, as a full search shows.
#[test]
fn classic_is_a_draw() {
    fn value(game: &Mnk, position: &<Mnk as Game>::Position) -> i8 {
        match game.outcome(position) {
            Some(Outcome::Draw) => 0,
            // The side to move after the end has lost.
            Some(Outcome::Win(_)) => -1,
            None => {
                let after = |mv| {
                    let mut next = *position;
                    game.apply(&mut next, mv);
                    -value(game, &next)
                };
                game.moves(position)
                    .into_iter()
                    .map(after)
                    .max()
                    .unwrap_or(0)
            }
        }
    }
    let game = Mnk::classic();
    assert_eq!(value(&game, &game.start()), 0);
}

/// Means over seeded random games: plies, then wins of X, wins of O and draws in percent.
fn statistics<G: Game>(game: &G, games: u32) -> [f64; 4] {
    let mut rng = TestRng::new(589);
    let (mut plies, mut ends) = (0u64, [0u32; 3]);
    for _ in 0..games {
        let mut position = game.start();
        let (outcome, made) = game.playout(&mut position, &mut rng.0);
        plies += u64::from(made);
        ends[match outcome {
            Outcome::Win(Side::X) => 0,
            Outcome::Win(Side::O) => 1,
            Outcome::Draw => 2,
        }] += 1;
    }
    let percent = |n: u32| f64::from(n) * 100.0 / f64::from(games);
    let [x, o, draws] = ends.map(percent);
    [plies as f64 / f64::from(games), x, o, draws]
}

fn assert_close(actual: [f64; 4], expected: [f64; 4]) {
    for (actual, expected) in actual.iter().zip(expected) {
        // About four standard deviations of 200,000 games, and the rounding.
        assert!(
            (actual - expected).abs() < 0.5,
            "{actual} instead of {expected}"
        );
    }
}

#[test]
fn random_game_statistics_of_ultimate() {
    assert_close(
        statistics(&Nested::ultimate(), 200_000),
        [58.9, 41.2, 36.6, 22.2],
    );
}

#[test]
fn random_game_statistics_of_5a() {
    let Ok(Some(options)) = "ception:5a".parse().map(NestedOptions::of) else {
        panic!("ception:5a is a nested game");
    };
    let game = Nested::<Rule5a>::new(options);
    let game = game.unwrap_or_else(|| panic!("ception:5a has a type of its own"));
    assert_close(statistics(&game, 200_000), [70.3, 43.0, 37.2, 19.8]);
}

/// A biased random move would bias every playout.
#[test]
fn random_moves_are_uniform() {
    fn check<G: Game>(game: &G, position: &G::Position) {
        let moves = game.moves(position);
        let mut counts = vec![0u32; moves.len()];
        let mut rng = TestRng::new(7);
        for _ in 0..10_000 * moves.len() {
            let mv = game.random_move(position, &mut rng.0);
            let n = moves.iter().position(|&legal| Some(legal) == mv);
            counts[n.unwrap_or_else(|| panic!("{mv:?} is not legal"))] += 1;
        }
        // Five standard deviations.
        assert!(
            counts.iter().all(|n| n.abs_diff(10_000) < 500),
            "{counts:?}"
        );
    }
    check(&Mnk::classic(), &Mnk::classic().start());
    let ultimate = Nested::ultimate();
    check(&ultimate, &ultimate.start());
    let game = TicTacTwo::standard();
    let position = game.parse("...../.xo../.ox../...../..... x @c3");
    check(&game, &position.unwrap_or_else(|error| panic!("{error}")));
}

/// Search copies a position at every move, so it must stay small and `Copy`.
#[test]
fn positions_are_small_and_copy() {
    fn is_copy<T: Copy>() {}
    is_copy::<NestedPosition<Ultimate>>();
    is_copy::<NestedPosition<Rule5a>>();
    assert!(size_of::<NestedPosition<Ultimate>>() <= 64);
    assert_eq!(size_of::<<Mnk as Game>::Position>(), 24);
}

/// The diagram in the documentation of the type is right about the corners.
#[test]
fn symmetries_match_the_diagram() {
    let images = SquareSymmetry::ALL.map(|symmetry| symmetry.apply(0, 0, 3, 3));
    assert_eq!(
        images,
        [
            (0, 0),
            (2, 2),
            (2, 0),
            (0, 2),
            (2, 0),
            (0, 2),
            (0, 0),
            (2, 2)
        ]
    );
    for symmetry in SquareSymmetry::ALL {
        for (col, row) in [(0, 0), (1, 0), (2, 0), (2, 1), (0, 2), (1, 1)] {
            let (c, r) = symmetry.apply(col, row, 3, 3);
            assert_eq!(
                symmetry.inverse().apply(c, r, 3, 3),
                (col, row),
                "{symmetry:?}"
            );
        }
    }
}
