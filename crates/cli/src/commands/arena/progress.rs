//! What one is told while games are played: progress, pace, time to go, and where everybody
//! stands. On a terminal it is drawn in place; elsewhere a line comes now and then.

use std::time::{Duration, Instant};

use indicatif::HumanDuration;
use noughts_arena::statistics::Results;
use noughts_arena::tournament::{Event, Hypothesis};
use noughts_arena::{BotSpec, EndReason, Plan, PlayedGame, Standings};
use noughts_rules::Side;

use super::output_thread::{OutputMessage, OutputSender};

/// So often the table is drawn anew.
const FRAME: Duration = Duration::from_millis(250);
/// So often a line is written where nothing can be drawn.
const LINE: Duration = Duration::from_secs(10);
/// More faults are not told one by one.
const MOST_FAULTS: u32 = 20;
/// So much of a fault's note is told.
const MOST_WORDS: usize = 200;

pub(super) struct ProgressDisplay {
    plan: Plan,
    number: Option<i64>,
    voice: OutputSender,
    is_drawn: bool,
    began: Instant,
    shown: Option<Instant>,
    /// Games that were there before: they say nothing of the pace.
    before: u64,
    faults: u32,
}

impl ProgressDisplay {
    pub(super) fn new(
        plan: &Plan,
        number: Option<i64>,
        voice: OutputSender,
        is_drawn: bool,
    ) -> ProgressDisplay {
        ProgressDisplay {
            plan: plan.clone(),
            number,
            voice,
            is_drawn,
            began: Instant::now(),
            shown: None,
            before: 0,
            faults: 0,
        }
    }

    pub(super) fn handle_event(&mut self, event: &Event<'_>, results: &Results) {
        match event {
            Event::Started {
                planned,
                done,
                concurrency: at_once,
                ..
            } => {
                self.before = *done;
                self.voice.note(self.headline(*planned, *done, *at_once));
                if self.is_drawn {
                    self.voice
                        .send(OutputMessage::Progress(*done, *planned, None));
                }
                self.shown = Some(Instant::now());
            }
            Event::GameEnded {
                game,
                done,
                planned,
                ..
            } => {
                if game.reason.is_fault() {
                    self.fault(game);
                }
                let due = if self.is_drawn { FRAME } else { LINE };
                let is_due = self.shown.is_none_or(|shown| shown.elapsed() >= due);
                // A frame that comes late is of no use: the next one says more.
                if is_due && self.voice.is_idle() {
                    self.shown = Some(Instant::now());
                    self.show(*done, *planned, results);
                }
            }
            Event::Decided { accepted, pairs } => {
                let words = match accepted {
                    Hypothesis::H0 => "H0: not better by as much as asked",
                    Hypothesis::H1 => "H1: better",
                };
                self.voice
                    .note(format!("decided after {pairs} pairs: {words}"));
            }
            Event::GameStarted { .. }
            | Event::GameAborted { .. }
            | Event::Stopping { .. }
            | Event::Finished(_) => {}
        }
    }

    /// What is played, by whom, how, and under which number it is found again.
    fn headline(&self, planned: u64, done: u64, at_once: usize) -> String {
        let Plan {
            variant,
            bots,
            pace,
            seed,
            ..
        } = &self.plan;
        let number = self
            .number
            .map_or(String::new(), |number| format!("tournament {number}: "));
        let named = |bot: &BotSpec| match bot.pace {
            Some(pace) => format!("{} ({pace})", bot.name),
            None => bot.name.clone(),
        };
        let names: Vec<String> = bots.iter().map(named).collect();
        let pace = match bots.iter().all(|bot| bot.pace.is_some()) {
            true => String::new(),
            false => format!(" at {pace}"),
        };
        let played = match done {
            0 => String::new(),
            done => format!(" ({done} played)"),
        };
        let counted = match bots.iter().any(|bot| bot.threads() > 1) {
            true => format!("on {at_once} cores"),
            false => format!("{at_once} at once"),
        };
        format!(
            "{number}{variant}: {}{pace}; {planned} games{played}, {counted}, seed {seed}",
            names.join(", ")
        )
    }

    /// A bot that failed is worth a line at once.
    fn fault(&mut self, game: &PlayedGame) {
        self.faults += 1;
        if self.faults > MOST_FAULTS {
            return;
        }
        let what = match game.reason {
            EndReason::Timeout => "lost on time",
            EndReason::IllegalMove => "made a move that is none",
            EndReason::Crash => "broke down",
            EndReason::ProtocolError => "made no sense",
            _ => "did not start",
        };
        let who = match game.outcome.winner() {
            Some(winner) => {
                let loser = winner.other();
                let bot = self.plan.bots.get(game.key.bot(loser) as usize);
                format!("{} ({loser})", bot.map_or("?", |bot| &bot.name))
            }
            None => Side::BOTH
                .map(|side| {
                    let bot = self.plan.bots.get(game.key.bot(side) as usize);
                    bot.map_or("?", |bot| &bot.name)
                })
                .join(" and "),
        };
        let note: String = game.note.iter().flat_map(|note| note.chars()).collect();
        let cut: String = note.chars().take(MOST_WORDS).collect();
        let more = if cut.len() < note.len() { "…" } else { "" };
        let colon = if note.is_empty() { "" } else { ": " };
        self.voice.note(format!("{who} {what}{colon}{cut}{more}"));
        if self.faults == MOST_FAULTS {
            self.voice.note("more of these are only counted");
        }
    }

    fn show(&self, done: u64, planned: u64, results: &Results) {
        let new = done.saturating_sub(self.before);
        let pace = new as f64 / self.began.elapsed().as_secs_f64().max(1e-3);
        let left = planned.saturating_sub(done) as f64 / pace.max(1e-9);
        let left = HumanDuration(Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX));
        let standings = Standings::new(&self.plan, results);
        if self.is_drawn {
            let below = format!(
                "{pace:.1} games a second, {left} to go\n{}",
                standings.text()
            );
            self.voice
                .send(OutputMessage::Progress(done, planned, Some(below)));
            return;
        }
        let rows = standings.rows.iter().take(3);
        let best: Vec<String> = rows
            .map(|row| format!("{} {:.1}/{}", row.name, row.points, row.tally.games()))
            .collect();
        self.voice.note(format!(
            "{done} of {planned} games, {pace:.1} a second, {left} to go: {}",
            best.join(", ")
        ));
    }
}
