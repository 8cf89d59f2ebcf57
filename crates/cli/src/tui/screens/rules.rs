//! The rules of a game, to be read over any screen; over the screen of a game its keys
//! and its signs, too.

use noughts_rules::{AnyGameState, Variant};
use ratatui::text::{Line, Span};

use crate::tui::theme::{Theme, Wrap};
use crate::tui::widgets::TextViewer;
use noughts_session::rulebook;

/// A key or a sign, and what it does or means.
pub(super) type Meaning = (String, String);

pub(super) fn rules_viewer(variant: Variant, look: &Theme) -> TextViewer {
    TextViewer::new(format!("The rules of {variant}"), rules(variant, look))
}

/// The rules, and what the screen has for keys and signs.
pub(super) fn help_viewer(
    variant: Variant,
    keys: &[Meaning],
    signs: &[Meaning],
    look: &Theme,
) -> TextViewer {
    let mut text = rules(variant, look);
    for (heading, meanings) in [("Keys", keys), ("Signs", signs)] {
        text.push(Line::default());
        text.push(Line::styled(heading, look.strong()));
        text.extend(meanings.iter().map(|(sign, meaning)| {
            Line::from(vec![
                Span::styled(format!("{sign:<SIGNS$}"), look.accent()),
                Span::raw(meaning.clone()),
            ])
        }));
    }
    TextViewer::new(format!("The rules of {variant}, keys and signs"), text)
}

/// In columns: what the longest key takes, and air.
const SIGNS: usize = 15;

fn rules(variant: Variant, look: &Theme) -> Vec<Line<'static>> {
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
            text.push(Line::styled(heading.to_owned(), look.strong()));
        }
        text.push(Line::from(paragraph.to_owned()));
    }
    text
}

/// The signs of this game's board, of its analysis, and of a review.
pub(super) fn symbol_help(
    play: &AnyGameState,
    depth: usize,
    review: bool,
    look: &Theme,
) -> Vec<Meaning> {
    let signs = look.symbols();
    let sides = |wrap: Wrap| format!("{} {}", wrap.sides[0], wrap.sides[1]);
    let around = |corners: &str| match look.ascii() {
        true => String::new(),
        false => format!(" (in large cells {corners} corners)"),
    };
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |sign: String, meaning: &str| all.push((sign, meaning.to_owned()));
    if !review {
        add(
            sides(signs.cursor),
            &format!("the cursor{}", around("thick")),
        );
        add(signs.legal.into(), "a cell that may be taken");
        add(signs.hint.into(), "the hint");
    }
    add(
        sides(signs.last_move),
        &format!("the last move{}", around("round")),
    );
    add(
        sides(signs.winning_line),
        &format!("the line that decided it{}", around("double")),
    );
    if let AnyGameState::TicTacTwo(_) = play {
        add("@".into(), "before a value: of centring the grid here");
        add(
            signs.piece_move.into(),
            "before a value: of the best move of this piece",
        );
        if !review {
            add(signs.drag_handle.into(), "where the grid can be dragged");
            add(sides(signs.held), "the piece that is being moved");
        }
    }
    if depth > 1 {
        add(
            format!("{}a", signs.target_marker),
            "board a: one must play there",
        );
    }
    if depth > 2 {
        add(
            signs.target.into(),
            "a small board that one may play in now",
        );
        add(signs.started.into(), "a small board with marks in it");
        add(
            signs.closed.into(),
            "a small board that is full and nobody's",
        );
        add(
            sides(signs.winning_line),
            "in the small maps: where one is looking",
        );
    }
    add(
        if look.ascii() { "+3" } else { "▲3" }.into(),
        "value of a move: it wins in 3 moves of both (exact)",
    );
    add(
        if look.ascii() { "-2" } else { "▼2" }.into(),
        "it loses in 2 (exact)",
    );
    add("=".into(), "it holds the draw (exact)");
    add("58%".into(), "an estimate: the mover's win chance");
    let [good, even, bad] = signs.estimate;
    add(
        format!("{good} {even} {bad}"),
        "an estimate in small cells: good, even, bad",
    );
    if review {
        add("??".into(), "a proved result was thrown away");
        add("?".into(), "another move is proved to be better");
        add("?~".into(), "it seems worse, by the estimates");
    }
    all
}
