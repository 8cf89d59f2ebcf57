//! `noughts players ratings`: Glicko-2 ratings from finished games.

use clap::Args;
use noughts_arena::statistics::{RatedGame, RatedResult, glicko_ratings};
use noughts_rules::{Outcome, Side, Variant};
use noughts_store::{GameFilter, GameSummary, Seat};
use serde::Serialize;
use serde_json::json;

use crate::columns::{Align, align_columns};
use crate::data::DataArgs;
use crate::error::CliError;
use crate::output;
use crate::position::parse_variant;
use crate::store_handle::StoreHandle;

/// Rate players and bots by their finished games (Glicko-2)
///
/// Everyone starts at 1500, and the rating becomes more certain with every game: with 95%
/// confidence it is between LOW and HIGH. Bots are rated by their games against players.
#[derive(Args)]
#[command(after_help = "Example: noughts players ratings --variant ultimate")]
pub(super) struct RatingsArgs {
    /// Only count games of this variant [default: all]
    #[arg(long, value_parser = parse_variant)]
    variant: Option<Variant>,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// What `--json` prints for each.
#[derive(Serialize)]
struct RatingJson {
    name: String,
    kind: &'static str,
    rating: f64,
    deviation: f64,
    low: f64,
    high: f64,
    games: u64,
}

impl RatingsArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let handle = StoreHandle::open_read_only(&self.data.dir()?)?;
        let filter = GameFilter {
            variant: self.variant,
            open: Some(false),
            ..GameFilter::default()
        };
        let mut games = handle.block_on(handle.store().games(&filter))?;
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
        rows.extend(rated.iter().map(|rating| {
            vec![
                rating.name.clone(),
                format!("{:.0}", rating.rating),
                format!("{:.0}", rating.low),
                format!("{:.0}", rating.high),
                rating.games.to_string(),
                if rating.kind == "bot" { "bot" } else { "" }.into(),
            ]
        }));
        let right = Align::Right;
        output::print(&align_columns(
            &[Align::Left, right, right, right, right, Align::Left],
            &rows,
        ))
    }
}

/// Marks a bot's key, so that it differs from a player of the same name. No name contains it.
const BOT_MARKER: char = '\n';

fn rated(games: &[GameSummary]) -> Vec<RatingJson> {
    let rated_games = games.iter().filter(|game| game.is_rated());
    let head_to_heads: Vec<(String, String, RatedResult)> = rated_games
        .filter_map(|game| {
            let [x, o] = [rating_key(&game.seats[0])?, rating_key(&game.seats[1])?];
            let scored = match game.result? {
                Outcome::Win(Side::X) => RatedResult::Win,
                Outcome::Win(Side::O) => RatedResult::Loss,
                Outcome::Draw => RatedResult::Draw,
            };
            Some((x, o, scored))
        })
        .collect();
    let head_to_heads = head_to_heads
        .iter()
        .map(|(first, second, scored)| RatedGame {
            first,
            second,
            result: *scored,
        });
    let rated = glicko_ratings(head_to_heads)
        .into_iter()
        .map(|rating| RatingJson {
            kind: if rating.name.ends_with(BOT_MARKER) {
                "bot"
            } else {
                "person"
            },
            name: rating.name.trim_end_matches(BOT_MARKER).into(),
            rating: rating.rating,
            deviation: rating.deviation,
            low: rating.interval.0,
            high: rating.interval.1,
            games: rating.games,
        });
    rated.collect()
}

/// Identifies a player or bot; `None` for guests and deleted players.
fn rating_key(seat: &Seat) -> Option<String> {
    match seat {
        Seat::Player(name) => Some(name.to_string()),
        Seat::Bot(name) => Some(format!("{name}{BOT_MARKER}")),
        Seat::Guest | Seat::Deleted => None,
    }
}
