//! The games of the menu.

use noughts_rules::Variant;
use noughts_session::options::VariantRequest;

/// An entry of the menu.
pub(super) struct MenuGame {
    pub(super) title: &'static str,
    pub(super) default_variant: &'static str,
}

const fn entry(title: &'static str, default_variant: &'static str) -> MenuGame {
    MenuGame {
        title,
        default_variant,
    }
}

pub(super) const FAMILIES: [MenuGame; 7] = [
    entry("Classic", "classic"),
    entry("Misère", "misere"),
    entry("Larger boards", "mnk:15,15,5"),
    entry("Tic-Tac-Two", "tic-tac-two"),
    entry("Ultimate", "ultimate"),
    entry("Ception", "ception:5a"),
    entry("Deep boards", "ception:depth=3"),
];

pub(super) fn family_index(variant: Variant) -> usize {
    use noughts_rules::Family;
    match variant.family() {
        _ if variant == Variant::CLASSIC => 0,
        _ if variant == Variant::MISERE => 1,
        Family::Mnk(_) | Family::Other => 2,
        Family::TicTacTwo(_) => 3,
        _ if variant == Variant::ULTIMATE => 4,
        Family::Nested(options) if options.depth() <= 2 => 5,
        Family::Nested(_) => 6,
    }
}

pub(super) fn known_value(variant: Variant) -> Option<&'static str> {
    variant.known_value()
}

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
