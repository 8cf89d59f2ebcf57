//! The rules of a game as a text over any screen, with the screen's keys and symbols if it has any.

use noughts_rules::{AnyGameState, Example, Variant};
use ratatui::text::{Line, Span};

use crate::tui::board::Board;
use crate::tui::theme::{CellBorder, Theme};
use crate::tui::widgets::TextViewer;
use noughts_text::{KeyTable, MistakeKind, key_help, rulebook, value_legend};

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
                true => (symbol.replace('←', "<-").replace('→', "->"))
                    .replace('▲', "+")
                    .replace('▼', "-"),
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
    for example in variant.examples() {
        text.extend(example_lines(variant, &example, theme));
    }
    text
}

/// A position that shows a rule, with its board.
fn example_lines(variant: Variant, example: &Example, theme: &Theme) -> Vec<Line<'static>> {
    let Some(state) = example.state(variant) else {
        return Vec::new();
    };
    let drawing = match theme.ascii() {
        true => state.render().into_ascii(),
        false => state.render(),
    };
    let mut lines = vec![
        Line::default(),
        Line::styled(format!("Example: {}", example.title), theme.strong()),
        Line::from(example.text.clone()),
    ];
    let rows = drawing.to_string();
    lines.extend(rows.lines().map(|row| Line::from(format!("  {row}"))));
    lines
}

/// The symbols of the game's board, its analysis, and its review.
fn symbol_help(state: &AnyGameState, review: bool, theme: &Theme) -> Vec<(String, String)> {
    let symbols = theme.symbols();
    let [good, even, bad] = symbols.estimate;
    let board = Board::new(state);
    let (view, shape) = (state.view(), state.view().shape());
    let depth = shape.depth();
    let frame = view.frame().map(|frame| frame.name);
    let (has_frame, frame) = (frame.is_some(), frame.unwrap_or_default());
    let [moves_pieces, has_dead, has_fading] = [
        board.moves_pieces(),
        board.shows_dead_boards(view),
        board.shows_fading(view),
    ];
    let first_board = view.place_name(noughts_rules::Place::new(1, 0));
    let sides = |border: CellBorder| format!("{} {}", border.sides[0], border.sides[1]);
    let highlighted = |meaning: &str, corners: &str| match theme.ascii() {
        true => meaning.to_owned(),
        false => format!("{meaning} ({corners} corners in large cells)"),
    };
    #[rustfmt::skip]
    let table = [
        (!review, sides(symbols.cursor), highlighted("the cursor", "thick")),
        (!review, symbols.legal.into(), "a cell you can play".into()),
        (!review, symbols.hint.into(), "the hint".into()),
        (true, sides(symbols.last_move), highlighted("the last move", "round")),
        (true, sides(symbols.winning_line), highlighted("the deciding line", "double")),
        (has_frame, "@".into(), format!("before a value: centering the {frame} here")),
        (moves_pieces, symbols.piece_move.into(), "before a value: this piece's best move".into()),
        (has_frame && !review, symbols.drag_handle.into(), format!("drag the {frame} from here")),
        (moves_pieces && !review, sides(symbols.held), "the piece being moved".into()),
        (has_fading, theme.pick("╳", "x").into(), "a thin or lower-case mark: vanishes next".into()),
        (depth > 1, format!("{}{first_board}", symbols.target_marker), format!("you can play in board {first_board}, but not everywhere")),
        (has_dead, symbols.closed.into(), "after a board's name, or “dead”: takes no more moves".into()),
        (depth > 2, symbols.target.into(), "a small board you can play in now".into()),
        (depth > 2, symbols.started.into(), "a small board with marks in it".into()),
        (depth > 2, symbols.closed.into(), "a full small board nobody won".into()),
        (depth > 2, sides(symbols.winning_line), "in the small maps: the part on screen".into()),
    ];
    let entries = table.into_iter().filter(|(applies, ..)| *applies);
    let entries = entries.map(|(_, symbol, meaning)| (symbol, meaning));
    let estimates = "estimates in small cells: good, even, bad".into();
    let estimates = (format!("{good} {even} {bad}"), estimates);
    let mistakes = MistakeKind::ALL.into_iter().filter(|_| review);
    let mistakes = mistakes.map(|kind| (kind.annotation().into(), kind.meaning().into()));
    let values = value_legend().into_iter().chain([estimates]);
    entries.chain(values).chain(mistakes).collect()
}
