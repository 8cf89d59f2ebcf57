//! The games that are kept: to go through, or to go on with where they are open.

use crossterm::event::KeyCode;
use noughts_rules::{Outcome, Side};
use noughts_store::{GameFilter, GameSummary};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::tui::app_context::AppContext;
use crate::tui::event::{Event, TaskMessage, Ticket};
use crate::tui::screens::menu::MenuScreen;
use crate::tui::screens::playing::GameScreen;
use crate::tui::screens::review::ReviewScreen;
use crate::tui::screens::{Navigation, Screen};
use crate::tui::theme::Theme;
use crate::tui::widgets::{KeyLine, KeyWord, Pane, SelectList, truncate, wrap_truncated};

/// More than anybody scrolls through; `noughts games` lists them all.
const MOST: u32 = 1000;

pub(crate) struct Saved {
    games: Vec<GameSummary>,
    rows: SelectList,
    answered: bool,
    problem: Option<String>,
    asked: Ticket,
    keys: KeyLine,
}

impl Saved {
    pub(crate) fn open(house: &mut AppContext) -> Box<dyn Screen> {
        let filter = GameFilter {
            limit: Some(MOST),
            ..GameFilter::default()
        };
        let question = move |store: noughts_store::Store| async move { store.games(&filter).await };
        let asked = house.query_store(question, TaskMessage::Games);
        Box::new(Saved {
            games: Vec::new(),
            rows: SelectList::new(0),
            answered: false,
            problem: None,
            asked,
            keys: KeyLine::new(),
        })
    }

    /// A game that has ended is gone through; one that has not is gone on with.
    fn enter(&mut self, house: &mut AppContext) -> Navigation {
        let Some(game) = self.games.get(self.rows.selected()) else {
            return Navigation::Stay;
        };
        let opened = if game.ended.is_some() {
            ReviewScreen::open(house, game.id, Box::new(Saved::open))
        } else {
            GameScreen::resume(house, game.id)
        };
        match opened {
            Ok(screen) => Navigation::Go(screen),
            Err(problem) => {
                self.problem = Some(problem);
                Navigation::Stay
            }
        }
    }
}

impl Screen for Saved {
    fn handle_event(&mut self, event: Event, house: &mut AppContext) -> Navigation {
        let key = match event {
            Event::Task(ticket, TaskMessage::Games(games)) if ticket == self.asked => {
                self.answered = true;
                match games {
                    Ok(games) => {
                        self.rows.set_len(games.len());
                        self.games = games;
                    }
                    Err(problem) => self.problem = Some(problem),
                }
                return Navigation::Stay;
            }
            Event::Key(key) => key,
            Event::Mouse(mouse) => match self.keys.handle_mouse(mouse) {
                Some(key) => key,
                None if self.rows.handle_mouse(mouse).is_some() => return self.enter(house),
                None => return Navigation::Stay,
            },
            _ => return Navigation::Stay,
        };
        self.problem = None;
        match key.code {
            KeyCode::Esc | KeyCode::Char('q' | 'm') => {
                return Navigation::Go(MenuScreen::open(house));
            }
            KeyCode::Enter => return self.enter(house),
            _ => {
                self.rows.handle_key(key);
            }
        }
        Navigation::Stay
    }

    fn draw(&mut self, frame: &mut Frame, house: &AppContext) {
        let look = &house.theme;
        let buf = frame.buffer_mut();
        let area = buf.area;
        let [main, help, keys] = area.layout(&Layout::vertical([
            Constraint::Min(1),
            Constraint::Length(1),
            Constraint::Length(1),
        ]));
        let inside = Pane::new(look, "Saved games")
            .focused(true)
            .render(main, buf);
        if self.answered && self.games.is_empty() {
            Line::styled("No game was played here yet.", look.dim()).render(inside, buf);
        }
        for (at, row) in self.rows.visible_rows(inside) {
            let selected = at == self.rows.selected();
            draw_game(&self.games[at], selected, look, row, buf);
        }
        self.draw_help(look, help, buf);
        let mut words = Vec::new();
        if let Some(game) = self.selected() {
            let open = game.ended.is_none();
            let word = if open { "go on" } else { "go through it" };
            words.push(KeyWord::new("Enter", word, KeyCode::Enter));
            words.push(KeyWord::new("arrows", "another game", KeyCode::Down));
        }
        words.push(KeyWord::new("Esc", "back to the menu", KeyCode::Esc));
        self.keys.render(&words, look, keys, buf);
    }
}

impl Saved {
    fn selected(&self) -> Option<&GameSummary> {
        self.games.get(self.rows.selected())
    }

    /// What went wrong, or how the selected game ended.
    fn draw_help(&self, look: &Theme, area: Rect, buf: &mut Buffer) {
        let area = Rect {
            x: area.x + 1,
            width: area.width.saturating_sub(2),
            ..area
        };
        let (text, style) = match (&self.problem, self.selected()) {
            (Some(problem), _) => (format!("{problem}."), look.error()),
            (None, Some(game)) => (ending(game), look.dim()),
            (None, None) => return,
        };
        for line in wrap_truncated(&text, area.width, 1, look.ellipsis()) {
            Line::styled(line, style).render(area, buf);
        }
    }
}

/// How a game ended, in a sentence.
fn ending(game: &GameSummary) -> String {
    let how = match game.end {
        None => "This game goes on".to_owned(),
        Some(end) => format!("Game {}: {end}", game.id),
    };
    match game.assistance {
        _ if game.changed_hands => format!("{how}; it changed hands and counts for nobody."),
        Some(assisted) => format!("{how}; not rated: {assisted}."),
        None => format!("{how}."),
    }
}

/// In fewer columns only what was played, by whom, and what came of it.
const NARROW: u16 = 70;

/// When, what, who, how many moves, and what came of it.
fn draw_game(game: &GameSummary, selected: bool, look: &Theme, row: Rect, buf: &mut Buffer) {
    let style = if selected {
        look.selected()
    } else {
        look.text()
    };
    let dim = if selected { style } else { look.dim() };
    let sign = if selected { look.pointer() } else { " " };
    buf.set_style(row, style);
    let narrow = row.width < NARROW;
    let [when, what, who, came] = row.layout(&Layout::horizontal([
        Constraint::Length(if narrow { 2 } else { 19 }),
        Constraint::Fill(2),
        Constraint::Fill(3),
        Constraint::Length(if narrow { 9 } else { 22 }),
    ]));
    Line::styled(format!("{sign} {}", game.started.to_local_string()), dim).render(when, buf);
    let name = truncate(
        &game.variant.to_string(),
        what.width.saturating_sub(1),
        look.ellipsis(),
    );
    Line::styled(name, style).render(what, buf);
    let [x, o] = &game.seats;
    let players = truncate(
        &format!("{x} and {o}"),
        who.width.saturating_sub(1),
        look.ellipsis(),
    );
    Line::styled(players, style).render(who, buf);
    let result = match (game.result, game.ended) {
        (Some(Outcome::Win(Side::X)), _) => "X won",
        (Some(Outcome::Win(Side::O)), _) => "O won",
        (Some(Outcome::Draw), _) => "a draw",
        (None, Some(_)) => "abandoned",
        (None, None) => "open",
    };
    let moves = match game.move_count {
        1 => "1 move".to_owned(),
        many => format!("{many} moves"),
    };
    let text = match narrow {
        true => result.to_owned(),
        false => format!("{moves:>10}  {result:<10}"),
    };
    Line::styled(text, dim).render(came, buf);
}
