//! The moves of a game, numbered as in records, with sides and times, and with mistakes in a
//! review.

use std::time::Duration;

use noughts_rules::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::theme::Theme;

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MoveEntry {
    /// The turn number, at the first move of each turn: each of X's turns, and O's if O starts the
    /// game.
    pub(crate) number: Option<usize>,
    pub(crate) side: Side,
    pub(crate) text: String,
    pub(crate) elapsed: Option<Duration>,
}

/// Numbers the moves as records do.
pub(crate) fn move_entries(
    sides: &[Side],
    moves: Vec<String>,
    times: &[Duration],
) -> Vec<MoveEntry> {
    let mut turn = 0;
    let mut previous_side = None;
    let moves = moves.into_iter().zip(sides).enumerate();
    let entries = moves.map(|(i, (text, &side))| {
        let starts_turn =
            previous_side.is_none() || (side == Side::X && previous_side != Some(Side::X));
        turn += usize::from(starts_turn);
        previous_side = Some(side);
        MoveEntry {
            number: starts_turn.then_some(turn),
            side,
            text,
            // Imported and given moves may have no time.
            elapsed: times.get(i).copied().filter(|elapsed| !elapsed.is_zero()),
        }
    });
    entries.collect()
}

/// The glyph of a move that is a mistake.
pub(crate) type GlyphLookup<'a> = &'a dyn Fn(usize) -> Option<&'static str>;

/// The move list with its scroll position.
#[derive(Default)]
pub(crate) struct MoveList {
    /// The number of rows scrolled up from the end.
    scrolled_up: usize,
    area: Rect,
    first_row: usize,
    rows: usize,
}

impl MoveList {
    /// Draws the list. `ply` is the number of moves made at the current position.
    pub(crate) fn render(
        &mut self,
        entries: &[MoveEntry],
        ply: usize,
        glyph: GlyphLookup<'_>,
        theme: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let height = usize::from(area.height);
        self.area = area;
        self.rows = entries.len();
        self.scrolled_up = self.scrolled_up.min(entries.len().saturating_sub(height));
        // The current move stays visible, in the middle if the list is longer.
        let last = match ply == entries.len() {
            true => entries.len(),
            false => (ply + height / 2).min(entries.len()),
        };
        self.first_row = last.saturating_sub(height).saturating_sub(self.scrolled_up);
        let visible = entries.iter().enumerate().skip(self.first_row);
        for (row, (i, entry)) in area.rows().zip(visible) {
            let is_current = i + 1 == ply;
            let line = self.line(entry, is_current, glyph(i), theme, area.width.into());
            line.render(row, buf);
        }
        if entries.is_empty() && area.height > 0 {
            Line::styled(" No moves yet", theme.dim()).render(area, buf);
        }
    }

    fn line(
        &self,
        entry: &MoveEntry,
        current: bool,
        glyph: Option<&str>,
        theme: &Theme,
        width: usize,
    ) -> Line<'static> {
        let number = entry.number.map(|n| format!("{n}.")).unwrap_or_default();
        // Wider numbers are rare.
        let digits = if self.rows > 198 { 5 } else { 3 };
        let style = theme.side(entry.side);
        let elapsed = entry.elapsed.map(short_time).unwrap_or_default();
        let pointer = if current { theme.pointer() } else { " " };
        let mut line = Line::from(vec![
            Span::styled(pointer.to_owned(), theme.accent()),
            Span::styled(format!("{number:>digits$} "), theme.dim()),
            Span::styled(format!("{} ", entry.side), style),
            Span::styled(entry.text.clone(), theme.text()),
        ]);
        if let Some(glyph) = glyph {
            line.push_span(Span::styled(format!(" {glyph}"), theme.bad()));
        }
        let room = width.saturating_sub(line.width());
        if room > elapsed.len() {
            line.push_span(Span::styled(format!("{elapsed:>room$}"), theme.dim()));
        }
        if current {
            line = line.style(theme.selected());
        }
        line
    }

    /// Scrolls toward the start if `rows` is positive.
    pub(crate) fn scroll(&mut self, rows: isize) {
        let last = self.rows.saturating_sub(self.area.height.into());
        self.scrolled_up = self.scrolled_up.saturating_add_signed(rows).min(last);
    }

    pub(crate) fn scroll_to_end(&mut self) {
        self.scrolled_up = 0;
    }

    pub(crate) fn contains(&self, column: u16, row: u16) -> bool {
        self.area.contains(Position::new(column, row))
    }

    /// The ply after the move at a screen position.
    pub(crate) fn move_at(&self, column: u16, row: u16) -> Option<usize> {
        let entry = self.first_row + usize::from(row.checked_sub(self.area.y)?) + 1;
        (self.contains(column, row) && entry <= self.rows).then_some(entry)
    }
}

/// A duration in four characters.
pub(crate) fn short_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 9.95 {
        format!("{seconds:.1}s")
    } else if seconds < 99.5 {
        format!("{seconds:.0}s")
    } else if seconds < 99.5 * 60.0 {
        format!("{:.0}m", seconds / 60.0)
    } else {
        let hours = seconds / 3600.0;
        format!("{:.0}h", hours.min(999.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_rules::{AnyGameState, Record};

    /// The numbers are those of the game's record, including extra moves.
    #[test]
    fn numbers_match_records() {
        let games = [
            ("classic", "b2 a1 c1 a3"),
            ("tic-tac-two", "b2 c2 d3 c4 @b3"),
            ("ception:5c", "ee ea ae eb be ec ce ed de"),
        ];
        for (variant, moves) in games {
            let mut state = AnyGameState::new(variant.parse().expect("a variant"));
            for mv in moves.split_whitespace() {
                if state.play(mv).is_err() {
                    break;
                }
            }
            let entries = move_entries(&state.move_sides(), state.moves(), &[]);
            let words: Vec<String> = entries
                .iter()
                .flat_map(|entry| {
                    let number = entry.number.map(|n| format!("{n}."));
                    number.into_iter().chain([entry.text.clone()])
                })
                .collect();
            let record = Record::new(state).to_text();
            let moves = record.lines().last().expect("a line of moves");
            assert_eq!(moves.trim_end_matches(" *"), words.join(" "));
        }
    }

    #[test]
    fn times_take_four_characters() {
        let all = [
            (0, "0.0s"),
            (340, "0.3s"),
            (9_949, "9.9s"),
            (9_960, "10s"),
            (59_000, "59s"),
            (600_000, "10m"),
            (86_400_000, "24h"),
            (u64::MAX, "999h"),
        ];
        for (ms, text) in all {
            assert_eq!(short_time(Duration::from_millis(ms)), text);
        }
    }
}
