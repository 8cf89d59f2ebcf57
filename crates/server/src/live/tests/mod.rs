//! Games through the whole server, as visitors play them.

mod online;
mod single_visitor;
mod spectators;

use noughts_store::Store;

use crate::tests::test_server::*;
