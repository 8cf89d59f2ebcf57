//! A single-line text field. The cursor moves by grapheme clusters, so that an accent or a flag is
//! never split.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

#[derive(Clone, Default, Debug)]
pub(crate) struct TextInput {
    text: String,
    /// In bytes, between two graphemes.
    cursor: usize,
    /// The maximum number of `char`s.
    max_chars: usize,
}

impl TextInput {
    /// A text field with this text and the cursor at its end.
    pub(crate) fn new(text: &str, max_chars: usize) -> TextInput {
        let mut input = TextInput {
            text: String::new(),
            cursor: 0,
            max_chars,
        };
        input.insert(text);
        input
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Handles a key; returns false if the key isn't for a text field.
    pub(crate) fn handle_key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('a') if control => self.cursor = 0,
            KeyCode::Char('e') if control => self.cursor = self.text.len(),
            KeyCode::Char('u') if control => self.remove_range(0, self.cursor),
            KeyCode::Char('k') if control => self.remove_range(self.cursor, self.text.len()),
            KeyCode::Char('w') if control => self.remove_range(self.previous_word(), self.cursor),
            KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => {
                return false;
            }
            KeyCode::Char(c) => self.insert(c.encode_utf8(&mut [0; 4])),
            KeyCode::Left => self.cursor = self.previous_boundary(),
            KeyCode::Right => self.cursor = self.next_boundary(),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            KeyCode::Backspace => self.remove_range(self.previous_boundary(), self.cursor),
            KeyCode::Delete => self.remove_range(self.cursor, self.next_boundary()),
            _ => return false,
        }
        true
    }

    /// Inserts typed or pasted text. Control characters are left out, and excess text is cut off.
    pub(crate) fn insert(&mut self, text: &str) {
        let room = self.max_chars.saturating_sub(self.text.chars().count());
        let shown = text.chars().filter(|c| !c.is_control());
        let typed: String = shown.take(room).collect();
        self.text.insert_str(self.cursor, &typed);
        self.cursor += typed.len();
        // The inserted text may have merged with the following grapheme.
        let graphemes = self.text.grapheme_indices(true);
        let mut boundaries = graphemes.map(|(offset, part)| offset + part.len());
        let boundary = boundaries.find(|&end| end >= self.cursor);
        self.cursor = boundary.unwrap_or(0);
    }

    fn previous_boundary(&self) -> usize {
        let last = self.text[..self.cursor].grapheme_indices(true).next_back();
        last.map_or(0, |(offset, _)| offset)
    }

    fn next_boundary(&self) -> usize {
        let next = self.text[self.cursor..].graphemes(true).next();
        self.cursor + next.map_or(0, str::len)
    }

    fn previous_word(&self) -> usize {
        let words = self.text[..self.cursor].trim_end();
        words.rfind(char::is_whitespace).map_or(0, |offset| {
            offset + words[offset..].chars().next().map_or(0, char::len_utf8)
        })
    }

    fn remove_range(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.cursor = from;
    }

    /// Draws the text in one row, scrolled so that the cursor is visible, and returns the position
    /// of the cursor.
    pub(crate) fn render(&self, style: Style, area: Rect, buf: &mut Buffer) -> Position {
        let room = usize::from(area.width.saturating_sub(1));
        let mut from = 0;
        for (offset, part) in self.text.grapheme_indices(true) {
            if self.text[from..self.cursor].width() <= room {
                break;
            }
            from = offset + part.len();
        }
        let width = usize::from(area.width);
        buf.set_stringn(area.x, area.y, &self.text[from..], width, style);
        let column = self.text[from..self.cursor].width().min(room) as u16;
        Position::new(area.x + column, area.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(input: &mut TextInput, code: KeyCode) {
        assert!(input.handle_key(KeyEvent::from(code)), "{code:?}");
    }

    fn control(input: &mut TextInput, c: char) {
        assert!(input.handle_key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)));
    }

    #[test]
    fn the_cursor_moves_by_grapheme_clusters() {
        // An e with a combining accent, a family, a flag.
        let mut input = TextInput::new("e\u{301}👩‍👩‍👧🇳🇴", 40);
        for left in ["e\u{301}👩‍👩‍👧", "e\u{301}", ""] {
            press(&mut input, KeyCode::Backspace);
            assert_eq!(input.text(), left);
        }
        press(&mut input, KeyCode::Backspace);
        assert_eq!(input.text(), "");
    }

    #[test]
    fn text_is_inserted_at_the_cursor() {
        let mut input = TextInput::new("Ann", 40);
        press(&mut input, KeyCode::Left);
        press(&mut input, KeyCode::Char('d'));
        assert_eq!(input.text(), "Andn");
        press(&mut input, KeyCode::Delete);
        assert_eq!(input.text(), "And");
        press(&mut input, KeyCode::Home);
        press(&mut input, KeyCode::Char('李'));
        assert_eq!(input.text(), "李And");
        press(&mut input, KeyCode::End);
        input.insert(" B\u{7}o\n");
        assert_eq!(input.text(), "李And Bo");
        control(&mut input, 'w');
        assert_eq!(input.text(), "李And ");
        control(&mut input, 'u');
        assert_eq!(input.text(), "");
    }

    #[test]
    fn excess_text_is_cut_off() {
        let mut input = TextInput::new("12345", 3);
        assert_eq!(input.text(), "123");
        press(&mut input, KeyCode::Char('4'));
        assert_eq!(input.text(), "123");
    }

    /// A combining mark typed before a letter merges with it.
    #[test]
    fn the_cursor_is_never_inside_a_grapheme_cluster() {
        let mut input = TextInput::new("🇳", 40);
        press(&mut input, KeyCode::Home);
        press(&mut input, KeyCode::Char('🇳'));
        press(&mut input, KeyCode::Char('e'));
        press(&mut input, KeyCode::Left);
        press(&mut input, KeyCode::Left);
        press(&mut input, KeyCode::Delete);
        assert_eq!(input.text(), "e");
    }

    #[test]
    fn the_cursor_is_always_visible() {
        let area = Rect::new(2, 0, 6, 1);
        for text in ["", "Ann", "a long name indeed", "李李李李李李"] {
            let mut input = TextInput::new(text, 40);
            for _ in 0..20 {
                let mut buf = Buffer::empty(Rect::new(0, 0, 10, 1));
                let cursor = input.render(Style::new(), area, &mut buf);
                assert!(area.contains(cursor), "{text}: {cursor}");
                press(&mut input, KeyCode::Left);
            }
        }
    }
}
