//! The games of the menu: those of the registry. Each preset with a name of its own is an entry, and each game with options
//! is one that holds all of its other variants.

use noughts_rules::{GameInfo, Variant, games};
use noughts_session::options::VariantRequest;

/// An entry of the menu.
pub(super) struct MenuGame {
    pub(super) title: &'static str,
    pub(super) default_variant: Variant,
    /// The game whose variants it holds, if it has options.
    game: Option<&'static GameInfo>,
}

impl MenuGame {
    /// Can this entry hold this variant?
    pub(super) fn accepts(&self, variant: Variant) -> bool {
        match self.game {
            Some(game) => game.name == variant.info().name,
            None => variant == self.default_variant,
        }
    }

    /// The options of this entry for a variant.
    pub(super) fn request_for(&self, variant: Variant) -> VariantRequest {
        match self.game {
            Some(_) => VariantRequest::with_all_options(variant),
            None => VariantRequest::from_variant(variant),
        }
    }

    pub(super) fn default_request(&self) -> VariantRequest {
        self.request_for(self.default_variant)
    }
}

/// All entries, in the order of the registry.
pub(super) fn entries() -> Vec<MenuGame> {
    let presets = games::presets();
    let of_game = |game: &'static GameInfo| {
        let own = presets
            .iter()
            .filter(|(variant, _)| variant.info().name == game.name);
        let fixed = own.clone().filter(|(variant, _)| !variant.takes_options());
        let fixed = fixed.map(|&(variant, preset)| MenuGame {
            title: preset.title,
            default_variant: variant,
            game: None,
        });
        // Preferably a variant that isn't an entry of its own.
        let free = own.clone().find(|(variant, _)| variant.takes_options());
        let first = free.or(own.clone().next()).map(|&(variant, _)| variant);
        let with_options = first.filter(|_| !game.options.is_empty());
        let with_options = with_options.map(|default_variant| MenuGame {
            title: game.title,
            default_variant,
            game: Some(game),
        });
        fixed.chain(with_options).collect::<Vec<MenuGame>>()
    };
    games::all().into_iter().flat_map(of_game).collect()
}

/// The entry for a variant: its own, or that of its game.
pub(super) fn entry_of(entries: &[MenuGame], variant: Variant) -> usize {
    let mut accepting = entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.accepts(variant));
    let own = accepting.clone().find(|(_, entry)| entry.game.is_none());
    own.or_else(|| accepting.next())
        .map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_accepts_its_variant_and_every_preset_has_an_entry() {
        let entries = entries();
        for (index, entry) in entries.iter().enumerate() {
            let variant = entry.default_variant;
            assert!(entry.accepts(variant), "{}", entry.title);
            assert_eq!(
                entry.default_request().variant(),
                variant,
                "{}",
                entry.title
            );
            let is_fixed = entry.game.is_none();
            assert_eq!(
                entry.default_request().option_count() == 0,
                is_fixed,
                "{}",
                entry.title
            );
            if is_fixed || variant.takes_options() {
                assert_eq!(entry_of(&entries, variant), index, "{}", entry.title);
            }
        }
        for (variant, preset) in games::presets() {
            assert!(
                entries[entry_of(&entries, variant)].accepts(variant),
                "{}",
                preset.name
            );
        }
    }
}
