//! Nested boards: how likely each board is to be owned, from the inside out.

use std::sync::{Arc, OnceLock};

use noughts_rules::{Depth, Game, LINES, Nested, Owner, Side, Variant};

use super::Evaluation;
use super::network::Network;

/// Gives each board a chance of being owned by either player: depth-1 boards from
/// a table, the boards around them from the chances of their lines.
///
/// `ultimate` has a learned evaluation instead.
#[derive(Clone, Debug)]
pub struct NestedEvaluation {
    chances: &'static [[f32; 2]; BOARD_STATES],
    depth: u32,
    learned: Learned,
}

/// What was learned of the game.
#[derive(Clone, Debug)]
enum Learned {
    Nothing,
    /// The network that comes with the program, which is not touched before it is
    /// needed: a proof never needs it.
    BuiltIn,
    Given(Arc<Network>),
}

/// A depth-1 board has so many states, written in ternary: 0 empty, 1 X, 2 O.
pub(crate) const BOARD_STATES: usize = 19_683;

/// The eight lines, as places.
pub(crate) const LINE_PLACES: [[usize; 3]; 8] = {
    let mut places = [[0; 3]; 8];
    let mut line = 0;
    while line < 8 {
        let (mut place, mut n) = (0, 0);
        while place < 9 {
            if LINES[line] >> place & 1 == 1 {
                places[line][n] = place;
                n += 1;
            }
            place += 1;
        }
        line += 1;
    }
    places
};

/// `TERNARY[set]`: the sum of 3ⁱ over its members.
pub(crate) static TERNARY_CODE: [u16; 512] = {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512 {
        let (mut place, mut power) = (0, 1);
        while place < 9 {
            if set >> place & 1 == 1 {
                table[set] += power;
            }
            power *= 3;
            place += 1;
        }
        set += 1;
    }
    table
};

/// The number of a state.
#[inline]
pub(crate) fn board_state(x: u32, o: u32) -> usize {
    usize::from(TERNARY_CODE[(x & 511) as usize])
        + 2 * usize::from(TERNARY_CODE[(o & 511) as usize])
}

/// The cells of a state, and whether its first and its second player have a line.
pub(crate) fn decode_board_state(state: usize) -> ([usize; 9], (bool, bool)) {
    let mut cells = [0; 9];
    let mut rest = state;
    for cell in &mut cells {
        *cell = rest % 3;
        rest /= 3;
    }
    let has = |mark| {
        let mut lines = LINE_PLACES.iter();
        lines.any(|line| line.iter().all(|&place| cells[place] == mark))
    };
    (cells, (has(1), has(2)))
}

/// How a board ends when marks of either player fall on its empty cells at random:
/// the chance that X, and that O, is the first with a line.
fn chances() -> &'static [[f32; 2]; BOARD_STATES] {
    static CHANCES: OnceLock<Box<[[f32; 2]; BOARD_STATES]>> = OnceLock::new();
    CHANCES.get_or_init(|| {
        let mut table = Box::new([[0.0; 2]; BOARD_STATES]);
        // A mark more is a larger number: from the full boards down.
        for code in (0..BOARD_STATES).rev() {
            let (cells, lines) = decode_board_state(code);
            table[code] = match lines {
                (true, _) => [1.0, 0.0],
                (_, true) => [0.0, 1.0],
                _ => {
                    let (mut sum, mut n) = ([0.0; 2], 0.0);
                    let mut power = 1;
                    for cell in cells {
                        if cell == 0 {
                            for mark in [1, 2] {
                                let next: [f32; 2] = table[code + mark * power];
                                sum[0] += next[0];
                                sum[1] += next[1];
                                n += 1.0;
                            }
                        }
                        power *= 3;
                    }
                    if n > 0.0 {
                        sum.map(|s| s / n)
                    } else {
                        [0.0; 2]
                    }
                }
            };
        }
        table
    })
}

impl NestedEvaluation {
    /// The best there is for this game.
    #[must_use]
    pub fn new<D: Depth>(game: &Nested<D>) -> NestedEvaluation {
        NestedEvaluation::hand_crafted(game).learned(game, Learned::BuiltIn)
    }

    /// With a network, for a game of `ultimate`.
    #[must_use]
    pub fn with_network<D: Depth>(game: &Nested<D>, network: Arc<Network>) -> NestedEvaluation {
        NestedEvaluation::hand_crafted(game).learned(game, Learned::Given(network))
    }

    /// Networks know nothing but `ultimate`.
    fn learned<D: Depth>(mut self, game: &Nested<D>, learned: Learned) -> NestedEvaluation {
        if game.variant() == Variant::ULTIMATE {
            self.learned = learned;
        }
        self
    }

    /// Made by hand, for every nested game.
    #[must_use]
    pub fn hand_crafted<D: Depth>(game: &Nested<D>) -> NestedEvaluation {
        NestedEvaluation {
            chances: chances(),
            depth: u32::from(game.options().depth()),
            learned: Learned::Nothing,
        }
    }

    /// The chances that X and O own board `index` of `level`.
    fn chance<D: Depth>(
        &self,
        game: &Nested<D>,
        position: &<Nested<D> as Game>::Position,
        level: u32,
        index: usize,
    ) -> [f32; 2] {
        if level > 0 {
            match game.owner(position, level, index) {
                Owner::Nobody => {}
                Owner::One(Side::X) => return [1.0, 0.0],
                Owner::One(Side::O) => return [0.0, 1.0],
                Owner::Both => return [1.0, 1.0],
            }
        }
        if level + 1 == self.depth {
            let [x, o] = Side::BOTH.map(|player| position.marks(index, player));
            return self.chances[board_state(x, o)];
        }
        let children: [[f32; 2]; 9] =
            std::array::from_fn(|place| self.chance(game, position, level + 1, index * 9 + place));
        lines(&children)
    }
}

/// The chances of at least one line, as if boards and lines had nothing to do with
/// each other.
fn lines(children: &[[f32; 2]; 9]) -> [f32; 2] {
    let mut none = [1.0; 2];
    for [a, b, c] in LINE_PLACES {
        for player in 0..2 {
            none[player] *= 1.0 - children[a][player] * children[b][player] * children[c][player];
        }
    }
    none.map(|none| 1.0 - none)
}

/// From chances to hundredths of a logit; found by matches.
const SCALE: f32 = 500.0;

/// A free choice of the board.
const FREE: i32 = 25;

impl<D: Depth> Evaluation<Nested<D>> for NestedEvaluation {
    fn evaluate(&self, game: &Nested<D>, position: &<Nested<D> as Game>::Position) -> i32 {
        let network = match &self.learned {
            Learned::Nothing => None,
            Learned::BuiltIn => Network::built_in(),
            Learned::Given(network) => Some(network.as_ref()),
        };
        if let Some(network) = network {
            return network.evaluate(game, position);
        }
        let [x, o] = self.chance(game, position, 0, 0);
        let score = ((x - o) * SCALE) as i32;
        let score = match game.side(position) {
            Side::X => score,
            Side::O => -score,
        };
        let free = self.depth == 2 && game.open_board_mask(position).count_ones() > 1;
        if free { score + FREE } else { score }
    }
}
