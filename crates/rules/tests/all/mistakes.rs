//! The mistakes that programs of this family are known for, one test each.

use noughts_rules::{AnyGameState, Ending, Game, Nested, Outcome, Side};

const X_WINS: Option<Outcome> = Some(Outcome::Win(Side::X));
const O_WINS: Option<Outcome> = Some(Outcome::Win(Side::O));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

// Boards of nine: full ones without a line, X having one mark more, or O; a full
// one that X has won; and others by their look.
const FULL_X: &str = "xoxxoooxx";
const FULL_O: &str = "oxooxxxoo";
const WON_FULL: &str = "xxxooxoxo";
const WON: &str = "xxxoo....";
const EMPTY: &str = ".........";

fn at(variant: &str, text: &str) -> AnyGameState {
    let parsed = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    let play = AnyGameState::from_text(parsed, text);
    play.unwrap_or_else(|error| panic!("{variant} at {text}: {error}"))
}

fn start(variant: &str) -> AnyGameState {
    AnyGameState::new(variant.parse().unwrap_or_else(|error| panic!("{error}")))
}

fn nested(variant: &str, boards: [&str; 9], rest: &str) -> AnyGameState {
    at(variant, &format!("{} {rest}", boards.join("/")))
}

/// Plays all moves, which must be legal.
fn then(mut play: AnyGameState, moves: &str) -> AnyGameState {
    for mv in moves.split_whitespace() {
        let text = play.position_text();
        play.play(mv)
            .unwrap_or_else(|refusal| panic!("{mv} at {text}: {refusal}"));
    }
    play
}

/// Guards against looking for a full board before looking for a line.
#[test]
fn a_win_on_the_last_cell_is_not_a_draw() {
    for (variant, text, winner) in [
        ("classic", "xox/oxo/ox. x", X_WINS),
        ("misere", "xox/oxo/ox. x", O_WINS),
        ("ception:depth=1", "xoxoxoox. - x -", X_WINS),
        ("mnk:5,3,5", "xxxx./ooxoo/xoxoo x", X_WINS),
    ] {
        let last = at(variant, text);
        let mv = last.legal_moves().join(" ");
        let end = then(last, &mv);
        assert_eq!(
            (end.outcome(), end.ending()),
            (winner, Some(Ending::Line)),
            "{variant}"
        );
    }
    // The last of 81 cells wins its board, and with it the game.
    let (x, o) = (FULL_X, FULL_O);
    let boards = [WON_FULL, WON_FULL, "xx.ooxoxo", o, o, o, o, x, x];
    for variant in [
        "ultimate",
        "ception:5a",
        "ception:5c",
        "ception:4b",
        "ception:end=most",
    ] {
        let end = then(nested(variant, boards, "- x c"), "cc");
        assert_eq!(
            (end.outcome(), end.ending()),
            (X_WINS, Some(Ending::Line)),
            "{variant}"
        );
    }
}

/// Guards against giving the game to whoever moved the grid.
#[test]
fn a_double_line_made_by_moving_the_grid_is_a_draw() {
    for mover in ["x", "o"] {
        let text = format!("...../xxx../ooo../...../..... {mover} @c3");
        let end = then(at("tic-tac-two", &text), "@b3");
        assert_eq!(
            (end.outcome(), end.ending()),
            (DRAW, Some(Ending::DoubleLine)),
            "{mover}"
        );
        assert!(end.legal_moves().is_empty(), "{mover}");
    }
}

/// Guards against looking only for lines of the player who moved.
#[test]
fn moving_the_grid_so_that_only_the_opponent_has_a_line_loses() {
    let end = then(
        at("tic-tac-two", "...../xx.../ooo../....x/..... x @c3"),
        "@b3",
    );
    assert_eq!((end.outcome(), end.ending()), (O_WINS, Some(Ending::Line)));
    let end = then(
        at("tic-tac-two", "...../oo.../xxx../....o/..... o @c3"),
        "@b3",
    );
    assert_eq!((end.outcome(), end.ending()), (X_WINS, Some(Ending::Line)));
}

/// Guards against counting lines that stick out of the grid.
#[test]
fn a_line_outside_the_grid_does_not_count() {
    let play = at("tic-tac-two", "xxx../...../..o../..o../..... o @c3");
    assert_eq!(play.outcome(), None);
    // Partly inside is not inside.
    let play = at("tic-tac-two", "...../xxx../..o../..o../..... o @c3");
    assert_eq!(play.outcome(), None);
    assert_eq!(then(play, "@b3").outcome(), X_WINS);
}

/// Guards against forgetting to move pieces that the grid has left behind.
#[test]
fn a_piece_outside_the_grid_may_move_into_it_but_not_elsewhere() {
    let mut play = at("tic-tac-two", "x..../.ox../..o../...../..... x @c3");
    let before = play.position_text();
    for wrong in [
        "a1-a2", "a1-b1", "b2-b3", "a1-b2", "c2-c2", "a1-a1", "@c3", "@e5", "@a3",
    ] {
        assert!(play.play(wrong).is_err(), "{wrong}");
        assert_eq!(play.position_text(), before, "{wrong}");
    }
    let play = then(play, "a1-d4");
    assert_eq!(play.position_text(), "...../.ox../..o../...x./..... o @c3");
}

/// Guards against a game that never ends because the open boards ran out without
/// anybody being told.
#[test]
fn the_game_is_drawn_when_the_last_open_board_closes() {
    let (x, o) = (FULL_X, FULL_O);
    // Board a is won and has room; board i takes its last mark without a line.
    let boards = [WON, x, x, x, o, o, o, o, "xoxxooox."];
    let end = then(nested("ultimate", boards, "- x i"), "ii");
    assert_eq!((end.outcome(), end.ending()), (DRAW, Some(Ending::NoMove)));
    assert!(end.legal_moves().is_empty());
    let end = then(nested("ception:end=most", boards, "- x i"), "ii");
    assert_eq!(
        (end.outcome(), end.ending()),
        (X_WINS, Some(Ending::MostBoards))
    );
    // Where won boards take moves the game goes on in board a.
    for variant in [
        "ception:free=any",
        "ception:4b",
        "ception:5a",
        "ception:5c",
        "ception:5d",
    ] {
        let play = then(nested(variant, boards, "- x i"), "ii");
        assert_eq!(play.outcome(), None, "{variant}");
        assert_eq!(play.legal_moves(), ["af", "ag", "ah", "ai"], "{variant}");
    }
}

/// Guards against letting a player play in the very board that turns moves away,
/// or wait for ever, when no other board has a cell.
#[test]
fn being_sent_to_the_only_board_with_cells_left_is_the_end_under_5b() {
    let (x, o) = (FULL_X, FULL_O);
    let boards = [WON, x, x, x, o, o, o, o, ".oxxoooxx"];
    let sent = |variant| then(nested(variant, boards, "- x i"), "ia");
    for variant in ["ultimate", "ception:free=any", "ception:4b"] {
        assert_eq!(sent(variant).outcome(), DRAW, "{variant}");
        assert!(sent(variant).legal_moves().is_empty(), "{variant}");
    }
    for variant in [
        "ception:end=most",
        "ception:4b,end=most",
        "ception:free=any,end=most",
    ] {
        assert_eq!(sent(variant).outcome(), X_WINS, "{variant}");
    }
    for variant in ["ception:5a", "ception:5c", "ception:5d"] {
        assert_eq!(
            sent(variant).legal_moves(),
            ["af", "ag", "ah", "ai"],
            "{variant}"
        );
    }
}

/// Guards against asking whether the target is won before the move is made.
#[test]
fn a_move_that_wins_the_board_it_sends_to_gives_a_free_move() {
    let boards = [
        ".xx......",
        "oo.......",
        EMPTY,
        EMPTY,
        EMPTY,
        EMPTY,
        EMPTY,
        EMPTY,
        EMPTY,
    ];
    let after = |variant| then(nested(variant, boards, "- x a"), "aa");
    let play = after("ultimate");
    assert_eq!(play.count_moves(), 81 - 9 - 2);
    assert!(play.legal_moves().iter().all(|mv| !mv.starts_with('a')));
    // Under 5a and its kin one plays on in the board just won.
    for variant in ["ception:5a", "ception:5c", "ception:5d", "ception:4b,5a"] {
        let play = after(variant);
        assert_eq!(play.count_moves(), 6, "{variant}");
        assert!(
            play.legal_moves().iter().all(|mv| mv.starts_with('a')),
            "{variant}"
        );
    }
    // The mover was in a board that was not yet won: no extra move for that.
    for variant in ["ception:5c", "ception:5d"] {
        assert_eq!(after(variant).side(), Side::O, "{variant}");
        assert!(!after(variant).position_text().ends_with('+'), "{variant}");
    }
}

/// Guards against search that plays on the game's own board.
#[test]
fn a_trial_move_on_a_copy_leaves_the_game_as_it_was() {
    for variant in [
        "classic",
        "tic-tac-two",
        "ultimate",
        "ception:5c,depth=3",
        "ception:depth=4",
    ] {
        let mut play = start(variant);
        for _ in 0..6 {
            let before = (
                play.position_text(),
                play.hash(),
                play.legal_moves(),
                play.moves(),
            );
            for mv in play.legal_moves() {
                let mut copy = play.clone();
                copy.play(&mv)
                    .unwrap_or_else(|refusal| panic!("{variant}: {mv}: {refusal}"));
                assert_ne!(copy.position_text(), before.0, "{variant}: {mv}");
            }
            let _ = (
                play.perft(2),
                play.divide(1),
                play.canonical_text(),
                play.render(),
            );
            let after = (
                play.position_text(),
                play.hash(),
                play.legal_moves(),
                play.moves(),
            );
            assert_eq!(before, after, "{variant}");
            let first = before.2[0].clone();
            play = then(play, &first);
        }
    }
    // The same for search, which applies moves to copies of positions.
    let game = Nested::ultimate();
    let position = game.start();
    for mv in game.moves(&position) {
        let mut copy = position;
        game.apply(&mut copy, mv);
        assert_ne!(copy, position);
    }
    assert_eq!(position, game.start());
}

/// Guards against a refused move that leaves half of itself behind.
#[test]
fn a_refused_move_leaves_the_game_as_it_was() {
    let cases = [
        (
            "classic",
            "b2 a1",
            &["b2", "a1", "d1", "a4", "", "b2 ", "B2", "@b2"][..],
        ),
        (
            "tic-tac-two",
            "b2 c3",
            &["b2", "a1", "@b2", "b2-c4", "e5", "@c3", "f6"],
        ),
        (
            "ultimate",
            "ee ea",
            &["ee", "ea", "ba", "e", "eee", "jj", "", "aj"],
        ),
        (
            "ception:depth=3",
            "eee eea",
            &["eee", "abc", "ee", "eeaa", "zzz"],
        ),
    ];
    for (variant, moves, wrong) in cases {
        let mut play = then(start(variant), moves);
        let before = (
            play.position_text(),
            play.hash(),
            play.legal_moves(),
            play.moves(),
        );
        for mv in wrong {
            let refusal = play.play(mv).err().map(|refusal| refusal.to_string());
            assert!(
                refusal.is_some_and(|reason| !reason.is_empty()),
                "{variant}: {mv:?}"
            );
            let after = (
                play.position_text(),
                play.hash(),
                play.legal_moves(),
                play.moves(),
            );
            assert_eq!(before, after, "{variant}: {mv:?}");
        }
    }
}

/// Who is to move before the moves and after each, `+` where it is an extra move.
fn sides(variant: &str, trail: &str, moves: &str) -> String {
    let won = "......xxx";
    let boards = [won, WON_FULL, EMPTY, won, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY];
    let mut play = nested(variant, boards, &format!("- o {trail}"));
    let mut sides = String::from(play.side().letter());
    for mv in moves.split_whitespace() {
        play = then(play, mv);
        sides.push(play.side().letter());
        if play.position_text().ends_with(" +") {
            sides.push('+');
        }
    }
    sides
}

/// Guards against 5c going on like 5d.
#[test]
fn rule_5c_gives_exactly_one_extra_move() {
    assert_eq!(sides("ception:5c", "a", "ae ef"), "oo+x");
    // The extra move is in a won board again: the turn passes all the same.
    assert_eq!(sides("ception:5c", "a", "ad de"), "oo+x");
    assert_eq!(sides("ception:5c", "a", "ad dd"), "oo+x");
    // The opponent has an extra move of their own.
    assert_eq!(sides("ception:5c", "a", "ad dd de ef"), "oo+xx+o");
    // Sent to a board that nobody owns: none.
    assert_eq!(sides("ception:5c", "e", "eg gg"), "oxo");
}

/// Guards against 5d stopping like 5c, or going on after a move elsewhere.
#[test]
fn rule_5d_goes_on_as_long_as_one_is_sent_to_won_boards() {
    assert_eq!(sides("ception:5d", "a", "ad dd da ae ef"), "oo+o+o+o+x");
    assert_eq!(sides("ception:5d", "a", "ae ef"), "oo+x");
    assert_eq!(sides("ception:5d", "e", "eg gg"), "oxo");
    // Sent to the full board: a free move, and then the turn passes.
    assert_eq!(sides("ception:5d", "a", "ab ae"), "oo+x");
    assert_eq!(sides("ception:5d", "a", "ad db ce"), "oo+o+x");
}

/// Guards against an extra turn for a free move that happens to go to a won board.
#[test]
fn a_free_move_into_a_won_board_gives_no_extra_turn() {
    for variant in ["ception:5c", "ception:5d", "ception:4b,5c", "ception:4b,5d"] {
        // Board b is full; and without a trail one may play anywhere.
        for trail in ["b", "-"] {
            assert_eq!(
                sides(variant, trail, "ae"),
                "ox",
                "{variant}, sent to {trail}"
            );
            assert_eq!(
                sides(variant, trail, "da"),
                "ox",
                "{variant}, sent to {trail}"
            );
        }
    }
}

/// A depth-3 position: these boards, the others empty.
fn deep(variant: &str, boards: &[(usize, &str)], rest: &str) -> AnyGameState {
    let mut all = [EMPTY; 81];
    for &(index, board) in boards {
        all[index] = board;
    }
    at(variant, &format!("{} {rest}", all.join("/")))
}

/// Guards against free moves that go anywhere at once at depth 3.
#[test]
fn a_free_move_at_depth_3_stays_in_the_smallest_board_that_has_room() {
    // Board aa is won by X; O's two marks are far away.
    let boards = [(0, "xxx......"), (80, "oo.......")];
    let play = deep("ception:depth=3", &boards, "- o aa");
    assert_eq!(play.count_moves(), 8 * 9);
    let legal = play.legal_moves();
    assert!(
        legal
            .iter()
            .all(|mv| mv.starts_with('a') && !mv.starts_with("aa")),
        "{legal:?}"
    );
    assert_eq!(
        play.prompt(),
        "O to move: board aa is won: play elsewhere in board a"
    );
}

/// Guards against "no cell in the big board" being taken for the end of the game.
#[test]
fn a_free_move_widens_when_the_smaller_board_leaves_no_cell() {
    let (x, o) = (FULL_X, FULL_O);
    // In big board a only aa, which X has won, has empty cells.
    let boards: Vec<(usize, &str)> = [WON, x, x, x, x, o, o, o, o]
        .into_iter()
        .enumerate()
        .collect();
    let free = |variant, trail| deep(variant, &boards, &format!("- o {trail}")).count_moves();
    // Sent to aa: nothing else in a has a cell, so the move leaves a.
    for variant in [
        "ception:depth=3",
        "ception:free=any,depth=3",
        "ception:4b,depth=3",
    ] {
        assert_eq!(free(variant, "aa"), 8 * 81, "{variant}");
    }
    // Sent to a full board of a: aa takes the move unless won boards are closed.
    assert_eq!(free("ception:depth=3", "ab"), 8 * 81);
    assert_eq!(free("ception:free=any,depth=3", "ab"), 4);
    assert_eq!(free("ception:5a,depth=3", "ab"), 4);
    assert_eq!(free("ception:5c,depth=3", "ab"), 4);
}

/// Guards against free moves inside a big board that has been won as a whole.
#[test]
fn a_free_move_under_5b_leaves_a_big_board_that_is_won() {
    let boards = [
        (0, "xxx......"),
        (1, "xxx......"),
        (2, "xxx......"),
        (40, "oo..o...."),
        (41, "oo..o...."),
        (42, "oo..o...."),
    ];
    // ai is empty but lies in a, which X owns.
    let free = |variant| deep(variant, &boards, "- x ai").count_moves();
    assert_eq!(free("ception:depth=3"), 8 * 81 - 9);
    // Where free moves may go into won boards, all but ai is open.
    assert_eq!(free("ception:free=any,depth=3"), 729 - 18 - 9);
    assert_eq!(free("ception:5a,depth=3"), 9);
}

/// Guards against won boards that stay open for the first move of a set-up position.
#[test]
fn won_boards_are_closed_to_a_move_anywhere_under_free_open() {
    let boards = [
        "xxxo..o..",
        EMPTY,
        EMPTY,
        EMPTY,
        "....o....",
        EMPTY,
        EMPTY,
        EMPTY,
        EMPTY,
    ];
    let anywhere = |variant| nested(variant, boards, "- x -").count_moves();
    assert_eq!(anywhere("ultimate"), 81 - 9 - 1);
    assert_eq!(anywhere("ception:end=most"), 81 - 9 - 1);
    for variant in [
        "ception:free=any",
        "ception:4b",
        "ception:5a",
        "ception:5c",
        "ception:5d",
    ] {
        assert_eq!(anywhere(variant), 81 - 5 - 1, "{variant}");
    }
}

/// Guards against the second owner taking a board from the first under 4a, and
/// against its being lost to the first under 4b.
#[test]
fn the_first_owner_keeps_a_board_under_4a_and_shares_it_under_4b() {
    // X owns board a; O completes a line there.
    let boards = [
        "xxxoo....",
        EMPTY,
        EMPTY,
        EMPTY,
        EMPTY,
        EMPTY,
        EMPTY,
        EMPTY,
        EMPTY,
    ];
    let play = then(nested("ception:5a", boards, "- o a"), "af");
    assert!(
        play.position_text().contains(" x........ x f"),
        "{}",
        play.position_text()
    );
    let play = then(nested("ception:4b,5a", boards, "- o a"), "af");
    assert!(
        play.position_text().ends_with(" - x f"),
        "{}",
        play.position_text()
    );
    // A co-owned board counts for both: a, b and c are O's line.
    let (a, b, c, d, e) = (
        "xxxooo...",
        "ooo......",
        "oo.......",
        "xxx......",
        "xx.x.....",
    );
    let boards = [a, b, c, d, e, EMPTY, EMPTY, EMPTY, EMPTY];
    let play = then(nested("ception:4b,5a", boards, "- o c"), "cc");
    assert_eq!(play.outcome(), O_WINS);
    let play = then(nested("ception:5a", boards, "xo.x..... o c"), "cc");
    assert_eq!(play.outcome(), None);
}

/// Guards against losing the letters of a free move.
#[test]
fn the_trail_is_made_of_the_letters_played_also_by_a_free_move() {
    let boards = [
        "xxx......",
        EMPTY,
        EMPTY,
        EMPTY,
        "....oo...",
        EMPTY,
        EMPTY,
        EMPTY,
        EMPTY,
    ];
    let play = then(nested("ultimate", boards, "- o a"), "bd");
    assert!(
        play.position_text().ends_with(" x d"),
        "{}",
        play.position_text()
    );
    // Under history the move before last says which big board.
    let play = then(start("ception:depth=3,trail=history"), "abc");
    assert_eq!(
        play.count_moves(),
        728,
        "one letter is not enough to be sent"
    );
    let play = then(play, "iff");
    assert!(
        play.position_text().ends_with(" x cf"),
        "{}",
        play.position_text()
    );
    assert!(play.legal_moves().iter().all(|mv| mv.starts_with("cf")));
}

/// Guards against a draw on the second occurrence, or none on the third.
#[test]
fn the_third_occurrence_of_a_position_is_a_draw_and_not_the_second() {
    let mut play = then(start("tic-tac-two"), "b2 c2 d3 c4");
    let (before, legal) = (play.position_text(), play.legal_moves());
    // Four grid moves lead back to the same position with the same player to move.
    play = then(play, "@b3 @b4 @c4 @c3");
    assert_eq!(
        (play.position_text(), play.outcome()),
        (before.clone(), None),
        "second time"
    );
    assert_eq!(
        play.legal_moves(),
        legal,
        "the second occurrence changes nothing"
    );
    play = then(play, "@b3 @b4 @c4");
    assert_eq!(play.outcome(), None);
    play = then(play, "@c3");
    assert_eq!(play.position_text(), before);
    assert_eq!(
        (play.outcome(), play.ending()),
        (DRAW, Some(Ending::Repetition))
    );
    assert!(play.legal_moves().is_empty());
    assert_eq!(
        (play.count_moves(), play.perft(1), play.perft(0)),
        (0, 0, 1)
    );
    let refusal = play.play("@b3").err().map(|refusal| refusal.to_string());
    assert_eq!(refusal.as_deref(), Some("the game is over: draw"));
    // Taking the move back takes the repetition back.
    assert_eq!(play.undo().as_deref(), Some("@c3"));
    assert_eq!(play.outcome(), None);
    play = then(play, "@c3");
    assert_eq!(play.ending(), Some(Ending::Repetition));
}

/// Guards against the same board with the other player to move being counted.
#[test]
fn the_side_to_move_is_part_of_a_repeated_position() {
    // To and fro twice: the third occurrence, with X to move each time.
    let play = then(start("tic-tac-two"), "b2 c2 d3 c4 @b3 @c3 @b3 @c3");
    assert_eq!(play.ending(), Some(Ending::Repetition));
    // An odd number of moves changes the side: not the same position.
    let play = then(start("tic-tac-two"), "b2 c2 d3 c4 @b3 @b4 @c3 @b3 @b4 @c3");
    assert_eq!(play.outcome(), None);
}

/// Guards against forgetting that the position a game was set up with has occurred.
#[test]
fn a_set_up_start_counts_as_the_first_occurrence() {
    let text = "...../.xo../...x./..o../..... x @c3";
    let play = then(at("tic-tac-two", text), "@b3 @c3 @b3");
    assert_eq!(play.outcome(), None);
    let play = then(play, "@c3");
    assert_eq!(play.position_text(), text);
    assert_eq!(play.ending(), Some(Ending::Repetition));
}

/// Guards against a move after the end, in every game.
#[test]
fn after_the_end_the_side_is_whoever_would_have_moved_next() {
    for (variant, moves) in [
        ("classic", "a1 b1 a2 b2 a3"),
        ("misere", "a1 b1 a2 b2 a3"),
        ("tic-tac-two", "b2 c2 b3 c3 b4"),
        ("ception:depth=1", "a b d e g"),
    ] {
        let mut play = then(start(variant), moves);
        assert!(play.outcome().is_some(), "{variant}");
        assert_eq!(play.side(), Side::O, "{variant}");
        assert!(
            play.legal_moves().is_empty() && play.count_moves() == 0,
            "{variant}"
        );
        assert!(
            play.play("c1").is_err() && play.play("c").is_err(),
            "{variant}"
        );
    }
}
