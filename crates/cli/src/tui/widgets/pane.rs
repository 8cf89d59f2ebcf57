//! A framed part of a screen.

use noughts_rules::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Padding, Widget};

use crate::tui::theme::Theme;
use crate::tui::widgets::text::truncate;

/// A frame with a title, highlighted while it has the focus.
pub(crate) struct Pane<'a> {
    theme: &'a Theme,
    title: &'a str,
    mark: Option<Side>,
    note: &'a str,
    focused: bool,
}

impl<'a> Pane<'a> {
    pub(crate) fn new(theme: &'a Theme, title: &'a str) -> Pane<'a> {
        Pane {
            theme,
            title,
            mark: None,
            note: "",
            focused: false,
        }
    }

    pub(crate) fn focused(mut self, focused: bool) -> Pane<'a> {
        self.focused = focused;
        self
    }

    /// A side's letter before the title.
    pub(crate) fn mark(mut self, mark: Option<Side>) -> Pane<'a> {
        self.mark = mark;
        self
    }

    /// A few words in the lower border.
    pub(crate) fn note(mut self, note: &'a str) -> Pane<'a> {
        self.note = note;
        self
    }

    /// Draws the frame and returns the area inside.
    pub(crate) fn render(self, area: Rect, buf: &mut Buffer) -> Rect {
        let theme = self.theme;
        // The title is on the border but must not be dim.
        let without_dim = |style: Style| style.remove_modifier(Modifier::DIM);
        let (border, heading) = if self.focused {
            (theme.accent(), theme.accent())
        } else {
            (theme.hairline(), without_dim(theme.strong()))
        };
        let room = area.width.saturating_sub(6);
        let title = truncate(self.title, room, theme.ellipsis());
        let mark = |side| Span::styled(format!(" {side}"), without_dim(theme.side(side)));
        let title = Span::styled(format!(" {title} "), heading);
        let title = Line::from_iter(self.mark.map(mark).into_iter().chain([title]));
        let mut block = Block::bordered()
            .border_set(theme.panel_border())
            .border_style(border)
            .padding(Padding::horizontal(1))
            .title(title);
        if !self.note.is_empty() {
            let note = format!(" {} ", truncate(self.note, room, theme.ellipsis()));
            block = block.title_bottom(Line::styled(note, theme.dim()).right_aligned());
        }
        let inner = block.inner(area);
        block.render(area, buf);
        inner
    }
}
