//! Games played only with keys, and only with the mouse: every legal move can be made,
//! and nothing else.

use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants::GROUPS;
use noughts_rules::MoveArea;

use super::*;

/// From where one is to a column and row, by arrows. The corner is where one cannot go
/// further.
fn arrows(col: u8, row: u8) -> String {
    let corner = "<".repeat(16) + &"^".repeat(16);
    corner + &">".repeat(col.into()) + &"v".repeat(row.into())
}

/// Column and row of a cell's name on a flat board.
fn flat(name: &str) -> (u8, u8) {
    let (letter, number) = name.split_at(1);
    let row: u8 = number.parse().unwrap_or_else(|_| panic!("{name}"));
    (letter.as_bytes()[0] - b'a', row - 1)
}

/// Column and row of a path.
fn nested(path: &str) -> (i32, i32) {
    path.bytes().fold((0, 0), |(col, row), letter| {
        let place = i32::from(letter - b'a');
        (col * 3 + place % 3, row * 3 + place / 3)
    })
}

/// The steps from one path to another of the same length.
fn steps(from: &str, to: &str) -> String {
    let ((x0, y0), (x1, y1)) = (nested(from), nested(to));
    let across = if x1 > x0 { ">" } else { "<" };
    let down = if y1 > y0 { "v" } else { "^" };
    across.repeat(x1.abs_diff(x0) as usize) + &down.repeat(y1.abs_diff(y0) as usize)
}

fn by_keys(board: &mut Board, play: &AnyGameState, mv: &str) -> BoardResponse {
    let keys = match (&board.widget, play) {
        (BoardWidget::Flat(_), _) => {
            let (col, row) = flat(mv);
            arrows(col, row) + "!"
        }
        (BoardWidget::Grid(_), AnyGameState::TicTacTwo(game)) => {
            if let Some(centre) = mv.strip_prefix('@') {
                let (col, row) = flat(centre);
                let (from_col, from_row) = game.game().grid_center(game.position());
                let across = if col > from_col { "l" } else { "<" };
                let down = if row > from_row { "j" } else { "^" };
                let steps = across.repeat(col.abs_diff(from_col).into())
                    + &down.repeat(row.abs_diff(from_row).into());
                format!("g{steps}!")
            } else {
                let places = mv.split('-').map(|name| {
                    let (col, row) = flat(name);
                    arrows(col, row) + "!"
                });
                places.collect()
            }
        }
        (BoardWidget::Nested(nested), _) => {
            let closer = "z".repeat(6);
            closer + &steps(&nested.cursor_path(), mv) + "!"
        }
        _ => panic!("a board of another game"),
    };
    press(board, play, &keys)
}

/// Digits as on a keypad, where they name cells.
fn by_digits(board: &mut Board, play: &AnyGameState, mv: &str) -> BoardResponse {
    const KEYPAD: [char; 9] = ['7', '8', '9', '4', '5', '6', '1', '2', '3'];
    let digit = |letter: u8| KEYPAD[usize::from(letter - b'a')];
    let keys: String = match play {
        AnyGameState::Mnk(_) => {
            let (col, row) = flat(mv);
            KEYPAD[usize::from(row * 3 + col)].into()
        }
        _ => {
            let known = match super::super::nested::move_target(play) {
                Some(MoveArea::Board(path)) => path.len(),
                Some(MoveArea::Free { inside, .. }) => inside.len(),
                _ => 0,
            };
            mv.bytes().skip(known).map(digit).collect()
        }
    };
    press(board, play, &keys)
}

fn by_mouse(
    board: &mut Board,
    play: &AnyGameState,
    mv: &str,
    area: Rect,
    dice: &mut TestRng,
) -> BoardResponse {
    render(board, play, area);
    match (&board.widget, play) {
        (BoardWidget::Flat(flat_board), _) => {
            let (col, row) = flat(mv);
            let spot = flat_board
                .cell_center(col, row)
                .unwrap_or_else(|| panic!("{mv} is drawn"));
            click(board, play, spot)
        }
        (BoardWidget::Grid(grid), AnyGameState::TicTacTwo(game)) => {
            let spot = |name: &str| {
                let (col, row) = flat(name);
                grid.cell_center(col, row)
                    .unwrap_or_else(|| panic!("{name} is drawn"))
            };
            if let Some(centre) = mv.strip_prefix('@') {
                let (from, pitch) = grid.handle(game).unwrap_or_else(|| panic!("a handle"));
                let (col, row) = flat(centre);
                let (col0, row0) = game.game().grid_center(game.position());
                let along = |at: u16, pitch: u16, by: i32| {
                    (i32::from(at) + i32::from(pitch) * by).max(0) as u16
                };
                let to = Position::new(
                    along(from.x, pitch.0, i32::from(col) - i32::from(col0)),
                    along(from.y, pitch.1, i32::from(row) - i32::from(row0)),
                );
                drag(board, play, from, to)
            } else if let Some((from, to)) = mv.split_once('-') {
                let (from, to) = (spot(from), spot(to));
                if dice.chance(1, 2) {
                    return drag(board, play, from, to);
                }
                click(board, play, from);
                click(board, play, to)
            } else {
                let at = spot(mv);
                click(board, play, at)
            }
        }
        (BoardWidget::Nested(_), _) => click_path(board, play, mv, area),
        _ => panic!("a board of another game"),
    }
}

fn drag(board: &mut Board, play: &AnyGameState, from: Position, to: Position) -> BoardResponse {
    use MouseEventKind::{Down, Drag, Up};
    mouse(board, play, Down(MouseButton::Left), from);
    let middle = Position::new((from.x + to.x) / 2, (from.y + to.y) / 2);
    mouse(board, play, Drag(MouseButton::Left), middle);
    mouse(board, play, Drag(MouseButton::Left), to);
    mouse(board, play, Up(MouseButton::Left), to)
}

/// Out with the wheel until the way to a cell is seen, then in by clicks.
fn click_path(board: &mut Board, play: &AnyGameState, mv: &str, area: Rect) -> BoardResponse {
    for _ in 0..12 {
        let BoardWidget::Nested(nested) = &board.widget else {
            panic!("a nested board");
        };
        // The longest part of the path that is a square of the window.
        let seen = (1..=mv.len())
            .rev()
            .find_map(|n| nested.node_center(&mv[..n]));
        let whole = nested.node_center(mv);
        let answer = match (whole, seen) {
            (Some(at), _) => return click(board, play, at),
            (None, Some(at)) => click(board, play, at),
            (None, None) => mouse(
                board,
                play,
                MouseEventKind::ScrollDown,
                Position::new(area.x + area.width / 2, area.y + area.height / 2),
            ),
        };
        assert_eq!(answer, BoardResponse::Redraw, "on the way to {mv}");
        render(board, play, area);
    }
    panic!("{mv} is not found");
}

/// How many games and plies a variant gets: enough to see its late game where that can
/// be reached.
fn effort(variant: &str) -> (usize, usize) {
    match variant {
        _ if variant.contains("depth=6") => (1, 12),
        _ if variant.contains("depth=5") => (1, 20),
        _ if variant.contains("depth") => (1, 60),
        _ if variant.starts_with("mnk:1") => (1, 120),
        _ => (2, 150),
    }
}

/// Plays random games of every variant, each move made as `make` does.
fn games(
    seed: u64,
    mut make: impl FnMut(&mut Board, &AnyGameState, &str, &mut TestRng) -> BoardResponse,
) {
    for variant in GROUPS.iter().flat_map(|group| group.variants) {
        let (games, plies) = effort(variant);
        let mut dice = TestRng::for_name(seed, variant);
        for _ in 0..games {
            let mut play = state_after(variant, "");
            let mut board = Board::new(&play);
            for _ in 0..plies {
                let Some(mv) = random_move(&play, &mut dice) else {
                    break;
                };
                let answer = make(&mut board, &play, &mv, &mut dice);
                let at = format!("{variant} after {:?}", play.moves());
                assert_eq!(answer, BoardResponse::Move(mv.clone()), "{at}: {mv}");
                assert_eq!(play.play(&mv), Ok(()));
                board.sync(&play);
            }
        }
    }
}

#[test]
fn every_game_can_be_played_with_keys_alone() {
    games(1, |board, play, mv, _| by_keys(board, play, mv));
}

#[test]
fn every_game_can_be_played_with_the_mouse_alone() {
    let areas = [
        SMALL,
        LARGE,
        Rect::new(3, 2, 60, 26),
        Rect::new(0, 0, 200, 70),
    ];
    games(2, |board, play, mv, dice| {
        let area = areas[dice.below(areas.len())];
        by_mouse(board, play, mv, area, dice)
    });
}

#[test]
fn small_flat_and_nested_games_can_be_played_with_digits_alone() {
    games(3, |board, play, mv, _| {
        match play.variant().to_string().as_str() {
            "classic" | "misere" | "mnk:1,1,1" | "mnk:3,3,1" | "mnk:3,3,2" => {
                by_digits(board, play, mv)
            }
            name if name == "ultimate" || name.starts_with("ception") => by_digits(board, play, mv),
            _ => by_keys(board, play, mv),
        }
    });
}

/// Some of the legal moves: all, where there are not too many.
fn some_moves(play: &AnyGameState, dice: &mut TestRng) -> Vec<String> {
    const MOST: usize = 60;
    if play.count_moves() <= MOST {
        return play.legal_moves();
    }
    (0..MOST).filter_map(|_| random_move(play, dice)).collect()
}

#[test]
fn every_legal_move_of_a_position_can_be_made() {
    for variant in GROUPS.iter().flat_map(|group| group.variants) {
        let mut dice = TestRng::for_name(4, variant);
        let deep = variant.contains("depth=5") || variant.contains("depth=6");
        for _ in 0..if deep { 1 } else { 3 } {
            let mut play = state_after(variant, "");
            for _ in 0..dice.below(40) {
                let Some(mv) = random_move(&play, &mut dice) else {
                    break;
                };
                let mut next = play.clone();
                assert_eq!(next.play(&mv), Ok(()));
                if next.outcome().is_none() {
                    play = next;
                }
            }
            // The board goes on from wherever the move before left its cursor and zoom.
            let mut board = Board::new(&play);
            for mv in some_moves(&play, &mut dice) {
                let made = BoardResponse::Move(mv.clone());
                let at = format!("{variant} {:?}: {mv}", play.moves());
                assert_eq!(by_keys(&mut board, &play, &mv), made, "{at} by keys");
                let area = if dice.chance(1, 2) { SMALL } else { LARGE };
                let answer = by_mouse(&mut board, &play, &mv, area, &mut dice);
                assert_eq!(answer, made, "{at} by mouse in {area}");
            }
        }
    }
}

/// The cells of a board that can be clicked, by name.
fn cells(play: &AnyGameState) -> Vec<String> {
    let flat = |columns: u8, rows: u8| {
        let names = (0..rows).flat_map(|row| (0..columns).map(move |col| (col, row)));
        names
            .map(|(col, row)| format!("{}{}", char::from(b'a' + col), row + 1))
            .collect()
    };
    match play.variant() {
        noughts_rules::Variant::Mnk(options) => flat(options.size().0, options.size().1),
        noughts_rules::Variant::TicTacTwo(options) => {
            flat(options.board_size(), options.board_size())
        }
        noughts_rules::Variant::Nested(options) => {
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
fn a_click_where_no_move_is_legal_gives_the_reason_of_the_rules() {
    click_everywhere(3);
}

#[test]
#[ignore = "soak"]
fn soak_a_click_where_no_move_is_legal_gives_the_reason_of_the_rules() {
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
        let mut dice = TestRng::for_name(5, variant);
        let mut play = state_after(variant, "");
        loop {
            let cells = match play.moves().len().is_multiple_of(stride) || cells(&play).len() <= 9 {
                true => cells(&play),
                false => Vec::new(),
            };
            for name in cells {
                // A piece of one's own is picked up instead.
                let own = matches!(&play, AnyGameState::TicTacTwo(game) if {
                    let (col, row) = flat(&name);
                    game.position().pieces(game.side()) >> (8 * row + col) & 1 == 1
                });
                let mut board = Board::new(&play);
                let answer = by_mouse(&mut board, &play, &name, SMALL, &mut dice);
                let expected = match play.check(&name) {
                    Ok(()) => BoardResponse::Move(name.clone()),
                    Err(refusal) => BoardResponse::Rejected(refusal.to_string()),
                };
                if !own {
                    assert_eq!(answer, expected, "{variant} {:?}: {name}", play.moves());
                } else {
                    assert!(
                        !matches!(answer, BoardResponse::Move(_)),
                        "{variant}: {name}"
                    );
                }
            }
            let Some(mv) = random_move(&play, &mut dice) else {
                break;
            };
            assert_eq!(play.play(&mv), Ok(()));
        }
    }
}
