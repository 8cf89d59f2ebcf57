//! Nested boards: how likely each board is to be owned, from the inside out.

use std::sync::{Arc, OnceLock};

use noughts_rules::{Depth, Game, LINES, Nested, Owner, Player, Variant};

use super::Evaluation;
use super::network::Network;

/// Gives each board a chance of being owned by either player: depth-1 boards from
/// a table, the boards around them from the chances of their lines.
///
/// `ultimate` has a learned evaluation instead.
#[derive(Clone, Debug)]
pub struct NestedBoards {
    chances: &'static [[f32; 2]; STATES],
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
pub(crate) const STATES: usize = 19_683;

/// The eight lines, as places.
pub(crate) const PLACES: [[usize; 3]; 8] = {
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
pub(crate) static TERNARY: [u16; 512] = {
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
pub(crate) fn state(x: u32, o: u32) -> usize {
    usize::from(TERNARY[(x & 511) as usize]) + 2 * usize::from(TERNARY[(o & 511) as usize])
}

/// The cells of a state, and whether its first and its second player have a line.
pub(crate) fn laid_out(state: usize) -> ([usize; 9], (bool, bool)) {
    let mut cells = [0; 9];
    let mut rest = state;
    for cell in &mut cells {
        *cell = rest % 3;
        rest /= 3;
    }
    let has = |mark| {
        let mut lines = PLACES.iter();
        lines.any(|line| line.iter().all(|&place| cells[place] == mark))
    };
    (cells, (has(1), has(2)))
}

/// How a board ends when marks of either player fall on its empty cells at random:
/// the chance that X, and that O, is the first with a line.
fn chances() -> &'static [[f32; 2]; STATES] {
    static CHANCES: OnceLock<Box<[[f32; 2]; STATES]>> = OnceLock::new();
    CHANCES.get_or_init(|| {
        let mut table = Box::new([[0.0; 2]; STATES]);
        // A mark more is a larger number: from the full boards down.
        for code in (0..STATES).rev() {
            let (cells, lines) = laid_out(code);
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

impl NestedBoards {
    /// The best there is for this game.
    #[must_use]
    pub fn new<D: Depth>(game: &Nested<D>) -> NestedBoards {
        NestedBoards::plain(game).learned(game, Learned::BuiltIn)
    }

    /// With a network, for a game of `ultimate`.
    #[must_use]
    pub fn with_network<D: Depth>(game: &Nested<D>, network: Arc<Network>) -> NestedBoards {
        NestedBoards::plain(game).learned(game, Learned::Given(network))
    }

    /// Networks know nothing but `ultimate`.
    fn learned<D: Depth>(mut self, game: &Nested<D>, learned: Learned) -> NestedBoards {
        if game.variant() == Variant::ULTIMATE {
            self.learned = learned;
        }
        self
    }

    /// Made by hand, for every nested game.
    #[must_use]
    pub fn plain<D: Depth>(game: &Nested<D>) -> NestedBoards {
        NestedBoards {
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
                Owner::One(Player::X) => return [1.0, 0.0],
                Owner::One(Player::O) => return [0.0, 1.0],
                Owner::Both => return [1.0, 1.0],
            }
        }
        if level + 1 == self.depth {
            let [x, o] = Player::BOTH.map(|player| position.marks(index, player));
            return self.chances[state(x, o)];
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
    for [a, b, c] in PLACES {
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

impl<D: Depth> Evaluation<Nested<D>> for NestedBoards {
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
            Player::X => score,
            Player::O => -score,
        };
        let free = self.depth == 2 && game.open_set(position).count_ones() > 1;
        if free { score + FREE } else { score }
    }
}
