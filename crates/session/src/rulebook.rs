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

const TURNS: &str = "Two players, X and O, take turns; X begins.";

fn mnk_rules(options: MnkOptions, variant: Variant) -> Vec<String> {
    let (columns, rows, line) = options.size();
    let last = format!("{}{rows}", char::from(b'a' + columns - 1));
    let board = format!(
        "{TURNS} The board has {} and {}. A turn puts your mark on an empty cell, where it stays.",
        plural(usize::from(columns), "column"),
        plural(usize::from(rows), "row"),
    );
    let verb = if options.is_misere() { "loses" } else { "wins" };
    let result = match line {
        1 => format!("One mark is a line already: the first move {verb}."),
        _ => format!(
            "Whoever first has {line} of their own marks next to each other in a row, a column or \
             a diagonal {verb} at once.{}",
            if line < columns.max(rows) {
                " More than that count as well."
            } else {
                ""
            },
        ),
    };
    let twist = if options.is_misere() {
        " This is misère: you try not to make a line."
    } else {
        ""
    };
    let full = format!(
        "A full board without a line is a draw. A line made on the very last empty cell still \
         {verb}."
    );
    let names = format!(
        "A cell is its column's letter and its row's number, counted from the top left: a1 is the \
         top left corner, {last} the bottom right one."
    );
    let full_name = format!(
        "mnk:{columns},{rows},{line}{}",
        if options.is_misere() { ",misere" } else { "" }
    );
    let shape = "columns, rows and marks to a line";
    vec![
        section("The game", board),
        section("The end", result + twist),
        full,
        section("How cells are named", names),
        section(
            "The name of the game",
            name_text(variant, &full_name, shape),
        ),
    ]
}

/// The name of a game, with all its options.
fn name_text(variant: Variant, full: &str, what: &str) -> String {
    let short = variant.to_string();
    if short == full {
        format!("{full} ({what}).")
    } else {
        format!("{short}; with all of its options: {full} ({what}).")
    }
}

fn tic_tac_two_rules(options: TicTacTwoOptions) -> Vec<String> {
    let (board, grid) = (options.board_size(), options.grid_size());
    let (pieces, after) = (options.pieces(), options.opening_pieces());
    let moves = grid < board;
    let mut text = vec![section(
        "The game",
        format!(
            "{TURNS} The board has {board} by {board} cells (board={board}). On it lies a grid of \
             {grid} by {grid} cells (grid={grid}), at first in the middle. Each player has {pieces} \
             pieces (pieces={pieces})."
        ),
    )];
    text.push(section(
        "The opening",
        format!(
            "Until both players have placed {after} pieces (after={after}), a turn places one of \
             your pieces on an empty cell inside the grid."
        ),
    ));
    let ways = if moves { "three" } else { "two" };
    text.push(section(
        "A turn after that",
        format!("One of {ways}; there is no passing."),
    ));
    text.push(
        "Place: put one of your remaining pieces on an empty cell inside the grid (c3).".into(),
    );
    text.push(if moves {
        "Move the grid: its centre goes one step across, up, down or diagonally (@d3 centres it on \
         d3). The whole grid stays on the board, and it must really move."
            .into()
    } else {
        "The grid is as large as the board, so it cannot move.".to_owned()
    });
    text.push(
        "Move a piece: take one of your pieces from anywhere on the board, inside the grid or \
         outside it, to an empty cell inside the grid (b2-c4)."
            .into(),
    );
    text.push(section(
        "The end",
        "After each turn the grid is looked at as it lies then. Only three in a row, a column or a \
         diagonal that lie wholly inside it are a line.",
    ));
    let whoever = if moves {
        ", even if the other one moved the grid there"
    } else {
        ""
    };
    text.push(format!(
        "One player has a line: that player wins{whoever}. Both have one: the game is a draw."
    ));
    text.push(
        "When the same position comes up for the third time (the same pieces, the same grid, the \
         same player to move), the game is a draw. So it is where no legal move is left."
            .into(),
    );
    text.push(section(
        "How cells are named",
        "By the column's letter and the row's number, counted from the top left: a1 is the top \
         left corner.",
    ));
    let full = format!("tic-tac-two:board={board},grid={grid},pieces={pieces},after={after}");
    let name = name_text(Variant::TicTacTwo(options), &full, "the options as above");
    text.push(section("The name of the game", name));
    text
}

/// A nested board of depth 1: only the depth option has an effect.
fn single_board_rules() -> Vec<String> {
    vec![
        section(
            "The game",
            format!(
                "{TURNS} The board has nine cells (depth=1). A turn puts your mark on an empty \
                 cell, where it stays."
            ),
        ),
        section(
            "The end",
            "Whoever first has three marks in a row, a column or a diagonal wins. A full board \
             without a line is a draw.",
        ),
        section(
            "How cells are named",
            "By a letter, a to i in reading order: a is the top left corner, e the middle.",
        ),
        section("The name of the game", "ception:depth=1."),
    ]
}

fn nested_rules(options: NestedOptions) -> Vec<String> {
    let mut text = vec![section("The game", boards(options))];
    text.push(section("How cells are named", names(options)));
    text.push(section("Owning a board", ownership(options)));
    text.push(won(options));
    text.push(section("Where to play", target(options)));
    text.push(section(
        "Sent to a board that is won or full",
        sent(options),
    ));
    text.push(section("A free move", free(options)));
    text.push(section("The end", end(options)));
    let full = full_name(options);
    let name = name_text(Variant::Nested(options), &full, "the options as above");
    text.push(section("The name of the game", name));
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
            "Nine cells make a board, nine boards a larger one, and so on, {depth} levels deep"
        ),
    };
    format!(
        "{TURNS} {how}: {cells} cells (depth={depth}). A turn puts your mark on an empty cell, \
         where it stays."
    )
}

fn names(options: NestedOptions) -> String {
    let example = match options.depth() {
        2 => "ec is cell c, the top right one, of board e, the one in the middle".to_owned(),
        depth => format!(
            "{} is a cell, and all but its last letter name the board of nine cells it is in",
            path("eaicgb", depth)
        ),
    };
    format!("One letter for each level, the outermost first, a to i in reading order: {example}.")
}

/// The first `count` letters of an example.
fn path(letters: &str, count: u8) -> &str {
    letters.get(..usize::from(count)).unwrap_or(letters)
}

fn ownership(options: NestedOptions) -> String {
    let line = match options.depth() {
        2 => "You own a small board when three of your marks stand in a line on it.".to_owned(),
        _ => "You own a board of nine cells when three of your marks stand in a line on it, and a \
              larger one when three of the boards in it are yours and in a line."
            .to_owned(),
    };
    let keeps = match options.shared_boards() {
        SharedBoards::Forbidden => {
            "The first owner keeps it, and nobody else owns it after that (4a)."
        }
        SharedBoards::Allowed => {
            "Both players can own the same board, and then it counts for both of them (4b)."
        }
    };
    format!("{line} {keeps}")
}

fn won(options: NestedOptions) -> String {
    let around = match options.depth() {
        2 => "",
        _ => " or a board around it, short of the outermost",
    };
    format!(
        "A board is won when somebody owns it{around}. It is full when all of its cells are filled."
    )
}

fn target(options: NestedOptions) -> String {
    let depth = options.depth();
    let letters = depth - 1;
    if depth == 2 {
        return "The first move goes anywhere. After that the cell just played names the board to \
                play in, the target: after ec it is board c, after bi board i."
            .into();
    }
    match options.trail_rule() {
        TrailRule::Suffix => format!(
            "The first move goes anywhere. After that the last {letters} letters of the move just \
             made name the board of nine cells to play in, the target (trail=suffix): {} sends to \
             board {}.",
            path("eaicgb", depth),
            path("aicgb", letters),
        ),
        TrailRule::History => format!(
            "The last letters of the last {letters} moves, the oldest first, name the board of \
             nine cells to play in, the target (trail=history). Until {letters} moves have been \
             made, a move goes anywhere."
        ),
    }
}

fn sent(options: NestedOptions) -> &'static str {
    match options.won_board_rule() {
        WonBoardRule::PlayOn => {
            "A won board takes moves like any other: you play there. Only if the target is full is \
             the move free (5a)."
        }
        WonBoardRule::FreeMove => "If the target is won or full, the move is free (5b).",
        WonBoardRule::ExtraMove => {
            "If the target is won but not full, you must play there, and then you move again, once, \
             wherever that move points; then the turn passes, whatever the second board is. If the \
             target is full, the move is free. A free move that goes into a won board gives no \
             further move: only being sent there does (5c)."
        }
        WonBoardRule::ExtraMoveChain => {
            "If the target is won but not full, you must play there, and then you move again, \
             wherever that move points: as long as each move was made in a target that was won \
             before it. The turn passes after a move elsewhere. If the target is full, the move is \
             free, and then the turn passes, even if it went into a won board (5d)."
        }
    }
}

fn free(options: NestedOptions) -> String {
    let mut text = "It goes to any empty cell of another board than the target".to_owned();
    if options.depth() > 2 {
        let room = match options.won_board_rule() {
            WonBoardRule::FreeMove => "neither won nor full",
            WonBoardRule::PlayOn | WonBoardRule::ExtraMove | WonBoardRule::ExtraMoveChain => {
                "not full"
            }
        };
        text += &format!(
            ", inside the smallest board around the target that is {room}; where that leaves no \
             cell, inside the next larger one, out to the whole board"
        );
    }
    text += match (options.has_free_move_option(), options.free_move_target()) {
        (true, FreeMoveTarget::OpenBoards) => {
            ". Won boards are closed: a free move never goes into one (free=open)."
        }
        (true, FreeMoveTarget::AnyBoard) => ". It may go into a won board (free=any).",
        (false, _) => ". It may go into a won board.",
    };
    text + " If only the target itself has empty cells left, there is no legal move."
}

fn end(options: NestedOptions) -> String {
    let parts = parts(options);
    let nobody = match options.tiebreak() {
        Tiebreak::Draw => {
            "If no legal move is left before that, the game is a draw (end=draw).".into()
        }
        Tiebreak::MostBoards => {
            let both = match options.shared_boards() {
                SharedBoards::Forbidden => "",
                SharedBoards::Allowed => " A board that both own counts for both.",
            };
            format!(
                "If no legal move is left before that, the player who owns more of the nine {parts} \
                 wins; with as many each it is a draw (end=most).{both}"
            )
        }
    };
    format!("Whoever first owns three of the nine {parts} in a line wins. {nobody}")
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
