//! How the menu is drawn, and where it can be clicked.

use crossterm::event::KeyCode;
use noughts_rules::{Side as Mark, Variant};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Constraint, Layout, Margin, Rect, Rows};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::games::{FAMILIES, GAME_COUNT, known_value};
use super::player_choice::record_text;
use super::{Focus, LINKS, MenuScreen, Target};
use crate::tui::app_context::AppContext;
use crate::tui::game_setup::StartingPlayer;
use crate::tui::screens::is_compact;
use crate::tui::tablebase_build::TablebaseStatus;
use crate::tui::theme::Theme;
use crate::tui::widgets::{KeyWord, Pane, put_text, truncate, wrap, wrap_truncated};
use noughts_session::rulebook;

/// The largest that the menu gets; beyond, there is air around it.
const WIDEST: u16 = 132;
const TALLEST: u16 = 41;

/// A value between arrows, and where it is clicked.
struct Value<'a> {
    label: &'a str,
    text: &'a str,
    /// The column of the value.
    column: u16,
    room: u16,
    focused: bool,
    idle: bool,
}

impl MenuScreen {
    pub(super) fn paint(&mut self, frame: &mut Frame, house: &AppContext) {
        self.click_map.clear();
        let look = &house.theme;
        let area = frame.area();
        if is_compact(area) {
            return self.paint_compact(frame, house);
        }
        let area = area.centered(
            Constraint::Length(WIDEST.min(area.width)),
            Constraint::Length(TALLEST.min(area.height)),
        );
        let roomy = area.width >= 110 && area.height >= 36;
        let buf = frame.buffer_mut();
        let players = if roomy { 9 } else { 7 };
        let [title, top, seats, help, keys] = area.layout(&Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(13),
            Constraint::Length(players),
            Constraint::Length(2),
            Constraint::Length(1),
        ]));
        draw_title(look, house.store_handle.is_persistent(), title, buf);
        let widths = if roomy { [26, 50] } else { [20, 31] };
        let [list, rules, board] = top.layout(&Layout::horizontal([
            Constraint::Length(widths[0]),
            Constraint::Length(widths[1]),
            Constraint::Min(28),
        ]));
        self.draw_list(look, list, buf);
        self.draw_rules(look, rules, buf);
        self.preview.render(look, board, buf);
        let start = if roomy { 26 } else { 18 };
        let [one, two, start] = seats.layout(&Layout::horizontal([
            Constraint::Fill(1),
            Constraint::Fill(1),
            Constraint::Length(start),
        ]));
        self.draw_player(0, house, one, buf);
        self.draw_player(1, house, two, buf);
        self.draw_start(look, start, buf);
        self.draw_help(house, help, buf);
        self.draw_keys(house, keys, buf);
    }

    /// Everything in one column, as much of it as fits around what has the keys.
    fn paint_compact(&mut self, frame: &mut Frame, house: &AppContext) {
        let area = frame.area();
        let buf = frame.buffer_mut();
        let [title, list, help, keys] = area.layout(&Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(2),
            Constraint::Length(1),
        ]));
        draw_title(&house.theme, house.store_handle.is_persistent(), title, buf);
        let list = list.inner(Margin::new(1, 0));
        let places: Vec<Focus> = (0..GAME_COUNT + LINKS.len())
            .map(Focus::List)
            .chain(self.focus_order())
            .collect();
        let at = places.iter().position(|&place| place == self.focus);
        let room = usize::from(list.height);
        // What has the keys is in the middle, except at the ends.
        let first = at.unwrap_or(0).saturating_sub(room / 2);
        let first = first.min(places.len().saturating_sub(room));
        for (row, place) in list.rows().zip(&places[first..]) {
            self.draw_place(*place, house, row, buf);
        }
        // A sign where the list continues; the column next to it is free.
        let [up, down] = match house.theme.ascii() {
            true => ["^", "v"],
            false => ["↑", "↓"],
        };
        let edge = |row: Option<Rect>| {
            let row = row.unwrap_or_default();
            Rect {
                x: row.right(),
                width: row.width.min(1),
                ..row
            }
        };
        let accent = house.theme.accent();
        if first > 0 {
            put_text(up, accent, Alignment::Right, edge(list.rows().next()), buf);
        }
        if first + room < places.len() {
            let last = edge(list.rows().next_back());
            put_text(down, accent, Alignment::Right, last, buf);
        }
        self.draw_help(house, help, buf);
        self.draw_keys(house, keys, buf);
    }

    /// A line of the compact menu.
    fn draw_place(&mut self, place: Focus, house: &AppContext, row: Rect, buf: &mut Buffer) {
        let look = &house.theme;
        let label = |number: usize| match self.mark(number) {
            Some(mark) => format!("Player {} {mark}", number + 1),
            None => format!("Player {}", number + 1),
        };
        let (label, text, idle, [on, back]) = match place {
            Focus::List(at) => return self.draw_item(at, look, row, buf),
            Focus::Option(at) => {
                let rules = self.requests[self.game].option_views();
                let Some(rule) = rules.get(at) else { return };
                let targets = [Target::Option(at, true), Target::Option(at, false)];
                (
                    rule.label.to_owned(),
                    rule.value.clone(),
                    rule.has_no_effect,
                    targets,
                )
            }
            Focus::Kind(number) => {
                let kind = match self.players[number].is_human {
                    true => "a person",
                    false => "a computer",
                };
                let targets = [Target::Kind(number, true), Target::Kind(number, false)];
                (label(number), kind.to_owned(), false, targets)
            }
            Focus::Name(number) => {
                let (name, ..) = self.about(number, house);
                let targets = [
                    Target::Name(number, None),
                    Target::Name(number, Some(false)),
                ];
                (String::new(), name, false, targets)
            }
            Focus::StartingPlayer => {
                let targets = [Target::StartingPlayer(true), Target::StartingPlayer(false)];
                (
                    "Who starts".to_owned(),
                    self.first_word().to_owned(),
                    false,
                    targets,
                )
            }
        };
        const COLUMN: u16 = 14;
        let value = Value {
            label: &label,
            text: &text,
            column: COLUMN,
            room: row.width.saturating_sub(COLUMN + 4),
            focused: self.focus == place,
            idle,
        };
        let [back_place, whole] = draw_value(look, &value, row, buf);
        self.click_map.add(whole, on);
        self.click_map.add(back_place, back);
    }

    /// A game of the list, or what else there is.
    fn draw_item(&mut self, at: usize, look: &Theme, row: Rect, buf: &mut Buffer) {
        let (sign, title) = match at.checked_sub(GAME_COUNT) {
            None if at == self.game => (look.pointer().to_owned(), FAMILIES[at].title),
            None => (" ".to_owned(), FAMILIES[at].title),
            Some(link) => (LINKS[link].1.to_string(), LINKS[link].0),
        };
        let style = match (
            self.focus == Focus::List(at),
            at == self.game,
            at < GAME_COUNT,
        ) {
            (true, ..) => look.selected(),
            (false, true, _) => look.strong(),
            (false, false, true) => look.text(),
            (false, false, false) => look.dim(),
        };
        buf.set_style(row, style);
        Line::styled(format!("{sign} {title}"), style).render(row, buf);
        self.click_map.add(row, Target::List(at));
    }

    fn first_word(&self) -> &'static str {
        match self.starting_player {
            StartingPlayer::One => "player 1",
            StartingPlayer::Two => "player 2",
            StartingPlayer::Random => "chance",
        }
    }

    fn draw_list(&mut self, look: &Theme, area: Rect, buf: &mut Buffer) {
        let focused = matches!(self.focus, Focus::List(_));
        let inside = Pane::new(look, "Game").focused(focused).render(area, buf);
        for (at, (row, game)) in inside.rows().zip(&FAMILIES).enumerate() {
            let chosen = at == self.game;
            let style = match (chosen, self.focus == Focus::List(at)) {
                (_, true) => look.selected(),
                (true, false) => look.strong(),
                (false, false) => look.text(),
            };
            let sign = if chosen { look.pointer() } else { " " };
            let title = game.title;
            buf.set_style(row, style);
            Line::styled(format!("{sign} {title}"), style).render(row, buf);
            self.click_map.add(row, Target::List(at));
        }
        let links = inside.rows().skip(GAME_COUNT + 1);
        for (at, (row, (title, key))) in links.zip(&LINKS).enumerate() {
            let at = GAME_COUNT + at;
            let (style, accent) = if self.focus == Focus::List(at) {
                buf.set_style(row, look.selected());
                (look.selected(), look.selected())
            } else {
                (look.dim(), look.accent())
            };
            Line::from_iter([
                Span::styled(format!("{key}"), accent),
                Span::styled(format!(" {title}"), style),
            ])
            .render(row, buf);
            self.click_map.add(row, Target::List(at));
        }
    }

    fn draw_rules(&mut self, look: &Theme, area: Rect, buf: &mut Buffer) {
        let focused = matches!(self.focus, Focus::Option(_));
        let variant = self.variant();
        let name = variant.to_string();
        let inside = Pane::new(look, &name).focused(focused).render(area, buf);
        let mut rows = inside.rows();
        let sentence = wrap(&variant.summary(), inside.width);
        let value = known_value(variant).unwrap_or_default();
        let value = wrap(value, inside.width);
        let rules = self.requests[self.game].option_views();
        let above = sentence.len() + value.len();
        let height = usize::from(inside.height);
        let sentence = sentence.into_iter().map(|line| (line, look.text()));
        let value = value.into_iter().map(|line| (line, look.dim()));
        for ((line, style), row) in sentence.chain(value).zip(&mut rows) {
            put_text(&line, style, Alignment::Left, row, buf);
        }
        if height > above + rules.len() {
            rows.next();
        }
        if rules.is_empty() {
            draw_text(look, variant, rows, inside.width, buf);
            return;
        }
        // With room enough every option says what it means; without, the help does.
        let roomy = height > above + rules.len() * 3;
        let airy = height > above + rules.len() * 4;
        for (at, rule) in rules.iter().enumerate() {
            let Some(row) = rows.next() else { return };
            let value = Value {
                label: rule.label,
                text: &rule.value,
                column: 14,
                room: 8,
                focused: self.focus == Focus::Option(at),
                idle: rule.has_no_effect,
            };
            let [back, on] = draw_value(look, &value, row, buf);
            self.click_map.add(on, Target::Option(at, true));
            self.click_map.add(back, Target::Option(at, false));
            if roomy {
                let width = inside.width.saturating_sub(2);
                let sentence = wrap_truncated(&rule.description, width, 2, look.ellipsis());
                for (line, row) in sentence.iter().zip(&mut rows) {
                    let line = format!("  {line}");
                    put_text(&line, look.dim(), Alignment::Left, row, buf);
                }
            }
            if airy {
                rows.next();
            }
        }
    }

    fn draw_player(&mut self, number: usize, house: &AppContext, area: Rect, buf: &mut Buffer) {
        let look = &house.theme;
        let focused = matches!(self.focus, Focus::Kind(n) | Focus::Name(n) if n == number);
        let (name, about, style) = self.about(number, house);
        let title = ["Player 1", "Player 2"][number];
        let inside = Pane::new(look, title)
            .mark(self.mark(number))
            .note(self.perfection(number, house))
            .focused(focused)
            .render(area, buf);
        let is_person = self.players[number].is_human;
        let mut rows = inside.rows();
        let kind = Value {
            label: "",
            text: if is_person { "a person" } else { "a computer" },
            column: 0,
            room: inside.width.saturating_sub(4),
            focused: self.focus == Focus::Kind(number),
            idle: false,
        };
        let row = rows.next().unwrap_or_default();
        let [back, on] = draw_value(look, &kind, row, buf);
        self.click_map.add(on, Target::Kind(number, true));
        self.click_map.add(back, Target::Kind(number, false));
        let who = Value {
            text: &name,
            focused: self.focus == Focus::Name(number),
            ..kind
        };
        let row = rows.next().unwrap_or_default();
        let [back, whole] = draw_value(look, &who, row, buf);
        let on = Rect {
            x: whole.right().saturating_sub(back.width),
            ..back
        };
        self.click_map.add(whole, Target::Name(number, None));
        self.click_map.add(back, Target::Name(number, Some(false)));
        self.click_map.add(on, Target::Name(number, Some(true)));
        let room = inside.height.saturating_sub(2);
        let lines = wrap_truncated(&about, inside.width, room, look.ellipsis());
        for (line, row) in lines.iter().zip(rows) {
            put_text(line, style, Alignment::Left, row, buf);
        }
    }

    /// Whoever starts has the X; chance has not decided yet.
    fn mark(&self, number: usize) -> Option<Mark> {
        match (self.starting_player, number) {
            (StartingPlayer::Random, _) => None,
            (StartingPlayer::One, 0) | (StartingPlayer::Two, 1) => Some(Mark::X),
            _ => Some(Mark::O),
        }
    }

    /// The name, what is to be said of it, and how.
    fn about(&self, number: usize, house: &AppContext) -> (String, String, Style) {
        let look = &house.theme;
        let variant = self.variant();
        let player = &self.players[number];
        if !player.is_human {
            let level = player.level(variant);
            return (
                level.name().into(),
                level.description(Some(variant)),
                look.dim(),
            );
        }
        match player.known_as(number) {
            Err(problem) => (player.name.clone(), problem, look.error()),
            Ok(name) => {
                let known = self.known_players.iter().find(|(known, _)| *known == name);
                let about = match known {
                    Some((_, tally)) if tally.games() > 0 => record_text(*tally),
                    Some(_) => "no rated games yet".into(),
                    None => "no games yet".into(),
                };
                (name.to_string(), about, look.dim())
            }
        }
    }

    /// Is a computer perfect at this game?
    fn perfection(&self, number: usize, house: &AppContext) -> &'static str {
        let variant = self.variant();
        let player = &self.players[number];
        if player.is_human {
            ""
        } else if player.level(variant).is_perfect(variant, &house.tablebases) {
            "perfect here"
        } else {
            "not perfect here"
        }
    }

    fn draw_start(&mut self, look: &Theme, area: Rect, buf: &mut Buffer) {
        let focused = self.focus == Focus::StartingPlayer;
        let inside = Pane::new(look, "Who starts")
            .focused(focused)
            .render(area, buf);
        let value = Value {
            label: "",
            text: self.first_word(),
            column: 0,
            room: inside.width.saturating_sub(4),
            focused,
            idle: false,
        };
        let row = Rect {
            height: 1.min(inside.height),
            ..inside
        };
        let [back, on] = draw_value(look, &value, row, buf);
        self.click_map.add(on, Target::StartingPlayer(true));
        self.click_map.add(back, Target::StartingPlayer(false));
        let button = Rect {
            y: inside.bottom().saturating_sub(3).max(inside.y),
            height: 3.min(inside.height),
            ..inside
        };
        draw_button(look, button, buf);
        self.click_map.add(button, Target::Play);
    }

    /// What is wrong, or what the focus is about.
    fn draw_help(&self, house: &AppContext, area: Rect, buf: &mut Buffer) {
        let look = &house.theme;
        let (text, style) = match &self.error {
            // What lies over the menu says itself what it is about.
            _ if self.overlay.is_some() => return,
            Some(problem) => (format!("{problem}."), look.error()),
            None => (self.help(house, is_compact(buf.area)), look.dim()),
        };
        let area = Rect {
            x: area.x + 1,
            width: area.width.saturating_sub(2),
            ..area
        };
        let lines = wrap_truncated(&text, area.width, area.height, look.ellipsis());
        for (line, row) in lines.iter().zip(area.rows()) {
            put_text(line, style, Alignment::Left, row, buf);
        }
    }

    fn help(&self, house: &AppContext, compact: bool) -> String {
        let variant = self.variant();
        match self.focus {
            Focus::List(at) if at >= GAME_COUNT => match at - GAME_COUNT {
                0 => "Everybody who has played here, and how their games went.".into(),
                1 => "Games that were played, to go through or to go on with.".into(),
                _ => "Dark or light, how many colours, Unicode or ASCII.".into(),
            },
            Focus::List(_) if house.tablebase_status(variant) == TablebaseStatus::Missing => {
                "There is no exact table of this game yet: perfect and best have to search. Press b to \
                 build it."
                    .into()
            }
            // The usual layout has a pane for the rules.
            Focus::List(_) if compact => variant.summary(),
            Focus::List(_) => String::new(),
            Focus::Option(option) => {
                let rules = self.requests[self.game].option_views();
                rules.get(option).map_or_else(String::new, |rule| {
                    format!("{} {}: {}", rule.label, rule.value, rule.description)
                })
            }
            Focus::Kind(_) => "A person plays with keys and mouse, a computer by itself.".into(),
            Focus::Name(number) if self.players[number].is_human => {
                "Space: type a name or pick one. Left and right: those who are known.".into()
            }
            Focus::Name(number) => {
                let level = self.players[number].level(variant);
                let sentence = level.description(Some(variant));
                format!("{level}: {sentence} Space shows all levels.")
            }
            Focus::StartingPlayer => "Whoever starts has the X.".into(),
        }
    }

    /// The last line: the keys, or how the building of the table goes.
    fn draw_keys(&mut self, house: &AppContext, area: Rect, buf: &mut Buffer) {
        let look = &house.theme;
        // What lies over the menu has keys of its own.
        let keys = match self.overlay {
            None => self.key_words(house),
            Some(_) => Vec::new(),
        };
        let notice = house.notice().unwrap_or_default();
        let notice = truncate(&notice, area.width / 2, look.ellipsis());
        let width = notice.chars().count() as u16;
        let place = Rect {
            width: area.width.saturating_sub(width + 2),
            ..area
        };
        self.key_hints.render(&keys, look, place, buf);
        let right = Rect {
            width: area.width.saturating_sub(1),
            ..area
        };
        put_text(&notice, look.accent(), Alignment::Right, right, buf);
    }

    /// The keys that do something now.
    fn key_words(&self, house: &AppContext) -> Vec<KeyWord> {
        let mut keys = vec![match self.focus {
            Focus::List(at) if at >= GAME_COUNT => KeyWord::new("Enter", "open", KeyCode::Enter),
            _ => KeyWord::new("Enter", "play", KeyCode::Enter),
        }];
        keys.push(KeyWord::new("Tab", "next", KeyCode::Tab));
        if !matches!(self.focus, Focus::List(_)) {
            keys.push(KeyWord::new("arrows", "change", KeyCode::Right));
        }
        if matches!(self.focus, Focus::Name(_)) {
            keys.push(KeyWord::new("Space", "choose", KeyCode::Char(' ')));
        }
        if house.tablebase_status(self.variant()) == TablebaseStatus::Missing {
            keys.push(KeyWord::letter("b", "build table"));
        }
        keys.push(KeyWord::letter("q", "quit"));
        keys.push(KeyWord::letter("?", "rules"));
        keys.push(KeyWord::new("1 2", "players", KeyCode::Char('1')));
        keys.push(KeyWord::letter("x", "swap"));
        keys.push(KeyWord::letter("s", "who starts"));
        keys
    }
}

fn draw_title(look: &Theme, kept: bool, area: Rect, buf: &mut Buffer) {
    let [o, x] = if look.ascii() {
        ["O", "X"]
    } else {
        ["◯", "╳"]
    };
    let area = Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(2),
        ..area
    };
    let mut title = Line::from_iter([
        Span::styled(o, look.side(Mark::O)),
        Span::styled(x, look.side(Mark::X)),
        Span::styled(" noughts", look.strong()),
    ]);
    let family = "   the tic-tac-toe family";
    let warning = if kept { "" } else { "nothing is kept" };
    if title.width() + family.len() + warning.len() < usize::from(area.width) {
        title.push_span(Span::styled(family, look.dim()));
    }
    title.render(area, buf);
    put_text(warning, look.error(), Alignment::Right, area, buf);
}

/// The rules in words, as far as there is room.
fn draw_text(look: &Theme, variant: Variant, rows: Rows, width: u16, buf: &mut Buffer) {
    let lines = rulebook::rules_lines(variant, width.into());
    for (line, row) in lines.iter().zip(rows) {
        put_text(line, look.dim(), Alignment::Left, row, buf);
    }
}

fn draw_button(look: &Theme, area: Rect, buf: &mut Buffer) {
    buf.set_style(area, look.selected());
    for (row, (text, style)) in area.rows().skip(usize::from(area.height > 2)).zip([
        ("Play", look.selected()),
        ("Enter", look.selected().remove_modifier(Modifier::BOLD)),
    ]) {
        put_text(text, style, Alignment::Center, row, buf);
    }
}

/// Draws a value and gives the places for going back and on.
fn draw_value(look: &Theme, value: &Value<'_>, row: Rect, buf: &mut Buffer) -> [Rect; 2] {
    let [before, behind] = look.arrows();
    let style = match (value.focused, value.idle) {
        (true, _) => look.selected(),
        (false, true) => look.dim(),
        (false, false) => look.text(),
    };
    buf.set_style(row, style);
    let sign = match (value.label, value.focused) {
        ("", _) => String::new(),
        (_, true) => format!("{} ", look.pointer()),
        (_, false) => "  ".into(),
    };
    Line::styled(format!("{sign}{}", value.label), style).render(row, buf);
    let place = Rect {
        x: row.x + value.column.min(row.width),
        width: (value.room + 4).min(row.width.saturating_sub(value.column)),
        ..row
    };
    let text = truncate(value.text, value.room, look.ellipsis());
    let arrow = if value.focused { style } else { look.accent() };
    let middle = if value.idle || value.focused {
        style
    } else {
        look.strong()
    };
    put_text(before, arrow, Alignment::Left, place, buf);
    put_text(&text, middle, Alignment::Center, place, buf);
    put_text(behind, arrow, Alignment::Right, place, buf);
    let back = Rect {
        width: 2.min(place.width),
        ..place
    };
    [back, row]
}
