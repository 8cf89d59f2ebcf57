//! `noughts tablebase`: builds, checks and describes tablebases.

use std::path::Path;
use std::time::Instant;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use noughts_engine::tablebase::{
    self, BuildProgress, BuildStage, LayerSummary, Tablebase, TablebaseError,
};
use noughts_engine::{ExactValue, StopFlag};
use noughts_rules::Variant;
use noughts_session::player_input;
use serde_json::json;

use crate::columns::table;
use crate::data::DataArgs;
use crate::error::CliError;
use crate::output;
use crate::search_args::core_count;

/// Build, check or describe the tablebase with the value of every position
///
/// For games in which positions can repeat; in others, and in small ones, bots and `solve` do without.
#[derive(Args)]
#[command(after_help = "Example: noughts tablebase build tic-tac-two")]
pub(crate) struct TablebaseArgs {
    /// What to do
    #[arg(value_enum)]
    action: TablebaseCommand,

    /// Game in which positions can repeat
    #[arg(value_parser = player_input::parse_variant)]
    variant: Variant,

    /// Rebuild the tablebase even if it exists
    #[arg(long)]
    force: bool,

    /// Print the result as one line of JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    data: DataArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TablebaseCommand {
    /// Solve the game and write the tablebase
    Build,
    /// Check every value against the values after each move
    Check,
    /// Print a summary of the tablebase
    Info,
}

impl TablebaseArgs {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        if !tablebase::is_supported(self.variant) {
            let variant = self.variant;
            let reason = TablebaseError::NotNeeded { variant };
            return Err(CliError::Argument(reason.to_string()));
        }
        if self.force && self.action != TablebaseCommand::Build {
            return Err(CliError::Argument("--force only works with build".into()));
        }
        let path = tablebase::tablebase_path(&self.data.dir()?, self.variant);
        match self.action {
            TablebaseCommand::Build => self.build(&path),
            TablebaseCommand::Check => self.check(&path),
            TablebaseCommand::Info => self.info(&path),
        }
    }

    fn build(&self, path: &Path) -> Result<(), CliError> {
        let start = Instant::now();
        let existing = match self.force {
            true => None,
            false => self.open_existing(path)?,
        };
        let built = existing.is_none();
        let tablebase = match existing {
            Some(tablebase) => tablebase,
            None => {
                if let Some(cost) = tablebase::build_cost(self.variant) {
                    output::note(&format!("building takes {cost}"));
                }
                let bar = progress_bar();
                let built = Tablebase::build(
                    self.variant,
                    path,
                    core_count(),
                    &StopFlag::new(),
                    &|progress| show_progress(&bar, progress),
                );
                built.map_err(|error| CliError::Failure(error.to_string()))?
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        if self.json {
            return output::print_json(&json!({
                "variant": self.variant.to_string(),
                "path": path.to_string_lossy(),
                "version": tablebase.version(),
                "bytes": tablebase.file_len(),
                "built": built,
                "seconds": (seconds * 10.0).round() / 10.0,
            }));
        }
        let (file, size) = (path.display(), size_text(tablebase.file_len()));
        output::print(&if built {
            format!("{file}: built in {seconds:.1} s, {size}\n")
        } else {
            format!("{file}: already exists, {size}; use --force to rebuild it\n")
        })
    }

    fn check(&self, path: &Path) -> Result<(), CliError> {
        let bar = progress_bar();
        let checked = Tablebase::open(self.variant, path)
            .and_then(|tablebase| {
                tablebase.check(core_count(), &StopFlag::new(), &|progress| {
                    show_progress(&bar, progress);
                })
            })
            .map_err(|error| self.with_advice(path, &error));
        drop(bar);
        if self.json {
            output::print_json(&json!({
                "variant": self.variant.to_string(),
                "path": path.to_string_lossy(),
                "ok": checked.is_ok(),
                "positions": checked.as_ref().ok(),
            }))?;
        }
        let positions = checked.map_err(CliError::Failure)?;
        if self.json {
            return Ok(());
        }
        let file = path.display();
        output::print(&format!(
            "{file}: all {positions} positions have the values that follow from their moves\n"
        ))
    }

    fn info(&self, path: &Path) -> Result<(), CliError> {
        let failure = |error: TablebaseError| CliError::Failure(self.with_advice(path, &error));
        let tablebase = Tablebase::open(self.variant, path).map_err(failure)?;
        let layers = tablebase.summary().map_err(failure)?;
        let value = tablebase.probe_start();
        let start = value.map_or("unknown", |value| value.game_value().as_str());
        let positions: u64 = layers.iter().map(|layer| layer.positions).sum();
        if self.json {
            let longest = |plies: u32| (plies > 0).then_some(plies);
            let layers = layers.iter().map(|layer| {
                json!({
                    "mine": layer.pieces.map(|(mine, _)| mine),
                    "theirs": layer.pieces.map(|(_, theirs)| theirs),
                    "positions": layer.positions,
                    "finished": layer.finished,
                    "wins": layer.wins,
                    "losses": layer.losses,
                    "draws": layer.draws,
                    "longest_win": longest(layer.longest_win),
                    "longest_loss": longest(layer.longest_loss),
                })
            });
            return output::print_json(&json!({
                "variant": self.variant.to_string(),
                "path": path.to_string_lossy(),
                "version": tablebase.version(),
                "bytes": tablebase.file_len(),
                "positions": positions,
                "start": start,
                "plies": value.and_then(ExactValue::plies),
                "layers": layers.collect::<Vec<_>>(),
            }));
        }
        let text = format!(
            "{}: {}, version {}\nstart position: {}\n\n",
            path.display(),
            size_text(tablebase.file_len()),
            tablebase.version(),
            value.map_or_else(|| start.to_owned(), |value| value.to_string()),
        );
        // If there are several rows, another one has the sum.
        let all = (layers.len() > 1).then(|| {
            let mut all = ["all".to_owned(), positions.to_string()].into_iter();
            std::array::from_fn(|_| all.next().unwrap_or_default())
        });
        let headings = [
            "pieces",
            ">positions",
            ">finished",
            ">wins",
            ">losses",
            ">draws",
            ">longest win",
            ">longest loss",
        ];
        output::print(&(text + &table(headings, layers.iter().map(row).chain(all))))
    }

    /// The existing tablebase, if all its blocks can be read. `None` if there is none, or if it is
    /// damaged and can be rebuilt without asking; an error for a file that this program didn't make.
    fn open_existing(&self, path: &Path) -> Result<Option<Tablebase>, CliError> {
        let found = Tablebase::open(self.variant, path)
            .and_then(|tablebase| tablebase.summary().map(|_| tablebase));
        match found {
            Ok(tablebase) => Ok(Some(tablebase)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error @ (TablebaseError::Truncated { .. } | TablebaseError::Corrupted { .. })) => {
                output::print_stderr(&format!("{error}; rebuilding it"));
                Ok(None)
            }
            Err(error) => Err(CliError::Failure(self.with_advice(path, &error))),
        }
    }

    /// The error and what to do about it.
    fn with_advice(&self, path: &Path, error: &TablebaseError) -> String {
        let build = format!("noughts tablebase build {}", self.variant);
        match error {
            error if error.is_not_found() => {
                format!("{} doesn't exist; build it with `{build}`", path.display())
            }
            TablebaseError::Read { .. } | TablebaseError::Write { .. } => error.to_string(),
            _ => format!("{error}; rebuild it with `{build} --force`"),
        }
    }
}

fn row(layer: &LayerSummary) -> [String; 8] {
    let longest = |plies: u32| match plies {
        0 => "-".to_owned(),
        plies => plies.to_string(),
    };
    [
        layer.pieces.map_or_else(
            || "all".to_owned(),
            |(mine, theirs)| format!("{mine} + {theirs}"),
        ),
        layer.positions.to_string(),
        layer.finished.to_string(),
        layer.wins.to_string(),
        layer.losses.to_string(),
        layer.draws.to_string(),
        longest(layer.longest_win),
        longest(layer.longest_loss),
    ]
}

/// In MiB, or in KiB where that would be nothing.
fn size_text(bytes: u64) -> String {
    const MEBIBYTE: u64 = 1 << 20;
    match bytes < MEBIBYTE {
        true => format!("{:.1} KiB", bytes as f64 / 1024.0),
        false => format!("{:.1} MiB", bytes as f64 / MEBIBYTE as f64),
    }
}

/// A progress bar on standard error if that is a terminal, until it is dropped.
fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::new(0).with_finish(ProgressFinish::AndClear);
    let style = ProgressStyle::with_template("{msg:9} [{bar:40}] {percent:>3}% {elapsed:>4}");
    if let Ok(style) = style {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

fn show_progress(bar: &ProgressBar, progress: BuildProgress) {
    bar.set_length(progress.total as u64);
    bar.set_position(progress.done as u64);
    bar.set_message(match progress.stage {
        BuildStage::Listing => "listing",
        BuildStage::Solving => "solving",
        BuildStage::Packing => "packing",
        BuildStage::Unpacking => "unpacking",
        BuildStage::Checking => "checking",
    });
}
