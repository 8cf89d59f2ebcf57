//! `noughts.Bot`: the engine's bots.

use std::sync::{Mutex, PoisonError, TryLockError};

use noughts_engine::{
    AnyBot, BotKind, BotSettings, SearchLimits, SearchReport, StopFlag, catch_panic,
};
use noughts_rules::{AnyGameState, Variant};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{BotError, Raise};
use crate::game::Game;
use crate::own_game::{self, failure::catch};
use crate::pickling::{Reduced, reduce};
use crate::position::Position;
use crate::search_args::{SearchOptions, parse_limits};
use crate::{background, game_args, report};

/// A bot that plays one game. It reuses what it found in earlier searches. On one thread, the
/// same seed and number of nodes give the same moves.
///
/// `kind` is one of `noughts.bots()`. `memory` is in MiB. `tablebase` is a `noughts.Tablebase`, `None`
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
    /// The `tablebase` argument as passed, for pickling.
    tablebase: Option<Py<PyAny>>,
    /// `None` before the first search, and after a search panicked.
    bot: Mutex<Option<AnyBot>>,
}

impl Bot {
    fn make_bot(&self) -> Result<AnyBot, String> {
        AnyBot::new(self.kind, self.variant, &self.settings).map_err(|error| error.to_string())
    }

    fn search(
        &self,
        py: Python<'_>,
        state: &AnyGameState,
        limits: SearchLimits,
    ) -> PyResult<SearchReport<String>> {
        if !own_game::is_same(state.variant(), self.variant) {
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
        let report: PyResult<Result<_, String>> = if is_quick(self.kind) {
            let quick = py.detach(|| catch(|| catch_panic(think)));
            quick.and_then(background::raise_panic)
        } else {
            background::run_interruptible(py, self.variant, &stop, think)
        };
        // After an exception in the game, what the bot remembers may be wrong.
        report.inspect_err(|_| *guard = None)?.raise::<BotError>()
    }
}

/// Does this bot answer immediately, whatever the limits?
pub(crate) fn is_quick(kind: BotKind) -> bool {
    use BotKind::{Easy, Hard, Medium, Random};
    matches!(kind, Random | Easy | Medium | Hard)
}

#[pymethods]
impl Bot {
    #[new]
    #[pyo3(
        signature = (kind, game, /, **options),
        text_signature = "(kind, game, /, *, seed=0, threads=1, memory=64, tablebase=None)"
    )]
    fn new(
        py: Python<'_>,
        kind: &str,
        game: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bot> {
        let kind: BotKind = kind.parse().raise::<BotError>()?;
        let variant = game_args::parse_variant(game)?;
        catch(|| kind.check_supports(variant))?.raise::<BotError>()?;
        let options = SearchOptions::new(options, &["seed", "threads", "memory", "tablebase"])?;
        Ok(Bot {
            kind,
            variant,
            settings: options.settings(py, variant)?,
            tablebase: options.get("tablebase")?.map(Bound::unbind),
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
    fn game<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Game::of_variant(py, self.variant)
    }

    /// A one-sentence description of the bot.
    ///
    /// >>> noughts.Bot("random", "ultimate").about
    /// 'Plays a random legal move.'
    #[getter]
    fn about(&self) -> PyResult<String> {
        catch(|| self.kind.description(Some(self.variant)))
    }

    /// Whether the bot plays this game perfectly: from the start of the game, every move it makes
    /// is proved to be a best move.
    ///
    /// >>> [kind for kind in noughts.bots("classic") if noughts.Bot(kind, "classic").is_perfect]
    /// ['negamax', 'perfect', 'best']
    #[getter]
    fn is_perfect(&self) -> PyResult<bool> {
        let tablebases = &self.settings.tablebases;
        catch(|| self.kind.is_perfect(self.variant, tablebases))
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
    #[pyo3(
        signature = (position, /, **limits),
        text_signature = "($self, position, /, *, time=None, nodes=None, depth=None)"
    )]
    fn choose(
        &self,
        py: Python<'_>,
        position: &Bound<'_, Position>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        let limits = parse_limits(limits)?;
        let state = position.get().state();
        let report = self.search(py, state, limits)?;
        match catch(|| state.outcome())? {
            Some(outcome) => Err(BotError::new_err(format!("the game is over: {outcome}"))),
            None => report
                .best
                .ok_or_else(|| BotError::new_err(noughts_text::no_move_found(self.kind.name()))),
        }
    }

    /// Returns the bot's move with its full report; `choose` returns only the move.
    ///
    /// >>> bot = noughts.Bot("negamax", "classic")
    /// >>> report = bot.think(noughts.Position("classic", "xox/.o./ox. x"))
    /// >>> [(ranked.move, ranked.value) for ranked in report.moves]
    /// [('c2', 'draw'), ('c3', 'draw'), ('a2', 'draw')]
    #[pyo3(
        signature = (position, /, **limits),
        text_signature = "($self, position, /, *, time=None, nodes=None, depth=None)"
    )]
    fn think<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, Position>,
        limits: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = parse_limits(limits)?;
        let report = self.search(py, position.get().state(), limits)?;
        report::to_report(py, report)
    }

    fn __repr__(&self) -> String {
        format!("noughts.Bot('{}', '{}')", self.kind, self.variant)
    }

    /// Pickles the bot's settings. The copy starts from scratch, without earlier search results.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let settings = PyDict::new(py);
        settings.set_item("seed", self.settings.seed)?;
        settings.set_item("threads", self.settings.threads)?;
        settings.set_item("memory", self.settings.memory >> 20)?;
        settings.set_item("tablebase", &self.tablebase)?;
        let game = own_game::pickled_game(py, self.variant);
        reduce::<Bot>(py, (self.kind.name(), game), &settings)
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
    catch(|| {
        let kinds = BotKind::ALL.into_iter().filter(plays);
        kinds.map(BotKind::name).collect()
    })
}
