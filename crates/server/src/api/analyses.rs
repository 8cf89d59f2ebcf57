//! `POST /analyses`: the value of a position and its moves, streamed as the search proceeds.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use futures_util::stream;
use noughts_engine::{RankedMove, SearchLimits, SearchNote, SearchReport};
use noughts_rules::{AnyGameState, Assistance};
use noughts_text::{ValueForX, value_symbol};
use noughts_wire::{
    AnalysisRequest, AnalysisUpdate, MoveValue, PositionRequest, PositionValue, round_estimate,
};
use tokio::time::timeout;

use super::extract::{JsonBody, LargeJsonBody, check_range, read_position};
use super::ndjson::{NdjsonLine, json_line, ndjson_response};
use crate::app::App;
use crate::error::ApiError;
use crate::live::PendingAssistance;
use crate::middleware::Visitor;
use crate::pool::{AnalysisHandle, AnalysisProgress};
use crate::view::check_board_path;

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

/// Analyzes a position.
///
/// The response is a stream with one JSON object per line, until the position is solved, the time is up or the client
/// disconnects. A visitor can run two analyses at once; a new one replaces the oldest. An analysis that has to wait for
/// its turn says so in its first line; while others are waiting, an analysis ends after ten seconds. If the position
/// belongs to a game you're playing, or continues from it, that game is no longer rated. In games against another player,
/// analysis isn't available until the game is over.
#[utoipa::path(post, path = "/analyses", tag = "analysis",
    request_body = AnalysisRequest,
    responses(
        (status = 200, description = "The results, line by line", body = NdjsonLine<AnalysisUpdate>, content_type = "application/x-ndjson"),
        (status = 422, description = "The variant, the position or a move is invalid, or you're playing this game against another player", body = super::ErrorBody),
    ))]
pub(super) async fn analyze(
    State(app): State<App>,
    visitor: Visitor,
    JsonBody(request): LargeJsonBody<AnalysisRequest>,
) -> Result<Response, ApiError> {
    let ms = check_range("time_ms", request.time_ms.unwrap_or(DEFAULT_MS), 1..=MAX_MS)?;
    check_board_path(request.path.as_deref().unwrap_or_default())?;
    let position = PositionRequest {
        variant: request.variant,
        position: request.position,
        moves: request.moves,
    };
    let state = read_position(position).await?;
    let limits = SearchLimits::time(Duration::from_millis(ms));
    let permit = app.rate_limiters.open_stream(&visitor)?;
    let assisted = app.rooms.assisted_games(&visitor, &state)?;
    let handle = app.pool.start_analysis(visitor.owner, &state, limits)?;
    let frames = AnalysisFrames {
        app: app.clone(),
        handle,
        progress: AnalysisProgress::default(),
        is_waiting: false,
        assisted: Some(assisted),
        state,
        path: request.path,
    };
    let frames = stream::unfold(frames, |mut frames| async {
        let frame = frames.next().await?;
        Some((json_line(&frame), frames))
    });
    Ok(ndjson_response(&app, visitor, permit, frames))
}

/// One frame for the newest report, at most one per [`FRAME_INTERVAL`], and one for the last. The
/// first one may say that the analysis is queued.
struct AnalysisFrames {
    app: App,
    handle: AnalysisHandle,
    /// What was sent last.
    progress: AnalysisProgress,
    /// It's known to be queued.
    is_waiting: bool,
    /// The games that this helps the visitor to play, until the first report.
    assisted: Option<PendingAssistance>,
    state: AnyGameState,
    path: Option<String>,
}

impl AnalysisFrames {
    async fn next(&mut self) -> Option<AnalysisUpdate> {
        if self.progress.is_done {
            return None;
        }
        if self.progress.sequence > 0 {
            let _ = timeout(FRAME_INTERVAL, self.handle.wait_until_done()).await;
        }
        loop {
            let wait = match self.is_waiting {
                true => PREEMPT_INTERVAL,
                false => QUEUED_NOTICE_DELAY,
            };
            let sequence = self.progress.sequence;
            match timeout(wait, self.handle.next_after(sequence)).await {
                Ok(Some(newer)) => {
                    self.progress = newer;
                    break;
                }
                // It was stopped before it started.
                Ok(None) => {
                    self.progress.is_done = true;
                    break;
                }
                Err(_) if sequence > 0 || !self.handle.is_queued() => {}
                Err(_) if self.is_waiting => self.app.pool.preempt_analyses(),
                Err(_) => {
                    self.is_waiting = true;
                    return Some(self.note(QUEUED_NOTE.into()));
                }
            }
        }
        // Only help that is delivered counts as help.
        if self.progress.report.is_some()
            && let Some(assisted) = self.assisted.take()
            && let Err(error) = assisted
                .mark_assisted(&self.app, Assistance::Analysis)
                .await
        {
            self.progress.is_done = true;
            return Some(self.note(error.message));
        }
        let report = self.progress.report.clone();
        Some(self.frame(&report.unwrap_or_else(|| SearchReport::empty().into())))
    }

    /// A frame with nothing but a note.
    fn note(&self, note: String) -> AnalysisUpdate {
        self.frame(&SearchReport {
            note: Some(SearchNote::Other(note)),
            ..SearchReport::empty()
        })
    }

    fn frame(&self, report: &SearchReport<String>) -> AnalysisUpdate {
        let side = self.state.side();
        let value = ValueForX::from_side(report.value, side);
        AnalysisUpdate {
            done: self.progress.is_done,
            side: side.into(),
            value: PositionValue::if_known(report.value),
            share: (!value.is_unknown()).then(|| round_estimate(share_of_x(value))),
            sentence: value.to_text(),
            best: report.best.clone(),
            line: report.pv.clone(),
            moves: report.moves.iter().map(move_value).collect(),
            depth: report.depth,
            nodes: report.nodes,
            time_ms: u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX),
            note: report.note.as_ref().map(ToString::to_string),
            html: self.path.as_deref().map(|path| {
                let tints = noughts_view::value_overlay(&self.state, path, report);
                BTreeMap::from([
                    ("tints".to_owned(), tints.into_string()),
                    ("value-bar".to_owned(), value_bar(value)),
                ])
            }),
        }
    }
}

/// The bar that shows a value, as HTML.
pub(super) fn value_bar(value: ValueForX) -> String {
    noughts_view::value_bar(share_of_x(value), value.is_exact(), &value.to_short_text())
        .into_string()
}

/// X's share of the value bar.
fn share_of_x(value: ValueForX) -> f64 {
    (value.expected_result() + 1.0) / 2.0
}

fn move_value(ranked: &RankedMove<String>) -> MoveValue {
    MoveValue {
        text: ranked.mv.clone(),
        value: PositionValue::if_known(ranked.value),
        label: value_symbol(ranked.value),
    }
}
