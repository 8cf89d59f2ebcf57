//! The conformance suite: random games in lockstep with the reference, and at each position
//! every property of a game. Generic over the game.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use noughts_reference::{History, State};
use noughts_rules::{
    AnyGameState, BoardView, Ending, Game, GameState, GameVisitor, Outcome, Place, Symmetry,
    TapResult, Target, Variant, divide, perft,
};

use crate::fields::Layout;
use crate::observation::check_planes;
use crate::test_rng::TestRng;
use crate::variants::{CheckEffort, GROUPS};

/// Checks every variant of a group of the table; returns the number of positions seen.
///
/// # Panics
/// A game violates a property, or the group doesn't exist.
pub fn check_group(name: &str, seed: u64) -> usize {
    let group = GROUPS.iter().find(|group| group.name == name);
    let group = group.unwrap_or_else(|| panic!("there is no group {name:?}"));
    let variants = group.variants.iter();
    variants
        .map(|variant| check_variant(variant, seed, &group.effort))
        .sum()
}

/// Checks one variant, given by its canonical name; returns the number of positions seen.
///
/// # Panics
/// The game violates a property.
pub fn check_variant(name: &str, seed: u64, effort: &CheckEffort) -> usize {
    let variant: Variant = name.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(variant.to_string(), name, "the table holds canonical names");
    let state = AnyGameState::new(variant);
    assert_eq!(state.variant(), variant, "{name} is played by another game");
    if let Err(error) = State::start(name) {
        panic!("the reference doesn't play {name}: {error}");
    }
    state.visit(ConformanceRun { seed, effort })
}

struct ConformanceRun<'a> {
    seed: u64,
    effort: &'a CheckEffort,
}

impl GameVisitor for ConformanceRun<'_> {
    type Output = usize;

    fn visit<G: Game>(self, state: &GameState<G>) -> usize {
        check_game(state.game(), self.seed, self.effort)
    }
}

/// Checks one game, given by its type; returns the number of positions seen. A game that the reference doesn't play is
/// checked on its own.
///
/// # Panics
/// The game violates a property.
pub fn check_game<G: Game>(game: &G, seed: u64, effort: &CheckEffort) -> usize {
    let name = game.variant().to_string();
    check_actions(game, &name);
    let mut checker = ConformanceChecker {
        game,
        rng: TestRng::for_name(seed, &name),
        well_formed_moves: well_formed_moves(game.variant()),
        effort,
        has_reference: State::start(&name).is_ok(),
        name,
        observed: HashMap::new(),
    };
    (0..effort.games).map(|_| checker.check_one_game()).sum()
}

/// Actions and moves correspond one to one, in the documented order: that of
/// [`well_formed_moves`].
fn check_actions<G: Game>(game: &G, name: &str) {
    let count = game.count_actions();
    for beyond in [count, count + 1, u32::MAX as usize, usize::MAX] {
        assert_eq!(
            game.move_from_action(beyond),
            None,
            "{name}: action {beyond}"
        );
    }
    let moves = well_formed_moves(game.variant());
    let step = if moves.len() < count { SAMPLE_STEP } else { 1 };
    assert_eq!(moves.len(), count.div_ceil(step), "{name}: actions");
    for (n, text) in moves.iter().enumerate() {
        let action = n * step;
        let mv = game
            .move_from_action(action)
            .unwrap_or_else(|| panic!("{name}: no action {action}"));
        assert_eq!(game.move_text(mv), *text, "{name}: action {action}");
        assert_eq!(game.action(mv), action, "{name}: the number of {text}");
    }
}

/// On large boards, only one cell in this many: a prime step covers every letter at every level.
const SAMPLE_STEP: usize = 101;

/// At most this many symmetries are checked at a position.
const MAX_SYMMETRIES: u32 = 16;

/// The inverse of a symmetry is only looked for among at most this many.
const MAX_INVERSES: u32 = 48;

/// No symmetry has to be repeated this often to undo itself.
const MAX_ORDER: usize = 1000;

/// Well-formed moves of a variant, all of them or a representative sample, in the order of the action numbers: the
/// documented one for the older games.
#[must_use]
pub fn well_formed_moves(variant: Variant) -> Vec<String> {
    let state = AnyGameState::new(variant);
    let shape = state.view().shape();
    let step = match shape.count_cells() {
        0..=729 => 1,
        _ => SAMPLE_STEP,
    };
    let indices = (0..shape.count_cells()).step_by(step);
    let names = || -> Vec<String> {
        let cells = indices.clone().map(|index| shape.cell(index));
        cells.map(|cell| shape.place_name(cell)).collect()
    };
    match Layout::of(variant) {
        Some(Layout::Flat { .. }) => names(),
        Some(Layout::Grid { .. }) => {
            let cells = names();
            let mut moves = cells.clone();
            moves.extend(cells.iter().map(|cell| format!("@{cell}")));
            for from in &cells {
                moves.extend(cells.iter().map(|to| format!("{from}-{to}")));
            }
            moves
        }
        Some(Layout::Nested { depth, .. }) => indices
            .map(|cell| path(cell as usize, depth as u32))
            .collect(),
        None => {
            let actions = 0..state.count_actions();
            actions
                .filter_map(|action| state.move_from_action(action))
                .collect()
        }
    }
}

fn path(cell: usize, depth: u32) -> String {
    let letter = |level| char::from(b'a' + (cell / 9usize.pow(level) % 9) as u8);
    (0..depth).rev().map(letter).collect()
}

/// The lines of a 3×3 board.
pub const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

/// Texts that are moves of hardly any game: none may cause harm.
const INVALID_MOVES: [&str; 18] = [
    "", " ", "a", "j", "a0", "a01", "a1 ", " a1", "A1", "a+1", "z99", "é1", "@", "@@a1", "a1-",
    "a1-a1-a1", "aaaaaaa", "a1\n",
];

/// The outcome as the reference spells it.
#[must_use]
pub fn outcome_text(outcome: Option<Outcome>) -> Option<&'static str> {
    outcome.map(Outcome::as_str)
}

struct ConformanceChecker<'a, G: Game> {
    game: &'a G,
    name: String,
    rng: TestRng,
    well_formed_moves: Vec<String>,
    effort: &'a CheckEffort,
    has_reference: bool,
    /// Positions by what is observed of them, on boards of up to 729 cells.
    observed: HashMap<Vec<u8>, G::Position>,
}

/// The state that undoing must restore.
#[derive(PartialEq, Debug)]
struct Snapshot<P> {
    position: P,
    outcome: Option<Outcome>,
    made: usize,
}

fn snapshot<G: Game>(state: &GameState<G>) -> Snapshot<G::Position> {
    Snapshot {
        position: state.position().clone(),
        outcome: state.outcome(),
        made: state.moves().len(),
    }
}

impl<G: Game> ConformanceChecker<'_, G> {
    fn check_one_game(&mut self) -> usize {
        let (start, reference) = self.starting_position();
        let mut history = reference.map(History::new);
        let mut state = GameState::from_position(self.game.clone(), start);
        let mut seen = HashSet::new();
        let mut snapshots = vec![snapshot(&state)];
        loop {
            let text = self.game.text(state.position());
            let context = format!("{} at {text}", self.name);
            let legal = sorted_texts(self.game, &state.legal_moves());
            self.check_play(&state, &context);
            if let Some(history) = &history {
                self.compare_with_reference(&state, history, &text, &context);
            }
            let over = state.outcome().is_some();
            let last = over || state.moves().len() >= self.effort.max_plies;
            if last || state.moves().len() % self.effort.check_interval == 0 {
                let reference = history.as_ref().map(History::state);
                self.check_position(state.position(), reference, &text, &context);
                self.check_rejections(&state, &legal, &context);
                self.check_drawing(&state, &context);
                check_planes(&state, &context);
                self.check_view(&state, &context);
                self.remember_planes(state.position(), &context);
            }
            if last {
                break;
            }
            seen.insert(state.position().clone());
            let mv = self.choose(state.position(), &seen);
            let mv_text = self.game.move_text(mv);
            if let Some(history) = &mut history {
                let played = history.play(&mv_text);
                played.unwrap_or_else(|error| panic!("{context}: {error}"));
            }
            state
                .play(mv)
                .unwrap_or_else(|error| panic!("{context}: {mv_text}: {error}"));
            snapshots.push(snapshot(&state));
        }
        self.check_undo(&mut state, &snapshots);
        snapshots.len()
    }

    /// The start, or a position after some random moves, for the game and the reference.
    fn starting_position(&mut self) -> (G::Position, Option<State>) {
        let mut position = self.game.start();
        let reference = State::start(&self.name).ok();
        if self.effort.max_skipped_plies == 0 || reference.is_none() {
            return (position, reference);
        }
        for _ in 0..self.rng.below(self.effort.max_skipped_plies) {
            let Some(mv) = self.game.random_move(&position, &mut self.rng.0) else {
                break;
            };
            let next = self.after(&position, mv);
            if self.game.outcome(&next).is_some() {
                break;
            }
            position = next;
        }
        let text = self.game.text(&position);
        let reference = State::from_text(&self.name, &text);
        let reference =
            reference.unwrap_or_else(|error| panic!("{} at {text}: {error}", self.name));
        (position, Some(reference))
    }

    /// A random move; in games that repeat, often one back to an earlier position, so that
    /// repetition occurs, too.
    fn choose(&mut self, position: &G::Position, seen: &HashSet<G::Position>) -> G::Move {
        let moves = self.game.moves(position);
        if self.game.can_repeat() && self.rng.chance(1, 2) {
            let back: Vec<G::Move> = moves
                .iter()
                .copied()
                .filter(|&mv| seen.contains(&self.after(position, mv)))
                .collect();
            if let Some(mv) = self.rng.pick(&back) {
                return mv;
            }
        }
        let picked = self.rng.pick(&moves);
        picked.unwrap_or_else(|| panic!("{}: no move in an open game", self.name))
    }

    fn after(&self, position: &G::Position, mv: G::Move) -> G::Position {
        let mut next = position.clone();
        self.game.apply(&mut next, mv);
        next
    }

    /// The position and the game in progress agree about the side, and have an outcome and a reason for it, or neither.
    fn check_play(&self, state: &GameState<G>, context: &str) {
        let (game, position) = (self.game, state.position());
        assert_eq!(state.side(), game.side(position), "{context}: side in play");
        assert_eq!(
            game.outcome(position).is_some(),
            game.ending(position).is_some(),
            "{context}: an end has an outcome and a reason, or neither"
        );
        assert_eq!(
            state.outcome().is_some(),
            state.ending().is_some(),
            "{context}: ending in play"
        );
        assert_eq!(
            state.outcome().is_some(),
            state.legal_moves().is_empty(),
            "{context}: there are moves until the end"
        );
    }

    /// Compares moves, side, outcome and text with the reference.
    fn compare_with_reference(
        &self,
        state: &GameState<G>,
        history: &History,
        text: &str,
        context: &str,
    ) {
        let (game, position, reference) = (self.game, state.position(), history.state());
        assert_eq!(text, reference.to_text(), "{context}: text");
        let side = game.side(position).letter();
        assert_eq!(side, reference.side(), "{context}: side");
        assert_eq!(
            outcome_text(game.outcome(position)),
            reference.outcome(),
            "{context}: outcome"
        );
        assert_eq!(
            outcome_text(state.outcome()),
            history.outcome(),
            "{context}: outcome in play"
        );
        let expected = reference.legal_moves();
        assert_eq!(
            sorted_texts(game, &game.moves(position)),
            expected,
            "{context}: legal moves"
        );
        let in_play = sorted_texts(game, &state.legal_moves());
        if history.outcome().is_none() {
            assert_eq!(in_play, expected, "{context}: legal moves in play");
        }
    }

    /// Properties of the position alone.
    fn check_position(
        &mut self,
        position: &G::Position,
        reference: Option<&State>,
        text: &str,
        context: &str,
    ) {
        self.check_text(position, reference, text, context);
        self.check_moves(position, context);
        self.check_symmetries(position, context);
        self.check_randomness(position, context);
    }

    fn check_text(
        &self,
        position: &G::Position,
        reference: Option<&State>,
        text: &str,
        context: &str,
    ) {
        let game = self.game;
        let read = game
            .parse(text)
            .unwrap_or_else(|error| panic!("{context}: {error}"));
        assert_eq!(read, *position, "{context}: read back");
        assert_eq!(game.text(&read), text, "{context}: printed again");
        assert_eq!(
            game.hash(&read),
            game.hash(position),
            "{context}: equal positions hash alike"
        );
        if let Some(reference) = reference {
            let slow = State::from_text(&self.name, text);
            assert_eq!(
                slow.as_ref(),
                Ok(reference),
                "{context}: the reference reads it back"
            );
        }
        let shape = game.board();
        let cells = (0..shape.count_cells()).map(|index| shape.cell(index));
        let marks: usize = cells
            .map(|cell| game.cell(position, cell).pieces.len())
            .sum();
        assert_eq!(
            game.count_pieces(position),
            marks,
            "{context}: pieces on the board"
        );
    }

    /// Counting, indexing and visiting moves agree, and all moves are legal.
    fn check_moves(&self, position: &G::Position, context: &str) {
        let game = self.game;
        let moves = game.moves(position);
        assert_eq!(game.count_moves(position), moves.len(), "{context}: count");
        for (n, &mv) in moves.iter().enumerate() {
            assert_eq!(
                game.nth_move(position, n),
                Some(mv),
                "{context}: move number {n}"
            );
            let name = game.move_text(mv);
            assert_eq!(
                game.check(position, mv),
                Ok(()),
                "{context}: {name} is legal"
            );
            assert_eq!(
                game.parse_move(&name),
                Ok(mv),
                "{context}: {name} is read back"
            );
            let action = game.action(mv);
            assert!(
                action < game.count_actions(),
                "{context}: {name} as a number"
            );
            assert_eq!(
                game.move_from_action(action),
                Some(mv),
                "{context}: {name} by number"
            );
        }
        for beyond in [
            moves.len(),
            moves.len() + 1,
            1 << 20,
            u32::MAX as usize,
            usize::MAX,
        ] {
            assert_eq!(
                game.nth_move(position, beyond),
                None,
                "{context}: there is no move {beyond}"
            );
        }
        for stop in [0, moves.len() / 2, moves.len().saturating_sub(1)] {
            let mut visited = Vec::new();
            let left = game.visit_moves(position, |mv| {
                visited.push(mv);
                if visited.len() > stop {
                    ControlFlow::Break(mv)
                } else {
                    ControlFlow::Continue(())
                }
            });
            let expected: Vec<G::Move> = moves.iter().copied().take(stop + 1).collect();
            assert_eq!(
                visited, expected,
                "{context}: visiting stops when asked to, in the order of moves"
            );
            assert_eq!(
                left.break_value(),
                moves.get(stop).copied(),
                "{context}: what breaks is given"
            );
        }
        if moves.len() <= 81 {
            let leaves: u64 = moves
                .iter()
                .map(|&mv| game.count_moves(&self.after(position, mv)) as u64)
                .sum();
            assert_eq!(
                perft(game, position, 2),
                leaves,
                "{context}: perft of depth 2"
            );
            let divided: u64 = divide(game, position, 2)
                .iter()
                .map(|(_, leaves)| leaves)
                .sum();
            assert_eq!(divided, leaves, "{context}: divide adds up to perft");
        }
    }

    /// Rotating and reflecting changes nothing except the names of cells.
    fn check_symmetries(&mut self, position: &G::Position, context: &str) {
        let game = self.game;
        let moves = game.moves(position);
        let (least, to_least) = game.canonical(position);
        assert_eq!(
            game.map_position(position, to_least),
            least,
            "{context}: the least is an image"
        );
        let representative = game.representative(position);
        let symmetries = game.count_symmetries();
        for n in 0..symmetries.min(MAX_SYMMETRIES) {
            // With many symmetries, a different part of them at each position.
            let symmetry = match symmetries <= MAX_SYMMETRIES {
                true => Symmetry(n),
                false => Symmetry(self.rng.below(symmetries as usize) as u32),
            };
            let context = format!("{context}, {symmetry:?}");
            let image = game.map_position(position, symmetry);
            let is_back = |back: &[Symmetry]| {
                let undo = |mv| back.iter().fold(mv, |mv, &step| game.map_move(mv, step));
                let undone = back.iter().fold(image.clone(), |position, &step| {
                    game.map_position(&position, step)
                });
                undone == *position
                    && moves
                        .iter()
                        .all(|&mv| undo(game.map_move(mv, symmetry)) == mv)
            };
            let leads_back = match symmetries <= MAX_INVERSES {
                true => (0..symmetries).any(|inverse| is_back(&[Symmetry(inverse)])),
                // Repeated often enough, each symmetry undoes itself.
                false => (0..MAX_ORDER).any(|times| is_back(&vec![symmetry; times])),
            };
            assert!(leads_back, "{context}: no symmetry leads back");
            assert_eq!(
                game.representative(&image),
                representative,
                "{context}: the representative of all images"
            );
            assert_eq!(
                game.outcome(&image),
                game.outcome(position),
                "{context}: outcome"
            );
            assert_eq!(game.side(&image), game.side(position), "{context}: side");
            assert_eq!(
                game.canonical(&image).0,
                least,
                "{context}: the least of all images"
            );
            let mut mapped: Vec<G::Move> = moves
                .iter()
                .map(|&mv| game.map_move(mv, symmetry))
                .collect();
            mapped.sort_unstable();
            let mut expected = game.moves(&image);
            expected.sort_unstable();
            assert_eq!(mapped, expected, "{context}: legal moves");
            for _ in 0..self.effort.transformed_moves.min(moves.len()) {
                let Some(mv) = self.rng.pick(&moves) else {
                    break;
                };
                let name = game.move_text(mv);
                let there = game.map_move(mv, symmetry);
                let first_played = game.map_position(&self.after(position, mv), symmetry);
                let first_mapped = self.after(&image, there);
                assert_eq!(first_played, first_mapped, "{context}: {name}, then mapped");
            }
        }
    }

    /// Random moves and games are reproducible and legal.
    fn check_randomness(&mut self, position: &G::Position, context: &str) {
        let game = self.game;
        let seed = self.rng.below(1 << 30) as u64;
        let new_rng = || TestRng::new(seed).0;
        let mv = game.random_move(position, &mut new_rng());
        assert_eq!(
            mv,
            game.random_move(position, &mut new_rng()),
            "{context}: the same random move"
        );
        assert_eq!(
            mv.is_some(),
            game.outcome(position).is_none(),
            "{context}: a move unless over"
        );
        if let Some(mv) = mv {
            assert_eq!(
                game.check(position, mv),
                Ok(()),
                "{context}: a random move is legal"
            );
        }
        // On the largest boards it takes too long to replay a game to the end.
        if self.well_formed_moves.len() > 2000 && self.effort.max_plies < usize::MAX {
            return;
        }
        let (mut first, mut again) = (position.clone(), position.clone());
        let result = game.playout(&mut first, &mut new_rng());
        let repeated = game.playout(&mut again, &mut new_rng());
        assert_eq!(
            (result, &first),
            (repeated, &again),
            "{context}: the same random game"
        );
        let mut replay = GameState::from_position(game.clone(), position.clone());
        let mut rng = new_rng();
        while replay.outcome().is_none() {
            let Some(mv) = game.random_move(replay.position(), &mut rng) else {
                break;
            };
            let made = replay.play(mv);
            assert_eq!(made, Ok(()), "{context}: a playout's moves are legal");
        }
        let plies = replay.moves().len() as u32;
        let replayed = replay.outcome().map(|outcome| (outcome, plies));
        assert_eq!(
            replayed,
            Some(result),
            "{context}: a playout ends as the same moves do"
        );
        assert_eq!(
            *replay.position(),
            first,
            "{context}: a playout ends where the same moves do"
        );
    }

    /// All other moves are rejected with a reason, and nothing changes.
    fn check_rejections(&mut self, state: &GameState<G>, legal: &[String], context: &str) {
        let tries = self.effort.illegal_moves.min(self.well_formed_moves.len());
        for n in 0..tries {
            let all = tries == self.well_formed_moves.len();
            let n = if all {
                n
            } else {
                self.rng.below(self.well_formed_moves.len())
            };
            let text = &self.well_formed_moves[n];
            let mv = self.game.parse_move(text);
            let mv =
                mv.unwrap_or_else(|error| panic!("{context}: {text} is well-formed, but {error}"));
            assert_eq!(
                self.game.move_text(mv),
                *text,
                "{context}: the move is named as it was read"
            );
            if legal.binary_search(text).is_err() {
                self.check_rejection(state, mv, text, context);
            }
        }
        for text in INVALID_MOVES {
            match self.game.parse_move(text) {
                Err(error) => assert!(!error.to_string().is_empty(), "{context}: {text:?}"),
                Ok(mv) => assert_eq!(self.game.move_text(mv), text, "{context}: {text:?} is read"),
            }
        }
    }

    fn check_rejection(&self, state: &GameState<G>, mv: G::Move, text: &str, context: &str) {
        let error = state.check(mv).err();
        let message = error.as_ref().map(ToString::to_string).unwrap_or_default();
        assert!(
            !message.is_empty(),
            "{context}: {text} must be rejected for a reason"
        );
        let mut copy = state.clone();
        assert_eq!(
            copy.play(mv).err(),
            error,
            "{context}: {text} rejected in the same way when played"
        );
        assert_eq!(
            copy.position(),
            state.position(),
            "{context}: {text} must change nothing"
        );
        assert_eq!(
            copy.moves(),
            state.moves(),
            "{context}: {text} must not be noted"
        );
        // A repetition ends the game, but isn't a property of the position.
        if state.outcome() == self.game.outcome(state.position()) {
            match self.game.play(state.position().clone(), mv) {
                Ok(_) => panic!("{context}: {text} must be rejected"),
                Err(rejected) => {
                    assert_eq!(
                        rejected.position,
                        *state.position(),
                        "{context}: {text} gives it back"
                    );
                    assert_eq!(
                        Some(rejected.reason),
                        error,
                        "{context}: {text}: one reason"
                    );
                }
            }
        }
    }

    /// Every observation belongs to a single position.
    fn remember_planes(&mut self, position: &G::Position, context: &str) {
        let size: usize = self.game.observation_shape().iter().product();
        if size > 20_000 {
            return;
        }
        let mut planes = vec![0; size];
        self.game.write_observation(position, &mut planes);
        planes.push(self.game.side(position) as u8);
        let known = self
            .observed
            .entry(planes)
            .or_insert_with(|| position.clone());
        assert_eq!(known, position, "{context}: two positions look the same");
    }

    /// The taps of every legal move make it and no other; what the view shows agrees with the rules.
    fn check_view(&self, state: &GameState<G>, context: &str) {
        let (game, position) = (self.game, state.position());
        let shape = game.board();
        let moves = state.legal_moves();
        let view: &dyn BoardView = state;
        for &mv in moves.iter().take(200) {
            let (text, taps) = (game.move_text(mv), game.taps_in(position, mv));
            assert!(!taps.is_empty(), "{context}: {text} is made by taps");
            assert_eq!(
                view.tap(&taps),
                TapResult::Move(text.clone()),
                "{context}: {text}"
            );
            for n in 1..taps.len() {
                match view.tap(&taps[..n]) {
                    TapResult::Partial(next) => {
                        assert!(next.contains(&taps[n]), "{context}: {text} after {n} taps");
                    }
                    other => panic!("{context}: {text} after {n} taps: {other:?}"),
                }
            }
            if let Some(next) = view.next_targets(&[]) {
                assert!(
                    next.contains(&taps[0]),
                    "{context}: {text} starts with {:?}",
                    taps[0]
                );
            }
            for target in taps {
                let Target::Place(place) = target else {
                    continue;
                };
                assert!(shape.contains(place), "{context}: {text}: {place:?}");
                assert_eq!(game.aim(place), place, "{context}: {text}: aims at itself");
                assert!(
                    view.accepts_move(place),
                    "{context}: {text}: {place:?} accepts it"
                );
            }
            self.check_effects(state, mv, &format!("{context}: {text}"));
        }
        for index in (0..shape.count_cells()).step_by(1 + shape.count_cells() as usize / 400) {
            let cell = shape.cell(index);
            let name = game.place_name(cell);
            assert_eq!(
                game.parse_place(&name),
                Some(cell),
                "{context}: the cell {name}"
            );
            if state.outcome().is_some() {
                assert!(!view.accepts_move(cell), "{context}: the game is over");
            }
        }
        if state.outcome().is_none() && moves.len() <= 2000 {
            self.check_places(position, &moves, context);
        }
        let lines = game.winning_lines(position);
        for line in &lines {
            assert!(!line.is_empty(), "{context}: an empty line");
            assert!(
                line.iter().all(|&place| shape.contains(place)),
                "{context}: {line:?}"
            );
        }
        match game.ending(position) {
            None => assert!(lines.is_empty(), "{context}: {lines:?} in an open game"),
            // A game of another crate may leave its lines unmarked.
            Some(Ending::Line) if self.has_reference => {
                assert!(!lines.is_empty(), "{context}: which line won?");
            }
            Some(_) => {}
        }
    }

    /// What is shown of a move before and after it agrees with what it does.
    fn check_effects(&self, state: &GameState<G>, mv: G::Move, context: &str) {
        let (game, position) = (self.game, state.position());
        let shape = game.board();
        let after = self.after(position, mv);
        let shown = game.shown_targets(position, mv);
        assert!(
            shown.iter().all(|&place| shape.contains(place)),
            "{context}: shows {shown:?}"
        );
        for place in game.changed_places(&after, mv) {
            assert!(shape.contains(place), "{context}: changed {place:?}");
            assert_ne!(
                game.cell(position, place),
                game.cell(&after, place),
                "{context}: changed {place:?}"
            );
            assert!(
                shown.contains(&place),
                "{context}: {place:?} isn't shown before the move"
            );
        }
        if game.outcome(&after).is_some() {
            return;
        }
        if let Some(consequence) = game.consequence(position, mv) {
            let is_fragment = !consequence.is_empty() && !consequence.ends_with('.');
            assert!(is_fragment, "{context}: {consequence:?}");
        }
        if let Some(board) = game.board_after(position, mv) {
            assert!(shape.contains(board), "{context}: sends to {board:?}");
            for next in game.moves(&after).into_iter().take(100) {
                let places = game.taps_in(&after, next).into_iter();
                let mut places = places.filter_map(Target::place);
                assert!(
                    places.all(|place| shape.is_inside(place, board)),
                    "{context}: sends to {board:?}, but {next} is legal",
                    next = game.move_text(next)
                );
            }
        }
    }

    /// A board or cell accepts moves exactly if there is a legal move in it, and there is a reason if it doesn't. On large
    /// boards, only some places are checked, not the same ones in every position.
    fn check_places(&self, position: &G::Position, moves: &[G::Move], context: &str) {
        let game = self.game;
        let shape = game.board();
        let touched = |&mv: &G::Move| game.taps_in(position, mv).into_iter();
        let mut open: HashSet<Place> = HashSet::new();
        for place in moves.iter().flat_map(touched).filter_map(Target::place) {
            let outer = |&place: &Place| shape.parent(place);
            open.extend(std::iter::successors(Some(place), outer));
        }
        for level in 0..=shape.depth() {
            let count = shape.count_places(level);
            let step = 1 + count / 12;
            for index in (moves.len() as u32 % step..count).step_by(step as usize) {
                let place = Place::new(level, index);
                let is_cell = level == shape.depth();
                let target = if is_cell { game.aim(place) } else { place };
                let accepts = open.contains(&target);
                assert_eq!(
                    game.accepts_move(position, place),
                    accepts,
                    "{context}: accepts a move at {place:?}"
                );
                let reason = game.check_place(position, place).err();
                assert_eq!(reason.is_none(), accepts, "{context}: {place:?}");
                let reason = reason.map(|reason| reason.to_string());
                assert_ne!(reason.as_deref(), Some(""), "{context}: {place:?}");
            }
        }
    }

    /// The drawing and the prompt aren't empty.
    fn check_drawing(&self, state: &GameState<G>, context: &str) {
        let is_ongoing = state.outcome().is_none();
        let last = state.moves().last().copied();
        let drawing = self
            .game
            .render(state.position(), last, is_ongoing)
            .to_string();
        assert!(!drawing.trim().is_empty(), "{context}: a drawing");
        let prompt = self.game.prompt(state.position());
        assert!(!prompt.is_empty(), "{context}: a prompt");
    }

    /// Undoing to the start and replaying goes through the same states.
    fn check_undo(&self, state: &mut GameState<G>, snapshots: &[Snapshot<G::Position>]) {
        let context = format!("{} after {}", self.name, moves_made(state));
        let mut undone = Vec::new();
        for earlier in snapshots.iter().rev().skip(1) {
            undone.extend(state.undo());
            assert_eq!(
                snapshot(state),
                *earlier,
                "{context}: undone to move {}",
                earlier.made
            );
        }
        assert_eq!(state.undo(), None, "{context}: nothing is left to undo");
        assert_eq!(
            state.position(),
            state.start(),
            "{context}: undone to the start"
        );
        for later in &snapshots[1..] {
            let Some(mv) = undone.pop() else { break };
            let made = state.play(mv);
            assert_eq!(made, Ok(()), "{context}: played again");
            assert_eq!(
                snapshot(state),
                *later,
                "{context}: played again to move {}",
                later.made
            );
        }
    }
}

fn sorted_texts<G: Game>(game: &G, moves: &[G::Move]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(|&mv| game.move_text(mv)).collect();
    texts.sort_unstable();
    texts
}

fn moves_made<G: Game>(state: &GameState<G>) -> String {
    let texts: Vec<String> = state
        .moves()
        .iter()
        .map(|&mv| state.game().move_text(mv))
        .collect();
    texts.join(" ")
}
