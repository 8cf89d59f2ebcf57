//! The games of the menu.

use noughts_rules::Variant;
use noughts_session::options::VariantRequest;
pub(super) use noughts_session::titles::{FAMILIES, family_index, known_value};

pub(super) const GAME_COUNT: usize = FAMILIES.len();

/// The options of a menu entry for a variant.
pub(super) fn request_for(game: usize, variant: Variant) -> VariantRequest {
    match game {
        0 | 1 | 4 => VariantRequest::from_variant(variant),
        _ => VariantRequest::with_all_options(variant),
    }
}

/// Can this menu entry hold this variant? Entries with options hold any variant of their family.
pub(super) fn accepts_variant(game: usize, variant: Variant) -> bool {
    let family = family_index(variant);
    match game {
        0 | 1 | 4 => family == game,
        2 => family <= 2,
        3 => family == 3,
        _ => family >= 4,
    }
}

/// The initial options of each menu entry.
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
    fn every_menu_entry_accepts_its_variant() {
        for (index, game) in FAMILIES.iter().enumerate() {
            let variant: Variant = game.default_variant.parse().expect(game.title);
            assert_eq!(family_index(variant), index, "{}", game.title);
            assert_eq!(
                default_requests()[index].variant(),
                variant,
                "{}",
                game.title
            );
        }
        let fixed = [0, 1, 4].map(|index: usize| default_requests()[index].option_count());
        assert_eq!(fixed, [0; 3], "these games take no options");
    }
}
