//! One player at the side of the board: name, mark, record or what kind of computer
//! it is, pieces in hand, and whether it is their turn.

use noughts_rules::Side;
use noughts_store::Tally;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::symbols::border;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Widget};

use crate::tui::theme::Theme;
use crate::tui::widgets::marks;
use crate::tui::widgets::{wrap, wrap_truncated};

/// What stands below the name.
pub(crate) enum PlayerInfo {
    /// A person's record.
    Record(Tally),
    /// A computer's honest sentence.
    Sentence(String),
}

pub(crate) struct Scores<'a> {
    pub(crate) look: &'a Theme,
    pub(crate) side: Side,
    pub(crate) name: &'a str,
    pub(crate) info: &'a PlayerInfo,
    /// What they do: `to move`, `thinks`, `has won`; nothing while they wait.
    pub(crate) status: Option<&'a str>,
    /// Pieces not yet on the board, and all there are.
    pub(crate) in_hand: Option<(usize, usize)>,
    /// The match score, this player's points first.
    pub(crate) match_score: Option<String>,
}

/// A mark, a space, and the frame with a space on either side.
const BESIDE_MARK: u16 = 8;

impl Scores<'_> {
    /// The rows it needs at this width to show everything.
    pub(crate) fn height(&self, width: u16) -> u16 {
        let text = match self.info {
            PlayerInfo::Record(_) => 3,
            PlayerInfo::Sentence(sentence) => wrap(sentence, inner(width)).len(),
        };
        // The frame, the mark, an empty row.
        2 + 3 + 1 + text as u16 + 2 * u16::from(self.in_hand.is_some())
    }

    fn mark_style(&self) -> Style {
        self.look.side(self.side)
    }

    fn block(&self) -> Block<'static> {
        let block = self.frame();
        match &self.match_score {
            Some(score) => {
                let score = Line::from(format!(" match {score} ")).style(self.look.strong());
                block.title_bottom(score)
            }
            None => block,
        }
    }

    fn frame(&self) -> Block<'static> {
        let side = format!(" {} ", self.side);
        let Some(doing) = self.status else {
            return Block::bordered()
                .border_set(self.look.panel_border())
                .border_style(self.look.dim())
                .title(Line::from(side).style(self.mark_style()));
        };
        // A turn is told by the frame and in words: colours alone tell nothing.
        let doing = format!("{} {doing} ", self.look.pointer());
        Block::bordered()
            .border_set(heavy(self.look))
            .border_style(self.mark_style())
            .title(Line::from(side).style(self.mark_style()))
            .title(Line::from(doing).style(self.mark_style()))
    }

    /// The mark with the name beside it.
    fn head(&self, width: u16) -> Vec<Line<'static>> {
        let beside = width.saturating_sub(BESIDE_MARK);
        let mut name = wrap_truncated(self.name, beside, 3, self.look.ellipsis()).into_iter();
        let marks = marks::large_mark(self.look, self.side).into_iter();
        let lines = marks.map(|mark| {
            Line::from(vec![
                Span::styled(mark, self.mark_style()),
                Span::raw(" "),
                Span::styled(name.next().unwrap_or_default(), self.look.strong()),
            ])
        });
        lines.collect()
    }

    /// All of it in so many rows: air goes first, then the end of the sentence.
    fn lines(&self, width: u16, rows: u16) -> Vec<Line<'static>> {
        let mut lines = self.head(width);
        let airy = rows + 2 >= self.height(width);
        if airy {
            lines.push(Line::default());
        }
        let below = u16::from(self.in_hand.is_some()) * if airy { 2 } else { 1 };
        let room = rows.saturating_sub(lines.len() as u16 + below);
        match self.info {
            PlayerInfo::Record(tally) => lines.extend(self.record(*tally, width)),
            PlayerInfo::Sentence(sentence) => {
                let more = self.look.ellipsis();
                let sentence = wrap_truncated(sentence, inner(width), room, more).into_iter();
                lines.extend(sentence.map(|text| Line::styled(text, self.look.dim())));
            }
        }
        if let Some((left, of)) = self.in_hand {
            if airy {
                lines.push(Line::default());
            }
            lines.push(self.pieces(left, of));
        }
        lines
    }

    fn record(&self, tally: Tally, width: u16) -> [Line<'static>; 3] {
        let rows = [
            ("wins", tally.wins),
            ("losses", tally.losses),
            ("ties", tally.draws),
        ];
        let width = usize::from(inner(width).clamp(8, 14) - 8);
        rows.map(|(word, number)| {
            Line::from(vec![
                Span::styled(format!("{word:<8}"), self.look.dim()),
                Span::styled(format!("{number:>width$}"), self.look.text()),
            ])
        })
    }

    fn pieces(&self, left: usize, of: usize) -> Line<'static> {
        let piece = marks::piece_char(self.look, self.side);
        let gone = if self.look.ascii() { "." } else { "·" };
        let there = format!("{piece} ").repeat(left);
        let gone = format!("{gone} ").repeat(of.saturating_sub(left));
        Line::from(vec![
            Span::styled("hand ", self.look.dim()),
            Span::styled(there, self.mark_style()),
            Span::styled(gone, self.look.dim()),
        ])
    }
}

impl Widget for Scores<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let block = self.block();
        let inside = block.inner(area);
        block.render(area, buf);
        let inside = Rect {
            x: inside.x + 1,
            width: inside.width.saturating_sub(2),
            ..inside
        };
        Paragraph::new(self.lines(area.width, inside.height)).render(inside, buf);
    }
}

fn inner(width: u16) -> u16 {
    width.saturating_sub(4).max(1)
}

fn heavy(look: &Theme) -> border::Set<'static> {
    if look.ascii() {
        border::Set {
            top_left: "#",
            top_right: "#",
            bottom_left: "#",
            bottom_right: "#",
            vertical_left: "#",
            vertical_right: "#",
            horizontal_top: "=",
            horizontal_bottom: "=",
        }
    } else {
        border::THICK
    }
}
