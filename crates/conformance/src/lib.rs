//! What must hold of every game of the family, checked against the slow reference.
//!
//! A new game gets all of it by one line in [`variants`]: the [`suite`] proper, the
//! mutated [`setups`], and the [`hashes`].

pub mod equivalence;
pub mod fuzz;
pub mod hashes;
mod observation;
pub mod setups;
pub mod suite;
pub mod tablebase_cache;
pub mod test_rng;
pub mod variants;
