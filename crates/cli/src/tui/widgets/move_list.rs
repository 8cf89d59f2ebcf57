//! The moves of a game with their numbers as in records, who made each, what it took,
//! and, in a review, how it is judged.

use std::time::Duration;

use noughts_rules::Side;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::tui::theme::Theme;

/// One move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MoveEntry {
    /// The number, where one begins: with each of X's turns, and with O's if O
    /// begins the game.
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
    let mut before = None;
    let moves = moves.into_iter().zip(sides).enumerate();
    let entries = moves.map(|(i, (text, &side))| {
        let begins = before.is_none() || (side == Side::X && before != Some(Side::X));
        turn += usize::from(begins);
        before = Some(side);
        MoveEntry {
            number: begins.then_some(turn),
            side,
            text,
            // Moves that were imported or given may have no time.
            elapsed: times.get(i).copied().filter(|took| !took.is_zero()),
        }
    });
    entries.collect()
}

/// How a move is judged: a sign, and whether it is bad.
pub(crate) type Sign<'a> = &'a dyn Fn(usize) -> Option<(String, bool)>;

/// Where the list stands.
#[derive(Default)]
pub(crate) struct MoveList {
    /// How many rows the person has scrolled up from the end.
    back: usize,
    area: Rect,
    top: usize,
    rows: usize,
}

impl MoveList {
    /// Draws the list; `at` is how many of the moves have been made at the moment
    /// that is shown.
    pub(crate) fn render(
        &mut self,
        entries: &[MoveEntry],
        at: usize,
        sign: Sign<'_>,
        look: &Theme,
        area: Rect,
        buf: &mut Buffer,
    ) {
        let height = usize::from(area.height);
        self.area = area;
        self.rows = entries.len();
        self.back = self.back.min(entries.len().saturating_sub(height));
        // The move that is shown stays in sight, in the middle where there is more.
        let last = match at == entries.len() {
            true => entries.len(),
            false => (at + height / 2).min(entries.len()),
        };
        self.top = last.saturating_sub(height).saturating_sub(self.back);
        let shown = entries.iter().enumerate().skip(self.top);
        for (row, (i, entry)) in area.rows().zip(shown) {
            let line = self.line(entry, i + 1 == at, sign(i), look, usize::from(area.width));
            line.render(row, buf);
        }
        if entries.is_empty() && area.height > 0 {
            Line::from(" no move yet")
                .style(look.dim())
                .render(area, buf);
        }
    }

    fn line(
        &self,
        entry: &MoveEntry,
        current: bool,
        sign: Option<(String, bool)>,
        look: &Theme,
        width: usize,
    ) -> Line<'static> {
        let number = entry.number.map(|n| format!("{n}.")).unwrap_or_default();
        // Three digits are rare; where they come they take what they need.
        let digits = if self.rows > 198 { 5 } else { 3 };
        let style = look.side(entry.side);
        let took = entry.elapsed.map(short_time).unwrap_or_default();
        let (sign, bad) = sign.unwrap_or_default();
        let pointer = if current { look.pointer() } else { " " };
        let mut line = Line::from(vec![
            Span::styled(pointer.to_owned(), look.accent()),
            Span::styled(format!("{number:>digits$} "), look.dim()),
            Span::styled(format!("{} ", entry.side), style),
            Span::styled(entry.text.clone(), look.text()),
        ]);
        if !sign.is_empty() {
            let style = if bad { look.bad() } else { look.dim() };
            line.push_span(Span::styled(format!(" {sign}"), style));
        }
        let room = width.saturating_sub(line.width());
        if room > took.len() {
            line.push_span(Span::styled(format!("{took:>room$}"), look.dim()));
        }
        if current {
            line = line.style(look.selected());
        }
        line
    }

    /// Scrolls: positive is towards the beginning.
    pub(crate) fn scroll(&mut self, rows: isize) {
        self.back = self.back.saturating_add_signed(rows);
        self.back = self
            .back
            .min(self.rows.saturating_sub(usize::from(self.area.height)));
    }

    /// Back to the end, where the newest move is.
    pub(crate) fn scroll_to_end(&mut self) {
        self.back = 0;
    }

    pub(crate) fn contains(&self, column: u16, row: u16) -> bool {
        self.area.contains(Position::new(column, row))
    }

    /// How many moves had been made after the one at this place of the screen.
    pub(crate) fn move_at(&self, column: u16, row: u16) -> Option<usize> {
        let entry = self.top + usize::from(row.checked_sub(self.area.y)?) + 1;
        (self.contains(column, row) && entry <= self.rows).then_some(entry)
    }
}

/// In four characters.
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

    /// The numbers are those of the record of the same game, extra moves included.
    #[test]
    fn numbers_are_those_of_records() {
        let games = [
            ("classic", "b2 a1 c1 a3"),
            ("tic-tac-two", "b2 c2 d3 c4 @b3"),
            ("ception:5c", "ee ea ae eb be ec ce ed de"),
        ];
        for (variant, moves) in games {
            let mut play = AnyGameState::new(variant.parse().expect("a variant"));
            for mv in moves.split_whitespace() {
                if play.play(mv).is_err() {
                    break;
                }
            }
            let entries = move_entries(&play.move_sides(), play.moves(), &[]);
            let words: Vec<String> = entries
                .iter()
                .flat_map(|entry| {
                    let number = entry.number.map(|n| format!("{n}."));
                    number.into_iter().chain([entry.text.clone()])
                })
                .collect();
            let record = Record::new(play).to_text();
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
