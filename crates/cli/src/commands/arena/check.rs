//! `noughts arena check`: tests a bot step by step and explains what is wrong with it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use noughts_arena::check::{BotCheck, CheckStatus};
use noughts_arena::{BotSource, BotSpec, BotsFile, Notation, Protocol, ProtocolLog};
use noughts_rules::Variant;
use noughts_session::player_input;
use noughts_text::plural;
use serde_json::json;

use super::plan_args::{ProgramLimitArgs, TimeControlArgs, load_bots_file, parse_millis};
use crate::error::CliError;
use crate::output;

/// Test a bot step by step and explain what to fix
///
/// The test includes two whole games at the given time control. Once the bot has exceeded
/// a time limit, the check stops waiting for it.
///
/// COMMAND is a program with its arguments, or a bot as in a match (`ugi:./bot --fast`, or a
/// name from the bots file).
#[derive(Args)]
#[command(after_help = "Example: noughts arena check --variant ultimate python3 bot.py")]
pub(super) struct CheckArgs {
    /// Game to test the bot with [default: the usual one for its protocol]
    #[arg(long, value_parser = player_input::parse_variant)]
    variant: Option<Variant>,

    /// Protocol that the bot speaks
    #[arg(long, value_enum)]
    protocol: Option<ProtocolArg>,

    /// How the bot writes moves [default: detected]
    #[arg(long, value_enum)]
    notation: Option<NotationArg>,

    #[command(flatten)]
    time_control: TimeControlArgs,

    /// How far a move may exceed its time limit
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = parse_millis)]
    margin: u64,

    /// Log every line sent and received to this file, with its time
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// How long to wait for the bot to be ready, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    patience: u64,

    /// Bots file [default: bots.toml in the current folder, if it exists]
    #[arg(long = "bots", value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    program_limits: ProgramLimitArgs,

    /// Print each step as one line of JSON
    #[arg(long)]
    json: bool,

    /// Program and its arguments; put `--` before arguments that start with a dash
    #[arg(required = true, num_args = 1..)]
    command: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ProtocolArg {
    /// Universal Game Interface
    Ugi,
    /// CodinGame's ultimate tic-tac-toe protocol
    Codingame,
}

#[derive(Clone, Copy, ValueEnum)]
enum NotationArg {
    /// Board and cell, such as `ee`
    Native,
    /// File and rank on the 9×9 board, such as `e5`; rank 1 is at the bottom
    Global,
    /// The same with rank 1 at the top
    GlobalTop,
}

impl From<NotationArg> for Notation {
    fn from(notation: NotationArg) -> Notation {
        match notation {
            NotationArg::Native => Notation::Native,
            NotationArg::Global => Notation::Global,
            NotationArg::GlobalTop => Notation::GlobalTop,
        }
    }
}

impl CheckArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let (mut spec, match_name) = self.spec()?;
        self.program_limits.apply_defaults(&mut spec);
        if let (Some(notation), BotSource::Program(program)) = (self.notation, &mut spec.source) {
            program.notation = notation.into();
        }
        let mut output_error = None;
        let game = self.variant.unwrap_or_else(|| spec.default_variant());
        let mut check = BotCheck::new(spec, game);
        check.patience = Duration::from_secs(self.patience);
        check.margin = Duration::from_millis(self.margin);
        check.time_control = self.time_control.time_control_or(check.time_control);
        check.protocol_log = self.log.as_deref().map(create_bot_log).transpose()?;
        let limit = match check.max_duration() {
            Some(longest) => format!(
                "this takes {seconds} s at most if the bot stays within its time limits",
                seconds = longest.as_secs_f64().ceil()
            ),
            None => {
                "this takes as long as the bot does, since its moves have no time limit".to_owned()
            }
        };
        output::note(&format!(
            "checking the bot with {game}, {time_control}; {limit}",
            time_control = check.time_control
        ));
        let mut counts = [0_usize; 3];
        let report = check.run(&mut |step| {
            counts[step.status as usize] += 1;
            let printed = match self.json {
                true => output::print_json(&json!({
                    "step": step.name, "status": step.status.name(), "observed": step.observed, "advice": step.advice,
                })),
                false => {
                    let mut text =
                        format!("{:4}  {}: {}\n", step.status.name(), step.name, step.observed);
                    let advice = step.advice.as_deref();
                    if let Some(advice) = advice.filter(|_| step.status != CheckStatus::Pass) {
                        text += &format!("      {advice}\n");
                    }
                    output::print(&text)
                }
            };
            if let Err(error) = printed {
                output_error.get_or_insert(error);
            }
        });
        if let Some(output_error) = output_error {
            return Err(output_error);
        }
        if let Some(error) = check.protocol_log.as_ref().and_then(ProtocolLog::error) {
            output::note(&format!("the log is incomplete: {error}"));
        }
        let passed_all = report.passed;
        let [passed, warned, failed] = counts;
        let total = passed + warned + failed;
        if self.json {
            output::print_json(&json!({
                "passed": passed_all, "notation": report.notation.name(), "steps": total, "ok": passed, "warn": warned, "fail": failed,
            }))?;
        }
        if !passed_all {
            return Err(CliError::Failure(format!(
                "the bot doesn't work yet: {failed} of {total} steps failed; see above for how to fix them"
            )));
        }
        if !self.json {
            let summary = match warned {
                0 => format!("all {total} steps passed"),
                n => format!("the bot works, with {}", plural(n, "warning")),
            };
            let match_name = match match_name.strip_prefix("ugi:") {
                Some(command) if !report.notation.is_native() => {
                    format!("ugi-{}:{command}", report.notation.name())
                }
                _ => match_name,
            };
            let bot = shlex::try_quote(&match_name).map_or(match_name.clone(), Into::into);
            let other = if match_name == "random" {
                "easy"
            } else {
                "random"
            };
            output::print(&format!(
                "\n{summary}\nnext: noughts arena match {game} {bot} {other} --games 100\n"
            ))?;
        }
        Ok(())
    }

    /// The bot to check and its name in a match. A single argument may be a bot as in a match;
    /// otherwise the arguments are a command line.
    fn spec(&self) -> Result<(BotSpec, String), CliError> {
        let file = load_bots_file(self.file.as_deref())?;
        if let [argument] = &self.command[..]
            && self.protocol.is_none()
            && let Ok(spec) = BotSpec::parse(argument, &file)
        {
            return Ok((spec, argument.clone()));
        }
        let words = match &self.command[..] {
            // A quoted command line.
            [argument] => shlex::split(argument).unwrap_or_else(|| vec![argument.clone()]),
            words => words.to_vec(),
        };
        let protocol = match self.protocol {
            Some(ProtocolArg::Codingame) => Protocol::Codingame,
            Some(ProtocolArg::Ugi) | None => Protocol::Ugi,
        };
        let line = shlex::try_join(words.iter().map(String::as_str));
        let line = line.unwrap_or_else(|_| words.join(" "));
        let match_name = format!("{}:{line}", protocol.name());
        let mut spec = BotSpec::parse(&match_name, &BotsFile::default())
            .map_err(|error| CliError::argument("COMMAND", error))?;
        spec.name = words.into_iter().next().unwrap_or_default();
        Ok((spec, match_name))
    }
}

/// Creates the file that `--log` names.
pub(super) fn create_bot_log(path: &Path) -> Result<ProtocolLog, CliError> {
    ProtocolLog::create(path)
        .map_err(|error| CliError::argument("--log", format!("{}: {error}", path.display())))
}
