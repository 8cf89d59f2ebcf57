//! The computers at the table: making them, waiting for their moves, and asking the
//! strongest one for a hint.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use noughts_engine::{
    BotKind, Exact, Limits, Report, Settings, Tables, Value, Verdict, win_chance,
};
use noughts_rules::{AnyPlay, Player, Variant};

use super::dialogue::Leave;
use super::{Host, Round, Wishes};
use crate::error::Error;
use noughts_session::{Computer, Session, Step, Thought, Who};

/// Whoever waits longer than this is told what for.
const WHILE: Duration = Duration::from_millis(400);

/// X's bot and O's, where they are bots.
pub(super) type Sides = [Option<Computer>; 2];

/// What bots are made with.
pub(super) struct Bots<'a> {
    seed: u64,
    threads: usize,
    limits: Limits,
    tables: &'a dyn Fn(Variant) -> Tables,
    /// Who is asked for hints, made when first asked.
    adviser: Option<(Variant, Computer)>,
    /// What a bot had to say last: the same is not said after every move.
    noted: Option<String>,
}

impl<'a> Bots<'a> {
    pub(super) fn new(wishes: &Wishes, tables: &'a dyn Fn(Variant) -> Tables) -> Bots<'a> {
        Bots {
            seed: wishes.seed,
            threads: wishes.threads,
            limits: wishes.limits,
            tables,
            adviser: None,
            noted: None,
        }
    }

    /// The bots of a game.
    pub(super) fn sit_down(&mut self, session: &Session) -> Result<Sides, Leave> {
        let variant = session.play().variant();
        let mut sides = [None, None];
        for (side, who) in sides.iter_mut().zip(session.seats()) {
            if let Who::Bot(kind) = who {
                *side = Some(self.make(*kind, variant)?);
            }
        }
        Ok(sides)
    }

    /// Another seed for each, so that they do not all play alike.
    fn make(&mut self, kind: BotKind, variant: Variant) -> Result<Computer, Leave> {
        let settings = Settings {
            seed: self.seed,
            threads: self.threads,
            tables: (self.tables)(variant),
            ..Settings::default()
        };
        self.seed = self.seed.wrapping_add(1);
        Computer::new(kind, variant, &settings).map_err(broken)
    }

    fn adviser(&mut self, variant: Variant) -> Result<Computer, Leave> {
        if let Some((known, computer)) = &self.adviser
            && *known == variant
        {
            return Ok(computer.clone());
        }
        let computer = self.make(BotKind::Best, variant)?;
        self.adviser = Some((variant, computer.clone()));
        Ok(computer)
    }
}

fn broken(reason: String) -> Leave {
    Leave::Failed(Error::Failure(reason))
}

impl Host<'_> {
    /// A computer makes its move.
    pub(super) fn computer_turn(&mut self, round: &mut Round, side: Player) -> Result<(), Leave> {
        let Some(computer) = round.bots[side as usize].clone() else {
            return Err(broken(format!("nobody plays {side}")));
        };
        let report = self.wait_for(&computer, round.session.play())?;
        if report.note.is_some() && report.note != self.bots.noted {
            let note = report.note.clone().unwrap_or_default();
            self.talk
                .say(&format!("{} says: {note}.", computer.kind()))?;
            self.bots.noted = report.note;
        }
        let Some(mv) = report.best else {
            return Err(broken(format!("{} found no move", computer.kind())));
        };
        loop {
            let step = Step::Move(mv.clone());
            let stepped = round.session.step(self.keeper.store(), step);
            match self.keeper.wait(stepped) {
                Ok(next) => {
                    round.session = next;
                    return self.show_move(&round.session, side);
                }
                Err(problem) => {
                    let seats = round.session.seats().clone();
                    self.try_again(&seats, problem.to_string(), Some(&round.session))?;
                }
            }
        }
    }

    /// A good move and what it is worth, in words.
    pub(super) fn hint(&mut self, session: &Session) -> Result<String, Leave> {
        let adviser = self.bots.adviser(session.play().variant())?;
        let report = self.wait_for(&adviser, session.play())?;
        Ok(match &report.best {
            Some(mv) => format!("Hint: {mv}. {}", worth(report.value)),
            None => "There is no move to hint at.".into(),
        })
    }

    /// Waits for a bot's move, and says so where it takes a while.
    fn wait_for(&mut self, computer: &Computer, play: &AnyPlay) -> Result<Report<String>, Leave> {
        self.talk.flush()?;
        let (sender, receiver) = mpsc::channel();
        let thinking = computer.think(play, self.bots.limits, move |thought| {
            if let Thought::Done(done) = thought {
                // Nobody waits any more where the talk is over.
                let _ = sender.send(done);
            }
        });
        let done = match receiver.recv_timeout(WHILE) {
            Err(RecvTimeoutError::Timeout) => {
                self.talk
                    .say(&format!("{} is thinking.", computer.kind()))?;
                self.talk.flush()?;
                receiver.recv().ok()
            }
            done => done.ok(),
        };
        drop(thinking);
        let nobody = || Err(format!("there is no room for {} to think", computer.kind()));
        done.unwrap_or_else(nobody).map_err(broken)
    }
}

/// A value as a sentence for the one to move: what is proved and what is estimated
/// do not sound alike.
fn worth(value: Value) -> String {
    let plies = |exact: Exact| match exact.plies() {
        Some(1) => " in 1 move".into(),
        Some(plies) => format!(" in {plies} moves, counting both sides"),
        None => String::new(),
    };
    match value {
        Value::Exact(exact) => match exact.verdict() {
            Verdict::Win => format!("It is proved to win{}.", plies(exact)),
            Verdict::Draw => "It is proved to hold a draw, and no move wins by force.".into(),
            Verdict::Loss => format!(
                "Against best play the game is lost{}, that is proved; the other side may err.",
                plies(exact)
            ),
        },
        Value::Estimate { error, .. } if error >= 1.0 => "What it is worth is not known.".into(),
        Value::Estimate { mean, .. } => {
            format!("Its win chance is {}%: an estimate.", win_chance(mean))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nobody may take a guess for a proof.
    #[test]
    fn only_what_is_proved_is_called_so() {
        for (value, words) in [
            (Value::Exact(Exact::win(1)), "proved to win in 1 move."),
            (Value::Exact(Exact::win(3)), "proved to win in 3 moves"),
            (
                Value::Exact(Exact::of_unknown_length(Verdict::Win)),
                "proved to win.",
            ),
            (Value::Exact(Exact::DRAW), "proved to hold a draw"),
            (Value::Exact(Exact::loss(4)), "lost in 4 moves"),
            (
                Value::Estimate {
                    mean: -0.25,
                    error: 0.1,
                },
                "38%: an estimate",
            ),
            (Value::UNKNOWN, "not known"),
        ] {
            let said = worth(value);
            assert!(said.contains(words), "{said}");
            assert_eq!(said.contains("proved"), value.exact().is_some(), "{said}");
        }
    }
}
