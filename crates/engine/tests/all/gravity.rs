//! Compares the proofs of upright boards with a plain search of every game, and reproduces known values.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use noughts_conformance::test_rng::TestRng;
use noughts_engine::solve::{SolveResult, solve_any, solve_value};
use noughts_engine::{AnyBot, BotKind, BotSettings, ExactValue, GameValue, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, Outcome, Side, Symmetry, Variant};

fn settings() -> BotSettings {
    BotSettings::default()
}

fn solve_text(variant: Variant, text: &str) -> SolveResult<String> {
    let state = AnyGameState::from_text(variant, text).expect("a position");
    solve_any(&state, &settings(), SearchLimits::NONE, &StopFlag::new())
}

/// Random games of one board, with a plain search of positions close to their end.
struct LateGames {
    /// How many positions to check.
    positions: usize,
    /// The least number of discs on the board.
    discs: usize,
    seed: u64,
}

/// Searches every game; gives up after too many positions.
struct PlainSearch<'a, G: Game> {
    game: &'a G,
    known: HashMap<G::Position, ExactValue>,
}

const MAX_POSITIONS: usize = 60_000;

impl<G: Game> PlainSearch<'_, G> {
    fn value(&mut self, position: &G::Position) -> Option<ExactValue> {
        let game = self.game;
        if let Some(outcome) = game.outcome(position) {
            return Some(ExactValue::from_outcome(outcome, game.side(position)));
        }
        if let Some(&known) = self.known.get(position) {
            return Some(known);
        }
        if self.known.len() >= MAX_POSITIONS {
            return None;
        }
        let mut best = None;
        for mv in game.moves(position) {
            let value = self.value(&game.after(position, mv))?;
            best = best.max(Some(value.backed_up(false)));
        }
        self.known.insert(position.clone(), best?);
        best
    }
}

/// The position after a random move that doesn't end the game, if one is found quickly.
fn next_position<G: Game>(
    game: &G,
    position: &G::Position,
    rng: &mut TestRng,
) -> Option<G::Position> {
    (0..12).find_map(|_| {
        let next = game.after(position, game.random_move(position, &mut rng.0)?);
        game.outcome(&next).is_none().then_some(next)
    })
}

impl GameVisitor for LateGames {
    /// How many positions were checked.
    type Output = usize;

    fn visit<G: Game>(self, state: &GameState<G>) -> usize {
        let game = state.game();
        let mut rng = TestRng::for_name(self.seed, &game.variant().to_string());
        let (mut checked, mut tries) = (0, 0);
        while checked < self.positions && tries < 50 * self.positions {
            tries += 1;
            let mut positions = vec![game.start()];
            while let Some(last) = positions.last()
                && let Some(next) = next_position(game, last, &mut rng)
            {
                positions.push(next);
            }
            let late = positions.get(self.discs..).unwrap_or_default();
            let Some(position) = late.get(rng.below(late.len().min(12))) else {
                continue;
            };
            let mut search = PlainSearch {
                game,
                known: HashMap::new(),
            };
            let Some(value) = search.value(position) else {
                continue;
            };
            checked += 1;
            let text = game.text(position);
            let found = solve_text(game.variant(), &text);
            assert_eq!(found.value, Some(value), "{} {text}", game.variant());
            for (mv, found) in &found.moves {
                let mv = game.parse_move(mv).expect("a move");
                let value = search.value(&game.after(position, mv));
                let value = value.map(|value| value.backed_up(false));
                assert_eq!(*found, value, "{} {text}", game.variant());
            }
            let image = game.text(&game.map_position(position, Symmetry(1)));
            let of_image = solve_text(game.variant(), &image);
            assert_eq!(of_image.value, found.value, "{} {image}", game.variant());
        }
        checked
    }
}

fn check_late_positions(boards: &[(&str, usize)], positions: usize, seed: u64) {
    for &(name, discs) in boards {
        let variant: Variant = name.parse().expect("a variant");
        let games = LateGames {
            positions,
            discs,
            seed,
        };
        let checked = AnyGameState::new(variant).visit(games);
        assert_eq!(checked, positions, "{name}: too few positions to check");
    }
}

/// Boards, and the number of discs from which on positions are late enough.
const BOARDS: [(&str, usize); 16] = [
    ("gravity:4,4,3", 0),
    ("gravity:5,4,3", 2),
    ("gravity:4,4,4", 2),
    ("gravity:5,3,3", 0),
    ("gravity:4,5,4", 4),
    ("gravity:5,5,4", 9),
    ("gravity:3,7,4", 4),
    ("gravity:6,4,4", 8),
    ("connect-four", 24),
    ("gravity:8,7,5", 42),
    ("gravity:7,8,4", 40),
    ("gravity:9,9,4", 64),
    ("gravity:4,4,2", 0),
    ("gravity:3,3,1", 0),
    ("gravity:10,1,5", 0),
    ("gravity:1,10,10", 0),
];

#[test]
fn proofs_agree_with_a_plain_search() {
    check_late_positions(&BOARDS, 125, 1);
}

#[test]
#[ignore = "takes minutes; part of the soak"]
fn proofs_agree_with_a_plain_search_on_many_positions() {
    check_late_positions(&BOARDS, 2000, 2);
}

#[test]
fn known_values_of_small_boards() {
    let draw = ExactValue::DRAW;
    for (name, value) in [
        ("gravity:4,4,3", ExactValue::win(9)),
        ("gravity:4,4,4", draw),
        ("gravity:5,4,4", draw),
        ("gravity:5,5,4", draw),
        ("gravity:6,4,4", ExactValue::loss(24)),
        ("gravity:10,10,1", ExactValue::win(1)),
    ] {
        let state = AnyGameState::new(name.parse().expect("a variant"));
        let found = solve_value(&state, &settings(), SearchLimits::NONE, &StopFlag::new());
        assert_eq!(found.value, Some(value), "{name}");
        assert!(found.moves.is_empty());
    }
}

#[test]
fn known_values_of_first_moves() {
    let start = "..../..../..../.... x";
    let found = solve_text("gravity:4,4,3".parse().expect("a variant"), start);
    let of = |name: &str| {
        let found = found.moves.iter().find(|(mv, _)| mv == name);
        found.and_then(|(_, value)| *value)
    };
    for (mv, plies) in [("a", 15), ("b", 9), ("c", 9), ("d", 15)] {
        assert_eq!(of(mv), Some(ExactValue::win(plies)), "{mv}");
    }
}

#[test]
#[ignore = "takes minutes; part of the soak"]
fn known_values_of_large_boards() {
    let settings = BotSettings {
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        memory: 4 << 30,
        ..settings()
    };
    let value = |name: &str, moves: &[&str]| {
        let mut state = AnyGameState::new(name.parse().expect("a variant"));
        for mv in moves {
            state.play(mv).expect("a legal move");
        }
        let start = Instant::now();
        let found = solve_value(&state, &settings, SearchLimits::NONE, &StopFlag::new()).value;
        println!(
            "{name} {moves:?}: {found:?}, {time:.0?}",
            time = start.elapsed()
        );
        found
    };
    assert_eq!(value("gravity:6,5,4", &[]), Some(ExactValue::DRAW));
    for (mv, game_value) in [
        ("a", GameValue::Win),
        ("b", GameValue::Win),
        ("c", GameValue::Draw),
    ] {
        let found = value("connect-four", &[mv]).map(ExactValue::game_value);
        assert_eq!(found, Some(game_value), "{mv}");
    }
    assert_eq!(value("connect-four", &["d"]), Some(ExactValue::loss(40)));
}

fn solve_connect_four(moves: &str, limits: SearchLimits) -> SolveResult<String> {
    let mut state = AnyGameState::new("connect-four".parse().expect("a variant"));
    for mv in moves.chars() {
        state.play(&mv.to_string()).expect("a legal move");
    }
    solve_value(&state, &settings(), limits, &StopFlag::new())
}

/// Far from the end, the search for the distance used to spend the whole budget: ten seconds at the command line.
#[test]
fn values_of_a_strategy_are_found_at_once() {
    let limits = SearchLimits::nodes(20_000_000);
    for (moves, game_value) in [
        ("", GameValue::Win),
        ("d", GameValue::Loss),
        ("ddddd", GameValue::Loss),
        ("dddddccc", GameValue::Win),
    ] {
        let found = solve_connect_four(moves, limits);
        let value = ExactValue::without_distance(game_value);
        assert_eq!(found.value, Some(value), "{moves}");
        assert!(found.note.is_some(), "{moves}");
        assert!(found.nodes < 2_000_000, "{moves}: {} nodes", found.nodes);
    }
}

/// Closer to the end, it gets what it needs; and so it does anywhere without limits.
#[test]
fn distances_of_a_strategy_are_found_if_they_are_worth_it() {
    let limits = SearchLimits::nodes(20_000_000);
    let nearby = solve_connect_four("dddddccccf", limits);
    assert_eq!(nearby.value, Some(ExactValue::win(31)));
    // The bound by the strategy would say less.
    assert_eq!(nearby.note, None);
    let before = solve_connect_four("dddddcccc", limits);
    let lost = ExactValue::without_distance(GameValue::Loss);
    assert_eq!(before.value, Some(lost));
    let unlimited = solve_connect_four("dddddcccc", SearchLimits::NONE);
    assert_eq!(unlimited.value, Some(ExactValue::loss(32)));
}

/// Undecided positions of Connect Four after random moves.
fn undecided_positions(discs: usize, count: usize, seed: u64) -> Vec<AnyGameState> {
    let mut rng = TestRng::for_name(seed, "connect-four");
    let start = AnyGameState::new("connect-four".parse().expect("a variant"));
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut state = start.clone();
        for _ in 0..discs {
            let moves = state.legal_moves();
            if let Some(mv) = moves.get(rng.below(moves.len())) {
                state.play(mv).expect("a legal move");
            }
        }
        if state.outcome().is_none() {
            positions.push(state);
        }
    }
    positions
}

/// Not timed, so that a busy machine doesn't matter: a second has several million nodes.
#[test]
fn positions_with_twelve_discs_take_few_nodes() {
    let limits = SearchLimits::nodes(10_000_000);
    for state in undecided_positions(12, 12, 3) {
        let found = solve_value(&state, &settings(), limits, &StopFlag::new());
        let plies = found.value.and_then(ExactValue::plies);
        assert!(
            found.value == Some(ExactValue::DRAW) || plies.is_some(),
            "{}: {:?} after {} nodes",
            state.position_text(),
            found.value,
            found.nodes
        );
    }
}

#[test]
#[ignore = "takes minutes; part of the soak"]
fn positions_with_twelve_discs_take_a_second() {
    let mut times = Vec::new();
    for state in undecided_positions(12, 1000, 4) {
        let start = Instant::now();
        let found = solve_value(&state, &settings(), SearchLimits::NONE, &StopFlag::new());
        times.push(start.elapsed());
        assert!(found.value.is_some(), "{}", state.position_text());
    }
    times.sort();
    let (median, p99, longest) = (times[500], times[989], times[999]);
    println!("median {median:.3?}, 99th percentile {p99:.3?}, longest {longest:.3?}");
    assert!(median <= Duration::from_secs(1), "median {median:?}");
    assert!(p99 <= Duration::from_secs(10), "99th percentile {p99:?}");
}

/// The outcome of a game of Connect Four between `best`, which begins, and `mcts`, with the limits of each.
fn play_best_against_mcts(seed: u64, limits: [SearchLimits; 2]) -> (Option<Outcome>, String) {
    let variant: Variant = "connect-four".parse().expect("a variant");
    let mut bots = [BotKind::Best, BotKind::Mcts].map(|kind| {
        let settings = BotSettings {
            seed,
            ..BotSettings::default()
        };
        AnyBot::new(kind, variant, &settings).expect("it plays everything")
    });
    let mut state = AnyGameState::new(variant);
    let mut moves = String::new();
    while state.outcome().is_none() {
        let player = usize::from(state.side() == Side::O);
        let report = bots[player].think(&state, limits[player], &StopFlag::new(), &mut |_| {});
        let mv = report.best.expect("a move");
        state.play(&mv).expect("legal");
        moves += &mv;
    }
    (state.outcome(), moves)
}

/// It knows its first moves, and proves the later ones.
#[test]
fn best_wins_connect_four_as_first_player() {
    let limits = [SearchLimits::nodes(1_000_000), SearchLimits::nodes(2_000)];
    for seed in 0..8 {
        let (outcome, moves) = play_best_against_mcts(seed, limits);
        assert_eq!(outcome, Some(Outcome::Win(Side::X)), "{seed}: {moves}");
    }
}

#[test]
#[ignore = "takes half an hour; part of the soak"]
fn best_wins_a_hundred_games_of_connect_four_at_a_second_per_move() {
    let limits = [SearchLimits::time(Duration::from_secs(1)); 2];
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let seed @ 0..100 = next.fetch_add(1, Ordering::Relaxed) {
                    let (outcome, moves) = play_best_against_mcts(seed, limits);
                    println!("{seed}: {outcome:?} {moves}");
                    assert_eq!(outcome, Some(Outcome::Win(Side::X)), "{seed}: {moves}");
                }
            });
        }
    });
}
