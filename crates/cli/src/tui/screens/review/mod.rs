//! A game that was played, to step through: the board at each moment, what it was
//! worth, which moves were mistakes, and how the value went up and down.

mod picture;
mod play_here;
#[cfg(test)]
mod tests;
mod values;

use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::{AnyPlay, Player};
use noughts_store::{GameId, StoredGame};
use ratatui::Frame;
use ratatui::layout::Size;

use crate::tui::board::{Board, Notes};
use crate::tui::event::Event;
use crate::tui::house::House;
use crate::tui::screens::menu::{self, Menu};
use crate::tui::screens::{Next, SMALLEST, Screen};
use crate::tui::widgets::{Entry, KeyLine, MoveList, Picked, Plot, Reader, entries};

use picture::COMPACT_ROWS;
use play_here::PlayHere;
use values::Values;

/// What makes the screen that one came from.
pub(crate) type Back = Box<dyn FnOnce(&mut House) -> Box<dyn Screen>>;

pub(crate) struct Review {
    game: StoredGame,
    /// The game as it was before its first move.
    start: AnyPlay,
    /// The game at the moment that is shown: so many moves have been made.
    play: AnyPlay,
    at: usize,
    board: Board,
    entries: Vec<Entry>,
    values: Values,
    /// What is known of the moves from here, for the board.
    notes: Option<Notes>,
    notes_on: bool,
    moves: MoveList,
    plot: Plot,
    key_line: KeyLine,
    rules: Option<Reader>,
    /// The question who plays from here.
    play_here: Option<PlayHere>,
    /// Something said until the next key.
    told: Option<&'static str>,
    back: Option<Back>,
}

/// How many moves PgUp and PgDn go.
const PAGE: usize = 10;

impl Review {
    /// A game that is stored, with the way back.
    pub(crate) fn open(
        house: &mut House,
        game: GameId,
        back: Back,
    ) -> Result<Box<dyn Screen>, String> {
        let review = Review::of(house, game, back)?;
        Ok(Box::new(review))
    }

    fn of(house: &mut House, id: GameId, back: Back) -> Result<Review, String> {
        let store = house.keeper.store();
        let game = house.keeper.wait(store.game(id));
        let game = game.map_err(|error| error.to_string())?;
        let game = game.ok_or_else(|| format!("there is no game {id} any more"))?;
        let play = game.play().map_err(|error| error.to_string())?;
        let start = match &game.start {
            None => AnyPlay::new(game.variant),
            Some(text) => {
                let start = AnyPlay::from_text(game.variant, text);
                start.map_err(|error| error.to_string())?
            }
        };
        let mut sides = play.sides();
        let times: Vec<_> = game.moves.iter().map(|mv| mv.took).collect();
        let entries = entries(&sides, play.moves(), &times);
        sides.push(play.side());
        let mut review = Review {
            at: entries.len(),
            board: Board::new(&play),
            values: Values::new(&sides, play.moves(), play.outcome()),
            entries,
            start,
            play,
            game,
            notes: None,
            notes_on: true,
            moves: MoveList::default(),
            plot: Plot::default(),
            key_line: KeyLine::new(),
            rules: None,
            play_here: None,
            told: None,
            back: Some(back),
        };
        review.go_on(house);
        review.note();
        Ok(review)
    }

    /// Lets the next moment be looked at.
    fn go_on(&mut self, house: &mut House) {
        let (start, entries) = (&self.start, &self.entries);
        self.values
            .go_on(self.at, house, |at| after(start, entries, at));
    }

    /// Shows the game after so many moves.
    fn go(&mut self, at: usize) {
        let at = at.min(self.entries.len());
        if at == self.at {
            return;
        }
        let next = self.at + 1 == at;
        if !(next && self.play.play(&self.entries[self.at].text).is_ok()) {
            self.play = after(&self.start, &self.entries, at);
        }
        self.at = at;
        self.board.follow(&self.play);
        self.moves.follow();
        self.note();
    }

    /// The notes for the board at this moment.
    fn note(&mut self) {
        let report = self.values.report(self.at).filter(|_| self.notes_on);
        self.notes = report.map(|report| {
            let moves = report.moves.iter();
            Notes(
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
            true => (self.at + 1..=self.entries.len())
                .chain(all)
                .find(is_mistake),
            false => (1..self.at).rev().chain(all.rev()).find(is_mistake),
        };
        match found {
            Some(at) => self.go(at),
            None if self.values.is_busy() => self.told = Some("No mistake found so far."),
            None => self.told = Some("No mistake found."),
        }
    }

    fn key(&mut self, key: KeyEvent, house: &mut House) -> Next {
        if let Some(reader) = &mut self.rules {
            if !reader.key(key) {
                self.rules = None;
            }
            return Next::Stay;
        }
        if let Some(asked) = &mut self.play_here {
            let picked = asked.dialog.key(key);
            return self.players_picked(picked, house);
        }
        self.told = None;
        match key.code {
            KeyCode::Right | KeyCode::Down | KeyCode::Char('l' | 'j' | ' ') => self.go(self.at + 1),
            KeyCode::Left | KeyCode::Up | KeyCode::Char('h' | 'k') => {
                self.go(self.at.saturating_sub(1));
            }
            KeyCode::PageDown => self.go(self.at + PAGE),
            KeyCode::PageUp => self.go(self.at.saturating_sub(PAGE)),
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
                self.rules = Some(self.help(&house.look));
            }
            KeyCode::Char('z' | 'Z') => {
                self.board.key(&self.play, key);
            }
            KeyCode::Esc | KeyCode::Char('q') => return self.leave(house),
            _ => {}
        }
        Next::Stay
    }

    /// Asks who plays a new game from the position that is shown.
    fn ask_who_plays(&mut self, house: &House) {
        if self.play.outcome().is_some() {
            self.told = Some("The game is over here. Go back a move to play from there.");
            return;
        }
        let more = house.look.more();
        self.play_here = Some(PlayHere::new(&self.game, &self.play, self.at, more));
    }

    fn players_picked(&mut self, picked: Picked<usize>, house: &mut House) -> Next {
        let asked = match picked {
            Picked::Open => None,
            Picked::Answer(_) | Picked::Closed => self.play_here.take(),
        };
        let (Some(asked), Picked::Answer(at)) = (asked, picked) else {
            return Next::Stay;
        };
        // Nobody in the new game has made the moves that led here, so they aren't part of it.
        let text = self.play.position_text();
        let from = AnyPlay::from_text(self.game.variant, &text);
        match (from, asked.pairs.get(at)) {
            (Ok(from), Some(pair)) => Next::Go(menu::begin_at_once(house, from, pair.clone())),
            _ => {
                self.told = Some("This position can't be played from.");
                Next::Stay
            }
        }
    }

    fn leave(&mut self, house: &mut House) -> Next {
        match self.back.take() {
            Some(back) => Next::Go(back(house)),
            None => Next::Go(Menu::open(house)),
        }
    }

    fn mouse(&mut self, mouse: MouseEvent, house: &mut House) -> Next {
        if let Some(reader) = &mut self.rules {
            reader.mouse(mouse);
            return Next::Stay;
        }
        if let Some(asked) = &mut self.play_here {
            let picked = asked.dialog.mouse(mouse);
            return self.players_picked(picked, house);
        }
        if let Some(key) = self.key_line.mouse(mouse) {
            return self.key(key, house);
        }
        let (x, y) = (mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) | MouseEventKind::Drag(MouseButton::Left) => {
                let picked = self.moves.at(x, y).or_else(|| self.plot.at(x, y));
                match picked {
                    Some(at) => self.go(at),
                    None => self.look_around(mouse),
                }
            }
            MouseEventKind::Up(MouseButton::Left) => self.look_around(mouse),
            MouseEventKind::ScrollUp if self.moves.contains(x, y) => self.moves.scroll(1),
            MouseEventKind::ScrollDown if self.moves.contains(x, y) => self.moves.scroll(-1),
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown => self.look_around(mouse),
            _ => {}
        }
        Next::Stay
    }

    /// A click goes where the board is deep, and makes no move.
    fn look_around(&mut self, mouse: MouseEvent) {
        if self.board.breadcrumb(&self.play).is_some() {
            self.board.mouse(&self.play, mouse);
        }
    }

    /// The name of whoever played a side.
    fn name(&self, side: Player) -> String {
        self.game.seats[side as usize].to_string()
    }
}

/// The game after so many moves.
fn after(start: &AnyPlay, entries: &[Entry], moves: usize) -> AnyPlay {
    let mut play = start.clone();
    for entry in &entries[..moves.min(entries.len())] {
        // They were all legal when the game was read.
        if play.play(&entry.text).is_err() {
            break;
        }
    }
    play
}

impl Screen for Review {
    fn event(&mut self, event: Event, house: &mut House) -> Next {
        let next = match event {
            Event::Key(key) => self.key(key, house),
            Event::Mouse(mouse) => self.mouse(mouse, house),
            Event::News(ticket, news) => {
                self.values.hear(ticket, news);
                self.note();
                Next::Stay
            }
            Event::Paste(_)
            | Event::Resize
            | Event::Tick
            | Event::Terminate(_)
            | Event::Suspend
            | Event::Resume => Next::Stay,
        };
        if matches!(next, Next::Stay) {
            self.go_on(house);
        }
        next
    }

    fn least_size(&self) -> Size {
        let board = self.board.least_size(&self.play);
        let more = u16::from(self.board.breadcrumb(&self.play).is_some());
        Size::new(
            board.width.max(SMALLEST.width),
            (board.height + COMPACT_ROWS + more).max(SMALLEST.height),
        )
    }

    fn draw(&mut self, frame: &mut Frame, house: &House) {
        self.picture(frame, house);
    }
}
