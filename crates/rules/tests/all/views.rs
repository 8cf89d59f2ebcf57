//! The methods that games have beyond the common trait (open boards, owners, the grid) agree
//! with the legal moves and the text of the position.

use std::collections::BTreeSet;

use noughts_conformance::suite::LINES;
use noughts_conformance::test_rng::TestRng;
use noughts_conformance::variants;
use noughts_rules::{
    BoardView, D2, D3, Depth, Ending, Game, GameState, Mnk, MnkOptions, MoveArea, Nested,
    NestedMove, NestedOptions, Outcome, Owner, Place, Side, TicTacTwo, TicTacTwoOptions,
};

fn nested<D: Depth>(name: &str) -> Nested<D> {
    let Ok(Some(options)) = name.parse().map(NestedOptions::of) else {
        panic!("{name} isn't a nested game");
    };
    Nested::new(options).unwrap_or_else(|| panic!("{name} has another depth"))
}

/// Do three of these nine form a line?
fn has_line(nine: &[bool]) -> bool {
    LINES.iter().any(|line| line.iter().all(|&cell| nine[cell]))
}

fn check_nested<D: Depth>(name: &str, games: usize) {
    let game = nested::<D>(name);
    let depth = u32::from(game.options().depth());
    let mut rng = TestRng::for_name(1, name);
    for _ in 0..games {
        let mut position = game.start();
        loop {
            let text = game.text(&position);
            let context = format!("{name} at {text}");
            let moves = game.moves(&position);
            let boards: BTreeSet<usize> = moves.iter().map(|mv| mv.index() / 9).collect();
            let open: Vec<usize> = boards.into_iter().collect();
            assert_eq!(game.open_boards(&position), open, "{context}: open boards");
            check_owners(&game, &position, depth, &context);
            check_board_queries(&game, &position, &context);
            check_previews(&game, &position, &context);
            let place = game.move_area(&position);
            assert_eq!(
                place == MoveArea::Nowhere,
                moves.is_empty(),
                "{context}: {place}"
            );
            if let MoveArea::Board(path) = &place {
                let inside = |mv| game.move_text(mv).starts_with(path);
                assert!(moves.iter().copied().all(inside), "{context}: {place}");
            }
            if let MoveArea::Free { target, inside, .. } = &place {
                let fits = |mv| {
                    let mv = game.move_text(mv);
                    mv.starts_with(inside) && !mv.starts_with(target)
                };
                assert!(moves.iter().copied().all(fits), "{context}: {place}");
            }
            let Some(mv) = game.random_move(&position, &mut rng.0) else {
                break;
            };
            game.apply(&mut position, mv);
        }
    }
}

/// Previewing every cell in turn is the same as making each move on a separate board.
fn check_previews<D: Depth>(
    game: &Nested<D>,
    position: &<Nested<D> as Game>::Position,
    context: &str,
) {
    let cells = 9usize.pow(game.options().depth().into());
    let mut seen = Vec::new();
    let every = (0..cells).map(NestedMove::from_index);
    game.preview_moves(position, every, |mv, after| {
        seen.push(mv);
        let alone = game.play(position.clone(), mv).ok();
        assert_eq!(
            alone.as_ref(),
            Some(after),
            "{context}: {}",
            game.move_text(mv)
        );
    });
    assert_eq!(seen, game.moves(position), "{context}");
}

/// Queries about each board of each size agree with the legal moves.
fn check_board_queries<D: Depth>(
    game: &Nested<D>,
    position: &<Nested<D> as Game>::Position,
    context: &str,
) {
    let depth = game.options().depth();
    let state = GameState::from_position(game.clone(), position.clone());
    let moves = game.moves(position);
    for level in 0..=depth {
        let inside = 9usize.pow((depth - level).into());
        let open: BTreeSet<usize> = moves.iter().map(|mv| mv.index() / inside).collect();
        let place = |index: usize| Place::new(level, index as u32);
        for index in 0..9usize.pow(level.into()) {
            let accepts = open.contains(&index);
            let board = format!("{context}: board {index} of level {level}");
            assert_eq!(state.accepts_move(place(index)), accepts, "{board}");
            let checked = state.check_place(place(index));
            assert_eq!(checked.is_ok(), accepts, "{board}: {checked:?}");
            let open_cells = state.count_open_cells(place(index)) as usize;
            assert!(open_cells <= inside, "{board}: {open_cells} left");
            assert!(open_cells > 0 || !accepts, "{board}: none left");
        }
        let beyond = place(9usize.pow(level.into()));
        assert!(!state.accepts_move(beyond), "{context}: beyond");
        assert!(state.check_place(beyond).is_err(), "{context}");
    }
    assert_eq!(
        game.count_open_cells(position),
        BoardView::count_open_cells(&state, Place::BOARD)
    );
}

/// The owners of the innermost boards agree with the marks; if both sides have a line under 4a,
/// one of them owns the board.
fn check_owners<D: Depth>(
    game: &Nested<D>,
    position: &<Nested<D> as Game>::Position,
    depth: u32,
    context: &str,
) {
    for index in 0..9usize.pow(depth - 1) {
        let [x, o] = Side::BOTH.map(|side| {
            let marks = position.marks(index, side);
            let nine: Vec<bool> = (0..9).map(|cell| marks >> cell & 1 == 1).collect();
            has_line(&nine)
        });
        let owner = game.owner(position, depth - 1, index);
        let counts = Side::BOTH.map(|side| owner.counts_for(side));
        if x && o && game.options().shared_boards() == noughts_rules::SharedBoards::Forbidden {
            assert!(
                matches!(owner, Owner::One(_)),
                "{context}: board {index} has one owner"
            );
        } else {
            assert_eq!(counts, [x, o], "{context}: owner of board {index}");
        }
    }
    assert_eq!(
        game.owner(position, 0, 0),
        Owner::Nobody,
        "{context}: the outermost is not asked for"
    );
    assert_eq!(
        game.owner(position, depth, 0),
        Owner::Nobody,
        "{context}: cells have no owner"
    );
}

#[test]
fn open_boards_owners_and_areas_match_the_legal_moves() {
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
fn grid_and_pieces_in_hand_match_the_text() {
    let game = TicTacTwo::standard();
    let mut rng = TestRng::new(2);
    for _ in 0..100 {
        let mut position = game.start();
        for _ in 0..60 {
            let context = game.text(&position);
            let fields: Vec<&str> = context.split(' ').collect();
            let (column, row) = game.grid_center(&position);
            let center = game
                .board()
                .place_name(game.board().cell_at(0, column, row));
            assert_eq!(fields[2], format!("@{center}"), "{context}");
            let placed = Side::BOTH.map(|side| fields[0].matches(side.letter()).count());
            let in_hand = Side::BOTH.map(|side| game.in_hand(&position, side));
            assert_eq!(
                in_hand.map(usize::from),
                placed.map(|placed| 4 - placed),
                "{context}"
            );
            assert_eq!(
                game.is_opening(&position),
                placed.iter().any(|&n| n < 2),
                "{context}"
            );
            let Some(mv) = game.random_move(&position, &mut rng.0) else {
                break;
            };
            game.apply(&mut position, mv);
        }
    }
}

/// The sides that have a line. All pieces of a line are of the same side.
fn sides_with_lines<G: Game>(game: &G, position: &G::Position) -> BTreeSet<Side> {
    let lines = game.winning_lines(position).into_iter();
    let sides = lines.map(|line| {
        let owner = |&place: &Place| game.cell(position, place).top().and_then(|top| top.owner);
        let owners: BTreeSet<Option<Side>> = line.iter().map(owner).collect();
        match owners.into_iter().collect::<Vec<_>>()[..] {
            [Some(side)] => side,
            ref owners => panic!("{}: {line:?} of {owners:?}", game.text(position)),
        }
    });
    sides.collect()
}

#[test]
fn lines_inside_the_grid_decide_the_game() {
    let names = variants::GROUPS
        .iter()
        .find(|group| group.name == "tic-tac-two")
        .map_or(&[][..], |group| group.variants);
    assert!(!names.is_empty());
    let mut seen = BTreeSet::new();
    for name in names {
        let Ok(Some(options)) = name.parse().map(TicTacTwoOptions::of) else {
            panic!("{name} isn't Tic-Tac-Two");
        };
        let game = TicTacTwo::new(options);
        let mut rng = TestRng::for_name(3, name);
        for _ in 0..60 {
            let mut position = game.start();
            for _ in 0..60 {
                let context = format!("{name} at {}", game.text(&position));
                let inside = game.grid_cells_at(position.center());
                for place in game.winning_lines(&position).concat() {
                    let (column, row) = game.board().column_row(place);
                    assert_eq!(inside >> (8 * row + column) & 1, 1, "{context}: {place:?}");
                }
                let sides = sides_with_lines(&game, &position);
                let outcome = game.outcome(&position);
                match sides.iter().collect::<Vec<_>>()[..] {
                    [] => assert_eq!(outcome.and_then(Outcome::winner), None, "{context}"),
                    [side] => assert_eq!(outcome, Some(Outcome::Win(*side)), "{context}"),
                    _ => assert_eq!(outcome, Some(Outcome::Draw), "{context}"),
                }
                seen.insert(sides);
                let Some(mv) = game.random_move(&position, &mut rng.0) else {
                    break;
                };
                game.apply(&mut position, mv);
            }
        }
    }
    assert!(seen.len() >= 3, "no line, and lines of both: {seen:?}");
    // Random games hardly ever have lines of both at once.
    let game = TicTacTwo::standard();
    let double = game.parse("...../xxx../ooo../...../..... o @b3");
    let sides = double.map(|position| sides_with_lines(&game, &position));
    assert_eq!(sides, Ok(BTreeSet::from(Side::BOTH)));
}

#[test]
fn winning_lines_match_the_ending() {
    for name in ["classic", "misere", "mnk:4,3,3", "mnk:5,4,4", "mnk:7,8,5"] {
        let Ok(Some(options)) = name.parse().map(MnkOptions::of) else {
            panic!("{name} isn't a flat board");
        };
        let Some(game) = Mnk::<1>::new(options) else {
            panic!("{name} is too large");
        };
        let mut rng = TestRng::for_name(4, name);
        let mut decided = 0;
        for _ in 0..60 {
            let mut position = game.start();
            loop {
                let context = format!("{name} at {}", game.text(&position));
                let lines = game.winning_lines(&position);
                assert!(
                    lines
                        .iter()
                        .all(|line| line.len() == usize::from(options.size().2)),
                    "{context}: {lines:?}"
                );
                let is_line = game.ending(&position) == Some(Ending::Line);
                assert_eq!(
                    sides_with_lines(&game, &position).len(),
                    usize::from(is_line),
                    "{context}"
                );
                decided += usize::from(is_line);
                let Some(mv) = game.random_move(&position, &mut rng.0) else {
                    break;
                };
                game.apply(&mut position, mv);
            }
        }
        assert!(decided > 5, "{name}: {decided} games with a line");
    }
}
