//! The rules of a game as a text over any screen, with the screen's keys and symbols if it has any.

use noughts_rules::{AnyGameState, Variant};
use ratatui::text::{Line, Span};

use crate::tui::theme::{CellBorder, Theme};
use crate::tui::widgets::TextViewer;
use noughts_session::rulebook;

/// A key or a symbol, and its meaning.
pub(super) type HelpEntry = (String, String);

pub(super) fn rules_viewer(variant: Variant, theme: &Theme) -> TextViewer {
    TextViewer::new(format!("Rules of {variant}"), rules(variant, theme))
}

/// The rules, and the screen's keys and symbols.
pub(super) fn help_viewer(
    variant: Variant,
    keys: &[HelpEntry],
    symbols: &[HelpEntry],
    theme: &Theme,
) -> TextViewer {
    let mut text = rules(variant, theme);
    for (heading, meanings) in [("Keys", keys), ("Symbols", symbols)] {
        text.push(Line::default());
        text.push(Line::styled(heading, theme.strong()));
        text.extend(meanings.iter().map(|(symbol, meaning)| {
            Line::from(vec![
                Span::styled(format!("{symbol:<SYMBOL_COLUMN_WIDTH$}"), theme.accent()),
                Span::raw(meaning.clone()),
            ])
        }));
    }
    TextViewer::new(format!("Rules of {variant}, keys and symbols"), text)
}

/// In columns: the longest key and some space.
const SYMBOL_COLUMN_WIDTH: usize = 15;

fn rules(variant: Variant, theme: &Theme) -> Vec<Line<'static>> {
    let mut text: Vec<Line<'static>> = Vec::new();
    for paragraph in rulebook::rules_text(variant) {
        let (heading, paragraph) = match paragraph.strip_prefix("# ") {
            Some(rest) => rest.split_once('\n').unwrap_or((rest, "")),
            None => ("", paragraph.as_str()),
        };
        if !text.is_empty() {
            text.push(Line::default());
        }
        if !heading.is_empty() {
            text.push(Line::styled(heading.to_owned(), theme.strong()));
        }
        text.push(Line::from(paragraph.to_owned()));
    }
    text
}

/// The symbols of the game's board, its analysis, and its review.
pub(super) fn symbol_help(
    state: &AnyGameState,
    depth: usize,
    review: bool,
    theme: &Theme,
) -> Vec<HelpEntry> {
    let symbols = theme.symbols();
    let sides = |border: CellBorder| format!("{} {}", border.sides[0], border.sides[1]);
    let corners_note = |corners: &str| match theme.ascii() {
        true => String::new(),
        false => format!(" ({corners} corners in large cells)"),
    };
    let mut entries: Vec<(String, String)> = Vec::new();
    let mut add = |symbol: String, meaning: &str| entries.push((symbol, meaning.to_owned()));
    if !review {
        add(
            sides(symbols.cursor),
            &format!("the cursor{note}", note = corners_note("thick")),
        );
        add(symbols.legal.into(), "a cell you can play");
        add(symbols.hint.into(), "the hint");
    }
    add(
        sides(symbols.last_move),
        &format!("the last move{note}", note = corners_note("round")),
    );
    add(
        sides(symbols.winning_line),
        &format!("the deciding line{note}", note = corners_note("double")),
    );
    if let AnyGameState::TicTacTwo(_) = state {
        add("@".into(), "before a value: centering the grid here");
        add(
            symbols.piece_move.into(),
            "before a value: this piece's best move",
        );
        if !review {
            add(symbols.drag_handle.into(), "drag the grid from here");
            add(sides(symbols.held), "the piece being moved");
        }
    }
    if depth > 1 {
        add(
            format!("{}a", symbols.target_marker),
            "you must play in board a",
        );
    }
    if depth > 2 {
        add(symbols.target.into(), "a small board you can play in now");
        add(symbols.started.into(), "a small board with marks in it");
        add(symbols.closed.into(), "a full small board nobody won");
        add(
            sides(symbols.winning_line),
            "in the small maps: the part on screen",
        );
    }
    add(
        if theme.ascii() { "+3" } else { "▲3" }.into(),
        "this move wins in 3 moves, both players counted (proved)",
    );
    add(
        if theme.ascii() { "-2" } else { "▼2" }.into(),
        "this move loses in 2 moves (proved)",
    );
    add("=".into(), "this move draws (proved)");
    add("58%".into(), "estimated win chance of the player to move");
    let [good, even, bad] = symbols.estimate;
    add(
        format!("{good} {even} {bad}"),
        "estimates in small cells: good, even, bad",
    );
    if review {
        add("??".into(), "gives away a proved result");
        add("?".into(), "another move is better (proved)");
        add("?~".into(), "another move looks better (estimated)");
    }
    entries
}
