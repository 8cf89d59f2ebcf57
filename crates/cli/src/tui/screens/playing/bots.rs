//! The bots at the board: one per seat that has one, at most one of them thinking. Results of
//! outdated searches are ignored.

use std::time::{Duration, Instant};

use noughts_engine::{BotKind, SearchLimits, SearchReport};
use noughts_rules::{AnyGameState, Side};

use crate::tui::app_context::AppContext;
use crate::tui::event::{TaskId, TaskMessage};
use noughts_session::{BotPlayer, Participant, SearchHandle, SearchUpdate, Session};
use noughts_text::bot_name;

#[derive(Default)]
pub(super) struct SeatedBots {
    seats: [Option<BotPlayer>; 2],
    pub(super) turn: Option<BotTurn>,
    /// Why the bot to move can't move.
    pub(super) failure: Option<String>,
}

/// A bot that is thinking, or that has found its move and not yet made it.
pub(super) struct BotTurn {
    pub(super) task: TaskId,
    thinking: SearchHandle,
    pub(super) kind: BotKind,
    pub(super) started: Instant,
    pub(super) limits: SearchLimits,
    pub(super) latest: Option<SearchReport<String>>,
    /// The move and the time it took.
    ready: Option<(String, Duration)>,
    /// The player asked for a move now.
    is_forced: bool,
}

/// The interval at which the spinner turns.
const SPINNER_INTERVAL: Duration = Duration::from_millis(100);

impl SeatedBots {
    /// Removes the bots that lost their seats. A bot that keeps its seat keeps its search state.
    pub(super) fn reseat(&mut self, session: &Session) {
        self.stop();
        for side in Side::BOTH {
            let participant = session.participant(side);
            let seat = &mut self.seats[side as usize];
            seat.take_if(|bot| *participant != Participant::Bot(bot.kind()));
        }
    }

    /// Removes all bots, except that one that is thinking finishes its move.
    pub(super) fn unseat_all(&mut self) {
        self.seats = [None, None];
    }

    /// Starts the bot to move unless it is already thinking.
    pub(super) fn start_thinking(&mut self, session: &Session, context: &mut AppContext) {
        let state = session.game_state();
        let Participant::Bot(kind) = *session.participant(state.side()) else {
            return;
        };
        if self.turn.is_some() || self.failure.is_some() {
            return;
        }
        match self.bot_to_move(kind, state, context) {
            Ok(bot) => self.turn = Some(BotTurn::start(&bot, state, context)),
            Err(reason) => self.failure = Some(reason),
        }
    }

    /// The bot of the side to move, created if needed.
    fn bot_to_move(
        &mut self,
        kind: BotKind,
        state: &AnyGameState,
        context: &mut AppContext,
    ) -> Result<BotPlayer, String> {
        let seat = &mut self.seats[state.side() as usize];
        if let Some(bot) = seat {
            return Ok(bot.clone());
        }
        let variant = state.variant();
        let bot = BotPlayer::new(kind, variant, &context.bot_settings(variant))
            .map_err(|error| error.to_string())?;
        Ok(seat.insert(bot).clone())
    }

    /// Stops the search and discards its answer. After a failure, the bot may try again.
    pub(super) fn stop(&mut self) {
        self.turn = None;
        self.failure = None;
    }

    /// Handles a bot's message if it is from the current search.
    pub(super) fn handle_search_update(&mut self, task: TaskId, update: SearchUpdate) {
        let Some(turn) = self.turn.as_mut().filter(|turn| turn.task == task) else {
            return;
        };
        match update {
            SearchUpdate::Progress(report) => turn.latest = Some(report),
            SearchUpdate::Finished(Ok(report)) => match &report.best {
                Some(mv) => {
                    turn.ready = Some((mv.clone(), turn.started.elapsed()));
                    turn.latest = Some(report);
                }
                None => {
                    let reason = noughts_text::no_move_found(bot_name(turn.kind));
                    self.fail(reason);
                }
            },
            SearchUpdate::Finished(Err(reason)) => self.fail(reason),
        }
    }

    /// The bot's move, if it has been found and the delay has passed.
    pub(super) fn take_due_move(&mut self, delay: Duration) -> Option<(String, Duration)> {
        let turn = self.turn.as_mut()?;
        if !turn.is_forced && turn.started.elapsed() < delay {
            return None;
        }
        turn.ready.take()
    }

    /// Makes the bot move now, with its best move so far.
    pub(super) fn force_move(&mut self) {
        if let Some(turn) = &mut self.turn {
            turn.is_forced = true;
            turn.thinking.move_now();
        }
    }

    pub(super) fn fail(&mut self, reason: String) {
        self.turn = None;
        self.failure = Some(reason);
    }

    /// When the screen must be updated next.
    pub(super) fn next_tick(&self, delay: Duration, paused: bool) -> Option<Duration> {
        let turn = self.turn.as_ref()?;
        if turn.ready.is_some() {
            let left = delay.saturating_sub(turn.started.elapsed());
            return (!paused).then_some(left);
        }
        Some(SPINNER_INTERVAL)
    }
}

impl BotTurn {
    fn start(bot: &BotPlayer, state: &AnyGameState, context: &mut AppContext) -> BotTurn {
        let limits = bot.kind().limits_or_default(context.limits());
        let (task, send) = context.new_task();
        let thinking = bot.start_search(state, limits, move |update| {
            send(TaskMessage::SearchUpdate(update));
        });
        BotTurn {
            task,
            thinking,
            kind: bot.kind(),
            started: Instant::now(),
            limits,
            latest: None,
            ready: None,
            is_forced: false,
        }
    }

    pub(super) fn is_ready(&self) -> bool {
        self.ready.is_some()
    }

    /// The remaining time, if the search is limited by time.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let time = self.limits.time?;
        Some(time.saturating_sub(self.started.elapsed()))
    }

    pub(super) fn spinner_frame(&self) -> usize {
        (self.started.elapsed().as_millis() / SPINNER_INTERVAL.as_millis()) as usize
    }
}
