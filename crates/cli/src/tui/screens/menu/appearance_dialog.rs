//! The appearance settings: background, colors, characters. Changes take effect immediately.

use crossterm::event::KeyCode;
use ratatui::Frame;
use ratatui::macros::vertical;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::player_choice::cycle;
use crate::tui::app_context::AppContext;
use crate::tui::appearance::{
    Appearance, BackgroundChoice, CharsetChoice, ColorChoice, TerminalEnv,
};
use crate::tui::event::Event;
use crate::tui::widgets::{
    DialogResult, KeyHint, ListInput, SelectList, draw_wrapped, popup_frame, truncate,
};

pub(super) struct AppearanceDialog {
    list: SelectList,
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

/// Changes a setting to the next or previous option, if a direction is given, and returns its label.
fn step<T: PartialEq + Copy>(
    options: &[(T, &'static str)],
    current: &mut T,
    forward: Option<bool>,
) -> &'static str {
    let find = |current| options.iter().find(|(option, _)| *option == current);
    if let (Some(forward), Some(option)) = (forward, find(*current)) {
        *current = cycle(options, option, forward).0;
    }
    find(*current).map_or("", |(_, label)| label)
}

/// The same for the setting in a row of the dialog.
fn step_row(row: usize, current: &mut Appearance, forward: Option<bool>) -> &'static str {
    match row {
        0 => step(&BACKGROUNDS, &mut current.background, forward),
        1 => step(&COLORS, &mut current.colors, forward),
        _ => step(&CHARACTERS, &mut current.characters, forward),
    }
}

impl AppearanceDialog {
    pub(super) fn new() -> AppearanceDialog {
        AppearanceDialog {
            list: SelectList::new(LABELS.len()),
        }
    }

    /// Changes the selected setting.
    fn change(&self, context: &mut AppContext, forward: bool) {
        let mut current = context.appearance;
        step_row(self.list.selected(), &mut current, Some(forward));
        context.set_appearance(current);
        context.save_setting(Appearance::SETTING_KEY, current.to_json());
    }

    pub(super) fn handle_event<T>(
        &mut self,
        event: &Event,
        context: &mut AppContext,
    ) -> DialogResult<T> {
        match self.list.handle_event(event) {
            Some(ListInput::Clicked(_)) => self.change(context, true),
            Some(ListInput::Key(key)) => match key.code {
                KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | 'c') => {
                    return DialogResult::Canceled;
                }
                KeyCode::Left | KeyCode::Char('h') => self.change(context, false),
                KeyCode::Right | KeyCode::Char('l' | ' ') => self.change(context, true),
                KeyCode::Tab => self.list.select(self.list.selected() + 1),
                KeyCode::BackTab => self.list.select(self.list.selected().saturating_sub(1)),
                _ => _ = self.list.handle_key(key),
            },
            None => {}
        }
        DialogResult::Pending
    }

    pub(super) fn draw(&mut self, frame: &mut Frame, context: &AppContext) {
        let theme = &context.theme;
        let area = frame.area();
        let buf = frame.buffer_mut();
        let inner = popup_frame(theme, "Appearance", 56, 12, area, buf);
        let [list, _, below] = vertical![==3, ==1, <=2].areas(inner);
        let mut current = context.appearance;
        let [left_arrow, right_arrow] = theme.arrows();
        let room = usize::from(inner.width).saturating_sub(18).min(22);
        for row in self.list.rows(theme, list, buf) {
            let (pointer, label) = (row.pointer, LABELS[row.index]);
            let value = step_row(row.index, &mut current, None);
            let value = truncate(value, room as u16, theme.ellipsis());
            let text = format!("{pointer} {label:<12}{left_arrow} {value:<room$} {right_arrow}");
            Line::styled(text, row.style).render(row.area, buf);
        }
        let is_saved = context.store_handle.is_persistent();
        let note = note(&context.terminal_env, current, is_saved);
        draw_wrapped(note, theme.dim(), theme, below, buf);
        let keys = [
            KeyHint::new("arrows", "change", KeyCode::Right),
            KeyHint::new("Enter", "done", KeyCode::Enter),
        ];
        self.list.render_dialog_keys(&keys, theme, inner, buf);
    }
}

/// Explains what overrides the settings or limits them.
fn note(env: &TerminalEnv, current: Appearance, is_saved: bool) -> &'static str {
    let unknown_background =
        current.background == BackgroundChoice::Auto && env.background.is_none();
    let true_color_possible =
        current.colors == ColorChoice::Auto && env.true_color && !env.limited_colors;
    match (env.no_color, env.ascii) {
        (true, true) => "NO_COLOR is set and --ascii was given: no colors, only ASCII.",
        (true, false) => "NO_COLOR is set, so no colors are used.",
        (false, true) => "--ascii was given, so only ASCII is used.",
        (false, false) if true_color_possible && unknown_background => {
            "Using 16 colors: background color unknown. Choose a background for true color."
        }
        (false, false) if is_saved => "Saved for next time.",
        (false, false) => "Not saved: your choices apply until you quit.",
    }
}
