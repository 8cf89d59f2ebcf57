//! The terminal game in a pseudo-terminal: whole games by keyboard and by mouse, resizing, signals, a
//! panic, and repeated kills.
#![cfg(unix)]

mod pty;

use std::path::Path;
use std::process::Command;

use noughts_conformance::test_rng::TestRng;
use noughts_rules::{AnyGameState, BoardView, Place, Target, games};
use pty::{Terminal, test_dir};

/// Two humans, so that the test makes every move.
const PLAYERS: [&str; 4] = ["--x", "human:Ada", "--o", "human:Bob"];

/// Text that only the dialog at the end of a game has.
const END_DIALOG: &str = "Rematch, same sides";

fn start(data: &Path, variant: &str, columns: u16, rows: u16) -> Terminal {
    let args: Vec<&str> = ["play", variant].into_iter().chain(PLAYERS).collect();
    Terminal::start(data, &args, columns, rows)
}

/// The output of a command with `--json`.
fn run_json(data: &Path, args: &[&str]) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .args(args)
        .arg("--json")
        .env("NOUGHTS_DATA", data)
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{args:?}: {output:?}");
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

/// The moves of a stored game.
fn stored_moves(data: &Path, game: usize) -> Vec<String> {
    let shown = run_json(data, &["games", "show", &game.to_string()]);
    let moves = shown["moves"].as_array().expect("a list of moves");
    let text = |mv: &serde_json::Value| mv["move"].as_str().expect("a move").to_owned();
    moves.iter().map(text).collect()
}

/// The number of the newest game. It isn't always 1: a game that is killed before its first move is
/// dropped, and the next start creates another one.
fn newest_game(data: &Path) -> usize {
    let games = run_json(data, &["games", "--limit", "1"]);
    let number = games["games"][0]["number"].as_u64();
    number.expect("a game's number") as usize
}

/// How many moves have been made according to the list on the right, which always shows the last.
fn listed_move_count(screen: &str) -> usize {
    let mut turn = 0;
    let mut plies = 0;
    for line in screen.lines() {
        let right: String = line.chars().skip(61).collect();
        let mut words = right.trim_start_matches(['▸', ' ', '│']).split_whitespace();
        let first = words.next().unwrap_or_default();
        if let Some(number) = first
            .strip_suffix('.')
            .and_then(|n| n.parse::<usize>().ok())
        {
            turn = number;
            if words.next() == Some("X") {
                plies = 2 * turn - 1;
            }
        } else if first == "O" && turn > 0 && words.next().is_some() {
            plies = 2 * turn;
        }
    }
    plies
}

/// Types the keys of each move, and waits until the move is in the list or has ended the game.
fn make_moves(terminal: &mut Terminal, moves: &[(String, String)]) {
    for (made, (keys, mv)) in moves.iter().enumerate() {
        terminal.type_keys(keys);
        terminal.wait_until(&format!("move {mv} by {keys:?}"), |screen| {
            let text = screen.contents();
            listed_move_count(&text) == made + 1 || text.contains(END_DIALOG)
        });
    }
}

fn quit(mut terminal: Terminal) {
    terminal.type_keys("q");
    let (is_ok, terminal_state) = terminal.wait_for_end();
    assert!(is_ok, "{terminal_state:?}");
    assert!(terminal_state.is_restored(), "{terminal_state:?}");
}

/// The keypad digits for the letters of a path.
fn keypad(path: &str) -> String {
    let digit = |letter| match letter {
        'a' => '7',
        'b' => '8',
        'c' => '9',
        'd' => '4',
        'e' => '5',
        'f' => '6',
        'g' => '1',
        'h' => '2',
        _ => '3',
    };
    path.chars().map(digit).collect()
}

/// Moves of a nested game with their keys: all digits if the board can be chosen, only the last one
/// if it is given.
fn nested_moves(variant: &str, moves: &str) -> Vec<(String, String)> {
    let mut state = AnyGameState::new(variant.parse().expect("a variant"));
    let mut keys = Vec::new();
    for mv in moves.split_whitespace() {
        let board = &mv[..mv.len() - 1];
        let is_sent = state.legal_moves().iter().all(|mv| mv.starts_with(board));
        let path = if is_sent { &mv[mv.len() - 1..] } else { mv };
        keys.push((keypad(path), mv.to_owned()));
        state.play(mv).expect("a legal move");
    }
    keys
}

/// A game of `ultimate` that X wins, with free moves in it.
const ULTIMATE: &str = "ee eg gg gf ff fd dd db bb bh hh hd da aa af fh hb ba ac ch he ef fi ie \
     eb be eh cb bc ci ig gi ia ab bi ih bf";
/// The first moves of a game of depth 3.
const DEEP: &str = "eae aee eea eai aie iea";

fn keyed_moves(moves: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |&(keys, mv): &(&str, &str)| (keys.to_owned(), mv.to_owned());
    moves.iter().map(owned).collect()
}

const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const LEFT: &str = "\x1b[D";
const RIGHT: &str = "\x1b[C";

/// A whole game of each family, with every way to make a move by keyboard.
#[test]
fn whole_games_by_keyboard() {
    let corner = format!("{UP}{LEFT}\r");
    let games = [
        (
            "classic",
            keyed_moves(&[
                (&corner, "a1"),
                ("5", "b2"),
                ("8", "b1"),
                ("/c3\r", "c3"),
                ("9", "c1"),
            ]),
            "Ada",
        ),
        (
            "misere",
            keyed_moves(&[
                ("kh\r", "a1"),
                ("5", "b2"),
                ("4", "a2"),
                ("9", "c1"),
                ("1", "a3"),
            ]),
            "Bob",
        ),
        (
            "mnk:5,4,3",
            keyed_moves(&[
                ("/a1\r", "a1"),
                ("/b1\r", "b1"),
                ("/a2\r", "a2"),
                ("/c3\r", "c3"),
                ("/a3\r", "a3"),
            ]),
            "Ada",
        ),
        (
            "tic-tac-two",
            // `g` and digits move the grid up left and back; the last move completes O's line.
            keyed_moves(&[
                ("7", "b2"),
                ("9", "d2"),
                ("5", "c3"),
                ("6", "d3"),
                ("g7\r", "@b2"),
                ("/a1\r", "a1"),
                ("g3\r", "@c3"),
                ("3", "d4"),
            ]),
            "Bob",
        ),
        ("ultimate", nested_moves("ultimate", ULTIMATE), "Ada"),
        ("ception:depth=3", nested_moves("ception:depth=3", DEEP), ""),
    ];
    for (variant, moves, winner) in games {
        let data = test_dir(&format!(
            "keyboard-{}",
            variant.replace([':', ',', '='], "-")
        ));
        let mut terminal = start(&data, variant, 80, 24);
        terminal.wait_for("Ada (X)");
        make_moves(&mut terminal, &moves);
        if winner.is_empty() {
            // Too long to finish: left open, with all moves stored.
            terminal.type_keys("q");
            terminal.wait_for("is saved");
            terminal.type_keys("y");
            let (is_ok, terminal_state) = terminal.wait_for_end();
            assert!(is_ok && terminal_state.is_restored(), "{terminal_state:?}");
        } else {
            let text = terminal.wait_for(END_DIALOG);
            assert!(text.contains(winner), "{text}");
            quit(terminal);
            let record = run_json(&data, &["players", "show", winner]);
            assert_eq!(record["wins"], 1, "{record}");
        }
        let texts: Vec<String> = moves.into_iter().map(|(_, mv)| mv).collect();
        assert_eq!(stored_moves(&data, 1), texts, "{variant}");
    }
}

/// The keys that make a move: digits for columns and for cells of small boards, otherwise arrows from the cell of the last
/// move; the names of pieces; and typed where a board is too large for digits and has several parts.
fn keys_of_move(view: &dyn BoardView, mv: &str, cursor: &mut (u8, u8)) -> String {
    let shape = view.shape();
    let size = shape.size_at(shape.depth() - 1).unwrap_or_default();
    let mut keys = String::new();
    for target in view.taps_of(mv).expect("a move") {
        match target {
            Target::Place(cell)
                if view.aim(shape.cell(0)) == view.aim(shape.cell(size.0.into())) =>
            {
                keys += &(shape.column_row(cell).0 + 1).to_string();
            }
            Target::Place(cell) if size == (3, 3) => keys += &digits_of_cell(view, cell),
            Target::Place(_) if shape.depth() > 1 => return format!("/{}\r", mv.to_uppercase()),
            Target::Place(cell) => {
                let (column, row) = shape.column_row(cell);
                let across = if column > cursor.0 { RIGHT } else { LEFT };
                let down = if row > cursor.1 { DOWN } else { UP };
                keys += &across.repeat(column.abs_diff(cursor.0).into());
                keys += &down.repeat(row.abs_diff(cursor.1).into());
                keys.push('\r');
                *cursor = (column, row);
            }
            Target::Piece(kind) if keys.is_empty() => keys += &view.piece_name(kind).to_uppercase(),
            Target::Piece(kind) => keys += &view.piece_name(kind),
            Target::Frame => keys.push('g'),
        }
    }
    keys
}

/// The number of a board, if it can be chosen, and the digit of a cell on a numeric keypad.
fn digits_of_cell(view: &dyn BoardView, cell: Place) -> String {
    let shape = view.shape();
    let board = shape.parent(cell).expect("a cell");
    let (column, row) = shape.column_row(cell);
    let digit = (2 - row) * 3 + column + 1;
    match view.focus().level < board.level {
        true => format!("{}{digit}", board.index + 1),
        false => digit.to_string(),
    }
}

/// A whole game of each of the other games, with keys only.
#[test]
fn whole_games_of_every_other_game_by_keyboard() {
    // The games above have tests of their own.
    let others = games::presets()
        .into_iter()
        .filter(|(variant, _)| !["mnk", "tic-tac-two", "ception"].contains(&variant.info().name));
    for (variant, preset) in others {
        let name = preset.name;
        let mut dice = TestRng::for_name(17, name);
        let mut state = AnyGameState::new(variant);
        let (columns, rows) = state.view().shape().size_at(0).unwrap_or_default();
        let mut cursor = ((columns - 1) / 2, (rows - 1) / 2);
        let mut moves = Vec::new();
        while state.outcome().is_none() {
            let legal = state.legal_moves();
            let mv = &legal[dice.below(legal.len())];
            moves.push((keys_of_move(state.view(), mv, &mut cursor), mv.clone()));
            state.play(mv).expect("a legal move");
        }
        let data = test_dir(&format!("other-{}", name.replace([':', '='], "-")));
        let mut terminal = start(&data, name, 80, 24);
        terminal.wait_for("Ada (X)");
        make_moves(&mut terminal, &moves);
        terminal.wait_for(END_DIALOG);
        quit(terminal);
        let texts: Vec<String> = moves.into_iter().map(|(_, mv)| mv).collect();
        assert_eq!(stored_moves(&data, 1), texts, "{variant}");
    }
}

/// The screen positions of the cells of a flat board: the columns of its letters and the rows of its
/// numbers, found between the side panes.
fn cell_positions(screen: &str, letters: &str, rows: usize) -> (Vec<u16>, Vec<u16>) {
    let board_columns = |line: &str| -> Vec<(u16, char)> {
        let columns = line.chars().enumerate().skip(18).take(43);
        let seen = columns.filter(|(_, c)| !c.is_whitespace());
        seen.map(|(column, c)| (column as u16, c)).collect()
    };
    let wanted: Vec<char> = letters.chars().collect();
    let mut columns = Vec::new();
    let mut lines = Vec::new();
    for (y, line) in screen.lines().enumerate() {
        let seen = board_columns(line);
        if columns.is_empty() {
            if seen.iter().map(|(_, c)| *c).eq(wanted.iter().copied()) {
                columns = seen.iter().map(|(x, _)| *x).collect();
            }
        } else if let Some((_, digit)) = seen.first()
            && digit.to_digit(10) == Some(lines.len() as u32 + 1)
        {
            lines.push(y as u16);
        }
    }
    assert_eq!(
        (columns.len(), lines.len()),
        (wanted.len(), rows),
        "{screen}"
    );
    (columns, lines)
}

#[test]
fn a_whole_game_by_mouse_with_resizing() {
    let data = test_dir("mouse");
    let mut terminal = start(&data, "classic", 80, 24);
    terminal.wait_for("Ada (X)");
    let (columns, rows) = cell_positions(&terminal.contents(), "abc", 3);
    let click = |terminal: &mut Terminal, cell: (usize, usize), made| {
        terminal.click(columns[cell.0], rows[cell.1]);
        terminal.wait_until(&format!("move {made}"), |screen| {
            let text = screen.contents();
            listed_move_count(&text) == made || text.contains(END_DIALOG)
        });
    };
    click(&mut terminal, (0, 0), 1);
    click(&mut terminal, (1, 1), 2);

    // Larger, too small, and back: nothing is lost, and clicks hit the same cells again.
    terminal.resize(140, 45);
    terminal.wait_until("the large screen", |screen| {
        screen.contents().lines().count() > 40
    });
    terminal.resize(30, 10);
    let text = terminal.wait_for("40");
    assert!(text.contains("12") && text.contains("30"), "{text}");
    terminal.resize(80, 24);
    terminal.wait_for("O b2");

    // A taken cell is refused with the reason.
    terminal.click(columns[0], rows[0]);
    terminal.wait_for("a1 is taken");
    click(&mut terminal, (1, 0), 3);
    click(&mut terminal, (2, 2), 4);
    click(&mut terminal, (2, 0), 5);
    terminal.wait_for("q  Quit");
    let (column, row) = terminal.find("q  Quit").expect("a choice to click on");
    terminal.click(column + 3, row);
    let (is_ok, terminal_state) = terminal.wait_for_end();
    assert!(is_ok && terminal_state.is_restored(), "{terminal_state:?}");
    assert_eq!(stored_moves(&data, 1), ["a1", "b2", "b1", "c3", "c1"]);
}

#[test]
fn the_terminal_is_restored_after_signals_and_a_panic() {
    for (signal, code) in [("TERM", 143), ("HUP", 129), ("INT", 130)] {
        let data = test_dir(&format!("signal-{signal}"));
        let mut terminal = start(&data, "classic", 80, 24);
        terminal.wait_for("Ada (X)");
        make_moves(&mut terminal, &keyed_moves(&[("5", "b2")]));
        terminal.signal(signal);
        let (ended, terminal_state) = terminal.wait_for_exit_code();
        assert_eq!(ended, code, "{signal}: {terminal_state:?}");
        assert!(terminal_state.is_restored(), "{signal}: {terminal_state:?}");
        assert_eq!(stored_moves(&data, 1), ["b2"], "{signal}");
    }
    let data = test_dir("panic");
    let args = ["play", "classic", "--x", "human:Ada", "--o", "human:Bob"];
    let mut terminal = Terminal::start_with(&data, &args, 80, 24, &[("NOUGHTS_BREAK_DOWN", "1")]);
    terminal.wait_for("Ada (X)");
    make_moves(&mut terminal, &keyed_moves(&[("5", "b2")]));
    // F12.
    terminal.type_keys("\x1b[24~");
    let (is_ok, terminal_state) = terminal.wait_for_end();
    assert!(!is_ok, "a panic is no success");
    assert!(terminal_state.is_restored(), "{terminal_state:?}");
    assert!(
        terminal_state.text.contains("panicked"),
        "{terminal_state:?}"
    );
    assert_eq!(stored_moves(&data, 1), ["b2"]);
}

/// The program is killed at random moments of a long game, some of them between a key and its
/// effect. Every move that was shown is in the store afterwards, and in the game that is offered to
/// be resumed.
#[test]
fn no_shown_move_is_lost_when_the_program_is_killed() {
    const KILLS: usize = 50;
    let mut dice = TestRng::new(4);
    let mut kills = 0;
    while kills < KILLS {
        let data = test_dir(&format!("killed-{kills}"));
        let mut state = AnyGameState::new("ultimate".parse().expect("a variant"));
        let mut planned: Vec<String> = Vec::new();
        while state.outcome().is_none() {
            let legal = state.legal_moves();
            let mv = &legal[dice.below(legal.len())];
            state.play(mv).expect("a legal move");
            planned.push(mv.clone());
        }
        // Stop before the end: a finished game wouldn't be resumed.
        planned.truncate(planned.len() - 4);
        let mut stored_count = 0;
        while kills < KILLS && stored_count < planned.len() {
            stored_count = play_and_kill(&data, &planned, stored_count, &mut dice);
            kills += 1;
        }
    }
}

/// Continues after `stored_count` moves and kills the program. Returns how many moves are stored now.
fn play_and_kill(
    data: &Path,
    planned: &[String],
    stored_count: usize,
    dice: &mut TestRng,
) -> usize {
    let mut terminal = start(data, "ultimate", 80, 24);
    if stored_count > 0 {
        let text = terminal.wait_for("resume");
        assert!(text.contains("Ada") && text.contains("Bob"), "{text}");
        terminal.type_keys("\r");
    }
    terminal.wait_until("the game as it was", |screen| {
        let text = screen.contents();
        (text.contains("Ada (X)") || text.contains("Bob (O)"))
            && listed_move_count(&text) == stored_count
    });
    let until = (stored_count + 1 + dice.below(3)).min(planned.len());
    for (made, mv) in planned.iter().enumerate().take(until).skip(stored_count) {
        let (bytes, _) = terminal.received();
        terminal.type_keys(&format!("/{mv}\r"));
        // For the last move, wait for the move, for some bytes, or for nothing.
        if made + 1 < until || dice.chance(1, 3) {
            terminal.wait_until(mv, |screen| {
                listed_move_count(&screen.contents()) == made + 1
            });
        } else if dice.chance(1, 2) {
            terminal.wait_for_more(bytes + dice.below(40));
        }
    }
    terminal.signal("KILL");
    let (_, terminal_state) = terminal.wait_for_end();
    let shown = listed_move_count(&terminal_state.text);
    let moves = stored_moves(data, newest_game(data));
    assert!(shown <= moves.len(), "{shown} shown, {} kept", moves.len());
    assert!(
        moves.len() >= stored_count,
        "{} kept of {stored_count}",
        moves.len()
    );
    assert_eq!(moves, planned[..moves.len()]);
    moves.len()
}

/// Keys, each with text that it makes appear.
type KeySteps = &'static [(&'static str, &'static str)];

/// Arguments and keys that together reach every screen.
const SCREENS: [(&[&str], KeySteps); 15] = [
    (&[], &[]),
    (&[], &[("2", "choose a level")]),
    (&[], &[("1", "choose a name")]),
    (&[], &[("c", "Appearance")]),
    (&[], &[("?", "Rules:")]),
    (&[], &[("p", "back to the menu")]),
    (&[], &[("g", "No saved games yet")]),
    (&["play", "ultimate"], &[("", "Player 1 (X)")]),
    (&["play"], &[("/", "Your move")]),
    (&["play"], &[("?", "keys and symbols")]),
    (&["play"], &[("q", "Quit?")]),
    (&["play"], &[("a", "won't be rated"), ("a", "(proved)")]),
    (&["play"], &RESIGNED),
    (
        &["play"],
        &[
            RESIGNED[0],
            RESIGNED[1],
            RESIGNED[2],
            ("v", "review of game"),
        ],
    ),
    (
        &["play", "mnk:16,16,5", "--x", "mcts", "--o", "mcts"],
        &[("", "pause")],
    ),
];

const RESIGNED: [(&str, &str); 3] = [("5", "X b2"), ("x", "Resign ("), ("r", "Not this time")];

const REDRAW: &str = "\x0c";

/// The program ends when its terminal disappears, on every screen and in the middle of a redraw.
#[test]
fn the_program_ends_when_its_terminal_disappears_on_every_screen() {
    for (index, (args, keys)) in SCREENS.into_iter().enumerate() {
        let data = test_dir(&format!("gone-{index}"));
        let mut terminal = Terminal::start(&data, args, 80, 24);
        terminal.wait_for(match args {
            [] => "the tic-tac-toe family",
            _ => "quit",
        });
        // One at a time: a key may be for a dialog that the previous key opens.
        for (key, seen) in keys {
            terminal.type_keys(key);
            terminal.wait_for(seen);
        }
        assert_eq!(terminal.hang_up(REDRAW), 129, "{args:?} {keys:?}");
    }
}

/// The offer to resume, a store that can't be used, and a terminal that is too small.
#[test]
fn the_program_ends_when_its_terminal_disappears_before_any_game() {
    let data = test_dir("gone-resume");
    let mut terminal = start(&data, "classic", 80, 24);
    terminal.wait_for("Ada (X)");
    make_moves(&mut terminal, &keyed_moves(&[("5", "b2")]));
    assert_eq!(terminal.hang_up(REDRAW), 129);
    let terminal = start(&data, "classic", 80, 24);
    terminal.wait_for("resume");
    assert_eq!(terminal.hang_up(REDRAW), 129, "the offer to resume");
    let terminal = start(&data, "classic", 30, 10);
    terminal.wait_for("40");
    assert_eq!(terminal.hang_up(REDRAW), 129, "too small");
    let file = test_dir("gone-store").join("file");
    std::fs::write(&file, "not a folder").expect("a file");
    let terminal = start(&file, "classic", 80, 24);
    terminal.wait_for("Play without");
    assert_eq!(terminal.hang_up(REDRAW), 129, "a store that can't be used");
}

/// A name whose width differs between terminals makes every key redraw everything.
#[test]
fn the_program_ends_when_its_terminal_disappears_with_an_emoji_in_a_name() {
    let data = test_dir("gone-emoji");
    let args = ["play", "--x", "human:Ann 🇳🇴", "--o", "human:Bob"];
    let terminal = Terminal::start(&data, &args, 80, 24);
    terminal.wait_for("Ann");
    assert_eq!(terminal.hang_up(UP), 129);
}

/// The game works in a terminal that doesn't answer queries: it never asks for the cursor's
/// position.
#[test]
fn the_terminal_is_never_asked_for_its_cursor() {
    let data = test_dir("cursor");
    let args = ["play", "--x", "human:Ann 🇳🇴", "--o", "human:Bob"];
    let mut terminal = Terminal::start(&data, &args, 80, 24);
    terminal.wait_for("Ann");
    terminal.type_keys(&REDRAW.repeat(30));
    terminal.type_keys(&format!("{UP}{LEFT}").repeat(50));
    terminal.resize(100, 30);
    terminal.type_keys(REDRAW);
    terminal.type_keys("\r");
    terminal.wait_until("the move in the corner", |screen| {
        screen.contents().contains("X a1")
    });
    assert!(!terminal.asked_for_cursor());
    terminal.type_keys("\x03");
    let (code, terminal_state) = terminal.wait_for_exit_code();
    assert_eq!(code, 130, "{terminal_state:?}");
    assert!(terminal_state.is_restored(), "{terminal_state:?}");
    assert_eq!(stored_moves(&data, 1), ["a1"]);
}

/// Guards against a key that arrives together with a resize and is only handled with the next key.
#[test]
fn keys_that_arrive_with_a_resize_are_handled() {
    let data = test_dir("size-and-key");
    let mut terminal = start(&data, "classic", 80, 24);
    terminal.wait_for("Ada (X)");
    for round in 0..20 {
        for (key, height, is_asked) in [("q", 30, true), ("n", 29, false)] {
            terminal.resize(90 + round, height);
            terminal.type_keys(key);
            // Plain letters don't combine into an escape sequence, even if an old frame passes for the new one.
            let asks = |screen: &vt100::Screen| screen.contents().contains("Quit?");
            terminal.wait_until(key, |screen| asks(screen) == is_asked);
        }
    }
    terminal.type_keys("\x03");
    assert_eq!(terminal.wait_for_exit_code().0, 130);
}

/// A terminal that accepts no more bytes blocks the program's writes; a signal ends it anyway.
#[test]
fn a_signal_ends_a_program_that_cannot_write() {
    let data = test_dir("blocked");
    let mut terminal = start(&data, "ultimate", 80, 24);
    terminal.wait_for("Ada (X)");
    terminal.stop_reading(REDRAW);
    terminal.type_keys(&REDRAW.repeat(200));
    terminal.signal("TERM");
    assert_eq!(terminal.exit_code(), 143);
}

/// Ctrl-Z and SIGTSTP return the terminal to the shell; `fg` takes it back and redraws.
#[test]
fn the_shell_suspends_and_continues_the_game() {
    let data = test_dir("suspended");
    let mut shell = portable_pty::CommandBuilder::new("sh");
    shell.args(["-i"]);
    let environment = [("PS1", "> "), ("ENV", "/dev/null")];
    let mut terminal = Terminal::start_command(shell, &data, 80, 24, &environment);
    // Keys typed before the shell's prompt may still be read by the game.
    let is_shell = |screen: &vt100::Screen| {
        let text = screen.contents();
        text.trim_end().lines().last() == Some(">")
            && screen.cursor_position().1 == 2
            && !screen.alternate_screen()
            && !screen.hide_cursor()
            && !screen.bracketed_paste()
            && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
    };
    let game = env!("CARGO_BIN_EXE_noughts");
    let pid = data.join("pid");
    let script = format!(
        "echo $$ > {}; exec {game} play classic --x human:Ada --o human:Bob",
        pid.display()
    );
    terminal.wait_until("the shell", is_shell);
    terminal.type_keys(&format!("sh -c '{script}'\r"));
    terminal.wait_for("Ada (X)");
    terminal.type_keys("5");
    terminal.wait_for("X b2");
    let pid = std::fs::read_to_string(pid).expect("the game's process");
    for (suspend, line) in [("key", "one"), ("key", "two"), ("signal", "three")] {
        match suspend {
            "key" => terminal.type_keys("\x1a"),
            _ => signal(pid.trim(), "TSTP"),
        }
        terminal.wait_until("the shell", is_shell);
        terminal.type_keys(&format!("echo line-$(echo {line})\r"));
        terminal.wait_for(&format!("line-{line}"));
        terminal.type_keys("fg\r");
        terminal.wait_until("the game again", |screen| {
            screen.alternate_screen() && screen.contents().contains("X b2")
        });
    }
    terminal.type_keys("9");
    terminal.wait_for("O c1");
    terminal.type_keys("q");
    terminal.wait_for("Quit?");
    terminal.type_keys("y");
    terminal.wait_until("the shell", is_shell);
    terminal.type_keys("echo code=$?\r");
    terminal.wait_for("code=0");
    terminal.type_keys("exit\r");
    terminal.wait_for_end();
    assert_eq!(stored_moves(&data, 1), ["b2", "c1"]);
}

/// Without a shell to return to, Ctrl-Z does nothing.
#[test]
fn without_a_shell_the_game_is_not_suspended() {
    let data = test_dir("alone");
    let mut terminal = start(&data, "classic", 80, 24);
    terminal.wait_for("Ada (X)");
    terminal.type_keys("\x1a5");
    terminal.wait_for("X b2");
    terminal.signal("TSTP");
    terminal.type_keys("9");
    terminal.wait_for("O c1");
    // After a signal that can't be handled, it redraws everything when it continues.
    let (bytes, _) = terminal.received();
    terminal.signal("STOP");
    terminal.signal("CONT");
    terminal.wait_for_more(bytes);
    terminal.type_keys("5");
    terminal.wait_for("b2 is taken");
}

/// On a terminal that can't move its cursor, the game runs in plain mode.
#[test]
fn a_dumb_terminal_gets_lines_of_text() {
    for args in [&["play", "classic"][..], &[]] {
        let data = test_dir("dumb");
        let environment = [("TERM", "dumb")];
        let mut terminal = Terminal::start_with(&data, args, 80, 24, &environment);
        terminal.wait_for("What's the first player's name?");
        terminal.type_keys("quit\r");
        let (is_ok, terminal_state) = terminal.wait_for_end();
        assert!(is_ok, "{terminal_state:?}");
        assert!(
            !terminal_state.text.contains("\u{1b}"),
            "{terminal_state:?}"
        );
    }
}

/// From the menu to the review, in a small window.
#[test]
fn classic_is_played_in_a_small_window() {
    let data = test_dir("small");
    let mut terminal = Terminal::start(&data, &[], 40, 12);
    terminal.wait_for("noughts");
    terminal.type_keys("\t\t");
    terminal.wait_for("Player 2 O");
    // Make player 2 a human, too.
    terminal.type_keys(&format!("{RIGHT}\r"));
    terminal.wait_for("Player 1 (X)");
    for (keys, seen) in [
        ("5", "Player 2 (O)"),
        ("7", "Player 1 (X)"),
        ("/1,3\r", "Player 2 (O)"),
        ("8", "Player 1 (X)"),
        ("/A3\r", "Congratulations"),
    ] {
        terminal.type_keys(keys);
        terminal.wait_for(seen);
    }
    terminal.type_keys("v");
    terminal.wait_for("move 5 of 5");
    terminal.type_keys("\x03");
    let (code, terminal_state) = terminal.wait_for_exit_code();
    assert_eq!(code, 130, "{terminal_state:?}");
    assert_eq!(stored_moves(&data, 1), ["b2", "a1", "c1", "b1", "a3"]);
}

/// The user plays the side to move, here O. The game is resumed, and a new one is started from a
/// review.
#[test]
fn a_game_from_a_position_is_played_resumed_and_branched() {
    let data = test_dir("position");
    let args = ["play", "classic", "--position", "x../.../... o"];
    let args = [&args[..], &["--moves", "b2 c3", "--seed", "1"]].concat();
    let mut terminal = Terminal::start(&data, &args, 80, 24);
    terminal.wait_for("Player 1");
    terminal.wait_until("two given moves", |screen| {
        screen_words(screen).contains("X c3")
    });
    terminal.type_keys("/a3\r");
    terminal.wait_until("both have moved", |screen| {
        screen_words(screen).contains("3. X")
    });
    terminal.type_keys("\x03");
    terminal.wait_for_exit_code();
    let shown = run_json(&data, &["games", "show", "1"]);
    assert_eq!(shown["start"], "x../.../... o");
    assert_eq!(shown["x"]["name"], "medium");
    assert_eq!(shown["o"]["name"], "Player 1");
    assert_eq!(stored_moves(&data, 1)[..3], ["b2", "c3", "a3"]);

    // The same command offers it; another position wouldn't.
    let mut terminal = Terminal::start(&data, &args, 80, 24);
    terminal.wait_for("Unfinished game");
    terminal.type_keys("\r");
    terminal.wait_until("the game continues", |screen| {
        screen_words(screen).contains("3. X")
    });
    terminal.type_keys("\x03");
    terminal.wait_for_exit_code();

    let elsewhere = ["play", "classic", "--position", "xo./.../... x"];
    let elsewhere = [&elsewhere[..], &PLAYERS].concat();
    let mut terminal = Terminal::start(&data, &elsewhere, 80, 24);
    terminal.wait_for("Ada (X)");
    for (mv, seen) in [("b2", "Bob (O)"), ("c1", "Ada (X)"), ("c3", END_DIALOG)] {
        terminal.type_keys(&format!("/{mv}\r"));
        terminal.wait_for(seen);
    }
    terminal.type_keys("v");
    terminal.wait_for("p play from here");
    terminal.type_keys("p");
    terminal.wait_for("The game is over here.");
    terminal.type_keys("\x1b[Dp");
    terminal.wait_for("Ada (X) vs Bob (O)");
    terminal.type_keys("1");
    terminal.wait_for("No moves yet");
    terminal.type_keys("/a3\r");
    terminal.wait_until("a move", |screen| screen_words(screen).contains("1. X a3"));
    terminal.type_keys("\x03");
    terminal.wait_for_exit_code();
    let number = newest_game(&data);
    let shown = run_json(&data, &["games", "show", &number.to_string()]);
    assert_eq!(shown["start"], "xoo/.x./... x");
    assert_eq!(stored_moves(&data, number), ["a3"]);
}

/// The text on the screen, with single spaces.
fn screen_words(screen: &vt100::Screen) -> String {
    let text = screen.contents();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

fn signal(process: &str, name: &str) {
    let status = Command::new("kill")
        .args([&format!("-{name}"), process])
        .status();
    assert!(status.is_ok_and(|status| status.success()), "kill -{name}");
}
