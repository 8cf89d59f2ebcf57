//! The stored games: opens the review of a finished game, and resumes an unfinished one.

use crossterm::event::KeyCode;
use noughts_rules::{Outcome, Side};
use noughts_session::seat_label;
use noughts_store::{GameFilter, GameSummary};
use noughts_text::{GameOver, plural, unrated_notice};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::tui::app_context::AppContext;
use crate::tui::event::{Event, TaskId, TaskMessage};
use crate::tui::screens::menu::MenuScreen;
use crate::tui::screens::playing::GameScreen;
use crate::tui::screens::review::ReviewScreen;
use crate::tui::screens::{Navigation, Screen};
use crate::tui::theme::Theme;
use crate::tui::widgets::{KeyHint, KeyHintBar, Pane, SelectList, truncate, wrap_truncated};

/// More than anyone scrolls through; `noughts games` lists them all.
const MAX_GAMES: u32 = 1000;

pub(crate) struct SavedGamesScreen {
    games: Vec<GameSummary>,
    list: SelectList,
    is_loaded: bool,
    error: Option<String>,
    games_query: TaskId,
    key_hint_bar: KeyHintBar,
}

impl SavedGamesScreen {
    pub(crate) fn open(context: &mut AppContext) -> Box<dyn Screen> {
        let filter = GameFilter {
            limit: Some(MAX_GAMES),
            ..GameFilter::default()
        };
        let query = move |store: noughts_store::Store| async move { store.games(&filter).await };
        let games_query = context.query_store(query, TaskMessage::Games);
        Box::new(SavedGamesScreen {
            games: Vec::new(),
            list: SelectList::new(0),
            is_loaded: false,
            error: None,
            games_query,
            key_hint_bar: KeyHintBar::new(),
        })
    }

    /// Reviews a finished game, resumes an unfinished one.
    fn enter(&mut self, context: &mut AppContext) -> Navigation {
        let Some(game) = self.games.get(self.list.selected()) else {
            return Navigation::Stay;
        };
        let opened = if game.ended.is_some() {
            ReviewScreen::open(context, game.id, Box::new(SavedGamesScreen::open))
        } else {
            GameScreen::resume(context, game.id)
        };
        match opened {
            Ok(screen) => Navigation::Go(screen),
            Err(error) => {
                self.error = Some(error);
                Navigation::Stay
            }
        }
    }
}

impl Screen for SavedGamesScreen {
    fn handle_event(&mut self, event: Event, context: &mut AppContext) -> Navigation {
        let key = match event {
            Event::Task(task, TaskMessage::Games(games)) if task == self.games_query => {
                self.is_loaded = true;
                match games {
                    Ok(games) => {
                        self.list.set_len(games.len());
                        self.games = games;
                    }
                    Err(error) => self.error = Some(error),
                }
                return Navigation::Stay;
            }
            Event::Key(key) => key,
            Event::Mouse(mouse) => match self.key_hint_bar.handle_mouse(mouse) {
                Some(key) => key,
                None if self.list.handle_mouse(mouse).is_some() => return self.enter(context),
                None => return Navigation::Stay,
            },
            _ => return Navigation::Stay,
        };
        self.error = None;
        match key.code {
            KeyCode::Esc | KeyCode::Char('q' | 'm') => {
                return Navigation::Go(MenuScreen::open(context));
            }
            KeyCode::Enter => return self.enter(context),
            _ => {
                self.list.handle_key(key);
            }
        }
        Navigation::Stay
    }

    fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        let theme = &context.theme;
        let buf = frame.buffer_mut();
        let area = buf.area;
        let [main, help, keys] = area.layout(&Layout::vertical([
            Constraint::Min(1),
            Constraint::Length(1),
            Constraint::Length(1),
        ]));
        let inner = Pane::new(theme, "Saved games")
            .focused(true)
            .render(main, buf);
        if self.is_loaded && self.games.is_empty() {
            Line::styled("No saved games yet. Play one first.", theme.dim()).render(inner, buf);
        }
        for (index, row) in self.list.visible_rows(inner) {
            let selected = index == self.list.selected();
            draw_game(&self.games[index], selected, theme, row, buf);
        }
        self.draw_help(theme, help, buf);
        let mut key_hints = Vec::new();
        if let Some(game) = self.selected() {
            let is_open = game.ended.is_none();
            let label = if is_open { "resume" } else { "review" };
            key_hints.push(KeyHint::new("Enter", label, KeyCode::Enter));
            key_hints.push(KeyHint::new("arrows", "select", KeyCode::Down));
        }
        key_hints.push(KeyHint::new("Esc", "back to the menu", KeyCode::Esc));
        self.key_hint_bar.render(&key_hints, theme, keys, buf);
    }
}

impl SavedGamesScreen {
    fn selected(&self) -> Option<&GameSummary> {
        self.games.get(self.list.selected())
    }

    /// The error, or how the selected game ended.
    fn draw_help(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let area = Rect {
            x: area.x + 1,
            width: area.width.saturating_sub(2),
            ..area
        };
        let (text, style) = match (&self.error, self.selected()) {
            (Some(error), _) => (format!("{error}."), theme.error()),
            (None, Some(game)) => (ending(game), theme.dim()),
            (None, None) => return,
        };
        for line in wrap_truncated(&text, area.width, 1, theme.ellipsis()) {
            Line::styled(line, style).render(area, buf);
        }
    }
}

/// How a game ended, as a sentence.
fn ending(game: &GameSummary) -> String {
    let text = match game.end {
        None => "Unfinished.".to_owned(),
        Some(termination) => {
            let over = GameOver {
                variant: game.variant,
                outcome: game.result,
                termination,
                players: Some([0, 1].map(|seat| seat_label(&game.seats[seat]))),
                moves: game.move_count,
            };
            over.sentence()
        }
    };
    match game.unrated_reason() {
        Some(reason) => format!("{text} {}", unrated_notice(reason, false)),
        None => text,
    }
}

/// In fewer columns only the variant, the players and the result are shown.
const NARROW: u16 = 70;

/// The date, the variant, the players, the number of moves and the result.
fn draw_game(game: &GameSummary, selected: bool, theme: &Theme, row: Rect, buf: &mut Buffer) {
    let style = if selected {
        theme.selected()
    } else {
        theme.text()
    };
    let dim = if selected { style } else { theme.dim() };
    let pointer = if selected { theme.pointer() } else { " " };
    buf.set_style(row, style);
    let narrow = row.width < NARROW;
    let [date_area, variant_area, players_area, outcome_area] = row.layout(&Layout::horizontal([
        Constraint::Length(if narrow { 2 } else { 19 }),
        Constraint::Fill(2),
        Constraint::Fill(3),
        Constraint::Length(if narrow { 10 } else { 22 }),
    ]));
    Line::styled(format!("{pointer} {}", game.started.to_local_string()), dim)
        .render(date_area, buf);
    let name = truncate(
        &game.variant.to_string(),
        variant_area.width.saturating_sub(1),
        theme.ellipsis(),
    );
    Line::styled(name, style).render(variant_area, buf);
    let [x, o] = &game.seats;
    let players = truncate(
        &format!("{x} vs {o}"),
        players_area.width.saturating_sub(1),
        theme.ellipsis(),
    );
    Line::styled(players, style).render(players_area, buf);
    let result = match (game.result, game.ended) {
        (Some(Outcome::Win(Side::X)), _) => "X won",
        (Some(Outcome::Win(Side::O)), _) => "O won",
        (Some(Outcome::Draw), _) => "draw",
        (None, Some(_)) => "abandoned",
        (None, None) => "unfinished",
    };
    let moves = plural(game.move_count, "move");
    let text = match narrow {
        true => result.to_owned(),
        false => format!("{moves:>10}  {result:<10}"),
    };
    Line::styled(text, dim).render(outcome_area, buf);
}
