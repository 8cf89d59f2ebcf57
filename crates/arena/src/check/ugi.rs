//! What is tried of a bot that speaks UGI.

use std::borrow::Cow;
use std::time::Duration;

use noughts_rules::{AnyPlay, Variant};

use super::bot::{self, Answer, Bot, NoAnswer};
use super::{Check, Finding, Row, Step, advice, fail, games, pass, walk, warn};
use crate::codingame;
use crate::make::Making;
use crate::notation::Notation;
use crate::pace::Pace;
use crate::process::{Ended, Manner, Process, Trouble};
use crate::spec::{BotSpec, Program, Who};
use crate::ugi::{self, Talk};
use crate::words::{listed, shown, shown_long};

/// Until it is ready for a game. Each of these must work.
const START: [Row<Trial>; 5] = [
    Row {
        what: "starts",
        run: Trial::start,
    },
    Row {
        what: "answers `ugi`",
        run: Trial::introduce,
    },
    Row {
        what: "accepts its options",
        run: Trial::options,
    },
    Row {
        what: "answers `isready`",
        run: Trial::ready,
    },
    Row {
        what: "starts a game",
        run: Trial::new_game,
    },
];

/// Moves and games, until it is late.
const MOVES: [Row<Trial>; 12] = [
    Row {
        what: "writes moves in a notation of its own",
        run: Trial::notation,
    },
    Row {
        what: "moves in a given time",
        run: |trial| trial.limit(Pace::Move(TIME)),
    },
    Row {
        what: "moves by nodes",
        run: |trial| trial.limit(Pace::Nodes(100)),
    },
    Row {
        what: "moves by depth",
        run: |trial| trial.limit(Pace::Depth(2)),
    },
    Row {
        what: "moves by a clock",
        run: |trial| trial.limit(CLOCK),
    },
    Row {
        what: ONCE,
        run: Trial::once,
    },
    Row {
        what: "moves legally after `position startpos moves …`",
        run: |trial| trial.positions(false),
    },
    Row {
        what: "moves legally after `position fen …`",
        run: |trial| trial.positions(true),
    },
    Row {
        what: ONCE,
        run: Trial::once,
    },
    Row {
        what: "answers `isready` while it thinks",
        run: Trial::listens,
    },
    Row {
        what: "obeys `stop`",
        run: Trial::stops,
    },
    Row {
        what: games::WHAT,
        run: Trial::whole_games,
    },
];

/// How it ends.
const END: [Row<Trial>; 3] = [
    Row {
        what: "leaves at `quit`",
        run: Trial::quits,
    },
    Row {
        what: "leaves nothing running",
        run: |trial| left_behind(trial.ended.as_ref()?),
    },
    Row {
        what: "standard error",
        run: |trial| last_words(trial.ended.as_ref()?),
    },
];

const ONCE: &str = "answers each `go` once";
const TIME: Duration = Duration::from_millis(100);
const CLOCK: Pace = Pace::Clock {
    base: Duration::from_secs(5),
    increment: Duration::from_millis(100),
};
/// A bot that is late this often is late; once may be the machine's fault.
const TRIES: usize = 3;

/// Tries it all; returns how it writes moves.
pub(super) fn run(
    check: &Check,
    program: &Program,
    making: &Making,
    report: &mut dyn FnMut(Step),
) -> Notation {
    let mut trial = Trial {
        check: check.clone(),
        making: making.clone(),
        bot: Bot {
            talk: None,
            program: program.clone(),
            name: check.spec.name.clone(),
            variant: check.variant,
            patience: check.patience,
            promptness: check.promptness,
            tag: making.tag.clone(),
            dialogue: making.dialogue.clone(),
            starts: 0,
            twice: false,
        },
        thinking: Thinking::No,
        ended: None,
    };
    if walk(&START, &mut trial, report) {
        walk(&MOVES, &mut trial, report);
        walk(&END, &mut trial, report);
    }
    trial.bot.program.notation
}

struct Trial {
    check: Check,
    making: Making,
    bot: Bot,
    thinking: Thinking,
    ended: Option<Ended>,
}

/// What became of `go infinite`.
enum Thinking {
    No,
    Yes,
    /// It had decided before it was told to stop.
    Decided(String),
    /// It ended.
    Crashed,
}

impl Trial {
    // ---- until it is ready ----

    fn start(&mut self) -> Option<Finding> {
        let command = self.bot.program.command.clone();
        Some(match self.bot.launch() {
            Ok(_) => pass(command),
            Err(message) => fail(message, advice::RUN_UGI).and_end(),
        })
    }

    fn introduce(&mut self) -> Option<Finding> {
        let until = ugi::after(self.check.patience);
        let talk = self.bot.talk.as_mut()?;
        let Err(fault) = talk.introduce(until) else {
            let name = shown(talk.name.as_deref().unwrap_or_default());
            return Some(match name.is_empty() {
                false => pass(format!("it is called {name}")),
                true => warn("it has no name", advice::NAME),
            });
        };
        let wrote = talk.take_recent();
        let seen = match wrote.is_empty() {
            true => format!("{}; it wrote nothing", fault.message),
            false => format!("{}; it wrote {wrote}", fault.message),
        };
        let crashed = talk.process.end(Manner::Kill).status.is_some();
        let advice = match self.speaks_codingame() {
            true => advice::CODINGAME,
            false if crashed => advice::CRASH_AT_START,
            false => advice::HANDSHAKE,
        };
        Some(fail(seen, advice).and_end())
    }

    /// Does it answer the first turn of the other protocol?
    fn speaks_codingame(&self) -> bool {
        let Ok(mut process) = Process::start(&self.bot.program, &self.making.tag, None) else {
            return false;
        };
        let dialogue = self.making.dialogue.as_ref();
        process.record(dialogue.map(|it| it.speaker(&self.bot.name, &self.bot.program)));
        let play = AnyPlay::new(Variant::ULTIMATE);
        let until = ugi::after(self.check.promptness);
        let line = process
            .say(&codingame::situation(&play), until)
            .and_then(|()| process.line(until));
        process.end(Manner::Kill);
        let mv = line.ok().and_then(|line| codingame::read(&line));
        mv.is_some_and(|mv| play.check(&mv).is_ok())
    }

    fn options(&mut self) -> Option<Finding> {
        let variant = self.check.variant;
        let program = self.bot.program.clone();
        let talk = self.bot.talk.as_mut()?;
        let names: Vec<String> = talk.options.iter().map(|o| o.name.clone()).collect();
        let names = match names.is_empty() {
            true => "it lists no options".to_owned(),
            false => format!("it lists {}", listed(&names)),
        };
        let other = other_games(talk, variant);
        let set = talk.settle(&program, variant, ugi::after(self.check.patience));
        if let Err(fault) = set {
            let advice = other.map_or(Cow::Borrowed(advice::OPTIONS), Cow::Owned);
            return Some(fail(shown_long(&fault.message), advice).and_end());
        }
        Some(match talk.listed("Variant") {
            Some(_) => pass(names),
            None => warn(
                format!("{names}; it can't be told that the game is {variant}"),
                advice::VARIANT,
            ),
        })
    }

    fn ready(&mut self) -> Option<Finding> {
        let patience = self.check.patience;
        let talk = self.bot.talk.as_mut()?;
        Some(match talk.ready(ugi::after(patience)) {
            Ok(before) => match before.iter().find(|line| line.contains("error")) {
                Some(error) => warn(
                    format!("it wrote {}", ugi::quoted(error)),
                    advice::SET_OPTION,
                ),
                None => pass("readyok"),
            },
            Err(trouble) => not_ready(talk, trouble, patience, advice::READY),
        })
    }

    fn new_game(&mut self) -> Option<Finding> {
        let patience = self.check.patience;
        let talk = self.bot.talk.as_mut()?;
        Some(match talk.new_game(1, ugi::after(patience)) {
            Ok(()) => pass("uginewgame, then readyok"),
            Err(trouble) => not_ready(talk, trouble, patience, advice::NEW_GAME),
        })
    }

    // ---- moves ----

    /// Does it write the cells of the 9×9 board by file and rank?
    fn notation(&mut self) -> Option<Finding> {
        let start = AnyPlay::new(self.check.variant);
        if !self.bot.program.notation.is_native()
            || Notation::Global.suits(start.variant()).is_err()
        {
            return None;
        }
        let go = self.brief_go();
        // What else is wrong with its answer is for the rows below to report.
        let first = self.bot.ask(&start, &go).ok()?;
        let known = start.check(&first.mv).is_ok();
        if known || Notation::Global.read(&first.mv) == first.mv {
            return None;
        }
        self.bot.program.notation = Notation::Global;
        for play in bot::positions(self.check.variant).iter().take(6) {
            let answer = self.bot.ask(play, &go);
            if !answer.is_ok_and(|answer| play.check(&answer.mv).is_ok()) {
                self.bot.program.notation = Notation::Native;
                return None;
            }
        }
        // A game from the start looks the same upside down; a position tells.
        if self.has_ranks_from_the_top(&go) {
            self.bot.program.notation = Notation::GlobalTop;
        }
        let word = self.bot.program.notation.word();
        Some(pass(format!(
            "{}: file and rank on the 9×9 board, which the arena translates; call it \
             \"ugi-{word}:COMMAND\" in a match, or set notation = \"{word}\" in bots.toml",
            ugi::quoted(&first.line)
        )))
    }

    /// Shown positions as text, are its moves legal only with rank 1 at the top?
    fn has_ranks_from_the_top(&mut self, go: &str) -> bool {
        let (mut bottom, mut top) = (true, true);
        let mut asked = 0;
        for play in bot::positions(self.check.variant).iter().take(6) {
            let Ok(play) = AnyPlay::from_text(self.check.variant, &play.position_text()) else {
                continue;
            };
            let Ok(answer) = self.bot.ask(&play, go) else {
                return false;
            };
            let word = answer.line.split_whitespace().nth(1).unwrap_or_default();
            bottom &= play.check(&Notation::Global.read(word)).is_ok();
            top &= play.check(&Notation::GlobalTop.read(word)).is_ok();
            asked += 1;
        }
        asked > 0 && top && !bottom
    }

    /// One way to say how long. The one that was asked for must work; a bot may ignore the
    /// others.
    fn limit(&mut self, usual: Pace) -> Option<Finding> {
        if self.bot.twice {
            return None;
        }
        let wanted = std::mem::discriminant(&usual) == std::mem::discriminant(&self.check.pace);
        let pace = if wanted { self.check.pace } else { usual };
        let play = AnyPlay::new(self.check.variant);
        let line = ugi::go(pace, None);
        let time = match pace {
            Pace::Move(time) => Some(time),
            Pace::Clock { base, .. } => Some(base),
            Pace::Nodes(_) | Pace::Depth(_) => None,
        };
        let patience = match time {
            // It may not know this limit; then it thinks until it is told to stop.
            None if !wanted => (self.check.promptness * 2).min(self.check.patience),
            time => self.check.patience.saturating_add(time.unwrap_or_default()),
        };
        let mut answer = self.bot.ask_for(&play, &line, patience);
        for _ in 1..TRIES {
            if answer
                .as_ref()
                .is_ok_and(|answer| self.is_late(answer, time))
            {
                answer = self.bot.ask_for(&play, &line, patience);
            }
        }
        let line = line.trim();
        Some(match answer {
            Ok(answer) => {
                if let Some((seen, advice)) = bot::refused(&play, &self.bot.program, &answer) {
                    return Some(fail(seen, advice).and_end());
                }
                let took = answer.took.as_millis();
                let seen = format!("{line}: {} after {took} ms", shown(&answer.mv));
                match time.filter(|_| self.is_late(&answer, time)) {
                    None => pass(seen),
                    Some(time) => {
                        let seen = format!("{seen}; it had {} ms", time.as_millis());
                        match wanted {
                            true => fail(seen, advice::LATE).and_end(),
                            false => warn(seen, advice::LATE),
                        }
                    }
                }
            }
            Err(NoAnswer::Twice) => return None,
            Err(NoAnswer::Silent(seen)) if !wanted => {
                warn(format!("{line}: {seen}"), advice::IGNORED)
            }
            Err(none) => {
                let ends = matches!(none, NoAnswer::Silent(_)) || !self.bot.can_continue();
                let finding = fail(format!("{line}: {}", none.seen()), none.advice());
                match ends {
                    true => finding.and_end(),
                    false => finding,
                }
            }
        })
    }

    fn is_late(&self, answer: &Answer, time: Option<Duration>) -> bool {
        time.is_some_and(|time| answer.took > time.saturating_add(self.check.margin))
    }

    /// A second answer would be taken for that to the next question.
    fn once(&mut self) -> Option<Finding> {
        let twice = || fail(ugi::TWICE, advice::ONCE).and_end();
        self.bot.twice.then(twice)
    }

    /// Positions of random games, by their moves or by their text.
    fn positions(&mut self, by_text: bool) -> Option<Finding> {
        if self.bot.twice {
            return None;
        }
        let variant = self.check.variant;
        let time = match self.check.pace {
            Pace::Move(_) => Some(bot::brief(self.check.pace)),
            Pace::Clock { .. } | Pace::Nodes(_) | Pace::Depth(_) => None,
        };
        let go = self.brief_go();
        let mut tried = 0;
        for play in bot::positions(variant) {
            let play = match by_text {
                false => play,
                true => match AnyPlay::from_text(variant, &play.position_text()) {
                    Ok(play) => play,
                    Err(_) => continue,
                },
            };
            tried += 1;
            let mut answer = self.bot.ask(&play, &go);
            for _ in 1..TRIES {
                if answer
                    .as_ref()
                    .is_ok_and(|answer| self.is_late(answer, time))
                {
                    answer = self.bot.ask(&play, &go);
                }
            }
            let position = ugi::position(&play, self.bot.program.notation);
            let (seen, advice) = match answer {
                Err(NoAnswer::Twice) => return None,
                Err(none) => {
                    let seen = format!("{}: {}", shown_long(&position), none.seen());
                    (seen, none.advice())
                }
                Ok(answer) => match bot::refused(&play, &self.bot.program, &answer) {
                    Some(refused) => refused,
                    None if self.is_late(&answer, time) => {
                        let (had, took) = (time.unwrap_or_default(), answer.took);
                        let seen = format!(
                            "{}: {} came after {} ms; it had {} ms",
                            shown_long(&position),
                            ugi::quoted(&answer.line),
                            took.as_millis(),
                            had.as_millis()
                        );
                        return Some(fail(seen, advice::LATE).and_end());
                    }
                    None => continue,
                },
            };
            let finding = match by_text {
                true => warn(seen, advice::FEN),
                false => fail(seen, advice),
            };
            return Some(match self.bot.can_continue() {
                true => finding,
                false => finding.and_end(),
            });
        }
        Some(pass(format!(
            "{tried} positions, from the start to the last move"
        )))
    }

    /// The question for moves of which many are asked.
    fn brief_go(&self) -> String {
        match self.check.pace {
            Pace::Move(_) => ugi::go(Pace::Move(bot::brief(self.check.pace)), None),
            pace @ Pace::Clock { .. } => ugi::go(pace, Some([bot::small_clock(); 2])),
            pace => ugi::go(pace, None),
        }
    }

    /// `isready` while it thinks.
    fn listens(&mut self) -> Option<Finding> {
        let play = AnyPlay::new(self.check.variant);
        let notation = self.bot.program.notation;
        let talk = self.bot.talk().ok()?;
        let until = ugi::after(self.check.promptness);
        talk.process.new_turn();
        let asked = ugi::position(&play, notation) + "go infinite\n";
        let ready = talk
            .process
            .say(&asked, until)
            .and_then(|()| talk.ready(until));
        Some(match ready {
            Ok(before) => {
                let answer = before.into_iter().find(|line| ugi::is_answer(line));
                self.thinking = answer.map_or(Thinking::Yes, Thinking::Decided);
                pass("readyok")
            }
            Err(trouble) => {
                if trouble != Trouble::Late {
                    self.thinking = Thinking::Crashed;
                }
                warn(
                    self.bot.lost(trouble, self.check.promptness).seen(),
                    advice::LISTEN,
                )
            }
        })
    }

    /// `stop` while it thinks.
    fn stops(&mut self) -> Option<Finding> {
        let play = AnyPlay::new(self.check.variant);
        let notation = self.bot.program.notation;
        let asked = match std::mem::replace(&mut self.thinking, Thinking::No) {
            Thinking::Crashed => return None,
            Thinking::Decided(line) => {
                let seen = format!("it wrote {} before it was told to stop", ugi::quoted(&line));
                return Some(pass(seen));
            }
            Thinking::Yes => String::new(),
            // It doesn't listen; a fresh one is asked whether it stops at all.
            Thinking::No => ugi::position(&play, notation) + "go infinite\n",
        };
        let talk = self.bot.talk().ok()?;
        let until = ugi::after(self.check.promptness);
        let answer = talk
            .process
            .say(&(asked + "stop\n"), until)
            .and_then(|()| bot::answer(talk, until));
        Some(match answer {
            Ok((mv, line, _)) => match play.check(&notation.read(&mv)) {
                Ok(()) => pass(format!("go infinite, stop: {}", shown(&mv))),
                Err(refusal) => {
                    let seen = format!(
                        "it wrote {}, which is refused: {refusal}",
                        ugi::quoted(&line)
                    );
                    fail(seen, advice::LEGAL)
                }
            },
            Err(trouble) => warn(
                self.bot.lost(trouble, self.check.promptness).seen(),
                advice::LISTEN,
            ),
        })
    }

    fn whole_games(&mut self) -> Option<Finding> {
        let spec = BotSpec {
            who: Who::Program(self.bot.program.clone()),
            ..self.check.spec.clone()
        };
        Some(games::play_two(&self.check, &spec, &self.making))
    }

    // ---- the end ----

    fn quits(&mut self) -> Option<Finding> {
        let talk = self.bot.talk().ok()?;
        let ended = talk
            .process
            .end_within(Manner::Ask("quit\n"), self.check.promptness);
        self.bot.talk = None;
        Some(left(self.ended.insert(ended), advice::QUIT))
    }
}

fn not_ready(
    talk: &mut Talk,
    trouble: Trouble,
    patience: Duration,
    advice: &'static str,
) -> Finding {
    let fault = talk.failed_to_start(trouble, "readyok", patience);
    let wrote = talk.take_recent();
    let seen = match wrote.is_empty() {
        true => fault.message,
        false => format!("{}; it wrote {wrote}", fault.message),
    };
    let advice = match trouble {
        Trouble::Closed => advice::CRASH_AT_START,
        Trouble::Late | Trouble::Flood => advice,
    };
    fail(seen, advice).and_end()
}

/// The games that it lists, where this one isn't among them.
fn other_games(talk: &Talk, variant: Variant) -> Option<String> {
    let games = talk.listed("Variant")?;
    let other = games.kind == "combo" && !games.choices.contains(&variant.to_string());
    let first = games.choices.first().filter(|_| other)?;
    Some(format!(
        "its option Variant says that it plays {}: try it with --variant {}",
        listed(&games.choices),
        shown(first)
    ))
}

/// How a program ended that was told to.
pub(super) fn left(ended: &Ended, advice: &'static str) -> Finding {
    match ended.status {
        Some(status) if status.success() => pass("it ended with exit code 0"),
        Some(_) => warn(ended.words(), advice),
        None => warn("it had to be killed", advice),
    }
}

/// What it left running.
#[allow(clippy::unnecessary_wraps, reason = "a row of the table")]
pub(super) fn left_behind(ended: &Ended) -> Option<Finding> {
    let seen = match ended.left_behind {
        0 => return Some(pass("no process is left")),
        1 => "a process was left and had to be killed".to_owned(),
        n => format!("{n} processes were left and had to be killed"),
    };
    Some(warn(seen, advice::CHILDREN))
}

/// What it wrote to standard error at last.
pub(super) fn last_words(ended: &Ended) -> Option<Finding> {
    let words = &ended.last_words;
    let said = || pass(format!("its last line: {words:?}"));
    (!words.is_empty()).then(said)
}
