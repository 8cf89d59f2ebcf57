//! Descriptions of the bots for front ends, and where a bot is proved to play perfectly.

use noughts_rules::{AnyGameState, Game as _, Variant};

use crate::bot::BotKind;
use crate::bots::levels::LevelHeuristics as _;
use crate::retrograde::small_game::is_small_variant;
use crate::search_game::{SearchGame as _, dispatch_game};
use crate::tablebase::Tablebases;

/// Games that last at most this many plies...
const SOLVED_PLIES: u32 = 16;
/// ...and have at most this many different moves are solved while the player waits.
const SOLVED_ACTIONS: usize = 18;

impl BotKind {
    /// A one-sentence description of the bot, specific to the variant if one is given.
    ///
    /// ```
    /// use noughts_engine::BotKind;
    /// assert_eq!(
    ///     BotKind::Random.description(None),
    ///     "Plays a random legal move.",
    /// );
    /// ```
    #[must_use]
    pub fn description(self, variant: Option<Variant>) -> String {
        let is_classic = variant == Some(Variant::CLASSIC);
        let description = match self {
            BotKind::Random => "Plays a random legal move.",
            BotKind::Easy if is_classic => "A beginner: picks a cell at random.",
            BotKind::Easy => {
                "A beginner: takes obvious wins, otherwise plays the better of two random moves."
            }
            BotKind::Medium if is_classic => {
                "Takes the center first, then blocks, but misses its own wins."
            }
            BotKind::Medium => "Looks one move ahead: takes wins and blocks obvious threats.",
            BotKind::Hard if is_classic => {
                "Takes the center first, then wins, blocks, or plays at random; can be beaten."
            }
            BotKind::Hard if variant.is_some_and(needs_search) => {
                "Looks several moves ahead, but has a lapse now and then; can be beaten."
            }
            BotKind::Hard => {
                "Knows the game and considers your best reply, but looks no further; can be beaten."
            }
            BotKind::MonteCarlo => {
                "Plays random games after each move and picks the move with the best results; thinks for up to 5 seconds."
            }
            BotKind::Negamax if variant.is_some() => "Searches every game to the end.",
            BotKind::Negamax => {
                "Searches every game to the end: perfect, but only plays small boards."
            }
            BotKind::Mcts => "Monte Carlo tree search: explores the most promising moves.",
            BotKind::AlphaBeta => "Alpha-beta search: looks as many moves ahead as time allows.",
            BotKind::Perfect => return perfect_description(variant),
            BotKind::Best => "The strongest level for this game.",
        };
        description.into()
    }

    /// Whether every move the bot makes in this variant, from the start position on, keeps the
    /// position's value. True only where that is proved with the given tablebases.
    #[must_use]
    pub fn is_perfect(self, variant: Variant, tablebases: &Tablebases) -> bool {
        match self {
            BotKind::Negamax => self.check_supports(variant).is_ok(),
            BotKind::Perfect | BotKind::Best => {
                is_small(variant) || has_tablebase(variant, tablebases)
            }
            _ => false,
        }
    }
}

/// Describes how exact `perfect` is.
fn perfect_description(variant: Option<Variant>) -> String {
    const SEARCHES: &str = "otherwise the best move found, not proved";
    match variant {
        None => {
            format!("Exact moves on small boards, from tablebases and from proofs; {SEARCHES}.")
        }
        Some(variant) if is_small(variant) => "Exact moves: solves the whole game.".into(),
        Some(variant) => dispatch_game!(AnyGameState::new(variant), state => {
            let game = state.game();
            let knows = if Tablebases::can_build(variant) {
                "from the tablebase, if it has been built"
            } else if game.has_strategy() {
                "as X from the start (by a proof) and late in the game"
            } else if game.can_repeat() {
                "when a win or loss is near"
            } else {
                "late in the game"
            };
            format!("Exact moves {knows}; {SEARCHES}.")
        }),
    }
}

/// Whether the variant is solved while the player waits: every game can be searched to its end, or there are few positions.
fn is_small(variant: Variant) -> bool {
    let state = AnyGameState::new(variant);
    match state.max_plies_left() {
        Some(plies) => plies <= SOLVED_PLIES && state.count_actions() <= SOLVED_ACTIONS,
        None => is_small_variant(variant),
    }
}

/// Whether the levels have no knowledge of the game, so that `hard` searches.
fn needs_search(variant: Variant) -> bool {
    dispatch_game!(AnyGameState::new(variant), state => state.game().needs_search())
}

fn has_tablebase(variant: Variant, tablebases: &Tablebases) -> bool {
    tablebases.get(variant).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(name: &str) -> Variant {
        name.parse().expect("a variant")
    }

    /// The descriptions are shown in lists, so each must be a single line that ends like a
    /// sentence.
    #[test]
    fn every_bot_has_one_sentence_everywhere() {
        let variants = [
            "classic",
            "misere",
            "tic-tac-two",
            "ultimate",
            "ception:5a",
            "qubic",
            "morris",
        ];
        for kind in BotKind::ALL {
            for variant in [None].into_iter().chain(variants.map(|v| Some(variant(v)))) {
                let description = kind.description(variant);
                assert!(description.ends_with('.'), "{kind}: {description}");
                assert!(!description.contains('\n'), "{kind}: {description}");
                assert!(description.chars().count() <= 110, "{kind}: {description}");
            }
        }
    }

    #[test]
    fn perfection_is_claimed_only_where_it_is_proved() {
        let none = Tablebases::default();
        for name in [
            "classic",
            "misere",
            "mnk:4,4,4",
            "mnk:16,1,3",
            "ception:depth=1",
            "wild",
            "wild:misere",
            "notakto:2",
            "gravity:4,4,4",
            "morris",
            "vanishing",
        ] {
            assert!(BotKind::Perfect.is_perfect(variant(name), &none), "{name}");
            assert!(BotKind::Best.is_perfect(variant(name), &none), "{name}");
        }
        for name in [
            "mnk:5,4,4",
            "mnk:16,16,5",
            "tic-tac-two",
            "ultimate",
            "ception:5a",
            "connect-four",
            "qubic",
            "order-and-chaos",
            "gobblers",
        ] {
            for kind in [BotKind::Perfect, BotKind::Best] {
                assert!(!kind.is_perfect(variant(name), &none), "{kind} {name}");
            }
        }
        // A player who knows the game beats each of these.
        for kind in [
            BotKind::Random,
            BotKind::Easy,
            BotKind::Medium,
            BotKind::Hard,
        ] {
            assert!(!kind.is_perfect(Variant::CLASSIC, &none), "{kind}");
        }
    }
}
