//! Prompts, move kinds, breadcrumbs and rejections, and partial moves.

use noughts_rules::Variant;

use super::*;

fn from_text(variant: &str, text: &str) -> AnyGameState {
    let variant: Variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    AnyGameState::from_text(variant, text).unwrap_or_else(|error| panic!("{error}"))
}

/// X can complete a line by moving the grid up and to the left.
const GRID_MOVE_WINS: &str = ".x.../.ox../..ox./..o../..... x @d3";

#[test]
fn a_grid_move_is_previewed_and_explained() {
    let state = from_text("tic-tac-two", GRID_MOVE_WINS);
    let mut board = Board::new(&state);
    assert_eq!(
        press(&mut board, &state, "~"),
        BoardResponse::Ignored,
        "nothing to cancel"
    );
    assert_eq!(press(&mut board, &state, "g"), BoardResponse::Redraw);
    assert!(board.has_partial_move());
    let prompt = board.prompt(&state);
    assert_eq!(
        prompt,
        "Where should the middle of the grid go? Choose a direction, then press Enter; Esc cancels"
    );
    assert_eq!(press(&mut board, &state, "<"), BoardResponse::Redraw);
    assert_eq!(press(&mut board, &state, "^"), BoardResponse::Redraw);
    assert_eq!(
        board.prompt(&state),
        "@c2 wins the game; Enter to confirm, Esc to cancel",
    );
    // Two steps from where the grid is.
    let rejected = "the grid moves one step at a time, so it can't go from d3 to b2".to_string();
    assert_eq!(
        press(&mut board, &state, "<"),
        BoardResponse::Rejected(rejected)
    );
    // Off the board.
    assert_eq!(press(&mut board, &state, "~"), BoardResponse::Redraw);
    let rejected = "centered on e3, the grid would leave the board".to_string();
    assert_eq!(
        press(&mut board, &state, "gl"),
        BoardResponse::Rejected(rejected)
    );
    // Back to its own place isn't a move.
    let rejected = "the grid is already centered on d3; choose another center".to_string();
    assert_eq!(
        press(&mut board, &state, "hl!"),
        BoardResponse::Rejected(rejected)
    );
    for (keys, mv) in [
        ("gy!", "@c2"),
        ("g7!", "@c2"),
        ("gb ", "@c4"),
        ("g1!", "@c4"),
        ("g8!", "@d2"),
    ] {
        let mut board = Board::new(&state);
        assert_eq!(
            press(&mut board, &state, keys),
            BoardResponse::Move(mv.into()),
            "{keys}"
        );
        assert!(!board.has_partial_move());
    }
    let rejected = "5 isn't a direction; use 1 to 4 or 6 to 9".to_string();
    assert_eq!(
        press(&mut board, &state, "~g5"),
        BoardResponse::Rejected(rejected)
    );
}

#[test]
fn a_piece_is_picked_up_put_back_swapped_and_put_down() {
    let state = from_text("tic-tac-two", GRID_MOVE_WINS);
    let mut board = Board::new(&state);
    // The cursor starts in the middle of the grid, on a piece of the side to move.
    assert_eq!(press(&mut board, &state, "!"), BoardResponse::Redraw);
    assert!(board.has_partial_move());
    assert_eq!(
        board.prompt(&state),
        "Where should the X on d3 go? Choose with the arrows and Enter; Esc cancels",
    );
    assert_eq!(
        press(&mut board, &state, "!"),
        BoardResponse::Redraw,
        "put back"
    );
    assert!(!board.has_partial_move());
    // Picked up, then another one instead, then put down.
    assert_eq!(press(&mut board, &state, "!<^!"), BoardResponse::Redraw);
    assert_eq!(
        press(&mut board, &state, "vv>>!"),
        BoardResponse::Move("c2-e4".into())
    );
    // Not outside the grid, not on another piece.
    let mut board = Board::new(&state);
    let rejected = BoardResponse::Rejected("d1 is outside the grid".into());
    assert_eq!(press(&mut board, &state, "!^^!"), rejected);
    let rejected = BoardResponse::Rejected("c3 is taken".into());
    assert_eq!(press(&mut board, &state, "vv<!"), rejected);
    assert!(
        board.has_partial_move(),
        "a refused target leaves the piece in the hand"
    );
    board.sync(&state);
    assert!(!board.has_partial_move());
}

#[test]
fn a_move_that_completes_lines_is_announced() {
    // X's row c, O's row d, both one piece short inside the grid.
    let state = from_text("tic-tac-two", "...../.xx../.oo../...../..... x @c3");
    let mut board = Board::new(&state);
    let prompt = |board: &Board| board.prompt(&state);
    assert_eq!(press(&mut board, &state, ">^"), BoardResponse::Redraw);
    assert!(
        prompt(&board).ends_with("; d2 wins the game"),
        "{}",
        prompt(&board)
    );
    // The grid covers both lines of three: a draw.
    let state = from_text("tic-tac-two", "xxx../ooo../...../...../..... x @c3");
    let mut board = Board::new(&state);
    press(&mut board, &state, "gy");
    assert_eq!(
        board.prompt(&state),
        "@b2 draws the game; Enter to confirm, Esc to cancel",
    );
    let state = from_text("tic-tac-two", "...../ooo../x..x./...x./..... x @d4");
    let mut board = Board::new(&state);
    press(&mut board, &state, "gy");
    assert_eq!(
        board.prompt(&state),
        "Where should the middle of the grid go? Enter plays @c3, Esc cancels"
    );
    // There and back, and there again.
    let repetition = "b2 c2 d3 c4 @b3 @c3 @b3";
    let state = state_after("tic-tac-two", repetition);
    let mut board = Board::new(&state);
    press(&mut board, &state, "g>");
    assert_eq!(
        board.prompt(&state),
        "@c3 repeats the position for the third time: draw; Enter to confirm, Esc to cancel",
    );
}

#[test]
fn disallowed_move_kinds_have_a_reason() {
    let reasons = |state: &AnyGameState| -> Vec<Option<String>> {
        let options = Board::new(state).turn_options(state).into_iter();
        options
            .map(|option| option.allowed.err().map(|error| error.to_string()))
            .collect()
    };
    let early = "the grid and pieces can't move until each player has placed 2 pieces; \
                 X has placed 1 and O has placed 0";
    let state = state_after("tic-tac-two", "c3");
    let expected = [None, Some(early.to_string()), Some(early.to_string())];
    assert_eq!(reasons(&state), expected);
    let mut board = Board::new(&state);
    assert_eq!(
        press(&mut board, &state, "g"),
        BoardResponse::Rejected(early.into())
    );
    let state = state_after("tic-tac-two", "b2 c2 d3 c4");
    assert_eq!(reasons(&state), [None, None, None]);
    let state = from_text(
        "tic-tac-two:pieces=3",
        ".x.../.ox../..ox./..o../..... x @d3",
    );
    let none = "X has placed all 3 pieces; move the grid or a piece";
    assert_eq!(reasons(&state), [Some(none.to_string()), None, None]);
    for other in ["classic", "ultimate", "mnk:9,9,5"] {
        let state = state_after(other, "");
        assert_eq!(Board::new(&state).turn_options(&state), []);
    }
    let over = state_after("tic-tac-two", "b2 c2 b3 c3 b4");
    assert!(reasons(&over).iter().all(Option::is_some));
}

#[test]
fn digits_that_name_no_cell_suggest_other_keys() {
    for (variant, keys) in [
        ("mnk:4,4,3", "5"),
        ("mnk:16,16,5", "1"),
        ("tic-tac-two:grid=5", "5"),
    ] {
        let state = state_after(variant, "");
        let answer = press(&mut Board::new(&state), &state, keys);
        let BoardResponse::Rejected(reason) = answer else {
            panic!("{variant}: {answer:?}");
        };
        assert!(reason.contains("arrows"), "{variant}: {reason}");
    }
    let state = state_after("classic", "b2");
    let rejected = BoardResponse::Rejected("b2 is taken".into());
    assert_eq!(press(&mut Board::new(&state), &state, "5"), rejected);
    // A single row is counted from the left.
    let state = state_after("mnk:9,1,3", "");
    let played = BoardResponse::Move("h1".into());
    assert_eq!(press(&mut Board::new(&state), &state, "8"), played);
    let state = state_after("mnk:3,1,1", "");
    let answer = press(&mut Board::new(&state), &state, "4");
    assert!(matches!(answer, BoardResponse::Rejected(_)), "{answer:?}");
}

#[test]
fn digits_choose_boards_first_on_a_free_move() {
    let state = state_after("ultimate", "");
    let mut board = Board::new(&state);
    assert_eq!(press(&mut board, &state, "9"), BoardResponse::Redraw);
    assert!(board.has_partial_move());
    let prompt = "Board c: press a digit for the cell, Esc to cancel";
    assert_eq!(board.prompt(&state), prompt);
    assert_eq!(press(&mut board, &state, "~"), BoardResponse::Redraw);
    assert!(!board.has_partial_move());
    assert_eq!(
        press(&mut board, &state, "91"),
        BoardResponse::Move("cg".into())
    );
    // A board that takes no move is rejected at once, with the reason.
    let moves = "ee ea aa ab be ed da ac ce ef fa ad de eb bi ie ei ii ig gg ga ai ih he";
    let state = state_after("ultimate", &format!("{moves} eh hh"));
    let mut board = Board::new(&state);
    assert_eq!(
        board.prompt(&state).split(';').next(),
        Some("X to move: play in board h")
    );
    assert_eq!(
        press(&mut board, &state, "8"),
        BoardResponse::Move("hb".into())
    );
}

#[test]
fn nested_boards_announce_what_a_move_would_do() {
    let state = state_after("ultimate", "ec");
    let board = Board::new(&state);
    let prompt = board.prompt(&state);
    assert_eq!(prompt, "O to move: play in board c; ce sends X to e");
    // X has a and b of board e; c wins it.
    let state = from_text(
        "ultimate",
        "oo......./........./........./........./xx......./........./........./........./......... - x e",
    );
    let mut board = Board::new(&state);
    press(&mut board, &state, ">^");
    assert_eq!(
        board.prompt(&state),
        "X to move: play in board e; ec wins e and sends O to c",
    );
    assert_eq!(
        press(&mut board, &state, "!"),
        BoardResponse::Move("ec".into())
    );
    // Sent to a board that is won.
    let state = from_text(
        "ultimate",
        "oo......./x......../........./........./xxx....../.......o./.......o./........./......... - x e",
    );
    let board = Board::new(&state);
    let prompt = board.prompt(&state);
    assert!(
        prompt.starts_with("X to move: board e is won; play anywhere else; "),
        "{prompt}",
    );
}

#[test]
fn the_cursor_follows_the_target_board() {
    let mut state = state_after("ception:depth=3", "");
    let mut board = Board::new(&state);
    assert_eq!(board.breadcrumb(&state).as_deref(), Some("Whole board"));
    for (mv, breadcrumb) in [
        ("eee", "Board e"),
        ("eea", "Board e"),
        ("eab", "Board a"),
        ("abc", "Board b"),
    ] {
        assert_eq!(state.play(mv), Ok(()));
        board.sync(&state);
        assert_eq!(
            board.breadcrumb(&state).as_deref(),
            Some(breadcrumb),
            "{mv}"
        );
        let cell = state.view().place_name(board.cursor);
        assert_eq!(state.check(&cell), Ok(()), "{mv}");
    }
    // Out and in again; nothing beyond either end.
    assert_eq!(press(&mut board, &state, "z"), BoardResponse::Ignored);
    assert_eq!(press(&mut board, &state, "Z"), BoardResponse::Redraw);
    assert_eq!(board.breadcrumb(&state).as_deref(), Some("Whole board"));
    assert_eq!(press(&mut board, &state, "Z"), BoardResponse::Ignored);
    assert!(board.prompt(&state).ends_with("; Enter to zoom in"));
    assert_eq!(press(&mut board, &state, "!"), BoardResponse::Redraw);
    assert_eq!(board.breadcrumb(&state).as_deref(), Some("Board b"));
    let deep = state_after("ception:depth=6", "eeeeea eeeeab");
    let board = Board::new(&deep);
    assert_eq!(
        board.breadcrumb(&deep).as_deref(),
        Some("Board e › e › e › a")
    );
    assert_eq!(
        Board::new(&state_after("ultimate", "")).breadcrumb(&state),
        None
    );
}

#[test]
fn a_finished_game_rejects_moves() {
    for (variant, moves) in [
        ("classic", "a1 a2 b1 b2 c1"),
        ("misere", "a1 a2 b1 b2 c1"),
        ("tic-tac-two", "b2 c2 b3 c3 b4"),
        ("ception:depth=1", "a d b e c"),
    ] {
        let state = state_after(variant, moves);
        let mut board = Board::new(&state);
        assert_eq!(board.prompt(&state), noughts_text::prompt(&state));
        for keys in ["!", "5", " "] {
            let answer = press(&mut board, &state, keys);
            let over = matches!(&answer, BoardResponse::Rejected(reason) if reason.starts_with("the game is over"));
            assert!(over, "{variant} {keys}: {answer:?}");
        }
    }
}

/// With 5c and 5d the prompt says so if and only if the same side moves again.
#[test]
fn the_prompt_announces_extra_moves_on_won_boards() {
    for variant in ["ception:5c", "ception:5d"] {
        let variant: Variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
        let mut announced = 0;
        for seed in 0..40 {
            let mut rng = TestRng::new(seed);
            let mut state = AnyGameState::new(variant);
            while let Some(mv) = random_move(&state, &mut rng) {
                let prompt = Board::new(&state).prompt(&state);
                let announces_extra_move = prompt.contains("is won; play there");
                let side = state.side();
                state.play(&mv).unwrap_or_else(|error| panic!("{error}"));
                if state.outcome().is_none() {
                    assert_eq!(state.side() == side, announces_extra_move, "{prompt}: {mv}");
                    announced += u32::from(announces_extra_move);
                }
            }
        }
        assert!(announced > 0, "{variant}");
    }
}

/// Reasons that differ from cell to cell have none in common, so the board gives one.
#[test]
fn kinds_of_move_that_are_never_possible_have_a_reason() {
    let reasons = |variant: &str, moves: &str| -> Vec<String> {
        let state = state_after(variant, moves);
        let options = Board::new(&state).turn_options(&state);
        let errors = options
            .into_iter()
            .filter_map(|option| option.allowed.err());
        errors.map(|error| error.reason).collect()
    };
    let nothing_yet = ["you have no piece on the board yet"];
    assert_eq!(reasons("gobblers", ""), nothing_yet);
    assert_eq!(reasons("gobblers", "s@b2"), nothing_yet);
    // X's only piece is covered.
    assert_eq!(
        reasons("gobblers", "s@b2 l@b2"),
        ["none of your pieces can move now"]
    );
    assert_eq!(
        reasons("morris", ""),
        ["X can't move pieces until all 3 are on the board"]
    );
}

#[test]
fn an_empty_cell_names_the_reserve_if_the_piece_comes_from_there() {
    let state = state_after("gobblers", "");
    let mut board = Board::new(&state);
    assert_eq!(
        press(&mut board, &state, "!"),
        BoardResponse::Rejected(
            "there is no piece on b2; take a piece from your reserve first: Tab".into()
        )
    );
    // A piece is there, but not one's own.
    let state = state_after("gobblers", "s@b2");
    let mut board = Board::new(&state);
    assert_eq!(
        press(&mut board, &state, "!"),
        BoardResponse::Rejected("the small piece on b2 isn't O's".into())
    );
}
