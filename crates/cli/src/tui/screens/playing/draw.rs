//! Draws the game screen.

use noughts_rules::{Outcome, Side};
use noughts_text::{bot_name, draw_considered};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::macros::{horizontal, vertical};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::Widget;

use super::advisor::AdvisorRequest;
use super::layout::{GameAreas, LayoutOptions, is_roomy};
use super::{GameDialog, GameScreen, Notice};
use crate::tui::app_context::AppContext;
use crate::tui::board::{BoardRenderContext, TurnOption};
use crate::tui::screens::game_parts::{draw_heading, draw_title, report_lines};
use crate::tui::screens::is_compact;
use crate::tui::theme::Theme;
use crate::tui::widgets::{KeyHint, PlayerPanel, draw_value_bar, draw_wrapped, truncate};

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const ASCII_SPINNER: [&str; 4] = ["|", "/", "-", "\\"];

/// The symbols for allowed and not allowed.
fn allowed_symbols(theme: &Theme) -> [&'static str; 2] {
    theme.pick(["✓", "✗"], ["+", "x"])
}

/// A kind of move as part of a line.
fn option_spans(option: &TurnOption, text: &str, theme: &Theme) -> [Span<'static>; 3] {
    let [yes, no] = allowed_symbols(theme);
    let (symbol, key, style) = match &option.allowed {
        Ok(()) => (yes, theme.accent(), theme.text()),
        Err(_) => (no, theme.dim(), theme.dim()),
    };
    [
        Span::styled(format!("{symbol} "), style),
        Span::styled(option.key, key),
        Span::styled(format!(" {text}    "), style),
    ]
}

/// Moves help and quit to the front, so that they are visible in one short line.
fn move_help_and_quit_first(hints: &mut [KeyHint]) {
    for (index, key) in ["?", "q"].into_iter().enumerate() {
        let target = (index + 1).min(hints.len().saturating_sub(1));
        if let Some(found) = hints.iter().position(|hint| hint.key == key)
            && found > target
        {
            hints[target..=found].rotate_right(1);
        }
    }
}

impl GameScreen {
    pub(super) fn draw_game(&mut self, frame: &mut Frame, context: &AppContext) {
        let theme = &context.theme;
        let notice = context.notice();
        let running = self.game.result().is_none();
        let area = frame.area();
        let turn_options = self.turn_options(is_compact(area), theme);
        let is_error = matches!(self.notice, Some(Notice::Error(_)));
        let options = LayoutOptions {
            breadcrumb: self.board.breadcrumb(self.game.state()).is_some(),
            // Typed and rejected moves need the room, if it is the prompt's. Otherwise the bar stays, so that the board
            // doesn't shift while it is clicked.
            value_bar: self.advisor.analysis_on
                && running
                && (is_roomy(area) || self.move_input.is_none() && !is_error),
            turn_options: turn_options.len() as u16,
            notice: notice.is_some(),
            move_input: self.move_input.is_some(),
            game_over: matches!(self.dialog, Some(GameDialog::GameOver(..))),
        };
        let areas = GameAreas::new(area, options);
        let buf = frame.buffer_mut();
        self.draw_game_title(context, areas.title, buf);
        if let Some(breadcrumb) = self.board.breadcrumb(self.game.state()) {
            let line = Line::styled(breadcrumb, theme.accent()).centered();
            line.render(areas.breadcrumb, buf);
        }
        if areas.players.is_empty() {
            self.draw_sides(areas, theme, buf);
        } else {
            self.draw_players_line(areas.players, theme, buf);
        }
        self.draw_board(areas.board, theme, buf);
        if options.value_bar {
            let analysis = self.advisor.analysis.as_ref();
            let value = analysis.map(|analysis| analysis.value);
            let otherwise = format!("Analyzing{}", theme.ellipsis());
            draw_value_bar(value, &otherwise, theme, areas.value_bar, buf);
        }
        Text::from(turn_options).render(areas.turn_options, buf);
        let cursor = self.draw_prompt(areas.prompt, theme, buf);
        let mut hints = self.key_hints();
        if !areas.players.is_empty() {
            move_help_and_quit_first(&mut hints);
        }
        self.key_hint_bar.render(&hints, theme, areas.keys, buf);
        if let Some(notice) = notice {
            Line::styled(notice, theme.dim()).render(areas.notice, buf);
        }
        if let Some(dialog) = &mut self.dialog {
            let is_beside = options.game_over && !areas.game_over.is_empty();
            let area = if is_beside { areas.game_over } else { area };
            dialog.render(theme, area, buf);
        }
        if let Some(cursor) = cursor {
            frame.set_cursor_position(cursor);
        }
    }

    fn draw_game_title(&self, context: &AppContext, area: Rect, buf: &mut Buffer) {
        let theme = &context.theme;
        let mut flags = Vec::new();
        if !self.game.session.is_rated() {
            flags.push("not rated");
        }
        if !context.store_handle.is_persistent() {
            flags.push("not saved");
        }
        draw_title(
            self.game.state().variant(),
            &flags.join(", "),
            theme,
            area,
            buf,
        );
    }

    fn draw_board(&mut self, area: Rect, theme: &Theme, buf: &mut Buffer) {
        let active = self.game.is_human_to_move()
            && self.pending_action.is_none()
            && self.dialog.is_none()
            && self.move_input.is_none();
        let running = self.game.result().is_none();
        let analysis = self.advisor.analysis.as_ref().filter(|_| running);
        let view = BoardRenderContext {
            state: self.game.state(),
            theme,
            active,
            annotations: analysis.map(|analysis| &analysis.annotations),
            hint: self.advisor.hint.as_ref().map(|(mv, _)| mv.as_str()),
        };
        self.board.render(&view, area, buf);
    }

    /// Draws the player panels, with the search info below X and the moves below O.
    fn draw_sides(&mut self, areas: GameAreas, theme: &Theme, buf: &mut Buffer) {
        let panes = Side::BOTH.map(|side| self.player_panel(side, theme));
        let width = areas.left.width.max(areas.right.width);
        let rows = areas.left.height.max(areas.right.height);
        let tallest = panes.iter().map(|pane| pane.height(width)).max();
        // Leave some room below the panels.
        let height = tallest.unwrap_or(0).min(rows.saturating_sub(6)).max(8);
        let split = |area: Rect| vertical![==height, *=1].areas::<2>(area);
        let ([x, search_area], [o, moves]) = (split(areas.left), split(areas.right));
        let [x_pane, o_pane] = panes;
        if !areas.left.is_empty() {
            x_pane.render(x, buf);
        }
        if !areas.right.is_empty() {
            o_pane.render(o, buf);
        }
        self.draw_search_info(search_area, theme, buf);
        let moves = draw_heading("Moves", moves, theme, buf);
        let index = self.game.entries.len();
        self.move_list
            .render(&self.game.entries, index, &|_| None, theme, moves, buf);
    }

    /// Draws both players in one line, with a pointer at the one to move.
    fn draw_players_line(&self, area: Rect, theme: &Theme, buf: &mut Buffer) {
        let halves = horizontal![*=1; 2].spacing(1).areas::<2>(area);
        for (side, area) in Side::BOTH.into_iter().zip(halves) {
            let status = self.status_text(side).unwrap_or_default();
            let pointer = match status {
                "" => " ",
                _ => theme.pointer(),
            };
            let score = self.match_score(side, theme);
            let score = score.map_or_else(String::new, |score| format!("  {score}"));
            let room = area.width.saturating_sub(4 + score.chars().count() as u16);
            let name = truncate(self.game.name(side), room, theme.ellipsis());
            let line = Line::from(vec![
                Span::styled(format!("{pointer} "), theme.accent()),
                Span::styled(format!("{side} "), theme.side(side)),
                Span::styled(name, theme.strong()),
                Span::styled(score, theme.dim()),
            ]);
            line.render(area, buf);
        }
    }

    fn player_panel<'a>(&'a self, side: Side, theme: &'a Theme) -> PlayerPanel<'a> {
        PlayerPanel {
            theme,
            side,
            name: self.game.name(side),
            info: &self.game.player_infos[side as usize],
            status: self.status_text(side),
            in_hand: self.game.in_hand.map(|hands| hands[side as usize]),
            match_score: self.match_score(side, theme),
        }
    }

    /// The match score, this side's points first.
    fn match_score(&self, side: Side, theme: &Theme) -> Option<String> {
        self.match_score
            .text(self.game.session.participant(side), theme.ascii())
    }

    fn status_text(&self, side: Side) -> Option<&'static str> {
        match self.game.result() {
            Some((Some(Outcome::Win(winner)), _)) => (winner == side).then_some("won"),
            Some(_) => None,
            None if self.game.state().side() != side => None,
            None if self.game.is_human_to_move() => Some("to move"),
            None if self.bots.turn.is_some() => Some("thinking"),
            None => Some("to move"),
        }
    }

    /// Draws the bot's search and the analysis.
    fn draw_search_info(&self, area: Rect, theme: &Theme, buf: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let mut sections: Vec<(String, Vec<Line<'static>>)> = Vec::new();
        if self.is_watching() {
            let mut lines = vec![Line::styled(self.playback.speed_text(theme), theme.text())];
            if self.playback.paused {
                lines.insert(0, Line::styled("paused", theme.strong()));
            }
            sections.push(("Speed".into(), lines));
        }
        let side = self.game.state().side();
        if let Some(turn) = self.bots.turn.as_ref() {
            let mut lines = vec![self.spinner_line(turn, theme)];
            if let Some(report) = &turn.latest {
                lines.extend(report_lines(report, side, area.width, theme));
            }
            let mut title = format!("{name} is thinking", name = bot_name(turn.kind));
            if title.len() > usize::from(area.width) {
                title = "Thinking".into();
            }
            sections.push((title, lines));
        }
        let running = self.game.result().is_none();
        if let Some(analysis) = self.advisor.analysis.as_ref().filter(|_| running) {
            let mut lines = report_lines(&analysis.report, side, area.width, theme);
            if lines.is_empty() {
                let searching = format!("Searching{}", theme.ellipsis());
                lines.push(Line::styled(searching, theme.dim()));
            }
            if let Some(legend) = self.board.value_legend(theme) {
                lines.insert(0, Line::styled(legend, theme.dim()));
            }
            sections.push(("Analysis".into(), lines));
        }
        let mut rest = area;
        for (title, lines) in sections {
            let inner = draw_heading(&title, rest, theme, buf);
            let used = (lines.len() as u16 + 1).min(rest.height);
            Text::from(lines).render(inner, buf);
            rest.y += used;
            rest.height -= used;
        }
    }

    fn spinner_line(&self, turn: &super::bots::BotTurn, theme: &Theme) -> Line<'static> {
        let frames: &[&str] = theme.pick(&SPINNER, &ASCII_SPINNER);
        let frame = frames[turn.spinner_frame() % frames.len()];
        let text = match (turn.is_ready(), turn.time_left()) {
            (true, _) => "ready".to_owned(),
            (false, Some(left)) => format!("{:.1} s left", left.as_secs_f64()),
            (false, None) => format!("{:.1} s", turn.started.elapsed().as_secs_f64()),
        };
        Line::from(vec![
            Span::styled(format!("{frame} "), theme.accent()),
            Span::styled(text, theme.text()),
        ])
    }

    /// The kinds of move, if there are several: in two short lines of a compact layout, where the reasons are shown
    /// when a move is tried; otherwise in one line, with the reasons why some aren't allowed.
    fn turn_options(&self, compact: bool, theme: &Theme) -> Vec<Line<'static>> {
        let options = self.board.turn_options(self.game.state());
        if self.game.result().is_some() || options.is_empty() {
            return Vec::new();
        }
        let line = |options: &[TurnOption]| {
            let spans = |option: &TurnOption| match compact {
                true => option_spans(option, &option.short_text, theme),
                false => option_spans(option, &option.text, theme),
            };
            Line::from_iter(options.iter().flat_map(spans))
        };
        if compact {
            return options.chunks(2).map(line).collect();
        }
        let [_, no] = allowed_symbols(theme);
        let mut lines = vec![line(&options)];
        let errors = options.into_iter();
        for error in errors.filter_map(|option| option.allowed.err()) {
            let reason = Line::styled(format!("{no} {reason}", reason = error.reason), theme.dim());
            if !lines.contains(&reason) {
                lines.push(reason);
            }
        }
        lines
    }

    /// Draws the prompt or the error; returns the cursor position if a move is being typed.
    fn draw_prompt(
        &self,
        area: Rect,
        theme: &Theme,
        buf: &mut Buffer,
    ) -> Option<ratatui::layout::Position> {
        let (mut rows, mut cursor) = (area, None);
        if let Some(input) = &self.move_input {
            let prompt = "Your move: ";
            let [row, rest] = vertical![==1, *=1].areas(area);
            let [label, field] = horizontal![==prompt.len() as u16, *=1].areas(row);
            Line::styled(prompt, theme.strong()).render(label, buf);
            let style = match self.input_rejected {
                true => theme.selected(),
                false => theme.text(),
            };
            cursor = Some(input.render(style, field, buf));
            rows = rest;
        }
        if self.move_input.is_none() || self.notice.is_some() {
            let (text, style) = self.message(theme);
            draw_wrapped(&text, style, theme, rows, buf);
        }
        cursor
    }

    fn message(&self, theme: &Theme) -> (String, ratatui::style::Style) {
        let error_style = theme.error().add_modifier(Modifier::REVERSED);
        let symbol = theme.pick("✗", "!");
        match &self.notice {
            Some(Notice::Error(reason)) => return (format!(" {symbol} {reason} "), error_style),
            Some(Notice::Info(text)) => return (text.clone(), theme.strong()),
            None => {}
        }
        if let Some(reason) = &self.bots.failure {
            let name = self.game.name(self.game.state().side());
            let ways_out = "Esc to try again, s to hand over its side";
            let text = format!(" {symbol} {name} can't move ({ways_out}): {reason} ");
            return (text, error_style);
        }
        if let Some((_, text)) = &self.advisor.hint {
            return (format!("Hint: {text}"), theme.accent());
        }
        let text = match &self.advisor.pending {
            Some((_, AdvisorRequest::Hint, _)) => format!("Finding a hint{}", theme.ellipsis()),
            Some((_, AdvisorRequest::Draw(side), _)) => draw_considered(self.game.name(*side)),
            None => self.default_message(),
        };
        (text, theme.strong())
    }

    fn default_message(&self) -> String {
        let side = self.game.state().side();
        let name = self.game.name(side);
        if let Some(over) = self.game.session.game_over() {
            return over.sentence();
        }
        if self.game.is_human_to_move() {
            let player = format!("{name} ({side})");
            return self.board.prompt_for(self.game.state(), &player);
        }
        match self.playback.paused {
            true => {
                format!("Paused before {name} ({side}) moves. Press Space to continue, . to step.")
            }
            false => format!("{name} ({side}) is thinking. Press Esc to make it move now."),
        }
    }
}
