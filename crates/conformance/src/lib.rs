//! What must hold of every game of the family, checked against the slow reference.
//!
//! A new game gets all of it by one line in [`variants`]: the [`suite`] proper, the
//! mutated [`setups`], and the [`hashes`].

pub mod alike;
pub mod dice;
pub mod fuzz;
pub mod hashes;
mod planes;
pub mod setups;
pub mod suite;
pub mod tables;
pub mod variants;
