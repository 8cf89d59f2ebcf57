//! `noughts games export` and `import`: records, to a file or a pipe and back.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Read, Write};

use clap::Args;
use noughts_rules::Record;
use noughts_store::{Export as Records, GameFilter, GameId};
use serde::Serialize;

use super::list::{FilterArgs, note_no_games};
use super::{game_number, no_such_game};
use crate::data::DataArgs;
use crate::error::Error;
use crate::output;
use crate::store_handle::StoreHandle;

/// Write games as records (see the notation page), oldest first
#[derive(Args)]
#[command(after_help = "Example: noughts games export ada.games --player Ada")]
pub(crate) struct Export {
    /// The file to write; without one, or with `-`, standard output.
    file: Option<String>,

    /// Only this game; can be given several times.
    #[arg(long = "game", value_name = "ID", value_parser = game_number)]
    games: Vec<GameId>,

    #[command(flatten)]
    filters: FilterArgs,

    /// Write over a file that is there.
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// Add the games of a file of records; those that are here already stay as they are
#[derive(Args)]
#[command(after_help = "Example: noughts games import ada.games")]
pub(crate) struct Import {
    /// The file to read; `-` reads standard input.
    file: String,

    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

/// What `import --json` prints.
#[derive(Serialize)]
struct Imported {
    added: u64,
    known: u64,
}

impl Export {
    pub(crate) fn run(&self) -> Result<(), Error> {
        self.filters.check()?;
        let keeper = StoreHandle::open_read_only(&self.data.dir()?)?;
        let filter = GameFilter {
            games: (!self.games.is_empty()).then(|| self.games.clone()),
            ..self.filters.store_filter(&keeper)?
        };
        for &game in &self.games {
            if keeper.block_on(keeper.store().game(game))?.is_none() {
                return Err(no_such_game(game));
            }
        }
        let export = keeper.block_on(keeper.store().export(&filter))?;
        match self.file.as_deref().filter(|file| *file != "-") {
            None if export.is_empty() => note_no_games(&keeper),
            None => {
                each(&keeper, export, output::print)?;
                Ok(())
            }
            Some(file) => {
                let written = self.write(file, &keeper, export)?;
                output::note(&format!("{} written to {file}", counted(written)));
                Ok(())
            }
        }
    }

    fn write(&self, file: &str, keeper: &StoreHandle, export: Records) -> Result<u64, Error> {
        let mut options = OpenOptions::new();
        match self.force {
            true => options.create(true).truncate(true),
            false => options.create_new(true),
        };
        let opened = match options.write(true).open(file) {
            Ok(opened) => opened,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(Error::Failure(format!(
                    "{file} is there already; --force writes over it"
                )));
            }
            Err(error) => return Err(Error::Failure(format!("cannot write {file}: {error}"))),
        };
        let failed = |error: io::Error| Error::Failure(format!("cannot write {file}: {error}"));
        let mut opened = BufWriter::new(opened);
        let written = each(keeper, export, |text| {
            opened.write_all(text.as_bytes()).map_err(failed)
        });
        let synced = written.and_then(|count| {
            let flushed = opened.flush().and_then(|()| opened.get_ref().sync_all());
            flushed.map(|()| count).map_err(failed)
        });
        synced.inspect_err(|_| {
            // Half of a file would pass for a whole one.
            let _ = fs::remove_file(file);
        })
    }
}

/// Hands over the records part by part, with an empty line between them. Says how many.
fn each(
    keeper: &StoreHandle,
    mut export: Records,
    mut take: impl FnMut(&str) -> Result<(), Error>,
) -> Result<u64, Error> {
    let mut count = 0;
    while let Some(part) = keeper.block_on(export.next_part()) {
        if count > 0 {
            take("\n")?;
        }
        let part = part?;
        take(&part.text)?;
        count += part.games as u64;
    }
    Ok(count)
}

impl Import {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let records = Record::parse_all(&self.text()?);
        let records = records.map_err(|error| self.refused(error))?;
        let keeper = StoreHandle::open(&self.data.dir()?)?;
        let imported = keeper.block_on(keeper.store().import(&records))?;
        if self.json {
            return output::print_json(&Imported {
                added: imported.added,
                known: imported.already_present,
            });
        }
        let known = match imported.already_present {
            0 => String::new(),
            known => format!(", {} known already", counted(known)),
        };
        output::print(&format!("{} added{known}\n", counted(imported.added)))
    }

    fn text(&self) -> Result<String, Error> {
        let mut text = String::new();
        let read = match self.file.as_str() {
            "-" => io::stdin().read_to_string(&mut text),
            file => fs::File::open(file).and_then(|mut file| file.read_to_string(&mut text)),
        };
        read.map_err(|error| self.refused(error))?;
        Ok(text)
    }

    fn refused(&self, reason: impl std::fmt::Display) -> Error {
        let file = match self.file.as_str() {
            "-" => "standard input",
            file => file,
        };
        Error::Failure(format!("cannot read {file}: {reason}"))
    }
}

fn counted(games: u64) -> String {
    match games {
        1 => "1 game".into(),
        games => format!("{games} games"),
    }
}
