//! Glicko-2.

use crate::statistics::{Met, Scored, glicko};

fn met<'a>(first: &'a str, second: &'a str, scored: Scored) -> Met<'a> {
    Met {
        first,
        second,
        scored,
    }
}

#[test]
fn nobody_has_no_ratings() {
    assert_eq!(glicko([]), []);
    assert_eq!(glicko([met("Ada", "Ada", Scored::Win)]), []);
}

#[test]
fn who_wins_rises_and_who_plays_is_known_better() {
    let mut games = vec![met("Ada", "Bob", Scored::Win)];
    let mut before = glicko(games.clone());
    assert_eq!(before[0].games, 1);
    for _ in 0..30 {
        games.push(met("Ada", "Bob", Scored::Win));
        let after = glicko(games.clone());
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
    let ratings = glicko([met("Bob", "Ada", Scored::Draw)]);
    assert_eq!(ratings[0].rating, ratings[1].rating);
    // Even ones stand in the order of their names.
    assert_eq!(ratings[0].name, "Ada");
}

#[test]
fn the_sides_do_not_matter() {
    let one = glicko([
        met("Ada", "Bob", Scored::Win),
        met("Cy", "Ada", Scored::Loss),
    ]);
    let other = glicko([
        met("Bob", "Ada", Scored::Loss),
        met("Ada", "Cy", Scored::Win),
    ]);
    assert_eq!(one, other);
}
