//! The games of the menu, as a newcomer meets them.

use noughts_rules::Variant;
use noughts_session::options::VariantRequest;
pub(super) use noughts_session::titles::{FAMILIES, family_index, known_value};

pub(super) const GAME_COUNT: usize = FAMILIES.len();

/// The options that a game of the list has for a variant.
pub(super) fn request_for(game: usize, variant: Variant) -> VariantRequest {
    match game {
        0 | 1 | 4 => VariantRequest::from_variant(variant),
        _ => VariantRequest::with_all_options(variant),
    }
}

/// Can this game of the list be this variant? Those with options can be any of
/// their family.
pub(super) fn accepts_variant(game: usize, variant: Variant) -> bool {
    let belongs = family_index(variant);
    match game {
        0 | 1 | 4 => belongs == game,
        2 => belongs <= 2,
        3 => belongs == 3,
        _ => belongs >= 4,
    }
}

/// What every game of the list begins with.
pub(super) fn default_requests() -> [VariantRequest; GAME_COUNT] {
    std::array::from_fn(|game| {
        let start = FAMILIES[game].default_variant.parse();
        request_for(game, start.unwrap_or(Variant::CLASSIC))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_where_it_belongs() {
        for (at, game) in FAMILIES.iter().enumerate() {
            let variant: Variant = game.default_variant.parse().expect(game.title);
            assert_eq!(family_index(variant), at, "{}", game.title);
            assert_eq!(default_requests()[at].variant(), variant, "{}", game.title);
        }
        let fixed = [0, 1, 4].map(|at: usize| default_requests()[at].option_count());
        assert_eq!(fixed, [0; 3], "these games take no options");
    }
}
