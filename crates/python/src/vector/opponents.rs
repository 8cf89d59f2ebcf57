//! The bots that a learner plays against in the games of a vector.

use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Side};
use rand_core::Rng;

use crate::bot::is_quick;

/// The memory of a bot during one search, in bytes.
const MEMORY_BYTES: usize = 4 << 20;

/// The side that the learner plays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LearnerSide {
    X,
    O,
    /// Chosen at random for every game.
    Random,
}

impl LearnerSide {
    pub(crate) const NAMES: [(&'static str, LearnerSide); 3] = [
        ("x", LearnerSide::X),
        ("o", LearnerSide::O),
        ("random", LearnerSide::Random),
    ];

    pub(crate) fn name(self) -> &'static str {
        let found = LearnerSide::NAMES.iter().find(|(_, side)| *side == self);
        found.map_or("", |(name, _)| name)
    }

    /// The learner's side in the next game.
    #[inline]
    pub(crate) fn pick(self, rng: &mut impl Rng) -> Side {
        match self {
            LearnerSide::X => Side::X,
            LearnerSide::O => Side::O,
            LearnerSide::Random if rng.next_u64() >> 63 == 0 => Side::X,
            LearnerSide::Random => Side::O,
        }
    }
}

/// The bots that play against the learner.
#[derive(Clone)]
pub(crate) struct Opponents {
    /// One for all games, or one for each game.
    pub(crate) kinds: Vec<BotKind>,
    pub(crate) limits: SearchLimits,
    pub(crate) side: LearnerSide,
    /// Settings for every bot, including tablebases.
    pub(crate) settings: BotSettings,
}

impl Opponents {
    /// Do all of them answer immediately?
    pub(crate) fn are_quick(&self) -> bool {
        self.kinds.iter().all(|&kind| is_quick(kind))
    }

    /// Do all of them move at random?
    pub(crate) fn are_random(&self) -> bool {
        self.kinds.iter().all(|&kind| kind == BotKind::Random)
    }

    /// The bot of the game with this index.
    #[inline]
    pub(crate) fn kind(&self, game: usize) -> BotKind {
        let kind = self.kinds.get(game).or(self.kinds.first());
        kind.copied().unwrap_or(BotKind::Random)
    }

    /// The move that a bot makes, as text. The bot is created for this one move and seeded from the
    /// game's random generator, so its moves depend only on this game.
    pub(crate) fn choose(
        &self,
        kind: BotKind,
        state: &AnyGameState,
        rng: &mut impl Rng,
        stop: &StopFlag,
    ) -> Option<String> {
        let settings = BotSettings {
            seed: rng.next_u64(),
            threads: 1,
            memory: MEMORY_BYTES,
            ..self.settings.clone()
        };
        let mut bot = AnyBot::new(kind, state.variant(), &settings).ok()?;
        let limits = kind.limits_or_default(self.limits);
        if is_quick(kind) {
            // It finishes before anyone could stop it, and a shared flag would make the threads contend
            // for its reference count.
            return bot.think(state, limits, &StopFlag::new(), &mut |_| {}).best;
        }
        bot.think(state, limits, stop, &mut |_| {}).best
    }
}
