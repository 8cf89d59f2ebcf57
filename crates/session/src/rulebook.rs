//! The rules of a variant as text for players, generated from its options. The rules themselves are
//! implemented in the rules crate.

use noughts_rules::{
    FreeMoveTarget, MnkOptions, NestedOptions, SharedBoards, TicTacTwoOptions, Tiebreak, TrailRule,
    Variant, WonBoardRule,
};
use noughts_text::plural;

/// The rules of a variant as paragraphs, each an unwrapped line of text. A paragraph that starts
/// with `# ` has a heading as its first line.
pub fn rules_text(variant: Variant) -> Vec<String> {
    match variant {
        Variant::Mnk(options) => mnk_rules(options, variant),
        Variant::TicTacTwo(options) => tic_tac_two_rules(options),
        Variant::Nested(options) if options.depth() == 1 => single_board_rules(),
        Variant::Nested(options) => nested_rules(options),
    }
}

/// The same, wrapped to this many columns, with an empty line before each heading and without the
/// `#`.
pub fn rules_lines(variant: Variant, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in rules_text(variant) {
        let (heading, text) = match paragraph.strip_prefix("# ") {
            Some(rest) => rest.split_once('\n').unwrap_or((rest, "")),
            None => ("", paragraph.as_str()),
        };
        if !heading.is_empty() {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.push(heading.to_owned());
        }
        lines.extend(noughts_text::wrap(text, columns));
    }
    lines
}

fn section(heading: &str, text: impl AsRef<str>) -> String {
    format!("# {heading}\n{}", text.as_ref())
}

const TURNS: &str = "Two players, X and O, take turns. X starts.";
const TURN: &str = "On your turn, place your mark on an empty cell. Marks don't move.";

fn mnk_rules(options: MnkOptions, variant: Variant) -> Vec<String> {
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
    let full_name = format!(
        "mnk:{columns},{rows},{line}{}",
        if options.is_misere() { ",misere" } else { "" }
    );
    let shape = "columns, rows, marks in a row";
    vec![
        section("How to play", board),
        section("How the game ends", result + twist),
        full,
        section("Cell names", names),
        section("Variant name", name_text(variant, &full_name, shape)),
    ]
}

/// The name of a game, with all its options.
fn name_text(variant: Variant, full: &str, what: &str) -> String {
    let short = variant.to_string();
    if short == full {
        format!("{full} ({what}).")
    } else {
        format!("{short}; with all options, {full} ({what}).")
    }
}

fn tic_tac_two_rules(options: TicTacTwoOptions) -> Vec<String> {
    let (board, grid) = (options.board_size(), options.grid_size());
    let (pieces, after) = (options.pieces(), options.opening_pieces());
    let moves = grid < board;
    let mut text = vec![section(
        "How to play",
        format!(
            "{TURNS} The board has {board}×{board} cells (board={board}). A grid of {grid}×{grid} \
             cells (grid={grid}) starts in the middle of it. Each player has {pieces} pieces \
             (pieces={pieces})."
        ),
    )];
    text.push(section(
        "Opening",
        format!(
            "Until both players have placed {after} pieces (after={after}), place one of your \
             pieces on an empty cell inside the grid on each turn."
        ),
    ));
    let ways = if moves { "three" } else { "two" };
    text.push(section(
        "After the opening",
        format!("On each turn, do one of {ways} things. You can't pass."),
    ));
    text.push(
        "Place: put one of your remaining pieces on an empty cell inside the grid (c3).".into(),
    );
    text.push(if moves {
        "Move the grid: its center moves one step in any direction, diagonals included (@d3 \
         centers it on d3). The whole grid has to stay on the board."
            .into()
    } else {
        "The grid is as large as the board, so it can't move.".to_owned()
    });
    text.push(
        "Move a piece: take one of your pieces, inside or outside the grid, and put it on an empty \
         cell inside the grid (b2-c4)."
            .into(),
    );
    text.push(section(
        "How the game ends",
        "After each turn, only the cells inside the grid count. Three of your pieces in a row, \
         horizontally, vertically or diagonally, all inside the grid, make a line.",
    ));
    let even_if_opponent_moved = if moves {
        ", even if the opponent moved the grid there"
    } else {
        ""
    };
    text.push(format!(
        "If one player has a line, that player wins{even_if_opponent_moved}. If both players have a line, the game \
         is a draw."
    ));
    text.push(
        "If the same position (the same pieces, grid and player to move) occurs for the third time, \
         the game is a draw. It's also a draw if there are no legal moves."
            .into(),
    );
    text.push(section(
        "Cell names",
        "Cells are named by column letter and row number, counted from the top left: a1 is the \
         top-left corner.",
    ));
    let full = format!("tic-tac-two:board={board},grid={grid},pieces={pieces},after={after}");
    let name = name_text(Variant::TicTacTwo(options), &full, "options as above");
    text.push(section("Variant name", name));
    text
}

/// A nested board of depth 1: only the depth option has an effect.
fn single_board_rules() -> Vec<String> {
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

fn nested_rules(options: NestedOptions) -> Vec<String> {
    let mut text = vec![section("How to play", boards(options))];
    text.push(section("Cell names", names(options)));
    text.push(section("Winning a board", ownership(options)));
    text.push(won(options));
    text.push(section("Where to play", target(options)));
    text.push(section("Won and full boards", sent(options)));
    text.push(section("Free moves", free(options)));
    text.push(section("How the game ends", end(options)));
    let full = full_name(options);
    let name = name_text(Variant::Nested(options), &full, "options as above");
    text.push(section("Variant name", name));
    text
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
        (true, FreeMoveTarget::OpenBoards) => {
            ". It can go to open boards only: won boards are closed (free=open)."
        }
        (true, FreeMoveTarget::AnyBoard) => ". It can go into a won board (free=any).",
        (false, _) => ". It can go into a won board.",
    };
    text + " If only the target has empty cells left, there are no legal moves."
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

/// The name with all options that have an effect.
fn full_name(options: NestedOptions) -> String {
    let mut parts = vec![
        match options.shared_boards() {
            SharedBoards::Forbidden => "4a".to_owned(),
            SharedBoards::Allowed => "4b".to_owned(),
        },
        match options.won_board_rule() {
            WonBoardRule::PlayOn => "5a",
            WonBoardRule::FreeMove => "5b",
            WonBoardRule::ExtraMove => "5c",
            WonBoardRule::ExtraMoveChain => "5d",
        }
        .to_owned(),
    ];
    match options.free_move_target() {
        _ if !options.has_free_move_option() => {}
        FreeMoveTarget::OpenBoards => parts.push("free=open".into()),
        FreeMoveTarget::AnyBoard => parts.push("free=any".into()),
    }
    parts.push(format!("depth={}", options.depth()));
    match options.trail_rule() {
        _ if options.depth() == 2 => {}
        TrailRule::Suffix => parts.push("trail=suffix".into()),
        TrailRule::History => parts.push("trail=history".into()),
    }
    parts.push(match options.tiebreak() {
        Tiebreak::Draw => "end=draw".into(),
        Tiebreak::MostBoards => "end=most".into(),
    });
    format!("ception:{}", parts.join(","))
}

#[cfg(test)]
mod tests;
