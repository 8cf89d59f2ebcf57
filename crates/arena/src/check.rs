//! Trying a bot step by step, for whoever writes one: what works, what does not, and how
//! to mend it.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use noughts_engine::{AnyBot, BotKind, Clock, Limits, Settings, Stop};
use noughts_rules::{AnyPlay, Player as Side, Variant};

use crate::codingame;
use crate::make::Making;
use crate::pace::Pace;
use crate::player::{NewGame, Player, Turn};
use crate::process::{Ended, Manner, Process, Trouble};
use crate::spec::{BotSpec, Program, Protocol, Who};
use crate::ugi::{self, Said, Talk};
use crate::words::{listed as listed_names, shown, shown_long};

/// One thing that was tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What.
    pub what: &'static str,
    /// How it went.
    pub grade: Grade,
    /// What was seen.
    pub seen: String,
    /// How to mend it, where something is wrong.
    pub mend: Option<Cow<'static, str>>,
}

/// How a step went.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// As it should.
    Good,
    /// The arena can live with it.
    Doubtful,
    /// It costs games.
    Bad,
}

impl Grade {
    /// The word for lists: `ok`, `warn` or `fail`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Grade::Good => "ok",
            Grade::Doubtful => "warn",
            Grade::Bad => "fail",
        }
    }
}

/// How long a move is asked to take.
const MOVE: Duration = Duration::from_millis(100);
/// Later than this is worth a word.
const SLACK: Duration = Duration::from_millis(20);
/// Who is late so often is late.
const TRIES: usize = 3;
/// How long one waits for what should come at once.
const AT_ONCE: Duration = Duration::from_secs(1);
/// So many positions of random games are shown to it.
const GAMES: u64 = 4;
/// No game is followed farther: those of deep boards have no end within reason.
const LONG: usize = 300;
/// Who has to be started more often is not tried further.
const STARTS: usize = 4;

/// Tries a bot at a game. Every step is told as soon as it is done; true if none was
/// bad. `patience` is how long one waits for it to be ready, or to move where no time is
/// given.
///
/// ```
/// use std::time::Duration;
/// use noughts_arena::{BotSpec, BotsFile, check};
/// use noughts_rules::Variant;
/// let bot = BotSpec::read("random", &BotsFile::default())?;
/// let mut steps = Vec::new();
/// let fine = check::check(&bot, Variant::CLASSIC, Duration::from_secs(5), &mut |step| {
///     steps.push(format!("{}: {}", step.what, step.grade.word()));
/// });
/// assert!(fine);
/// assert_eq!(steps, ["plays this game: ok", "plays whole games against itself: ok"]);
/// # Ok::<(), noughts_arena::SpecError>(())
/// ```
pub fn check(
    spec: &BotSpec,
    variant: Variant,
    patience: Duration,
    say: &mut dyn FnMut(Step),
) -> bool {
    let mut worst = Grade::Good;
    let mut tell = |step: Step| {
        worst = worst.max(step.grade);
        say(step);
    };
    let making = Making::new(patience);
    let mut trial = Trial {
        spec,
        variant,
        patience,
        making,
        tell: &mut tell,
    };
    if let Err(error) = spec.plays(variant) {
        let mend = "try it at a game that it plays";
        trial.bad("plays this game", error.0, mend);
        return false;
    }
    match &spec.who {
        Who::Ours(_) => {
            trial.good("plays this game", "it is one of ours".into());
            trial.whole_games(Pace::Nodes(100));
        }
        Who::Program(program) => match program.protocol {
            Protocol::Ugi => trial.ugi(program),
            Protocol::Codingame => trial.codingame(program),
        },
        Who::Guest => {
            let seen = format!("{} is neither one of ours nor a program", spec.name);
            trial.bad("plays this game", seen, "let it play a match");
        }
    }
    worst < Grade::Bad
}

struct Trial<'a> {
    spec: &'a BotSpec,
    variant: Variant,
    patience: Duration,
    making: Making,
    tell: &'a mut dyn FnMut(Step),
}

/// An answer to `go`.
struct Heard {
    mv: String,
    took: Duration,
    said: Said,
}

impl Trial<'_> {
    fn good(&mut self, what: &'static str, seen: String) {
        self.step(what, Grade::Good, seen, None);
    }

    fn doubtful(&mut self, what: &'static str, seen: String, mend: impl Into<Cow<'static, str>>) {
        self.step(what, Grade::Doubtful, seen, Some(mend.into()));
    }

    fn bad(&mut self, what: &'static str, seen: String, mend: impl Into<Cow<'static, str>>) {
        self.step(what, Grade::Bad, seen, Some(mend.into()));
    }

    fn step(
        &mut self,
        what: &'static str,
        grade: Grade,
        seen: String,
        mend: Option<Cow<'static, str>>,
    ) {
        (self.tell)(Step {
            what,
            grade,
            seen,
            mend,
        });
    }

    // ---- UGI ----

    fn ugi(&mut self, program: &Program) {
        let Some(mut talk) = self.introduce(program) else {
            return;
        };
        if !self.get_ready(&mut talk, program) {
            return;
        }
        let mut bot = Bot {
            talk: Some(talk),
            program,
            variant: self.variant,
            patience: self.patience,
            tag: self.making.tag.clone(),
            starts: 1,
            twice: false,
        };
        self.limits(&mut bot);
        if !self.once(&mut bot) {
            return;
        }
        self.positions(&mut bot);
        self.infinite(&mut bot);
        self.whole_games(Pace::Move(MOVE / 2));
        self.leave(&mut bot);
    }

    /// Starts it, and lets it introduce itself.
    fn introduce(&mut self, program: &Program) -> Option<Talk> {
        let mut talk = match Talk::start(program, &self.making.tag, None) {
            Ok(talk) => talk,
            Err(fault) => {
                let mend = "the command line after `ugi:` must run in your shell as it stands";
                self.bad("starts", fault.message, mend);
                return None;
            }
        };
        self.good("starts", program.command.clone());
        match talk.introduce(ugi::after(self.patience)) {
            Ok(()) => {
                let name = shown(talk.name.as_deref().unwrap_or_default());
                match name.is_empty() {
                    false => self.good("answers `ugi`", format!("it is called {name}")),
                    true => self.doubtful(
                        "answers `ugi`",
                        "it has no name".into(),
                        "print `id name NAME` before `ugiok`",
                    ),
                }
                Some(talk)
            }
            Err(fault) => {
                let mend = "read a line; if it is `ugi`, print `id name NAME` and `ugiok`, each as \
                            a line, and flush the output: many languages keep it back when it goes \
                            to a pipe";
                let wrote = self.wrote(program);
                let seen = match wrote.is_empty() {
                    true => format!("{}; it wrote nothing", fault.message),
                    false => format!("{}; it wrote {}", fault.message, wrote.join(", ")),
                };
                match self.speaks_codingame(program) {
                    true => self.bad("answers `ugi`", seen, CODINGAME),
                    false => self.bad("answers `ugi`", seen, mend),
                }
                None
            }
        }
    }

    /// What it writes when it is asked to introduce itself: the first lines, quoted.
    fn wrote(&self, program: &Program) -> Vec<String> {
        const LINES: usize = 3;
        let Ok(mut process) = Process::start(program, &self.making.tag, None) else {
            return Vec::new();
        };
        let until = ugi::after(AT_ONCE);
        let mut lines = Vec::new();
        if process.say("ugi\n", until).is_ok() {
            while lines.len() < LINES
                && let Ok(line) = process.line(until)
            {
                lines.push(format!("{:?}", shown(&line)));
            }
        }
        if lines.is_empty() {
            let half = process.half_a_line();
            lines.extend(half.map(|half| format!("{:?} without an end of the line", shown(&half))));
        }
        process.end(Manner::Kill);
        lines
    }

    /// Does it answer the first turn of the other protocol?
    fn speaks_codingame(&self, program: &Program) -> bool {
        let Ok(mut process) = Process::start(program, &self.making.tag, None) else {
            return false;
        };
        let play = AnyPlay::new(Variant::ULTIMATE);
        let until = ugi::after(AT_ONCE);
        let line = process
            .say(&codingame::situation(&play), until)
            .and_then(|()| process.line(until));
        process.end(Manner::Kill);
        let mv = line.ok().and_then(|line| codingame::read(&line));
        mv.is_some_and(|mv| play.check(&mv).is_ok())
    }

    /// The games that it lists, where this one is not among them.
    fn other_games(&self, talk: &Talk) -> Option<String> {
        let listed = talk.listed("Variant")?;
        let other = listed.kind == "combo" && !listed.choices.contains(&self.variant.to_string());
        let first = listed.choices.first().filter(|_| other)?;
        Some(format!(
            "by its option Variant it plays {}: try it with --variant {}",
            listed_names(&listed.choices),
            shown(first)
        ))
    }

    fn get_ready(&mut self, talk: &mut Talk, program: &Program) -> bool {
        let names: Vec<String> = talk.options.iter().map(|o| o.name.clone()).collect();
        let names = match names.is_empty() {
            true => "it lists no options".to_owned(),
            false => format!("it lists {}", listed_names(&names)),
        };
        let other = self.other_games(talk);
        if let Err(fault) = talk.settle(program, self.variant, ugi::after(self.patience)) {
            let mend = "an option that is to be set must be listed (`option name N type T …`), and \
                        the value must be one that it takes";
            let mend = other.map_or(Cow::Borrowed(mend), Cow::Owned);
            self.bad("takes its options", shown_long(&fault.message), mend);
            return false;
        }
        match (talk.listed("Variant"), self.variant) {
            (None, variant) => self.doubtful(
                "takes its options",
                format!("{names}; it is not told that the game is {variant}"),
                "a bot that plays one game only can do without, and is tried with --variant GAME; one \
                 that plays several lists `option name Variant type string default classic`",
            ),
            (Some(_), _) => self.good("takes its options", names),
        }
        match talk.ready(ugi::after(self.patience)) {
            Ok(before) => match before.iter().find(|line| line.contains("error")) {
                Some(error) => {
                    let mend = "what it says came in answer to `setoption`";
                    self.doubtful("answers `isready`", shown(error), mend);
                }
                None => self.good("answers `isready`", "readyok".into()),
            },
            Err(trouble) => {
                let fault = talk.failed_to_start(trouble, "readyok", self.patience);
                let mend = "answer each `isready` with a line `readyok`, and flush the output";
                self.bad("answers `isready`", fault.message, mend);
                return false;
            }
        }
        match talk.new_game(1, ugi::after(self.patience)) {
            Ok(()) => self.good("begins a game", "uginewgame, then readyok".into()),
            Err(trouble) => {
                let fault = talk.failed_to_start(trouble, "readyok", self.patience);
                let mend = "`uginewgame` wants no answer; the `isready` after it does";
                self.bad("begins a game", fault.message, mend);
                return false;
            }
        }
        true
    }

    /// Every way to say how long.
    fn limits(&mut self, bot: &mut Bot<'_>) {
        let play = AnyPlay::new(self.variant);
        let clock = Clock {
            left: MOVE * 50,
            increment: MOVE,
            moves_to_go: None,
        };
        let paces = [
            ("moves in a given time", Pace::Move(MOVE)),
            ("moves by nodes", Pace::Nodes(100)),
            ("moves by depth", Pace::Depth(2)),
            (
                "moves by a clock",
                Pace::Clock {
                    base: clock.left,
                    increment: clock.increment,
                },
            ),
        ];
        for (what, pace) in paces {
            let line = ugi::go(pace, Some([clock; 2]));
            let time = match pace {
                Pace::Move(time) => Some(time),
                Pace::Clock { base, .. } => Some(base),
                Pace::Nodes(_) | Pace::Depth(_) => None,
            };
            let mut heard = bot.ask(&play, &line);
            // A machine that is busy with something else is no fault of the bot.
            for _ in 1..TRIES {
                let late = |heard: &Heard| time.is_some_and(|time| heard.took > time + SLACK);
                if heard.as_ref().is_ok_and(late) {
                    heard = bot.ask(&play, &line);
                }
            }
            match heard {
                Ok(heard) => self.judge(what, &play, &heard, line.trim(), time),
                Err(_) if bot.twice => return,
                Err(message) => {
                    let mend = "every `go …` is answered by `bestmove MOVE`, whatever stands behind \
                                `go`; a limit that means nothing to the bot is one it is free to \
                                ignore, as long as it answers soon";
                    self.bad(what, format!("{}: {message}", line.trim()), mend);
                    if !bot.can_go_on() {
                        return;
                    }
                }
            }
        }
    }

    /// One answer to one `go`: a second one would be taken for the next.
    fn once(&mut self, bot: &mut Bot<'_>) -> bool {
        const WHAT: &str = "answers each `go` once";
        if bot.twice {
            self.bad(
                WHAT,
                ugi::TWICE.into(),
                "write `bestmove` at one place only, when the bot has decided; what it thinks \
                 meanwhile are `info` lines",
            );
            return false;
        }
        true
    }

    fn judge(
        &mut self,
        what: &'static str,
        play: &AnyPlay,
        heard: &Heard,
        asked: &str,
        time: Option<Duration>,
    ) {
        let took = heard.took.as_millis();
        let seen = format!("{asked}: {} after {took} ms", shown(&heard.mv));
        if let Some((refusal, mend)) = refused(play, heard) {
            return self.bad(what, refusal, mend);
        }
        match time {
            Some(time) if heard.took > time + SLACK => {
                let mend = "stop thinking some milliseconds earlier: what passes between the \
                            programs counts, too";
                self.bad(
                    what,
                    format!("{seen}, and had {} ms", time.as_millis()),
                    mend,
                );
            }
            _ => self.good(what, seen),
        }
    }

    /// Positions of random games, told by moves and by themselves.
    fn positions(&mut self, bot: &mut Bot<'_>) {
        const BY_MOVES: &str = "moves legally after `position startpos moves …`";
        const BY_TEXT: &str = "moves legally after `position fen …`";
        for (what, by_text) in [(BY_MOVES, false), (BY_TEXT, true)] {
            let mut tried = 0;
            let mut wrong = None;
            for play in positions(self.variant) {
                let play = match by_text {
                    false => play,
                    true => match AnyPlay::from_text(self.variant, &play.position_text()) {
                        Ok(play) => play,
                        Err(_) => continue,
                    },
                };
                tried += 1;
                let line = format!("go movetime {}\n", (MOVE / 2).as_millis());
                wrong = match bot.ask(&play, &line) {
                    Ok(heard) => refused(&play, &heard),
                    Err(message) => {
                        let asked = shown(&ugi::position(&play));
                        Some((format!("{asked}: {message}"), LEGAL))
                    }
                };
                if bot.twice {
                    self.once(bot);
                    return;
                }
                if wrong.is_some() {
                    break;
                }
            }
            match wrong {
                None => self.good(
                    what,
                    format!("{tried} positions, from the start to the last move"),
                ),
                Some((wrong, _)) if by_text => self.doubtful(
                    what,
                    // Where a bot that never heard of it stumbled is of no interest.
                    match wrong.split_once("; its last words") {
                        Some((before, _)) => format!("it does not know it: {before}"),
                        None => wrong,
                    },
                    "`position fen TEXT [moves …]` is needed for openings that are positions; \
                     without it all works that begins with moves; docs/notation.md has the text of \
                     positions",
                ),
                Some((wrong, mend)) => self.bad(what, wrong, mend),
            }
            if !bot.can_go_on() {
                return;
            }
        }
    }

    /// `isready` and `stop` while it thinks.
    fn infinite(&mut self, bot: &mut Bot<'_>) {
        const READY: &str = "answers `isready` while it thinks";
        const STOP: &str = "obeys `stop`";
        const MEND: &str = "read the input while the bot thinks (in a thread, or now and then); the \
                            arena does without, other match runners do not";
        let play = AnyPlay::new(self.variant);
        let Some(talk) = bot.talk() else {
            return;
        };
        let until = ugi::after(AT_ONCE);
        talk.process.new_turn();
        let asked = ugi::position(&play) + "go infinite\n";
        let ready = talk
            .process
            .say(&asked, until)
            .and_then(|()| talk.ready(until));
        let mut said = Said::default();
        let (early, grade) = match ready {
            Ok(before) => (before.iter().find_map(|line| said.hear(line)), None),
            Err(trouble) => (None, Some(trouble)),
        };
        match grade {
            None => self.good(READY, "readyok".into()),
            Some(trouble) => {
                self.doubtful(READY, bot.lost(trouble, AT_ONCE), MEND);
                if trouble != Trouble::Late {
                    return;
                }
            }
        }
        if let Some(mv) = early {
            return self.good(
                STOP,
                format!("it was sure of {mv} before it was told to stop"),
            );
        }
        let Some(talk) = bot.talk() else {
            return;
        };
        if grade.is_some() {
            // It does not listen; a fresh one is asked whether it stops at all.
            let asked = ugi::position(&play) + "go infinite\n";
            let _ = talk.process.say(&asked, ugi::after(AT_ONCE));
        }
        let until = ugi::after(AT_ONCE);
        let stopped = talk.process.say("stop\n", until).and_then(|()| {
            loop {
                if let Some(mv) = said.hear(&talk.process.line(until)?) {
                    return Ok(mv);
                }
            }
        });
        match stopped {
            Ok(mv) => match play.check(&mv) {
                Ok(()) => self.good(STOP, format!("go infinite, stop: {mv}")),
                Err(refusal) => {
                    self.bad(STOP, format!("bestmove {}: {refusal}", shown(&mv)), LEGAL);
                }
            },
            Err(trouble) => self.doubtful(STOP, bot.lost(trouble, AT_ONCE), MEND),
        }
    }

    /// `quit`, and what is left then.
    fn leave(&mut self, bot: &mut Bot<'_>) {
        let Some(talk) = bot.talk() else {
            return;
        };
        let ended = talk.process.end(Manner::Ask("quit\n"));
        bot.talk = None;
        self.left(
            "leaves at `quit`",
            &ended,
            "end the program when a line is `quit`, and when the input ends",
        );
    }

    fn left(&mut self, what: &'static str, ended: &Ended, mend: &'static str) {
        match ended.status {
            Some(status) if status.success() => self.good(what, "it ended with exit code 0".into()),
            Some(_) => self.doubtful(what, ended.words(), mend),
            None => self.doubtful(what, "it had to be killed".into(), mend),
        }
        match ended.left_behind {
            0 => self.good("leaves nothing running", "no process is left".into()),
            n => self.doubtful(
                "leaves nothing running",
                match n {
                    1 => "a process was left and had to be killed".into(),
                    n => format!("{n} processes were left and had to be killed"),
                },
                "end the processes that the bot has started before it ends itself",
            ),
        }
        if !ended.last_words.is_empty() {
            let seen = format!("its last line: {:?}", ended.last_words);
            self.good("standard error", seen);
        }
    }

    /// A game on each side, by the same ways as in a tournament.
    fn whole_games(&mut self, pace: Pace) {
        const WHAT: &str = "plays whole games against itself";
        const MEND: &str = "the game can be replayed with `noughts show VARIANT --moves \"…\"`";
        let mut players = Vec::new();
        for _ in 0..2 {
            match self.making.player(self.spec, self.variant) {
                Ok(player) => players.push(player),
                Err(error) => return self.bad(WHAT, error.0, MEND),
            }
        }
        let [x, o] = players.as_mut_slice() else {
            return;
        };
        let mut plies = 0;
        for game in 0..2 {
            match self.whole_game([&mut **x, &mut **o], pace, game) {
                Ok(made) => plies += made,
                Err(seen) => return self.bad(WHAT, seen, MEND),
            }
        }
        self.good(WHAT, format!("2 games, {plies} moves"));
    }

    /// How many moves were made, or what happened.
    fn whole_game(
        &self,
        mut players: [&mut dyn Player; 2],
        pace: Pace,
        seed: u64,
    ) -> Result<usize, String> {
        let mut play = AnyPlay::new(self.variant);
        for (player, side) in players.iter_mut().zip(Side::BOTH) {
            let game = NewGame {
                variant: self.variant,
                side,
                seed,
            };
            if let Err(fault) = player.begin(&game) {
                return Err(fault.message);
            }
        }
        while play.outcome().is_none() && play.ply() < LONG {
            let turn = Turn {
                play: &play,
                pace,
                clocks: None,
                // Whether it keeps its time was another question.
                margin: self.patience,
                patience: self.patience,
            };
            let done = match players[play.side() as usize].choose(&turn) {
                Ok(answer) => play
                    .play(&answer.mv)
                    .map_err(|refusal| format!("{} is refused: {refusal}", answer.mv)),
                Err(fault) => Err(fault.message),
            };
            if let Err(message) = done {
                let moves = play.moves().join(" ");
                return Err(format!(
                    "{}: {message}; the moves were: {moves}",
                    play.side()
                ));
            }
        }
        for player in players {
            player.end();
        }
        Ok(play.ply())
    }

    // ---- CodinGame ----

    fn codingame(&mut self, program: &Program) {
        let mut process = match Process::start(program, &self.making.tag, None) {
            Ok(process) => process,
            Err(error) => {
                let mend =
                    "the command line after `codingame:` must run in your shell as it stands";
                return self.bad("starts", error.message, mend);
            }
        };
        self.good("starts", program.command.clone());
        let mut play = AnyPlay::new(self.variant);
        let turns = [
            ("moves first", Duration::from_secs(1)),
            ("answers a move", MOVE),
        ];
        for (what, time) in turns {
            let text = codingame::situation(&play);
            process.new_turn();
            let asked = Instant::now();
            let until = ugi::after(time.max(self.patience));
            let line = process.say(&text, until).and_then(|()| process.line(until));
            let took = asked.elapsed();
            let line = match line {
                Ok(line) => line,
                Err(trouble) => {
                    let mend = "each turn read `row col`, a number and so many lines `row col`; print \
                                one of them as a line, and flush the output";
                    let seen = lost(&mut process, trouble, self.patience);
                    return self.bad(what, seen, mend);
                }
            };
            let mv = codingame::read(&line);
            let done = match &mv {
                Some(mv) => play
                    .play(mv)
                    .map_err(|refusal| format!("{line:?} is refused: {refusal}")),
                None => Err(format!("{line:?} is not `row col`")),
            };
            let seen = format!("{line} after {} ms", took.as_millis());
            match done {
                Err(seen) => {
                    let mend = "print one of the lines that were given, two numbers from 0 to 8, and \
                                nothing else; remarks go to standard error";
                    return self.bad(what, seen, mend);
                }
                Ok(()) if took > time + SLACK => {
                    let mend =
                        "the site gives 1000 ms for the first turn and 100 ms for each other";
                    self.doubtful(what, seen, mend);
                }
                Ok(()) => self.good(what, seen),
            }
            // A reply, so that it is its turn again.
            if let Some(reply) = play.legal_moves().first() {
                let _ = play.play(reply);
            }
        }
        self.whole_games(Pace::Move(MOVE));
        let ended = process.end(Manner::Leaving);
        let mend = "end the program when its input ends";
        self.left("leaves at the end of its input", &ended, mend);
    }
}

const LEGAL: &str = "the move must be legal and written as in docs/notation.md; `noughts moves VARIANT \
                     --moves \"…\"` lists the legal ones; a bot for another game is tried with --variant GAME";

const CODINGAME: &str = "it answers as CodinGame's bots do: try it as \"codingame:COMMAND\" in place of \
                         \"ugi:COMMAND\", or with --protocol codingame";

/// A bot that is asked, and started again when it has failed.
struct Bot<'a> {
    talk: Option<Talk>,
    program: &'a Program,
    variant: Variant,
    patience: Duration,
    tag: String,
    starts: usize,
    /// It has answered one question twice.
    twice: bool,
}

impl Bot<'_> {
    /// It, started again if it is not there; nothing if that was too often.
    fn talk(&mut self) -> Option<&mut Talk> {
        if self.talk.is_none() && self.starts < STARTS {
            self.starts += 1;
            let until = ugi::after(self.patience);
            let mut talk = Talk::start(self.program, &self.tag, None).ok()?;
            talk.introduce(until).ok()?;
            talk.settle(self.program, self.variant, until).ok()?;
            talk.new_game(1, until).ok()?;
            self.talk = Some(talk);
        }
        self.talk.as_mut()
    }

    fn can_go_on(&self) -> bool {
        self.talk.is_some() || self.starts < STARTS
    }

    /// Asks for a move. One that fails is put away.
    fn ask(&mut self, play: &AnyPlay, go: &str) -> Result<Heard, String> {
        let patience = self.patience;
        let Some(talk) = self.talk() else {
            return Err("it cannot be started again".into());
        };
        talk.process.new_turn();
        // What is there already is no answer to what comes now.
        while let Ok(Some(line)) = talk.process.line_at_hand() {
            if ugi::is_answer(&line) {
                return Err(self.answered_twice());
            }
        }
        let text = ugi::position(play) + go;
        let until = ugi::after(patience);
        let mut said = Said::default();
        let asked = Instant::now();
        let answer = talk.process.say(&text, until).and_then(|()| {
            loop {
                if let Some(mv) = said.hear(&talk.process.line(until)?) {
                    return Ok(mv);
                }
            }
        });
        let took = asked.elapsed();
        match answer {
            Ok(mv) if mv.is_empty() => Err("it wrote `bestmove` without a move".into()),
            Ok(mv) => {
                // One that is ready again has said all it had to say; one that is not will
                // be noticed when it is asked for a move.
                let after = talk.ready(ugi::after(AT_ONCE)).unwrap_or_default();
                if after.iter().any(|line| ugi::is_answer(line)) {
                    return Err(self.answered_twice());
                }
                Ok(Heard { mv, took, said })
            }
            Err(trouble) => Err(self.lost(trouble, patience)),
        }
    }

    fn answered_twice(&mut self) -> String {
        self.twice = true;
        if let Some(mut talk) = self.talk.take() {
            talk.process.end(Manner::Kill);
        }
        ugi::TWICE.into()
    }

    /// What happened, in words; it is put away.
    fn lost(&mut self, trouble: Trouble, waited: Duration) -> String {
        match self.talk.take() {
            Some(mut talk) => lost(&mut talk.process, trouble, waited),
            None => "it was not there".into(),
        }
    }
}

fn lost(process: &mut Process, trouble: Trouble, waited: Duration) -> String {
    match trouble {
        Trouble::Late => {
            let half = process.half_a_line();
            process.end(Manner::Kill);
            ugi::late(waited, half.as_deref())
        }
        Trouble::Flood => {
            process.end(Manner::Kill);
            ugi::FLOOD.into()
        }
        Trouble::Closed => process.end(Manner::Leaving).words(),
    }
}

/// What is wrong with a move, and how to mend it.
fn refused(play: &AnyPlay, heard: &Heard) -> Option<(String, &'static str)> {
    let refusal = play.check(&heard.mv).err()?;
    let mut seen = format!(
        "{}: it answered {:?}, which is refused: {refusal}",
        shown_long(&ugi::position(play)),
        shown(&heard.mv)
    );
    if let Some(error) = &heard.said.error {
        seen += &format!("; it said {:?}", shown(error));
    }
    let small = heard.mv.to_lowercase();
    let mend = match small != heard.mv && play.check(&small).is_ok() {
        true => "moves are written in small letters in UGI; this one would be legal then",
        false => LEGAL,
    };
    Some((seen, mend))
}

/// Positions of random games: early, in the middle, late, and before the last move.
fn positions(variant: Variant) -> Vec<AnyPlay> {
    let mut found = Vec::new();
    for seed in 1..=GAMES {
        let settings = Settings {
            seed,
            ..Settings::default()
        };
        let Ok(mut bot) = AnyBot::new(BotKind::Random, variant, &settings) else {
            continue;
        };
        let mut play = AnyPlay::new(variant);
        while play.outcome().is_none() && play.ply() < LONG {
            let report = bot.think(&play, Limits::nodes(1), &Stop::new(), &mut |_| {});
            match report.best {
                Some(mv) if play.play(&mv).is_ok() => {}
                _ => break,
            }
        }
        let plies = play.ply();
        let moves = play.moves();
        for stop in [1, plies / 3, plies * 2 / 3, plies.saturating_sub(1)] {
            let mut play = AnyPlay::new(variant);
            for mv in moves.iter().take(stop) {
                let _ = play.play(mv);
            }
            if play.outcome().is_none() {
                found.push(play);
            }
        }
    }
    found
}
