//! `noughts bots`: the list of bots.

use clap::Args;
use noughts_engine::BotKind;
use noughts_rules::Variant;
use noughts_session::player_input;
use noughts_wire::{BotInfo, BotList};

use crate::data::DataArgs;
use crate::error::CliError;
use crate::output;
use crate::position::game_help;

/// List bots, weakest first, and show which are perfect
///
/// With a variant, lists only the bots that can play it. A bot is perfect if each of
/// its moves, from the start of the game, is proved to be the best possible.
#[derive(Args)]
#[command(after_help = "Example: noughts bots classic")]
pub(crate) struct BotsArgs {
    #[arg(value_parser = player_input::parse_variant, help = game_help())]
    variant: Option<Variant>,

    #[command(flatten)]
    data: DataArgs,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,
}

impl BotsArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let tablebases = self.data.open_tablebases();
        let plays = |kind: &BotKind| {
            let variant = self.variant;
            variant.is_none_or(|variant| kind.check_supports(variant).is_ok())
        };
        let bots = BotKind::ALL.into_iter().filter(plays).map(|kind| BotInfo {
            name: kind.name().into(),
            about: kind.description(self.variant),
            perfect: self
                .variant
                .map(|variant| kind.is_perfect(variant, &tablebases)),
        });
        let bots: Vec<BotInfo> = bots.collect();
        if self.json {
            return output::print_json(&BotList {
                variant: self.variant.map(|variant| variant.to_string()),
                bots,
            });
        }
        let mut text = String::new();
        for BotInfo {
            name,
            about,
            perfect,
        } in bots
        {
            let perfect = perfect.map_or_else(String::new, |perfect| {
                format!("{:<13}", noughts_text::perfection(perfect).0)
            });
            text += &format!("{name:<11}  {perfect}{about}\n");
        }
        output::print(&text)
    }
}
