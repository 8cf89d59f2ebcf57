//! `noughts players`: the people who have played, and how their games went.

mod bans;
mod ratings;

use clap::{Args, Subcommand};
use noughts_store::{
    Name, PlayerCursor, PlayerDeletion, PlayerFilter, PlayerRecord, Seat, StoreError, Tally,
};
use serde::Serialize;

use crate::columns::{Align, align_columns};
use crate::data::DataArgs;
use crate::error::Error;
use crate::output;
use crate::store_handle::StoreHandle;

/// List, show, rename or delete players; ban visitors from the server
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Example: noughts players show Ada"
)]
pub(crate) struct Players {
    #[command(subcommand)]
    action: Option<Action>,

    #[command(flatten)]
    list: List,
}

#[derive(Subcommand)]
enum Action {
    List(List),
    Show(Show),
    Ratings(ratings::Ratings),
    Rename(Rename),
    Delete(Delete),
    Ban(bans::AddBan),
    Unban(bans::Unban),
    Bans(bans::Bans),
    EndSession(bans::EndSession),
}

/// List everybody, the one who played last first
#[derive(Args)]
#[command(after_help = "Example: noughts players list --limit 20")]
struct List {
    /// At most this many.
    #[arg(long, value_name = "N")]
    limit: Option<u32>,

    /// Only those behind the page that ended here: `next` in what --json prints.
    #[arg(long, value_name = "PLACE", value_parser = str::parse::<PlayerCursor>)]
    after: Option<PlayerCursor>,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// Show somebody's games won, lost and tied: all, by game, by opponent
#[derive(Args)]
#[command(after_help = "Example: noughts players show Ada")]
struct Show {
    /// Whom; case makes no difference.
    #[arg(value_parser = Name::new)]
    name: Name,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// Give somebody another name
#[derive(Args)]
#[command(after_help = "Example: noughts players rename Ada \"Lady Lovelace\"")]
struct Rename {
    /// The name until now.
    #[arg(value_parser = Name::new)]
    old: Name,

    /// The name from now on: 1 to 40 characters.
    #[arg(value_parser = Name::new)]
    new: Name,

    #[command(flatten)]
    data: DataArgs,
}

/// Delete a player, after asking
///
/// Their games against computers and guests are deleted, too. Games against other players stay,
/// without the name.
#[derive(Args)]
#[command(after_help = "Example: noughts players delete Ada")]
struct Delete {
    /// Whom; case makes no difference.
    #[arg(value_parser = Name::new)]
    name: Name,

    /// Do not ask.
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// Finished games, in JSON.
#[derive(Serialize)]
struct Games {
    games: u64,
    wins: u64,
    losses: u64,
    ties: u64,
}

/// What `list --json` prints.
#[derive(Serialize)]
struct Listed {
    players: Vec<Player>,
    /// Are there more behind the last one?
    more: bool,
    /// What `--after` takes for the next page.
    next: Option<String>,
}

#[derive(Serialize)]
struct Player {
    name: String,
    #[serde(flatten)]
    games: Games,
}

/// What `show --json` prints.
#[derive(Serialize)]
struct Shown {
    name: String,
    since: String,
    #[serde(flatten)]
    games: Games,
    by_game: Vec<ByGame>,
    by_opponent: Vec<ByOpponent>,
}

#[derive(Serialize)]
struct ByGame {
    variant: String,
    #[serde(flatten)]
    games: Games,
}

#[derive(Serialize)]
struct ByOpponent {
    /// Null for guests and for deleted players, who are counted together.
    name: Option<String>,
    kind: &'static str,
    #[serde(flatten)]
    games: Games,
}

impl From<Tally> for Games {
    fn from(tally: Tally) -> Games {
        Games {
            games: tally.games(),
            wins: tally.wins,
            losses: tally.losses,
            ties: tally.draws,
        }
    }
}

impl Players {
    pub(crate) fn run(&self) -> Result<(), Error> {
        match &self.action {
            None => self.list.run(),
            Some(Action::List(list)) => list.run(),
            Some(Action::Show(show)) => show.run(),
            Some(Action::Ratings(ratings)) => ratings.run(),
            Some(Action::Rename(rename)) => rename.run(),
            Some(Action::Delete(delete)) => delete.run(),
            Some(Action::Ban(ban)) => ban.run(),
            Some(Action::Unban(unban)) => unban.run(),
            Some(Action::Bans(bans)) => bans.run(),
            Some(Action::EndSession(end)) => end.run(),
        }
    }
}

impl List {
    fn run(&self) -> Result<(), Error> {
        let keeper = StoreHandle::open_read_only(&self.data.dir()?)?;
        let filter = PlayerFilter {
            played: false,
            after: self.after,
            limit: self.limit,
        };
        let page = keeper.block_on(keeper.store().players(&filter))?;
        let people = page.players;
        if self.json {
            let players = people.iter().map(|(name, tally)| Player {
                name: name.to_string(),
                games: (*tally).into(),
            });
            return output::print_json(&Listed {
                players: players.collect(),
                more: page.next.is_some(),
                next: page.next.map(|next| next.to_string()),
            });
        }
        if people.is_empty() {
            output::note("nobody has played yet; `noughts play` begins a game");
            return Ok(());
        }
        let rows = people
            .iter()
            .map(|(name, tally)| (name.to_string(), *tally));
        output::print(&table("name", rows))
    }
}

impl Show {
    fn run(&self) -> Result<(), Error> {
        let keeper = StoreHandle::open_read_only(&self.data.dir()?)?;
        let record = keeper.block_on(keeper.store().player_record(&self.name))?;
        let record = record.ok_or_else(|| unknown(&self.name))?;
        if self.json {
            return output::print_json(&shown(&record));
        }
        let mut text = format!(
            "{}, since {}\n\n",
            record.name,
            record.since.to_local_string()
        );
        text += &table("", [("all games".to_owned(), record.total)]);
        let by_game = record.by_variant.iter();
        let by_game = by_game.map(|(variant, tally)| (variant.to_string(), *tally));
        let opponents = record.by_opponent.iter();
        let opponents = opponents.map(|(seat, tally)| (seat_label(seat), *tally));
        if record.total.games() > 0 {
            text += &format!("\n{}", table("by game", by_game));
            text += &format!("\n{}", table("by opponent", opponents));
        }
        output::print(&text)
    }
}

fn shown(record: &PlayerRecord) -> Shown {
    let by_game = record.by_variant.iter().map(|(variant, tally)| ByGame {
        variant: variant.to_string(),
        games: (*tally).into(),
    });
    let by_opponent = record.by_opponent.iter().map(|(seat, tally)| ByOpponent {
        name: seat.name().map(Into::into),
        kind: seat.kind(),
        games: (*tally).into(),
    });
    Shown {
        name: record.name.to_string(),
        since: record.since.to_string(),
        games: record.total.into(),
        by_game: by_game.collect(),
        by_opponent: by_opponent.collect(),
    }
}

/// A bot's name with what it is: a person may be called the same.
pub(crate) fn seat_label(seat: &Seat) -> String {
    match seat {
        Seat::Bot(name) => format!("{name} (computer)"),
        seat => seat.to_string(),
    }
}

/// Tallies below each other.
fn table(heading: &str, rows: impl IntoIterator<Item = (String, Tally)>) -> String {
    let numbers = ["games", "wins", "losses", "ties"].map(String::from);
    let mut lines = vec![[vec![heading.to_owned()], numbers.to_vec()].concat()];
    for (name, tally) in rows {
        let numbers = [tally.games(), tally.wins, tally.losses, tally.draws];
        let numbers = numbers.map(|number| number.to_string());
        lines.push([vec![name], numbers.to_vec()].concat());
    }
    let right = Align::Right;
    align_columns(&[Align::Left, right, right, right, right], &lines)
}

fn unknown(name: &Name) -> Error {
    Error::Failure(StoreError::NoSuchPlayer(name.clone()).to_string())
}

impl Rename {
    fn run(&self) -> Result<(), Error> {
        let keeper = StoreHandle::open(&self.data.dir()?)?;
        let old = keeper.block_on(keeper.store().rename_player(&self.old, &self.new))?;
        output::print(&format!("{old} is now called {}\n", self.new))
    }
}

impl Delete {
    fn run(&self) -> Result<(), Error> {
        let keeper = StoreHandle::open(&self.data.dir()?)?;
        let would = keeper.block_on(keeper.store().preview_delete_player(&self.name))?;
        let would = would.ok_or_else(|| unknown(&self.name))?;
        if !self.yes {
            let (name, fate) = (&would.name, fate(&would, ["goes", "go"]));
            let what = format!("deleting {name}");
            let question = format!("Delete {name}? Then {fate}.");
            if !output::confirm(&what, &fate, &question)? {
                output::note("nothing was deleted");
                return Ok(());
            }
        }
        let deleted = keeper.block_on(keeper.store().delete_player(&self.name))?;
        let name = &deleted.name;
        let fate = fate(&deleted, ["went", "went"]);
        output::print(&format!("{name} is deleted; {fate}\n"))
    }
}

/// What goes, in one of these words for one game or more, and what stays.
fn fate(deleted: &PlayerDeletion, [goes, go]: [&str; 2]) -> String {
    let games = |number| match number {
        0 => "no game".to_owned(),
        1 => "1 game".to_owned(),
        number => format!("{number} games"),
    };
    let goes = if deleted.deleted_games > 1 { go } else { goes };
    let stays = if deleted.anonymized_games > 1 {
        "stay"
    } else {
        "stays"
    };
    format!(
        "{} against computers and guests {goes}, {} against other people {stays} for those",
        games(deleted.deleted_games),
        games(deleted.anonymized_games)
    )
}
