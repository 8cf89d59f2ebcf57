//! Glicko-2.

use crate::statistics::{RatedGame, RatedResult, glicko_ratings};

fn met<'a>(first: &'a str, second: &'a str, scored: RatedResult) -> RatedGame<'a> {
    RatedGame {
        first,
        second,
        result: scored,
    }
}

#[test]
fn nobody_has_no_ratings() {
    assert_eq!(glicko_ratings([]), []);
    assert_eq!(glicko_ratings([met("Ada", "Ada", RatedResult::Win)]), []);
}

#[test]
fn who_wins_rises_and_who_plays_is_known_better() {
    let mut games = vec![met("Ada", "Bob", RatedResult::Win)];
    let mut before = glicko_ratings(games.clone());
    assert_eq!(before[0].games, 1);
    for _ in 0..30 {
        games.push(met("Ada", "Bob", RatedResult::Win));
        let after = glicko_ratings(games.clone());
        assert_eq!(
            (after[0].name.as_str(), after[1].name.as_str()),
            ("Ada", "Bob")
        );
        assert!(after[0].rating > before[0].rating);
        assert!(after[1].rating < before[1].rating);
        before = after;
    }
    assert!(before[0].deviation < 350.0);
    let (low, high) = before[0].interval;
    assert!(low < before[0].rating && before[0].rating < high);
}

#[test]
fn a_draw_of_equals_leaves_them_equal() {
    let ratings = glicko_ratings([met("Bob", "Ada", RatedResult::Draw)]);
    assert_eq!(ratings[0].rating, ratings[1].rating);
    // Even ones stand in the order of their names.
    assert_eq!(ratings[0].name, "Ada");
}

#[test]
fn the_sides_do_not_matter() {
    let one = glicko_ratings([
        met("Ada", "Bob", RatedResult::Win),
        met("Cy", "Ada", RatedResult::Loss),
    ]);
    let other = glicko_ratings([
        met("Bob", "Ada", RatedResult::Loss),
        met("Ada", "Cy", RatedResult::Win),
    ]);
    assert_eq!(one, other);
}
