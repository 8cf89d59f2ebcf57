//! How a review is drawn: the board at the left, the game as a list and as a plot at
//! its side, what is said of the move that was made below.

use crossterm::event::KeyCode;
use noughts_rules::{Outcome, Side, Variant};
use noughts_session::review::Progress;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{ReviewScreen, state_after};
use crate::tui::app_context::AppContext;
use crate::tui::board::RenderContext;
use crate::tui::screens::game_parts::{draw_heading, draw_title, ending_text};
use crate::tui::screens::{is_compact, rules};
use crate::tui::theme::Theme;
use crate::tui::widgets::{KeyWord, TextViewer, ValueBar, truncate, wrap_truncated};

struct Places {
    title: Rect,
    crumb: Rect,
    board: Rect,
    players: Rect,
    moves: Rect,
    plot: Rect,
    bar: Rect,
    words: Rect,
    keys: Rect,
    last: Rect,
}

/// The rows of the compact layout that aren't the board's.
pub(super) const COMPACT_ROWS: u16 = 5;

impl Places {
    /// The board, and a few lines: where the terminal is small.
    fn compact(area: Rect, crumb: bool) -> Places {
        let [title, crumb, board, bar, words, keys] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(u16::from(crumb)),
            Constraint::Fill(1),
            Constraint::Length(1),
            Constraint::Length(2),
            Constraint::Length(1),
        ])
        .areas(area);
        let nowhere = Rect::default();
        Places {
            title: inset(title),
            crumb: inset(crumb),
            board,
            players: nowhere,
            moves: nowhere,
            plot: nowhere,
            bar: inset(bar),
            words: inset(words),
            keys,
            last: nowhere,
        }
    }

    fn new(area: Rect, crumb: bool, last: bool) -> Places {
        if is_compact(area) {
            return Places::compact(area, crumb);
        }
        let roomy = area.height >= 32;
        let row = |wanted: bool| Constraint::Length(u16::from(wanted));
        let [title, _, main, bar, _, words, keys, last] = Layout::vertical([
            Constraint::Length(1),
            row(roomy),
            Constraint::Fill(1),
            Constraint::Length(1),
            row(roomy),
            Constraint::Length(2),
            Constraint::Length(1),
            row(last),
        ])
        .areas(area);
        let side = (34 + area.width.saturating_sub(80) / 3).min(70);
        let [board, right] =
            Layout::horizontal([Constraint::Fill(1), Constraint::Length(side)]).areas(main);
        let [crumb, board] = Layout::vertical([row(crumb), Constraint::Fill(1)]).areas(board);
        let plot = (main.height / 3).clamp(5, 12);
        let [players, moves, plot] = Layout::vertical([
            Constraint::Length(3),
            Constraint::Fill(1),
            Constraint::Length(plot),
        ])
        .areas(right);
        Places {
            title: inset(title),
            crumb: inset(crumb),
            board: inset(board),
            players: inset(players),
            moves: inset(moves),
            plot: inset(plot),
            bar: inset(bar),
            words: inset(words),
            keys,
            last: inset(last),
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
    pub(super) fn draw_review(&mut self, frame: &mut Frame, house: &AppContext) {
        let look = &house.theme;
        let area = frame.area();
        let crumb = self.board.breadcrumb(&self.state);
        let last = house.notice();
        let places = Places::new(area, crumb.is_some(), last.is_some());
        let buf = frame.buffer_mut();
        let flags = match places.moves.is_empty() {
            // The list of moves would say it.
            true => format!("move {} of {}", self.ply, self.entries.len()),
            false => format!("review of game {}", self.game.id),
        };
        draw_title(self.game.variant, &flags, look, places.title, buf);
        if let Some(crumb) = crumb {
            Line::styled(crumb, look.accent())
                .centered()
                .render(places.crumb, buf);
        }
        let view = RenderContext {
            state: &self.state,
            theme: look,
            active: false,
            annotations: self.annotations.as_ref(),
            hint: None,
        };
        self.board.render(&view, places.board, buf);
        self.players(places.players, look, buf);
        self.list(places.moves, look, buf);
        self.curve(places.plot, look, buf);
        match self.values.value_at(self.ply) {
            Some(worth) => ValueBar { look, value: worth }.render(places.bar, buf),
            None => Line::styled("not looked at yet", look.dim())
                .centered()
                .render(places.bar, buf),
        }
        self.words(places.words, look, buf);
        self.key_hints
            .render(&key_words(look), look, places.keys, buf);
        if let Some(last) = last {
            Line::styled(last, look.dim()).render(places.last, buf);
        }
        if let Some(rules) = &mut self.help {
            rules.render(look, area, buf);
        }
        if let Some(asked) = &self.play_from_here {
            asked.dialog.render(look, area, buf);
        }
    }

    /// Who played, who won and how.
    fn players(&self, area: Rect, look: &Theme, buf: &mut Buffer) {
        let names = Side::BOTH.map(|side| {
            let name = truncate(
                &self.name(side),
                area.width.saturating_sub(10),
                look.ellipsis(),
            );
            let won = match self.game.result {
                Some(Outcome::Win(winner)) if winner == side => "  won",
                _ => "",
            };
            Line::from(vec![
                Span::styled(format!("{side} "), look.side(side)),
                Span::styled(name, look.strong()),
                Span::styled(won, look.accent()),
            ])
        });
        let end = match (self.game.end, self.game.result) {
            (None, _) => "not finished".to_owned(),
            (Some(end), result) => {
                let over = state_after(&self.start, &self.entries, self.entries.len());
                let how = ending_text(&over, result, end, |side| self.name(side));
                match result {
                    Some(Outcome::Draw) => format!("a draw: {how}"),
                    _ => how,
                }
            }
        };
        let end = Line::styled(truncate(&end, area.width, look.ellipsis()), look.dim());
        for (row, line) in area.rows().zip(names.into_iter().chain([end])) {
            line.render(row, buf);
        }
    }

    fn list(&mut self, area: Rect, look: &Theme, buf: &mut Buffer) {
        let heading = format!("move {} of {}", self.ply, self.entries.len());
        let area = draw_heading(&heading, area, look, buf);
        let values = &self.values;
        let sign = |mv: usize| {
            let mistake = values.mistake(mv)?;
            Some((mistake.kind.annotation().to_owned(), true))
        };
        self.move_list
            .render(&self.entries, self.ply, &sign, look, area, buf);
    }

    fn curve(&mut self, area: Rect, look: &Theme, buf: &mut Buffer) {
        let values = &self.values;
        let heading = progress(
            values.progress(),
            values.is_analyzing(),
            look.ellipsis(),
            area.width,
        );
        let area = draw_heading(&heading, area, look, buf);
        let points = self.values.points();
        self.plot.render(&points, self.ply, look, area, buf);
    }

    /// What is said of the move that led here.
    fn words(&self, area: Rect, look: &Theme, buf: &mut Buffer) {
        let (text, style) = self.remark(look);
        let text = wrap_truncated(&text, area.width, area.height, look.ellipsis());
        for (row, text) in area.rows().zip(text) {
            Line::styled(text, style).render(row, buf);
        }
    }

    fn remark(&self, look: &Theme) -> (String, ratatui::style::Style) {
        if let Some(told) = self.message {
            return (told.into(), look.strong());
        }
        let Some(mv) = self.ply.checked_sub(1) else {
            return ("Before the first move".into(), look.dim());
        };
        let entry = &self.entries[mv];
        let who = format!("{} ({})", self.name(entry.side), entry.side);
        if let Some(mistake) = self.values.mistake(mv) {
            let (sign, words) = (mistake.kind.annotation(), mistake.describe(entry.side));
            return (format!("{who} {} {sign} {words}", entry.text), look.error());
        }
        let said = self.values.best_move_note(mv);
        let text = format!("{who} played {}{said}", entry.text);
        (text, look.text())
    }
}

/// Everything, or what fits.
fn progress(progress: Progress, busy: bool, more: &str, width: u16) -> String {
    let text = all_progress(progress, busy, more);
    if text.chars().count() <= usize::from(width) {
        return text;
    }
    let Progress {
        exact,
        estimated,
        unknown,
    } = progress;
    let all = exact + estimated + unknown;
    match unknown {
        0 => format!("{exact} of {all} positions exact"),
        _ => format!("{exact} of {all} positions exact, {unknown} open"),
    }
}

fn all_progress(progress: Progress, busy: bool, more: &str) -> String {
    let Progress {
        exact,
        estimated,
        unknown,
    } = progress;
    let mut text = format!("positions: {exact} exact");
    if estimated > 0 {
        text += &format!(", {estimated} estimated");
    }
    if unknown > 0 {
        text += &format!(", {unknown} open");
    } else if busy {
        text += more;
    }
    text
}

impl ReviewScreen {
    /// What `?` shows: the rules, the keys, the signs.
    pub(super) fn help(&self, look: &Theme) -> TextViewer {
        let depth = match self.game.variant {
            Variant::Nested(options) => options.depth().into(),
            _ => 0,
        };
        let arrows = if look.ascii() { "<- ->" } else { "← →" };
        let keys = [
            (arrows, "a move back, a move on; so do hjkl and Space"),
            ("PgUp PgDn", "ten moves back, ten moves on"),
            ("Home End", "to the start, to the end"),
            ("m  M", "to the next mistake, to the one before"),
            ("a", "values of moves on and off"),
            ("p", "play a new game from here"),
            ("z  Z", "look closer, look from farther away (deep boards)"),
            ("?", "this text"),
            ("q, Esc", "leave the review"),
            ("mouse", "a click on a move or on the plot goes there"),
            ("wheel", "scroll the moves"),
        ];
        let keys = keys.map(|(key, does)| (key.to_owned(), does.to_owned()));
        let signs = rules::symbol_help(&self.state, depth, true, look);
        rules::help_viewer(self.game.variant, &keys, &signs, look)
    }
}

fn key_words(look: &Theme) -> Vec<KeyWord> {
    let arrows = if look.ascii() { "<- ->" } else { "← →" };
    vec![
        KeyWord::new(arrows, "step", KeyCode::Right),
        KeyWord::letter("m", "mistake"),
        KeyWord::letter("p", "play from here"),
        KeyWord::letter("a", "values"),
        KeyWord::letter("?", "help"),
        KeyWord::letter("q", "leave"),
        KeyWord::new("Home", "start", KeyCode::Home),
        KeyWord::new("End", "end", KeyCode::End),
    ]
}
