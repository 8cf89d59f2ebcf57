//! UGI, the universal game interface: how match runners and other programs talk
//! to the bots, line by line. What the words mean stands in `docs/protocol.md`;
//! reading them lives in `words.rs`, a search and its answer in `search.rs`.

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

/// What the options are set to before anybody sets them.
#[derive(Clone, Debug)]
pub struct UgiOptions {
    /// The game.
    pub variant: Variant,
    /// The bot.
    pub bot: BotKind,
    /// What it is made with.
    pub settings: BotSettings,
    /// What passes between the players besides thinking, taken off every time limit.
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

/// Answers until `quit` or the end of the input. Whatever comes in, it neither
/// panics nor stops answering.
///
/// ```
/// use noughts_engine::ugi::{self, Options};
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
/// ugi::serve(input.as_bytes(), output.clone(), Options::default())?;
///
/// let text = String::from_utf8(output.0.lock().unwrap().clone())?;
/// assert!(text.starts_with("response true\ninfo "));
/// assert!(text.ends_with("bestmove c3\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The input cannot be read, or the output not be written.
pub fn serve(
    input: impl BufRead,
    output: impl Write + Send + 'static,
    options: UgiOptions,
) -> io::Result<()> {
    serve_with(input, output, options, |kind, variant, settings| {
        Ok(Box::new(AnyBot::new(kind, variant, settings)?))
    })
}

fn serve_with(
    input: impl BufRead,
    output: impl Write + Send + 'static,
    options: UgiOptions,
    make: BotFactory,
) -> io::Result<()> {
    let mut session = UgiSession {
        play: Arc::new(AnyGameState::new(options.variant)),
        options,
        make_bot: make,
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

/// What thinks: a bot, or in tests something worse.
trait UgiBot: Send {
    fn think(
        &mut self,
        play: &AnyGameState,
        limits: SearchLimits,
        stop: &StopFlag,
        watch: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String>;
}

impl UgiBot for AnyBot {
    fn think(
        &mut self,
        play: &AnyGameState,
        limits: SearchLimits,
        stop: &StopFlag,
        watch: &mut dyn FnMut(&SearchReport<String>),
    ) -> SearchReport<String> {
        AnyBot::think(self, play, limits, stop, watch)
    }
}

type BotFactory = fn(BotKind, Variant, &BotSettings) -> Result<Box<dyn UgiBot>, String>;

/// One conversation.
struct UgiSession<W> {
    options: UgiOptions,
    make_bot: BotFactory,
    play: Arc<AnyGameState>,
    /// The bot between two searches of a game, with all that it remembers.
    bot: Option<Box<dyn UgiBot>>,
    search: Option<RunningSearch>,
    output: Output<W>,
}

/// More threads than any machine has, and still not a threat to it.
const MOST_THREADS: usize = 512;
/// MiB.
const MOST_HASH: usize = 65_536;
const MOST_OVERHEAD: u64 = 10_000;

impl<W: Write + Send + 'static> UgiSession<W> {
    /// Does what a line asks for; false when it asks to leave. What it does not
    /// know is ignored.
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
                    Ok(play) => self.play = Arc::new(play),
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
             option name Threads type spin default {threads} min 1 max {MOST_THREADS}\n\
             option name Hash type spin default {hash} min 1 max {MOST_HASH}\n\
             option name Seed type string default {seed}\n\
             option name Overhead type spin default {overhead} min 0 max {MOST_OVERHEAD}\n\
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

    /// Makes the bot, so that the first move has all its time. During a search
    /// there is nothing to make.
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
                Ok(mind) => self.bot = Some(mind),
                Err(reason) => self.report_error(&reason),
            }
        }
        self.output.write_line("readyok");
    }

    fn set_option(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = parser::parse_option(text)?;
        let options = &mut self.options;
        // Names are read as UCI reads them, whatever their case.
        match name.to_ascii_lowercase().as_str() {
            "variant" => {
                let variant = value
                    .parse::<Variant>()
                    .map_err(|error| error.to_string())?;
                options.variant = variant;
                self.play = Arc::new(AnyGameState::new(variant));
            }
            "bot" => {
                let bot = value.to_ascii_lowercase();
                options.bot = bot.parse().map_err(|error| format!("{error}"))?;
            }
            "threads" => {
                options.settings.threads = parser::parse_number("Threads", value, 1, MOST_THREADS)?;
            }
            "hash" => {
                options.settings.memory = parser::parse_number("Hash", value, 1, MOST_HASH)? << 20
            }
            "seed" => options.settings.seed = parser::parse_number("Seed", value, 0, u64::MAX)?,
            "overhead" => {
                let overhead = parser::parse_number("Overhead", value, 0, MOST_OVERHEAD)?;
                options.overhead = Duration::from_millis(overhead);
                // The bot knows nothing of it.
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

    fn answer_query(&self, question: &str) {
        let outcome = self.play.outcome();
        let answer = match question {
            "gameover" if outcome.is_some() => "true",
            "gameover" => "false",
            "p1turn" if self.play.side() == Side::X => "true",
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
        let began = Instant::now();
        let (go, faults) = GoCommand::parse(text);
        for fault in faults {
            self.report_error(&format!("go: {fault}"));
        }
        let limits = self.limits(&go);
        let task = SearchTask {
            play: Arc::clone(&self.play),
            kind: self.options.bot,
            settings: self.options.settings.clone(),
            make_bot: self.make_bot,
            limits,
            started: began,
        };
        if let Some(outcome) = task.play.outcome() {
            // No runner asks for this; one that does should not wait for ever.
            self.report_error(&format!("go: the game is over: {outcome}"));
            self.output.write_line("bestmove none");
            return;
        }
        let seed = task.settings.seed;
        match RunningSearch::start(task, self.bot.take(), &self.output) {
            Ok(search) => self.search = Some(search),
            Err(error) => {
                self.report_error(&format!("no thread can be started: {error}"));
                let mv = search::random_legal_move(&self.play, seed).unwrap_or_default();
                self.output.write_line(&format!("bestmove {mv}"));
            }
        }
    }

    /// What the bot may spend.
    fn limits(&self, go: &GoCommand) -> SearchLimits {
        let overhead = self.options.overhead;
        let clock = go.clock(self.play.side()).map(|(left, increment)| {
            let clock = Clock {
                remaining: left,
                increment,
                moves_to_go: go.moves_to_go,
            };
            clock.time_for_move(clock::expected_moves_left(&self.play), overhead)
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
        // `infinite` beside a limit says nothing.
        if go.infinite && limits.is_unlimited() {
            return limits;
        }
        self.options.bot.limits_or_default(limits)
    }

    /// Ends a search that goes on; it says its move. The bot comes back.
    fn stop_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop();
            self.bot = search.join();
        }
    }

    /// Lets a search that has a limit come to its end.
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
