//! The `Bot` trait, the list of bots, and the interface for front ends.

use std::any::Any;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use noughts_rules::{AnyGameState, Game, GameState, Variant};

use crate::bots;
use crate::bots::game_history::adjust_for_history;
use crate::limits::{Budget, SearchLimits, StopFlag};
use crate::report::SearchReport;
use crate::search_game::{SearchGame, dispatch_game};
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

/// The bots, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BotKind {
    /// Plays a random legal move.
    Random,
    /// Plays like a beginner.
    Easy,
    /// Takes wins and blocks obvious threats.
    Medium,
    /// Knows the game but doesn't search.
    Hard,
    /// Flat Monte Carlo: random games after every move.
    MonteCarlo,
    /// Full-depth negamax.
    Negamax,
    /// Monte Carlo tree search.
    Mcts,
    /// Iterative deepening alpha-beta.
    AlphaBeta,
    /// Exact play where it is known or can be proved.
    Perfect,
    /// The strongest bot for the variant.
    Best,
}

impl BotKind {
    /// All bots.
    pub const ALL: [BotKind; 10] = [
        BotKind::Random,
        BotKind::Easy,
        BotKind::Medium,
        BotKind::Hard,
        BotKind::MonteCarlo,
        BotKind::Negamax,
        BotKind::Mcts,
        BotKind::AlphaBeta,
        BotKind::Perfect,
        BotKind::Best,
    ];

    /// The bot's name, as used on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            BotKind::Random => "random",
            BotKind::Easy => "easy",
            BotKind::Medium => "medium",
            BotKind::Hard => "hard",
            BotKind::MonteCarlo => "monte-carlo",
            BotKind::Negamax => "negamax",
            BotKind::Mcts => "mcts",
            BotKind::AlphaBeta => "alpha-beta",
            BotKind::Perfect => "perfect",
            BotKind::Best => "best",
        }
    }

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

/// A bot's name as in `noughts best --bot`.
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
    /// Why not, as part of a sentence.
    pub reason: String,
}

/// There is no bot with this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no bot {0:?}; the bots are {all}", all = bot_names())]
pub struct UnknownBotError(pub String);

fn bot_names() -> String {
    BotKind::ALL.map(BotKind::name).join(", ")
}

impl FromStr for BotKind {
    type Err = UnknownBotError;

    fn from_str(name: &str) -> Result<BotKind, UnknownBotError> {
        BotKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownBotError(name.chars().take(40).collect()))
    }
}

fn make_bot<G: SearchGame>(kind: BotKind, game: &G, settings: &BotSettings) -> Box<dyn Bot<G>> {
    match kind {
        BotKind::Random => Box::new(bots::random::Random::new(settings)),
        BotKind::Easy => Box::new(bots::easy::Easy::new(settings)),
        BotKind::Medium => Box::new(bots::medium::Medium::new(settings)),
        BotKind::Hard => Box::new(bots::hard::Hard::new(settings)),
        BotKind::MonteCarlo => Box::new(bots::monte_carlo::MonteCarlo::new(settings)),
        BotKind::Negamax => Box::new(bots::negamax::Negamax::new(settings)),
        BotKind::Mcts => Box::new(bots::mcts::Mcts::new(game, settings)),
        BotKind::AlphaBeta => Box::new(bots::alpha_beta::AlphaBeta::new(game, settings)),
        BotKind::Perfect => Box::new(bots::perfect::Perfect::new(game, settings)),
        BotKind::Best => Box::new(bots::best::Best::new(game, settings)),
    }
}

/// `alpha-beta` with a custom evaluation.
pub fn alpha_beta_with_evaluation<G: SearchGame>(
    game: &G,
    settings: &BotSettings,
    evaluation: G::Evaluation,
) -> Box<dyn Bot<G>> {
    Box::new(bots::alpha_beta::AlphaBeta::with_evaluation(
        game, settings, evaluation,
    ))
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
    bot: Box<dyn ErasedBot>,
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
            Box::new(TypedBot { bot: make_bot(kind, state.game(), settings) })
        });
        Ok(AnyBot { kind, variant, bot })
    }

    /// A bot that evaluates every move, for analysis. Its kind is `alpha-beta`.
    pub(crate) fn analyzer(variant: Variant, settings: &BotSettings) -> AnyBot {
        let bot: Box<dyn ErasedBot> = dispatch_game!(AnyGameState::new(variant), state => {
            Box::new(TypedBot { bot: Box::new(bots::analyzer::Analyzer::new(state.game(), settings)) })
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

trait ErasedBot: Send {
    fn think(
        &mut self,
        state: &AnyGameState,
        budget: &Budget,
        on_report: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String>;

    fn memory_usage(&self) -> usize;
}

struct TypedBot<G: Game> {
    bot: Box<dyn Bot<G>>,
}

impl<G: SearchGame> ErasedBot for TypedBot<G> {
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
        let to_text = |report: &SearchReport<G::Move>| match G::CAN_REPEAT {
            true => adjust_for_history(state, report).to_text(|&mv| game.move_text(mv)),
            false => report.to_text(|&mv| game.move_text(mv)),
        };
        let report = self.bot.think(state, budget, &mut |report| {
            let mut report = to_text(report);
            report.elapsed = budget.elapsed();
            on_report(&report);
        });
        to_text(&report)
    }

    fn memory_usage(&self) -> usize {
        self.bot.memory_usage()
    }
}
