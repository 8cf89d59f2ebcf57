//! `noughts arena resume`: goes on with a tournament, perhaps with more to play.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use clap::Args;
use noughts_arena::{BotSource, BotSpec, EndReason, GameKey, Plan, PlayedGame, check_extension};
use noughts_session::arena::{TournamentJournal, TournamentStoreError, parse_plan};
use noughts_session::origin::is_owned_by_user;
use noughts_store::{TournamentId, TournamentState};

use super::run::{RunArgs, build_schedule, check_programs_exist};
use super::terms::{self, ProgramLimitArgs, load_bots_file, parse_bots};
use crate::error::{Error, sanitize};
use crate::output;
use crate::store_handle::StoreHandle;

/// Go on with a tournament that was stopped or killed, or extend one
///
/// Games that have ended are kept, those that were being played are played again, with the
/// same openings, sides and seeds.
#[derive(Args)]
#[command(after_help = "Example: noughts arena resume 3 --games 200")]
pub(super) struct Resume {
    /// Its number, as `noughts arena list` has it [default: the newest that is not finished].
    #[arg(value_name = "TOURNAMENT")]
    number: Option<i64>,

    /// So many games in all between each two that meet.
    #[arg(long, value_name = "N", value_parser = terms::games, allow_negative_numbers = true)]
    games: Option<u32>,

    /// One more bot; may be given several times.
    #[arg(long = "add", value_name = "BOT")]
    add: Vec<String>,

    /// How many games at once.
    #[arg(long, value_name = "N", value_parser = terms::at_once, allow_negative_numbers = true)]
    concurrency: Option<usize>,

    /// A file of bots [default: bots.toml here, if there is one].
    #[arg(long = "bots", value_name = "FILE")]
    file: Option<PathBuf>,

    /// Forget the games that were lost on time, and play them again.
    #[arg(long)]
    replay_late: bool,

    /// Run the programs of the plan without asking, whoever planned it.
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    allowance: ProgramLimitArgs,

    #[command(flatten)]
    venue: RunArgs,
}

impl Resume {
    pub(super) fn run(&self) -> Result<(), Error> {
        let keeper = self.venue.open_store()?;
        let id = match self.number {
            Some(number) => TournamentId(number),
            // What is added cannot be taken away: it must be clear to what.
            None if self.games.is_some() || !self.add.is_empty() => {
                return Err(Error::Argument(
                    "which tournament is to be extended? Name its number, as `noughts arena list` has it".into(),
                ));
            }
            None if self.replay_late => {
                return Err(Error::Argument(
                    "which tournament has games to replay? Add its number, as `noughts arena list` shows it".into(),
                ));
            }
            None => newest(&keeper)?,
        };
        let (mut kept, mut plan, mut games) =
            TournamentJournal::resume(keeper.runtime_handle(), keeper.store(), id)?;
        if !self.yes {
            self.confirm(&kept, &plan)?;
        }
        let before = plan.clone();
        if let Some(games) = self.games {
            plan.rounds = games / 2;
        }
        // A file that is not asked for anything may be broken.
        if !self.add.is_empty() {
            let file = load_bots_file(self.file.as_deref())?;
            plan.bots
                .extend(parse_bots(&self.add, &file, &self.allowance)?);
        }
        if self.concurrency.is_some() {
            plan.concurrency = self.concurrency;
        }
        check_extension(&before, &plan).map_err(|error| Error::Argument(error.to_string()))?;
        let schedule = build_schedule(&plan)?;
        let is_late = |game: &PlayedGame| self.replay_late && game.reason == EndReason::Timeout;
        let late: Vec<GameKey> = games
            .iter()
            .filter(|game| is_late(game))
            .map(|game| game.key)
            .collect();
        if self.replay_late && late.is_empty() {
            return Err(Error::Failure(format!(
                "no game of tournament {id} was lost on time; there is nothing to replay"
            )));
        }
        // Programs that no longer exist would lose all that is left to play.
        check_programs_exist(&plan).map_err(Error::Failure)?;
        let mut ready = self.venue.prepare()?;
        ready.allowance = self.allowance.clone();
        if !late.is_empty() {
            kept.delete_games(&late)
                .map_err(TournamentStoreError::from)?;
            games.retain(|game| !is_late(game));
        }
        self.venue
            .run_stored(&keeper, &mut kept, &schedule, games, ready)
    }
}

impl Resume {
    /// Asks before programs are run that this user has not planned on this machine: the
    /// database may come from anybody.
    fn confirm(&self, kept: &TournamentJournal, plan: &Plan) -> Result<(), Error> {
        let lines: Vec<String> = plan.bots.iter().filter_map(command_line).collect();
        let origin = kept.origin().map_err(TournamentStoreError::from)?;
        let is_mine = origin
            .as_ref()
            .is_some_and(|origin| origin.is_current(plan))
            && is_owned_by_user(&self.venue.database_path()?);
        if lines.is_empty() || is_mine {
            return Ok(());
        }
        let number = kept.id();
        let by = match origin {
            Some(origin) if !origin.is_current(plan) => format!("was planned by {origin}"),
            Some(_) => "is in a database that belongs to another user".to_owned(),
            None => "doesn't say who planned it".to_owned(),
        };
        output::note(&format!(
            "tournament {number} {by}. To continue it, this program runs:\n{}",
            lines.join("\n")
        ));
        let refused = |how: &str| {
            Error::Failure(format!(
                "nothing was run{how}; `noughts arena resume {number} --yes` continues without asking"
            ))
        };
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Err(refused(": nobody can be asked here"));
        }
        output::note("Run them? [y/N]");
        let mut answer = String::new();
        io::stdin()
            .read_line(&mut answer)
            .map_err(|error| Error::Failure(format!("cannot read an answer: {error}")))?;
        match answer.trim().to_lowercase().as_str() {
            "y" | "yes" => Ok(()),
            _ => Err(refused("")),
        }
    }
}

/// How a bot is run, on a line that does nothing to the terminal.
fn command_line(bot: &BotSpec) -> Option<String> {
    let BotSource::Program(program) = &bot.who else {
        return None;
    };
    let mut words: Vec<String> = Vec::new();
    for (name, value) in &program.env {
        words.extend(value.as_ref().map(|value| format!("{name}={value}")));
    }
    words.push(program.command.clone());
    words.extend(program.arguments.iter().cloned());
    let line = shlex::try_join(words.iter().map(String::as_str));
    let mut line = line.unwrap_or_else(|_| words.join(" "));
    let mut details = Vec::new();
    if let Some(directory) = &program.directory {
        details.push(format!("in {}", directory.display()));
    }
    let passed: Vec<&str> = program
        .env
        .iter()
        .filter(|(_, value)| value.is_none())
        .map(|(name, _)| name.as_str())
        .collect();
    if !passed.is_empty() {
        details.push(format!("it can read your {}", passed.join(", ")));
    }
    if !details.is_empty() {
        line += &format!("   ({})", details.join("; "));
    }
    let line: String = line.chars().flat_map(escaped).collect();
    Some(format!("  {}: {line}", sanitize(&bot.name)))
}

/// All of a command line is shown, however odd.
fn escaped(c: char) -> Vec<char> {
    match c {
        '\'' | '"' | '\\' => vec![c],
        c => c.escape_debug().collect(),
    }
}

/// The newest tournament that is not finished.
fn newest(keeper: &StoreHandle) -> Result<TournamentId, Error> {
    let all = keeper.block_on(keeper.store().tournaments())?;
    let open = all
        .iter()
        .filter(|one| one.state == TournamentState::Open && parse_plan(&one.plan).is_ok())
        .max_by_key(|one| one.id.0);
    let nothing = "every tournament is finished; name one to extend it (noughts arena list)";
    open.map(|one| one.id)
        .ok_or_else(|| Error::Failure(nothing.into()))
}
