//! The computers at the table: making them, waiting for their moves, and asking the
//! strongest one for a hint.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use noughts_engine::{
    BotKind, BotSettings, ExactValue, GameValue, SearchLimits, SearchReport, Tablebases, Value,
    win_chance,
};
use noughts_rules::{AnyGameState, Side, Variant};

use super::console::ExitReason;
use super::{ActiveGame, PlainMode, PlainOptions};
use crate::error::Error;
use noughts_session::{BotPlayer, GameAction, Participant, SearchUpdate, Session};

/// Whoever waits longer than this is told what for.
const WHILE: Duration = Duration::from_millis(400);

/// X's bot and O's, where they are bots.
pub(super) type BotSeats = [Option<BotPlayer>; 2];

/// What bots are made with.
pub(super) struct BotFactory<'a> {
    seed: u64,
    threads: usize,
    limits: SearchLimits,
    tables: &'a dyn Fn(Variant) -> Tablebases,
    /// Who is asked for hints, made when first asked.
    hint_bot: Option<(Variant, BotPlayer)>,
    /// What a bot had to say last: the same is not said after every move.
    last_note: Option<String>,
}

impl<'a> BotFactory<'a> {
    pub(super) fn new(
        wishes: &PlainOptions,
        tables: &'a dyn Fn(Variant) -> Tablebases,
    ) -> BotFactory<'a> {
        BotFactory {
            seed: wishes.seed,
            threads: wishes.threads,
            limits: wishes.limits,
            tables,
            hint_bot: None,
            last_note: None,
        }
    }

    /// The bots of a game.
    pub(super) fn bots_for(&mut self, session: &Session) -> Result<BotSeats, ExitReason> {
        let variant = session.game_state().variant();
        let mut sides = [None, None];
        for (side, who) in sides.iter_mut().zip(session.seats()) {
            if let Participant::Bot(kind) = who {
                *side = Some(self.make(*kind, variant)?);
            }
        }
        Ok(sides)
    }

    /// Another seed for each, so that they do not all play alike.
    fn make(&mut self, kind: BotKind, variant: Variant) -> Result<BotPlayer, ExitReason> {
        let settings = BotSettings {
            seed: self.seed,
            threads: self.threads,
            tablebases: (self.tables)(variant),
            ..BotSettings::default()
        };
        self.seed = self.seed.wrapping_add(1);
        BotPlayer::new(kind, variant, &settings).map_err(broken)
    }

    fn adviser(&mut self, variant: Variant) -> Result<BotPlayer, ExitReason> {
        if let Some((known, computer)) = &self.hint_bot
            && *known == variant
        {
            return Ok(computer.clone());
        }
        let computer = self.make(BotKind::Best, variant)?;
        self.hint_bot = Some((variant, computer.clone()));
        Ok(computer)
    }
}

fn broken(reason: String) -> ExitReason {
    ExitReason::Failed(Error::Failure(reason))
}

impl PlainMode<'_> {
    /// A computer makes its move.
    pub(super) fn play_bot_turn(
        &mut self,
        round: &mut ActiveGame,
        side: Side,
    ) -> Result<(), ExitReason> {
        let Some(computer) = round.bots[side as usize].clone() else {
            return Err(broken(format!("nobody plays {side}")));
        };
        let report = self.wait_for(&computer, round.session.game_state())?;
        if report.note.is_some() && report.note != self.bot_factory.last_note {
            let note = report.note.clone().unwrap_or_default();
            self.console
                .write_line(&format!("{} says: {note}.", computer.kind()))?;
            self.bot_factory.last_note = report.note;
        }
        let Some(mv) = report.best else {
            return Err(broken(format!("{} found no move", computer.kind())));
        };
        loop {
            let step = GameAction::Move(mv.clone());
            let stepped = round.session.apply(self.store_handle.store(), step);
            match self.store_handle.block_on(stepped) {
                Ok(next) => {
                    round.session = next;
                    return self.show_move(&round.session, side);
                }
                Err(problem) => {
                    let seats = round.session.seats().clone();
                    self.offer_retry(&seats, problem.to_string(), Some(&round.session))?;
                }
            }
        }
    }

    /// A good move and what it is worth, in words.
    pub(super) fn hint_text(&mut self, session: &Session) -> Result<String, ExitReason> {
        let adviser = self.bot_factory.adviser(session.game_state().variant())?;
        let report = self.wait_for(&adviser, session.game_state())?;
        Ok(match &report.best {
            Some(mv) => format!("Hint: {mv}. {}", worth(report.value)),
            None => "There is no move to hint at.".into(),
        })
    }

    /// Waits for a bot's move, and says so where it takes a while.
    fn wait_for(
        &mut self,
        computer: &BotPlayer,
        play: &AnyGameState,
    ) -> Result<SearchReport<String>, ExitReason> {
        self.console.flush()?;
        let (sender, receiver) = mpsc::channel();
        let thinking = computer.start_search(play, self.bot_factory.limits, move |thought| {
            if let SearchUpdate::Finished(done) = thought {
                // Nobody waits any more where the talk is over.
                let _ = sender.send(done);
            }
        });
        let done = match receiver.recv_timeout(WHILE) {
            Err(RecvTimeoutError::Timeout) => {
                self.console
                    .write_line(&format!("{} is thinking.", computer.kind()))?;
                self.console.flush()?;
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
    let plies = |exact: ExactValue| match exact.plies() {
        Some(1) => " in 1 move".into(),
        Some(plies) => format!(" in {plies} moves, counting both sides"),
        None => String::new(),
    };
    match value {
        Value::Exact(exact) => match exact.game_value() {
            GameValue::Win => format!("It is proved to win{}.", plies(exact)),
            GameValue::Draw => "It is proved to hold a draw, and no move wins by force.".into(),
            GameValue::Loss => format!(
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
            (Value::Exact(ExactValue::win(1)), "proved to win in 1 move."),
            (Value::Exact(ExactValue::win(3)), "proved to win in 3 moves"),
            (
                Value::Exact(ExactValue::without_distance(GameValue::Win)),
                "proved to win.",
            ),
            (Value::Exact(ExactValue::DRAW), "proved to hold a draw"),
            (Value::Exact(ExactValue::loss(4)), "lost in 4 moves"),
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
