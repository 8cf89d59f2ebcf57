//! `noughts players`: the players and their records.

mod bans;
mod ratings;

use clap::{Args, Subcommand};
use noughts_session::display_name;
use noughts_store::{Name, PlayerCursor, PlayerDeletion, PlayerFilter, Seat, StoreError, Tally};
use noughts_wire::{PlayerDetails, PlayerList};

use crate::columns::table;
use crate::data::{DataArgs, StoreArgs};
use crate::error::CliError;
use crate::output;
use crate::search_args::number;
use crate::store_handle::StoreHandle;

/// List, show, rename or delete players; ban visitors from the server
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Example: noughts players show Ada"
)]
pub(crate) struct PlayersArgs {
    #[command(subcommand)]
    action: Option<PlayersCommand>,

    #[command(flatten)]
    list: ListPlayersArgs,
}

#[derive(Subcommand)]
enum PlayersCommand {
    List(ListPlayersArgs),
    Show(ShowPlayerArgs),
    Ratings(ratings::RatingsArgs),
    Rename(RenamePlayerArgs),
    Delete(DeletePlayerArgs),
    Ban(bans::BanArgs),
    Unban(bans::UnbanArgs),
    Bans(bans::ListBansArgs),
    EndSession(bans::EndSessionArgs),
}

/// List players, most recently active first
#[derive(Args)]
#[command(after_help = "Example: noughts players list --limit 20")]
struct ListPlayersArgs {
    /// List at most this many players
    #[arg(long, value_name = "N", value_parser = number(1, u32::MAX), allow_negative_numbers = true)]
    limit: Option<u32>,

    /// Start after this cursor: `next` in the previous page's --json output
    #[arg(long, value_name = "CURSOR", value_parser = str::parse::<PlayerCursor>)]
    after: Option<PlayerCursor>,

    #[command(flatten)]
    store: StoreArgs,
}

/// Show a player's record: overall, by game and by opponent
#[derive(Args)]
#[command(after_help = "Example: noughts players show Ada")]
struct ShowPlayerArgs {
    /// Player's name; case doesn't matter
    #[arg(value_parser = Name::new)]
    name: Name,

    #[command(flatten)]
    store: StoreArgs,
}

/// Rename a player
#[derive(Args)]
#[command(after_help = "Example: noughts players rename Ada \"Lady Lovelace\"")]
struct RenamePlayerArgs {
    /// Current name
    #[arg(value_parser = Name::new)]
    old: Name,

    /// New name, 1 to 40 characters
    #[arg(value_parser = Name::new)]
    new: Name,

    #[command(flatten)]
    data: DataArgs,
}

/// Delete a player, after confirmation
///
/// Games against computers and guests are deleted, too. Games against other players stay,
/// without the name of the deleted player.
#[derive(Args)]
#[command(after_help = "Example: noughts players delete Ada")]
struct DeletePlayerArgs {
    /// Player's name; case doesn't matter
    #[arg(value_parser = Name::new)]
    name: Name,

    /// Don't ask for confirmation
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    data: DataArgs,
}

impl PlayersArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match &self.action {
            None => self.list.run(),
            Some(PlayersCommand::List(list)) => list.run(),
            Some(PlayersCommand::Show(show)) => show.run(),
            Some(PlayersCommand::Ratings(ratings)) => ratings.run(),
            Some(PlayersCommand::Rename(rename)) => rename.run(),
            Some(PlayersCommand::Delete(delete)) => delete.run(),
            Some(PlayersCommand::Ban(ban)) => ban.run(),
            Some(PlayersCommand::Unban(unban)) => unban.run(),
            Some(PlayersCommand::Bans(bans)) => bans.run(),
            Some(PlayersCommand::EndSession(end_session)) => end_session.run(),
        }
    }
}

impl ListPlayersArgs {
    fn run(&self) -> Result<(), CliError> {
        let handle = self.store.open_read_only()?;
        let filter = PlayerFilter {
            played: false,
            after: self.after,
            limit: self.limit,
        };
        let page = handle.query(|store| store.players(&filter))?;
        if self.store.json {
            return output::print_json(&PlayerList::from(page));
        }
        if page.players.is_empty() {
            output::note("no players yet; start a game with `noughts play`");
            return Ok(());
        }
        let rows = page.players.iter();
        let rows = rows.map(|(name, tally)| (name.to_string(), *tally));
        output::print(&tally_table("name", rows))
    }
}

impl ShowPlayerArgs {
    fn run(&self) -> Result<(), CliError> {
        let handle = self.store.open_read_only()?;
        let record = handle.query(|store| store.player_record(&self.name))?;
        let record = record.ok_or_else(|| no_such_player(&self.name))?;
        if self.store.json {
            return output::print_json(&PlayerDetails::from(&record));
        }
        let mut text = format!(
            "{}, player since {}\n\n",
            record.name,
            record.since.to_local_string()
        );
        text += &tally_table("", [("all games".to_owned(), record.total)]);
        let by_game = record.by_variant.iter();
        let by_game = by_game.map(|(variant, tally)| (variant.to_string(), *tally));
        let opponents = record.by_opponent.iter();
        let opponents = opponents.map(|(seat, tally)| (seat_label(seat), *tally));
        if record.total.games() > 0 {
            text += &format!("\n{}", tally_table("by game", by_game));
            text += &format!("\n{}", tally_table("by opponent", opponents));
        }
        output::print(&text)
    }
}

/// The name of a seat; bots are marked, since a player may have the same name.
pub(crate) fn seat_label(seat: &Seat) -> String {
    match seat {
        Seat::Bot(_) => format!("{} (computer)", display_name(seat)),
        seat => display_name(seat),
    }
}

/// A table with one tally per row.
fn tally_table(heading: &str, rows: impl IntoIterator<Item = (String, Tally)>) -> String {
    let rows = rows.into_iter().map(|(name, tally)| {
        let numbers = [tally.games(), tally.wins, tally.losses, tally.draws];
        let [games, wins, losses, draws] = numbers.map(|number| number.to_string());
        [name, games, wins, losses, draws]
    });
    table([heading, ">games", ">wins", ">losses", ">draws"], rows)
}

fn no_such_player(name: &Name) -> CliError {
    StoreError::NoSuchPlayer(name.clone()).into()
}

impl RenamePlayerArgs {
    fn run(&self) -> Result<(), CliError> {
        let handle = StoreHandle::open(&self.data.dir()?)?;
        let old = handle.query(|store| store.rename_player(&self.old, &self.new))?;
        output::print(&format!("{old} is now called {}\n", self.new))
    }
}

impl DeletePlayerArgs {
    fn run(&self) -> Result<(), CliError> {
        let handle = StoreHandle::open(&self.data.dir()?)?;
        let preview = handle.query(|store| store.preview_delete_player(&self.name))?;
        let preview = preview.ok_or_else(|| no_such_player(&self.name))?;
        if !self.yes {
            let (name, deletion_text) = (
                &preview.name,
                deletion_text(&preview, ["will be deleted", "will be kept"]),
            );
            let what = format!("deleting {name}");
            let question = format!("Delete {name}? {deletion_text}.");
            if !output::confirm(&what, &deletion_text, &question)? {
                output::note("nothing was deleted");
                return Ok(());
            }
        }
        let deleted = handle.query(|store| store.delete_player(&self.name))?;
        let name = &deleted.name;
        let deletion_text = deletion_text(&deleted, ["deleted", "kept"]);
        output::print(&format!("deleted {name}: {deletion_text}\n"))
    }
}

/// How many games are deleted and how many stay. The two words are the verbs, in the future or in
/// the past tense.
fn deletion_text(deletion: &PlayerDeletion, [deleted, kept]: [&str; 2]) -> String {
    let games = |number: u64| noughts_text::plural(number as usize, "game");
    format!(
        "{own} against computers and guests {deleted}, {shared} against other players {kept} without the player's name",
        own = games(deletion.deleted_games),
        shared = games(deletion.anonymized_games)
    )
}
