//! What a bot is, which bots there are, and how front ends call them.

use std::any::Any;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use noughts_rules::{AnyGameState, Game, GameState, Variant};

use crate::bots;
use crate::bots::game_history::adjust_for_history;
use crate::limits::{Budget, SearchLimits, StopFlag};
use crate::report::SearchReport;
use crate::search_game::{SearchGame, each_family};
use crate::tablebase::Tablebases;
use crate::value::{ExactValue, Value};

/// Chooses moves of one game. Keeps what is worth keeping between moves.
pub trait Bot<G: Game>: Send {
    /// Thinks about a game that is not over: as long as the budget lasts, or
    /// until it is sure. `watch` sees the reports on the way.
    ///
    /// The same seed and the same number of nodes give the same answer on one
    /// thread.
    fn think(
        &mut self,
        play: &GameState<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&SearchReport<G::Move>),
    ) -> SearchReport<G::Move>;

    /// Bytes of what it remembers between moves, as far as that is worth counting.
    fn memory_usage(&self) -> usize {
        0
    }
}

/// What a bot is made with.
#[derive(Clone, Debug)]
pub struct BotSettings {
    /// Where its random choices come from.
    pub seed: u64,
    /// How many threads it may use.
    pub threads: usize,
    /// Bytes for what it remembers.
    pub memory: usize,
    /// Exact tables that were found.
    pub tablebases: Tablebases,
}

impl Default for BotSettings {
    /// One thread, 64 MiB, seed 0, no tables.
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
    /// Any legal move.
    Random,
    /// A beginner.
    Easy,
    /// Somebody who looks out.
    Medium,
    /// Somebody who knows the game.
    Hard,
    /// Random games from every move.
    MonteCarlo,
    /// All games to their ends.
    Negamax,
    /// A tree of random games.
    Mcts,
    /// A deepening search.
    AlphaBeta,
    /// Exact play.
    Perfect,
    /// The strongest there is.
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

    /// The one spelling of its name.
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

    /// How long it thinks about a move unless told otherwise.
    #[must_use]
    pub const fn default_move_time(self) -> Duration {
        match self {
            BotKind::MonteCarlo => Duration::from_secs(5),
            _ => Duration::from_secs(1),
        }
    }

    /// Can it play this variant?
    ///
    /// # Errors
    /// Why not, as a sentence part.
    pub fn check_supports(self, variant: Variant) -> Result<(), String> {
        match self {
            BotKind::Negamax => bots::negamax::check_supports(variant),
            _ => Ok(()),
        }
    }
}

/// A bot's name as in `noughts best --bot`.
impl fmt::Display for BotKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No bot has this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no bot {0:?}; the bots are {all}", all = names())]
pub struct UnknownBotError(pub String);

fn names() -> String {
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

/// `alpha-beta` with another evaluation: for whoever makes a better one.
pub fn alpha_beta_with_evaluation<G: SearchGame>(
    game: &G,
    settings: &BotSettings,
    evaluation: G::Evaluation,
) -> Box<dyn Bot<G>> {
    Box::new(bots::alpha_beta::AlphaBeta::with_evaluation(
        game, settings, evaluation,
    ))
}

/// A bot that plays some variant, for front ends: moves are text.
///
/// ```
/// use noughts_engine::{AnyBot, BotKind, Limits, Settings, Stop};
/// use noughts_rules::{AnyPlay, Variant};
///
/// // x x .
/// // o o .      X wins at once.
/// // . . .
/// let play = AnyPlay::from_text(Variant::CLASSIC, "xx./oo./... x")?;
/// let mut bot = AnyBot::new(BotKind::Best, Variant::CLASSIC, &Settings::default())?;
/// let report = bot.think(&play, Limits::NONE, &Stop::new(), &mut |_| {});
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
    /// A bot for a variant.
    ///
    /// # Errors
    /// The bot does not play the variant; a sentence says why.
    pub fn new(kind: BotKind, variant: Variant, settings: &BotSettings) -> Result<AnyBot, String> {
        kind.check_supports(variant)
            .map_err(|reason| format!("{kind} does not play {variant}: {reason}"))?;
        let thinker: Box<dyn ErasedBot> = each_family!(AnyGameState::new(variant), play => {
            Box::new(TypedBot { bot: make_bot(kind, play.game(), settings) })
        });
        Ok(AnyBot {
            kind,
            variant,
            bot: thinker,
        })
    }

    /// One that judges every move, for analysis. It goes by the name of `alpha-beta`.
    pub(crate) fn analyzer(variant: Variant, settings: &BotSettings) -> AnyBot {
        let bot: Box<dyn ErasedBot> = each_family!(AnyGameState::new(variant), play => {
            Box::new(TypedBot { bot: Box::new(bots::analyzer::Analyzer::new(play.game(), settings)) })
        });
        AnyBot {
            kind: BotKind::AlphaBeta,
            variant,
            bot,
        }
    }

    /// Which bot it is.
    #[must_use]
    pub fn kind(&self) -> BotKind {
        self.kind
    }

    /// The variant it plays.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Thinks about the move to make. A finished game gives a report without a
    /// move, and so does a game of another variant than the bot's.
    pub fn think(
        &mut self,
        play: &AnyGameState,
        limits: SearchLimits,
        stop: &StopFlag,
        watch: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        self.think_with_budget(play, &Budget::start(limits, stop), watch)
    }

    /// The same with a budget that has started.
    pub(crate) fn think_with_budget(
        &mut self,
        play: &AnyGameState,
        budget: &Budget,
        watch: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        if let Some(outcome) = play.outcome() {
            return SearchReport {
                value: Value::Exact(ExactValue::from_outcome(outcome, play.side())),
                ..SearchReport::empty()
            };
        }
        let mut report = self.bot.think(play, budget, watch);
        report.elapsed = budget.elapsed();
        report
    }

    /// Bytes of what it remembers between moves.
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
        play: &AnyGameState,
        budget: &Budget,
        watch: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String>;

    fn memory_usage(&self) -> usize;
}

struct TypedBot<G: Game> {
    bot: Box<dyn Bot<G>>,
}

impl<G: SearchGame> ErasedBot for TypedBot<G> {
    fn think(
        &mut self,
        play: &AnyGameState,
        budget: &Budget,
        watch: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        let play = each_family!(play, play => (play as &dyn Any).downcast_ref::<GameState<G>>());
        let Some(play) = play else {
            return SearchReport::empty();
        };
        let game = play.game();
        let text = |report: &SearchReport<G::Move>| match G::CAN_REPEAT {
            true => adjust_for_history(play, report).to_text(|&mv| game.move_text(mv)),
            false => report.to_text(|&mv| game.move_text(mv)),
        };
        let report = self.bot.think(play, budget, &mut |report| {
            let mut report = text(report);
            report.elapsed = budget.elapsed();
            watch(&report);
        });
        text(&report)
    }

    fn memory_usage(&self) -> usize {
        self.bot.memory_usage()
    }
}
