//! `noughts engine`: the bots for other programs, by UGI.

use std::io;
use std::time::Duration;

use clap::Args;
use noughts_engine::ugi::{self, UgiOptions};
use noughts_engine::{BotKind, BotSettings};
use noughts_rules::Variant;

use crate::data::DataArgs;
use crate::error::Error;
use crate::position;
use crate::thinking;

/// Speak UGI on standard input and output, for match runners
///
/// The flags are what the options of the same names begin with; the runner can
/// set them. The protocol page of the documentation has a session to copy.
#[derive(Args)]
#[command(after_help = "Example: noughts engine --variant ultimate")]
pub(crate) struct Engine {
    /// The game.
    #[arg(long, value_parser = position::variant, default_value = "classic")]
    variant: Variant,

    /// Which bot; `noughts bots` lists them.
    #[arg(long, value_name = "BOT", value_parser = thinking::bot, default_value = "best")]
    bot: BotKind,

    /// How many threads it may use.
    #[arg(long, value_name = "N", value_parser = thinking::threads, default_value = "1", allow_negative_numbers = true)]
    threads: usize,

    /// MiB for what it remembers.
    #[arg(long, value_name = "MIB", value_parser = thinking::mebibytes, default_value = "64", allow_negative_numbers = true)]
    hash: usize,

    /// Where its random choices come from.
    #[arg(long, value_name = "SEED", value_parser = thinking::seed, default_value = "0", allow_negative_numbers = true)]
    seed: u64,

    /// Milliseconds taken off every time limit.
    #[arg(long, value_name = "MS", value_parser = overhead, default_value = "10", allow_negative_numbers = true)]
    overhead: u64,

    #[command(flatten)]
    data: DataArgs,
}

fn overhead(text: &str) -> Result<u64, String> {
    thinking::parse_in_range(text, "whole number of milliseconds", 0, 10_000)
}

impl Engine {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let options = UgiOptions {
            variant: self.variant,
            bot: self.bot,
            settings: BotSettings {
                seed: self.seed,
                threads: self.threads,
                memory: self.hash << 20,
                tablebases: self.data.open_tablebases(),
            },
            overhead: Duration::from_millis(self.overhead),
        };
        match ugi::serve(io::stdin().lock(), io::stdout(), options) {
            // The runner has gone.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(Error::Failure(format!(
                "the conversation broke off: {error}"
            ))),
            Ok(()) => Ok(()),
        }
    }
}
