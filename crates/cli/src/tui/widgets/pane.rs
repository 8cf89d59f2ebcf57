//! A framed part of a screen.

use noughts_rules::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Padding, Widget};

use crate::tui::theme::Theme;
use crate::tui::widgets::text::truncate;

/// A frame with a title. The part that has the keys stands out.
pub(crate) struct Pane<'a> {
    look: &'a Theme,
    title: &'a str,
    mark: Option<Side>,
    note: &'a str,
    focused: bool,
}

impl<'a> Pane<'a> {
    pub(crate) fn new(look: &'a Theme, title: &'a str) -> Pane<'a> {
        Pane {
            look,
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

    /// A player's mark before the title.
    pub(crate) fn mark(mut self, mark: Option<Side>) -> Pane<'a> {
        self.mark = mark;
        self
    }

    /// A few words in the lower border.
    pub(crate) fn note(mut self, note: &'a str) -> Pane<'a> {
        self.note = note;
        self
    }

    /// Draws the frame and gives the room inside.
    pub(crate) fn render(self, area: Rect, buf: &mut Buffer) -> Rect {
        let look = self.look;
        // The title lies over the border and must not be as dim.
        let bright = |style: Style| style.remove_modifier(Modifier::DIM);
        let (border, heading) = if self.focused {
            (look.accent(), look.accent())
        } else {
            (look.hairline(), bright(look.strong()))
        };
        let room = area.width.saturating_sub(6);
        let title = truncate(self.title, room, look.ellipsis());
        let mark = match self.mark {
            Some(player) => {
                let mark = format!(" {}", letter(player));
                Span::styled(mark, bright(look.side(player)))
            }
            None => Span::raw(""),
        };
        let title = Line::from_iter([mark, Span::styled(format!(" {title} "), heading)]);
        let block = Block::bordered()
            .border_set(look.panel_border())
            .border_style(border)
            .padding(Padding::horizontal(1))
            .title(title);
        let block = match self.note {
            "" => block,
            note => {
                let note = format!(" {} ", truncate(note, room, look.ellipsis()));
                block.title_bottom(Line::styled(note, look.dim()).right_aligned())
            }
        };
        let inside = block.inner(area);
        block.render(area, buf);
        inside
    }
}

fn letter(player: Side) -> char {
    match player {
        Side::X => 'X',
        Side::O => 'O',
    }
}
