//! What games tell beyond the common trait (open boards, owners, the grid) agrees
//! with the legal moves and the text of the position.

use std::collections::BTreeSet;

use noughts_conformance::dice::Dice;
use noughts_conformance::suite::LINES;
use noughts_rules::{D2, D3, Depth, Game, Nested, Owner, Place, Player, TicTacTwo, Variant};

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
    let mut dice = Dice::named(1, name);
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
                game.is_extra(&position),
                text.ends_with('+'),
                "{at}: extra move"
            );
            check_owners(&game, &position, depth, &at);
            let place = game.place(&position);
            assert_eq!(place == Place::Nowhere, moves.is_empty(), "{at}: {place}");
            if let Place::Board(path) = &place {
                let inside = |mv| game.move_text(mv).starts_with(path);
                assert!(moves.iter().copied().all(inside), "{at}: {place}");
            }
            if let Place::Free { target, inside, .. } = &place {
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
        let [x, o] = Player::BOTH.map(|player| {
            let nine: Vec<bool> = cells.iter().map(|&cell| cell == Some(player)).collect();
            has_line(&nine)
        });
        let owner = game.owner(position, depth - 1, index);
        let counts = Player::BOTH.map(|player| owner.counts_for(player));
        if x && o && game.options().owning() == noughts_rules::Owning::First {
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
    let mut dice = Dice::new(2);
    for _ in 0..100 {
        let mut position = game.start();
        for _ in 0..60 {
            let setup = game.setup(&position);
            let at = game.text(&position);
            assert_eq!(Some(game.grid(&position)), setup.grid, "{at}");
            let placed = Player::BOTH.map(|player| setup.count(player));
            let in_hand = Player::BOTH.map(|player| game.in_hand(&position, player));
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
