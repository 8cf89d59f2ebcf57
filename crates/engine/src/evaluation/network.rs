//! A small learned evaluation of `ultimate`: what each board looks like, added up,
//! and two thin layers on top. `training/` makes the file that it is read from.
//!
//! ```text
//!   nine boards ──▶ a row for each, by its place and state ─┐
//!   the board sent to ──▶ a row by its state ───────────────┼─▶ sum ─▶ WIDTH ─▶ HIDDEN ─▶ 1
//!   where one is sent ──▶ a row for each of ten cases ──────┘
//! ```
//!
//! Everything is seen by the side to move: its own marks and the opponent's.

use std::sync::OnceLock;

use noughts_rules::{Depth, Game, Nested, NestedPosition};

use super::nested::{BOARD_STATES, board_state, decode_board_state};

/// The sum of the rows has so many numbers.
const WIDTH: usize = 64;
/// The layer after it.
const HIDDEN: usize = 16;
/// The file describes a board's state by so many numbers.
const RANK: usize = 16;
/// The nine boards to be sent to, and a free choice.
const TARGETS: usize = 10;

/// Rows are kept in units of `1 / UNIT`.
const UNIT: f32 = 512.0;
/// Weights of the hidden layer likewise.
const WEIGHT: f32 = 128.0;

/// The first bytes of a file.
const MAGIC: &[u8; 16] = b"noughts net v1\n\0";

/// The network that comes with the program.
static BUILT_IN: &[u8] = include_bytes!("ultimate.net");

/// States of a depth-1 board that differ to a player of `ultimate`: those that can
/// be played in, in the order of their numbers, then owned by the one to move,
/// owned by the other, and full without an owner.
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
        for (code, kind) in closed {
            of_state[code] = count + kind;
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
struct Wide([i16; WIDTH]);

/// The network, laid out for quick sums.
pub struct Network {
    /// By place and class.
    boards: Box<[Wide]>,
    /// By class: the board that one is sent to.
    sent: Box<[Wide]>,
    /// By target.
    targets: [Wide; TARGETS],
    hidden: Box<[Wide; HIDDEN]>,
    hidden_bias: [f32; HIDDEN],
    last: [f32; HIDDEN],
    last_bias: f32,
    classes: &'static Classes,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Network of {WIDTH}, {HIDDEN}, 1")
    }
}

/// What is wrong with a network's file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this is no network that this version can read: {0}")]
pub struct NetworkError(String);

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let (head, rest) = self
            .0
            .split_first_chunk()
            .ok_or_else(|| NetworkError("it is too short".into()))?;
        self.0 = rest;
        Ok(*head)
    }

    fn float(&mut self) -> Result<f32, NetworkError> {
        let float = f32::from_le_bytes(self.take()?);
        if float.is_finite() {
            Ok(float)
        } else {
            Err(NetworkError("it has a number that is none".into()))
        }
    }

    fn floats<const N: usize>(&mut self) -> Result<[f32; N], NetworkError> {
        let mut floats = [0.0; N];
        for float in &mut floats {
            *float = self.float()?;
        }
        Ok(floats)
    }

    /// Vectors of small whole numbers, with a scale for each of their places.
    fn vectors(&mut self, count: usize) -> Result<Vec<[f32; RANK]>, NetworkError> {
        let scales: [f32; RANK] = self.floats()?;
        (0..count)
            .map(|_| {
                let small: [u8; RANK] = self.take()?;
                Ok(std::array::from_fn(|i| {
                    f32::from(small[i] as i8) * scales[i]
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

fn wide(floats: &[f32; WIDTH], unit: f32) -> Wide {
    Wide(floats.map(|float| (float * unit).round().clamp(-3000.0, 3000.0) as i16))
}

impl Network {
    /// The network that comes with the program; none if it cannot be read. It is
    /// laid out when it is first asked for, which takes some hundredths of a second.
    #[inline]
    #[must_use]
    pub fn built_in() -> Option<&'static Network> {
        static NETWORK: OnceLock<Option<Network>> = OnceLock::new();
        NETWORK
            .get_or_init(|| Network::from_bytes(BUILT_IN).ok())
            .as_ref()
    }

    /// Reads a network's file: the magic bytes; the vectors of all classes for
    /// boards and for the board sent to; nine matrices for the places and one for
    /// the board sent to; ten rows for the targets; the hidden layer, its bias, the
    /// last weights and their bias. Numbers are little-endian.
    ///
    /// # Errors
    /// It is something else, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut bytes = Bytes(bytes);
        if bytes.take()? != *MAGIC {
            return Err(NetworkError("it begins with other bytes".into()));
        }
        let classes = classes();
        let looks = bytes.vectors(classes.count)?;
        let sent_looks = bytes.vectors(classes.count)?;
        let mut boards = Vec::with_capacity(9 * classes.count);
        for _ in 0..9 {
            let matrix = bytes.matrix()?;
            boards.extend(looks.iter().map(|look| wide(&product(look, &matrix), UNIT)));
        }
        let matrix = bytes.matrix()?;
        let sent = sent_looks
            .iter()
            .map(|look| wide(&product(look, &matrix), UNIT))
            .collect();
        let mut targets = [Wide([0; WIDTH]); TARGETS];
        for target in &mut targets {
            *target = wide(&bytes.floats()?, UNIT);
        }
        let mut hidden = Box::new([Wide([0; WIDTH]); HIDDEN]);
        for row in hidden.iter_mut() {
            *row = wide(&bytes.floats()?, WEIGHT);
        }
        let network = Network {
            boards: boards.into(),
            sent,
            targets,
            hidden,
            hidden_bias: bytes.floats()?,
            last: bytes.floats()?,
            last_bias: bytes.float()?,
            classes,
        };
        if !bytes.0.is_empty() {
            return Err(NetworkError("it is too long".into()));
        }
        Ok(network)
    }

    /// The position as it looks to the side to move, in hundredths of a logit.
    #[inline]
    #[must_use]
    pub fn evaluate<D: Depth>(&self, game: &Nested<D>, position: &NestedPosition<D>) -> i32 {
        let me = game.side(position);
        let you = me.other();
        let open = game.open_board_mask(position);
        let sent_to = (open.count_ones() == 1).then(|| open.trailing_zeros() as usize);
        let Wide(mut sum) = self.targets[sent_to.unwrap_or(TARGETS - 1) % TARGETS];
        for board in 0..9 {
            let code = board_state(position.marks(board, me), position.marks(board, you));
            let class = usize::from(self.classes.of_state[code]);
            let row = &self.boards[board * self.classes.count + class].0;
            for (sum, &more) in sum.iter_mut().zip(row) {
                *sum = sum.wrapping_add(more);
            }
            if sent_to == Some(board) {
                for (sum, &more) in sum.iter_mut().zip(&self.sent[class].0) {
                    *sum = sum.wrapping_add(more);
                }
            }
        }
        let sum = sum.map(|number| number.clamp(0, UNIT as i16));
        let mut out = self.last_bias;
        for (i, row) in self.hidden.iter().enumerate() {
            let mut dot = 0i32;
            for (&a, &b) in sum.iter().zip(&row.0) {
                dot += i32::from(a) * i32::from(b);
            }
            let hidden = dot as f32 / (UNIT * WEIGHT) + self.hidden_bias[i];
            out += hidden.clamp(0.0, 1.0) * self.last[i];
        }
        (out * 100.0) as i32
    }
}

#[cfg(test)]
mod tests {
    use rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// The file's numbers in order, as the network's description lists them.
    struct Numbers<'a>(&'a [u8]);

    impl Numbers<'_> {
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

    /// The class of a board given by its cells (0 empty, 1 the side to move, 2 the opponent), by counting all boards
    /// before it.
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

    /// The network in plain floating point, straight from the file, in hundredths of a logit.
    fn slow(boards: &[[usize; 9]; 9], sent_to: Option<usize>) -> f64 {
        let mut numbers = Numbers(&BUILT_IN[MAGIC.len()..]);
        let count = classes().count;
        let looks = numbers.vectors(count);
        let sent_looks = numbers.vectors(count);
        let mut sum = vec![0.0; WIDTH];
        let mut add = |look: &[f64], matrix: &[f64]| {
            for (factor, row) in look.iter().zip(matrix.chunks(WIDTH)) {
                for (sum, weight) in sum.iter_mut().zip(row) {
                    *sum += factor * weight;
                }
            }
        };
        for board in boards {
            add(&looks[class(*board)], &numbers.floats(RANK * WIDTH));
        }
        let matrix = numbers.floats(RANK * WIDTH);
        if let Some(board) = sent_to {
            add(&sent_looks[class(boards[board])], &matrix);
        }
        let targets = numbers.floats(TARGETS * WIDTH);
        add(&[1.0], &targets[sent_to.unwrap_or(9) * WIDTH..][..WIDTH]);
        let hidden = numbers.floats(HIDDEN * WIDTH);
        let bias = numbers.floats(HIDDEN);
        let last = numbers.floats(HIDDEN);
        let mut out = numbers.floats(1)[0];
        for (i, row) in hidden.chunks(WIDTH).enumerate() {
            let inputs = sum.iter().zip(row);
            let dot: f64 = inputs
                .map(|(sum, weight)| sum.clamp(0.0, 1.0) * weight)
                .sum();
            out += (dot + bias[i]).clamp(0.0, 1.0) * last[i];
        }
        100.0 * out
    }

    /// Guards the reading of the file, the classes, the layout and the whole-number arithmetic at once.
    #[test]
    fn the_network_computes_what_its_file_says() {
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
                let has = |player| position.marks(board, player) >> cell & 1;
                (has(me) + 2 * has(me.other())) as usize
            };
            let boards = std::array::from_fn(|board| std::array::from_fn(|at| cell(board, at)));
            let open = game.open_board_mask(&position);
            let sent_to = (open.count_ones() == 1).then(|| open.trailing_zeros() as usize);
            let wanted = slow(&boards, sent_to);
            let found = f64::from(network.evaluate(&game, &position));
            assert!(
                (found - wanted).abs() < 8.0,
                "{found} for {wanted} after {plies} plies"
            );
            (least, most) = (least.min(wanted), most.max(wanted));
        }
        assert!(
            most - least > 100.0,
            "the positions differ: {least} to {most}"
        );
    }

    #[test]
    fn damaged_networks_are_refused() {
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
