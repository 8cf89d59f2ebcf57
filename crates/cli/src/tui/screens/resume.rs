//! Offers unfinished games when the program starts.

use crossterm::event::KeyCode;
use noughts_rules::{AnyGameState, Termination};
use noughts_store::{GameId, GameSummary};
use noughts_text::capitalize;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::macros::{horizontal, vertical};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::tui::app_context::AppContext;
use crate::tui::board::{Board, BoardRenderContext};
use crate::tui::event::Event;
use crate::tui::screens::playing::GameScreen;
use crate::tui::screens::{Navigation, Screen, ScreenFactory, is_compact};
use crate::tui::theme::Theme;
use crate::tui::widgets::{
    Dialog, DialogResult, KeyHint, ListInput, ListRow, SelectList, draw_wrapped, popup_frame,
    truncate,
};
use noughts_session::policy::GameRequest;
use noughts_session::{display_name, resumable_games};

pub(crate) struct ResumeScreen {
    games: Vec<GameSummary>,
    list: SelectList,
    /// The board of the selected game.
    preview: Option<(GameId, AnyGameState, Board)>,
    /// Abandoning is final, so it needs a confirmation.
    confirmation: Option<Dialog<bool>>,
    error: Option<String>,
    next_screen: Option<ScreenFactory>,
}

/// Offers the unfinished games that fit the request. If there are none, opens the next screen.
pub(crate) fn offer(
    context: &mut AppContext,
    request: &GameRequest,
    next_screen: impl FnOnce(&mut AppContext) -> Box<dyn Screen> + 'static,
) -> Box<dyn Screen> {
    // If they can't be read now, they are offered the next time.
    let games = context
        .store_handle
        .query(|store| resumable_games(store, request));
    let games = games.unwrap_or_default();
    if games.is_empty() {
        return next_screen(context);
    }
    let mut resume = Box::new(ResumeScreen {
        list: SelectList::new(games.len()).with_row_height(LINES_PER_GAME),
        games,
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
            // An unreadable game isn't shown; resuming it reports the error.
            let state = context.store_handle.game(id).ok()?.replay().ok()?;
            let board = Board::new(&state);
            Some((id, state, board))
        });
    }

    fn resume(&mut self, context: &mut AppContext) -> Navigation {
        let Some(game) = self.game() else {
            return self.later(context);
        };
        let resumed = GameScreen::resume(context, game);
        Navigation::open(resumed, |reason| self.error = Some(reason))
    }

    fn later(&mut self, context: &mut AppContext) -> Navigation {
        Navigation::follow(&mut self.next_screen, context)
    }

    fn confirm_abandon(&mut self, theme: &Theme) {
        let Some(game) = self.games.get(self.list.selected()) else {
            return;
        };
        let [x, o] = game.seats.each_ref().map(display_name);
        let text = format!(
            "{variant} {separator} {x} vs {o}\n\nAn abandoned game isn't rated and can't be resumed. \
             Its moves stay in Saved games.",
            variant = game.variant,
            separator = theme.separator()
        );
        let dialog = Dialog::new("Abandon this game?", text).choice('k', "Keep it", false);
        self.confirmation = Some(dialog.choice('a', "Abandon it", true));
    }

    fn abandon(&mut self, context: &mut AppContext) -> Navigation {
        let Some(game) = self.game() else {
            return Navigation::Stay;
        };
        let ended = context
            .store_handle
            .query(|store| store.finish_game(game, None, Termination::Abandoned));
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
}

impl Screen for ResumeScreen {
    fn handle_event(&mut self, event: Event, context: &mut AppContext) -> Navigation {
        let next = self.handle_input(&event, context);
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
        let width = area.width.saturating_sub(4).min(90);
        let inner = popup_frame(theme, title, width, area.height.min(22), area, buf);
        let [main, error_area, _] = vertical![>=0, ==2, ==1].areas(inner);
        let [list, board] = horizontal![*=1, ==if is_compact(area) { 0 } else { 30 }].areas(main);
        for row in self.list.rows(theme, list, buf) {
            draw_game(&self.games[row.index], &row, theme, buf);
        }
        if let Some((_, state, preview)) = &mut self.preview {
            preview.render(&BoardRenderContext::inactive(state, theme), board, buf);
        }
        if let Some(error) = &self.error {
            let error_text = format!("{}.", capitalize(error));
            draw_wrapped(&error_text, theme.error(), theme, error_area, buf);
        }
        let keys = [
            KeyHint::new("Enter", "resume", KeyCode::Enter),
            KeyHint::letter("l", "keep for later"),
            KeyHint::letter("a", "abandon"),
            KeyHint::letter("q", "quit"),
        ];
        self.list.render_dialog_keys(&keys, theme, inner, buf);
    }
}

impl ResumeScreen {
    fn handle_input(&mut self, event: &Event, context: &mut AppContext) -> Navigation {
        if let Some(confirmation) = &mut self.confirmation {
            let answer = confirmation.handle_event(event);
            if answer != DialogResult::Pending {
                self.confirmation = None;
            }
            return match answer {
                DialogResult::Chosen(true) => self.abandon(context),
                _ => Navigation::Stay,
            };
        }
        let Some(ListInput::Key(key)) = self.list.handle_event(event) else {
            return Navigation::Stay;
        };
        self.error = None;
        match key.code {
            KeyCode::Enter | KeyCode::Char('r') => return self.resume(context),
            KeyCode::Esc | KeyCode::Char('l') => return self.later(context),
            KeyCode::Char('a') => self.confirm_abandon(&context.theme),
            KeyCode::Char('q') => return Navigation::Quit,
            _ => _ = self.list.handle_key(key),
        }
        Navigation::Stay
    }
}

/// The lines per game, including the empty line after it.
const LINES_PER_GAME: u16 = 4;

/// The variant, the players, the number of moves and the start time.
fn draw_game(game: &GameSummary, row: &ListRow, theme: &Theme, buf: &mut Buffer) {
    let (strong, text) = (row.style_or(theme.strong()), row.style_or(theme.dim()));
    let moves = noughts_text::plural(game.move_count, "move");
    let started = game.started.to_local_string();
    let [x, o] = game.seats.each_ref().map(display_name);
    let lines = [
        (format!("{} {}", row.pointer, game.variant), strong),
        (format!("  {x} vs {o}"), text),
        (format!("  {moves}, {started}"), text),
    ];
    for ((line, style), row) in lines.into_iter().zip(row.area.rows()) {
        Line::styled(truncate(&line, row.width, theme.ellipsis()), style).render(row, buf);
    }
}
