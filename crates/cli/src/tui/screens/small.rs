//! What is shown in the place of any screen when the terminal is too small for it.

use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::tui::look::Look;
use crate::tui::widgets::wrap;

pub(crate) fn is_too_small(area: Rect, least: Size) -> bool {
    area.width < least.width || area.height < least.height
}

pub(crate) fn draw(frame: &mut Frame, least: Size, look: &Look) {
    let area = frame.area();
    let Size { width, height } = least;
    // The way out comes first: the rest may not fit.
    let sentences = [
        "Ctrl-C quits: what was played is kept.".to_owned(),
        format!(
            "This needs {width}×{height}; the window has {}×{}.",
            area.width, area.height
        ),
        "Make it larger to continue.".to_owned(),
    ];
    let lines: Vec<String> = sentences
        .iter()
        .flat_map(|sentence| wrap(sentence, area.width))
        .collect();
    let top = area.height.saturating_sub(lines.len() as u16) / 2;
    for (line, row) in lines.into_iter().zip(area.rows().skip(top.into())) {
        let line = Line::styled(line, look.text()).centered();
        line.render(row, frame.buffer_mut());
    }
}
