//! `noughts arena check`: tries a bot step by step and says in words what is wrong.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use noughts_arena::check::{Grade, check};
use noughts_arena::{BotSpec, Program, Protocol, Who};
use noughts_rules::Variant;
use serde_json::json;

use super::terms::bots_file;
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
        let spec = self.spec()?;
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
        let fine = check(&spec, game, patience, &mut |step| {
            let told = match self.json {
                true => output::print_json(&json!({
                    "step": step.what, "grade": step.grade.word(), "seen": step.seen, "mend": step.mend,
                })),
                false => {
                    let mut text =
                        format!("{:4}  {}: {}\n", step.grade.word(), step.what, step.seen);
                    if let Some(mend) = step.mend.filter(|_| step.grade != Grade::Good) {
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
        match fine {
            true => Ok(()),
            false => Err(Error::Failure(
                "the bot does not work yet; see what failed above".into(),
            )),
        }
    }

    /// One argument may be a bot as in a match; else it is a command as it stands.
    fn spec(&self) -> Result<BotSpec, Error> {
        let file = bots_file(self.file.as_deref())?;
        let words = match &self.command[..] {
            [one] if self.protocol.is_none() && BotSpec::read(one, &file).is_ok() => {
                return BotSpec::read(one, &file)
                    .map_err(|error| Error::argument(&format!("'{one}'"), error));
            }
            // A whole command line in quotes.
            [one] => shlex::split(one).unwrap_or_else(|| vec![one.clone()]),
            words => words.to_vec(),
        };
        let mut words = words.into_iter();
        let (command, arguments) = (words.next().unwrap_or_default(), words.collect());
        Ok(BotSpec {
            name: command.clone(),
            who: Who::Program(Program {
                protocol: match self.protocol {
                    Some(ProtocolArg::Codingame) => Protocol::Codingame,
                    Some(ProtocolArg::Ugi) | None => Protocol::Ugi,
                },
                command,
                arguments,
                directory: None,
                options: BTreeMap::new(),
                threads: 1,
            }),
            pace: None,
        })
    }
}
