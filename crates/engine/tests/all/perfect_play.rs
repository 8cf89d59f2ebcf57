//! `perfect` and `best` on boards small enough to look at every position that can
//! come up: each is left with the value it had, and that value is what they say. So
//! they never lose a drawn game, and win every won one in exactly the stated number
//! of plies, from both sides and against every line of play.

use std::collections::HashSet;

use crate::full_search::FullSearch;
use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag, Value};
use noughts_rules::{AnyGameState, Game, GameState, Visitor};

/// Every position that can be reached and is not over, and what the reference says
/// of it and of its moves.
struct Everything;

struct Known {
    text: String,
    value: Value,
    moves: Vec<(String, Value)>,
}

impl Visitor for Everything {
    type Output = Vec<Known>;

    fn visit<G: Game>(self, play: &GameState<G>) -> Vec<Known> {
        let game = play.game();
        let mut known = Vec::new();
        let mut seen = HashSet::new();
        let mut stack = vec![game.start()];
        while let Some(position) = stack.pop() {
            if game.outcome(&position).is_some() || !seen.insert(position.clone()) {
                continue;
            }
            let mut reference = FullSearch { nodes: u64::MAX };
            let exact = |truth: crate::full_search::ReferenceValue| {
                Value::Exact(truth.exact().expect("decided"))
            };
            let value = reference.value(game, &position, 100).expect("searched");
            let moves = reference.moves(game, &position, 100).expect("searched");
            for &(mv, _) in &moves {
                let mut next = position.clone();
                game.apply(&mut next, mv);
                stack.push(next);
            }
            let named = |(mv, truth)| (game.move_text(mv), exact(truth));
            known.push(Known {
                text: game.text(&position),
                value: exact(value),
                moves: moves.into_iter().map(named).collect(),
            });
        }
        known
    }
}

/// Gives the number of positions that were looked at.
fn plays_perfectly(kind: BotKind, name: &str) -> usize {
    let variant = name.parse().expect("a variant");
    let settings = BotSettings {
        memory: 1 << 22,
        ..BotSettings::default()
    };
    let mut bot = AnyBot::new(kind, variant, &settings).expect("it plays everything");
    let known = AnyGameState::new(variant).visit(Everything);
    for Known { text, value, moves } in &known {
        let play = AnyGameState::from_text(variant, text).expect("a position");
        let report = bot.think(&play, SearchLimits::NONE, &StopFlag::new(), &mut |_| {});
        assert_eq!(report.value, *value, "{kind}: {name} {text}");
        let mv = report.best.expect("a move");
        let of_move = moves.iter().find(|(other, _)| *other == mv);
        assert_eq!(
            of_move.map(|m| m.1),
            Some(*value),
            "{kind}: {name} {text} {mv}"
        );
    }
    known.len()
}

/// 5,478 positions of classic can be reached; 958 of them are ends.
const GOING_ON: usize = 4520;

#[test]
fn classic() {
    for kind in [BotKind::Perfect, BotKind::Best] {
        assert_eq!(plays_perfectly(kind, "classic"), GOING_ON);
    }
}

#[test]
fn misere() {
    for kind in [BotKind::Perfect, BotKind::Best] {
        assert_eq!(plays_perfectly(kind, "misere"), GOING_ON);
    }
}

#[test]
fn other_small_boards() {
    for kind in [BotKind::Perfect, BotKind::Best] {
        assert_eq!(plays_perfectly(kind, "ception:depth=1"), GOING_ON);
        plays_perfectly(kind, "mnk:4,2,2");
        plays_perfectly(kind, "mnk:2,4,3,misere");
    }
}
