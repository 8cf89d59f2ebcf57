//! Game pairs and their counts.

use noughts_rules::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// A pair of games from the same opening with sides swapped, from the first bot's point of view.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GamePair {
    /// Its points ×2 in the first game: 0, 1 or 2.
    first: u8,
    /// Its points ×2 in the second game.
    second: u8,
}

impl GamePair {
    /// Creates a pair from its games: in the first the bot played X, in the second O.
    ///
    /// ```
    /// use noughts_arena::statistics::GamePair;
    /// use noughts_rules::{Outcome, Side};
    /// let pair = GamePair::new(Outcome::Win(Side::X), Outcome::Draw);
    /// assert_eq!(pair.category(), 3);
    /// ```
    #[must_use]
    pub const fn new(first: Outcome, second: Outcome) -> GamePair {
        GamePair {
            first: points(first, Side::X),
            second: points(second, Side::O),
        }
    }

    /// Its points ×2 over both games: 0 (lost both) to 4 (won both).
    #[must_use]
    pub const fn category(self) -> u8 {
        self.first + self.second
    }

    /// The same pair from the other bot's point of view.
    #[must_use]
    pub const fn swapped(self) -> GamePair {
        GamePair {
            first: 2 - self.first,
            second: 2 - self.second,
        }
    }
}

const fn points(outcome: Outcome, side: Side) -> u8 {
    match outcome {
        Outcome::Draw => 1,
        Outcome::Win(winner) if winner as u8 == side as u8 => 2,
        Outcome::Win(_) => 0,
    }
}

/// The counts of pairs and games, from the first bot's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pentanomial {
    /// Pairs by points: two losses, a loss and a draw, even, a win and a draw, two wins.
    pub pairs: [u64; 5],
    /// How many of them repeat an earlier pair move by move, and so aren't evidence.
    #[serde(default)]
    pub repeated: [u64; 5],
    /// How many of the even pairs are two draws rather than a win and a loss, not counting repeated
    /// pairs.
    pub drawn_twice: u64,
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
}

impl Pentanomial {
    /// Counts a pair.
    pub fn add(&mut self, pair: GamePair) {
        self.drawn_twice += u64::from((pair.first, pair.second) == (1, 1));
        self.count_games(pair);
    }

    fn count_games(&mut self, pair: GamePair) {
        self.pairs[usize::from(pair.category())] += 1;
        for points in [pair.first, pair.second] {
            match points {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
        }
    }

    /// Counts a pair that repeats an earlier one.
    pub fn add_repeated(&mut self, pair: GamePair) {
        self.count_games(pair);
        self.repeated[usize::from(pair.category())] += 1;
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: &Pentanomial) {
        let counts = self.pairs.iter_mut().chain(&mut self.repeated);
        for (count, more) in counts.zip(other.pairs.iter().chain(&other.repeated)) {
            *count += more;
        }
        self.drawn_twice += other.drawn_twice;
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
    }

    /// The same tally from the other bot's point of view.
    ///
    /// ```
    /// use noughts_arena::statistics::Pentanomial;
    /// let tally = Pentanomial { pairs: [1, 2, 3, 4, 5], wins: 9, losses: 7, ..Pentanomial::default() };
    /// let other = tally.swapped();
    /// assert_eq!((other.pairs, other.wins), ([5, 4, 3, 2, 1], 7));
    /// assert_eq!(other.swapped(), tally);
    /// ```
    #[must_use]
    pub const fn swapped(&self) -> Pentanomial {
        Pentanomial {
            pairs: mirrored(self.pairs),
            repeated: mirrored(self.repeated),
            drawn_twice: self.drawn_twice,
            wins: self.losses,
            losses: self.wins,
            draws: self.draws,
        }
    }

    /// The number of pairs.
    #[must_use]
    pub const fn pair_count(&self) -> u64 {
        let [ll, ld, even, wd, ww] = self.pairs;
        ll + ld + even + wd + ww
    }

    /// The pairs that don't repeat an earlier one, from which ratings and intervals are computed.
    ///
    /// ```
    /// use noughts_arena::statistics::Pentanomial;
    /// let tally = Pentanomial { pairs: [0, 0, 9, 0, 4], repeated: [0, 0, 8, 0, 0], ..Pentanomial::default() };
    /// assert_eq!(tally.distinct_pairs(), [0, 0, 1, 0, 4]);
    /// ```
    #[must_use]
    pub fn distinct_pairs(&self) -> [u64; 5] {
        std::array::from_fn(|i| self.pairs[i].saturating_sub(self.repeated[i]))
    }

    /// The number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// 1 for a win, ½ for a draw; more is better.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// 3 for a loss, 1 for a draw; less is better.
    #[must_use]
    pub const fn penalty(&self) -> u64 {
        3 * self.losses + self.draws
    }
}

const fn mirrored([ll, ld, even, wd, ww]: [u64; 5]) -> [u64; 5] {
    [ww, wd, even, ld, ll]
}
