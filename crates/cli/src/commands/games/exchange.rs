//! `noughts games export` and `import`: game records, to and from a file or pipe.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use clap::Args;
use noughts_rules::Record;
use noughts_store::{GameExport as Records, GameFilter, GameId};
use serde_json::json;

use super::list::{FilterArgs, note_no_games};
use super::parse_game_id;
use crate::data::{DataArgs, StoreArgs};
use crate::error::CliError;
use crate::output;
use crate::store_handle::StoreHandle;

/// Export games as records (see docs/notation.md), oldest first
#[derive(Args)]
#[command(after_help = "Example: noughts games export ada.games --player Ada")]
pub(crate) struct ExportArgs {
    /// File to write; `-` is standard output, which is the default
    file: Option<String>,

    /// Export only this game (repeatable)
    #[arg(long = "game", value_name = "NUMBER", value_parser = parse_game_id)]
    games: Vec<GameId>,

    #[command(flatten)]
    filters: FilterArgs,

    /// Overwrite an existing file
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// Import games from a file of records; games that are already saved stay unchanged
#[derive(Args)]
#[command(after_help = "Example: noughts games import ada.games")]
pub(crate) struct ImportArgs {
    /// File to read; `-` reads standard input
    file: String,

    #[command(flatten)]
    store: StoreArgs,
}

impl ExportArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        self.filters.check()?;
        let handle = StoreHandle::open_read_only(&self.data.dir()?)?;
        let filter = GameFilter {
            games: (!self.games.is_empty()).then(|| self.games.clone()),
            ..self.filters.store_filter(&handle)?
        };
        for &game in &self.games {
            handle.game(game)?;
        }
        let export = handle.query(|store| store.export(&filter))?;
        match self.file.as_deref().filter(|file| *file != "-") {
            None if export.is_empty() => note_no_games(&handle),
            None => for_each_part(&handle, export, output::print).map(drop),
            Some(file) => {
                let written = output::write_file(Path::new(file), self.force, |write_part| {
                    for_each_part(&handle, export, write_part)
                })?;
                output::note(&format!("{} written to {file}", count_text(written)));
                Ok(())
            }
        }
    }
}

/// Passes on the records in parts, with an empty line between them. Returns the number of games.
fn for_each_part(
    handle: &StoreHandle,
    mut export: Records,
    mut write_part: impl FnMut(&str) -> Result<(), CliError>,
) -> Result<u64, CliError> {
    let mut count = 0;
    while let Some(part) = handle.block_on(export.next_part()) {
        if count > 0 {
            write_part("\n")?;
        }
        let part = part?;
        write_part(&part.text)?;
        count += part.games as u64;
    }
    Ok(count)
}

impl ImportArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let records = Record::parse_all(&self.text()?);
        let records = records.map_err(|error| CliError::failed(self.source(), error))?;
        let handle = self.store.open()?;
        let imported = handle.query(|store| store.import(&records))?;
        if self.store.json {
            let (added, known) = (imported.added, imported.already_present);
            return output::print_json(&json!({"added": added, "known": known}));
        }
        let known = match imported.already_present {
            0 => String::new(),
            known => format!(", {} already in the database", count_text(known)),
        };
        output::print(&format!("{} added{known}\n", count_text(imported.added)))
    }

    fn text(&self) -> Result<String, CliError> {
        let mut text = String::new();
        let read = match self.file.as_str() {
            "-" => io::stdin().read_to_string(&mut text),
            file => fs::File::open(file).and_then(|mut file| file.read_to_string(&mut text)),
        };
        read.map_err(|error| CliError::failed(&format!("can't read {}", self.source()), error))?;
        Ok(text)
    }

    /// What is read, for messages.
    fn source(&self) -> &str {
        match self.file.as_str() {
            "-" => "standard input",
            file => file,
        }
    }
}

fn count_text(games: u64) -> String {
    noughts_text::plural(games as usize, "game")
}
