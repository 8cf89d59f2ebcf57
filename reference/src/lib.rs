//! A slow, obvious reference for the rules of the tic-tac-toe family.
//!
//! It is used only in tests, to check a fast implementation against. Everything goes in and out
//! as text, so that the two can share nothing by accident.

mod flat;
mod nested;
mod tic_tac_two;
mod variant;

use flat::Flat;
use nested::Nested;
use tic_tac_two::TicTacTwo;
use variant::Variant;

/// A position of any of the games, without the moves that led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    game: Game,
}

#[derive(Clone, Debug, PartialEq)]
enum Game {
    Flat(Flat),
    TicTacTwo(TicTacTwo),
    Nested(Nested),
}

/// The canonical spelling of a variant's name.
pub fn canonical_variant(variant: &str) -> Result<String, String> {
    Ok(variant::parse(variant)?.canonical())
}

impl State {
    /// The start of a game. Any valid name of the variant will do, canonical or not.
    pub fn start(variant: &str) -> Result<State, String> {
        let game = match variant::parse(variant)? {
            Variant::Flat(rules) => Game::Flat(Flat::start(rules)),
            Variant::TicTacTwo(rules) => Game::TicTacTwo(TicTacTwo::start(rules)),
            Variant::Nested(rules) => Game::Nested(Nested::start(rules)),
        };
        Ok(State { game })
    }

    /// Reads a position; whatever the rules refuse to set up is an error.
    pub fn from_text(variant: &str, text: &str) -> Result<State, String> {
        let game = match variant::parse(variant)? {
            Variant::Flat(rules) => Game::Flat(Flat::from_text(rules, text)?),
            Variant::TicTacTwo(rules) => Game::TicTacTwo(TicTacTwo::from_text(rules, text)?),
            Variant::Nested(rules) => Game::Nested(Nested::from_text(rules, text)?),
        };
        Ok(State { game })
    }

    /// The position as one line of text.
    pub fn to_text(&self) -> String {
        match &self.game {
            Game::Flat(game) => game.to_text(),
            Game::TicTacTwo(game) => game.to_text(),
            Game::Nested(game) => game.to_text(),
        }
    }

    /// Who is to move, `x` or `o`; after the end, whoever would have moved next.
    pub fn side(&self) -> char {
        match &self.game {
            Game::Flat(game) => game.side(),
            Game::TicTacTwo(game) => game.side(),
            Game::Nested(game) => game.side(),
        }
    }

    /// `x`, `o` or `draw` once the game is over, by this position alone (no repetition).
    pub fn outcome(&self) -> Option<&'static str> {
        match &self.game {
            Game::Flat(game) => game.outcome(),
            Game::TicTacTwo(game) => game.outcome(),
            Game::Nested(game) => game.outcome(),
        }
    }

    /// All legal moves, sorted as text; none when the game is over.
    pub fn legal_moves(&self) -> Vec<String> {
        let mut moves = match &self.game {
            Game::Flat(game) => game.legal_moves(),
            Game::TicTacTwo(game) => game.legal_moves(),
            Game::Nested(game) => game.legal_moves(),
        };
        moves.sort();
        moves
    }

    /// The position after a move; an error if the move is not a legal one.
    pub fn play(&self, mv: &str) -> Result<State, String> {
        if !self.legal_moves().iter().any(|legal| legal == mv) {
            return Err(format!("{mv:?} is not a legal move"));
        }
        Ok(self.after(mv))
    }

    // The position after a move known to be legal.
    fn after(&self, mv: &str) -> State {
        let game = match &self.game {
            Game::Flat(game) => Game::Flat(game.after(mv)),
            Game::TicTacTwo(game) => Game::TicTacTwo(game.after(mv)),
            Game::Nested(game) => Game::Nested(game.after(mv)),
        };
        State { game }
    }

    /// The number of ways to play `depth` moves; a finished game has no leaves below it.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut leaves = 0;
        for mv in self.legal_moves() {
            leaves += self.after(&mv).perft(depth - 1);
        }
        leaves
    }
}

/// A game in progress: its position, and what the rule on repetition needs of the earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    state: State,
    /// The texts of all positions so far, this one included; kept for Tic-Tac-Two only.
    seen: Vec<String>,
}

impl History {
    /// A game that begins in this position, which counts as its first occurrence.
    pub fn new(state: State) -> History {
        let mut history = History {
            state,
            seen: Vec::new(),
        };
        history.note_position();
        history
    }

    /// The position now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Plays a move; an error, and nothing changes, if the game is over or the move not legal.
    pub fn play(&mut self, mv: &str) -> Result<(), String> {
        if self.outcome().is_some() {
            return Err(String::from("the game is over"));
        }
        self.state = self.state.play(mv)?;
        self.note_position();
        Ok(())
    }

    /// `x`, `o` or `draw` once the game is over, repetition included.
    pub fn outcome(&self) -> Option<&'static str> {
        let repeated = self.is_third_occurrence();
        self.state.outcome().or(repeated.then_some("draw"))
    }

    // The text of a Tic-Tac-Two position is its pieces, grid and side to move, no more.
    fn note_position(&mut self) {
        if matches!(self.state.game, Game::TicTacTwo(_)) {
            self.seen.push(self.state.to_text());
        }
    }

    // The third time the same position comes up is a draw.
    fn is_third_occurrence(&self) -> bool {
        let now = self.seen.last();
        self.seen.iter().filter(|text| Some(*text) == now).count() >= 3
    }
}

/// The player who is not this one.
fn opponent(player: char) -> char {
    if player == 'x' { 'o' } else { 'x' }
}

/// A winner as the outcome's text.
fn wins(player: char) -> &'static str {
    if player == 'x' { "x" } else { "o" }
}

/// Reads the field that says who is to move.
fn read_side(field: &str) -> Result<char, String> {
    match field {
        "x" => Ok('x'),
        "o" => Ok('o'),
        _ => Err(format!("side to move is {field:?}, must be x or o")),
    }
}

/// Refuses counts of marks that alternate moves from an empty board cannot give.
fn check_alternation(xs: usize, os: usize, side: char) -> Result<(), String> {
    // As many X as O with X to move, or one more with O to move.
    let expected = if side == 'x' { os } else { os + 1 };
    if xs != expected {
        return Err(format!("{xs} x and {os} o with {side} to move"));
    }
    Ok(())
}
