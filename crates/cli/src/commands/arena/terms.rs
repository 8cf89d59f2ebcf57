//! Under which conditions games are played: from flags to a plan.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use noughts_arena::{
    Adjudication, AgreementThreshold, BotSource, BotSpec, BotsFile, Format, Openings, Plan,
    Protocol, Scoring, TimeControl, limits, parse_openings, read_text,
};
use noughts_rules::Variant;
use noughts_session::player_input;

use crate::error::{Error, sanitize};
use crate::thinking;

/// The file of bots that is read where no other is named, if it is there.
const BOTS: &str = "bots.toml";

/// A larger list of openings is none, in bytes.
const MOST_OPENINGS: u64 = 64 << 20;

/// What the games of a match or tournament have in common.
#[derive(Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    pace: TimeControlArgs,

    /// How much later than its time a bot may be.
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = millis)]
    margin: u64,

    /// How long to wait for a bot to be ready, or to move where no time is given.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = millis)]
    patience: u64,

    /// Where games begin: `start`, `random:PLIES`, `all:PLIES` (all that differ by more
    /// than a symmetry), or a file with a position or moves on each line [default:
    /// random:2; start where a CodinGame bot takes part].
    #[arg(long, value_name = "WHERE")]
    openings: Option<String>,

    /// Where all chance comes from: the same seed gives the same openings, and the same
    /// games where bots count nodes.
    #[arg(long, value_name = "N", default_value = "0", value_parser = thinking::seed, allow_negative_numbers = true)]
    seed: u64,

    /// A draw after so many moves of both, the opening not counted.
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    move_limit: Option<u32>,

    /// End a game as soon as its exact value is known: by a table or a short search.
    #[arg(long)]
    adjudicate: bool,

    /// End a game when for so many moves of each both bots have said that the same one wins.
    #[arg(long, value_name = "MOVES", value_parser = count, allow_negative_numbers = true)]
    agree_win: Option<u32>,

    /// End a game when for so many moves of each both bots have said that it is a draw.
    #[arg(long, value_name = "MOVES", value_parser = count, allow_negative_numbers = true)]
    agree_draw: Option<u32>,

    /// What a result is worth.
    #[arg(long, value_enum, default_value = "points")]
    scoring: ScoringArg,

    /// How many games at once [default: as many as there are cores].
    #[arg(long, value_name = "N", value_parser = at_once, allow_negative_numbers = true)]
    concurrency: Option<usize>,

    /// A file of bots [default: bots.toml here, if there is one].
    #[arg(long = "bots", value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    allowance: ProgramLimitArgs,
}

/// What outside bots may use, where the file of bots doesn't say it for each.
#[derive(Args, Clone, Default)]
pub(super) struct ProgramLimitArgs {
    /// A variable for the bots' environment, as NAME=VALUE or as it is here; may be given
    /// several times. Without it bots see PATH, HOME, LANG and a few more.
    #[arg(long = "bot-env", value_name = "NAME[=VALUE]", value_parser = limits::env)]
    env: Vec<(String, Option<String>)>,

    /// The memory that each process of a bot may allocate, such as 512M or 2G.
    #[arg(long = "bot-memory", value_name = "SIZE", value_parser = limits::memory, allow_negative_numbers = true)]
    memory: Option<u64>,

    /// The processor time that each process of a bot may use in one game, such as 60s.
    #[arg(long = "bot-cpu", value_name = "TIME", value_parser = limits::cpu, allow_negative_numbers = true)]
    cpu: Option<u64>,
}

impl ProgramLimitArgs {
    /// Applies it to an outside bot; what the bot says of itself counts more.
    pub(super) fn apply_defaults(&self, bot: &mut BotSpec) {
        if let BotSource::Program(program) = &mut bot.who {
            for (name, value) in &self.env {
                let entry = program.env.entry(name.clone());
                entry.or_insert_with(|| value.clone());
            }
            program.memory = program.memory.or(self.memory);
            program.cpu = program.cpu.or(self.cpu);
        }
    }

    /// Applies it to an outside bot of a plan, whatever the plan says.
    pub(super) fn apply_overrides(&self, bot: &mut BotSpec) {
        if let BotSource::Program(program) = &mut bot.who {
            program.env.extend(self.env.iter().cloned());
            program.memory = self.memory.or(program.memory);
            program.cpu = self.cpu.or(program.cpu);
        }
    }
}

/// How long bots think that say nothing else themselves.
#[derive(Args)]
#[group(multiple = false)]
pub(super) struct TimeControlArgs {
    /// So long for each move, such as 100ms [the default] or 2s; a bare number is
    /// milliseconds.
    #[arg(long, value_name = "TIME")]
    time: Option<String>,

    /// So long for the game and what each move adds, such as 10s+100ms; bare numbers are
    /// seconds.
    #[arg(long, value_name = "BASE+INCREMENT")]
    tc: Option<String>,

    /// So many positions for each move.
    #[arg(long, value_name = "N")]
    nodes: Option<String>,

    /// So many plies ahead.
    #[arg(long, value_name = "N")]
    depth: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ScoringArg {
    /// 1 for a win, ½ for a draw.
    Points,
    /// 0 for the winner, 3 for the loser, 1 each for a draw: less is better.
    Penalty,
}

/// How long bots think where nothing is said.
const USUAL_PACE: TimeControl = TimeControl::MoveTime(Duration::from_millis(100));

/// A bot's own word counts for a win from here on.
const SURE: f64 = 0.9;
/// And for a draw up to here.
const EVEN: f64 = 0.05;

impl PlanArgs {
    /// The plan of these bots at this game, everybody against everybody.
    pub(super) fn plan(&self, variant: &str, bots: &[String], rounds: u32) -> Result<Plan, Error> {
        let game = player_input::parse_variant(variant)
            .map_err(|reason| Error::Argument(format!("`{}`: {reason}", sanitize(variant))))?;
        let file = load_bots_file(self.file.as_deref())?;
        let bots = parse_bots(bots, &file, &self.allowance)?;
        let agreed =
            |moves: Option<u32>, value| moves.map(|moves| AgreementThreshold { moves, value });
        Ok(Plan {
            variant: game.to_string(),
            openings: self.openings(game, &bots)?,
            bots,
            format: Format::RoundRobin,
            rounds,
            pace: self.pace.time_control_or(USUAL_PACE)?,
            margin_ms: self.margin,
            patience_ms: self.patience,
            seed: self.seed,
            move_limit: self.move_limit,
            adjudication: Adjudication {
                exact: self.adjudicate,
                win: agreed(self.agree_win, SURE),
                draw: agreed(self.agree_draw, EVEN),
            },
            scoring: match self.scoring {
                ScoringArg::Points => Scoring::Points,
                ScoringArg::Penalty => Scoring::Penalty,
            },
            sprt: None,
            concurrency: self.concurrency,
        })
    }

    fn openings(&self, variant: Variant, bots: &[BotSpec]) -> Result<Openings, Error> {
        let Some(text) = self.openings.as_deref() else {
            let from_start = bots.iter().any(|bot| match &bot.who {
                BotSource::Program(program) => program.protocol == Protocol::Codingame,
                BotSource::Ours(_) | BotSource::Guest => false,
            });
            return Ok(match from_start {
                true => Openings::Start,
                false => Openings::Random(2),
            });
        };
        let wrong =
            |reason: String| Error::argument(&format!("--openings '{}'", sanitize(text)), reason);
        if text == "start" {
            return Ok(Openings::Start);
        }
        let counted = text
            .split_once(':')
            .filter(|(kind, _)| ["random", "all"].contains(kind));
        if let Some((kind, plies)) = counted {
            let plies = plies
                .parse()
                .map_err(|_| wrong("a number of plies is needed, such as random:4".into()))?;
            return Ok(match kind {
                "random" => Openings::Random(plies),
                _ => Openings::All(plies),
            });
        }
        let lines = read_text(Path::new(text), MOST_OPENINGS).map_err(|error| {
            wrong(format!(
                "as a file it {error}; allowed are start, random:PLIES, all:PLIES or a file"
            ))
        })?;
        let list = parse_openings(variant, &lines).map_err(|error| wrong(error.to_string()))?;
        Ok(Openings::List(list))
    }
}

impl TimeControlArgs {
    /// The pace that is given, or this one.
    pub(super) fn time_control_or(&self, usual: TimeControl) -> Result<TimeControl, Error> {
        let flags = [
            ("time", &self.time),
            ("tc", &self.tc),
            ("nodes", &self.nodes),
            ("depth", &self.depth),
        ];
        let given = flags
            .iter()
            .find_map(|(name, value)| Some((name, value.as_ref()?)));
        let Some((name, value)) = given else {
            return Ok(usual);
        };
        let text = format!("{name}={value}");
        text.parse()
            .map_err(|error: noughts_arena::TimeControlError| {
                Error::argument(&format!("--{}", text.replace('=', " ")), error)
            })
    }
}

/// A number of games. They are played in pairs with sides swapped.
pub(super) fn games(text: &str) -> Result<u32, String> {
    let even = thinking::parse_in_range(text, "whole number", 2, u32::MAX - 1).ok();
    even.filter(|games: &u32| games.is_multiple_of(2))
        .ok_or_else(|| {
            "games are played in pairs with sides swapped; an even number is needed, at least 2"
                .into()
        })
}

fn count(text: &str) -> Result<u32, String> {
    thinking::parse_in_range(text, "whole number", 1, u32::MAX)
}

/// How many games may be played at once.
pub(super) fn at_once(text: &str) -> Result<usize, String> {
    thinking::parse_in_range(text, "whole number", 1, 1024)
}

/// The bots that these texts describe.
pub(super) fn parse_bots(
    texts: &[String],
    file: &BotsFile,
    allowance: &ProgramLimitArgs,
) -> Result<Vec<BotSpec>, Error> {
    let here = std::env::current_dir().ok();
    let read = |text: &String| -> Result<BotSpec, Error> {
        let mut spec = BotSpec::parse(text, file)
            .map_err(|error| Error::argument(&format!("'{}'", sanitize(text)), error))?;
        // It goes on from wherever it is resumed.
        if let BotSource::Program(program) = &mut spec.who
            && program.directory.is_none()
        {
            program.directory.clone_from(&here);
        }
        allowance.apply_defaults(&mut spec);
        Ok(spec)
    };
    texts.iter().map(read).collect()
}

/// The file of bots that was named, or the one that is here.
pub(super) fn load_bots_file(named: Option<&Path>) -> Result<BotsFile, Error> {
    let path = match named {
        Some(path) => path,
        None if Path::new(BOTS).is_file() => Path::new(BOTS),
        None => return Ok(BotsFile::default()),
    };
    BotsFile::read(path).map_err(|error| Error::argument("--bots", error))
}

/// A time as a pace has it, in milliseconds.
pub(super) fn millis(text: &str) -> Result<u64, String> {
    if text.trim_end_matches(|c: char| c.is_ascii_alphabetic()) == "0" {
        return Ok(0);
    }
    match format!("time={text}").parse() {
        Ok(TimeControl::MoveTime(time)) => Ok(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        _ => Err("a time is needed, such as 50ms or 2s".into()),
    }
}
