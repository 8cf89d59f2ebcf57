//! A tournament at work: the store, the players, signals, and what is told meanwhile.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use clap::Args;
use noughts_arena::statistics::Results;
use noughts_arena::tournament::{self, Event, TournamentEnd, TournamentRunner, TournamentSummary};
use noughts_arena::{
    Journal, Plan, PlayedGame, PlayerFactory, ProtocolLog, Schedule, Standings, StopRequest,
    TournamentControl, become_subreaper, kill_descendants, kill_tagged_processes,
    raise_open_file_limit,
};
use noughts_engine::StopFlag;
use noughts_session::arena::{TournamentJournal, TournamentStoreError};

use super::caveats::{self, StartFailures};
use super::check::create_bot_log;
use super::events;
use super::output_thread::{OutputMessage, OutputSender, OutputThread};
use super::progress::ProgressDisplay;
use super::terms::ProgramLimitArgs;
use crate::data::DataArgs;
use crate::error::Error;
use crate::output;
use crate::store_handle::StoreHandle;

/// Where it is played, kept and told.
#[derive(Args)]
pub(super) struct RunArgs {
    /// Print events as they happen, one JSON object on each line.
    #[arg(long)]
    json: bool,

    /// Write every line that outside bots are sent and write to this file, with its time.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Keep the bots of each game on cores of their own, so that games don't disturb each
    /// other.
    #[arg(long)]
    affinity: bool,

    #[command(flatten)]
    data: DataArgs,
}

impl RunArgs {
    /// Plays a plan from its beginning.
    pub(super) fn start(&self, plan: &Plan, unsaved: bool) -> Result<(), Error> {
        let schedule = build_schedule(plan)?;
        check_programs_exist(plan).map_err(Error::Argument)?;
        let ready = self.prepare()?;
        if unsaved {
            let keeper = StoreHandle::in_memory()?;
            let stage = TournamentRun::new(&keeper, self, ready, None)?;
            return stage.play(&schedule, Vec::new(), &mut ())?.exit_result;
        }
        let keeper = StoreHandle::open(&self.data.dir()?)?;
        let mut kept = TournamentJournal::create(keeper.runtime_handle(), keeper.store(), plan)?;
        self.run_stored(&keeper, &mut kept, &schedule, Vec::new(), ready)
    }

    /// Checks everything that was asked for and opens the log, before anything is stored or
    /// deleted.
    pub(super) fn prepare(&self) -> Result<PreparedRun, Error> {
        if self.affinity && !tournament::supports_affinity() {
            let reason = "this system doesn't keep programs on a core; leave it out";
            return Err(Error::argument("--affinity", reason));
        }
        Ok(PreparedRun {
            dialogue: self.log.as_deref().map(create_bot_log).transpose()?,
            allowance: ProgramLimitArgs::default(),
        })
    }

    /// Goes on with one that is kept.
    pub(super) fn run_stored(
        &self,
        keeper: &StoreHandle,
        kept: &mut TournamentJournal,
        schedule: &Arc<Schedule>,
        games: Vec<PlayedGame>,
        ready: PreparedRun,
    ) -> Result<(), Error> {
        let number = kept.id().0;
        let stage = TournamentRun::new(keeper, self, ready, Some(number))?;
        // What a killed arena has left running would play on in the dark.
        kill_tagged_processes(&stage.player_factory.tag);
        let RunOutcome {
            ended,
            is_output_complete: heard,
            exit_result: verdict,
        } = stage.play(schedule, games, kept)?;
        kept.record_end(ended.end)?;
        if !heard {
            return verdict;
        }
        let told = match ended.end {
            TournamentEnd::Complete | TournamentEnd::Decided(_) | TournamentEnd::Repeating => {
                format!(
                    "tournament {number} is kept; noughts arena report {number} --html report.html makes a page of it"
                )
            }
            TournamentEnd::Stopped => format!(
                "tournament {number} is kept with {} of {} games; noughts arena resume {number} goes on",
                ended.done, ended.planned
            ),
        };
        output::note(&told);
        verdict
    }

    pub(super) fn open_store(&self) -> Result<StoreHandle, Error> {
        StoreHandle::open(&self.data.dir()?)
    }

    /// The file of the store.
    pub(super) fn database_path(&self) -> Result<PathBuf, Error> {
        Ok(self.data.dir()?.join(noughts_store::DATABASE_FILE))
    }
}

/// What was checked before anything is stored or deleted.
pub(super) struct PreparedRun {
    dialogue: Option<ProtocolLog>,
    /// What every outside bot may use in this run, whatever the plan says.
    pub(super) allowance: ProgramLimitArgs,
}

/// Is every outside bot there to be run?
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

/// The games of a plan, or all that is wrong with it.
pub(super) fn build_schedule(plan: &Plan) -> Result<Arc<Schedule>, Error> {
    let schedule = Schedule::new(plan);
    schedule
        .map(Arc::new)
        .map_err(|error| Error::Argument(error.to_string()))
}

impl From<TournamentStoreError> for Error {
    fn from(error: TournamentStoreError) -> Error {
        Error::Failure(error.to_string())
    }
}

/// How a tournament went.
struct RunOutcome {
    ended: TournamentSummary,
    /// Was everything read that was said?
    is_output_complete: bool,
    /// What the command exits with, once all is said.
    exit_result: Result<(), Error>,
}

/// All that a tournament is played with.
struct TournamentRun<'a> {
    store_handle: &'a StoreHandle,
    player_factory: PlayerFactory,
    allowance: ProgramLimitArgs,
    json: bool,
    affinity: bool,
    number: Option<i64>,
}

impl<'a> TournamentRun<'a> {
    fn new(
        keeper: &'a StoreHandle,
        venue: &RunArgs,
        ready: PreparedRun,
        number: Option<i64>,
    ) -> Result<TournamentRun<'a>, Error> {
        let data = &venue.data;
        let mut making = PlayerFactory::new(Duration::ZERO);
        making.tablebases = data.open_tablebases();
        making.protocol_log = ready.dialogue;
        if let Some(number) = number {
            let dir = data.dir()?;
            // Stores have tournaments of the same number.
            making.tag = format!("{}-{number}", tag(&dir));
            making.log_dir = Some(dir.join("arena").join(number.to_string()));
        }
        Ok(TournamentRun {
            store_handle: keeper,
            player_factory: making,
            allowance: ready.allowance,
            json: venue.json,
            affinity: venue.affinity,
            number,
        })
    }

    fn play(
        mut self,
        schedule: &Arc<Schedule>,
        before: Vec<PlayedGame>,
        journal: &mut dyn Journal,
    ) -> Result<RunOutcome, Error> {
        let (plan, variant) = (schedule.plan(), schedule.variant());
        self.player_factory.patience = Duration::from_millis(plan.patience_ms);
        let mut results = Results::from_games(plan, &before);
        let mut afterwards = StartFailures::new(plan, &before);
        let done: Vec<_> = before.iter().map(PlayedGame::result).collect();
        drop(before);
        raise_open_file_limit();
        become_subreaper();
        let control = TournamentControl::new();
        let teller = OutputThread::start(!self.json, &control)?;
        let voice = teller.sender();
        let signal = self.hear_signals(&control, &voice);
        let making = self.player_factory.clone();
        let allowance = self.allowance.clone();
        let mut hall = TournamentRunner::new(Arc::new(move |spec| {
            let mut spec = spec.clone();
            allowance.apply_overrides(&mut spec);
            making.make_player(&spec, variant)
        }));
        hall.tablebases = self.player_factory.tablebases.clone();
        hall.affinity = self.affinity;
        for note in crowding(plan, &hall) {
            voice.note(note);
        }
        let mut live = (!self.json).then(|| {
            ProgressDisplay::new(plan, self.number, voice.clone(), teller.draws_progress())
        });
        let ended = tournament::run(
            schedule,
            &done,
            hall,
            journal,
            &control,
            &mut |event: Event<'_>| {
                if let Event::GameEnded { game, .. } = &event {
                    results.add(&game.result());
                    afterwards.record(game);
                }
                match &mut live {
                    Some(live) => live.handle_event(&event, &results),
                    None => {
                        let line = events::json_line(&event, plan, &results, self.number);
                        voice.send(OutputMessage::Line(line));
                    }
                }
            },
        );
        // Whoever stopped at once may have left a bot behind, and bots what they started.
        if control.stop_request() == Some(StopRequest::Now) {
            kill_tagged_processes(&self.player_factory.tag);
        }
        kill_descendants();
        let heard = teller.finish(&control)?;
        let ended = ended.map_err(|error| Error::Failure(error.to_string()))?;
        if heard {
            if !self.json {
                output::print(&Standings::new(plan, &results).text())?;
            }
            for sentence in caveats::sentences(plan, &ended, &results, self.number) {
                output::note(&sentence);
            }
            if let Some(error) = self
                .player_factory
                .protocol_log
                .as_ref()
                .and_then(ProtocolLog::error)
            {
                output::note(&format!("the log is not complete: {error}"));
            }
        }
        let failure = afterwards.failure(plan, &ended, &results);
        let verdict = match signal.load(Ordering::SeqCst) {
            number if number > 0 && ended.end == TournamentEnd::Stopped => {
                Err(Error::Signal(number))
            }
            _ => failure.map_or(Ok(()), |failure| Err(Error::Failure(failure))),
        };
        Ok(RunOutcome {
            ended,
            is_output_complete: heard,
            exit_result: verdict,
        })
    }

    /// Asked once, running games are finished; asked twice, it stops at once, as it does
    /// when the terminal goes away. What is returned holds the number of the signal, once
    /// there was one.
    fn hear_signals(&self, control: &TournamentControl, voice: &OutputSender) -> Arc<AtomicU8> {
        let signal_number = Arc::new(AtomicU8::new(0));
        let asked = control.clone();
        let now = self.player_factory.stop.clone();
        let _in_runtime = self.store_handle.runtime_handle().enter();
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let mut signals = vec![SignalKind::interrupt(), SignalKind::terminate()];
            // Who was told to outlive the terminal (`nohup`) does.
            if !crate::signals::ignores_hangup() {
                signals.push(SignalKind::hangup());
            }
            for kind in signals {
                let Ok(mut signals) = signal(kind) else {
                    continue;
                };
                let (asked, now, voice) = (asked.clone(), now.clone(), voice.clone());
                let number = Arc::clone(&signal_number);
                self.store_handle.spawn(async move {
                    while signals.recv().await.is_some() {
                        let raw = u8::try_from(kind.as_raw_value()).unwrap_or(0);
                        number.store(raw, Ordering::SeqCst);
                        if kind == SignalKind::hangup() {
                            asked.stop();
                        }
                        heard(&asked, &now, &voice);
                    }
                });
            }
        }
        #[cfg(not(unix))]
        {
            let number = Arc::clone(&signal_number);
            let voice = voice.clone();
            self.keeper.spawn(async move {
                while tokio::signal::ctrl_c().await.is_ok() {
                    number.store(2, Ordering::SeqCst);
                    heard(&asked, &now, &voice);
                }
            });
        }
        signal_number
    }
}

/// What to say about the number of games at once, before they start.
fn crowding(plan: &Plan, hall: &TournamentRunner) -> Vec<String> {
    let at_once = hall.concurrency(plan);
    let mut notes = Vec::new();
    if hall.affinity
        && let Some(wanted) = plan.concurrency.filter(|&wanted| wanted > at_once)
    {
        let games = match at_once {
            1 => "1 game is".to_owned(),
            games => format!("{games} games are"),
        };
        notes.push(format!(
            "{games} played at once, not {wanted}: with --affinity each game has cores of its own, and there are no more"
        ));
    }
    let games = match hall.affinity {
        true => at_once,
        false => plan.concurrency.unwrap_or(1),
    };
    notes.extend(plan.oversubscription_warning(games, hall.cores));
    notes
}

/// Outside bots are told, too, when everything is to stop at once.
fn heard(control: &TournamentControl, now: &StopFlag, voice: &OutputSender) {
    voice.note(match control.stop() {
        StopRequest::Finish => "running games are finished; once more to stop at once",
        StopRequest::Now => {
            now.stop();
            "stopping at once"
        }
    });
}

/// A word for a folder: the tag of an outside program may be seen by everybody, and holds
/// no path.
fn tag(dir: &PathBuf) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    // By whichever way one came to it.
    let whole = std::fs::canonicalize(dir).unwrap_or_else(|_| dir.clone());
    whole.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
