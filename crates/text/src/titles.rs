//! Titles and summaries of games for players: families, presets, and known game values. The rules
//! as text are in `rulebook`.

use noughts_rules::Variant;

/// A family of games.
pub struct GameFamily {
    /// The title shown to players.
    pub title: &'static str,
    /// The variant that represents the family before options are changed.
    pub default_variant: &'static str,
}

const fn family(title: &'static str, default_variant: &'static str) -> GameFamily {
    GameFamily {
        title,
        default_variant,
    }
}

/// Every variant belongs to one of these; see [`family_index`].
pub const FAMILIES: [GameFamily; 7] = [
    family("Classic", "classic"),
    family("Misère", "misere"),
    family("Larger boards", "mnk:15,15,5"),
    family("Tic-Tac-Two", "tic-tac-two"),
    family("Ultimate", "ultimate"),
    family("Ception", "ception:5a"),
    family("Deep boards", "ception:depth=3"),
];

/// The index in [`FAMILIES`] of the variant's family.
#[must_use]
pub fn family_index(variant: Variant) -> usize {
    match variant {
        Variant::CLASSIC => 0,
        Variant::MISERE => 1,
        Variant::Mnk(_) => 2,
        Variant::TicTacTwo(_) => 3,
        Variant::ULTIMATE => 4,
        Variant::Nested(options) if options.depth() <= 2 => 5,
        Variant::Nested(_) => 6,
    }
}

/// A variant offered as a starting point.
pub struct Preset {
    /// The variant's name.
    pub name: &'static str,
    /// The title shown to players.
    pub title: &'static str,
    /// A one-sentence summary.
    pub summary: &'static str,
}

const fn preset(name: &'static str, title: &'static str, summary: &'static str) -> Preset {
    Preset {
        name,
        title,
        summary,
    }
}

/// Suggested variants, simplest first.
pub const PRESETS: [Preset; 10] = [
    preset("classic", "Classic", "Get three in a row on a 3×3 board."),
    preset(
        "misere",
        "Misère",
        "The same 3×3 board, but three in a row loses.",
    ),
    preset(
        "mnk:4,4,4",
        "Four in a row",
        "Get four in a row on a 4×4 board.",
    ),
    preset(
        "mnk:15,15,5",
        "Five in a row",
        "Get five in a row on a 15×15 board.",
    ),
    preset(
        "tic-tac-two",
        "Tic-Tac-Two",
        "A 3×3 grid moves around the board, and only lines inside it count.",
    ),
    preset(
        "ultimate",
        "Ultimate",
        "Nine boards in one: the cell you pick decides where your opponent plays.",
    ),
    preset(
        "ception:5a",
        "Ception",
        "Like Ultimate, but won boards stay in play until they're full.",
    ),
    preset(
        "ception:4b,5d",
        "Shared boards",
        "Both players can own the same board, and won boards give extra moves.",
    ),
    preset(
        "ception:depth=3",
        "Three levels",
        "Boards within boards within boards: 729 cells.",
    ),
    preset(
        "ception:depth=6",
        "Six levels",
        "Zoom into a board of more than half a million cells.",
    ),
];

fn find_preset(variant: Variant) -> Option<&'static Preset> {
    let name = variant.to_string();
    PRESETS.iter().find(|preset| preset.name == name)
}

/// The title of a variant: presets have their own, others are called by their options.
///
/// ```
/// use noughts_text::titles::title;
/// assert_eq!(title("mnk:15,15,5".parse()?), "Five in a row");
/// assert_eq!(title("mnk:7,6,4".parse()?), "4 in a row on 7×6");
/// assert_eq!(title("ception:4b,5c".parse()?), "Ception 4b,5c");
/// # Ok::<(), noughts_rules::VariantError>(())
/// ```
#[must_use]
pub fn title(variant: Variant) -> String {
    if let Some(preset) = find_preset(variant) {
        return preset.title.into();
    }
    let family = match variant {
        Variant::Mnk(options) => {
            let (columns, rows, line) = options.size();
            let misere = if options.is_misere() { ", misère" } else { "" };
            return format!("{line} in a row on {columns}×{rows}{misere}");
        }
        Variant::TicTacTwo(_) => "Tic-Tac-Two",
        Variant::Nested(_) => "Ception",
    };
    let name = variant.to_string();
    let options = name.split_once(':').map_or("", |(_, options)| options);
    format!("{family} {options}")
}

/// A one-sentence summary of a variant.
#[must_use]
pub fn summary(variant: Variant) -> String {
    find_preset(variant).map_or_else(|| variant.summary(), |preset| preset.summary.into())
}

/// What is known about the value of a game under perfect play. The page `docs/solved.md` explains
/// how.
#[must_use]
pub fn known_value(variant: Variant) -> Option<&'static str> {
    const DRAW: &str = "With perfect play, the game is a draw.";
    const X_WINS: &str = "With perfect play, X wins.";
    let name = variant.to_string();
    match name.as_str() {
        "classic" | "misere" | "tic-tac-two" => Some(DRAW),
        "ception:5a" => Some(X_WINS),
        "ultimate" => Some("Not solved yet."),
        _ => match variant {
            Variant::Mnk(options) if !options.is_misere() => {
                let (columns, rows, line) = options.size();
                let size = (columns.max(rows), columns.min(rows), line);
                if FIRST_PLAYER_WINS.contains(&size) {
                    Some(X_WINS)
                } else if line >= 8 || DRAWS.contains(&size) {
                    Some(DRAW)
                } else {
                    None
                }
            }
            _ => None,
        },
    }
}

/// Columns, rows and line length of boards that the first player wins, with the longer side first.
const FIRST_PLAYER_WINS: [(u8, u8, u8); 7] = [
    (4, 3, 3),
    (5, 3, 3),
    (5, 5, 3),
    (7, 7, 3),
    (6, 5, 4),
    (6, 6, 4),
    (15, 15, 5),
];

/// The same for boards that are drawn.
const DRAWS: [(u8, u8, u8); 13] = [
    (4, 4, 4),
    (5, 4, 4),
    (6, 4, 4),
    (7, 4, 4),
    (5, 5, 4),
    (5, 5, 5),
    (6, 6, 6),
    (7, 7, 7),
    (6, 6, 5),
    (7, 7, 6),
    (9, 6, 6),
    (7, 7, 5),
    (8, 8, 5),
];

#[cfg(test)]
mod tests {
    use noughts_engine::{AnyBot, BotKind, BotSettings, SearchLimits, StopFlag};
    use noughts_rules::AnyGameState;

    use super::*;

    #[test]
    fn presets_use_canonical_names() {
        for preset in PRESETS {
            let variant: Variant = preset.name.parse().expect(preset.title);
            assert_eq!(variant.to_string(), preset.name);
            assert!(preset.summary.ends_with('.'), "{}", preset.title);
            assert!(preset.summary.chars().count() <= 80, "{}", preset.title);
        }
    }

    /// Solves everything that is quick to solve and compares it with the text.
    #[test]
    fn known_values_match_the_solver() {
        let mut sizes = vec!["classic".to_owned(), "misere".to_owned()];
        for (columns, rows, line) in FIRST_PLAYER_WINS.into_iter().chain(DRAWS) {
            if columns * rows <= 16 {
                sizes.push(format!("mnk:{columns},{rows},{line}"));
                sizes.push(format!("mnk:{rows},{columns},{line}"));
            }
        }
        for name in sizes {
            let variant: Variant = name.parse().expect("a variant");
            let bot = AnyBot::new(BotKind::Perfect, variant, &BotSettings::default());
            let state = AnyGameState::new(variant);
            let report = bot.expect("it plays everything").think(
                &state,
                SearchLimits::NONE,
                &StopFlag::new(),
                &mut |_| {},
            );
            let value = report.value.to_string();
            let known = known_value(variant).expect("it is known");
            assert_eq!(
                value.starts_with("win"),
                known.contains("X wins"),
                "{name}: {value}"
            );
            assert_eq!(
                value.starts_with("draw"),
                known.contains("a draw"),
                "{name}: {value}"
            );
        }
    }
}
