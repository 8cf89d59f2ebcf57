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
use crate::limits::{SearchLimits, StopFlag};
use crate::report::SearchReport;
use parser::{GoCommand, InputLine, LineReader};
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
    serve_with(input, output, options, |kind, variant, settings| {
        let bot = AnyBot::new(kind, variant, settings);
        Ok(Box::new(bot.map_err(|error| error.to_string())?))
    })
}

fn serve_with(
    input: impl BufRead,
    output: impl Write + Send + 'static,
    options: UgiOptions,
    make_bot: BotFactory,
) -> io::Result<()> {
    let mut session = UgiSession {
        state: Arc::new(AnyGameState::new(options.variant)),
        options,
        make_bot,
        bot: None,
        search: None,
        output: Output::new(output),
    };
    let mut lines = LineReader::new(input);
    loop {
        let line = match lines.next_line()? {
            InputLine::Text(line) => line,
            InputLine::TooLong => {
                session.report_error(&format!(
                    "a line is longer than {} MiB",
                    parser::MAX_LINE_BYTES >> 20
                ));
                continue;
            }
            InputLine::End => {
                session.finish_limited_search();
                break;
            }
        };
        if !session.handle_line(&line) {
            break;
        }
        if session.output.has_failed() {
            break;
        }
    }
    session.stop_search();
    session.output.result()
}

/// A bot, or a misbehaving replacement in tests.
trait UgiBot: Send {
    fn think(
        &mut self,
        state: &AnyGameState,
        limits: SearchLimits,
        stop: &StopFlag,
        on_report: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String>;
}

impl UgiBot for AnyBot {
    fn think(
        &mut self,
        state: &AnyGameState,
        limits: SearchLimits,
        stop: &StopFlag,
        on_report: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        AnyBot::think(self, state, limits, stop, on_report)
    }
}

type BotFactory = fn(BotKind, Variant, &BotSettings) -> Result<Box<dyn UgiBot>, String>;

/// The state of one connection.
struct UgiSession<W> {
    options: UgiOptions,
    make_bot: BotFactory,
    state: Arc<AnyGameState>,
    /// The bot between two searches, with the state it keeps during a game.
    bot: Option<Box<dyn UgiBot>>,
    search: Option<RunningSearch>,
    output: Output<W>,
}

/// More threads than any machine has, but not a danger to it.
const MAX_THREADS: usize = 512;
/// In MiB.
const MAX_HASH_MIB: usize = 65_536;
const MAX_OVERHEAD_MS: u64 = 10_000;

impl<W: Write + Send + 'static> UgiSession<W> {
    /// Handles a command; returns false on `quit`. Unknown commands are ignored.
    fn handle_line(&mut self, line: &str) -> bool {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "ugi" => self.identify(),
            "isready" => self.prepare_bot(),
            "setoption" => {
                self.stop_search();
                if let Err(reason) = self.set_option(rest) {
                    self.report_error(&format!("setoption: {reason}"));
                }
            }
            "uginewgame" => {
                self.stop_search();
                self.bot = None;
            }
            "position" => {
                self.stop_search();
                match parser::parse_position(self.options.variant, rest) {
                    Ok(state) => self.state = Arc::new(state),
                    Err(reason) => self.report_error(&format!("position: {reason}")),
                }
            }
            "go" => {
                self.stop_search();
                self.go(rest);
            }
            "stop" => self.stop_search(),
            "query" => self.answer_query(rest),
            "quit" => return false,
            _ => {}
        }
        true
    }

    fn identify(&mut self) {
        let options = &self.options;
        let bots = BotKind::ALL.map(|kind| format!(" var {kind}")).concat();
        let text = format!(
            "id name noughts {version}\n\
             id author the noughts authors\n\
             option name Variant type string default {variant}\n\
             option name Bot type combo default {bot}{bots}\n\
             option name Threads type spin default {threads} min 1 max {MAX_THREADS}\n\
             option name Hash type spin default {hash} min 1 max {MAX_HASH_MIB}\n\
             option name Seed type string default {seed}\n\
             option name Overhead type spin default {overhead} min 0 max {MAX_OVERHEAD_MS}\n\
             ugiok",
            version = env!("CARGO_PKG_VERSION"),
            variant = options.variant,
            bot = options.bot,
            threads = options.settings.threads,
            hash = options.settings.memory >> 20,
            seed = options.settings.seed,
            overhead = options.overhead.as_millis(),
        );
        self.output.write_line(&text);
    }

    /// Creates the bot, so that the first move has all its time. Does nothing during a search.
    fn prepare_bot(&mut self) {
        if self
            .search
            .as_ref()
            .is_some_and(RunningSearch::has_answered)
        {
            self.stop_search();
        }
        if self.search.is_none() && self.bot.is_none() {
            let UgiOptions {
                variant,
                bot,
                settings,
                ..
            } = &self.options;
            match catch_panic(|| (self.make_bot)(*bot, *variant, settings)).flatten() {
                Ok(bot) => self.bot = Some(bot),
                Err(reason) => self.report_error(&reason),
            }
        }
        self.output.write_line("readyok");
    }

    fn set_option(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = parser::parse_option(text)?;
        let options = &mut self.options;
        // Option names are case-insensitive, as in UCI.
        match name.to_ascii_lowercase().as_str() {
            "variant" => {
                let variant = value
                    .parse::<Variant>()
                    .map_err(|error| error.to_string())?;
                options.variant = variant;
                self.state = Arc::new(AnyGameState::new(variant));
            }
            "bot" => {
                let bot = value.to_ascii_lowercase();
                options.bot = bot.parse().map_err(|error| format!("{error}"))?;
            }
            "threads" => {
                options.settings.threads = parser::parse_number("Threads", value, 1, MAX_THREADS)?;
            }
            "hash" => {
                options.settings.memory =
                    parser::parse_number("Hash", value, 1, MAX_HASH_MIB)? << 20;
            }
            "seed" => options.settings.seed = parser::parse_number("Seed", value, 0, u64::MAX)?,
            "overhead" => {
                let overhead = parser::parse_number("Overhead", value, 0, MAX_OVERHEAD_MS)?;
                options.overhead = Duration::from_millis(overhead);
                // The overhead doesn't affect the bot, so it is kept.
                return Ok(());
            }
            _ => {
                return Err(format!(
                    "there is no option {name:?}; the options are Variant, Bot, Threads, Hash, Seed, Overhead"
                ));
            }
        }
        self.bot = None;
        Ok(())
    }

    fn answer_query(&self, query: &str) {
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
        self.output.write_line(&format!("response {answer}"));
    }

    fn go(&mut self, text: &str) {
        let started = Instant::now();
        let (go, errors) = GoCommand::parse(text);
        for error in errors {
            self.report_error(&format!("go: {error}"));
        }
        let limits = self.limits(&go);
        let task = SearchTask {
            state: Arc::clone(&self.state),
            kind: self.options.bot,
            settings: self.options.settings.clone(),
            make_bot: self.make_bot,
            limits,
            started,
        };
        if let Some(outcome) = task.state.outcome() {
            // A runner shouldn't ask for this, but must not be left waiting forever.
            self.report_error(&format!("go: the game is over: {outcome}"));
            self.output.write_line("bestmove none");
            return;
        }
        let seed = task.settings.seed;
        match RunningSearch::start(task, self.bot.take(), &self.output) {
            Ok(search) => self.search = Some(search),
            Err(error) => {
                self.report_error(&format!("no thread can be started: {error}"));
                let mv = search::random_legal_move(&self.state, seed).unwrap_or_default();
                self.output.write_line(&format!("bestmove {mv}"));
            }
        }
    }

    /// The limits for a `go` command.
    fn limits(&self, go: &GoCommand) -> SearchLimits {
        let overhead = self.options.overhead;
        let clock = go.clock(self.state.side()).map(|(left, increment)| {
            let clock = Clock {
                remaining: left,
                increment,
                moves_to_go: go.moves_to_go,
            };
            clock.time_for_move(clock::expected_moves_left(&self.state), overhead)
        });
        let time = go
            .movetime
            .map(|time| clock::minus_overhead(time, overhead));
        let time = match (time, clock) {
            (Some(time), Some(share)) => Some(time.min(share)),
            (time, share) => time.or(share),
        };
        let limits = SearchLimits {
            time,
            nodes: go.nodes,
            depth: go.depth,
        };
        // `infinite` together with a limit is ignored.
        if go.infinite && limits.is_unlimited() {
            return limits;
        }
        self.options.bot.limits_or_default(limits)
    }

    /// Stops a running search, which answers with its move, and takes the bot back.
    fn stop_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop();
            self.bot = search.join();
        }
    }

    /// Waits for a search that has a limit.
    fn finish_limited_search(&mut self) {
        if let Some(search) = self.search.take_if(|search| search.is_limited()) {
            self.bot = search.join();
        }
    }

    fn report_error(&self, reason: &str) {
        self.output.write_info_string(&format!("error: {reason}"));
    }
}

#[cfg(test)]
mod tests;
