//! Search heuristics for nested boards.

use noughts_rules::{
    Depth, Game, LINES, Nested, NestedMove, NestedPosition, SharedBoards, Side, Tiebreak,
    WonBoardRule,
};

use super::evaluation::LINE_PLACES;
use crate::search::heuristics::{ForcedMove, SearchHeuristics};

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
