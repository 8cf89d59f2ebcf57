//! The game screen: passes keys to the board and actions to the store, lets bots think, and shows
//! the result. The rules decide what is legal, and no move is shown before it is stored.

mod advisor;
mod bots;
mod dialogs;
mod displayed_game;
mod draw;
mod game_over;
mod keys;
mod layout;
mod match_score;
mod playback;
#[cfg(test)]
mod tests;

use std::time::Duration;

use noughts_engine::SearchReport;
use noughts_rules::{AnyGameState, Assistance};
use noughts_session::policy::{self, RatingEvent};
use noughts_session::{GameAction, Participant, SearchUpdate, Session, SessionError};
use noughts_store::{GameId, Name};
use noughts_text::{assistance_notice, draw_declined, hint};
use ratatui::Frame;
use ratatui::layout::Size;

use crate::position::start_state_of;
use crate::tui::app_context::AppContext;
use crate::tui::board::Board;
use crate::tui::event::{Event, TaskId, TaskMessage};
use crate::tui::game_setup::{GameSetup, StartingPlayer};
use crate::tui::screens::game_parts::min_size;
use crate::tui::screens::{Navigation, Screen, tablebase_offer};
use crate::tui::widgets::{KeyHintBar, MoveList, TextInput};

use advisor::{Advisor, AdvisorRequest};
use bots::SeatedBots;
use dialogs::GameDialog;
use displayed_game::DisplayedGame;
use layout::COMPACT_ROWS;
use match_score::MatchScore;
use playback::Playback;

pub(crate) struct GameScreen {
    game: DisplayedGame,
    /// The setup for a rematch.
    setup: GameSetup,
    /// The start of the game; a rematch starts there, too.
    start_state: AnyGameState,
    /// The score over the games that these players have finished in a row.
    match_score: MatchScore,
    /// Everyone who has had a seat, so that they can take one back.
    past_players: Vec<Name>,
    board: Board,
    bots: SeatedBots,
    playback: Playback,
    advisor: Advisor,
    /// The action that is being stored.
    pending_action: Option<TaskId>,
    /// The action to submit after that.
    queued_action: Option<GameAction>,
    notice: Option<Notice>,
    move_input: Option<TextInput>,
    /// The typed move was rejected.
    input_rejected: bool,
    dialog: Option<GameDialog>,
    move_list: MoveList,
    key_hint_bar: KeyHintBar,
}

/// A message shown until the next key.
enum Notice {
    /// Why something wasn't done.
    Error(String),
    Info(String),
}

/// Longer than any move.
const MAX_MOVE_CHARS: usize = 24;

impl GameScreen {
    /// Starts a new game from a state, whose moves become the first moves of the game.
    pub(crate) fn start(
        context: &mut AppContext,
        setup: &GameSetup,
        from: AnyGameState,
    ) -> Result<GameScreen, String> {
        if let Some(reason) = setup.invalid_reason() {
            return Err(reason);
        }
        let seats = setup.seats(context.flip_coin());
        let session = context
            .store_handle
            .query(|store| Session::start_from(store, &from, seats))
            .map_err(|error| error.to_string())?;
        let mut screen = GameScreen::from_session(context, session);
        screen.start_state = from;
        Ok(screen)
    }

    /// Resumes an unfinished game.
    pub(crate) fn resume(context: &mut AppContext, game: GameId) -> Result<GameScreen, String> {
        let session = context
            .store_handle
            .query(|store| Session::resume(store, game))
            .map_err(|error| error.to_string())?;
        Ok(GameScreen::from_session(context, session))
    }

    fn from_session(context: &mut AppContext, session: Session) -> GameScreen {
        let setup = GameSetup {
            variant: session.game_state().variant(),
            players: session.seats().clone(),
            starting_player: StartingPlayer::One,
        };
        let players = session.seats().iter().filter_map(Participant::player_name);
        let mut screen = GameScreen {
            setup,
            start_state: start_state_of(session.game_state()),
            match_score: MatchScore::new(session.seats()),
            past_players: players.cloned().collect(),
            board: Board::new(session.game_state()),
            game: DisplayedGame::new(session, context),
            bots: SeatedBots::default(),
            playback: Playback::default(),
            advisor: Advisor::default(),
            pending_action: None,
            queued_action: None,
            notice: None,
            move_input: None,
            input_rejected: false,
            dialog: None,
            move_list: MoveList::default(),
            key_hint_bar: KeyHintBar::default(),
        };
        // If the menu has already offered it, it isn't offered again.
        if tablebase_offer::should_offer_for(context, &screen.setup) {
            screen.offer_tablebase(context);
        }
        screen.advance(context);
        screen
    }

    /// Does what must happen next without a key press.
    fn advance(&mut self, context: &mut AppContext) {
        if self.pending_action.is_some()
            || self.game.result().is_some()
            || self.game.is_human_to_move()
        {
            return;
        }
        if self.is_watching() && !self.playback.allows_move() {
            return;
        }
        let delay = self.playback.move_delay(self.game.is_bots_only());
        match self.bots.take_due_move(delay) {
            Some((mv, took)) => self.submit(GameAction::BotMove(mv, took), context),
            None => self.bots.start_thinking(&self.game.session, context),
        }
    }

    /// Submits an action; its result arrives as a message.
    fn submit(&mut self, action: GameAction, context: &mut AppContext) {
        if self.pending_action.is_none() {
            self.pending_action = Some(context.submit_action(&self.game.session, action));
        }
    }

    /// Submits an action that makes the bot's current search pointless. If the bot's move is
    /// already being stored, the action follows it.
    fn submit_interrupting(&mut self, action: GameAction, context: &mut AppContext) {
        if self.pending_action.is_some() {
            self.queued_action = Some(action);
        } else {
            self.bots.stop();
            self.advisor.clear_hint();
            self.submit(action, context);
        }
    }

    fn action_done(
        &mut self,
        result: Result<Box<Session>, SessionError>,
        context: &mut AppContext,
    ) {
        let session = match result {
            Ok(session) => *session,
            Err(error) => return self.action_failed(&error),
        };
        let seats_changed = session.seats() != self.game.session.seats();
        let was_assisted = self.game.session.assistance().is_some();
        let was_bot_move = self.bots.turn.is_some();
        self.bots.turn = None;
        self.game.update(session, context);
        if seats_changed {
            self.bots.reseat(&self.game.session);
            self.playback.set_paused(false);
        }
        if was_bot_move {
            self.playback.move_made();
        }
        self.move_input = None;
        self.notice = None;
        if let Some(assistance) = self.game.session.assistance().filter(|_| !was_assisted) {
            self.announce_assistance(assistance);
        }
        if seats_changed && self.advisor.analysis_on {
            self.record_assistance(Assistance::Analysis, context);
        }
        if was_bot_move {
            self.announce_frame_move();
        }
        self.move_list.scroll_to_end();
        self.board.sync(self.game.state());
        self.advisor.position_changed(self.game.state(), context);
        if self.game.result().is_some() {
            self.advisor.stop();
            self.match_score.add(&self.game.session);
            self.dialog = self.game_over_dialog(context);
        }
    }

    /// Asks before assistance that would end the rating of the game; otherwise goes ahead.
    fn request_assistance(&mut self, assistance: Assistance, context: &mut AppContext) {
        let event = RatingEvent::Assistance(assistance);
        match self.game.session.unrated_by(event) {
            Some(reason) => self.ask_about_rating(assistance, reason),
            None => self.assist(assistance, context),
        }
    }

    fn assist(&mut self, assistance: Assistance, context: &mut AppContext) {
        match assistance {
            Assistance::Hint => {
                if self.record_assistance(assistance, context) {
                    let state = self.game.state();
                    self.advisor.ask(AdvisorRequest::Hint, state, context);
                }
            }
            Assistance::Takeback => {
                // Otherwise the bot would make the move again at once.
                if self.is_watching() {
                    self.playback.set_paused(true);
                }
                self.submit_interrupting(GameAction::TakeBack, context);
            }
            Assistance::Analysis => self.toggle_analysis(context),
            Assistance::Position => {}
        }
    }

    /// Stores that a player gets help from now on, and says so the first time. Returns false if it
    /// can't be stored.
    fn record_assistance(&mut self, assistance: Assistance, context: &AppContext) -> bool {
        if self.game.is_bots_only() {
            return true;
        }
        match self.game.record_assistance(assistance, context) {
            Ok(true) => self.announce_assistance(assistance),
            Ok(false) => {}
            Err(error) => {
                self.notice = Some(Notice::Error(error.cause()));
                return false;
            }
        }
        true
    }

    fn announce_assistance(&mut self, assistance: Assistance) {
        if !self.game.is_bots_only() {
            self.notice = Some(Notice::Info(assistance_notice(assistance)));
        }
    }

    /// Announces that the bot has moved the frame over the board, which is easy to miss.
    fn announce_frame_move(&mut self) {
        let state = self.game.state();
        let (view, side) = (state.view(), state.move_sides().pop());
        let frame = view.frame().filter(|_| view.previous_frame().is_some());
        if let (Some(frame), Some(side)) = (frame, side) {
            let text = format!(
                "{name} moved the {frame} to {center}.",
                name = self.game.name(side),
                frame = frame.name,
                center = view.place_name(frame.center)
            );
            self.notice = Some(Notice::Info(text));
        }
    }

    fn submit_queued(&mut self, context: &mut AppContext) {
        let queued = self.queued_action.take();
        if let Some(action) = queued.filter(|_| self.game.result().is_none()) {
            self.submit_interrupting(action, context);
        }
    }

    /// Reports a failed action. A bot whose move failed would retry forever, so it waits for the
    /// player.
    fn action_failed(&mut self, error: &SessionError) {
        let text = error.to_string();
        if self.bots.turn.is_some() {
            self.bots.fail(text);
        } else {
            self.notice = Some(Notice::Error(text));
            self.input_rejected = self.move_input.is_some();
        }
    }

    fn handle_message(&mut self, task: TaskId, message: TaskMessage, context: &mut AppContext) {
        match message {
            TaskMessage::ActionDone(result) if self.pending_action == Some(task) => {
                self.pending_action = None;
                self.action_done(result, context);
                self.submit_queued(context);
            }
            TaskMessage::SearchUpdate(update) if self.is_from_bots(task) => {
                self.bots.handle_search_update(task, update);
            }
            TaskMessage::SearchUpdate(SearchUpdate::Finished(result)) => {
                match (self.advisor.take_request(task), result) {
                    (None, _) => {}
                    (Some(_), Err(reason)) => self.notice = Some(Notice::Error(reason)),
                    (Some(request), Ok(report)) => self.use_advice(request, report, context),
                }
            }
            // Bots without the tablebase are replaced by bots with it.
            TaskMessage::BuildFinished(Ok(())) => {
                self.bots.unseat_all();
                self.advisor.restart(self.game.state(), context);
            }
            TaskMessage::AnalysisUpdate(report) => {
                self.advisor
                    .update_analysis(task, report, self.game.state().side());
            }
            _ => {}
        }
    }

    fn use_advice(
        &mut self,
        request: AdvisorRequest,
        report: SearchReport<String>,
        context: &mut AppContext,
    ) {
        self.notice = match (request, report.best) {
            (AdvisorRequest::Hint, Some(mv)) => {
                let text = hint(&mv, report.value);
                self.advisor.hint = Some((mv, text));
                None
            }
            (AdvisorRequest::Hint, None) => Some(Notice::Error("no move to suggest".into())),
            (AdvisorRequest::Draw(side), _) => {
                match policy::answer_draw_offer(report.value, self.game.state(), side) {
                    Ok(()) => {
                        self.submit_interrupting(GameAction::AgreeDraw, context);
                        None
                    }
                    Err(refusal) => {
                        Some(Notice::Info(draw_declined(self.game.name(side), refusal)))
                    }
                }
            }
        };
    }

    fn is_from_bots(&self, task: TaskId) -> bool {
        let turn = self.bots.turn.as_ref();
        turn.is_some_and(|turn| turn.task == task)
    }

    /// Leaves the game as it is, to be resumed if it has moves.
    fn release(&mut self, context: &mut AppContext) {
        self.bots.stop();
        self.advisor.stop();
        if self.game.result().is_some() {
            return;
        }
        let session = &self.game.session;
        // If this fails, the game is released when the program exits; nothing is lost.
        let _ = context.store_handle.query(|store| session.release(store));
    }
}

impl Screen for GameScreen {
    fn handle_event(&mut self, event: Event, context: &mut AppContext) -> Navigation {
        let next = match event {
            Event::Key(_) | Event::Mouse(_) if self.dialog.is_some() => {
                self.handle_dialog_event(&event, context)
            }
            Event::Key(key) => self.handle_key(key, context),
            Event::Mouse(mouse) => self.handle_mouse(mouse, context),
            Event::Paste(text) => {
                let was_rejected = std::mem::take(&mut self.input_rejected);
                if let Some(input) = &mut self.move_input {
                    if was_rejected {
                        *input = TextInput::new("", MAX_MOVE_CHARS);
                    }
                    input.insert(&text);
                }
                Navigation::Stay
            }
            Event::Task(task, message) => {
                self.handle_message(task, message, context);
                Navigation::Stay
            }
            _ => Navigation::Stay,
        };
        if matches!(next, Navigation::Stay) {
            self.advance(context);
        }
        next
    }

    fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        self.draw_game(frame, context);
    }

    fn min_size(&self) -> Size {
        let state = self.game.state();
        // The kinds of move, in two lines.
        let turn_rows = self.board.turn_options(state).len().div_ceil(2) as u16;
        min_size(&self.board, state, COMPACT_ROWS + turn_rows)
    }

    fn next_tick(&self) -> Option<Duration> {
        if self.pending_action.is_some() {
            return None;
        }
        let delay = self.playback.move_delay(self.game.is_bots_only());
        let paused = self.is_watching() && !self.playback.allows_move();
        self.bots.next_tick(delay, paused)
    }
}
