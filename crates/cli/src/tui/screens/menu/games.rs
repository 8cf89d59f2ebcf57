//! The games of the menu, as a newcomer meets them.

use noughts_rules::Variant;
use noughts_session::options::Wish;
pub(super) use noughts_session::titles::{GAMES, known_value, place};

pub(super) const MANY: usize = GAMES.len();

/// The options that a game of the list has for a variant.
pub(super) fn wish(game: usize, variant: Variant) -> Wish {
    match game {
        0 | 1 | 4 => Wish::of(variant),
        _ => Wish::open(variant),
    }
}

/// Can this game of the list be this variant? Those with options can be any of
/// their family.
pub(super) fn fits(game: usize, variant: Variant) -> bool {
    let belongs = place(variant);
    match game {
        0 | 1 | 4 => belongs == game,
        2 => belongs <= 2,
        3 => belongs == 3,
        _ => belongs >= 4,
    }
}

/// What every game of the list begins with.
pub(super) fn wishes() -> [Wish; MANY] {
    std::array::from_fn(|game| {
        let start = GAMES[game].start.parse();
        wish(game, start.unwrap_or(Variant::CLASSIC))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_where_it_belongs() {
        for (at, game) in GAMES.iter().enumerate() {
            let variant: Variant = game.start.parse().expect(game.title);
            assert_eq!(place(variant), at, "{}", game.title);
            assert_eq!(wishes()[at].variant(), variant, "{}", game.title);
        }
        let fixed = [0, 1, 4].map(|at: usize| wishes()[at].many());
        assert_eq!(fixed, [0; 3], "these games take no options");
    }
}
