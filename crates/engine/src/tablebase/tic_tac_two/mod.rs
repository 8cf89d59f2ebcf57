//! The tablebase of Tic-Tac-Two with the standard options: too many positions for the generic solver, so they have a numbering
//! and a solver of their own.

mod check;
mod code;
mod graph;
mod numbering;
mod piece_moves;
mod solver;
mod table;

pub(super) use table::TicTacTwoTable;
