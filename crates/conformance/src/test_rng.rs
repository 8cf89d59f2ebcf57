//! A seeded random number generator for tests.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A seeded generator. The same seed gives the same test.
#[derive(Clone, Debug)]
pub struct TestRng(pub Xoshiro256PlusPlus);

impl TestRng {
    /// A generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> TestRng {
        TestRng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A generator with a seed and a name, so that variants tested with the same seed differ.
    #[must_use]
    pub fn for_name(seed: u64, name: &str) -> TestRng {
        let mixed = name
            .bytes()
            .fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        TestRng::new(mixed)
    }

    /// A number below `n`, or 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        match n {
            0 => 0,
            n => (self.0.next_u64() % n as u64) as usize,
        }
    }

    /// True with a probability of `once` in `of`.
    pub fn chance(&mut self, once: usize, of: usize) -> bool {
        self.below(of) < once
    }

    /// A random element, or `None` if there is none.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len())).copied()
    }

    /// A random character of this text.
    pub fn pick_char(&mut self, from: &str) -> char {
        let letters: Vec<char> = from.chars().collect();
        self.pick(&letters).unwrap_or('?')
    }
}
