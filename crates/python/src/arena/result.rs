//! `noughts.arena.Result`: games and statistics of a match or tournament.

use std::fmt::Write as _;
use std::sync::Arc;

use noughts_arena::statistics::{Decision, EloEstimate, Pentanomial, Results};
use noughts_arena::{Plan, PlayedGame, Scoring, SprtState, Standings, StandingsRow, report};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyType};

use super::pickling::{self, PickledGame};
use super::played_game::{ArenaGame, PlannedGames, quote};
use crate::errors::{NoughtsError, Raise};

/// The result of a match, tournament or SPRT. The figures are for the first bot against all
/// others. It prints like fastchess for two bots, and as a table for more.
///
/// >>> import noughts
/// >>> result = noughts.arena.match("perfect", "random", games=4, openings="start")
/// >>> result.wins, result.draws, result.losses, result.pentanomial
/// (4, 0, 0, (0, 0, 0, 0, 2))
/// >>> print(str(result).splitlines()[3])
/// Games: 4, Wins: 4, Losses: 0, Draws: 0, Points: 4.0 (100.00 %)
#[pyclass(frozen, name = "Result", module = "noughts.arena")]
pub(crate) struct ArenaResult {
    games: Arc<PlannedGames>,
    standings: Standings,
    is_complete: bool,
    seconds: f64,
    /// The formatted exceptions of Python bots, by name.
    tracebacks: Tracebacks,
}

pub(super) type Tracebacks = Vec<(String, Vec<String>)>;

/// Plan, games, whether it is complete, seconds, tracebacks.
type PickledResult = (String, Vec<PickledGame>, bool, f64, Tracebacks);

impl ArenaResult {
    pub(super) fn new(
        plan: Plan,
        mut games: Vec<PlayedGame>,
        is_complete: bool,
        seconds: f64,
        tracebacks: Tracebacks,
    ) -> ArenaResult {
        games.sort_by_key(|game| game.key);
        let standings = Standings::new(&plan, &Results::from_games(&plan, &games));
        ArenaResult {
            games: Arc::new(PlannedGames { plan, games }),
            standings,
            is_complete,
            seconds,
            tracebacks,
        }
    }

    /// The first bot's row of the standings.
    fn first(&self) -> Option<&StandingsRow> {
        self.standings.row(0)
    }

    fn first_figure(&self, get: impl Fn(&StandingsRow) -> f64) -> f64 {
        self.first().map_or(f64::NAN, get)
    }

    fn tally(&self) -> Pentanomial {
        self.first()
            .map_or_else(Pentanomial::default, |row| row.tally)
    }

    fn sprt(&self) -> Option<&SprtState> {
        self.standings.sprt.as_ref()
    }

    /// A bot's index in the plan.
    fn bot_index(&self, name: &str) -> PyResult<usize> {
        let bots = &self.games.plan.bots;
        let found = bots.iter().position(|bot| bot.name == name);
        found
            .ok_or_else(|| {
                let names: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
                format!(
                    "{name:?} didn't take part; the bots are {names}",
                    names = names.join(", ")
                )
            })
            .raise::<NoughtsError>()
    }
}

/// A game outside a result, for the `on_game` callback.
pub(super) fn single_game(plan: &Plan, game: PlayedGame) -> ArenaGame {
    let games = PlannedGames {
        plan: plan.clone(),
        games: vec![game],
    };
    ArenaGame::new(&Arc::new(games), 0)
}

fn row_to_dict<'py>(py: Python<'py>, row: &StandingsRow) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let (tally, estimate) = (&row.tally, &row.estimate);
    dict.set_item("rank", row.rank)?;
    dict.set_item("name", &row.name)?;
    dict.set_item("games", tally.games())?;
    dict.set_item("wins", tally.wins)?;
    dict.set_item("draws", tally.draws)?;
    dict.set_item("losses", tally.losses)?;
    dict.set_item("points", row.points)?;
    dict.set_item("penalty", row.penalty)?;
    dict.set_item("score", score(tally))?;
    dict.set_item("elo", estimate.elo)?;
    dict.set_item("elo_error", estimate.elo_error)?;
    dict.set_item("elo_low", estimate.elo_low)?;
    dict.set_item("elo_high", estimate.elo_high)?;
    dict.set_item("nelo", estimate.nelo)?;
    dict.set_item("nelo_error", estimate.nelo_error)?;
    dict.set_item("rating", row.rating.elo)?;
    dict.set_item("rating_error", row.rating.error)?;
    dict.set_item("pentanomial", pentanomial(tally))?;
    dict.set_item("repeated", repeated(tally))?;
    let faults = &row.faults;
    dict.set_item("timeouts", faults.late)?;
    dict.set_item("crashes", faults.crashed)?;
    dict.set_item("illegal_moves", faults.illegal)?;
    dict.set_item("protocol_faults", faults.protocol)?;
    Ok(dict)
}

type PairCounts = (u64, u64, u64, u64, u64);

fn pentanomial(tally: &Pentanomial) -> PairCounts {
    let [a, b, c, d, e] = tally.distinct_pairs();
    (a, b, c, d, e)
}

/// The number of pairs that repeat earlier ones.
fn repeated(tally: &Pentanomial) -> u64 {
    tally.repeated.iter().sum()
}

/// Points per game; NaN without games.
fn score(tally: &Pentanomial) -> f64 {
    tally.points() / tally.games() as f64
}

#[pymethods]
impl ArenaResult {
    /// The name of the game that was played.
    #[getter]
    fn game(&self) -> &str {
        &self.games.plan.variant
    }

    /// The names of the bots, in the order in which you passed them.
    #[getter]
    fn bots(&self) -> Vec<&str> {
        let bots = self.games.plan.bots.iter();
        bots.map(|bot| bot.name.as_str()).collect()
    }

    /// The random seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.games.plan.seed
    }

    /// The games, in the order of the schedule.
    #[getter]
    fn games(&self) -> Vec<ArenaGame> {
        let indices = 0..self.games.games.len();
        indices
            .map(|index| ArenaGame::new(&self.games, index))
            .collect()
    }

    /// Whether all games were played, or the SPRT was decided. If not, it was stopped early, or
    /// the SPRT was abandoned because the bots kept repeating the same games.
    #[getter]
    fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The time used, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The number of games that don't count: incomplete pairs, and pairs after a gap or after the
    /// SPRT was decided.
    #[getter]
    fn aside(&self) -> u64 {
        self.standings.aside
    }

    /// The first bot's advantage in Elo; `nan` if nothing is known, infinite if one bot scored all
    /// points. `elo_low` and `elo_high` are meaningful in every case.
    #[getter]
    fn elo(&self) -> f64 {
        self.first_figure(|row| row.estimate.elo)
    }

    /// Half the width of the 95% confidence interval of `elo`; `nan` if the interval is unbounded
    /// on one side.
    #[getter]
    fn elo_error(&self) -> f64 {
        self.first_figure(|row| row.estimate.elo_error)
    }

    /// The lower end of the 95% confidence interval of `elo`. If one bot scored all points, or
    /// nearly all, only one end is finite, and it is a one-sided bound: with 95% confidence, the
    /// advantage is above `elo_low` (or below `elo_high`).
    #[getter]
    fn elo_low(&self) -> f64 {
        self.first_figure(|row| row.estimate.elo_low)
    }

    /// The upper end of the 95% confidence interval of `elo`; see `elo_low`.
    #[getter]
    fn elo_high(&self) -> f64 {
        self.first_figure(|row| row.estimate.elo_high)
    }

    /// The advantage in normalized Elo, which is relative to the spread of the results.
    #[getter]
    fn nelo(&self) -> f64 {
        self.first_figure(|row| row.estimate.nelo)
    }

    /// Half the width of the 95% confidence interval of `nelo`.
    #[getter]
    fn nelo_error(&self) -> f64 {
        self.first_figure(|row| row.estimate.nelo_error)
    }

    /// The likelihood of superiority: the probability that the first bot is better, from 0 to 1.
    #[getter]
    fn los(&self) -> f64 {
        self.first_figure(|row| row.estimate.los)
    }

    /// The first bot's share of the points in all games, from 0 to 1.
    #[getter]
    fn score(&self) -> f64 {
        score(&self.tally())
    }

    /// The number of game pairs by the first bot's points: 0, ½, 1, 1½ and 2. Pairs with the same
    /// moves as an earlier one add no information and are left out here and in `elo`, `nelo`,
    /// `los`, `ratings` and the SPRT; `repeated` counts them.
    #[getter]
    fn pentanomial(&self) -> PairCounts {
        pentanomial(&self.tally())
    }

    /// The number of game pairs with the same moves as an earlier pair of the same two bots. They
    /// count for `wins`, `points` and `score`, but not for the estimates.
    #[getter]
    fn repeated(&self) -> u64 {
        repeated(&self.tally())
    }

    /// The number of games that the first bot won.
    #[getter]
    fn wins(&self) -> u64 {
        self.tally().wins
    }

    /// The number of drawn games.
    #[getter]
    fn draws(&self) -> u64 {
        self.tally().draws
    }

    /// The number of games that the first bot lost.
    #[getter]
    fn losses(&self) -> u64 {
        self.tally().losses
    }

    /// The first bot's points: 1 for a win, ½ for a draw.
    #[getter]
    fn points(&self) -> f64 {
        self.tally().points()
    }

    /// The first bot's penalty points: 3 for a loss, 1 for a draw. Fewer are better.
    #[getter]
    fn penalty(&self) -> u64 {
        self.tally().penalty()
    }

    /// The log-likelihood ratio of the SPRT; `None` if there isn't one.
    #[getter]
    fn llr(&self) -> Option<f64> {
        self.sprt().map(|sprt| sprt.llr)
    }

    /// The bounds at which the SPRT accepts `'H0'` and `'H1'`; `None` if there isn't one.
    #[getter]
    fn llr_bounds(&self) -> Option<(f64, f64)> {
        self.sprt().map(|sprt| (sprt.lower, sprt.upper))
    }

    /// The hypothesis that the SPRT accepted: `'H1'` (better by `elo1`) or `'H0'` (better by at
    /// most `elo0`); `None` if it is undecided or there isn't one.
    #[getter]
    fn decision(&self) -> Option<&'static str> {
        match self.sprt()?.decision {
            Decision::GoOn => None,
            Decision::H0 => Some("H0"),
            Decision::H1 => Some("H1"),
        }
    }

    /// The standings, best bot first: a list of dictionaries, ready for pandas.
    #[getter]
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows: PyResult<Vec<_>> = self
            .standings
            .rows
            .iter()
            .map(|row| row_to_dict(py, row))
            .collect();
        PyList::new(py, rows?)
    }

    /// The maximum-likelihood rating of each bot and half the width of its 95% confidence
    /// interval, best bot first. The mean rating is 0.
    #[getter]
    fn ratings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut rows: Vec<&StandingsRow> = self.standings.rows.iter().collect();
        rows.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
        let dict = PyDict::new(py);
        for row in rows {
            dict.set_item(&row.name, (row.rating.elo, row.rating.error))?;
        }
        Ok(dict)
    }

    /// The tracebacks of exceptions in Python bots, up to ten for each bot.
    #[getter]
    fn tracebacks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, texts) in &self.tracebacks {
            dict.set_item(name, texts)?;
        }
        Ok(dict)
    }

    /// Returns how many games the first bot won, drew and lost against the second.
    fn between(&self, first: &str, second: &str) -> PyResult<(u64, u64, u64)> {
        let (first, second) = (self.bot_index(first)?, self.bot_index(second)?);
        let rows = &self.standings.rows;
        let row_of = |bot| rows.iter().position(|row| row.bot == bot);
        let head_to_head = row_of(first)
            .zip(row_of(second))
            .and_then(|(row, column)| self.standings.cross[row][column]);
        let tally = head_to_head.unwrap_or_default();
        Ok((tally.wins, tally.draws, tally.losses))
    }

    /// Returns a self-contained HTML page with plots and a replay of every game.
    #[pyo3(signature = (title = None))]
    fn html(&self, py: Python<'_>, title: Option<&str>) -> String {
        let default_title = self.bots().join(" – ");
        py.detach(|| {
            report::render_html(&report::TournamentReport {
                title: title.unwrap_or(&default_title),
                created: None,
                plan: &self.games.plan,
                games: &self.games.games,
            })
        })
    }

    /// Returns the games as CSV, one line for each game.
    fn csv(&self) -> String {
        report::render_csv(&self.games.plan, &self.games.games)
    }

    /// Returns all games as the text of records.
    fn records(&self) -> String {
        report::render_records(&self.games.plan, &self.games.games, |_| None)
    }

    /// Pickles the plan and all games. The figures are computed again when it is restored.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PickledResult)> {
        let unpickle = py.get_type::<ArenaResult>().getattr("_again")?;
        let pickled = (
            pickling::plan_to_json(&self.games.plan)?,
            self.games.games.iter().map(pickling::pickle_game).collect(),
            self.is_complete,
            self.seconds,
            self.tracebacks.clone(),
        );
        Ok((unpickle, pickled))
    }

    /// Restores a pickled result.
    #[classmethod]
    fn _again(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        plan: &str,
        games: Vec<PickledGame>,
        is_complete: bool,
        seconds: f64,
        tracebacks: Tracebacks,
    ) -> PyResult<ArenaResult> {
        let plan = pickling::plan_from_json(plan)?;
        let games = pickling::unpickle_games(py, &plan, games)?;
        Ok(ArenaResult::new(
            plan,
            games,
            is_complete,
            seconds,
            tracebacks,
        ))
    }

    fn __len__(&self) -> usize {
        self.games.games.len()
    }

    /// Always true, even without games.
    fn __bool__(&self) -> bool {
        true
    }

    fn __str__(&self) -> String {
        // `print` adds the final newline.
        self.standings.text().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        let names: Vec<String> = self.bots().into_iter().map(quote).collect();
        format!(
            "<noughts.arena.Result {game}, {names}: {games}, {points} of {max_points} points>",
            game = self.game(),
            names = names.join(" vs "),
            games = noughts_text::plural(self.games.games.len(), "game"),
            points = self.points(),
            max_points = self.tally().games(),
        )
    }

    fn _repr_html_(&self) -> String {
        let penalty = self.standings.scoring == Scoring::Penalty;
        let mut text = String::from(
            "<table><thead><tr><th></th><th style=\"text-align:left\">Bot</th><th>Games</th>\
             <th>Wins</th><th>Draws</th><th>Losses</th><th>Points</th><th>Elo</th>",
        );
        text.push_str(if penalty { "<th>Penalty</th>" } else { "" });
        text.push_str("</tr></thead><tbody>");
        for row in &self.standings.rows {
            let (tally, estimate) = (&row.tally, &row.estimate);
            let _ = write!(
                text,
                "<tr><td>{}</td><td style=\"text-align:left\">{}</td><td>{}</td><td>{}</td>\
                 <td>{}</td><td>{}</td><td>{}</td><td>{}</td>",
                row.rank,
                escape_html(&row.name),
                tally.games(),
                tally.wins,
                tally.draws,
                tally.losses,
                row.points,
                elo_text(estimate),
            );
            if penalty {
                let _ = write!(text, "<td>{}</td>", row.penalty);
            }
            text.push_str("</tr>");
        }
        text.push_str("</tbody></table>");
        let sprt = self.standings.sprt_lines();
        if !sprt.is_empty() {
            let _ = write!(text, "<p>{}</p>", escape_html(sprt.trim_end()));
        }
        text
    }
}

/// `12.3 ± 4.5`, or the only finite bound of the interval; empty if nothing is known.
fn elo_text(estimate: &EloEstimate) -> String {
    let EloEstimate {
        elo,
        elo_error,
        elo_low,
        elo_high,
        ..
    } = *estimate;
    let bound = match (elo_low.is_finite(), elo_high.is_finite()) {
        (true, true) => return format!("{elo:.1} ± {elo_error:.1}"),
        (true, false) => format!("at least {elo_low:.1}"),
        (false, true) => format!("at most {elo_high:.1}"),
        (false, false) => return String::new(),
    };
    match elo.is_finite() {
        true => format!("{elo:.1} ({bound})"),
        false => bound,
    }
}

fn escape_html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
