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

use noughts_rules::{AnyPlay, Variant};

use crate::dialogue::Dialogue;
use crate::make::Making;
use crate::notation::Notation;
use crate::pace::Pace;
use crate::spec::{BotSpec, Protocol, Who};

/// One thing that was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What.
    pub what: &'static str,
    /// How it went.
    pub grade: Grade,
    /// What was seen.
    pub seen: String,
    /// How to fix it, where something is wrong.
    pub advice: Option<Cow<'static, str>>,
}

/// How a step went.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// As it should.
    Good,
    /// The arena can live with it.
    Doubtful,
    /// It costs games.
    Bad,
}

impl Grade {
    /// The word for lists: `ok`, `warn` or `fail`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Grade::Good => "ok",
            Grade::Doubtful => "warn",
            Grade::Bad => "fail",
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
pub struct Check {
    /// The bot.
    pub spec: BotSpec,
    /// The game that it is tried at.
    pub variant: Variant,
    /// How long it may think.
    pub pace: Pace,
    /// How much later than its time it may be.
    pub margin: Duration,
    /// How long to wait until it is ready, or moves where no time is given.
    pub patience: Duration,
    /// How long to wait for what should come at once: `readyok` while it thinks, a move at
    /// `stop`, its end at `quit`.
    pub promptness: Duration,
    /// Where every line is written down, if anywhere.
    pub dialogue: Option<Dialogue>,
}

/// What came of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// No step failed.
    pub passed: bool,
    /// How the bot writes moves.
    pub notation: Notation,
}

/// No game is followed any farther: those of deep boards never end within reason.
const LONGEST_GAME: usize = 300;
/// The games that are played to their end.
const GAMES: u32 = 2;

impl Check {
    /// With 100 ms for each move, unless the bot has a pace of its own, and a match's usual
    /// margin.
    #[must_use]
    pub fn new(spec: BotSpec, variant: Variant) -> Check {
        Check {
            pace: spec.pace.unwrap_or(Pace::Move(Duration::from_millis(100))),
            spec,
            variant,
            margin: Duration::from_millis(50),
            patience: Duration::from_secs(10),
            promptness: Duration::from_secs(1),
            dialogue: None,
        }
    }

    /// The longest that a bot which keeps its time needs for all steps; nothing where
    /// moves have no time.
    #[must_use]
    pub fn longest(&self) -> Option<Duration> {
        let start = AnyPlay::new(self.variant);
        // A move fills a cell, except where pieces move on.
        let plies = match self.variant == Variant::TIC_TAC_TWO {
            true => LONGEST_GAME,
            false => start.legal_moves().len().min(LONGEST_GAME),
        };
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        let games = match self.pace {
            Pace::Move(time) => time.saturating_mul(GAMES * plies),
            Pace::Clock { base, increment } => {
                let both = base.saturating_mul(2);
                both.saturating_add(increment.saturating_mul(plies))
                    .saturating_mul(GAMES)
            }
            Pace::Nodes(_) | Pace::Depth(_) => return None,
        };
        // Each position is asked with a clock of its own, which a bot may use up; and once
        // it is asked with all of the clock that was asked for.
        let (position, once) = match self.pace {
            Pace::Clock { base, .. } => (bot::small_clock().left, base),
            pace => (bot::brief(pace), Duration::ZERO),
        };
        let positions = position.saturating_mul(bot::POSITIONS);
        let all = games.saturating_add(positions).saturating_add(once);
        // Starting it, and what else is asked only once.
        Some(all.saturating_add(Duration::from_secs(1)))
    }

    /// Tries the bot. Every step is reported as soon as it is done.
    pub fn run(&self, say: &mut dyn FnMut(Step)) -> Checked {
        let mut worst = Grade::Good;
        let mut notation = Notation::Native;
        let mut report = |step: Step| {
            worst = worst.max(step.grade);
            say(step);
        };
        let mut making = Making::new(self.patience);
        making.dialogue.clone_from(&self.dialogue);
        let refused = self.spec.plays(self.variant).err();
        match (&self.spec.who, refused) {
            (_, Some(error)) => report(
                fail(
                    error.0,
                    "try it at a game that it plays, with --variant GAME",
                )
                .step("plays this game"),
            ),
            (Who::Ours(_), None) => {
                report(pass("it is one of ours").step("plays this game"));
                let played = games::play_two(self, &self.spec, &making);
                report(played.step(games::WHAT));
            }
            (Who::Program(program), None) => match program.protocol {
                Protocol::Ugi => notation = ugi::run(self, program, &making, &mut report),
                Protocol::Codingame => codingame::run(self, program, &making, &mut report),
            },
            (Who::Guest, None) => {
                let seen = format!("{} is neither one of ours nor a program", self.spec.name);
                report(fail(seen, "let it play a match").step("plays this game"));
            }
        }
        Checked {
            passed: worst < Grade::Bad,
            notation,
        }
    }
}

/// What a step found.
struct Finding {
    grade: Grade,
    seen: String,
    advice: Option<Cow<'static, str>>,
    /// Nothing more of this table can be tried.
    ends: bool,
}

fn pass(seen: impl Into<String>) -> Finding {
    Finding {
        grade: Grade::Good,
        seen: seen.into(),
        advice: None,
        ends: false,
    }
}

fn warn(seen: impl Into<String>, advice: impl Into<Cow<'static, str>>) -> Finding {
    Finding {
        grade: Grade::Doubtful,
        advice: Some(advice.into()),
        ..pass(seen)
    }
}

fn fail(seen: impl Into<String>, advice: impl Into<Cow<'static, str>>) -> Finding {
    Finding {
        grade: Grade::Bad,
        advice: Some(advice.into()),
        ..pass(seen)
    }
}

impl Finding {
    /// Nothing more of this table is tried.
    fn and_end(self) -> Finding {
        Finding { ends: true, ..self }
    }

    fn step(self, what: &'static str) -> Step {
        Step {
            what,
            grade: self.grade,
            seen: self.seen,
            advice: self.advice,
        }
    }
}

/// A row of a table: what is tried, and how; nothing is found where it doesn't apply.
struct Row<T> {
    what: &'static str,
    run: fn(&mut T) -> Option<Finding>,
}

/// Tries one row after the other. False if one of them ended it.
fn walk<T>(table: &[Row<T>], trial: &mut T, report: &mut dyn FnMut(Step)) -> bool {
    for row in table {
        let Some(finding) = (row.run)(trial) else {
            continue;
        };
        let ends = finding.ends;
        report(finding.step(row.what));
        if ends {
            return false;
        }
    }
    true
}
