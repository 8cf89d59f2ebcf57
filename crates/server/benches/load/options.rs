//! The size of the load, from the command line.

/// The size of the load.
pub(crate) struct Options {
    /// Open sockets: two players per game, and spectators.
    pub(crate) sockets: usize,
    /// Games played at once.
    pub(crate) games: usize,
    /// Moves per second over all games, one measurement for each rate.
    pub(crate) rates: Vec<usize>,
    /// The length of one measurement.
    pub(crate) seconds: u64,
    /// Clients that read lists and exports during a measurement. If there are any, each rate is
    /// first measured without them.
    pub(crate) readers: usize,
    /// Games stored before the run.
    pub(crate) stored_games: usize,
    /// Players of the stored games.
    pub(crate) stored_players: usize,
    /// The variant to play.
    pub(crate) variant: String,
    /// Sockets also send the parts of the page.
    pub(crate) html: bool,
    /// The small-scale run, which makes no promise about times.
    pub(crate) is_test: bool,
}

impl Options {
    /// Parses the command line. `cargo bench` passes `--bench`; without it this runs as a test.
    pub(crate) fn read() -> Result<Options, String> {
        let mut args = std::env::args().skip(1);
        let mut options = Options {
            sockets: 10_000,
            games: 1_000,
            rates: vec![2_000],
            seconds: 30,
            readers: 0,
            stored_games: 0,
            stored_players: 1_000,
            variant: "ultimate".into(),
            html: false,
            is_test: !std::env::args().any(|arg| arg == "--bench"),
        };
        if options.is_test {
            options.sockets = 200;
            options.games = 20;
            options.rates = vec![200];
            options.seconds = 1;
            options.readers = 2;
            options.stored_games = 300;
            options.stored_players = 100;
        }
        while let Some(arg) = args.next() {
            if arg == "--html" {
                options.html = true;
                continue;
            }
            if matches!(
                arg.as_str(),
                "--bench" | "--nocapture" | "--quiet" | "--exact" | crate::TEST
            ) {
                continue;
            }
            let value = args.next().ok_or_else(|| format!("{arg} needs a value"))?;
            let number = || match value.parse::<usize>() {
                Ok(number) if number > 0 => Ok(number),
                _ => Err(format!("{arg} must be a whole number, 1 or higher")),
            };
            match arg.as_str() {
                "--sockets" => options.sockets = number()?,
                "--games" => options.games = number()?,
                "--rate" => options.rates = rates(&value)?,
                "--seconds" => options.seconds = number()? as u64,
                "--readers" => options.readers = number()?,
                "--stored-games" => options.stored_games = number()?,
                "--stored-players" => options.stored_players = number()?,
                "--variant" => options.variant = value,
                _ => {
                    return Err(format!(
                        "unknown option {arg}; the options are --sockets, --games, --rate, --seconds, --readers, \
                         --stored-games, --stored-players, --variant and --html"
                    ));
                }
            }
        }
        Ok(options)
    }
}

/// One rate, or several separated by commas.
fn rates(text: &str) -> Result<Vec<usize>, String> {
    let rates: Result<Vec<usize>, _> = text.split(',').map(str::parse).collect();
    match rates {
        Ok(rates) if rates.iter().all(|&rate| rate > 0) => Ok(rates),
        _ => {
            Err("--rate must be a whole number, 1 or higher, or several separated by commas".into())
        }
    }
}
