//! How every board reads keys: directions, keypad digits, confirm and cancel.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

use crate::tui::event::is_shortcut;

/// A key as a board sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BoardKey {
    /// Columns to the right, rows down.
    Step(i8, i8),
    /// 1 to 9.
    Digit(u8),
    /// Enter or the space bar.
    Confirm,
    Cancel,
    /// Tab, or Shift and Tab if false.
    NextPiece(bool),
    /// Any other letter.
    Letter(char),
}

/// Parses a key event; `None` if no board uses the key.
pub(super) fn parse_key(key: KeyEvent) -> Option<BoardKey> {
    if key.kind == KeyEventKind::Release || is_shortcut(key) {
        return None;
    }
    Some(match key.code {
        KeyCode::Left | KeyCode::Char('h') => BoardKey::Step(-1, 0),
        KeyCode::Right | KeyCode::Char('l') => BoardKey::Step(1, 0),
        KeyCode::Up | KeyCode::Char('k') => BoardKey::Step(0, -1),
        KeyCode::Down | KeyCode::Char('j') => BoardKey::Step(0, 1),
        KeyCode::Enter | KeyCode::Char(' ') => BoardKey::Confirm,
        KeyCode::Esc => BoardKey::Cancel,
        KeyCode::Tab => BoardKey::NextPiece(true),
        KeyCode::BackTab => BoardKey::NextPiece(false),
        KeyCode::Char(c @ '1'..='9') => BoardKey::Digit(c as u8 - b'0'),
        KeyCode::Char(c) => BoardKey::Letter(c),
        _ => return None,
    })
}

/// The cell of a digit on a numeric keypad: column and row from the top left.
pub(super) fn keypad_cell(digit: u8) -> (u8, u8) {
    let n = digit.clamp(1, 9) - 1;
    (n % 3, 2 - n / 3)
}

/// Diagonal directions next to hjkl, as in roguelikes.
pub(super) fn diagonal_step(letter: char) -> Option<(i8, i8)> {
    Some(match letter {
        'y' => (-1, -1),
        'u' => (1, -1),
        'b' => (-1, 1),
        'n' => (1, 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyModifiers;

    use super::*;

    #[test]
    fn digits_map_to_keypad_cells() {
        let rows = [[7, 8, 9], [4, 5, 6], [1, 2, 3]];
        for (row, digits) in (0..).zip(rows) {
            for (col, digit) in (0..).zip(digits) {
                assert_eq!(keypad_cell(digit), (col, row));
            }
        }
    }

    #[test]
    fn boards_ignore_modifiers_and_key_releases() {
        let key = KeyEvent::new(KeyCode::Char('h'), KeyModifiers::CONTROL);
        assert_eq!(parse_key(key), None);
        let mut key = KeyEvent::from(KeyCode::Enter);
        assert_eq!(parse_key(key), Some(BoardKey::Confirm));
        key.kind = KeyEventKind::Release;
        assert_eq!(parse_key(key), None);
    }
}
