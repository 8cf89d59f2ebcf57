//! Trying a bot step by step, for its author: what works, what doesn't, and how to fix it.
//!
//! What is tried is in tables, one row for each step, in `ugi.rs` and `codingame.rs`. A row
//! reports what it found; this module walks through them.

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

/// One thing that was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckStep {
    /// What.
    pub name: &'static str,
    /// How it went.
    pub status: CheckStatus,
    /// What was seen.
    pub observed: String,
    /// How to fix it, where something is wrong.
    pub advice: Option<Cow<'static, str>>,
}

/// How a step went.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CheckStatus {
    /// As it should.
    Pass,
    /// The arena can live with it.
    Warn,
    /// It costs games.
    Fail,
}

impl CheckStatus {
    /// The word for lists: `ok`, `warn` or `fail`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CheckStatus::Pass => "ok",
            CheckStatus::Warn => "warn",
            CheckStatus::Fail => "fail",
        }
    }
}

/// A bot to be tried, and how.
///
/// ```
/// use noughts_arena::check::Check;
/// use noughts_arena::{BotSpec, BotsFile};
/// use noughts_rules::Variant;
/// let bot = BotSpec::read("random", &BotsFile::default())?;
/// let mut steps = Vec::new();
/// let checked = Check::new(bot, Variant::CLASSIC).run(&mut |step| {
///     steps.push(format!("{}: {}", step.what, step.grade.word()));
/// });
/// assert!(checked.passed);
/// assert_eq!(steps, ["plays this game: ok", "plays whole games against itself: ok"]);
/// # Ok::<(), noughts_arena::SpecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BotCheck {
    /// The bot.
    pub spec: BotSpec,
    /// The game that it is tried at.
    pub variant: Variant,
    /// How long it may think.
    pub time_control: TimeControl,
    /// How much later than its time it may be.
    pub margin: Duration,
    /// How long to wait until it is ready, or moves where no time is given.
    pub patience: Duration,
    /// How long to wait for what should come at once: `readyok` while it thinks, a move at
    /// `stop`, its end at `quit`.
    pub prompt_timeout: Duration,
    /// Where every line is written down, if anywhere.
    pub protocol_log: Option<ProtocolLog>,
}

/// What came of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckResult {
    /// No step failed.
    pub passed: bool,
    /// How the bot writes moves.
    pub notation: Notation,
}

/// No game is followed any farther: those of deep boards never end within reason.
const LONGEST_GAME: usize = 300;
/// The games that are played to their end.
const GAMES: u32 = 2;

impl BotCheck {
    /// With 100 ms for each move, unless the bot has a pace of its own, and a match's usual
    /// margin.
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

    /// The longest that a bot which keeps its time needs for all steps; nothing where
    /// moves have no time.
    #[must_use]
    pub fn max_duration(&self) -> Option<Duration> {
        let start = AnyGameState::new(self.variant);
        // A move fills a cell, except where pieces move on.
        let plies = match self.variant == Variant::TIC_TAC_TWO {
            true => LONGEST_GAME,
            false => start.legal_moves().len().min(LONGEST_GAME),
        };
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        let games = match self.time_control {
            TimeControl::MoveTime(time) => time.saturating_mul(GAMES * plies),
            TimeControl::Clock { base, increment } => {
                let both = base.saturating_mul(2);
                both.saturating_add(increment.saturating_mul(plies))
                    .saturating_mul(GAMES)
            }
            TimeControl::Nodes(_) | TimeControl::Depth(_) => return None,
        };
        // Each position is asked with a clock of its own, which a bot may use up; and once
        // it is asked with all of the clock that was asked for.
        let (position, once) = match self.time_control {
            TimeControl::Clock { base, .. } => (bot::small_clock().remaining, base),
            pace => (bot::short_move_time(pace), Duration::ZERO),
        };
        let positions = position.saturating_mul(bot::POSITIONS);
        let all = games.saturating_add(positions).saturating_add(once);
        // Starting it, and what else is asked only once.
        Some(all.saturating_add(Duration::from_secs(1)))
    }

    /// Tries the bot. Every step is reported as soon as it is done.
    pub fn run(&self, say: &mut dyn FnMut(CheckStep)) -> CheckResult {
        let mut worst = CheckStatus::Pass;
        let mut notation = Notation::Native;
        let mut report = |step: CheckStep| {
            worst = worst.max(step.status);
            say(step);
        };
        let mut making = PlayerFactory::new(self.patience);
        making.protocol_log.clone_from(&self.protocol_log);
        let refused = self.spec.check_variant(self.variant).err();
        match (&self.spec.who, refused) {
            (_, Some(error)) => report(
                fail(
                    error.0,
                    "try it at a game that it plays, with --variant GAME",
                )
                .into_step("plays this game"),
            ),
            (BotSource::Ours(_), None) => {
                report(pass("it is one of ours").into_step("plays this game"));
                let played = games::play_games(self, &self.spec, &making);
                report(played.into_step(games::STEP_NAME));
            }
            (BotSource::Program(program), None) => match program.protocol {
                Protocol::Ugi => notation = ugi::run(self, program, &making, &mut report),
                Protocol::Codingame => codingame::run(self, program, &making, &mut report),
            },
            (BotSource::Guest, None) => {
                let seen = format!("{} is neither one of ours nor a program", self.spec.name);
                report(fail(seen, "let it play a match").into_step("plays this game"));
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
    /// Nothing more of this table can be tried.
    ends_check: bool,
}

fn pass(seen: impl Into<String>) -> Finding {
    Finding {
        status: CheckStatus::Pass,
        observed: seen.into(),
        advice: None,
        ends_check: false,
    }
}

fn warn(seen: impl Into<String>, advice: impl Into<Cow<'static, str>>) -> Finding {
    Finding {
        status: CheckStatus::Warn,
        advice: Some(advice.into()),
        ..pass(seen)
    }
}

fn fail(seen: impl Into<String>, advice: impl Into<Cow<'static, str>>) -> Finding {
    Finding {
        status: CheckStatus::Fail,
        advice: Some(advice.into()),
        ..pass(seen)
    }
}

impl Finding {
    /// Nothing more of this table is tried.
    fn and_stop(self) -> Finding {
        Finding {
            ends_check: true,
            ..self
        }
    }

    fn into_step(self, what: &'static str) -> CheckStep {
        CheckStep {
            name: what,
            status: self.status,
            observed: self.observed,
            advice: self.advice,
        }
    }
}

/// A row of a table: what is tried, and how; nothing is found where it doesn't apply.
struct CheckRow<T> {
    name: &'static str,
    run: fn(&mut T) -> Option<Finding>,
}

/// Tries one row after the other. False if one of them ended it.
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
