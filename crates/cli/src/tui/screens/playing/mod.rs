//! The screen on which a game is played: it hands keys to the board and steps to the
//! store, lets computers think, and shows what has happened. What is legal the rules
//! say, and nothing is shown as made before it is stored.

mod advice;
mod computers;
mod dialogs;
mod ending;
mod help;
mod keys;
mod layout;
mod pace;
mod picture;
mod score;
mod table;
#[cfg(test)]
mod tests;

use std::time::Duration;

use noughts_rules::AnyPlay;
use noughts_store::{Assistance, GameId, Name};
use ratatui::Frame;
use ratatui::layout::Size;

use crate::position::start_of;
use crate::tui::board::Board;
use crate::tui::event::{Event, News, Ticket};
use crate::tui::house::House;
use crate::tui::screens::{Next, SMALLEST, Screen, table as offer};
use crate::tui::setup::{First, Setup};
use crate::tui::widgets::{Field, KeyLine, MoveList};
use noughts_session::{Problem, Session, Step, Who};

use advice::{Advice, Said};
use computers::Computers;
use dialogs::Open;
use layout::COMPACT_ROWS;
use pace::Pace;
use score::MatchScore;
use table::Table;

pub(crate) struct Playing {
    table: Table,
    /// How it began: what is played again.
    began: Setup,
    /// Where it started: another game starts there too.
    from: AnyPlay,
    /// The games that these players have finished one after the other.
    score: MatchScore,
    /// Everybody who has had a seat, to take one back.
    people: Vec<Name>,
    board: Board,
    computers: Computers,
    pace: Pace,
    advice: Advice,
    /// A step that is being stored.
    stepping: Option<Ticket>,
    /// What somebody wants as soon as that is done.
    wanted: Option<Step>,
    notice: Option<Notice>,
    /// A move being typed.
    typing: Option<Field>,
    /// What was typed has been refused.
    stale: bool,
    open: Option<Open>,
    moves: MoveList,
    key_line: KeyLine,
}

/// Something said until the next key.
enum Notice {
    /// Why something was not done.
    Refused(String),
    /// Anything else.
    Told(String),
}

/// Moves are short, and so is what is mistaken for one.
const LONGEST_MOVE: usize = 24;

impl Playing {
    /// A new game.
    #[allow(
        clippy::needless_pass_by_value,
        reason = "whoever begins a game is done with its setup"
    )]
    pub(crate) fn begin(house: &mut House, setup: Setup) -> Result<Box<dyn Screen>, String> {
        let from = AnyPlay::new(setup.variant);
        Playing::begin_from(house, &setup, from)
    }

    /// A new game from a position, with the moves that led there as its first moves.
    pub(crate) fn begin_from(
        house: &mut House,
        setup: &Setup,
        from: AnyPlay,
    ) -> Result<Box<dyn Screen>, String> {
        let playing = Playing::start(house, setup, from)?;
        Ok(Box::new(playing))
    }

    fn start(house: &mut House, setup: &Setup, from: AnyPlay) -> Result<Playing, String> {
        if let Some(fault) = setup.fault() {
            return Err(fault);
        }
        let coin = house.toss();
        let seats = setup.seats(coin);
        let store = house.keeper.store();
        let session = Session::begin_from(store, &from, seats);
        let session = house.keeper.wait(session).map_err(|p| p.to_string())?;
        let mut playing = Playing::of(house, session);
        playing.from = from;
        Ok(playing)
    }

    /// A game that was left.
    pub(crate) fn resume(house: &mut House, game: GameId) -> Result<Box<dyn Screen>, String> {
        let session = Session::resume(house.keeper.store(), game);
        let session = house.keeper.wait(session).map_err(|p| p.to_string())?;
        Ok(Box::new(Playing::of(house, session)))
    }

    fn of(house: &mut House, session: Session) -> Playing {
        let began = Setup {
            variant: session.play().variant(),
            players: session.seats().clone(),
            first: First::One,
        };
        let people = session.seats().iter().filter_map(Who::person);
        // Where the menu has asked, it is not asked again.
        let open = offer::is_wanted(house, &began).then(|| Open::Table(offer::offer(house)));
        let mut playing = Playing {
            began,
            from: start_of(session.play()),
            score: MatchScore::new(session.seats()),
            people: people.cloned().collect(),
            board: Board::new(session.play()),
            table: Table::new(session, house),
            computers: Computers::default(),
            pace: Pace::new(),
            advice: Advice::default(),
            stepping: None,
            wanted: None,
            notice: None,
            typing: None,
            stale: false,
            open,
            moves: MoveList::default(),
            key_line: KeyLine::new(),
        };
        playing.go_on(house);
        playing
    }

    /// Whatever has to happen next without anybody pressing a key.
    fn go_on(&mut self, house: &mut House) {
        if self.stepping.is_some() || self.table.over().is_some() || self.table.person_moves() {
            return;
        }
        if self.is_watching() && !self.pace.lets_move() {
            return;
        }
        let wait = self.pace.wait(self.table.is_watched());
        match self.computers.due(wait) {
            Some((mv, took)) => self.step(Step::Reply(mv, took), house),
            None => self.computers.think(self.table.session(), house),
        }
    }

    /// Has a step stored; what comes of it is told in the news.
    fn step(&mut self, step: Step, house: &mut House) {
        if self.stepping.is_none() {
            self.stepping = Some(house.step(self.table.session(), step));
        }
    }

    /// A step that makes what the computer thinks about pointless. If its move is just
    /// being stored, the step comes after that.
    fn step_instead(&mut self, step: Step, house: &mut House) {
        if self.stepping.is_some() {
            self.wanted = Some(step);
        } else {
            self.computers.stop();
            self.advice.forget_tip();
            self.step(step, house);
        }
    }

    fn stepped(&mut self, stepped: Result<Box<Session>, Problem>, house: &mut House) {
        let session = match stepped {
            Ok(session) => *session,
            Err(problem) => return self.not_stepped(&problem),
        };
        let reseated = session.seats() != self.table.session().seats();
        let was_assisted = self.table.session().assisted().is_some();
        let replied = self.computers.at_work().is_some();
        self.computers.done();
        self.table.follow(session, house);
        if reseated {
            self.computers.sit(self.table.session());
            self.pace.pause(false);
        }
        if replied {
            self.pace.moved();
        }
        self.typing = None;
        self.notice = None;
        if let Some(how) = self.table.session().assisted().filter(|_| !was_assisted) {
            self.tell_assisted(how);
        }
        if reseated && self.advice.is_on() {
            self.assist(Assistance::Analysis, house);
        }
        if replied {
            self.tell_grid_move();
        }
        self.moves.follow();
        self.board.follow(self.table.play());
        self.advice.follow(self.table.play(), house);
        if self.table.over().is_some() {
            self.advice.stop();
            self.score.add(self.table.session());
            self.open = Some(self.end_dialog(house));
        }
    }

    /// Stores that a player has help from now on, and says so the first time. Returns
    /// whether the player may have it.
    fn assist(&mut self, how: Assistance, house: &House) -> bool {
        if self.table.is_watched() {
            return true;
        }
        match self.table.assist(how, house) {
            Ok(true) => self.tell_assisted(how),
            Ok(false) => {}
            Err(problem) => {
                self.notice = Some(Notice::Refused(problem.cause()));
                return false;
            }
        }
        true
    }

    fn tell_assisted(&mut self, how: Assistance) {
        if !self.table.is_watched() {
            self.notice = Some(Notice::Told(how.notice().into()));
        }
    }

    /// Says that the computer moved the grid of Tic-Tac-Two: it is easily missed.
    fn tell_grid_move(&mut self) {
        let play = self.table.play();
        let (mv, side) = (play.last_move(), play.sides().pop());
        if let (Some(mv), Some(side)) = (mv, side)
            && let Some(center) = mv.strip_prefix('@')
        {
            let text = format!("{} moved the grid to {center}.", self.table.name(side));
            self.notice = Some(Notice::Told(text));
        }
    }

    fn step_wanted(&mut self, house: &mut House) {
        let wanted = self.wanted.take();
        if let Some(step) = wanted.filter(|_| self.table.over().is_none()) {
            self.step_instead(step, house);
        }
    }

    /// Nothing has happened, and why. A computer whose move was not made would try
    /// again at once and for ever: it waits for a person.
    fn not_stepped(&mut self, problem: &Problem) {
        let sentence = problem.to_string();
        if self.computers.at_work().is_some() {
            self.computers.give_up(sentence);
        } else {
            self.notice = Some(Notice::Refused(sentence));
            self.stale = self.typing.is_some();
        }
    }

    fn news(&mut self, ticket: Ticket, news: News, house: &mut House) {
        match news {
            News::Stepped(stepped) if self.stepping == Some(ticket) => {
                self.stepping = None;
                self.stepped(stepped, house);
                self.step_wanted(house);
            }
            News::Thought(thought) if self.is_of_computers(ticket) => {
                self.computers.hear(ticket, thought);
            }
            News::Thought(thought) => match self.advice.hear(ticket, thought, self.table.play()) {
                Said::Nothing => {}
                // The hint itself says that the game isn't rated.
                Said::Tip => self.notice = None,
                Said::Failed(reason) => {
                    self.notice = Some(Notice::Refused(reason));
                }
                Said::Draw(_, true) => self.step_instead(Step::AgreeDraw, house),
                Said::Draw(side, false) => {
                    let name = self.table.name(side);
                    let text = format!("{name} thanks you for the offer and plays on");
                    self.notice = Some(Notice::Told(text));
                }
            },
            // Whoever was made without the table is made anew with it.
            News::Built(Ok(())) => {
                self.computers.replace();
                self.advice.replace(self.table.play(), house);
            }
            News::Analysed(report) => {
                self.advice.learn(ticket, report, self.table.play().side());
            }
            _ => {}
        }
    }

    fn is_of_computers(&self, ticket: Ticket) -> bool {
        let work = self.computers.at_work();
        work.is_some_and(|work| work.ticket() == ticket)
    }

    /// Leaves the game as it stands, to be resumed if there is a move in it.
    fn let_go(&mut self, house: &mut House) {
        self.computers.stop();
        self.advice.stop();
        if self.table.over().is_some() {
            return;
        }
        let session = self.table.session();
        let store = house.keeper.store();
        // What cannot be let go is free when the program ends; there is nothing to
        // do about it, and nothing is lost.
        let _ = house.keeper.wait(session.let_go(store));
    }
}

impl Screen for Playing {
    fn event(&mut self, event: Event, house: &mut House) -> Next {
        let next = match event {
            Event::Key(key) => self.key(key, house),
            Event::Mouse(mouse) => self.mouse(mouse, house),
            Event::Paste(text) => {
                let stale = std::mem::take(&mut self.stale);
                if let Some(field) = &mut self.typing {
                    if stale {
                        *field = Field::new("", LONGEST_MOVE);
                    }
                    field.insert(&text);
                }
                Next::Stay
            }
            Event::News(ticket, news) => {
                self.news(ticket, news, house);
                Next::Stay
            }
            Event::Tick | Event::Resize | Event::Terminate(_) | Event::Suspend | Event::Resume => {
                Next::Stay
            }
        };
        if matches!(next, Next::Stay) {
            self.go_on(house);
        }
        next
    }

    fn draw(&mut self, frame: &mut Frame, house: &House) {
        self.picture(frame, house);
    }

    fn least_size(&self) -> Size {
        let play = self.table.play();
        let board = self.board.least_size(play);
        let more = u16::from(self.board.breadcrumb(play).is_some())
            // The kinds of turn, in two lines.
            + if self.board.options(play).is_empty() { 0 } else { 2 };
        Size::new(
            board.width.max(SMALLEST.width),
            (board.height + COMPACT_ROWS + more).max(SMALLEST.height),
        )
    }

    fn wake(&self) -> Option<Duration> {
        if self.stepping.is_some() {
            return None;
        }
        let wait = self.pace.wait(self.table.is_watched());
        let held = self.is_watching() && !self.pace.lets_move();
        self.computers.wake(wait, held)
    }
}
