//! Whatever keys and mouse do, and however small the area: no panic, no illegal move.

use crossterm::event::KeyEventKind;
use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants;

use super::*;

fn random_key(dice: &mut TestRng) -> KeyEvent {
    const NAMED: [KeyCode; 12] = [
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::Home,
        KeyCode::Delete,
        KeyCode::F(3),
        KeyCode::Null,
        KeyCode::BackTab,
    ];
    let code = match dice.below(3) {
        0 => KeyCode::Char(dice.pick_char("hjklyubnggzZZ 123456789xq/é∞")),
        _ => dice.pick(&NAMED).unwrap_or(KeyCode::Enter),
    };
    let mut key = KeyEvent::from(code);
    if dice.chance(1, 20) {
        key.modifiers = KeyModifiers::CONTROL;
    }
    if dice.chance(1, 20) {
        key.kind = KeyEventKind::Release;
    }
    key
}

fn random_mouse(dice: &mut TestRng) -> MouseEvent {
    let kinds = [
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::Moved,
        MouseEventKind::ScrollUp,
        MouseEventKind::ScrollDown,
        MouseEventKind::ScrollLeft,
        MouseEventKind::Down(MouseButton::Right),
        MouseEventKind::Up(MouseButton::Middle),
    ];
    let anywhere = dice.chance(1, 30);
    let mut along = |most: usize| match anywhere {
        true => u16::MAX - dice.below(3) as u16,
        false => dice.below(most) as u16,
    };
    let (column, row) = (along(100), along(45));
    MouseEvent {
        kind: dice.pick(&kinds).unwrap_or(MouseEventKind::Moved),
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }
}

fn random_area(dice: &mut TestRng) -> Rect {
    match dice.below(4) {
        0 => SMALL,
        1 => LARGE,
        2 => Rect::new(
            dice.below(5) as u16,
            dice.below(5) as u16,
            dice.below(100) as u16,
            dice.below(45) as u16,
        ),
        _ => Rect::new(0, 0, dice.below(6) as u16, dice.below(6) as u16),
    }
}

/// At least this many events of each variant must make a move.
const LEAST_MOVES: usize = 3;

#[test]
fn random_keys_and_clicks_make_only_legal_moves() {
    send(6, 400);
}

#[test]
#[ignore = "soak"]
fn soak_random_keys_and_clicks() {
    send(60, 10_000);
}

/// Sends `count` random events to a board of each variant.
fn send(seed: u64, count: usize) {
    for variant in variants::all_variants() {
        let mut dice = TestRng::for_name(seed, variant);
        let mut play = state_after(variant, "");
        let mut board = Board::new(&play);
        let mut moves = 0;
        for _ in 0..count {
            if dice.chance(1, 3) {
                render(&mut board, &play, random_area(&mut dice));
            }
            let answer = match dice.below(20) {
                // On a deep board only a whole path of digits is likely to reach a cell.
                0 => random_path(&mut board, &play, &mut dice),
                1..11 => board.handle_key(&play, random_key(&mut dice)),
                _ => board.handle_mouse(&play, random_mouse(&mut dice)),
            };
            if let BoardResponse::Move(mv) = answer {
                moves += 1;
                assert_eq!(play.check(&mv), Ok(()), "{variant} {:?}", play.moves());
                if dice.chance(2, 3) {
                    assert_eq!(play.play(&mv), Ok(()));
                    board.sync(&play);
                }
            }
            // What is said never panics, and sometimes the game jumps back.
            board.prompt(&play);
            board.turn_options(&play);
            board.breadcrumb(&play);
            if play.outcome().is_some() || dice.chance(1, 40) {
                play.undo();
                if dice.chance(1, 2) {
                    board.sync(&play);
                }
            }
        }
        assert!(
            moves >= LEAST_MOVES,
            "{variant}: only {moves} of {count} events made a move"
        );
    }
}

/// Types digits from where one must play until they make a move; what the last one did.
fn random_path(board: &mut Board, play: &AnyGameState, dice: &mut TestRng) -> BoardResponse {
    board.sync(play);
    let mut answer = BoardResponse::Ignored;
    for _ in 0..6 {
        let digit = KeyCode::Char(dice.pick_char("123456789"));
        answer = board.handle_key(play, KeyEvent::from(digit));
        if matches!(answer, BoardResponse::Move(_)) {
            break;
        }
    }
    answer
}

#[test]
fn a_board_that_is_given_another_game_does_nothing_wrong() {
    let names = [
        "classic",
        "mnk:16,16,5",
        "tic-tac-two",
        "tic-tac-two:board=7",
        "ultimate",
        "ception:depth=1",
        "ception:depth=4",
    ];
    let mut dice = TestRng::new(7);
    for name in names {
        for other in names {
            let play = state_after(other, "");
            let mut board = Board::new(&state_after(name, ""));
            for _ in 0..60 {
                render(&mut board, &play, random_area(&mut dice));
                for answer in [
                    board.handle_key(&play, random_key(&mut dice)),
                    board.handle_mouse(&play, random_mouse(&mut dice)),
                ] {
                    if let BoardResponse::Move(mv) = answer {
                        assert_eq!(play.check(&mv), Ok(()), "{name}, {other}");
                    }
                }
                board.prompt(&play);
                board.breadcrumb(&play);
            }
            board.sync(&play);
            render(&mut board, &play, LARGE);
        }
    }
}

#[test]
fn nothing_is_drawn_outside_the_area() {
    let whole = Rect::new(0, 0, 100, 50);
    for variant in variants::all_variants().filter(|name| !name.contains("depth=6")) {
        let mut dice = TestRng::for_name(8, variant);
        let mut play = state_after(variant, "");
        for _ in 0..10 {
            let Some(mv) = random_move(&play, &mut dice) else {
                break;
            };
            assert_eq!(play.play(&mv), Ok(()));
        }
        let mut board = Board::new(&play);
        for _ in 0..10 {
            let area = random_area(&mut dice);
            let mut buf = Buffer::empty(whole);
            let view = RenderContext {
                state: &play,
                theme: &ASCII,
                active: true,
                annotations: None,
                hint: None,
            };
            board.render(&view, area, &mut buf);
            for place in whole.positions().filter(|&place| !area.contains(place)) {
                assert_eq!(buf[place].symbol(), " ", "{variant} {area} {place}");
            }
            assert!(
                buf.content.iter().all(|cell| cell.symbol().is_ascii()),
                "{variant}"
            );
        }
    }
}
