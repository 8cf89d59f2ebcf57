//! Tournament events as lines of JSON, for scripts.

use noughts_arena::tournament::{TournamentEnd, TournamentEvent};
use noughts_arena::{GameKey, Plan, Standings, StopRequest};
use noughts_rules::Side;
use serde_json::{Value, json};

pub(super) fn json_line(event: &TournamentEvent<'_>, plan: &Plan, number: Option<i64>) -> String {
    format!("{}\n", value(event, plan, number))
}

fn value(event: &TournamentEvent<'_>, plan: &Plan, number: Option<i64>) -> Value {
    match event {
        TournamentEvent::Started {
            plan,
            planned,
            done,
            concurrency,
        } => json!({
            "event": "started", "tournament": number, "planned": planned, "done": done,
            "concurrency": concurrency, "plan": plan,
        }),
        TournamentEvent::GameStarted { key } => {
            json!({"event": "game-started", "game": game(plan, key)})
        }
        TournamentEvent::GameEnded {
            game: played,
            done,
            planned,
            ..
        } => json!({
            "event": "game", "game": game(plan, &played.key), "result": played.outcome.as_str(),
            "reason": played.reason.name(), "note": played.note, "plies": played.state.ply(),
            "opening": played.opening_plies, "moves": played.state.moves(),
            "start": (!played.state.has_standard_start()).then(|| played.state.start_text()),
            "done": done, "planned": planned,
        }),
        TournamentEvent::GameAborted { key } => {
            json!({"event": "game-aborted", "game": game(plan, key)})
        }
        TournamentEvent::Decided { accepted, pairs } => {
            json!({"event": "decided", "accepted": accepted.accepted(), "pairs": pairs})
        }
        TournamentEvent::Stopping { request } => {
            json!({"event": "stopping", "now": *request == StopRequest::Now})
        }
        TournamentEvent::Finished(ended) => json!({
            "event": "finished", "tournament": number,
            "how": match ended.end {
                TournamentEnd::Complete => "complete",
                TournamentEnd::Decided(_) => "decided",
                TournamentEnd::Repeating => "repeating",
                TournamentEnd::Stopped => "stopped",
            },
            "done": ended.done, "planned": ended.planned,
            "seconds": ended.took.as_secs_f64(),
            "lateness": {
                "measured": ended.scheduling_delay.samples, "late": ended.scheduling_delay.delayed,
                "worst_ms": ended.scheduling_delay.worst.as_millis(),
            },
            "standings": Standings::new(plan, &ended.results),
        }),
    }
}

/// The game of a plan: its round, and its bots.
pub(super) fn game(plan: &Plan, key: &GameKey) -> Value {
    let name = |side| {
        let bot = plan.bots.get(key.bot(side) as usize);
        bot.map(|bot| bot.name.clone())
    };
    json!({
        "round": key.round + 1, "swapped": key.swapped,
        "x": name(Side::X), "o": name(Side::O),
    })
}
