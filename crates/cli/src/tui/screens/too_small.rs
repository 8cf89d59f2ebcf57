//! What is shown in the place of any screen when the terminal is too small for it.

use ratatui::Frame;
use ratatui::layout::{Rect, Size};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use crate::tui::theme::Theme;
use crate::tui::widgets::wrap;

pub(crate) fn is_too_small(area: Rect, least: Size) -> bool {
    area.width < least.width || area.height < least.height
}

pub(crate) fn draw(frame: &mut Frame, least: Size, saved: bool, look: &Theme) {
    let area = frame.area();
    let Size { width, height } = least;
    // Short enough for five rows of 20 columns.
    let mut sentences = vec![
        format!(
            "Too small: {}×{}, needs {width}×{height}.",
            area.width, area.height
        ),
        "Make it larger or quit with Ctrl-C.".to_owned(),
    ];
    if saved {
        sentences.push("Everything is saved.".to_owned());
    }
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
