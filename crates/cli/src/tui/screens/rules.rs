//! The rules of a game, to be read over any screen.

use noughts_rules::Variant;
use ratatui::text::Line;

use crate::rulebook;
use crate::tui::look::Look;
use crate::tui::widgets::Reader;

pub(super) fn reader(variant: Variant, look: &Look) -> Reader {
    let mut text: Vec<Line<'static>> = Vec::new();
    for paragraph in rulebook::rules(variant) {
        let (heading, paragraph) = match paragraph.strip_prefix("# ") {
            Some(rest) => rest.split_once('\n').unwrap_or((rest, "")),
            None => ("", paragraph.as_str()),
        };
        if !text.is_empty() {
            text.push(Line::default());
        }
        if !heading.is_empty() {
            text.push(Line::styled(heading.to_owned(), look.strong()));
        }
        text.push(Line::from(paragraph.to_owned()));
    }
    Reader::new(format!("The rules of {variant}"), text)
}
