//! Progress while games are played: speed, remaining time and standings. On a terminal it is drawn
//! in place; otherwise a line is printed now and then.

use std::time::{Duration, Instant};

use indicatif::HumanDuration;
use noughts_arena::statistics::{Decision, Results};
use noughts_arena::tournament::TournamentEvent;
use noughts_arena::{BotSpec, EndReason, Plan, PlayedGame, Standings};
use noughts_rules::Side;

use super::output_thread::{OutputMessage, OutputSender};

/// How often the standings are redrawn.
const FRAME_INTERVAL: Duration = Duration::from_millis(250);
/// How often a line is printed if nothing can be drawn in place.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// How many faults are reported one by one.
const MAX_FAULTS: u32 = 20;
/// How many characters of a fault's note are printed.
const MAX_NOTE_CHARS: usize = 200;

pub(super) struct ProgressDisplay {
    plan: Plan,
    number: Option<i64>,
    sender: OutputSender,
    draws_in_place: bool,
    start: Instant,
    last_shown: Option<Instant>,
    /// Games played before this run; they don't count for the speed.
    previous_games: u64,
    faults: u32,
}

impl ProgressDisplay {
    pub(super) fn new(
        plan: &Plan,
        number: Option<i64>,
        sender: OutputSender,
        draws_in_place: bool,
    ) -> ProgressDisplay {
        ProgressDisplay {
            plan: plan.clone(),
            number,
            sender,
            draws_in_place,
            start: Instant::now(),
            last_shown: None,
            previous_games: 0,
            faults: 0,
        }
    }

    pub(super) fn handle_event(&mut self, event: &TournamentEvent<'_>) {
        match event {
            TournamentEvent::Started {
                planned,
                done,
                concurrency,
                ..
            } => {
                self.previous_games = *done;
                self.sender
                    .note(self.headline(*planned, *done, *concurrency));
                if self.draws_in_place {
                    self.sender
                        .send(OutputMessage::Progress(*done, *planned, None));
                }
                self.last_shown = Some(Instant::now());
            }
            TournamentEvent::GameEnded {
                game,
                results,
                done,
                planned,
            } => {
                if game.reason.is_fault() {
                    self.report_fault(game);
                }
                let interval = if self.draws_in_place {
                    FRAME_INTERVAL
                } else {
                    LINE_INTERVAL
                };
                let is_due = self
                    .last_shown
                    .is_none_or(|last_shown| last_shown.elapsed() >= interval);
                // Skip the frame if output is still pending: the next one has newer data.
                if is_due && self.sender.is_idle() {
                    self.last_shown = Some(Instant::now());
                    self.show(*done, *planned, results);
                }
            }
            TournamentEvent::Decided { accepted, pairs } => {
                let words = match accepted {
                    Decision::H1 => "H1: better",
                    _ => "H0: not better by the required margin",
                };
                self.sender
                    .note(format!("decided after {pairs} pairs: {words}"));
            }
            TournamentEvent::GameStarted { .. }
            | TournamentEvent::GameAborted { .. }
            | TournamentEvent::Stopping { .. }
            | TournamentEvent::Finished(_) => {}
        }
    }

    /// What is played, by which bots, under which conditions, and the tournament's number.
    fn headline(&self, planned: u64, done: u64, concurrency: usize) -> String {
        let (variant, bots, seed) = (&self.plan.variant, &self.plan.bots, self.plan.seed);
        let number = self
            .number
            .map_or(String::new(), |number| format!("tournament {number}: "));
        let named = |bot: &BotSpec| match bot.time_control {
            Some(pace) => format!("{} ({pace})", bot.name),
            None => bot.name.clone(),
        };
        let names: Vec<String> = bots.iter().map(named).collect();
        let pace = match bots.iter().all(|bot| bot.time_control.is_some()) {
            true => String::new(),
            false => format!(" at {}", self.plan.time_control),
        };
        let played = match done {
            0 => String::new(),
            done => format!(" ({done} played)"),
        };
        let concurrency_text = match bots.iter().any(|bot| bot.threads() > 1) {
            true => format!("on {concurrency} cores"),
            false => format!("{concurrency} at once"),
        };
        format!(
            "{number}{variant}: {}{pace}; {planned} games{played}, {concurrency_text}, seed {seed}",
            names.join(", ")
        )
    }

    /// Reports a failed bot immediately.
    fn report_fault(&mut self, game: &PlayedGame) {
        self.faults += 1;
        if self.faults > MAX_FAULTS {
            return;
        }
        let fault_text = match game.reason {
            EndReason::Timeout => "lost on time",
            EndReason::IllegalMove => "made an illegal move",
            EndReason::Crash => "crashed",
            EndReason::ProtocolError => "violated the protocol",
            _ => "didn't start",
        };
        let name = |side| {
            let bot = self.plan.bots.get(game.key.bot(side) as usize);
            bot.map_or("?", |bot| &bot.name)
        };
        let bots_text = match game.outcome.winner().map(Side::other) {
            Some(loser) => format!("{} ({loser})", name(loser)),
            None => Side::BOTH.map(name).join(" and "),
        };
        let note: String = game.note.iter().flat_map(|note| note.chars()).collect();
        let short_note: String = note.chars().take(MAX_NOTE_CHARS).collect();
        let is_cut = short_note.len() < note.len();
        let more = if is_cut { "…" } else { "" };
        let colon = if note.is_empty() { "" } else { ": " };
        self.sender
            .note(format!("{bots_text} {fault_text}{colon}{short_note}{more}"));
        if self.faults == MAX_FAULTS {
            self.sender.note("further faults are counted but not shown");
        }
    }

    fn show(&self, done: u64, planned: u64, results: &Results) {
        let new = done.saturating_sub(self.previous_games);
        let speed = new as f64 / self.start.elapsed().as_secs_f64().max(1e-3);
        let remaining = planned.saturating_sub(done) as f64 / speed.max(1e-9);
        let remaining =
            HumanDuration(Duration::try_from_secs_f64(remaining).unwrap_or(Duration::MAX));
        let standings = Standings::new(&self.plan, results);
        if self.draws_in_place {
            let below = format!(
                "{speed:.1} games per second, {remaining} left\n{}",
                standings.text()
            );
            self.sender
                .send(OutputMessage::Progress(done, planned, Some(below)));
            return;
        }
        let rows = standings.rows.iter().take(3);
        let best: Vec<String> = rows
            .map(|row| format!("{} {:.1}/{}", row.name, row.points, row.tally.games()))
            .collect();
        self.sender.note(format!(
            "{done} of {planned} games, {speed:.1} per second, {remaining} left: {best}",
            best = best.join(", ")
        ));
    }
}
