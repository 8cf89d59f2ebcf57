//! What search knows of moves before it makes them, for each family: which
//! decide at once, which to try first, and which positions are alike.

use std::sync::Arc;

use crate::evaluation::LINE_PLACES;
use noughts_rules::{
    Depth, Game, LINES, Mnk, MnkMove, Nested, NestedMove, SharedBoards, Side, Symmetry, TicTacTwo,
    TicTacTwoMove, Tiebreak, WonBoardRule,
};

/// Knowledge of moves.
pub trait SearchHeuristics<G: Game>: Clone + Send + Sync {
    /// The key under which a proof remembers the position: equal for positions
    /// that are worth the same, as far as that is quickly seen. Two that are not
    /// have the same key once in 2⁶⁴.
    fn proof_key(&self, game: &G, position: &G::Position) -> u64;

    /// What must be played, if that is quickly seen. The game is not over.
    fn forced_move(&self, game: &G, position: &G::Position) -> ForcedMove<G::Move>;

    /// How much a move promises: higher ones are searched first.
    fn move_score(&self, game: &G, position: &G::Position, mv: G::Move) -> i32;

    /// Can this player still win within so many plies, as far as that is quickly
    /// seen? False is a proof that they cannot, whatever both sides play or as long
    /// as the opponent only defends. The game is not over.
    fn can_win(&self, _: &G, _: &G::Position, _: Side, _plies: u32) -> bool {
        true
    }
}

/// A move that needs no comparing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForcedMove<M> {
    /// It wins at once.
    Win(M),
    /// After any other the opponent wins at once, and it does not lose at once
    /// itself. (It may still lose.)
    OnlyMove(M),
    /// Nothing of the kind was seen.
    None,
}

// ---- flat boards ----

/// Threats and symmetry on flat boards.
#[derive(Clone, Debug)]
pub struct MnkHeuristics<const W: usize> {
    /// By symmetry and cell of the position: a random word for X and for O.
    words: Arc<Vec<Vec<[u64; 2]>>>,
    /// The cells of every line.
    lines: Arc<Vec<[u64; W]>>,
    /// By cell: the lines that pass through it.
    through: Arc<Vec<Vec<[u64; W]>>>,
    /// How many cells make a line.
    k: u32,
    misere: bool,
}

/// Cells are numbered as in the position: with a spare column.
fn bit<const W: usize>(game: &Mnk<W>, mv: MnkMove) -> usize {
    let (col, row) = game.column_row(mv);
    usize::from(row) * (usize::from(game.options().size().0) + 1) + usize::from(col)
}

impl<const W: usize> MnkHeuristics<W> {
    pub(crate) fn new(game: &Mnk<W>) -> MnkHeuristics<W> {
        let (columns, rows, k) = game.options().size();
        let stride = usize::from(columns) + 1;
        let size = stride * usize::from(rows);
        let symmetries = game.symmetries();
        let mut words = vec![vec![[0; 2]; size]; symmetries.len()];
        for row in 0..rows {
            for col in 0..columns {
                let from = usize::from(row) * stride + usize::from(col);
                for (words, symmetry) in words.iter_mut().zip(symmetries) {
                    let (c, r) = symmetry.apply(col, row, columns, rows);
                    let to = (usize::from(r) * stride + usize::from(c)) as u64;
                    words[from] = [mix(2 * to + 1), mix(2 * to + 2)];
                }
            }
        }
        let mut lines = Vec::new();
        let mut through = vec![Vec::new(); size];
        for cells in line_cells(game) {
            let mut line = [0; W];
            for &cell in &cells {
                line[cell / 64] |= 1 << (cell % 64);
            }
            for &cell in &cells {
                through[cell].push(line);
            }
            lines.push(line);
        }
        MnkHeuristics {
            words: Arc::new(words),
            lines: Arc::new(lines),
            through: Arc::new(through),
            k: u32::from(k),
            misere: game.options().is_misere(),
        }
    }
}

/// How many members two sets share.
#[inline]
fn shared<const W: usize>(a: &[u64; W], b: &[u64; W]) -> u32 {
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
                // A line of one cell goes in no direction: once is enough.
                let again = k == 1 && (right, down) != (1, 0);
                if (0..columns).contains(&c) && (0..rows).contains(&r) && !again {
                    let cell = |i| ((row + down * i) * (columns + 1) + col + right * i) as usize;
                    lines.push((0..k).map(cell).collect());
                }
            }
        }
    }
    lines
}

/// A fixed word for a number, with evenly spread bits.
fn mix(n: u64) -> u64 {
    let mut word = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

impl<const W: usize> SearchHeuristics<Mnk<W>> for MnkHeuristics<W> {
    #[inline]
    fn proof_key(&self, _: &Mnk<W>, position: &<Mnk<W> as Game>::Position) -> u64 {
        // The least of the keys of all images stands for all of them.
        let mut keys = [0u64; Symmetry::ALL.len()];
        let keys = &mut keys[..self.words.len()];
        for player in Side::BOTH {
            for (i, mut word) in position.marks(player).into_iter().enumerate() {
                while word != 0 {
                    let cell = i * 64 + word.trailing_zeros() as usize;
                    word &= word - 1;
                    for (key, words) in keys.iter_mut().zip(self.words.iter()) {
                        *key ^= words[cell][player as usize];
                    }
                }
            }
        }
        let least = keys.iter().copied().min().unwrap_or_default();
        // The side follows from the marks.
        mix(least)
    }

    #[inline]
    fn forced_move(
        &self,
        game: &Mnk<W>,
        position: &<Mnk<W> as Game>::Position,
    ) -> ForcedMove<MnkMove> {
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
    fn move_score(&self, game: &Mnk<W>, position: &<Mnk<W> as Game>::Position, mv: MnkMove) -> i32 {
        // Lines that only one side has marks in: the more marks, the more they count,
        // to complete them as well as to stop them.
        let [x, o] = Side::BOTH.map(|player| position.marks(player));
        let mut promise = 0;
        for line in &self.through[bit(game, mv)] {
            let worth = match (shared(line, &x), shared(line, &o)) {
                (marks, 0) | (0, marks) => 1 << marks.min(8),
                _ => 0,
            };
            promise += worth;
        }
        if self.misere { -promise } else { promise }
    }

    #[inline]
    fn can_win(
        &self,
        game: &Mnk<W>,
        position: &<Mnk<W> as Game>::Position,
        player: Side,
        plies: u32,
    ) -> bool {
        // With misère it is the opponent who must be brought to complete a line.
        let maker = if self.misere { player.other() } else { player };
        let (mine, yours) = (position.marks(maker), position.marks(maker.other()));
        let begins = game.side(position) == maker;
        let plies = plies.min(game.count_moves(position) as u32);
        let moves = if begins { plies.div_ceil(2) } else { plies / 2 };
        // What Erdős and Selfridge count: every line that the opponent has no mark in
        // weighs 2⁻ⁿ, n the cells that it lacks. Where they weigh less than 1 together
        // (½ if the maker moves now), a breaker who always takes the heaviest cell
        // never lets one be completed. The sum here is 2ᵏ times that.
        let enough = if self.misere {
            1
        } else {
            1u64 << if begins { self.k - 1 } else { self.k }
        };
        let (mut weight, mut in_time) = (0, false);
        for line in self.lines.iter() {
            if shared(line, &yours) == 0 {
                let marks = shared(line, &mine);
                weight += 1u64 << marks;
                in_time |= self.k - marks <= moves;
                if in_time && weight >= enough {
                    return true;
                }
            }
        }
        false
    }
}

// ---- Tic-Tac-Two ----

/// Moves of Tic-Tac-Two: nothing is known but a fair order.
#[derive(Clone, Copy, Debug)]
pub struct TicTacTwoHeuristics;

impl SearchHeuristics<TicTacTwo> for TicTacTwoHeuristics {
    fn proof_key(&self, game: &TicTacTwo, position: &<TicTacTwo as Game>::Position) -> u64 {
        game.hash(position)
    }

    fn forced_move(
        &self,
        game: &TicTacTwo,
        position: &<TicTacTwo as Game>::Position,
    ) -> ForcedMove<TicTacTwoMove> {
        let me = game.side(position);
        let win = game.visit_moves(position, |mv| {
            let mut next = *position;
            game.apply(&mut next, mv);
            match game.outcome(&next).and_then(noughts_rules::Outcome::winner) {
                Some(winner) if winner == me => std::ops::ControlFlow::Break(mv),
                _ => std::ops::ControlFlow::Continue(()),
            }
        });
        match win {
            std::ops::ControlFlow::Break(mv) => ForcedMove::Win(mv),
            std::ops::ControlFlow::Continue(()) => ForcedMove::None,
        }
    }

    fn move_score(
        &self,
        _: &TicTacTwo,
        _: &<TicTacTwo as Game>::Position,
        mv: TicTacTwoMove,
    ) -> i32 {
        match mv {
            TicTacTwoMove::PlacePiece(_) => 2,
            TicTacTwoMove::MoveGrid(_) => 1,
            TicTacTwoMove::MovePiece(..) => 0,
        }
    }
}

// ---- nested boards ----

/// Lines within boards and what board a move gives away.
#[derive(Clone, Copy, Debug)]
pub struct NestedHeuristics;

/// `COMPLETES[set]`: the places that would complete a line with members of the set.
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

/// `COUNTS[set]`: how many members each line has, two bits a line.
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

/// More than any board has cells.
const NEVER: u32 = 100;

/// How many more places a player needs for a line who has these and cannot have
/// those.
#[inline]
fn lacking(mine: u32, yours: u32) -> u32 {
    const LOW: u16 = 0x5555;
    let counts = COUNTS[(mine & 511) as usize];
    let blocked = COUNTS[(yours & 511) as usize];
    // Both bits of every line in which the opponent has nothing.
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

/// The places that would complete a line with members of the set.
#[inline]
pub(crate) fn completing_places(set: u32) -> u32 {
    u32::from(COMPLETING[(set & 511) as usize])
}

impl<D: Depth> SearchHeuristics<Nested<D>> for NestedHeuristics {
    #[inline]
    fn proof_key(&self, game: &Nested<D>, position: &<Nested<D> as Game>::Position) -> u64 {
        game.hash(position)
    }

    #[inline]
    fn forced_move(
        &self,
        game: &Nested<D>,
        position: &<Nested<D> as Game>::Position,
    ) -> ForcedMove<NestedMove> {
        let me = game.side(position);
        // The game is won through an outermost board that completes a line.
        let through = completing_places(position.owned_boards(me)) & !position.owned_boards(me);
        let depth = u32::from(game.options().depth());
        if through == 0 {
            return ForcedMove::None;
        }
        if depth != 2 {
            return if depth == 1 {
                let free = through & !position.closed_boards();
                match free {
                    0 => ForcedMove::None,
                    free => ForcedMove::Win(NestedMove::from_index(free.trailing_zeros() as usize)),
                }
            } else {
                ForcedMove::None
            };
        }
        let mut boards = through & game.open_board_mask(position);
        if game.options().shared_boards() == SharedBoards::Forbidden {
            boards &= !position.owned_boards(me.other());
        }
        while boards != 0 {
            let board = boards.trailing_zeros() as usize;
            boards &= boards - 1;
            let taken = position.marks(board, me) | position.marks(board, me.other());
            let wins = completing_places(position.marks(board, me)) & !taken;
            if wins != 0 {
                return ForcedMove::Win(NestedMove::from_index(
                    board * 9 + wins.trailing_zeros() as usize,
                ));
            }
        }
        ForcedMove::None
    }

    #[inline]
    fn move_score(
        &self,
        game: &Nested<D>,
        position: &<Nested<D> as Game>::Position,
        mv: NestedMove,
    ) -> i32 {
        let me = game.side(position);
        let you = me.other();
        let (board, cell) = (mv.index() / 9, mv.index() % 9);
        let mine = position.marks(board, me);
        let yours = position.marks(board, you);
        let mut promise = [3, 2, 3, 2, 4, 2, 3, 2, 3][cell];
        let depth = u32::from(game.options().depth());
        let owned_here = depth == 2
            && (position.owned_boards(me) | position.owned_boards(you)) >> board & 1 == 1;
        if !owned_here {
            if completing_places(mine) >> cell & 1 == 1 {
                promise += 60;
                if depth == 2 && completing_places(position.owned_boards(you)) >> board & 1 == 1 {
                    promise += 60;
                }
            } else if completing_places(yours) >> cell & 1 == 1 {
                promise += 20;
            }
        }
        if depth == 2 {
            // Where the opponent is sent.
            let to = cell;
            let open = position.closed_boards() >> to & 1 == 0;
            if !open || (position.owned_boards(me) | position.owned_boards(you)) >> to & 1 == 1 {
                promise -= 40;
            } else {
                let theirs = completing_places(position.marks(to, you))
                    & !(position.marks(to, me) | position.marks(to, you));
                if theirs != 0 {
                    promise -= 30;
                    if completing_places(position.owned_boards(you)) >> to & 1 == 1 {
                        promise -= 200;
                    }
                }
                let ours = completing_places(position.marks(to, me))
                    & !(position.marks(to, me) | position.marks(to, you));
                if ours != 0 {
                    promise -= 5;
                }
            }
        }
        promise
    }

    #[inline]
    fn can_win(
        &self,
        game: &Nested<D>,
        position: &<Nested<D> as Game>::Position,
        player: Side,
        plies: u32,
    ) -> bool {
        let options = game.options();
        // Counting boards can give a win without a line.
        if options.depth() != 2 || options.tiebreak() == Tiebreak::MostBoards {
            return true;
        }
        let plies = plies.min(game.count_open_cells(position));
        let moves = match options.won_board_rule() {
            WonBoardRule::PlayOn | WonBoardRule::FreeMove if game.side(position) == player => {
                plies.div_ceil(2)
            }
            WonBoardRule::PlayOn | WonBoardRule::FreeMove => plies / 2,
            WonBoardRule::ExtraMove | WonBoardRule::ExtraMoveChain => plies,
        };
        let (mine, yours) = (
            position.owned_boards(player),
            position.owned_boards(player.other()),
        );
        let lost = match options.shared_boards() {
            SharedBoards::Forbidden => yours,
            SharedBoards::Allowed => 0,
        };
        let mut needs = [0; 9];
        for (board, need) in needs.iter_mut().enumerate() {
            if mine >> board & 1 == 1 {
                continue;
            }
            *need = if lost >> board & 1 == 1 {
                NEVER
            } else {
                let [ours, theirs] = [player, player.other()].map(|p| position.marks(board, p));
                lacking(ours, theirs)
            };
        }
        LINE_PLACES
            .iter()
            .any(|line| line.iter().map(|&board| needs[board]).sum::<u32>() <= moves)
    }
}
