//! Draws the review: the board at the left, the moves and the plot next to it, and a comment on the
//! last move below.

use crossterm::event::KeyCode;
use noughts_rules::{Outcome, Side};
use noughts_session::review::ReviewProgress;
use noughts_session::stored_game_over;
use noughts_text::capitalize;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::macros::{horizontal, vertical};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use super::{Overlay, ReviewScreen};
use crate::tui::app_context::AppContext;
use crate::tui::board::BoardRenderContext;
use crate::tui::screens::game_parts::{draw_heading, draw_title, inset};
use crate::tui::screens::is_compact;
use crate::tui::theme::Theme;
use crate::tui::widgets::{KeyHint, PlotPoint, draw_value_bar, draw_wrapped, truncate};

/// The areas of the screen; those that aren't shown are empty.
#[derive(Default)]
struct ReviewAreas {
    title: Rect,
    breadcrumb: Rect,
    board: Rect,
    players: Rect,
    moves: Rect,
    plot: Rect,
    bar: Rect,
    comment: Rect,
    keys: Rect,
    notice: Rect,
}

/// The rows of the compact layout apart from the board.
pub(super) const COMPACT_ROWS: u16 = 5;

impl ReviewAreas {
    /// The layout for small terminals: the board and a few lines.
    fn compact(area: Rect, breadcrumb: bool) -> ReviewAreas {
        let [title, breadcrumb, board, bar, comment, keys] =
            vertical![==1, ==u16::from(breadcrumb), *=1, ==1, ==2, ==1].areas(area);
        ReviewAreas {
            title: inset(title),
            breadcrumb: inset(breadcrumb),
            board,
            bar: inset(bar),
            comment: inset(comment),
            keys,
            ..ReviewAreas::default()
        }
    }

    fn new(area: Rect, breadcrumb: bool, notice: bool) -> ReviewAreas {
        if is_compact(area) {
            return ReviewAreas::compact(area, breadcrumb);
        }
        let is_roomy = area.height >= 32;
        let (gap, notice_rows) = (u16::from(is_roomy), u16::from(notice));
        let [title, _, main, bar, _, comment, keys, notice] =
            vertical![==1, ==gap, *=1, ==1, ==gap, ==2, ==1, ==notice_rows].areas(area);
        let side = (34 + area.width.saturating_sub(80) / 3).min(70);
        let [board, right] = horizontal![*=1, ==side].areas(main);
        let [breadcrumb, board] = vertical![==u16::from(breadcrumb), *=1].areas(board);
        let plot = (main.height / 3).clamp(5, 12);
        let [players, moves, plot] = vertical![==3, *=1, ==plot].areas(right);
        ReviewAreas {
            title: inset(title),
            breadcrumb: inset(breadcrumb),
            board: inset(board),
            players: inset(players),
            moves: inset(moves),
            plot: inset(plot),
            bar: inset(bar),
            comment: inset(comment),
            keys,
            notice: inset(notice),
        }
    }
}

impl ReviewScreen {
    pub(super) fn draw_review(&mut self, frame: &mut Frame, context: &AppContext) {
        let theme = &context.theme;
        let area = frame.area();
        let breadcrumb = self.board.breadcrumb(&self.state);
        let notice = context.notice();
        let areas = ReviewAreas::new(area, breadcrumb.is_some(), notice.is_some());
        let buf = frame.buffer_mut();
        let flags = match areas.moves.is_empty() {
            // Replaces the move list.
            true => format!("move {} of {}", self.ply, self.entries.len()),
            false => format!("review of game {id}", id = self.game.id),
        };
        draw_title(self.game.variant, &flags, theme, areas.title, buf);
        if let Some(breadcrumb) = breadcrumb {
            let line = Line::styled(breadcrumb, theme.accent()).centered();
            line.render(areas.breadcrumb, buf);
        }
        let view = BoardRenderContext {
            state: &self.state,
            theme,
            active: false,
            annotations: self.annotations.as_ref(),
            hint: None,
        };
        self.board.render(&view, areas.board, buf);
        self.draw_players(areas.players, theme, buf);
        self.draw_move_list(areas.moves, theme, buf);
        self.draw_plot(areas.plot, theme, buf);
        let value = self.values.value_at(self.ply);
        draw_value_bar(value, "Not evaluated yet", theme, areas.bar, buf);
        self.draw_comment(areas.comment, theme, buf);
        self.key_hints
            .render(&review_key_hints(theme), theme, areas.keys, buf);
        if let Some(notice) = notice {
            Line::styled(notice, theme.dim()).render(areas.notice, buf);
        }
        match &mut self.overlay {
            Some(Overlay::Help(viewer)) => viewer.render(theme, area, buf),
            Some(Overlay::PlayFromHere(dialog)) => dialog.render(theme, area, buf),
            None => {}
        }
    }

    /// Who played, who won and how.
    fn draw_players(&self, area: Rect, theme: &Theme, buf: &mut Buffer) {
        let names = Side::BOTH.map(|side| {
            let room = area.width.saturating_sub(10);
            let name = truncate(&self.name(side), room, theme.ellipsis());
            let won = match self.game.result {
                Some(Outcome::Win(winner)) if winner == side => "  won",
                _ => "",
            };
            Line::from(vec![
                Span::styled(format!("{side} "), theme.side(side)),
                Span::styled(name, theme.strong()),
                Span::styled(won, theme.accent()),
            ])
        });
        let end = match stored_game_over(&self.game) {
            None => "Unfinished".to_owned(),
            // The winner is marked in the row above.
            Some(over) if matches!(over.outcome, Some(Outcome::Win(_))) => {
                capitalize(&over.reason())
            }
            Some(over) => over.sentence(),
        };
        let end = Line::styled(truncate(&end, area.width, theme.ellipsis()), theme.dim());
        Text::from_iter(names.into_iter().chain([end])).render(area, buf);
    }

    fn draw_move_list(&mut self, area: Rect, theme: &Theme, buf: &mut Buffer) {
        let (ply, total) = (self.ply, self.entries.len());
        let heading = format!("Move {ply} of {total}");
        let area = draw_heading(&heading, area, theme, buf);
        let values = &self.values;
        let glyph = |mv: usize| {
            let mistake = values.mistake(mv)?;
            Some(mistake.kind.annotation())
        };
        self.move_list
            .render(&self.entries, self.ply, &glyph, theme, area, buf);
    }

    fn draw_plot(&mut self, area: Rect, theme: &Theme, buf: &mut Buffer) {
        let values = &self.values;
        let (progress, is_running) = (values.progress(), self.running.is_some());
        let heading = progress_text(progress, is_running, theme.ellipsis(), area.width);
        let area = draw_heading(&heading, area, theme, buf);
        let value_at = |ply| values.value_at(ply).filter(|value| !value.is_unknown());
        let points = (0..values.len()).map(|ply| PlotPoint {
            value: value_at(ply),
            mistake: ply > 0 && values.mistake(ply - 1).is_some(),
        });
        let points: Vec<PlotPoint> = points.collect();
        self.plot.render(&points, self.ply, theme, area, buf);
    }

    /// Comments on the last move.
    fn draw_comment(&self, area: Rect, theme: &Theme, buf: &mut Buffer) {
        let (text, style) = self.comment(theme);
        draw_wrapped(&text, style, theme, area, buf);
    }

    fn comment(&self, theme: &Theme) -> (String, ratatui::style::Style) {
        if let Some(message) = self.message {
            return (message.into(), theme.strong());
        }
        let Some(mv) = self.ply.checked_sub(1) else {
            return ("Before the first move".into(), theme.dim());
        };
        let entry = &self.entries[mv];
        let player = format!("{name} ({})", entry.side, name = self.name(entry.side));
        if let Some(mistake) = self.values.mistake(mv) {
            let (glyph, description) = (mistake.kind.annotation(), mistake.describe(entry.side));
            return (
                format!("{player} {mv} {glyph} {description}", mv = entry.text),
                theme.error(),
            );
        }
        let praise = self.values.best_move_note(mv);
        let text = format!("{player} played {mv}{praise}", mv = entry.text);
        (text, theme.text())
    }
}

/// The progress of the analysis, shortened to fit.
fn progress_text(
    progress: ReviewProgress,
    is_analyzing: bool,
    ellipsis: &str,
    width: u16,
) -> String {
    let ReviewProgress {
        exact,
        estimated,
        unknown,
    } = progress;
    let mut text = format!("Positions: {exact} proved");
    if estimated > 0 {
        text += &format!(", {estimated} estimated");
    }
    if unknown > 0 {
        text += &format!(", {unknown} to go");
    } else if is_analyzing {
        text += ellipsis;
    }
    let total = exact + estimated + unknown;
    match unknown {
        _ if text.chars().count() <= usize::from(width) => text,
        0 => format!("{exact} of {total} positions proved"),
        _ => format!("{exact} of {total} proved, {unknown} to go"),
    }
}

fn review_key_hints(theme: &Theme) -> Vec<KeyHint> {
    let arrows = theme.pick("← →", "<- ->");
    vec![
        KeyHint::new(arrows, "step", KeyCode::Right),
        KeyHint::letter("m", "next mistake"),
        KeyHint::letter("p", "play from here"),
        KeyHint::letter("a", "values"),
        KeyHint::letter("?", "help"),
        KeyHint::letter("q", "close"),
        KeyHint::new("Home", "start", KeyCode::Home),
        KeyHint::new("End", "end", KeyCode::End),
    ]
}
