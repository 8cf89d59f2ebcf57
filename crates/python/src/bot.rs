//! `noughts.Bot`: the engine's bots.

use std::sync::{Mutex, PoisonError, TryLockError};

use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag, catch_panic};
use noughts_rules::Variant;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::{BotError, Raise};
use crate::game::Game;
use crate::position::Position;
use crate::report::Report;
use crate::{background, game_args, search_args};

/// A bot that plays one game. It reuses what it found in earlier searches. On one thread, the
/// same seed and number of nodes give the same moves.
///
/// `kind` is one of `noughts.bots()`. `memory` is in MiB. `tables` is a `noughts.Table`, `None`
/// for the default tablebase (if you have built it), or `False` for none.
///
/// >>> import noughts
/// >>> bot = noughts.Bot("alpha-beta", "classic")
/// >>> bot
/// noughts.Bot('alpha-beta', 'classic')
/// >>> position = noughts.Position("classic", "x.o/.x./..o x")
/// >>> bot.choose(position, depth=2)
/// 'c2'
#[pyclass(frozen, module = "noughts")]
pub(crate) struct Bot {
    kind: BotKind,
    variant: Variant,
    settings: BotSettings,
    /// The `tables` argument as passed, for pickling.
    tables: Option<Py<PyAny>>,
    /// `None` before the first search, and after a search panicked.
    bot: Mutex<Option<AnyBot>>,
}

impl Bot {
    fn make_bot(&self) -> Result<AnyBot, String> {
        AnyBot::new(self.kind, self.variant, &self.settings).map_err(|error| error.to_string())
    }

    fn report(
        &self,
        py: Python<'_>,
        position: &Position,
        limits: SearchLimits,
    ) -> PyResult<Report> {
        let state = position.state();
        if state.variant() != self.variant {
            return Err(BotError::new_err(format!(
                "this bot plays {own}, but the position is from {other}",
                own = self.variant,
                other = state.variant()
            )));
        }
        let mut guard = match self.bot.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => PoisonError::into_inner(poisoned),
            Err(TryLockError::WouldBlock) => {
                return Err(BotError::new_err(
                    "this bot is already searching on another thread; create one bot for each thread",
                ));
            }
        };
        let bot_slot = &mut *guard;
        let limits = self.kind.limits_or_default(limits);
        let stop = StopFlag::new();
        let think = || {
            // Taken out during the search, so that a bot that panics isn't used again.
            let mut bot = bot_slot.take().map_or_else(|| self.make_bot(), Ok)?;
            let report = bot.think(state, limits, &stop, &mut |_| {});
            *bot_slot = Some(bot);
            Ok(report)
        };
        // Bots that don't search answer faster than a thread starts.
        let report: Result<_, String> = if is_quick(self.kind) {
            background::raise_panic(py.detach(|| catch_panic(think)))?
        } else {
            background::run_interruptible(py, &stop, think)?
        };
        Ok(Report::from_search(report.raise::<BotError>()?))
    }
}

/// Does this bot answer immediately, whatever the limits?
pub(crate) fn is_quick(kind: BotKind) -> bool {
    use BotKind::{Easy, Hard, Medium, Random};
    matches!(kind, Random | Easy | Medium | Hard)
}

/// Kind, game, seed, threads, memory in MiB, `tables`.
type PickledBot = (String, String, u64, usize, usize, Option<Py<PyAny>>);

#[pymethods]
impl Bot {
    #[new]
    #[pyo3(
        signature = (kind, game, /, *, seed = None, threads = None, memory = None, tables = None),
        text_signature = "(kind, game, /, *, seed=0, threads=1, memory=64, tables=None)"
    )]
    fn new(
        py: Python<'_>,
        kind: &str,
        game: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        memory: Option<&Bound<'_, PyAny>>,
        tables: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bot> {
        let kind: BotKind = kind.parse().raise::<BotError>()?;
        let variant = game_args::parse_variant(game)?;
        kind.check_supports(variant).raise::<BotError>()?;
        Ok(Bot {
            kind,
            variant,
            settings: search_args::parse_settings(py, variant, seed, threads, memory, tables)?,
            tables: tables.map(|tables| tables.clone().unbind()),
            bot: Mutex::new(None),
        })
    }

    /// The bot's name.
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind.name()
    }

    /// The game that the bot plays.
    #[getter]
    fn game(&self) -> Game {
        Game::from_variant(self.variant)
    }

    /// A one-sentence description of the bot.
    ///
    /// >>> noughts.Bot("random", "ultimate").about
    /// 'Plays a random legal move.'
    #[getter]
    fn about(&self) -> String {
        self.kind.description(Some(self.variant))
    }

    /// Whether the bot plays this game perfectly: from the start of the game, every move it makes
    /// is proved to be a best move.
    ///
    /// >>> [kind for kind in noughts.bots("classic") if noughts.Bot(kind, "classic").is_perfect]
    /// ['negamax', 'perfect', 'best']
    #[getter]
    fn is_perfect(&self) -> bool {
        self.kind
            .is_perfect(self.variant, &self.settings.tablebases)
    }

    /// Returns the bot's move. Without a limit, the bot thinks for its default time: one second,
    /// or five for `monte-carlo`.
    ///
    /// `time` is in seconds. `nodes` is a number of positions, or of random games for bots that
    /// play them. `depth` is a number of plies, for bots that use iterative deepening.
    ///
    /// >>> bot = noughts.Bot("perfect", "classic")
    /// >>> bot.choose(noughts.Position("classic", "xx./oo./... x"))
    /// 'c1'
    #[pyo3(signature = (position, /, *, time = None, nodes = None, depth = None))]
    fn choose(
        &self,
        py: Python<'_>,
        position: &Bound<'_, Position>,
        time: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
        depth: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let limits = search_args::parse_limits(time, nodes, depth)?;
        let position = position.get();
        let report = self.report(py, position, limits)?;
        match position.state().outcome() {
            Some(outcome) => Err(BotError::new_err(format!("the game is over: {outcome}"))),
            None => report
                .into_best()
                .ok_or_else(|| BotError::new_err(format!("{} didn't find a move", self.kind))),
        }
    }

    /// Returns the bot's move with its full report; `choose` returns only the move.
    ///
    /// >>> bot = noughts.Bot("negamax", "classic")
    /// >>> report = bot.think(noughts.Position("classic", "xox/.o./ox. x"))
    /// >>> [(ranked.move, ranked.value) for ranked in report.moves]
    /// [('c2', 'draw'), ('c3', 'draw'), ('a2', 'draw')]
    #[pyo3(signature = (position, /, *, time = None, nodes = None, depth = None))]
    fn think(
        &self,
        py: Python<'_>,
        position: &Bound<'_, Position>,
        time: Option<&Bound<'_, PyAny>>,
        nodes: Option<&Bound<'_, PyAny>>,
        depth: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Report> {
        let limits = search_args::parse_limits(time, nodes, depth)?;
        self.report(py, position.get(), limits)
    }

    fn __repr__(&self) -> String {
        format!("noughts.Bot('{}', '{}')", self.kind, self.variant)
    }

    /// Pickles the bot's settings. The copy starts from scratch, without earlier search results.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PickledBot)> {
        let again = py.get_type::<Bot>().getattr("_again")?;
        let parts = (
            self.kind.to_string(),
            self.variant.to_string(),
            self.settings.seed,
            self.settings.threads,
            self.settings.memory >> 20,
            self.tables.as_ref().map(|tables| tables.clone_ref(py)),
        );
        Ok((again, parts))
    }

    /// Restores a pickled bot.
    #[classmethod]
    #[expect(clippy::too_many_arguments, reason = "one argument per pickled field")]
    fn _again(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        kind: &str,
        game: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        threads: &Bound<'_, PyAny>,
        memory: &Bound<'_, PyAny>,
        tables: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bot> {
        Bot::new(
            py,
            kind,
            game,
            Some(seed),
            Some(threads),
            Some(memory),
            tables,
        )
    }
}

/// Returns the names of the bots, weakest first. With a game, only those that play it.
///
/// >>> import noughts
/// >>> noughts.bots()
/// ['random', 'easy', 'medium', 'hard', 'monte-carlo', 'negamax', 'mcts', 'alpha-beta', 'perfect', 'best']
/// >>> "negamax" in noughts.bots("ultimate")
/// False
#[pyfunction]
#[pyo3(signature = (game = None, /))]
pub(crate) fn bots(game: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<&'static str>> {
    let variant = game.map(game_args::parse_variant).transpose()?;
    let plays = |kind: &BotKind| variant.is_none_or(|variant| kind.check_supports(variant).is_ok());
    Ok(BotKind::ALL
        .into_iter()
        .filter(plays)
        .map(BotKind::name)
        .collect())
}
