//! The rules of a variant as text for players, generated from its options. The rules themselves are
//! implemented in the rules crate.

use crate::{plural, wrap};
use noughts_rules::{
    FreeMoveTarget, MnkOptions, NestedOptions, SharedBoards, TicTacTwoOptions, Tiebreak, TrailRule,
    Variant, WonBoardRule,
};

/// A paragraph of the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paragraph {
    /// The heading above it, if it starts a section.
    pub heading: Option<&'static str>,
    /// The text, on one line.
    pub text: String,
}

impl<S: Into<String>> From<S> for Paragraph {
    fn from(text: S) -> Paragraph {
        Paragraph {
            heading: None,
            text: text.into(),
        }
    }
}

/// The rules of a variant as paragraphs.
pub fn rules_text(variant: Variant) -> Vec<Paragraph> {
    match variant {
        Variant::Mnk(options) => mnk_rules(options, variant),
        Variant::TicTacTwo(options) => tic_tac_two_rules(options),
        Variant::Nested(options) if options.depth() == 1 => single_board_rules(),
        Variant::Nested(options) => nested_rules(options),
    }
}

/// The same as lines of this many columns, with an empty line before each heading.
pub fn rules_lines(variant: Variant, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for Paragraph { heading, text } in rules_text(variant) {
        if let Some(heading) = heading {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.push(heading.to_owned());
        }
        lines.extend(wrap(&text, columns));
    }
    lines
}

fn section(heading: &'static str, text: impl Into<String>) -> Paragraph {
    Paragraph {
        heading: Some(heading),
        text: text.into(),
    }
}

const TURNS: &str = "Two players, X and O, take turns. X moves first.";
const TURN: &str = "On your turn, place your mark on an empty cell. Marks don't move.";

fn mnk_rules(options: MnkOptions, variant: Variant) -> Vec<Paragraph> {
    let (columns, rows, line) = options.size();
    let last = format!("{}{rows}", char::from(b'a' + columns - 1));
    let board = format!(
        "{TURNS} The board has {columns} and {rows}. {TURN}",
        columns = plural(usize::from(columns), "column"),
        rows = plural(usize::from(rows), "row"),
    );
    let verb = if options.is_misere() { "loses" } else { "wins" };
    let result = match line {
        1 => format!("A single mark makes a line, so the first move {verb}."),
        _ => format!(
            "The first player to get {line} of their marks in a row, horizontally, vertically or \
             diagonally, {verb} immediately.{longer}",
            longer = if line < columns.max(rows) {
                " Longer lines count, too."
            } else {
                ""
            },
        ),
    };
    let twist = if options.is_misere() {
        " This is misère: avoid making a line."
    } else {
        ""
    };
    let full = format!(
        "If the board fills up without a line, the game is a draw. A line completed on the last \
         empty cell still {verb}."
    );
    let names = format!(
        "Cells are named by column letter and row number, counted from the top left: a1 is the \
         top-left corner, {last} the bottom-right corner."
    );
    vec![
        section("How to play", board),
        section("How the game ends", result + twist),
        full.into(),
        section("Cell names", names),
        section(
            "Variant name",
            name_text(variant, "columns, rows, marks in a row"),
        ),
    ]
}

/// The name of a game, with all its options.
fn name_text(variant: Variant, what: &str) -> String {
    let (short, full) = (variant.to_string(), variant.full_name());
    if short == full {
        format!("{full} ({what}).")
    } else {
        format!("{short}; with all options, {full} ({what}).")
    }
}

fn tic_tac_two_rules(options: TicTacTwoOptions) -> Vec<Paragraph> {
    let (board, grid) = (options.board_size(), options.grid_size());
    let (pieces, after) = (options.pieces(), options.opening_pieces());
    let (ways, grid_move, by_opponent) = if grid < board {
        (
            "three",
            "Move the grid: its center moves one step in any direction, diagonals included (@d3 \
             centers it on d3). The whole grid has to stay on the board.",
            ", even if the opponent moved the grid there",
        )
    } else {
        (
            "two",
            "The grid is as large as the board, so it can't move.",
            "",
        )
    };
    vec![
        section(
            "How to play",
            format!(
                "{TURNS} The board has {board}×{board} cells (board={board}). A grid of {grid}×{grid} \
                 cells (grid={grid}) starts in the middle of it. Each player has {pieces} pieces \
                 (pieces={pieces})."
            ),
        ),
        section(
            "Opening",
            format!(
                "Until each player has placed {after} pieces (after={after}), place one of your \
                 pieces on an empty cell inside the grid on each turn."
            ),
        ),
        section(
            "After the opening",
            format!("On each turn, do one of {ways} things. You can't pass."),
        ),
        "Place: put one of your remaining pieces on an empty cell inside the grid (c3).".into(),
        grid_move.into(),
        "Move a piece: take one of your pieces, inside or outside the grid, and put it on an empty \
         cell inside the grid (b2-c4)."
            .into(),
        section(
            "How the game ends",
            "After each turn, only the cells inside the grid count. Three of your pieces in a row, \
             horizontally, vertically or diagonally, all inside the grid, make a line.",
        ),
        format!(
            "If one player has a line, that player wins{by_opponent}. If both players have a line, \
             the game is a draw."
        )
        .into(),
        "If the same position (the same pieces, grid and player to move) occurs for the third time, \
         the game is a draw. It's also a draw if there are no legal moves."
            .into(),
        section(
            "Cell names",
            "Cells are named by column letter and row number, counted from the top left: a1 is the \
             top-left corner.",
        ),
        section(
            "Variant name",
            name_text(Variant::TicTacTwo(options), "options as above"),
        ),
    ]
}

/// A nested board of depth 1: only the depth option has an effect.
fn single_board_rules() -> Vec<Paragraph> {
    vec![
        section(
            "How to play",
            format!("{TURNS} The board has nine cells (depth=1). {TURN}"),
        ),
        section(
            "How the game ends",
            "The first player to get three in a row, horizontally, vertically or diagonally, wins. \
             If the board fills up without a line, the game is a draw.",
        ),
        section(
            "Cell names",
            "Cells are named a to i in reading order: a is the top-left corner, e the center.",
        ),
        section("Variant name", "ception:depth=1."),
    ]
}

fn nested_rules(options: NestedOptions) -> Vec<Paragraph> {
    let name = name_text(Variant::Nested(options), "options as above");
    vec![
        section("How to play", boards(options)),
        section("Cell names", names(options)),
        section("Winning a board", ownership(options)),
        won(options).into(),
        section("Where to play", target(options)),
        section("Won and full boards", sent(options)),
        section("Free moves", free(options)),
        section("How the game ends", end(options)),
        section("Variant name", name),
    ]
}

/// What to call the nine boards inside the outermost one.
fn parts(options: NestedOptions) -> &'static str {
    match options.depth() {
        2 => "small boards",
        _ => "outermost boards",
    }
}

fn boards(options: NestedOptions) -> String {
    let depth = options.depth();
    let cells = 9u32.pow(depth.into());
    let how = match depth {
        2 => "Nine small boards of nine cells make one large board".to_owned(),
        _ => format!(
            "Nine cells make a board, nine boards make a larger board, and so on, {depth} levels deep"
        ),
    };
    format!("{TURNS} {how}: {cells} cells (depth={depth}). {TURN}")
}

fn names(options: NestedOptions) -> String {
    let example = match options.depth() {
        2 => "ec is cell c (top right) of board e (center)".to_owned(),
        depth => format!(
            "{cell} is a cell, and all letters but the last name the nine-cell board it's in",
            cell = path("eaicgb", depth)
        ),
    };
    format!(
        "Cells are named by one letter for each level, outermost first, a to i in reading order: \
         {example}."
    )
}

/// The first `count` letters of an example.
fn path(letters: &str, count: u8) -> &str {
    letters.get(..usize::from(count)).unwrap_or(letters)
}

fn ownership(options: NestedOptions) -> String {
    let line = match options.depth() {
        2 => "You own a small board when you get three in a row on it.".to_owned(),
        _ => {
            "You own a nine-cell board when you get three in a row on it, and a larger board when \
              you own three of its boards in a row."
                .to_owned()
        }
    };
    let keeps = match options.shared_boards() {
        SharedBoards::Forbidden => "The first owner keeps it; boards can't be shared (4a).",
        SharedBoards::Allowed => {
            "Both players can own the same board, and it counts for both (4b)."
        }
    };
    format!("{line} {keeps}")
}

fn won(options: NestedOptions) -> String {
    let around = match options.depth() {
        2 => "",
        _ => " or a board around it, except the outermost",
    };
    format!(
        "A board is won when a player owns it{around}. It's full when all of its cells are taken."
    )
}

fn target(options: NestedOptions) -> String {
    let depth = options.depth();
    let letters = depth - 1;
    if depth == 2 {
        return "The first move can go anywhere. After that, the last cell played names the board to \
                play in, the target: after ec it's board c, after bi it's board i."
            .into();
    }
    match options.trail_rule() {
        TrailRule::Suffix => format!(
            "The first move can go anywhere. After that, the last {letters} letters of the last \
             move name the nine-cell board to play in, the target (trail=suffix): after {cell} it's \
             board {board}.",
            cell = path("eaicgb", depth),
            board = path("aicgb", letters),
        ),
        TrailRule::History => format!(
            "The last letters of the last {letters} moves, oldest first, name the nine-cell board \
             to play in, the target (trail=history). Until {letters} moves have been made, you can \
             play anywhere."
        ),
    }
}

fn sent(options: NestedOptions) -> &'static str {
    match options.won_board_rule() {
        WonBoardRule::PlayOn => {
            "Won boards stay open: you keep playing in them. If the target is full, you get a free \
             move (5a)."
        }
        WonBoardRule::FreeMove => "If the target is won or full, you get a free move (5b).",
        WonBoardRule::ExtraMove => {
            "If the target is won but not full, you have to play there, and then you move again, \
             once, in the board that your move names; after that, it's your opponent's turn, even \
             if that board was won, too. If the target is full, you get a free move. A free move \
             into a won board doesn't give you an extra move: only being sent there does (5c)."
        }
        WonBoardRule::ExtraMoveChain => {
            "If the target is won but not full, you have to play there, and then you move again, in \
             the board that your move names. You keep moving for as long as you're sent to boards \
             that were already won. If the target is full, you get a free move, and then it's your \
             opponent's turn, even if you played in a won board (5d)."
        }
    }
}

fn free(options: NestedOptions) -> String {
    let mut text = "A free move can go to any empty cell outside the target".to_owned();
    if options.depth() > 2 {
        let room = match options.won_board_rule() {
            WonBoardRule::FreeMove => "neither won nor full",
            WonBoardRule::PlayOn | WonBoardRule::ExtraMove | WonBoardRule::ExtraMoveChain => {
                "not full"
            }
        };
        text += &format!(
            ", inside the smallest board around the target that is {room}; if that leaves no \
             cells, inside the next larger board, and so on up to the whole board"
        );
    }
    text += match (options.has_free_move_option(), options.free_move_target()) {
        (true, FreeMoveTarget::OpenBoards) => ". Won boards are closed (free=open).",
        (true, FreeMoveTarget::AnyBoard) => ". It can go into a won board (free=any).",
        (false, _) => ". It can go into a won board.",
    };
    // With the other rules, only a full target gives a free move.
    if options.won_board_rule() == WonBoardRule::FreeMove {
        text += " If only the target has empty cells left, there are no legal moves.";
    }
    text
}

fn end(options: NestedOptions) -> String {
    let parts = parts(options);
    let nobody = match options.tiebreak() {
        Tiebreak::Draw => {
            "If there are no legal moves before that, the game is a draw (end=draw).".into()
        }
        Tiebreak::MostBoards => {
            let both = match options.shared_boards() {
                SharedBoards::Forbidden => "",
                SharedBoards::Allowed => " A board owned by both players counts for both.",
            };
            format!(
                "If there are no legal moves before that, the player who owns more of the nine {parts} \
                 wins; if both own the same number, the game is a draw (end=most).{both}"
            )
        }
    };
    format!("The first player to own three of the nine {parts} in a row wins. {nobody}")
}

#[cfg(test)]
mod tests;
