//! Tablebases on disk: the exact value of every position of a variant in which positions can repeat, computed by
//! retrograde analysis.

mod atomic_file;
mod error;
mod file;
mod generic;
mod progress;
mod summary;
mod tic_tac_two;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, Variant};

pub use error::TablebaseError;
pub use generic::MAX_LISTED_POSITIONS;
pub use progress::{BuildProgress, BuildStage};
pub use summary::LayerSummary;

use crate::limits::{Budget, StopFlag};
use crate::report::SearchNote;
use crate::retrograde::small_game;
use crate::sort::sort_by;
use crate::value::ExactValue;
use file::EncodedFile;
use generic::GenericTable;
use progress::OnProgress;
use tic_tac_two::TicTacTwoTable;

/// What the file of a tablebase contains, behind the type of its positions.
trait Table: Send + Sync {
    fn file(&self) -> &EncodedFile;

    /// Whether a corrupted block was found while probing.
    fn is_corrupted(&self) -> bool;

    /// The value of a position of the table's game.
    fn probe(&self, position: &dyn Any) -> Option<ExactValue>;

    fn summary(&self) -> Result<Vec<LayerSummary>, TablebaseError>;

    fn check(
        &self,
        threads: usize,
        stop: &StopFlag,
        on_progress: OnProgress<'_>,
    ) -> Result<usize, TablebaseError>;
}

/// The value and distance of every position of a variant. Probing is thread-safe.
pub struct Tablebase {
    variant: Variant,
    table: Box<dyn Table>,
}

/// Whether a tablebase can be built, if the game isn't too large: in games without repetition the solver needs none.
#[must_use]
pub fn is_supported(variant: Variant) -> bool {
    struct CanRepeat;
    impl GameVisitor for CanRepeat {
        type Output = bool;

        fn visit<G: Game>(self, state: &GameState<G>) -> bool {
            state.game().can_repeat()
        }
    }
    AnyGameState::new(variant).visit(CanRepeat)
}

/// What building a tablebase costs on two cores, roughly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildCost {
    /// Minutes.
    pub minutes: u64,
    /// Memory in MiB.
    pub memory: u64,
    /// Disk space in MiB.
    pub disk: u64,
}

/// What building the tablebase of this variant costs, if it is known that one can be built and that it is of use: small
/// games are solved without.
#[must_use]
pub fn build_cost(variant: Variant) -> Option<BuildCost> {
    struct Numbers;
    impl GameVisitor for Numbers {
        type Output = u64;

        fn visit<G: Game>(self, state: &GameState<G>) -> u64 {
            match state.game().can_repeat() {
                true => state.game().count_position_numbers(),
                false => 0,
            }
        }
    }
    if variant == Variant::TIC_TAC_TWO {
        return Some(BuildCost {
            minutes: 1,
            memory: 300,
            disk: 13,
        });
    }
    let numbers = AnyGameState::new(variant).visit(Numbers);
    (numbers > 0 && !small_game::is_small_variant(variant)).then(|| generic::build_cost(numbers))
}

/// The same as a part of a sentence: `about 5 minutes, 13 MiB of disk space and 300 MiB of memory`.
impl fmt::Display for BuildCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BuildCost {
            minutes,
            memory,
            disk,
        } = self;
        let time = match minutes {
            0 | 1 => "a minute".to_owned(),
            minutes => format!("{minutes} minutes"),
        };
        write!(
            f,
            "about {time}, {disk} MiB of disk space and {memory} MiB of memory"
        )
    }
}

/// Where the tablebase of a variant is stored below a folder: under its name, with `_` for the colon, which not every system
/// allows.
///
/// ```
/// use std::path::Path;
/// let path = noughts_engine::tablebase::tablebase_path(Path::new("data"), "morris:move=any".parse()?);
/// assert!(path.ends_with("tables/morris_move=any.table"));
/// # Ok::<(), noughts_rules::VariantError>(())
/// ```
#[must_use]
pub fn tablebase_path(folder: &Path, variant: Variant) -> PathBuf {
    let name = variant.to_string().replace(':', "_");
    folder.join("tables").join(format!("{name}.table"))
}

impl Tablebase {
    /// Opens the tablebase of a variant in this file.
    ///
    /// # Errors
    /// The file doesn't exist or isn't a tablebase of this variant that this program can read. A corrupted block is
    /// detected only when it is used.
    pub fn open(variant: Variant, path: &Path) -> Result<Tablebase, TablebaseError> {
        struct Open<'a>(Variant, &'a Path);
        impl GameVisitor for Open<'_> {
            type Output = Result<Box<dyn Table>, TablebaseError>;

            fn visit<G: Game>(self, state: &GameState<G>) -> Self::Output {
                let Open(variant, path) = self;
                if !state.game().can_repeat() {
                    return Err(TablebaseError::NotNeeded { variant });
                }
                Ok(Box::new(GenericTable::open(state.game(), path)?))
            }
        }
        let table: Box<dyn Table> = match variant == Variant::TIC_TAC_TWO {
            true => Box::new(TicTacTwoTable::open(path)?),
            false => AnyGameState::new(variant).visit(Open(variant, path))?,
        };
        Ok(Tablebase { variant, table })
    }

    /// Solves the game on this many threads and writes the tablebase to this file. An existing file
    /// is replaced at the very end, or stays unchanged if the build is stopped.
    ///
    /// # Errors
    /// The file can't be written, which is tried first, the game is too large, or the build was stopped.
    pub fn build(
        variant: Variant,
        path: &Path,
        threads: usize,
        stop: &StopFlag,
        on_progress: &(dyn Fn(BuildProgress) + Sync),
    ) -> Result<Tablebase, TablebaseError> {
        struct Build<'a>(Variant, &'a Path, usize, &'a StopFlag, OnProgress<'a>);
        impl GameVisitor for Build<'_> {
            type Output = Result<(), TablebaseError>;

            fn visit<G: Game>(self, state: &GameState<G>) -> Self::Output {
                let Build(variant, path, threads, stop, on_progress) = self;
                match state.game().can_repeat() {
                    true => generic::build(state.game(), path, threads, stop, on_progress),
                    false => Err(TablebaseError::NotNeeded { variant }),
                }
            }
        }
        match variant == Variant::TIC_TAC_TWO {
            true => TicTacTwoTable::build(path, threads, stop, on_progress),
            false => {
                let build = Build(variant, path, threads, stop, on_progress);
                AnyGameState::new(variant).visit(build)
            }
        }?;
        Tablebase::open(variant, path)
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.table.file().path
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.table.file().len()
    }

    /// The version of the file's format.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.table.file().version()
    }

    /// Whether a corrupted block was found while probing.
    #[must_use]
    pub fn is_corrupted(&self) -> bool {
        self.table.is_corrupted()
    }

    /// The value of a position of the variant under best play, ignoring draws by repetition. `None` if the position can't be
    /// reached from the start, for positions of other games, and if the block is corrupted.
    ///
    /// ```no_run
    /// use std::path::Path;
    /// use noughts_engine::{ExactValue, tablebase::Tablebase};
    /// use noughts_rules::{Game, TicTacTwo, Variant};
    ///
    /// let tablebase = Tablebase::open(Variant::TIC_TAC_TWO, Path::new("tic-tac-two.table"))?;
    /// assert_eq!(tablebase.probe(&TicTacTwo::standard().start()), Some(ExactValue::DRAW));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn probe(&self, position: &impl Any) -> Option<ExactValue> {
        self.table.probe(position)
    }

    /// The value of the start.
    #[must_use]
    pub fn probe_start(&self) -> Option<ExactValue> {
        self.probe_state(&AnyGameState::new(self.variant))
    }

    /// The value of a game's position; `None` also for games of other variants.
    #[must_use]
    pub fn probe_state(&self, state: &AnyGameState) -> Option<ExactValue> {
        struct Probe<'a>(&'a Tablebase);
        impl GameVisitor for Probe<'_> {
            type Output = Option<ExactValue>;

            fn visit<G: Game>(self, state: &GameState<G>) -> Self::Output {
                self.0.probe(state.position())
            }
        }
        let is_same = state.variant() == self.variant;
        is_same.then(|| state.visit(Probe(self))).flatten()
    }

    /// Every legal move with its value for the side that makes it; distances include the move
    /// itself. Best first, otherwise in the order of the rules. Empty once the game is over.
    #[must_use]
    pub fn moves<G: Game>(
        &self,
        game: &G,
        position: &G::Position,
    ) -> Option<Vec<(G::Move, ExactValue)>> {
        let moves = game.moves(position).into_iter().map(|mv| {
            let next = game.after(position, mv);
            let same_side = game.side(&next) == game.side(position);
            Some((mv, self.probe(&next)?.backed_up(same_side)))
        });
        let mut moves: Vec<(G::Move, ExactValue)> = moves.collect::<Option<_>>()?;
        sort_by(&mut moves, |(_, a), (_, b)| b.cmp(a));
        Some(moves)
    }

    /// Statistics, by number of pieces if the table is divided by it.
    ///
    /// # Errors
    /// The first corrupted block.
    pub fn summary(&self) -> Result<Vec<LayerSummary>, TablebaseError> {
        self.table.summary()
    }

    /// Compares every value with the values after each move, on this many threads. If nothing is
    /// wrong, every value is correct. Returns the number of positions.
    ///
    /// # Errors
    /// The first corrupted block, the first wrong value and the number of wrong values, or the check
    /// was stopped.
    pub fn check(
        &self,
        threads: usize,
        stop: &StopFlag,
        on_progress: &(dyn Fn(BuildProgress) + Sync),
    ) -> Result<usize, TablebaseError> {
        self.table.check(threads, stop, on_progress)
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebase({})", self.path().display())
    }
}

fn check_not_stopped(path: &Path, stop: &StopFlag) -> Result<(), TablebaseError> {
    match stop.is_stopped() {
        true => Err(TablebaseError::Stopped { path: path.into() }),
        false => Ok(()),
    }
}

/// The available tablebases, by variant. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Tablebases(Arc<BTreeMap<Variant, Tablebase>>);

impl Tablebases {
    /// Opens the tablebases stored below a folder. Also returns an error for each that exists but can't be used.
    #[must_use]
    pub fn open(folder: &Path) -> (Tablebases, Vec<TablebaseError>) {
        let files = fs::read_dir(folder.join("tables")).into_iter().flatten();
        let paths = files.flatten().map(|entry| entry.path());
        let mut variants: Vec<Variant> = paths
            .filter_map(|path| {
                let name = path.file_stem()?.to_str()?.replace('_', ":");
                let variant: Variant = name.parse().ok()?;
                (tablebase_path(folder, variant) == path).then_some(variant)
            })
            .collect();
        variants.sort();
        Tablebases::open_each(folder, &variants)
    }

    /// Opens the tablebase of one variant stored below a folder. Also returns an error if it exists but can't be used.
    #[must_use]
    pub fn open_variant(folder: &Path, variant: Variant) -> (Tablebases, Vec<TablebaseError>) {
        // Opening the file needs the game, which for the largest boards takes a moment.
        match tablebase_path(folder, variant).exists() {
            true => Tablebases::open_each(folder, &[variant]),
            false => Default::default(),
        }
    }

    fn open_each(folder: &Path, variants: &[Variant]) -> (Tablebases, Vec<TablebaseError>) {
        let (mut tablebases, mut errors) = (BTreeMap::new(), Vec::new());
        for &variant in variants {
            match Tablebase::open(variant, &tablebase_path(folder, variant)) {
                Ok(tablebase) => {
                    tablebases.insert(variant, tablebase);
                }
                Err(error) if error.is_not_found() => {}
                Err(error) => errors.push(error),
            }
        }
        (Tablebases(Arc::new(tablebases)), errors)
    }

    /// The tablebase for this variant, if it was built.
    #[must_use]
    pub fn get(&self, variant: Variant) -> Option<&Tablebase> {
        self.0.get(&variant)
    }

    /// Whether a tablebase is known to be possible and of use for this variant.
    #[must_use]
    pub fn can_build(variant: Variant) -> bool {
        build_cost(variant).is_some()
    }

    /// Gets the values of a small game without a tablebase ready, within a part of the budget.
    pub(crate) fn prepare<G: Game>(&self, game: &G, budget: &Budget) {
        if game.can_repeat() && self.get(game.variant()).is_none() {
            small_game::prepare(game, budget);
        }
    }

    /// The position's value without any search: from the tablebase, or if the game is small and was solved before.
    pub(crate) fn probe<G: Game>(&self, game: &G, position: &G::Position) -> Option<ExactValue> {
        if !game.can_repeat() {
            return None;
        }
        match self.get(game.variant()) {
            Some(tablebase) => tablebase.probe(position),
            None => small_game::probe(game, position),
        }
    }

    /// A note for the player if exact play needs a tablebase that isn't available.
    pub(crate) fn missing_note<G: Game>(&self, game: &G) -> Option<SearchNote> {
        if !game.can_repeat() {
            return None;
        }
        let variant = game.variant();
        match self.get(variant) {
            Some(tablebase) if tablebase.is_corrupted() => {
                Some(SearchNote::CorruptedTablebase(variant))
            }
            Some(_) => None,
            None if Tablebases::can_build(variant) => Some(SearchNote::MissingTablebase(variant)),
            None => Some(SearchNote::UnsupportedTablebase(variant)),
        }
    }
}

impl From<Tablebase> for Tablebases {
    fn from(tablebase: Tablebase) -> Tablebases {
        Tablebases(Arc::new(BTreeMap::from([(tablebase.variant, tablebase)])))
    }
}
