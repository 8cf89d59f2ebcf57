//! A line of text to type. The cursor goes by what people see as characters, so
//! that an accent or a flag is never cut in two.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// A text and where in it one types.
#[derive(Clone, Default, Debug)]
pub(crate) struct TextInput {
    text: String,
    /// In bytes, between two graphemes.
    cursor: usize,
    /// The most `char`s that it takes.
    most: usize,
}

impl TextInput {
    /// With this text and the cursor behind it.
    pub(crate) fn new(text: &str, most: usize) -> TextInput {
        let mut field = TextInput {
            text: String::new(),
            cursor: 0,
            most,
        };
        field.insert(text);
        field
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Is the key one for the field? Then it is done.
    pub(crate) fn handle_key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('a') if control => self.cursor = 0,
            KeyCode::Char('e') if control => self.cursor = self.text.len(),
            KeyCode::Char('u') if control => self.cut(0, self.cursor),
            KeyCode::Char('k') if control => self.cut(self.cursor, self.text.len()),
            KeyCode::Char('w') if control => self.cut(self.word_before(), self.cursor),
            KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => {
                return false;
            }
            KeyCode::Char(c) => self.insert(c.encode_utf8(&mut [0; 4])),
            KeyCode::Left => self.cursor = self.before(),
            KeyCode::Right => self.cursor = self.after(),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            KeyCode::Backspace => self.cut(self.before(), self.cursor),
            KeyCode::Delete => self.cut(self.cursor, self.after()),
            _ => return false,
        }
        true
    }

    /// Types a text, or pastes it: what cannot be shown is left out, and what is
    /// too long is cut.
    pub(crate) fn insert(&mut self, text: &str) {
        let room = self.most.saturating_sub(self.text.chars().count());
        let shown = text.chars().filter(|c| !c.is_control());
        let typed: String = shown.take(room).collect();
        self.text.insert_str(self.cursor, &typed);
        self.cursor += typed.len();
        // What was typed may have joined the character behind it.
        let ends = self
            .text
            .grapheme_indices(true)
            .map(|(at, part)| at + part.len());
        self.cursor = ends
            .into_iter()
            .find(|&end| end >= self.cursor)
            .unwrap_or(0);
    }

    fn before(&self) -> usize {
        let last = self.text[..self.cursor].grapheme_indices(true).next_back();
        last.map_or(0, |(at, _)| at)
    }

    fn after(&self) -> usize {
        let next = self.text[self.cursor..].graphemes(true).next();
        self.cursor + next.map_or(0, str::len)
    }

    fn word_before(&self) -> usize {
        let words = self.text[..self.cursor].trim_end();
        words.rfind(char::is_whitespace).map_or(0, |at| {
            at + words[at..].chars().next().map_or(0, char::len_utf8)
        })
    }

    fn cut(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, "");
        self.cursor = from;
    }

    /// Draws it in one row, scrolled so that the cursor is seen, and gives the
    /// place of the cursor.
    pub(crate) fn render(&self, style: Style, area: Rect, buf: &mut Buffer) -> Position {
        let room = usize::from(area.width.saturating_sub(1));
        let mut from = 0;
        for (at, part) in self.text.grapheme_indices(true) {
            if self.text[from..self.cursor].width() <= room {
                break;
            }
            from = at + part.len();
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

    fn press(field: &mut TextInput, code: KeyCode) {
        assert!(field.handle_key(KeyEvent::from(code)), "{code:?}");
    }

    fn control(field: &mut TextInput, c: char) {
        assert!(field.handle_key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL)));
    }

    #[test]
    fn characters_are_what_people_see() {
        // An e with a combining accent, a family, a flag.
        let mut field = TextInput::new("e\u{301}👩‍👩‍👧🇳🇴", 40);
        for left in ["e\u{301}👩‍👩‍👧", "e\u{301}", ""] {
            press(&mut field, KeyCode::Backspace);
            assert_eq!(field.text(), left);
        }
        press(&mut field, KeyCode::Backspace);
        assert_eq!(field.text(), "");
    }

    #[test]
    fn typing_goes_where_the_cursor_is() {
        let mut field = TextInput::new("Ann", 40);
        press(&mut field, KeyCode::Left);
        press(&mut field, KeyCode::Char('d'));
        assert_eq!(field.text(), "Andn");
        press(&mut field, KeyCode::Delete);
        assert_eq!(field.text(), "And");
        press(&mut field, KeyCode::Home);
        press(&mut field, KeyCode::Char('李'));
        assert_eq!(field.text(), "李And");
        press(&mut field, KeyCode::End);
        field.insert(" B\u{7}o\n");
        assert_eq!(field.text(), "李And Bo");
        control(&mut field, 'w');
        assert_eq!(field.text(), "李And ");
        control(&mut field, 'u');
        assert_eq!(field.text(), "");
    }

    #[test]
    fn too_much_is_cut() {
        let mut field = TextInput::new("12345", 3);
        assert_eq!(field.text(), "123");
        press(&mut field, KeyCode::Char('4'));
        assert_eq!(field.text(), "123");
    }

    /// A combining mark typed before a letter joins what is there.
    #[test]
    fn the_cursor_never_stands_inside_a_character() {
        let mut field = TextInput::new("🇳", 40);
        press(&mut field, KeyCode::Home);
        press(&mut field, KeyCode::Char('🇳'));
        press(&mut field, KeyCode::Char('e'));
        press(&mut field, KeyCode::Left);
        press(&mut field, KeyCode::Left);
        press(&mut field, KeyCode::Delete);
        assert_eq!(field.text(), "e");
    }

    #[test]
    fn the_cursor_is_always_seen() {
        let area = Rect::new(2, 0, 6, 1);
        for text in ["", "Ann", "a long name indeed", "李李李李李李"] {
            let mut field = TextInput::new(text, 40);
            for _ in 0..20 {
                let mut buf = Buffer::empty(Rect::new(0, 0, 10, 1));
                let cursor = field.render(Style::new(), area, &mut buf);
                assert!(area.contains(cursor), "{text}: {cursor}");
                press(&mut field, KeyCode::Left);
            }
        }
    }
}
