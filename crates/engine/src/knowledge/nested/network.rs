//! A small neural network that evaluates `ultimate`: the sum of one embedding per board, followed
//! by two thin layers. The programs in `training/` produce its file.
//!
//! ```text
//!   nine boards ──▶ an embedding for each place and state ────┐
//!   the target board ──▶ an embedding of its state ───────────┼─▶ sum ─▶ WIDTH ─▶ HIDDEN ─▶ 1
//!   where to move ──▶ an embedding for each of ten targets ───┘
//! ```
//!
//! All inputs are relative to the side to move: its own marks and the opponent's.

use std::sync::OnceLock;

use noughts_rules::{Depth, Game, Nested, NestedPosition};

use super::evaluation::{BOARD_STATES, board_state, decode_board_state};

/// Width of the accumulator, the sum of the embeddings.
const WIDTH: usize = 64;
/// Width of the hidden layer.
const HIDDEN: usize = 16;
/// The file stores the embedding of a board's state with this many factors.
const RANK: usize = 16;
/// The nine target boards, and a free move.
const TARGETS: usize = 10;

/// Fixed-point scale of the embeddings.
const EMBEDDING_SCALE: f32 = 512.0;
/// Fixed-point scale of the hidden layer's weights.
const WEIGHT_SCALE: f32 = 128.0;

/// The first bytes of a network file.
const MAGIC: &[u8; 16] = b"noughts net v1\n\0";

/// The embedded network.
static BUILT_IN: &[u8] = include_bytes!("ultimate.net");

/// Classes of depth-1 boards that are equivalent in `ultimate`: playable boards in the order of
/// their codes, then won by the side to move, won by the opponent, and full without a winner.
struct Classes {
    of_state: Box<[u16; BOARD_STATES]>,
    count: usize,
}

fn classes() -> &'static Classes {
    static CLASSES: OnceLock<Classes> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let mut of_state = Box::new([0; BOARD_STATES]);
        let mut closed = Vec::new();
        let mut count = 0;
        for code in 0..BOARD_STATES {
            let (cells, (x, o)) = decode_board_state(code);
            match (x, o, cells.contains(&0)) {
                (true, _, _) => closed.push((code, 0)),
                (_, true, _) => closed.push((code, 1)),
                (_, _, false) => closed.push((code, 2)),
                _ => {
                    of_state[code] = count;
                    count += 1;
                }
            }
        }
        for (code, class) in closed {
            of_state[code] = count + class;
        }
        Classes {
            of_state,
            count: usize::from(count) + 3,
        }
    })
}

/// Aligned to a cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Row([i16; WIDTH]);

/// The network with its embeddings expanded for fast accumulation.
pub struct Network {
    /// Embeddings by place and class.
    boards: Box<[Row]>,
    /// Embeddings of the target board by class.
    target_boards: Box<[Row]>,
    /// Embeddings by target.
    targets: [Row; TARGETS],
    hidden: Box<[Row; HIDDEN]>,
    hidden_bias: [f32; HIDDEN],
    output: [f32; HIDDEN],
    output_bias: f32,
    classes: &'static Classes,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network of {WIDTH}, {HIDDEN}, 1")
    }
}

/// Why a network file can't be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a network file that this version can read: {0}")]
pub struct NetworkError(String);

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let (head, rest) = self
            .0
            .split_first_chunk()
            .ok_or_else(|| NetworkError("the file is too short".into()))?;
        self.0 = rest;
        Ok(*head)
    }

    fn float(&mut self) -> Result<f32, NetworkError> {
        match f32::from_le_bytes(self.take()?) {
            float if float.is_finite() => Ok(float),
            _ => Err(NetworkError(
                "it contains a number that isn't finite".into(),
            )),
        }
    }

    fn floats<const N: usize>(&mut self) -> Result<[f32; N], NetworkError> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = self.float()?;
        }
        Ok(floats)
    }

    /// Reads quantized vectors, preceded by one scale per component.
    fn vectors(&mut self, count: usize) -> Result<Vec<[f32; RANK]>, NetworkError> {
        let scales: [f32; RANK] = self.floats()?;
        (0..count)
            .map(|_| {
                let quantized: [u8; RANK] = self.take()?;
                Ok(std::array::from_fn(|i| {
                    f32::from(quantized[i] as i8) * scales[i]
                }))
            })
            .collect()
    }

    fn matrix(&mut self) -> Result<[[f32; WIDTH]; RANK], NetworkError> {
        let mut matrix = [[0.0; WIDTH]; RANK];
        for row in &mut matrix {
            *row = self.floats()?;
        }
        Ok(matrix)
    }
}

fn product(vector: &[f32; RANK], matrix: &[[f32; WIDTH]; RANK]) -> [f32; WIDTH] {
    let mut sum = [0.0; WIDTH];
    for (factor, row) in vector.iter().zip(matrix) {
        for (sum, weight) in sum.iter_mut().zip(row) {
            *sum += factor * weight;
        }
    }
    sum
}

fn quantize(floats: &[f32; WIDTH], scale: f32) -> Row {
    Row(floats.map(|float| (float * scale).round().clamp(-3000.0, 3000.0) as i16))
}

impl Network {
    /// The embedded network; `None` if it can't be read. It is expanded on first use, which takes
    /// some hundredths of a second.
    #[inline]
    #[must_use]
    pub fn built_in() -> Option<&'static Network> {
        static NETWORK: OnceLock<Option<Network>> = OnceLock::new();
        NETWORK
            .get_or_init(|| Network::from_bytes(BUILT_IN).ok())
            .as_ref()
    }

    /// Reads a network file: the magic bytes; the factors of all classes for boards and for the
    /// target board; nine matrices for the places and one for the target board; ten embeddings for
    /// the targets; the hidden layer and its bias; the output weights and their bias. Numbers are
    /// little-endian.
    ///
    /// # Errors
    /// The bytes aren't a network file or are corrupted.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut reader = Reader(bytes);
        if reader.take()? != *MAGIC {
            return Err(NetworkError("the header is wrong".into()));
        }
        let classes = classes();
        let board_factors = reader.vectors(classes.count)?;
        let target_factors = reader.vectors(classes.count)?;
        let mut boards = Vec::with_capacity(9 * classes.count);
        for _ in 0..9 {
            let matrix = reader.matrix()?;
            boards.extend(
                board_factors
                    .iter()
                    .map(|factors| quantize(&product(factors, &matrix), EMBEDDING_SCALE)),
            );
        }
        let matrix = reader.matrix()?;
        let target_boards = target_factors
            .iter()
            .map(|factors| quantize(&product(factors, &matrix), EMBEDDING_SCALE))
            .collect();
        let mut targets = [Row([0; WIDTH]); TARGETS];
        for target in &mut targets {
            *target = quantize(&reader.floats()?, EMBEDDING_SCALE);
        }
        let mut hidden = Box::new([Row([0; WIDTH]); HIDDEN]);
        for row in hidden.iter_mut() {
            *row = quantize(&reader.floats()?, WEIGHT_SCALE);
        }
        let network = Network {
            boards: boards.into(),
            target_boards,
            targets,
            hidden,
            hidden_bias: reader.floats()?,
            output: reader.floats()?,
            output_bias: reader.float()?,
            classes,
        };
        if !reader.0.is_empty() {
            return Err(NetworkError("the file is too long".into()));
        }
        Ok(network)
    }

    /// The evaluation for the side to move, in hundredths of a logit.
    #[inline]
    #[must_use]
    pub fn evaluate<D: Depth>(&self, game: &Nested<D>, position: &NestedPosition<D>) -> i32 {
        let me = game.side(position);
        let opponent = me.other();
        let open = game.open_board_mask(position);
        let target_board = (open.count_ones() == 1).then(|| open.trailing_zeros() as usize);
        let Row(mut sum) = self.targets[target_board.unwrap_or(TARGETS - 1) % TARGETS];
        for board in 0..9 {
            let code = board_state(position.marks(board, me), position.marks(board, opponent));
            let class = usize::from(self.classes.of_state[code]);
            let row = &self.boards[board * self.classes.count + class].0;
            for (sum, &weight) in sum.iter_mut().zip(row) {
                *sum = sum.wrapping_add(weight);
            }
            if target_board == Some(board) {
                for (sum, &weight) in sum.iter_mut().zip(&self.target_boards[class].0) {
                    *sum = sum.wrapping_add(weight);
                }
            }
        }
        let sum = sum.map(|number| number.clamp(0, EMBEDDING_SCALE as i16));
        let mut logit = self.output_bias;
        for (i, row) in self.hidden.iter().enumerate() {
            let mut dot = 0i32;
            for (&a, &b) in sum.iter().zip(&row.0) {
                dot += i32::from(a) * i32::from(b);
            }
            let hidden = dot as f32 / (EMBEDDING_SCALE * WEIGHT_SCALE) + self.hidden_bias[i];
            logit += hidden.clamp(0.0, 1.0) * self.output[i];
        }
        (logit * 100.0) as i32
    }
}

#[cfg(test)]
mod tests {
    use rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Reads the numbers of the file in the order that [`Network::from_bytes`] documents.
    struct FileReader<'a>(&'a [u8]);

    impl FileReader<'_> {
        fn floats(&mut self, count: usize) -> Vec<f64> {
            let (head, rest) = self.0.split_at(4 * count);
            self.0 = rest;
            let float = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().expect("four bytes"));
            head.chunks(4).map(|bytes| float(bytes).into()).collect()
        }

        fn vectors(&mut self, count: usize) -> Vec<Vec<f64>> {
            let scales = self.floats(RANK);
            let (head, rest) = self.0.split_at(RANK * count);
            self.0 = rest;
            let row = |row: &[u8]| {
                let scaled = row.iter().zip(&scales);
                scaled
                    .map(|(&n, scale)| f64::from(n as i8) * scale)
                    .collect()
            };
            head.chunks(RANK).map(row).collect()
        }
    }

    /// The class of a board given by its cells (0 empty, 1 the side to move, 2 the opponent), found
    /// by counting all boards before it.
    fn class(cells: [usize; 9]) -> usize {
        let open =
            |cells: &[usize; 9], lines: (bool, bool)| lines == (false, false) && cells.contains(&0);
        let code = cells.iter().rev().fold(0, |code, cell| 3 * code + cell);
        let before = |code| {
            (0..code).filter(|&code| {
                let (cells, lines) = decode_board_state(code);
                open(&cells, lines)
            })
        };
        match decode_board_state(code) {
            (cells, lines) if open(&cells, lines) => before(code).count(),
            (_, (true, _)) => before(BOARD_STATES).count(),
            (_, (_, true)) => before(BOARD_STATES).count() + 1,
            _ => before(BOARD_STATES).count() + 2,
        }
    }

    /// Evaluates the network in floating point, straight from the file, in hundredths of a logit.
    fn reference_evaluation(boards: &[[usize; 9]; 9], target_board: Option<usize>) -> f64 {
        let mut reader = FileReader(&BUILT_IN[MAGIC.len()..]);
        let count = classes().count;
        let board_factors = reader.vectors(count);
        let target_factors = reader.vectors(count);
        let mut sum = vec![0.0; WIDTH];
        let mut add = |factors: &[f64], matrix: &[f64]| {
            for (factor, row) in factors.iter().zip(matrix.chunks(WIDTH)) {
                for (sum, weight) in sum.iter_mut().zip(row) {
                    *sum += factor * weight;
                }
            }
        };
        for board in boards {
            add(&board_factors[class(*board)], &reader.floats(RANK * WIDTH));
        }
        let matrix = reader.floats(RANK * WIDTH);
        if let Some(board) = target_board {
            add(&target_factors[class(boards[board])], &matrix);
        }
        let targets = reader.floats(TARGETS * WIDTH);
        add(
            &[1.0],
            &targets[target_board.unwrap_or(9) * WIDTH..][..WIDTH],
        );
        let hidden = reader.floats(HIDDEN * WIDTH);
        let bias = reader.floats(HIDDEN);
        let output = reader.floats(HIDDEN);
        let mut logit = reader.floats(1)[0];
        for (i, row) in hidden.chunks(WIDTH).enumerate() {
            let inputs = sum.iter().zip(row);
            let dot: f64 = inputs
                .map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight)
                .sum();
            logit += (dot + bias[i]).clamp(0.0, 1.0) * output[i];
        }
        100.0 * logit
    }

    /// Checks reading the file, the classes, the expansion and the fixed-point arithmetic at once.
    #[test]
    fn network_matches_the_floating_point_reference() {
        let network = Network::from_bytes(BUILT_IN).expect("the built-in network is whole");
        let game = Nested::ultimate();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut least, mut most) = (f64::MAX, f64::MIN);
        for plies in 0..45 {
            let mut position = game.start();
            for _ in 0..plies {
                if let Some(mv) = game.random_move(&position, &mut rng) {
                    game.apply(&mut position, mv);
                }
            }
            if game.outcome(&position).is_some() {
                continue;
            }
            let me = game.side(&position);
            let cell = |board, cell| {
                let has_mark = |side| position.marks(board, side) >> cell & 1;
                (has_mark(me) + 2 * has_mark(me.other())) as usize
            };
            let boards = std::array::from_fn(|board| {
                std::array::from_fn(|cell_index| cell(board, cell_index))
            });
            let open = game.open_board_mask(&position);
            let target_board = (open.count_ones() == 1).then(|| open.trailing_zeros() as usize);
            let expected = reference_evaluation(&boards, target_board);
            let actual = f64::from(network.evaluate(&game, &position));
            assert!(
                (actual - expected).abs() < 8.0,
                "{actual} for {expected} after {plies} plies"
            );
            (least, most) = (least.min(expected), most.max(expected));
        }
        assert!(
            most - least > 100.0,
            "the positions differ: {least} to {most}"
        );
    }

    #[test]
    fn corrupted_networks_are_rejected() {
        for bytes in [
            &b""[..],
            b"noughts net v2\n\0",
            &BUILT_IN[..BUILT_IN.len() - 1],
        ] {
            assert!(Network::from_bytes(bytes).is_err());
        }
        let mut longer = BUILT_IN.to_vec();
        longer.push(0);
        assert!(Network::from_bytes(&longer).is_err());
    }
}
