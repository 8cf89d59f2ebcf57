//! Compares exact values with a plain full search, on random positions of every variant: the value
//! and distance of the position and of every move.

use crate::full_search::{FullSearch, ReferenceValue, is_consistent};
use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants::{GROUPS, VariantGroup, game_folders};
use noughts_engine::solve::{SolveResult, solve_any};
use noughts_engine::{BotSettings, ExactValue, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, Symmetry, Variant};

/// Node limit of the full search.
const FULL_SEARCH_NODES: u64 = 20_000;

/// Depth of the full search where positions can repeat.
const REPETITION_DEPTH: u32 = 2;

/// At most this many symmetric images are compared.
const MAX_SYMMETRIES: u32 = 48;

/// A random position near the end of a random game, and its true values.
struct Case {
    variant: Variant,
    text: String,
    /// The position's symmetric images.
    images: Vec<String>,
    /// The depth of the full search, if it was limited.
    depth: Option<u32>,
    value: ReferenceValue,
    /// The value one ply deeper, which the values of the moves reveal.
    deeper_value: ReferenceValue,
    moves: Vec<(String, ReferenceValue)>,
}

/// Plays a random game and steps back from its end, as far as the full search can follow.
struct LatePosition<'a>(&'a mut TestRng);

impl GameVisitor for LatePosition<'_> {
    type Output = Option<Case>;

    fn visit<G: Game>(self, state: &GameState<G>) -> Option<Case> {
        let game = state.game();
        let mut positions = vec![game.start()];
        while let Some(last) = positions.last()
            && game.outcome(last).is_none()
            && positions.len() < if game.can_repeat() { 60 } else { 2000 }
        {
            // Moves that end the game are usually skipped: otherwise large boards would never fill
            // up enough to be searched.
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
        let mut depth = game.can_repeat().then_some(REPETITION_DEPTH);
        // A game that is over at the start has no earlier position; every other game has one.
        let mut steps_back = 1 + self.0.below(if game.can_repeat() { 4 } else { 12 });
        steps_back = steps_back.min(positions.len() - 1);
        loop {
            let position = positions.get(positions.len().checked_sub(steps_back + 1)?)?;
            let mut full_search = FullSearch {
                nodes: FULL_SEARCH_NODES,
            };
            // A move's value takes one ply more than the position's.
            let moves = full_search.moves(game, position, depth.map_or(1000, |depth| depth + 1));
            let value = full_search.value(game, position, depth.unwrap_or(1000));
            let deeper_value = match depth {
                Some(depth) => full_search.value(game, position, depth + 1),
                None => value,
            };
            if let (Some(moves), Some(value), Some(deeper_value)) = (moves, value, deeper_value) {
                // Several boards have millions of symmetries.
                let images = (1..game.count_symmetries().min(MAX_SYMMETRIES))
                    .map(|n| game.text(&game.map_position(position, Symmetry(n))));
                return Some(Case {
                    variant: game.variant(),
                    text: game.text(position),
                    images: images.collect(),
                    depth,
                    value,
                    deeper_value,
                    moves: moves
                        .into_iter()
                        .map(|(mv, expected)| (game.move_text(mv), expected))
                        .collect(),
                });
            }
            // Closer to the end there is less to search; where positions can repeat, reduce the
            // depth instead.
            match depth {
                Some(2..) => depth = Some(1),
                _ if steps_back > 1 => steps_back /= 2,
                _ => return None,
            }
        }
    }
}

fn small_settings() -> BotSettings {
    BotSettings {
        memory: 1 << 20,
        ..BotSettings::default()
    }
}

fn solve_text(variant: Variant, text: &str, limits: SearchLimits) -> SolveResult<String> {
    let state = AnyGameState::from_text(variant, text).expect("a position");
    solve_any(&state, &small_settings(), limits, &StopFlag::new())
}

impl Case {
    fn limits(&self) -> SearchLimits {
        SearchLimits {
            depth: self.depth,
            ..SearchLimits::NONE
        }
    }

    /// Everything is found and correct.
    fn check(&self) {
        let Case { variant, text, .. } = self;
        let result = solve_text(*variant, text, self.limits());
        self.check_value(result.value, self.value, self.deeper_value, "");
        assert_eq!(result.moves.len(), self.moves.len());
        for (mv, value) in &result.moves {
            let expected = self.moves.iter().find(|(other, _)| other == mv);
            let expected = expected.map_or(ReferenceValue::Undecided, |&(_, expected)| expected);
            self.check_value(*value, expected, expected, mv);
        }
    }

    fn check_value(
        &self,
        claimed: Option<ExactValue>,
        expected: ReferenceValue,
        deeper_value: ReferenceValue,
        mv: &str,
    ) {
        // Where positions can repeat, search proves no draws.
        let is_required = match expected {
            ReferenceValue::Draw | ReferenceValue::Undecided => self.depth.is_none(),
            _ => true,
        };
        let Case { variant, text, .. } = self;
        if is_required {
            assert_eq!(claimed, expected.exact(), "{variant} {text} {mv}");
        } else {
            assert!(
                self.is_plausible(claimed, deeper_value),
                "{variant} {text} {mv}: {claimed:?}"
            );
        }
    }

    /// Whether a claimed value is consistent. Small games are solved completely, so more may be known than the full search
    /// could see.
    fn is_plausible(&self, claimed: Option<ExactValue>, expected: ReferenceValue) -> bool {
        let is_beyond = |claimed: ExactValue| match (claimed.plies(), self.depth) {
            (Some(plies), Some(depth)) => plies > depth,
            (None, Some(_)) => claimed == ExactValue::DRAW,
            (_, None) => false,
        };
        is_consistent(claimed, expected)
            || matches!(expected, ReferenceValue::Undecided) && claimed.is_some_and(is_beyond)
    }

    /// With few nodes less is found, but nothing wrong.
    fn check_with_node_limit(&self, nodes: u64) {
        let Case { variant, text, .. } = self;
        let limits = SearchLimits {
            nodes: Some(nodes),
            ..self.limits()
        };
        let result = solve_text(*variant, text, limits);
        assert!(
            self.is_plausible(result.value, self.deeper_value),
            "{variant} {text}: {:?} with {nodes} nodes",
            result.value
        );
        for (mv, value) in &result.moves {
            let expected = self.moves.iter().find(|(other, _)| other == mv);
            let expected = expected.map_or(ReferenceValue::Undecided, |&(_, expected)| expected);
            assert!(
                self.is_plausible(*value, expected),
                "{variant} {text} {mv} {nodes}"
            );
        }
        assert!(result.nodes <= nodes + 1, "{} of {nodes}", result.nodes);
    }

    /// Symmetric positions have the same values.
    fn check_images(&self) {
        let all_values = |result: &SolveResult<String>| {
            let mut values: Vec<Option<ExactValue>> =
                result.moves.iter().map(|&(_, value)| value).collect();
            values.sort();
            (result.value, values)
        };
        let own_values = all_values(&solve_text(self.variant, &self.text, self.limits()));
        for image in &self.images {
            let image_values = all_values(&solve_text(self.variant, image, self.limits()));
            assert_eq!(
                own_values, image_values,
                "{} {} {image}",
                self.variant, self.text
            );
        }
    }
}

/// Variants with positions that can be searched to the end.
fn groups() -> impl Iterator<Item = &'static VariantGroup> {
    let huge = ["depth 4", "depth 5", "depth 6"];
    GROUPS
        .iter()
        .filter(move |group| !huge.contains(&group.name))
}

/// Compares about this many positions, spread over all variants.
fn compare(positions: usize, seed: u64) {
    let folders = game_folders()
        .into_iter()
        .flat_map(|folder| folder.variants);
    let variants = groups().flat_map(|group| group.variants);
    let variants: Vec<String> = variants.map(|&name| name.into()).chain(folders).collect();
    for name in &variants {
        let variant: Variant = name.parse().expect("a variant");
        let mut rng = TestRng::for_name(seed, name);
        let target = positions.div_ceil(variants.len());
        let (mut found, mut tries) = (0, 0);
        while found < target && tries < 20 * target {
            tries += 1;
            let Some(case) = AnyGameState::new(variant).visit(LatePosition(&mut rng)) else {
                continue;
            };
            found += 1;
            case.check();
            case.check_with_node_limit([1, 3, 10, 30, 100, 300, 1000][found % 7]);
            if found % 8 == 0 {
                case.check_images();
            }
        }
        assert_eq!(found, target, "{name}: too few positions in {tries} games");
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
