//! What boards say: prompts, options, breadcrumbs, refusals; and half-made moves.

use noughts_rules::Variant;

use super::*;

fn from_text(variant: &str, text: &str) -> AnyGameState {
    let variant: Variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
    AnyGameState::from_text(variant, text).unwrap_or_else(|error| panic!("{error}"))
}

/// X can complete a line by moving the grid up and to the left.
const WAITING: &str = ".x.../.ox../..ox./..o../..... x @d3";

#[test]
fn the_grid_is_moved_in_steps_that_are_shown_and_explained() {
    let play = from_text("tic-tac-two", WAITING);
    let mut board = Board::new(&play);
    assert_eq!(
        press(&mut board, &play, "~"),
        BoardResponse::Ignored,
        "nothing to cancel"
    );
    assert_eq!(press(&mut board, &play, "g"), BoardResponse::Redraw);
    assert!(board.has_partial_move());
    let prompt = board.prompt(&play);
    assert_eq!(
        prompt,
        "the grid: choose a direction, then Enter; Esc cancels"
    );
    assert_eq!(press(&mut board, &play, "<"), BoardResponse::Redraw);
    assert_eq!(press(&mut board, &play, "^"), BoardResponse::Redraw);
    assert_eq!(
        board.prompt(&play),
        "@c2 would complete a line for X; Enter does it, Esc cancels",
    );
    // Two steps from where the grid is.
    let refused = "the grid's centre moves by one step, from d3 not to b2".to_string();
    assert_eq!(
        press(&mut board, &play, "<"),
        BoardResponse::Rejected(refused)
    );
    // Off the board.
    assert_eq!(press(&mut board, &play, "~"), BoardResponse::Redraw);
    let refused = "centred on e3 the grid would leave the board".to_string();
    assert_eq!(
        press(&mut board, &play, "gl"),
        BoardResponse::Rejected(refused)
    );
    // There and back again is no move.
    let refused = "the grid is centred on d3 already; it must move".to_string();
    assert_eq!(
        press(&mut board, &play, "hl!"),
        BoardResponse::Rejected(refused)
    );
    for (keys, mv) in [
        ("gy!", "@c2"),
        ("g7!", "@c2"),
        ("gb ", "@c4"),
        ("g1!", "@c4"),
        ("g8!", "@d2"),
    ] {
        let mut board = Board::new(&play);
        assert_eq!(
            press(&mut board, &play, keys),
            BoardResponse::Move(mv.into()),
            "{keys}"
        );
        assert!(!board.has_partial_move());
    }
    let refused = "5 is the middle and no direction; 1 2 3 4 6 7 8 9 lie around it".to_string();
    assert_eq!(
        press(&mut board, &play, "~g5"),
        BoardResponse::Rejected(refused)
    );
}

#[test]
fn a_piece_is_picked_up_put_back_exchanged_and_put_down() {
    let play = from_text("tic-tac-two", WAITING);
    let mut board = Board::new(&play);
    // The cursor begins in the middle of the grid, on an own piece.
    assert_eq!(press(&mut board, &play, "!"), BoardResponse::Redraw);
    assert!(board.has_partial_move());
    assert_eq!(
        board.prompt(&play),
        "the piece from d3: Enter puts it down inside the grid, Esc puts it back",
    );
    assert_eq!(
        press(&mut board, &play, "!"),
        BoardResponse::Redraw,
        "put back"
    );
    assert!(!board.has_partial_move());
    // Picked up, then another one instead, then put down.
    assert_eq!(press(&mut board, &play, "!<^!"), BoardResponse::Redraw);
    assert_eq!(
        press(&mut board, &play, "vv>>!"),
        BoardResponse::Move("c2-e4".into())
    );
    // Not outside the grid, not on another piece.
    let mut board = Board::new(&play);
    let refused = BoardResponse::Rejected("d1 is outside the grid".into());
    assert_eq!(press(&mut board, &play, "!^^!"), refused);
    let refused = BoardResponse::Rejected("c3 is taken".into());
    assert_eq!(press(&mut board, &play, "vv<!"), refused);
    assert!(
        board.has_partial_move(),
        "a refused target leaves the piece in the hand"
    );
    board.sync(&play);
    assert!(!board.has_partial_move());
}

#[test]
fn a_move_that_completes_lines_is_foretold() {
    // X's row c, O's row d, both one piece short inside the grid.
    let play = from_text("tic-tac-two", "...../.xx../.oo../...../..... x @c3");
    let mut board = Board::new(&play);
    let prompt = |board: &Board| board.prompt(&play);
    assert_eq!(press(&mut board, &play, ">^"), BoardResponse::Redraw);
    assert_eq!(prompt(&board), "X to move: d2 would complete a line for X");
    // The grid over both lines of three: a draw.
    let play = from_text("tic-tac-two", "xxx../ooo../...../...../..... x @c3");
    let mut board = Board::new(&play);
    press(&mut board, &play, "gy");
    assert_eq!(
        board.prompt(&play),
        "@b2 would complete a line for both: a draw; Enter does it, Esc cancels",
    );
    let play = from_text("tic-tac-two", "...../ooo../x..x./...x./..... x @d4");
    let mut board = Board::new(&play);
    press(&mut board, &play, "gy");
    assert_eq!(
        board.prompt(&play),
        "the grid: Enter moves it there, Esc cancels"
    );
    // There and back, and there again.
    let dance = "b2 c2 d3 c4 @b3 @c3 @b3";
    let play = state_after("tic-tac-two", dance);
    let mut board = Board::new(&play);
    press(&mut board, &play, "g>");
    assert_eq!(
        board.prompt(&play),
        "@c3 would repeat the position a third time: a draw; Enter does it, Esc cancels",
    );
}

#[test]
fn turns_that_are_not_allowed_yet_say_why() {
    let reasons = |play: &AnyGameState| -> Vec<Option<String>> {
        let options = Board::new(play).turn_options(play).into_iter();
        options.map(|option| option.allowed.err()).collect()
    };
    let early = "the grid and the pieces can move once both players have placed 2 pieces; \
                 X has placed 1 and O 0";
    let play = state_after("tic-tac-two", "c3");
    let expected = [None, Some(early.to_string()), Some(early.to_string())];
    assert_eq!(reasons(&play), expected);
    let mut board = Board::new(&play);
    assert_eq!(
        press(&mut board, &play, "g"),
        BoardResponse::Rejected(early.into())
    );
    let play = state_after("tic-tac-two", "b2 c2 d3 c4");
    assert_eq!(reasons(&play), [None, None, None]);
    let play = from_text(
        "tic-tac-two:pieces=3",
        ".x.../.ox../..ox./..o../..... x @d3",
    );
    let none = "X has placed all 3 pieces; move the grid or a piece";
    assert_eq!(reasons(&play), [Some(none.to_string()), None, None]);
    for other in ["classic", "ultimate", "mnk:9,9,5"] {
        let play = state_after(other, "");
        assert_eq!(Board::new(&play).turn_options(&play), []);
    }
    let over = state_after("tic-tac-two", "b2 c2 b3 c3 b4");
    assert!(reasons(&over).iter().all(Option::is_some));
}

#[test]
fn digits_that_name_no_cell_say_what_does() {
    for (variant, keys) in [
        ("mnk:4,4,3", "5"),
        ("mnk:16,16,5", "1"),
        ("tic-tac-two:grid=5", "5"),
    ] {
        let play = state_after(variant, "");
        let answer = press(&mut Board::new(&play), &play, keys);
        let BoardResponse::Rejected(reason) = answer else {
            panic!("{variant}: {answer:?}");
        };
        assert!(reason.contains("arrows"), "{variant}: {reason}");
    }
    let play = state_after("classic", "b2");
    let refused = BoardResponse::Rejected("b2 is taken".into());
    assert_eq!(press(&mut Board::new(&play), &play, "5"), refused);
    let play = state_after("mnk:3,1,1", "");
    assert!(matches!(
        press(&mut Board::new(&play), &play, "1"),
        BoardResponse::Rejected(_)
    ));
}

#[test]
fn digits_choose_boards_first_where_the_choice_is_free() {
    let play = state_after("ultimate", "");
    let mut board = Board::new(&play);
    assert_eq!(press(&mut board, &play, "9"), BoardResponse::Redraw);
    assert!(board.has_partial_move());
    let prompt = "board c: a digit chooses the cell in it, Esc cancels";
    assert_eq!(board.prompt(&play), prompt);
    assert_eq!(press(&mut board, &play, "~"), BoardResponse::Redraw);
    assert!(!board.has_partial_move());
    assert_eq!(
        press(&mut board, &play, "91"),
        BoardResponse::Move("cg".into())
    );
    // A board that takes no move is refused at once, with the reason.
    let moves = "ee ea aa ab be ed da ac ce ef fa ad de eb bi ie ei ii ig gg ga ai ih he";
    let play = state_after("ultimate", &format!("{moves} eh hh"));
    let mut board = Board::new(&play);
    assert_eq!(
        board.prompt(&play).split(';').next(),
        Some("X to move: play in board h")
    );
    assert_eq!(
        press(&mut board, &play, "8"),
        BoardResponse::Move("hb".into())
    );
}

#[test]
fn nested_boards_say_what_a_move_would_do() {
    let play = state_after("ultimate", "ec");
    let board = Board::new(&play);
    let prompt = board.prompt(&play);
    assert_eq!(prompt, "O to move: play in board c; ce sends X to e");
    // X has a and b of board e; c wins it.
    let play = from_text(
        "ultimate",
        "oo......./........./........./........./xx......./........./........./........./......... - x e",
    );
    let mut board = Board::new(&play);
    press(&mut board, &play, ">^");
    assert_eq!(
        board.prompt(&play),
        "X to move: play in board e; ec wins e and sends O to c",
    );
    assert_eq!(
        press(&mut board, &play, "!"),
        BoardResponse::Move("ec".into())
    );
    // Sent to a board that is won.
    let play = from_text(
        "ultimate",
        "oo......./x......../........./........./xxx....../.......o./.......o./........./......... - x e",
    );
    let board = Board::new(&play);
    let prompt = board.prompt(&play);
    assert!(
        prompt.starts_with("X to move: board e is won: play anywhere else (5b); "),
        "{prompt}",
    );
}

#[test]
fn the_cursor_goes_where_one_is_sent() {
    let mut play = state_after("ception:depth=3", "");
    let mut board = Board::new(&play);
    assert_eq!(board.breadcrumb(&play).as_deref(), Some("the whole board"));
    for (mv, crumb) in [
        ("eee", "board e"),
        ("eea", "board e"),
        ("eab", "board a"),
        ("abc", "board b"),
    ] {
        assert_eq!(play.play(mv), Ok(()));
        board.sync(&play);
        assert_eq!(board.breadcrumb(&play).as_deref(), Some(crumb), "{mv}");
        let BoardWidget::Nested(nested) = &board.widget else {
            panic!("a nested board");
        };
        assert_eq!(play.check(&nested.cursor_path()), Ok(()), "{mv}");
    }
    // Out and in again; nothing beyond either end.
    assert_eq!(press(&mut board, &play, "z"), BoardResponse::Ignored);
    assert_eq!(press(&mut board, &play, "Z"), BoardResponse::Redraw);
    assert_eq!(board.breadcrumb(&play).as_deref(), Some("the whole board"));
    assert_eq!(press(&mut board, &play, "Z"), BoardResponse::Ignored);
    assert!(board.prompt(&play).ends_with("; Enter looks closer"));
    assert_eq!(press(&mut board, &play, "!"), BoardResponse::Redraw);
    assert_eq!(board.breadcrumb(&play).as_deref(), Some("board b"));
    let deep = state_after("ception:depth=6", "eeeeea eeeeab");
    let board = Board::new(&deep);
    assert_eq!(
        board.breadcrumb(&deep).as_deref(),
        Some("board e › e › e › a")
    );
    assert_eq!(
        Board::new(&state_after("ultimate", "")).breadcrumb(&play),
        None
    );
}

#[test]
fn a_finished_game_says_so() {
    for (variant, moves) in [
        ("classic", "a1 a2 b1 b2 c1"),
        ("misere", "a1 a2 b1 b2 c1"),
        ("tic-tac-two", "b2 c2 b3 c3 b4"),
        ("ception:depth=1", "a d b e c"),
    ] {
        let play = state_after(variant, moves);
        let mut board = Board::new(&play);
        assert_eq!(board.prompt(&play), play.prompt());
        for keys in ["!", "5", " "] {
            let answer = press(&mut board, &play, keys);
            let over = matches!(&answer, BoardResponse::Rejected(reason) if reason.starts_with("the game is over"));
            assert!(over, "{variant} {keys}: {answer:?}");
        }
    }
}

/// Under 5c and 5d the prompt says so whenever a move will be followed by another of
/// the same player, and only then.
#[test]
fn being_sent_to_a_won_board_is_explained() {
    for (variant, rule) in [("ception:5c", "(5c)"), ("ception:5d", "(5d)")] {
        let variant: Variant = variant.parse().unwrap_or_else(|error| panic!("{error}"));
        let mut told = 0;
        for seed in 0..40 {
            let mut dice = TestRng::new(seed);
            let mut play = AnyGameState::new(variant);
            while let Some(mv) = random_move(&play, &mut dice) {
                let prompt = Board::new(&play).prompt(&play);
                let again = prompt.contains("is won: play there");
                assert!(!again || prompt.contains(rule), "{prompt}");
                let side = play.side();
                play.play(&mv).unwrap_or_else(|error| panic!("{error}"));
                if play.outcome().is_none() {
                    assert_eq!(play.side() == side, again, "{prompt}: {mv}");
                    told += u32::from(again);
                }
            }
        }
        assert!(told > 0, "{variant}");
    }
}
