//! Draws the menu and records where it can be clicked.

use crossterm::event::KeyCode;
use noughts_rules::Side;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Margin, Rect};
use ratatui::macros::{horizontal, vertical};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::player_choice::record_text;
use super::{Focus, LINKS, MenuScreen, Target};
use crate::tui::app_context::AppContext;
use crate::tui::game_setup::StartingPlayer;
use crate::tui::screens::is_compact;
use crate::tui::theme::Theme;
use crate::tui::widgets::{
    KeyHint, Pane, draw_right, draw_wrapped, truncate, wrap, wrap_truncated,
};
use noughts_text::{bot_name, capitalize, numbered_player, rulebook};

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
    is_unavailable: bool,
}

impl ValueField<'_> {
    /// A value without a label that fills an area.
    fn plain(text: &str, area: Rect) -> ValueField<'_> {
        ValueField {
            label: "",
            text,
            column: 0,
            room: area.width.saturating_sub(4),
            is_unavailable: false,
        }
    }
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
        let [title, top, seats, help, keys] = vertical![==1, >=13, ==players, ==2, ==1].areas(area);
        draw_title(context, title, buf);
        let widths = if is_roomy { [26, 50] } else { [23, 29] };
        let [list, options, board] = horizontal![==widths[0], ==widths[1], >=28].areas(top);
        self.draw_list(theme, list, buf);
        self.draw_options(theme, options, buf);
        self.preview.render(theme, board, buf);
        let start = if is_roomy { 26 } else { 18 };
        let [one, two, start] = horizontal![*=1, *=1, ==start].areas(seats);
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
        let [title, list, help, keys] = vertical![==1, *=1, ==2, ==1].areas(area);
        draw_title(context, title, buf);
        let list = list.inner(Margin::new(1, 0));
        let items = (0..self.games.len() + LINKS.len()).map(Focus::List);
        let focus_rows: Vec<Focus> = items.chain(self.focus_order()).collect();
        let index = focus_rows.iter().position(|&focus| focus == self.focus);
        let room = usize::from(list.height);
        // The focus is in the middle, except near the ends.
        let first = index.unwrap_or(0).saturating_sub(room / 2);
        let first = first.min(focus_rows.len().saturating_sub(room));
        for (row, focus) in list.rows().zip(&focus_rows[first..]) {
            self.draw_focus_row(*focus, context, row, buf);
        }
        // A marker where the list continues; the column next to the list is free.
        let [up, down] = context.theme.scroll_arrows();
        let accent = context.theme.accent();
        if first > 0 {
            buf.set_string(list.right(), list.y, up, accent);
        }
        if first + room < focus_rows.len() {
            buf.set_string(list.right(), list.bottom() - 1, down, accent);
        }
        self.draw_help(context, help, buf);
        self.draw_keys(context, keys, buf);
    }

    /// A row of the compact menu.
    fn draw_focus_row(&mut self, focus: Focus, context: &AppContext, row: Rect, buf: &mut Buffer) {
        const COLUMN: u16 = 16;
        let theme = &context.theme;
        let (label, text, is_unavailable) = match focus {
            Focus::List(index) => return self.draw_item(index, theme.dim(), theme, row, buf),
            Focus::Option(index) => {
                let option = self.requests[self.game].option_views().swap_remove(index);
                let value = option.value_with_words(row.width.saturating_sub(COLUMN + 4).into());
                (option.label.to_owned(), value, option.has_no_effect)
            }
            Focus::Kind(player) => {
                let name = numbered_player(player + 1);
                let label = match self.side_of(player) {
                    Some(side) => format!("{name} {side}"),
                    None => name,
                };
                (label, self.kind_text(player).into(), false)
            }
            Focus::Name(player) => {
                let (name, ..) = self.describe_player(player, context);
                (String::new(), name, false)
            }
            Focus::StartingPlayer => ("Moves first".into(), self.starting_player_text(), false),
        };
        let value = ValueField {
            label: &label,
            text: &text,
            column: COLUMN,
            room: row.width.saturating_sub(COLUMN + 4),
            is_unavailable,
        };
        self.draw_value(focus, &value, theme, row, buf);
    }

    /// A game of the list, or a link below the games with its key.
    fn draw_item(
        &mut self,
        index: usize,
        link_key: Style,
        theme: &Theme,
        row: Rect,
        buf: &mut Buffer,
    ) {
        let (mark, title, mark_style, style) = match index.checked_sub(self.games.len()) {
            None => {
                let (mark, style) = match index == self.game {
                    true => (theme.pointer(), theme.strong()),
                    false => (" ", theme.text()),
                };
                (mark.to_owned(), self.games[index].title, style, style)
            }
            Some(link) => {
                let (title, key) = LINKS[link];
                (key.to_string(), title, link_key, theme.dim())
            }
        };
        let is_focused = self.focus == Focus::List(index);
        if is_focused {
            buf.set_style(row, theme.selected());
        }
        let [mark_style, style] =
            [mark_style, style].map(|style| if is_focused { theme.selected() } else { style });
        Line::from_iter([
            Span::styled(mark, mark_style),
            Span::styled(
                format!(
                    " {}",
                    truncate(title, row.width.saturating_sub(2), theme.ellipsis())
                ),
                style,
            ),
        ])
        .render(row, buf);
        self.click_map.add(row, Target::List(index));
    }

    fn kind_text(&self, player: usize) -> &'static str {
        match self.players[player].is_human {
            true => "Human",
            false => "Computer",
        }
    }

    /// Draws a value that can be clicked; returns the area for the previous value.
    fn draw_value(
        &mut self,
        focus: Focus,
        value: &ValueField<'_>,
        theme: &Theme,
        row: Rect,
        buf: &mut Buffer,
    ) -> Rect {
        let [left_arrow, right_arrow] = theme.arrows();
        let focused = self.focus == focus;
        let style = match (focused, value.is_unavailable) {
            (true, _) => theme.selected(),
            (false, true) => theme.dim(),
            (false, false) => theme.text(),
        };
        buf.set_style(row, style);
        let pointer = match (value.label, focused) {
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
        let arrow = if focused { style } else { theme.accent() };
        let middle = match value.is_unavailable || focused {
            true => style,
            false => theme.strong(),
        };
        let text = truncate(value.text, value.room, theme.ellipsis());
        let spans = [
            Span::styled(left_arrow, arrow).into_left_aligned_line(),
            Span::styled(text, middle).into_centered_line(),
            Span::styled(right_arrow, arrow).into_right_aligned_line(),
        ];
        for span in spans {
            span.render(value_area, buf);
        }
        let previous = Rect {
            width: 2.min(value_area.width),
            ..value_area
        };
        let whole = match focus {
            Focus::Name(player) => Target::Pick(player),
            _ => Target::Step(focus, true),
        };
        self.click_map.add(row, whole);
        self.click_map.add(previous, Target::Step(focus, false));
        previous
    }

    fn starting_player_text(&self) -> String {
        match self.starting_player {
            StartingPlayer::One => numbered_player(1),
            StartingPlayer::Two => numbered_player(2),
            StartingPlayer::Random => "Random".into(),
        }
    }

    fn draw_list(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let focused = matches!(self.focus, Focus::List(_));
        let inner = Pane::new(theme, "Game").focused(focused).render(area, buf);
        // An empty row separates the links from the games.
        let games = self.games.len();
        let room = usize::from(inner.height)
            .saturating_sub(LINKS.len() + 1)
            .min(games);
        // The selected game is in the middle, except near the ends.
        let first = self.game.saturating_sub(room / 2).min(games - room);
        let links = inner.rows().skip(room + 1).zip(games..games + LINKS.len());
        let shown = inner.rows().zip(first..first + room);
        for (row, index) in shown.chain(links) {
            self.draw_item(index, theme.accent(), theme, row, buf);
        }
        let [up, down] = theme.scroll_arrows();
        if first > 0 {
            buf.set_string(inner.right(), inner.y, up, theme.accent());
        }
        if first + room < games && room > 0 {
            buf.set_string(
                inner.right(),
                inner.y + room as u16 - 1,
                down,
                theme.accent(),
            );
        }
    }

    fn draw_options(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let focused = matches!(self.focus, Focus::Option(_));
        let variant = self.variant();
        let name = variant.to_string();
        let inner = Pane::new(theme, &name).focused(focused).render(area, buf);
        let mut rows = inner.rows();
        let value = variant.known_value().unwrap_or_default().to_owned();
        let texts = [(variant.summary(), theme.text()), (value, theme.dim())];
        let lines = texts.into_iter().flat_map(|(text, style)| {
            let lines = wrap(&text, inner.width).into_iter();
            lines.map(move |line| Line::styled(line, style))
        });
        let lines: Vec<Line> = lines.collect();
        let options = self.requests[self.game].option_views();
        let (above, height) = (lines.len(), usize::from(inner.height));
        for (line, row) in lines.into_iter().zip(&mut rows) {
            line.render(row, buf);
        }
        if height > above + options.len() {
            rows.next();
        }
        if options.is_empty() {
            // The rules as text, as far as there is room.
            let rules = rulebook::rules_lines(variant, inner.width.into());
            for (line, row) in rules.into_iter().zip(rows) {
                Line::styled(line, theme.dim()).render(row, buf);
            }
            return;
        }
        // With enough room every option is explained here, otherwise in the help line.
        let is_roomy = height > above + options.len() * 3;
        let is_spacious = height > above + options.len() * 4;
        for (index, option) in options.iter().enumerate() {
            let Some(row) = rows.next() else { return };
            let room = inner.width.saturating_sub(20).clamp(7, 20);
            let value = ValueField {
                label: option.label,
                text: &option.value_with_words(room.into()),
                column: 16,
                room,
                is_unavailable: option.has_no_effect,
            };
            self.draw_value(Focus::Option(index), &value, theme, row, buf);
            if is_roomy {
                let width = inner.width.saturating_sub(2);
                let description = wrap_truncated(&option.description, width, 2, theme.ellipsis());
                for (line, row) in description.iter().zip(&mut rows) {
                    Line::styled(format!("  {line}"), theme.dim()).render(row, buf);
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
        let inner = Pane::new(theme, &numbered_player(player + 1))
            .mark(self.side_of(player))
            .note(self.perfection_note(player, context))
            .focused(focused)
            .render(area, buf);
        let [kind_row, name_row, below] = vertical![==1, ==1, *=1].areas(inner);
        let kind = ValueField::plain(self.kind_text(player), inner);
        self.draw_value(Focus::Kind(player), &kind, theme, kind_row, buf);
        let (focus, name) = (Focus::Name(player), ValueField::plain(&name, inner));
        let previous = self.draw_value(focus, &name, theme, name_row, buf);
        let next = Rect {
            x: name_row.right().saturating_sub(previous.width),
            ..previous
        };
        self.click_map.add(next, Target::Step(focus, true));
        draw_wrapped(&description, style, theme, below, buf);
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
            let description = level.description(Some(variant));
            return (bot_name(level).into(), description, theme.dim());
        }
        match choice.display_name(player) {
            Err(error) => (choice.name.clone(), capitalize(&error), theme.error()),
            Ok(name) => {
                let known = self.known_players.iter().find(|(known, _)| *known == name);
                let description = known.map_or_else(
                    || "New player".into(),
                    |(_, tally)| capitalize(&record_text(*tally)),
                );
                (name.to_string(), description, theme.dim())
            }
        }
    }

    /// Says whether a bot plays this game perfectly.
    fn perfection_note(&self, player: usize, context: &AppContext) -> &'static str {
        let variant = self.variant();
        let choice = &self.players[player];
        if choice.is_human {
            return "";
        }
        let level = choice.level(variant);
        noughts_text::perfection(level.is_perfect(variant, &context.tablebases)).0
    }

    fn draw_start(&mut self, theme: &Theme, area: Rect, buf: &mut Buffer) {
        let focused = self.focus == Focus::StartingPlayer;
        let inner = Pane::new(theme, "Moves first")
            .focused(focused)
            .render(area, buf);
        let [row, _, button] = vertical![==1, *=1, ==3].areas(inner);
        let text = self.starting_player_text();
        let value = ValueField::plain(&text, inner);
        self.draw_value(Focus::StartingPlayer, &value, theme, row, buf);
        draw_button(theme, button, buf);
        self.click_map.add(button, Target::Play);
    }

    /// The error, or help for the focus.
    fn draw_help(&self, context: &AppContext, area: Rect, buf: &mut Buffer) {
        let theme = &context.theme;
        let (text, style) = match &self.error {
            // The overlay has its own help.
            _ if self.overlay.is_some() => return,
            Some(error) => (format!("{}.", capitalize(error)), theme.error()),
            None => (self.help(context, is_compact(buf.area)), theme.dim()),
        };
        draw_wrapped(&text, style, theme, area.inner(Margin::new(1, 0)), buf);
    }

    fn help(&self, context: &AppContext, compact: bool) -> String {
        let variant = self.variant();
        match self.focus {
            Focus::List(index) if index >= self.games.len() => match index - self.games.len() {
                0 => "Everyone who has played here, and their records.".into(),
                1 => "Review finished games or resume unfinished ones.".into(),
                _ => "Dark or light, number of colors, Unicode or ASCII.".into(),
            },
            Focus::List(_) if context.is_tablebase_missing(variant) => {
                "The tablebase for this game hasn't been built, so Best has to search. \
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
            Focus::Kind(_) => "A human player, or the computer.".into(),
            Focus::Name(player) if self.players[player].is_human => {
                "Space: type or choose a name. Left/right: known players.".into()
            }
            Focus::Name(player) => {
                let level = self.players[player].level(variant);
                let description = level.description(Some(variant));
                format!(
                    "{name}: {description} Space: all levels.",
                    name = bot_name(level)
                )
            }
            Focus::StartingPlayer => "The player who moves first is X.".into(),
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
        let [keys_area, _, right, _] = horizontal![*=1, ==1, ==width, ==1].areas(area);
        self.key_hints.render(&keys, theme, keys_area, buf);
        draw_right(&notice, theme.accent(), right, buf);
    }

    /// The keys that do something now.
    fn current_key_hints(&self, context: &AppContext) -> Vec<KeyHint> {
        let enter = match self.focus {
            Focus::List(index) if index >= self.games.len() => "open",
            _ => "play",
        };
        let mut keys = vec![
            KeyHint::new("Enter", enter, KeyCode::Enter),
            KeyHint::new("Tab", "next", KeyCode::Tab),
        ];
        if !matches!(self.focus, Focus::List(_)) {
            keys.push(KeyHint::new("arrows", "change", KeyCode::Right));
        }
        if matches!(self.focus, Focus::Name(_)) {
            keys.push(KeyHint::new("Space", "choose", KeyCode::Char(' ')));
        }
        if context.is_tablebase_missing(self.variant()) {
            keys.push(KeyHint::letter("b", "build tablebase"));
        }
        keys.extend([
            KeyHint::letter("q", "quit"),
            KeyHint::letter("?", "rules"),
            KeyHint::new("1 2", "players", KeyCode::Char('1')),
            KeyHint::letter("x", "swap"),
            KeyHint::letter("s", "first move"),
        ]);
        keys
    }
}

fn draw_title(context: &AppContext, area: Rect, buf: &mut Buffer) {
    let theme = &context.theme;
    let [o, x] = theme.pick(["◯", "╳"], ["O", "X"]);
    let area = area.inner(Margin::new(1, 0));
    let mut title = Line::from_iter([
        Span::styled(o, theme.side(Side::O)),
        Span::styled(x, theme.side(Side::X)),
        Span::styled(" noughts", theme.strong()),
    ]);
    let family = "   the tic-tac-toe family";
    let warning = match context.store_handle.is_persistent() {
        true => "",
        false => "Games aren't saved",
    };
    if title.width() + family.len() + warning.len() < usize::from(area.width) {
        title.push_span(Span::styled(family, theme.dim()));
    }
    title.render(area, buf);
    draw_right(warning, theme.error(), area, buf);
}

fn draw_button(theme: &Theme, area: Rect, buf: &mut Buffer) {
    buf.set_style(area, theme.selected());
    for (row, (text, style)) in area.rows().skip(usize::from(area.height > 2)).zip([
        ("Play", theme.selected()),
        ("Enter", theme.selected().remove_modifier(Modifier::BOLD)),
    ]) {
        Line::styled(text, style).centered().render(row, buf);
    }
}
