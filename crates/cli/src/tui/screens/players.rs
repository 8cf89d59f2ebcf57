//! All known players with their records: total, by game and by opponent.

use crossterm::event::KeyCode;
use noughts_store::{Name, PlayerRecord, Tally};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};

use crate::tui::app_context::AppContext;
use crate::tui::event::{Event, TaskId, TaskMessage};
use crate::tui::screens::menu::MenuScreen;
use crate::tui::screens::{Navigation, Screen, is_compact};
use crate::tui::theme::Theme;
use crate::tui::widgets::{KeyHint, KeyHintBar, Pane, SelectList, put_text, truncate, wrap};

pub(crate) struct PlayersScreen {
    players: Vec<(Name, Tally)>,
    list: SelectList,
    /// Has the store answered?
    is_loaded: bool,
    error: Option<String>,
    players_query: TaskId,
    record: Option<PlayerRecord>,
    record_query: TaskId,
    key_hint_bar: KeyHintBar,
}

impl PlayersScreen {
    pub(crate) fn open(context: &mut AppContext) -> Box<dyn Screen> {
        let players_query = context.query_store(
            |store| async move { store.all_players().await },
            TaskMessage::Players,
        );
        Box::new(PlayersScreen {
            players: Vec::new(),
            list: SelectList::new(0),
            is_loaded: false,
            error: None,
            players_query,
            record: None,
            record_query: TaskId::default(),
            key_hint_bar: KeyHintBar::new(),
        })
    }

    /// Queries the record of the selected player.
    fn query_record(&mut self, context: &mut AppContext) {
        let Some((name, _)) = self.players.get(self.list.selected()) else {
            return;
        };
        let name = name.clone();
        let query =
            move |store: noughts_store::Store| async move { store.player_record(&name).await };
        self.record_query = context.query_store(query, TaskMessage::PlayerRecord);
    }

    fn handle_message(&mut self, task: TaskId, message: TaskMessage, context: &mut AppContext) {
        match message {
            TaskMessage::Players(Ok(players)) if task == self.players_query => {
                self.is_loaded = true;
                self.list.set_len(players.len());
                self.players = players;
                self.query_record(context);
            }
            TaskMessage::Players(Err(error)) if task == self.players_query => {
                self.error = Some(error);
            }
            TaskMessage::PlayerRecord(Ok(record)) if task == self.record_query => {
                self.record = record;
            }
            TaskMessage::PlayerRecord(Err(error)) if task == self.record_query => {
                self.error = Some(error);
            }
            _ => {}
        }
    }
}

impl Screen for PlayersScreen {
    fn handle_event(&mut self, event: Event, context: &mut AppContext) -> Navigation {
        let before = self.list.selected();
        let key = match event {
            Event::Task(task, message) => {
                self.handle_message(task, message, context);
                return Navigation::Stay;
            }
            Event::Key(key) => Some(key),
            Event::Mouse(mouse) => match self.key_hint_bar.handle_mouse(mouse) {
                Some(key) => Some(key),
                None => {
                    self.list.handle_mouse(mouse);
                    None
                }
            },
            _ => None,
        };
        match key.map(|key| key.code) {
            Some(KeyCode::Esc | KeyCode::Char('q' | 'm')) => {
                return Navigation::Go(MenuScreen::open(context));
            }
            Some(_) => {
                if let Some(key) = key {
                    self.list.handle_key(key);
                }
            }
            None => {}
        }
        if self.list.selected() != before {
            self.query_record(context);
        }
        Navigation::Stay
    }

    fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        let theme = &context.theme;
        let buf = frame.buffer_mut();
        let area = buf.area;
        let [main, keys] = area.layout(&Layout::vertical([
            Constraint::Min(1),
            Constraint::Length(1),
        ]));
        let [list, record] = match is_compact(area) {
            // The list, and the record of the selected player below it.
            true => main.layout(&Layout::vertical([
                Constraint::Fill(1),
                Constraint::Length(4),
            ])),
            false => main.layout(&Layout::horizontal([
                Constraint::Length(if area.width < WIDE_LAYOUT { 30 } else { 60 }),
                Constraint::Min(1),
            ])),
        };
        self.draw_list(theme, list, buf);
        self.draw_record(theme, record, buf);
        let mut key_hints = vec![KeyHint::new("Esc", "back to the menu", KeyCode::Esc)];
        if self.players.len() > 1 {
            key_hints.insert(0, KeyHint::new("arrows", "select", KeyCode::Down));
        }
        self.key_hint_bar.render(&key_hints, theme, keys, buf);
    }
}

/// From this width on the list shows all numbers.
const WIDE_LAYOUT: u16 = 110;

/// The width of the numbers: games, won, lost, drawn.
const NUMBERS_WIDTH: u16 = 24;

fn numbers_text(tally: Tally) -> String {
    let Tally {
        wins,
        losses,
        draws: ties,
    } = tally;
    format!("{:>6}{wins:>6}{losses:>6}{ties:>6}", tally.games())
}

fn headings_text() -> String {
    format!("{:>6}{:>6}{:>6}{:>6}", "games", "won", "lost", "drawn")
}

impl PlayersScreen {
    fn draw_list(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let inner = Pane::new(theme, "Players").focused(true).render(area, buf);
        let message = match (&self.error, self.is_loaded) {
            (Some(error), _) => Some((error.as_str(), theme.error())),
            (None, true) if self.players.is_empty() => {
                Some(("No players yet. Play a game to add one.", theme.dim()))
            }
            _ => None,
        };
        if let Some((message, style)) = message {
            for (line, row) in wrap(message, inner.width).iter().zip(inner.rows()) {
                put_text(line, style, Alignment::Left, row, buf);
            }
            return;
        }
        let [head, list] = inner.layout(&Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(0),
        ]));
        let is_wide = usize::from(inner.width) > headings_text().len() * 2;
        let headings = if is_wide {
            headings_text()
        } else {
            "games".into()
        };
        put_text(&headings, theme.dim(), Alignment::Right, head, buf);
        for (index, row) in self.list.visible_rows(list) {
            let (name, tally) = &self.players[index];
            let selected = index == self.list.selected();
            let pointer = if selected { theme.pointer() } else { " " };
            let style = if selected {
                theme.selected()
            } else {
                theme.text()
            };
            buf.set_style(row, style);
            let numbers = if is_wide {
                numbers_text(*tally)
            } else {
                tally.games().to_string()
            };
            let room = row.width.saturating_sub(numbers.len() as u16 + 3);
            let name = truncate(name.as_str(), room, theme.ellipsis());
            put_text(
                &format!("{pointer} {name}"),
                style,
                Alignment::Left,
                row,
                buf,
            );
            put_text(&numbers, style, Alignment::Right, row, buf);
        }
    }

    fn draw_record(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let title = self
            .record
            .as_ref()
            .map_or("", |record| record.name.as_str());
        let inner = Pane::new(theme, title).render(area, buf);
        let Some(record) = &self.record else {
            return;
        };
        let mut rows = inner.rows();
        if let Some(row) = rows.next() {
            put_text(&headings_text(), theme.dim(), Alignment::Right, row, buf);
        }
        let mut line = |text: String, tally: Option<Tally>, strong: bool| {
            let Some(row) = rows.next() else { return };
            let style = if strong { theme.strong() } else { theme.text() };
            let numbers_width = if tally.is_some() { NUMBERS_WIDTH } else { 0 };
            let text = truncate(
                &text,
                row.width.saturating_sub(numbers_width),
                theme.ellipsis(),
            );
            put_text(&text, style, Alignment::Left, row, buf);
            let numbers = tally.map_or_else(String::new, numbers_text);
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
            format!(
                "Player since {since}",
                since = record.since.to_local_string()
            ),
            None,
            false,
        );
    }
}
