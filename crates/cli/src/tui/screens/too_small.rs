//! Replaces any screen when the terminal is too small for it.

use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use ratatui::macros::vertical;
use ratatui::text::Text;
use ratatui::widgets::Widget;

use crate::tui::theme::Theme;
use crate::tui::widgets::wrap;

pub(crate) fn is_too_small(area: Rect, min_size: Size) -> bool {
    area.width < min_size.width || area.height < min_size.height
}

pub(crate) fn draw(frame: &mut Frame, min_size: Size, is_saved: bool, theme: &Theme) {
    let area = frame.area();
    let Size { width, height } = min_size;
    // Short enough for five rows of 20 columns.
    let mut messages = vec![
        format!(
            "Terminal too small: {columns}×{rows}, needs {width}×{height}.",
            columns = area.width,
            rows = area.height
        ),
        "Make it larger or quit with Ctrl-C.".to_owned(),
    ];
    if is_saved {
        messages.push("Everything is saved.".to_owned());
    }
    let lines = messages
        .iter()
        .flat_map(|message| wrap(message, area.width));
    let text = Text::from_iter(lines).style(theme.text()).centered();
    let top = area.height.saturating_sub(text.height() as u16) / 2;
    let [_, rows] = vertical![==top, *=1].areas(area);
    text.render(rows, frame.buffer_mut());
}
