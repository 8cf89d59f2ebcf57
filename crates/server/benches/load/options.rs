//! The size of the load, from the command line.

use clap::Parser;
use clap::builder::RangedU64ValueParser;

/// The size of the small-scale run, which a test runner starts.
const TEST_SIZE: &str = "--sockets 200 --games 20 --rate 200 --seconds 1 --readers 2 \
    --stored-games 300 --stored-players 100";

/// What test runners and `cargo bench` add to the command line.
const IGNORED: [&str; 5] = ["--bench", "--nocapture", "--quiet", "--exact", crate::TEST];

/// Measures a server under load.
#[derive(Parser)]
#[command(args_override_self = true)]
pub(crate) struct Options {
    /// Open sockets: two players per game, and spectators
    #[arg(long, value_name = "N", default_value = "10000", value_parser = positive())]
    pub(crate) sockets: usize,
    /// Games played at once
    #[arg(long, value_name = "N", default_value = "1000", value_parser = positive())]
    pub(crate) games: usize,
    /// Moves per second over all games, one measurement for each rate
    #[arg(long = "rate", value_name = "N,N…", default_value = "2000", value_delimiter = ',', value_parser = positive())]
    pub(crate) rates: Vec<usize>,
    /// The length of one measurement
    #[arg(long, value_name = "N", default_value = "30", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) seconds: u64,
    /// Clients that read lists and exports during a measurement. If there are any, each rate is
    /// first measured without them
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) readers: usize,
    /// Games stored before the run
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) stored_games: usize,
    /// Players of the stored games
    #[arg(long, value_name = "N", default_value = "1000")]
    pub(crate) stored_players: usize,
    /// The variant to play
    #[arg(long, default_value = "ultimate")]
    pub(crate) variant: String,
    /// Sockets also send the parts of the page
    #[arg(long)]
    pub(crate) html: bool,
    /// The small-scale run, which makes no promise about times
    #[arg(skip)]
    pub(crate) is_test: bool,
}

fn positive() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

impl Options {
    /// Parses the command line. `cargo bench` passes `--bench`; without it this runs as a test.
    pub(crate) fn read() -> Options {
        let args: Vec<String> = std::env::args().collect();
        let is_test = !args.iter().any(|arg| arg == "--bench");
        let size = TEST_SIZE.split_whitespace().filter(|_| is_test);
        let args = args.iter().map(String::as_str);
        let given = args.clone().skip(1).filter(|arg| !IGNORED.contains(arg));
        Options {
            is_test,
            ..Options::parse_from(args.take(1).chain(size).chain(given))
        }
    }
}
