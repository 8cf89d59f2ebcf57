//! What a position is worth, in words: always as X sees it, so that bars, plots and
//! lists have one direction. What is proved and what is guessed never look alike.

use std::fmt::Write as _;

use noughts_engine::{Value, Verdict, win_chance};
use noughts_rules::Player;

/// A value as X sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Worth(Value);

impl Worth {
    /// A value that was given for the side to move.
    #[must_use]
    pub fn of(value: Value, side: Player) -> Worth {
        Worth(match side {
            Player::X => value,
            Player::O => opposite(value),
        })
    }

    /// From −1 (O has won) to 1 (X has won).
    #[must_use]
    pub fn points(self) -> f64 {
        self.0.points()
    }

    /// Is it proved?
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.0.exact().is_some()
    }

    /// Nothing is known of it.
    #[must_use]
    pub fn is_unknown(self) -> bool {
        matches!(self.0, Value::Estimate { error, .. } if error >= 1.0)
    }

    /// The value as this player sees it.
    #[must_use]
    pub fn value_for(self, side: Player) -> Value {
        Worth::of(self.0, side).0
    }

    /// `X wins in 3 (exact)`, `= draw (exact)`, `~ X 66% (estimate)`.
    #[must_use]
    pub fn words(self) -> String {
        match self.0 {
            Value::Exact(_) => format!("{} (exact)", self.short()),
            Value::Estimate { .. } if self.is_unknown() => "~ not known yet".into(),
            Value::Estimate { .. } => format!("{} (estimate)", self.short()),
        }
    }

    /// `X wins in 3`, `= draw`, `~ X 66%`.
    #[must_use]
    pub fn short(self) -> String {
        match self.0 {
            Value::Exact(exact) => {
                let winner = match exact.verdict() {
                    Verdict::Draw => return "= draw".into(),
                    Verdict::Win => Player::X,
                    Verdict::Loss => Player::O,
                };
                let mut words = match exact.plies() {
                    Some(0) => format!("{winner} has won"),
                    _ => format!("{winner} wins"),
                };
                if let Some(plies) = exact.plies().filter(|&plies| plies > 0) {
                    let _ = write!(words, " in {plies}");
                }
                words
            }
            Value::Estimate { .. } if self.is_unknown() => "~ ?".into(),
            Value::Estimate { mean, .. } => match ahead(mean) {
                Some(player) => format!("~ {player} {}%", win_chance(mean.abs())),
                None => "~ even".into(),
            },
        }
    }
}

/// What a move does for the one who makes it, behind its name and "which".
#[must_use]
pub fn for_mover(value: Value) -> String {
    match value {
        Value::Exact(exact) => {
            let verb = match exact.verdict() {
                Verdict::Win => "wins",
                Verdict::Draw => return "holds the draw (exact)".into(),
                Verdict::Loss => "loses",
            };
            match exact.plies() {
                Some(plies) => format!("{verb} in {plies} (exact)"),
                None => format!("{verb} (exact)"),
            }
        }
        Value::Estimate { mean, error } if error < 1.0 => {
            format!("has a win chance of {}% (estimate)", win_chance(mean))
        }
        Value::Estimate { .. } => "is a guess (estimate)".into(),
    }
}

/// Who is ahead, as far as whole percents tell.
fn ahead(mean: f64) -> Option<Player> {
    if win_chance(mean) > 50 {
        Some(Player::X)
    } else if win_chance(mean) < 50 {
        Some(Player::O)
    } else {
        None
    }
}

fn opposite(value: Value) -> Value {
    match value {
        Value::Exact(exact) => Value::Exact(turned(exact)),
        Value::Estimate { mean, error } => Value::Estimate { mean: -mean, error },
    }
}

fn turned(exact: noughts_engine::Exact) -> noughts_engine::Exact {
    use noughts_engine::Exact;
    match (exact.verdict(), exact.plies()) {
        (Verdict::Win, Some(plies)) => Exact::loss(plies),
        (Verdict::Loss, Some(plies)) => Exact::win(plies),
        (verdict, _) => Exact::of_unknown_length(verdict.other()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_engine::Exact;

    fn words(value: Value, side: Player) -> String {
        Worth::of(value, side).words()
    }

    #[test]
    fn whose_win_it_is_does_not_depend_on_who_asks() {
        let win = Value::Exact(Exact::win(3));
        let loss = Value::Exact(Exact::loss(3));
        assert_eq!(words(win, Player::X), "X wins in 3 (exact)");
        assert_eq!(words(loss, Player::O), "X wins in 3 (exact)");
        assert_eq!(words(win, Player::O), "O wins in 3 (exact)");
        let guess = Value::Estimate {
            mean: -0.321,
            error: 0.1,
        };
        assert_eq!(words(guess, Player::O), "~ X 66% (estimate)");
        assert_eq!(words(guess, Player::X), "~ O 66% (estimate)");
    }

    /// A guess that says draw is still a guess.
    #[test]
    fn proved_and_guessed_never_read_alike() {
        let even = Value::Estimate {
            mean: 0.0,
            error: 0.2,
        };
        assert_eq!(
            words(Value::Exact(Exact::DRAW), Player::O),
            "= draw (exact)"
        );
        assert_eq!(words(even, Player::O), "~ even (estimate)");
        assert_eq!(words(Value::UNKNOWN, Player::X), "~ not known yet");
        assert_eq!(
            words(Value::Exact(Exact::loss(0)), Player::O),
            "X has won (exact)"
        );
        assert_eq!(
            for_mover(Value::Exact(Exact::DRAW)),
            "holds the draw (exact)"
        );
        assert_eq!(for_mover(even), "has a win chance of 50% (estimate)");
    }

    #[test]
    fn seen_from_either_side_and_back_it_is_the_same() {
        for value in [
            Value::Exact(Exact::win(3)),
            Value::Exact(Exact::DRAW),
            Value::Exact(Exact::of_unknown_length(Verdict::Loss)),
            Value::Estimate {
                mean: 0.25,
                error: 0.1,
            },
        ] {
            for side in Player::BOTH {
                assert_eq!(Worth::of(value, side).value_for(side), value);
            }
        }
    }
}
