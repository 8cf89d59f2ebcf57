//! The computers at the board: one for each seat that has one, at most one of them
//! thinking. What comes from work that nobody wants any more is dropped.

use std::time::{Duration, Instant};

use noughts_engine::{BotKind, Limits, Report};
use noughts_rules::{AnyPlay, Player};

use crate::tui::event::{News, Ticket};
use crate::tui::house::House;
use noughts_session::{Computer, Session, Thinking, Thought, Who};

#[derive(Default)]
pub(super) struct Computers {
    seats: [Option<Computer>; 2],
    at_work: Option<AtWork>,
    /// Why the computer to move gives no move.
    broken: Option<String>,
}

/// A computer thinking, or with its move found and not yet made.
pub(super) struct AtWork {
    ticket: Ticket,
    thinking: Thinking,
    pub(super) kind: BotKind,
    pub(super) since: Instant,
    /// What it may take.
    pub(super) limits: Limits,
    pub(super) so_far: Option<Report<String>>,
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
    pub(super) fn sit(&mut self, session: &Session) {
        self.stop();
        for side in Player::BOTH {
            let who = session.who(side);
            let seat = &mut self.seats[side as usize];
            seat.take_if(|computer| *who != Who::Bot(computer.kind()));
        }
    }

    /// Sends all of them away, except that one at work finishes its move.
    pub(super) fn replace(&mut self) {
        self.seats = [None, None];
    }

    /// Lets the computer to move think, unless it does.
    pub(super) fn think(&mut self, session: &Session, house: &mut House) {
        let play = session.play();
        let Who::Bot(kind) = *session.who(play.side()) else {
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
        play: &AnyPlay,
        house: &mut House,
    ) -> Result<Computer, String> {
        let seat = &mut self.seats[play.side() as usize];
        if let Some(computer) = seat {
            return Ok(computer.clone());
        }
        let variant = play.variant();
        let computer = Computer::new(kind, variant, &house.settings(variant))?;
        Ok(seat.insert(computer).clone())
    }

    /// Stops it: its answer is not wanted any more. What broke down may be tried
    /// again, in another position.
    pub(super) fn stop(&mut self) {
        self.at_work = None;
        self.broken = None;
    }

    /// Takes what a computer has to say, if it is the one that is asked.
    pub(super) fn hear(&mut self, ticket: Ticket, thought: Thought) {
        let Some(work) = self.at_work.as_mut().filter(|work| work.ticket == ticket) else {
            return;
        };
        match thought {
            Thought::SoFar(report) => work.so_far = Some(report),
            Thought::Done(Ok(report)) => match &report.best {
                Some(mv) => {
                    work.ready = Some((mv.clone(), work.since.elapsed()));
                    work.so_far = Some(report);
                }
                None => {
                    let kind = work.kind;
                    self.at_work = None;
                    self.broken = Some(format!("{kind} found no move here"));
                }
            },
            Thought::Done(Err(reason)) => {
                self.at_work = None;
                self.broken = Some(reason);
            }
        }
    }

    /// The move that is due, if a computer has found it and has waited long enough.
    pub(super) fn due(&mut self, wait: Duration) -> Option<(String, Duration)> {
        let work = self.at_work.as_mut()?;
        if !work.hurried && work.since.elapsed() < wait {
            return None;
        }
        work.ready.take()
    }

    /// The move was made, or was not: either way it is done.
    pub(super) fn done(&mut self) {
        self.at_work = None;
    }

    /// Esc: it moves now, with the best it has.
    pub(super) fn hurry(&mut self) {
        if let Some(work) = &mut self.at_work {
            work.hurried = true;
            work.thinking.now();
        }
    }

    pub(super) fn at_work(&self) -> Option<&AtWork> {
        self.at_work.as_ref()
    }

    pub(super) fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    pub(super) fn give_up(&mut self, reason: String) {
        self.at_work = None;
        self.broken = Some(reason);
    }

    /// When there will be something new to see or to do.
    pub(super) fn wake(&self, wait: Duration, held: bool) -> Option<Duration> {
        let work = self.at_work.as_ref()?;
        if work.ready.is_some() {
            let left = wait.saturating_sub(work.since.elapsed());
            return (!held).then_some(left);
        }
        Some(FRAME)
    }
}

impl AtWork {
    fn begin(computer: &Computer, play: &AnyPlay, house: &mut House) -> AtWork {
        let limits = computer.kind().limits(house.limits());
        let (ticket, tell) = house.ticket();
        let thinking = computer.think(play, limits, move |thought| tell(News::Thought(thought)));
        AtWork {
            ticket,
            thinking,
            kind: computer.kind(),
            since: Instant::now(),
            limits,
            so_far: None,
            ready: None,
            hurried: false,
        }
    }

    pub(super) fn ticket(&self) -> Ticket {
        self.ticket
    }

    /// Has it found its move?
    pub(super) fn is_ready(&self) -> bool {
        self.ready.is_some()
    }

    /// How much of its time is left, where that limits it.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let time = self.limits.time?;
        Some(time.saturating_sub(self.since.elapsed()))
    }

    /// Counts frames, for something that turns.
    pub(super) fn frame(&self) -> usize {
        (self.since.elapsed().as_millis() / FRAME.as_millis()) as usize
    }
}
