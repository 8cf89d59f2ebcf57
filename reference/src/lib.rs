//! A slow, obvious reference for the rules of the tic-tac-toe family.
//!
//! It is only used in tests, to check the fast implementation against. Everything goes in and out
//! as text, so that the two can't share anything by accident.

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
    /// The start of a game. Accepts any valid name of the variant, canonical or not.
    pub fn start(variant: &str) -> Result<State, String> {
        let game = match variant::parse(variant)? {
            Variant::Flat(rules) => Game::Flat(Flat::start(rules)),
            Variant::TicTacTwo(rules) => Game::TicTacTwo(TicTacTwo::start(rules)),
            Variant::Nested(rules) => Game::Nested(Nested::start(rules)),
        };
        Ok(State { game })
    }

    /// Parses a position; an error if the rules don't allow it to be set up.
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

    /// The side to move, `x` or `o`; after the end, the side that would have moved next.
    pub fn side(&self) -> char {
        match &self.game {
            Game::Flat(game) => game.side(),
            Game::TicTacTwo(game) => game.side(),
            Game::Nested(game) => game.side(),
        }
    }

    /// `x`, `o` or `draw` once the game is over, by this position alone (without repetition).
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

/// A game in progress: its position, and the earlier ones for the repetition rule.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    state: State,
    /// The texts of all positions so far, including this one; only for Tic-Tac-Two.
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

    // The text of a Tic-Tac-Two position contains its pieces, grid and side to move, and nothing else.
    fn note_position(&mut self) {
        if matches!(self.state.game, Game::TicTacTwo(_)) {
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

/// Parses the field with the side to move.
fn read_side(field: &str) -> Result<char, String> {
    match field {
        "x" => Ok('x'),
        "o" => Ok('o'),
        _ => Err(format!("side to move is {field:?}, must be x or o")),
    }
}

/// Rejects counts of marks that alternating moves from an empty board can't lead to.
fn check_alternation(xs: usize, os: usize, side: char) -> Result<(), String> {
    // X has as many marks as O if X is to move, or one more if O is to move.
    let expected = if side == 'x' { os } else { os + 1 };
    if xs != expected {
        return Err(format!("{xs} x and {os} o with {side} to move"));
    }
    Ok(())
}
