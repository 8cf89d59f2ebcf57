//! How the screen of a game is drawn.

use noughts_rules::{AnyGameState, Outcome, Side};
use noughts_store::Assistance;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::layout::{Areas, LayoutOptions};
use super::{GameScreen, Notice};
use crate::tui::app_context::AppContext;
use crate::tui::board::{RenderContext, TurnOption};
use crate::tui::screens::game_parts::{draw_heading, draw_title, report_lines};
use crate::tui::screens::is_compact;
use crate::tui::theme::Theme;
use crate::tui::widgets::{KeyWord, Scores, ValueBar, truncate, wrap_truncated};

/// Turns while a computer thinks.
const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const ASCII_SPINNER: [&str; 4] = ["|", "/", "-", "\\"];

/// Before what is allowed, and before what isn't.
fn allowed_signs(look: &Theme) -> [&'static str; 2] {
    if look.ascii() {
        ["+", "x"]
    } else {
        ["✓", "✗"]
    }
}

/// A kind of turn as a part of a line.
fn option_spans(option: &TurnOption, text: &str, look: &Theme) -> [Span<'static>; 3] {
    let [yes, no] = allowed_signs(look);
    let (sign, key, style) = match &option.allowed {
        Ok(()) => (yes, look.accent(), look.text()),
        Err(_) => (no, look.dim(), look.dim()),
    };
    [
        Span::styled(format!("{sign} "), style),
        Span::styled(option.key, key),
        Span::styled(format!(" {text}    "), style),
    ]
}

/// Puts the ways to help and out where they are seen in one short line.
fn first_words(words: &mut [KeyWord]) {
    for (at, key) in ["?", "q"].into_iter().enumerate() {
        let place = (at + 1).min(words.len().saturating_sub(1));
        if let Some(found) = words.iter().position(|word| word.key == key)
            && found > place
        {
            words[place..=found].rotate_right(1);
        }
    }
}

impl GameScreen {
    pub(super) fn draw_game(&mut self, frame: &mut Frame, house: &AppContext) {
        let look = &house.theme;
        let last = house.notice();
        let running = self.game.result().is_none();
        let area = frame.area();
        let options = match is_compact(area) {
            true => self.compact_options(look),
            false => self.options(look),
        };
        let refused = matches!(self.notice, Some(Notice::Error(_)));
        let wanted = LayoutOptions {
            breadcrumb: self.board.breadcrumb(self.game.state()).is_some(),
            // What is typed or refused needs the room.
            value_bar: self.advisor.is_on() && running && self.typing.is_none() && !refused,
            turn_options: options.len() as u16,
            notice: last.is_some(),
            typing: self.typing.is_some(),
            game_over: self.dialog.as_ref().is_some_and(super::GameDialog::is_end),
        };
        let places = Areas::new(area, wanted);
        let buf = frame.buffer_mut();
        self.title(house, places.title, buf);
        if let Some(crumb) = self.board.breadcrumb(self.game.state()) {
            let line = Line::styled(crumb, look.accent()).centered();
            line.render(places.breadcrumb, buf);
        }
        if places.players.is_empty() {
            self.sides(places, look, buf);
        } else {
            self.both_players(places.players, look, buf);
        }
        self.board_itself(places.board, look, buf);
        if let Some(known) = self.advisor.analysis().filter(|_| wanted.value_bar) {
            let worth = known.value;
            ValueBar { look, value: worth }.render(places.value_bar, buf);
        } else if wanted.value_bar {
            Line::styled("analysing", look.dim())
                .centered()
                .render(places.value_bar, buf);
        }
        for (row, line) in places.turn_options.rows().zip(options) {
            line.render(row, buf);
        }
        let cursor = self.prompt(places.prompt, look, buf);
        let mut words = self.key_hints();
        if !places.players.is_empty() {
            first_words(&mut words);
        }
        self.key_hint_bar.render(&words, look, places.keys, buf);
        if let Some(last) = last {
            Line::styled(last, look.dim()).render(places.notice, buf);
        }
        if let Some(open) = &mut self.dialog {
            let beside = open.is_end() && !places.game_over.is_empty();
            let place = if beside { places.game_over } else { area };
            open.render(look, place, buf);
        }
        if let Some(cursor) = cursor {
            frame.set_cursor_position(cursor);
        }
    }

    fn title(&self, house: &AppContext, area: Rect, buf: &mut Buffer) {
        let look = &house.theme;
        let mut flags = Vec::new();
        if !self.game.session().is_rated() {
            flags.push("not rated");
        }
        if !house.store_handle.is_persistent() {
            flags.push("not kept");
        }
        draw_title(self.game.variant(), &flags.join(", "), look, area, buf);
    }

    fn board_itself(&mut self, area: Rect, look: &Theme, buf: &mut Buffer) {
        let active = self.game.person_moves()
            && self.stepping.is_none()
            && self.dialog.is_none()
            && self.typing.is_none();
        let known = self
            .advisor
            .analysis()
            .filter(|_| self.game.result().is_none());
        let view = RenderContext {
            state: self.game.state(),
            theme: look,
            active,
            annotations: known.map(|known| &known.annotations),
            hint: self.advisor.hint().map(|tip| tip.mv.as_str()),
        };
        self.board.render(&view, area, buf);
    }

    /// The players; below X what is thought, below O the moves.
    fn sides(&mut self, places: Areas, look: &Theme, buf: &mut Buffer) {
        let panes = Side::BOTH.map(|side| self.scores(side, look));
        let width = places.left.width.max(places.right.width);
        let rows = places.left.height.max(places.right.height);
        let tallest = panes.iter().map(|pane| pane.height(width)).max();
        // Something is to be left for what lies below.
        let height = tallest.unwrap_or(0).min(rows.saturating_sub(6)).max(8);
        let split = |area: Rect| {
            let below = Constraint::Fill(1);
            Layout::vertical([Constraint::Length(height), below]).areas::<2>(area)
        };
        let ([x, thoughts], [o, moves]) = (split(places.left), split(places.right));
        let [x_pane, o_pane] = panes;
        if !places.left.is_empty() {
            x_pane.render(x, buf);
        }
        if !places.right.is_empty() {
            o_pane.render(o, buf);
        }
        self.thoughts(thoughts, look, buf);
        let moves = draw_heading("moves", moves, look, buf);
        let at = self.game.entries.len();
        self.move_list
            .render(&self.game.entries, at, &|_| None, look, moves, buf);
    }

    /// Both players in a line; the one to move is pointed at.
    fn both_players(&self, area: Rect, look: &Theme, buf: &mut Buffer) {
        let halves = Layout::horizontal([Constraint::Fill(1); 2])
            .spacing(1)
            .areas::<2>(area);
        for (side, area) in Side::BOTH.into_iter().zip(halves) {
            let doing = self.doing(side).unwrap_or_default();
            let pointer = match doing {
                "" => " ",
                _ => look.pointer(),
            };
            let score = self
                .match_score(side, look)
                .map(|score| format!("  {score}"));
            let score = score.unwrap_or_default();
            let room = area.width.saturating_sub(4 + score.chars().count() as u16);
            let name = truncate(self.game.name(side), room, look.ellipsis());
            let line = Line::from(vec![
                Span::styled(format!("{pointer} "), look.accent()),
                Span::styled(format!("{side} "), look.side(side)),
                Span::styled(name, look.strong()),
                Span::styled(score, look.dim()),
            ]);
            line.render(area, buf);
        }
    }

    fn scores<'a>(&'a self, side: Side, look: &'a Theme) -> Scores<'a> {
        Scores {
            look,
            side,
            name: self.game.name(side),
            info: &self.game.player_infos[side as usize],
            status: self.doing(side),
            in_hand: self.game.in_hand.map(|hands| hands[side as usize]),
            match_score: self.match_score(side, look),
        }
    }

    /// The match score, this side's points first.
    fn match_score(&self, side: Side, look: &Theme) -> Option<String> {
        self.match_score
            .text(self.game.session().participant(side), look.ascii())
    }

    fn doing(&self, side: Side) -> Option<&'static str> {
        match self.game.result() {
            Some((Some(Outcome::Win(winner)), _)) => (winner == side).then_some("won"),
            Some(_) => None,
            None if self.game.state().side() != side => None,
            None if self.game.person_moves() => Some("to move"),
            None if self.bots.at_work().is_some() => Some("thinks"),
            None => Some("to move"),
        }
    }

    /// What a computer thinks, and what analysis has found.
    fn thoughts(&self, area: Rect, look: &Theme, buf: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let mut sections: Vec<(String, Vec<Line<'static>>)> = Vec::new();
        if self.is_watching() {
            let mut lines = vec![Line::styled(self.playback.speed_text(look), look.text())];
            if self.playback.is_paused() {
                lines.insert(0, Line::styled("paused", look.strong()));
            }
            sections.push(("speed".into(), lines));
        }
        let side = self.game.state().side();
        if let Some(work) = self.bots.at_work() {
            let mut lines = vec![self.clock(work, look)];
            if let Some(report) = &work.latest {
                lines.extend(report_lines(report, side, area.width, look));
            }
            sections.push((format!("{} thinks", work.kind), lines));
        }
        if let Some(known) = self
            .advisor
            .analysis()
            .filter(|_| self.game.result().is_none())
        {
            let mut lines = report_lines(&known.report, side, area.width, look);
            if lines.is_empty() {
                lines.push(Line::styled(
                    format!("looking{}", look.ellipsis()),
                    look.dim(),
                ));
            }
            if matches!(self.game.state(), AnyGameState::TicTacTwo(_)) {
                let away = look.symbols().piece_move;
                let legend = format!("@ the grid, {away} a piece");
                lines.insert(0, Line::styled(legend, look.dim()));
            }
            sections.push(("analysis".into(), lines));
        }
        let mut rest = area;
        for (title, lines) in sections {
            let inside = draw_heading(&title, rest, look, buf);
            for (row, line) in inside.rows().zip(&lines) {
                line.render(row, buf);
            }
            let used = (lines.len() as u16 + 1).min(rest.height);
            rest.y += used;
            rest.height -= used;
        }
    }

    fn clock(&self, work: &super::bots::AtWork, look: &Theme) -> Line<'static> {
        let frames: &[&str] = if look.ascii() {
            &ASCII_SPINNER
        } else {
            &SPINNER
        };
        let frame = frames[work.spinner_frame() % frames.len()];
        let text = match (work.is_ready(), work.time_left()) {
            (true, _) => "has its move".to_owned(),
            (false, Some(left)) => format!("{:.1} s left", left.as_secs_f64()),
            (false, None) => format!("{:.1} s", work.started.elapsed().as_secs_f64()),
        };
        Line::from(vec![
            Span::styled(format!("{frame} "), look.accent()),
            Span::styled(text, look.text()),
        ])
    }

    /// The kinds of turn, where there are several, and why some are not allowed.
    fn options(&self, look: &Theme) -> Vec<Line<'static>> {
        let mut line = Line::default();
        let mut reasons: Vec<String> = Vec::new();
        for option in self.board.turn_options(self.game.state()) {
            line.extend(option_spans(&option, option.text, look));
            if let Err(reason) = option.allowed
                && !reasons.contains(&reason)
            {
                reasons.push(reason);
            }
        }
        if line.spans.is_empty() || self.game.result().is_some() {
            return Vec::new();
        }
        let reasons = reasons.iter().map(|reason| {
            // What goes beyond the reason itself gives way to the board.
            let reason = reason.split_once(';').map_or(reason.as_str(), |(it, _)| it);
            let [_, no] = allowed_signs(look);
            Line::styled(format!("{no} {reason}"), look.dim())
        });
        [line].into_iter().chain(reasons).collect()
    }

    /// The kinds of turn in two short lines. Why one isn't allowed is shown when it is tried.
    fn compact_options(&self, look: &Theme) -> Vec<Line<'static>> {
        if self.game.result().is_some() {
            return Vec::new();
        }
        let options = self.board.turn_options(self.game.state());
        let line = |pair: &[TurnOption]| {
            let spans = |option: &TurnOption| option_spans(option, option.short_text, look);
            Line::from_iter(pair.iter().flat_map(spans))
        };
        options.chunks(2).map(line).collect()
    }

    /// What is expected, or why something was refused; gives the place of the cursor
    /// where a move is typed.
    fn prompt(
        &self,
        area: Rect,
        look: &Theme,
        buf: &mut Buffer,
    ) -> Option<ratatui::layout::Position> {
        let mut rows = area;
        let mut cursor = None;
        if let Some(field) = &self.typing {
            let label = "Your move: ";
            let width = label.len() as u16;
            let [row, rest] =
                Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
            Line::styled(label, look.strong()).render(row, buf);
            let place = Rect {
                x: row.x + width.min(row.width),
                width: row.width.saturating_sub(width),
                ..row
            };
            let style = match self.input_rejected {
                true => look.selected(),
                false => look.text(),
            };
            cursor = Some(field.render(style, place, buf));
            rows = rest;
        }
        let (text, style) = self.saying(look);
        if self.typing.is_some() && self.notice.is_none() {
            return cursor;
        }
        let text = wrap_truncated(&text, rows.width, rows.height, look.ellipsis());
        for (row, text) in rows.rows().zip(text) {
            Line::styled(text, style).render(row, buf);
        }
        cursor
    }

    fn saying(&self, look: &Theme) -> (String, ratatui::style::Style) {
        let refused = look.error().add_modifier(Modifier::REVERSED);
        let sign = if look.ascii() { "!" } else { "✗" };
        match &self.notice {
            Some(Notice::Error(reason)) => return (format!(" {sign} {reason} "), refused),
            Some(Notice::Info(text)) => return (text.clone(), look.strong()),
            None => {}
        }
        if let Some(reason) = self.bots.failure() {
            let name = self.game.name(self.game.state().side());
            let text = format!(
                " {sign} {name} cannot move (Esc tries again, s hands its side over): {reason} "
            );
            return (text, refused);
        }
        if let Some(tip) = self.advisor.hint() {
            let mut text = format!("Hint: {}, which {}", tip.mv, tip.words);
            if self.game.session().assistance() == Some(Assistance::Hint) {
                text = format!("{text}. {}", Assistance::Hint.notice());
            }
            return (text, look.hint());
        }
        if self.advisor.is_pending() {
            return (
                format!("Thinking of a hint{}", look.ellipsis()),
                look.strong(),
            );
        }
        (self.expected(), look.strong())
    }

    fn expected(&self) -> String {
        let side = self.game.state().side();
        let name = self.game.name(side);
        match self.game.result() {
            Some((Some(Outcome::Win(winner)), _)) => {
                let how = self.game.ending_text();
                format!("{} ({winner}) wins: {how}", self.game.name(winner))
            }
            Some((Some(Outcome::Draw), _)) => format!("A draw: {}", self.game.ending_text()),
            Some((None, end)) => format!("No result: {end}"),
            None if self.game.person_moves() => {
                let prompt = self.board.prompt(self.game.state());
                match prompt.strip_prefix(&format!("{side} to move: ")) {
                    Some(task) => format!("{name} ({side}): {task}"),
                    None => prompt,
                }
            }
            None if self.playback.is_paused() => {
                format!(
                    "Paused before the move of {name} ({side}): Space goes on, . lets it make one move"
                )
            }
            None => format!("{name} ({side}) thinks; Esc makes it move now"),
        }
    }
}
