//! The arguments that limit what bots and solvers may use, the same for every command that runs
//! one.

use std::fmt::Display;
use std::num::NonZero;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use clap::Args;
use noughts_engine::{BotKind, BotSettings, SearchLimits, SearchNote};
use noughts_rules::Variant;
use noughts_session::player_input;

use crate::data::DataArgs;

/// What it may use of the machine.
#[derive(Args)]
pub(crate) struct ResourceArgs {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = number(1, MAX_THREADS), allow_negative_numbers = true)]
    threads: Option<usize>,

    /// Memory for the search, in MiB
    #[arg(long, value_name = "MIB", value_parser = number(1, MAX_MEBIBYTES), default_value = "64", allow_negative_numbers = true)]
    memory: usize,

    #[command(flatten)]
    data: DataArgs,
}

impl ResourceArgs {
    /// The settings of a bot or solver for this variant.
    pub(crate) fn settings(&self, variant: Variant, seed: u64) -> BotSettings {
        BotSettings {
            seed,
            threads: self.threads.unwrap_or_else(core_count),
            memory: self.memory << 20,
            tablebases: self.data.open_tablebases_for(variant),
        }
    }
}

/// How many threads can run at the same time.
pub(crate) fn core_count() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// What it may spend on one move.
#[derive(Args)]
pub(crate) struct SearchLimitArgs {
    /// Stop after this many milliseconds
    #[arg(long, value_name = "MS", value_parser = parse_milliseconds, allow_negative_numbers = true)]
    time: Option<Duration>,

    /// Stop after this many nodes: positions, or playouts for bots that play random games
    #[arg(long, value_name = "N", value_parser = number(1, u64::MAX), allow_negative_numbers = true)]
    nodes: Option<u64>,

    /// Stop at this depth in plies, for bots with iterative deepening
    #[arg(long, value_name = "N", value_parser = number(1, u32::MAX), allow_negative_numbers = true)]
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

/// A note about a search, with the command that would help.
pub(crate) fn note_with_advice(note: &SearchNote) -> String {
    match note {
        SearchNote::MissingTablebase(variant) => {
            format!("{note}; build it with `noughts tablebase build {variant}`")
        }
        SearchNote::CorruptedTablebase(variant) => {
            format!("{note}; rebuild it with `noughts tablebase build {variant} --force`")
        }
        _ => note.to_string(),
    }
}

/// More than most machines have, and still harmless.
pub(crate) const MAX_THREADS: usize = 512;
pub(crate) const MAX_MEBIBYTES: usize = 65_536;

/// A parser of whole numbers within these bounds, both included.
pub(crate) fn number<N>(min: N, max: N) -> impl Fn(&str) -> Result<N, String> + Clone
where
    N: FromStr + PartialOrd + Display + Copy,
{
    move |text| parse_in_range(text, "whole number", min, max)
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

/// At most a year.
pub(crate) fn parse_milliseconds(text: &str) -> Result<Duration, String> {
    let max = 365 * 24 * 3600 * 1000;
    parse_in_range(text, "whole number of milliseconds", 1, max).map(Duration::from_millis)
}

/// Parses a bot's name. The error doesn't repeat it, because clap quotes it.
pub(crate) fn parse_bot(name: &str) -> Result<BotKind, String> {
    player_input::parse_bot(name).map_err(|_| {
        let names = BotKind::ALL.map(BotKind::name).join(", ");
        format!("unknown bot; use one of {names}")
    })
}
