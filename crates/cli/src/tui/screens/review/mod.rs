//! Steps through a finished game: the board at each ply, its value, the mistakes, and a plot of the
//! values.

mod draw;
mod play_from_here;
#[cfg(test)]
mod tests;

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::{AnyGameState, Side};
use noughts_session::display_name;
use noughts_session::policy::RequestedPlayer;
use noughts_session::review::{self, GameReview};
use noughts_store::{GameId, StoredGame};
use noughts_text::KeyTable;
use ratatui::Frame;
use ratatui::layout::Size;

use crate::position::start_state_of;
use crate::tui::app_context::AppContext;
use crate::tui::board::{Annotations, Board};
use crate::tui::event::{Event, TaskId, TaskMessage};
use crate::tui::screens::analysis_task::{RunningAnalysis, start_analysis};
use crate::tui::screens::game_parts::min_size;
use crate::tui::screens::menu::{self, MenuScreen};
use crate::tui::screens::{Navigation, Screen, ScreenFactory, rules};
use crate::tui::widgets::{
    Dialog, DialogResult, KeyHintBar, MoveEntry, MoveList, TextViewer, ValuePlot, move_entries,
};

use draw::COMPACT_ROWS;

pub(crate) struct ReviewScreen {
    game: StoredGame,
    /// The game before its first move.
    start: AnyGameState,
    /// The game after `ply` moves.
    state: AnyGameState,
    ply: usize,
    board: Board,
    entries: Vec<MoveEntry>,
    values: GameReview,
    /// The position that is being analyzed.
    running: Option<(usize, TaskId, RunningAnalysis)>,
    /// The values of the moves from here, for the board.
    annotations: Option<Annotations>,
    annotations_on: bool,
    move_list: MoveList,
    plot: ValuePlot,
    key_hints: KeyHintBar,
    overlay: Option<Overlay>,
    /// A message shown until the next key.
    message: Option<&'static str>,
    back: Option<ScreenFactory>,
}

enum Overlay {
    Help(TextViewer),
    /// Who plays X and O from here?
    PlayFromHere(Dialog<[RequestedPlayer; 2]>),
}

/// The number of moves that PgUp and PgDn skip.
const PAGE: usize = 10;

impl ReviewScreen {
    /// Opens a stored game; `back` creates the screen to return to.
    pub(crate) fn open(
        context: &mut AppContext,
        game: GameId,
        back: ScreenFactory,
    ) -> Result<ReviewScreen, String> {
        let game = context
            .store_handle
            .game(game)
            .map_err(|error| error.to_string())?;
        let state = game.replay().map_err(|error| error.to_string())?;
        let start = start_state_of(&state);
        let mut sides = state.move_sides();
        let times: Vec<_> = game.moves.iter().map(|mv| mv.took).collect();
        let entries = move_entries(&sides, state.moves(), &times);
        sides.push(state.side());
        let mut review = ReviewScreen {
            ply: entries.len(),
            board: Board::new(&state),
            values: GameReview::new(&sides, state.moves(), state.outcome()),
            running: None,
            entries,
            start,
            state,
            game,
            annotations: None,
            annotations_on: true,
            move_list: MoveList::default(),
            plot: ValuePlot::default(),
            key_hints: KeyHintBar::default(),
            overlay: None,
            message: None,
            back: Some(back),
        };
        review.analyze_next(context);
        review.update_annotations();
        Ok(review)
    }

    /// Starts the next analysis unless one is running.
    fn analyze_next(&mut self, context: &mut AppContext) {
        if self.running.is_none()
            && let Some((next, limits)) = self.values.next_search(self.ply)
        {
            let state = state_after(&self.start, &self.entries, next);
            let settings = review::search_settings(context.bot_settings(state.variant()));
            let (task, running) = start_analysis(&state, &settings, limits, context);
            self.running = Some((next, task, running));
        }
    }

    /// Handles a message of the running analysis.
    fn handle_message(&mut self, task: TaskId, message: TaskMessage) {
        match (&self.running, message) {
            (Some((ply, own_task, _)), TaskMessage::AnalysisUpdate(report))
                if *own_task == task =>
            {
                self.values.add_report(*ply, report);
                self.update_annotations();
            }
            (Some((_, own_task, _)), TaskMessage::AnalysisEnded) if *own_task == task => {
                self.running = None;
            }
            _ => {}
        }
    }

    /// Shows the game after `ply` moves.
    fn show_ply(&mut self, ply: usize) {
        let ply = ply.min(self.entries.len());
        if ply == self.ply {
            return;
        }
        let next = self.ply + 1 == ply;
        if !(next && self.state.play(&self.entries[self.ply].text).is_ok()) {
            self.state = state_after(&self.start, &self.entries, ply);
        }
        self.ply = ply;
        self.board.sync(&self.state);
        self.move_list.scroll_to_end();
        self.update_annotations();
    }

    /// Updates the values shown on the board.
    fn update_annotations(&mut self) {
        let report = self.values.report(self.ply).filter(|_| self.annotations_on);
        self.annotations = report.map(Annotations::from);
    }

    /// Goes to the next or previous mistake, wrapping around.
    fn go_to_mistake(&mut self, forward: bool) {
        let is_mistake = |&ply: &usize| self.values.mistake(ply - 1).is_some();
        let plies = 1..=self.entries.len();
        let found = match forward {
            true => (self.ply + 1..=self.entries.len())
                .chain(plies)
                .find(is_mistake),
            false => (1..self.ply).rev().chain(plies.rev()).find(is_mistake),
        };
        match found {
            Some(ply) => self.show_ply(ply),
            None if self.running.is_some() => self.message = Some("No mistakes found so far."),
            None => self.message = Some("No mistakes found."),
        }
    }

    fn handle_key(&mut self, key: KeyEvent, context: &mut AppContext) -> Navigation {
        self.message = None;
        match key.code {
            KeyCode::Right | KeyCode::Down | KeyCode::Char('l' | 'j' | ' ') => {
                self.show_ply(self.ply + 1);
            }
            KeyCode::Left | KeyCode::Up | KeyCode::Char('h' | 'k') => {
                self.show_ply(self.ply.saturating_sub(1));
            }
            KeyCode::PageDown => self.show_ply(self.ply + PAGE),
            KeyCode::PageUp => self.show_ply(self.ply.saturating_sub(PAGE)),
            KeyCode::Home => self.show_ply(0),
            KeyCode::End => self.show_ply(self.entries.len()),
            KeyCode::Char('m') => self.go_to_mistake(true),
            KeyCode::Char('M') => self.go_to_mistake(false),
            KeyCode::Char('a') => {
                self.annotations_on = !self.annotations_on;
                self.update_annotations();
            }
            KeyCode::Char('p') => self.ask_players(context),
            KeyCode::Char('?') => {
                let table = KeyTable::TerminalReview;
                let help = rules::help_viewer(&self.state, table, &context.theme);
                self.overlay = Some(Overlay::Help(help));
            }
            KeyCode::Char('z' | 'Z') => {
                self.board.handle_key(&self.state, key);
            }
            KeyCode::Esc | KeyCode::Char('q') => return self.leave(context),
            _ => {}
        }
        Navigation::Stay
    }

    /// Asks who plays a new game from the current position.
    fn ask_players(&mut self, context: &AppContext) {
        if self.state.outcome().is_some() {
            self.message = Some("The game is over here. Go back a move to play from there.");
            return;
        }
        let ellipsis = context.theme.ellipsis();
        let dialog = play_from_here::dialog(&self.game, &self.state, self.ply, ellipsis);
        self.overlay = Some(Overlay::PlayFromHere(dialog));
    }

    fn handle_overlay_event(&mut self, event: &Event, context: &mut AppContext) -> Navigation {
        let result = match &mut self.overlay {
            Some(Overlay::Help(viewer)) => viewer.handle_event(event),
            Some(Overlay::PlayFromHere(dialog)) => dialog.handle_event(event),
            None => return Navigation::Stay,
        };
        if result != DialogResult::Pending {
            self.overlay = None;
        }
        let DialogResult::Chosen(pair) = result else {
            return Navigation::Stay;
        };
        // The new game's players didn't make the moves that led here, so they aren't part of it.
        let text = self.state.position_text();
        match AnyGameState::from_text(self.game.variant, &text) {
            Ok(from) => Navigation::Go(menu::start_game(context, from, pair)),
            Err(_) => {
                self.message = Some("You can't play from this position.");
                Navigation::Stay
            }
        }
    }

    fn leave(&mut self, context: &mut AppContext) -> Navigation {
        match self.back.take() {
            Some(back) => Navigation::Go(back(context)),
            None => Navigation::Go(MenuScreen::open(context)),
        }
    }

    fn handle_mouse(&mut self, mouse: MouseEvent, context: &mut AppContext) -> Navigation {
        if let Some(key) = self.key_hints.handle_mouse(mouse) {
            return self.handle_key(key, context);
        }
        let (x, y) = (mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) | MouseEventKind::Drag(MouseButton::Left) => {
                let clicked_move = self.move_list.move_at(x, y);
                match clicked_move.or_else(|| self.plot.point_at(x, y)) {
                    Some(ply) => self.show_ply(ply),
                    None => self.navigate_board(mouse),
                }
            }
            MouseEventKind::Up(MouseButton::Left) => self.navigate_board(mouse),
            MouseEventKind::ScrollUp if self.move_list.contains(x, y) => self.move_list.scroll(1),
            MouseEventKind::ScrollDown if self.move_list.contains(x, y) => {
                self.move_list.scroll(-1);
            }
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown => self.navigate_board(mouse),
            _ => {}
        }
        Navigation::Stay
    }

    /// On deep boards a click changes what is visible, and makes no move.
    fn navigate_board(&mut self, mouse: MouseEvent) {
        if self.board.breadcrumb(&self.state).is_some() {
            self.board.handle_mouse(&self.state, mouse);
        }
    }

    /// The name of the player of a side.
    fn name(&self, side: Side) -> String {
        display_name(&self.game.seats[side as usize])
    }
}

/// The game after this many moves.
fn state_after(start: &AnyGameState, entries: &[MoveEntry], moves: usize) -> AnyGameState {
    let mut state = start.clone();
    for entry in &entries[..moves.min(entries.len())] {
        // They were all legal when the game was loaded.
        if state.play(&entry.text).is_err() {
            break;
        }
    }
    state
}

impl Screen for ReviewScreen {
    fn handle_event(&mut self, event: Event, context: &mut AppContext) -> Navigation {
        let next = match event {
            Event::Key(_) | Event::Mouse(_) if self.overlay.is_some() => {
                self.handle_overlay_event(&event, context)
            }
            Event::Key(key) => self.handle_key(key, context),
            Event::Mouse(mouse) => self.handle_mouse(mouse, context),
            Event::Task(task, message) => {
                self.handle_message(task, message);
                Navigation::Stay
            }
            _ => Navigation::Stay,
        };
        if matches!(next, Navigation::Stay) {
            self.analyze_next(context);
        }
        next
    }

    fn min_size(&self) -> Size {
        min_size(&self.board, &self.state, COMPACT_ROWS)
    }

    fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        self.draw_review(frame, context);
    }
}
