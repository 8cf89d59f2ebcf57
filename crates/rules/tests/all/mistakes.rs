//! Well-known bugs of programs of this family, one test each.

use noughts_rules::{AnyGameState, Ending, Game, Nested, Outcome, Side, SquareSymmetry};

const X_WINS: Option<Outcome> = Some(Outcome::Win(Side::X));
const O_WINS: Option<Outcome> = Some(Outcome::Win(Side::O));
const DRAW: Option<Outcome> = Some(Outcome::Draw);

// Boards of nine cells: full without a line, with one more mark of X or of O; full and won by
// X; won by X; empty.
const FULL_X: &str = "xoxxoooxx";
const FULL_O: &str = "oxooxxxoo";
const WON_FULL: &str = "xxxooxoxo";
const WON: &str = "xxxoo....";
const EMPTY: &str = ".........";

fn set_up(variant: &str, text: &str) -> AnyGameState {
    let parsed = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    let state = AnyGameState::from_text(parsed, text);
    state.unwrap_or_else(|error| panic!("{variant} at {text}: {error}"))
}

fn start(variant: &str) -> AnyGameState {
    AnyGameState::new(variant.parse().unwrap_or_else(|error| panic!("{error}")))
}

fn nested(variant: &str, boards: [&str; 9], rest: &str) -> AnyGameState {
    set_up(variant, &format!("{} {rest}", boards.join("/")))
}

/// Makes all moves, which must be legal.
fn play_moves(mut state: AnyGameState, moves: &str) -> AnyGameState {
    for mv in moves.split_whitespace() {
        let text = state.position_text();
        state
            .play(mv)
            .unwrap_or_else(|error| panic!("{mv} at {text}: {error}"));
    }
    state
}

/// Guards against checking for a full board before checking for a line.
#[test]
fn a_win_on_the_last_cell_is_not_a_draw() {
    for (variant, text, winner) in [
        ("classic", "xox/oxo/ox. x", X_WINS),
        ("misere", "xox/oxo/ox. x", O_WINS),
        ("ception:depth=1", "xoxoxoox. - x -", X_WINS),
        ("mnk:5,3,5", "xxxx./ooxoo/xoxoo x", X_WINS),
    ] {
        let last = set_up(variant, text);
        let mv = last.legal_moves().join(" ");
        let end = play_moves(last, &mv);
        assert_eq!(
            (end.outcome(), end.ending()),
            (winner, Some(Ending::Line)),
            "{variant}"
        );
    }
    // The last of 81 cells wins its board and the game.
    let (x, o) = (FULL_X, FULL_O);
    let boards = [WON_FULL, WON_FULL, "xx.ooxoxo", o, o, o, o, x, x];
    for variant in [
        "ultimate",
        "ception:5a",
        "ception:5c",
        "ception:4b",
        "ception:end=most",
    ] {
        let end = play_moves(nested(variant, boards, "- x c"), "cc");
        assert_eq!(
            (end.outcome(), end.ending()),
            (X_WINS, Some(Ending::Line)),
            "{variant}"
        );
    }
}

/// Guards against awarding the game to the player who moved the grid.
#[test]
fn a_double_line_made_by_moving_the_grid_is_a_draw() {
    for mover in ["x", "o"] {
        let text = format!("...../xxx../ooo../...../..... {mover} @c3");
        let end = play_moves(set_up("tic-tac-two", &text), "@b3");
        assert_eq!(
            (end.outcome(), end.ending()),
            (DRAW, Some(Ending::DoubleLine)),
            "{mover}"
        );
        assert!(end.legal_moves().is_empty(), "{mover}");
    }
}

/// Guards against only checking the lines of the player who moved.
#[test]
fn moving_the_grid_so_that_only_the_opponent_has_a_line_loses() {
    let end = play_moves(
        set_up("tic-tac-two", "...../xx.../ooo../....x/..... x @c3"),
        "@b3",
    );
    assert_eq!((end.outcome(), end.ending()), (O_WINS, Some(Ending::Line)));
    let end = play_moves(
        set_up("tic-tac-two", "...../oo.../xxx../....o/..... o @c3"),
        "@b3",
    );
    assert_eq!((end.outcome(), end.ending()), (X_WINS, Some(Ending::Line)));
}

/// Guards against counting lines that extend beyond the grid.
#[test]
fn a_line_outside_the_grid_does_not_count() {
    let state = set_up("tic-tac-two", "xxx../...../..o../..o../..... o @c3");
    assert_eq!(state.outcome(), None);
    // Partly inside doesn't count.
    let state = set_up("tic-tac-two", "...../xxx../..o../..o../..... o @c3");
    assert_eq!(state.outcome(), None);
    assert_eq!(play_moves(state, "@b3").outcome(), X_WINS);
}

/// Guards against ignoring pieces that are outside the grid.
#[test]
fn a_piece_outside_the_grid_can_only_move_into_it() {
    let mut state = set_up("tic-tac-two", "x..../.ox../..o../...../..... x @c3");
    let before = state.position_text();
    for wrong in [
        "a1-a2", "a1-b1", "b2-b3", "a1-b2", "c2-c2", "a1-a1", "@c3", "@e5", "@a3",
    ] {
        assert!(state.play(wrong).is_err(), "{wrong}");
        assert_eq!(state.position_text(), before, "{wrong}");
    }
    let state = play_moves(state, "a1-d4");
    assert_eq!(state.position_text(), "...../.ox../..o../...x./..... o @c3");
}

/// Guards against a game that never ends because nobody noticed that no open board is left.
#[test]
fn the_game_is_drawn_when_the_last_open_board_closes() {
    let (x, o) = (FULL_X, FULL_O);
    // Board a is won and has empty cells; the last mark in board i doesn't make a line.
    let boards = [WON, x, x, x, o, o, o, o, "xoxxooox."];
    let end = play_moves(nested("ultimate", boards, "- x i"), "ii");
    assert_eq!((end.outcome(), end.ending()), (DRAW, Some(Ending::NoMove)));
    assert!(end.legal_moves().is_empty());
    let end = play_moves(nested("ception:end=most", boards, "- x i"), "ii");
    assert_eq!(
        (end.outcome(), end.ending()),
        (X_WINS, Some(Ending::MostBoards))
    );
    // If won boards accept moves, the game goes on in board a.
    for variant in [
        "ception:free=any",
        "ception:4b",
        "ception:5a",
        "ception:5c",
        "ception:5d",
    ] {
        let state = play_moves(nested(variant, boards, "- x i"), "ii");
        assert_eq!(state.outcome(), None, "{variant}");
        assert_eq!(state.legal_moves(), ["af", "ag", "ah", "ai"], "{variant}");
    }
}

/// Guards against letting a player play in a closed target, or wait forever, if no other board
/// has an empty cell.
#[test]
fn being_sent_to_the_only_board_with_empty_cells_ends_the_game_under_5b() {
    let (x, o) = (FULL_X, FULL_O);
    let boards = [WON, x, x, x, o, o, o, o, ".oxxoooxx"];
    let sent = |variant| play_moves(nested(variant, boards, "- x i"), "ia");
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

/// Guards against checking whether the target is won before the move is made.
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
    let after = |variant| play_moves(nested(variant, boards, "- x a"), "aa");
    let state = after("ultimate");
    assert_eq!(state.count_moves(), 81 - 9 - 2);
    assert!(state.legal_moves().iter().all(|mv| !mv.starts_with('a')));
    // Under 5a, 5c and 5d the player plays in the board that was just won.
    for variant in ["ception:5a", "ception:5c", "ception:5d", "ception:4b,5a"] {
        let state = after(variant);
        assert_eq!(state.count_moves(), 6, "{variant}");
        assert!(
            state.legal_moves().iter().all(|mv| mv.starts_with('a')),
            "{variant}"
        );
    }
    // The board wasn't won yet when the player was sent there: no extra move.
    for variant in ["ception:5c", "ception:5d"] {
        assert_eq!(after(variant).side(), Side::O, "{variant}");
        assert!(!after(variant).position_text().ends_with('+'), "{variant}");
    }
}

/// Guards against search that changes the game it analyzes.
#[test]
fn a_move_on_a_copy_does_not_change_the_game() {
    for variant in [
        "classic",
        "tic-tac-two",
        "ultimate",
        "ception:5c,depth=3",
        "ception:depth=4",
    ] {
        let mut state = start(variant);
        for _ in 0..6 {
            let before = (
                state.position_text(),
                state.hash(),
                state.legal_moves(),
                state.moves(),
            );
            for mv in state.legal_moves() {
                let mut copy = state.clone();
                copy.play(&mv)
                    .unwrap_or_else(|error| panic!("{variant}: {mv}: {error}"));
                assert_ne!(copy.position_text(), before.0, "{variant}: {mv}");
            }
            let _ = (
                state.perft(2),
                state.divide(1),
                state.transformed(SquareSymmetry::Rotate90.into()),
                state.render(),
            );
            let after = (
                state.position_text(),
                state.hash(),
                state.legal_moves(),
                state.moves(),
            );
            assert_eq!(before, after, "{variant}");
            let first = before.2[0].clone();
            state = play_moves(state, &first);
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

/// Guards against a rejected move that is partly applied.
#[test]
fn a_rejected_move_does_not_change_the_game() {
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
        let mut state = play_moves(start(variant), moves);
        let before = (
            state.position_text(),
            state.hash(),
            state.legal_moves(),
            state.moves(),
        );
        for mv in wrong {
            let error = state.play(mv).err().map(|error| error.to_string());
            assert!(
                error.is_some_and(|reason| !reason.is_empty()),
                "{variant}: {mv:?}"
            );
            let after = (
                state.position_text(),
                state.hash(),
                state.legal_moves(),
                state.moves(),
            );
            assert_eq!(before, after, "{variant}: {mv:?}");
        }
    }
}

/// The side to move before the moves and after each, with `+` if it is an extra move.
fn sides(variant: &str, trail: &str, moves: &str) -> String {
    let won = "......xxx";
    let boards = [won, WON_FULL, EMPTY, won, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY];
    let mut state = nested(variant, boards, &format!("- o {trail}"));
    let mut sides = String::from(state.side().letter());
    for mv in moves.split_whitespace() {
        state = play_moves(state, mv);
        sides.push(state.side().letter());
        if state.position_text().ends_with(" +") {
            sides.push('+');
        }
    }
    sides
}

/// Guards against 5c continuing like 5d.
#[test]
fn rule_5c_gives_exactly_one_extra_move() {
    assert_eq!(sides("ception:5c", "a", "ae ef"), "oo+x");
    // The extra move is in a won board again: the turn passes anyway.
    assert_eq!(sides("ception:5c", "a", "ad de"), "oo+x");
    assert_eq!(sides("ception:5c", "a", "ad dd"), "oo+x");
    // The opponent gets an extra move, too.
    assert_eq!(sides("ception:5c", "a", "ad dd de ef"), "oo+xx+o");
    // Sent to a board without an owner: no extra move.
    assert_eq!(sides("ception:5c", "e", "eg gg"), "oxo");
}

/// Guards against 5d stopping like 5c, or continuing after a move elsewhere.
#[test]
fn rule_5d_continues_while_sent_to_won_boards() {
    assert_eq!(sides("ception:5d", "a", "ad dd da ae ef"), "oo+o+o+o+x");
    assert_eq!(sides("ception:5d", "a", "ae ef"), "oo+x");
    assert_eq!(sides("ception:5d", "e", "eg gg"), "oxo");
    // Sent to the full board: a free move, and then the turn passes.
    assert_eq!(sides("ception:5d", "a", "ab ae"), "oo+x");
    assert_eq!(sides("ception:5d", "a", "ad db ce"), "oo+o+x");
}

/// Guards against an extra move for a free move that happens to go to a won board.
#[test]
fn a_free_move_into_a_won_board_gives_no_extra_move() {
    for variant in ["ception:5c", "ception:5d", "ception:4b,5c", "ception:4b,5d"] {
        // Board b is full, and without a trail a player can play anywhere.
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

/// A depth-3 position with these boards; the others are empty.
fn deep(variant: &str, boards: &[(usize, &str)], rest: &str) -> AnyGameState {
    let mut all = [EMPTY; 81];
    for &(index, board) in boards {
        all[index] = board;
    }
    set_up(variant, &format!("{} {rest}", all.join("/")))
}

/// Guards against free moves that can immediately go anywhere at depth 3.
#[test]
fn a_free_move_at_depth_3_stays_in_the_smallest_open_board() {
    // Board aa is won by X; O's two marks are elsewhere.
    let boards = [(0, "xxx......"), (80, "oo.......")];
    let state = deep("ception:depth=3", &boards, "- o aa");
    assert_eq!(state.count_moves(), 8 * 9);
    let legal = state.legal_moves();
    assert!(
        legal
            .iter()
            .all(|mv| mv.starts_with('a') && !mv.starts_with("aa")),
        "{legal:?}"
    );
    assert_eq!(
        state.instruction(),
        "board aa is won; play elsewhere in board a"
    );
}

/// Guards against mistaking "no open cell in the larger board" for the end of the game.
#[test]
fn a_free_move_widens_if_the_smaller_board_has_no_open_cell() {
    let (x, o) = (FULL_X, FULL_O);
    // In board a, only aa has empty cells, and X has won it.
    let boards: Vec<(usize, &str)> = [WON, x, x, x, x, o, o, o, o]
        .into_iter()
        .enumerate()
        .collect();
    let free = |variant, trail| deep(variant, &boards, &format!("- o {trail}")).count_moves();
    // Sent to aa: nothing else in a has an empty cell, so the move leaves a.
    for variant in [
        "ception:depth=3",
        "ception:free=any,depth=3",
        "ception:4b,depth=3",
    ] {
        assert_eq!(free(variant, "aa"), 8 * 81, "{variant}");
    }
    // Sent to a full board in a: the move goes to aa unless won boards are closed.
    assert_eq!(free("ception:depth=3", "ab"), 8 * 81);
    assert_eq!(free("ception:free=any,depth=3", "ab"), 4);
    assert_eq!(free("ception:5a,depth=3", "ab"), 4);
    assert_eq!(free("ception:5c,depth=3", "ab"), 4);
}

/// Guards against free moves inside a larger board that is won as a whole.
#[test]
fn a_free_move_under_5b_leaves_a_won_larger_board() {
    let boards = [
        (0, "xxx......"),
        (1, "xxx......"),
        (2, "xxx......"),
        (40, "oo..o...."),
        (41, "oo..o...."),
        (42, "oo..o...."),
    ];
    // ai is empty, but it is in a, which X owns.
    let free = |variant| deep(variant, &boards, "- x ai").count_moves();
    assert_eq!(free("ception:depth=3"), 8 * 81 - 9);
    // If free moves can go into won boards, all boards except ai are open.
    assert_eq!(free("ception:free=any,depth=3"), 729 - 18 - 9);
    assert_eq!(free("ception:5a,depth=3"), 9);
}

/// Guards against won boards that are open to the first move of a set-up position.
#[test]
fn won_boards_are_closed_without_a_target_under_free_open() {
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

/// Guards against the second player taking the board from the first under 4a, and against not
/// sharing it under 4b.
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
    let state = play_moves(nested("ception:5a", boards, "- o a"), "af");
    assert!(
        state.position_text().contains(" x........ x f"),
        "{}",
        state.position_text()
    );
    let state = play_moves(nested("ception:4b,5a", boards, "- o a"), "af");
    assert!(
        state.position_text().ends_with(" - x f"),
        "{}",
        state.position_text()
    );
    // A shared board counts for both: a, b and c are O's line.
    let (a, b, c, d, e) = (
        "xxxooo...",
        "ooo......",
        "oo.......",
        "xxx......",
        "xx.x.....",
    );
    let boards = [a, b, c, d, e, EMPTY, EMPTY, EMPTY, EMPTY];
    let state = play_moves(nested("ception:4b,5a", boards, "- o c"), "cc");
    assert_eq!(state.outcome(), O_WINS);
    let state = play_moves(nested("ception:5a", boards, "xo.x..... o c"), "cc");
    assert_eq!(state.outcome(), None);
}

/// Guards against losing the letters of a free move.
#[test]
fn the_trail_includes_the_letters_of_a_free_move() {
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
    let state = play_moves(nested("ultimate", boards, "- o a"), "bd");
    assert!(
        state.position_text().ends_with(" x d"),
        "{}",
        state.position_text()
    );
    // Under history, the move before the last one determines the larger board.
    let state = play_moves(start("ception:depth=3,trail=history"), "abc");
    assert_eq!(
        state.count_moves(),
        728,
        "one letter is not enough to be sent"
    );
    let state = play_moves(state, "iff");
    assert!(
        state.position_text().ends_with(" x cf"),
        "{}",
        state.position_text()
    );
    assert!(state.legal_moves().iter().all(|mv| mv.starts_with("cf")));
}

/// Guards against a draw on the second occurrence, or none on the third.
#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let mut state = play_moves(start("tic-tac-two"), "b2 c2 d3 c4");
    let (before, legal) = (state.position_text(), state.legal_moves());
    // Four grid moves lead back to the same position with the same side to move.
    state = play_moves(state, "@b3 @b4 @c4 @c3");
    assert_eq!(
        (state.position_text(), state.outcome()),
        (before.clone(), None),
        "second time"
    );
    assert_eq!(
        state.legal_moves(),
        legal,
        "the second occurrence changes nothing"
    );
    state = play_moves(state, "@b3 @b4 @c4");
    assert_eq!(state.outcome(), None);
    state = play_moves(state, "@c3");
    assert_eq!(state.position_text(), before);
    assert_eq!(
        (state.outcome(), state.ending()),
        (DRAW, Some(Ending::Repetition))
    );
    assert!(state.legal_moves().is_empty());
    assert_eq!(
        (state.count_moves(), state.perft(1), state.perft(0)),
        (0, 0, 1)
    );
    let error = state.play("@b3").err().map(|error| error.to_string());
    assert_eq!(error.as_deref(), Some("the game is over: draw"));
    // Undoing the move undoes the repetition.
    assert_eq!(state.undo().as_deref(), Some("@c3"));
    assert_eq!(state.outcome(), None);
    state = play_moves(state, "@c3");
    assert_eq!(state.ending(), Some(Ending::Repetition));
}

/// Guards against counting the same board with the other side to move.
#[test]
fn the_side_to_move_is_part_of_a_repeated_position() {
    // Back and forth twice: the third occurrence, with X to move each time.
    let state = play_moves(start("tic-tac-two"), "b2 c2 d3 c4 @b3 @c3 @b3 @c3");
    assert_eq!(state.ending(), Some(Ending::Repetition));
    // An odd number of moves changes the side: not the same position.
    let state = play_moves(start("tic-tac-two"), "b2 c2 d3 c4 @b3 @b4 @c3 @b3 @b4 @c3");
    assert_eq!(state.outcome(), None);
}

/// Guards against not counting the position that a game was set up with.
#[test]
fn a_set_up_position_counts_as_the_first_occurrence() {
    let text = "...../.xo../...x./..o../..... x @c3";
    let state = play_moves(set_up("tic-tac-two", text), "@b3 @c3 @b3");
    assert_eq!(state.outcome(), None);
    let state = play_moves(state, "@c3");
    assert_eq!(state.position_text(), text);
    assert_eq!(state.ending(), Some(Ending::Repetition));
}

/// Guards against moves after the end, in every game.
#[test]
fn after_the_end_there_are_no_moves_and_the_side_alternates() {
    for (variant, moves) in [
        ("classic", "a1 b1 a2 b2 a3"),
        ("misere", "a1 b1 a2 b2 a3"),
        ("tic-tac-two", "b2 c2 b3 c3 b4"),
        ("ception:depth=1", "a b d e g"),
    ] {
        let mut state = play_moves(start(variant), moves);
        assert!(state.outcome().is_some(), "{variant}");
        assert_eq!(state.side(), Side::O, "{variant}");
        assert!(
            state.legal_moves().is_empty() && state.count_moves() == 0,
            "{variant}"
        );
        assert!(
            state.play("c1").is_err() && state.play("c").is_err(),
            "{variant}"
        );
    }
}
