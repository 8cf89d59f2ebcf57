//! `GET /games/{id}/review`: the value of every position of a game, and which moves were mistakes,
//! streamed as they are found.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use futures_util::{Stream, stream};
use noughts_engine::{SearchLimits, SearchReport};
use noughts_rules::{AnyGameState, Assistance, Side};
use noughts_session::mistakes::MistakeKind;
use noughts_session::review::{GameReview, VERSION};
use noughts_store::GameId;
use noughts_text::{ValueForX, value_symbol};
use noughts_wire::{PositionValue, ReviewedPosition};
use tokio::time::timeout;

use super::analyses::{PREEMPT_INTERVAL, value_bar};
use super::files::load_game;
use super::ndjson::{NdjsonLine, json_line, ndjson_response};
use crate::app::App;
use crate::error::ApiError;
use crate::live::PendingAssistance;
use crate::middleware::{TaskOwner, Visitor};
use crate::pool::{AnalysisEnd, ReviewSlot};
use crate::view::formatting;
use noughts_view::PlotPoint;

/// The plot is sent with one line out of this many.
const PLOT_EVERY: usize = 12;

/// The pause before retrying when too many analyses are running.
const RETRY_DELAY: Duration = Duration::from_millis(250);

/// Reviews a game move by move.
///
/// The response is a stream with one JSON object per line: first a quick search of every position, then a longer one,
/// until all are done or the client disconnects. The review of a finished game is saved when it's done and returned
/// immediately from then on; running it again gives the same result. A visitor can run one review at a time; a new one
/// replaces it. If you're playing the game, it is no longer rated. In games against another player, reviews aren't
/// available until the game is over.
#[utoipa::path(get, path = "/games/{id}/review", tag = "analysis",
    params(("id" = String, Path, description = "The game's ID", pattern = "^[0-9a-f]{32}$")),
    responses(
        (status = 200, description = "The positions, line by line", body = NdjsonLine<ReviewedPosition>, content_type = "application/x-ndjson"),
        (status = 422, description = "You're playing this game against another player", body = super::ErrorBody),
    ))]
pub(super) async fn review(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let (game, state) = load_game(&app, &id).await?;
    let permit = app.rate_limiters.open_stream(&visitor)?;
    // A game in progress has more moves to come.
    let finished = game.ended.is_some().then_some(game.id);
    let assisted = match finished {
        Some(_) => PendingAssistance::default(),
        None => app.rooms.assisted_game(&app, &visitor, &id).await?,
    };
    let saved = match finished {
        Some(game) => app.config.store.review(game, VERSION).await?,
        None => None,
    };
    let review = Review::new(app.clone(), visitor.owner, state, assisted, finished, saved);
    Ok(ndjson_response(&app, visitor, permit, review.lines()))
}

struct Review {
    app: App,
    owner: TaskOwner,
    slot: ReviewSlot,
    state: Arc<AnyGameState>,
    sides: Vec<Side>,
    moves: Vec<String>,
    values: GameReview,
    /// The newest line for each ply.
    sent: Vec<Option<ReviewedPosition>>,
    queue: VecDeque<ReviewedPosition>,
    /// Lines since the plot was last sent.
    since_plot: usize,
    /// The finished game whose review is saved once it's done.
    unsaved: Option<GameId>,
    /// The game, if the visitor who asks is playing it and nothing was delivered yet.
    assisted: Option<PendingAssistance>,
}

impl Review {
    fn new(
        app: App,
        owner: TaskOwner,
        state: AnyGameState,
        assisted: PendingAssistance,
        finished: Option<GameId>,
        saved: Option<String>,
    ) -> Review {
        let moves = state.moves();
        let mut sides = state.move_sides();
        sides.push(state.side());
        let values = || GameReview::new(&sides, moves.clone(), state.outcome());
        let restored = saved.and_then(|saved| values().restore(&saved));
        let mut review = Review {
            slot: app.pool.start_review(owner),
            app,
            owner,
            unsaved: finished.filter(|_| restored.is_none()),
            assisted: Some(assisted),
            values: restored.unwrap_or_else(values),
            sent: vec![None; sides.len()],
            queue: VecDeque::new(),
            since_plot: 0,
            state: Arc::new(state),
            sides,
            moves,
        };
        // What is known already: the end, or all of a saved review.
        for ply in (0..review.sides.len()).rev() {
            review.queue_line(ply);
        }
        review
    }

    fn lines(self) -> impl Stream<Item = Bytes> {
        stream::unfold(self, |mut review| async move {
            while review.queue.is_empty() {
                if review.search_next().await.is_none() {
                    review.save().await;
                    return None;
                }
            }
            if let Some(assisted) = review.assisted.take()
                && let Err(error) = assisted
                    .mark_assisted(&review.app, Assistance::Analysis)
                    .await
            {
                tracing::warn!(error = error.message, "a review was interrupted");
                return None;
            }
            let line = review.queue.pop_front()?;
            let line = review.with_parts(line);
            Some((json_line(&line), review))
        })
    }

    /// Adds the progress and the parts of the page.
    fn with_parts(&mut self, mut line: ReviewedPosition) -> ReviewedPosition {
        let mut parts = BTreeMap::new();
        if let Some(value) = self.values.value_at(line.ply) {
            parts.insert("value-bar".into(), value_bar(value));
        }
        // The plot is by far the longest part. With every line it would add up to megabytes for a
        // long game.
        self.since_plot += 1;
        let is_last = self.values.fraction_done() >= 1.0 && self.queue.is_empty();
        if is_last || self.since_plot >= PLOT_EVERY {
            self.since_plot = 0;
            parts.insert("plot".into(), self.plot());
        }
        line.html = Some(parts);
        line.progress = (self.values.fraction_done() * 1000.0).round() / 1000.0;
        line
    }

    /// Saves a review that is done. If the store can't be written, the review is made again next
    /// time.
    async fn save(&mut self) {
        let store = &self.app.config.store;
        if self.values.fraction_done() >= 1.0
            && let Some(game) = self.unsaved.take()
            && let Err(error) = store
                .save_review(game, VERSION, &self.values.to_json())
                .await
        {
            tracing::warn!(%error, "a review couldn't be saved");
        }
    }

    /// Searches the next position; `None` when there is nothing left to search.
    async fn search_next(&mut self) -> Option<()> {
        if self.slot.is_replaced() {
            return None;
        }
        let (ply, limits) = self.values.next_search(0)?;
        let state = self.state.clone();
        // Replaying a deep board takes too long for an async task.
        let position = tokio::task::spawn_blocking(move || formatting::state_at_ply(&state, ply));
        let position = position.await.ok()?;
        let report = loop {
            match self.search(&position, limits).await {
                (AnalysisEnd::Complete, report) => break report,
                // With fewer nodes the review would find something different each time.
                (AnalysisEnd::Stopped, _) if !self.slot.is_replaced() => {}
                (AnalysisEnd::Stopped | AnalysisEnd::Failed, _) => {
                    self.unsaved = None;
                    return None;
                }
            }
        };
        let made = self.moves.get(ply).map(String::as_str);
        self.values.add_report(ply, keep_judged_moves(report, made));
        // The value of a position also judges the move after it.
        self.queue_line(ply);
        self.queue_line(ply + 1);
        Some(())
    }

    /// Searches a position until the search ends.
    async fn search(
        &self,
        state: &AnyGameState,
        limits: SearchLimits,
    ) -> (AnalysisEnd, SearchReport<String>) {
        let handle = loop {
            match self.app.pool.start_review_search(self.owner, state, limits) {
                Ok(handle) => break handle,
                Err(_) if self.slot.is_replaced() => {
                    return (AnalysisEnd::Stopped, SearchReport::empty());
                }
                Err(_) => tokio::time::sleep(RETRY_DELAY).await,
            }
        };
        let mut finish = std::pin::pin!(handle.join());
        loop {
            match timeout(PREEMPT_INTERVAL, &mut finish).await {
                Ok(finished) => return finished,
                Err(_) => self.app.pool.preempt_analyses(),
            }
        }
    }

    /// Queues the line of a ply if it's new.
    fn queue_line(&mut self, ply: usize) {
        let line = self.line(ply);
        if let (Some(line), Some(sent)) = (line, self.sent.get_mut(ply))
            && sent.as_ref() != Some(&line)
        {
            *sent = Some(line.clone());
            self.queue.push_back(line);
        }
    }

    /// The values over the game, as far as they are known.
    fn plot(&self) -> String {
        let points = self.sent.iter().enumerate().map(|(ply, line)| PlotPoint {
            value: self
                .values
                .value_at(ply)
                .filter(|value| line.is_some() && !value.is_unknown())
                .map(ValueForX::expected_result),
            exact: line.as_ref().is_some_and(|line| line.value.exact),
            mistake: (ply.checked_sub(1))
                .filter(|_| line.is_some())
                .and_then(|mv| self.values.mistake(mv))
                .map(|mistake| mistake.kind),
            label: match line {
                Some(line) => format!("Move {ply}: {sentence}", sentence = line.sentence),
                None => format!("Move {ply}: not evaluated yet"),
            },
        });
        let points: Vec<PlotPoint> = points.collect();
        noughts_view::plot(&points, self.moves.len()).into_string()
    }

    fn line(&self, ply: usize) -> Option<ReviewedPosition> {
        let value = self.values.value_at(ply)?;
        let value_text = value.to_text();
        let mv = ply.checked_sub(1);
        let made = mv.and_then(|mv| self.moves.get(mv));
        let mistake = mv.and_then(|mv| self.values.mistake(mv));
        let before = mv.and_then(|mv| self.values.report(mv));
        let best = mistake.and_then(|mistake| mistake.better_move.clone());
        let line = self.values.report(ply);
        Some(ReviewedPosition {
            ply,
            side: self.sides[ply].into(),
            value: PositionValue::if_known(value.value_for(self.sides[ply])),
            label: value_symbol(value.value_for(Side::X)),
            value_text: value_text.clone(),
            best: best.or_else(|| before.and_then(|report| report.best.clone())),
            line: line.map_or_else(Vec::new, |report| report.pv.clone()),
            progress: 0.0,
            mistake: mistake.map(|mistake| match mistake.kind {
                MistakeKind::Inaccuracy => noughts_wire::MistakeKind::Inaccuracy,
                MistakeKind::Mistake => noughts_wire::MistakeKind::Mistake,
                MistakeKind::Blunder => noughts_wire::MistakeKind::Blunder,
            }),
            sentence: match (made, mistake, mv) {
                (Some(made), Some(mistake), Some(mv)) => {
                    format!("{made} {}.", mistake.describe(self.sides[mv]))
                }
                (Some(made), None, Some(mv)) => {
                    let note = self.values.best_move_note(mv);
                    format!("{made}{note}: {value_text}.")
                }
                _ => format!("Before the first move: {value_text}."),
            },
            made: made.cloned(),
            html: None,
        })
    }
}

/// Keeps only the moves that the played one is judged by: itself, the best, and one other. A long
/// game on a large board has thousands of reports with hundreds of moves.
fn keep_judged_moves(mut report: SearchReport<String>, made: Option<&str>) -> SearchReport<String> {
    let best = report.best.clone();
    let mut others = 0;
    report.moves.retain(|ranked| {
        let is_judged = Some(&*ranked.mv) == made || Some(&ranked.mv) == best.as_ref();
        others += usize::from(!is_judged);
        is_judged || others == 1
    });
    report.moves.shrink_to_fit();
    report
}
