//! Checks `perfect` and `best` in every reachable position of small boards: each move keeps the
//! position's value, and the reported value is correct. So they never lose a drawn game and win
//! every won game in exactly the reported number of plies, as either side and against every
//! defense.

use std::collections::HashSet;

use crate::full_search::FullSearch;
use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag, Tablebases, Value};
use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, games};

/// Visits every reachable, unfinished position, with its value and those of its moves by a full
/// search.
struct AllPositions {
    /// Leave out positions with more plies left.
    max_plies: u32,
}

struct KnownPosition {
    text: String,
    value: Value,
    moves: Vec<(String, Value)>,
}

impl GameVisitor for AllPositions {
    type Output = Vec<KnownPosition>;

    fn visit<G: Game>(self, state: &GameState<G>) -> Vec<KnownPosition> {
        let game = state.game();
        let mut known = Vec::new();
        let mut seen = HashSet::new();
        let mut stack = vec![game.start()];
        while let Some(position) = stack.pop() {
            if game.outcome(&position).is_some() || !seen.insert(position.clone()) {
                continue;
            }
            game.for_each_move(&position, |mv| stack.push(game.after(&position, mv)));
            if game.max_plies_left(&position) > Some(self.max_plies) {
                continue;
            }
            let mut full_search = FullSearch { nodes: u64::MAX };
            let exact = |value: crate::full_search::ReferenceValue| {
                Value::Exact(value.exact().expect("decided"))
            };
            let value = full_search.value(game, &position, 100).expect("searched");
            let moves = full_search.moves(game, &position, 100).expect("searched");
            let to_text = |(mv, value)| (game.move_text(mv), exact(value));
            known.push(KnownPosition {
                text: game.text(&position),
                value: exact(value),
                moves: moves.into_iter().map(to_text).collect(),
            });
        }
        known
    }
}

/// Returns the number of positions checked.
fn check_perfect_play(kind: BotKind, name: &str) -> usize {
    check_positions(kind, name, u32::MAX)
}

/// The same for the positions with at most this many plies left.
fn check_positions(kind: BotKind, name: &str, max_plies: u32) -> usize {
    let variant = name.parse().expect("a variant");
    let settings = BotSettings {
        memory: 1 << 22,
        ..BotSettings::default()
    };
    let mut bot = AnyBot::new(kind, variant, &settings).expect("it plays everything");
    let known = AnyGameState::new(variant).visit(AllPositions { max_plies });
    for KnownPosition { text, value, moves } in &known {
        let state = AnyGameState::from_text(variant, text).expect("a position");
        let report = bot.think(&state, SearchLimits::NONE, &StopFlag::new(), &mut |_| {});
        assert_eq!(report.value, *value, "{kind}: {name} {text}");
        let mv = report.best.expect("a move");
        let move_value = moves.iter().find(|(other, _)| *other == mv);
        assert_eq!(
            move_value.map(|m| m.1),
            Some(*value),
            "{kind}: {name} {text} {mv}"
        );
    }
    known.len()
}

/// Classic has 5,478 reachable positions; in 958 of them the game is over.
const UNFINISHED_POSITIONS: usize = 4520;

#[test]
fn classic_is_played_perfectly() {
    for kind in [BotKind::Perfect, BotKind::Best] {
        assert_eq!(check_perfect_play(kind, "classic"), UNFINISHED_POSITIONS);
    }
}

#[test]
fn misere_is_played_perfectly() {
    for kind in [BotKind::Perfect, BotKind::Best] {
        assert_eq!(check_perfect_play(kind, "misere"), UNFINISHED_POSITIONS);
    }
}

#[test]
fn other_small_boards_are_played_perfectly() {
    for kind in [BotKind::Perfect, BotKind::Best] {
        assert_eq!(
            check_perfect_play(kind, "ception:depth=1"),
            UNFINISHED_POSITIONS
        );
        check_perfect_play(kind, "mnk:4,2,2");
        check_perfect_play(kind, "mnk:2,4,3,misere");
    }
}

#[test]
fn newer_small_games_are_played_perfectly() {
    for kind in [BotKind::Perfect, BotKind::Best] {
        for name in ["notakto", "gravity:3,3,3", "gravity:4,2,3"] {
            check_perfect_play(kind, name);
        }
        for name in ["wild", "wild:misere", "order-and-chaos:size=3,line=3"] {
            assert!(check_positions(kind, name, 4) > 100, "{name}");
        }
    }
}

/// Where a bot is called perfect, its first move is proved in the time that it takes by default.
#[test]
fn what_is_called_perfect_is_solved_at_the_start() {
    for (variant, preset) in games::presets() {
        for kind in [BotKind::Perfect, BotKind::Best] {
            if !kind.is_perfect(variant, &Tablebases::default()) {
                continue;
            }
            let settings = BotSettings::default();
            let mut bot = AnyBot::new(kind, variant, &settings).expect("it plays everything");
            let state = AnyGameState::new(variant);
            // About a tenth of what is searched in this time on a slow machine.
            let limits = SearchLimits::nodes(100_000);
            let report = bot.think(&state, limits, &StopFlag::new(), &mut |_| {});
            assert!(report.value.exact().is_some(), "{kind}: {}", preset.name);
        }
    }
}
