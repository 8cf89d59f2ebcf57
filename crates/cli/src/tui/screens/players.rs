//! All known players with their records: total, by game and by opponent.

use crossterm::event::KeyCode;
use noughts_session::display_name;
use noughts_store::{Name, PlayerRecord, Tally};
use noughts_text::capitalize;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::macros::{horizontal, vertical};
use ratatui::text::Span;
use ratatui::widgets::Widget;

use crate::tui::app_context::AppContext;
use crate::tui::event::{Event, TaskId, TaskMessage};
use crate::tui::screens::menu::MenuScreen;
use crate::tui::screens::{Navigation, Screen, is_compact};
use crate::tui::theme::Theme;
use crate::tui::widgets::{
    KeyHint, ListInput, Pane, SelectList, draw_right, draw_wrapped, truncate,
};

pub(crate) struct PlayersScreen {
    players: Vec<(Name, Tally)>,
    list: SelectList,
    /// Has the store answered?
    is_loaded: bool,
    error: Option<String>,
    players_query: TaskId,
    record: Option<PlayerRecord>,
    record_query: TaskId,
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
        })
    }

    /// Queries the record of the selected player.
    fn query_record(&mut self, context: &mut AppContext) {
        let Some((name, _)) = self.players.get(self.list.selected()) else {
            return;
        };
        let name = name.clone();
        self.record_query = context.query_store(
            |store| async move { store.player_record(&name).await },
            TaskMessage::PlayerRecord,
        );
    }

    fn handle_message(&mut self, task: TaskId, message: TaskMessage, context: &mut AppContext) {
        match message {
            TaskMessage::Players(Ok(players)) if task == self.players_query => {
                self.is_loaded = true;
                self.list.set_len(players.len());
                self.players = players;
                self.query_record(context);
            }
            TaskMessage::PlayerRecord(Ok(record)) if task == self.record_query => {
                self.record = record;
            }
            TaskMessage::Players(Err(error)) | TaskMessage::PlayerRecord(Err(error))
                if [self.players_query, self.record_query].contains(&task) =>
            {
                self.error = Some(error);
            }
            _ => {}
        }
    }
}

impl Screen for PlayersScreen {
    fn handle_event(&mut self, event: Event, context: &mut AppContext) -> Navigation {
        let before = self.list.selected();
        if let Some(ListInput::Key(key)) = self.list.handle_event(&event) {
            if let KeyCode::Esc | KeyCode::Char('q' | 'm') = key.code {
                return Navigation::Go(MenuScreen::open(context));
            }
            self.list.handle_key(key);
        } else if let Event::Task(task, message) = event {
            self.handle_message(task, message, context);
            return Navigation::Stay;
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
        let [main, keys] = vertical![>=1, ==1].areas(area);
        let [list, record] = match is_compact(area) {
            // The list, and the record of the selected player below it.
            true => vertical![*=1, ==4].areas(main),
            false => horizontal![==if area.width < WIDE_LAYOUT { 30 } else { 60 }, >=1].areas(main),
        };
        self.draw_list(theme, list, buf);
        self.draw_record(theme, record, buf);
        let mut key_hints = vec![KeyHint::new("Esc", "back to the menu", KeyCode::Esc)];
        if self.players.len() > 1 {
            key_hints.insert(0, KeyHint::new("arrows", "select", KeyCode::Down));
        }
        self.list.render_keys(&key_hints, theme, keys, buf);
    }
}

/// From this width on the list shows all numbers.
const WIDE_LAYOUT: u16 = 110;

/// One line of the table.
fn columns([games, wins, losses, draws]: [String; 4]) -> String {
    format!("{games:>6}{wins:>6}{losses:>8}{draws:>7}")
}

fn numbers_text(tally: Tally) -> String {
    let numbers = [tally.games(), tally.wins, tally.losses, tally.draws];
    columns(numbers.map(|number| number.to_string()))
}

fn headings_text() -> String {
    columns(["games", "wins", "losses", "draws"].map(str::to_owned))
}

impl PlayersScreen {
    fn draw_list(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let inner = Pane::new(theme, "Players").focused(true).render(area, buf);
        let message = match (&self.error, self.is_loaded) {
            (Some(error), _) => Some((format!("{}.", capitalize(error)), theme.error())),
            (None, true) if self.players.is_empty() => Some((
                "No players yet. Play a game to add one.".into(),
                theme.dim(),
            )),
            _ => None,
        };
        if let Some((message, style)) = message {
            return draw_wrapped(&message, style, theme, inner, buf);
        }
        let [head, list] = vertical![==1, >=0].areas(inner);
        let is_wide = usize::from(inner.width) > headings_text().len() * 2;
        let headings = match is_wide {
            true => headings_text(),
            false => "games".into(),
        };
        draw_right(&headings, theme.dim(), head, buf);
        for row in self.list.rows(theme, list, buf) {
            let (name, tally) = &self.players[row.index];
            let numbers = match is_wide {
                true => numbers_text(*tally),
                false => tally.games().to_string(),
            };
            let room = row.area.width.saturating_sub(numbers.len() as u16 + 3);
            let name = truncate(name.as_str(), room, theme.ellipsis());
            Span::styled(format!("{} {name}", row.pointer), row.style).render(row.area, buf);
            draw_right(&numbers, row.style, row.area, buf);
        }
    }

    fn draw_record(&self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let record = self.record.as_ref();
        let title = record.map_or("", |record| record.name.as_str());
        let inner = Pane::new(theme, title).render(area, buf);
        let Some(record) = record else { return };
        let mut rows = inner.rows();
        if let Some(row) = rows.next() {
            draw_right(&headings_text(), theme.dim(), row, buf);
        }
        let mut line = |text: String, tally: Option<Tally>, strong: bool| {
            let Some(row) = rows.next() else { return };
            let style = if strong { theme.strong() } else { theme.text() };
            let numbers = tally.map_or_else(String::new, numbers_text);
            let room = row.width.saturating_sub(numbers.len() as u16);
            Span::styled(truncate(&text, room, theme.ellipsis()), style).render(row, buf);
            draw_right(&numbers, style, row, buf);
        };
        line("All games".into(), Some(record.total), true);
        line(String::new(), None, false);
        line("By game".into(), None, true);
        for (variant, tally) in &record.by_variant {
            line(format!("  {variant}"), Some(*tally), false);
        }
        line(String::new(), None, false);
        line("By opponent".into(), None, true);
        for (seat, tally) in &record.by_opponent {
            line(format!("  {}", display_name(seat)), Some(*tally), false);
        }
        line(String::new(), None, false);
        let since = record.since.to_local_string();
        line(format!("Player since {since}"), None, false);
    }
}
