//! What keys mean to every board: directions, digits as on a keypad, yes and no.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// A key as a board sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Press {
    /// Right and down.
    Step(i8, i8),
    /// 1 to 9.
    Digit(u8),
    /// Enter or the space bar.
    Confirm,
    /// Esc.
    Cancel,
    /// Any other letter.
    Letter(char),
}

/// Reads a key; none that a board could want.
pub(super) fn parse_key(key: KeyEvent) -> Option<Press> {
    if key.kind == KeyEventKind::Release
        || key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SUPER)
    {
        return None;
    }
    Some(match key.code {
        KeyCode::Left | KeyCode::Char('h') => Press::Step(-1, 0),
        KeyCode::Right | KeyCode::Char('l') => Press::Step(1, 0),
        KeyCode::Up | KeyCode::Char('k') => Press::Step(0, -1),
        KeyCode::Down | KeyCode::Char('j') => Press::Step(0, 1),
        KeyCode::Enter | KeyCode::Char(' ') => Press::Confirm,
        KeyCode::Esc => Press::Cancel,
        KeyCode::Char(c @ '1'..='9') => Press::Digit(c as u8 - b'0'),
        KeyCode::Char(c) => Press::Letter(c),
        _ => return None,
    })
}

/// Where a digit lies on a keypad, as column and row from the top left.
pub(super) fn keypad_cell(digit: u8) -> (u8, u8) {
    let n = digit.clamp(1, 9) - 1;
    (n % 3, 2 - n / 3)
}

/// The diagonal directions beside hjkl, as in old games of the terminal.
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
    use super::*;

    #[test]
    fn digits_lie_as_on_a_keypad() {
        let rows = [[7, 8, 9], [4, 5, 6], [1, 2, 3]];
        for (row, digits) in (0..).zip(rows) {
            for (col, digit) in (0..).zip(digits) {
                assert_eq!(keypad_cell(digit), (col, row));
            }
        }
    }

    #[test]
    fn keys_with_modifiers_and_releases_are_not_meant_for_boards() {
        let key = KeyEvent::new(KeyCode::Char('h'), KeyModifiers::CONTROL);
        assert_eq!(parse_key(key), None);
        let mut key = KeyEvent::from(KeyCode::Enter);
        assert_eq!(parse_key(key), Some(Press::Confirm));
        key.kind = KeyEventKind::Release;
        assert_eq!(parse_key(key), None);
    }
}
