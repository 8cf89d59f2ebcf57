//! Draws the menu and records where it can be clicked.

use crossterm::event::KeyCode;
use noughts_rules::{Side, Variant};
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
use crate::tui::tablebase_build::BuildStatus;
use crate::tui::theme::Theme;
use crate::tui::widgets::{KeyHint, Pane, put_text, truncate, wrap, wrap_truncated};
use noughts_session::rulebook;

/// The largest size of the menu; on a larger screen it is centered.
const MAX_WIDTH: u16 = 132;
const MAX_HEIGHT: u16 = 41;

/// A value between arrows.
struct ValueField<'a> {
    label: &'a str,
    text: &'a str,
    /// The column of the value.
    column: u16,
    room: u16,
    focused: bool,
    is_unavailable: bool,
}

impl MenuScreen {
    pub(super) fn draw_menu(&mut self, frame: &mut Frame, context: &AppContext) {
        self.click_map.clear();
        let theme = &context.theme;
        let area = frame.area();
        if is_compact(area) {
            return self.draw_compact(frame, context);
        }
        let area = area.centered(
            Constraint::Length(MAX_WIDTH.min(area.width)),
            Constraint::Length(MAX_HEIGHT.min(area.height)),
        );
        let is_roomy = area.width >= 110 && area.height >= 36;
        let buf = frame.buffer_mut();
        let players = if is_roomy { 9 } else { 7 };
        let [title, top, seats, help, keys] = area.layout(&Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(13),
            Constraint::Length(players),
            Constraint::Length(2),
            Constraint::Length(1),
        ]));
        draw_title(theme, context.store_handle.is_persistent(), title, buf);
        let widths = if is_roomy { [26, 50] } else { [20, 31] };
        let [list, options, board] = top.layout(&Layout::horizontal([
            Constraint::Length(widths[0]),
            Constraint::Length(widths[1]),
            Constraint::Min(28),
        ]));
        self.draw_list(theme, list, buf);
        self.draw_options(theme, options, buf);
        self.preview.render(theme, board, buf);
        let start = if is_roomy { 26 } else { 18 };
        let [one, two, start] = seats.layout(&Layout::horizontal([
            Constraint::Fill(1),
            Constraint::Fill(1),
            Constraint::Length(start),
        ]));
        self.draw_player(0, context, one, buf);
        self.draw_player(1, context, two, buf);
        self.draw_start(theme, start, buf);
        self.draw_help(context, help, buf);
        self.draw_keys(context, keys, buf);
    }

    /// Everything in one column, as much as fits around the focus.
    fn draw_compact(&mut self, frame: &mut Frame, context: &AppContext) {
        let area = frame.area();
        let buf = frame.buffer_mut();
        let [title, list, help, keys] = area.layout(&Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(2),
            Constraint::Length(1),
        ]));
        draw_title(
            &context.theme,
            context.store_handle.is_persistent(),
            title,
            buf,
        );
        let list = list.inner(Margin::new(1, 0));
        let focus_rows: Vec<Focus> = (0..GAME_COUNT + LINKS.len())
            .map(Focus::List)
            .chain(self.focus_order())
            .collect();
        let index = focus_rows.iter().position(|&focus| focus == self.focus);
        let room = usize::from(list.height);
        // The focus is in the middle, except near the ends.
        let first = index.unwrap_or(0).saturating_sub(room / 2);
        let first = first.min(focus_rows.len().saturating_sub(room));
        for (row, focus) in list.rows().zip(&focus_rows[first..]) {
            self.draw_focus_row(*focus, context, row, buf);
        }
        // A marker where the list continues; the column next to the list is free.
        let [up, down] = match context.theme.ascii() {
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
        let accent = context.theme.accent();
        if first > 0 {
            put_text(up, accent, Alignment::Right, edge(list.rows().next()), buf);
        }
        if first + room < focus_rows.len() {
            let last = edge(list.rows().next_back());
            put_text(down, accent, Alignment::Right, last, buf);
        }
        self.draw_help(context, help, buf);
        self.draw_keys(context, keys, buf);
    }

    /// A row of the compact menu.
    fn draw_focus_row(&mut self, focus: Focus, context: &AppContext, row: Rect, buf: &mut Buffer) {
        let theme = &context.theme;
        let label = |player: usize| match self.side_of(player) {
            Some(side) => format!("Player {} {side}", player + 1),
            None => format!("Player {}", player + 1),
        };
        let (label, text, is_unavailable, [next, previous]) = match focus {
            Focus::List(index) => return self.draw_item(index, theme, row, buf),
            Focus::Option(index) => {
                let options = self.requests[self.game].option_views();
                let Some(option) = options.get(index) else {
                    return;
                };
                let targets = [Target::Option(index, true), Target::Option(index, false)];
                (
                    option.label.to_owned(),
                    option.value.clone(),
                    option.has_no_effect,
                    targets,
                )
            }
            Focus::Kind(player) => {
                let kind = match self.players[player].is_human {
                    true => "Human",
                    false => "Computer",
                };
                let targets = [Target::Kind(player, true), Target::Kind(player, false)];
                (label(player), kind.to_owned(), false, targets)
            }
            Focus::Name(player) => {
                let (name, ..) = self.describe_player(player, context);
                let targets = [
                    Target::Name(player, None),
                    Target::Name(player, Some(false)),
                ];
                (String::new(), name, false, targets)
            }
            Focus::StartingPlayer => {
                let targets = [Target::StartingPlayer(true), Target::StartingPlayer(false)];
                (
                    "Who starts".to_owned(),
                    self.starting_player_text().to_owned(),
                    false,
                    targets,
                )
            }
        };
        const COLUMN: u16 = 16;
        let value = ValueField {
            label: &label,
            text: &text,
            column: COLUMN,
            room: row.width.saturating_sub(COLUMN + 4),
            focused: self.focus == focus,
            is_unavailable,
        };
        let [previous_area, whole] = draw_value(theme, &value, row, buf);
        self.click_map.add(whole, next);
        self.click_map.add(previous_area, previous);
    }

    /// A game of the list, or a link below the games.
    fn draw_item(&mut self, index: usize, theme: &Theme, row: Rect, buf: &mut Buffer) {
        let (pointer, title) = match index.checked_sub(GAME_COUNT) {
            None if index == self.game => (theme.pointer().to_owned(), FAMILIES[index].title),
            None => (" ".to_owned(), FAMILIES[index].title),
            Some(link) => (LINKS[link].1.to_string(), LINKS[link].0),
        };
        let style = match (
            self.focus == Focus::List(index),
            index == self.game,
            index < GAME_COUNT,
        ) {
            (true, ..) => theme.selected(),
            (false, true, _) => theme.strong(),
            (false, false, true) => theme.text(),
            (false, false, false) => theme.dim(),
        };
        buf.set_style(row, style);
        Line::styled(format!("{pointer} {title}"), style).render(row, buf);
        self.click_map.add(row, Target::List(index));
    }

    fn starting_player_text(&self) -> &'static str {
        match self.starting_player {
            StartingPlayer::One => "Player 1",
            StartingPlayer::Two => "Player 2",
            StartingPlayer::Random => "Random",
        }
    }

    fn draw_list(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let focused = matches!(self.focus, Focus::List(_));
        let inner = Pane::new(theme, "Game").focused(focused).render(area, buf);
        for (index, (row, game)) in inner.rows().zip(&FAMILIES).enumerate() {
            let is_chosen = index == self.game;
            let style = match (is_chosen, self.focus == Focus::List(index)) {
                (_, true) => theme.selected(),
                (true, false) => theme.strong(),
                (false, false) => theme.text(),
            };
            let pointer = if is_chosen { theme.pointer() } else { " " };
            let title = game.title;
            buf.set_style(row, style);
            Line::styled(format!("{pointer} {title}"), style).render(row, buf);
            self.click_map.add(row, Target::List(index));
        }
        let links = inner.rows().skip(GAME_COUNT + 1);
        for (index, (row, (title, key))) in links.zip(&LINKS).enumerate() {
            let index = GAME_COUNT + index;
            let (style, accent) = if self.focus == Focus::List(index) {
                buf.set_style(row, theme.selected());
                (theme.selected(), theme.selected())
            } else {
                (theme.dim(), theme.accent())
            };
            Line::from_iter([
                Span::styled(format!("{key}"), accent),
                Span::styled(format!(" {title}"), style),
            ])
            .render(row, buf);
            self.click_map.add(row, Target::List(index));
        }
    }

    fn draw_options(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let focused = matches!(self.focus, Focus::Option(_));
        let variant = self.variant();
        let name = variant.to_string();
        let inner = Pane::new(theme, &name).focused(focused).render(area, buf);
        let mut rows = inner.rows();
        let description = wrap(&variant.summary(), inner.width);
        let value = known_value(variant).unwrap_or_default();
        let value = wrap(value, inner.width);
        let options = self.requests[self.game].option_views();
        let above = description.len() + value.len();
        let height = usize::from(inner.height);
        let description = description.into_iter().map(|line| (line, theme.text()));
        let value = value.into_iter().map(|line| (line, theme.dim()));
        for ((line, style), row) in description.chain(value).zip(&mut rows) {
            put_text(&line, style, Alignment::Left, row, buf);
        }
        if height > above + options.len() {
            rows.next();
        }
        if options.is_empty() {
            draw_rules_text(theme, variant, rows, inner.width, buf);
            return;
        }
        // With enough room every option is explained here, otherwise in the help line.
        let is_roomy = height > above + options.len() * 3;
        let is_spacious = height > above + options.len() * 4;
        for (index, option) in options.iter().enumerate() {
            let Some(row) = rows.next() else { return };
            let value = ValueField {
                label: option.label,
                text: &option.value,
                column: 16,
                room: 7,
                focused: self.focus == Focus::Option(index),
                is_unavailable: option.has_no_effect,
            };
            let [previous, next] = draw_value(theme, &value, row, buf);
            self.click_map.add(next, Target::Option(index, true));
            self.click_map.add(previous, Target::Option(index, false));
            if is_roomy {
                let width = inner.width.saturating_sub(2);
                let description = wrap_truncated(&option.description, width, 2, theme.ellipsis());
                for (line, row) in description.iter().zip(&mut rows) {
                    let line = format!("  {line}");
                    put_text(&line, theme.dim(), Alignment::Left, row, buf);
                }
            }
            if is_spacious {
                rows.next();
            }
        }
    }

    fn draw_player(&mut self, player: usize, context: &AppContext, area: Rect, buf: &mut Buffer) {
        let theme = &context.theme;
        let focused = matches!(self.focus, Focus::Kind(n) | Focus::Name(n) if n == player);
        let (name, description, style) = self.describe_player(player, context);
        let title = ["Player 1", "Player 2"][player];
        let inner = Pane::new(theme, title)
            .mark(self.side_of(player))
            .note(self.perfection_note(player, context))
            .focused(focused)
            .render(area, buf);
        let is_person = self.players[player].is_human;
        let mut rows = inner.rows();
        let kind = ValueField {
            label: "",
            text: if is_person { "Human" } else { "Computer" },
            column: 0,
            room: inner.width.saturating_sub(4),
            focused: self.focus == Focus::Kind(player),
            is_unavailable: false,
        };
        let row = rows.next().unwrap_or_default();
        let [previous, next] = draw_value(theme, &kind, row, buf);
        self.click_map.add(next, Target::Kind(player, true));
        self.click_map.add(previous, Target::Kind(player, false));
        let name_value = ValueField {
            text: &name,
            focused: self.focus == Focus::Name(player),
            ..kind
        };
        let row = rows.next().unwrap_or_default();
        let [previous, whole] = draw_value(theme, &name_value, row, buf);
        let next = Rect {
            x: whole.right().saturating_sub(previous.width),
            ..previous
        };
        self.click_map.add(whole, Target::Name(player, None));
        self.click_map
            .add(previous, Target::Name(player, Some(false)));
        self.click_map.add(next, Target::Name(player, Some(true)));
        let room = inner.height.saturating_sub(2);
        let lines = wrap_truncated(&description, inner.width, room, theme.ellipsis());
        for (line, row) in lines.iter().zip(rows) {
            put_text(line, style, Alignment::Left, row, buf);
        }
    }

    /// The starting player is X; `None` if chance decides.
    fn side_of(&self, player: usize) -> Option<Side> {
        match (self.starting_player, player) {
            (StartingPlayer::Random, _) => None,
            (StartingPlayer::One, 0) | (StartingPlayer::Two, 1) => Some(Side::X),
            _ => Some(Side::O),
        }
    }

    /// The player's name, a description, and its style.
    fn describe_player(&self, player: usize, context: &AppContext) -> (String, String, Style) {
        let theme = &context.theme;
        let variant = self.variant();
        let choice = &self.players[player];
        if !choice.is_human {
            let level = choice.level(variant);
            return (
                level.name().into(),
                level.description(Some(variant)),
                theme.dim(),
            );
        }
        match choice.display_name(player) {
            Err(problem) => (choice.name.clone(), problem, theme.error()),
            Ok(name) => {
                let known = self.known_players.iter().find(|(known, _)| *known == name);
                let description = match known {
                    Some((_, tally)) if tally.games() > 0 => record_text(*tally),
                    Some(_) => "no rated games yet".into(),
                    None => "no games yet".into(),
                };
                (name.to_string(), description, theme.dim())
            }
        }
    }

    /// Says whether a bot plays this game perfectly.
    fn perfection_note(&self, player: usize, context: &AppContext) -> &'static str {
        let variant = self.variant();
        let choice = &self.players[player];
        if choice.is_human {
            ""
        } else if choice
            .level(variant)
            .is_perfect(variant, &context.tablebases)
        {
            "plays perfectly"
        } else {
            "not perfect"
        }
    }

    fn draw_start(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let focused = self.focus == Focus::StartingPlayer;
        let inner = Pane::new(theme, "Who starts")
            .focused(focused)
            .render(area, buf);
        let value = ValueField {
            label: "",
            text: self.starting_player_text(),
            column: 0,
            room: inner.width.saturating_sub(4),
            focused,
            is_unavailable: false,
        };
        let row = Rect {
            height: 1.min(inner.height),
            ..inner
        };
        let [previous, next] = draw_value(theme, &value, row, buf);
        self.click_map.add(next, Target::StartingPlayer(true));
        self.click_map.add(previous, Target::StartingPlayer(false));
        let button = Rect {
            y: inner.bottom().saturating_sub(3).max(inner.y),
            height: 3.min(inner.height),
            ..inner
        };
        draw_button(theme, button, buf);
        self.click_map.add(button, Target::Play);
    }

    /// The error, or help for the focus.
    fn draw_help(&self, context: &AppContext, area: Rect, buf: &mut Buffer) {
        let theme = &context.theme;
        let (text, style) = match &self.error {
            // The overlay has its own help.
            _ if self.overlay.is_some() => return,
            Some(problem) => (format!("{problem}."), theme.error()),
            None => (self.help(context, is_compact(buf.area)), theme.dim()),
        };
        let area = Rect {
            x: area.x + 1,
            width: area.width.saturating_sub(2),
            ..area
        };
        let lines = wrap_truncated(&text, area.width, area.height, theme.ellipsis());
        for (line, row) in lines.iter().zip(area.rows()) {
            put_text(line, style, Alignment::Left, row, buf);
        }
    }

    fn help(&self, context: &AppContext, compact: bool) -> String {
        let variant = self.variant();
        match self.focus {
            Focus::List(index) if index >= GAME_COUNT => match index - GAME_COUNT {
                0 => "Everyone who has played here, with their results.".into(),
                1 => "Review finished games or resume unfinished ones.".into(),
                _ => "Dark or light, number of colors, Unicode or ASCII.".into(),
            },
            Focus::List(_) if context.tablebase_status(variant) == BuildStatus::Missing => {
                "The tablebase for this game hasn't been built, so Perfect and Best have to search. \
                 Press b to build it."
                    .into()
            }
            // The regular layout has a pane for the rules.
            Focus::List(_) if compact => variant.summary(),
            Focus::List(_) => String::new(),
            Focus::Option(option) => {
                let options = self.requests[self.game].option_views();
                options.get(option).map_or_else(String::new, |option| {
                    let (label, value) = (option.label, &option.value);
                    format!("{label} {value}: {text}", text = option.description)
                })
            }
            Focus::Kind(_) => "Play yourself, or let the computer play.".into(),
            Focus::Name(player) if self.players[player].is_human => {
                "Space: type or choose a name. Left/right: known players.".into()
            }
            Focus::Name(player) => {
                let level = self.players[player].level(variant);
                let description = level.description(Some(variant));
                format!("{level}: {description} Space: all levels.")
            }
            Focus::StartingPlayer => "The player who starts is X.".into(),
        }
    }

    /// The last line: the keys, and the progress of the tablebase build.
    fn draw_keys(&mut self, context: &AppContext, area: Rect, buf: &mut Buffer) {
        let theme = &context.theme;
        // The overlay has its own keys.
        let keys = match self.overlay {
            None => self.current_key_hints(context),
            Some(_) => Vec::new(),
        };
        let notice = context.notice().unwrap_or_default();
        let notice = truncate(&notice, area.width / 2, theme.ellipsis());
        let width = notice.chars().count() as u16;
        let keys_area = Rect {
            width: area.width.saturating_sub(width + 2),
            ..area
        };
        self.key_hints.render(&keys, theme, keys_area, buf);
        let right = Rect {
            width: area.width.saturating_sub(1),
            ..area
        };
        put_text(&notice, theme.accent(), Alignment::Right, right, buf);
    }

    /// The keys that do something now.
    fn current_key_hints(&self, context: &AppContext) -> Vec<KeyHint> {
        let mut keys = vec![match self.focus {
            Focus::List(index) if index >= GAME_COUNT => {
                KeyHint::new("Enter", "open", KeyCode::Enter)
            }
            _ => KeyHint::new("Enter", "play", KeyCode::Enter),
        }];
        keys.push(KeyHint::new("Tab", "next", KeyCode::Tab));
        if !matches!(self.focus, Focus::List(_)) {
            keys.push(KeyHint::new("arrows", "change", KeyCode::Right));
        }
        if matches!(self.focus, Focus::Name(_)) {
            keys.push(KeyHint::new("Space", "choose", KeyCode::Char(' ')));
        }
        if context.tablebase_status(self.variant()) == BuildStatus::Missing {
            keys.push(KeyHint::letter("b", "build tablebase"));
        }
        keys.push(KeyHint::letter("q", "quit"));
        keys.push(KeyHint::letter("?", "rules"));
        keys.push(KeyHint::new("1 2", "players", KeyCode::Char('1')));
        keys.push(KeyHint::letter("x", "swap"));
        keys.push(KeyHint::letter("s", "who starts"));
        keys
    }
}

fn draw_title(theme: &Theme, is_persistent: bool, area: Rect, buf: &mut Buffer) {
    let [o, x] = if theme.ascii() {
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
        Span::styled(o, theme.side(Side::O)),
        Span::styled(x, theme.side(Side::X)),
        Span::styled(" noughts", theme.strong()),
    ]);
    let family = "   the tic-tac-toe family";
    let warning = if is_persistent {
        ""
    } else {
        "games aren't saved"
    };
    if title.width() + family.len() + warning.len() < usize::from(area.width) {
        title.push_span(Span::styled(family, theme.dim()));
    }
    title.render(area, buf);
    put_text(warning, theme.error(), Alignment::Right, area, buf);
}

/// The rules as text, as far as there is room.
fn draw_rules_text(theme: &Theme, variant: Variant, rows: Rows, width: u16, buf: &mut Buffer) {
    let lines = rulebook::rules_lines(variant, width.into());
    for (line, row) in lines.iter().zip(rows) {
        put_text(line, theme.dim(), Alignment::Left, row, buf);
    }
}

fn draw_button(theme: &Theme, area: Rect, buf: &mut Buffer) {
    buf.set_style(area, theme.selected());
    for (row, (text, style)) in area.rows().skip(usize::from(area.height > 2)).zip([
        ("Play", theme.selected()),
        ("Enter", theme.selected().remove_modifier(Modifier::BOLD)),
    ]) {
        put_text(text, style, Alignment::Center, row, buf);
    }
}

/// Draws a value; returns the areas for the previous value and for the whole row.
fn draw_value(theme: &Theme, value: &ValueField<'_>, row: Rect, buf: &mut Buffer) -> [Rect; 2] {
    let [left_arrow, right_arrow] = theme.arrows();
    let style = match (value.focused, value.is_unavailable) {
        (true, _) => theme.selected(),
        (false, true) => theme.dim(),
        (false, false) => theme.text(),
    };
    buf.set_style(row, style);
    let pointer = match (value.label, value.focused) {
        ("", _) => String::new(),
        (_, true) => format!("{} ", theme.pointer()),
        (_, false) => "  ".into(),
    };
    Line::styled(format!("{pointer}{}", value.label), style).render(row, buf);
    let value_area = Rect {
        x: row.x + value.column.min(row.width),
        width: (value.room + 4).min(row.width.saturating_sub(value.column)),
        ..row
    };
    let text = truncate(value.text, value.room, theme.ellipsis());
    let arrow = if value.focused { style } else { theme.accent() };
    let middle = if value.is_unavailable || value.focused {
        style
    } else {
        theme.strong()
    };
    put_text(left_arrow, arrow, Alignment::Left, value_area, buf);
    put_text(&text, middle, Alignment::Center, value_area, buf);
    put_text(right_arrow, arrow, Alignment::Right, value_area, buf);
    let previous = Rect {
        width: 2.min(value_area.width),
        ..value_area
    };
    [previous, row]
}
