//! How a review is drawn: the board at the left, the game as a list and as a plot at
//! its side, what is said of the move that was made below.

use crossterm::event::KeyCode;
use noughts_rules::{Outcome, Player, Variant};
use noughts_session::review::Progress;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{Review, after};
use crate::tui::board::View;
use crate::tui::house::House;
use crate::tui::look::Look;
use crate::tui::screens::panes::{headed, how_it_ended, title};
use crate::tui::screens::{is_compact, rules};
use crate::tui::widgets::{KeyWord, Reader, ValueBar, short, wrap_within};

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

impl Review {
    pub(super) fn picture(&mut self, frame: &mut Frame, house: &House) {
        let look = &house.look;
        let area = frame.area();
        let crumb = self.board.breadcrumb(&self.play);
        let last = house.notice();
        let places = Places::new(area, crumb.is_some(), last.is_some());
        let buf = frame.buffer_mut();
        let flags = match places.moves.is_empty() {
            // The list of moves would say it.
            true => format!("move {} of {}", self.at, self.entries.len()),
            false => format!("review of game {}", self.game.id),
        };
        title(self.game.variant, &flags, look, places.title, buf);
        if let Some(crumb) = crumb {
            Line::styled(crumb, look.accent())
                .centered()
                .render(places.crumb, buf);
        }
        let view = View {
            play: &self.play,
            look,
            active: false,
            notes: self.notes.as_ref(),
            hint: None,
        };
        self.board.render(&view, places.board, buf);
        self.players(places.players, look, buf);
        self.list(places.moves, look, buf);
        self.curve(places.plot, look, buf);
        match self.values.worth(self.at) {
            Some(worth) => ValueBar { look, worth }.render(places.bar, buf),
            None => Line::styled("not looked at yet", look.dim())
                .centered()
                .render(places.bar, buf),
        }
        self.words(places.words, look, buf);
        self.key_line
            .render(&key_words(look), look, places.keys, buf);
        if let Some(last) = last {
            Line::styled(last, look.dim()).render(places.last, buf);
        }
        if let Some(rules) = &mut self.rules {
            rules.render(look, area, buf);
        }
        if let Some(asked) = &self.play_here {
            asked.dialog.render(look, area, buf);
        }
    }

    /// Who played, who won and how.
    fn players(&self, area: Rect, look: &Look, buf: &mut Buffer) {
        let names = Player::BOTH.map(|side| {
            let name = short(&self.name(side), area.width.saturating_sub(10), look.more());
            let won = match self.game.result {
                Some(Outcome::Win(winner)) if winner == side => "  won",
                _ => "",
            };
            Line::from(vec![
                Span::styled(format!("{side} "), look.player(side)),
                Span::styled(name, look.strong()),
                Span::styled(won, look.accent()),
            ])
        });
        let end = match (self.game.end, self.game.result) {
            (None, _) => "not finished".to_owned(),
            (Some(end), result) => {
                let over = after(&self.start, &self.entries, self.entries.len());
                let how = how_it_ended(&over, result, end, |side| self.name(side));
                match result {
                    Some(Outcome::Draw) => format!("a draw: {how}"),
                    _ => how,
                }
            }
        };
        let end = Line::styled(short(&end, area.width, look.more()), look.dim());
        for (row, line) in area.rows().zip(names.into_iter().chain([end])) {
            line.render(row, buf);
        }
    }

    fn list(&mut self, area: Rect, look: &Look, buf: &mut Buffer) {
        let heading = format!("move {} of {}", self.at, self.entries.len());
        let area = headed(&heading, area, look, buf);
        let values = &self.values;
        let sign = |mv: usize| {
            let mistake = values.mistake(mv)?;
            Some((mistake.kind.sign().to_owned(), true))
        };
        self.moves
            .render(&self.entries, self.at, &sign, look, area, buf);
    }

    fn curve(&mut self, area: Rect, look: &Look, buf: &mut Buffer) {
        let values = &self.values;
        let heading = progress(values.progress(), values.is_busy(), look.more(), area.width);
        let area = headed(&heading, area, look, buf);
        let points = self.values.points();
        self.plot.render(&points, self.at, look, area, buf);
    }

    /// What is said of the move that led here.
    fn words(&self, area: Rect, look: &Look, buf: &mut Buffer) {
        let (text, style) = self.remark(look);
        let text = wrap_within(&text, area.width, area.height, look.more());
        for (row, text) in area.rows().zip(text) {
            Line::styled(text, style).render(row, buf);
        }
    }

    fn remark(&self, look: &Look) -> (String, ratatui::style::Style) {
        if let Some(told) = self.told {
            return (told.into(), look.strong());
        }
        let Some(mv) = self.at.checked_sub(1) else {
            return ("Before the first move".into(), look.dim());
        };
        let entry = &self.entries[mv];
        let who = format!("{} ({})", self.name(entry.side), entry.side);
        if let Some(mistake) = self.values.mistake(mv) {
            let (sign, words) = (mistake.kind.sign(), mistake.words(entry.side));
            return (format!("{who} {} {sign} {words}", entry.text), look.error());
        }
        let said = self.values.praise(mv);
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

impl Review {
    /// What `?` shows: the rules, the keys, the signs.
    pub(super) fn help(&self, look: &Look) -> Reader {
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
        let signs = rules::signs(&self.play, depth, true, look);
        rules::help(self.game.variant, &keys, &signs, look)
    }
}

fn key_words(look: &Look) -> Vec<KeyWord> {
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
