//! What happens in a tournament as lines of JSON, for scripts.

use noughts_arena::statistics::Results;
use noughts_arena::tournament::{Accepted, Event, How};
use noughts_arena::{Asked, Key, Plan, Standings};
use noughts_rules::Player;
use serde_json::{Value, json};

pub(super) fn line(
    event: &Event<'_>,
    plan: &Plan,
    results: &Results,
    number: Option<i64>,
) -> String {
    format!("{}\n", value(event, plan, results, number))
}

fn value(event: &Event<'_>, plan: &Plan, results: &Results, number: Option<i64>) -> Value {
    match event {
        Event::Begin {
            plan,
            planned,
            done,
            at_once,
        } => json!({
            "event": "begin", "tournament": number, "planned": planned, "done": done,
            "at_once": at_once, "plan": plan,
        }),
        Event::GameBegun { key } => {
            json!({"event": "game-begun", "game": game(plan, key)})
        }
        Event::GameEnded {
            game: played,
            done,
            planned,
            ..
        } => json!({
            "event": "game", "game": game(plan, &played.key), "result": played.outcome.word(),
            "reason": played.reason.word(), "note": played.note, "plies": played.play.ply(),
            "opening": played.opening, "moves": played.play.moves(),
            "start": (!played.play.is_from_start()).then(|| played.play.start_text()),
            "done": done, "planned": planned,
        }),
        Event::GivenUp { key } => json!({"event": "given-up", "game": game(plan, key)}),
        Event::Decided { accepted, pairs } => {
            json!({"event": "decided", "accepted": word(*accepted), "pairs": pairs})
        }
        Event::Stopping { asked } => json!({"event": "stopping", "now": *asked == Asked::Now}),
        Event::Ended(ended) => json!({
            "event": "end", "tournament": number,
            "how": match ended.how {
                How::Complete => "complete",
                How::Decided(_) => "decided",
                How::Repeating => "repeating",
                How::Stopped => "stopped",
            },
            "done": ended.done, "planned": ended.planned,
            "seconds": ended.took.as_secs_f64(),
            "lateness": {
                "measured": ended.lateness.measured, "late": ended.lateness.late,
                "worst_ms": ended.lateness.worst.as_millis(),
            },
            "standings": Standings::new(plan, results),
        }),
    }
}

fn word(accepted: Accepted) -> &'static str {
    match accepted {
        Accepted::H0 => "H0",
        Accepted::H1 => "H1",
    }
}

fn game(plan: &Plan, key: &Key) -> Value {
    let name = |side| {
        let bot = plan.bots.get(key.bot(side) as usize);
        bot.map(|bot| bot.name.clone())
    };
    json!({
        "round": key.round + 1, "swapped": key.swapped,
        "x": name(Player::X), "o": name(Player::O),
    })
}
