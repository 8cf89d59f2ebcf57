//! The `Bot` trait, the list of bots, and the interface for front ends.

use std::any::Any;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use noughts_rules::{AnyGameState, Game, GameState, Variant, word_enum};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bots::game_history::adjust_for_history;
use crate::bots::{self, LevelBot, SearchBot};
use crate::limits::{Budget, SearchLimits, StopFlag};
use crate::report::SearchReport;
use crate::search_game::{BestSearch, SearchGame, dispatch_game};
use crate::tablebase::Tablebases;
use crate::value::{ExactValue, Value};

/// Chooses moves in one game. A bot may keep state between moves.
pub trait Bot<G: Game>: Send {
    /// Thinks about a game that isn't over, until the budget is spent or the result is certain.
    /// `on_report` is called with intermediate reports.
    ///
    /// With one thread, the same seed and the same number of nodes give the same result.
    fn think(
        &mut self,
        state: &GameState<G>,
        budget: &Budget,
        on_report: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move>;

    /// Approximate bytes of state kept between moves.
    fn memory_usage(&self) -> usize {
        0
    }
}

/// How to create a bot.
#[derive(Clone, Debug)]
pub struct BotSettings {
    /// The seed of its random choices.
    pub seed: u64,
    /// Maximum number of threads.
    pub threads: usize,
    /// Bytes for transposition tables and trees.
    pub memory: usize,
    /// The available tablebases.
    pub tablebases: Tablebases,
}

impl Default for BotSettings {
    /// One thread, 64 MiB, seed 0, no tablebases.
    fn default() -> BotSettings {
        BotSettings {
            seed: 0,
            threads: 1,
            memory: 64 << 20,
            tablebases: Tablebases::default(),
        }
    }
}

word_enum! {
    /// The bots, weakest first, and their names on the command line.
    pub enum BotKind, word: name {
        /// Plays a random legal move.
        Random = "random",
        /// Plays like a beginner.
        Easy = "easy",
        /// Takes wins and blocks obvious threats.
        Medium = "medium",
        /// Knows the game but doesn't search.
        Hard = "hard",
        /// Flat Monte Carlo: random games after every move.
        MonteCarlo = "monte-carlo",
        /// Full-depth negamax.
        Negamax = "negamax",
        /// Monte Carlo tree search.
        Mcts = "mcts",
        /// Iterative deepening alpha-beta.
        AlphaBeta = "alpha-beta",
        /// Exact play where it is known or can be proved.
        Perfect = "perfect",
        /// The strongest bot for the variant.
        Best = "best",
    }
}

impl BotKind {
    /// The default time per move.
    #[must_use]
    pub const fn default_move_time(self) -> Duration {
        match self {
            BotKind::MonteCarlo => Duration::from_secs(5),
            _ => Duration::from_secs(1),
        }
    }

    /// Checks that the bot supports this variant.
    ///
    /// # Errors
    /// The bot doesn't play the variant, and why.
    pub fn check_supports(self, variant: Variant) -> Result<(), UnsupportedVariantError> {
        let supported = match self {
            BotKind::Negamax => bots::negamax::check_supports(variant),
            _ => Ok(()),
        };
        supported.map_err(|reason| UnsupportedVariantError {
            bot: self,
            variant,
            reason,
        })
    }
}

/// The bot's name.
impl fmt::Display for BotKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A bot doesn't play a variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{bot} doesn't play {variant}: {reason}")]
pub struct UnsupportedVariantError {
    /// The bot.
    pub bot: BotKind,
    /// The variant.
    pub variant: Variant,
    /// Why not.
    pub reason: UnsupportedReason,
}

/// Why a bot that searches every game to its end doesn't play a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnsupportedReason {
    /// The board is too large.
    #[error(
        "it searches every game to the end, which takes too long with more than {max} cells; \
         this board has {cells}",
        max = bots::negamax::MAX_CELLS
    )]
    TooManyCells {
        /// The number of cells.
        cells: usize,
    },
    /// There are too many different moves.
    #[error(
        "it searches every game to the end, which takes too long with more than {max} different \
         moves; this game has {moves}",
        max = bots::negamax::MAX_ACTIONS
    )]
    TooManyMoves {
        /// The number of different moves.
        moves: usize,
    },
    /// Games can repeat.
    #[error("it searches every game to the end, and games can repeat forever")]
    EndlessGames,
}

/// There is no bot with this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown bot {0:?}; use one of {all}", all = bot_names())]
pub struct UnknownBotError(pub String);

fn bot_names() -> String {
    BotKind::ALL.map(BotKind::name).join(", ")
}

impl FromStr for BotKind {
    type Err = UnknownBotError;

    fn from_str(name: &str) -> Result<BotKind, UnknownBotError> {
        BotKind::from_word(name).ok_or_else(|| UnknownBotError(name.chars().take(40).collect()))
    }
}

fn make_bot<G: SearchGame>(kind: BotKind, game: &G, settings: &BotSettings) -> Box<dyn Bot<G>> {
    let rng = || Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let level = |choose| Box::new(LevelBot { rng: rng(), choose });
    let search = |search, notes| Box::new(SearchBot::new(game, settings, search, notes));
    match kind {
        BotKind::Random => level(bots::random::choose),
        BotKind::Easy => level(bots::easy::choose),
        BotKind::Medium => level(bots::medium::choose),
        BotKind::Hard => level(bots::hard::choose),
        BotKind::MonteCarlo => Box::new(bots::monte_carlo::MonteCarlo {
            rng: rng(),
            threads: settings.threads.max(1),
        }),
        BotKind::Negamax => Box::new(bots::negamax::Negamax { rng: rng() }),
        BotKind::Mcts => Box::new(bots::mcts::Mcts::new(game, settings, false)),
        BotKind::AlphaBeta => search(bots::alpha_beta::search, false),
        BotKind::Perfect => search(bots::perfect::search, true),
        BotKind::Best => match game.best_search() {
            BestSearch::AlphaBeta => search(bots::alpha_beta::search, true),
            BestSearch::Mcts => Box::new(bots::mcts::Mcts::new(game, settings, true)),
        },
    }
}

/// `alpha-beta` with a custom evaluation.
pub fn alpha_beta_with_evaluation<G: SearchGame>(
    game: &G,
    settings: &BotSettings,
    evaluation: G::Evaluation,
) -> Box<dyn Bot<G>> {
    let mut bot = SearchBot::new(game, settings, bots::alpha_beta::search, false);
    bot.context.evaluation = evaluation;
    Box::new(bot)
}

/// A bot for a variant that is chosen at run time, for front ends: moves are text.
///
/// ```
/// use noughts_engine::{AnyBot, BotKind, SearchLimits, BotSettings, StopFlag};
/// use noughts_rules::{AnyGameState, Variant};
///
/// // x x .
/// // o o .      X wins at once.
/// // . . .
/// let state = AnyGameState::from_text(Variant::CLASSIC, "xx./oo./... x")?;
/// let mut bot = AnyBot::new(BotKind::Best, Variant::CLASSIC, &BotSettings::default())?;
/// let report = bot.think(&state, SearchLimits::NONE, &StopFlag::new(), &mut |_| {});
/// assert_eq!(report.best.as_deref(), Some("c1"));
/// assert_eq!(report.value.to_string(), "win in 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AnyBot {
    kind: BotKind,
    variant: Variant,
    pub(crate) bot: Box<dyn ErasedBot>,
}

impl AnyBot {
    /// Creates a bot for a variant.
    ///
    /// # Errors
    /// The bot doesn't support the variant; the message says why.
    pub fn new(
        kind: BotKind,
        variant: Variant,
        settings: &BotSettings,
    ) -> Result<AnyBot, UnsupportedVariantError> {
        kind.check_supports(variant)?;
        let bot: Box<dyn ErasedBot> = dispatch_game!(AnyGameState::new(variant), state => {
            Box::new(make_bot(kind, state.game(), settings))
        });
        Ok(AnyBot { kind, variant, bot })
    }

    /// A bot that evaluates every move, for analysis. Its kind is `alpha-beta`, whatever it uses.
    pub(crate) fn analyzer(variant: Variant, settings: &BotSettings) -> AnyBot {
        let bot: Box<dyn ErasedBot> = dispatch_game!(AnyGameState::new(variant), state => {
            let bot: Box<dyn Bot<_>> = Box::new(bots::analyzer::Analyzer::new(state.game(), settings));
            Box::new(bot)
        });
        AnyBot {
            kind: BotKind::AlphaBeta,
            variant,
            bot,
        }
    }

    /// The kind of bot.
    #[must_use]
    pub fn kind(&self) -> BotKind {
        self.kind
    }

    /// The variant it plays.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Thinks about the move to make. The report has no best move if the game is over or belongs to
    /// a variant other than the bot's.
    pub fn think(
        &mut self,
        state: &AnyGameState,
        limits: SearchLimits,
        stop: &StopFlag,
        on_report: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        self.think_with_budget(state, &Budget::start(limits, stop), on_report)
    }

    /// The same as [`AnyBot::think`], with a budget that has already started.
    pub(crate) fn think_with_budget(
        &mut self,
        state: &AnyGameState,
        budget: &Budget,
        on_report: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        if let Some(outcome) = state.outcome() {
            return SearchReport {
                value: Value::Exact(ExactValue::from_outcome(outcome, state.side())),
                ..SearchReport::empty()
            };
        }
        let mut report = self.bot.think(state, budget, on_report);
        report.elapsed = budget.elapsed();
        report
    }

    /// Approximate bytes of state kept between moves.
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        self.bot.memory_usage()
    }
}

impl fmt::Debug for AnyBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} for {}", self.kind, self.variant)
    }
}

/// A [`Bot`] whose moves are text.
pub(crate) trait ErasedBot: Send {
    fn think(
        &mut self,
        state: &AnyGameState,
        budget: &Budget,
        on_report: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String>;

    fn memory_usage(&self) -> usize;
}

impl<G: SearchGame> ErasedBot for Box<dyn Bot<G>> {
    fn think(
        &mut self,
        state: &AnyGameState,
        budget: &Budget,
        on_report: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        let state =
            dispatch_game!(state, state => (state as &dyn Any).downcast_ref::<GameState<G>>());
        let Some(state) = state else {
            return SearchReport::empty();
        };
        let game = state.game();
        let to_text = |report: &SearchReport<G::Move>| match game.can_repeat() {
            true => adjust_for_history(state, report).to_text(|&mv| game.move_text(mv)),
            false => report.to_text(|&mv| game.move_text(mv)),
        };
        let report = (**self).think(state, budget, &mut |report| {
            let mut report = to_text(report);
            report.elapsed = budget.elapsed();
            on_report(&report);
        });
        to_text(&report)
    }

    fn memory_usage(&self) -> usize {
        (**self).memory_usage()
    }
}
