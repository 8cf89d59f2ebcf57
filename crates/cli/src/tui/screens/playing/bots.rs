//! The computers at the board: one for each seat that has one, at most one of them
//! thinking. What comes from work that nobody wants any more is dropped.

use std::time::{Duration, Instant};

use noughts_engine::{BotKind, SearchLimits, SearchReport};
use noughts_rules::{AnyGameState, Side};

use crate::tui::app_context::AppContext;
use crate::tui::event::{TaskMessage, Ticket};
use noughts_session::{BotPlayer, Participant, SearchHandle, SearchUpdate, Session};

#[derive(Default)]
pub(super) struct Computers {
    seats: [Option<BotPlayer>; 2],
    at_work: Option<AtWork>,
    /// Why the computer to move gives no move.
    broken: Option<String>,
}

/// A computer thinking, or with its move found and not yet made.
pub(super) struct AtWork {
    ticket: Ticket,
    thinking: SearchHandle,
    pub(super) kind: BotKind,
    pub(super) started: Instant,
    /// What it may take.
    pub(super) limits: SearchLimits,
    pub(super) latest: Option<SearchReport<String>>,
    /// Its move and what it took.
    ready: Option<(String, Duration)>,
    /// Nobody wants to wait for it any longer.
    hurried: bool,
}

/// The picture of something at work changes so often.
const FRAME: Duration = Duration::from_millis(100);

impl Computers {
    /// Sends away whoever has no seat any more. One that keeps its seat keeps all that
    /// it remembers.
    pub(super) fn reseat(&mut self, session: &Session) {
        self.stop();
        for side in Side::BOTH {
            let who = session.participant(side);
            let seat = &mut self.seats[side as usize];
            seat.take_if(|computer| *who != Participant::Bot(computer.kind()));
        }
    }

    /// Sends all of them away, except that one at work finishes its move.
    pub(super) fn unseat_all(&mut self) {
        self.seats = [None, None];
    }

    /// Lets the computer to move think, unless it does.
    pub(super) fn start_thinking(&mut self, session: &Session, house: &mut AppContext) {
        let play = session.game_state();
        let Participant::Bot(kind) = *session.participant(play.side()) else {
            return;
        };
        if self.at_work.is_some() || self.broken.is_some() {
            return;
        }
        match self.seated(kind, play, house) {
            Ok(computer) => self.at_work = Some(AtWork::begin(&computer, play, house)),
            Err(reason) => self.broken = Some(reason),
        }
    }

    /// The computer of the side to move, made if it has none.
    fn seated(
        &mut self,
        kind: BotKind,
        play: &AnyGameState,
        house: &mut AppContext,
    ) -> Result<BotPlayer, String> {
        let seat = &mut self.seats[play.side() as usize];
        if let Some(computer) = seat {
            return Ok(computer.clone());
        }
        let variant = play.variant();
        let computer = BotPlayer::new(kind, variant, &house.bot_settings(variant))?;
        Ok(seat.insert(computer).clone())
    }

    /// Stops it: its answer is not wanted any more. What broke down may be tried
    /// again, in another position.
    pub(super) fn stop(&mut self) {
        self.at_work = None;
        self.broken = None;
    }

    /// Takes what a computer has to say, if it is the one that is asked.
    pub(super) fn handle_thought(&mut self, ticket: Ticket, thought: SearchUpdate) {
        let Some(work) = self.at_work.as_mut().filter(|work| work.ticket == ticket) else {
            return;
        };
        match thought {
            SearchUpdate::Progress(report) => work.latest = Some(report),
            SearchUpdate::Finished(Ok(report)) => match &report.best {
                Some(mv) => {
                    work.ready = Some((mv.clone(), work.started.elapsed()));
                    work.latest = Some(report);
                }
                None => {
                    let kind = work.kind;
                    self.at_work = None;
                    self.broken = Some(format!("{kind} found no move here"));
                }
            },
            SearchUpdate::Finished(Err(reason)) => {
                self.at_work = None;
                self.broken = Some(reason);
            }
        }
    }

    /// The move that is due, if a computer has found it and has waited long enough.
    pub(super) fn take_due_move(&mut self, wait: Duration) -> Option<(String, Duration)> {
        let work = self.at_work.as_mut()?;
        if !work.hurried && work.started.elapsed() < wait {
            return None;
        }
        work.ready.take()
    }

    /// The move was made, or was not: either way it is done.
    pub(super) fn finish_turn(&mut self) {
        self.at_work = None;
    }

    /// Esc: it moves now, with the best it has.
    pub(super) fn force_move(&mut self) {
        if let Some(work) = &mut self.at_work {
            work.hurried = true;
            work.thinking.move_now();
        }
    }

    pub(super) fn at_work(&self) -> Option<&AtWork> {
        self.at_work.as_ref()
    }

    pub(super) fn failure(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    pub(super) fn fail(&mut self, reason: String) {
        self.at_work = None;
        self.broken = Some(reason);
    }

    /// When there will be something new to see or to do.
    pub(super) fn next_tick(&self, wait: Duration, held: bool) -> Option<Duration> {
        let work = self.at_work.as_ref()?;
        if work.ready.is_some() {
            let left = wait.saturating_sub(work.started.elapsed());
            return (!held).then_some(left);
        }
        Some(FRAME)
    }
}

impl AtWork {
    fn begin(computer: &BotPlayer, play: &AnyGameState, house: &mut AppContext) -> AtWork {
        let limits = computer.kind().limits_or_default(house.limits());
        let (ticket, tell) = house.new_task();
        let thinking = computer.start_search(play, limits, move |thought| {
            tell(TaskMessage::BotThought(thought))
        });
        AtWork {
            ticket,
            thinking,
            kind: computer.kind(),
            started: Instant::now(),
            limits,
            latest: None,
            ready: None,
            hurried: false,
        }
    }

    pub(super) fn task(&self) -> Ticket {
        self.ticket
    }

    /// Has it found its move?
    pub(super) fn is_ready(&self) -> bool {
        self.ready.is_some()
    }

    /// How much of its time is left, where that limits it.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let time = self.limits.time?;
        Some(time.saturating_sub(self.started.elapsed()))
    }

    /// Counts frames, for something that turns.
    pub(super) fn spinner_frame(&self) -> usize {
        (self.started.elapsed().as_millis() / FRAME.as_millis()) as usize
    }
}
