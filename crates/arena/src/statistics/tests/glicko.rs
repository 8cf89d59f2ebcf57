//! Glicko-2.

use noughts_rules::{Outcome, Side};

use crate::statistics::glicko_ratings;

const WIN: Outcome = Outcome::Win(Side::X);
const LOSS: Outcome = Outcome::Win(Side::O);

fn game(x: &str, o: &str, outcome: Outcome) -> (String, String, Outcome) {
    (x.into(), o.into(), outcome)
}

#[test]
fn no_games_give_no_ratings() {
    assert_eq!(glicko_ratings([]), []);
    assert_eq!(glicko_ratings([game("Ada", "Ada", WIN)]), []);
}

#[test]
fn winners_rise_and_deviations_shrink() {
    let mut games = vec![game("Ada", "Bob", WIN)];
    let mut before = glicko_ratings(games.clone());
    assert_eq!(before[0].games, 1);
    for _ in 0..30 {
        games.push(game("Ada", "Bob", WIN));
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
fn a_draw_between_equals_keeps_them_equal() {
    let ratings = glicko_ratings([game("Bob", "Ada", Outcome::Draw)]);
    assert_eq!(ratings[0].rating, ratings[1].rating);
    // Ties are ordered by name.
    assert_eq!(ratings[0].name, "Ada");
}

#[test]
fn the_order_of_players_does_not_matter() {
    let one = glicko_ratings([game("Ada", "Bob", WIN), game("Cy", "Ada", LOSS)]);
    let other = glicko_ratings([game("Bob", "Ada", LOSS), game("Ada", "Cy", WIN)]);
    assert_eq!(one, other);
}
