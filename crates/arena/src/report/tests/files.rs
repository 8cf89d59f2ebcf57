//! Tables and records.

use noughts_rules::{Outcome, Player, Record};

use super::{games, plan};
use crate::played::Reason;
use crate::report::{csv, records};

/// Reads a table back: fields in quotation marks or not, lines inside of them.
fn fields(text: &str) -> Vec<Vec<String>> {
    let mut lines = vec![vec![String::new()]];
    let mut quoted = false;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let line = lines.last_mut().expect("a line");
        let field = line.last_mut().expect("a field");
        match c {
            '"' if quoted && rest.peek() == Some(&'"') => {
                rest.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => line.push(String::new()),
            '\n' if !quoted => lines.push(vec![String::new()]),
            c => field.push(c),
        }
    }
    lines.retain(|line| line.len() > 1);
    lines
}

#[test]
fn a_table_has_a_line_for_each_game() {
    let names = ["=HYPERLINK(\"x\")", "b, \"quoted\"\nand broken"];
    let plan = plan("ultimate", &names);
    let mut games = games(&plan, 6, 1);
    games[3].note = Some("said \"no\",\nand left".into());
    // In whatever order they ended.
    games.reverse();
    let lines = fields(&csv(&plan, &games));
    assert_eq!(lines.len(), 1 + games.len());
    assert!(lines.iter().all(|line| line.len() == 13));
    assert_eq!(lines[0][..4], ["round", "x", "o", "result"]);
    assert_eq!(lines[1][..3], ["1.1", names[0], names[1]]);
    assert_eq!(lines[2][..3], ["1.2", names[1], names[0]]);
    assert_eq!(lines[4][12], "said \"no\",\nand left");
    games.reverse();
    for (line, game) in lines[1..].iter().zip(&games) {
        assert_eq!(line[4], game.reason.word());
        assert_eq!(line[5], game.play.ply().to_string());
        assert_eq!(line[6], game.play.moves()[..4].join(" "));
        let sum: f64 = game
            .moves
            .iter()
            .map(|mv| mv.took.as_secs_f64() * 1e3)
            .sum();
        let said: f64 = line[7..9]
            .iter()
            .map(|ms| ms.parse::<f64>().expect("ms"))
            .sum();
        assert!((sum - said).abs() < 0.01);
        assert_eq!(line[11], game.play.moves().join(" "));
    }
}

#[test]
fn records_are_read_back() {
    for variant in ["classic", "tic-tac-two", "ultimate", "ception:depth=3"] {
        let plan = plan(variant, &["a \"quoted\" \\ bot", "b]{}"]);
        let mut games = games(&plan, 3, 2);
        // One that the rules have not ended.
        let game = &mut games[0];
        while game.play.outcome().is_some() {
            game.play.undo();
            game.moves.pop();
        }
        (game.outcome, game.reason) = (Outcome::Win(Player::O), Reason::IllegalMove);
        game.note = Some("b2} is {taken}".into());
        let text = records(&plan, &games);
        let read = Record::read_all(&text).expect("it is ours");
        assert_eq!(read.len(), games.len());
        for (record, game) in read.iter().zip(&games) {
            assert_eq!(record.play().moves(), game.play.moves());
            assert_eq!(record.result(), Some(game.outcome));
            assert_eq!(record.tag("Reason"), Some(game.reason.word()));
            assert_eq!(record.tag("Note"), game.note.as_deref());
            let x = &plan.bots[game.key.bot(Player::X) as usize].name;
            assert_eq!(record.tag("X"), Some(x.as_str()));
            let comment = record.comment(game.opening + 1).unwrap_or_default();
            assert!(comment.contains("depth 8, 5000 nodes"), "{comment}");
        }
        assert_eq!(read[0].tag("End"), Some("illegal-move"));
        assert_eq!(read[0].tag("Round"), Some("1.1"));
        assert_eq!(read[1].tag("Round"), Some("1.2"));
    }
}

#[test]
fn no_games_are_no_lines() {
    let plan = plan("classic", &["a", "b"]);
    assert_eq!(csv(&plan, &[]).lines().count(), 1);
    assert_eq!(records(&plan, &[]), "");
}
