//! Bots in a room: when a bot is asked for its move, and what happens with it. Bots think on the
//! engine pool.

use std::sync::Arc;
use std::time::Duration;

use noughts_engine::{BotKind, SearchLimits};
use noughts_session::{BotPlayer, GameAction, Participant};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::live_game::LiveGame;
use super::room::Room;
use super::snapshot::Revision;
use crate::app::App;
use crate::middleware::TaskOwner;

/// The longest time for one move.
const MAX_MOVE_TIME: Duration = Duration::from_secs(2);

/// How often a bot that failed is tried again, and the pause before that.
const MAX_ATTEMPTS: u32 = 3;
const RETRY_DELAY: Duration = Duration::from_millis(500);

impl Room {
    /// Starts the bot whose turn it is, if anyone is waiting for it.
    pub(crate) async fn wake_bot(self: &Arc<Room>, app: &App) {
        // Most rooms have no bot to start, and need no lock to find out.
        let snapshot = self.snapshot();
        let to_move = &snapshot.seats[snapshot.state.side() as usize];
        if snapshot.over.is_some() || to_move.is_human() {
            return;
        }
        let mut game = self.game.lock().await;
        if self.update_bot_task(app, &mut game) {
            self.publish(&game);
        }
    }

    /// Starts, keeps or cancels the bot's task as needed. Returns whether that changed anything.
    pub(super) fn update_bot_task(self: &Arc<Room>, app: &App, game: &mut LiveGame) -> bool {
        let rev = game.rev;
        let should_move = self.should_bot_move(game);
        match &game.bot_task {
            Some((task_rev, _)) if should_move && *task_rev == rev => return false,
            None if !should_move => return false,
            _ => {}
        }
        game.stop_bot();
        if should_move {
            let (room, app) = (self.clone(), app.clone());
            let task = tokio::spawn(async move { room.reply(&app, rev).await });
            game.bot_task = Some((rev, task.abort_handle()));
        }
        true
    }

    pub(super) fn should_bot_move(&self, game: &LiveGame) -> bool {
        let to_move = game.session().and_then(|session| session.to_move());
        let is_bot_turn = matches!(to_move, Some(Participant::Bot(_)));
        let is_needed = match game.is_bot_match() {
            true => self.is_watched() && !game.paused,
            false => self.is_anyone_waiting() && !game.is_waiting_for_opponent(),
        };
        is_bot_turn && is_needed
    }

    /// Chooses the move for this revision and plays it.
    async fn reply(self: Arc<Room>, app: &App, rev: Revision) {
        let mut failures = 0;
        let report = loop {
            match self.think(app, rev).await {
                Some(Ok(report)) => break Some(report),
                Some(Err(reason)) => {
                    failures += 1;
                    tracing::warn!(game = self.uid(), reason, "a bot failed to choose a move");
                    if failures == MAX_ATTEMPTS {
                        break None;
                    }
                    sleep(RETRY_DELAY).await;
                }
                None => break None,
            }
        };
        let mut game = self.game.lock().await;
        if game.rev != rev {
            return;
        }
        game.bot_task = None;
        if let Some((text, took)) = report {
            // The last spectator may have left while the bot was thinking.
            if game.is_bot_match() && !self.should_bot_move(&game) {
                self.publish(&game);
                return;
            }
            match self
                .apply_session_action(app, &mut game, GameAction::BotMove(text, took))
                .await
            {
                Ok(()) => drop(self.update_bot_task(app, &mut game)),
                // Tried again when a client comes, not at once: a full disk stays full.
                Err(error) => {
                    let reason = error.error.message;
                    tracing::error!(game = self.uid(), reason, "a bot's move couldn't be played");
                }
            }
        }
        self.publish(&game);
    }

    /// The bot's move and how long it took; `None` if the move is no longer needed.
    async fn think(&self, app: &App, rev: Revision) -> Option<Result<(String, Duration), String>> {
        let (owner, bot, state, earliest) = {
            let mut game = self.game.lock().await;
            let session = game.session()?;
            let Some(Participant::Bot(kind)) = session.to_move() else {
                return None;
            };
            if game.rev != rev {
                return None;
            }
            let (kind, state) = (*kind, session.game_state().clone());
            // After a restart, the first visitor with a claimed seat.
            let mut visitors = game.claims.visitors.into_iter().flatten();
            let visitor = visitors.next().unwrap_or_default();
            let owner = self
                .owner()
                .unwrap_or(TaskOwner::with_unknown_address(visitor));
            let earliest = game
                .is_bot_match()
                .then(|| game.last_move_at + game.speed.delay());
            match bot_to_move(app, &mut game, kind) {
                Ok(bot) => (owner, bot, state, earliest),
                Err(reason) => return Some(Err(reason)),
            }
        };
        if earliest.is_some() {
            // Nobody requests these moves, so they wait where a player would get an error.
            while let Err(wait) = app.rate_limiters.check_bot_move(owner) {
                sleep(wait).await;
                if !self.is_watched() {
                    return None;
                }
            }
        }
        let limits = SearchLimits::time(bot.kind().default_move_time().min(MAX_MOVE_TIME));
        let job = app.pool.start_bot_move(owner, &bot, &state, limits);
        let mut result = std::pin::pin!(job);
        let report = loop {
            match timeout(MAX_MOVE_TIME, &mut result).await {
                Ok(Ok(report)) => break report,
                Ok(Err(reason)) => return Some(Err(reason)),
                // It's queued, and nobody is waiting for it.
                Err(_) if earliest.is_some() && !self.is_watched() => return None,
                Err(_) if !self.is_anyone_waiting() => return None,
                Err(_) => {}
            }
        };
        if let Some(earliest) = earliest {
            sleep_until(Instant::from_std(earliest)).await;
        }
        Some(match report.best {
            Some(text) => Ok((text, report.elapsed)),
            None => Err(noughts_text::no_move_found(bot.kind().name())),
        })
    }
}

/// The bot of the side to move. It keeps its search tables between moves.
fn bot_to_move(app: &App, game: &mut LiveGame, kind: BotKind) -> Result<BotPlayer, String> {
    let (variant, side) = (game.state.variant(), game.state.side());
    let slot = &mut game.bots[side as usize];
    match slot {
        Some(bot) if bot.kind() == kind => Ok(bot.clone()),
        _ => {
            let bot = BotPlayer::new(kind, variant, &app.pool.bot_settings(variant))
                .map_err(|error| error.to_string())?;
            *slot = Some(bot.clone());
            Ok(bot)
        }
    }
}
