//! Games that were not finished, offered when the program starts.

use crossterm::event::KeyCode;
use noughts_rules::AnyPlay;
use noughts_store::{End, GameId, Listed};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::text::Line;

use crate::keeper::Keeper;
use crate::tui::board::{Board, View};
use crate::tui::event::Event;
use crate::tui::house::House;
use crate::tui::look::Look;
use crate::tui::screens::playing::Playing;
use crate::tui::screens::{Next, Screen, is_compact};
use crate::tui::widgets::{
    Choice, Dialog, KeyLine, KeyWord, Picked, Rows, frame, put, short, wrap_within,
};
use noughts_session::left_open;

/// What makes the screen that comes after "later".
type Then = Box<dyn FnOnce(&mut House) -> Box<dyn Screen>>;

pub(crate) struct Resume {
    games: Vec<Listed>,
    rows: Rows,
    keys: KeyLine,
    /// The board of the selected game.
    shown: Option<(GameId, AnyPlay, Board)>,
    /// Abandoning is final, so it is asked.
    asked: Option<Dialog<bool>>,
    problem: Option<String>,
    then: Option<Then>,
}

/// The games that could be resumed, if there are some of those wanted; otherwise
/// what comes after them.
pub(crate) fn offer(
    house: &mut House,
    wanted: impl Fn(&Keeper, &Listed) -> bool,
    then: impl FnOnce(&mut House) -> Box<dyn Screen> + 'static,
) -> Box<dyn Screen> {
    let store = house.keeper.store();
    // If they cannot be read now, they are there the next time.
    let mut games = house.keeper.wait(left_open(store)).unwrap_or_default();
    games.retain(|game| wanted(&house.keeper, game));
    if games.is_empty() {
        return then(house);
    }
    let mut resume = Box::new(Resume {
        rows: Rows::new(games.len()).tall(LINES),
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

impl Resume {
    fn game(&self) -> Option<GameId> {
        self.games.get(self.rows.selected()).map(|game| game.id)
    }

    /// Looks at the board of the selected game.
    fn show(&mut self, house: &House) {
        let game = self.game();
        if game == self.shown.as_ref().map(|(shown, ..)| *shown) {
            return;
        }
        self.shown = game.and_then(|id| {
            let store = house.keeper.store();
            // What cannot be read is not shown; resuming it says why.
            let game = house.keeper.wait(store.game(id)).ok().flatten()?;
            let play = game.play().ok()?;
            let board = Board::new(&play);
            Some((id, play, board))
        });
    }

    fn resume(&mut self, house: &mut House) -> Next {
        let Some(game) = self.game() else {
            return self.later(house);
        };
        match Playing::resume(house, game) {
            Ok(screen) => Next::Go(screen),
            Err(problem) => {
                self.problem = Some(problem);
                Next::Stay
            }
        }
    }

    fn later(&mut self, house: &mut House) -> Next {
        match self.then.take() {
            Some(then) => Next::Go(then(house)),
            None => Next::Stay,
        }
    }

    fn ask(&mut self, look: &Look) {
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

    fn abandon(&mut self, house: &mut House) -> Next {
        let Some(game) = self.game() else {
            return Next::Stay;
        };
        let store = house.keeper.store();
        let ended = house.keeper.wait(store.finish(game, None, End::Abandoned));
        if let Err(error) = ended {
            self.problem = Some(error.to_string());
            return Next::Stay;
        }
        self.games.remove(self.rows.selected());
        self.rows.resize(self.games.len());
        if self.games.is_empty() {
            return self.later(house);
        }
        Next::Stay
    }

    /// What comes of the question that is open.
    fn answered(&mut self, picked: Picked<bool>, house: &mut House) -> Next {
        if picked != Picked::Open {
            self.asked = None;
        }
        match picked {
            Picked::Answer(true) => self.abandon(house),
            _ => Next::Stay,
        }
    }
}

impl Screen for Resume {
    fn event(&mut self, event: Event, house: &mut House) -> Next {
        let next = self.hear(event, house);
        self.show(house);
        next
    }

    fn draw(&mut self, frame: &mut Frame, house: &House) {
        let look = &house.look;
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
        let inside = self::frame(look, title, width, area.height.min(22), area, buf);
        let [main, problem, last] = inside.layout(&Layout::vertical([
            Constraint::Min(0),
            Constraint::Length(2),
            Constraint::Length(1),
        ]));
        let [list, board] = main.layout(&Layout::horizontal([
            Constraint::Fill(1),
            Constraint::Length(if is_compact(area) { 0 } else { 30 }),
        ]));
        for (at, place) in self.rows.seen(list) {
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
        let lines = wrap_within(told, problem.width, problem.height, look.more());
        for (line, row) in lines.iter().zip(problem.rows()) {
            put(line, look.error(), Alignment::Left, row, buf);
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

impl Resume {
    fn draw_board(&mut self, look: &Look, area: Rect, buf: &mut Buffer) {
        let Some((_, play, board)) = &mut self.shown else {
            return;
        };
        let view = View {
            play,
            look,
            active: false,
            notes: None,
            hint: None,
        };
        board.render(&view, area, buf);
    }

    fn hear(&mut self, event: Event, house: &mut House) -> Next {
        let key = match (event, &mut self.asked) {
            (Event::Key(key), Some(asked)) => {
                let picked = asked.key(key);
                return self.answered(picked, house);
            }
            (Event::Mouse(mouse), Some(asked)) => {
                let picked = asked.mouse(mouse);
                return self.answered(picked, house);
            }
            (Event::Key(key), None) => key,
            (Event::Mouse(mouse), None) => match self.keys.mouse(mouse) {
                Some(key) => key,
                None => {
                    self.rows.mouse(mouse);
                    return Next::Stay;
                }
            },
            _ => return Next::Stay,
        };
        self.problem = None;
        match key.code {
            KeyCode::Enter | KeyCode::Char('r') => return self.resume(house),
            KeyCode::Esc | KeyCode::Char('l') => return self.later(house),
            KeyCode::Char('a') => self.ask(&house.look),
            KeyCode::Char('q') => return Next::Quit,
            _ => {
                self.rows.key(key);
            }
        }
        Next::Stay
    }
}

/// Which game, and who plays it.
fn told(game: &Listed, look: &Look) -> String {
    let [x, o] = &game.seats;
    format!("{} {} {x} and {o}", game.variant, look.dot())
}

/// How many lines a game takes, the empty one behind it included.
const LINES: u16 = 4;

/// The game, the players, the moves made, when it began.
fn draw_game(game: &Listed, selected: bool, look: &Look, place: Rect, buf: &mut Buffer) {
    let (strong, text) = if selected {
        (look.selected(), look.selected())
    } else {
        (look.strong(), look.dim())
    };
    let sign = if selected { look.pointer() } else { " " };
    let moves = match game.moves {
        1 => "1 move".to_owned(),
        many => format!("{many} moves"),
    };
    let [x, o] = &game.seats;
    let lines = [
        (format!("{sign} {}", game.variant), strong),
        (format!("  {x} and {o}"), text),
        (format!("  {moves}, {}", game.began.local()), text),
    ];
    for ((line, style), row) in lines.iter().zip(place.rows()) {
        buf.set_style(row, *style);
        let line = short(line, row.width, look.more());
        put(&line, *style, Alignment::Left, row, buf);
    }
}
