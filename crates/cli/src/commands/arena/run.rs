//! A tournament at work: the store, the players, signals, and what is told meanwhile.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use clap::Args;
use noughts_arena::statistics::Results;
use noughts_arena::tournament::{self, Ended, Event, Hall, How};
use noughts_arena::{
    Asked, Control, Dialogue, Journal, Making, Plan, Played, Schedule, Standings, adopt,
    allow_many_files, sweep, sweep_adopted,
};
use noughts_engine::Stop;
use noughts_session::arena::{KeptError, KeptTournament};

use super::afterwards::{self, Afterwards};
use super::check::dialogue;
use super::events;
use super::live::Live;
use super::teller::{Teller, Told, Voice};
use super::terms::Allowance;
use crate::data::Data;
use crate::error::Error;
use crate::keeper::Keeper;
use crate::output;

/// Where it is played, kept and told.
#[derive(Args)]
pub(super) struct Venue {
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
    data: Data,
}

impl Venue {
    /// Plays a plan from its beginning.
    pub(super) fn begin(&self, plan: &Plan, unsaved: bool) -> Result<(), Error> {
        let schedule = schedule(plan)?;
        all_there(plan).map_err(Error::Argument)?;
        let ready = self.prepare()?;
        if unsaved {
            let keeper = Keeper::unsaved()?;
            let stage = Stage::new(&keeper, self, ready, None)?;
            return stage.play(&schedule, Vec::new(), &mut ())?.verdict;
        }
        let keeper = Keeper::open(&self.data.dir()?)?;
        let mut kept = KeptTournament::begin(keeper.handle(), keeper.store(), plan)?;
        self.go_on(&keeper, &mut kept, &schedule, Vec::new(), ready)
    }

    /// Checks everything that was asked for and opens the log, before anything is stored or
    /// deleted.
    pub(super) fn prepare(&self) -> Result<Ready, Error> {
        if self.affinity && !tournament::can_pin() {
            let reason = "this system doesn't keep programs on a core; leave it out";
            return Err(Error::argument("--affinity", reason));
        }
        Ok(Ready {
            dialogue: self.log.as_deref().map(dialogue).transpose()?,
            allowance: Allowance::default(),
        })
    }

    /// Goes on with one that is kept.
    pub(super) fn go_on(
        &self,
        keeper: &Keeper,
        kept: &mut KeptTournament,
        schedule: &Arc<Schedule>,
        games: Vec<Played>,
        ready: Ready,
    ) -> Result<(), Error> {
        let number = kept.id().0;
        let stage = Stage::new(keeper, self, ready, Some(number))?;
        // What a killed arena has left running would play on in the dark.
        sweep(&stage.making.tag);
        let Performance {
            ended,
            heard,
            verdict,
        } = stage.play(schedule, games, kept)?;
        kept.ended(ended.how)?;
        if !heard {
            return verdict;
        }
        let told = match ended.how {
            How::Complete | How::Decided(_) | How::Repeating => format!(
                "tournament {number} is kept; noughts arena report {number} --html report.html makes a page of it"
            ),
            How::Stopped => format!(
                "tournament {number} is kept with {} of {} games; noughts arena resume {number} goes on",
                ended.done, ended.planned
            ),
        };
        output::note(&told);
        verdict
    }

    pub(super) fn keeper(&self) -> Result<Keeper, Error> {
        Keeper::open(&self.data.dir()?)
    }

    /// The file of the store.
    pub(super) fn database(&self) -> Result<PathBuf, Error> {
        Ok(self.data.dir()?.join(noughts_store::FILE))
    }
}

/// What was checked before anything is stored or deleted.
pub(super) struct Ready {
    dialogue: Option<Dialogue>,
    /// What every outside bot may use in this run, whatever the plan says.
    pub(super) allowance: Allowance,
}

/// Is every outside bot there to be run?
pub(super) fn all_there(plan: &Plan) -> Result<(), String> {
    let missing: Vec<String> = plan
        .bots
        .iter()
        .filter_map(|bot| Some(bot.is_there().err()?.to_string()))
        .collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(missing.join("; ")),
    }
}

/// The games of a plan, or all that is wrong with it.
pub(super) fn schedule(plan: &Plan) -> Result<Arc<Schedule>, Error> {
    let schedule = Schedule::new(plan);
    schedule
        .map(Arc::new)
        .map_err(|error| Error::Argument(error.to_string()))
}

impl From<KeptError> for Error {
    fn from(error: KeptError) -> Error {
        Error::Failure(error.to_string())
    }
}

/// How a tournament went.
struct Performance {
    ended: Ended,
    /// Was everything read that was said?
    heard: bool,
    /// What the command exits with, once all is said.
    verdict: Result<(), Error>,
}

/// All that a tournament is played with.
struct Stage<'a> {
    keeper: &'a Keeper,
    making: Making,
    allowance: Allowance,
    json: bool,
    affinity: bool,
    number: Option<i64>,
}

impl<'a> Stage<'a> {
    fn new(
        keeper: &'a Keeper,
        venue: &Venue,
        ready: Ready,
        number: Option<i64>,
    ) -> Result<Stage<'a>, Error> {
        let data = &venue.data;
        let mut making = Making::new(Duration::ZERO);
        making.tables = data.tables();
        making.dialogue = ready.dialogue;
        if let Some(number) = number {
            let dir = data.dir()?;
            // Stores have tournaments of the same number.
            making.tag = format!("{}-{number}", tag(&dir));
            making.logs = Some(dir.join("arena").join(number.to_string()));
        }
        Ok(Stage {
            keeper,
            making,
            allowance: ready.allowance,
            json: venue.json,
            affinity: venue.affinity,
            number,
        })
    }

    fn play(
        mut self,
        schedule: &Arc<Schedule>,
        before: Vec<Played>,
        journal: &mut dyn Journal,
    ) -> Result<Performance, Error> {
        let (plan, variant) = (schedule.plan(), schedule.variant());
        self.making.patience = Duration::from_millis(plan.patience_ms);
        let mut results = Results::of(plan, &before);
        let mut afterwards = Afterwards::new(plan, &before);
        let done: Vec<_> = before.iter().map(Played::result).collect();
        drop(before);
        allow_many_files();
        adopt();
        let control = Control::new();
        let teller = Teller::start(!self.json, &control)?;
        let voice = teller.voice();
        let signal = self.hear_signals(&control, &voice);
        let making = self.making.clone();
        let allowance = self.allowance.clone();
        let mut hall = Hall::new(Arc::new(move |spec| {
            let mut spec = spec.clone();
            allowance.impose(&mut spec);
            making.player(&spec, variant)
        }));
        hall.tables = self.making.tables.clone();
        hall.affinity = self.affinity;
        for note in crowding(plan, &hall) {
            voice.note(note);
        }
        let mut live =
            (!self.json).then(|| Live::new(plan, self.number, voice.clone(), teller.is_drawn()));
        let ended = tournament::run(
            schedule,
            &done,
            hall,
            journal,
            &control,
            &mut |event: Event<'_>| {
                if let Event::GameEnded { game, .. } = &event {
                    results.add(&game.result());
                    afterwards.add(game);
                }
                match &mut live {
                    Some(live) => live.tell(&event, &results),
                    None => {
                        let line = events::line(&event, plan, &results, self.number);
                        voice.tell(Told::Line(line));
                    }
                }
            },
        );
        // Whoever stopped at once may have left a bot behind, and bots what they started.
        if control.asked() == Some(Asked::Now) {
            sweep(&self.making.tag);
        }
        sweep_adopted();
        let heard = teller.end(&control)?;
        let ended = ended.map_err(|error| Error::Failure(error.to_string()))?;
        if heard {
            if !self.json {
                output::print(&Standings::new(plan, &results).text())?;
            }
            for sentence in afterwards::sentences(plan, &ended, &results, self.number) {
                output::note(&sentence);
            }
            if let Some(error) = self.making.dialogue.as_ref().and_then(Dialogue::error) {
                output::note(&format!("the log is not complete: {error}"));
            }
        }
        let failure = afterwards.failure(plan, &ended, &results);
        let verdict = match signal.load(Ordering::SeqCst) {
            number if number > 0 && ended.how == How::Stopped => Err(Error::Signal(number)),
            _ => failure.map_or(Ok(()), |failure| Err(Error::Failure(failure))),
        };
        Ok(Performance {
            ended,
            heard,
            verdict,
        })
    }

    /// Asked once, running games are finished; asked twice, it stops at once, as it does
    /// when the terminal goes away. What is returned holds the number of the signal, once
    /// there was one.
    fn hear_signals(&self, control: &Control, voice: &Voice) -> Arc<AtomicU8> {
        let signal_number = Arc::new(AtomicU8::new(0));
        let asked = control.clone();
        let now = self.making.stop.clone();
        let _in_runtime = self.keeper.handle().enter();
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
                self.keeper.spawn(async move {
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
fn crowding(plan: &Plan, hall: &Hall) -> Vec<String> {
    let at_once = hall.at_once(plan);
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
    notes.extend(plan.crowding(games, hall.cores));
    notes
}

/// Outside bots are told, too, when everything is to stop at once.
fn heard(control: &Control, now: &Stop, voice: &Voice) {
    voice.note(match control.stop() {
        Asked::Finish => "running games are finished; once more to stop at once",
        Asked::Now => {
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
