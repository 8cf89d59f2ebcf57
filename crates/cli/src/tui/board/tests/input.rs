//! Games played only with keys, and only with the mouse: every legal move can be made, and nothing
//! else.

use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants::GROUPS;
use noughts_rules::MoveArea;

use super::*;

/// The arrow keys that lead from anywhere to a column and row, by way of the top left corner.
fn arrows(col: u8, row: u8) -> String {
    let corner = "<".repeat(16) + &"^".repeat(16);
    corner + &">".repeat(col.into()) + &"v".repeat(row.into())
}

/// Column and row of a cell's name on a flat board.
fn flat_coord(name: &str) -> (u8, u8) {
    let (letter, number) = name.split_at(1);
    let row: u8 = number.parse().unwrap_or_else(|_| panic!("{name}"));
    (letter.as_bytes()[0] - b'a', row - 1)
}

/// Column and row of a path.
fn nested_coord(path: &str) -> (i32, i32) {
    path.bytes().fold((0, 0), |(col, row), letter| {
        let place = i32::from(letter - b'a');
        (col * 3 + place % 3, row * 3 + place / 3)
    })
}

/// The arrow keys from one path to another of the same length.
fn steps(from: &str, to: &str) -> String {
    let ((x0, y0), (x1, y1)) = (nested_coord(from), nested_coord(to));
    let across = if x1 > x0 { ">" } else { "<" };
    let down = if y1 > y0 { "v" } else { "^" };
    across.repeat(x1.abs_diff(x0) as usize) + &down.repeat(y1.abs_diff(y0) as usize)
}

fn by_keys(board: &mut Board, state: &AnyGameState, mv: &str) -> BoardResponse {
    let keys = match (&board.widget, state) {
        (BoardWidget::Flat(_), _) => {
            let (col, row) = flat_coord(mv);
            arrows(col, row) + "!"
        }
        (BoardWidget::Grid(_), AnyGameState::TicTacTwo(game)) => {
            if let Some(center) = mv.strip_prefix('@') {
                let (col, row) = flat_coord(center);
                let (from_col, from_row) = game.game().grid_center(game.position());
                let across = if col > from_col { "l" } else { "<" };
                let down = if row > from_row { "j" } else { "^" };
                let steps = across.repeat(col.abs_diff(from_col).into())
                    + &down.repeat(row.abs_diff(from_row).into());
                format!("g{steps}!")
            } else {
                let places = mv.split('-').map(|name| {
                    let (col, row) = flat_coord(name);
                    arrows(col, row) + "!"
                });
                places.collect()
            }
        }
        (BoardWidget::Nested(nested), _) => {
            let zoom_in = "z".repeat(6);
            zoom_in + &steps(&nested.cursor_path(), mv) + "!"
        }
        _ => panic!("a board of another game"),
    };
    press(board, state, &keys)
}

/// Keypad digits, where they name cells.
fn by_digits(board: &mut Board, state: &AnyGameState, mv: &str) -> BoardResponse {
    const KEYPAD: [char; 9] = ['7', '8', '9', '4', '5', '6', '1', '2', '3'];
    let digit = |letter: u8| KEYPAD[usize::from(letter - b'a')];
    let keys: String = match state {
        AnyGameState::Mnk(_) => {
            let (col, row) = flat_coord(mv);
            KEYPAD[usize::from(row * 3 + col)].into()
        }
        _ => {
            let known_letters = match super::super::nested::move_target(state) {
                Some(MoveArea::Board(path)) => path.len(),
                Some(MoveArea::Free { inside, .. }) => inside.len(),
                _ => 0,
            };
            mv.bytes().skip(known_letters).map(digit).collect()
        }
    };
    press(board, state, &keys)
}

fn by_mouse(
    board: &mut Board,
    state: &AnyGameState,
    mv: &str,
    area: Rect,
    rng: &mut TestRng,
) -> BoardResponse {
    render(board, state, area);
    match (&board.widget, state) {
        (BoardWidget::Flat(flat_board), _) => {
            let (col, row) = flat_coord(mv);
            let center = flat_board
                .cursor
                .cell_center(col, row)
                .unwrap_or_else(|| panic!("{mv} is drawn"));
            click(board, state, center)
        }
        (BoardWidget::Grid(grid), AnyGameState::TicTacTwo(game)) => {
            let center = |name: &str| {
                let (col, row) = flat_coord(name);
                grid.cursor
                    .cell_center(col, row)
                    .unwrap_or_else(|| panic!("{name} is drawn"))
            };
            if let Some(center) = mv.strip_prefix('@') {
                let (from, pitch) = grid.handle(game).unwrap_or_else(|| panic!("a handle"));
                let (col, row) = flat_coord(center);
                let (from_col, from_row) = game.game().grid_center(game.position());
                let along = |at: u16, pitch: u16, delta: i32| {
                    (i32::from(at) + i32::from(pitch) * delta).max(0) as u16
                };
                let to = Position::new(
                    along(from.x, pitch.0, i32::from(col) - i32::from(from_col)),
                    along(from.y, pitch.1, i32::from(row) - i32::from(from_row)),
                );
                drag(board, state, from, to)
            } else if let Some((from, to)) = mv.split_once('-') {
                let (from, to) = (center(from), center(to));
                if rng.chance(1, 2) {
                    return drag(board, state, from, to);
                }
                click(board, state, from);
                click(board, state, to)
            } else {
                let at = center(mv);
                click(board, state, at)
            }
        }
        (BoardWidget::Nested(_), _) => click_path(board, state, mv, area),
        _ => panic!("a board of another game"),
    }
}

fn drag(board: &mut Board, state: &AnyGameState, from: Position, to: Position) -> BoardResponse {
    use MouseEventKind::{Down, Drag, Up};
    mouse(board, state, Down(MouseButton::Left), from);
    let middle = Position::new((from.x + to.x) / 2, (from.y + to.y) / 2);
    mouse(board, state, Drag(MouseButton::Left), middle);
    mouse(board, state, Drag(MouseButton::Left), to);
    mouse(board, state, Up(MouseButton::Left), to)
}

/// Zooms out with the wheel until part of the path is visible, then in by clicks.
fn click_path(board: &mut Board, state: &AnyGameState, mv: &str, area: Rect) -> BoardResponse {
    for _ in 0..12 {
        let BoardWidget::Nested(nested) = &board.widget else {
            panic!("a nested board");
        };
        // The longest prefix of the path that is a square of the window.
        let visible_prefix = (1..=mv.len())
            .rev()
            .find_map(|n| nested.node_center(&mv[..n]));
        let full_path = nested.node_center(mv);
        let answer = match (full_path, visible_prefix) {
            (Some(at), _) => return click(board, state, at),
            (None, Some(at)) => click(board, state, at),
            (None, None) => mouse(
                board,
                state,
                MouseEventKind::ScrollDown,
                Position::new(area.x + area.width / 2, area.y + area.height / 2),
            ),
        };
        assert_eq!(answer, BoardResponse::Redraw, "on the way to {mv}");
        render(board, state, area);
    }
    panic!("{mv} is not found");
}

/// The number of games and plies per variant: enough to reach its late game where possible.
fn games_and_plies(variant: &str) -> (usize, usize) {
    match variant {
        _ if variant.contains("depth=6") => (1, 12),
        _ if variant.contains("depth=5") => (1, 20),
        _ if variant.contains("depth") => (1, 60),
        _ if variant.starts_with("mnk:1") => (1, 120),
        _ => (2, 150),
    }
}

/// Plays random games of every variant, making each move with `make`.
fn play_random_games(
    seed: u64,
    mut make: impl FnMut(&mut Board, &AnyGameState, &str, &mut TestRng) -> BoardResponse,
) {
    for variant in GROUPS.iter().flat_map(|group| group.variants) {
        let (games, plies) = games_and_plies(variant);
        let mut rng = TestRng::for_name(seed, variant);
        for _ in 0..games {
            let mut state = state_after(variant, "");
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
    play_random_games(1, |board, state, mv, _| by_keys(board, state, mv));
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

#[test]
fn small_flat_and_nested_games_can_be_played_with_digits_only() {
    play_random_games(3, |board, state, mv, _| {
        match state.variant().to_string().as_str() {
            "classic" | "misere" | "mnk:1,1,1" | "mnk:3,3,1" | "mnk:3,3,2" => {
                by_digits(board, state, mv)
            }
            name if name == "ultimate" || name.starts_with("ception") => {
                by_digits(board, state, mv)
            }
            _ => by_keys(board, state, mv),
        }
    });
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
    for variant in GROUPS.iter().flat_map(|group| group.variants) {
        let mut rng = TestRng::for_name(4, variant);
        let is_deep = variant.contains("depth=5") || variant.contains("depth=6");
        for _ in 0..if is_deep { 1 } else { 3 } {
            let mut state = state_after(variant, "");
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
                    by_keys(&mut board, &state, &mv),
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

/// The names of the cells that can be clicked.
fn cells(state: &AnyGameState) -> Vec<String> {
    let flat_cells = |columns: u8, rows: u8| {
        let names = (0..rows).flat_map(|row| (0..columns).map(move |col| (col, row)));
        names
            .map(|(col, row)| format!("{}{}", char::from(b'a' + col), row + 1))
            .collect()
    };
    match state.variant().family() {
        noughts_rules::Family::Mnk(options) => flat_cells(options.size().0, options.size().1),
        noughts_rules::Family::TicTacTwo(options) => {
            flat_cells(options.board_size(), options.board_size())
        }
        noughts_rules::Family::Other => Vec::new(),
        noughts_rules::Family::Nested(options) => {
            let letters = || "abcdefghi".chars();
            match options.depth() {
                1 => letters().map(String::from).collect(),
                _ => letters()
                    .flat_map(|a| letters().map(move |b| format!("{a}{b}")))
                    .collect(),
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
    for variant in [
        "classic",
        "misere",
        "mnk:9,9,5",
        "tic-tac-two",
        "tic-tac-two:board=7",
        "ception:depth=1",
        "ultimate",
        "ception:5a",
        "ception:4b,5d",
    ] {
        let mut rng = TestRng::for_name(5, variant);
        let mut state = state_after(variant, "");
        loop {
            let cells = match state.moves().len().is_multiple_of(stride) || cells(&state).len() <= 9
            {
                true => cells(&state),
                false => Vec::new(),
            };
            for name in cells {
                // The player's own piece is picked up instead.
                let is_own_piece = matches!(&state, AnyGameState::TicTacTwo(game) if {
                    let (col, row) = flat_coord(&name);
                    game.position().pieces(game.side()) >> (8 * row + col) & 1 == 1
                });
                let mut board = Board::new(&state);
                let answer = by_mouse(&mut board, &state, &name, SMALL, &mut rng);
                let expected = match state.check(&name) {
                    Ok(()) => BoardResponse::Move(name.clone()),
                    Err(refusal) => BoardResponse::Rejected(refusal.to_string()),
                };
                if !is_own_piece {
                    assert_eq!(answer, expected, "{variant} {:?}: {name}", state.moves());
                } else {
                    assert!(
                        !matches!(answer, BoardResponse::Move(_)),
                        "{variant}: {name}"
                    );
                }
            }
            let Some(mv) = random_move(&state, &mut rng) else {
                break;
            };
            assert_eq!(state.play(&mv), Ok(()));
        }
    }
}
