//! The appearance settings: background, colors, characters. Changes take effect immediately.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::player_choice::cycle;
use crate::tui::app_context::AppContext;
use crate::tui::appearance::{
    Appearance, BackgroundChoice, CharsetChoice, ColorChoice, TerminalEnv,
};
use crate::tui::widgets::{KeyHint, KeyHintBar, SelectList, popup_frame, truncate, wrap_truncated};

pub(super) struct AppearanceDialog {
    list: SelectList,
    keys: KeyHintBar,
}

const LABELS: [&str; 3] = ["Background", "Colors", "Characters"];

const BACKGROUNDS: [(BackgroundChoice, &str); 4] = [
    (BackgroundChoice::Auto, "Automatic"),
    (BackgroundChoice::Dark, "Dark"),
    (BackgroundChoice::Light, "Light"),
    (BackgroundChoice::Own, "Terminal default"),
];

const COLORS: [(ColorChoice, &str); 4] = [
    (ColorChoice::Auto, "Automatic"),
    (ColorChoice::True, "True color"),
    (ColorChoice::Sixteen, "16 colors"),
    (ColorChoice::None, "None"),
];

const CHARACTERS: [(CharsetChoice, &str); 3] = [
    (CharsetChoice::Auto, "Automatic"),
    (CharsetChoice::Unicode, "Unicode"),
    (CharsetChoice::Ascii, "ASCII"),
];

fn value<T: PartialEq>(options: &[(T, &'static str)], current: &T) -> &'static str {
    let found = options.iter().find(|(option, _)| option == current);
    found.map_or("", |(_, label)| label)
}

fn next<T: PartialEq + Copy>(options: &[(T, &str)], current: T, forward: bool) -> T {
    let index = options
        .iter()
        .position(|(option, _)| *option == current)
        .unwrap_or(0);
    options[cycle(index, options.len(), forward)].0
}

impl AppearanceDialog {
    pub(super) fn new() -> AppearanceDialog {
        AppearanceDialog {
            list: SelectList::new(LABELS.len()),
            keys: KeyHintBar::new(),
        }
    }

    /// Changes the selected setting.
    fn change(&self, context: &mut AppContext, forward: bool) {
        let mut current = context.appearance();
        match self.list.selected() {
            0 => current.paper = next(&BACKGROUNDS, current.paper, forward),
            1 => current.palette = next(&COLORS, current.palette, forward),
            _ => current.characters = next(&CHARACTERS, current.characters, forward),
        }
        context.set_appearance(current);
        context.save_setting(Appearance::SETTING_KEY, current.to_json());
    }

    /// Returns whether the dialog stays open.
    pub(super) fn handle_key(&mut self, key: KeyEvent, context: &mut AppContext) -> bool {
        match key.code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | 'c') => return false,
            KeyCode::Left | KeyCode::Char('h') => self.change(context, false),
            KeyCode::Right | KeyCode::Char('l' | ' ') => self.change(context, true),
            KeyCode::Tab => {
                self.list.handle_key(KeyCode::Down.into());
            }
            KeyCode::BackTab => {
                self.list.handle_key(KeyCode::Up.into());
            }
            _ => {
                self.list.handle_key(key);
            }
        }
        true
    }

    pub(super) fn handle_mouse(&mut self, mouse: MouseEvent, context: &mut AppContext) -> bool {
        if let Some(key) = self.keys.handle_mouse(mouse) {
            return self.handle_key(key, context);
        }
        if self.list.handle_mouse(mouse).is_some() {
            self.change(context, true);
        }
        true
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        let theme = &context.theme;
        let area = frame.area();
        let buf = frame.buffer_mut();
        let inner = self::popup_frame(theme, "Appearance", Constraint::Length(56), 12, area, buf);
        let current = context.appearance();
        let values = [
            value(&BACKGROUNDS, &current.paper),
            value(&COLORS, &current.palette),
            value(&CHARACTERS, &current.characters),
        ];
        let [left_arrow, right_arrow] = theme.arrows();
        let list = Rect {
            height: inner.height.min(3),
            ..inner
        };
        let room = usize::from(inner.width).saturating_sub(18).min(22);
        for (index, row) in self.list.visible_rows(list) {
            let selected = index == self.list.selected();
            let style = if selected {
                theme.selected()
            } else {
                theme.text()
            };
            let pointer = if selected { theme.pointer() } else { " " };
            buf.set_style(row, style);
            Line::from_iter([
                Span::raw(format!("{pointer} {:<12}", LABELS[index])),
                Span::raw(format!(
                    "{left_arrow} {:<room$} {right_arrow}",
                    truncate(values[index], room as u16, theme.ellipsis())
                )),
            ])
            .style(style)
            .render(row, buf);
        }
        let note = note(context.terminal_env(), current);
        let below = inner.rows().skip(4).take(2);
        for (row, line) in below.zip(wrap_truncated(note, inner.width, 2, theme.ellipsis())) {
            Line::styled(line, theme.dim()).render(row, buf);
        }
        let last = Rect {
            x: inner.x.saturating_sub(1),
            y: inner.bottom().saturating_sub(1),
            height: 1.min(inner.height),
            ..inner
        };
        let keys = [
            KeyHint::new("arrows", "change", KeyCode::Right),
            KeyHint::new("Enter", "done", KeyCode::Enter),
        ];
        self.keys.render(&keys, theme, last, buf);
    }
}

/// Explains what overrides the settings or limits them.
fn note(env: &TerminalEnv, current: Appearance) -> &'static str {
    let unknown_background = current.paper == BackgroundChoice::Auto && env.background.is_none();
    let true_color_possible =
        current.palette == ColorChoice::Auto && env.true_color && !env.limited_colors;
    match (env.no_color, env.ascii) {
        (true, true) => "NO_COLOR is set and --ascii was given: no colors, only ASCII.",
        (true, false) => "NO_COLOR is set, so no colors are used.",
        (false, true) => "--ascii was given, so only ASCII is used.",
        (false, false) if true_color_possible && unknown_background => {
            "Using 16 colors: background color unknown. Choose a background for true color."
        }
        (false, false) => "Saved for next time.",
    }
}
