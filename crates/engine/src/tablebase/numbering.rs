//! Every position of Tic-Tac-Two, numbered: up to turning, mirroring and the names of the
//! players. What the positions are worth is not known here.

use std::ops::Range;
use std::sync::OnceLock;

use noughts_rules::{Game, Side, Symmetry, TicTacTwo, TicTacTwoPosition};

/// Cells in reading order: bit `5 · row + column`.
///
/// ```text
///      a  b  c  d  e          grids, by where
///  1   0  1  2  3  4          their centres are
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

/// A layer holds the positions with so many pieces of the side to move and of the other.
/// Placing a piece leads to a layer further up in this list; every other move from
/// `(a, b)` leads to `(b, a)`.
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

/// From here on in [`LAYERS`] the grid is still in the centre and pieces are only placed.
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

/// By layer: where moving the grid or a piece leads, and where placing a piece does.
pub(super) const LAYER_AFTER_MOVE: [Option<usize>; LAYERS.len()] = each_layer(false);
pub(super) const LAYER_AFTER_PLACEMENT: [Option<usize>; LAYERS.len()] = each_layer(true);

const fn each_layer(place: bool) -> [Option<usize>; LAYERS.len()] {
    let mut to = [None; LAYERS.len()];
    let mut layer = 0;
    while layer < LAYERS.len() {
        let (mine, theirs) = LAYERS[layer];
        if place {
            to[layer] = layer_of(theirs, mine + 1);
        } else if layer < FIRST_OPENING_LAYER {
            to[layer] = layer_of(theirs, mine);
        }
        layer += 1;
    }
    to
}

/// Grids that can be turned into each other: the centre, the edges, the corners.
const KINDS: usize = 3;
const KIND_OF: [usize; GRIDS] = [2, 1, 2, 1, 0, 1, 2, 1, 2];
const CENTRE: usize = 4;
/// The grid that stands for its kind.
const MODEL: [usize; KINDS] = [CENTRE, 1, 0];

/// A position without names: the pieces of the side to move, the others, the grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RelativePosition {
    pub(super) mine: CellSet,
    pub(super) theirs: CellSet,
    pub(super) grid: usize,
}

impl RelativePosition {
    /// The spot of a position and its layer. None for positions that only other options allow.
    pub(super) fn from_position(
        game: &TicTacTwo,
        position: &TicTacTwoPosition,
    ) -> Option<(usize, RelativePosition)> {
        let side = game.side(position);
        let (col, row) = game.grid_center(position);
        if !(1..=3).contains(&col) || !(1..=3).contains(&row) {
            return None;
        }
        let spot = RelativePosition {
            mine: packed(position.pieces(side))?,
            theirs: packed(position.pieces(side.other()))?,
            grid: usize::from(row - 1) * 3 + usize::from(col - 1),
        };
        let layer = layer_of(
            spot.mine.count_ones() as usize,
            spot.theirs.count_ones() as usize,
        )?;
        (layer < FIRST_OPENING_LAYER || spot.grid == CENTRE).then_some((layer, spot))
    }

    /// The position, with X to move where that is possible.
    pub(super) fn to_position(self, game: &TicTacTwo) -> Option<TicTacTwoPosition> {
        [Side::X, Side::O].into_iter().find_map(|side| {
            let mut setup = game.setup(&game.start());
            setup.side = side;
            setup.grid = Some((self.grid as u8 % 3 + 1, self.grid as u8 / 3 + 1));
            for (i, cell) in setup.cells.iter_mut().enumerate() {
                if self.mine >> i & 1 != 0 {
                    *cell = Some(side);
                } else if self.theirs >> i & 1 != 0 {
                    *cell = Some(side.other());
                }
            }
            game.position(&setup).ok()
        })
    }
}

/// The rules keep eight bits to a row; here a row has five. None if the board is larger.
#[inline]
fn packed(rows: u64) -> Option<CellSet> {
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

/// The members of a set, each as a set of one.
#[inline]
pub(super) fn singletons(mut set: CellSet) -> impl Iterator<Item = CellSet> {
    std::iter::from_fn(move || {
        let least = set & set.wrapping_neg();
        set ^= least;
        (least != 0).then_some(least)
    })
}

/// Three in a row anywhere in a set that lies inside one grid: there no row runs
/// over the edge into the next.
#[inline]
fn has_line(set: CellSet) -> bool {
    let run = |step: u32| set & set >> step & set >> (2 * step);
    run(1) | run(4) | run(5) | run(6) != 0
}

/// The number of ways to choose `k` of `n`.
const fn choose(n: usize, k: usize) -> usize {
    let (mut ways, mut i) = (1, 0);
    while i < k {
        ways = ways * (n - i) / (i + 1);
        i += 1;
    }
    ways
}

/// Positions of one layer with one kind of grid: a run of blocks of the same length,
/// one for each set of the mover's pieces that is not an image of an earlier one.
#[derive(Clone, Copy, Debug)]
struct Section {
    layer: usize,
    kind: usize,
    /// The number of its first position.
    start: usize,
    blocks: usize,
    /// How many sets the other player's pieces can be, given the mover's.
    block_len: usize,
    /// The number of its first block.
    first_block: usize,
}

/// Where the positions live that share the mover's pieces and the grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockLocation {
    /// The block within its section.
    block: usize,
    kind: usize,
    /// What turns the position into the one that is kept.
    pub(super) symmetry: usize,
    squeeze: GapRemover,
    /// The symmetries, as bits, that change neither the grid nor the mover's pieces
    /// once turned. Bit 0 is the identity.
    stabiliser: u8,
}

/// Takes the cells of a set out of the board, so that the others are numbered without gaps:
/// for each member, the highest first, a mask of what lies below.
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

/// One of the blocks, opened: its positions have the same pieces of the mover and the same grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) layer: usize,
    /// The number of its first position.
    pub(super) start: usize,
    pub(super) len: usize,
    pub(super) mine: CellSet,
    pub(super) grid: usize,
    stabiliser: u8,
    squeeze: GapRemover,
}

impl Block {
    /// A set without the mover's cells, the others numbered without gaps.
    #[inline]
    pub(super) fn without_gaps(&self, set: CellSet) -> CellSet {
        self.squeeze.remove_gaps(set & !self.mine)
    }

    /// All squeezed sets of k cells, by rank.
    #[inline]
    pub(super) fn sets<'a>(&self, numbering: &'a Numbering, k: usize) -> &'a [CellSet] {
        let cells = CELLS - LAYERS[self.layer].0;
        &numbering.sets[k][..choose(cells, k)]
    }
}

#[derive(Clone, Copy)]
struct Entry {
    block: u16,
    symmetry: u8,
}

#[derive(Clone, Copy)]
struct Model {
    set: CellSet,
    stabiliser: u8,
    squeeze: GapRemover,
}

/// The low half of a set has this many cells.
const LOW: usize = 13;
const HIGH: usize = CELLS - LOW;

/// All that numbering needs, 1.3 MiB of tables made once.
pub(super) struct Numbering {
    /// By the low cells of a set: its rank in the low bits, how many they are above.
    low_ranks: Box<[u16; 1 << LOW]>,
    /// By how many low cells there are, and the high ones: what they add to the rank.
    high_ranks: [Box<[u16; 1 << HIGH]>; 8],
    /// By symmetry: the images of the low and of the high cells.
    low_images: [Box<[CellSet; 1 << LOW]>; 8],
    high_images: [Box<[CellSet; 1 << HIGH]>; 8],
    /// All sets of k cells, by rank. Sets of the first n cells come first.
    sets: [Vec<CellSet>; PIECES + 1],
    /// By k and rank: in which grids the set has a line, as bits.
    lines: [Vec<u16>; PIECES + 1],
    /// By k, grid and rank: the block of the set, and what turns it into the kept one.
    entries: [[Vec<Entry>; GRIDS]; PIECES + 1],
    /// By k and kind of grid: the sets that are kept.
    models: [[Vec<Model>; KINDS]; PIECES + 1],
    sections: Vec<Section>,
    /// By layer and kind: the place in `sections`.
    section_of: [[usize; KINDS]; LAYERS.len()],
    len: usize,
    blocks: usize,
}

const COUNT_SHIFT: u32 = 12;

/// A table by all sets of its many cells. Its length is known when compiling, so that looking
/// something up needs no check of the bounds.
fn filled<T: Copy + Default, const N: usize>(value: impl Fn(CellSet) -> T) -> Box<[T; N]> {
    let mut table = Box::new([T::default(); N]);
    for (set, slot) in (0..).zip(table.iter_mut()) {
        *slot = value(set);
    }
    table
}

impl Numbering {
    /// The only one.
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
        let few = |set: CellSet, before: usize| before + set.count_ones() as usize <= PIECES;
        let low_ranks = filled(|set| {
            if few(set, 0) {
                rank(set, 0, 0) as u16 | (set.count_ones() as u16) << COUNT_SHIFT
            } else {
                0
            }
        });
        let high_ranks = std::array::from_fn(|before| {
            filled(|set| {
                if few(set, before) {
                    rank(set, LOW, before) as u16
                } else {
                    0
                }
            })
        });
        let image = |symmetry: Symmetry, set: CellSet| -> CellSet {
            (0..CELLS as u8)
                .filter(|cell| set >> cell & 1 != 0)
                .map(|cell| {
                    let (col, row) = symmetry.apply(cell % SIDE, cell / SIDE, SIDE, SIDE);
                    1 << (SIDE * row + col)
                })
                .sum()
        };
        let low_images = Symmetry::ALL.map(|s| filled(|set| image(s, set)));
        let high_images = Symmetry::ALL.map(|s| filled(|set| image(s, set << LOW)));
        let mut numbering = Numbering {
            low_ranks,
            high_ranks,
            low_images,
            high_images,
            sets: Default::default(),
            lines: Default::default(),
            entries: Default::default(),
            models: Default::default(),
            sections: Vec::new(),
            section_of: [[0; KINDS]; LAYERS.len()],
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
            numbering.fold(k);
        }
        for (layer, (mine, theirs)) in LAYERS.into_iter().enumerate() {
            let kinds = if layer < FIRST_OPENING_LAYER {
                KINDS
            } else {
                1
            };
            for kind in 0..kinds {
                let section = Section {
                    layer,
                    kind,
                    start: numbering.len,
                    blocks: numbering.models[mine][kind].len(),
                    block_len: choose(CELLS - mine, theirs),
                    first_block: numbering.blocks,
                };
                numbering.section_of[layer][kind] = numbering.sections.len();
                numbering.sections.push(section);
                numbering.len += section.blocks * section.block_len;
                numbering.blocks += section.blocks;
            }
        }
        numbering
    }

    /// Finds, for every set of k cells and every grid, the image that is kept.
    fn fold(&mut self, k: usize) {
        for kind in 0..KINDS {
            let model = grid_cells(MODEL[kind]);
            let ways_from: [Vec<usize>; GRIDS] = std::array::from_fn(|grid| {
                (0..8)
                    .filter(|&s| self.image(s, grid_cells(grid)) == model)
                    .collect()
            });
            let group = &ways_from[MODEL[kind]];
            let mut models: Vec<Model> = Vec::new();
            let mut number = vec![u16::MAX; self.sets[k].len()];
            for (rank, &set) in self.sets[k].iter().enumerate() {
                let least = group.iter().map(|&s| self.image(s, set)).min();
                if least == Some(set) {
                    number[rank] = models.len() as u16;
                    let same = group.iter().filter(|&&s| self.image(s, set) == set);
                    models.push(Model {
                        set,
                        stabiliser: same.map(|&s| 1 << s).sum(),
                        squeeze: GapRemover::new(set),
                    });
                }
            }
            for grid in (0..GRIDS).filter(|&grid| KIND_OF[grid] == kind) {
                let ways = &ways_from[grid];
                let entry = |&set: &CellSet| {
                    let images = ways.iter().map(|&s| (self.image(s, set), s));
                    let (image, symmetry) = images.min().unwrap_or((set, 0));
                    Entry {
                        block: number[self.rank(image)],
                        symmetry: symmetry as u8,
                    }
                };
                self.entries[k][grid] = self.sets[k].iter().map(entry).collect();
            }
            self.models[k][kind] = models;
        }
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The numbers of the positions of these layers.
    pub(super) fn number_range(&self, layers: &Range<usize>) -> Range<usize> {
        let start = |layer: usize| match self.section_of.get(layer) {
            Some(sections) => self.sections[sections[0]].start,
            None => self.len,
        };
        start(layers.start)..start(layers.end)
    }

    /// The numbers of the blocks of these layers.
    pub(super) fn block_range(&self, layers: &Range<usize>) -> Range<usize> {
        let first = |layer: usize| match self.section_of.get(layer) {
            Some(sections) => self.sections[sections[0]].first_block,
            None => self.blocks,
        };
        first(layers.start)..first(layers.end)
    }

    /// The place of a set among those with as many cells: in the order of their
    /// highest cells, then the next, and so on, which is the order as numbers.
    #[inline]
    pub(super) fn rank(&self, set: CellSet) -> usize {
        let low = self.low_ranks[set as usize & ((1 << LOW) - 1)];
        let count = usize::from(low >> COUNT_SHIFT & 7);
        let high = self.high_ranks[count][(set >> LOW) as usize & ((1 << HIGH) - 1)];
        usize::from(low & ((1 << COUNT_SHIFT) - 1)) + usize::from(high)
    }

    /// The set turned or mirrored.
    #[inline]
    pub(super) fn image(&self, symmetry: usize, set: CellSet) -> CellSet {
        self.low_images[symmetry][set as usize & ((1 << LOW) - 1)]
            | self.high_images[symmetry][(set >> LOW) as usize & ((1 << HIGH) - 1)]
    }

    /// In which grids the set of k cells has a line, as bits.
    #[inline]
    pub(super) fn grids_with_line(&self, k: usize, set: CellSet) -> u16 {
        self.lines[k][self.rank(set)]
    }

    /// Where the positions live that have these k pieces of the mover and this grid.
    #[inline]
    pub(super) fn locate(&self, k: usize, mine: CellSet, grid: usize) -> BlockLocation {
        let entry = self.entries[k][grid][self.rank(mine)];
        let kind = KIND_OF[grid];
        let model = self.models[k][kind][usize::from(entry.block)];
        BlockLocation {
            block: usize::from(entry.block),
            kind,
            symmetry: usize::from(entry.symmetry),
            squeeze: model.squeeze,
            stabiliser: model.stabiliser,
        }
    }

    /// The number of the first position in a home's block of this layer.
    #[inline]
    pub(super) fn block_start(&self, home: &BlockLocation, layer: usize) -> usize {
        let section = &self.sections[self.section_of[layer][home.kind]];
        section.start + home.block * section.block_len
    }

    /// The place within the block of a position with these pieces of the other player, which
    /// are turned already as the block wants it.
    #[inline]
    pub(super) fn place_in_block(&self, home: &BlockLocation, image: CellSet) -> usize {
        if home.stabiliser == 1 {
            self.rank(home.squeeze.remove_gaps(image))
        } else {
            self.least(home.stabiliser, home.squeeze, image)
        }
    }

    /// The least place among the images under symmetries that do not change the rest.
    #[cold]
    fn least(&self, stabiliser: u8, squeeze: GapRemover, theirs: CellSet) -> usize {
        (0..8)
            .filter(|s| stabiliser >> s & 1 != 0)
            .map(|s| self.rank(squeeze.remove_gaps(self.image(s, theirs))))
            .min()
            .unwrap_or_default()
    }

    /// The number of a position in this layer.
    #[inline]
    pub(super) fn index(&self, layer: usize, spot: RelativePosition) -> usize {
        let home = self.locate(LAYERS[layer].0, spot.mine, spot.grid);
        let theirs = self.image(home.symmetry, spot.theirs);
        self.block_start(&home, layer) + self.place_in_block(&home, theirs)
    }

    /// Opens a block.
    pub(super) fn block(&self, number: usize) -> Block {
        let after = self.sections.partition_point(|s| s.first_block <= number);
        let section = self.sections[after - 1];
        let within = number - section.first_block;
        let (mine, _) = LAYERS[section.layer];
        let model = self.models[mine][section.kind][within];
        Block {
            layer: section.layer,
            start: section.start + within * section.block_len,
            len: section.block_len,
            mine: model.set,
            grid: MODEL[section.kind],
            stabiliser: model.stabiliser,
            squeeze: model.squeeze,
        }
    }

    /// The place where the position that an image at this place shows is kept.
    pub(super) fn canonical_place(&self, block: &Block, place: usize) -> usize {
        let theirs = self.position_or_image_at(block, place).theirs;
        self.least(block.stabiliser, block.squeeze, theirs)
    }

    /// The position at this place of a block; none where an image of it has a smaller number.
    #[inline]
    pub(super) fn position_at(&self, block: &Block, place: usize) -> Option<RelativePosition> {
        if block.stabiliser != 1 && self.canonical_place(block, place) != place {
            return None;
        }
        Some(self.position_or_image_at(block, place))
    }

    /// The places of a block with positions that have a smaller number elsewhere.
    pub(super) fn image_places(&self, block: &Block) -> impl Iterator<Item = usize> {
        let places = if block.stabiliser == 1 {
            0..0
        } else {
            0..block.len
        };
        places.filter(|&place| self.canonical_place(block, place) != place)
    }

    /// What stands at this place of a block, be it an image.
    #[inline]
    pub(super) fn position_or_image_at(&self, block: &Block, place: usize) -> RelativePosition {
        let (_, k) = LAYERS[block.layer];
        RelativePosition {
            mine: block.mine,
            theirs: block.squeeze.restore_gaps(self.sets[k][place]),
            grid: block.grid,
        }
    }
}
