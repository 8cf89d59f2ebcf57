//! `POST /analyses`: what a position and its moves are worth, as it is found out.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use futures_util::{Stream, stream};
use noughts_engine::{RankedMove, SearchLimits, SearchReport, Value};
use noughts_pictures as pictures;
use noughts_rules::{AnyGameState, Side as RulesSide};
use noughts_session::XRelativeValue as SessionValue;
use noughts_store::Assistance;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Given, LargeJsonBody, check_path};
use super::ndjson::{Revoked, ndjson_response};
use super::types::Side;
use crate::app::App;
use crate::error::{Error, Kind};
use crate::live::AssistedGames;
use crate::middleware::Visitor;
use crate::pool::{AnalysisHandle, AnalysisProgress};

/// How long a position is thought about where nothing is said.
const USUAL_MS: u64 = 30_000;
/// How long at most: a forgotten analysis is not to keep the machine busy.
const MOST_MS: u64 = 60_000;
/// An analysis that has not had its turn after this says that it waits.
const SOON: Duration = Duration::from_millis(300);
/// One that waits asks so often whether others have had their share.
pub(super) const PREEMPT_INTERVAL: Duration = Duration::from_secs(1);
/// What one says that waits.
const WAITING: &str = "others' analyses go on just now; this one waits for its turn";
/// Frames come no faster.
const PACE: Duration = Duration::from_millis(100);

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(analyse))
}

/// A position to be analysed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnalysisWanted {
    /// The variant's name.
    #[schema(example = "classic", max_length = 100)]
    variant: String,
    /// The position to begin with, as text; none for the usual start.
    #[schema(max_length = 700000)]
    position: Option<String>,
    /// Moves from there.
    #[schema(example = json!(["b2", "a1"]), max_items = 10000)]
    moves: Option<Vec<String>>,
    /// Milliseconds to think; 30000 where nothing is said.
    #[schema(minimum = 1, maximum = 60000, example = 500)]
    ms: Option<u64>,
    /// With this the frames have `html`: the board that is looked at, empty for the
    /// whole.
    #[schema(max_length = 6, pattern = "^[a-i]*$")]
    path: Option<String>,
}

/// A line of the answer.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "it is only described; `lines` puts them together")]
pub(crate) enum AnalysisLine {
    /// What is known by now.
    Frame(Box<AnalysisFrame>),
    /// The server stops: come back in a moment.
    Bye(Bye),
    /// The visitor was banned, or the session has ended.
    Revoked(Revoked),
}

/// The last line of an answer before the server stops.
#[derive(Serialize, ToSchema)]
pub(crate) struct Bye {
    /// `bye`.
    #[serde(rename = "type")]
    #[schema(pattern = "^bye$")]
    kind: &'static str,
}

/// What is known by now: one line of the answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnalysisFrame {
    /// This is the last line: it is solved, the time is up, a newer analysis of the
    /// same visitor has replaced it, or others wait for theirs (then `note` says so).
    done: bool,
    /// Who is to move.
    side: Side,
    /// What the position is worth to the side to move.
    #[serde(flatten)]
    worth: ValueView,
    /// X's share of the value bar, from 0 to 1.
    share: f64,
    /// The value in words.
    sentence: String,
    /// The move to make; none when the game is over.
    best: Option<String>,
    /// The expected course of the game, the move first.
    line: Vec<String>,
    /// What is known of single moves, the best first; at most 729.
    moves: Vec<MoveValue>,
    /// How many plies ahead everything was seen; 0 where that means nothing.
    depth: u32,
    /// Positions looked at.
    nodes: u64,
    /// Milliseconds that it took so far.
    ms: u64,
    /// Something that the person should know.
    note: Option<String>,
    /// The page's parts by their ids, where they were asked for.
    html: Option<BTreeMap<&'static str, String>>,
}

/// What something is worth. What is proved and what is estimated never look alike.
#[derive(Serialize, ToSchema)]
pub(crate) struct ValueView {
    /// It is proved.
    exact: bool,
    /// `win`, `loss` or `draw` where it is proved; else an estimate from −1 to 1; null
    /// where nothing is known yet.
    value: Option<Worthy>,
    /// In how many plies of best play the game is won or lost, where that is proved.
    plies: Option<u32>,
}

/// A proved result, or an estimate.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Worthy {
    /// `win`, `loss` or `draw`.
    Proved(&'static str),
    /// From −1 (lost) to 1 (won).
    Estimated(f64),
}

/// A move and what it is worth to the one who makes it.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoveValue {
    /// The move.
    #[serde(rename = "move")]
    text: String,
    /// What it is worth.
    #[serde(flatten)]
    worth: ValueView,
    /// As it is drawn: `▲3` wins in 3, `▼4` loses in 4, `=` draws; `66%` is an
    /// estimated win chance, `?` not known yet.
    sign: String,
}

impl ValueView {
    pub(super) fn from_value(value: Value) -> ValueView {
        match value {
            Value::Exact(exact) => ValueView {
                exact: true,
                value: Some(Worthy::Proved(exact.game_value().as_str())),
                plies: exact.plies(),
            },
            Value::Estimate { mean, error } => ValueView {
                exact: false,
                value: (error < 1.0).then(|| Worthy::Estimated(round_estimate(mean))),
                plies: None,
            },
        }
    }
}

/// Three digits are more than an estimate is worth.
pub(super) fn round_estimate(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// Analyses a position. The answer grows, one JSON object on each line, until it is
/// solved, the time is up or the reader leaves. A visitor has two analyses at once; a
/// new one replaces the oldest. One that has to wait for its turn says so in its first
/// line, and while others wait, one ends after ten seconds. If the position is that of a game
/// you're playing, or follows from it, the game isn't rated from then on. Against another player
/// there is no analysis until the game is over.
#[utoipa::path(post, path = "/analyses", tag = "analysis",
    request_body = AnalysisWanted,
    responses(
        (status = 200, description = "What is known, line by line", body = AnalysisLine, content_type = "application/x-ndjson"),
        (status = 422, description = "There is no such variant, position or move, or you're playing the game against another player", body = super::ErrorBody),
    ))]
async fn analyse(
    State(app): State<App>,
    visitor: Visitor,
    LargeJsonBody(wanted): LargeJsonBody<AnalysisWanted>,
) -> Result<Response, Error> {
    let ms = wanted.ms.unwrap_or(USUAL_MS);
    if !(1..=MOST_MS).contains(&ms) {
        let message = format!("ms is {ms}, but must be from 1 to {MOST_MS}");
        return Err(Error::new(Kind::BadRequest, message));
    }
    check_path(wanted.path.as_deref().unwrap_or_default())?;
    let given = Given {
        variant: wanted.variant,
        position: wanted.position,
        moves: wanted.moves,
    };
    let play = given.into_state().await?;
    let limits = SearchLimits::time(Duration::from_millis(ms));
    let pass = app.rate_limiters.open_stream(&visitor)?;
    let helped = app.rooms.assisted_games(&visitor, &play)?;
    let watching = app.pool.start_analysis(visitor.owner(), &play, limits)?;
    let frames = frames(app.clone(), watching, helped, play, wanted.path);
    Ok(ndjson_response(&app, visitor, pass, frames))
}

/// A frame for the newest report, no more often than at a pace, and one for the last. The
/// first one may say that it waits.
fn frames(
    app: App,
    watching: AnalysisHandle,
    helped: AssistedGames,
    play: AnyGameState,
    path: Option<String>,
) -> impl Stream<Item = AnalysisFrame> {
    let begin = Some((watching, AnalysisProgress::default(), false, Some(helped)));
    stream::unfold((begin, play, path), move |(going, play, path)| {
        let app = app.clone();
        async move {
            let (mut watching, mut known, mut waited, mut helped) = going?;
            if known.sequence > 0 {
                let _ = timeout(PACE, watching.wait_until_done()).await;
            }
            let newer = loop {
                let patience = if waited { PREEMPT_INTERVAL } else { SOON };
                let newer = timeout(patience, watching.next_after(known.sequence)).await;
                match newer {
                    Ok(newer) => break newer,
                    Err(_) if known.sequence > 0 || !watching.is_queued() => {}
                    Err(_) if waited => app.pool.preempt_analyses(),
                    Err(_) => {
                        waited = true;
                        let report = SearchReport {
                            note: Some(WAITING.into()),
                            ..SearchReport::empty()
                        };
                        let frame = frame(&report, false, &play, path.as_deref());
                        let going = Some((watching, known, waited, helped));
                        return Some((frame, (going, play, path)));
                    }
                }
            };
            match newer {
                Some(newer) => known = newer,
                // It was stopped before it began.
                None => known.is_done = true,
            }
            // Only what is delivered is help.
            if known.report.is_some()
                && let Some(helped) = helped.take()
                && let Err(error) = helped.mark_assisted(&app, Assistance::Analysis).await
            {
                let report = SearchReport {
                    note: Some(error.message),
                    ..SearchReport::empty()
                };
                let frame = frame(&report, true, &play, path.as_deref());
                return Some((frame, (None, play, path)));
            }
            let report = known.report.as_deref();
            let frame = match report {
                Some(report) => frame(report, known.is_done, &play, path.as_deref()),
                None => frame(
                    &SearchReport::empty(),
                    known.is_done,
                    &play,
                    path.as_deref(),
                ),
            };
            let going = (!known.is_done).then_some((watching, known, waited, helped));
            Some((frame, (going, play, path)))
        }
    })
}

fn frame(
    report: &SearchReport<String>,
    done: bool,
    play: &AnyGameState,
    path: Option<&str>,
) -> AnalysisFrame {
    let worth = SessionValue::from_side(report.value, play.side());
    let share = (worth.points() + 1.0) / 2.0;
    AnalysisFrame {
        done,
        side: api_side(play.side()),
        worth: ValueView::from_value(report.value),
        share: round_estimate(share),
        sentence: worth.to_text(),
        best: report.best.clone(),
        line: report.pv.clone(),
        moves: report.moves.iter().map(move_value).collect(),
        depth: report.depth,
        nodes: report.nodes,
        ms: u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX),
        note: report.note.clone(),
        html: path.map(|path| {
            let bar = pictures::value_bar(share, worth.is_exact(), &worth.to_short_text());
            BTreeMap::from([
                (
                    "tints",
                    pictures::value_overlay(play, path, report).into_string(),
                ),
                ("value-bar", bar.into_string()),
            ])
        }),
    }
}

fn move_value(ranked: &RankedMove<String>) -> MoveValue {
    MoveValue {
        text: ranked.mv.clone(),
        worth: ValueView::from_value(ranked.value),
        sign: value_sign(ranked.value),
    }
}

/// The value as it is drawn.
pub(super) fn value_sign(value: Value) -> String {
    match value {
        Value::Estimate { error, .. } if error >= 1.0 => "?".into(),
        value => pictures::value_label(value),
    }
}

/// The side as the API says it.
pub(super) fn api_side(player: RulesSide) -> Side {
    match player {
        RulesSide::X => Side::X,
        RulesSide::O => Side::O,
    }
}
