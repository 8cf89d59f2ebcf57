//! A fixed amount of work, to compare two versions by the instructions that callgrind counts:
//!
//! ```sh
//! cargo build --release -p noughts-rules --example work
//! valgrind --tool=callgrind target/release/examples/work ultimate perft 5
//! valgrind --tool=callgrind target/release/examples/work ultimate playouts 2000
//! ```

use noughts_rules::{AnyGameState, Game, GameState, GameVisitor, perft};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

struct Work {
    is_perft: bool,
    amount: u32,
}

impl GameVisitor for Work {
    type Output = u64;

    fn visit<G: Game>(self, state: &GameState<G>) -> u64 {
        let (game, position) = (state.game(), state.position());
        if self.is_perft {
            return perft(game, position, self.amount);
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let plies = (0..self.amount).map(|_| game.playout(&mut position.clone(), &mut rng).1);
        plies.map(u64::from).sum()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [variant, kind, amount] = args.as_slice() else {
        return Err("usage: work VARIANT perft DEPTH | work VARIANT playouts GAMES".into());
    };
    let work = Work {
        is_perft: kind == "perft",
        amount: amount.parse()?,
    };
    println!("{}", AnyGameState::new(variant.parse()?).visit(work));
    Ok(())
}
