//! The evaluation of nested boards: the probability that each board will be won, from the inside
//! out.

use std::sync::{Arc, OnceLock};

use noughts_rules::{Depth, Game, LINES, Nested, Owner, Side, Variant};

use super::network::Network;
use crate::evaluation::Evaluation;

/// Assigns each board a probability of being won by either player: depth-1 boards by table lookup,
/// parent boards from the probabilities of their lines.
///
/// `ultimate` uses a neural network instead.
#[derive(Clone, Debug)]
pub struct NestedEvaluation {
    win_probabilities: &'static [[f32; 2]; BOARD_STATES],
    depth: u32,
    network: NetworkSource,
}

/// The neural network to use, if any.
#[derive(Clone, Debug)]
enum NetworkSource {
    None,
    /// The embedded network. It is loaded when it is first needed, and a proof never needs it.
    BuiltIn,
    Custom(Arc<Network>),
}

/// Number of states of a depth-1 board, encoded in ternary: 0 empty, 1 X, 2 O.
pub(crate) const BOARD_STATES: usize = 19_683;

/// The places of each of the eight lines.
pub(crate) const LINE_PLACES: [[usize; 3]; 8] = {
    let mut places = [[0; 3]; 8];
    let mut line = 0;
    while line < 8 {
        let first = LINES[line].trailing_zeros() as usize;
        let last = LINES[line].ilog2() as usize;
        places[line] = [first, usize::midpoint(first, last), last];
        line += 1;
    }
    places
};

/// `TERNARY_CODE[set]`: the sum of 3ⁱ over its members.
pub(crate) static TERNARY_CODE: [u16; 512] = {
    let mut table = [0; 512];
    let mut set: usize = 1;
    while set < 512 {
        table[set] = table[set & (set - 1)] + 3u16.pow(set.trailing_zeros());
        set += 1;
    }
    table
};

/// The ternary code of a board with these marks.
#[inline]
pub(crate) fn board_state(x: u32, o: u32) -> usize {
    usize::from(TERNARY_CODE[(x & 511) as usize])
        + 2 * usize::from(TERNARY_CODE[(o & 511) as usize])
}

/// The cells of a board state, and whether the first and the second player have a line.
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

/// The probabilities that X and that O is first to complete a line if marks of either player fall
/// on the empty cells at random.
fn win_probabilities() -> &'static [[f32; 2]; BOARD_STATES] {
    static PROBABILITIES: OnceLock<Box<[[f32; 2]; BOARD_STATES]>> = OnceLock::new();
    PROBABILITIES.get_or_init(|| {
        let mut table = Box::new([[0.0; 2]; BOARD_STATES]);
        // Adding a mark increases the code, so go down from full boards.
        for code in (0..BOARD_STATES).rev() {
            let (cells, has_lines) = decode_board_state(code);
            table[code] = match has_lines {
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
    /// The best evaluation available for this game.
    #[must_use]
    pub fn new<D: Depth>(game: &Nested<D>) -> NestedEvaluation {
        NestedEvaluation::hand_crafted(game).with_source(game, NetworkSource::BuiltIn)
    }

    /// The evaluation by a neural network, for a game of `ultimate`.
    #[must_use]
    pub fn with_network<D: Depth>(game: &Nested<D>, network: Arc<Network>) -> NestedEvaluation {
        NestedEvaluation::hand_crafted(game).with_source(game, NetworkSource::Custom(network))
    }

    /// Sets the network if the game is `ultimate`, the only one that networks can evaluate.
    fn with_source<D: Depth>(
        mut self,
        game: &Nested<D>,
        source: NetworkSource,
    ) -> NestedEvaluation {
        if game.variant() == Variant::ULTIMATE {
            self.network = source;
        }
        self
    }

    /// The hand-crafted evaluation, for every nested game.
    #[must_use]
    pub fn hand_crafted<D: Depth>(game: &Nested<D>) -> NestedEvaluation {
        NestedEvaluation {
            win_probabilities: win_probabilities(),
            depth: u32::from(game.options().depth()),
            network: NetworkSource::None,
        }
    }

    /// The probabilities that X and O win board `index` of `level`.
    fn board_probabilities<D: Depth>(
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
            let [x, o] = Side::BOTH.map(|side| position.marks(index, side));
            return self.win_probabilities[board_state(x, o)];
        }
        let children: [[f32; 2]; 9] = std::array::from_fn(|place| {
            self.board_probabilities(game, position, level + 1, index * 9 + place)
        });
        line_probabilities(&children)
    }
}

/// The probabilities of at least one line, assuming that boards and lines are independent.
fn line_probabilities(children: &[[f32; 2]; 9]) -> [f32; 2] {
    let mut no_line = [1.0; 2];
    for [a, b, c] in LINE_PLACES {
        for side in 0..2 {
            no_line[side] *= 1.0 - children[a][side] * children[b][side] * children[c][side];
        }
    }
    no_line.map(|no_line| 1.0 - no_line)
}

/// Converts probabilities to hundredths of a logit; tuned by matches.
const SCALE: f32 = 500.0;

/// The bonus for a free choice of the board.
const FREE_MOVE_BONUS: i32 = 25;

impl<D: Depth> Evaluation<Nested<D>> for NestedEvaluation {
    fn evaluate(&self, game: &Nested<D>, position: &<Nested<D> as Game>::Position) -> i32 {
        let network = match &self.network {
            NetworkSource::None => None,
            NetworkSource::BuiltIn => Network::built_in(),
            NetworkSource::Custom(network) => Some(network.as_ref()),
        };
        if let Some(network) = network {
            return network.evaluate(game, position);
        }
        let [x, o] = self.board_probabilities(game, position, 0, 0);
        let score = ((x - o) * SCALE) as i32;
        let score = match game.side(position) {
            Side::X => score,
            Side::O => -score,
        };
        let has_free_move = self.depth == 2 && game.open_board_mask(position).count_ones() > 1;
        score + if has_free_move { FREE_MOVE_BONUS } else { 0 }
    }
}
