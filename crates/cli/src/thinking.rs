//! The arguments that say what bots and solvers may use, the same for every
//! command that sets one to work.

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
    /// How many threads it may use [default: all cores].
    #[arg(long, value_name = "N", value_parser = threads, allow_negative_numbers = true)]
    threads: Option<usize>,

    /// MiB for what it remembers.
    #[arg(long, value_name = "MIB", value_parser = mebibytes, default_value = "64", allow_negative_numbers = true)]
    memory: usize,

    #[command(flatten)]
    data: DataArgs,
}

impl ResourceArgs {
    /// What a bot or solver of this game is made with.
    pub(crate) fn settings(&self, variant: Variant, seed: u64) -> BotSettings {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        BotSettings {
            seed,
            threads: self.threads.unwrap_or_else(cores),
            memory: self.memory << 20,
            // Reading a table takes a moment: only where there is one.
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
    /// Think so many milliseconds.
    #[arg(long, value_name = "MS", value_parser = milliseconds, allow_negative_numbers = true)]
    time: Option<Duration>,

    /// Look at so many positions; bots that play random games play so many.
    #[arg(long, value_name = "N", value_parser = nodes, allow_negative_numbers = true)]
    nodes: Option<u64>,

    /// Look so many plies ahead, for bots that deepen step by step.
    #[arg(long, value_name = "N", value_parser = depth, allow_negative_numbers = true)]
    depth: Option<u32>,
}

impl SearchLimitArgs {
    /// The limits; where they would never end it, the bot's usual time.
    pub(crate) fn limits(&self, bot: BotKind) -> SearchLimits {
        bot.limits_or_default(SearchLimits {
            time: self.time,
            nodes: self.nodes,
            depth: self.depth,
        })
    }
}

/// A number of these bounds, both included.
pub(crate) fn parse_in_range<N>(text: &str, what: &str, least: N, most: N) -> Result<N, String>
where
    N: FromStr + PartialOrd + Display + Copy,
{
    let number = text.parse::<N>().ok();
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("a {what} from {least} to {most} is needed"))
}

/// More threads than any machine has, and still not a threat to it.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    parse_in_range(text, "whole number", 1, 512)
}

pub(crate) fn mebibytes(text: &str) -> Result<usize, String> {
    parse_in_range(text, "whole number", 1, 65_536)
}

/// A year of milliseconds ought to do.
pub(crate) fn milliseconds(text: &str) -> Result<Duration, String> {
    let most = 365 * 24 * 3600 * 1000;
    parse_in_range(text, "whole number of milliseconds", 1, most).map(Duration::from_millis)
}

pub(crate) fn seed(text: &str) -> Result<u64, String> {
    parse_in_range(text, "whole number", 0, u64::MAX)
}

fn nodes(text: &str) -> Result<u64, String> {
    parse_in_range(text, "whole number", 1, u64::MAX)
}

fn depth(text: &str) -> Result<u32, String> {
    parse_in_range(text, "whole number", 1, u32::MAX)
}

/// The name stands in the error already.
pub(crate) fn bot(name: &str) -> Result<BotKind, String> {
    name.parse().map_err(|_: UnknownBotError| {
        let names = BotKind::ALL.map(BotKind::name).join(", ");
        format!("there is no such bot; the bots are {names}")
    })
}
