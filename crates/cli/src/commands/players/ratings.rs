//! `noughts players ratings`: Glicko-2 ratings from finished games.

use clap::Args;
use noughts_arena::statistics::glicko_ratings;
use noughts_rules::Variant;
use noughts_session::player_input;
use noughts_store::{GameFilter, GameSummary, Seat};
use serde::Serialize;
use serde_json::json;

use crate::columns::table;
use crate::data::StoreArgs;
use crate::error::CliError;
use crate::output;

/// Rate players and computers by their finished games (Glicko-2)
///
/// Everyone starts at 1500, and the rating becomes more certain with every game: with 95%
/// confidence it is between LOW and HIGH. Games between two computers count, too.
#[derive(Args)]
#[command(after_help = "Example: noughts players ratings --variant ultimate")]
pub(super) struct RatingsArgs {
    /// Only count games of this variant [default: all]
    #[arg(long, value_parser = player_input::parse_variant)]
    variant: Option<Variant>,

    #[command(flatten)]
    store: StoreArgs,
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
        let handle = self.store.open_read_only()?;
        let filter = GameFilter {
            variant: self.variant,
            open: Some(false),
            ..GameFilter::default()
        };
        let mut games = handle.query(|store| store.games(&filter))?;
        games.sort_by_key(|game| (game.ended, game.id.0));
        let rated = rated(&games);
        if self.store.json {
            return output::print_json(&json!({"ratings": rated}));
        }
        if rated.is_empty() {
            output::note("no rated games yet");
            return Ok(());
        }
        let rows = rated.into_iter().map(|rating| {
            let [value, low, high] =
                [rating.rating, rating.low, rating.high].map(|value| format!("{value:.0}"));
            let bot = if rating.kind == "bot" { "computer" } else { "" };
            let games = rating.games.to_string();
            [rating.name, value, low, high, games, bot.into()]
        });
        let headings = ["name", ">rating", ">low", ">high", ">games", ""];
        output::print(&table(headings, rows))
    }
}

/// Marks a bot's key, so that it differs from a player of the same name. No name contains it.
const BOT_MARKER: char = '\n';

fn rated(games: &[GameSummary]) -> Vec<RatingJson> {
    let rated_games = games.iter().filter(|game| game.is_rated());
    let head_to_heads = rated_games.filter_map(|game| {
        let [x, o] = [rating_key(&game.seats[0])?, rating_key(&game.seats[1])?];
        Some((x, o, game.result?))
    });
    let rated = glicko_ratings(head_to_heads)
        .into_iter()
        .map(|rating| RatingJson {
            kind: if rating.name.ends_with(BOT_MARKER) {
                "bot"
            } else {
                "human"
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
