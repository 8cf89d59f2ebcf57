//! `noughts arena check`: tries a bot step by step and says in words what is wrong.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use noughts_arena::check::{Grade, check};
use noughts_arena::{BotSpec, Program, Protocol, Who};
use noughts_rules::Variant;
use serde_json::json;

use super::terms::{Allowance, bots_file};
use crate::error::Error;
use crate::output;
use crate::position::variant;

/// Try a bot step by step, and say in words what is wrong with it
///
/// COMMAND is a program with its arguments, or a bot as in a match (`ugi:./bot --fast`, a
/// name from the file of bots).
#[derive(Args)]
#[command(after_help = "Example: noughts arena check --variant ultimate python3 bot.py")]
pub(super) struct Check {
    /// The game that it is tried at [default: classic, for CodinGame ultimate].
    #[arg(long, value_parser = variant)]
    variant: Option<Variant>,

    /// How one talks with it.
    #[arg(long, value_enum)]
    protocol: Option<ProtocolArg>,

    /// How long to wait for it to be ready, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    patience: u64,

    /// A file of bots [default: bots.toml here, if there is one].
    #[arg(long = "bots", value_name = "FILE")]
    file: Option<PathBuf>,

    #[command(flatten)]
    allowance: Allowance,

    /// Print each step as a JSON object on a line.
    #[arg(long)]
    json: bool,

    /// The program and its arguments; those that begin with a dash stand behind `--`.
    #[arg(required = true, num_args = 1..)]
    command: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ProtocolArg {
    /// The universal game interface.
    Ugi,
    /// CodinGame's ultimate tic-tac-toe.
    Codingame,
}

impl Check {
    pub(super) fn run(&self) -> Result<(), Error> {
        let (mut spec, named) = self.spec()?;
        self.allowance.apply(&mut spec);
        let codingame = match &spec.who {
            Who::Program(program) => program.protocol == Protocol::Codingame,
            Who::Ours(_) | Who::Guest => false,
        };
        let usual = match codingame {
            true => Variant::ULTIMATE,
            false => Variant::CLASSIC,
        };
        let mut trouble = None;
        let patience = Duration::from_secs(self.patience);
        let game = self.variant.unwrap_or(usual);
        let mut counts = [0_usize; 3];
        let fine = check(&spec, game, patience, &mut |step| {
            counts[step.grade as usize] += 1;
            let told = match self.json {
                true => output::print_json(&json!({
                    "step": step.what, "grade": step.grade.word(), "seen": step.seen, "mend": step.mend,
                })),
                false => {
                    let mut text =
                        format!("{:4}  {}: {}\n", step.grade.word(), step.what, step.seen);
                    if let Some(mend) = step.mend.as_deref().filter(|_| step.grade != Grade::Good) {
                        text += &format!("      {mend}\n");
                    }
                    output::print(&text)
                }
            };
            if let Err(error) = told {
                trouble.get_or_insert(error);
            }
        });
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let [good, doubtful, bad] = counts;
        let all = good + doubtful + bad;
        if self.json {
            output::print_json(&json!({
                "fine": fine, "steps": all, "ok": good, "warn": doubtful, "fail": bad,
            }))?;
        }
        if !fine {
            return Err(Error::Failure(format!(
                "the bot does not work yet: {bad} of {all} steps failed; see above how to mend them"
            )));
        }
        if !self.json {
            let well = match doubtful {
                0 => format!("all {all} steps are ok"),
                1 => "it works; 1 step is worth a look".into(),
                n => format!("it works; {n} steps are worth a look"),
            };
            let bot = shlex::try_quote(&named).map_or(named.clone(), Into::into);
            let other = if named == "random" { "easy" } else { "random" };
            output::print(&format!(
                "\n{well}\nnext: noughts arena match {game} {bot} {other} --games 100\n"
            ))?;
        }
        Ok(())
    }

    /// One argument may be a bot as in a match; else it is a command as it stands. With it
    /// comes what the bot is called in a match.
    fn spec(&self) -> Result<(BotSpec, String), Error> {
        let file = bots_file(self.file.as_deref())?;
        let words = match &self.command[..] {
            [one] if self.protocol.is_none() && BotSpec::read(one, &file).is_ok() => {
                return BotSpec::read(one, &file)
                    .map(|spec| (spec, one.clone()))
                    .map_err(|error| Error::argument(&format!("'{one}'"), error));
            }
            // A whole command line in quotes.
            [one] => shlex::split(one).unwrap_or_else(|| vec![one.clone()]),
            words => words.to_vec(),
        };
        let protocol = match self.protocol {
            Some(ProtocolArg::Codingame) => Protocol::Codingame,
            Some(ProtocolArg::Ugi) | None => Protocol::Ugi,
        };
        let line = shlex::try_join(words.iter().map(String::as_str));
        let line = line.unwrap_or_else(|_| words.join(" "));
        let named = format!("{}:{line}", protocol.word());
        let mut words = words.into_iter();
        let (command, arguments) = (words.next().unwrap_or_default(), words.collect());
        let spec = BotSpec {
            name: command.clone(),
            who: Who::Program(Program {
                protocol,
                command,
                arguments,
                directory: None,
                options: BTreeMap::new(),
                threads: 1,
                ..Program::default()
            }),
            pace: None,
        };
        Ok((spec, named))
    }
}
