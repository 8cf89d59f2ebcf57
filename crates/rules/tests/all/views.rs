//! What games tell beyond the common trait (open boards, owners, the grid) agrees
//! with the legal moves and the text of the position.

use std::collections::BTreeSet;

use noughts_conformance::suite::LINES;
use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants;
use noughts_rules::{
    D2, D3, Depth, Ending, Game, Mnk, MoveArea, MoveKind, Nested, NestedMove, Outcome, Owner, Side,
    TicTacTwo, TicTacTwoMove, Variant,
};

fn nested<D: Depth>(name: &str) -> Nested<D> {
    let Ok(Variant::Nested(options)) = name.parse() else {
        panic!("{name} is no nested game");
    };
    Nested::new(options).unwrap_or_else(|| panic!("{name} has another depth"))
}

/// Has this player three of nine in a line?
fn has_line(nine: &[bool]) -> bool {
    LINES.iter().any(|line| line.iter().all(|&cell| nine[cell]))
}

fn check_nested<D: Depth>(name: &str, games: usize) {
    let game = nested::<D>(name);
    let depth = u32::from(game.options().depth());
    let mut dice = TestRng::for_name(1, name);
    for _ in 0..games {
        let mut position = game.start();
        loop {
            let text = game.text(&position);
            let at = format!("{name} at {text}");
            let moves = game.moves(&position);
            let boards: BTreeSet<usize> = moves.iter().map(|mv| mv.index() / 9).collect();
            let open: Vec<usize> = boards.into_iter().collect();
            assert_eq!(game.open_boards(&position), open, "{at}: open boards");
            assert_eq!(
                game.is_extra_move(&position),
                text.ends_with('+'),
                "{at}: extra move"
            );
            check_owners(&game, &position, depth, &at);
            check_boards_inside(&game, &position, &at);
            check_ahead(&game, &position, &at);
            let place = game.move_area(&position);
            assert_eq!(
                place == MoveArea::Nowhere,
                moves.is_empty(),
                "{at}: {place}"
            );
            if let MoveArea::Board(path) = &place {
                let inside = |mv| game.move_text(mv).starts_with(path);
                assert!(moves.iter().copied().all(inside), "{at}: {place}");
            }
            if let MoveArea::Free { target, inside, .. } = &place {
                let fits = |mv| {
                    let mv = game.move_text(mv);
                    mv.starts_with(inside) && !mv.starts_with(target)
                };
                assert!(moves.iter().copied().all(fits), "{at}: {place}");
            }
            let Some(mv) = game.random_move(&position, &mut dice.0) else {
                break;
            };
            game.apply(&mut position, mv);
        }
    }
}

/// Looking ahead at every cell in turn against making each move on a board of its own.
fn check_ahead<D: Depth>(game: &Nested<D>, position: &<Nested<D> as Game>::Position, at: &str) {
    let cells = 9usize.pow(game.options().depth().into());
    let mut seen = Vec::new();
    let every = (0..cells).map(NestedMove::from_index);
    game.preview_moves(position, every, |mv, after| {
        seen.push(mv);
        let alone = game.play(position.clone(), mv).ok();
        assert_eq!(alone.as_ref(), Some(after), "{at}: {}", game.move_text(mv));
    });
    assert_eq!(seen, game.moves(position), "{at}");
}

/// What is said of each board of each size against the moves that are legal.
fn check_boards_inside<D: Depth>(
    game: &Nested<D>,
    position: &<Nested<D> as Game>::Position,
    at: &str,
) {
    let depth = u32::from(game.options().depth());
    let moves = game.moves(position);
    for level in 0..=depth {
        let inside = 9usize.pow(depth - level);
        let open: BTreeSet<usize> = moves.iter().map(|mv| mv.index() / inside).collect();
        for index in 0..9usize.pow(level) {
            let takes = open.contains(&index);
            let of = format!("{at}: board {index} of level {level}");
            assert_eq!(game.accepts_move(position, level, index), takes, "{of}");
            let checked = game.check_board(position, level, index);
            assert_eq!(checked.is_ok(), takes, "{of}: {checked:?}");
            let left = game.count_open_cells_in(position, level, index) as usize;
            assert!(left <= inside, "{of}: {left} left");
            assert!(left > 0 || !takes, "{of}: none left");
        }
        let beyond = 9usize.pow(level);
        assert!(!game.accepts_move(position, level, beyond), "{at}: beyond");
        assert!(game.check_board(position, level, beyond).is_err(), "{at}");
    }
    assert_eq!(
        game.count_open_cells(position),
        game.count_open_cells_in(position, 0, 0)
    );
}

/// Owners of the innermost boards against the marks; where both have a line under
/// 4a, one of them owns the board.
fn check_owners<D: Depth>(
    game: &Nested<D>,
    position: &<Nested<D> as Game>::Position,
    depth: u32,
    at: &str,
) {
    let setup = game.setup(position);
    for (index, cells) in setup.cells.chunks(9).enumerate() {
        let [x, o] = Side::BOTH.map(|player| {
            let nine: Vec<bool> = cells.iter().map(|&cell| cell == Some(player)).collect();
            has_line(&nine)
        });
        let owner = game.owner(position, depth - 1, index);
        let counts = Side::BOTH.map(|player| owner.counts_for(player));
        if x && o && game.options().shared_boards() == noughts_rules::SharedBoards::Forbidden {
            assert!(
                matches!(owner, Owner::One(_)),
                "{at}: board {index} has one owner"
            );
        } else {
            assert_eq!(counts, [x, o], "{at}: owner of board {index}");
        }
    }
    assert_eq!(
        game.owner(position, 0, 0),
        Owner::Nobody,
        "{at}: the outermost is not asked for"
    );
    assert_eq!(
        game.owner(position, depth, 0),
        Owner::Nobody,
        "{at}: cells have no owner"
    );
}

#[test]
fn nested_games_tell_open_boards_owners_and_places() {
    for name in [
        "ultimate",
        "ception:free=any",
        "ception:5a",
        "ception:4b,5c",
        "ception:5d",
    ] {
        check_nested::<D2>(name, 30);
    }
    for name in [
        "ception:depth=3",
        "ception:4b,5d,depth=3",
        "ception:free=any,depth=3,trail=history",
    ] {
        check_nested::<D3>(name, 3);
    }
}

#[test]
fn tic_tac_two_tells_its_grid_and_pieces() {
    let game = TicTacTwo::standard();
    let mut dice = TestRng::new(2);
    for _ in 0..100 {
        let mut position = game.start();
        for _ in 0..60 {
            let setup = game.setup(&position);
            let at = game.text(&position);
            assert_eq!(Some(game.grid_center(&position)), setup.grid, "{at}");
            let placed = Side::BOTH.map(|player| setup.count(player));
            let in_hand = Side::BOTH.map(|player| game.in_hand(&position, player));
            assert_eq!(
                in_hand.map(usize::from),
                placed.map(|placed| 4 - placed),
                "{at}"
            );
            assert_eq!(
                game.is_opening(&position),
                placed.iter().any(|&n| n < 2),
                "{at}"
            );
            let Some(mv) = game.random_move(&position, &mut dice.0) else {
                break;
            };
            game.apply(&mut position, mv);
        }
    }
}

/// The kind of a move.
fn kind(mv: TicTacTwoMove) -> MoveKind {
    match mv {
        TicTacTwoMove::PlacePiece(_) => MoveKind::PlacePiece,
        TicTacTwoMove::MoveGrid(_) => MoveKind::MoveGrid,
        TicTacTwoMove::MovePiece(..) => MoveKind::MovePiece,
    }
}

#[test]
fn tic_tac_two_tells_which_turns_are_allowed_and_where_lines_are() {
    let names = variants::GROUPS
        .iter()
        .find(|group| group.name == "tic-tac-two")
        .map_or(&[][..], |group| group.variants);
    assert!(!names.is_empty());
    for name in names {
        let Ok(Variant::TicTacTwo(options)) = name.parse() else {
            panic!("{name} is no Tic-Tac-Two");
        };
        let game = TicTacTwo::new(options);
        let mut dice = TestRng::for_name(3, name);
        for _ in 0..60 {
            let mut position = game.start();
            for _ in 0..60 {
                let at = format!("{name} at {}", game.text(&position));
                let kinds: BTreeSet<_> = game.moves(&position).into_iter().map(kind).collect();
                for kind in MoveKind::ALL {
                    let said = game.check_move_kind(&position, kind);
                    assert_eq!(said.is_ok(), kinds.contains(&kind), "{at}: {said:?}");
                }
                let lines = Side::BOTH.map(|player| game.line_cells(&position, player));
                for player in Side::BOTH {
                    let mine = lines[player as usize];
                    assert_eq!(mine & !position.pieces(player), 0, "{at}: whose line");
                    assert_eq!(
                        mine & !game.grid_cells_at(position.center()),
                        0,
                        "{at}: inside"
                    );
                }
                let outcome = match lines.map(|line| line != 0) {
                    [true, true] => Some(Outcome::Draw),
                    [true, false] => Some(Outcome::Win(Side::X)),
                    [false, true] => Some(Outcome::Win(Side::O)),
                    [false, false] => game.outcome(&position),
                };
                assert_eq!(game.outcome(&position), outcome, "{at}");
                let Some(mv) = game.random_move(&position, &mut dice.0) else {
                    break;
                };
                game.apply(&mut position, mv);
            }
        }
    }
}

#[test]
fn flat_boards_tell_the_line_that_decided() {
    for name in ["classic", "misere", "mnk:4,3,3", "mnk:5,4,4", "mnk:7,8,5"] {
        let Ok(Variant::Mnk(options)) = name.parse() else {
            panic!("{name} is no flat board");
        };
        let Some(game) = Mnk::<1>::new(options) else {
            panic!("{name} is too large");
        };
        let mut dice = TestRng::for_name(4, name);
        for _ in 0..60 {
            let mut position = game.start();
            loop {
                let cells: Vec<_> = game.line_cells(&position).collect();
                let at = format!("{name} at {}", game.text(&position));
                let decided = game.ending(&position) == Some(Ending::Line);
                assert_eq!(!cells.is_empty(), decided, "{at}");
                assert!(decided == (cells.len() >= options.size().2.into()), "{at}");
                let setup = game.setup(&position);
                let owners: BTreeSet<_> = cells
                    .iter()
                    .map(|&mv| {
                        let (col, row) = game.column_row(mv);
                        setup.cells[usize::from(row * options.size().0 + col)]
                    })
                    .collect();
                assert!(owners.len() <= 1 && !owners.contains(&None), "{at}");
                let Some(mv) = game.random_move(&position, &mut dice.0) else {
                    break;
                };
                game.apply(&mut position, mv);
            }
        }
    }
}
