//! Hashes that tell positions apart: millions of positions, and pairs that differ
//! in one field only.

use std::hash::{DefaultHasher, Hash, Hasher};

use noughts_rules::{AnyGameState, Game, GameState, Owner, Setup, Variant, Visitor};

use crate::test_rng::TestRng;

/// Plays random games until `wanted` positions were met, and checks that no two
/// different ones share a hash. Gives the number of different positions.
///
/// # Panics
/// Where two positions have the same hash, or one has two.
pub fn check_hashes(name: &str, seed: u64, wanted: usize) -> usize {
    let variant: Variant = name.parse().unwrap_or_else(|error| panic!("{error}"));
    AnyGameState::new(variant).visit(Collect { seed, wanted })
}

struct Collect {
    seed: u64,
    wanted: usize,
}

impl Visitor for Collect {
    type Output = usize;

    fn visit<G: Game>(self, play: &GameState<G>) -> usize {
        let game = play.game();
        let name = game.variant().to_string();
        let mut dice = TestRng::for_name(self.seed, &name);
        let mut met = Vec::with_capacity(self.wanted + 64);
        while met.len() < self.wanted {
            let mut position = game.start();
            // In games that repeat, a random game need not end.
            for ply in 0..1000 {
                met.push(both(game, &position));
                if ply % 16 == 5 {
                    neighbours(game, &position, &mut dice, &mut met, &name);
                }
                let Some(mv) = game.random_move(&position, &mut dice.0) else {
                    break;
                };
                game.apply(&mut position, mv);
            }
        }
        different(&mut met, &name)
    }
}

/// The hash, and another one that is made independently of it.
fn both<G: Game>(game: &G, position: &G::Position) -> (u64, u64) {
    let mut other = DefaultHasher::new();
    position.hash(&mut other);
    (game.hash(position), other.finish())
}

/// Positions that are nearly the same: images, and changes of a single field.
fn neighbours<G: Game>(
    game: &G,
    position: &G::Position,
    dice: &mut TestRng,
    met: &mut Vec<(u64, u64)>,
    name: &str,
) {
    for &symmetry in game.symmetries() {
        met.push(both(game, &game.map_position(position, symmetry)));
    }
    let here = game.hash(position);
    for change in CHANGES {
        let mut setup = game.setup(position);
        change(&mut setup, dice);
        let Ok(changed) = game.position(&setup) else {
            continue;
        };
        let same = changed == *position;
        assert_eq!(
            game.hash(&changed) == here,
            same,
            "{name}: {} and {} must hash alike only if they are the same",
            game.text(position),
            game.text(&changed)
        );
        met.push(both(game, &changed));
    }
}

/// One field each. What the rules refuse is passed over.
const CHANGES: [fn(&mut Setup, &mut TestRng); 6] = [
    |setup, _| setup.side = setup.side.other(),
    |setup, _| setup.extra = !setup.extra,
    |setup, dice| {
        let letter = dice.below(9) as u8;
        if let Some(last) = setup.trail.last_mut() {
            *last = letter;
        }
    },
    |setup, _| setup.trail.clear(),
    |setup, dice| {
        if let Some(grid) = &mut setup.grid {
            *grid = (dice.below(7) as u8, dice.below(7) as u8);
        }
    },
    |setup, _| {
        for owner in setup.owners.iter_mut().flatten() {
            if let Owner::One(player) = owner {
                *owner = Owner::One(player.other());
                // Refused unless this board has lines of both.
                break;
            }
        }
    },
];

/// Counts the different positions; no two may have the same hash.
fn different(met: &mut Vec<(u64, u64)>, name: &str) -> usize {
    met.sort_unstable();
    met.dedup();
    for pair in met.windows(2) {
        assert!(
            pair[0].0 != pair[1].0,
            "{name}: two positions have the hash {:x}",
            pair[0].0
        );
    }
    // Equal positions must not have two hashes either.
    met.sort_unstable_by_key(|&(_, other)| other);
    for pair in met.windows(2) {
        assert!(pair[0].1 != pair[1].1, "{name}: a position has two hashes");
    }
    met.len()
}
