//! The panel of one player: name, mark, record or bot description, pieces in hand, and whether it
//! is their turn.

use noughts_rules::Side;
use noughts_store::Tally;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Widget};

use crate::tui::theme::Theme;
use crate::tui::widgets::{wrap, wrap_truncated};

/// What the panel shows below the name.
pub(crate) enum PlayerInfo {
    /// A human's record.
    Record(Tally),
    /// A bot's description.
    Description(String),
}

pub(crate) struct PlayerPanel<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) side: Side,
    pub(crate) name: &'a str,
    pub(crate) info: &'a PlayerInfo,
    /// `to move`, `thinking` or `won`; `None` while waiting.
    pub(crate) status: Option<&'a str>,
    /// Pieces not on the board yet, and the total.
    pub(crate) in_hand: Option<(u32, u32)>,
    /// The match score, this player's points first.
    pub(crate) match_score: Option<String>,
}

/// The mark, a space, and the frame with a space on either side.
const NAME_MARGIN: u16 = 8;

impl PlayerPanel<'_> {
    /// The rows needed to show everything at this width.
    pub(crate) fn height(&self, width: u16) -> u16 {
        let text = match self.info {
            PlayerInfo::Record(_) => 3,
            PlayerInfo::Description(description) => wrap(description, inner(width)).len(),
        };
        // The frame, the mark, an empty row.
        2 + 3 + 1 + text as u16 + 2 * u16::from(self.in_hand.is_some())
    }

    fn mark_style(&self) -> Style {
        self.theme.side(self.side)
    }

    fn block(&self) -> Block<'static> {
        let theme = self.theme;
        let title = |text: String| Line::styled(text, self.mark_style());
        let mut block = Block::bordered().title(title(format!(" {} ", self.side)));
        block = match self.status {
            None => block
                .border_set(theme.panel_border())
                .border_style(theme.dim()),
            // The turn is shown by the frame and in words, not by color alone.
            Some(status) => block
                .border_set(theme.heavy_border())
                .border_style(self.mark_style())
                .title(title(format!("{} {status} ", theme.pointer()))),
        };
        match &self.match_score {
            Some(score) => {
                block.title_bottom(Line::styled(format!(" match {score} "), theme.strong()))
            }
            None => block,
        }
    }

    /// The mark with the name next to it.
    fn header(&self, width: u16) -> Vec<Line<'static>> {
        let name_width = width.saturating_sub(NAME_MARGIN);
        let mut name = wrap_truncated(self.name, name_width, 3, self.theme.ellipsis()).into_iter();
        let mark = match self.side {
            Side::X => self
                .theme
                .pick(["╲ ╱", " ╳ ", "╱ ╲"], ["\\ /", " X ", "/ \\"]),
            Side::O => self
                .theme
                .pick(["╭─╮", "│ │", "╰─╯"], [".-.", "| |", "'-'"]),
        };
        let lines = mark.into_iter().map(|mark| {
            Line::from(vec![
                Span::styled(mark, self.mark_style()),
                Span::raw(" "),
                Span::styled(name.next().unwrap_or_default(), self.theme.strong()),
            ])
        });
        lines.collect()
    }

    /// Everything in this many rows: empty rows are dropped first, then the end of the description.
    fn lines(&self, width: u16, rows: u16) -> Vec<Line<'static>> {
        let mut lines = self.header(width);
        let spacious = rows + 2 >= self.height(width);
        if spacious {
            lines.push(Line::default());
        }
        let rows_below = u16::from(self.in_hand.is_some()) * if spacious { 2 } else { 1 };
        let room = rows.saturating_sub(lines.len() as u16 + rows_below);
        match self.info {
            PlayerInfo::Record(tally) => lines.extend(self.record(*tally, width)),
            PlayerInfo::Description(description) => {
                let ellipsis = self.theme.ellipsis();
                let description =
                    wrap_truncated(description, inner(width), room, ellipsis).into_iter();
                lines.extend(description.map(|text| Line::styled(text, self.theme.dim())));
            }
        }
        if let Some((left, total)) = self.in_hand {
            if spacious {
                lines.push(Line::default());
            }
            lines.push(self.pieces(left, total));
        }
        lines
    }

    fn record(&self, tally: Tally, width: u16) -> [Line<'static>; 3] {
        let rows = [
            ("wins", tally.wins),
            ("losses", tally.losses),
            ("draws", tally.draws),
        ];
        let width = usize::from(inner(width).clamp(8, 14) - 8);
        rows.map(|(label, number)| {
            Line::from(vec![
                Span::styled(format!("{label:<8}"), self.theme.dim()),
                Span::styled(format!("{number:>width$}"), self.theme.text()),
            ])
        })
    }

    fn pieces(&self, left: u32, total: u32) -> Line<'static> {
        let piece = match self.side {
            Side::X => self.theme.pick('✕', 'X'),
            Side::O => self.theme.pick('○', 'O'),
        };
        let empty = self.theme.pick("·", ".");
        let filled = format!("{piece} ").repeat(left as usize);
        let empty = format!("{empty} ").repeat(total.saturating_sub(left) as usize);
        Line::from(vec![
            Span::styled("left ", self.theme.dim()),
            Span::styled(filled, self.mark_style()),
            Span::styled(empty, self.theme.dim()),
        ])
    }
}

impl Widget for PlayerPanel<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let block = self.block();
        let inner = block.inner(area);
        block.render(area, buf);
        let inner = inner.inner(Margin::new(1, 0));
        Paragraph::new(self.lines(area.width, inner.height)).render(inner, buf);
    }
}

fn inner(width: u16) -> u16 {
    width.saturating_sub(4).max(1)
}
