//! Draws the review: the board at the left, the moves and the plot next to it, and a comment on the
//! last move below.

use crossterm::event::KeyCode;
use noughts_rules::{Outcome, Side, Variant};
use noughts_session::review::ReviewProgress;
use noughts_session::seat_label;
use noughts_text::{GameOver, capitalize};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::ReviewScreen;
use crate::tui::app_context::AppContext;
use crate::tui::board::BoardRenderContext;
use crate::tui::screens::game_parts::{draw_heading, draw_title};
use crate::tui::screens::{is_compact, rules};
use crate::tui::theme::Theme;
use crate::tui::widgets::{KeyHint, TextViewer, ValueBar, truncate, wrap_truncated};

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
        let [title, breadcrumb, board, bar, comment, keys] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(u16::from(breadcrumb)),
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(2),
            Constraint::Length(1),
        ])
        .areas(area);
        let empty = Rect::default();
        ReviewAreas {
            title: inset(title),
            breadcrumb: inset(breadcrumb),
            board,
            players: empty,
            moves: empty,
            plot: empty,
            bar: inset(bar),
            comment: inset(comment),
            keys,
            notice: empty,
        }
    }

    fn new(area: Rect, breadcrumb: bool, notice: bool) -> ReviewAreas {
        if is_compact(area) {
            return ReviewAreas::compact(area, breadcrumb);
        }
        let is_roomy = area.height >= 32;
        let row = |shown: bool| Constraint::Length(u16::from(shown));
        let [title, _, main, bar, _, comment, keys, notice] = Layout::vertical([
            Constraint::Length(1),
            row(is_roomy),
            Constraint::Fill(1),
            Constraint::Length(1),
            row(is_roomy),
            Constraint::Length(2),
            Constraint::Length(1),
            row(notice),
        ])
        .areas(area);
        let side = (34 + area.width.saturating_sub(80) / 3).min(70);
        let [board, right] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Length(side)]).areas(main);
        let [breadcrumb, board] =
            Layout::vertical([row(breadcrumb), Constraint::Fill(1)]).areas(board);
        let plot = (main.height / 3).clamp(5, 12);
        let [players, moves, plot] = Layout::vertical([
            Constraint::Length(3),
            Constraint::Fill(1),
            Constraint::Length(plot),
        ])
        .areas(right);
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

/// Without the first and the last column.
fn inset(area: Rect) -> Rect {
    match area.width > 2 {
        true => area.inner(Margin::new(1, 0)),
        false => area,
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
            true => format!(
                "move {ply} of {total}",
                ply = self.ply,
                total = self.entries.len()
            ),
            false => format!("review of game {id}", id = self.game.id),
        };
        draw_title(self.game.variant, &flags, theme, areas.title, buf);
        if let Some(breadcrumb) = breadcrumb {
            Line::styled(breadcrumb, theme.accent())
                .centered()
                .render(areas.breadcrumb, buf);
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
        match self.values.value_at(self.ply) {
            Some(value) => ValueBar { theme, value }.render(areas.bar, buf),
            None => Line::styled("Not evaluated yet", theme.dim())
                .centered()
                .render(areas.bar, buf),
        }
        self.draw_comment(areas.comment, theme, buf);
        self.key_hints
            .render(&review_key_hints(theme), theme, areas.keys, buf);
        if let Some(notice) = notice {
            Line::styled(notice, theme.dim()).render(areas.notice, buf);
        }
        if let Some(rules) = &mut self.help {
            rules.render(theme, area, buf);
        }
        if let Some(asked) = &self.play_from_here {
            asked.dialog.render(theme, area, buf);
        }
    }

    /// Who played, who won and how.
    fn draw_players(&self, area: Rect, theme: &Theme, buf: &mut Buffer) {
        let names = Side::BOTH.map(|side| {
            let name = truncate(
                &self.name(side),
                area.width.saturating_sub(10),
                theme.ellipsis(),
            );
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
        let end = match self.game.end {
            None => "Unfinished".to_owned(),
            Some(termination) => {
                let over = GameOver {
                    variant: self.game.variant,
                    outcome: self.game.result,
                    termination,
                    players: Some([0, 1].map(|seat| seat_label(&self.game.seats[seat]))),
                    moves: self.entries.len(),
                };
                match over.outcome {
                    // The winner is marked in the row above.
                    Some(Outcome::Win(_)) => capitalize(&over.reason()),
                    _ => over.sentence(),
                }
            }
        };
        let end = Line::styled(truncate(&end, area.width, theme.ellipsis()), theme.dim());
        for (row, line) in area.rows().zip(names.into_iter().chain([end])) {
            line.render(row, buf);
        }
    }

    fn draw_move_list(&mut self, area: Rect, theme: &Theme, buf: &mut Buffer) {
        let (ply, total) = (self.ply, self.entries.len());
        let heading = format!("Move {ply} of {total}");
        let area = draw_heading(&heading, area, theme, buf);
        let values = &self.values;
        let glyph = |mv: usize| {
            let mistake = values.mistake(mv)?;
            Some((mistake.kind.annotation().to_owned(), true))
        };
        self.move_list
            .render(&self.entries, self.ply, &glyph, theme, area, buf);
    }

    fn draw_plot(&mut self, area: Rect, theme: &Theme, buf: &mut Buffer) {
        let values = &self.values;
        let heading = progress_text(
            values.progress(),
            values.is_analyzing(),
            theme.ellipsis(),
            area.width,
        );
        let area = draw_heading(&heading, area, theme, buf);
        let points = self.values.points();
        self.plot.render(&points, self.ply, theme, area, buf);
    }

    /// Comments on the last move.
    fn draw_comment(&self, area: Rect, theme: &Theme, buf: &mut Buffer) {
        let (text, style) = self.comment(theme);
        let text = wrap_truncated(&text, area.width, area.height, theme.ellipsis());
        for (row, text) in area.rows().zip(text) {
            Line::styled(text, style).render(row, buf);
        }
    }

    fn comment(&self, theme: &Theme) -> (String, ratatui::style::Style) {
        if let Some(told) = self.message {
            return (told.into(), theme.strong());
        }
        let Some(mv) = self.ply.checked_sub(1) else {
            return ("Before the first move".into(), theme.dim());
        };
        let entry = &self.entries[mv];
        let player = format!(
            "{name} ({side})",
            name = self.name(entry.side),
            side = entry.side
        );
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
    let text = full_progress_text(progress, is_analyzing, ellipsis);
    if text.chars().count() <= usize::from(width) {
        return text;
    }
    let ReviewProgress {
        exact,
        estimated,
        unknown,
    } = progress;
    let total = exact + estimated + unknown;
    match unknown {
        0 => format!("{exact} of {total} positions proved"),
        _ => format!("{exact} of {total} proved, {unknown} to go"),
    }
}

fn full_progress_text(progress: ReviewProgress, is_analyzing: bool, ellipsis: &str) -> String {
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
    text
}

impl ReviewScreen {
    /// The help: rules, keys and symbols.
    pub(super) fn help(&self, theme: &Theme) -> TextViewer {
        let depth = match self.game.variant {
            Variant::Nested(options) => options.depth().into(),
            _ => 0,
        };
        let arrows = if theme.ascii() { "<- ->" } else { "← →" };
        let keys = [
            (arrows, "previous move, next move (also hjkl and Space)"),
            ("PgUp PgDn", "back 10 moves, forward 10 moves"),
            ("Home End", "go to the start, go to the end"),
            ("m  M", "next mistake, previous mistake"),
            ("a", "show or hide move values"),
            ("p", "play a new game from here"),
            ("z  Z", "zoom in, zoom out (deep boards)"),
            ("?", "this help"),
            ("q, Esc", "close the review"),
            ("mouse", "click a move or the plot to go there"),
            ("wheel", "scroll the moves"),
        ];
        let keys = keys.map(|(key, meaning)| (key.to_owned(), meaning.to_owned()));
        let symbols = rules::symbol_help(&self.state, depth, true, theme);
        rules::help_viewer(self.game.variant, &keys, &symbols, theme)
    }
}

fn review_key_hints(theme: &Theme) -> Vec<KeyHint> {
    let arrows = if theme.ascii() { "<- ->" } else { "← →" };
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
