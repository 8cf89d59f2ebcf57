//! The screen on which a game is played: it hands keys to the board and steps to the
//! store, lets computers think, and shows what has happened. What is legal the rules
//! say, and nothing is shown as made before it is stored.

mod advisor;
mod bots;
mod dialogs;
mod displayed_game;
mod draw;
mod game_over;
mod help;
mod keys;
mod layout;
mod match_score;
mod playback;
#[cfg(test)]
mod tests;

use std::time::Duration;

use noughts_rules::AnyGameState;
use noughts_store::{Assistance, GameId, Name};
use ratatui::Frame;
use ratatui::layout::Size;

use crate::position::start_state_of;
use crate::tui::app_context::AppContext;
use crate::tui::board::Board;
use crate::tui::event::{Event, TaskMessage, Ticket};
use crate::tui::game_setup::{GameSetup, StartingPlayer};
use crate::tui::screens::{Navigation, SMALLEST, Screen, tablebase_offer as offer};
use crate::tui::widgets::{KeyLine, MoveList, TextInput};
use noughts_session::{GameAction, Participant, Session, SessionError};

use advisor::{Advice, AdvisorReply};
use bots::Computers;
use dialogs::GameDialog;
use displayed_game::DisplayedGame;
use layout::COMPACT_ROWS;
use match_score::MatchScore;
use playback::Playback;

pub(crate) struct GameScreen {
    game: DisplayedGame,
    /// How it began: what is played again.
    setup: GameSetup,
    /// Where it started: another game starts there too.
    start_state: AnyGameState,
    /// The games that these players have finished one after the other.
    match_score: MatchScore,
    /// Everybody who has had a seat, to take one back.
    past_players: Vec<Name>,
    board: Board,
    bots: Computers,
    playback: Playback,
    advisor: Advice,
    /// A step that is being stored.
    stepping: Option<Ticket>,
    /// What somebody wants as soon as that is done.
    queued_action: Option<GameAction>,
    notice: Option<Notice>,
    /// A move being typed.
    typing: Option<TextInput>,
    /// What was typed has been refused.
    input_rejected: bool,
    dialog: Option<GameDialog>,
    move_list: MoveList,
    key_hint_bar: KeyLine,
}

/// Something said until the next key.
enum Notice {
    /// Why something was not done.
    Error(String),
    /// Anything else.
    Info(String),
}

/// Moves are short, and so is what is mistaken for one.
const MAX_MOVE_CHARS: usize = 24;

impl GameScreen {
    /// A new game.
    #[allow(
        clippy::needless_pass_by_value,
        reason = "whoever begins a game is done with its setup"
    )]
    pub(crate) fn new_game(
        house: &mut AppContext,
        setup: GameSetup,
    ) -> Result<Box<dyn Screen>, String> {
        let from = AnyGameState::new(setup.variant);
        GameScreen::new_game_from(house, &setup, from)
    }

    /// A new game from a position, with the moves that led there as its first moves.
    pub(crate) fn new_game_from(
        house: &mut AppContext,
        setup: &GameSetup,
        from: AnyGameState,
    ) -> Result<Box<dyn Screen>, String> {
        let playing = GameScreen::start(house, setup, from)?;
        Ok(Box::new(playing))
    }

    fn start(
        house: &mut AppContext,
        setup: &GameSetup,
        from: AnyGameState,
    ) -> Result<GameScreen, String> {
        if let Some(fault) = setup.invalid_reason() {
            return Err(fault);
        }
        let coin = house.toss();
        let seats = setup.seats(coin);
        let store = house.store_handle.store();
        let session = Session::start_from(store, &from, seats);
        let session = house
            .store_handle
            .block_on(session)
            .map_err(|p| p.to_string())?;
        let mut playing = GameScreen::from_session(house, session);
        playing.start_state = from;
        Ok(playing)
    }

    /// A game that was left.
    pub(crate) fn resume(house: &mut AppContext, game: GameId) -> Result<Box<dyn Screen>, String> {
        let session = Session::resume(house.store_handle.store(), game);
        let session = house
            .store_handle
            .block_on(session)
            .map_err(|p| p.to_string())?;
        Ok(Box::new(GameScreen::from_session(house, session)))
    }

    fn from_session(house: &mut AppContext, session: Session) -> GameScreen {
        let began = GameSetup {
            variant: session.game_state().variant(),
            players: session.seats().clone(),
            starting_player: StartingPlayer::One,
        };
        let people = session.seats().iter().filter_map(Participant::player_name);
        // Where the menu has asked, it is not asked again.
        let open = offer::is_wanted(house, &began)
            .then(|| GameDialog::TablebaseOffer(offer::dialog(house)));
        let mut playing = GameScreen {
            setup: began,
            start_state: start_state_of(session.game_state()),
            match_score: MatchScore::new(session.seats()),
            past_players: people.cloned().collect(),
            board: Board::new(session.game_state()),
            game: DisplayedGame::new(session, house),
            bots: Computers::default(),
            playback: Playback::new(),
            advisor: Advice::default(),
            stepping: None,
            queued_action: None,
            notice: None,
            typing: None,
            input_rejected: false,
            dialog: open,
            move_list: MoveList::default(),
            key_hint_bar: KeyLine::new(),
        };
        playing.go_on(house);
        playing
    }

    /// Whatever has to happen next without anybody pressing a key.
    fn go_on(&mut self, house: &mut AppContext) {
        if self.stepping.is_some() || self.game.result().is_some() || self.game.person_moves() {
            return;
        }
        if self.is_watching() && !self.playback.lets_move() {
            return;
        }
        let wait = self.playback.move_delay(self.game.is_bots_only());
        match self.bots.take_due_move(wait) {
            Some((mv, took)) => self.submit(GameAction::BotMove(mv, took), house),
            None => self.bots.start_thinking(self.game.session(), house),
        }
    }

    /// Has a step stored; what comes of it is told in the news.
    fn submit(&mut self, step: GameAction, house: &mut AppContext) {
        if self.stepping.is_none() {
            self.stepping = Some(house.submit_action(self.game.session(), step));
        }
    }

    /// A step that makes what the computer thinks about pointless. If its move is just
    /// being stored, the step comes after that.
    fn step_instead(&mut self, step: GameAction, house: &mut AppContext) {
        if self.stepping.is_some() {
            self.queued_action = Some(step);
        } else {
            self.bots.stop();
            self.advisor.forget_tip();
            self.submit(step, house);
        }
    }

    fn stepped(&mut self, stepped: Result<Box<Session>, SessionError>, house: &mut AppContext) {
        let session = match stepped {
            Ok(session) => *session,
            Err(problem) => return self.not_stepped(&problem),
        };
        let reseated = session.seats() != self.game.session().seats();
        let was_assisted = self.game.session().assistance().is_some();
        let replied = self.bots.at_work().is_some();
        self.bots.finish_turn();
        self.game.update(session, house);
        if reseated {
            self.bots.reseat(self.game.session());
            self.playback.set_paused(false);
        }
        if replied {
            self.playback.move_made();
        }
        self.typing = None;
        self.notice = None;
        if let Some(how) = self.game.session().assistance().filter(|_| !was_assisted) {
            self.tell_assisted(how);
        }
        if reseated && self.advisor.is_on() {
            self.record_assistance(Assistance::Analysis, house);
        }
        if replied {
            self.tell_grid_move();
        }
        self.move_list.scroll_to_end();
        self.board.sync(self.game.state());
        self.advisor.position_changed(self.game.state(), house);
        if self.game.result().is_some() {
            self.advisor.stop();
            self.match_score.add(self.game.session());
            self.dialog = Some(self.end_dialog(house));
        }
    }

    /// Stores that a player has help from now on, and says so the first time. Returns
    /// whether the player may have it.
    fn record_assistance(&mut self, how: Assistance, house: &AppContext) -> bool {
        if self.game.is_bots_only() {
            return true;
        }
        match self.game.record_assistance(how, house) {
            Ok(true) => self.tell_assisted(how),
            Ok(false) => {}
            Err(problem) => {
                self.notice = Some(Notice::Error(problem.cause()));
                return false;
            }
        }
        true
    }

    fn tell_assisted(&mut self, how: Assistance) {
        if !self.game.is_bots_only() {
            self.notice = Some(Notice::Info(how.notice().into()));
        }
    }

    /// Says that the computer moved the grid of Tic-Tac-Two: it is easily missed.
    fn tell_grid_move(&mut self) {
        let play = self.game.state();
        let (mv, side) = (play.last_move(), play.move_sides().pop());
        if let (Some(mv), Some(side)) = (mv, side)
            && let Some(center) = mv.strip_prefix('@')
        {
            let text = format!("{} moved the grid to {center}.", self.game.name(side));
            self.notice = Some(Notice::Info(text));
        }
    }

    fn step_wanted(&mut self, house: &mut AppContext) {
        let wanted = self.queued_action.take();
        if let Some(step) = wanted.filter(|_| self.game.result().is_none()) {
            self.step_instead(step, house);
        }
    }

    /// Nothing has happened, and why. A computer whose move was not made would try
    /// again at once and for ever: it waits for a person.
    fn not_stepped(&mut self, problem: &SessionError) {
        let sentence = problem.to_string();
        if self.bots.at_work().is_some() {
            self.bots.fail(sentence);
        } else {
            self.notice = Some(Notice::Error(sentence));
            self.input_rejected = self.typing.is_some();
        }
    }

    fn news(&mut self, ticket: Ticket, news: TaskMessage, house: &mut AppContext) {
        match news {
            TaskMessage::ActionDone(stepped) if self.stepping == Some(ticket) => {
                self.stepping = None;
                self.stepped(stepped, house);
                self.step_wanted(house);
            }
            TaskMessage::BotThought(thought) if self.is_of_computers(ticket) => {
                self.bots.handle_thought(ticket, thought);
            }
            TaskMessage::BotThought(thought) => {
                match self
                    .advisor
                    .handle_thought(ticket, thought, self.game.state())
                {
                    AdvisorReply::Ignored => {}
                    // The hint itself says that the game isn't rated.
                    AdvisorReply::Hint => self.notice = None,
                    AdvisorReply::Failed(reason) => {
                        self.notice = Some(Notice::Error(reason));
                    }
                    AdvisorReply::Draw(_, true) => self.step_instead(GameAction::AgreeDraw, house),
                    AdvisorReply::Draw(side, false) => {
                        let name = self.game.name(side);
                        let text = format!("{name} thanks you for the offer and plays on");
                        self.notice = Some(Notice::Info(text));
                    }
                }
            }
            // Whoever was made without the table is made anew with it.
            TaskMessage::BuildFinished(Ok(())) => {
                self.bots.unseat_all();
                self.advisor.restart(self.game.state(), house);
            }
            TaskMessage::Analysed(report) => {
                self.advisor
                    .update_analysis(ticket, report, self.game.state().side());
            }
            _ => {}
        }
    }

    fn is_of_computers(&self, ticket: Ticket) -> bool {
        let work = self.bots.at_work();
        work.is_some_and(|work| work.task() == ticket)
    }

    /// Leaves the game as it stands, to be resumed if there is a move in it.
    fn release(&mut self, house: &mut AppContext) {
        self.bots.stop();
        self.advisor.stop();
        if self.game.result().is_some() {
            return;
        }
        let session = self.game.session();
        let store = house.store_handle.store();
        // What cannot be let go is free when the program ends; there is nothing to
        // do about it, and nothing is lost.
        let _ = house.store_handle.block_on(session.release(store));
    }
}

impl Screen for GameScreen {
    fn handle_event(&mut self, event: Event, house: &mut AppContext) -> Navigation {
        let next = match event {
            Event::Key(key) => self.handle_key(key, house),
            Event::Mouse(mouse) => self.handle_mouse(mouse, house),
            Event::Paste(text) => {
                let stale = std::mem::take(&mut self.input_rejected);
                if let Some(field) = &mut self.typing {
                    if stale {
                        *field = TextInput::new("", MAX_MOVE_CHARS);
                    }
                    field.insert(&text);
                }
                Navigation::Stay
            }
            Event::Task(ticket, news) => {
                self.news(ticket, news, house);
                Navigation::Stay
            }
            Event::Tick | Event::Resize | Event::Terminate(_) | Event::Suspend | Event::Resume => {
                Navigation::Stay
            }
        };
        if matches!(next, Navigation::Stay) {
            self.go_on(house);
        }
        next
    }

    fn draw(&mut self, frame: &mut Frame, house: &AppContext) {
        self.draw_game(frame, house);
    }

    fn min_size(&self) -> Size {
        let play = self.game.state();
        let board = self.board.min_size(play);
        let more = u16::from(self.board.breadcrumb(play).is_some())
            // The kinds of turn, in two lines.
            + if self.board.turn_options(play).is_empty() { 0 } else { 2 };
        Size::new(
            board.width.max(SMALLEST.width),
            (board.height + COMPACT_ROWS + more).max(SMALLEST.height),
        )
    }

    fn next_tick(&self) -> Option<Duration> {
        if self.stepping.is_some() {
            return None;
        }
        let wait = self.playback.move_delay(self.game.is_bots_only());
        let held = self.is_watching() && !self.playback.lets_move();
        self.bots.next_tick(wait, held)
    }
}
