//! The depth of a nested board, known at compile time or at run time, and how its boards are
//! stored.

use std::fmt::Debug;
use std::hash::Hash;

use super::NestedOptions;
use super::{LeafBoard, OFFSETS, POWERS, ParentBoard};

/// An array of boards or counts, with a fixed size or on the heap.
pub trait BoardArray<T>:
    Clone + Eq + Ord + Hash + Debug + Send + Sync + AsRef<[T]> + AsMut<[T]>
{
}

impl<T, A> BoardArray<T> for A where
    A: Clone + Eq + Ord + Hash + Debug + Send + Sync + AsRef<[T]> + AsMut<[T]>
{
}

/// The depth of a nested board and the arrays that store it.
///
/// With [`D1`], [`D2`] and [`D3`] the depth is a constant and positions are `Copy`;
/// [`DynDepth`] has any depth and stores its arrays on the heap.
pub trait Depth: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The depth-1 boards.
    type LeafBoards: BoardArray<LeafBoard>;
    /// The boards that contain them.
    type ParentBoards: BoardArray<ParentBoard>;
    /// The open counts of the boards of depth 3 or more.
    type OpenCounts: BoardArray<u32>;

    /// The options, if the type fixes them.
    const OPTIONS: Option<NestedOptions> = None;

    /// This depth, if the type supports it.
    fn new(depth: u32) -> Option<Self>;
    /// The number of levels.
    fn get(self) -> u32;
    /// Empty depth-1 boards.
    fn empty_leaves(self) -> Self::LeafBoards;
    /// Boards without an owner, all open.
    fn empty_parents(self) -> Self::ParentBoards;
    /// Open counts of an empty board.
    fn full_open_counts(self) -> Self::OpenCounts;
}

macro_rules! fixed_depth {
    ($name:ident, $depth:literal, $options:expr, $what:literal) => {
        #[doc = $what]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name;

        impl Depth for $name {
            const OPTIONS: Option<NestedOptions> = $options;
            type LeafBoards = [LeafBoard; POWERS[$depth - 1]];
            type ParentBoards = [ParentBoard; OFFSETS[$depth - 1]];
            type OpenCounts = [u32; open_counts_len($depth)];

            fn new(depth: u32) -> Option<Self> {
                (depth == $depth).then_some($name)
            }
            #[inline(always)]
            fn get(self) -> u32 {
                $depth
            }
            fn empty_leaves(self) -> Self::LeafBoards {
                [LeafBoard::EMPTY; POWERS[$depth - 1]]
            }
            fn empty_parents(self) -> Self::ParentBoards {
                [ParentBoard::default(); OFFSETS[$depth - 1]]
            }
            fn full_open_counts(self) -> Self::OpenCounts {
                let mut counts = [0; open_counts_len($depth)];
                fill_empty_counts(&mut counts, $depth);
                counts
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
    "Depth 2 with the standard rules of ultimate tic-tac-toe, fixed at compile time so that checking them is free."
);

fixed_depth!(
    Rule5a,
    2,
    Some(NestedOptions::RULE_5A),
    "`ception:5a`, which X wins by force, also fixed at compile time."
);

/// Any depth from 1 to 6, known only at run time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DynDepth(u8);

impl Depth for DynDepth {
    type LeafBoards = Box<[LeafBoard]>;
    type ParentBoards = Box<[ParentBoard]>;
    type OpenCounts = Box<[u32]>;

    fn new(depth: u32) -> Option<Self> {
        (1..=6).contains(&depth).then_some(DynDepth(depth as u8))
    }
    #[inline]
    fn get(self) -> u32 {
        u32::from(self.0)
    }
    fn empty_leaves(self) -> Self::LeafBoards {
        vec![LeafBoard::EMPTY; POWERS[usize::from(self.0) - 1]].into()
    }
    fn empty_parents(self) -> Self::ParentBoards {
        vec![ParentBoard::default(); OFFSETS[usize::from(self.0) - 1]].into()
    }
    fn full_open_counts(self) -> Self::OpenCounts {
        let depth = usize::from(self.0);
        let mut counts = vec![0; open_counts_len(depth)];
        fill_empty_counts(&mut counts, depth);
        counts.into()
    }
}

/// The number of boards of depth 3 or more.
const fn open_counts_len(depth: usize) -> usize {
    if depth > 2 { OFFSETS[depth - 2] } else { 0 }
}

/// Sets the counts to those of an empty board.
fn fill_empty_counts(counts: &mut [u32], depth: usize) {
    for level in 0..depth.saturating_sub(2) {
        counts[OFFSETS[level]..OFFSETS[level + 1]].fill(POWERS[depth - level] as u32);
    }
}
