//! What programs that learn are shown: computed a second time, slowly, from the board
//! laid open; and read back, so that nothing that decides a game can be missing in it.

use noughts_rules::{Game, GameState, Owner, Setup, Side, Variant, WonBoardRule};

use crate::suite::LINES;

/// Checks planes and mask of the position of a game.
pub(crate) fn check_planes<G: Game>(play: &GameState<G>, at: &str) {
    let (game, position) = (play.game(), play.position());
    let setup = game.setup(position);
    let variant = game.variant();
    let expected = slow_planes(variant, &setup);
    let shape = slow_shape(variant);
    let size: usize = shape.iter().product();
    assert_eq!(game.observation_shape(), shape, "{at}: the shape");
    assert_eq!(
        expected.len(),
        size,
        "{at}: as many planes as the shape says"
    );

    // Whatever was in the buffer is gone, and one of another length is let be.
    let seen = observed(game, position, size);
    assert!(seen == expected, "{at}: planes:\n{seen:?}\n{expected:?}");
    for wrong in [0, size - 1, size + 1] {
        let untouched = observed(game, position, wrong);
        assert!(
            untouched.iter().all(|&byte| byte == 7),
            "{at}: {wrong} bytes"
        );
    }

    let mut expected = vec![0; game.count_actions()];
    for mv in game.moves(position) {
        expected[game.action(mv)] = 1;
    }
    let mask = masked(game, position, expected.len());
    assert!(mask == expected, "{at}: mask:\n{mask:?}\n{expected:?}");
    for wrong in [0, mask.len() - 1, mask.len() + 1] {
        let untouched = masked(game, position, wrong);
        assert!(
            untouched.iter().all(|&byte| byte == 7),
            "{at}: {wrong} moves"
        );
    }

    // What is seen is all there is. Where X and O could have changed places (which many
    // counts of marks do not allow), the same is legal.
    for side in Side::BOTH {
        let told = game.position(&read(variant, side, &seen));
        if side == setup.side {
            assert_eq!(told.as_ref(), Ok(position), "{at}: read from its planes");
        }
        if let Ok(told) = told {
            let same = masked(game, &told, mask.len()) == mask;
            assert!(same, "{at}: the same is seen, but other moves are legal");
        }
    }
}

fn observed<G: Game>(game: &G, position: &G::Position, size: usize) -> Vec<u8> {
    let mut planes = vec![7; size];
    game.write_observation(position, &mut planes);
    planes
}

fn masked<G: Game>(game: &G, position: &G::Position, size: usize) -> Vec<i8> {
    let mut mask = vec![7; size];
    game.write_action_mask(position, &mut mask);
    mask
}

fn slow_shape(variant: Variant) -> Vec<usize> {
    match variant {
        Variant::Mnk(options) => {
            let (columns, rows, _) = options.size();
            vec![2, rows.into(), columns.into()]
        }
        Variant::TicTacTwo(options) => {
            vec![3, options.board_size().into(), options.board_size().into()]
        }
        Variant::Nested(options) => {
            let depth = usize::from(options.depth());
            let extra = matches!(
                options.won_board_rule(),
                WonBoardRule::ExtraMove | WonBoardRule::ExtraMoveChain
            );
            let planes = match depth {
                1 => 2,
                _ => 2 + 2 * (depth - 1) + 1 + usize::from(extra),
            };
            let mut shape = vec![9; depth + 1];
            shape[0] = planes;
            shape
        }
    }
}

fn slow_planes(variant: Variant, setup: &Setup) -> Vec<u8> {
    let players = [setup.side, setup.side.other()];
    let cells = setup.cells.len();
    let mut planes = Vec::new();
    for player in players {
        planes.extend(
            setup
                .cells
                .iter()
                .map(|&cell| u8::from(cell == Some(player))),
        );
    }
    match variant {
        Variant::Mnk(_) => {}
        Variant::TicTacTwo(options) => {
            let (column, row) = setup.grid.expect("Tic-Tac-Two has a grid");
            let (board, reach) = (options.board_size(), options.grid_size() / 2);
            for r in 0..board {
                for c in 0..board {
                    let inside = r.abs_diff(row) <= reach && c.abs_diff(column) <= reach;
                    planes.push(u8::from(inside));
                }
            }
        }
        Variant::Nested(options) if options.depth() == 1 => {}
        Variant::Nested(options) => {
            for owners in owners_by_level(options.depth().into(), setup) {
                let size = cells / owners.len();
                for player in players {
                    for owner in &owners {
                        let owned = u8::from(owner.counts_for(player));
                        planes.extend(std::iter::repeat_n(owned, size));
                    }
                }
            }
            planes.extend((0..cells).map(|cell| {
                let named = setup.trail.iter().enumerate().all(|(letter, &place)| {
                    let size = cells / 9usize.pow(letter as u32 + 1);
                    cell / size % 9 == usize::from(place)
                });
                u8::from(named && !setup.trail.is_empty())
            }));
            if matches!(
                options.won_board_rule(),
                WonBoardRule::ExtraMove | WonBoardRule::ExtraMoveChain
            ) {
                planes.extend(std::iter::repeat_n(u8::from(setup.extra), cells));
            }
        }
    }
    planes
}

/// Who owns each board, level by level from the outermost: as the set-up says, or as
/// follows from the marks.
fn owners_by_level(depth: u32, setup: &Setup) -> Vec<Vec<Owner>> {
    let mut levels = Vec::new();
    if let Some(owners) = &setup.owners {
        let mut from = 0;
        for level in 1..depth {
            let count = 9usize.pow(level);
            levels.push(owners[from..from + count].to_vec());
            from += count;
        }
        return levels;
    }
    let cells = setup.cells.iter();
    let mut below: Vec<Owner> = cells
        .map(|cell| cell.map_or(Owner::Nobody, Owner::One))
        .collect();
    for _ in 1..depth {
        let boards = below.chunks(9);
        below = boards.map(owner_of_nine).collect();
        levels.insert(0, below.clone());
    }
    levels
}

fn owner_of_nine(children: &[Owner]) -> Owner {
    let line = |player| {
        let holds = |&place: &usize| children[place].counts_for(player);
        LINES.iter().any(|line| line.iter().all(holds))
    };
    match Side::BOTH.map(line) {
        [false, false] => Owner::Nobody,
        [true, true] => Owner::Both,
        [x, _] => Owner::One(if x { Side::X } else { Side::O }),
    }
}

/// The board that the side to move sees in these planes.
fn read(variant: Variant, side: Side, planes: &[u8]) -> Setup {
    let count = slow_shape(variant)[0];
    let size = planes.len() / count;
    let planes: Vec<&[u8]> = planes.chunks(size).collect();
    let of = |mine: u8, theirs: u8| match (mine, theirs) {
        (0, 0) => Owner::Nobody,
        (1, 1) => Owner::Both,
        (1, _) => Owner::One(side),
        _ => Owner::One(side.other()),
    };
    let mut setup = Setup::new(size);
    setup.side = side;
    for (cell, mark) in setup.cells.iter_mut().enumerate() {
        *mark = match of(planes[0][cell], planes[1][cell]) {
            Owner::One(player) => Some(player),
            _ => None,
        };
    }
    match variant {
        Variant::Mnk(_) => {}
        Variant::TicTacTwo(options) => {
            let board = usize::from(options.board_size());
            let corner = planes[2].iter().position(|&byte| byte == 1).unwrap_or(0);
            let reach = usize::from(options.grid_size() / 2);
            let (column, row) = (corner % board + reach, corner / board + reach);
            setup.grid = Some((column as u8, row as u8));
        }
        Variant::Nested(options) if options.depth() == 1 => {}
        Variant::Nested(options) => {
            let depth = usize::from(options.depth());
            let mut owners = Vec::new();
            for level in 1..depth {
                let cells = size / 9usize.pow(level as u32);
                let (mine, theirs) = (planes[2 * level], planes[2 * level + 1]);
                for cell in (0..size).step_by(cells) {
                    owners.push(of(mine[cell], theirs[cell]));
                }
            }
            setup.owners = Some(owners);
            let sent = planes[2 * depth];
            let marked = sent.iter().filter(|&&byte| byte == 1).count();
            if let Some(first) = sent.iter().position(|&byte| byte == 1) {
                let mut inside = size;
                while inside > marked {
                    inside /= 9;
                    setup.trail.push((first / inside % 9) as u8);
                }
            }
            setup.extra = planes.get(2 * depth + 1).is_some_and(|plane| plane[0] == 1);
        }
    }
    setup
}
