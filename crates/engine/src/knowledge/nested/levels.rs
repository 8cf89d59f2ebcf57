//! Heuristics for nested boards: the value of a cell is its value to its board, multiplied by that
//! board's value to its parent, and so on up to the root.

use noughts_rules::{
    Depth, Game, LINES, Nested, NestedMove, NestedPosition, Outcome, SharedBoards, Side,
};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::heuristics::completing_places;
use crate::bots::levels::{LevelHeuristics, MoveMerit, SkillLevel, try_all_for_win};

/// What one more place adds to a line on which only one player has places, by the number of these.
/// The last entry completes the line.
const LINE_VALUE: [f64; 3] = [1.0, 4.0, 20.0];

/// Up to this many moves are tried one by one when looking for a win.
const MAX_TRIED_MOVES: usize = 128;

impl<D: Depth> LevelHeuristics for Nested<D> {
    fn classic_center(&self) -> Option<NestedMove> {
        (self.options().depth() == 1).then(|| NestedMove::from_index(4))
    }

    fn opponent_would_win_at(&self, position: &NestedPosition<D>, mv: NestedMove) -> bool {
        let theirs = position.marks(0, self.side(position).other());
        completing_places(theirs) >> mv.index() & 1 == 1
    }

    fn merit(
        &self,
        position: &NestedPosition<D>,
        mv: NestedMove,
        skill: SkillLevel,
        _: &mut Xoshiro256PlusPlus,
    ) -> MoveMerit {
        let me = self.side(position);
        let depth = u32::from(self.options().depth());
        let parents = (1..depth).map(|level| (level, board_and_place(mv, level, depth).0));
        if parents.clone().any(|(level, index)| {
            Side::BOTH.map(|side| is_closed(self, position, level, index, side)) == [true; 2]
        }) {
            return MoveMerit::NONE;
        }
        let boards = boards_won(self, position, mv, me);
        if skill == SkillLevel::Novice {
            return MoveMerit { boards, gain: 0.0 };
        }
        let mut gain = 1.0;
        for level in 0..depth {
            let (index, place) = board_and_place(mv, level, depth);
            let [mine, theirs] =
                [me, me.other()].map(|side| position.owned_children(level, index, side));
            // Boards that nobody can win any more are known only at the outermost level.
            let unwinnable = match level {
                0 if depth > 1 => position.closed_boards() & !(mine | theirs),
                _ => 0,
            };
            // A board that both players can own blocks nobody's line.
            let is_blocking =
                level + 1 == depth || self.options().shared_boards() == SharedBoards::Forbidden;
            let blocked = |set: u32| unwinnable | if is_blocking { set } else { 0 };
            gain *= (place_value(place, mine, blocked(theirs))
                + place_value(place, theirs, blocked(mine)))
                / LINE_VALUE[2];
        }
        MoveMerit { boards, gain }
    }

    fn wins(&self, position: &NestedPosition<D>, mv: NestedMove) -> bool {
        let me = self.side(position);
        if self.options().depth() <= 3 {
            return self.outcome(&self.after(position, mv)) == Some(Outcome::Win(me));
        }
        // The position is too large to copy for every move: only a line on the outermost board
        // counts.
        boards_won(self, position, mv, me) == u32::from(self.options().depth())
    }

    fn find_win(&self, position: &NestedPosition<D>, skill: SkillLevel) -> Option<NestedMove> {
        if self.count_moves(position) <= MAX_TRIED_MOVES {
            return try_all_for_win(self, position, skill);
        }
        // Only cells that complete a line on every level can win, so few boards are visited even on
        // huge positions.
        find_completing_cell(self, position, self.side(position), 0, 0)
    }

    fn max_candidates(&self) -> usize {
        // The cost of copying the position limits how many moves can be examined.
        match self.options().depth() {
            0..=3 => 729,
            4 => 128,
            5 => 64,
            _ => 32,
        }
    }

    fn considers_replies(&self) -> bool {
        true
    }

    fn free_choice_cost(&self, after: &NestedPosition<D>) -> f64 {
        if !self.gives_free_choice(after) {
            return 0.0;
        }
        // About the value of one more mark in the center of an empty board.
        let each_level: f64 = 2.0 * 4.0 * LINE_VALUE[0] / LINE_VALUE[2];
        each_level.powi(i32::from(self.options().depth()))
    }

    fn gives_free_choice(&self, position: &NestedPosition<D>) -> bool {
        // A free move never goes to the board that the player was sent to.
        match (self.target_board(position), self.nth_move(position, 0)) {
            (Some(target), Some(first)) => first.index() / 9 != target,
            _ => false,
        }
    }
}

/// How many boards, from the cell outward, the move wins for its player.
fn boards_won<D: Depth>(
    game: &Nested<D>,
    position: &NestedPosition<D>,
    mv: NestedMove,
    me: Side,
) -> u32 {
    let depth = u32::from(game.options().depth());
    let mut won = 0;
    for level in (0..depth).rev() {
        let (index, place) = board_and_place(mv, level, depth);
        let mine = position.owned_children(level, index, me);
        let closed = level > 0 && is_closed(game, position, level, index, me);
        if closed || completing_places(mine) >> place & 1 == 0 {
            break;
        }
        won += 1;
    }
    won
}

/// A legal cell with which `me` completes a line on this board and on every board on the path to
/// the cell.
fn find_completing_cell<D: Depth>(
    game: &Nested<D>,
    position: &NestedPosition<D>,
    me: Side,
    level: u32,
    index: usize,
) -> Option<NestedMove> {
    let depth = u32::from(game.options().depth());
    let mine = position.owned_children(level, index, me);
    let mut places = (0..9).filter(|place| completing_places(mine) >> place & 1 == 1);
    places.find_map(|place| {
        let child = index * 9 + place;
        if level + 1 == depth {
            let mv = NestedMove::from_index(child);
            game.check(position, mv).is_ok().then_some(mv)
        } else if is_closed(game, position, level + 1, child, me) {
            None
        } else {
            find_completing_cell(game, position, me, level + 1, child)
        }
    })
}

/// Whether this player can no longer become the owner of a board below the outermost.
fn is_closed<D: Depth>(
    game: &Nested<D>,
    position: &NestedPosition<D>,
    level: u32,
    index: usize,
    side: Side,
) -> bool {
    let owned = |side| position.owned_children(level - 1, index / 9, side) >> (index % 9) & 1 == 1;
    match game.options().shared_boards() {
        SharedBoards::Forbidden => owned(side) || owned(side.other()),
        SharedBoards::Allowed => owned(side),
    }
}

/// The board at this level that contains the cell, and the place within it.
fn board_and_place(mv: NestedMove, level: u32, depth: u32) -> (usize, u32) {
    let inside = mv.index() / 9usize.pow(depth - 1 - level);
    (inside / 9, (inside % 9) as u32)
}

/// The value of a place to the owner of `mine`; lines through `blocked` don't count.
fn place_value(place: u32, mine: u32, blocked: u32) -> f64 {
    LINES
        .iter()
        .filter(|&line| line >> place & 1 == 1 && line & blocked & !(1 << place) == 0)
        .map(|line| LINE_VALUE[(line & mine & !(1 << place)).count_ones().min(2) as usize])
        .sum()
}
