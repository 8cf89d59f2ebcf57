//! Bots in plain mode: creating them, waiting for their moves, and asking the strongest one for a
//! hint.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use noughts_engine::{BotKind, BotSettings, SearchLimits, SearchReport};
use noughts_rules::{AnyGameState, Side, Variant};

use super::console::{ExitReason, PlainResult};
use super::{ActiveGame, PlainMode};
use crate::error::CliError;
use crate::search_args::note_with_advice;
use noughts_session::{BotPlayer, GameAction, Participant, SearchUpdate, Session, policy};
use noughts_text::bot_name;

/// After this long, a line says that the bot is thinking.
const THINKING_NOTICE_DELAY: Duration = Duration::from_millis(400);

/// X's bot and O's; `None` for a human.
pub(super) type BotSeats = [Option<BotPlayer>; 2];

fn failed(reason: String) -> ExitReason {
    ExitReason::Failed(CliError::Failure(reason))
}

impl PlainMode<'_> {
    /// The bots of a game.
    pub(super) fn bots_for(&mut self, session: &Session) -> PlainResult<BotSeats> {
        let variant = session.game_state().variant();
        let mut bots = [None, None];
        for (bot, participant) in bots.iter_mut().zip(session.seats()) {
            if let Participant::Bot(kind) = participant {
                *bot = Some(self.create_bot(*kind, variant)?);
            }
        }
        Ok(bots)
    }

    /// Each bot gets another seed, so that they don't all play alike.
    fn create_bot(&mut self, kind: BotKind, variant: Variant) -> PlainResult<BotPlayer> {
        let settings = BotSettings {
            seed: self.options.seed,
            threads: self.options.threads,
            tablebases: (self.tablebases)(variant),
            ..BotSettings::default()
        };
        self.options.seed = self.options.seed.wrapping_add(1);
        BotPlayer::new(kind, variant, &settings).map_err(|error| failed(error.to_string()))
    }

    /// Lets a bot make its move.
    pub(super) fn play_bot_turn(&mut self, game: &mut ActiveGame, side: Side) -> PlainResult {
        let Some(bot) = game.bots[side as usize].clone() else {
            return Err(failed(format!("no bot plays {side}")));
        };
        let name = bot_name(bot.kind());
        let (state, limits) = (game.session.game_state(), self.options.limits);
        let report = self.wait_for(&bot, state, limits, format!("{name} is thinking."))?;
        if let Some(note) = &report.note
            && report.note != self.last_note
        {
            let note = note_with_advice(note);
            self.write_line(format!("Note from {name}: {note}."))?;
            self.last_note = report.note;
        }
        let Some(mv) = report.best else {
            return Err(failed(noughts_text::no_move_found(name)));
        };
        loop {
            let action = GameAction::Move(mv.clone());
            let session = &game.session;
            match self.apply(session, action) {
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

    /// What the advisor finds in this position.
    pub(super) fn ask_advisor(
        &mut self,
        state: &AnyGameState,
        notice: String,
    ) -> PlainResult<SearchReport<String>> {
        let variant = state.variant();
        let known = self.advisor.clone().filter(|(own, _)| *own == variant);
        let advisor = match known {
            Some((_, advisor)) => advisor,
            None => self.create_bot(policy::ADVISOR, variant)?,
        };
        self.advisor = Some((variant, advisor.clone()));
        self.wait_for(&advisor, state, policy::ADVISOR_LIMITS, notice)
    }

    /// Waits for a bot's move, with a notice if it takes a while.
    fn wait_for(
        &mut self,
        bot: &BotPlayer,
        state: &AnyGameState,
        limits: SearchLimits,
        notice: String,
    ) -> PlainResult<SearchReport<String>> {
        self.console.flush()?;
        let (sender, receiver) = mpsc::channel();
        let search = bot.start_search(state, limits, move |update| {
            if let SearchUpdate::Finished(report) = update {
                // The receiver is gone if plain mode has ended.
                let _ = sender.send(report);
            }
        });
        let report = match receiver.recv_timeout(THINKING_NOTICE_DELAY) {
            Err(RecvTimeoutError::Timeout) => {
                self.write_line(notice)?;
                self.console.flush()?;
                receiver.recv().ok()
            }
            report => report.ok(),
        };
        drop(search);
        let name = bot_name(bot.kind());
        let no_report = || Err(format!("can't start a thread for {name}"));
        report.unwrap_or_else(no_report).map_err(failed)
    }
}
