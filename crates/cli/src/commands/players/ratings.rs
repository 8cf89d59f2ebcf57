//! `noughts players ratings`: how strong people are, from their finished games.

use clap::Args;
use noughts_arena::statistics::{RatedGame, RatedResult, glicko_ratings};
use noughts_rules::{Outcome, Side, Variant};
use noughts_store::{GameFilter, GameSummary, Seat};
use serde::Serialize;
use serde_json::json;

use crate::columns::{Align, align_columns};
use crate::data::DataArgs;
use crate::error::Error;
use crate::output;
use crate::position::variant;
use crate::store_handle::StoreHandle;

/// Rate everybody by their finished games (Glicko-2)
///
/// Everybody begins with 1500 and is then known ever better: with 95 % the rating is
/// between LOW and HIGH. Bots that people have met are rated, too.
#[derive(Args)]
#[command(after_help = "Example: noughts players ratings --variant ultimate")]
pub(super) struct Ratings {
    /// Only games of this one [default: all].
    #[arg(long, value_parser = variant)]
    variant: Option<Variant>,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// What `--json` prints for each.
#[derive(Serialize)]
struct Rated {
    name: String,
    kind: &'static str,
    rating: f64,
    deviation: f64,
    low: f64,
    high: f64,
    games: u64,
}

impl Ratings {
    pub(super) fn run(&self) -> Result<(), Error> {
        let keeper = StoreHandle::open_read_only(&self.data.dir()?)?;
        let filter = GameFilter {
            variant: self.variant,
            open: Some(false),
            ..GameFilter::default()
        };
        let mut games = keeper.block_on(keeper.store().games(&filter))?;
        games.sort_by_key(|game| (game.ended, game.id.0));
        let rated = rated(&games);
        if self.json {
            return output::print_json(&json!({"ratings": rated}));
        }
        if rated.is_empty() {
            output::note("no rated games yet");
            return Ok(());
        }
        let mut rows = vec![
            ["name", "rating", "low", "high", "games", ""]
                .map(String::from)
                .to_vec(),
        ];
        rows.extend(rated.iter().map(|one| {
            vec![
                one.name.clone(),
                format!("{:.0}", one.rating),
                format!("{:.0}", one.low),
                format!("{:.0}", one.high),
                one.games.to_string(),
                if one.kind == "bot" { "bot" } else { "" }.into(),
            ]
        }));
        let right = Align::Right;
        output::print(&align_columns(
            &[Align::Left, right, right, right, right, Align::Left],
            &rows,
        ))
    }
}

/// Bots are told from people of the same name by what no name has.
const BOT: char = '\n';

fn rated(games: &[GameSummary]) -> Vec<Rated> {
    let counted = games.iter().filter(|game| game.is_rated());
    let met: Vec<(String, String, RatedResult)> = counted
        .filter_map(|game| {
            let [x, o] = [key(&game.seats[0])?, key(&game.seats[1])?];
            let scored = match game.result? {
                Outcome::Win(Side::X) => RatedResult::Win,
                Outcome::Win(Side::O) => RatedResult::Loss,
                Outcome::Draw => RatedResult::Draw,
            };
            Some((x, o, scored))
        })
        .collect();
    let met = met.iter().map(|(first, second, scored)| RatedGame {
        first,
        second,
        result: *scored,
    });
    let rated = glicko_ratings(met).into_iter().map(|one| Rated {
        kind: if one.name.ends_with(BOT) {
            "bot"
        } else {
            "person"
        },
        name: one.name.trim_end_matches(BOT).into(),
        rating: one.rating,
        deviation: one.deviation,
        low: one.interval.0,
        high: one.interval.1,
        games: one.games,
    });
    rated.collect()
}

/// Who it is; guests and deleted players aren't anybody.
fn key(seat: &Seat) -> Option<String> {
    match seat {
        Seat::Player(name) => Some(name.to_string()),
        Seat::Bot(name) => Some(format!("{name}{BOT}")),
        Seat::Guest | Seat::Deleted => None,
    }
}
