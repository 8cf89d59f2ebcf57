//! What is shown in the place of any screen when the terminal is too small for it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::tui::look::Look;
use crate::tui::widgets::wrap;

/// What every screen is made for.
const WIDTH: u16 = 80;
const HEIGHT: u16 = 24;

pub(crate) fn is_too_small(area: Rect) -> bool {
    area.width < WIDTH || area.height < HEIGHT
}

pub(crate) fn draw(frame: &mut Frame, look: &Look) {
    let area = frame.area();
    // The way out comes first: the rest may not fit.
    let sentences = [
        "Ctrl-C quits: what was played is kept.".to_owned(),
        format!(
            "noughts needs {WIDTH}×{HEIGHT}; this window has {}×{}.",
            area.width, area.height
        ),
        "Make it larger to play on.".to_owned(),
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
