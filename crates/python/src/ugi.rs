//! The UGI protocol for bots in Python: the engine's session, with a `_Session` of `ugi.py` that thinks.

use std::time::Duration;

use noughts_engine::ugi::{self, UgiEngine, UgiSearch, UgiSession, UgiSettings};
use noughts_rules::Variant;
use pyo3::prelude::*;

use crate::game_args;
use crate::own_game::failure::catch;
use crate::position::Position;
use crate::report::ReportedValue;

/// Executes the commands of one connection.
#[pyclass(module = "noughts._noughts")]
pub(crate) struct PythonUgiSession {
    session: UgiSession<PythonEngine>,
}

#[pymethods]
impl PythonUgiSession {
    /// `session` thinks and writes the answers. It plays `variants`, the default one first; if there are none, it plays
    /// every game.
    #[new]
    fn new(session: Py<PyAny>, variants: &Bound<'_, PyAny>) -> PyResult<PythonUgiSession> {
        let variants: Vec<Variant> = variants
            .try_iter()?
            .map(|variant| game_args::parse_variant(&variant?))
            .collect::<PyResult<_>>()?;
        let settings = UgiSettings {
            variant: variants.first().copied().unwrap_or_default(),
            seed: 0,
            overhead: Duration::from_millis(10),
        };
        let engine = PythonEngine {
            session,
            variants,
            exception: None,
        };
        Ok(PythonUgiSession {
            session: UgiSession::new(engine, settings),
        })
    }

    /// Executes a command; returns false on `quit`.
    fn handle_line(&mut self, line: &str) -> PyResult<bool> {
        let keep_running = catch(|| self.session.handle_line(line))?;
        match self.session.engine_mut().exception.take() {
            Some(exception) => Err(exception),
            None => Ok(keep_running),
        }
    }
}

/// Returns a score in hundredths of a logit.
#[pyfunction]
#[allow(
    clippy::needless_pass_by_value,
    reason = "pyo3 extracts an owned value"
)]
pub(crate) fn centipawns(score: ReportedValue) -> PyResult<i32> {
    Ok(ugi::centipawns(score.to_value(None, 0.0)?))
}

struct PythonEngine {
    session: Py<PyAny>,
    variants: Vec<Variant>,
    /// The first exception of the session's own methods, which isn't the bot's.
    exception: Option<PyErr>,
}

impl PythonEngine {
    /// Calls a method of the session.
    fn call(&mut self, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<()>) {
        let called = Python::attach(|py| call(self.session.bind(py)));
        if let Err(exception) = called {
            self.exception.get_or_insert(exception);
        }
    }

    fn get<T>(&self, get: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Result<T, String> {
        Python::attach(|py| get(self.session.bind(py)).map_err(|error| error.value(py).to_string()))
    }
}

impl UgiEngine for PythonEngine {
    fn write_line(&mut self, line: &str) {
        self.call(|session| session.call_method1("write", (line,)).map(drop));
    }

    fn identify(&self, settings: &UgiSettings) -> String {
        let lines = self.get(|session| {
            let (seed, overhead) = (settings.seed_option(), settings.overhead_option());
            session
                .call_method1("identify", (seed, overhead))?
                .extract()
        });
        lines.unwrap_or_default()
    }

    fn option_names(&self) -> Vec<String> {
        let names = self.get(|session| session.call_method0("option_names")?.extract());
        names.unwrap_or_default()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<bool, String> {
        self.get(|session| session.call_method1("set_option", (name, value))?.extract())
    }

    fn check_variant(&self, variant: Variant) -> Result<(), String> {
        if self.variants.is_empty() || self.variants.contains(&variant) {
            return Ok(());
        }
        let names: Vec<String> = self.variants.iter().map(Variant::to_string).collect();
        Err(format!("Variant must be one of {}", names.join(", ")))
    }

    fn start_new_game(&mut self) {
        self.call(|session| session.call_method0("start_new_game").map(drop));
    }

    fn prepare(&mut self, settings: &UgiSettings) {
        self.call(|session| session.call_method1("prepare", (settings.seed,)).map(drop));
    }

    fn start_search(&mut self, search: UgiSearch, settings: &UgiSettings) {
        let clocks = search.clocks.map(|clock| {
            let seconds = |time: Duration| time.as_secs_f64();
            clock.map(|clock| {
                (
                    seconds(clock.remaining),
                    seconds(clock.increment),
                    clock.moves_to_go,
                )
            })
        });
        let arguments = (
            settings.seed,
            Position::from_state((*search.state).clone()),
            search.limits.time.map(|time| time.as_secs_f64()),
            search.limits.nodes,
            search.limits.depth,
            clocks,
            search.is_infinite,
        );
        self.call(|session| session.call_method1("start_search", arguments).map(drop));
    }

    fn stop(&mut self) {
        self.call(|session| session.call_method0("stop").map(drop));
    }
}
