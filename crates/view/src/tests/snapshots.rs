//! Snapshots of a few small boards, to catch changes of the markup that scripts and styles
//! rely on.

use super::super::{board, read_only_board, value_bar, value_overlay};
use super::state_after;
use noughts_engine::{ExactValue, RankedMove, SearchReport, Value};

/// One element per line.
fn lines(markup: &str) -> String {
    markup.replace("><", ">\n<")
}

macro_rules! snapshot {
    ($name:literal, $markup:expr) => {
        insta::assert_snapshot!($name, lines(&$markup.into_string()));
    };
}

#[test]
fn board_markup_matches_snapshots() {
    snapshot!("classic", board(&state_after("classic", "b2 a1 c1"), ""));
    snapshot!(
        "classic_won",
        board(&state_after("classic", "b2 a1 c1 a2 a3"), "")
    );
    snapshot!(
        "classic_past",
        read_only_board(&state_after("classic", "b2"), "")
    );
    let two = state_after("tic-tac-two:board=3,pieces=3", "a1 b1 a2 b2");
    snapshot!("tic_tac_two", board(&two, ""));
    snapshot!("depth_1", board(&state_after("ception:depth=1", "e"), ""));
    snapshot!(
        "one_board_of_ultimate",
        board(&state_after("ultimate", "ef fe"), "4")
    );
    let report = SearchReport {
        moves: vec![RankedMove {
            mv: "a1".into(),
            value: Value::Exact(ExactValue::win(3)),
            nodes: 1,
            pv: Vec::new(),
        }],
        ..SearchReport::empty()
    };
    snapshot!(
        "tints",
        value_overlay(&state_after("classic", "b2"), "", &report)
    );
    snapshot!("bar", value_bar(0.75, false, "X is ahead"));
}
