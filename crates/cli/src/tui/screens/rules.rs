//! The rules of a game as a text over any screen, with the screen's keys and symbols if it has any.

use noughts_rules::{AnyGameState, Variant};
use ratatui::text::{Line, Span};

use crate::tui::theme::{CellBorder, Theme};
use crate::tui::widgets::TextViewer;
use noughts_text::{KeyTable, key_help, rulebook};

pub(super) fn rules_viewer(variant: Variant, theme: &Theme) -> TextViewer {
    TextViewer::new(format!("Rules: {variant}"), rules(variant, theme))
}

/// The rules, and the screen's keys and symbols.
pub(super) fn help_viewer(state: &AnyGameState, table: KeyTable, theme: &Theme) -> TextViewer {
    let variant = state.variant();
    let mut text = rules(variant, theme);
    let keys = key_help(table, variant);
    let symbols = symbol_help(state, table == KeyTable::TerminalReview, theme);
    for (heading, meanings) in [("Keys", keys), ("Symbols", symbols)] {
        text.push(Line::default());
        text.push(Line::styled(heading, theme.strong()));
        text.extend(meanings.into_iter().map(|(symbol, meaning)| {
            let symbol = match theme.ascii() {
                true => symbol.replace('←', "<-").replace('→', "->"),
                false => symbol,
            };
            Line::from(vec![
                Span::styled(format!("{symbol:<SYMBOL_COLUMN_WIDTH$}"), theme.accent()),
                Span::raw(meaning),
            ])
        }));
    }
    TextViewer::new(format!("Rules, keys and symbols: {variant}"), text)
}

/// In columns: the longest key and some space.
const SYMBOL_COLUMN_WIDTH: usize = 15;

fn rules(variant: Variant, theme: &Theme) -> Vec<Line<'static>> {
    let mut text: Vec<Line<'static>> = Vec::new();
    for paragraph in rulebook::rules_text(variant) {
        if !text.is_empty() {
            text.push(Line::default());
        }
        if let Some(heading) = paragraph.heading {
            text.push(Line::styled(heading, theme.strong()));
        }
        text.push(Line::from(paragraph.text));
    }
    text
}

/// The symbols of the game's board, its analysis, and its review.
fn symbol_help(state: &AnyGameState, review: bool, theme: &Theme) -> Vec<(String, String)> {
    let symbols = theme.symbols();
    let depth = match state.variant() {
        Variant::Nested(options) => options.depth(),
        _ => 0,
    };
    let sides = |border: CellBorder| format!("{} {}", border.sides[0], border.sides[1]);
    let highlighted = |border: CellBorder, meaning: &str, corners: &str| {
        let note = match theme.ascii() {
            true => String::new(),
            false => format!(" ({corners} corners in large cells)"),
        };
        (sides(border), format!("{meaning}{note}"))
    };
    let mut entries: Vec<(String, String)> = Vec::new();
    if !review {
        entries.push(highlighted(symbols.cursor, "the cursor", "thick"));
        entries.push((symbols.legal.into(), "a cell you can play".into()));
        entries.push((symbols.hint.into(), "the hint".into()));
    }
    entries.push(highlighted(symbols.last_move, "the last move", "round"));
    let line = highlighted(symbols.winning_line, "the deciding line", "double");
    entries.push(line);
    let mut add = |symbol: String, meaning: &str| entries.push((symbol, meaning.to_owned()));
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
        theme.pick("▲3", "+3").into(),
        "this move wins in 3 moves, both players counted (proved)",
    );
    add(
        theme.pick("▼2", "-2").into(),
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
