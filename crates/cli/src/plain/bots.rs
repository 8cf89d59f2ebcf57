//! Bots in plain mode: creating them, waiting for their moves, and asking the strongest one for a
//! hint.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use noughts_engine::{BotKind, BotSettings, SearchLimits, SearchReport, Tablebases, Value};
use noughts_rules::{AnyGameState, Side, Variant};

use super::console::ExitReason;
use super::{ActiveGame, PlainMode, PlainOptions};
use crate::error::CliError;
use noughts_session::{BotPlayer, GameAction, Participant, SearchUpdate, Session};

/// After this long, the player is told that the bot is thinking.
const THINKING_NOTICE_DELAY: Duration = Duration::from_millis(400);

/// X's bot and O's; `None` for a human.
pub(super) type BotSeats = [Option<BotPlayer>; 2];

/// Creates bots.
pub(super) struct BotFactory<'a> {
    seed: u64,
    threads: usize,
    limits: SearchLimits,
    tablebases: &'a dyn Fn(Variant) -> Tablebases,
    /// Gives hints; created on first use.
    hint_bot: Option<(Variant, BotPlayer)>,
    /// A bot's last note, so that it isn't repeated after every move.
    last_note: Option<String>,
}

impl<'a> BotFactory<'a> {
    pub(super) fn new(
        options: &PlainOptions,
        tablebases: &'a dyn Fn(Variant) -> Tablebases,
    ) -> BotFactory<'a> {
        BotFactory {
            seed: options.seed,
            threads: options.threads,
            limits: options.limits,
            tablebases,
            hint_bot: None,
            last_note: None,
        }
    }

    /// The bots of a game.
    pub(super) fn bots_for(&mut self, session: &Session) -> Result<BotSeats, ExitReason> {
        let variant = session.game_state().variant();
        let mut bots = [None, None];
        for (bot, participant) in bots.iter_mut().zip(session.seats()) {
            if let Participant::Bot(kind) = participant {
                *bot = Some(self.create(*kind, variant)?);
            }
        }
        Ok(bots)
    }

    /// Each bot gets another seed, so that they don't all play alike.
    fn create(&mut self, kind: BotKind, variant: Variant) -> Result<BotPlayer, ExitReason> {
        let settings = BotSettings {
            seed: self.seed,
            threads: self.threads,
            tablebases: (self.tablebases)(variant),
            ..BotSettings::default()
        };
        self.seed = self.seed.wrapping_add(1);
        BotPlayer::new(kind, variant, &settings).map_err(|error| failed(error.to_string()))
    }

    fn hint_bot(&mut self, variant: Variant) -> Result<BotPlayer, ExitReason> {
        if let Some((hint_variant, bot)) = &self.hint_bot
            && *hint_variant == variant
        {
            return Ok(bot.clone());
        }
        let bot = self.create(BotKind::Best, variant)?;
        self.hint_bot = Some((variant, bot.clone()));
        Ok(bot)
    }
}

fn failed(reason: String) -> ExitReason {
    ExitReason::Failed(CliError::Failure(reason))
}

impl PlainMode<'_> {
    /// Lets a bot make its move.
    pub(super) fn play_bot_turn(
        &mut self,
        game: &mut ActiveGame,
        side: Side,
    ) -> Result<(), ExitReason> {
        let Some(bot) = game.bots[side as usize].clone() else {
            return Err(failed(format!("no bot plays {side}")));
        };
        let report = self.wait_for(&bot, game.session.game_state())?;
        if report.note.is_some() && report.note != self.bot_factory.last_note {
            let note = report.note.clone().unwrap_or_default();
            self.console
                .write_line(&format!("Note from {bot}: {note}.", bot = bot.kind()))?;
            self.bot_factory.last_note = report.note;
        }
        let Some(mv) = report.best else {
            return Err(failed(format!("{} found no move", bot.kind())));
        };
        loop {
            let action = GameAction::Move(mv.clone());
            let applied = game.session.apply(self.store_handle.store(), action);
            match self.store_handle.block_on(applied) {
                Ok(next) => {
                    game.session = next;
                    return self.show_move(&game.session, side);
                }
                Err(error) => {
                    let seats = game.session.seats().clone();
                    self.offer_retry(&seats, error.to_string(), Some(&game.session))?;
                }
            }
        }
    }

    /// A good move and its value, in words.
    pub(super) fn hint_text(&mut self, session: &Session) -> Result<String, ExitReason> {
        let hint_bot = self.bot_factory.hint_bot(session.game_state().variant())?;
        let report = self.wait_for(&hint_bot, session.game_state())?;
        Ok(match &report.best {
            Some(mv) => format!("Hint: {mv}. {}", value_sentence(report.value)),
            None => "No hint: there are no legal moves.".into(),
        })
    }

    /// Waits for a bot's move, and says so if it takes a while.
    fn wait_for(
        &mut self,
        bot: &BotPlayer,
        state: &AnyGameState,
    ) -> Result<SearchReport<String>, ExitReason> {
        self.console.flush()?;
        let (sender, receiver) = mpsc::channel();
        let search = bot.start_search(state, self.bot_factory.limits, move |update| {
            if let SearchUpdate::Finished(report) = update {
                // The receiver is gone if plain mode has ended.
                let _ = sender.send(report);
            }
        });
        let report = match receiver.recv_timeout(THINKING_NOTICE_DELAY) {
            Err(RecvTimeoutError::Timeout) => {
                self.console
                    .write_line(&format!("{} is thinking.", bot.kind()))?;
                self.console.flush()?;
                receiver.recv().ok()
            }
            report => report.ok(),
        };
        drop(search);
        let no_report = || Err(format!("can't start a thread for {bot}", bot = bot.kind()));
        report.unwrap_or_else(no_report).map_err(failed)
    }
}

/// A value as a sentence for the side to move. Proved and estimated values are worded differently.
fn value_sentence(value: Value) -> String {
    let text = noughts_text::move_value(value);
    match value {
        Value::Exact(exact) if exact.plies().is_some_and(|plies| plies > 1) => {
            format!("It {text}, counting both players (proved).")
        }
        Value::Exact(_) => format!("It {text} (proved)."),
        Value::Estimate { .. } => format!("It {text}."),
    }
}

#[cfg(test)]
mod tests {
    use noughts_engine::{ExactValue, GameValue};

    use super::*;

    /// An estimate must not be mistaken for a proof.
    #[test]
    fn only_proved_values_are_called_proved() {
        for (value, words) in [
            (Value::Exact(ExactValue::win(1)), "wins in 1 move (proved)."),
            (
                Value::Exact(ExactValue::win(3)),
                "wins in 3 moves, counting both players",
            ),
            (
                Value::Exact(ExactValue::without_distance(GameValue::Win)),
                "wins (proved).",
            ),
            (Value::Exact(ExactValue::DRAW), "draws (proved)."),
            (Value::Exact(ExactValue::loss(4)), "loses in 4 moves"),
            (
                Value::Estimate {
                    mean: -0.25,
                    error: 0.1,
                },
                "38% win chance",
            ),
            (Value::UNKNOWN, "isn't evaluated yet"),
        ] {
            let sentence = value_sentence(value);
            assert!(sentence.contains(words), "{sentence}");
            assert_eq!(
                sentence.contains("proved"),
                value.exact().is_some(),
                "{sentence}"
            );
        }
    }
}
