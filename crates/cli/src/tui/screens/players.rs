//! Everybody who has played here: their record in total, by game and by opponent.

use crossterm::event::KeyCode;
use noughts_store::{Name, PlayerRecord, Tally};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};

use crate::tui::app_context::AppContext;
use crate::tui::event::{Event, TaskMessage, Ticket};
use crate::tui::screens::menu::MenuScreen;
use crate::tui::screens::{Navigation, Screen, is_compact};
use crate::tui::theme::Theme;
use crate::tui::widgets::{KeyLine, KeyWord, Pane, SelectList, put_text, truncate, wrap};

pub(crate) struct PlayersScreen {
    people: Vec<(Name, Tally)>,
    rows: SelectList,
    /// Nothing until the store has answered.
    answered: bool,
    problem: Option<String>,
    asked: Ticket,
    record: Option<PlayerRecord>,
    asked_record: Ticket,
    keys: KeyLine,
}

impl PlayersScreen {
    pub(crate) fn open(house: &mut AppContext) -> Box<dyn Screen> {
        let asked = house.query_store(
            |store| async move { store.all_players().await },
            TaskMessage::Players,
        );
        Box::new(PlayersScreen {
            people: Vec::new(),
            rows: SelectList::new(0),
            answered: false,
            problem: None,
            asked,
            record: None,
            asked_record: Ticket::default(),
            keys: KeyLine::new(),
        })
    }

    /// Asks for the record of whoever is selected.
    fn ask(&mut self, house: &mut AppContext) {
        let Some((name, _)) = self.people.get(self.rows.selected()) else {
            return;
        };
        let name = name.clone();
        let question =
            move |store: noughts_store::Store| async move { store.player_record(&name).await };
        self.asked_record = house.query_store(question, TaskMessage::PlayerRecord);
    }

    fn hear(&mut self, ticket: Ticket, news: TaskMessage, house: &mut AppContext) {
        match news {
            TaskMessage::Players(Ok(people)) if ticket == self.asked => {
                self.answered = true;
                self.rows.set_len(people.len());
                self.people = people;
                self.ask(house);
            }
            TaskMessage::Players(Err(problem)) if ticket == self.asked => {
                self.problem = Some(problem)
            }
            TaskMessage::PlayerRecord(Ok(record)) if ticket == self.asked_record => {
                self.record = record
            }
            TaskMessage::PlayerRecord(Err(problem)) if ticket == self.asked_record => {
                self.problem = Some(problem);
            }
            _ => {}
        }
    }
}

impl Screen for PlayersScreen {
    fn handle_event(&mut self, event: Event, house: &mut AppContext) -> Navigation {
        let before = self.rows.selected();
        let key = match event {
            Event::Task(ticket, news) => {
                self.hear(ticket, news, house);
                return Navigation::Stay;
            }
            Event::Key(key) => Some(key),
            Event::Mouse(mouse) => match self.keys.handle_mouse(mouse) {
                Some(key) => Some(key),
                None => {
                    self.rows.handle_mouse(mouse);
                    None
                }
            },
            _ => None,
        };
        match key.map(|key| key.code) {
            Some(KeyCode::Esc | KeyCode::Char('q' | 'm')) => {
                return Navigation::Go(MenuScreen::open(house));
            }
            Some(_) => {
                if let Some(key) = key {
                    self.rows.handle_key(key);
                }
            }
            None => {}
        }
        if self.rows.selected() != before {
            self.ask(house);
        }
        Navigation::Stay
    }

    fn draw(&mut self, frame: &mut Frame, house: &AppContext) {
        let look = &house.theme;
        let buf = frame.buffer_mut();
        let area = buf.area;
        let [main, keys] = area.layout(&Layout::vertical([
            Constraint::Min(1),
            Constraint::Length(1),
        ]));
        let [list, record] = match is_compact(area) {
            // The list, and the selected player's numbers below it.
            true => main.layout(&Layout::vertical([
                Constraint::Fill(1),
                Constraint::Length(4),
            ])),
            false => main.layout(&Layout::horizontal([
                Constraint::Length(if area.width < ROOMY { 30 } else { 60 }),
                Constraint::Min(1),
            ])),
        };
        self.draw_list(look, list, buf);
        self.draw_record(look, record, buf);
        let mut words = vec![KeyWord::new("Esc", "back to the menu", KeyCode::Esc)];
        if self.people.len() > 1 {
            words.insert(0, KeyWord::new("arrows", "somebody else", KeyCode::Down));
        }
        self.keys.render(&words, look, keys, buf);
    }
}

/// From this width on the list has all numbers, too.
const ROOMY: u16 = 110;

/// The width of the numbers: games, won, lost, tied.
const NUMBERS: u16 = 24;

fn numbers(tally: Tally) -> String {
    let Tally {
        wins,
        losses,
        draws: ties,
    } = tally;
    format!("{:>6}{wins:>6}{losses:>6}{ties:>6}", tally.games())
}

fn headings() -> String {
    format!("{:>6}{:>6}{:>6}{:>6}", "games", "won", "lost", "tied")
}

impl PlayersScreen {
    fn draw_list(&mut self, look: &Theme, area: Rect, buf: &mut Buffer) {
        let inside = Pane::new(look, "People").focused(true).render(area, buf);
        let message = match (&self.problem, self.answered) {
            (Some(problem), _) => Some((problem.as_str(), look.error())),
            (None, true) if self.people.is_empty() => {
                Some(("Nobody has played here yet.", look.dim()))
            }
            _ => None,
        };
        if let Some((message, style)) = message {
            for (line, row) in wrap(message, inside.width).iter().zip(inside.rows()) {
                put_text(line, style, Alignment::Left, row, buf);
            }
            return;
        }
        let [head, rows] = inside.layout(&Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(0),
        ]));
        let roomy = usize::from(inside.width) > headings().len() * 2;
        let headings = if roomy { headings() } else { "games".into() };
        put_text(&headings, look.dim(), Alignment::Right, head, buf);
        for (at, row) in self.rows.visible_rows(rows) {
            let (name, tally) = &self.people[at];
            let selected = at == self.rows.selected();
            let sign = if selected { look.pointer() } else { " " };
            let style = if selected {
                look.selected()
            } else {
                look.text()
            };
            buf.set_style(row, style);
            let numbers = if roomy {
                numbers(*tally)
            } else {
                tally.games().to_string()
            };
            let room = row.width.saturating_sub(numbers.len() as u16 + 3);
            let name = truncate(name.as_str(), room, look.ellipsis());
            put_text(&format!("{sign} {name}"), style, Alignment::Left, row, buf);
            put_text(&numbers, style, Alignment::Right, row, buf);
        }
    }

    fn draw_record(&self, look: &Theme, area: Rect, buf: &mut Buffer) {
        let title = self
            .record
            .as_ref()
            .map_or("", |record| record.name.as_str());
        let inside = Pane::new(look, title).render(area, buf);
        let Some(record) = &self.record else {
            return;
        };
        let mut rows = inside.rows();
        if let Some(row) = rows.next() {
            put_text(&headings(), look.dim(), Alignment::Right, row, buf);
        }
        let mut line = |text: String, tally: Option<Tally>, strong: bool| {
            let Some(row) = rows.next() else { return };
            let style = if strong { look.strong() } else { look.text() };
            let numbers_take = if tally.is_some() { NUMBERS } else { 0 };
            let text = truncate(
                &text,
                row.width.saturating_sub(numbers_take),
                look.ellipsis(),
            );
            put_text(&text, style, Alignment::Left, row, buf);
            let numbers = tally.map_or_else(String::new, numbers);
            put_text(&numbers, style, Alignment::Right, row, buf);
        };
        line("All games".into(), Some(record.total), true);
        line(String::new(), None, false);
        line("By game".into(), None, true);
        for (variant, tally) in &record.by_variant {
            line(format!("  {variant}"), Some(*tally), false);
        }
        line(String::new(), None, false);
        line("Against".into(), None, true);
        for (seat, tally) in &record.by_opponent {
            line(format!("  {seat}"), Some(*tally), false);
        }
        line(String::new(), None, false);
        line(
            format!("since {}", record.since.to_local_string()),
            None,
            false,
        );
    }
}
