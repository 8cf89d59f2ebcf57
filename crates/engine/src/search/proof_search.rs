//! A search for proofs that a game brings along, because it is faster than the general one.

use noughts_rules::Game;

use super::alpha_beta::PROOF_KEY;
use super::transposition_table::{TableEntry, TranspositionTable};

/// A game's own search to the end of the game.
pub trait ProofSearch<G: Game> {
    /// Searches a position that isn't over.
    ///
    /// - If the value is ≤ `alpha`, the result is an upper bound ≤ `alpha`.
    /// - If it is between `alpha` and `beta`, the result is exact.
    /// - If it is ≥ `beta`, the result is a lower bound ≥ `beta`.
    ///
    /// Scores are those of the general search. The result is meaningless once the search is stopped.
    fn prove(
        &self,
        game: &G,
        position: &G::Position,
        alpha: i32,
        beta: i32,
        control: &mut ProofControl<'_>,
    ) -> i32;

    /// If the game can last at most this many more plies, a proof usually takes less than a second, so that it is
    /// worth a share of a move's time.
    fn max_plies(&self) -> u32;
}

/// What a [`ProofSearch`] gets from its caller: permission to search, and the transposition table.
pub struct ProofControl<'a> {
    table: &'a TranspositionTable,
    order_seed: u32,
    /// Called with the number of nodes searched since the last time; returns how many more are allowed.
    request_nodes: &'a mut dyn FnMut(u64) -> u64,
    granted: u64,
    used: u64,
    nodes: u64,
}

impl<'a> ProofControl<'a> {
    pub(crate) fn new(
        table: &'a TranspositionTable,
        order_seed: u32,
        request_nodes: &'a mut dyn FnMut(u64) -> u64,
    ) -> ProofControl<'a> {
        ProofControl {
            table,
            order_seed,
            request_nodes,
            granted: 0,
            used: 0,
            nodes: 0,
        }
    }

    /// Threads with different seeds search similar moves in a different order.
    #[must_use]
    pub fn order_seed(&self) -> u32 {
        self.order_seed
    }

    /// Counts a node, and returns whether to search it. If not, the search has been stopped.
    #[inline]
    #[must_use]
    pub fn enter_node(&mut self) -> bool {
        if self.used == self.granted && !self.request_more() {
            return false;
        }
        self.used += 1;
        self.nodes += 1;
        true
    }

    /// Nodes searched so far.
    #[inline]
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    #[cold]
    fn request_more(&mut self) -> bool {
        self.granted = (self.request_nodes)(self.used);
        self.used = 0;
        self.granted > 0
    }

    /// Nodes that haven't been reported yet.
    pub(crate) fn unreported_nodes(&self) -> u64 {
        self.used
    }

    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<TableEntry> {
        self.table.probe(key ^ PROOF_KEY)
    }

    #[inline]
    pub(crate) fn store(&self, key: u64, entry: TableEntry) {
        self.table.store(key ^ PROOF_KEY, entry);
    }
}
