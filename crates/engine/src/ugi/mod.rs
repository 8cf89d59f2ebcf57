//! UGI, the universal game interface: how match runners and other programs talk
//! to the bots, line by line. What the words mean stands in `docs/protocol.md`;
//! reading them lives in `words.rs`, a search and its answer in `search.rs`.

mod search;
mod words;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use noughts_rules::{AnyPlay, Outcome, Player, Variant};

use crate::background::caught;
use crate::bot::{AnyBot, BotKind, Settings};
use crate::clock::{self, Clock};
use crate::limits::{Limits, Stop};
use crate::report::Report;
use search::{Output, Search, Task};
use words::{Go, Line, Lines};

/// What the options are set to before anybody sets them.
#[derive(Clone, Debug)]
pub struct Options {
    /// The game.
    pub variant: Variant,
    /// The bot.
    pub bot: BotKind,
    /// What it is made with.
    pub settings: Settings,
    /// What passes between the players besides thinking, taken off every time limit.
    pub overhead: Duration,
}

impl Default for Options {
    /// The classic game, the best bot, one thread, 64 MiB, 10 ms.
    fn default() -> Options {
        Options {
            variant: Variant::CLASSIC,
            bot: BotKind::Best,
            settings: Settings::default(),
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
    options: Options,
) -> io::Result<()> {
    serve_with(input, output, options, |kind, variant, settings| {
        Ok(Box::new(AnyBot::new(kind, variant, settings)?))
    })
}

fn serve_with(
    input: impl BufRead,
    output: impl Write + Send + 'static,
    options: Options,
    make: Maker,
) -> io::Result<()> {
    let mut session = Session {
        play: Arc::new(AnyPlay::new(options.variant)),
        options,
        make,
        mind: None,
        search: None,
        output: Output::new(output),
    };
    let mut lines = Lines::new(input);
    loop {
        let line = match lines.next_line()? {
            Line::Text(line) => line,
            Line::TooLong => {
                session.error(&format!(
                    "a line is longer than {} MiB",
                    words::LONGEST >> 20
                ));
                continue;
            }
            Line::End => {
                session.finish();
                break;
            }
        };
        if !session.obey(&line) {
            break;
        }
        if session.output.has_failed() {
            break;
        }
    }
    session.settle();
    session.output.result()
}

/// What thinks: a bot, or in tests something worse.
trait Mind: Send {
    fn think(
        &mut self,
        play: &AnyPlay,
        limits: Limits,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report<String>),
    ) -> Report<String>;
}

impl Mind for AnyBot {
    fn think(
        &mut self,
        play: &AnyPlay,
        limits: Limits,
        stop: &Stop,
        watch: &mut dyn FnMut(&Report<String>),
    ) -> Report<String> {
        AnyBot::think(self, play, limits, stop, watch)
    }
}

type Maker = fn(BotKind, Variant, &Settings) -> Result<Box<dyn Mind>, String>;

/// One conversation.
struct Session<W> {
    options: Options,
    make: Maker,
    play: Arc<AnyPlay>,
    /// The bot between two searches of a game, with all that it remembers.
    mind: Option<Box<dyn Mind>>,
    search: Option<Search>,
    output: Output<W>,
}

/// More threads than any machine has, and still not a threat to it.
const MOST_THREADS: usize = 512;
/// MiB.
const MOST_HASH: usize = 65_536;
const MOST_OVERHEAD: u64 = 10_000;

impl<W: Write + Send + 'static> Session<W> {
    /// Does what a line asks for; false when it asks to leave. What it does not
    /// know is ignored.
    fn obey(&mut self, line: &str) -> bool {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "ugi" => self.introduce(),
            "isready" => self.get_ready(),
            "setoption" => {
                self.settle();
                if let Err(reason) = self.set_option(rest) {
                    self.error(&format!("setoption: {reason}"));
                }
            }
            "uginewgame" => {
                self.settle();
                self.mind = None;
            }
            "position" => {
                self.settle();
                match words::position(self.options.variant, rest) {
                    Ok(play) => self.play = Arc::new(play),
                    Err(reason) => self.error(&format!("position: {reason}")),
                }
            }
            "go" => {
                self.settle();
                self.go(rest);
            }
            "stop" => self.settle(),
            "query" => self.answer(rest),
            "quit" => return false,
            _ => {}
        }
        true
    }

    fn introduce(&mut self) {
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
        self.output.say(&text);
    }

    /// Makes the bot, so that the first move has all its time. During a search
    /// there is nothing to make.
    fn get_ready(&mut self) {
        if self.search.as_ref().is_some_and(Search::has_answered) {
            self.settle();
        }
        if self.search.is_none() && self.mind.is_none() {
            let Options {
                variant,
                bot,
                settings,
                ..
            } = &self.options;
            match caught(|| (self.make)(*bot, *variant, settings)).flatten() {
                Ok(mind) => self.mind = Some(mind),
                Err(reason) => self.error(&reason),
            }
        }
        self.output.say("readyok");
    }

    fn set_option(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = words::option(text)?;
        let options = &mut self.options;
        // Names are read as UCI reads them, whatever their case.
        match name.to_ascii_lowercase().as_str() {
            "variant" => {
                let variant = value
                    .parse::<Variant>()
                    .map_err(|error| error.to_string())?;
                options.variant = variant;
                self.play = Arc::new(AnyPlay::new(variant));
            }
            "bot" => {
                let bot = value.to_ascii_lowercase();
                options.bot = bot.parse().map_err(|error| format!("{error}"))?;
            }
            "threads" => {
                options.settings.threads = words::number("Threads", value, 1, MOST_THREADS)?;
            }
            "hash" => options.settings.memory = words::number("Hash", value, 1, MOST_HASH)? << 20,
            "seed" => options.settings.seed = words::number("Seed", value, 0, u64::MAX)?,
            "overhead" => {
                let overhead = words::number("Overhead", value, 0, MOST_OVERHEAD)?;
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
        self.mind = None;
        Ok(())
    }

    fn answer(&self, question: &str) {
        let outcome = self.play.outcome();
        let answer = match question {
            "gameover" if outcome.is_some() => "true",
            "gameover" => "false",
            "p1turn" if self.play.side() == Player::X => "true",
            "p1turn" => "false",
            "result" => match outcome {
                None => "none",
                Some(Outcome::Draw) => "draw",
                Some(Outcome::Win(Player::X)) => "p1win",
                Some(Outcome::Win(Player::O)) => "p2win",
            },
            _ => return,
        };
        self.output.say(&format!("response {answer}"));
    }

    fn go(&mut self, text: &str) {
        let began = Instant::now();
        let (go, faults) = Go::read(text);
        for fault in faults {
            self.error(&format!("go: {fault}"));
        }
        let limits = self.limits(&go);
        let task = Task {
            play: Arc::clone(&self.play),
            kind: self.options.bot,
            settings: self.options.settings.clone(),
            make: self.make,
            limits,
            began,
        };
        if let Some(outcome) = task.play.outcome() {
            // No runner asks for this; one that does should not wait for ever.
            self.error(&format!("go: the game is over: {outcome}"));
            self.output.say("bestmove none");
            return;
        }
        let seed = task.settings.seed;
        match Search::start(task, self.mind.take(), &self.output) {
            Ok(search) => self.search = Some(search),
            Err(error) => {
                self.error(&format!("no thread can be started: {error}"));
                let mv = search::any_move(&self.play, seed).unwrap_or_default();
                self.output.say(&format!("bestmove {mv}"));
            }
        }
    }

    /// What the bot may spend.
    fn limits(&self, go: &Go) -> Limits {
        let overhead = self.options.overhead;
        let clock = go.clock(self.play.side()).map(|(left, increment)| {
            let clock = Clock {
                left,
                increment,
                moves_to_go: go.moves_to_go,
            };
            clock.share(clock::moves_expected(&self.play), overhead)
        });
        let time = go.movetime.map(|time| clock::without(time, overhead));
        let time = match (time, clock) {
            (Some(time), Some(share)) => Some(time.min(share)),
            (time, share) => time.or(share),
        };
        let limits = Limits {
            time,
            nodes: go.nodes,
            depth: go.depth,
        };
        // `infinite` beside a limit says nothing.
        if go.infinite && limits.is_none() {
            return limits;
        }
        self.options.bot.limits(limits)
    }

    /// Ends a search that goes on; it says its move. The bot comes back.
    fn settle(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop();
            self.mind = search.join();
        }
    }

    /// Lets a search that has a limit come to its end.
    fn finish(&mut self) {
        if let Some(search) = self.search.take_if(|search| search.is_limited()) {
            self.mind = search.join();
        }
    }

    fn error(&self, reason: &str) {
        self.output.string(&format!("error: {reason}"));
    }
}

#[cfg(test)]
mod tests;
