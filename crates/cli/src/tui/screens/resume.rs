//! Games that were not finished, offered when the program starts.

use crossterm::event::KeyCode;
use noughts_rules::AnyGameState;
use noughts_store::{GameId, GameSummary, Termination};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::text::Line;

use crate::store_handle::StoreHandle;
use crate::tui::app_context::AppContext;
use crate::tui::board::{Board, RenderContext};
use crate::tui::event::Event;
use crate::tui::screens::playing::GameScreen;
use crate::tui::screens::{Navigation, Screen, is_compact};
use crate::tui::theme::Theme;
use crate::tui::widgets::{
    Choice, Dialog, KeyLine, KeyWord, Picked, SelectList, popup_frame, put_text, truncate,
    wrap_truncated,
};
use noughts_session::resumable_games;

/// What makes the screen that comes after "later".
type Then = Box<dyn FnOnce(&mut AppContext) -> Box<dyn Screen>>;

pub(crate) struct ResumeScreen {
    games: Vec<GameSummary>,
    rows: SelectList,
    keys: KeyLine,
    /// The board of the selected game.
    shown: Option<(GameId, AnyGameState, Board)>,
    /// Abandoning is final, so it is asked.
    asked: Option<Dialog<bool>>,
    problem: Option<String>,
    then: Option<Then>,
}

/// The games that could be resumed, if there are some of those wanted; otherwise
/// what comes after them.
pub(crate) fn offer(
    house: &mut AppContext,
    wanted: impl Fn(&StoreHandle, &GameSummary) -> bool,
    then: impl FnOnce(&mut AppContext) -> Box<dyn Screen> + 'static,
) -> Box<dyn Screen> {
    let store = house.store_handle.store();
    // If they cannot be read now, they are there the next time.
    let mut games = house
        .store_handle
        .block_on(resumable_games(store))
        .unwrap_or_default();
    games.retain(|game| wanted(&house.store_handle, game));
    if games.is_empty() {
        return then(house);
    }
    let mut resume = Box::new(ResumeScreen {
        rows: SelectList::new(games.len()).tall(LINES),
        games,
        keys: KeyLine::new(),
        shown: None,
        asked: None,
        problem: None,
        then: Some(Box::new(then)),
    });
    resume.show(house);
    resume
}

impl ResumeScreen {
    fn game(&self) -> Option<GameId> {
        self.games.get(self.rows.selected()).map(|game| game.id)
    }

    /// Looks at the board of the selected game.
    fn show(&mut self, house: &AppContext) {
        let game = self.game();
        if game == self.shown.as_ref().map(|(shown, ..)| *shown) {
            return;
        }
        self.shown = game.and_then(|id| {
            let store = house.store_handle.store();
            // What cannot be read is not shown; resuming it says why.
            let game = house.store_handle.block_on(store.game(id)).ok().flatten()?;
            let play = game.replay().ok()?;
            let board = Board::new(&play);
            Some((id, play, board))
        });
    }

    fn resume(&mut self, house: &mut AppContext) -> Navigation {
        let Some(game) = self.game() else {
            return self.later(house);
        };
        match GameScreen::resume(house, game) {
            Ok(screen) => Navigation::Go(screen),
            Err(problem) => {
                self.problem = Some(problem);
                Navigation::Stay
            }
        }
    }

    fn later(&mut self, house: &mut AppContext) -> Navigation {
        match self.then.take() {
            Some(then) => Navigation::Go(then(house)),
            None => Navigation::Stay,
        }
    }

    fn ask(&mut self, look: &Theme) {
        let Some(game) = self.games.get(self.rows.selected()) else {
            return;
        };
        let text = vec![
            Line::from(told(game, look)),
            Line::default(),
            Line::from(
                "An abandoned game counts for nobody and cannot be resumed. Its moves stay among \
                 the saved games.",
            ),
        ];
        let choices = vec![
            Choice::new('k', "Keep it for later", false),
            Choice::new('a', "Abandon it", true),
        ];
        self.asked = Some(Dialog::new("Abandon this game?", text, choices));
    }

    fn abandon(&mut self, house: &mut AppContext) -> Navigation {
        let Some(game) = self.game() else {
            return Navigation::Stay;
        };
        let store = house.store_handle.store();
        let ended =
            house
                .store_handle
                .block_on(store.finish_game(game, None, Termination::Abandoned));
        if let Err(error) = ended {
            self.problem = Some(error.to_string());
            return Navigation::Stay;
        }
        self.games.remove(self.rows.selected());
        self.rows.set_len(self.games.len());
        if self.games.is_empty() {
            return self.later(house);
        }
        Navigation::Stay
    }

    /// What comes of the question that is open.
    fn answered(&mut self, picked: Picked<bool>, house: &mut AppContext) -> Navigation {
        if picked != Picked::Pending {
            self.asked = None;
        }
        match picked {
            Picked::Chosen(true) => self.abandon(house),
            _ => Navigation::Stay,
        }
    }
}

impl Screen for ResumeScreen {
    fn handle_event(&mut self, event: Event, house: &mut AppContext) -> Navigation {
        let next = self.hear(event, house);
        self.show(house);
        next
    }

    fn draw(&mut self, frame: &mut Frame, house: &AppContext) {
        let look = &house.theme;
        let area = frame.area();
        let buf = frame.buffer_mut();
        if let Some(asked) = &self.asked {
            asked.render(look, area, buf);
            return;
        }
        let title = match self.games.len() {
            1 => "A game is not finished",
            _ => "Games are not finished",
        };
        let width = Constraint::Length(area.width.saturating_sub(4).min(90));
        let inside = self::popup_frame(look, title, width, area.height.min(22), area, buf);
        let [main, problem, last] = inside.layout(&Layout::vertical([
            Constraint::Min(0),
            Constraint::Length(2),
            Constraint::Length(1),
        ]));
        let [list, board] = main.layout(&Layout::horizontal([
            Constraint::Fill(1),
            Constraint::Length(if is_compact(area) { 0 } else { 30 }),
        ]));
        for (at, place) in self.rows.visible_rows(list) {
            draw_game(
                &self.games[at],
                at == self.rows.selected(),
                look,
                place,
                buf,
            );
        }
        self.draw_board(look, board, buf);
        let told = self.problem.as_deref().unwrap_or_default();
        let lines = wrap_truncated(told, problem.width, problem.height, look.ellipsis());
        for (line, row) in lines.iter().zip(problem.rows()) {
            put_text(line, look.error(), Alignment::Left, row, buf);
        }
        let last = Rect {
            x: last.x.saturating_sub(1),
            ..last
        };
        let keys = [
            KeyWord::new("Enter", "resume", KeyCode::Enter),
            KeyWord::letter("l", "later"),
            KeyWord::letter("a", "abandon"),
            KeyWord::letter("q", "quit"),
        ];
        self.keys.render(&keys, look, last, buf);
    }
}

impl ResumeScreen {
    fn draw_board(&mut self, look: &Theme, area: Rect, buf: &mut Buffer) {
        let Some((_, play, board)) = &mut self.shown else {
            return;
        };
        let view = RenderContext {
            state: play,
            theme: look,
            active: false,
            annotations: None,
            hint: None,
        };
        board.render(&view, area, buf);
    }

    fn hear(&mut self, event: Event, house: &mut AppContext) -> Navigation {
        let key = match (event, &mut self.asked) {
            (Event::Key(key), Some(asked)) => {
                let picked = asked.handle_key(key);
                return self.answered(picked, house);
            }
            (Event::Mouse(mouse), Some(asked)) => {
                let picked = asked.handle_mouse(mouse);
                return self.answered(picked, house);
            }
            (Event::Key(key), None) => key,
            (Event::Mouse(mouse), None) => match self.keys.handle_mouse(mouse) {
                Some(key) => key,
                None => {
                    self.rows.handle_mouse(mouse);
                    return Navigation::Stay;
                }
            },
            _ => return Navigation::Stay,
        };
        self.problem = None;
        match key.code {
            KeyCode::Enter | KeyCode::Char('r') => return self.resume(house),
            KeyCode::Esc | KeyCode::Char('l') => return self.later(house),
            KeyCode::Char('a') => self.ask(&house.theme),
            KeyCode::Char('q') => return Navigation::Quit,
            _ => {
                self.rows.handle_key(key);
            }
        }
        Navigation::Stay
    }
}

/// Which game, and who plays it.
fn told(game: &GameSummary, look: &Theme) -> String {
    let [x, o] = &game.seats;
    format!("{} {} {x} and {o}", game.variant, look.separator())
}

/// How many lines a game takes, the empty one behind it included.
const LINES: u16 = 4;

/// The game, the players, the moves made, when it began.
fn draw_game(game: &GameSummary, selected: bool, look: &Theme, place: Rect, buf: &mut Buffer) {
    let (strong, text) = if selected {
        (look.selected(), look.selected())
    } else {
        (look.strong(), look.dim())
    };
    let sign = if selected { look.pointer() } else { " " };
    let moves = match game.move_count {
        1 => "1 move".to_owned(),
        many => format!("{many} moves"),
    };
    let [x, o] = &game.seats;
    let lines = [
        (format!("{sign} {}", game.variant), strong),
        (format!("  {x} and {o}"), text),
        (
            format!("  {moves}, {}", game.started.to_local_string()),
            text,
        ),
    ];
    for ((line, style), row) in lines.iter().zip(place.rows()) {
        buf.set_style(row, *style);
        let line = truncate(line, row.width, look.ellipsis());
        put_text(&line, *style, Alignment::Left, row, buf);
    }
}
