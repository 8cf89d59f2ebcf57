//! Caveats about the results of a tournament: when they say less than they seem to, or nothing at
//! all.

use noughts_arena::tournament::{TournamentEnd, TournamentSummary};
use noughts_arena::{BotSource, BotSpec, EndReason, Plan, PlayedGame};
use noughts_rules::Side;

/// With fewer games, several may be equal by chance.
const MIN_GAMES: u64 = 20;

/// Why bots didn't start, by their index in the plan.
pub(super) struct StartFailures {
    reasons: Vec<Option<String>>,
}

impl StartFailures {
    pub(super) fn new(plan: &Plan, previous: &[PlayedGame]) -> StartFailures {
        let mut failures = StartFailures {
            reasons: vec![None; plan.bots.len()],
        };
        for game in previous {
            failures.record(game);
        }
        failures
    }

    pub(super) fn record(&mut self, game: &PlayedGame) {
        if game.reason != EndReason::StartFailure {
            return;
        }
        for side in Side::BOTH {
            let reason = self.reasons.get_mut(game.key.bot(side) as usize);
            if let Some(reason) = reason.filter(|_| game.outcome.winner() != Some(side)) {
                reason.clone_from(&game.note);
            }
        }
    }

    /// Why the command fails although the tournament was played: a bot never started, or the test
    /// can't be decided.
    pub(super) fn failure(&self, plan: &Plan, summary: &TournamentSummary) -> Option<String> {
        let results = &summary.results;
        let mut failures = Vec::new();
        for (bot, (spec, reason)) in plan.bots.iter().zip(&self.reasons).enumerate() {
            if results.never_started(bot) {
                let reason = reason.as_deref().unwrap_or("the reason is unknown");
                failures.push(format!(
                    "{name} didn't start in any of its {games} games, so these results say nothing about its strength: {reason}",
                    name = spec.name,
                    games = results.games_played(bot)
                ));
            }
        }
        failures.extend(summary.why_undecidable());
        (!failures.is_empty()).then(|| failures.join("; "))
    }
}

/// The caveats, most important first.
pub(super) fn sentences(
    plan: &Plan,
    summary: &TournamentSummary,
    number: Option<i64>,
) -> Vec<String> {
    let results = &summary.results;
    let mut notes = Vec::new();
    let (games, distinct) = (results.game_count(), results.distinct_games());
    if games >= MIN_GAMES && distinct * 2 <= games && summary.end != TournamentEnd::Repeating {
        notes.push(format!(
            "only {distinct} of {games} games are distinct, and repeated pairs don't count toward Elo and its interval; \
             deterministic bots repeat the same game from the same opening, so use more openings \
             (--openings random:4)"
        ));
    }
    notes.extend(lateness(plan, summary, number));
    if plan.sprt.is_some() && summary.end == TournamentEnd::Complete {
        let more = u64::from(plan.rounds) * 4;
        let resume_hint = number.map_or(String::new(), |number| {
            format!("; continue with `noughts arena resume {number} --games {more}`")
        });
        notes.push(format!(
            "the test is undecided after {games} games{resume_hint}",
            games = summary.done
        ));
    }
    notes
}

/// Which bots lost on time, and whether the bots or the machine were too slow.
fn lateness(plan: &Plan, summary: &TournamentSummary, number: Option<i64>) -> Option<String> {
    let results = &summary.results;
    let late_bots: Vec<(&BotSpec, u64)> = plan
        .bots
        .iter()
        .enumerate()
        .map(|(bot, spec)| (spec, results.faults(bot).late))
        .filter(|(_, late)| *late > 0)
        .collect();
    if late_bots.is_empty() {
        return None;
    }
    let late: u64 = late_bots.iter().map(|(_, late)| late).sum();
    // Built-in bots keep their time limits if the machine lets them.
    let is_builtin_late = late_bots
        .iter()
        .any(|(spec, _)| matches!(spec.source, BotSource::Builtin(_)));
    let late_text: Vec<String> = late_bots
        .iter()
        .map(|(spec, late)| format!("{} {late}", spec.name))
        .collect();
    let late_text = format!(
        "{late} of {games} games were lost on time ({bots})",
        games = results.game_count(),
        bots = late_text.join(", ")
    );
    let delay = summary.scheduling_delay;
    let worst = delay.worst.as_millis();
    if !delay.is_overloaded() && !is_builtin_late {
        return Some(format!(
            "{late_text}; the machine wasn't overloaded (this program was at most {worst} ms late), so the bots are too slow; `noughts arena check` shows how long they take"
        ));
    }
    let evidence = match delay.delayed {
        0 => String::new(),
        late => format!(
            " (this program was late in {late} of {samples} measurements, by up to {worst} ms)",
            samples = delay.samples
        ),
    };
    let replay = number.map_or(String::new(), |number| {
        format!("; replay these games with `noughts arena resume {number} --replay-late`")
    });
    Some(format!(
        "{late_text}, and the machine was overloaded{evidence}, so these losses say little about the bots; play fewer games at once (--concurrency), pin bots to cores (--affinity) or raise --margin{replay}"
    ))
}
