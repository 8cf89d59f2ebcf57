//! The stored games: opens the review of a finished game, and resumes an unfinished one.

use crossterm::event::KeyCode;
use noughts_session::{display_name, stored_game_over};
use noughts_store::{GameFilter, GameSummary};
use noughts_text::{capitalize, listed_result, plural, unrated_notice};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::macros::{horizontal, vertical};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::tui::app_context::AppContext;
use crate::tui::event::{Event, TaskId, TaskMessage};
use crate::tui::screens::menu::MenuScreen;
use crate::tui::screens::playing::GameScreen;
use crate::tui::screens::review::ReviewScreen;
use crate::tui::screens::{Navigation, Screen};
use crate::tui::theme::Theme;
use crate::tui::widgets::{KeyHint, ListInput, ListRow, Pane, SelectList, draw_wrapped, truncate};

/// More than anyone scrolls through; `noughts games` lists them all.
const MAX_GAMES: u32 = 1000;

pub(crate) struct SavedGamesScreen {
    games: Vec<GameSummary>,
    list: SelectList,
    is_loaded: bool,
    error: Option<String>,
    games_query: TaskId,
}

impl SavedGamesScreen {
    pub(crate) fn open(context: &mut AppContext) -> Box<dyn Screen> {
        let filter = GameFilter {
            limit: Some(MAX_GAMES),
            ..GameFilter::default()
        };
        let games_query = context.query_store(
            |store| async move { store.games(&filter).await },
            TaskMessage::Games,
        );
        Box::new(SavedGamesScreen {
            games: Vec::new(),
            list: SelectList::new(0),
            is_loaded: false,
            error: None,
            games_query,
        })
    }

    /// Reviews a finished game, resumes an unfinished one.
    fn enter(&mut self, context: &mut AppContext) -> Navigation {
        let Some(game) = self.selected() else {
            return Navigation::Stay;
        };
        let (id, is_over) = (game.id, game.ended.is_some());
        let show_error = |reason| self.error = Some(reason);
        if is_over {
            let review = ReviewScreen::open(context, id, Box::new(SavedGamesScreen::open));
            Navigation::open(review, show_error)
        } else {
            Navigation::open(GameScreen::resume(context, id), show_error)
        }
    }
}

impl Screen for SavedGamesScreen {
    fn handle_event(&mut self, event: Event, context: &mut AppContext) -> Navigation {
        if let Event::Task(task, TaskMessage::Games(games)) = event {
            if task == self.games_query {
                self.is_loaded = true;
                match games {
                    Ok(games) => {
                        self.list.set_len(games.len());
                        self.games = games;
                    }
                    Err(error) => self.error = Some(error),
                }
            }
            return Navigation::Stay;
        }
        let key = match self.list.handle_event(&event) {
            Some(ListInput::Key(key)) => key,
            Some(ListInput::Clicked(_)) => return self.enter(context),
            None => return Navigation::Stay,
        };
        self.error = None;
        match key.code {
            KeyCode::Esc | KeyCode::Char('q' | 'm') => {
                return Navigation::Go(MenuScreen::open(context));
            }
            KeyCode::Enter => return self.enter(context),
            _ => _ = self.list.handle_key(key),
        }
        Navigation::Stay
    }

    fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        let theme = &context.theme;
        let buf = frame.buffer_mut();
        let area = buf.area;
        let [main, help, keys] = vertical![>=1, ==1, ==1].areas(area);
        let inner = Pane::new(theme, "Saved games")
            .focused(true)
            .render(main, buf);
        if self.is_loaded && self.games.is_empty() {
            Line::styled("No saved games yet. Play a game first.", theme.dim()).render(inner, buf);
        }
        for row in self.list.rows(theme, inner, buf) {
            draw_game(&self.games[row.index], &row, theme, buf);
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
        self.list.render_keys(&key_hints, theme, keys, buf);
    }
}

impl SavedGamesScreen {
    fn selected(&self) -> Option<&GameSummary> {
        self.games.get(self.list.selected())
    }

    /// The error, or how the selected game ended.
    fn draw_help(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let (text, style) = match (&self.error, self.selected()) {
            (Some(error), _) => (format!("{}.", capitalize(error)), theme.error()),
            (None, Some(game)) => (ending(game), theme.dim()),
            (None, None) => return,
        };
        draw_wrapped(&text, style, theme, area.inner(Margin::new(1, 0)), buf);
    }
}

/// How a game ended, as a sentence.
fn ending(game: &GameSummary) -> String {
    let text =
        stored_game_over(game).map_or_else(|| "Unfinished.".to_owned(), |over| over.sentence());
    match game.unrated_reason() {
        Some(reason) => format!("{text} {}", unrated_notice(reason, false)),
        None => text,
    }
}

/// In fewer columns only the variant, the players and the result are shown.
const NARROW: u16 = 70;

/// The date, the variant, the players, the number of moves and the result.
fn draw_game(game: &GameSummary, row: &ListRow, theme: &Theme, buf: &mut Buffer) {
    let (style, dim) = (row.style, row.style_or(theme.dim()));
    let narrow = row.area.width < NARROW;
    let columns =
        horizontal![==if narrow { 2 } else { 19 }, *=2, *=3, ==if narrow { 10 } else { 22 }]
            .areas::<4>(row.area);
    let fit = |text: String, column: Rect| {
        truncate(&text, column.width.saturating_sub(1), theme.ellipsis())
    };
    let date = format!("{} {}", row.pointer, game.started.to_local_string());
    let variant = fit(game.variant.to_string(), columns[1]);
    let [x, o] = game.seats.each_ref().map(display_name);
    let players = fit(format!("{x} vs {o}"), columns[2]);
    let result = listed_result(game.result, game.ended.is_some());
    let moves = plural(game.move_count, "move");
    let result = match narrow {
        true => result,
        false => format!("{moves:>10}  {result:<10}"),
    };
    let texts = [
        (date, dim),
        (variant, style),
        (players, style),
        (result, dim),
    ];
    for ((text, style), column) in texts.into_iter().zip(columns) {
        Line::styled(text, style).render(column, buf);
    }
}
