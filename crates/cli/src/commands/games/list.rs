//! `noughts games list`, and the filters that it shares with `export`.

use clap::{Args, ValueEnum};
use noughts_rules::{Outcome, Side, UnratedReason, Variant};
use noughts_session::player_input;
use noughts_store::{GameFilter, GameId, GameSummary, Name, ResultFilter, StoreError};
use noughts_text::listed_result;
use noughts_wire::GameList;

use super::parse_game_id;
use crate::columns::table;
use crate::commands::players::seat_label;
use crate::data::StoreArgs;
use crate::error::CliError;
use crate::output;
use crate::search_args::number;
use crate::store_handle::StoreHandle;

/// List games, newest first
#[derive(Args)]
#[command(after_help = "Example: noughts games list --player Ada --opponent hard --limit 10")]
pub(crate) struct ListGamesArgs {
    #[command(flatten)]
    filters: FilterArgs,

    /// Only games older than this one, for the next page
    #[arg(long, value_name = "NUMBER", value_parser = parse_game_id)]
    before: Option<GameId>,

    #[command(flatten)]
    store: StoreArgs,
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
    #[arg(long, value_name = "VARIANT", value_parser = player_input::parse_variant)]
    variant: Option<Variant>,

    /// Only games with this result: x, o or draw; with --player also win or loss
    #[arg(long, value_enum, value_name = "RESULT", hide_possible_values = true)]
    result: Option<ResultArg>,

    /// Only unfinished games
    #[arg(long, conflicts_with_all = ["finished", "result"])]
    open: bool,

    /// Only finished games
    #[arg(long)]
    finished: bool,

    /// Only the newest games, up to this many
    #[arg(long, value_name = "N", value_parser = number(1, u32::MAX), allow_negative_numbers = true)]
    limit: Option<u32>,
}

#[derive(Clone, Copy, ValueEnum)]
enum ResultArg {
    Win,
    Loss,
    X,
    O,
    #[value(alias = "tie")]
    Draw,
}

impl FilterArgs {
    /// The store's filter; an error for unknown names, which are most likely typos.
    pub(crate) fn store_filter(&self, handle: &StoreHandle) -> Result<GameFilter, CliError> {
        if let Some(name) = &self.player
            && handle.query(|store| store.player_tally(name))?.is_none()
        {
            return Err(StoreError::NoSuchPlayer(name.clone()).into());
        }
        if let Some(opponent) = &self.opponent
            && !handle.query(|store| store.has_played(opponent))?
        {
            return Err(StoreError::NoSuchOpponent(opponent.clone()).into());
        }
        Ok(GameFilter {
            player: self.player.clone(),
            opponent: self.opponent.clone(),
            variant: self.variant,
            result: self.result.map(|result| match result {
                ResultArg::Win => ResultFilter::Won,
                ResultArg::Loss => ResultFilter::Lost,
                ResultArg::Draw => ResultFilter::Outcome(Outcome::Draw),
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
        match self.result {
            Some(ResultArg::Win | ResultArg::Loss) if self.player.is_none() => {
                Err(CliError::Argument(
                    "--result win and loss need --player NAME; without it, use x, o or draw".into(),
                ))
            }
            _ => Ok(()),
        }
    }
}

impl ListGamesArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        self.filters.check()?;
        let handle = self.store.open_read_only()?;
        let filter = GameFilter {
            before: self.before,
            ..self.filters.store_filter(&handle)?
        };
        // One more than the limit, to know whether there are more.
        let query = GameFilter {
            limit: filter.limit.map(|limit| limit.saturating_add(1)),
            ..filter.clone()
        };
        let mut games = handle.query(|store| store.games(&query))?;
        let max_games = filter.limit.map_or(usize::MAX, |limit| limit as usize);
        let more = games.len() > max_games;
        games.truncate(max_games);
        if self.store.json {
            let games = games.iter().map(Into::into).collect();
            return output::print_json(&GameList { games, more });
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
    let is_store_empty = handle.query(|store| store.games(&any_game))?.is_empty();
    output::note(match is_store_empty {
        true => "no games yet; start one with `noughts play`",
        false => "no matching games; `noughts games` lists all games",
    });
    Ok(())
}

pub(super) fn games_table(games: &[GameSummary]) -> String {
    let rows = games.iter().map(|game| {
        [
            game.id.to_string(),
            game.started.to_local_string(),
            game.variant.to_string(),
            seat_label(&game.seats[0]),
            seat_label(&game.seats[1]),
            game.move_count.to_string(),
            result_text(game),
        ]
    });
    let headings = [">game", "started", "variant", "X", "O", ">moves", "result"];
    table(headings, rows)
}

/// `X wins (line)`, `abandoned` or `unfinished`, and why it isn't rated.
fn result_text(game: &GameSummary) -> String {
    let result = match (game.result, game.end) {
        (Some(result), Some(end)) => format!("{result} ({})", end.as_str()),
        (result, end) => listed_result(result, end.is_some()),
    };
    match game.unrated_reason() {
        Some(UnratedReason::ChangedHands) => result + ", not rated (changed hands)",
        Some(UnratedReason::Assisted(assistance)) => {
            format!("{result}, not rated ({})", assistance.as_str())
        }
        None => result,
    }
}
