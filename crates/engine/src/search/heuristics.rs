//! Game-specific search heuristics: immediate wins and forced moves, move ordering, keys of
//! equivalent positions, and bounds on what can still be won.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::proof_search::ProofSearch;
use crate::evaluation::LINE_PLACES;
use noughts_rules::{
    Depth, Game, LINES, Mnk, MnkMove, MnkPosition, Nested, NestedMove, NestedPosition, Outcome,
    SharedBoards, Side, SquareSymmetry, TicTacTwo, TicTacTwoMove, TicTacTwoPosition, Tiebreak,
    WonBoardRule,
};

/// Search heuristics of a game.
pub trait SearchHeuristics<G: Game>: Clone + Send + Sync {
    /// The transposition table key of a position in a proof. Equivalent positions share a key where
    /// that is cheap to detect; others collide with probability 2⁻⁶⁴.
    fn proof_key(&self, game: &G, position: &G::Position) -> u64;

    /// The forced move, if it is cheap to detect. The game must not be over.
    fn forced_move(&self, game: &G, position: &G::Position) -> ForcedMove<G::Move>;

    /// The move-ordering score: moves with higher scores are searched first.
    fn move_score(&self, game: &G, position: &G::Position, mv: G::Move) -> i32;

    /// Whether this side can still win within this many plies, as far as that is cheap to tell.
    /// False proves that it can't, either at all or against an opponent who only defends. The game
    /// must not be over.
    fn can_win(&self, _: &G, _: &G::Position, _: Side, _plies: u32) -> bool {
        true
    }

    /// The game's own search for proofs, if it has one that is faster than the general one.
    fn proof_search(&self) -> Option<&dyn ProofSearch<G>> {
        None
    }
}

/// A move that doesn't have to be compared with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForcedMove<M> {
    /// This move wins at once.
    Win(M),
    /// After any other move the opponent wins at once, and this one doesn't lose at once. (It may
    /// still lose later.)
    OnlyMove(M),
    /// No forced move was found.
    None,
}

// ---- any game ----

/// For games without knowledge of their own: immediate wins, and keys of symmetric images.
#[derive(Clone, Copy, Debug)]
pub struct PlainHeuristics;

impl<G: Game> SearchHeuristics<G> for PlainHeuristics {
    fn proof_key(&self, game: &G, position: &G::Position) -> u64 {
        game.hash(&game.representative(position))
    }

    fn forced_move(&self, game: &G, position: &G::Position) -> ForcedMove<G::Move> {
        let me = game.side(position);
        let win = game.visit_moves(position, |mv| {
            match game.outcome(&game.after(position, mv)) {
                Some(Outcome::Win(winner)) if winner == me => ControlFlow::Break(mv),
                _ => ControlFlow::Continue(()),
            }
        });
        win.break_value().map_or(ForcedMove::None, ForcedMove::Win)
    }

    fn move_score(&self, _: &G, _: &G::Position, _: G::Move) -> i32 {
        0
    }
}

// ---- m,n,k games ----

/// Threats and symmetries of m,n,k games.
#[derive(Clone, Debug)]
pub struct MnkHeuristics<const W: usize> {
    /// Zobrist words for X and for O, by symmetry and cell.
    zobrist: Arc<Vec<Vec<[u64; 2]>>>,
    /// The cells of every line.
    lines: Arc<Vec<[u64; W]>>,
    /// The lines through each cell.
    lines_through: Arc<Vec<Vec<[u64; W]>>>,
    /// The number of cells in a line.
    k: u32,
    misere: bool,
}

/// The bit of a cell, numbered as in the position: with a spare column.
fn cell_bit<const W: usize>(game: &Mnk<W>, mv: MnkMove) -> usize {
    let (col, row) = game.column_row(mv);
    usize::from(row) * (usize::from(game.options().size().0) + 1) + usize::from(col)
}

impl<const W: usize> MnkHeuristics<W> {
    pub(crate) fn new(game: &Mnk<W>) -> MnkHeuristics<W> {
        let (columns, rows, k) = game.options().size();
        let stride = usize::from(columns) + 1;
        let size = stride * usize::from(rows);
        let symmetries = SquareSymmetry::for_board(columns, rows);
        let mut zobrist = vec![vec![[0; 2]; size]; symmetries.len()];
        for row in 0..rows {
            for col in 0..columns {
                let from = usize::from(row) * stride + usize::from(col);
                for (zobrist, symmetry) in zobrist.iter_mut().zip(symmetries) {
                    let (c, r) = symmetry.apply(col, row, columns, rows);
                    let to = (usize::from(r) * stride + usize::from(c)) as u64;
                    zobrist[from] = [mix(2 * to + 1), mix(2 * to + 2)];
                }
            }
        }
        let mut lines = Vec::new();
        let mut lines_through = vec![Vec::new(); size];
        for cells in line_cells(game) {
            let line = cell_set(&cells);
            for cell in cells {
                lines_through[cell].push(line);
            }
            lines.push(line);
        }
        MnkHeuristics {
            zobrist: Arc::new(zobrist),
            lines: Arc::new(lines),
            lines_through: Arc::new(lines_through),
            k: u32::from(k),
            misere: game.options().is_misere(),
        }
    }
}

/// The set of these cells.
pub(crate) fn cell_set<const W: usize>(cells: &[usize]) -> [u64; W] {
    let mut set = [0; W];
    for cell in cells {
        set[cell / 64] |= 1 << (cell % 64);
    }
    set
}

/// The number of common members of two sets.
#[inline]
pub(crate) fn count_common<const W: usize>(a: &[u64; W], b: &[u64; W]) -> u32 {
    let mut count = 0;
    for i in 0..W {
        count += (a[i] & b[i]).count_ones();
    }
    count
}

/// The cells of every possible line, numbered as in the position.
pub(crate) fn line_cells<const W: usize>(game: &Mnk<W>) -> Vec<Vec<usize>> {
    let (columns, rows, k) = game.options().size();
    let (columns, rows, k) = (i32::from(columns), i32::from(rows), i32::from(k));
    let mut lines = Vec::new();
    for row in 0..rows {
        for col in 0..columns {
            for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                let (c, r) = (col + right * (k - 1), row + down * (k - 1));
                // A line of one cell has no direction, so count it once.
                let is_duplicate = k == 1 && (right, down) != (1, 0);
                if (0..columns).contains(&c) && (0..rows).contains(&r) && !is_duplicate {
                    let cell = |i| ((row + down * i) * (columns + 1) + col + right * i) as usize;
                    lines.push((0..k).map(cell).collect());
                }
            }
        }
    }
    lines
}

/// A hash with evenly distributed bits (the finalizer of SplitMix64).
pub(crate) fn mix(n: u64) -> u64 {
    let mut word = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

impl<const W: usize> SearchHeuristics<Mnk<W>> for MnkHeuristics<W> {
    #[inline]
    fn proof_key(&self, _: &Mnk<W>, position: &MnkPosition<W>) -> u64 {
        // The minimum over all symmetric images is the canonical key.
        let mut keys = [0u64; SquareSymmetry::ALL.len()];
        let keys = &mut keys[..self.zobrist.len()];
        for side in Side::BOTH {
            for (i, mut word) in position.marks(side).into_iter().enumerate() {
                while word != 0 {
                    let cell = i * 64 + word.trailing_zeros() as usize;
                    word &= word - 1;
                    for (key, zobrist) in keys.iter_mut().zip(self.zobrist.iter()) {
                        *key ^= zobrist[cell][side as usize];
                    }
                }
            }
        }
        let canonical = keys.iter().copied().min().unwrap_or_default();
        // The side to move follows from the marks.
        mix(canonical)
    }

    #[inline]
    fn forced_move(&self, game: &Mnk<W>, position: &MnkPosition<W>) -> ForcedMove<MnkMove> {
        if self.misere {
            return ForcedMove::None;
        }
        let me = game.side(position);
        if let Some(win) = game.completing_moves(position, me).next() {
            return ForcedMove::Win(win);
        }
        match game.completing_moves(position, me.other()).next() {
            Some(block) => ForcedMove::OnlyMove(block),
            None => ForcedMove::None,
        }
    }

    #[inline]
    fn move_score(&self, game: &Mnk<W>, position: &MnkPosition<W>, mv: MnkMove) -> i32 {
        // Lines with marks of only one side count more the more marks they have, for completing as
        // well as for blocking them.
        let [x, o] = Side::BOTH.map(|side| position.marks(side));
        let mut score = 0;
        for line in &self.lines_through[cell_bit(game, mv)] {
            let weight = match (count_common(line, &x), count_common(line, &o)) {
                (marks, 0) | (0, marks) => 1 << marks.min(8),
                _ => 0,
            };
            score += weight;
        }
        if self.misere { -score } else { score }
    }

    #[inline]
    fn can_win(&self, game: &Mnk<W>, position: &MnkPosition<W>, side: Side, plies: u32) -> bool {
        // In misère games it is the opponent who has to complete a line.
        let maker = if self.misere { side.other() } else { side };
        let (mine, theirs) = (position.marks(maker), position.marks(maker.other()));
        let maker_moves = game.side(position) == maker;
        let plies = plies.min(game.count_moves(position) as u32);
        let moves = (plies + u32::from(maker_moves)) / 2;
        // Erdős–Selfridge: a line without a mark of the opponent has weight 2⁻ⁿ, where n is the
        // number of missing cells. If the total is less than 1 (½ if the maker moves next), a
        // breaker who always takes the heaviest cell prevents every line. The sum here is scaled by
        // 2ᵏ.
        let threshold = if self.misere {
            1
        } else {
            1u64 << if maker_moves { self.k - 1 } else { self.k }
        };
        let (mut weight, mut in_time) = (0, false);
        for line in self.lines.iter() {
            if count_common(line, &theirs) == 0 {
                let marks = count_common(line, &mine);
                weight += 1u64 << marks;
                in_time |= self.k - marks <= moves;
                if in_time && weight >= threshold {
                    return true;
                }
            }
        }
        false
    }
}

// ---- Tic-Tac-Two ----

/// Tic-Tac-Two: only immediate wins and a fixed order of move kinds.
#[derive(Clone, Copy, Debug)]
pub struct TicTacTwoHeuristics;

impl SearchHeuristics<TicTacTwo> for TicTacTwoHeuristics {
    fn proof_key(&self, game: &TicTacTwo, position: &TicTacTwoPosition) -> u64 {
        game.hash(position)
    }

    fn forced_move(
        &self,
        game: &TicTacTwo,
        position: &TicTacTwoPosition,
    ) -> ForcedMove<TicTacTwoMove> {
        let me = game.side(position);
        let win = game.visit_moves(position, |mv| {
            match game.outcome(&game.after(position, mv)) {
                Some(Outcome::Win(winner)) if winner == me => ControlFlow::Break(mv),
                _ => ControlFlow::Continue(()),
            }
        });
        win.break_value().map_or(ForcedMove::None, ForcedMove::Win)
    }

    fn move_score(&self, _: &TicTacTwo, _: &TicTacTwoPosition, mv: TicTacTwoMove) -> i32 {
        match mv {
            TicTacTwoMove::PlacePiece(_) => 2,
            TicTacTwoMove::MoveGrid(_) => 1,
            TicTacTwoMove::MovePiece(..) => 0,
        }
    }
}

// ---- nested boards ----

/// Nested boards: lines within boards, and the board that a move sends the opponent to.
#[derive(Clone, Copy, Debug)]
pub struct NestedHeuristics;

/// `COMPLETING[set]`: the places that complete a line with members of the set.
pub(crate) static COMPLETING: [u16; 512] = {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut i = 0;
        while i < 8 {
            let missing = LINES[i] as u16 & !(set as u16);
            if missing.count_ones() == 1 {
                table[set] |= missing;
            }
            i += 1;
        }
        set += 1;
    }
    table
};

/// `COUNTS[set]`: the number of members in each line, two bits per line.
static COUNTS: [u16; 512] = {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut i = 0;
        while i < 8 {
            table[set] |= ((LINES[i] as u16 & set as u16).count_ones() as u16) << (2 * i);
            i += 1;
        }
        set += 1;
    }
    table
};

/// More than the number of cells of any board.
const NEVER: u32 = 100;

/// The number of places that a player still needs for a line, given the player's own places and
/// those blocked by the opponent.
#[inline]
fn missing_places(mine: u32, theirs: u32) -> u32 {
    const LOW: u16 = 0x5555;
    let counts = COUNTS[(mine & 511) as usize];
    let blocked = COUNTS[(theirs & 511) as usize];
    // The low bit of every line in which the opponent has nothing.
    let free = !(blocked | blocked >> 1) & LOW;
    let open = counts & (free | free << 1);
    let (low, high) = (open & LOW, open >> 1 & LOW);
    match () {
        () if free == 0 => NEVER,
        () if low & high != 0 => 0,
        () if high != 0 => 1,
        () if low != 0 => 2,
        () => 3,
    }
}

/// The places that complete a line with members of the set.
#[inline]
pub(crate) fn completing_places(set: u32) -> u32 {
    u32::from(COMPLETING[(set & 511) as usize])
}

impl<D: Depth> SearchHeuristics<Nested<D>> for NestedHeuristics {
    #[inline]
    fn proof_key(&self, game: &Nested<D>, position: &NestedPosition<D>) -> u64 {
        game.hash(position)
    }

    #[inline]
    fn forced_move(
        &self,
        game: &Nested<D>,
        position: &NestedPosition<D>,
    ) -> ForcedMove<NestedMove> {
        let me = game.side(position);
        // Winning the game takes winning an outermost board that completes a line.
        let winning_boards = completing_places(position.owned_boards(me));
        let win = |index| ForcedMove::Win(NestedMove::from_index(index));
        match game.options().depth() {
            _ if winning_boards == 0 => return ForcedMove::None,
            1 => {
                return match winning_boards & !position.closed_boards() {
                    0 => ForcedMove::None,
                    free => win(free.trailing_zeros() as usize),
                };
            }
            2 => {}
            _ => return ForcedMove::None,
        }
        let mut boards = winning_boards & game.open_board_mask(position);
        if game.options().shared_boards() == SharedBoards::Forbidden {
            boards &= !position.owned_boards(me.other());
        }
        while boards != 0 {
            let board = boards.trailing_zeros() as usize;
            boards &= boards - 1;
            let taken = position.marks(board, me) | position.marks(board, me.other());
            let wins = completing_places(position.marks(board, me)) & !taken;
            if wins != 0 {
                return win(board * 9 + wins.trailing_zeros() as usize);
            }
        }
        ForcedMove::None
    }

    #[inline]
    fn move_score(&self, game: &Nested<D>, position: &NestedPosition<D>, mv: NestedMove) -> i32 {
        let me = game.side(position);
        let opponent = me.other();
        let (board, cell) = (mv.index() / 9, mv.index() % 9);
        let mine = position.marks(board, me);
        let theirs = position.marks(board, opponent);
        let mut score = [3, 2, 3, 2, 4, 2, 3, 2, 3][cell];
        let is_depth_2 = game.options().depth() == 2;
        let owned = position.owned_boards(me) | position.owned_boards(opponent);
        let blocks_at =
            |board: usize| completing_places(position.owned_boards(opponent)) >> board & 1 == 1;
        if !is_depth_2 || owned >> board & 1 == 0 {
            if completing_places(mine) >> cell & 1 == 1 {
                score += 60;
                if is_depth_2 && blocks_at(board) {
                    score += 60;
                }
            } else if completing_places(theirs) >> cell & 1 == 1 {
                score += 20;
            }
        }
        if is_depth_2 {
            // The board that the opponent is sent to.
            let target = cell;
            if (position.closed_boards() | owned) >> target & 1 == 1 {
                score -= 40;
            } else {
                let [ours, theirs] = [me, opponent].map(|side| position.marks(target, side));
                let empty = !(ours | theirs);
                if completing_places(theirs) & empty != 0 {
                    score -= 30;
                    if blocks_at(target) {
                        score -= 200;
                    }
                }
                if completing_places(ours) & empty != 0 {
                    score -= 5;
                }
            }
        }
        score
    }

    #[inline]
    fn can_win(
        &self,
        game: &Nested<D>,
        position: &NestedPosition<D>,
        side: Side,
        plies: u32,
    ) -> bool {
        let options = game.options();
        // The most-boards tiebreak can give a win without a line.
        if options.depth() != 2 || options.tiebreak() == Tiebreak::MostBoards {
            return true;
        }
        let plies = plies.min(game.count_open_cells(position));
        let moves = match options.won_board_rule() {
            WonBoardRule::PlayOn | WonBoardRule::FreeMove => {
                (plies + u32::from(game.side(position) == side)) / 2
            }
            WonBoardRule::ExtraMove | WonBoardRule::ExtraMoveChain => plies,
        };
        let [mine, theirs] = [side, side.other()].map(|side| position.owned_boards(side));
        let unavailable = match options.shared_boards() {
            SharedBoards::Forbidden => theirs,
            SharedBoards::Allowed => 0,
        };
        let mut needs = [0; 9];
        for (board, need) in needs.iter_mut().enumerate() {
            if mine >> board & 1 == 1 {
                continue;
            }
            *need = if unavailable >> board & 1 == 1 {
                NEVER
            } else {
                let [ours, theirs] = [side, side.other()].map(|p| position.marks(board, p));
                missing_places(ours, theirs)
            };
        }
        LINE_PLACES
            .iter()
            .any(|line| line.iter().map(|&board| needs[board]).sum::<u32>() <= moves)
    }
}
