//! noughts with one more game: everything that `noughts` does, it does for Treblecross, too.

mod treblecross;

use std::process::ExitCode;

fn main() -> ExitCode {
    noughts::run(std::env::args_os(), &[&treblecross::INFO])
}
