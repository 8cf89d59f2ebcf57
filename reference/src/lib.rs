//! A slow, obvious reference for the rules of the tic-tac-toe family.
//!
//! It is only used in tests, to check the fast implementation against. Everything goes in and out
//! as text, so that the two can't share anything by accident.

mod board;
mod cube;
mod either_mark;
mod flat;
mod gobblers;
mod gravity;
mod morris;
mod nested;
mod notakto;
mod numerical;
mod tic_tac_two;
mod vanishing;
mod variant;

use std::sync::Arc;

use board::{Position, Rules};
use nested::Nested;
use variant::Variant;

/// A position of any of the games, without the moves that led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    game: Game,
}

#[derive(Clone, Debug)]
enum Game {
    OnBoards(Arc<dyn Rules>, Position),
    Nested(Nested),
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        match (self, other) {
            // The name of a variant determines its rules.
            (Game::OnBoards(rules, position), Game::OnBoards(other_rules, other_position)) => {
                rules.name() == other_rules.name() && position == other_position
            }
            (Game::Nested(game), Game::Nested(other)) => game == other,
            _ => false,
        }
    }
}

/// The canonical spelling of a variant's name.
pub fn canonical_variant(variant: &str) -> Result<String, String> {
    Ok(variant::parse(variant)?.name())
}

impl State {
    /// The start of a game. Accepts any valid name of the variant, canonical or not.
    pub fn start(variant: &str) -> Result<State, String> {
        let game = match variant::parse(variant)? {
            Variant::OnBoards(rules) => {
                let start = rules.start();
                Game::OnBoards(rules, start)
            }
            Variant::Nested(rules) => Game::Nested(Nested::start(rules)),
        };
        Ok(State { game })
    }

    /// Parses a position; an error if the rules don't allow it to be set up.
    pub fn from_text(variant: &str, text: &str) -> Result<State, String> {
        let game = match variant::parse(variant)? {
            Variant::OnBoards(rules) => {
                let position = Position::read(text, &rules.start(), rules.letters())?;
                rules.check(&position)?;
                Game::OnBoards(rules, position)
            }
            Variant::Nested(rules) => Game::Nested(Nested::from_text(rules, text)?),
        };
        Ok(State { game })
    }

    /// The position as one line of text.
    pub fn to_text(&self) -> String {
        match &self.game {
            Game::OnBoards(_, position) => position.to_text(),
            Game::Nested(game) => game.to_text(),
        }
    }

    /// The side to move, `x` or `o`; after the end, the side that would have moved next.
    pub fn side(&self) -> char {
        match &self.game {
            Game::OnBoards(_, position) => position.side,
            Game::Nested(game) => game.side(),
        }
    }

    /// `x`, `o` or `draw` once the game is over, by this position alone (without repetition).
    pub fn outcome(&self) -> Option<&'static str> {
        match &self.game {
            Game::OnBoards(rules, position) => rules.outcome(position),
            Game::Nested(game) => game.outcome(),
        }
    }

    /// All legal moves, sorted as text; none when the game is over.
    pub fn legal_moves(&self) -> Vec<String> {
        let mut moves = match &self.game {
            Game::OnBoards(rules, position) if rules.outcome(position).is_some() => Vec::new(),
            Game::OnBoards(rules, position) => rules.moves(position),
            Game::Nested(game) => game.legal_moves(),
        };
        moves.sort();
        moves
    }

    /// The position after a move; an error if the move is illegal.
    pub fn play(&self, mv: &str) -> Result<State, String> {
        if !self.legal_moves().iter().any(|legal| legal == mv) {
            return Err(format!("{mv:?} is not a legal move"));
        }
        Ok(self.after(mv))
    }

    // The position after a move known to be legal.
    fn after(&self, mv: &str) -> State {
        let game = match &self.game {
            Game::OnBoards(rules, position) => {
                let mut next = position.clone();
                rules.apply(&mut next, mv);
                next.side = opponent(position.side);
                Game::OnBoards(rules.clone(), next)
            }
            Game::Nested(game) => Game::Nested(game.after(mv)),
        };
        State { game }
    }

    /// The number of ways to play `depth` moves; a finished game has no leaves below it.
    pub fn perft(&self, depth: u32) -> u64 {
        self.leaf_counts(depth).last().copied().unwrap_or(1)
    }

    /// The same for the depths 1, 2, 3, … up to this one.
    pub fn leaf_counts(&self, depth: u32) -> Vec<u64> {
        let mut counts = vec![0; depth as usize];
        self.add_leaves(&mut counts);
        counts
    }

    // One walk counts the leaves of every depth.
    fn add_leaves(&self, counts: &mut [u64]) {
        let Some((next_depth, deeper)) = counts.split_first_mut() else {
            return;
        };
        let moves = self.legal_moves();
        *next_depth += moves.len() as u64;
        if !deeper.is_empty() {
            for mv in moves {
                self.after(&mv).add_leaves(deeper);
            }
        }
    }
}

/// A game in progress: its position, and the earlier ones for the repetition rule.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    state: State,
    /// The texts of all positions so far, including this one; only if they can repeat.
    seen: Vec<String>,
}

impl History {
    /// A game that starts from this position, which counts as its first occurrence.
    pub fn new(state: State) -> History {
        let mut history = History {
            state,
            seen: Vec::new(),
        };
        history.note_position();
        history
    }

    /// The current position.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Plays a move. If the game is over or the move is illegal, returns an error and changes nothing.
    pub fn play(&mut self, mv: &str) -> Result<(), String> {
        if self.outcome().is_some() {
            return Err(String::from("the game is over"));
        }
        self.state = self.state.play(mv)?;
        self.note_position();
        Ok(())
    }

    /// `x`, `o` or `draw` once the game is over, including by repetition.
    pub fn outcome(&self) -> Option<&'static str> {
        let repeated = self.is_third_occurrence();
        self.state.outcome().or(repeated.then_some("draw"))
    }

    // A position's text contains everything that two occurrences must have in common, and nothing else.
    fn note_position(&mut self) {
        if matches!(&self.state.game, Game::OnBoards(rules, _) if rules.can_repeat()) {
            self.seen.push(self.state.to_text());
        }
    }

    // The third occurrence of a position is a draw.
    fn is_third_occurrence(&self) -> bool {
        let now = self.seen.last();
        self.seen.iter().filter(|text| Some(*text) == now).count() >= 3
    }
}

/// The other player.
fn opponent(player: char) -> char {
    if player == 'x' { 'o' } else { 'x' }
}

/// The outcome's text for a win of this player.
fn win_text(player: char) -> &'static str {
    if player == 'x' { "x" } else { "o" }
}
