//! Bots that play the other side in the games of a vector.

use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
use noughts_rules::{AnyGameState, Side as RulesSide};
use rand_core::Rng;

use crate::bot::is_quick;

/// Bytes for what a bot remembers while it thinks about one move.
const MEMORY: usize = 4 << 20;

/// Which side the learner has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    X,
    O,
    /// Drawn for every game.
    Random,
}

impl Side {
    pub(crate) const WORDS: [(&'static str, Side); 3] =
        [("x", Side::X), ("o", Side::O), ("random", Side::Random)];

    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        let found = Side::WORDS.iter().find(|(_, side)| *side == self);
        found.map_or("", |(word, _)| word)
    }

    /// The learner's side in the next game.
    #[inline]
    pub(crate) fn draw(self, chance: &mut impl Rng) -> RulesSide {
        match self {
            Side::X => RulesSide::X,
            Side::O => RulesSide::O,
            Side::Random if chance.next_u64() >> 63 == 0 => RulesSide::X,
            Side::Random => RulesSide::O,
        }
    }
}

/// Who plays against the learner.
#[derive(Clone)]
pub(crate) struct Opponents {
    /// One for all games, or one for each.
    pub(crate) kinds: Vec<BotKind>,
    pub(crate) limits: SearchLimits,
    pub(crate) side: Side,
    /// As bots have them: exact tables are among them.
    pub(crate) settings: BotSettings,
}

impl Opponents {
    /// Do all of them answer at once?
    pub(crate) fn are_quick(&self) -> bool {
        self.kinds.iter().all(|&kind| is_quick(kind))
    }

    /// Do all of them move at random?
    pub(crate) fn are_random(&self) -> bool {
        self.kinds.iter().all(|&kind| kind == BotKind::Random)
    }

    /// Who plays in the game with this number.
    #[inline]
    pub(crate) fn kind(&self, game: usize) -> BotKind {
        let kind = self.kinds.get(game).or(self.kinds.first());
        kind.copied().unwrap_or(BotKind::Random)
    }

    /// The move that a bot makes, as text. It is made for this move alone and its seed comes
    /// from the game's chance: what it plays depends on nothing but this game.
    pub(crate) fn choose(
        &self,
        kind: BotKind,
        play: &AnyGameState,
        chance: &mut impl Rng,
        stop: &StopFlag,
    ) -> Option<String> {
        let settings = BotSettings {
            seed: chance.next_u64(),
            threads: 1,
            memory: MEMORY,
            ..self.settings.clone()
        };
        let mut bot = AnyBot::new(kind, play.variant(), &settings).ok()?;
        let limits = kind.limits_or_default(self.limits);
        if is_quick(kind) {
            // It is done before anybody could stop it, and threads that share a flag wait for
            // each other when they count who holds it.
            return bot.think(play, limits, &StopFlag::new(), &mut |_| {}).best;
        }
        bot.think(play, limits, stop, &mut |_| {}).best
    }
}
