//! The options of nested boards, and what the game says about itself.

use super::{D1, D2, D3, DynDepth, Nested, Rule5a, Ultimate};
use crate::game_state::GameState;
use crate::info::{GameInfo, OptionValues, Preset, option_values};
use crate::options::{OptionDefault, OptionKind, OptionSpec};
use crate::termination::Termination;
use crate::variant::{Variant, VariantError};

/// The options of nested boards.
static OPTIONS: [OptionSpec; 6] = [
    OptionSpec {
        label: "Shared boards",
        field: "owning",
        name: "4a or 4b",
        key: "",
        kind: OptionKind::Words(&[
            (
                "4a",
                Some("no"),
                "The first player to win a board keeps it.",
            ),
            (
                "4b",
                Some("yes"),
                "Both players can own the same board, and it counts for both.",
            ),
        ]),
        default: OptionDefault::Value(0),
        flag: None,
    },
    OptionSpec {
        label: "Won boards",
        field: "sent",
        name: "5a, 5b, 5c or 5d",
        key: "",
        kind: OptionKind::Words(&[
            (
                "5a",
                Some("keep playing"),
                "Won boards stay open; only a full board gives a free move.",
            ),
            (
                "5b",
                Some("free move"),
                "If you're sent to a won or full board, you play elsewhere.",
            ),
            (
                "5c",
                Some("extra move"),
                "If you're sent to a won board, you play there and move again.",
            ),
            (
                "5d",
                Some("extra-move chain"),
                "You move again for as long as you're sent to won boards.",
            ),
        ]),
        default: OptionDefault::Value(1),
        flag: None,
    },
    OptionSpec {
        label: "Free move goes to",
        field: "free",
        name: "free",
        key: "free=",
        kind: OptionKind::Words(&[
            (
                "open",
                Some("open boards only"),
                "A free move can't go into a won board.",
            ),
            (
                "any",
                Some("any board"),
                "A free move can go into a won board, too.",
            ),
        ]),
        default: OptionDefault::Value(0),
        flag: None,
    },
    OptionSpec {
        label: "Depth",
        field: "depth",
        name: "depth",
        key: "depth=",
        kind: OptionKind::Number(
            1,
            (1, 6),
            "How many levels of boards are nested: 2 is 81 cells, 3 is 729, and so on.",
        ),
        default: OptionDefault::Value(2),
        flag: None,
    },
    OptionSpec {
        label: "Trail",
        field: "trail",
        name: "trail",
        key: "trail=",
        kind: OptionKind::Words(&[
            (
                "suffix",
                None,
                "The last letters of the last move name the board to play in.",
            ),
            (
                "history",
                None,
                "The last letters of the last few moves name the board to play in.",
            ),
        ]),
        default: OptionDefault::Value(0),
        flag: None,
    },
    OptionSpec {
        label: "Tiebreak",
        field: "end",
        name: "end",
        key: "end=",
        kind: OptionKind::Words(&[
            (
                "draw",
                None,
                "If neither player wins the whole board, the game is a draw.",
            ),
            (
                "most",
                None,
                "If neither player wins the whole board, owning more boards wins.",
            ),
        ]),
        default: OptionDefault::Value(0),
        flag: None,
    },
];

/// Presets and texts of nested boards.
pub(crate) static INFO: GameInfo = GameInfo {
    rules: include_str!("rules.md"),
    options: &OPTIONS,
    usage: "ception takes 4a or 4b; 5a, 5b, 5c or 5d; free=open or free=any; depth=1 to depth=6; \
            trail=suffix or trail=history; end=draw or end=most",
    presets: &[
        Preset {
            name: "ultimate",
            aliases: &["uttt", "ultimate-tic-tac-toe"],
            values: NestedOptions::ULTIMATE.values(),
            title: "Ultimate",
            summary: "Nine boards in one: the cell you pick decides where your opponent plays.",
            sample: &[],
        },
        Preset {
            name: "ception:5a",
            aliases: &[],
            values: NestedOptions::RULE_5A.values(),
            title: "Ception",
            summary: "Like Ultimate, but won boards stay in play until they're full.",
            sample: &[],
        },
        Preset {
            name: "ception:4b,5d",
            aliases: &[],
            values: option_values([1, 3, 1, 2]),
            title: "Shared boards",
            summary: "Both players can own the same board, and won boards give extra moves.",
            sample: &[],
        },
        Preset {
            name: "ception:depth=3",
            aliases: &[],
            values: option_values([0, 1, 0, 3]),
            title: "Three levels",
            summary: "Boards within boards within boards: 729 cells.",
            sample: &[],
        },
        Preset {
            name: "ception:depth=6",
            aliases: &[],
            values: option_values([0, 1, 0, 6]),
            title: "Six levels",
            summary: "Zoom into a board of more than half a million cells.",
            sample: &[],
        },
    ],
    check_options: |values, given| {
        let options = NestedOptions::from_values(*values);
        if given >> 2 & 1 == 1 && !options.has_free_move_option() {
            return Err("free needs 4a and 5b; with other rules it's always free=any".into());
        }
        Ok(())
    },
    canonical_options: |values| NestedOptions::from_values(values).canonical().values(),
    option_has_effect: |values, option| {
        let options = NestedOptions::from_values(*values);
        match option {
            2 => options.depth > 1 && options.has_free_move_option(),
            3 => true,
            4 => options.depth > 2,
            _ => options.depth > 1,
        }
    },
    variant_summary: |variant| NestedOptions::from_values(variant.values()).summary(),
    ending_text: |variant, termination, winner| {
        let depth = NestedOptions::from_values(variant.values()).depth;
        match (termination, winner) {
            (Termination::Line, _) if depth == 1 => Some("three in a row".into()),
            (Termination::Line, _) => Some("three boards in a row".into()),
            (Termination::MostBoards, Some(winner)) => {
                Some(format!("no moves left, and {winner} owns more boards"))
            }
            (Termination::MostBoards, None) => {
                Some("no moves left, and both players own the same number of boards".into())
            }
            _ => None,
        }
    },
    known_value: |variant| {
        let options = NestedOptions::from_values(variant.values());
        if options == NestedOptions::RULE_5A {
            Some("With perfect play, X wins.")
        } else if options == NestedOptions::ULTIMATE {
            Some("Not solved yet.")
        } else {
            None
        }
    },
    ..GameInfo::new(
        "ception",
        "Ception",
        "Boards within boards: each move picks the board to play in next.",
        &|variant| {
            let options = NestedOptions::from_values(variant.values());
            if let Some(game) = Nested::<Ultimate>::new(options) {
                GameState::new(game).into()
            } else if let Some(game) = Nested::<Rule5a>::new(options) {
                GameState::new(game).into()
            } else if let Some(game) = Nested::<D1>::new(options) {
                GameState::new(game).into()
            } else if let Some(game) = Nested::<D2>::new(options) {
                GameState::new(game).into()
            } else if let Some(game) = Nested::<D3>::new(options) {
                GameState::new(game).into()
            } else if let Some(game) = Nested::<DynDepth>::new(options) {
                GameState::new(game).into()
            } else {
                GameState::new(Nested::ultimate()).into()
            }
        },
    )
};

impl Variant {
    /// Ultimate tic-tac-toe.
    pub const ULTIMATE: Variant = Variant::from_checked(&INFO, NestedOptions::ULTIMATE.values());
}

/// The options of a nested board. Created by [`NestedOptions::new`] or by parsing a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NestedOptions {
    pub(super) shared_boards: SharedBoards,
    pub(super) won_board_rule: WonBoardRule,
    pub(super) free_move_target: FreeMoveTarget,
    pub(super) depth: u8,
    pub(super) trail_rule: TrailRule,
    pub(super) tiebreak: Tiebreak,
}

/// Rule 4: can both players own the same board?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SharedBoards {
    /// `4a`: the first owner keeps it.
    Forbidden,
    /// `4b`: both can own it.
    Allowed,
}

/// Rule 5: what happens when a player is sent to a board that is won or full.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WonBoardRule {
    /// `5a`: the player plays in a won board; a full one gives a free move.
    PlayOn,
    /// `5b`: a won or full board gives a free move.
    FreeMove,
    /// `5c`: the player plays in the won board, then moves again once.
    ExtraMove,
    /// `5d`: the player keeps moving as long as they are sent to won boards.
    ExtraMoveChain,
}

impl WonBoardRule {
    /// Its spelling in variant names.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            WonBoardRule::PlayOn => "5a",
            WonBoardRule::FreeMove => "5b",
            WonBoardRule::ExtraMove => "5c",
            WonBoardRule::ExtraMoveChain => "5d",
        }
    }
}

/// Where a free move may go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FreeMoveTarget {
    /// `free=open`: not into won boards.
    OpenBoards,
    /// `free=any`: into won boards, too.
    AnyBoard,
}

/// Which letters name the board to play in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TrailRule {
    /// `trail=suffix`: the last letters of the last move.
    Suffix,
    /// `trail=history`: the last letter of each of the last moves.
    History,
}

/// What decides the game if it ends and nobody owns the outermost board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tiebreak {
    /// `end=draw`: the game is a draw.
    Draw,
    /// `end=most`: the player who owns more of the nine outermost boards wins.
    MostBoards,
}

impl NestedOptions {
    pub(super) const ULTIMATE: NestedOptions = NestedOptions {
        shared_boards: SharedBoards::Forbidden,
        won_board_rule: WonBoardRule::FreeMove,
        free_move_target: FreeMoveTarget::OpenBoards,
        depth: 2,
        trail_rule: TrailRule::Suffix,
        tiebreak: Tiebreak::Draw,
    };

    pub(super) const RULE_5A: NestedOptions = NestedOptions {
        won_board_rule: WonBoardRule::PlayOn,
        free_move_target: FreeMoveTarget::AnyBoard,
        ..NestedOptions::ULTIMATE
    };

    /// The nested game with these options. Options that make no difference are normalized:
    /// the trail rule at depth 2, all of them at depth 1, and the free-move target, which is
    /// [`FreeMoveTarget::AnyBoard`] unless the rules are 4a and 5b.
    ///
    /// # Errors
    /// The depth must be from 1 to 6.
    pub fn new(
        shared_boards: SharedBoards,
        won_board_rule: WonBoardRule,
        free_move_target: FreeMoveTarget,
        depth: u8,
        trail_rule: TrailRule,
        tiebreak: Tiebreak,
    ) -> Result<NestedOptions, VariantError> {
        let options = NestedOptions {
            shared_boards,
            won_board_rule,
            free_move_target,
            depth,
            trail_rule,
            tiebreak,
        };
        Variant::new(&INFO, options.values()).map(|_| options.canonical())
    }

    /// The options of a variant of this game.
    #[must_use]
    pub fn of(variant: Variant) -> Option<NestedOptions> {
        let is_nested = std::ptr::eq(variant.info(), &INFO);
        is_nested.then(|| NestedOptions::from_values(variant.values()))
    }

    /// The variant with these options.
    #[must_use]
    pub fn variant(self) -> Variant {
        Variant::from_checked(&INFO, self.values())
    }

    const fn values(self) -> OptionValues {
        option_values([
            self.shared_boards as u8,
            self.won_board_rule as u8,
            self.free_move_target as u8,
            self.depth,
            self.trail_rule as u8,
            self.tiebreak as u8,
        ])
    }

    fn from_values(values: OptionValues) -> NestedOptions {
        NestedOptions {
            shared_boards: match values[0] {
                0 => SharedBoards::Forbidden,
                _ => SharedBoards::Allowed,
            },
            won_board_rule: match values[1] {
                0 => WonBoardRule::PlayOn,
                1 => WonBoardRule::FreeMove,
                2 => WonBoardRule::ExtraMove,
                _ => WonBoardRule::ExtraMoveChain,
            },
            free_move_target: match values[2] {
                0 => FreeMoveTarget::OpenBoards,
                _ => FreeMoveTarget::AnyBoard,
            },
            depth: values[3],
            trail_rule: match values[4] {
                0 => TrailRule::Suffix,
                _ => TrailRule::History,
            },
            tiebreak: match values[5] {
                0 => Tiebreak::Draw,
                _ => Tiebreak::MostBoards,
            },
        }
    }

    fn canonical(mut self) -> NestedOptions {
        if self.depth == 1 {
            return NestedOptions {
                depth: 1,
                ..NestedOptions::ULTIMATE
            };
        }
        if self.depth == 2 {
            self.trail_rule = TrailRule::Suffix;
        }
        if !self.has_free_move_option() {
            self.free_move_target = FreeMoveTarget::AnyBoard;
        }
        self
    }

    fn summary(&self) -> String {
        if self.depth == 1 {
            return "A single board of nine cells.".into();
        }
        let boards = match self.depth {
            2 => "Nine boards in one".into(),
            depth => format!("Nested boards, {depth} levels deep"),
        };
        let rule = match self.won_board_rule {
            WonBoardRule::PlayOn => "won boards stay in play",
            WonBoardRule::FreeMove => "each move picks the next board",
            WonBoardRule::ExtraMove => "won boards give an extra move",
            WonBoardRule::ExtraMoveChain => "won boards give extra moves",
        };
        let suffix = match self.shared_boards {
            SharedBoards::Forbidden => "",
            SharedBoards::Allowed => ", and boards can be shared",
        };
        format!("{boards}: {rule}{suffix}.")
    }

    /// Does this game have the option `free` (see [`NestedOptions::free_move_target`])? Only
    /// under 4a and 5b.
    ///
    /// ```
    /// use noughts_rules::NestedOptions;
    /// for (name, has) in [("ultimate", true), ("ception:5a", false)] {
    ///     let options = NestedOptions::of(name.parse()?);
    ///     assert_eq!(options.map(|options| options.has_free_move_option()), Some(has));
    /// }
    /// # Ok::<(), noughts_rules::VariantError>(())
    /// ```
    #[must_use]
    pub fn has_free_move_option(&self) -> bool {
        self.shared_boards == SharedBoards::Forbidden
            && self.won_board_rule == WonBoardRule::FreeMove
    }

    /// Rule 4: can both players own the same board?
    #[must_use]
    pub fn shared_boards(&self) -> SharedBoards {
        self.shared_boards
    }

    /// Rule 5: what happens when a player is sent to a won board.
    #[must_use]
    pub fn won_board_rule(&self) -> WonBoardRule {
        self.won_board_rule
    }

    /// Where a free move may go.
    #[must_use]
    pub fn free_move_target(&self) -> FreeMoveTarget {
        self.free_move_target
    }

    /// How many levels the board has.
    #[must_use]
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// Which letters make up the trail.
    #[must_use]
    pub fn trail_rule(&self) -> TrailRule {
        self.trail_rule
    }

    /// What decides a game that ends without an owner of the outermost board.
    #[must_use]
    pub fn tiebreak(&self) -> Tiebreak {
        self.tiebreak
    }
}
