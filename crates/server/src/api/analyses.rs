//! `POST /analyses`: the value of a position and its moves, streamed as the search proceeds.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use futures_util::{Stream, stream};
use noughts_engine::{RankedMove, SearchLimits, SearchReport, Value};
use noughts_pictures as pictures;
use noughts_rules::{AnyGameState, Assistance, Side as RulesSide};
use noughts_text::ValueForX;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Given, LargeJsonBody, check_path};
use super::ndjson::{Revoked, ndjson_response};
use super::types::Side;
use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};
use crate::live::AssistedGames;
use crate::middleware::Visitor;
use crate::pool::{AnalysisHandle, AnalysisProgress};

/// The thinking time if the request has none.
const DEFAULT_MS: u64 = 30_000;
/// The longest thinking time: a forgotten analysis must not keep the machine busy.
const MAX_MS: u64 = 60_000;
/// An analysis still queued after this long reports that it's waiting.
const QUEUED_NOTICE_DELAY: Duration = Duration::from_millis(300);
/// How often a queued analysis checks whether running ones have used up their time slice.
pub(super) const PREEMPT_INTERVAL: Duration = Duration::from_secs(1);
/// What a queued analysis reports.
const QUEUED_NOTE: &str = "other analyses are running; this one is waiting for its turn";
/// The shortest time between two frames.
const FRAME_INTERVAL: Duration = Duration::from_millis(100);

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(analyze))
}

/// A position to analyze.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnalysisWanted {
    /// The variant's name.
    #[schema(example = "classic", max_length = 100)]
    variant: String,
    /// The start position as text; the standard one if missing.
    #[schema(max_length = 700000)]
    position: Option<String>,
    /// The moves played from there.
    #[schema(example = json!(["b2", "a1"]), max_items = 10000)]
    moves: Option<Vec<String>>,
    /// How long to think, in milliseconds; 30000 by default.
    #[schema(minimum = 1, maximum = 60000, example = 500)]
    ms: Option<u64>,
    /// The board to zoom into, empty for the whole board. If present, the lines include `html`.
    #[schema(max_length = 6, pattern = "^[a-i]*$")]
    path: Option<String>,
}

/// A line of the response.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(
    dead_code,
    reason = "only for the schema; lines are serialized one by one"
)]
pub(crate) enum AnalysisLine {
    /// The result so far.
    Frame(Box<AnalysisFrame>),
    /// The server is stopping: reconnect in a moment.
    Bye(Bye),
    /// The visitor was banned, or the session ended.
    Revoked(Revoked),
}

/// The last line of a response before the server stops.
#[derive(Serialize, ToSchema)]
pub(crate) struct Bye {
    /// Always `bye`.
    #[serde(rename = "type")]
    #[schema(pattern = "^bye$")]
    kind: &'static str,
}

/// The result so far: one line of the response.
#[derive(Serialize, ToSchema)]
pub(crate) struct AnalysisFrame {
    /// Is this the last line? The position is solved, the time is up, a newer analysis by the same visitor has replaced
    /// this one, or other visitors are waiting (`note` says so).
    done: bool,
    /// The side to move.
    side: Side,
    /// The value of the position for the side to move.
    #[serde(flatten)]
    worth: ValueView,
    /// X's share of the value bar, from 0 to 1.
    share: f64,
    /// The value in words.
    sentence: String,
    /// The best move; null when the game is over.
    best: Option<String>,
    /// The principal variation: the best move and the expected replies.
    line: Vec<String>,
    /// The values of the moves, best first; at most 729.
    moves: Vec<MoveValue>,
    /// The search depth in plies; 0 where it has no meaning.
    depth: u32,
    /// The number of positions searched.
    nodes: u64,
    /// The time so far, in milliseconds.
    ms: u64,
    /// A note for the user.
    note: Option<String>,
    /// Parts of the page by element ID, if they were requested.
    html: Option<BTreeMap<&'static str, String>>,
}

/// A value. Proved values and estimates always look different.
#[derive(Serialize, ToSchema)]
pub(crate) struct ValueView {
    /// Is the value proved?
    exact: bool,
    /// `win`, `loss` or `draw` if it is proved; otherwise an estimate from −1 to 1; null if nothing is known yet.
    value: Option<Worthy>,
    /// The number of plies of best play until the win or loss, if that is proved.
    plies: Option<u32>,
}

/// A proved result, or an estimate.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Worthy {
    /// `win`, `loss` or `draw`.
    Proved(&'static str),
    /// From −1 (loss) to 1 (win).
    Estimated(f64),
}

/// A move and its value for the player who makes it.
#[derive(Serialize, ToSchema)]
pub(crate) struct MoveValue {
    /// The move.
    #[serde(rename = "move")]
    text: String,
    /// Its value.
    #[serde(flatten)]
    worth: ValueView,
    /// The value as a short label: `▲3` wins in 3, `▼4` loses in 4, `=` draws; `66%` is an estimated win chance, and `?`
    /// means that nothing is known yet.
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

/// Three digits are already more than an estimate supports.
pub(super) fn round_estimate(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// Analyzes a position.
///
/// The response is a stream with one JSON object per line, until the position is solved, the time is up or the client
/// disconnects. A visitor can run two analyses at once; a new one replaces the oldest. An analysis that has to wait for
/// its turn says so in its first line; while others are waiting, an analysis ends after ten seconds. If the position
/// belongs to a game you're playing, or continues from it, that game is no longer rated. In games against another player,
/// analysis isn't available until the game is over.
#[utoipa::path(post, path = "/analyses", tag = "analysis",
    request_body = AnalysisWanted,
    responses(
        (status = 200, description = "The results, line by line", body = AnalysisLine, content_type = "application/x-ndjson"),
        (status = 422, description = "The variant, the position or a move is invalid, or you're playing this game against another player", body = super::ErrorBody),
    ))]
async fn analyze(
    State(app): State<App>,
    visitor: Visitor,
    LargeJsonBody(request): LargeJsonBody<AnalysisWanted>,
) -> Result<Response, ApiError> {
    let ms = request.ms.unwrap_or(DEFAULT_MS);
    if !(1..=MAX_MS).contains(&ms) {
        let message = format!("ms is {ms}, but must be from 1 to {MAX_MS}");
        return Err(ApiError::new(ApiErrorKind::BadRequest, message));
    }
    check_path(request.path.as_deref().unwrap_or_default())?;
    let position = Given {
        variant: request.variant,
        position: request.position,
        moves: request.moves,
    };
    let state = position.into_state().await?;
    let limits = SearchLimits::time(Duration::from_millis(ms));
    let permit = app.rate_limiters.open_stream(&visitor)?;
    let assisted = app.rooms.assisted_games(&visitor, &state)?;
    let handle = app.pool.start_analysis(visitor.owner(), &state, limits)?;
    let frames = frames(app.clone(), handle, assisted, state, request.path);
    Ok(ndjson_response(&app, visitor, permit, frames))
}

/// One frame for the newest report, at most one per [`FRAME_INTERVAL`], and one for the last. The
/// first one may say that the analysis is queued.
fn frames(
    app: App,
    handle: AnalysisHandle,
    assisted: AssistedGames,
    state: AnyGameState,
    path: Option<String>,
) -> impl Stream<Item = AnalysisFrame> {
    let first = Some((handle, AnalysisProgress::default(), false, Some(assisted)));
    stream::unfold((first, state, path), move |(running, state, path)| {
        let app = app.clone();
        async move {
            let (mut handle, mut progress, mut is_waiting, mut assisted) = running?;
            if progress.sequence > 0 {
                let _ = timeout(FRAME_INTERVAL, handle.wait_until_done()).await;
            }
            let newer = loop {
                let wait = if is_waiting {
                    PREEMPT_INTERVAL
                } else {
                    QUEUED_NOTICE_DELAY
                };
                let newer = timeout(wait, handle.next_after(progress.sequence)).await;
                match newer {
                    Ok(newer) => break newer,
                    Err(_) if progress.sequence > 0 || !handle.is_queued() => {}
                    Err(_) if is_waiting => app.pool.preempt_analyses(),
                    Err(_) => {
                        is_waiting = true;
                        let report = SearchReport {
                            note: Some(QUEUED_NOTE.into()),
                            ..SearchReport::empty()
                        };
                        let frame = frame(&report, false, &state, path.as_deref());
                        let running = Some((handle, progress, is_waiting, assisted));
                        return Some((frame, (running, state, path)));
                    }
                }
            };
            match newer {
                Some(newer) => progress = newer,
                // It was stopped before it started.
                None => progress.is_done = true,
            }
            // Only help that is delivered counts as help.
            if progress.report.is_some()
                && let Some(assisted) = assisted.take()
                && let Err(error) = assisted.mark_assisted(&app, Assistance::Analysis).await
            {
                let report = SearchReport {
                    note: Some(error.message),
                    ..SearchReport::empty()
                };
                let frame = frame(&report, true, &state, path.as_deref());
                return Some((frame, (None, state, path)));
            }
            let report = progress.report.as_deref();
            let frame = match report {
                Some(report) => frame(report, progress.is_done, &state, path.as_deref()),
                None => frame(
                    &SearchReport::empty(),
                    progress.is_done,
                    &state,
                    path.as_deref(),
                ),
            };
            let running = (!progress.is_done).then_some((handle, progress, is_waiting, assisted));
            Some((frame, (running, state, path)))
        }
    })
}

fn frame(
    report: &SearchReport<String>,
    done: bool,
    state: &AnyGameState,
    path: Option<&str>,
) -> AnalysisFrame {
    let value = ValueForX::from_side(report.value, state.side());
    let share = (value.expected_result() + 1.0) / 2.0;
    AnalysisFrame {
        done,
        side: api_side(state.side()),
        worth: ValueView::from_value(report.value),
        share: round_estimate(share),
        sentence: value.to_text(),
        best: report.best.clone(),
        line: report.pv.clone(),
        moves: report.moves.iter().map(move_value).collect(),
        depth: report.depth,
        nodes: report.nodes,
        ms: u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX),
        note: report.note.clone(),
        html: path.map(|path| {
            let bar = pictures::value_bar(share, value.is_exact(), &value.to_short_text());
            BTreeMap::from([
                (
                    "tints",
                    pictures::value_overlay(state, path, report).into_string(),
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

/// The value as a short label.
pub(super) fn value_sign(value: Value) -> String {
    match value {
        Value::Estimate { error, .. } if error >= 1.0 => "?".into(),
        value => pictures::value_label(value),
    }
}

pub(super) fn api_side(side: RulesSide) -> Side {
    match side {
        RulesSide::X => Side::X,
        RulesSide::O => Side::O,
    }
}
