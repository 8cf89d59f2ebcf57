//! What one sees while games are played: progress, pace, time to go, and where everybody
//! stands. On a terminal it is drawn in place; elsewhere a line comes now and then.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use noughts_arena::statistics::Results;
use noughts_arena::tournament::{Accepted, Event};
use noughts_arena::{Plan, Reason, Standings};
use noughts_rules::Player;

use crate::output;

/// So often the table is drawn anew.
const FRAME: Duration = Duration::from_millis(250);
/// So often a line is written where nothing can be drawn.
const LINE: Duration = Duration::from_secs(10);
/// More faults are not told one by one.
const MOST_FAULTS: u32 = 20;

pub(super) struct Live {
    plan: Plan,
    bar: Option<ProgressBar>,
    began: Instant,
    shown: Instant,
    /// Games that were there before: they say nothing of the pace.
    before: u64,
    faults: u32,
}

impl Live {
    pub(super) fn new(plan: &Plan) -> Live {
        let now = Instant::now();
        Live {
            plan: plan.clone(),
            bar: std::io::stderr().is_terminal().then(bar),
            began: now,
            shown: now,
            before: 0,
            faults: 0,
        }
    }

    pub(super) fn tell(&mut self, event: &Event<'_>, results: &Results) {
        match event {
            Event::Begin {
                planned,
                done,
                at_once,
                ..
            } => {
                self.before = *done;
                if let Some(bar) = &self.bar {
                    bar.set_length(*planned);
                    bar.set_position(*done);
                }
                let bots: Vec<&str> = self.plan.bots.iter().map(|bot| &*bot.name).collect();
                self.say(&format!(
                    "{}: {} at {}; {planned} games ({done} played), {at_once} at once, seed {}",
                    self.plan.variant,
                    bots.join(", "),
                    self.plan.pace,
                    self.plan.seed
                ));
            }
            Event::GameEnded {
                game,
                done,
                planned,
                ..
            } => {
                if game.reason.is_fault() {
                    self.fault(event);
                }
                if let Some(bar) = &self.bar {
                    bar.set_position(*done);
                }
                let due = if self.bar.is_some() { FRAME } else { LINE };
                if self.shown.elapsed() >= due || (self.bar.is_some() && done == planned) {
                    self.shown = Instant::now();
                    self.show(*done, *planned, results);
                }
            }
            Event::Decided { accepted, pairs } => {
                let words = match accepted {
                    Accepted::H0 => "H0: not better by as much as asked",
                    Accepted::H1 => "H1: better",
                };
                self.say(&format!("decided after {pairs} pairs: {words}"));
            }
            Event::GameBegun { .. }
            | Event::GivenUp { .. }
            | Event::Stopping { .. }
            | Event::Ended(_) => {}
        }
    }

    /// A bot that failed is worth a line at once.
    fn fault(&mut self, event: &Event<'_>) {
        let Event::GameEnded { game, .. } = event else {
            return;
        };
        self.faults += 1;
        let loser = game.outcome.winner().map_or(Player::X, Player::other);
        let name = self.plan.bots.get(game.key.bot(loser) as usize);
        let name = name.map_or("?", |bot| &bot.name);
        let what = match game.reason {
            Reason::Time => "lost on time",
            Reason::IllegalMove => "made a move that is none",
            Reason::Crash => "broke down",
            Reason::Protocol => "made no sense",
            _ => "did not start",
        };
        if self.faults <= MOST_FAULTS {
            let note = game
                .note
                .as_deref()
                .map_or(String::new(), |note| format!(": {note}"));
            self.say(&format!("{name} ({loser}) {what}{note}"));
        }
        if self.faults == MOST_FAULTS {
            self.say("more of these are only counted");
        }
    }

    fn show(&self, done: u64, planned: u64, results: &Results) {
        let new = done.saturating_sub(self.before);
        let pace = new as f64 / self.began.elapsed().as_secs_f64().max(1e-3);
        let left = planned.saturating_sub(done) as f64 / pace.max(1e-9);
        let left = HumanDuration(Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX));
        let standings = Standings::new(&self.plan, results);
        match &self.bar {
            Some(bar) => {
                let table = standings.text();
                bar.set_message(format!("{pace:.1} games a second, {left} to go\n{table}"));
            }
            None => {
                let rows = standings.rows.iter().take(3);
                let best: Vec<String> = rows
                    .map(|row| format!("{} {:.1}/{}", row.name, row.points, row.tally.games()))
                    .collect();
                output::note(&format!(
                    "{done} of {planned} games, {pace:.1} a second, {left} to go: {}",
                    best.join(", ")
                ));
            }
        }
    }

    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| output::note(text)),
            None => output::note(text),
        }
    }

    pub(super) fn end(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new(0);
    // The template is ours and is tried by the tests.
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} games, {msg}") {
        bar.set_style(style);
    }
    bar
}
