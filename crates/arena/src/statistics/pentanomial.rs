//! Pairs of games, and how many of each kind there were.

use noughts_rules::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// A pair of games from the same opening, with the sides swapped, as the first bot sees
/// it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GamePair {
    /// Its points in the first game, times two: 0, 1 or 2.
    first: u8,
    /// In the second.
    second: u8,
}

impl GamePair {
    /// A pair from its games: in the first the bot had X, in the second O.
    ///
    /// ```
    /// use noughts_arena::statistics::Pair;
    /// use noughts_rules::{Outcome, Player};
    /// let pair = Pair::new(Outcome::Win(Player::X), Outcome::Draw);
    /// assert_eq!(pair.category(), 3);
    /// ```
    #[must_use]
    pub const fn new(first: Outcome, second: Outcome) -> GamePair {
        GamePair {
            first: points(first, Side::X),
            second: points(second, Side::O),
        }
    }

    /// Its points over both games, times two: 0 (lost twice), 1, 2 (as many points as
    /// the other), 3 or 4 (won twice).
    #[must_use]
    pub const fn category(self) -> u8 {
        self.first + self.second
    }

    /// The same pair for the other bot.
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

/// How many pairs and games of each kind there were, as the first bot sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Pairs by the points made: lost twice, a loss and a draw, as many points as the
    /// other, a win and a draw, won twice.
    pub pairs: [u64; 5],
    /// How many of them repeat an earlier pair, move by move: these say nothing new.
    #[serde(default)]
    pub repeated: [u64; 5],
    /// How many of the middle ones were two draws, not a win and a loss; pairs that repeat
    /// an earlier one left out.
    pub drawn_twice: u64,
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
}

impl Tally {
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

    /// Counts what another has counted, too.
    pub fn merge(&mut self, other: &Tally) {
        for (count, more) in self.pairs.iter_mut().zip(other.pairs) {
            *count += more;
        }
        for (count, more) in self.repeated.iter_mut().zip(other.repeated) {
            *count += more;
        }
        self.drawn_twice += other.drawn_twice;
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
    }

    /// The same for the other bot.
    ///
    /// ```
    /// use noughts_arena::statistics::Tally;
    /// let tally = Tally { pairs: [1, 2, 3, 4, 5], wins: 9, losses: 7, ..Tally::default() };
    /// let other = tally.swapped();
    /// assert_eq!((other.pairs, other.wins), ([5, 4, 3, 2, 1], 7));
    /// assert_eq!(other.swapped(), tally);
    /// ```
    #[must_use]
    pub const fn swapped(&self) -> Tally {
        Tally {
            pairs: mirrored(self.pairs),
            repeated: mirrored(self.repeated),
            drawn_twice: self.drawn_twice,
            wins: self.losses,
            losses: self.wins,
            draws: self.draws,
        }
    }

    /// How many pairs.
    #[must_use]
    pub const fn pair_count(&self) -> u64 {
        let [ll, ld, even, wd, ww] = self.pairs;
        ll + ld + even + wd + ww
    }

    /// The pairs that repeat no earlier one: what ratings and intervals follow from.
    ///
    /// ```
    /// use noughts_arena::statistics::Tally;
    /// let tally = Tally { pairs: [0, 0, 9, 0, 4], repeated: [0, 0, 8, 0, 0], ..Tally::default() };
    /// assert_eq!(tally.distinct(), [0, 0, 1, 0, 4]);
    /// ```
    #[must_use]
    pub fn distinct_pairs(&self) -> [u64; 5] {
        let mut pairs = self.pairs;
        for (count, repeated) in pairs.iter_mut().zip(self.repeated) {
            *count = count.saturating_sub(repeated);
        }
        pairs
    }

    /// How many games.
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

impl Extend<GamePair> for Tally {
    fn extend<T: IntoIterator<Item = GamePair>>(&mut self, pairs: T) {
        pairs.into_iter().for_each(|pair| self.add(pair));
    }
}

impl FromIterator<GamePair> for Tally {
    fn from_iter<T: IntoIterator<Item = GamePair>>(pairs: T) -> Tally {
        let mut tally = Tally::default();
        tally.extend(pairs);
        tally
    }
}
