//! Numbers every position of Tic-Tac-Two, up to symmetry and exchanging the players. Knows nothing
//! about values.

use std::ops::Range;
use std::sync::OnceLock;

use noughts_rules::games::common::boards_text;
use noughts_rules::{Game, Side, SquareSymmetry, TicTacTwo, TicTacTwoPosition};

/// A set of cells in reading order: bit `5 · row + column`.
///
/// ```text
///      a  b  c  d  e          grids, by where
///  1   0  1  2  3  4          their centers are
///  2   5  6  7  8  9             0  1  2
///  3  10 11 12 13 14             3  4  5
///  4  15 16 17 18 19             6  7  8
///  5  20 21 22 23 24
/// ```
pub(super) type CellSet = u32;

const SIDE: u8 = 5;
pub(super) const CELLS: usize = 25;
pub(super) const GRIDS: usize = 9;
/// All cells.
pub(super) const BOARD: CellSet = (1 << CELLS) - 1;
/// Pieces of one player.
pub(super) const PIECES: usize = 4;

/// A layer contains the positions with these numbers of pieces of the side to move and of the
/// opponent. Placing a piece leads to an earlier layer in this list; every other move from `(a, b)`
/// leads to `(b, a)`.
pub(super) const LAYERS: [(usize, usize); 13] = [
    (4, 4),
    (3, 4),
    (4, 3),
    (3, 3),
    (2, 4),
    (4, 2),
    (2, 3),
    (3, 2),
    (2, 2),
    (1, 2),
    (1, 1),
    (0, 1),
    (0, 0),
];

/// From this layer on in [`LAYERS`], the grid is still in the center and pieces can only be placed.
pub(super) const FIRST_OPENING_LAYER: usize = 9;

/// The layer with these numbers of pieces.
const fn layer_of(mine: usize, theirs: usize) -> Option<usize> {
    let mut layer = 0;
    while layer < LAYERS.len() {
        if LAYERS[layer].0 == mine && LAYERS[layer].1 == theirs {
            return Some(layer);
        }
        layer += 1;
    }
    None
}

/// By layer: the layer after moving the grid or a piece, and after placing a piece.
pub(super) const LAYER_AFTER_MOVE: [Option<usize>; LAYERS.len()] = layers_after(false);
pub(super) const LAYER_AFTER_PLACEMENT: [Option<usize>; LAYERS.len()] = layers_after(true);

const fn layers_after(place: bool) -> [Option<usize>; LAYERS.len()] {
    let mut target_layer = [None; LAYERS.len()];
    let mut layer = 0;
    while layer < LAYERS.len() {
        let (mine, theirs) = LAYERS[layer];
        if place {
            target_layer[layer] = layer_of(theirs, mine + 1);
        } else if layer < FIRST_OPENING_LAYER {
            target_layer[layer] = layer_of(theirs, mine);
        }
        layer += 1;
    }
    target_layer
}

/// Classes of grids under symmetry: the center, the edges, the corners.
const GRID_CLASSES: usize = 3;
const GRID_CLASS: [usize; GRIDS] = [2, 1, 2, 1, 0, 1, 2, 1, 2];
const CENTER_GRID: usize = 4;
/// The representative of each class.
const REPRESENTATIVE_GRID: [usize; GRID_CLASSES] = [CENTER_GRID, 1, 0];

/// A position relative to the side to move: its pieces, the opponent's, and the grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MoverRelativePosition {
    pub(super) mine: CellSet,
    pub(super) theirs: CellSet,
    pub(super) grid: usize,
}

impl MoverRelativePosition {
    /// Converts a position; also returns its layer. `None` for positions that are possible only
    /// with other options.
    pub(super) fn from_position(
        game: &TicTacTwo,
        position: &TicTacTwoPosition,
    ) -> Option<(usize, MoverRelativePosition)> {
        let side = game.side(position);
        let (col, row) = game.grid_center(position);
        if !(1..=3).contains(&col) || !(1..=3).contains(&row) {
            return None;
        }
        let relative = MoverRelativePosition {
            mine: repack_rows(position.pieces(side))?,
            theirs: repack_rows(position.pieces(side.other()))?,
            grid: usize::from(row - 1) * 3 + usize::from(col - 1),
        };
        let layer = layer_of(
            relative.mine.count_ones() as usize,
            relative.theirs.count_ones() as usize,
        )?;
        (layer < FIRST_OPENING_LAYER || relative.grid == CENTER_GRID).then_some((layer, relative))
    }

    /// Converts back to a position, with X to move where that is possible.
    pub(super) fn to_position(self, game: &TicTacTwo) -> Option<TicTacTwoPosition> {
        let (shape, grid) = (game.board(), self.grid as u8);
        let center = shape.place_name(shape.cell_at(0, grid % 3 + 1, grid / 3 + 1));
        let cells: Vec<usize> = (0..CELLS).collect();
        Side::BOTH.into_iter().find_map(|side| {
            let board = boards_text(&cells, &shape, |cell| {
                match (self.mine >> cell & 1, self.theirs >> cell & 1) {
                    (1, _) => side.letter(),
                    (_, 1) => side.other().letter(),
                    _ => '.',
                }
            });
            let text = format!("{board} {side} @{center}", side = side.letter());
            game.parse(&text).ok()
        })
    }
}

/// Repacks eight bits per row, as in the rules, to five bits per row. `None` if the board is
/// larger.
#[inline]
fn repack_rows(rows: u64) -> Option<CellSet> {
    const BOARD: u64 = 0x1f_1f1f_1f1f;
    let cells = (0..SIDE).fold(0, |cells, row| {
        cells | ((rows >> (8 * row)) as u32 & 31) << (SIDE * row)
    });
    (rows & !BOARD == 0).then_some(cells)
}

/// The cells inside a grid.
pub(super) const fn grid_cells(grid: usize) -> CellSet {
    0b00111_00111_00111 << (grid / 3 * SIDE as usize + grid % 3)
}

/// The grids one step away.
pub(super) const fn adjacent_grids(grid: usize) -> &'static [u8] {
    const STEPS: [&[u8]; GRIDS] = [
        &[1, 3, 4],
        &[0, 2, 3, 4, 5],
        &[1, 4, 5],
        &[0, 1, 4, 6, 7],
        &[0, 1, 2, 3, 5, 6, 7, 8],
        &[1, 2, 4, 7, 8],
        &[3, 4, 7],
        &[3, 4, 5, 6, 8],
        &[4, 5, 7],
    ];
    STEPS[grid]
}

/// The members of a set, each as a set of one cell.
#[inline]
pub(super) fn singletons(mut set: CellSet) -> impl Iterator<Item = CellSet> {
    std::iter::from_fn(move || {
        let smallest_place = set & set.wrapping_neg();
        set ^= smallest_place;
        (smallest_place != 0).then_some(smallest_place)
    })
}

/// Whether a set inside one grid contains three in a row; there, no run wraps around the edge.
#[inline]
fn has_line(set: CellSet) -> bool {
    let run = |step: u32| set & set >> step & set >> (2 * step);
    run(1) | run(4) | run(5) | run(6) != 0
}

/// The binomial coefficient.
const fn choose(n: usize, k: usize) -> usize {
    let (mut ways, mut i) = (1, 0);
    while i < k {
        ways = ways * (n - i) / (i + 1);
        i += 1;
    }
    ways
}

/// Positions of one layer with one class of grid: consecutive blocks of the same length, one for
/// each set of the mover's pieces that isn't an image of an earlier one.
#[derive(Clone, Copy, Debug)]
struct Section {
    layer: usize,
    grid_class: usize,
    /// The number of its first position.
    start: usize,
    blocks: usize,
    /// Number of sets of the opponent's pieces, given the mover's.
    block_len: usize,
    /// The number of its first block.
    first_block: usize,
}

/// Where the positions with given pieces of the mover and a given grid are stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockLocation {
    /// The block's index within its section.
    block: usize,
    grid_class: usize,
    /// The symmetry that maps the position to the stored one.
    pub(super) symmetry: usize,
    gap_remover: GapRemover,
    /// The symmetries, as bits, that fix the grid and the mover's pieces after mapping. Bit 0 is
    /// the identity.
    stabilizer: u8,
}

/// Removes the cells of a set from the board, so that the others are numbered without gaps: for
/// each member, highest first, a mask of the cells below it.
#[derive(Clone, Copy, Debug)]
struct GapRemover([CellSet; PIECES]);

impl GapRemover {
    fn new(set: CellSet) -> GapRemover {
        let mut below = [CellSet::MAX; PIECES];
        for (i, cell) in singletons(set).enumerate() {
            below[PIECES - 1 - i] = cell - 1;
        }
        GapRemover(below)
    }

    #[inline]
    fn remove_gaps(self, set: CellSet) -> CellSet {
        self.0
            .iter()
            .fold(set, |set, below| set & below | set >> 1 & !below)
    }

    #[inline]
    fn restore_gaps(self, set: CellSet) -> CellSet {
        self.0
            .iter()
            .rev()
            .fold(set, |set, below| set & below | (set & !below) << 1)
    }
}

/// A block: its positions have the same pieces of the mover and the same grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexBlock {
    pub(super) layer: usize,
    /// The number of its first position.
    pub(super) start: usize,
    pub(super) len: usize,
    pub(super) mine: CellSet,
    pub(super) grid: usize,
    stabilizer: u8,
    gap_remover: GapRemover,
}

impl IndexBlock {
    /// A set without the mover's cells, in the numbering without gaps.
    #[inline]
    pub(super) fn without_gaps(&self, set: CellSet) -> CellSet {
        self.gap_remover.remove_gaps(set & !self.mine)
    }

    /// All sets of k cells in the numbering without gaps, by rank.
    #[inline]
    pub(super) fn sets<'a>(&self, numbering: &'a Numbering, k: usize) -> &'a [CellSet] {
        let cells = CELLS - LAYERS[self.layer].0;
        &numbering.sets[k][..choose(cells, k)]
    }
}

#[derive(Clone, Copy)]
struct NumberingEntry {
    block: u16,
    symmetry: u8,
}

#[derive(Clone, Copy)]
struct StoredSet {
    set: CellSet,
    stabilizer: u8,
    gap_remover: GapRemover,
}

/// Number of cells in the low half of a set.
const LOW: usize = 13;
const HIGH: usize = CELLS - LOW;

/// Lookup tables for the numbering, 1.3 MiB, created once.
pub(super) struct Numbering {
    /// By the low cells of a set: their contribution to the rank, and above it their number.
    low_ranks: Box<[u16; 1 << LOW]>,
    /// By the number of low cells, and the high cells: their contribution to the rank.
    high_ranks: [Box<[u16; 1 << HIGH]>; 8],
    /// By symmetry: the images of the low and of the high cells.
    low_images: [Box<[CellSet; 1 << LOW]>; 8],
    high_images: [Box<[CellSet; 1 << HIGH]>; 8],
    /// All sets of k cells, by rank. Sets of the first n cells come first.
    sets: [Vec<CellSet>; PIECES + 1],
    /// By k and rank: the grids in which the set has a line, as bits.
    lines: [Vec<u16>; PIECES + 1],
    /// By k, grid and rank: the block of the set, and the symmetry that maps it to the stored one.
    entries: [[Vec<NumberingEntry>; GRIDS]; PIECES + 1],
    /// By k and class of grid: the stored sets.
    stored_sets: [[Vec<StoredSet>; GRID_CLASSES]; PIECES + 1],
    sections: Vec<Section>,
    /// By layer and class of grid: the index in `sections`.
    section_of: [[usize; GRID_CLASSES]; LAYERS.len()],
    len: usize,
    blocks: usize,
}

const COUNT_SHIFT: u32 = 12;

/// A lookup table over all sets. Its length is known at compile time, so lookups need no bounds
/// checks.
fn lookup_table<T: Copy + Default, const N: usize>(value: impl Fn(CellSet) -> T) -> Box<[T; N]> {
    let mut table = Box::new([T::default(); N]);
    for (set, slot) in (0..).zip(table.iter_mut()) {
        *slot = value(set);
    }
    table
}

impl Numbering {
    /// The only instance.
    pub(super) fn get() -> &'static Numbering {
        static NUMBERING: OnceLock<Numbering> = OnceLock::new();
        NUMBERING.get_or_init(Numbering::new)
    }

    fn new() -> Numbering {
        let rank = |set: CellSet, shift: usize, before: usize| -> usize {
            (0..CELLS - shift)
                .filter(|cell| set >> cell & 1 != 0)
                .enumerate()
                .map(|(i, cell)| choose(cell + shift, before + i + 1))
                .sum()
        };
        let has_few_pieces =
            |set: CellSet, before: usize| before + set.count_ones() as usize <= PIECES;
        let low_ranks = lookup_table(|set| {
            if has_few_pieces(set, 0) {
                rank(set, 0, 0) as u16 | (set.count_ones() as u16) << COUNT_SHIFT
            } else {
                0
            }
        });
        let high_ranks = std::array::from_fn(|before| {
            lookup_table(|set| {
                if has_few_pieces(set, before) {
                    rank(set, LOW, before) as u16
                } else {
                    0
                }
            })
        });
        let image = |symmetry: SquareSymmetry, set: CellSet| -> CellSet {
            (0..CELLS as u8)
                .filter(|cell| set >> cell & 1 != 0)
                .map(|cell| {
                    let (col, row) = symmetry.apply(cell % SIDE, cell / SIDE, SIDE, SIDE);
                    1 << (SIDE * row + col)
                })
                .sum()
        };
        let low_images = SquareSymmetry::ALL.map(|s| lookup_table(|set| image(s, set)));
        let high_images = SquareSymmetry::ALL.map(|s| lookup_table(|set| image(s, set << LOW)));
        let mut numbering = Numbering {
            low_ranks,
            high_ranks,
            low_images,
            high_images,
            sets: Default::default(),
            lines: Default::default(),
            entries: Default::default(),
            stored_sets: Default::default(),
            sections: Vec::new(),
            section_of: [[0; GRID_CLASSES]; LAYERS.len()],
            len: 0,
            blocks: 0,
        };
        for k in 0..=PIECES {
            numbering.sets[k] = (0..1 << CELLS)
                .filter(|set: &CellSet| set.count_ones() as usize == k)
                .collect();
            let line_grids = |&set: &CellSet| -> u16 {
                (0..GRIDS)
                    .filter(|&grid| has_line(set & grid_cells(grid)))
                    .map(|grid| 1 << grid)
                    .sum()
            };
            numbering.lines[k] = numbering.sets[k].iter().map(line_grids).collect();
            numbering.find_stored_images(k);
        }
        for (layer, (mine, theirs)) in LAYERS.into_iter().enumerate() {
            let class_count = if layer < FIRST_OPENING_LAYER {
                GRID_CLASSES
            } else {
                1
            };
            for grid_class in 0..class_count {
                let section = Section {
                    layer,
                    grid_class,
                    start: numbering.len,
                    blocks: numbering.stored_sets[mine][grid_class].len(),
                    block_len: choose(CELLS - mine, theirs),
                    first_block: numbering.blocks,
                };
                numbering.section_of[layer][grid_class] = numbering.sections.len();
                numbering.sections.push(section);
                numbering.len += section.blocks * section.block_len;
                numbering.blocks += section.blocks;
            }
        }
        numbering
    }

    /// Finds, for every set of k cells and every grid, the stored image.
    fn find_stored_images(&mut self, k: usize) {
        for grid_class in 0..GRID_CLASSES {
            let representative = grid_cells(REPRESENTATIVE_GRID[grid_class]);
            let symmetries_from: [Vec<usize>; GRIDS] = std::array::from_fn(|grid| {
                (0..8)
                    .filter(|&s| self.image(s, grid_cells(grid)) == representative)
                    .collect()
            });
            let group = &symmetries_from[REPRESENTATIVE_GRID[grid_class]];
            let mut stored_sets: Vec<StoredSet> = Vec::new();
            let mut number = vec![u16::MAX; self.sets[k].len()];
            for (rank, &set) in self.sets[k].iter().enumerate() {
                let smallest = group.iter().map(|&s| self.image(s, set)).min();
                if smallest == Some(set) {
                    number[rank] = stored_sets.len() as u16;
                    let same = group.iter().filter(|&&s| self.image(s, set) == set);
                    stored_sets.push(StoredSet {
                        set,
                        stabilizer: same.map(|&s| 1 << s).sum(),
                        gap_remover: GapRemover::new(set),
                    });
                }
            }
            for grid in (0..GRIDS).filter(|&grid| GRID_CLASS[grid] == grid_class) {
                let symmetries = &symmetries_from[grid];
                let entry = |&set: &CellSet| {
                    let images = symmetries.iter().map(|&s| (self.image(s, set), s));
                    let (image, symmetry) = images.min().unwrap_or((set, 0));
                    NumberingEntry {
                        block: number[self.rank(image)],
                        symmetry: symmetry as u8,
                    }
                };
                self.entries[k][grid] = self.sets[k].iter().map(entry).collect();
            }
            self.stored_sets[k][grid_class] = stored_sets;
        }
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The numbers of the positions in these layers.
    pub(super) fn number_range(&self, layers: &Range<usize>) -> Range<usize> {
        let start = |layer: usize| match self.section_of.get(layer) {
            Some(sections) => self.sections[sections[0]].start,
            None => self.len,
        };
        start(layers.start)..start(layers.end)
    }

    /// The numbers of the blocks in these layers.
    pub(super) fn block_range(&self, layers: &Range<usize>) -> Range<usize> {
        let first = |layer: usize| match self.section_of.get(layer) {
            Some(sections) => self.sections[sections[0]].first_block,
            None => self.blocks,
        };
        first(layers.start)..first(layers.end)
    }

    /// The rank of a set among those of the same size, in colexicographic order, which is their
    /// numeric order.
    #[inline]
    pub(super) fn rank(&self, set: CellSet) -> usize {
        let low = self.low_ranks[set as usize & ((1 << LOW) - 1)];
        let count = usize::from(low >> COUNT_SHIFT & 7);
        let high = self.high_ranks[count][(set >> LOW) as usize & ((1 << HIGH) - 1)];
        usize::from(low & ((1 << COUNT_SHIFT) - 1)) + usize::from(high)
    }

    /// The image of a set under a symmetry.
    #[inline]
    pub(super) fn image(&self, symmetry: usize, set: CellSet) -> CellSet {
        self.low_images[symmetry][set as usize & ((1 << LOW) - 1)]
            | self.high_images[symmetry][(set >> LOW) as usize & ((1 << HIGH) - 1)]
    }

    /// The grids in which the set of k cells has a line, as bits.
    #[inline]
    pub(super) fn grids_with_line(&self, k: usize, set: CellSet) -> u16 {
        self.lines[k][self.rank(set)]
    }

    /// Finds where the positions with these k pieces of the mover and this grid are stored.
    #[inline]
    pub(super) fn locate(&self, k: usize, mine: CellSet, grid: usize) -> BlockLocation {
        let entry = self.entries[k][grid][self.rank(mine)];
        let grid_class = GRID_CLASS[grid];
        let stored_set = self.stored_sets[k][grid_class][usize::from(entry.block)];
        BlockLocation {
            block: usize::from(entry.block),
            grid_class,
            symmetry: usize::from(entry.symmetry),
            gap_remover: stored_set.gap_remover,
            stabilizer: stored_set.stabilizer,
        }
    }

    /// The number of the first position in the block at this location.
    #[inline]
    pub(super) fn block_start(&self, location: &BlockLocation, layer: usize) -> usize {
        let section = &self.sections[self.section_of[layer][location.grid_class]];
        section.start + location.block * section.block_len
    }

    /// The place within the block of a position with these pieces of the opponent, already mapped
    /// by the location's symmetry.
    #[inline]
    pub(super) fn place_in_block(&self, location: &BlockLocation, image: CellSet) -> usize {
        if location.stabilizer == 1 {
            self.rank(location.gap_remover.remove_gaps(image))
        } else {
            self.smallest_place(location.stabilizer, location.gap_remover, image)
        }
    }

    /// The smallest place among the images under symmetries that fix the rest.
    #[cold]
    fn smallest_place(&self, stabilizer: u8, gap_remover: GapRemover, theirs: CellSet) -> usize {
        (0..8)
            .filter(|s| stabilizer >> s & 1 != 0)
            .map(|s| self.rank(gap_remover.remove_gaps(self.image(s, theirs))))
            .min()
            .unwrap_or_default()
    }

    /// The number of a position in this layer.
    #[inline]
    pub(super) fn index(&self, layer: usize, position: MoverRelativePosition) -> usize {
        let location = self.locate(LAYERS[layer].0, position.mine, position.grid);
        let theirs = self.image(location.symmetry, position.theirs);
        self.block_start(&location, layer) + self.place_in_block(&location, theirs)
    }

    /// The block with this number.
    pub(super) fn block(&self, number: usize) -> IndexBlock {
        let after = self.sections.partition_point(|s| s.first_block <= number);
        let section = self.sections[after - 1];
        let within = number - section.first_block;
        let (mine, _) = LAYERS[section.layer];
        let stored_set = self.stored_sets[mine][section.grid_class][within];
        IndexBlock {
            layer: section.layer,
            start: section.start + within * section.block_len,
            len: section.block_len,
            mine: stored_set.set,
            grid: REPRESENTATIVE_GRID[section.grid_class],
            stabilizer: stored_set.stabilizer,
            gap_remover: stored_set.gap_remover,
        }
    }

    /// The place where the position shown at this place is stored.
    pub(super) fn canonical_place(&self, block: &IndexBlock, place: usize) -> usize {
        let theirs = self.position_or_image_at(block, place).theirs;
        self.smallest_place(block.stabilizer, block.gap_remover, theirs)
    }

    /// The position at this place of a block; `None` if an image of it has a smaller number.
    #[inline]
    pub(super) fn position_at(
        &self,
        block: &IndexBlock,
        place: usize,
    ) -> Option<MoverRelativePosition> {
        if block.stabilizer != 1 && self.canonical_place(block, place) != place {
            return None;
        }
        Some(self.position_or_image_at(block, place))
    }

    /// The places of a block whose positions are stored under a smaller number.
    pub(super) fn image_places(&self, block: &IndexBlock) -> impl Iterator<Item = usize> {
        let places = if block.stabilizer == 1 {
            0..0
        } else {
            0..block.len
        };
        places.filter(|&place| self.canonical_place(block, place) != place)
    }

    /// The position at this place of a block, even if it is an image.
    #[inline]
    pub(super) fn position_or_image_at(
        &self,
        block: &IndexBlock,
        place: usize,
    ) -> MoverRelativePosition {
        let (_, k) = LAYERS[block.layer];
        MoverRelativePosition {
            mine: block.mine,
            theirs: block.gap_remover.restore_gaps(self.sets[k][place]),
            grid: block.grid,
        }
    }
}
