//! UGI, the universal game interface: a line-based protocol for match runners and other programs.
//! `docs/protocol.md` documents the commands; `parser.rs` parses them, and `search.rs` runs a
//! search and answers it.

mod parser;
mod search;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use noughts_rules::{AnyGameState, Outcome, Side, Variant};

use crate::background::catch_panic;
use crate::bot::{AnyBot, BotKind, BotSettings};
use crate::clock::{self, Clock};
use crate::limits::SearchLimits;
use parser::{GoCommand, InputLine};
pub use search::centipawns;
use search::{Output, RunningSearch, SearchTask};

/// The initial values of the options.
#[derive(Clone, Debug)]
pub struct UgiOptions {
    /// The variant.
    pub variant: Variant,
    /// The bot.
    pub bot: BotKind,
    /// How the bot is created.
    pub settings: BotSettings,
    /// Communication delay, subtracted from every time limit.
    pub overhead: Duration,
}

impl Default for UgiOptions {
    /// The classic game, the best bot, one thread, 64 MiB, 10 ms.
    fn default() -> UgiOptions {
        UgiOptions {
            variant: Variant::CLASSIC,
            bot: BotKind::Best,
            settings: BotSettings::default(),
            overhead: Duration::from_millis(10),
        }
    }
}

/// Serves a connection until `quit` or the end of the input. No input makes it panic or stop
/// responding.
///
/// ```
/// use noughts_engine::ugi::{self, UgiOptions};
/// # #[derive(Clone, Default)]
/// # struct Shared(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);
/// # impl std::io::Write for Shared {
/// #     fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
/// #         self.0.lock().unwrap().write(bytes)
/// #     }
/// #     fn flush(&mut self) -> std::io::Result<()> { Ok(()) }
/// # }
/// let output = Shared::default();
/// // x o x
/// // x o o      One cell is left.
/// // o x .
/// let input = "position fen xox/xoo/ox. x\nquery p1turn\ngo nodes 1000\n";
/// ugi::serve(input.as_bytes(), output.clone(), UgiOptions::default())?;
///
/// let text = String::from_utf8(output.0.lock().unwrap().clone())?;
/// assert!(text.starts_with("response true\ninfo "));
/// assert!(text.ends_with("bestmove c3\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The input can't be read or the output can't be written.
pub fn serve(
    input: impl BufRead,
    output: impl Write + Send + 'static,
    options: UgiOptions,
) -> io::Result<()> {
    serve_with(input, output, options, make_built_in_bot)
}

fn make_built_in_bot(
    kind: BotKind,
    variant: Variant,
    settings: &BotSettings,
) -> Result<AnyBot, String> {
    AnyBot::new(kind, variant, settings).map_err(|error| error.to_string())
}

fn serve_with(
    mut input: impl BufRead,
    output: impl Write + Send + 'static,
    options: UgiOptions,
    make_bot: BotFactory,
) -> io::Result<()> {
    let engine = BuiltinBots {
        kind: options.bot,
        bot_settings: options.settings,
        make_bot,
        bot: None,
        search: None,
        output: Output::new(output),
    };
    let settings = UgiSettings {
        variant: options.variant,
        seed: engine.bot_settings.seed,
        overhead: options.overhead,
    };
    let mut session = UgiSession::new(engine, settings);
    loop {
        match parser::read_line(&mut input)? {
            InputLine::Text(line) if !session.handle_line(&line) => break,
            InputLine::Text(_) => {}
            InputLine::TooLong => session.reject_long_line(),
            InputLine::End => {
                session.engine.finish_limited_search();
                break;
            }
        }
        if session.engine.output.has_failed() {
            break;
        }
    }
    session.engine.stop();
    session.engine.output.result()
}

/// The options that every engine has.
#[derive(Clone, Debug)]
pub struct UgiSettings {
    /// The variant.
    pub variant: Variant,
    /// The seed of the bot's random generator.
    pub seed: u64,
    /// Communication delay, subtracted from every time limit.
    pub overhead: Duration,
}

/// A `go` command. The game isn't over.
#[derive(Clone, Debug)]
pub struct UgiSearch {
    /// The position.
    pub state: Arc<AnyGameState>,
    /// The limits, with a share of the clock as the time.
    pub limits: SearchLimits,
    /// The clocks of X and O, where they are given.
    pub clocks: [Option<Clock>; 2],
    /// `go infinite` without any limit: only `stop` ends the search.
    pub is_infinite: bool,
    /// When the command arrived; the time limit starts here.
    pub started: Instant,
}

/// What thinks and writes the answers of a [`UgiSession`]: the built-in bots, or a bot in another language.
pub trait UgiEngine {
    /// Writes a line.
    fn write_line(&mut self, line: &str);

    /// The answer to `ugi`, without the final `ugiok`: who it is, and its options.
    fn identify(&self, settings: &UgiSettings) -> String;

    /// The names of its options beyond those of [`UgiSettings`].
    fn option_names(&self) -> Vec<String>;

    /// Sets one of these options; the name may be in any case. Returns false if there is no such option.
    ///
    /// # Errors
    /// Why the value is invalid.
    fn set_option(&mut self, name: &str, value: &str) -> Result<bool, String>;

    /// Checks a variant before it is set. By default, all of them can be played.
    ///
    /// # Errors
    /// Why it can't be played.
    fn check_variant(&self, _variant: Variant) -> Result<(), String> {
        Ok(())
    }

    /// Forgets what it knows about a game: another one follows, or another option was set.
    fn start_new_game(&mut self);

    /// Prepares the first move, so that it has all its time. Does nothing during a search.
    fn prepare(&mut self, settings: &UgiSettings);

    /// Starts a search, which writes its move when it ends.
    fn start_search(&mut self, search: UgiSearch, settings: &UgiSettings);

    /// Stops a running search and waits for its move.
    fn stop(&mut self);
}

/// One connection: executes commands, one line at a time. No line makes it panic.
pub struct UgiSession<E> {
    engine: E,
    settings: UgiSettings,
    state: Arc<AnyGameState>,
}

/// More threads than any machine has, but not a danger to it.
const MAX_THREADS: usize = 512;
/// In MiB.
const MAX_HASH_MIB: usize = 65_536;
const MAX_OVERHEAD_MS: u64 = 10_000;

impl UgiSettings {
    /// The description of `Seed`: a string, because a spin of 64 bits is too large for many match runners.
    #[must_use]
    pub fn seed_option(&self) -> String {
        format!("option name Seed type string default {}", self.seed)
    }

    /// The description of `Overhead`.
    #[must_use]
    pub fn overhead_option(&self) -> String {
        format!(
            "option name Overhead type spin default {default} min 0 max {MAX_OVERHEAD_MS}",
            default = self.overhead.as_millis()
        )
    }
}

impl<E: UgiEngine> UgiSession<E> {
    /// A connection at the start of a game.
    #[must_use]
    pub fn new(engine: E, settings: UgiSettings) -> UgiSession<E> {
        UgiSession {
            engine,
            state: Arc::new(AnyGameState::new(settings.variant)),
            settings,
        }
    }

    /// What thinks.
    pub fn engine_mut(&mut self) -> &mut E {
        &mut self.engine
    }

    /// Handles a command; returns false on `quit`. Unknown commands are ignored.
    pub fn handle_line(&mut self, line: &str) -> bool {
        if line.len() > parser::MAX_LINE_BYTES {
            self.reject_long_line();
            return true;
        }
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "ugi" => {
                let text = self.engine.identify(&self.settings);
                text.lines().for_each(|line| self.engine.write_line(line));
                self.engine.write_line("ugiok");
            }
            "isready" => {
                self.engine.prepare(&self.settings);
                self.engine.write_line("readyok");
            }
            "setoption" => {
                self.engine.stop();
                if let Err(reason) = self.set_option(rest) {
                    self.report_error(&format!("setoption: {reason}"));
                }
            }
            "uginewgame" => {
                self.engine.stop();
                self.engine.start_new_game();
            }
            "position" => {
                self.engine.stop();
                match parser::parse_position(self.settings.variant, rest) {
                    Ok(state) => self.state = Arc::new(state),
                    Err(reason) => self.report_error(&format!("position: {reason}")),
                }
            }
            "go" => {
                self.engine.stop();
                self.go(rest);
            }
            "stop" => self.engine.stop(),
            "query" => self.answer_query(rest),
            "quit" => return false,
            _ => {}
        }
        true
    }

    fn reject_long_line(&mut self) {
        self.report_error(&format!(
            "a line is longer than {} MiB",
            parser::MAX_LINE_BYTES >> 20
        ));
    }

    fn set_option(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = parser::parse_option(text)?;
        let settings = &mut self.settings;
        // Option names are case-insensitive, as in UCI.
        match name.to_ascii_lowercase().as_str() {
            "variant" => {
                let variant: Variant = value.parse().map_err(|error| format!("{error}"))?;
                self.engine.check_variant(variant)?;
                settings.variant = variant;
                self.state = Arc::new(AnyGameState::new(variant));
            }
            "seed" => settings.seed = parser::parse_number("Seed", value, 0, u64::MAX)?,
            "overhead" => {
                let overhead = parser::parse_number("Overhead", value, 0, MAX_OVERHEAD_MS)?;
                settings.overhead = Duration::from_millis(overhead);
                // The overhead doesn't affect the bot, so it is kept.
                return Ok(());
            }
            _ => {
                if !self.engine.set_option(name, value)? {
                    let names = self.engine.option_names();
                    return Err(format!(
                        "unknown option {name:?}; use one of Variant, {own}Seed, Overhead",
                        own = names
                            .iter()
                            .map(|name| format!("{name}, "))
                            .collect::<String>()
                    ));
                }
            }
        }
        self.engine.start_new_game();
        Ok(())
    }

    fn answer_query(&mut self, query: &str) {
        let outcome = self.state.outcome();
        let answer = match query {
            "gameover" if outcome.is_some() => "true",
            "gameover" => "false",
            "p1turn" if self.state.side() == Side::X => "true",
            "p1turn" => "false",
            "result" => match outcome {
                None => "none",
                Some(Outcome::Draw) => "draw",
                Some(Outcome::Win(Side::X)) => "p1win",
                Some(Outcome::Win(Side::O)) => "p2win",
            },
            _ => return,
        };
        self.engine.write_line(&format!("response {answer}"));
    }

    fn go(&mut self, text: &str) {
        let started = Instant::now();
        let (go, errors) = GoCommand::parse(text);
        for error in errors {
            self.report_error(&format!("go: {error}"));
        }
        if let Some(outcome) = self.state.outcome() {
            // A runner shouldn't ask for this, but must not be left waiting forever.
            self.report_error(&format!("go: the game is over: {outcome}"));
            self.engine.write_line("bestmove none");
            return;
        }
        let overhead = self.settings.overhead;
        let clocks = [Side::X, Side::O].map(|side| go.clock(side));
        let share = clocks[self.state.side() as usize]
            .map(|clock| clock.time_for_move(clock::expected_moves_left(&self.state), overhead));
        let time = go
            .movetime
            .map(|time| clock::minus_overhead(time, overhead));
        let limits = SearchLimits {
            time: time.into_iter().chain(share).min(),
            nodes: go.nodes,
            depth: go.depth,
        };
        let search = UgiSearch {
            state: Arc::clone(&self.state),
            limits,
            clocks,
            // `infinite` together with a limit is ignored.
            is_infinite: go.infinite && limits.is_unlimited(),
            started,
        };
        self.engine.start_search(search, &self.settings);
    }

    fn report_error(&mut self, reason: &str) {
        self.engine
            .write_line(&search::info_string(&format!("error: {reason}")));
    }
}

/// Tests replace the bots by misbehaving ones.
type BotFactory = fn(BotKind, Variant, &BotSettings) -> Result<AnyBot, String>;

/// The built-in bots.
struct BuiltinBots<W> {
    kind: BotKind,
    /// The seed is that of [`UgiSettings`] instead.
    bot_settings: BotSettings,
    make_bot: BotFactory,
    /// The bot between two searches, with the state it keeps during a game.
    bot: Option<AnyBot>,
    search: Option<RunningSearch>,
    output: Output<W>,
}

impl<W: Write + Send + 'static> BuiltinBots<W> {
    /// Waits for a search that has a limit.
    fn finish_limited_search(&mut self) {
        if let Some(search) = self.search.take_if(|search| search.is_limited()) {
            self.bot = search.join();
        }
    }

    fn bot_settings(&self, settings: &UgiSettings) -> BotSettings {
        BotSettings {
            seed: settings.seed,
            ..self.bot_settings.clone()
        }
    }
}

impl<W: Write + Send + 'static> UgiEngine for BuiltinBots<W> {
    fn write_line(&mut self, line: &str) {
        self.output.write_line(line);
    }

    fn identify(&self, settings: &UgiSettings) -> String {
        let bots = BotKind::ALL.map(|kind| format!(" var {kind}")).concat();
        format!(
            "id name noughts {version}\n\
             id author the noughts authors\n\
             option name Variant type string default {variant}\n\
             option name Bot type combo default {bot}{bots}\n\
             option name Threads type spin default {threads} min 1 max {MAX_THREADS}\n\
             option name Hash type spin default {hash} min 1 max {MAX_HASH_MIB}\n\
             {seed}\n{overhead}",
            version = env!("CARGO_PKG_VERSION"),
            variant = settings.variant,
            bot = self.kind,
            threads = self.bot_settings.threads,
            hash = self.bot_settings.memory >> 20,
            seed = settings.seed_option(),
            overhead = settings.overhead_option(),
        )
    }

    fn option_names(&self) -> Vec<String> {
        ["Bot", "Threads", "Hash"].map(str::to_owned).into()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<bool, String> {
        let settings = &mut self.bot_settings;
        match name.to_ascii_lowercase().as_str() {
            "bot" => {
                let name = value.to_ascii_lowercase();
                self.kind = name.parse().map_err(|error| format!("{error}"))?;
            }
            "threads" => {
                settings.threads = parser::parse_number("Threads", value, 1, MAX_THREADS)?;
            }
            "hash" => {
                settings.memory = parser::parse_number("Hash", value, 1, MAX_HASH_MIB)? << 20;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn start_new_game(&mut self) {
        self.bot = None;
    }

    fn prepare(&mut self, settings: &UgiSettings) {
        let search = self.search.as_ref();
        if search.is_some_and(RunningSearch::has_answered) {
            self.stop();
        }
        if self.search.is_none() && self.bot.is_none() {
            let bot_settings = self.bot_settings(settings);
            let make_bot = || (self.make_bot)(self.kind, settings.variant, &bot_settings);
            match catch_panic(make_bot).flatten() {
                Ok(bot) => self.bot = Some(bot),
                Err(reason) => self.output.write_info_string(&format!("error: {reason}")),
            }
        }
    }

    fn start_search(&mut self, search: UgiSearch, settings: &UgiSettings) {
        let limits = match search.is_infinite {
            true => search.limits,
            false => self.kind.limits_or_default(search.limits),
        };
        let task = SearchTask {
            state: Arc::clone(&search.state),
            kind: self.kind,
            settings: self.bot_settings(settings),
            make_bot: self.make_bot,
            limits,
            started: search.started,
        };
        match RunningSearch::start(task, self.bot.take(), &self.output) {
            Ok(search) => self.search = Some(search),
            Err(error) => {
                let message = format!("error: can't start a thread: {error}");
                self.output.write_info_string(&message);
                let mv = search::random_legal_move(&search.state, settings.seed);
                let mv = mv.unwrap_or_default();
                self.output.write_line(&format!("bestmove {mv}"));
            }
        }
    }

    fn stop(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop();
            self.bot = search.join();
        }
    }
}

#[cfg(test)]
mod tests;
