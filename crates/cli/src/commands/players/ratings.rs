//! `noughts players ratings`: how strong people are, from their finished games.

use clap::Args;
use noughts_arena::statistics::{Met, Scored, glicko};
use noughts_rules::{Outcome, Player, Variant};
use noughts_store::{Filter, Listed, Seat};
use serde::Serialize;
use serde_json::json;

use crate::columns::{Align, columns};
use crate::data::Data;
use crate::error::Error;
use crate::keeper::Keeper;
use crate::output;
use crate::position::variant;

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
    data: Data,
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
        let keeper = Keeper::open_to_read(&self.data.dir()?)?;
        let filter = Filter {
            variant: self.variant,
            open: Some(false),
            ..Filter::default()
        };
        let mut games = keeper.wait(keeper.store().games(&filter))?;
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
        output::print(&columns(
            &[Align::Left, right, right, right, right, Align::Left],
            &rows,
        ))
    }
}

/// Bots are told from people of the same name by what no name has.
const BOT: char = '\n';

fn rated(games: &[Listed]) -> Vec<Rated> {
    let counted = games.iter().filter(|game| game.is_rated());
    let met: Vec<(String, String, Scored)> = counted
        .filter_map(|game| {
            let [x, o] = [key(&game.seats[0])?, key(&game.seats[1])?];
            let scored = match game.result? {
                Outcome::Win(Player::X) => Scored::Win,
                Outcome::Win(Player::O) => Scored::Loss,
                Outcome::Draw => Scored::Draw,
            };
            Some((x, o, scored))
        })
        .collect();
    let met = met.iter().map(|(first, second, scored)| Met {
        first,
        second,
        scored: *scored,
    });
    let rated = glicko(met).into_iter().map(|one| Rated {
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
        Seat::Person(name) => Some(name.to_string()),
        Seat::Bot(name) => Some(format!("{name}{BOT}")),
        Seat::Guest | Seat::Deleted => None,
    }
}
