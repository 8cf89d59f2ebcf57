//! What the levels `easy`, `medium` and `hard` notice and what they overlook.

use std::collections::{HashMap, HashSet};

use noughts_conformance::test_rng::TestRng;
use noughts_engine::solve::solve_any;
use noughts_engine::{
    AnyBot, BotKind, BotSettings, ExactValue, GameValue, SearchLimits, SearchReport, StopFlag,
};
use noughts_rules::{AnyGameState, Game, Mnk, MnkMove, MnkPosition, Outcome, Side, Variant, games};

fn bot(kind: BotKind, variant: Variant, seed: u64) -> AnyBot {
    let settings = BotSettings {
        seed,
        ..BotSettings::default()
    };
    AnyBot::new(kind, variant, &settings).expect("the levels play everything")
}

fn think(bot: &mut AnyBot, state: &AnyGameState) -> SearchReport<String> {
    bot.think(state, SearchLimits::NONE, &StopFlag::new(), &mut |_| {})
}

fn best(bot: &mut AnyBot, state: &AnyGameState) -> String {
    think(bot, state).best.expect("the game is not over")
}

/// Every reachable, unfinished position of the classic board.
fn classic_positions() -> Vec<MnkPosition<1>> {
    let game = Mnk::classic();
    let mut seen = HashSet::from([game.start()]);
    let mut all = vec![game.start()];
    let mut next = 0;
    while let Some(&position) = all.get(next) {
        next += 1;
        for mv in game.moves(&position) {
            let mut after = position;
            game.apply(&mut after, mv);
            if seen.insert(after) {
                all.push(after);
            }
        }
    }
    assert_eq!(all.len(), 5478);
    all.retain(|position| game.outcome(position).is_none());
    all
}

/// The cells that complete a line for this side, found independently of the engine.
fn completing_cells(position: &MnkPosition<1>, side: Side) -> HashSet<String> {
    let game = Mnk::classic();
    let cell = |col: u8, row: u8| game.move_at(col, row).expect("on the board");
    let mut lines: Vec<[MnkMove; 3]> = Vec::new();
    for i in 0..3 {
        lines.push([0, 1, 2].map(|j| cell(i, j)));
        lines.push([0, 1, 2].map(|j| cell(j, i)));
    }
    lines.push([0, 1, 2].map(|i| cell(i, i)));
    lines.push([0, 1, 2].map(|i| cell(i, 2 - i)));
    let text = game.text(position);
    let rows: Vec<&str> = text.split(['/', ' ']).collect();
    let description = |mv: MnkMove| {
        let (col, row) = game.column_row(mv);
        rows[usize::from(row)].as_bytes()[usize::from(col)]
    };
    let mine = side.letter() as u8;
    let mut cells = HashSet::new();
    for line in lines {
        let empty: Vec<MnkMove> = line
            .into_iter()
            .filter(|&mv| description(mv) == b'.')
            .collect();
        if empty.len() == 1
            && line
                .into_iter()
                .filter(|&mv| description(mv) == mine)
                .count()
                == 2
        {
            cells.insert(game.move_text(empty[0]));
        }
    }
    cells
}

/// The moves that a level may play on the classic board.
fn allowed(position: &MnkPosition<1>, kind: BotKind) -> HashSet<String> {
    let game = Mnk::classic();
    let all: HashSet<String> = game
        .moves(position)
        .into_iter()
        .map(|mv| game.move_text(mv))
        .collect();
    let me = game.side(position);
    let wins = completing_cells(position, me);
    let threats = completing_cells(position, me.other());
    if kind == BotKind::Easy {
        all
    } else if all.contains("b2") {
        HashSet::from(["b2".into()])
    } else if kind == BotKind::Hard && !wins.is_empty() {
        wins
    } else if !threats.is_empty() {
        threats
    } else {
        all
    }
}

#[test]
fn classic_levels_follow_their_rules_in_every_position() {
    let game = Mnk::classic();
    for kind in [BotKind::Easy, BotKind::Medium, BotKind::Hard] {
        for (variant, is_nested) in [("classic", false), ("ception:depth=1", true)] {
            let variant: Variant = variant.parse().expect("a variant");
            let mut bots: Vec<AnyBot> = (0..3).map(|seed| bot(kind, variant, seed)).collect();
            for position in classic_positions() {
                let text = game.text(&position);
                let state = if is_nested {
                    let side = game.side(&position).letter();
                    let cells: String = text[..11].replace('/', "");
                    AnyGameState::from_text(variant, &format!("{cells} - {side} -"))
                } else {
                    AnyGameState::from_text(variant, &text)
                };
                let state = state.expect("a position");
                let allowed = allowed(&position, kind);
                for bot in &mut bots {
                    let mut mv = best(bot, &state);
                    if is_nested {
                        let place = mv.as_bytes()[0] - b'a';
                        let cell = game.move_at(place % 3, place / 3).expect("on the board");
                        mv = game.move_text(cell);
                    }
                    assert!(allowed.contains(&mv), "{kind} plays {mv} in {text}");
                }
            }
        }
    }
}

/// How often each move is chosen, over many seeds.
fn counts(kind: BotKind, state: &AnyGameState, times: u64) -> HashMap<String, u64> {
    let mut counts = HashMap::new();
    for seed in 0..times {
        let mv = best(&mut bot(kind, state.variant(), seed), state);
        *counts.entry(mv).or_default() += 1;
    }
    counts
}

#[test]
fn classic_easy_is_uniformly_random() {
    let counts = counts(BotKind::Easy, &AnyGameState::new(Variant::CLASSIC), 9000);
    assert_eq!(counts.len(), 9);
    let chi_squared: f64 = counts
        .values()
        .map(|&n| (n as f64 - 1000.0).powi(2) / 1000.0)
        .sum();
    // Chi-squared with 8 degrees of freedom: a fair bot exceeds 40 once in a hundred thousand runs.
    assert!(chi_squared < 40.0, "{counts:?}");
}

#[test]
fn classic_levels_choose_randomly_among_equal_moves() {
    // x . .
    // . o .      There is no threat: all seven cells are played.
    // . . .
    let state = AnyGameState::from_text(Variant::CLASSIC, "x../.o./... x").expect("a position");
    for kind in [BotKind::Easy, BotKind::Medium, BotKind::Hard] {
        assert_eq!(counts(kind, &state, 300).len(), 7, "{kind}");
    }
    // x . x
    // . o .      X has two threats and O has no win: O blocks either one.
    // x . o
    let state = AnyGameState::from_text(Variant::CLASSIC, "x.x/.o./x.o o").expect("a position");
    for kind in [BotKind::Medium, BotKind::Hard] {
        let blocks: HashSet<String> = counts(kind, &state, 50).into_keys().collect();
        assert_eq!(blocks, HashSet::from(["b1".into(), "a2".into()]), "{kind}");
    }
}

/// The moves that win at once, and those that leave the opponent no immediate win.
fn wins_and_safe(state: &AnyGameState) -> (HashSet<String>, HashSet<String>) {
    let me = state.side();
    let (mut wins, mut safe) = (HashSet::new(), HashSet::new());
    for mv in state.legal_moves() {
        let mut after = state.clone();
        after.play(&mv).expect("legal");
        match after.outcome() {
            Some(Outcome::Win(winner)) if winner == me => {
                wins.insert(mv);
                continue;
            }
            Some(Outcome::Win(_)) => continue,
            Some(Outcome::Draw) => {
                safe.insert(mv);
                continue;
            }
            None => {}
        }
        let refuted = after.side() != me
            && after.legal_moves().into_iter().any(|reply| {
                let mut end = after.clone();
                end.play(&reply).expect("legal");
                end.outcome() == Some(Outcome::Win(me.other()))
            });
        if !refuted {
            safe.insert(mv);
        }
    }
    (wins, safe)
}

/// A position after some random moves where the game isn't over. It has no history, because the
/// levels ignore repetitions.
fn random_position(variant: Variant, plies: usize, rng: &mut TestRng) -> Option<AnyGameState> {
    let mut state = AnyGameState::new(variant);
    for _ in 0..plies {
        let moves = state.legal_moves();
        state.play(moves.get(rng.below(moves.len()))?).ok()?;
    }
    let state = AnyGameState::from_text(variant, &state.position_text()).ok()?;
    state.outcome().is_none().then_some(state)
}

/// Checks that `hard` wins if it can, otherwise leaves no immediate win if it can, and claims only
/// what is true. Returns how often there was a win, and how often some move was unsafe.
fn check_hard(name: &str, positions: usize, max_plies: usize) -> (usize, usize) {
    let variant: Variant = name.parse().expect("a variant");
    let mut rng = TestRng::for_name(1, name);
    let mut hard = bot(BotKind::Hard, variant, 5);
    let (mut position_count, mut win_count, mut unsafe_count) = (0, 0, 0);
    while position_count < positions {
        let plies = rng.below(max_plies);
        let Some(state) = random_position(variant, plies, &mut rng) else {
            continue;
        };
        position_count += 1;
        let report = think(&mut hard, &state);
        let mv = report.best.clone().expect("the game is not over");
        let description = || format!("{name}: {mv} in {}", state.position_text());
        let (wins, safe) = wins_and_safe(&state);
        if !wins.is_empty() {
            win_count += 1;
            assert!(wins.contains(&mv), "a win is missed: {}", description());
            assert_eq!(report.value.to_string(), "win in 1", "{}", description());
        } else if !safe.is_empty() {
            unsafe_count += usize::from(safe.len() < state.legal_moves().len());
            let claimed = report.value.exact().map(ExactValue::game_value);
            assert!(
                safe.contains(&mv) || claimed == Some(GameValue::Win),
                "a win is left: {}",
                description()
            );
            // Where it searches a little, it may see a loss that is further away.
            if claimed == Some(GameValue::Loss) {
                let settings = BotSettings::default();
                let solved = solve_any(&state, &settings, SearchLimits::NONE, &StopFlag::new());
                let solved = solved.value.map(ExactValue::game_value);
                assert_eq!(solved, claimed, "{}", description());
            }
        } else if state.max_plies_left().is_some() {
            let exact = report.value.exact().map(ExactValue::game_value);
            assert_eq!(exact, Some(GameValue::Loss), "{}", description());
        }
    }
    (win_count, unsafe_count)
}

#[test]
fn hard_takes_and_prevents_wins_in_tic_tac_two() {
    let (win_count, unsafe_count) = check_hard("tic-tac-two", 3000, 20);
    assert!(
        win_count > 500 && unsafe_count > 500,
        "{win_count} {unsafe_count}"
    );
    for options in [
        "board=7",
        "board=7,grid=5,pieces=6,after=3",
        "board=3,pieces=5",
    ] {
        check_hard(&format!("tic-tac-two:{options}"), 200, 14);
    }
}

#[test]
fn hard_finds_wins_by_moving_a_piece() {
    // .   .   .   .   .
    // . [ x   x   . ] .      X has no piece in hand, but can move a5 to d2.
    // . [ o   .   o ] .
    // . [ .   .   . ] .
    // x   .   x   o   o
    let text = "...../.xx../.o.o./...../x.xoo x @c3";
    let state = AnyGameState::from_text(Variant::TIC_TAC_TWO, text).expect("a position");
    let mv = best(&mut bot(BotKind::Hard, Variant::TIC_TAC_TWO, 1), &state);
    assert!(["a5-d2", "c5-d2"].contains(&mv.as_str()), "{mv}");
    // `medium` overlooks exactly that.
    let others = counts(BotKind::Medium, &state, 50);
    assert!(others.keys().any(|mv| !mv.ends_with("d2")), "{others:?}");
}

#[test]
fn hard_opens_tic_tac_two_in_the_center_then_in_the_corners() {
    let mut state = AnyGameState::new(Variant::TIC_TAC_TWO);
    assert_eq!(
        counts(BotKind::Hard, &state, 20),
        HashMap::from([("c3".into(), 20)])
    );
    state.play("c3").expect("legal");
    let corners = counts(BotKind::Hard, &state, 100);
    let names: HashSet<&str> = corners.keys().map(String::as_str).collect();
    assert_eq!(names, HashSet::from(["b2", "b4", "d2", "d4"]));
}

#[test]
fn hard_takes_and_prevents_wins_in_nested_games() {
    for name in [
        "ultimate",
        "ception:5a",
        "ception:5c",
        "ception:5d,end=most",
        "ception:4b",
        "ception:free=any,end=most",
    ] {
        let (win_count, _) = check_hard(name, 400, 70);
        assert!(win_count > 0, "{name}: nothing was tried");
    }
}

#[test]
fn hard_takes_and_prevents_wins_in_mnk_games() {
    for (name, max_plies) in [
        ("misere", 9),
        ("mnk:4,4,3,misere", 16),
        ("mnk:4,4,3", 10),
        ("mnk:5,5,4", 20),
        ("mnk:3,3,2", 3),
        ("mnk:9,1,2", 5),
    ] {
        check_hard(name, 300, max_plies);
    }
}

#[test]
fn hard_takes_and_prevents_wins_in_every_game_of_the_menus() {
    // On the classic board `hard` prefers the center to a win.
    let is_checked = |variant: Variant| {
        variant != Variant::CLASSIC && AnyGameState::new(variant).count_actions() <= 256
    };
    for (variant, preset) in games::presets() {
        if is_checked(variant) {
            check_hard(preset.name, 40, 24);
        }
    }
}

/// The moves that win a board in `ultimate`.
fn board_winning_moves(state: &AnyGameState) -> HashSet<String> {
    let owned = |state: &AnyGameState| {
        let AnyGameState::Ultimate(state) = state else {
            panic!("ultimate is ultimate");
        };
        state
            .position()
            .owned_boards(state.side().other())
            .count_ones()
            + state.position().owned_boards(state.side()).count_ones()
    };
    let before = owned(state);
    state
        .legal_moves()
        .into_iter()
        .filter(|mv| {
            let mut after = state.clone();
            after.play(mv).expect("legal");
            owned(&after) > before
        })
        .collect()
}

#[test]
fn medium_and_hard_win_boards_where_it_is_safe() {
    let mut rng = TestRng::new(7);
    let mut bots = [BotKind::Medium, BotKind::Hard].map(|kind| bot(kind, Variant::ULTIMATE, 2));
    let mut checked = 0;
    for _ in 0..400 {
        let plies = rng.below(45);
        let Some(state) = random_position(Variant::ULTIMATE, plies, &mut rng) else {
            continue;
        };
        let (wins, safe) = wins_and_safe(&state);
        let boards = board_winning_moves(&state);
        let good: HashSet<&String> = boards.intersection(&safe).collect();
        if !wins.is_empty() || good.is_empty() {
            continue;
        }
        checked += 1;
        for bot in &mut bots {
            let mv = best(bot, &state);
            assert!(
                good.contains(&mv),
                "{bot:?}: {mv} in {}",
                state.position_text()
            );
        }
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn hard_does_not_give_a_board_away() {
    // X is sent to board a, which is empty. Playing cell b sends O to board b, where O has two in a
    // row.
    let text = "........./oo.x...../........./........./....x..../........./........./........./......... - x a";
    let state = AnyGameState::from_text(Variant::ULTIMATE, text).expect("a position");
    let played = counts(BotKind::Hard, &state, 30);
    assert!(!played.contains_key("ab"), "{played:?}");
}

#[test]
fn hard_does_not_give_a_free_move() {
    // Board c is won: playing cell c in board a would give O a free move.
    let text = "........./......o../xxxo..o../........./....x..../........./o......../........./......... - x a";
    let state = AnyGameState::from_text(Variant::ULTIMATE, text).expect("a position");
    let played = counts(BotKind::Hard, &state, 30);
    assert!(!played.contains_key("ac"), "{played:?}");
}

#[test]
fn hard_uses_an_extra_move_to_win() {
    // 5c: X is sent to board a, which X owns, and so moves again in the board that this move points
    // to. Board b is also owned; a line in board c wins the game.
    let text = "xx.x..x../xxx....../xx......./ooo....../........./........./........./........./......... - x a";
    let variant: Variant = "ception:5c".parse().expect("a variant");
    let state = AnyGameState::from_text(variant, text).expect("a position");
    let report = think(&mut bot(BotKind::Hard, variant, 1), &state);
    assert_eq!(report.pv, ["ac", "cc"]);
    assert_eq!(report.value.to_string(), "win in 2");
}
