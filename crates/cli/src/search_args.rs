//! The arguments that limit what bots and solvers may use, the same for every command that runs
//! one.

use std::fmt::Display;
use std::num::NonZero;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use clap::Args;
use noughts_engine::{BotKind, BotSettings, SearchLimits, Tablebases, UnknownBotError, tablebase};
use noughts_rules::Variant;

use crate::data::DataArgs;

/// What it may use of the machine.
#[derive(Args)]
pub(crate) struct ResourceArgs {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    threads: Option<usize>,

    /// Memory for the search, in MiB
    #[arg(long, value_name = "MIB", value_parser = parse_mebibytes, default_value = "64", allow_negative_numbers = true)]
    memory: usize,

    #[command(flatten)]
    data: DataArgs,
}

impl ResourceArgs {
    /// The settings of a bot or solver for this variant.
    pub(crate) fn settings(&self, variant: Variant, seed: u64) -> BotSettings {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        BotSettings {
            seed,
            threads: self.threads.unwrap_or_else(cores),
            memory: self.memory << 20,
            // Opening a tablebase takes a moment: only if the variant has one.
            tablebases: if tablebase::SUPPORTED_VARIANTS.contains(&variant) {
                self.data.open_tablebases()
            } else {
                Tablebases::default()
            },
        }
    }
}

/// What it may spend on one move.
#[derive(Args)]
pub(crate) struct SearchLimitArgs {
    /// Stop after this many milliseconds
    #[arg(long, value_name = "MS", value_parser = parse_milliseconds, allow_negative_numbers = true)]
    time: Option<Duration>,

    /// Stop after this many nodes: positions, or playouts for bots that play random games
    #[arg(long, value_name = "N", value_parser = parse_nodes, allow_negative_numbers = true)]
    nodes: Option<u64>,

    /// Stop at this depth in plies, for bots with iterative deepening
    #[arg(long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true)]
    depth: Option<u32>,
}

impl SearchLimitArgs {
    /// The limits; if they would never end a search, the bot's default time.
    pub(crate) fn limits(&self, bot: BotKind) -> SearchLimits {
        bot.limits_or_default(SearchLimits {
            time: self.time,
            nodes: self.nodes,
            depth: self.depth,
        })
    }
}

/// Parses a number within these bounds, both included.
pub(crate) fn parse_in_range<N>(text: &str, what: &str, min: N, max: N) -> Result<N, String>
where
    N: FromStr + PartialOrd + Display + Copy,
{
    let number = text.parse::<N>().ok();
    let number = number.filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| format!("must be a {what} from {min} to {max}"))
}

/// The maximum is more than most machines have, and still harmless.
pub(crate) fn parse_threads(text: &str) -> Result<usize, String> {
    parse_in_range(text, "whole number", 1, 512)
}

pub(crate) fn parse_mebibytes(text: &str) -> Result<usize, String> {
    parse_in_range(text, "whole number", 1, 65_536)
}

/// At most a year.
pub(crate) fn parse_milliseconds(text: &str) -> Result<Duration, String> {
    let max = 365 * 24 * 3600 * 1000;
    parse_in_range(text, "whole number of milliseconds", 1, max).map(Duration::from_millis)
}

pub(crate) fn parse_seed(text: &str) -> Result<u64, String> {
    parse_in_range(text, "whole number", 0, u64::MAX)
}

fn parse_nodes(text: &str) -> Result<u64, String> {
    parse_in_range(text, "whole number", 1, u64::MAX)
}

fn parse_depth(text: &str) -> Result<u32, String> {
    parse_in_range(text, "whole number", 1, u32::MAX)
}

/// The error doesn't repeat the name, because clap quotes it.
pub(crate) fn parse_bot(name: &str) -> Result<BotKind, String> {
    name.parse().map_err(|_: UnknownBotError| {
        let names = BotKind::ALL.map(BotKind::name).join(", ");
        format!("no such bot; the bots are {names}")
    })
}
