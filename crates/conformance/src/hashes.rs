//! Hashes distinguish positions: millions of them, and pairs that differ in only one field.

use std::hash::{DefaultHasher, Hash, Hasher};

use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, Owner, Symmetry, Variant};

use crate::fields::Fields;
use crate::test_rng::TestRng;

/// Plays random games until it has seen `wanted` positions, and checks that no two different
/// ones share a hash. Returns the number of distinct positions.
///
/// # Panics
/// Two positions have the same hash, or one has two.
pub fn check_hashes(name: &str, seed: u64, wanted: usize) -> usize {
    let variant: Variant = name.parse().unwrap_or_else(|error| panic!("{error}"));
    AnyGameState::new(variant).visit(HashCollector { seed, wanted })
}

struct HashCollector {
    seed: u64,
    wanted: usize,
}

impl GameVisitor for HashCollector {
    type Output = usize;

    fn visit<G: Game>(self, state: &GameState<G>) -> usize {
        let game = state.game();
        let name = game.variant().to_string();
        let mut rng = TestRng::for_name(self.seed, &name);
        let mut hashes = Vec::with_capacity(self.wanted + 64);
        while hashes.len() < self.wanted {
            let mut position = game.start();
            // In games that repeat, a random game might never end.
            for ply in 0..1000 {
                hashes.push(hash_pair(game, &position));
                if ply % 16 == 5 {
                    add_neighbors(game, &position, &mut rng, &mut hashes, &name);
                }
                let Some(mv) = game.random_move(&position, &mut rng.0) else {
                    break;
                };
                game.apply(&mut position, mv);
            }
        }
        count_distinct(&mut hashes, &name)
    }
}

/// The hash, and another one that is computed independently of it.
fn hash_pair<G: Game>(game: &G, position: &G::Position) -> (u64, u64) {
    let mut other = DefaultHasher::new();
    position.hash(&mut other);
    (game.hash(position), other.finish())
}

/// Positions that are nearly the same: images, and changes of a single field.
fn add_neighbors<G: Game>(
    game: &G,
    position: &G::Position,
    rng: &mut TestRng,
    hashes: &mut Vec<(u64, u64)>,
    name: &str,
) {
    for symmetry in (0..game.count_symmetries().min(48)).map(Symmetry) {
        hashes.push(hash_pair(game, &game.map_position(position, symmetry)));
    }
    let here = game.hash(position);
    for change in CHANGES {
        let Some(mut fields) = Fields::parse(game.variant(), &game.text(position)) else {
            break;
        };
        change(&mut fields, rng);
        let Ok(changed) = game.parse(&fields.text()) else {
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
        hashes.push(hash_pair(game, &changed));
    }
}

/// Changes of one field each. Changes that the rules reject are skipped.
const CHANGES: [fn(&mut Fields, &mut TestRng); 6] = [
    |fields, _| fields.side = fields.side.other(),
    |fields, _| fields.extra = !fields.extra,
    |fields, rng| {
        let letter = rng.below(9) as u8;
        if let Some(last) = fields.trail.last_mut() {
            *last = letter;
        }
    },
    |fields, _| fields.trail.clear(),
    |fields, rng| {
        if let Some(center) = &mut fields.center {
            *center = (rng.below(7), rng.below(7));
        }
    },
    |fields, _| {
        for owner in fields.owners.iter_mut().flatten() {
            if let Owner::One(side) = owner {
                *owner = Owner::One(side.other());
                // Rejected unless this board has lines of both sides.
                break;
            }
        }
    },
];

/// Counts the distinct positions; no two may have the same hash.
fn count_distinct(hashes: &mut Vec<(u64, u64)>, name: &str) -> usize {
    hashes.sort_unstable();
    hashes.dedup();
    for pair in hashes.windows(2) {
        assert!(
            pair[0].0 != pair[1].0,
            "{name}: two positions have the hash {:x}",
            pair[0].0
        );
    }
    // Equal positions must not have two hashes either.
    hashes.sort_unstable_by_key(|&(_, other)| other);
    for pair in hashes.windows(2) {
        assert!(pair[0].1 != pair[1].1, "{name}: a position has two hashes");
    }
    hashes.len()
}
