//! Properties of every game of the family, checked against the slow reference.
//!
//! One line in [`variants`] applies all of them to a new game: the [`suite`], the mutated
//! [`setups`], and the [`hashes`].

pub mod equivalence;
mod fields;
pub mod fuzz;
pub mod hashes;
mod observation;
pub mod setups;
pub mod suite;
pub mod tablebase_cache;
pub mod test_rng;
pub mod variants;
