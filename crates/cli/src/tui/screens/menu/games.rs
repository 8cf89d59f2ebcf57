//! The games of the menu, as a newcomer meets them.

use noughts_rules::Variant;

use super::wish::Wish;

/// One line of the menu's list.
pub(super) struct Game {
    pub(super) title: &'static str,
    /// What it is before anybody changes its options.
    start: &'static str,
}

pub(super) const MANY: usize = 7;

pub(super) const GAMES: [Game; MANY] = [
    Game {
        title: "Classic",
        start: "classic",
    },
    Game {
        title: "Misère",
        start: "misere",
    },
    Game {
        title: "Larger boards",
        start: "mnk:15,15,5",
    },
    Game {
        title: "Tic-Tac-Two",
        start: "tic-tac-two",
    },
    Game {
        title: "Ultimate",
        start: "ultimate",
    },
    Game {
        title: "Ception",
        start: "ception:5a",
    },
    Game {
        title: "Deep boards",
        start: "ception:depth=3",
    },
];

/// Where in the list a variant belongs.
pub(super) fn place(variant: Variant) -> usize {
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

/// What is known of the value of a game under best play of both sides. The page
/// `docs/solved.md` says how.
pub(super) fn known_value(variant: Variant) -> Option<&'static str> {
    const DRAW: &str = "With best play it is a draw.";
    const X_WINS: &str = "With best play X wins.";
    let name = variant.to_string();
    match name.as_str() {
        "classic" | "misere" | "tic-tac-two" => Some(DRAW),
        "ception:5a" => Some(X_WINS),
        "ultimate" => Some("Who wins with best play is not known."),
        _ => match variant {
            Variant::Mnk(options) if !options.misere() => {
                let (columns, rows, line) = options.size();
                let size = (columns.max(rows), columns.min(rows), line);
                if WON.contains(&size) {
                    Some(X_WINS)
                } else if line >= 8 || DRAWN.contains(&size) {
                    Some(DRAW)
                } else {
                    None
                }
            }
            _ => None,
        },
    }
}

/// Columns, rows and line of boards that the first player wins, the longer side first.
const WON: [(u8, u8, u8); 7] = [
    (4, 3, 3),
    (5, 3, 3),
    (5, 5, 3),
    (7, 7, 3),
    (6, 5, 4),
    (6, 6, 4),
    (15, 15, 5),
];

/// The same for boards that nobody wins.
const DRAWN: [(u8, u8, u8); 13] = [
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
    use noughts_engine::{AnyBot, BotKind, Limits, Settings, Stop};
    use noughts_rules::AnyPlay;

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

    /// What can be solved at once is solved, and must be as the menu says.
    #[test]
    fn known_values_are_true() {
        let mut sizes = vec!["classic".to_owned(), "misere".to_owned()];
        for (columns, rows, line) in WON.into_iter().chain(DRAWN) {
            if columns * rows <= 16 {
                sizes.push(format!("mnk:{columns},{rows},{line}"));
                sizes.push(format!("mnk:{rows},{columns},{line}"));
            }
        }
        for name in sizes {
            let variant: Variant = name.parse().expect("a variant");
            let bot = AnyBot::new(BotKind::Perfect, variant, &Settings::default());
            let play = AnyPlay::new(variant);
            let report = bot.expect("it plays everything").think(
                &play,
                Limits::NONE,
                &Stop::new(),
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
