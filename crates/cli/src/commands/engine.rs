//! `noughts engine`: the bots as a UGI engine, for other programs.

use std::io;
use std::time::Duration;

use clap::Args;
use noughts_engine::ugi::{self, UgiOptions};
use noughts_engine::{BotKind, BotSettings};
use noughts_rules::Variant;
use noughts_session::player_input;

use crate::data::DataArgs;
use crate::error::CliError;
use crate::position::game_help;
use crate::search_args::{self, MAX_MEBIBYTES, MAX_THREADS, number};

/// Run as a UGI engine on standard input and output, for match runners
///
/// Flags set the initial values of the UGI options with the same names; the match
/// runner can change them. docs/protocol.md shows a session.
#[derive(Args)]
#[command(after_help = "Example: noughts engine --variant ultimate")]
pub(crate) struct EngineArgs {
    #[arg(long, value_parser = player_input::parse_variant, default_value_t, help = game_help())]
    variant: Variant,

    /// Bot that plays; `noughts bots` lists them
    #[arg(long, value_name = "BOT", value_parser = search_args::parse_bot, default_value = "best")]
    bot: BotKind,

    /// Number of threads
    #[arg(long, value_name = "N", value_parser = number(1, MAX_THREADS), default_value = "1", allow_negative_numbers = true)]
    threads: usize,

    /// Memory for the search, in MiB
    #[arg(long, value_name = "MIB", value_parser = number(1, MAX_MEBIBYTES), default_value = "64", allow_negative_numbers = true)]
    hash: usize,

    /// Seed for random choices
    #[arg(long, value_name = "SEED", value_parser = number(0, u64::MAX), default_value = "0", allow_negative_numbers = true)]
    seed: u64,

    /// Subtract this many milliseconds from every time limit
    #[arg(long, value_name = "MS", value_parser = parse_overhead, default_value = "10", allow_negative_numbers = true)]
    overhead: u64,

    #[command(flatten)]
    data: DataArgs,
}

fn parse_overhead(text: &str) -> Result<u64, String> {
    search_args::parse_in_range(text, "whole number of milliseconds", 0, 10_000)
}

impl EngineArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
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
            // The match runner closed the pipe.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(CliError::failed(
                "lost the connection to the match runner",
                error,
            )),
            Ok(()) => Ok(()),
        }
    }
}
