//! `GET /games/{id}/review`: the value of every position of a game, and which moves were mistakes,
//! streamed as they are found.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::Response;
use futures_util::{Stream, stream};
use noughts_engine::{SearchLimits, SearchReport};
use noughts_rules::{AnyGameState, Assistance, Side};
use noughts_session::mistakes::MistakeKind;
use noughts_session::review::{GameReview, VERSION};
use noughts_store::GameId;
use noughts_text::ValueForX;
use serde::Serialize;
use tokio::time::timeout;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::analyses::{Bye, PREEMPT_INTERVAL, round_estimate, value_sign};
use super::files::load_game;
use super::ndjson::{Revoked, ndjson_response};
use crate::app::App;
use crate::error::ApiError;
use crate::live::AssistedGames;
use crate::middleware::{TaskOwner, Visitor};
use crate::pool::{AnalysisEnd, VisitorSlot};
use crate::view::formatting;
use noughts_pictures::{self as pictures, MistakeSeverity, PlotPoint};

/// The plot is sent with one line out of this many.
const PLOT_EVERY: usize = 12;

/// The pause before retrying when too many analyses are running.
const RETRY_DELAY: Duration = Duration::from_millis(250);

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(review))
}

/// A position of the game: one line of the response. When more is known about a position, its line is sent again.
#[derive(Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct ReviewLine {
    /// The number of moves played.
    ply: usize,
    /// Is the value proved?
    exact: bool,
    /// The value for X, from −1 to 1; null if nothing is known.
    value: Option<f64>,
    /// The value for X as a short label: `▲3`, `▼4`, `=` or `66%`.
    sign: String,
    /// The value in words.
    worth: String,
    /// The move that led here; null for the start position.
    #[serde(rename = "move")]
    made: Option<String>,
    /// The best move instead of `move`, or `move` itself if it was best.
    best: Option<String>,
    /// The principal variation from here, as far as it is known.
    line: Vec<String>,
    /// How bad the move that led here was, if it was a mistake.
    mistake: Option<MistakeWord>,
    /// An assessment of the move that led here.
    sentence: String,
    /// The progress of the review, from 0 to 1.
    done: f64,
    /// Parts of the page by element ID: `value-bar`, the value of this position, and in some lines, including the last,
    /// `plot`, the values over the game.
    html: Option<BTreeMap<&'static str, String>>,
}

impl ReviewLine {
    /// Do the two lines differ in nothing but the progress?
    fn is_same_except_progress(&self, other: &ReviewLine) -> bool {
        let done = other.done;
        let this = ReviewLine {
            done,
            ..self.clone()
        };
        this == *other
    }
}

/// A line of the response.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(
    dead_code,
    reason = "only for the schema; lines are serialized one by one"
)]
pub(crate) enum ReviewAnswer {
    /// A position.
    Line(Box<ReviewLine>),
    /// The server is stopping: reconnect in a moment.
    Bye(Bye),
    /// The visitor was banned, or the session ended.
    Revoked(Revoked),
}

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MistakeWord {
    /// Bad by the estimates; not proved.
    Doubtful,
    /// Another move is proved to be better.
    Mistake,
    /// The move gave away a proved result.
    Blunder,
}

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
        (status = 200, description = "The positions, line by line", body = ReviewAnswer, content_type = "application/x-ndjson"),
        (status = 404, description = "The game doesn't exist", body = super::ErrorBody),
        (status = 422, description = "You're playing this game against another player", body = super::ErrorBody),
    ))]
async fn review(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let (game, state) = load_game(&app, &id).await?;
    let permit = app.rate_limiters.open_stream(&visitor)?;
    // A game in progress has more moves to come.
    let finished = game.ended.is_some().then_some(game.id);
    let assisted = match finished {
        Some(_) => AssistedGames::default(),
        None => app.rooms.assisted_game(&app, &visitor, &id).await?,
    };
    let saved = match finished {
        Some(game) => app.config.store.review(game, VERSION).await?,
        None => None,
    };
    let slot = app.pool.acquire_review_slot(visitor.owner());
    let mut review = Review::new(app.clone(), visitor.owner(), slot, state, finished, saved);
    review.assisted = Some(assisted);
    Ok(ndjson_response(&app, visitor, permit, review.lines()))
}

struct Review {
    app: App,
    owner: TaskOwner,
    slot: VisitorSlot,
    state: Arc<AnyGameState>,
    sides: Vec<Side>,
    moves: Vec<String>,
    values: GameReview,
    /// The newest line for each ply.
    sent: Vec<Option<ReviewLine>>,
    queue: VecDeque<ReviewLine>,
    /// Lines since the plot was last sent.
    since_plot: usize,
    /// The finished game whose review is saved once it's done.
    unsaved: Option<GameId>,
    /// The game, if the visitor who asks is playing it and nothing was delivered yet.
    assisted: Option<AssistedGames>,
}

impl Review {
    fn new(
        app: App,
        owner: TaskOwner,
        slot: VisitorSlot,
        state: AnyGameState,
        finished: Option<GameId>,
        saved: Option<String>,
    ) -> Review {
        let moves = state.moves();
        let mut sides = state.move_sides();
        sides.push(state.side());
        let values = || GameReview::new(&sides, moves.clone(), state.outcome());
        let restored = saved.and_then(|saved| values().restore(&saved));
        let mut review = Review {
            app,
            owner,
            slot,
            unsaved: finished.filter(|_| restored.is_none()),
            assisted: None,
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

    fn lines(self) -> impl Stream<Item = ReviewLine> {
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
            Some((line, review))
        })
    }

    /// Adds the parts of the page.
    fn with_parts(&mut self, mut line: ReviewLine) -> ReviewLine {
        let mut parts = BTreeMap::new();
        if let Some(value) = self.values.value_at(line.ply) {
            let share = (value.expected_result() + 1.0) / 2.0;
            let bar = pictures::value_bar(share, value.is_exact(), &value.to_short_text());
            parts.insert("value-bar", bar.into_string());
        }
        // The plot is by far the longest part. With every line it would add up to megabytes for a
        // long game.
        self.since_plot += 1;
        let is_last = self.values.fraction_done() >= 1.0 && self.queue.is_empty();
        if is_last || self.since_plot >= PLOT_EVERY {
            self.since_plot = 0;
            parts.insert("plot", self.plot());
        }
        line.html = Some(parts);
        line
    }

    /// Saves a review that is done. If the store can't be written, the review is made again next
    /// time.
    async fn save(&mut self) {
        if self.values.fraction_done() < 1.0 {
            return;
        }
        if let Some(game) = self.unsaved.take() {
            let saved = self.values.to_json();
            if let Err(error) = self
                .app
                .config
                .store
                .save_review(game, VERSION, &saved)
                .await
            {
                tracing::warn!(%error, "a review couldn't be saved");
            }
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
            && sent
                .as_ref()
                .is_none_or(|sent| !sent.is_same_except_progress(&line))
        {
            *sent = Some(line.clone());
            self.queue.push_back(line);
        }
    }

    /// The values over the game, as far as they are known.
    fn plot(&self) -> String {
        let points = self.sent.iter().enumerate().map(|(ply, line)| PlotPoint {
            value: line.as_ref().and_then(|line| line.value),
            exact: line.as_ref().is_some_and(|line| line.exact),
            mistake: line.as_ref().and_then(|line| match line.mistake? {
                MistakeWord::Blunder => Some(MistakeSeverity::Blunder),
                MistakeWord::Mistake | MistakeWord::Doubtful => Some(MistakeSeverity::Mistake),
            }),
            label: match line {
                Some(line) => format!("Move {ply}: {sentence}", sentence = line.sentence),
                None => format!("Move {ply}: not evaluated yet"),
            },
        });
        let points: Vec<PlotPoint> = points.collect();
        pictures::plot(&points, self.moves.len()).into_string()
    }

    fn line(&self, ply: usize) -> Option<ReviewLine> {
        let value = self.values.value_at(ply)?;
        let mv = ply.checked_sub(1);
        let made = mv.and_then(|mv| self.moves.get(mv));
        let mistake = mv.and_then(|mv| self.values.mistake(mv));
        let before = mv.and_then(|mv| self.values.report(mv));
        let best = mistake.and_then(|mistake| mistake.better_move.clone());
        Some(ReviewLine {
            ply,
            exact: value.is_exact(),
            value: (!value.is_unknown()).then(|| round_estimate(value.expected_result())),
            sign: value_sign(value.value_for(Side::X)),
            worth: value.to_text(),
            best: best.or_else(|| before.and_then(|report| report.best.clone())),
            line: self
                .values
                .report(ply)
                .map_or_else(Vec::new, |report| report.pv.clone()),
            done: (self.values.fraction_done() * 1000.0).round() / 1000.0,
            mistake: mistake.map(|mistake| match mistake.kind {
                MistakeKind::Dubious => MistakeWord::Doubtful,
                MistakeKind::Mistake => MistakeWord::Mistake,
                MistakeKind::Blunder => MistakeWord::Blunder,
            }),
            sentence: match (made, mistake, mv) {
                (Some(made), Some(mistake), Some(mv)) => {
                    format!(
                        "{made} {mistake}.",
                        mistake = mistake.describe(self.sides[mv])
                    )
                }
                (Some(made), None, Some(mv)) => {
                    good_move_sentence(made, self.values.best_move_note(mv), value)
                }
                _ => format!("Before the first move: {value}.", value = value.to_text()),
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

/// The sentence on a move that wasn't a mistake.
fn good_move_sentence(made: &str, note: &str, value: ValueForX) -> String {
    format!("{made}{note}: {value}.", value = value.to_text())
}
