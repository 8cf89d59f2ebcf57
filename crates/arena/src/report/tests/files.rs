//! CSV and records.

use noughts_rules::{Outcome, Record, Side};

use super::{games, plan};
use crate::plan::Format;
use crate::played_game::{EndReason, GameKey};
use crate::report::{render_csv, render_records};
use crate::schedule::Schedule;

/// The lines of a CSV file, with the header.
fn fields(text: &str) -> Vec<Vec<String>> {
    let reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    reader
        .into_deserialize()
        .map(|line| line.expect("a line"))
        .collect()
}

#[test]
fn csv_has_a_line_per_game() {
    let names = ["=HYPERLINK(\"x\")", "b, \"quoted\"\nand broken"];
    let plan = plan("ultimate", &names);
    let mut games = games(&plan, 6, 1);
    games[3].note = Some("said \"no\",\nand left".into());
    // The order in which games ended doesn't matter.
    games.reverse();
    let lines = fields(&render_csv(&plan, &games));
    assert_eq!(lines.len(), 1 + games.len());
    assert!(lines.iter().all(|line| line.len() == 14));
    assert_eq!(lines[0][..5], ["number", "round", "x", "o", "result"]);
    // A cell that a spreadsheet would execute is escaped.
    let escaped = format!("'{}", names[0]);
    assert_eq!(lines[1][..4], ["1", "1.1", &escaped, names[1]]);
    assert_eq!(lines[2][..4], ["2", "1.2", names[1], &escaped]);
    assert_eq!(lines[4][13], "said \"no\",\nand left");
    games.reverse();
    for (line, game) in lines[1..].iter().zip(&games) {
        assert_eq!(line[5], game.reason.name());
        assert_eq!(line[6], game.state.ply().to_string());
        assert_eq!(line[7], game.state.moves()[..4].join(" "));
        let sum: f64 = game
            .move_info
            .iter()
            .map(|mv| mv.took.as_secs_f64() * 1e3)
            .sum();
        let written: f64 = line[8..10]
            .iter()
            .map(|ms| ms.parse::<f64>().expect("ms"))
            .sum();
        assert!((sum - written).abs() < 0.01);
        assert_eq!(line[12], game.state.moves().join(" "));
    }
}

/// With three bots three games are called `1.1`; the game number is unique and the same in all
/// files.
#[test]
fn game_numbers_are_unique() {
    for format in [Format::RoundRobin, Format::Gauntlet] {
        let mut plan = plan("classic", &["a", "b", "c", "d"]);
        plan.format = format;
        plan.rounds = 5;
        let schedule = Schedule::new(&plan).expect("a plan");
        let mut all = 0;
        for (number, key) in (1..).zip(schedule.games()) {
            assert_eq!(plan.game_number(&key), number);
            all = number;
        }
        assert_eq!(all, schedule.game_count());
    }
    let plan = plan("classic", &["a", "b", "c"]);
    let games = games(&plan, 2, 1);
    let lines = fields(&render_csv(&plan, &games));
    let records = Record::parse_all(&render_records(&plan, &games, |_| None)).expect("records");
    for (number, (line, record)) in (1..).zip(lines[1..].iter().zip(&records)) {
        let number = i32::to_string(&number);
        assert_eq!(
            (line[0].as_str(), record.tag("Game")),
            (number.as_str(), Some(&*number))
        );
    }
}

#[test]
fn records_round_trip() {
    for variant in ["classic", "tic-tac-two", "ultimate", "ception:depth=3"] {
        let plan = plan(variant, &["a \"quoted\" \\ bot", "b]{}"]);
        let mut games = games(&plan, 3, 2);
        // A game that the rules haven't ended.
        let game = &mut games[0];
        while game.state.outcome().is_some() {
            game.state.undo();
            game.move_info.pop();
        }
        (game.outcome, game.reason) = (Outcome::Win(Side::O), EndReason::IllegalMove);
        game.note = Some("b2} is {taken}".into());
        let day = |key: &GameKey| (key.round == 0).then(|| "2026.11.15".to_owned());
        let text = render_records(&plan, &games, day);
        let read = Record::parse_all(&text).expect("it is ours");
        assert_eq!(read.len(), games.len());
        for (record, game) in read.iter().zip(&games) {
            assert_eq!(record.state().moves(), game.state.moves());
            assert_eq!(record.result(), Some(game.outcome));
            let day = (game.key.round == 0).then_some("2026.11.15");
            assert_eq!(record.tag("Date").filter(|day| !day.contains('?')), day);
            // `Reason` is only present if it differs from `End`.
            let written = record.tag("Reason").or(record.tag("End"));
            assert_eq!(written, Some(game.reason.name()));
            assert_ne!(record.tag("Reason"), record.tag("End"));
            assert_eq!(record.tag("Note"), game.note.as_deref());
            let x = &plan.bots[game.key.bot(Side::X) as usize].name;
            assert_eq!(record.tag("X"), Some(x.as_str()));
            let comment = record.comment(game.opening_plies + 1).unwrap_or_default();
            assert!(comment.contains("depth 8, 5000 nodes"), "{comment}");
        }
        assert_eq!(read[0].tag("End"), Some("illegal-move"));
        assert_eq!(read[0].tag("Round"), Some("1.1"));
        assert_eq!(read[1].tag("Round"), Some("1.2"));
    }
}

#[test]
fn no_games_give_no_lines() {
    let plan = plan("classic", &["a", "b"]);
    assert_eq!(render_csv(&plan, &[]).lines().count(), 1);
    assert_eq!(render_records(&plan, &[], |_| None), "");
}
