//! Mistakes in played moves, in words. The session crate finds them.

use noughts_engine::{ExactValue, GameValue, Value};
use noughts_rules::Side;

use crate::{ValueForX, plural};

/// A mistake and what would have been better.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistake {
    /// How serious it is.
    pub kind: MistakeKind,
    /// What should have been played.
    pub better_move: Option<String>,
    /// The value of the best move, for the mover.
    pub best_value: Value,
    /// The value of the move that was played, for the mover.
    pub played_value: Value,
}

/// How serious a mistake is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MistakeKind {
    /// Based on estimates only.
    Inaccuracy,
    /// Another move is proved to be better, but the position's own value isn't proved.
    Mistake,
    /// A proved result was thrown away.
    Blunder,
}

impl MistakeKind {
    /// All kinds, most serious first.
    pub const ALL: [MistakeKind; 3] = [
        MistakeKind::Blunder,
        MistakeKind::Mistake,
        MistakeKind::Inaccuracy,
    ];

    /// The annotation after the move, as in chess, except that `?~` marks an estimate.
    #[must_use]
    pub fn annotation(self) -> &'static str {
        match self {
            MistakeKind::Inaccuracy => "?~",
            MistakeKind::Mistake => "?",
            MistakeKind::Blunder => "??",
        }
    }

    /// What the annotation means.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            MistakeKind::Inaccuracy => "another move looks better (estimated)",
            MistakeKind::Mistake => "another move is better (proved)",
            MistakeKind::Blunder => "gives away a proved result",
        }
    }
}

impl Mistake {
    /// Describes the mistake, to follow the move's name. Values are written as in the value bar and
    /// count from the position after the move, which is the one on screen.
    #[must_use]
    pub fn describe(&self, mover: Side) -> String {
        let other = mover.other();
        let best_text = ValueForX::from_side(self.best_value, mover).to_short_text();
        let played_text = ValueForX::from_side(self.played_value, mover).to_short_text();
        let what = match (self.best_value, self.played_value) {
            (Value::Exact(from), Value::Exact(to)) => {
                let before = match from.game_value() {
                    GameValue::Win => format!("a win for {mover}"),
                    _ => "a draw".to_owned(),
                };
                let after = match to.game_value() {
                    GameValue::Loss => format!("a win for {other}{}", length_text(to)),
                    _ => "a draw".to_owned(),
                };
                format!("turns {before} into {after} (proved)")
            }
            (Value::Estimate { .. }, Value::Exact(to)) => {
                let effect = match to.game_value() {
                    GameValue::Loss => format!("lets {other} win{}", length_text(to)),
                    GameValue::Draw => "leads to a draw".to_owned(),
                    GameValue::Win => "wins".to_owned(),
                };
                format!("{effect} (proved); the estimate before it was {best_text}")
            }
            (Value::Exact(from), Value::Estimate { .. }) => {
                let before = match from.game_value() {
                    GameValue::Win => "a win",
                    _ => "a draw",
                };
                format!("seems to give away {before}: {played_text} (estimate)")
            }
            (Value::Estimate { .. }, Value::Estimate { .. }) => {
                format!("seems worse: {played_text} instead of {best_text} (estimate)")
            }
        };
        match (&self.better_move, self.best_value) {
            (Some(better), Value::Exact(from)) => {
                let effect = match (from.game_value(), from.plies()) {
                    (GameValue::Win, Some(1)) => "wins immediately",
                    (GameValue::Win, _) => "wins",
                    (GameValue::Draw, _) => "holds the draw",
                    (GameValue::Loss, _) => "lasts longer",
                };
                format!("{what}; {better} {effect} (proved)")
            }
            (Some(better), _) => format!("{what}; {better} seems better"),
            (None, _) => what,
        }
    }
}

/// What follows the name of a move that no other beats, as far as is known.
#[must_use]
pub fn best_move_note(is_proved: bool) -> &'static str {
    match is_proved {
        true => ", and no move is better (proved)",
        false => ", which seems best (estimate)",
    }
}

/// How many plies the game lasts after the move with this value.
fn length_text(value: ExactValue) -> String {
    match value.plies() {
        Some(plies @ 2..) => format!(" in {moves}", moves = plural((plies - 1) as usize, "move")),
        _ => String::new(),
    }
}
