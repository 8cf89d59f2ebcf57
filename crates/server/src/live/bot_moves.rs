//! The bots of a room: when one is asked for its move, and what becomes of it. They
//! think on the pool.

use std::sync::Arc;
use std::time::Duration;

use noughts_engine::{BotKind, SearchLimits};
use noughts_session::{BotPlayer, GameAction, Participant};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::live_game::LiveGame;
use super::room::Room;
use super::snapshot::Rev;
use crate::app::App;
use crate::middleware::TaskOwner;

/// Nobody waits longer for one move.
const LONGEST: Duration = Duration::from_secs(2);

/// How often a bot is asked again that could not think, and after what time.
const TRIES: u32 = 3;
const PAUSE: Duration = Duration::from_millis(500);

impl Room {
    /// Lets a bot think whose turn it is, if somebody waits for it.
    pub(crate) async fn wake_bot(self: &Arc<Room>, app: &App) {
        // Most rooms have nothing to wake, and need no lock to know it.
        let state = self.snapshot();
        let to_move = &state.seats[state.state.side() as usize];
        if state.over.is_some() || to_move.is_human() {
            return;
        }
        let mut table = self.game.lock().await;
        if self.update_bot_task(app, &mut table) {
            self.publish(&table);
        }
    }

    /// The same under the lock. Says whether the bot has begun or ended to think.
    pub(super) fn update_bot_task(self: &Arc<Room>, app: &App, table: &mut LiveGame) -> bool {
        let rev = table.rev();
        let wanted = self.should_bot_move(table);
        match &table.bot_task {
            Some((about, _)) if wanted && *about == rev => return false,
            None if !wanted => return false,
            _ => {}
        }
        // The bot's task is not under the lock, so that nothing is cut off half done.
        if let Some((_, task)) = table.bot_task.take() {
            task.abort();
        }
        if wanted {
            let (room, app) = (self.clone(), app.clone());
            let task = tokio::spawn(async move { room.reply(&app, rev).await });
            table.bot_task = Some((rev, task.abort_handle()));
        }
        true
    }

    pub(super) fn should_bot_move(&self, table: &LiveGame) -> bool {
        let to_move = table.session().and_then(|session| session.to_move());
        let bot = matches!(to_move, Some(Participant::Bot(_)));
        let waits = match table.is_bot_match() {
            true => self.is_watched() && !table.paused,
            false => self.is_anyone_waiting() && !table.is_waiting_for_opponent(),
        };
        bot && waits
    }

    /// Thinks about the move of this state and makes it.
    async fn reply(self: Arc<Room>, app: &App, rev: Rev) {
        let mut failed = 0;
        let report = loop {
            match self.think(app, rev).await {
                Some(Ok(report)) => break Some(report),
                Some(Err(reason)) => {
                    failed += 1;
                    tracing::warn!(game = self.uid(), reason, "a bot did not move");
                    if failed == TRIES {
                        break None;
                    }
                    sleep(PAUSE).await;
                }
                None => break None,
            }
        };
        let mut table = self.game.lock().await;
        if table.rev() != rev {
            return;
        }
        table.bot_task = None;
        if let Some((text, took)) = report {
            // The last who watched may have left while the bot thought.
            if table.is_bot_match() && !self.should_bot_move(&table) {
                self.publish(&table);
                return;
            }
            match self
                .apply_session_action(app, &mut table, GameAction::BotMove(text, took))
                .await
            {
                Ok(()) => drop(self.update_bot_task(app, &mut table)),
                // Asked again when somebody comes, not at once: a full disk stays full.
                Err(refused) => {
                    let reason = refused.error.message;
                    tracing::error!(game = self.uid(), reason, "a bot's move was not made");
                }
            }
        }
        self.publish(&table);
    }

    /// The bot's move and what it took; none where it is not wanted any more.
    async fn think(&self, app: &App, rev: Rev) -> Option<Result<(String, Duration), String>> {
        let (owner, computer, play, earliest) = {
            let mut table = self.game.lock().await;
            let session = table.session()?;
            let Some(Participant::Bot(kind)) = session.to_move() else {
                return None;
            };
            if table.rev() != rev {
                return None;
            }
            let (kind, play) = (*kind, session.game_state().clone());
            // After a restart it is whoever sits there.
            let mut sitters = table.claims.visitors.into_iter().flatten();
            let sitter = sitters.next().unwrap_or_default();
            let owner = self
                .owner()
                .unwrap_or(TaskOwner::with_unknown_address(sitter));
            let earliest = table
                .is_bot_match()
                .then(|| table.last_move_at + table.speed.delay());
            match computer(app, &mut table, kind) {
                Ok(computer) => (owner, computer, play, earliest),
                Err(reason) => return Some(Err(reason)),
            }
        };
        if earliest.is_some() {
            // Nobody has to ask for these moves: they wait where a player would be refused.
            while let Err(wait) = app.rate_limiters.check_bot_move(owner) {
                sleep(wait).await;
                if !self.is_watched() {
                    return None;
                }
            }
        }
        let limits = SearchLimits::time(computer.kind().default_move_time().min(LONGEST));
        let job = app.pool.start_bot_move(owner, &computer, &play, limits);
        let mut done = std::pin::pin!(job.result());
        let report = loop {
            match timeout(LONGEST, &mut done).await {
                Ok(Ok(report)) => break report,
                Ok(Err(reason)) => return Some(Err(reason)),
                // It waits for its turn, and nobody for it.
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
            None => Err(format!("{} found no move", computer.kind())),
        })
    }
}

/// The bot of the side to move, which remembers its earlier moves.
fn computer(app: &App, table: &mut LiveGame, kind: BotKind) -> Result<BotPlayer, String> {
    let (variant, side) = (table.state().variant(), table.state().side());
    let kept = &mut table.bots[side as usize];
    match kept {
        Some(computer) if computer.kind() == kind => Ok(computer.clone()),
        _ => {
            let computer = BotPlayer::new(kind, variant, &app.pool.bot_settings(variant))?;
            *kept = Some(computer.clone());
            Ok(computer)
        }
    }
}
