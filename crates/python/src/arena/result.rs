//! A finished tournament: what `noughts.arena.Result` in `arena.py` asks for.

use noughts_arena::statistics::Results;
use noughts_arena::{Plan, PlayedGame, SavedGame, Scoring, Standings, StandingsRow, report};
use noughts_rules::Side;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::errors::{NoughtsError, Raise, VariantError};
use crate::own_game::failure::catch;
use crate::position::Position;
use crate::report::ReportedValue;

/// A plan and its played games, in the order of the plan.
#[pyclass(frozen, module = "noughts._noughts")]
pub(crate) struct Tournament {
    plan: Plan,
    games: Vec<PlayedGame>,
    standings: Standings,
}

impl Tournament {
    pub(super) fn new(plan: Plan, mut games: Vec<PlayedGame>) -> Tournament {
        games.sort_by_key(|game| game.key);
        let standings = Standings::new(&plan, &Results::from_games(&plan, &games));
        Tournament {
            plan,
            games,
            standings,
        }
    }
}

#[pymethods]
impl Tournament {
    /// The fields of a `Result` that follow from the games.
    fn figures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Standings {
            rows, sprt, aside, ..
        } = &self.standings;
        let figures = match self.standings.row(0) {
            Some(first) => figures(py, first)?,
            None => PyDict::new(py),
        };
        let bots = self.plan.bots.iter().map(|bot| bot.name.as_str());
        figures.set_item("game", &self.plan.variant)?;
        figures.set_item("bots", bots.collect::<Vec<_>>())?;
        figures.set_item("seed", self.plan.seed)?;
        let scoring = match self.plan.scoring {
            Scoring::Points => "points",
            Scoring::Penalty => "penalty",
        };
        figures.set_item("scoring", scoring)?;
        figures.set_item("aside", aside)?;
        figures.set_item("llr", sprt.as_ref().map(|sprt| sprt.llr))?;
        let bounds = sprt.as_ref().map(|sprt| (sprt.lower, sprt.upper));
        figures.set_item("llr_bounds", bounds)?;
        let decision = sprt.as_ref().and_then(|sprt| sprt.decision.accepted());
        figures.set_item("decision", decision)?;
        let standings = rows.iter().map(|row| {
            let dict = figures_of_row(py, row)?;
            dict.del_item("los")?;
            PyResult::Ok(dict)
        });
        figures.set_item("standings", standings.collect::<PyResult<Vec<_>>>()?)?;
        let head_to_heads = PyDict::new(py);
        for (row, tallies) in rows.iter().zip(&self.standings.cross) {
            for (other, tally) in rows.iter().zip(tallies) {
                let tally = tally.unwrap_or_default();
                let counts = (tally.wins, tally.draws, tally.losses);
                head_to_heads.set_item((&row.name, &other.name), counts)?;
            }
        }
        figures.set_item("_head_to_heads", head_to_heads)?;
        Ok(figures)
    }

    /// The games, as `PlayedGame`s.
    fn games<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let games = self.games.iter();
        games
            .map(|game| played_game(py, &self.plan, game))
            .collect()
    }

    fn html(&self, py: Python<'_>, title: &str) -> PyResult<String> {
        let report = report::TournamentReport {
            title,
            created: None,
            plan: &self.plan,
            games: &self.games,
        };
        py.detach(|| catch(|| report::render_html(&report)))?
            .raise::<VariantError>()
    }

    fn csv(&self) -> PyResult<String> {
        catch(|| report::render_csv(&self.plan, &self.games))
    }

    fn records(&self) -> PyResult<String> {
        catch(|| report::render_records(&self.plan, &self.games, |_| None))
    }

    /// The standings, and the state of the SPRT.
    fn text(&self) -> (String, String) {
        (self.standings.text(), self.standings.sprt_lines())
    }

    fn __len__(&self) -> usize {
        self.games.len()
    }

    /// Pickles the plan and the games as JSON.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let restore = py.get_type::<Tournament>().getattr("_restore")?;
        let games: Vec<SavedGame> = self.games.iter().map(SavedGame::from).collect();
        let plan = serde_json::to_string(&self.plan).raise::<NoughtsError>()?;
        let games = serde_json::to_string(&games).raise::<NoughtsError>()?;
        Ok((restore, (plan, games)))
    }

    /// Restores a pickled tournament.
    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, plan: &str, games: &str) -> PyResult<Tournament> {
        let tournament = catch(|| restore_tournament(plan, games))?;
        tournament.ok_or_else(|| NoughtsError::new_err("this isn't a pickled result of the arena"))
    }
}

fn restore_tournament(plan: &str, games: &str) -> Option<Tournament> {
    let plan: Plan = serde_json::from_str(plan).ok()?;
    let variant = plan.variant.parse().ok()?;
    let saved: Vec<SavedGame> = serde_json::from_str(games).ok()?;
    let games = saved.iter().map(|game| {
        let last_bot = game.key.first.max(game.key.second);
        plan.bots.get(last_bot as usize)?;
        game.restore(variant).ok()
    });
    let games = games.collect::<Option<_>>()?;
    Some(Tournament::new(plan, games))
}

/// The figures of a bot: the fields of a `Result`.
fn figures<'py>(py: Python<'py>, row: &StandingsRow) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let (tally, estimate) = (&row.tally, &row.estimate);
    dict.set_item("wins", tally.wins)?;
    dict.set_item("draws", tally.draws)?;
    dict.set_item("losses", tally.losses)?;
    dict.set_item("points", row.points)?;
    dict.set_item("penalty", row.penalty)?;
    dict.set_item("score", tally.points() / tally.games() as f64)?;
    dict.set_item("elo", estimate.elo)?;
    dict.set_item("elo_error", estimate.elo_error)?;
    dict.set_item("elo_low", estimate.elo_low)?;
    dict.set_item("elo_high", estimate.elo_high)?;
    dict.set_item("nelo", estimate.nelo)?;
    dict.set_item("nelo_error", estimate.nelo_error)?;
    dict.set_item("los", estimate.los)?;
    dict.set_item("pentanomial", PyTuple::new(py, tally.distinct_pairs())?)?;
    dict.set_item("repeated", tally.repeated.iter().sum::<u64>())?;
    Ok(dict)
}

/// A row of the standings.
fn figures_of_row<'py>(py: Python<'py>, row: &StandingsRow) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("rank", row.rank)?;
    dict.set_item("name", &row.name)?;
    dict.set_item("games", row.tally.games())?;
    dict.update(figures(py, row)?.as_mapping())?;
    dict.set_item("rating", row.rating.elo)?;
    dict.set_item("rating_error", row.rating.error)?;
    let faults = &row.faults;
    dict.set_item("timeouts", faults.late)?;
    dict.set_item("crashes", faults.crashed)?;
    dict.set_item("illegal_moves", faults.illegal)?;
    dict.set_item("protocol_faults", faults.protocol)?;
    Ok(dict)
}

/// A `noughts.arena.PlayedGame`.
pub(super) fn played_game<'py>(
    py: Python<'py>,
    plan: &Plan,
    game: &PlayedGame,
) -> PyResult<Bound<'py, PyAny>> {
    let name = |side| {
        let bot = plan.bots.get(game.key.bot(side) as usize);
        bot.map_or("?", |bot| &bot.name)
    };
    let info = || game.move_info.iter();
    let times: Vec<f64> = info().map(|mv| mv.took.as_secs_f64()).collect();
    let values: Vec<Option<ReportedValue>> =
        info().map(|mv| mv.value.map(ReportedValue::new)).collect();
    let class = py.import("noughts.arena")?.getattr("PlayedGame")?;
    let record = catch(|| report::render_records(plan, std::slice::from_ref(game), |_| None))?;
    // More fields than a tuple of pyo3 has.
    let fields = PyDict::new(py);
    fields.set_item("x", name(Side::X))?;
    fields.set_item("o", name(Side::O))?;
    fields.set_item("round", game.key.round.saturating_add(1))?;
    fields.set_item("result", game.outcome.as_str())?;
    fields.set_item("ending", game.reason.name())?;
    fields.set_item("is_fault", game.reason.is_fault())?;
    fields.set_item("note", game.note.as_deref())?;
    fields.set_item("moves", PyTuple::new(py, game.state.moves())?)?;
    fields.set_item("opening", game.opening_plies)?;
    fields.set_item("position", Position::from_state(game.state.clone()))?;
    fields.set_item("times", PyTuple::new(py, times)?)?;
    fields.set_item("values", PyTuple::new(py, values)?)?;
    fields.set_item("record", record)?;
    class.call((), Some(&fields))
}
