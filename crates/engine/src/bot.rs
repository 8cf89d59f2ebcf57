//! What a bot is, which bots there are, and how front ends call them.

use std::any::Any;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use noughts_rules::{AnyPlay, Game, Play, Variant};

use crate::bots;
use crate::bots::history::with_history;
use crate::family::{Family, each_family};
use crate::limits::{Budget, Limits, Stop};
use crate::report::Report;
use crate::tablebase::Tables;
use crate::value::{Exact, Value};

/// Chooses moves of one game. Keeps what is worth keeping between moves.
pub trait Bot<G: Game>: Send {
    /// Thinks about a game that is not over: as long as the budget lasts, or
    /// until it is sure. `watch` sees the reports on the way.
    ///
    /// The same seed and the same number of nodes give the same answer on one
    /// thread.
    fn think(
        &mut self,
        play: &Play<G>,
        budget: &Budget,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move>;

    /// Bytes of what it remembers between moves, as far as that is worth counting.
    fn memory(&self) -> usize {
        0
    }
}

/// What a bot is made with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where its random choices come from.
    pub seed: u64,
    /// How many threads it may use.
    pub threads: usize,
    /// Bytes for what it remembers.
    pub memory: usize,
    /// Exact tables that were found.
    pub tables: Tables,
}

impl Default for Settings {
    /// One thread, 64 MiB, seed 0, no tables.
    fn default() -> Settings {
        Settings {
            seed: 0,
            threads: 1,
            memory: 64 << 20,
            tables: Tables::default(),
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
    pub const fn usual_time(self) -> Duration {
        match self {
            BotKind::MonteCarlo => Duration::from_secs(5),
            _ => Duration::from_secs(1),
        }
    }

    /// Can it play this variant?
    ///
    /// # Errors
    /// Why not, as a sentence part.
    pub fn plays(self, variant: Variant) -> Result<(), String> {
        match self {
            BotKind::Negamax => bots::negamax::plays(variant),
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
pub struct UnknownBot(pub String);

fn names() -> String {
    BotKind::ALL.map(BotKind::name).join(", ")
}

impl FromStr for BotKind {
    type Err = UnknownBot;

    fn from_str(name: &str) -> Result<BotKind, UnknownBot> {
        BotKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownBot(name.chars().take(40).collect()))
    }
}

fn make<G: Family>(kind: BotKind, game: &G, settings: &Settings) -> Box<dyn Bot<G>> {
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
pub fn alpha_beta_with<G: Family>(
    game: &G,
    settings: &Settings,
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
    thinker: Box<dyn Thinker>,
}

impl AnyBot {
    /// A bot for a variant.
    ///
    /// # Errors
    /// The bot does not play the variant; a sentence says why.
    pub fn new(kind: BotKind, variant: Variant, settings: &Settings) -> Result<AnyBot, String> {
        kind.plays(variant)
            .map_err(|reason| format!("{kind} does not play {variant}: {reason}"))?;
        let thinker: Box<dyn Thinker> = each_family!(AnyPlay::new(variant), play => {
            Box::new(Typed { bot: make(kind, play.game(), settings) })
        });
        Ok(AnyBot {
            kind,
            variant,
            thinker,
        })
    }

    /// One that judges every move, for analysis. It goes by the name of `alpha-beta`.
    pub(crate) fn analyst(variant: Variant, settings: &Settings) -> AnyBot {
        let thinker: Box<dyn Thinker> = each_family!(AnyPlay::new(variant), play => {
            Box::new(Typed { bot: Box::new(bots::analyst::Analyst::new(play.game(), settings)) })
        });
        AnyBot {
            kind: BotKind::AlphaBeta,
            variant,
            thinker,
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
        play: &AnyPlay,
        limits: Limits,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report<String>),
    ) -> Report<String> {
        self.think_within(play, &Budget::start(limits, stop), watch)
    }

    /// The same with a budget that has started.
    pub(crate) fn think_within(
        &mut self,
        play: &AnyPlay,
        budget: &Budget,
        watch: &mut dyn FnMut(&Report<String>),
    ) -> Report<String> {
        if let Some(outcome) = play.outcome() {
            return Report {
                value: Value::Exact(Exact::finished(outcome, play.side())),
                ..Report::empty()
            };
        }
        let mut report = self.thinker.think(play, budget, watch);
        report.elapsed = budget.elapsed();
        report
    }

    /// Bytes of what it remembers between moves.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.thinker.memory()
    }
}

impl fmt::Debug for AnyBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} for {}", self.kind, self.variant)
    }
}

trait Thinker: Send {
    fn think(
        &mut self,
        play: &AnyPlay,
        budget: &Budget,
        watch: &mut dyn FnMut(&Report<String>),
    ) -> Report<String>;

    fn memory(&self) -> usize;
}

struct Typed<G: Game> {
    bot: Box<dyn Bot<G>>,
}

impl<G: Family> Thinker for Typed<G> {
    fn think(
        &mut self,
        play: &AnyPlay,
        budget: &Budget,
        watch: &mut dyn FnMut(&Report<String>),
    ) -> Report<String> {
        let play = each_family!(play, play => (play as &dyn Any).downcast_ref::<Play<G>>());
        let Some(play) = play else {
            return Report::empty();
        };
        let game = play.game();
        let text = |report: &Report<G::Move>| match G::REPEATS {
            true => with_history(play, report).to_text(|&mv| game.move_text(mv)),
            false => report.to_text(|&mv| game.move_text(mv)),
        };
        let report = self.bot.think(play, budget, &mut |report| {
            let mut report = text(report);
            report.elapsed = budget.elapsed();
            watch(&report);
        });
        text(&report)
    }

    fn memory(&self) -> usize {
        self.bot.memory()
    }
}
