//! Games through the whole server, as visitors play them.

mod alone;
mod together;
mod watching;

use noughts_store::Store;

use crate::tests::house::*;
