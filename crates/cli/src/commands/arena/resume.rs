//! `noughts arena resume`: continues a tournament, optionally with more games or bots.

use std::path::PathBuf;

use clap::Args;
use noughts_arena::{BotSource, BotSpec, EndReason, GameKey, Plan, PlayedGame, check_extension};
use noughts_store::{Store, TournamentId, TournamentState};

use super::plan_args::{self, MAX_CONCURRENCY, ProgramLimitArgs, load_bots_file, parse_bots};
use super::run::{RunArgs, build_schedule, check_programs_exist};
use crate::error::{CliError, sanitize};
use crate::output;
use crate::search_args::number;
use crate::store_handle::StoreHandle;
use crate::tournaments::author::is_owned_by_user;
use crate::tournaments::{TournamentJournal, parse_plan};

/// Continue a stopped or killed tournament, or extend one
///
/// Finished games stay. Games that were interrupted are played again with the same
/// openings, sides and seeds.
#[derive(Args)]
#[command(after_help = "Example: noughts arena resume 3 --games 200")]
pub(super) struct ResumeArgs {
    /// Tournament number, as listed by `noughts arena list` [default: the newest unfinished one]
    #[arg(value_name = "TOURNAMENT")]
    number: Option<i64>,

    /// Total number of games per pairing
    #[arg(long, value_name = "N", value_parser = plan_args::parse_games, allow_negative_numbers = true)]
    games: Option<u32>,

    /// Add a bot (repeatable)
    #[arg(long = "add", value_name = "BOT")]
    add: Vec<String>,

    /// Number of games at once
    #[arg(long, value_name = "N", value_parser = number(1, MAX_CONCURRENCY), allow_negative_numbers = true)]
    concurrency: Option<usize>,

    /// Bots file [default: bots.toml in the current folder, if it exists]
    #[arg(long = "bots", value_name = "FILE")]
    file: Option<PathBuf>,

    /// Discard the games that were lost on time and play them again
    #[arg(long)]
    replay_late: bool,

    /// Run the plan's programs without asking, even if it isn't your plan
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    program_limits: ProgramLimitArgs,

    #[command(flatten)]
    run_args: RunArgs,
}

impl ResumeArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let store_handle = self.run_args.open_store()?;
        let id = match self.number {
            Some(number) => TournamentId(number),
            // An extension can't be undone, so the tournament has to be named.
            None if self.games.is_some() || !self.add.is_empty() => {
                return Err(missing_number("to extend"));
            }
            None if self.replay_late => return Err(missing_number("with games to replay")),
            None => newest_open(&store_handle)?,
        };
        let (mut journal, mut plan, mut games) = TournamentJournal::resume(&store_handle, id)?;
        if !self.yes {
            self.confirm(&journal, &plan)?;
        }
        let previous_plan = plan.clone();
        if let Some(games) = self.games {
            plan.rounds = games / 2;
        }
        // Only read the file if it is needed: otherwise it may be broken.
        if !self.add.is_empty() {
            let file = load_bots_file(self.file.as_deref())?;
            plan.bots
                .extend(parse_bots(&self.add, &file, &self.program_limits)?);
        }
        if self.concurrency.is_some() {
            plan.concurrency = self.concurrency;
        }
        check_extension(&previous_plan, &plan)
            .map_err(|error| CliError::Argument(error.to_string()))?;
        let schedule = build_schedule(&plan)?;
        let is_late = |game: &PlayedGame| self.replay_late && game.reason == EndReason::Timeout;
        let late: Vec<GameKey> = games
            .iter()
            .filter(|game| is_late(game))
            .map(|game| game.key)
            .collect();
        if self.replay_late && late.is_empty() {
            return Err(CliError::Failure(format!(
                "nothing to replay: no game of tournament {id} was lost on time"
            )));
        }
        // Programs that no longer exist would lose all remaining games.
        check_programs_exist(&plan).map_err(CliError::Failure)?;
        let mut run = self.run_args.prepare()?;
        run.program_limits = self.program_limits.clone();
        if !late.is_empty() {
            journal.delete_games(&late)?;
            games.retain(|game| !is_late(game));
        }
        self.run_args
            .run_stored(&store_handle, &mut journal, &schedule, games, run)
    }

    /// Asks before running programs that this user hasn't planned on this machine: the database may
    /// come from anybody.
    fn confirm(&self, journal: &TournamentJournal<'_>, plan: &Plan) -> Result<(), CliError> {
        let lines: Vec<String> = plan.bots.iter().filter_map(command_line).collect();
        let author = journal.author()?;
        let is_trusted = author
            .as_ref()
            .is_some_and(|author| author.is_current(plan))
            && is_owned_by_user(&self.run_args.database_path()?);
        if lines.is_empty() || is_trusted {
            return Ok(());
        }
        let number = journal.id();
        let author_text = match author {
            Some(author) if !author.is_current(plan) => format!("was planned by {author}"),
            Some(_) => "is in a database that belongs to another user".to_owned(),
            None => "was planned by an unknown user".to_owned(),
        };
        output::note(&format!(
            "tournament {number} {author_text}. To continue it, noughts will run:\n{lines}",
            lines = lines.join("\n")
        ));
        let refused = |cause: &str| {
            CliError::Failure(format!(
                "nothing was run{cause}; use `noughts arena resume {number} --yes` to continue without asking"
            ))
        };
        match output::ask("Run them?")? {
            None => Err(refused(", because there's no terminal to ask in")),
            Some(false) => Err(refused("")),
            Some(true) => Ok(()),
        }
    }
}

/// A bot's command line, with control characters escaped.
fn command_line(bot: &BotSpec) -> Option<String> {
    let BotSource::Program(program) = &bot.source else {
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
    let passed_variables: Vec<&str> = program
        .env
        .iter()
        .filter(|(_, value)| value.is_none())
        .map(|(name, _)| name.as_str())
        .collect();
    if !passed_variables.is_empty() {
        details.push(format!("it can read your {}", passed_variables.join(", ")));
    }
    if !details.is_empty() {
        line += &format!("   ({})", details.join("; "));
    }
    let line: String = line.chars().flat_map(escape).collect();
    Some(format!("  {}: {line}", sanitize(&bot.name)))
}

/// Escapes a character, so that all of a command line is visible.
fn escape(c: char) -> Vec<char> {
    match c {
        '\'' | '"' | '\\' => vec![c],
        c => c.escape_debug().collect(),
    }
}

fn missing_number(which: &str) -> CliError {
    CliError::Argument(format!(
        "give the number of the tournament {which}; `noughts arena list` lists them"
    ))
}

/// The newest unfinished tournament.
fn newest_open(store_handle: &StoreHandle) -> Result<TournamentId, CliError> {
    let tournaments = store_handle.query(Store::tournaments)?;
    let open = tournaments.iter().find(|tournament| {
        tournament.state == TournamentState::Open && parse_plan(&tournament.plan).is_ok()
    });
    let none_open = "all tournaments are finished; to extend one, give its number (`noughts arena list` lists them)";
    open.map(|tournament| tournament.id)
        .ok_or_else(|| CliError::Failure(none_open.into()))
}
