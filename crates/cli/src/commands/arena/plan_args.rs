//! From command-line arguments to a tournament plan.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use noughts_arena::{
    Adjudication, AgreementThreshold, BotSource, BotSpec, BotsFile, Format, Openings, Plan,
    Scoring, TimeControl, TimeControlError, limits, parse_openings, read_text,
};
use noughts_rules::Variant;

use crate::error::{CliError, sanitize};
use crate::search_args::{number, parse_in_range};

/// The default file of bots; optional.
const DEFAULT_BOTS_FILE: &str = "bots.toml";

/// The maximum size of a list of openings, in bytes.
const MAX_OPENINGS_SIZE: u64 = 64 << 20;

/// The maximum number of games at once.
pub(super) const MAX_CONCURRENCY: usize = 1024;

/// What the games of a match or tournament have in common.
#[derive(Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    time_control: TimeControlArgs,

    /// How far a move may exceed its time limit
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = parse_millis)]
    margin: u64,

    /// How long to wait for a bot to be ready, or for a move without a time limit
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_millis)]
    patience: u64,

    /// Openings: `start`, `random:PLIES`, `all:PLIES` (all, up to symmetry), or a file with a
    /// position or moves on each line [default: random:2, or start if a CodinGame bot takes
    /// part]
    #[arg(long, value_name = "OPENINGS")]
    openings: Option<String>,

    /// Random seed; the same seed gives the same openings, and the same games if bots are
    /// limited by nodes
    #[arg(long, value_name = "N", default_value = "0", value_parser = number(0, u64::MAX), allow_negative_numbers = true)]
    seed: u64,

    /// Declare a draw after this many moves by both bots together, not counting the opening
    #[arg(long, value_name = "N", value_parser = number(1, u32::MAX), allow_negative_numbers = true)]
    move_limit: Option<u32>,

    /// End a game as soon as its exact value is known, from a tablebase or a short search
    #[arg(long)]
    adjudicate: bool,

    /// End a game when both bots agree on the winner for this many moves each
    #[arg(long, value_name = "MOVES", value_parser = number(1, u32::MAX), allow_negative_numbers = true)]
    agree_win: Option<u32>,

    /// End a game when both bots agree on a draw for this many moves each
    #[arg(long, value_name = "MOVES", value_parser = number(1, u32::MAX), allow_negative_numbers = true)]
    agree_draw: Option<u32>,

    /// Points for each result
    #[arg(long, value_enum, default_value = "points")]
    scoring: ScoringArg,

    /// Number of games at once [default: number of cores]
    #[arg(long, value_name = "N", value_parser = number(1, MAX_CONCURRENCY), allow_negative_numbers = true)]
    concurrency: Option<usize>,

    /// Bots file [default: bots.toml in the current folder, if it exists]
    #[arg(long = "bots", value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    program_limits: ProgramLimitArgs,
}

/// Limits for external bots that the bots file doesn't set for each.
#[derive(Args, Clone, Default)]
pub(super) struct ProgramLimitArgs {
    /// Pass an environment variable to external bots, with this value or its current one
    /// (repeatable); they always get PATH, HOME, LANG and a few more
    #[arg(long = "bot-env", value_name = "NAME[=VALUE]", value_parser = limits::parse_env)]
    env: Vec<(String, Option<String>)>,

    /// Memory limit for each process of an external bot, such as 512M or 2G
    #[arg(long = "bot-memory", value_name = "SIZE", value_parser = limits::parse_memory, allow_negative_numbers = true)]
    memory: Option<u64>,

    /// CPU time limit for each process of an external bot in one game, such as 60s
    #[arg(long = "bot-cpu", value_name = "TIME", value_parser = limits::parse_cpu, allow_negative_numbers = true)]
    cpu: Option<u64>,
}

impl ProgramLimitArgs {
    /// Applies the limits to an external bot. The bot's own settings take precedence.
    pub(super) fn apply_defaults(&self, bot: &mut BotSpec) {
        if let BotSource::Program(program) = &mut bot.source {
            for (name, value) in &self.env {
                let entry = program.env.entry(name.clone());
                entry.or_insert_with(|| value.clone());
            }
            program.memory = program.memory.or(self.memory);
            program.cpu = program.cpu.or(self.cpu);
        }
    }

    /// Applies the limits to an external bot of a plan. They take precedence over the plan's.
    pub(super) fn apply_overrides(&self, bot: &mut BotSpec) {
        if let BotSource::Program(program) = &mut bot.source {
            program.env.extend(self.env.iter().cloned());
            program.memory = self.memory.or(program.memory);
            program.cpu = self.cpu.or(program.cpu);
        }
    }
}

/// The time control of bots without their own.
#[derive(Args)]
#[group(multiple = false)]
pub(super) struct TimeControlArgs {
    /// Time per move, such as 100ms (the default) or 2s; a number without a unit is
    /// milliseconds
    #[arg(long, value_name = "TIME", value_parser = time_control("time"))]
    time: Option<TimeControl>,

    /// Time per game and increment per move, such as 10s+100ms; numbers without a unit are
    /// seconds
    #[arg(long, value_name = "BASE+INCREMENT", value_parser = time_control("tc"))]
    tc: Option<TimeControl>,

    /// Nodes per move
    #[arg(long, value_name = "N", value_parser = time_control("nodes"))]
    nodes: Option<TimeControl>,

    /// Search depth in plies
    #[arg(long, value_name = "N", value_parser = time_control("depth"))]
    depth: Option<TimeControl>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ScoringArg {
    /// 1 for a win, ½ for a draw
    Points,
    /// 0 for a win, 1 for a draw, 3 for a loss; lower is better
    Penalty,
}

/// The time control if none is given.
const DEFAULT_TIME_CONTROL: TimeControl = TimeControl::MoveTime(Duration::from_millis(100));

/// From this value on, a bot's own evaluation counts as a win.
const WIN_THRESHOLD: f64 = 0.9;
/// Up to this value, a bot's own evaluation counts as a draw.
const DRAW_THRESHOLD: f64 = 0.05;

impl PlanArgs {
    /// A round-robin plan for these bots.
    pub(super) fn plan(
        &self,
        variant: Variant,
        bots: &[String],
        rounds: u32,
    ) -> Result<Plan, CliError> {
        let file = load_bots_file(self.file.as_deref())?;
        let bots = parse_bots(bots, &file, &self.program_limits)?;
        let threshold =
            |moves: Option<u32>, value| moves.map(|moves| AgreementThreshold { moves, value });
        Ok(Plan {
            variant: variant.to_string(),
            openings: self.openings(variant, &bots)?,
            bots,
            format: Format::RoundRobin,
            rounds,
            time_control: self.time_control.time_control_or(DEFAULT_TIME_CONTROL),
            margin_ms: self.margin,
            patience_ms: self.patience,
            seed: self.seed,
            move_limit: self.move_limit,
            adjudication: Adjudication {
                exact: self.adjudicate,
                win: threshold(self.agree_win, WIN_THRESHOLD),
                draw: threshold(self.agree_draw, DRAW_THRESHOLD),
            },
            scoring: match self.scoring {
                ScoringArg::Points => Scoring::Points,
                ScoringArg::Penalty => Scoring::Penalty,
            },
            sprt: None,
            concurrency: self.concurrency,
        })
    }

    fn openings(&self, variant: Variant, bots: &[BotSpec]) -> Result<Openings, CliError> {
        let Some(text) = self.openings.as_deref() else {
            return Ok(Openings::default_for(bots));
        };
        let invalid = |reason: String| {
            CliError::argument(&format!("--openings '{}'", sanitize(text)), reason)
        };
        if text == "start" {
            return Ok(Openings::Start);
        }
        let counted = text
            .split_once(':')
            .filter(|(kind, _)| ["random", "all"].contains(kind));
        if let Some((kind, plies)) = counted {
            let plies = plies
                .parse()
                .map_err(|_| invalid("needs a number of plies, such as random:4".into()))?;
            return Ok(match kind {
                "random" => Openings::Random(plies),
                _ => Openings::All(plies),
            });
        }
        let lines = read_text(Path::new(text), MAX_OPENINGS_SIZE).map_err(|error| {
            invalid(format!(
                "the file {error}; use start, random:PLIES, all:PLIES or a file"
            ))
        })?;
        let list = parse_openings(variant, &lines).map_err(|error| invalid(error.to_string()))?;
        Ok(Openings::List(list))
    }
}

impl TimeControlArgs {
    /// The given time control, or this default.
    pub(super) fn time_control_or(&self, default: TimeControl) -> TimeControl {
        let given = self.time.or(self.tc).or(self.nodes).or(self.depth);
        given.unwrap_or(default)
    }
}

/// A parser of the time control with this name.
fn time_control(
    name: &'static str,
) -> impl Fn(&str) -> Result<TimeControl, TimeControlError> + Clone {
    move |value| format!("{name}={value}").parse()
}

/// Parses an even number of games, since they are played in pairs with sides swapped.
pub(super) fn parse_games(text: &str) -> Result<u32, String> {
    let even = parse_in_range(text, "whole number", 2, u32::MAX - 1).ok();
    even.filter(|games: &u32| games.is_multiple_of(2))
        .ok_or_else(|| {
            "must be an even number, at least 2: games are played in pairs with sides swapped"
                .into()
        })
}

/// Parses the bots of a plan.
pub(super) fn parse_bots(
    texts: &[String],
    file: &BotsFile,
    program_limits: &ProgramLimitArgs,
) -> Result<Vec<BotSpec>, CliError> {
    let current_dir = std::env::current_dir().ok();
    let parse_bot = |text: &String| -> Result<BotSpec, CliError> {
        let mut spec = BotSpec::parse(text, file)
            .map_err(|error| CliError::argument(&format!("'{}'", sanitize(text)), error))?;
        // Fixed here, so that `resume` works from any directory.
        if let BotSource::Program(program) = &mut spec.source
            && program.directory.is_none()
        {
            program.directory.clone_from(&current_dir);
        }
        program_limits.apply_defaults(&mut spec);
        Ok(spec)
    };
    texts.iter().map(parse_bot).collect()
}

/// The named file of bots, or the one in the current directory, if there is one.
pub(super) fn load_bots_file(path_arg: Option<&Path>) -> Result<BotsFile, CliError> {
    let path = match path_arg {
        Some(path) => path,
        None if Path::new(DEFAULT_BOTS_FILE).is_file() => Path::new(DEFAULT_BOTS_FILE),
        None => return Ok(BotsFile::default()),
    };
    BotsFile::read(path).map_err(|error| CliError::argument("--bots", error))
}

/// Parses a time as in a time control, to milliseconds.
pub(super) fn parse_millis(text: &str) -> Result<u64, String> {
    if text.trim_end_matches(|c: char| c.is_ascii_alphabetic()) == "0" {
        return Ok(0);
    }
    match format!("time={text}").parse() {
        Ok(TimeControl::MoveTime(time)) => Ok(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        _ => Err("must be a time, such as 50ms or 2s".into()),
    }
}
