//! `noughts bots`: who there is to play against.

use clap::Args;
use noughts_engine::BotKind;
use noughts_rules::Variant;
use serde::Serialize;

use crate::data::DataArgs;
use crate::error::Error;
use crate::output;
use crate::position;

/// List the bots, weakest first, and which of them are perfect
///
/// With a variant, only the bots that play it. Perfect means that every move,
/// from the start on, is proved to be as good as any.
#[derive(Args)]
#[command(after_help = "Example: noughts bots classic")]
pub(crate) struct Bots {
    /// The game they are to play.
    #[arg(value_parser = position::variant)]
    variant: Option<Variant>,

    #[command(flatten)]
    data: DataArgs,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Listed {
    variant: Option<String>,
    bots: Vec<Bot>,
}

#[derive(Serialize)]
struct Bot {
    name: &'static str,
    about: String,
    /// Null where no variant is given.
    perfect: Option<bool>,
}

impl Bots {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let tables = self.data.open_tablebases();
        let plays = |kind: &BotKind| {
            let variant = self.variant;
            variant.is_none_or(|variant| kind.check_supports(variant).is_ok())
        };
        let bots = BotKind::ALL.into_iter().filter(plays).map(|kind| Bot {
            name: kind.name(),
            about: kind.description(self.variant),
            perfect: self
                .variant
                .map(|variant| kind.is_perfect(variant, &tables)),
        });
        let bots: Vec<Bot> = bots.collect();
        if self.json {
            return output::print_json(&Listed {
                variant: self.variant.map(|variant| variant.to_string()),
                bots,
            });
        }
        let mut text = String::new();
        for Bot {
            name,
            about,
            perfect,
        } in bots
        {
            let perfect = match perfect {
                None => "",
                Some(true) => "perfect      ",
                Some(false) => "not perfect  ",
            };
            text += &format!("{name:<11}  {perfect}{about}\n");
        }
        output::print(&text)
    }
}
