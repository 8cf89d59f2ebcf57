//! How much of everything, as the command line says.

/// How much of everything.
pub(crate) struct Options {
    /// Open sockets: two players for each game, and those who watch.
    pub(crate) sockets: usize,
    /// Games at once.
    pub(crate) games: usize,
    /// Moves a second, in all games together: one measurement for each.
    pub(crate) rates: Vec<usize>,
    /// How long each measurement takes.
    pub(crate) seconds: u64,
    /// Clients that read lists and exports meanwhile. With any, each rate is measured without
    /// them first.
    pub(crate) readers: usize,
    /// Games that were played before.
    pub(crate) stored_games: usize,
    /// Who played them.
    pub(crate) stored_players: usize,
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
                _ => Err(format!("{arg} is a whole number from 1 on")),
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
                        "there is no {arg}; there are --sockets, --games, --rate, --seconds, --readers, \
                         --stored-games, --stored-players, --variant and --html"
                    ));
                }
            }
        }
        Ok(options)
    }
}

/// One rate or several, with commas between them.
fn rates(text: &str) -> Result<Vec<usize>, String> {
    let rates: Result<Vec<usize>, _> = text.split(',').map(str::parse).collect();
    match rates {
        Ok(rates) if rates.iter().all(|&rate| rate > 0) => Ok(rates),
        _ => Err("--rate is a whole number from 1 on, or several with commas between them".into()),
    }
}
