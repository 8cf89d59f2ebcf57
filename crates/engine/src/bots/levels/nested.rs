//! Nested boards: a cell is worth what it does for its board, times what that
//! board is worth to the one around it, and so on outwards.

use noughts_rules::{
    Depth, Game, LINES, Nested, NestedMove, NestedPosition, Outcome, SharedBoards, Side,
};

use super::{LevelHeuristics, Merit, SkillLevel, try_all_for_win};

/// A line that only one player has places on, by their number: what one more is
/// worth to that player. The last is a line completed.
const LINE: [f64; 3] = [1.0, 4.0, 20.0];

/// Up to so many moves are tried one by one when looking for a win.
const FEW: usize = 128;

impl<D: Depth> LevelHeuristics for Nested<D> {
    fn classic_center(&self) -> Option<NestedMove> {
        (self.options().depth() == 1).then(|| NestedMove::from_index(4))
    }

    fn opponent_would_win_at(&self, position: &NestedPosition<D>, mv: NestedMove) -> bool {
        let theirs = position.marks(0, self.side(position).other());
        completes((mv.index() % 9) as u32, theirs)
    }

    fn merit(&self, position: &NestedPosition<D>, mv: NestedMove, eye: SkillLevel) -> Merit {
        let me = self.side(position);
        let depth = u32::from(self.options().depth());
        let around = (1..depth).map(|level| (level, board_and_place(mv, level, depth).0));
        if around.clone().any(|(level, index)| {
            Side::BOTH.map(|player| is_closed(self, position, level, index, player)) == [true; 2]
        }) {
            return Merit::NONE;
        }
        let boards = boards_won(self, position, mv, me);
        if eye == SkillLevel::Novice {
            return Merit { boards, gain: 0.0 };
        }
        let mut gain = 1.0;
        for level in 0..depth {
            let (index, place) = board_and_place(mv, level, depth);
            let [mine, theirs] =
                [me, me.other()].map(|player| position.owned_children(level, index, player));
            // Boards that nobody can win any more are known only outermost.
            let dead = match level {
                0 if depth > 1 => position.closed_boards() & !(mine | theirs),
                _ => 0,
            };
            // A board that both can own stops nobody's line.
            let stops =
                level + 1 == depth || self.options().shared_boards() == SharedBoards::Forbidden;
            let stop = |set: u32| if stops { set | dead } else { dead };
            gain *= (help(place, mine, stop(theirs)) + help(place, theirs, stop(mine))) / LINE[2];
        }
        Merit { boards, gain }
    }

    fn wins(&self, position: &NestedPosition<D>, mv: NestedMove) -> bool {
        let me = self.side(position);
        if self.options().depth() <= 3 {
            let mut after = position.clone();
            self.apply(&mut after, mv);
            return self.outcome(&after) == Some(Outcome::Win(me));
        }
        // Too large to copy for every look: only a line on the outermost board counts.
        boards_won(self, position, mv, me) == u32::from(self.options().depth())
    }

    fn find_win(&self, position: &NestedPosition<D>, eye: SkillLevel) -> Option<NestedMove> {
        if self.count_moves(position) <= FEW {
            return try_all_for_win(self, position, eye);
        }
        // Only cells that complete a line on every level can win: few boards are
        // ever entered, however many cells there are.
        completing(self, position, self.side(position), 0, 0)
    }

    fn max_candidates(&self) -> usize {
        // What a copy of the position costs decides how many moves are looked at.
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
        // About what one more mark in the middle of an empty board is worth.
        let each_level: f64 = 2.0 * 4.0 * LINE[0] / LINE[2];
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

/// On how many boards, from the cell outwards, the move completes a line that
/// makes its player the owner.
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
        if closed || !completes(place, mine) {
            break;
        }
        won += 1;
    }
    won
}

/// A legal cell by which `me` completes a line on this board and on every one
/// inside it on the way.
fn completing<D: Depth>(
    game: &Nested<D>,
    position: &NestedPosition<D>,
    me: Side,
    level: u32,
    index: usize,
) -> Option<NestedMove> {
    let depth = u32::from(game.options().depth());
    let mine = position.owned_children(level, index, me);
    let mut places = (0..9u32).filter(|&place| mine >> place & 1 == 0 && completes(place, mine));
    places.find_map(|place| {
        let child = index * 9 + place as usize;
        if level + 1 == depth {
            let mv = NestedMove::from_index(child);
            game.check(position, mv).is_ok().then_some(mv)
        } else if is_closed(game, position, level + 1, child, me) {
            None
        } else {
            completing(game, position, me, level + 1, child)
        }
    })
}

/// Can this player no longer become the owner of a board below the outermost?
fn is_closed<D: Depth>(
    game: &Nested<D>,
    position: &NestedPosition<D>,
    level: u32,
    index: usize,
    player: Side,
) -> bool {
    let owned =
        |player| position.owned_children(level - 1, index / 9, player) >> (index % 9) & 1 == 1;
    match game.options().shared_boards() {
        SharedBoards::Forbidden => owned(player) || owned(player.other()),
        SharedBoards::Allowed => owned(player),
    }
}

/// The board of this level that holds the cell, and the place in it that does.
fn board_and_place(mv: NestedMove, level: u32, depth: u32) -> (usize, u32) {
    let inside = mv.index() / 9usize.pow(depth - 1 - level);
    (inside / 9, (inside % 9) as u32)
}

/// Does this place complete a line?
fn completes(place: u32, mine: u32) -> bool {
    let set = mine | 1 << place;
    LINES
        .iter()
        .any(|line| line >> place & 1 == 1 && line & !set == 0)
}

/// What the place is worth to the owner of `mine`; no line goes through `stop`.
fn help(place: u32, mine: u32, stop: u32) -> f64 {
    LINES
        .iter()
        .filter(|&line| line >> place & 1 == 1 && line & stop & !(1 << place) == 0)
        .map(|line| LINE[(line & mine & !(1 << place)).count_ones().min(2) as usize])
        .sum()
}
