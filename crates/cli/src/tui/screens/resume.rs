//! Offers unfinished games when the program starts.

use crossterm::event::KeyCode;
use noughts_rules::{AnyGameState, Termination};
use noughts_store::{GameId, GameSummary};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::text::Line;

use crate::store_handle::StoreHandle;
use crate::tui::app_context::AppContext;
use crate::tui::board::{Board, BoardRenderContext};
use crate::tui::event::Event;
use crate::tui::screens::playing::GameScreen;
use crate::tui::screens::{Navigation, Screen, ScreenFactory, is_compact};
use crate::tui::theme::Theme;
use crate::tui::widgets::{
    Dialog, DialogChoice, DialogResult, KeyHint, KeyHintBar, SelectList, popup_frame, put_text,
    truncate, wrap_truncated,
};
use noughts_session::resumable_games;

pub(crate) struct ResumeScreen {
    games: Vec<GameSummary>,
    list: SelectList,
    key_hint_bar: KeyHintBar,
    /// The board of the selected game.
    preview: Option<(GameId, AnyGameState, Board)>,
    /// Abandoning is final, so it needs a confirmation.
    confirmation: Option<Dialog<bool>>,
    error: Option<String>,
    next_screen: Option<ScreenFactory>,
}

/// Offers the matching unfinished games. If there are none, opens the next screen.
pub(crate) fn offer(
    context: &mut AppContext,
    matches: impl Fn(&StoreHandle, &GameSummary) -> bool,
    next_screen: impl FnOnce(&mut AppContext) -> Box<dyn Screen> + 'static,
) -> Box<dyn Screen> {
    let store = context.store_handle.store();
    // If they can't be read now, they are offered the next time.
    let mut games = context
        .store_handle
        .block_on(resumable_games(store))
        .unwrap_or_default();
    games.retain(|game| matches(&context.store_handle, game));
    if games.is_empty() {
        return next_screen(context);
    }
    let mut resume = Box::new(ResumeScreen {
        list: SelectList::new(games.len()).with_row_height(LINES_PER_GAME),
        games,
        key_hint_bar: KeyHintBar::new(),
        preview: None,
        confirmation: None,
        error: None,
        next_screen: Some(Box::new(next_screen)),
    });
    resume.load_board(context);
    resume
}

impl ResumeScreen {
    fn game(&self) -> Option<GameId> {
        self.games.get(self.list.selected()).map(|game| game.id)
    }

    /// Loads the board of the selected game.
    fn load_board(&mut self, context: &AppContext) {
        let game = self.game();
        if game == self.preview.as_ref().map(|(preview, ..)| *preview) {
            return;
        }
        self.preview = game.and_then(|id| {
            let store = context.store_handle.store();
            // An unreadable game isn't shown; resuming it reports the error.
            let game = context
                .store_handle
                .block_on(store.game(id))
                .ok()
                .flatten()?;
            let state = game.replay().ok()?;
            let board = Board::new(&state);
            Some((id, state, board))
        });
    }

    fn resume(&mut self, context: &mut AppContext) -> Navigation {
        let Some(game) = self.game() else {
            return self.later(context);
        };
        match GameScreen::resume(context, game) {
            Ok(screen) => Navigation::Go(screen),
            Err(error) => {
                self.error = Some(error);
                Navigation::Stay
            }
        }
    }

    fn later(&mut self, context: &mut AppContext) -> Navigation {
        match self.next_screen.take() {
            Some(next_screen) => Navigation::Go(next_screen(context)),
            None => Navigation::Stay,
        }
    }

    fn confirm_abandon(&mut self, theme: &Theme) {
        let Some(game) = self.games.get(self.list.selected()) else {
            return;
        };
        let text = vec![
            Line::from(game_text(game, theme)),
            Line::default(),
            Line::from(
                "An abandoned game isn't rated and can't be resumed. Its moves stay in Saved \
                 games.",
            ),
        ];
        let choices = vec![
            DialogChoice::new('k', "Keep it", false),
            DialogChoice::new('a', "Abandon it", true),
        ];
        self.confirmation = Some(Dialog::new("Abandon this game?", text, choices));
    }

    fn abandon(&mut self, context: &mut AppContext) -> Navigation {
        let Some(game) = self.game() else {
            return Navigation::Stay;
        };
        let store = context.store_handle.store();
        let ended =
            context
                .store_handle
                .block_on(store.finish_game(game, None, Termination::Abandoned));
        if let Err(error) = ended {
            self.error = Some(error.to_string());
            return Navigation::Stay;
        }
        self.games.remove(self.list.selected());
        self.list.set_len(self.games.len());
        if self.games.is_empty() {
            return self.later(context);
        }
        Navigation::Stay
    }

    /// Handles the result of the confirmation dialog.
    fn handle_confirmation(
        &mut self,
        answer: DialogResult<bool>,
        context: &mut AppContext,
    ) -> Navigation {
        if answer != DialogResult::Pending {
            self.confirmation = None;
        }
        match answer {
            DialogResult::Chosen(true) => self.abandon(context),
            _ => Navigation::Stay,
        }
    }
}

impl Screen for ResumeScreen {
    fn handle_event(&mut self, event: Event, context: &mut AppContext) -> Navigation {
        let next = self.handle_input(event, context);
        self.load_board(context);
        next
    }

    fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        let theme = &context.theme;
        let area = frame.area();
        let buf = frame.buffer_mut();
        if let Some(confirmation) = &self.confirmation {
            confirmation.render(theme, area, buf);
            return;
        }
        let title = match self.games.len() {
            1 => "Unfinished game",
            _ => "Unfinished games",
        };
        let width = Constraint::Length(area.width.saturating_sub(4).min(90));
        let inner = self::popup_frame(theme, title, width, area.height.min(22), area, buf);
        let [main, error_area, last] = inner.layout(&Layout::vertical([
            Constraint::Min(0),
            Constraint::Length(2),
            Constraint::Length(1),
        ]));
        let [list, board] = main.layout(&Layout::horizontal([
            Constraint::Fill(1),
            Constraint::Length(if is_compact(area) { 0 } else { 30 }),
        ]));
        for (index, area) in self.list.visible_rows(list) {
            draw_game(
                &self.games[index],
                index == self.list.selected(),
                theme,
                area,
                buf,
            );
        }
        self.draw_board(theme, board, buf);
        let error_text = self.error.as_deref().unwrap_or_default();
        let lines = wrap_truncated(
            error_text,
            error_area.width,
            error_area.height,
            theme.ellipsis(),
        );
        for (line, row) in lines.iter().zip(error_area.rows()) {
            put_text(line, theme.error(), Alignment::Left, row, buf);
        }
        let last = Rect {
            x: last.x.saturating_sub(1),
            ..last
        };
        let keys = [
            KeyHint::new("Enter", "resume", KeyCode::Enter),
            KeyHint::letter("l", "later"),
            KeyHint::letter("a", "abandon"),
            KeyHint::letter("q", "quit"),
        ];
        self.key_hint_bar.render(&keys, theme, last, buf);
    }
}

impl ResumeScreen {
    fn draw_board(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let Some((_, state, board)) = &mut self.preview else {
            return;
        };
        let view = BoardRenderContext {
            state,
            theme,
            active: false,
            annotations: None,
            hint: None,
        };
        board.render(&view, area, buf);
    }

    fn handle_input(&mut self, event: Event, context: &mut AppContext) -> Navigation {
        let key = match (event, &mut self.confirmation) {
            (Event::Key(key), Some(confirmation)) => {
                let answer = confirmation.handle_key(key);
                return self.handle_confirmation(answer, context);
            }
            (Event::Mouse(mouse), Some(confirmation)) => {
                let answer = confirmation.handle_mouse(mouse);
                return self.handle_confirmation(answer, context);
            }
            (Event::Key(key), None) => key,
            (Event::Mouse(mouse), None) => match self.key_hint_bar.handle_mouse(mouse) {
                Some(key) => key,
                None => {
                    self.list.handle_mouse(mouse);
                    return Navigation::Stay;
                }
            },
            _ => return Navigation::Stay,
        };
        self.error = None;
        match key.code {
            KeyCode::Enter | KeyCode::Char('r') => return self.resume(context),
            KeyCode::Esc | KeyCode::Char('l') => return self.later(context),
            KeyCode::Char('a') => self.confirm_abandon(&context.theme),
            KeyCode::Char('q') => return Navigation::Quit,
            _ => {
                self.list.handle_key(key);
            }
        }
        Navigation::Stay
    }
}

/// The game and its players.
fn game_text(game: &GameSummary, theme: &Theme) -> String {
    let [x, o] = &game.seats;
    let (variant, separator) = (game.variant, theme.separator());
    format!("{variant} {separator} {x} vs {o}")
}

/// The lines per game, including the empty line after it.
const LINES_PER_GAME: u16 = 4;

/// The variant, the players, the number of moves and the start time.
fn draw_game(game: &GameSummary, selected: bool, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let (strong, text) = if selected {
        (theme.selected(), theme.selected())
    } else {
        (theme.strong(), theme.dim())
    };
    let pointer = if selected { theme.pointer() } else { " " };
    let moves = noughts_text::plural(game.move_count, "move");
    let [x, o] = &game.seats;
    let lines = [
        (format!("{pointer} {}", game.variant), strong),
        (format!("  {x} vs {o}"), text),
        (
            format!(
                "  {moves}, {started}",
                started = game.started.to_local_string()
            ),
            text,
        ),
    ];
    for ((line, style), row) in lines.iter().zip(area.rows()) {
        buf.set_style(row, *style);
        let line = truncate(line, row.width, theme.ellipsis());
        put_text(&line, *style, Alignment::Left, row, buf);
    }
}
