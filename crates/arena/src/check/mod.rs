//! Checks a bot step by step, for its author: what works, what doesn't, and how to fix it.
//!
//! The steps are tables in `external.rs`, one row per step; this module runs the rows and reports
//! what they find.

mod advice;
#[cfg(unix)]
mod external;
mod games;

use std::borrow::Cow;
use std::time::Duration;

use noughts_rules::{AnyGameState, Variant, word_enum};

use crate::notation::Notation;
use crate::player_factory::PlayerFactory;
use crate::protocol_log::ProtocolLog;
use crate::spec::{BotSource, BotSpec};
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

word_enum! {
    /// The result of a step, and its name in lists.
    pub enum CheckStatus, word: name {
        /// It works.
        Pass = "ok",
        /// The arena tolerates it.
        Warn = "warn",
        /// It loses games.
        Fail = "fail",
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
const MAX_PLIES: u32 = 300;
/// The number of complete games played.
const GAMES: u32 = 2;

impl BotCheck {
    /// A check with 100 ms per move, unless the bot has its own time control, and the usual margin.
    #[must_use]
    pub fn new(spec: BotSpec, variant: Variant) -> BotCheck {
        BotCheck {
            time_control: spec
                .time_control
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
        let longest = AnyGameState::new(self.variant).max_plies_left();
        let plies = longest.map_or(MAX_PLIES, |plies| plies.min(MAX_PLIES));
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
        #[cfg(unix)]
        let games = games.saturating_add(external::max_duration(self.time_control));
        // One second for starting the bot and for steps that happen once.
        Some(games.saturating_add(Duration::from_secs(1)))
    }

    /// Runs the check. Each step is reported as soon as it is done.
    pub fn run(&self, report: &mut dyn FnMut(CheckStep)) -> CheckResult {
        const PLAYS: &str = "plays this game";
        let mut result = CheckResult {
            passed: true,
            notation: Notation::Native,
        };
        let mut report = |step: CheckStep| {
            result.passed &= step.status < CheckStatus::Fail;
            report(step);
        };
        let mut factory = PlayerFactory::new(self.patience);
        factory.protocol_log.clone_from(&self.protocol_log);
        match (&self.spec.source, self.spec.check_variant(self.variant)) {
            (_, Err(error)) => {
                let advice = "check it with a game that it plays: --variant GAME";
                report_result(PLAYS, Err(Some(fail(error.0, advice))), &mut report);
            }
            (BotSource::Builtin(_), Ok(())) => {
                report_result(PLAYS, Ok("it is a built-in bot".into()), &mut report);
                let played = games::play_games(self, &self.spec, &factory);
                report_result(games::STEP_NAME, played, &mut report);
            }
            #[cfg(unix)]
            (BotSource::Program(program), Ok(())) => {
                let run_steps = &mut |steps: &[Step<_>], bot: &mut _| {
                    let mut steps = steps.iter();
                    steps.all(|(name, run)| report_result(name, run(bot), &mut report))
                };
                result.notation = external::run(self, program, &factory, run_steps);
            }
            #[cfg(not(unix))]
            (BotSource::Program(_), Ok(())) => {
                let finding = fail(crate::no_process::UNSUPPORTED, "check a built-in bot");
                report_result(PLAYS, Err(Some(finding)), &mut report);
            }
            (BotSource::Custom, Ok(())) => {
                let name = &self.spec.name;
                let observed = format!("{name} is neither a built-in bot nor a program");
                let finding = fail(observed, "play a match with it instead");
                report_result(PLAYS, Err(Some(finding)), &mut report);
            }
        }
        result
    }
}

/// A row of a table: the name of a step, and how to run it.
type Step<T> = (&'static str, fn(&mut T) -> StepResult);

/// What was observed, or what is to be fixed; `Err(None)` if the step doesn't apply.
type StepResult = Result<String, Option<Finding>>;

/// Something to fix.
struct Finding {
    status: CheckStatus,
    observed: String,
    advice: Cow<'static, str>,
    /// Whether the remaining steps of the table are skipped.
    ends_table: bool,
}

fn warn(observed: impl Into<String>, advice: impl Into<Cow<'static, str>>) -> Finding {
    Finding {
        status: CheckStatus::Warn,
        observed: observed.into(),
        advice: advice.into(),
        ends_table: false,
    }
}

fn fail(observed: impl Into<String>, advice: impl Into<Cow<'static, str>>) -> Finding {
    Finding {
        status: CheckStatus::Fail,
        ..warn(observed, advice)
    }
}

impl Finding {
    /// Says what the bot was asked for.
    fn about(mut self, request: &str) -> Finding {
        self.observed = format!("{request}: {}", self.observed);
        self
    }

    /// Skips the remaining steps of the table.
    fn stop(self) -> Finding {
        Finding {
            ends_table: true,
            ..self
        }
    }
}

/// Reports a step that applies. Returns whether the table continues.
fn report_result(
    name: &'static str,
    result: StepResult,
    report: &mut dyn FnMut(CheckStep),
) -> bool {
    let (status, observed, advice, ends_table) = match result {
        Ok(observed) => (CheckStatus::Pass, observed, None, false),
        Err(Some(found)) => (
            found.status,
            found.observed,
            Some(found.advice),
            found.ends_table,
        ),
        Err(None) => return true,
    };
    report(CheckStep {
        name,
        status,
        observed,
        advice,
    });
    !ends_table
}
