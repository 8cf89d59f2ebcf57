//! How everything is to look: dark or light, colours, characters. What is chosen
//! is seen at once.

use crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::player_choice::cycle;
use crate::tui::app_context::AppContext;
use crate::tui::appearance::{Appearance, Characters, ColorChoice, Paper, Surroundings};
use crate::tui::widgets::{KeyLine, KeyWord, SelectList, popup_frame, truncate, wrap_truncated};

pub(super) struct AppearanceDialog {
    rows: SelectList,
    keys: KeyLine,
}

const LABELS: [&str; 3] = ["Ground", "Colours", "Characters"];

const PAPERS: [(Paper, &str); 4] = [
    (Paper::Auto, "as the terminal tells"),
    (Paper::Dark, "dark"),
    (Paper::Light, "light"),
    (Paper::Own, "the terminal's own"),
];

const PALETTES: [(ColorChoice, &str); 4] = [
    (ColorChoice::Auto, "as the terminal tells"),
    (ColorChoice::True, "true colour"),
    (ColorChoice::Sixteen, "the terminal's sixteen"),
    (ColorChoice::None, "none"),
];

const CHARACTERS: [(Characters, &str); 3] = [
    (Characters::Auto, "as the locale tells"),
    (Characters::Unicode, "Unicode"),
    (Characters::Ascii, "ASCII"),
];

fn value<T: PartialEq>(all: &[(T, &'static str)], now: &T) -> &'static str {
    let found = all.iter().find(|(each, _)| each == now);
    found.map_or("", |(_, words)| words)
}

fn next<T: PartialEq + Copy>(all: &[(T, &str)], now: T, on: bool) -> T {
    let at = all.iter().position(|(each, _)| *each == now).unwrap_or(0);
    all[cycle(at, all.len(), on)].0
}

impl AppearanceDialog {
    pub(super) fn new() -> AppearanceDialog {
        AppearanceDialog {
            rows: SelectList::new(LABELS.len()),
            keys: KeyLine::new(),
        }
    }

    /// Changes what is selected.
    fn change(&self, house: &mut AppContext, on: bool) {
        let mut now = house.appearance();
        match self.rows.selected() {
            0 => now.paper = next(&PAPERS, now.paper, on),
            1 => now.palette = next(&PALETTES, now.palette, on),
            _ => now.characters = next(&CHARACTERS, now.characters, on),
        }
        house.set_appearance(now);
        house.remember(Appearance::SETTING_KEY, now.to_json());
    }

    /// Does it stay open?
    pub(super) fn handle_key(&mut self, key: KeyEvent, house: &mut AppContext) -> bool {
        match key.code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | 'c') => return false,
            KeyCode::Left | KeyCode::Char('h') => self.change(house, false),
            KeyCode::Right | KeyCode::Char('l' | ' ') => self.change(house, true),
            KeyCode::Tab => {
                self.rows.handle_key(KeyCode::Down.into());
            }
            KeyCode::BackTab => {
                self.rows.handle_key(KeyCode::Up.into());
            }
            _ => {
                self.rows.handle_key(key);
            }
        }
        true
    }

    pub(super) fn handle_mouse(&mut self, mouse: MouseEvent, house: &mut AppContext) -> bool {
        if let Some(key) = self.keys.handle_mouse(mouse) {
            return self.handle_key(key, house);
        }
        if self.rows.handle_mouse(mouse).is_some() {
            self.change(house, true);
        }
        true
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, house: &AppContext) {
        let look = &house.theme;
        let area = frame.area();
        let buf = frame.buffer_mut();
        let inside = self::popup_frame(look, "Appearance", Constraint::Length(56), 12, area, buf);
        let now = house.appearance();
        let values = [
            value(&PAPERS, &now.paper),
            value(&PALETTES, &now.palette),
            value(&CHARACTERS, &now.characters),
        ];
        let [before, behind] = look.arrows();
        let rows = Rect {
            height: inside.height.min(3),
            ..inside
        };
        let room = usize::from(inside.width).saturating_sub(18).min(22);
        for (at, row) in self.rows.visible_rows(rows) {
            let selected = at == self.rows.selected();
            let style = if selected {
                look.selected()
            } else {
                look.text()
            };
            let sign = if selected { look.pointer() } else { " " };
            buf.set_style(row, style);
            Line::from_iter([
                Span::raw(format!("{sign} {:<12}", LABELS[at])),
                Span::raw(format!(
                    "{before} {:<room$} {behind}",
                    truncate(values[at], room as u16, look.ellipsis())
                )),
            ])
            .style(style)
            .render(row, buf);
        }
        let comment = comment(house.surroundings(), now);
        let below = inside.rows().skip(4).take(2);
        for (row, line) in below.zip(wrap_truncated(comment, inside.width, 2, look.ellipsis())) {
            Line::styled(line, look.dim()).render(row, buf);
        }
        let last = Rect {
            x: inside.x.saturating_sub(1),
            y: inside.bottom().saturating_sub(1),
            height: 1.min(inside.height),
            ..inside
        };
        let keys = [
            KeyWord::new("arrows", "change", KeyCode::Right),
            KeyWord::new("Enter", "done", KeyCode::Enter),
        ];
        self.keys.render(&keys, look, last, buf);
    }
}

/// What is stronger than a choice here, or in the way of what is chosen.
fn comment(around: &Surroundings, now: Appearance) -> &'static str {
    let nobody_says = now.paper == Paper::Auto && around.background.is_none();
    let could = now.palette == ColorChoice::Auto && around.true_colour && !around.limited_colors;
    match (around.no_color, around.ascii) {
        (true, true) => "NO_COLOR is set and --ascii was given: these come first.",
        (true, false) => "NO_COLOR is set, which comes first.",
        (false, true) => "--ascii was given, which comes first.",
        (false, false) if could && nobody_says => {
            "Sixteen colours, as the terminal does not tell its ground: choose one for true colour."
        }
        (false, false) => "Remembered for the next time.",
    }
}
