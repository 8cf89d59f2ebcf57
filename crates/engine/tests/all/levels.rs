//! `easy`, `medium` and `hard`: what each sees and what each overlooks.

use std::collections::{HashMap, HashSet};

use noughts_conformance::test_rng::TestRng;
use noughts_engine::{
    AnyBot, BotKind, BotSettings, ExactValue, GameValue, SearchLimits, SearchReport, StopFlag,
};
use noughts_rules::{AnyGameState, Game, Mnk, MnkMove, MnkPosition, Outcome, Side, Variant};

fn bot(kind: BotKind, variant: Variant, seed: u64) -> AnyBot {
    let settings = BotSettings {
        seed,
        ..BotSettings::default()
    };
    AnyBot::new(kind, variant, &settings).expect("the levels play everything")
}

fn think(bot: &mut AnyBot, play: &AnyGameState) -> SearchReport<String> {
    bot.think(play, SearchLimits::NONE, &StopFlag::new(), &mut |_| {})
}

fn best(bot: &mut AnyBot, play: &AnyGameState) -> String {
    think(bot, play).best.expect("the game is not over")
}

/// Every classic position that play can reach and that is not finished.
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

/// The cells by which this player would complete a line, counted by hand.
fn completing(position: &MnkPosition<1>, player: Side) -> HashSet<String> {
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
    let at = |mv: MnkMove| {
        let (col, row) = game.column_row(mv);
        rows[usize::from(row)].as_bytes()[usize::from(col)]
    };
    let mine = player.letter() as u8;
    let mut cells = HashSet::new();
    for line in lines {
        let empty: Vec<MnkMove> = line.into_iter().filter(|&mv| at(mv) == b'.').collect();
        if empty.len() == 1 && line.into_iter().filter(|&mv| at(mv) == mine).count() == 2 {
            cells.insert(game.move_text(empty[0]));
        }
    }
    cells
}

/// What the classic levels may play.
fn allowed(position: &MnkPosition<1>, kind: BotKind) -> HashSet<String> {
    let game = Mnk::classic();
    let all: HashSet<String> = game
        .moves(position)
        .into_iter()
        .map(|mv| game.move_text(mv))
        .collect();
    let me = game.side(position);
    let wins = completing(position, me);
    let threats = completing(position, me.other());
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
fn the_classic_levels_do_in_every_position_what_they_are_said_to_do() {
    let game = Mnk::classic();
    for kind in [BotKind::Easy, BotKind::Medium, BotKind::Hard] {
        for (variant, rename) in [("classic", false), ("ception:depth=1", true)] {
            let variant: Variant = variant.parse().expect("a variant");
            let mut bots: Vec<AnyBot> = (0..3).map(|seed| bot(kind, variant, seed)).collect();
            for position in classic_positions() {
                let text = game.text(&position);
                let play = if rename {
                    let side = game.side(&position).letter();
                    let cells: String = text[..11].replace('/', "");
                    AnyGameState::from_text(variant, &format!("{cells} - {side} -"))
                } else {
                    AnyGameState::from_text(variant, &text)
                };
                let play = play.expect("a position");
                let allowed = allowed(&position, kind);
                for bot in &mut bots {
                    let mut mv = best(bot, &play);
                    if rename {
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

/// Counts over many seeds how often each move is chosen.
fn counts(kind: BotKind, play: &AnyGameState, times: u64) -> HashMap<String, u64> {
    let mut counts = HashMap::new();
    for seed in 0..times {
        let mv = best(&mut bot(kind, play.variant(), seed), play);
        *counts.entry(mv).or_default() += 1;
    }
    counts
}

#[test]
fn classic_easy_takes_every_cell_equally_often() {
    let counts = counts(BotKind::Easy, &AnyGameState::new(Variant::CLASSIC), 9000);
    assert_eq!(counts.len(), 9);
    let off: f64 = counts
        .values()
        .map(|&n| (n as f64 - 1000.0).powi(2) / 1000.0)
        .sum();
    // Chi-square with 8 degrees of freedom: one fair bot in a hundred thousand is above 40.
    assert!(off < 40.0, "{counts:?}");
}

#[test]
fn classic_levels_choose_by_chance_where_they_know_nothing() {
    // x . .
    // . o .      No threat anywhere: all seven cells are played.
    // . . .
    let play = AnyGameState::from_text(Variant::CLASSIC, "x../.o./... x").expect("a position");
    for kind in [BotKind::Easy, BotKind::Medium, BotKind::Hard] {
        assert_eq!(counts(kind, &play, 300).len(), 7, "{kind}");
    }
    // x . x
    // . o .      Two threats of X, no win for O: either is stopped.
    // x . o
    let play = AnyGameState::from_text(Variant::CLASSIC, "x.x/.o./x.o o").expect("a position");
    for kind in [BotKind::Medium, BotKind::Hard] {
        let blocks: HashSet<String> = counts(kind, &play, 50).into_keys().collect();
        assert_eq!(blocks, HashSet::from(["b1".into(), "a2".into()]), "{kind}");
    }
}

/// The moves that win at once, and those that leave the opponent no win at once.
fn wins_and_safe(play: &AnyGameState) -> (HashSet<String>, HashSet<String>) {
    let me = play.side();
    let (mut wins, mut safe) = (HashSet::new(), HashSet::new());
    for mv in play.legal_moves() {
        let mut after = play.clone();
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

/// A position after some random moves, the game not over. No history: where a
/// position can repeat, the levels do not count.
fn random_position(variant: Variant, plies: usize, dice: &mut TestRng) -> Option<AnyGameState> {
    let mut play = AnyGameState::new(variant);
    for _ in 0..plies {
        let moves = play.legal_moves();
        play.play(moves.get(dice.below(moves.len()))?).ok()?;
    }
    let play = AnyGameState::from_text(variant, &play.position_text()).ok()?;
    play.outcome().is_none().then_some(play)
}

/// Hard wins where it can, else leaves no win where it can, and says only what
/// is so. Gives how often there was a win, and how often not every move was safe.
fn hard_is_careful(name: &str, positions: usize, longest: usize) -> (usize, usize) {
    let variant: Variant = name.parse().expect("a variant");
    let mut dice = TestRng::for_name(1, name);
    let mut hard = bot(BotKind::Hard, variant, 5);
    let (mut done, mut won, mut mattered) = (0, 0, 0);
    while done < positions {
        let plies = dice.below(longest);
        let Some(play) = random_position(variant, plies, &mut dice) else {
            continue;
        };
        done += 1;
        let report = think(&mut hard, &play);
        let mv = report.best.clone().expect("the game is not over");
        let at = || format!("{name}: {mv} in {}", play.position_text());
        let (wins, safe) = wins_and_safe(&play);
        if !wins.is_empty() {
            won += 1;
            assert!(wins.contains(&mv), "a win is missed: {}", at());
            assert_eq!(report.value.to_string(), "win in 1", "{}", at());
        } else if !safe.is_empty() {
            mattered += usize::from(safe.len() < play.legal_moves().len());
            let in_this_turn = report.value.exact().map(ExactValue::game_value);
            assert!(
                safe.contains(&mv) || in_this_turn == Some(GameValue::Win),
                "a win is left: {}",
                at()
            );
            assert_ne!(in_this_turn, Some(GameValue::Loss), "{}", at());
        } else if !matches!(variant, Variant::TicTacTwo(_)) {
            let exact = report.value.exact().map(ExactValue::game_value);
            assert_eq!(exact, Some(GameValue::Loss), "{}", at());
        }
    }
    (won, mattered)
}

#[test]
fn hard_is_careful_in_tic_tac_two() {
    let (won, mattered) = hard_is_careful("tic-tac-two", 3000, 20);
    assert!(won > 500 && mattered > 500, "{won} {mattered}");
    for options in [
        "board=7",
        "board=7,grid=5,pieces=6,after=3",
        "board=3,pieces=5",
    ] {
        hard_is_careful(&format!("tic-tac-two:{options}"), 200, 14);
    }
}

#[test]
fn hard_sees_wins_by_moving_a_piece_and_stops_them() {
    // .   .   .   .   .
    // . [ x   x   . ] .      X has no piece in hand but moves a5 to d2.
    // . [ o   .   o ] .
    // . [ .   .   . ] .
    // x   .   x   o   o
    let text = "...../.xx../.o.o./...../x.xoo x @c3";
    let play = AnyGameState::from_text(Variant::TIC_TAC_TWO, text).expect("a position");
    let mv = best(&mut bot(BotKind::Hard, Variant::TIC_TAC_TWO, 1), &play);
    assert!(["a5-d2", "c5-d2"].contains(&mv.as_str()), "{mv}");
    // Medium overlooks just that.
    let others = counts(BotKind::Medium, &play, 50);
    assert!(others.keys().any(|mv| !mv.ends_with("d2")), "{others:?}");
}

#[test]
fn hard_opens_tic_tac_two_with_the_centre_then_the_corners() {
    let mut play = AnyGameState::new(Variant::TIC_TAC_TWO);
    assert_eq!(
        counts(BotKind::Hard, &play, 20),
        HashMap::from([("c3".into(), 20)])
    );
    play.play("c3").expect("legal");
    let corners = counts(BotKind::Hard, &play, 100);
    let names: HashSet<&str> = corners.keys().map(String::as_str).collect();
    assert_eq!(names, HashSet::from(["b2", "b4", "d2", "d4"]));
}

#[test]
fn hard_is_careful_in_nested_games() {
    for name in [
        "ultimate",
        "ception:5a",
        "ception:5c",
        "ception:5d,end=most",
        "ception:4b",
        "ception:free=any,end=most",
    ] {
        let (won, _) = hard_is_careful(name, 400, 70);
        assert!(won > 0, "{name}: nothing was tried");
    }
}

#[test]
fn hard_is_careful_on_flat_boards() {
    for (name, longest) in [
        ("misere", 9),
        ("mnk:4,4,3,misere", 16),
        ("mnk:4,4,3", 10),
        ("mnk:5,5,4", 20),
        ("mnk:3,3,2", 3),
        ("mnk:9,1,2", 5),
    ] {
        hard_is_careful(name, 300, longest);
    }
}

/// Which boards X can win by a move, in ultimate.
fn board_winners(play: &AnyGameState) -> HashSet<String> {
    let owned = |play: &AnyGameState| {
        let AnyGameState::Ultimate(play) = play else {
            panic!("ultimate is ultimate");
        };
        play.position()
            .owned_boards(play.side().other())
            .count_ones()
            + play.position().owned_boards(play.side()).count_ones()
    };
    let before = owned(play);
    play.legal_moves()
        .into_iter()
        .filter(|mv| {
            let mut after = play.clone();
            after.play(mv).expect("legal");
            owned(&after) > before
        })
        .collect()
}

#[test]
fn medium_and_hard_win_boards_where_it_is_safe() {
    let mut dice = TestRng::new(7);
    let mut bots = [BotKind::Medium, BotKind::Hard].map(|kind| bot(kind, Variant::ULTIMATE, 2));
    let mut checked = 0;
    for _ in 0..400 {
        let plies = dice.below(45);
        let Some(play) = random_position(Variant::ULTIMATE, plies, &mut dice) else {
            continue;
        };
        let (wins, safe) = wins_and_safe(&play);
        let boards = board_winners(&play);
        let good: HashSet<&String> = boards.intersection(&safe).collect();
        if !wins.is_empty() || good.is_empty() {
            continue;
        }
        checked += 1;
        for bot in &mut bots {
            let mv = best(bot, &play);
            assert!(
                good.contains(&mv),
                "{bot:?}: {mv} in {}",
                play.position_text()
            );
        }
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn hard_does_not_give_a_board_away() {
    // X is sent to board a, which is empty. Playing its cell b sends O to board b,
    // where two marks wait for a third.
    let text = "........./oo.x...../........./........./....x..../........./........./........./......... - x a";
    let play = AnyGameState::from_text(Variant::ULTIMATE, text).expect("a position");
    let played = counts(BotKind::Hard, &play, 30);
    assert!(!played.contains_key("ab"), "{played:?}");
}

#[test]
fn hard_does_not_hand_over_a_free_choice() {
    // Board c is won: its cell in board a would let O play anywhere.
    let text = "........./......o../xxxo..o../........./....x..../........./o......../........./......... - x a";
    let play = AnyGameState::from_text(Variant::ULTIMATE, text).expect("a position");
    let played = counts(BotKind::Hard, &play, 30);
    assert!(!played.contains_key("ac"), "{played:?}");
}

#[test]
fn hard_uses_an_extra_move_to_win() {
    // 5c: X is sent to board a, which X owns, and moves again where that move
    // points. Board b is owned, too; a line in board c wins the game.
    let text = "xx.x..x../xxx....../xx......./ooo....../........./........./........./........./......... - x a";
    let variant: Variant = "ception:5c".parse().expect("a variant");
    let play = AnyGameState::from_text(variant, text).expect("a position");
    let report = think(&mut bot(BotKind::Hard, variant, 1), &play);
    assert_eq!(report.pv, ["ac", "cc"]);
    assert_eq!(report.value.to_string(), "win in 2");
}
