//! How deep a nested board is, known when compiling or when running, and where
//! its boards are kept.

use std::fmt::Debug;
use std::hash::Hash;

use super::{Around, Board, OFFSETS, POWERS};
use crate::variant::NestedOptions;

/// The depth of a nested board and the arrays that hold it.
///
/// With [`D1`], [`D2`] and [`D3`] the depth is a constant and positions are
/// `Copy`; [`Deep`] takes any depth and keeps its arrays on the heap.
pub trait Depth: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The depth-1 boards.
    type Boards: Clone + Eq + Ord + Hash + Debug + Send + Sync + AsRef<[Board]> + AsMut<[Board]>;
    /// The boards around them.
    type Around: Clone + Eq + Ord + Hash + Debug + Send + Sync + AsRef<[Around]> + AsMut<[Around]>;
    /// Room for free moves in the boards of depth 3 or more.
    type Room: Clone + Eq + Ord + Hash + Debug + Send + Sync + AsRef<[u32]> + AsMut<[u32]>;

    /// The options, where the type fixes them.
    const OPTIONS: Option<NestedOptions> = None;

    /// This depth, where the type has it.
    fn new(depth: u32) -> Option<Self>;
    /// The number of levels.
    fn get(self) -> u32;
    /// Empty boards.
    fn boards(self) -> Self::Boards;
    /// Nothing owned, nothing shut.
    fn around(self) -> Self::Around;
    /// All cells open.
    fn room(self) -> Self::Room;
}

macro_rules! fixed_depth {
    ($name:ident, $depth:literal, $options:expr, $what:literal) => {
        #[doc = $what]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name;

        impl Depth for $name {
            const OPTIONS: Option<NestedOptions> = $options;
            type Boards = [Board; POWERS[$depth - 1]];
            type Around = [Around; OFFSETS[$depth - 1]];
            type Room = [u32; rooms($depth)];

            fn new(depth: u32) -> Option<Self> {
                (depth == $depth).then_some($name)
            }
            #[inline(always)]
            fn get(self) -> u32 {
                $depth
            }
            fn boards(self) -> Self::Boards {
                [Board::EMPTY; POWERS[$depth - 1]]
            }
            fn around(self) -> Self::Around {
                [Around::default(); OFFSETS[$depth - 1]]
            }
            fn room(self) -> Self::Room {
                let mut room = [0; rooms($depth)];
                empty_room(&mut room, $depth);
                room
            }
        }
    };
}

fixed_depth!(D1, 1, None, "Nine cells.");
fixed_depth!(D2, 2, None, "The usual size: 81 cells.");
fixed_depth!(D3, 3, None, "729 cells.");
fixed_depth!(
    Ultimate,
    2,
    Some(NestedOptions::ULTIMATE),
    "Depth 2 with the rules most people know, fixed when compiling: no time goes into asking for them."
);

fixed_depth!(
    Rule5a,
    2,
    Some(NestedOptions::RULE_5A),
    "`ception:5a`, which X wins by force, fixed likewise."
);

/// Any depth from 1 to 6, known only when running.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Deep(u8);

impl Depth for Deep {
    type Boards = Box<[Board]>;
    type Around = Box<[Around]>;
    type Room = Box<[u32]>;

    fn new(depth: u32) -> Option<Self> {
        (1..=6).contains(&depth).then_some(Deep(depth as u8))
    }
    #[inline]
    fn get(self) -> u32 {
        u32::from(self.0)
    }
    fn boards(self) -> Self::Boards {
        vec![Board::EMPTY; POWERS[usize::from(self.0) - 1]].into()
    }
    fn around(self) -> Self::Around {
        vec![Around::default(); OFFSETS[usize::from(self.0) - 1]].into()
    }
    fn room(self) -> Self::Room {
        let mut room = vec![0; rooms(usize::from(self.0))];
        empty_room(&mut room, usize::from(self.0));
        room.into()
    }
}

/// How many boards of depth 3 or more there are.
const fn rooms(depth: usize) -> usize {
    if depth > 2 { OFFSETS[depth - 2] } else { 0 }
}

/// All cells are open to a free move.
fn empty_room(room: &mut [u32], depth: usize) {
    for level in 0..depth.saturating_sub(2) {
        room[OFFSETS[level]..OFFSETS[level + 1]].fill(POWERS[depth - level] as u32);
    }
}
