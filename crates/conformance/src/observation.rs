//! Observations and action masks: computed a second time, slowly, from the setup; and decoded,
//! to make sure that they contain everything that affects the game.

use noughts_rules::{Family, Game, GameState, Owner, Setup, Side, Variant, WonBoardRule};

use crate::suite::LINES;

/// Checks the observation and the action mask of the current position.
pub(crate) fn check_planes<G: Game>(state: &GameState<G>, context: &str) {
    let (game, position) = (state.game(), state.position());
    let variant = game.variant();
    let size: usize = game.observation_shape().iter().product();

    // The buffer is overwritten completely; one of the wrong length is left unchanged.
    let observed_planes = observed(game, position, size);
    assert!(
        observed_planes.iter().all(|&byte| byte <= 1),
        "{context}: planes of zeros and ones"
    );
    for wrong in [0, size - 1, size + 1] {
        let untouched = observed(game, position, wrong);
        assert!(
            untouched.iter().all(|&byte| byte == 7),
            "{context}: {wrong} bytes"
        );
    }

    let mut expected = vec![0; game.count_actions()];
    for mv in game.moves(position) {
        expected[game.action(mv)] = 1;
    }
    let mask = masked(game, position, expected.len());
    assert!(mask == expected, "{context}: mask:\n{mask:?}\n{expected:?}");
    for wrong in [0, mask.len() - 1, mask.len() + 1] {
        let untouched = masked(game, position, wrong);
        assert!(
            untouched.iter().all(|&byte| byte == 7),
            "{context}: {wrong} moves"
        );
    }

    let Some(setup) = game.to_setup(position) else {
        return;
    };
    let shape = slow_shape(variant);
    assert_eq!(game.observation_shape(), shape, "{context}: the shape");
    let expected = slow_planes(variant, &setup);
    assert!(
        observed_planes == expected,
        "{context}: planes:\n{observed_planes:?}\n{expected:?}"
    );

    // The planes determine the position. If X and O could be swapped (often the counts of marks
    // don't allow it), the same moves are legal.
    for side in Side::BOTH {
        let decoded = game.from_setup(&decode(variant, side, &observed_planes));
        let Some(decoded) = decoded else {
            continue;
        };
        if side == setup.side {
            assert_eq!(
                decoded.as_ref(),
                Ok(position),
                "{context}: read from its planes"
            );
        }
        if let Ok(decoded) = decoded {
            let same = masked(game, &decoded, mask.len()) == mask;
            assert!(
                same,
                "{context}: the same is seen, but other moves are legal"
            );
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
    match variant.family() {
        Family::Mnk(options) => {
            let (columns, rows, _) = options.size();
            vec![2, rows.into(), columns.into()]
        }
        Family::TicTacTwo(options) => {
            vec![3, options.board_size().into(), options.board_size().into()]
        }
        Family::Nested(options) => {
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
        Family::Other => Vec::new(),
    }
}

fn slow_planes(variant: Variant, setup: &Setup) -> Vec<u8> {
    let sides = [setup.side, setup.side.other()];
    let cells = setup.cells.len();
    let mut planes = Vec::new();
    for side in sides {
        planes.extend(setup.cells.iter().map(|&cell| u8::from(cell == Some(side))));
    }
    match variant.family() {
        Family::Mnk(_) | Family::Other => {}
        Family::TicTacTwo(options) => {
            let (column, row) = setup.grid.expect("Tic-Tac-Two has a grid");
            let (board, reach) = (options.board_size(), options.grid_size() / 2);
            for r in 0..board {
                for c in 0..board {
                    let inside = r.abs_diff(row) <= reach && c.abs_diff(column) <= reach;
                    planes.push(u8::from(inside));
                }
            }
        }
        Family::Nested(options) if options.depth() == 1 => {}
        Family::Nested(options) => {
            for owners in owners_by_level(options.depth().into(), setup) {
                let size = cells / owners.len();
                for side in sides {
                    for owner in &owners {
                        let owned = u8::from(owner.counts_for(side));
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

/// Who owns each board, level by level from the outermost: as the setup says, or as derived from
/// the marks.
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
    let line = |side| {
        let holds = |&place: &usize| children[place].counts_for(side);
        LINES.iter().any(|line| line.iter().all(holds))
    };
    match Side::BOTH.map(line) {
        [false, false] => Owner::Nobody,
        [true, true] => Owner::Both,
        [x, _] => Owner::One(if x { Side::X } else { Side::O }),
    }
}

/// Decodes these planes into a setup, with `side` to move.
fn decode(variant: Variant, side: Side, planes: &[u8]) -> Setup {
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
            Owner::One(side) => Some(side),
            _ => None,
        };
    }
    match variant.family() {
        Family::Mnk(_) | Family::Other => {}
        Family::TicTacTwo(options) => {
            let board = usize::from(options.board_size());
            let corner = planes[2].iter().position(|&byte| byte == 1).unwrap_or(0);
            let reach = usize::from(options.grid_size() / 2);
            let (column, row) = (corner % board + reach, corner / board + reach);
            setup.grid = Some((column as u8, row as u8));
        }
        Family::Nested(options) if options.depth() == 1 => {}
        Family::Nested(options) => {
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
