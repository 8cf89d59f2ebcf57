//! Runs a tournament: opens the store, creates the players, handles signals and prints output.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use clap::Args;
use noughts_arena::tournament::{
    self, TournamentEnd, TournamentEvent, TournamentRunner, TournamentSummary,
};
use noughts_arena::{
    Journal, Plan, PlayedGame, PlayerFactory, ProtocolLog, Schedule, Standings, StopRequest,
    TournamentControl, become_subreaper, kill_descendants, kill_tagged_processes,
};
use noughts_engine::StopFlag;

use super::caveats::{self, StartFailures};
use super::check::create_bot_log;
use super::events;
use super::output_thread::{OutputMessage, OutputSender, OutputThread};
use super::plan_args::ProgramLimitArgs;
use super::progress::ProgressDisplay;
use crate::data::DataArgs;
use crate::error::CliError;
use crate::open_files;
use crate::output;
use crate::signals::{HANGUP, StopSignals};
use crate::store_handle::StoreHandle;
use crate::tournaments::{TournamentJournal, TournamentStoreError};

/// How the tournament is run, logged and stored.
#[derive(Args)]
pub(super) struct RunArgs {
    /// Print events as they happen, one JSON object per line
    #[arg(long)]
    json: bool,

    /// Log every line sent to and received from external bots to this file, with its time
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Pin the bots of each game to their own cores, so that games don't disturb each other
    #[arg(long)]
    affinity: bool,

    #[command(flatten)]
    data: DataArgs,
}

impl RunArgs {
    /// Plays a plan from the start.
    pub(super) fn start(&self, plan: &Plan, unsaved: bool) -> Result<(), CliError> {
        let schedule = build_schedule(plan)?;
        check_programs_exist(plan).map_err(CliError::Argument)?;
        let run = self.prepare()?;
        if unsaved {
            let store_handle = StoreHandle::in_memory()?;
            return run
                .play(&store_handle, &schedule, Vec::new(), &mut ())?
                .exit_result;
        }
        let store_handle = self.open_store()?;
        let mut journal = TournamentJournal::create(&store_handle, plan)?;
        self.run_stored(&store_handle, &mut journal, &schedule, Vec::new(), run)
    }

    /// Checks the options and opens the log, before anything is stored or deleted.
    pub(super) fn prepare(&self) -> Result<TournamentRun, CliError> {
        if self.affinity && !tournament::supports_affinity() {
            let reason = "this system can't pin programs to cores; run the command without it";
            return Err(CliError::argument("--affinity", reason));
        }
        let mut player_factory = PlayerFactory::new(Duration::ZERO);
        player_factory.tablebases = self.data.open_tablebases();
        player_factory.protocol_log = self.log.as_deref().map(create_bot_log).transpose()?;
        Ok(TournamentRun {
            player_factory,
            program_limits: ProgramLimitArgs::default(),
            json: self.json,
            affinity: self.affinity,
            number: None,
        })
    }

    /// Plays the remaining games of a stored tournament.
    pub(super) fn run_stored(
        &self,
        store_handle: &StoreHandle,
        journal: &mut TournamentJournal<'_>,
        schedule: &Arc<Schedule>,
        games: Vec<PlayedGame>,
        mut run: TournamentRun,
    ) -> Result<(), CliError> {
        let (number, dir) = (journal.id().0, self.data.dir()?);
        run.number = Some(number);
        // The number alone isn't unique: other stores have the same numbers.
        run.player_factory.tag = format!("{}-{number}", directory_tag(&dir));
        run.player_factory.log_dir = Some(dir.join("arena").join(number.to_string()));
        // Bots that a killed arena left running would keep using the machine.
        kill_tagged_processes(&run.player_factory.tag);
        let RunOutcome {
            summary,
            is_output_complete,
            exit_result,
        } = run.play(store_handle, schedule, games, journal)?;
        journal.record_end(summary.end)?;
        if !is_output_complete {
            return exit_result;
        }
        let text = match summary.end {
            TournamentEnd::Complete | TournamentEnd::Decided(_) | TournamentEnd::Repeating => {
                format!(
                    "tournament {number} is saved; `noughts arena report {number} --html report.html` writes a report"
                )
            }
            TournamentEnd::Stopped => format!(
                "tournament {number} is saved with {done} of {planned} games; continue with `noughts arena resume {number}`",
                done = summary.done,
                planned = summary.planned
            ),
        };
        output::note(&text);
        exit_result
    }

    pub(super) fn open_store(&self) -> Result<StoreHandle, CliError> {
        StoreHandle::open(&self.data.dir()?)
    }

    /// The store's database file.
    pub(super) fn database_path(&self) -> Result<PathBuf, CliError> {
        Ok(self.data.dir()?.join(noughts_store::DATABASE_FILE))
    }
}

/// Checks that the program of every external bot exists.
pub(super) fn check_programs_exist(plan: &Plan) -> Result<(), String> {
    let missing: Vec<String> = plan
        .bots
        .iter()
        .filter_map(|bot| Some(bot.check_available().err()?.to_string()))
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(missing.join("; ")),
    }
}

/// The games of a plan, or everything that is wrong with it.
pub(super) fn build_schedule(plan: &Plan) -> Result<Arc<Schedule>, CliError> {
    let schedule = Schedule::new(plan);
    schedule
        .map(Arc::new)
        .map_err(|error| CliError::Argument(error.to_string()))
}

impl From<TournamentStoreError> for CliError {
    fn from(error: TournamentStoreError) -> CliError {
        CliError::Failure(error.to_string())
    }
}

/// How a tournament went.
struct RunOutcome {
    summary: TournamentSummary,
    /// False if waiting for the last output was given up.
    is_output_complete: bool,
    /// What the command returns after its last output.
    exit_result: Result<(), CliError>,
}

/// How to play a tournament.
pub(super) struct TournamentRun {
    player_factory: PlayerFactory,
    /// Limits for every external bot in this run; they override the plan.
    pub(super) program_limits: ProgramLimitArgs,
    json: bool,
    affinity: bool,
    /// The tournament's number, if it is stored.
    number: Option<i64>,
}

impl TournamentRun {
    fn play(
        mut self,
        store_handle: &StoreHandle,
        schedule: &Arc<Schedule>,
        previous: Vec<PlayedGame>,
        journal: &mut dyn Journal,
    ) -> Result<RunOutcome, CliError> {
        let (plan, variant) = (schedule.plan(), schedule.variant());
        self.player_factory.patience = Duration::from_millis(plan.patience_ms);
        let mut start_failures = StartFailures::new(plan, &previous);
        let done: Vec<_> = previous.iter().map(PlayedGame::result).collect();
        drop(previous);
        // Every external bot needs half a dozen files.
        open_files::raise_limit();
        become_subreaper();
        let control = TournamentControl::new();
        let output_thread = OutputThread::start(!self.json, &control)?;
        let sender = output_thread.sender();
        let signal = self.handle_signals(store_handle, &control, &sender)?;
        let player_factory = self.player_factory.clone();
        let program_limits = self.program_limits.clone();
        let mut runner = TournamentRunner::new(Arc::new(move |spec| {
            let mut spec = spec.clone();
            program_limits.apply_overrides(&mut spec);
            player_factory.make_player(&spec, variant)
        }));
        runner.tablebases = self.player_factory.tablebases.clone();
        runner.affinity = self.affinity;
        for note in concurrency_notes(plan, &runner) {
            sender.note(note);
        }
        let mut progress = (!self.json).then(|| {
            ProgressDisplay::new(
                plan,
                self.number,
                sender.clone(),
                output_thread.draws_progress(),
            )
        });
        let summary = tournament::run(
            schedule,
            &done,
            runner,
            journal,
            &control,
            &mut |event: TournamentEvent<'_>| {
                if let TournamentEvent::GameEnded { game, .. } = &event {
                    start_failures.record(game);
                }
                match &mut progress {
                    Some(progress) => progress.handle_event(&event),
                    None => {
                        let line = events::json_line(&event, plan, self.number);
                        sender.send(OutputMessage::Line(line));
                    }
                }
            },
        );
        // An immediate stop may have left bots running, and bots may have left child processes.
        if control.stop_request() == Some(StopRequest::Now) {
            kill_tagged_processes(&self.player_factory.tag);
        }
        kill_descendants();
        let is_output_complete = output_thread.finish(&control)?;
        let summary = summary.map_err(|error| CliError::Failure(error.to_string()))?;
        if is_output_complete {
            if !self.json {
                output::print(&Standings::new(plan, &summary.results).text())?;
            }
            for sentence in caveats::sentences(plan, &summary, self.number) {
                output::note(&sentence);
            }
            if let Some(error) = self
                .player_factory
                .protocol_log
                .as_ref()
                .and_then(ProtocolLog::error)
            {
                output::note(&format!("the log is incomplete: {error}"));
            }
        }
        let failure = start_failures.failure(plan, &summary);
        let exit_result = match signal.load(Ordering::SeqCst) {
            number if number > 0 && summary.end == TournamentEnd::Stopped => {
                Err(CliError::Signal(number))
            }
            _ => failure.map_or(Ok(()), |failure| Err(CliError::Failure(failure))),
        };
        Ok(RunOutcome {
            summary,
            is_output_complete,
            exit_result,
        })
    }

    /// On the first signal, running games are finished; on the second, or when the terminal goes
    /// away, the tournament stops immediately. Returns a place for the last signal's number, 0 until
    /// there is one.
    fn handle_signals(
        &self,
        store_handle: &StoreHandle,
        control: &TournamentControl,
        sender: &OutputSender,
    ) -> Result<Arc<AtomicU8>, CliError> {
        let last_signal = Arc::new(AtomicU8::new(0));
        let _in_runtime = store_handle.runtime_handle().enter();
        let mut signals = StopSignals::new()?;
        let (control, sender, number) = (control.clone(), sender.clone(), last_signal.clone());
        let stop_flag = self.player_factory.stop.clone();
        store_handle.spawn(async move {
            loop {
                let signal = signals.next().await;
                number.store(signal, Ordering::SeqCst);
                if signal == HANGUP {
                    control.stop();
                }
                request_stop(&control, &stop_flag, &sender);
            }
        });
        Ok(last_signal)
    }
}

/// Notes about the number of concurrent games, to print before they start.
fn concurrency_notes(plan: &Plan, runner: &TournamentRunner) -> Vec<String> {
    let concurrency = runner.concurrency(plan);
    let mut notes = Vec::new();
    if runner.affinity
        && let Some(requested) = plan
            .concurrency
            .filter(|&requested| requested > concurrency)
    {
        let games = noughts_text::plural(concurrency, "game");
        let are = noughts_text::is_or_are(concurrency);
        notes.push(format!(
            "{games} {are} played at once, not {requested}: with --affinity, each game needs its own cores, and there aren't enough"
        ));
    }
    let games = match runner.affinity {
        true => concurrency,
        false => plan.concurrency.unwrap_or(1),
    };
    notes.extend(plan.oversubscription_warning(games, runner.cores));
    notes
}

/// Handles a stop request. An immediate stop also stops external bots.
fn request_stop(control: &TournamentControl, stop_flag: &StopFlag, sender: &OutputSender) {
    sender.note(match control.stop() {
        StopRequest::Finish => "finishing the running games; interrupt again to stop immediately",
        StopRequest::Now => {
            stop_flag.stop();
            "stopping immediately"
        }
    });
}

/// A tag for a data directory. Other users can see the tags of external programs, so it is a hash
/// instead of the path.
fn directory_tag(dir: &PathBuf) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    // Different paths to the same directory have the same tag.
    let canonical = std::fs::canonicalize(dir).unwrap_or_else(|_| dir.clone());
    canonical.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
