//! What is called exact is compared with a plain full search, on random positions
//! of every variant: the value and distance of the position and of every move.

use crate::full_search::{FullSearch, ReferenceValue, is_consistent};
use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants::{GROUPS, Group};
use noughts_engine::solve::{SolveResult, solve_any};
use noughts_engine::{BotSettings, ExactValue, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Game, GameState, Variant, Visitor};

/// The reference gives up after so many positions.
const REFERENCE_NODES: u64 = 20_000;

/// How far the reference looks where games can go round in circles.
const CIRCLES_DEPTH: u32 = 2;

/// A random position near the end of a random game, and all that is true of it.
struct Case {
    variant: Variant,
    text: String,
    /// The same position turned and mirrored.
    images: Vec<String>,
    /// Plies that the reference looked ahead, where it did not see everything.
    depth: Option<u32>,
    value: ReferenceValue,
    /// What looking one ply further shows, which the moves' own values do.
    deeper: ReferenceValue,
    moves: Vec<(String, ReferenceValue)>,
}

/// Plays a random game and steps back from its end, as far as the reference follows.
struct Late<'a>(&'a mut TestRng);

impl Visitor for Late<'_> {
    type Output = Option<Case>;

    fn visit<G: Game>(self, play: &GameState<G>) -> Option<Case> {
        let game = play.game();
        let mut positions = vec![game.start()];
        while let Some(last) = positions.last()
            && game.outcome(last).is_none()
            && positions.len() < if G::CAN_REPEAT { 60 } else { 2000 }
        {
            // Moves that end the game are mostly passed over: large boards would never
            // fill up, and could not be searched.
            let mut next = last.clone();
            for _ in 0..12 {
                next.clone_from(last);
                let mv = game.random_move(last, &mut self.0.0)?;
                game.apply(&mut next, mv);
                if game.outcome(&next).is_none() {
                    break;
                }
            }
            positions.push(next);
        }
        let mut depth = G::CAN_REPEAT.then_some(CIRCLES_DEPTH);
        // A start that is over has nothing before it; every other game has.
        let mut back = 1 + self.0.below(if G::CAN_REPEAT { 4 } else { 12 });
        back = back.min(positions.len() - 1);
        loop {
            let position = positions.get(positions.len().checked_sub(back + 1)?)?;
            let mut reference = FullSearch {
                nodes: REFERENCE_NODES,
            };
            // A move's own value looks one ply further than the position's.
            let moves = reference.moves(game, position, depth.map_or(1000, |depth| depth + 1));
            let value = reference.value(game, position, depth.unwrap_or(1000));
            let deeper = match depth {
                Some(depth) => reference.value(game, position, depth + 1),
                None => value,
            };
            if let (Some(moves), Some(value), Some(deeper)) = (moves, value, deeper) {
                let images = game.symmetries()[1..]
                    .iter()
                    .map(|&symmetry| game.text(&game.map_position(position, symmetry)));
                return Some(Case {
                    variant: game.variant(),
                    text: game.text(position),
                    images: images.collect(),
                    depth,
                    value,
                    deeper,
                    moves: moves
                        .into_iter()
                        .map(|(mv, truth)| (game.move_text(mv), truth))
                        .collect(),
                });
            }
            // Nearer to the end there is less to search; where games go round in
            // circles, it is the depth that costs.
            match depth {
                Some(2..) => depth = Some(1),
                _ if back > 1 => back /= 2,
                _ => return None,
            }
        }
    }
}

fn small() -> BotSettings {
    BotSettings {
        memory: 1 << 20,
        ..BotSettings::default()
    }
}

fn solved(variant: Variant, text: &str, limits: SearchLimits) -> SolveResult<String> {
    let play = AnyGameState::from_text(variant, text).expect("a position");
    solve_any(&play, &small(), limits, &StopFlag::new())
}

impl Case {
    fn limits(&self) -> SearchLimits {
        SearchLimits {
            depth: self.depth,
            ..SearchLimits::NONE
        }
    }

    /// All is found, and all of it is true.
    fn check(&self) {
        let Case { variant, text, .. } = self;
        let solution = solved(*variant, text, self.limits());
        self.check_one(solution.value, self.value, self.deeper, "");
        assert_eq!(solution.moves.len(), self.moves.len());
        for (mv, value) in &solution.moves {
            let truth = self.moves.iter().find(|(other, _)| other == mv);
            let truth = truth.map_or(ReferenceValue::Undecided, |&(_, truth)| truth);
            self.check_one(*value, truth, truth, mv);
        }
    }

    fn check_one(
        &self,
        claim: Option<ExactValue>,
        truth: ReferenceValue,
        deeper: ReferenceValue,
        mv: &str,
    ) {
        // Where games can go round in circles, only tables prove draws.
        let must = match truth {
            ReferenceValue::Draw | ReferenceValue::Undecided => self.depth.is_none(),
            _ => true,
        };
        let Case { variant, text, .. } = self;
        if must {
            assert_eq!(claim, truth.exact(), "{variant} {text} {mv}");
        } else {
            assert!(
                is_consistent(claim, deeper),
                "{variant} {text} {mv}: {claim:?}"
            );
        }
    }

    /// With little to spend little is said, and nothing that is not true.
    fn check_in_haste(&self, nodes: u64) {
        let Case { variant, text, .. } = self;
        let limits = SearchLimits {
            nodes: Some(nodes),
            ..self.limits()
        };
        let solution = solved(*variant, text, limits);
        assert!(
            is_consistent(solution.value, self.deeper),
            "{variant} {text}: {:?} with {nodes} nodes",
            solution.value
        );
        for (mv, value) in &solution.moves {
            let truth = self.moves.iter().find(|(other, _)| other == mv);
            let truth = truth.map_or(ReferenceValue::Undecided, |&(_, truth)| truth);
            assert!(
                is_consistent(*value, truth),
                "{variant} {text} {mv} {nodes}"
            );
        }
        assert!(solution.nodes <= nodes + 1, "{} of {nodes}", solution.nodes);
    }

    /// Turned and mirrored it is worth the same.
    fn check_images(&self) {
        let kinds = |solution: &SolveResult<String>| {
            let mut values: Vec<Option<ExactValue>> =
                solution.moves.iter().map(|&(_, value)| value).collect();
            values.sort();
            (solution.value, values)
        };
        let own = kinds(&solved(self.variant, &self.text, self.limits()));
        for image in &self.images {
            let theirs = kinds(&solved(self.variant, image, self.limits()));
            assert_eq!(own, theirs, "{} {} {image}", self.variant, self.text);
        }
    }
}

/// Games whose positions can be searched to the end somewhere.
fn groups() -> impl Iterator<Item = &'static Group> {
    let huge = ["depth 4", "depth 5", "depth 6"];
    GROUPS
        .iter()
        .filter(move |group| !huge.contains(&group.name))
}

/// About this many positions, spread over all variants.
fn compare(positions: usize, seed: u64) {
    let variants: Vec<&str> = groups().flat_map(|group| group.variants).copied().collect();
    for name in &variants {
        let variant: Variant = name.parse().expect("a variant");
        let mut dice = TestRng::for_name(seed, name);
        let wanted = positions.div_ceil(variants.len());
        let (mut found, mut tries) = (0, 0);
        while found < wanted && tries < 20 * wanted {
            tries += 1;
            let Some(case) = AnyGameState::new(variant).visit(Late(&mut dice)) else {
                continue;
            };
            found += 1;
            case.check();
            case.check_in_haste([1, 3, 10, 30, 100, 300, 1000][found % 7]);
            if found % 8 == 0 {
                case.check_images();
            }
        }
        assert_eq!(found, wanted, "{name}: too few positions in {tries} games");
    }
}

#[test]
fn proofs_agree_with_a_full_search() {
    compare(2000, 1);
}

#[test]
#[ignore = "takes minutes; part of the soak"]
fn proofs_agree_with_a_full_search_on_ten_thousand_positions() {
    compare(10_000, 2);
}
