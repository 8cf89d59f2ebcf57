//! No key or mouse event causes a panic or an illegal move, however small the area is.

use crossterm::event::KeyEventKind;
use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants;

use super::*;

fn random_key(rng: &mut TestRng) -> KeyEvent {
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
    let code = match rng.below(3) {
        0 => KeyCode::Char(rng.pick_char("hjklyubnggzZZ 123456789xoSML/é∞")),
        _ => rng.pick(&NAMED).unwrap_or(KeyCode::Enter),
    };
    let mut key = KeyEvent::from(code);
    if rng.chance(1, 20) {
        key.modifiers = KeyModifiers::CONTROL;
    }
    if rng.chance(1, 20) {
        key.kind = KeyEventKind::Release;
    }
    key
}

fn random_mouse(rng: &mut TestRng) -> MouseEvent {
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
    let outside = rng.chance(1, 30);
    let mut coordinate = |limit: usize| match outside {
        true => u16::MAX - rng.below(3) as u16,
        false => rng.below(limit) as u16,
    };
    let (column, row) = (coordinate(100), coordinate(45));
    MouseEvent {
        kind: rng.pick(&kinds).unwrap_or(MouseEventKind::Moved),
        column,
        row,
        modifiers: KeyModifiers::NONE,
    }
}

fn random_area(rng: &mut TestRng) -> Rect {
    match rng.below(4) {
        0 => SMALL,
        1 => LARGE,
        2 => Rect::new(
            rng.below(5) as u16,
            rng.below(5) as u16,
            rng.below(100) as u16,
            rng.below(45) as u16,
        ),
        _ => Rect::new(0, 0, rng.below(6) as u16, rng.below(6) as u16),
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
        let mut rng = TestRng::for_name(seed, &variant);
        let mut state = state_after(&variant, "");
        let mut board = Board::new(&state);
        let mut moves = 0;
        for _ in 0..count {
            if rng.chance(1, 3) {
                render(&mut board, &state, random_area(&mut rng));
            }
            let answer = match rng.below(20) {
                // On a deep board only a whole path of digits is likely to reach a cell.
                0 => random_path(&mut board, &state, &mut rng),
                1..11 => board.handle_key(&state, random_key(&mut rng)),
                _ => board.handle_mouse(&state, random_mouse(&mut rng)),
            };
            if let BoardResponse::Move(mv) = answer {
                moves += 1;
                assert_eq!(state.check(&mv), Ok(()), "{variant} {:?}", state.moves());
                if rng.chance(2, 3) {
                    assert_eq!(state.play(&mv), Ok(()));
                    board.sync(&state);
                }
            }
            // The texts never panic. Sometimes the game jumps back.
            board.prompt(&state);
            board.turn_options(&state);
            board.breadcrumb(&state);
            if state.outcome().is_some() || rng.chance(1, 40) {
                state.undo();
                if rng.chance(1, 2) {
                    board.sync(&state);
                }
            }
        }
        assert!(
            moves >= LEAST_MOVES,
            "{variant}: only {moves} of {count} events made a move"
        );
    }
}

/// Types digits until they make a move, or presses Enter, and returns the last response.
fn random_path(board: &mut Board, state: &AnyGameState, rng: &mut TestRng) -> BoardResponse {
    board.sync(state);
    let mut answer = BoardResponse::Ignored;
    for _ in 0..6 {
        let digit = KeyCode::Char(rng.pick_char("123456789"));
        answer = board.handle_key(state, KeyEvent::from(digit));
        if matches!(answer, BoardResponse::Move(_)) {
            return answer;
        }
    }
    for _ in 0..2 {
        answer = board.handle_key(state, KeyEvent::from(KeyCode::Enter));
        if matches!(answer, BoardResponse::Move(_)) {
            return answer;
        }
    }
    answer
}

#[test]
fn a_board_given_another_game_makes_no_illegal_move() {
    let names = [
        "classic",
        "mnk:16,16,5",
        "tic-tac-two",
        "tic-tac-two:board=7",
        "ultimate",
        "ception:depth=1",
        "ception:depth=4",
        "connect-four",
        "qubic",
        "gobblers",
        "numerical",
    ];
    let mut rng = TestRng::new(7);
    for name in names {
        for other in names {
            let state = state_after(other, "");
            let mut board = Board::new(&state_after(name, ""));
            for _ in 0..60 {
                render(&mut board, &state, random_area(&mut rng));
                for answer in [
                    board.handle_key(&state, random_key(&mut rng)),
                    board.handle_mouse(&state, random_mouse(&mut rng)),
                ] {
                    if let BoardResponse::Move(mv) = answer {
                        assert_eq!(state.check(&mv), Ok(()), "{name}, {other}");
                    }
                }
                board.prompt(&state);
                board.breadcrumb(&state);
            }
            board.sync(&state);
            render(&mut board, &state, LARGE);
        }
    }
}

#[test]
fn nothing_is_drawn_outside_the_area() {
    let whole = Rect::new(0, 0, 100, 50);
    for variant in variants::all_variants().filter(|name| !name.contains("depth=6")) {
        let mut rng = TestRng::for_name(8, &variant);
        let mut state = state_after(&variant, "");
        for _ in 0..10 {
            let Some(mv) = random_move(&state, &mut rng) else {
                break;
            };
            assert_eq!(state.play(&mv), Ok(()));
        }
        let mut board = Board::new(&state);
        for _ in 0..10 {
            let area = random_area(&mut rng);
            let mut buf = Buffer::empty(whole);
            let view = BoardRenderContext {
                state: &state,
                theme: &ASCII,
                active: true,
                annotations: None,
                hint: None,
            };
            board.render(&view, area, &mut buf);
            for position in whole
                .positions()
                .filter(|&position| !area.contains(position))
            {
                assert_eq!(buf[position].symbol(), " ", "{variant} {area} {position}");
            }
            assert!(
                buf.content.iter().all(|cell| cell.symbol().is_ascii()),
                "{variant}"
            );
        }
    }
}
