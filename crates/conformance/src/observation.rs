//! Observations and action masks: computed a second time, slowly, from the position's text; and decoded,
//! to make sure that they contain everything that affects the game.

use noughts_rules::{Game, GameState, Owner, Side};

use crate::fields::{Fields, Layout};
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

    let Some(fields) = Fields::parse(variant, &game.text(position)) else {
        return;
    };
    let shape = slow_shape(fields.layout);
    assert_eq!(game.observation_shape(), shape, "{context}: the shape");
    let expected = slow_planes(&fields);
    assert!(
        observed_planes == expected,
        "{context}: planes:\n{observed_planes:?}\n{expected:?}"
    );

    // The planes determine the position. If X and O could be swapped (often the counts of marks
    // don't allow it), the same moves are legal.
    for side in Side::BOTH {
        let decoded = game.parse(&decode(fields.layout, side, &observed_planes).text());
        if side == fields.side {
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

fn slow_shape(layout: Layout) -> Vec<usize> {
    match layout {
        Layout::Flat { columns, rows } => vec![2, rows, columns],
        Layout::Grid { board, .. } => vec![3, board, board],
        Layout::Nested {
            depth,
            has_extra_moves,
        } => {
            let planes = match depth {
                1 => 2,
                _ => 2 + 2 * (depth - 1) + 1 + usize::from(has_extra_moves),
            };
            let mut shape = vec![9; depth + 1];
            shape[0] = planes;
            shape
        }
    }
}

fn slow_planes(fields: &Fields) -> Vec<u8> {
    let sides = [fields.side, fields.side.other()];
    let cells = fields.cells.len();
    let mut planes = Vec::new();
    for side in sides {
        planes.extend(
            fields
                .cells
                .iter()
                .map(|&cell| u8::from(cell == Some(side))),
        );
    }
    match fields.layout {
        Layout::Flat { .. } | Layout::Nested { depth: 1, .. } => {}
        Layout::Grid { board, grid } => {
            let (column, row) = fields.center.expect("a grid has a center");
            for r in 0..board {
                for c in 0..board {
                    let inside = r.abs_diff(row).max(c.abs_diff(column)) <= grid / 2;
                    planes.push(u8::from(inside));
                }
            }
        }
        Layout::Nested {
            depth,
            has_extra_moves,
        } => {
            for owners in owners_by_level(depth as u32, fields) {
                let size = cells / owners.len();
                for side in sides {
                    for owner in &owners {
                        let owned = u8::from(owner.counts_for(side));
                        planes.extend(std::iter::repeat_n(owned, size));
                    }
                }
            }
            planes.extend((0..cells).map(|cell| {
                let named = fields.trail.iter().enumerate().all(|(letter, &place)| {
                    let size = cells / 9usize.pow(letter as u32 + 1);
                    cell / size % 9 == usize::from(place)
                });
                u8::from(named && !fields.trail.is_empty())
            }));
            if has_extra_moves {
                planes.extend(std::iter::repeat_n(u8::from(fields.extra), cells));
            }
        }
    }
    planes
}

/// Who owns each board, level by level from the outermost: as the text says, or as derived from
/// the marks.
fn owners_by_level(depth: u32, fields: &Fields) -> Vec<Vec<Owner>> {
    let mut levels = Vec::new();
    if let Some(owners) = &fields.owners {
        let mut from = 0;
        for level in 1..depth {
            let count = 9usize.pow(level);
            levels.push(owners[from..from + count].to_vec());
            from += count;
        }
        return levels;
    }
    let cells = fields.cells.iter();
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

/// Decodes these planes, with `side` to move.
fn decode(layout: Layout, side: Side, planes: &[u8]) -> Fields {
    let count = slow_shape(layout)[0];
    let size = planes.len() / count;
    let planes: Vec<&[u8]> = planes.chunks(size).collect();
    let of = |mine: u8, theirs: u8| match (mine, theirs) {
        (0, 0) => Owner::Nobody,
        (1, 1) => Owner::Both,
        (1, _) => Owner::One(side),
        _ => Owner::One(side.other()),
    };
    let cell = |cell: usize| match of(planes[0][cell], planes[1][cell]) {
        Owner::One(side) => Some(side),
        _ => None,
    };
    let mut fields = Fields {
        layout,
        cells: (0..size).map(cell).collect(),
        side,
        center: None,
        owners: None,
        trail: Vec::new(),
        extra: false,
    };
    match layout {
        Layout::Flat { .. } | Layout::Nested { depth: 1, .. } => {}
        Layout::Grid { board, grid } => {
            let corner = planes[2].iter().position(|&byte| byte == 1).unwrap_or(0);
            fields.center = Some((corner % board + grid / 2, corner / board + grid / 2));
        }
        Layout::Nested { depth, .. } => {
            let mut owners = Vec::new();
            for level in 1..depth {
                let cells = size / 9usize.pow(level as u32);
                let (mine, theirs) = (planes[2 * level], planes[2 * level + 1]);
                for cell in (0..size).step_by(cells) {
                    owners.push(of(mine[cell], theirs[cell]));
                }
            }
            fields.owners = Some(owners);
            let sent = planes[2 * depth];
            let marked = sent.iter().filter(|&&byte| byte == 1).count();
            if let Some(first) = sent.iter().position(|&byte| byte == 1) {
                let mut inside = size;
                while inside > marked {
                    inside /= 9;
                    fields.trail.push((first / inside % 9) as u8);
                }
            }
            fields.extra = planes.get(2 * depth + 1).is_some_and(|plane| plane[0] == 1);
        }
    }
    fields
}
