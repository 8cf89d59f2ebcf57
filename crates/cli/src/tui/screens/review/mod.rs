//! Steps through a finished game: the board at each ply, its value, the mistakes, and a plot of the
//! values.

mod draw;
mod play_from_here;
#[cfg(test)]
mod tests;
mod values;

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::{AnyGameState, Side};
use noughts_store::{GameId, StoredGame};
use ratatui::Frame;
use ratatui::layout::Size;

use crate::tui::app_context::AppContext;
use crate::tui::board::{Annotations, Board};
use crate::tui::event::Event;
use crate::tui::screens::menu::{self, MenuScreen};
use crate::tui::screens::{MIN_SIZE, Navigation, Screen, ScreenFactory};
use crate::tui::widgets::{
    DialogResult, KeyHintBar, MoveEntry, MoveList, TextViewer, ValuePlot, move_entries,
};

use draw::COMPACT_ROWS;
use play_from_here::PlayFromHere;
use values::PositionValues;

pub(crate) struct ReviewScreen {
    game: StoredGame,
    /// The game before its first move.
    start: AnyGameState,
    /// The game after `ply` moves.
    state: AnyGameState,
    ply: usize,
    board: Board,
    entries: Vec<MoveEntry>,
    values: PositionValues,
    /// The values of the moves from here, for the board.
    annotations: Option<Annotations>,
    annotations_on: bool,
    move_list: MoveList,
    plot: ValuePlot,
    key_hints: KeyHintBar,
    help: Option<TextViewer>,
    /// The dialog that asks who plays from here.
    play_from_here: Option<PlayFromHere>,
    /// A message shown until the next key.
    message: Option<&'static str>,
    back: Option<ScreenFactory>,
}

/// The number of moves that PgUp and PgDn skip.
const PAGE: usize = 10;

impl ReviewScreen {
    /// Opens a stored game; `back` creates the screen to return to.
    pub(crate) fn open(
        context: &mut AppContext,
        game: GameId,
        back: ScreenFactory,
    ) -> Result<Box<dyn Screen>, String> {
        let review = ReviewScreen::load(context, game, back)?;
        Ok(Box::new(review))
    }

    fn load(
        context: &mut AppContext,
        id: GameId,
        back: ScreenFactory,
    ) -> Result<ReviewScreen, String> {
        let store = context.store_handle.store();
        let game = context.store_handle.block_on(store.game(id));
        let game = game.map_err(|error| error.to_string())?;
        let game = game.ok_or_else(|| format!("game {id} no longer exists"))?;
        let state = game.replay().map_err(|error| error.to_string())?;
        let start = match &game.start {
            None => AnyGameState::new(game.variant),
            Some(text) => {
                let start = AnyGameState::from_text(game.variant, text);
                start.map_err(|error| error.to_string())?
            }
        };
        let mut sides = state.move_sides();
        let times: Vec<_> = game.moves.iter().map(|mv| mv.took).collect();
        let entries = move_entries(&sides, state.moves(), &times);
        sides.push(state.side());
        let mut review = ReviewScreen {
            ply: entries.len(),
            board: Board::new(&state),
            values: PositionValues::new(&sides, state.moves(), state.outcome()),
            entries,
            start,
            state,
            game,
            annotations: None,
            annotations_on: true,
            move_list: MoveList::default(),
            plot: ValuePlot::default(),
            key_hints: KeyHintBar::new(),
            help: None,
            play_from_here: None,
            message: None,
            back: Some(back),
        };
        review.analyze_next(context);
        review.update_annotations();
        Ok(review)
    }

    /// Starts the next analysis.
    fn analyze_next(&mut self, context: &mut AppContext) {
        let (start, entries) = (&self.start, &self.entries);
        self.values
            .analyze_next(self.ply, context, |ply| state_after(start, entries, ply));
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
        self.annotations = report.map(|report| {
            let moves = report.moves.iter();
            Annotations(
                moves
                    .map(|ranked| (ranked.mv.clone(), ranked.value))
                    .collect(),
            )
        });
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
            None if self.values.is_analyzing() => self.message = Some("No mistakes found so far."),
            None => self.message = Some("No mistakes found."),
        }
    }

    fn handle_key(&mut self, key: KeyEvent, context: &mut AppContext) -> Navigation {
        if let Some(viewer) = &mut self.help {
            if !viewer.handle_key(key) {
                self.help = None;
            }
            return Navigation::Stay;
        }
        if let Some(play_from_here) = &mut self.play_from_here {
            let result = play_from_here.dialog.handle_key(key);
            return self.handle_players_chosen(result, context);
        }
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
                self.help = Some(self.help(&context.theme));
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
        self.play_from_here = Some(PlayFromHere::new(
            &self.game,
            &self.state,
            self.ply,
            ellipsis,
        ));
    }

    fn handle_players_chosen(
        &mut self,
        result: DialogResult<usize>,
        context: &mut AppContext,
    ) -> Navigation {
        let play_from_here = match result {
            DialogResult::Pending => None,
            DialogResult::Chosen(_) | DialogResult::Canceled => self.play_from_here.take(),
        };
        let (Some(play_from_here), DialogResult::Chosen(index)) = (play_from_here, result) else {
            return Navigation::Stay;
        };
        // The new game's players didn't make the moves that led here, so they aren't part of it.
        let text = self.state.position_text();
        let from = AnyGameState::from_text(self.game.variant, &text);
        match (from, play_from_here.pairs.get(index)) {
            (Ok(from), Some(pair)) => Navigation::Go(menu::start_game(context, from, pair.clone())),
            _ => {
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
        if let Some(viewer) = &mut self.help {
            viewer.handle_mouse(mouse);
            return Navigation::Stay;
        }
        if let Some(play_from_here) = &mut self.play_from_here {
            let result = play_from_here.dialog.handle_mouse(mouse);
            return self.handle_players_chosen(result, context);
        }
        if let Some(key) = self.key_hints.handle_mouse(mouse) {
            return self.handle_key(key, context);
        }
        let (x, y) = (mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) | MouseEventKind::Drag(MouseButton::Left) => {
                let clicked_ply = self
                    .move_list
                    .move_at(x, y)
                    .or_else(|| self.plot.point_at(x, y));
                match clicked_ply {
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
        self.game.seats[side as usize].to_string()
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
            Event::Key(key) => self.handle_key(key, context),
            Event::Mouse(mouse) => self.handle_mouse(mouse, context),
            Event::Task(task, message) => {
                self.values.handle_message(task, message);
                self.update_annotations();
                Navigation::Stay
            }
            Event::Paste(_)
            | Event::Resize
            | Event::Tick
            | Event::Terminate(_)
            | Event::Suspend
            | Event::Resume => Navigation::Stay,
        };
        if matches!(next, Navigation::Stay) {
            self.analyze_next(context);
        }
        next
    }

    fn min_size(&self) -> Size {
        let board = self.board.min_size(&self.state);
        let extra_rows = u16::from(self.board.breadcrumb(&self.state).is_some());
        Size::new(
            board.width.max(MIN_SIZE.width),
            (board.height + COMPACT_ROWS + extra_rows).max(MIN_SIZE.height),
        )
    }

    fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        self.draw_review(frame, context);
    }
}
