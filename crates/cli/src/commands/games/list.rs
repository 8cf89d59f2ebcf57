//! `noughts games list`, and the filters that it shares with `export`.

use clap::{Args, ValueEnum};
use noughts_rules::{Assistance, Outcome, Side, Termination, Variant};
use noughts_store::{GameFilter, GameId, GameSummary, Name, ResultFilter, StoreError};
use serde::Serialize;

use super::{SeatJson, parse_game_id};
use crate::columns::{Align, align_columns};
use crate::commands::players::seat_label;
use crate::data::DataArgs;
use crate::error::CliError;
use crate::output;
use crate::position::parse_variant;
use crate::store_handle::StoreHandle;

/// List games, newest first
#[derive(Args)]
#[command(after_help = "Example: noughts games list --player Ada --opponent hard --limit 10")]
pub(crate) struct ListGamesArgs {
    #[command(flatten)]
    filters: FilterArgs,

    /// Only games listed after this one, for the next page
    #[arg(long, value_name = "ID", value_parser = parse_game_id)]
    before: Option<GameId>,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// Which games are wanted.
#[derive(Args)]
pub(crate) struct FilterArgs {
    /// Only this player's games
    #[arg(long, value_name = "NAME", value_parser = Name::new)]
    player: Option<Name>,

    /// Only games with this player or computer (against --player, if given)
    #[arg(long, value_name = "NAME")]
    opponent: Option<String>,

    /// Only games of this variant
    #[arg(long, value_name = "VARIANT", value_parser = parse_variant)]
    variant: Option<Variant>,

    /// Only games with this result: x, o or draw; with --player also win, loss or tie
    #[arg(long, value_enum, value_name = "RESULT", hide_possible_values = true)]
    result: Option<ResultArg>,

    /// Only unfinished games
    #[arg(long, conflicts_with_all = ["finished", "result"])]
    open: bool,

    /// Only finished games
    #[arg(long)]
    finished: bool,

    /// At most this many games, the newest
    #[arg(long, value_name = "N", value_parser = parse_limit)]
    limit: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ResultArg {
    Win,
    Loss,
    Tie,
    X,
    O,
    Draw,
}

fn parse_limit(text: &str) -> Result<u32, String> {
    let number = text.parse();
    number.map_err(|_| format!("must be a whole number from 0 to {}", u32::MAX))
}

impl FilterArgs {
    /// The store's filter; an error for unknown names, which are most likely typos.
    pub(crate) fn store_filter(&self, handle: &StoreHandle) -> Result<GameFilter, CliError> {
        if let Some(name) = &self.player
            && handle
                .block_on(handle.store().player_tally(name))?
                .is_none()
        {
            let unknown = StoreError::NoSuchPlayer(name.clone());
            return Err(CliError::Failure(unknown.to_string()));
        }
        if let Some(opponent) = &self.opponent
            && !handle.block_on(handle.store().has_played(opponent))?
        {
            let unknown = StoreError::NoSuchOpponent(opponent.clone());
            return Err(CliError::Failure(unknown.to_string()));
        }
        Ok(GameFilter {
            player: self.player.clone(),
            opponent: self.opponent.clone(),
            variant: self.variant,
            result: self.result.map(|result| match result {
                ResultArg::Win => ResultFilter::Won,
                ResultArg::Loss => ResultFilter::Lost,
                ResultArg::Tie | ResultArg::Draw => ResultFilter::Outcome(Outcome::Draw),
                ResultArg::X => ResultFilter::Outcome(Outcome::Win(Side::X)),
                ResultArg::O => ResultFilter::Outcome(Outcome::Win(Side::O)),
            }),
            open: match (self.open, self.finished) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            },
            limit: self.limit,
            ..GameFilter::default()
        })
    }

    /// Checks what clap can't express.
    pub(crate) fn check(&self) -> Result<(), CliError> {
        let player_results = [ResultArg::Win, ResultArg::Loss, ResultArg::Tie];
        match self.result {
            Some(result) if player_results.contains(&result) && self.player.is_none() => {
                Err(CliError::Argument(
                    "--result win, loss and tie need --player NAME; without it, use x, o or draw"
                        .into(),
                ))
            }
            _ => Ok(()),
        }
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct GamesJson {
    games: Vec<GameJson>,
    /// Are there more after the last one?
    more: bool,
}

#[derive(Serialize)]
struct GameJson {
    id: String,
    number: i64,
    variant: String,
    x: SeatJson,
    o: SeatJson,
    moves: usize,
    started: String,
    ended: Option<String>,
    result: Option<&'static str>,
    ending: Option<&'static str>,
    rated: bool,
    /// The first assistance that a player had: `hint`, `takeback` or `analysis`.
    assisted: Option<&'static str>,
}

impl From<&GameSummary> for GameJson {
    fn from(game: &GameSummary) -> GameJson {
        GameJson {
            id: game.uid.clone(),
            number: game.id.0,
            variant: game.variant.to_string(),
            x: (&game.seats[0]).into(),
            o: (&game.seats[1]).into(),
            moves: game.move_count,
            started: game.started.to_string(),
            ended: game.ended.map(|ended| ended.to_string()),
            result: game.result.map(Outcome::as_str),
            ending: game.end.map(Termination::as_str),
            rated: game.is_rated(),
            assisted: game.assistance.map(Assistance::as_str),
        }
    }
}

impl ListGamesArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        self.filters.check()?;
        let handle = StoreHandle::open_read_only(&self.data.dir()?)?;
        let filter = GameFilter {
            before: self.before,
            ..self.filters.store_filter(&handle)?
        };
        // One more than the limit, to know whether there are more.
        let query = GameFilter {
            limit: filter.limit.map(|limit| limit.saturating_add(1)),
            ..filter.clone()
        };
        let mut games = handle.block_on(handle.store().games(&query))?;
        let max_games = filter.limit.map_or(usize::MAX, |limit| limit as usize);
        let more = games.len() > max_games;
        games.truncate(max_games);
        if self.json {
            let games = games.iter().map(GameJson::from).collect();
            return output::print_json(&GamesJson { games, more });
        }
        if games.is_empty() {
            return note_no_games(&handle);
        }
        output::print(&games_table(&games))
    }
}

/// Explains why a list is empty and what to do next.
pub(crate) fn note_no_games(handle: &StoreHandle) -> Result<(), CliError> {
    let any_game = GameFilter {
        limit: Some(1),
        ..GameFilter::default()
    };
    let is_store_empty = handle.block_on(handle.store().games(&any_game))?.is_empty();
    output::note(match is_store_empty {
        true => "no games yet; start one with `noughts play`",
        false => "no matching games; `noughts games` lists all games",
    });
    Ok(())
}

pub(super) fn games_table(games: &[GameSummary]) -> String {
    let heading = ["game", "started", "variant", "X", "O", "moves", "result"];
    let mut rows = vec![heading.map(String::from).to_vec()];
    rows.extend(games.iter().map(|game| {
        vec![
            game.id.to_string(),
            game.started.to_local_string(),
            game.variant.to_string(),
            seat_label(&game.seats[0]),
            seat_label(&game.seats[1]),
            game.move_count.to_string(),
            result_text(game),
        ]
    }));
    let (left, right) = (Align::Left, Align::Right);
    align_columns(&[right, left, left, left, left, right, left], &rows)
}

/// `X wins (line)`, `abandoned` or `unfinished`, and why it isn't rated.
fn result_text(game: &GameSummary) -> String {
    let result = match (game.result, game.end) {
        (Some(result), Some(end)) => format!("{result} ({})", end.as_str()),
        (None, Some(end)) => end.as_str().into(),
        (_, None) => "unfinished".into(),
    };
    match game.assistance {
        _ if game.changed_hands => result + ", not rated (changed hands)",
        Some(assistance) => format!("{result}, not rated ({})", assistance.as_str()),
        None => result,
    }
}
