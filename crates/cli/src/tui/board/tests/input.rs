//! Games played only with keys, and only with the mouse: every legal move can be made, and nothing
//! else.

use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants::all_variants;
use noughts_rules::{Place, TapResult, Target};

use super::*;

/// Moves the cursor to a place with the arrow keys.
fn go_to(board: &mut Board, state: &AnyGameState, place: Place) {
    let view = state.view();
    for _ in 0..2000 {
        let here = board.cursor_at(place.level);
        let (column, row) = board.global_column_row(here);
        let (to_column, to_row) = board.global_column_row(place);
        let is_there = match board.features.plays_columns {
            true => view.aim(here) == view.aim(place),
            false => here == place,
        };
        if is_there {
            return;
        }
        let across = if to_column > column { ">" } else { "<" };
        let down = if to_row > row { "v" } else { "^" };
        // A row of boards that is wrapped may be shorter than the one above it.
        let keys = if to_column < column || to_row >= row && to_column != column {
            [across, down]
        } else {
            [down, across]
        };
        press(board, state, keys[0]);
        if board.cursor_at(place.level) == here {
            press(board, state, keys[1]);
        }
    }
    panic!("{place:?} can't be reached in {}", state.variant());
}

/// Makes a move with keys: each of its taps.
fn by_keys(board: &mut Board, state: &AnyGameState, mv: &str, rng: &mut TestRng) -> BoardResponse {
    let view = state.view();
    let taps = view
        .taps_of(mv)
        .unwrap_or_else(|error| panic!("{mv}: {error}"));
    let mut response = BoardResponse::Ignored;
    for (n, target) in taps.iter().enumerate() {
        response = match *target {
            Target::Frame => press(board, state, "g"),
            Target::Place(center) if board.moves_frame() => {
                let (from, to) = (view.frame().map(|frame| frame.center), center);
                let [(x0, y0), (x1, y1)] =
                    [from.unwrap_or(to), to].map(|place| view.shape().column_row(place));
                let across = if x1 > x0 { "l" } else { "<" }.repeat(x1.abs_diff(x0).into());
                let down = if y1 > y0 { "j" } else { "^" }.repeat(y1.abs_diff(y0).into());
                press(board, state, &format!("{across}{down}!"))
            }
            Target::Place(cell) => {
                press(board, state, &"z".repeat(6));
                go_to(board, state, cell);
                press(board, state, "!")
            }
            Target::Piece(kind) if n > 0 => choose_piece(board, state, kind, rng),
            Target::Piece(kind) => take_piece(board, state, kind, rng),
        };
    }
    response
}

/// Chooses a piece for a cell: by its name, or with the arrows.
fn choose_piece(
    board: &mut Board,
    state: &AnyGameState,
    kind: u8,
    rng: &mut TestRng,
) -> BoardResponse {
    if rng.chance(1, 2) {
        return press(board, state, &state.view().piece_name(kind));
    }
    for _ in 0..20 {
        match board.choice {
            Some(Target::Piece(now)) if now < kind => press(board, state, ">"),
            Some(Target::Piece(now)) if now > kind => press(board, state, "^"),
            _ => return press(board, state, "!"),
        };
    }
    panic!("{kind} can't be chosen");
}

/// Takes a piece from next to the board: by its name, or with Tab.
fn take_piece(
    board: &mut Board,
    state: &AnyGameState,
    kind: u8,
    rng: &mut TestRng,
) -> BoardResponse {
    if rng.chance(1, 2) {
        return press(board, state, &state.view().piece_name(kind).to_uppercase());
    }
    for _ in 0..20 {
        let response = board.handle_key(state, KeyEvent::from(KeyCode::Tab));
        if board.taps == [Target::Piece(kind)] {
            return response;
        }
    }
    panic!("{kind} can't be taken");
}

/// Keypad digits for the parts of a cell's path inside the board that must be played in.
fn by_digits(board: &mut Board, state: &AnyGameState, cell: Place) -> BoardResponse {
    const KEYPAD: [char; 9] = ['7', '8', '9', '4', '5', '6', '1', '2', '3'];
    let view = state.view();
    let levels = view.focus().level + 1..=cell.level;
    let digits = levels.map(|level| {
        let part = view.shape().ancestor(cell, level);
        KEYPAD[(part.index % 9) as usize]
    });
    let keys: String = digits.collect();
    press(board, state, &keys)
}

fn center(rect: Rect) -> Position {
    Position::new(rect.x + rect.width / 2, rect.y + rect.height / 2)
}

/// Makes a move with the mouse.
fn by_mouse(
    board: &mut Board,
    state: &AnyGameState,
    mv: &str,
    area: Rect,
    rng: &mut TestRng,
) -> BoardResponse {
    render(board, state, area);
    let view = state.view();
    let taps = view
        .taps_of(mv)
        .unwrap_or_else(|error| panic!("{mv}: {error}"));
    if let [Target::Frame, Target::Place(to)] = taps[..] {
        return drag_frame(board, state, to);
    }
    if let [from, Target::Place(to)] = taps[..]
        && rng.chance(1, 2)
    {
        let [from, to] = [from, Target::Place(to)].map(|target| position_of(board, target, mv));
        return drag(board, state, from, to);
    }
    let mut response = BoardResponse::Ignored;
    for target in taps {
        response = match target {
            Target::Place(cell) => click_cell(board, state, cell, area),
            target => {
                let position = position_of(board, target, mv);
                click(board, state, position)
            }
        };
        render(board, state, area);
    }
    response
}

/// Where a cell or piece is on the screen.
fn position_of(board: &Board, target: Target, mv: &str) -> Position {
    let layout = &board.layout;
    let rect = match target {
        Target::Place(place) => layout.square_of(&board.shape, place),
        Target::Piece(kind) => {
            let pieces = layout.chooser.iter().chain(&layout.reserve_pieces);
            let mut found = pieces.filter(|(_, other)| *other == kind);
            found.next().map(|(rect, _)| *rect)
        }
        Target::Frame => None,
    };
    center(rect.unwrap_or_else(|| panic!("{target:?} of {mv} isn't drawn")))
}

fn drag_frame(board: &mut Board, state: &AnyGameState, to: Place) -> BoardResponse {
    let view = state.view();
    let handle = board.frame_rect(view).unwrap_or_else(|| panic!("no frame"));
    let from = Position::new(handle.x + handle.width / 2, handle.y);
    let current = view.frame().map_or(to, |frame| frame.center);
    let [(x0, y0), (x1, y1)] = [current, to].map(|place| board.shape.column_row(place));
    let pitch = board.layout.boards[0].squares.pitch();
    let along = |at: u16, pitch: u16, from: u8, to: u8| {
        let delta = i32::from(pitch) * (i32::from(to) - i32::from(from));
        (i32::from(at) + delta).max(0) as u16
    };
    let to = Position::new(
        along(from.x, pitch.0, x0, x1),
        along(from.y, pitch.1, y0, y1),
    );
    drag(board, state, from, to)
}

fn drag(board: &mut Board, state: &AnyGameState, from: Position, to: Position) -> BoardResponse {
    use MouseEventKind::{Down, Drag, Up};
    mouse(board, state, Down(MouseButton::Left), from);
    let middle = Position::new((from.x + to.x) / 2, (from.y + to.y) / 2);
    mouse(board, state, Drag(MouseButton::Left), middle);
    mouse(board, state, Drag(MouseButton::Left), to);
    mouse(board, state, Up(MouseButton::Left), to)
}

/// Zooms out with the wheel until a board around the cell is visible, then in by clicks.
fn click_cell(board: &mut Board, state: &AnyGameState, cell: Place, area: Rect) -> BoardResponse {
    for _ in 0..12 {
        let seen = (1..=cell.level).rev().find_map(|level| {
            let place = board.shape.ancestor(cell, level);
            let rect = board.layout.square_of(&board.shape, place)?;
            Some((place, center(rect)))
        });
        let answer = match seen {
            Some((place, position)) if place == cell => return click(board, state, position),
            Some((_, position)) => click(board, state, position),
            None => mouse(board, state, MouseEventKind::ScrollDown, center(area)),
        };
        assert_eq!(answer, BoardResponse::Redraw, "on the way to {cell:?}");
        render(board, state, area);
    }
    panic!("{cell:?} is not found");
}

/// The number of games and plies per variant: enough to reach its late game where possible.
fn games_and_plies(variant: &str) -> (usize, usize) {
    let state = state_after(variant, "");
    match state.view().shape().count_cells() {
        0..=81 => (2, 150),
        82..=256 => (1, 120),
        257..=6561 => (1, 60),
        _ => (1, 12),
    }
}

/// Plays random games of every variant, making each move with `make`.
fn play_random_games(
    seed: u64,
    mut make: impl FnMut(&mut Board, &AnyGameState, &str, &mut TestRng) -> BoardResponse,
) {
    for variant in all_variants() {
        let (games, plies) = games_and_plies(&variant);
        let mut rng = TestRng::for_name(seed, &variant);
        for _ in 0..games {
            let mut state = state_after(&variant, "");
            let mut board = Board::new(&state);
            for _ in 0..plies {
                let Some(mv) = random_move(&state, &mut rng) else {
                    break;
                };
                let answer = make(&mut board, &state, &mv, &mut rng);
                let at = format!("{variant} after {:?}", state.moves());
                assert_eq!(answer, BoardResponse::Move(mv.clone()), "{at}: {mv}");
                assert_eq!(state.play(&mv), Ok(()));
                board.sync(&state);
            }
        }
    }
}

#[test]
fn every_game_can_be_played_with_keys_only() {
    play_random_games(1, by_keys);
}

#[test]
fn every_game_can_be_played_with_the_mouse_only() {
    let areas = [
        SMALL,
        LARGE,
        Rect::new(3, 2, 60, 26),
        Rect::new(0, 0, 200, 70),
    ];
    play_random_games(2, |board, state, mv, rng| {
        let area = areas[rng.below(areas.len())];
        by_mouse(board, state, mv, area, rng)
    });
}

/// Where all boards are of at most 3×3 places and a move is a cell.
#[test]
fn small_boards_can_be_played_with_digits_only() {
    let mut by_digits_only = 0;
    play_random_games(3, |board, state, mv, rng| {
        let view = state.view();
        let shape = view.shape();
        let is_keypad = |level| shape.size_at(level) == Some((3, 3));
        match view.taps_of(mv).as_deref() {
            Ok([Target::Place(cell)])
                if (0..shape.depth()).all(is_keypad) && view.frame().is_none() =>
            {
                by_digits_only += 1;
                by_digits(board, state, *cell)
            }
            _ => by_keys(board, state, mv, rng),
        }
    });
    assert!(by_digits_only > 500);
}

/// All legal moves if there are few, otherwise a sample.
fn some_moves(state: &AnyGameState, rng: &mut TestRng) -> Vec<String> {
    const MAX_MOVES: usize = 60;
    if state.count_moves() <= MAX_MOVES {
        return state.legal_moves();
    }
    (0..MAX_MOVES)
        .filter_map(|_| random_move(state, rng))
        .collect()
}

#[test]
fn every_legal_move_of_a_position_can_be_made() {
    for variant in all_variants() {
        let mut rng = TestRng::for_name(4, &variant);
        let is_deep = variant.contains("depth=5") || variant.contains("depth=6");
        for _ in 0..if is_deep { 1 } else { 3 } {
            let mut state = state_after(&variant, "");
            for _ in 0..rng.below(40) {
                let Some(mv) = random_move(&state, &mut rng) else {
                    break;
                };
                let mut next = state.clone();
                assert_eq!(next.play(&mv), Ok(()));
                if next.outcome().is_none() {
                    state = next;
                }
            }
            // The board keeps the cursor and zoom of the previous move.
            let mut board = Board::new(&state);
            for mv in some_moves(&state, &mut rng) {
                let expected_response = BoardResponse::Move(mv.clone());
                let at = format!("{variant} {:?}: {mv}", state.moves());
                assert_eq!(
                    by_keys(&mut board, &state, &mv, &mut rng),
                    expected_response,
                    "{at} by keys"
                );
                let area = if rng.chance(1, 2) { SMALL } else { LARGE };
                let answer = by_mouse(&mut board, &state, &mv, area, &mut rng);
                assert_eq!(answer, expected_response, "{at} by mouse in {area}");
            }
        }
    }
}

#[test]
fn a_click_on_an_illegal_cell_gives_the_reason() {
    click_everywhere(3);
}

#[test]
#[ignore = "soak"]
fn soak_a_click_on_an_illegal_cell_gives_the_reason() {
    click_everywhere(1);
}

/// Clicks every cell, on a large board only in every `stride`-th position.
fn click_everywhere(stride: usize) {
    let large = [
        "mnk:9,9,5",
        "tic-tac-two:board=7",
        "ception:depth=1",
        "ception:4b,5d",
    ];
    let presets = noughts_rules::games::presets().into_iter();
    let presets = presets.map(|(variant, _)| variant.to_string());
    for variant in presets.chain(large.map(str::to_owned)) {
        let mut rng = TestRng::for_name(5, &variant);
        let mut state = state_after(&variant, "");
        let shape = state.view().shape();
        if shape.depth() > 2 {
            continue;
        }
        loop {
            let view = state.view();
            let is_checked = state.move_count().is_multiple_of(stride) || shape.count_cells() <= 9;
            let cells = if is_checked { shape.count_cells() } else { 0 };
            for cell in (0..cells).map(|index| shape.cell(index)) {
                let mut board = Board::new(&state);
                render(&mut board, &state, SMALL);
                let answer = click_cell(&mut board, &state, cell, SMALL);
                let expected = match view.tap(&[Target::Place(view.aim(cell))]) {
                    TapResult::Move(mv) => BoardResponse::Move(mv),
                    TapResult::Partial(_) => BoardResponse::Redraw,
                    TapResult::Rejected(reason) => BoardResponse::Rejected(reason.to_string()),
                };
                // The board can add what to do instead.
                if let (BoardResponse::Rejected(answer), BoardResponse::Rejected(reason)) =
                    (&answer, &expected)
                    && answer.starts_with(reason)
                {
                    continue;
                }
                assert_eq!(answer, expected, "{variant} {:?}: {cell:?}", state.moves());
            }
            let Some(mv) = random_move(&state, &mut rng) else {
                break;
            };
            assert_eq!(state.play(&mv), Ok(()));
        }
    }
}
