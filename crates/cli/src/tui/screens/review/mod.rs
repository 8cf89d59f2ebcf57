//! A game that was played, to step through: the board at each moment, what it was
//! worth, which moves were mistakes, and how the value went up and down.

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
use crate::tui::screens::{Navigation, SMALLEST, Screen};
use crate::tui::widgets::{KeyLine, MoveEntry, MoveList, Picked, Plot, TextViewer, move_entries};

use draw::COMPACT_ROWS;
use play_from_here::PlayHere;
use values::PositionValues;

/// What makes the screen that one came from.
pub(crate) type Back = Box<dyn FnOnce(&mut AppContext) -> Box<dyn Screen>>;

pub(crate) struct ReviewScreen {
    game: StoredGame,
    /// The game as it was before its first move.
    start: AnyGameState,
    /// The game at the moment that is shown: so many moves have been made.
    state: AnyGameState,
    ply: usize,
    board: Board,
    entries: Vec<MoveEntry>,
    values: PositionValues,
    /// What is known of the moves from here, for the board.
    annotations: Option<Annotations>,
    notes_on: bool,
    move_list: MoveList,
    plot: Plot,
    key_hints: KeyLine,
    help: Option<TextViewer>,
    /// The question who plays from here.
    play_from_here: Option<PlayHere>,
    /// Something said until the next key.
    message: Option<&'static str>,
    back: Option<Back>,
}

/// How many moves PgUp and PgDn go.
const PAGE: usize = 10;

impl ReviewScreen {
    /// A game that is stored, with the way back.
    pub(crate) fn open(
        house: &mut AppContext,
        game: GameId,
        back: Back,
    ) -> Result<Box<dyn Screen>, String> {
        let review = ReviewScreen::load(house, game, back)?;
        Ok(Box::new(review))
    }

    fn load(house: &mut AppContext, id: GameId, back: Back) -> Result<ReviewScreen, String> {
        let store = house.store_handle.store();
        let game = house.store_handle.block_on(store.game(id));
        let game = game.map_err(|error| error.to_string())?;
        let game = game.ok_or_else(|| format!("there is no game {id} any more"))?;
        let play = game.replay().map_err(|error| error.to_string())?;
        let start = match &game.start {
            None => AnyGameState::new(game.variant),
            Some(text) => {
                let start = AnyGameState::from_text(game.variant, text);
                start.map_err(|error| error.to_string())?
            }
        };
        let mut sides = play.move_sides();
        let times: Vec<_> = game.moves.iter().map(|mv| mv.took).collect();
        let entries = move_entries(&sides, play.moves(), &times);
        sides.push(play.side());
        let mut review = ReviewScreen {
            ply: entries.len(),
            board: Board::new(&play),
            values: PositionValues::new(&sides, play.moves(), play.outcome()),
            entries,
            start,
            state: play,
            game,
            annotations: None,
            notes_on: true,
            move_list: MoveList::default(),
            plot: Plot::default(),
            key_hints: KeyLine::new(),
            help: None,
            play_from_here: None,
            message: None,
            back: Some(back),
        };
        review.go_on(house);
        review.note();
        Ok(review)
    }

    /// Lets the next moment be looked at.
    fn go_on(&mut self, house: &mut AppContext) {
        let (start, entries) = (&self.start, &self.entries);
        self.values
            .analyze_next(self.ply, house, |at| state_after(start, entries, at));
    }

    /// Shows the game after so many moves.
    fn go(&mut self, at: usize) {
        let at = at.min(self.entries.len());
        if at == self.ply {
            return;
        }
        let next = self.ply + 1 == at;
        if !(next && self.state.play(&self.entries[self.ply].text).is_ok()) {
            self.state = state_after(&self.start, &self.entries, at);
        }
        self.ply = at;
        self.board.sync(&self.state);
        self.move_list.scroll_to_end();
        self.note();
    }

    /// The notes for the board at this moment.
    fn note(&mut self) {
        let report = self.values.report(self.ply).filter(|_| self.notes_on);
        self.annotations = report.map(|report| {
            let moves = report.moves.iter();
            Annotations(
                moves
                    .map(|ranked| (ranked.mv.clone(), ranked.value))
                    .collect(),
            )
        });
    }

    /// To the next mistake, or the one before; beyond the last one it begins again.
    fn go_to_mistake(&mut self, forward: bool) {
        let is_mistake = |&at: &usize| self.values.mistake(at - 1).is_some();
        let all = 1..=self.entries.len();
        let found = match forward {
            true => (self.ply + 1..=self.entries.len())
                .chain(all)
                .find(is_mistake),
            false => (1..self.ply).rev().chain(all.rev()).find(is_mistake),
        };
        match found {
            Some(at) => self.go(at),
            None if self.values.is_analyzing() => self.message = Some("No mistake found so far."),
            None => self.message = Some("No mistake found."),
        }
    }

    fn key(&mut self, key: KeyEvent, house: &mut AppContext) -> Navigation {
        if let Some(reader) = &mut self.help {
            if !reader.handle_key(key) {
                self.help = None;
            }
            return Navigation::Stay;
        }
        if let Some(asked) = &mut self.play_from_here {
            let picked = asked.dialog.handle_key(key);
            return self.players_picked(picked, house);
        }
        self.message = None;
        match key.code {
            KeyCode::Right | KeyCode::Down | KeyCode::Char('l' | 'j' | ' ') => {
                self.go(self.ply + 1)
            }
            KeyCode::Left | KeyCode::Up | KeyCode::Char('h' | 'k') => {
                self.go(self.ply.saturating_sub(1));
            }
            KeyCode::PageDown => self.go(self.ply + PAGE),
            KeyCode::PageUp => self.go(self.ply.saturating_sub(PAGE)),
            KeyCode::Home => self.go(0),
            KeyCode::End => self.go(self.entries.len()),
            KeyCode::Char('m') => self.go_to_mistake(true),
            KeyCode::Char('M') => self.go_to_mistake(false),
            KeyCode::Char('a') => {
                self.notes_on = !self.notes_on;
                self.note();
            }
            KeyCode::Char('p') => self.ask_who_plays(house),
            KeyCode::Char('?') => {
                self.help = Some(self.help(&house.theme));
            }
            KeyCode::Char('z' | 'Z') => {
                self.board.handle_key(&self.state, key);
            }
            KeyCode::Esc | KeyCode::Char('q') => return self.leave(house),
            _ => {}
        }
        Navigation::Stay
    }

    /// Asks who plays a new game from the position that is shown.
    fn ask_who_plays(&mut self, house: &AppContext) {
        if self.state.outcome().is_some() {
            self.message = Some("The game is over here. Go back a move to play from there.");
            return;
        }
        let more = house.theme.ellipsis();
        self.play_from_here = Some(PlayHere::new(&self.game, &self.state, self.ply, more));
    }

    fn players_picked(&mut self, picked: Picked<usize>, house: &mut AppContext) -> Navigation {
        let asked = match picked {
            Picked::Pending => None,
            Picked::Chosen(_) | Picked::Canceled => self.play_from_here.take(),
        };
        let (Some(asked), Picked::Chosen(at)) = (asked, picked) else {
            return Navigation::Stay;
        };
        // Nobody in the new game has made the moves that led here, so they aren't part of it.
        let text = self.state.position_text();
        let from = AnyGameState::from_text(self.game.variant, &text);
        match (from, asked.pairs.get(at)) {
            (Ok(from), Some(pair)) => {
                Navigation::Go(menu::begin_at_once(house, from, pair.clone()))
            }
            _ => {
                self.message = Some("This position can't be played from.");
                Navigation::Stay
            }
        }
    }

    fn leave(&mut self, house: &mut AppContext) -> Navigation {
        match self.back.take() {
            Some(back) => Navigation::Go(back(house)),
            None => Navigation::Go(MenuScreen::open(house)),
        }
    }

    fn mouse(&mut self, mouse: MouseEvent, house: &mut AppContext) -> Navigation {
        if let Some(reader) = &mut self.help {
            reader.handle_mouse(mouse);
            return Navigation::Stay;
        }
        if let Some(asked) = &mut self.play_from_here {
            let picked = asked.dialog.handle_mouse(mouse);
            return self.players_picked(picked, house);
        }
        if let Some(key) = self.key_hints.handle_mouse(mouse) {
            return self.key(key, house);
        }
        let (x, y) = (mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) | MouseEventKind::Drag(MouseButton::Left) => {
                let picked = self
                    .move_list
                    .move_at(x, y)
                    .or_else(|| self.plot.point_at(x, y));
                match picked {
                    Some(at) => self.go(at),
                    None => self.look_around(mouse),
                }
            }
            MouseEventKind::Up(MouseButton::Left) => self.look_around(mouse),
            MouseEventKind::ScrollUp if self.move_list.contains(x, y) => self.move_list.scroll(1),
            MouseEventKind::ScrollDown if self.move_list.contains(x, y) => {
                self.move_list.scroll(-1)
            }
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown => self.look_around(mouse),
            _ => {}
        }
        Navigation::Stay
    }

    /// A click goes where the board is deep, and makes no move.
    fn look_around(&mut self, mouse: MouseEvent) {
        if self.board.breadcrumb(&self.state).is_some() {
            self.board.handle_mouse(&self.state, mouse);
        }
    }

    /// The name of whoever played a side.
    fn name(&self, side: Side) -> String {
        self.game.seats[side as usize].to_string()
    }
}

/// The game after so many moves.
fn state_after(start: &AnyGameState, entries: &[MoveEntry], moves: usize) -> AnyGameState {
    let mut play = start.clone();
    for entry in &entries[..moves.min(entries.len())] {
        // They were all legal when the game was read.
        if play.play(&entry.text).is_err() {
            break;
        }
    }
    play
}

impl Screen for ReviewScreen {
    fn handle_event(&mut self, event: Event, house: &mut AppContext) -> Navigation {
        let next = match event {
            Event::Key(key) => self.key(key, house),
            Event::Mouse(mouse) => self.mouse(mouse, house),
            Event::Task(ticket, news) => {
                self.values.handle_message(ticket, news);
                self.note();
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
            self.go_on(house);
        }
        next
    }

    fn min_size(&self) -> Size {
        let board = self.board.min_size(&self.state);
        let more = u16::from(self.board.breadcrumb(&self.state).is_some());
        Size::new(
            board.width.max(SMALLEST.width),
            (board.height + COMPACT_ROWS + more).max(SMALLEST.height),
        )
    }

    fn draw(&mut self, frame: &mut Frame, house: &AppContext) {
        self.draw_review(frame, house);
    }
}
