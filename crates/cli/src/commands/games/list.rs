//! `noughts games list`, and the filters that export has, too.

use clap::{Args, ValueEnum};
use noughts_rules::{Outcome, Side, Variant};
use noughts_store::{
    Assistance, GameFilter, GameId, GameSummary, Name, ResultFilter, StoreError, Termination,
};
use serde::Serialize;

use super::{SeatJson, game_number};
use crate::columns::{Align, align_columns};
use crate::commands::players::seat_label;
use crate::data::DataArgs;
use crate::error::Error;
use crate::output;
use crate::position::variant;
use crate::store_handle::StoreHandle;

/// List games, newest first
#[derive(Args)]
#[command(after_help = "Example: noughts games list --player Ada --opponent hard --limit 10")]
pub(crate) struct List {
    #[command(flatten)]
    filters: FilterArgs,

    /// Only games that the list has behind this one: the next page.
    #[arg(long, value_name = "ID", value_parser = game_number)]
    before: Option<GameId>,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// Which games are wanted.
#[derive(Args)]
pub(crate) struct FilterArgs {
    /// Only games of this person.
    #[arg(long, value_name = "NAME", value_parser = Name::new)]
    player: Option<Name>,

    /// Only games with this person or computer (against the player, if one is given).
    #[arg(long, value_name = "NAME")]
    opponent: Option<String>,

    /// Only games of this variant.
    #[arg(long, value_name = "VARIANT", value_parser = variant)]
    variant: Option<Variant>,

    /// Only games that ended so: x, o or draw; for --player: win, loss or tie.
    #[arg(long, value_enum, value_name = "RESULT", hide_possible_values = true)]
    result: Option<ResultIs>,

    /// Only games that go on.
    #[arg(long, conflicts_with_all = ["finished", "result"])]
    open: bool,

    /// Only games that have ended.
    #[arg(long)]
    finished: bool,

    /// At most so many, the newest.
    #[arg(long, value_name = "N", value_parser = how_many)]
    limit: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ResultIs {
    Win,
    Loss,
    Tie,
    X,
    O,
    Draw,
}

fn how_many(text: &str) -> Result<u32, String> {
    let number = text.parse();
    number.map_err(|_| format!("a whole number from 0 to {} is needed", u32::MAX))
}

impl FilterArgs {
    /// The question to the store; a name that nobody has is most likely a slip.
    pub(crate) fn store_filter(&self, keeper: &StoreHandle) -> Result<GameFilter, Error> {
        if let Some(name) = &self.player
            && keeper
                .block_on(keeper.store().player_tally(name))?
                .is_none()
        {
            let unknown = StoreError::NoSuchPlayer(name.clone());
            return Err(Error::Failure(unknown.to_string()));
        }
        if let Some(opponent) = &self.opponent
            && !keeper.block_on(keeper.store().has_played(opponent))?
        {
            let unknown = StoreError::NoSuchOpponent(opponent.clone());
            return Err(Error::Failure(unknown.to_string()));
        }
        Ok(GameFilter {
            player: self.player.clone(),
            opponent: self.opponent.clone(),
            variant: self.variant,
            result: self.result.map(|result| match result {
                ResultIs::Win => ResultFilter::Won,
                ResultIs::Loss => ResultFilter::Lost,
                ResultIs::Tie | ResultIs::Draw => ResultFilter::Outcome(Outcome::Draw),
                ResultIs::X => ResultFilter::Outcome(Outcome::Win(Side::X)),
                ResultIs::O => ResultFilter::Outcome(Outcome::Win(Side::O)),
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

    /// What clap cannot say.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let somebodys = [ResultIs::Win, ResultIs::Loss, ResultIs::Tie];
        match self.result {
            Some(result) if somebodys.contains(&result) && self.player.is_none() => {
                Err(Error::Argument(
                    "--result win, loss and tie are somebody's: name them with --player, or ask for x, o or draw"
                        .into(),
                ))
            }
            _ => Ok(()),
        }
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct All {
    games: Vec<Row>,
    /// Are there more behind the last one?
    more: bool,
}

#[derive(Serialize)]
struct Row {
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
    /// The first help that a player had: `hint`, `takeback` or `analysis`.
    assisted: Option<&'static str>,
}

impl From<&GameSummary> for Row {
    fn from(game: &GameSummary) -> Row {
        Row {
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

impl List {
    pub(crate) fn run(&self) -> Result<(), Error> {
        self.filters.check()?;
        let keeper = StoreHandle::open_read_only(&self.data.dir()?)?;
        let filter = GameFilter {
            before: self.before,
            ..self.filters.store_filter(&keeper)?
        };
        // One more than fits, to know whether there are any.
        let asked = GameFilter {
            limit: filter.limit.map(|limit| limit.saturating_add(1)),
            ..filter.clone()
        };
        let mut games = keeper.block_on(keeper.store().games(&asked))?;
        let most = filter.limit.map_or(usize::MAX, |limit| limit as usize);
        let more = games.len() > most;
        games.truncate(most);
        if self.json {
            let games = games.iter().map(Row::from).collect();
            return output::print_json(&All { games, more });
        }
        if games.is_empty() {
            return note_no_games(&keeper);
        }
        output::print(&games_table(&games))
    }
}

/// Says why a list is empty, and what to do next.
pub(crate) fn note_no_games(keeper: &StoreHandle) -> Result<(), Error> {
    let any = GameFilter {
        limit: Some(1),
        ..GameFilter::default()
    };
    let none_yet = keeper.block_on(keeper.store().games(&any))?.is_empty();
    output::note(match none_yet {
        true => "there are no games yet; `noughts play` begins one",
        false => "no game is like this; `noughts games` lists all of them",
    });
    Ok(())
}

pub(super) fn games_table(games: &[GameSummary]) -> String {
    let heading = ["game", "began", "variant", "X", "O", "moves", "result"];
    let mut rows = vec![heading.map(String::from).to_vec()];
    rows.extend(games.iter().map(|game| {
        vec![
            game.id.to_string(),
            game.started.to_local_string(),
            game.variant.to_string(),
            seat_label(&game.seats[0]),
            seat_label(&game.seats[1]),
            game.move_count.to_string(),
            result(game),
        ]
    }));
    let (left, right) = (Align::Left, Align::Right);
    align_columns(&[right, left, left, left, left, right, left], &rows)
}

/// `X wins (line)`, `abandoned`, `open`; and whether it counts.
fn result(game: &GameSummary) -> String {
    let result = match (game.result, game.end) {
        (Some(result), Some(end)) => format!("{result} ({})", end.as_str()),
        (None, Some(end)) => end.as_str().into(),
        (_, None) => "open".into(),
    };
    match game.assistance {
        _ if game.changed_hands => result + ", handed over",
        Some(how) => format!("{result}, not rated ({})", how.as_str()),
        None => result,
    }
}
