//! The conformance suite: random games in step with the reference, and at each
//! position everything a game promises. Generic over the game, called by its name.

use std::collections::HashSet;
use std::ops::ControlFlow;

use noughts_reference::{History, State};
use noughts_rules::{AnyGameState, Game, GameState, Outcome, Variant, Visitor, divide, perft};

use crate::observation::check_planes;
use crate::test_rng::TestRng;
use crate::variants::{Effort, GROUPS};

/// Checks every game of a group of the table; gives the number of positions met.
///
/// # Panics
/// Where a game breaks a promise, or there is no such group.
pub fn check_group(name: &str, seed: u64) -> usize {
    let group = GROUPS.iter().find(|group| group.name == name);
    let group = group.unwrap_or_else(|| panic!("there is no group {name:?}"));
    let variants = group.variants.iter();
    variants
        .map(|variant| check_variant(variant, seed, &group.effort))
        .sum()
}

/// Checks one game, given by its canonical name; gives the number of positions met.
///
/// # Panics
/// Where the game breaks a promise.
pub fn check_variant(name: &str, seed: u64, effort: &Effort) -> usize {
    let variant: Variant = name.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(variant.to_string(), name, "the table holds canonical names");
    let play = AnyGameState::new(variant);
    assert_eq!(play.variant(), variant, "{name} is played by another game");
    play.visit(Conform { seed, effort })
}

struct Conform<'a> {
    seed: u64,
    effort: &'a Effort,
}

impl Visitor for Conform<'_> {
    type Output = usize;

    fn visit<G: Game>(self, play: &GameState<G>) -> usize {
        check_game(play.game(), self.seed, self.effort)
    }
}

/// Checks one game, given by its type; gives the number of positions met.
///
/// # Panics
/// Where the game breaks a promise.
pub fn check_game<G: Game>(game: &G, seed: u64, effort: &Effort) -> usize {
    let name = game.variant().to_string();
    check_actions(game, &name);
    let mut walk = Walk {
        game,
        dice: TestRng::for_name(seed, &name),
        universe: well_formed_moves(game.variant()),
        effort,
        name,
    };
    (0..effort.games).map(|_| walk.one_game()).sum()
}

/// Numbers and moves are the same thing, in the order that is promised: that of
/// [`universe`].
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
    let step = if moves.len() < count { SKIPPED } else { 1 };
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

/// Of large boards only one cell in so many: a prime step meets every letter at every
/// level.
const SKIPPED: usize = 101;

/// Well-formed moves of a variant, all of them or a fair part.
#[must_use]
pub fn well_formed_moves(variant: Variant) -> Vec<String> {
    match variant {
        Variant::Mnk(options) => {
            let (columns, rows, _) = options.size();
            flat_cells(columns, rows)
        }
        Variant::TicTacTwo(options) => {
            let cells = flat_cells(options.board_size(), options.board_size());
            let mut moves = cells.clone();
            moves.extend(cells.iter().map(|cell| format!("@{cell}")));
            for from in &cells {
                moves.extend(cells.iter().map(|to| format!("{from}-{to}")));
            }
            moves
        }
        Variant::Nested(options) => {
            let depth = u32::from(options.depth());
            let cells = 9usize.pow(depth);
            let step = if cells > 729 { SKIPPED } else { 1 };
            (0..cells)
                .step_by(step)
                .map(|cell| path(cell, depth))
                .collect()
        }
    }
}

fn flat_cells(columns: u8, rows: u8) -> Vec<String> {
    let name = |column, row| format!("{}{}", char::from(b'a' + column), row + 1);
    (0..rows)
        .flat_map(|row| (0..columns).map(move |column| name(column, row)))
        .collect()
}

fn path(cell: usize, depth: u32) -> String {
    let letter = |level| char::from(b'a' + (cell / 9usize.pow(level) % 9) as u8);
    (0..depth).rev().map(letter).collect()
}

/// The lines of nine places, written out.
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

/// Texts that are moves of hardly any game: none may do harm.
const JUNK: [&str; 18] = [
    "", " ", "a", "j", "a0", "a01", "a1 ", " a1", "A1", "a+1", "z99", "é1", "@", "@@a1", "a1-",
    "a1-a1-a1", "aaaaaaa", "a1\n",
];

/// The outcome in the reference's words.
#[must_use]
pub fn outcome_text(outcome: Option<Outcome>) -> Option<&'static str> {
    outcome.map(Outcome::as_str)
}

struct Walk<'a, G: Game> {
    game: &'a G,
    name: String,
    dice: TestRng,
    universe: Vec<String>,
    effort: &'a Effort,
}

/// What must be back after undoing.
#[derive(PartialEq, Debug)]
struct Moment<P> {
    position: P,
    outcome: Option<Outcome>,
    made: usize,
}

fn moment<G: Game>(play: &GameState<G>) -> Moment<G::Position> {
    Moment {
        position: play.position().clone(),
        outcome: play.outcome(),
        made: play.moves().len(),
    }
}

impl<G: Game> Walk<'_, G> {
    fn one_game(&mut self) -> usize {
        let (start, state) = self.beginning();
        let mut history = History::new(state);
        let mut play = GameState::from_position(self.game.clone(), start);
        let mut seen = HashSet::new();
        let mut moments = vec![moment(&play)];
        loop {
            let text = self.game.text(play.position());
            let at = format!("{} at {text}", self.name);
            let legal = self.check_in_step(&play, &history, &text, &at);
            let over = play.outcome().is_some();
            let last = over || play.moves().len() >= self.effort.max_plies;
            if last || play.moves().len() % self.effort.check_interval == 0 {
                self.check_position(play.position(), history.state(), &text, &at);
                self.check_refusals(&play, &legal, &at);
                self.check_drawing(&play, &at);
                check_planes(&play, &at);
            }
            if last {
                break;
            }
            seen.insert(play.position().clone());
            let mv = self.choose(play.position(), &seen);
            let mv_text = self.game.move_text(mv);
            history
                .play(&mv_text)
                .unwrap_or_else(|error| panic!("{at}: {error}"));
            play.play(mv)
                .unwrap_or_else(|error| panic!("{at}: {mv_text}: {error}"));
            moments.push(moment(&play));
        }
        self.check_undo(&mut play, &moments);
        moments.len()
    }

    /// The start, or a position some random moves later that both sides are told.
    fn beginning(&mut self) -> (G::Position, State) {
        let mut position = self.game.start();
        if self.effort.max_skipped_plies == 0 {
            let state = State::start(&self.name).unwrap_or_else(|error| panic!("{error}"));
            return (position, state);
        }
        for _ in 0..self.dice.below(self.effort.max_skipped_plies) {
            let Some(mv) = self.game.random_move(&position, &mut self.dice.0) else {
                break;
            };
            let next = self.after(&position, mv);
            if self.game.outcome(&next).is_some() {
                break;
            }
            position = next;
        }
        let text = self.game.text(&position);
        let state = State::from_text(&self.name, &text);
        (
            position,
            state.unwrap_or_else(|error| panic!("{} at {text}: {error}", self.name)),
        )
    }

    /// A random move; in games that repeat, often one back to where one was, so
    /// that repetition is met, too.
    fn choose(&mut self, position: &G::Position, seen: &HashSet<G::Position>) -> G::Move {
        let moves = self.game.moves(position);
        if G::CAN_REPEAT && self.dice.chance(1, 2) {
            let back: Vec<G::Move> = moves
                .iter()
                .copied()
                .filter(|&mv| seen.contains(&self.after(position, mv)))
                .collect();
            if let Some(mv) = self.dice.pick(&back) {
                return mv;
            }
        }
        let picked = self.dice.pick(&moves);
        picked.unwrap_or_else(|| panic!("{}: a game that goes on has a move", self.name))
    }

    fn after(&self, position: &G::Position, mv: G::Move) -> G::Position {
        let mut next = position.clone();
        self.game.apply(&mut next, mv);
        next
    }

    /// Moves, side, outcome and text are the reference's. Gives the legal moves.
    fn check_in_step(
        &self,
        play: &GameState<G>,
        history: &History,
        text: &str,
        at: &str,
    ) -> Vec<String> {
        let (game, position, state) = (self.game, play.position(), history.state());
        assert_eq!(text, state.to_text(), "{at}: text");
        let side = game.side(position).letter();
        assert_eq!(side, state.side(), "{at}: side");
        assert_eq!(play.side().letter(), side, "{at}: side in play");
        assert_eq!(
            outcome_text(game.outcome(position)),
            state.outcome(),
            "{at}: outcome"
        );
        assert_eq!(
            outcome_text(play.outcome()),
            history.outcome(),
            "{at}: outcome in play"
        );
        assert_eq!(
            game.outcome(position).is_some(),
            game.ending(position).is_some(),
            "{at}: an end has an outcome and a reason, or neither"
        );
        assert_eq!(
            play.outcome().is_some(),
            play.ending().is_some(),
            "{at}: ending in play"
        );

        let expected = state.legal_moves();
        assert_eq!(
            sorted_texts(game, &game.moves(position)),
            expected,
            "{at}: legal moves"
        );
        let in_play = sorted_texts(game, &play.legal_moves());
        if history.outcome().is_some() {
            assert!(in_play.is_empty(), "{at}: moves after the end: {in_play:?}");
        } else {
            assert_eq!(in_play, expected, "{at}: legal moves in play");
        }
        in_play
    }

    /// What must hold of the position alone.
    fn check_position(&mut self, position: &G::Position, state: &State, text: &str, at: &str) {
        self.check_text(position, state, text, at);
        self.check_moves(position, at);
        self.check_symmetries(position, at);
        self.check_chance(position, at);
    }

    fn check_text(&self, position: &G::Position, state: &State, text: &str, at: &str) {
        let game = self.game;
        let read = game
            .parse(text)
            .unwrap_or_else(|error| panic!("{at}: {error}"));
        assert_eq!(read, *position, "{at}: read back");
        assert_eq!(game.text(&read), text, "{at}: printed again");
        assert_eq!(
            game.hash(&read),
            game.hash(position),
            "{at}: equal positions hash alike"
        );
        let setup = game.setup(position);
        assert_eq!(
            game.position(&setup).as_ref(),
            Ok(position),
            "{at}: through the set-up"
        );
        assert_eq!(game.setup_text(&setup), text, "{at}: the set-up's text");
        let slow = State::from_text(&self.name, text);
        assert_eq!(
            slow.as_ref(),
            Ok(state),
            "{at}: the reference reads it back"
        );
        let marks = setup.cells.iter().filter(|cell| cell.is_some()).count();
        assert_eq!(
            game.count_pieces(position),
            marks,
            "{at}: pieces on the board"
        );
    }

    /// Counting, numbering and visiting moves agree, and all moves are legal.
    fn check_moves(&self, position: &G::Position, at: &str) {
        let game = self.game;
        let moves = game.moves(position);
        assert_eq!(game.count_moves(position), moves.len(), "{at}: count");
        for (n, &mv) in moves.iter().enumerate() {
            assert_eq!(
                game.nth_move(position, n),
                Some(mv),
                "{at}: move number {n}"
            );
            let name = game.move_text(mv);
            assert_eq!(game.check(position, mv), Ok(()), "{at}: {name} is legal");
            assert_eq!(game.parse_move(&name), Ok(mv), "{at}: {name} is read back");
            let action = game.action(mv);
            assert!(action < game.count_actions(), "{at}: {name} as a number");
            assert_eq!(
                game.move_from_action(action),
                Some(mv),
                "{at}: {name} by number"
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
                "{at}: there is no move {beyond}"
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
                "{at}: visiting stops when told, in the order of moves"
            );
            assert_eq!(
                left.break_value(),
                moves.get(stop).copied(),
                "{at}: what breaks is given"
            );
        }
        if moves.len() <= 81 {
            let leaves: u64 = moves
                .iter()
                .map(|&mv| game.count_moves(&self.after(position, mv)) as u64)
                .sum();
            assert_eq!(perft(game, position, 2), leaves, "{at}: perft of depth 2");
            let divided: u64 = divide(game, position, 2)
                .iter()
                .map(|(_, leaves)| leaves)
                .sum();
            assert_eq!(divided, leaves, "{at}: divide adds up to perft");
        }
    }

    /// Turning and mirroring changes nothing but the names of cells.
    fn check_symmetries(&mut self, position: &G::Position, at: &str) {
        let game = self.game;
        let moves = game.moves(position);
        let (least, to_least) = game.canonical(position);
        assert_eq!(
            game.map_position(position, to_least),
            least,
            "{at}: the least is an image"
        );
        for &symmetry in game.symmetries() {
            let at = format!("{at}, {symmetry:?}");
            let inverse = symmetry.inverse();
            let image = game.map_position(position, symmetry);
            assert_eq!(
                game.map_position(&image, inverse),
                *position,
                "{at}: and back"
            );
            assert_eq!(
                game.outcome(&image),
                game.outcome(position),
                "{at}: outcome"
            );
            assert_eq!(game.side(&image), game.side(position), "{at}: side");
            assert_eq!(
                game.canonical(&image).0,
                least,
                "{at}: the least of all images"
            );
            let mut mapped: Vec<G::Move> = moves
                .iter()
                .map(|&mv| game.map_move(mv, symmetry))
                .collect();
            mapped.sort_unstable();
            let mut expected = game.moves(&image);
            expected.sort_unstable();
            assert_eq!(mapped, expected, "{at}: legal moves");
            for _ in 0..self.effort.transformed_moves.min(moves.len()) {
                let Some(mv) = self.dice.pick(&moves) else {
                    break;
                };
                let name = game.move_text(mv);
                let there = game.map_move(mv, symmetry);
                assert_eq!(game.map_move(there, inverse), mv, "{at}: {name} and back");
                let first_played = game.map_position(&self.after(position, mv), symmetry);
                let first_mapped = self.after(&image, there);
                assert_eq!(first_played, first_mapped, "{at}: {name}, then mapped");
            }
        }
    }

    /// Random moves and games follow from the generator's state, and are legal.
    fn check_chance(&mut self, position: &G::Position, at: &str) {
        let game = self.game;
        let seed = self.dice.below(1 << 30) as u64;
        let dice = || TestRng::new(seed).0;
        let mv = game.random_move(position, &mut dice());
        assert_eq!(
            mv,
            game.random_move(position, &mut dice()),
            "{at}: the same random move"
        );
        assert_eq!(
            mv.is_some(),
            game.outcome(position).is_none(),
            "{at}: a move unless over"
        );
        if let Some(mv) = mv {
            assert_eq!(
                game.check(position, mv),
                Ok(()),
                "{at}: a random move is legal"
            );
        }
        // On the largest boards a game to the end takes too long to be looked at move by move.
        if self.universe.len() > 2000 && self.effort.max_plies < usize::MAX {
            return;
        }
        let (mut first, mut again) = (position.clone(), position.clone());
        let result = game.playout(&mut first, &mut dice());
        let repeated = game.playout(&mut again, &mut dice());
        assert_eq!(
            (result, &first),
            (repeated, &again),
            "{at}: the same random game"
        );
        let mut replay = GameState::from_position(game.clone(), position.clone());
        let mut rng = dice();
        while replay.outcome().is_none() {
            let Some(mv) = game.random_move(replay.position(), &mut rng) else {
                break;
            };
            let made = replay.play(mv);
            assert_eq!(made, Ok(()), "{at}: a playout's moves are legal");
        }
        let plies = replay.moves().len() as u32;
        let replayed = replay.outcome().map(|outcome| (outcome, plies));
        assert_eq!(
            replayed,
            Some(result),
            "{at}: a playout ends as the same moves do"
        );
        assert_eq!(
            *replay.position(),
            first,
            "{at}: a playout ends where the same moves do"
        );
    }

    /// Nothing else is legal; a refusal gives a reason and changes nothing.
    fn check_refusals(&mut self, play: &GameState<G>, legal: &[String], at: &str) {
        let tries = self.effort.illegal_moves.min(self.universe.len());
        for n in 0..tries {
            let all = tries == self.universe.len();
            let n = if all {
                n
            } else {
                self.dice.below(self.universe.len())
            };
            let text = &self.universe[n];
            let mv = self.game.parse_move(text);
            let mv = mv.unwrap_or_else(|error| panic!("{at}: {text} is well-formed, but {error}"));
            assert_eq!(
                self.game.move_text(mv),
                *text,
                "{at}: the move is named as it was read"
            );
            if legal.binary_search(text).is_err() {
                self.check_refusal(play, mv, text, at);
            }
        }
        for text in JUNK {
            match self.game.parse_move(text) {
                Err(refusal) => assert!(!refusal.to_string().is_empty(), "{at}: {text:?}"),
                Ok(mv) => assert_eq!(self.game.move_text(mv), text, "{at}: {text:?} is read"),
            }
        }
    }

    fn check_refusal(&self, play: &GameState<G>, mv: G::Move, text: &str, at: &str) {
        let refusal = play.check(mv).err();
        let sentence = refusal
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(
            !sentence.is_empty(),
            "{at}: {text} must be refused for a reason"
        );
        let mut tried = play.clone();
        assert_eq!(
            tried.play(mv).err(),
            refusal,
            "{at}: {text} refused alike when played"
        );
        assert_eq!(
            tried.position(),
            play.position(),
            "{at}: {text} must change nothing"
        );
        assert_eq!(
            tried.moves(),
            play.moves(),
            "{at}: {text} must not be noted"
        );
        // A repetition ends the game, but not the position.
        if play.outcome() == self.game.outcome(play.position()) {
            match self.game.play(play.position().clone(), mv) {
                Ok(_) => panic!("{at}: {text} must be refused"),
                Err(refused) => {
                    assert_eq!(
                        refused.position,
                        *play.position(),
                        "{at}: {text} gives it back"
                    );
                    assert_eq!(Some(refused.reason), refusal, "{at}: {text}: one reason");
                }
            }
        }
    }

    /// There is something to see and something to say.
    fn check_drawing(&self, play: &GameState<G>, at: &str) {
        let going_on = play.outcome().is_none();
        let last = play.moves().last().copied();
        let drawing = self
            .game
            .render(play.position(), last, going_on)
            .to_string();
        assert!(!drawing.trim().is_empty(), "{at}: a drawing");
        let prompt = self.game.prompt(play.position());
        assert!(!prompt.is_empty(), "{at}: a prompt");
    }

    /// Undoing to the start and playing again goes through the same moments.
    fn check_undo(&self, play: &mut GameState<G>, moments: &[Moment<G::Position>]) {
        let at = format!("{} after {}", self.name, moves_made(play));
        let mut undone = Vec::new();
        for earlier in moments.iter().rev().skip(1) {
            undone.extend(play.undo());
            assert_eq!(
                moment(play),
                *earlier,
                "{at}: undone to move {}",
                earlier.made
            );
        }
        assert_eq!(play.undo(), None, "{at}: nothing is left to undo");
        assert_eq!(play.position(), play.start(), "{at}: undone to the start");
        for later in &moments[1..] {
            let Some(mv) = undone.pop() else { break };
            let made = play.play(mv);
            assert_eq!(made, Ok(()), "{at}: played again");
            assert_eq!(
                moment(play),
                *later,
                "{at}: played again to move {}",
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

fn moves_made<G: Game>(play: &GameState<G>) -> String {
    let texts: Vec<String> = play
        .moves()
        .iter()
        .map(|&mv| play.game().move_text(mv))
        .collect();
    texts.join(" ")
}
