//! How much of everything, as the command line says.

/// How much of everything.
pub(crate) struct Options {
    /// Open sockets: two players for each game, and those who watch.
    pub(crate) sockets: usize,
    /// Games at once.
    pub(crate) games: usize,
    /// Moves a second, in all games together.
    pub(crate) rate: usize,
    /// How long.
    pub(crate) seconds: u64,
    /// What is played.
    pub(crate) variant: String,
    /// The sockets bring the parts of the page, too.
    pub(crate) html: bool,
    /// The short form: nothing is promised about times.
    pub(crate) is_test: bool,
}

impl Options {
    /// `cargo bench` says so; whoever does not is a test.
    pub(crate) fn read() -> Result<Options, String> {
        let mut args = std::env::args().skip(1);
        let mut options = Options {
            sockets: 10_000,
            games: 1_000,
            rate: 2_000,
            seconds: 30,
            variant: "ultimate".into(),
            html: false,
            is_test: !std::env::args().any(|arg| arg == "--bench"),
        };
        if options.is_test {
            options.sockets = 200;
            options.games = 20;
            options.rate = 200;
            options.seconds = 3;
        }
        while let Some(arg) = args.next() {
            if arg == "--html" {
                options.html = true;
                continue;
            }
            if matches!(arg.as_str(), "--bench" | "--nocapture" | "--quiet") {
                continue;
            }
            let value = args.next().ok_or_else(|| format!("{arg} needs a value"))?;
            let number = || match value.parse::<usize>() {
                Ok(number) if number > 0 => Ok(number),
                _ => Err(format!("{arg} is a whole number from 1 on")),
            };
            match arg.as_str() {
                "--sockets" => options.sockets = number()?,
                "--games" => options.games = number()?,
                "--rate" => options.rate = number()?,
                "--seconds" => options.seconds = number()? as u64,
                "--variant" => options.variant = value,
                _ => {
                    return Err(format!(
                        "there is no {arg}; there are --sockets, --games, --rate, --seconds, --variant and --html"
                    ));
                }
            }
        }
        Ok(options)
    }
}
