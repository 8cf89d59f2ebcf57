//! Checks a bot step by step, for its author: what works, what doesn't, and how to fix it.
//!
//! The steps are tables, one row per step, in `ugi.rs` and `codingame.rs`; this module runs the
//! rows and reports what they find.

mod advice;
mod bot;
mod codingame;
mod games;
mod ugi;

use std::borrow::Cow;
use std::time::Duration;

use noughts_rules::{AnyGameState, Variant};

use crate::notation::Notation;
use crate::player_factory::PlayerFactory;
use crate::protocol_log::ProtocolLog;
use crate::spec::{BotSource, BotSpec, Protocol};
use crate::time_control::TimeControl;

/// The outcome of one step of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckStep {
    /// What was checked.
    pub name: &'static str,
    /// The result.
    pub status: CheckStatus,
    /// What the bot did.
    pub observed: String,
    /// How to fix it, unless the step passed.
    pub advice: Option<Cow<'static, str>>,
}

/// The result of a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CheckStatus {
    /// It works.
    Pass,
    /// The arena tolerates it.
    Warn,
    /// It loses games.
    Fail,
}

impl CheckStatus {
    /// The name shown in lists: `ok`, `warn` or `fail`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CheckStatus::Pass => "ok",
            CheckStatus::Warn => "warn",
            CheckStatus::Fail => "fail",
        }
    }
}

/// Checks one bot at one variant.
///
/// ```
/// use noughts_arena::check::BotCheck;
/// use noughts_arena::{BotSpec, BotsFile};
/// use noughts_rules::Variant;
/// let bot = BotSpec::parse("random", &BotsFile::default())?;
/// let mut steps = Vec::new();
/// let result = BotCheck::new(bot, Variant::CLASSIC).run(&mut |step| {
///     steps.push(format!("{}: {}", step.name, step.status.name()));
/// });
/// assert!(result.passed);
/// assert_eq!(steps, ["plays this game: ok", "plays full games against itself: ok"]);
/// # Ok::<(), noughts_arena::SpecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BotCheck {
    /// The bot.
    pub spec: BotSpec,
    /// The variant it is checked at.
    pub variant: Variant,
    /// The time control.
    pub time_control: TimeControl,
    /// How much longer than its time a move may take.
    pub margin: Duration,
    /// How long to wait for the bot to be ready, or to move if no time is given.
    pub patience: Duration,
    /// How long to wait for responses that should be immediate: `readyok` during a search, a move
    /// after `stop`, the exit after `quit`.
    pub prompt_timeout: Duration,
    /// Logs every line sent and received, if set.
    pub protocol_log: Option<ProtocolLog>,
}

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckResult {
    /// Whether no step failed.
    pub passed: bool,
    /// The notation in which the bot writes moves.
    pub notation: Notation,
}

/// The move limit of a game: games on deep boards are too long to play to the end.
const MAX_PLIES: usize = 300;
/// The number of complete games played.
const GAMES: u32 = 2;

impl BotCheck {
    /// A check with 100 ms per move, unless the bot has its own time control, and the usual margin.
    #[must_use]
    pub fn new(spec: BotSpec, variant: Variant) -> BotCheck {
        BotCheck {
            time_control: spec
                .pace
                .unwrap_or(TimeControl::MoveTime(Duration::from_millis(100))),
            spec,
            variant,
            margin: Duration::from_millis(50),
            patience: Duration::from_secs(10),
            prompt_timeout: Duration::from_secs(1),
            protocol_log: None,
        }
    }

    /// An upper bound on the duration for a bot that keeps its time; `None` if moves aren't limited
    /// by time.
    #[must_use]
    pub fn max_duration(&self) -> Option<Duration> {
        let start = AnyGameState::new(self.variant);
        // Every move fills a cell, except in Tic-Tac-Two, where pieces can move.
        let plies = match self.variant == Variant::TIC_TAC_TWO {
            true => MAX_PLIES,
            false => start.legal_moves().len().min(MAX_PLIES),
        };
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        let games = match self.time_control {
            TimeControl::MoveTime(time) => time.saturating_mul(GAMES * plies),
            TimeControl::Clock { base, increment } => {
                let base_time = base.saturating_mul(2);
                base_time
                    .saturating_add(increment.saturating_mul(plies))
                    .saturating_mul(GAMES)
            }
            TimeControl::Nodes(_) | TimeControl::Depth(_) => return None,
        };
        // Each position is asked with a fresh clock that the bot may use up, and one move is asked
        // with the whole configured clock.
        let (position, one_move) = match self.time_control {
            TimeControl::Clock { base, .. } => (bot::small_clock().remaining, base),
            time_control => (bot::short_move_time(time_control), Duration::ZERO),
        };
        let positions = position.saturating_mul(bot::POSITIONS);
        let all = games.saturating_add(positions).saturating_add(one_move);
        // One second for starting the bot and for steps that happen once.
        Some(all.saturating_add(Duration::from_secs(1)))
    }

    /// Runs the check. Each step is reported as soon as it is done.
    pub fn run(&self, report_step: &mut dyn FnMut(CheckStep)) -> CheckResult {
        let mut worst = CheckStatus::Pass;
        let mut notation = Notation::Native;
        let mut report = |step: CheckStep| {
            worst = worst.max(step.status);
            report_step(step);
        };
        let mut factory = PlayerFactory::new(self.patience);
        factory.protocol_log.clone_from(&self.protocol_log);
        let unsupported = self.spec.check_variant(self.variant).err();
        match (&self.spec.who, unsupported) {
            (_, Some(error)) => report(
                fail(
                    error.0,
                    "check it with a game that it plays: --variant GAME",
                )
                .into_step("plays this game"),
            ),
            (BotSource::Ours(_), None) => {
                report(pass("it is a built-in bot").into_step("plays this game"));
                let played = games::play_games(self, &self.spec, &factory);
                report(played.into_step(games::STEP_NAME));
            }
            (BotSource::Program(program), None) => match program.protocol {
                Protocol::Ugi => notation = ugi::run(self, program, &factory, &mut report),
                Protocol::Codingame => codingame::run(self, program, &factory, &mut report),
            },
            (BotSource::Guest, None) => {
                let observed = format!(
                    "{name} is neither a built-in bot nor a program",
                    name = self.spec.name
                );
                report(fail(observed, "play a match with it instead").into_step("plays this game"));
            }
        }
        CheckResult {
            passed: worst < CheckStatus::Fail,
            notation,
        }
    }
}

/// What a step found.
struct Finding {
    status: CheckStatus,
    observed: String,
    advice: Option<Cow<'static, str>>,
    /// Whether the remaining rows of the table are skipped.
    ends_check: bool,
}

fn pass(observed: impl Into<String>) -> Finding {
    Finding {
        status: CheckStatus::Pass,
        observed: observed.into(),
        advice: None,
        ends_check: false,
    }
}

fn warn(observed: impl Into<String>, advice: impl Into<Cow<'static, str>>) -> Finding {
    Finding {
        status: CheckStatus::Warn,
        advice: Some(advice.into()),
        ..pass(observed)
    }
}

fn fail(observed: impl Into<String>, advice: impl Into<Cow<'static, str>>) -> Finding {
    Finding {
        status: CheckStatus::Fail,
        advice: Some(advice.into()),
        ..pass(observed)
    }
}

impl Finding {
    /// Skips the remaining rows of the table.
    fn and_stop(self) -> Finding {
        Finding {
            ends_check: true,
            ..self
        }
    }

    fn into_step(self, name: &'static str) -> CheckStep {
        CheckStep {
            name,
            status: self.status,
            observed: self.observed,
            advice: self.advice,
        }
    }
}

/// A row of a table: the name of a step and how to run it. `None` means that the step doesn't
/// apply.
struct CheckRow<T> {
    name: &'static str,
    run: fn(&mut T) -> Option<Finding>,
}

/// Runs the rows in order. Returns false if one of them ended the check.
fn run_rows<T>(table: &[CheckRow<T>], trial: &mut T, report: &mut dyn FnMut(CheckStep)) -> bool {
    for row in table {
        let Some(finding) = (row.run)(trial) else {
            continue;
        };
        let ends = finding.ends_check;
        report(finding.into_step(row.name));
        if ends {
            return false;
        }
    }
    true
}
