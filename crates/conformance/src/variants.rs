//! The variants that are checked: those of the oldest games in a table, those of the others in their folders of test
//! data.

use std::path::{Path, PathBuf};

/// How thoroughly a game is checked.
#[derive(Clone, Copy, Debug)]
pub struct CheckEffort {
    /// How many random games are played.
    pub games: usize,
    /// The maximum number of random moves before the checks start, so that the late game of boards
    /// that can't be checked from start to end is covered, too.
    pub max_skipped_plies: usize,
    /// After how many moves a game is abandoned.
    pub max_plies: usize,
    /// The interval in plies between expensive checks; the end is always checked.
    pub check_interval: usize,
    /// How many illegal moves are tried at a position.
    pub illegal_moves: usize,
    /// How many moves are rotated and reflected at a position.
    pub transformed_moves: usize,
}

/// Variants of about the same size.
#[derive(Clone, Copy, Debug)]
pub struct VariantGroup {
    /// Its name in the tests.
    pub name: &'static str,
    /// How thoroughly each variant is checked.
    pub effort: CheckEffort,
    /// The canonical names.
    pub variants: &'static [&'static str],
}

/// Checks everything.
pub const SMALL: CheckEffort = CheckEffort {
    games: 20,
    max_skipped_plies: 0,
    max_plies: usize::MAX,
    check_interval: 1,
    illegal_moves: usize::MAX,
    transformed_moves: usize::MAX,
};

/// Boards of 81 cells.
pub const MIDDLE: CheckEffort = CheckEffort {
    games: 8,
    illegal_moves: 81,
    transformed_moves: 20,
    ..SMALL
};

/// Boards of several hundred cells.
const LARGE: CheckEffort = CheckEffort {
    games: 1,
    check_interval: 8,
    illegal_moves: 60,
    transformed_moves: 4,
    ..SMALL
};

/// 6,561 cells: the reference takes milliseconds per move.
const HUGE: CheckEffort = CheckEffort {
    games: 2,
    max_skipped_plies: 3500,
    max_plies: 80,
    check_interval: 40,
    illegal_moves: 20,
    transformed_moves: 2,
};

/// Boards of up to half a million cells: a few plies show that they can be played.
const VAST: CheckEffort = CheckEffort {
    games: 1,
    max_skipped_plies: 0,
    max_plies: 2,
    check_interval: 2,
    illegal_moves: 5,
    transformed_moves: 1,
};

/// All groups.
pub const GROUPS: &[VariantGroup] = &[
    VariantGroup {
        name: "flat",
        effort: SMALL,
        variants: &[
            "classic",
            "misere",
            "mnk:1,1,1",
            "mnk:1,1,1,misere",
            "mnk:1,7,3",
            "mnk:9,1,2",
            "mnk:3,3,1",
            "mnk:3,3,2",
            "mnk:4,3,3",
            "mnk:3,4,4",
            "mnk:4,4,3,misere",
            "mnk:5,4,5",
            "mnk:6,5,4,misere",
        ],
    },
    VariantGroup {
        name: "large flat",
        // 7×8 with its padding column takes 64 bits, the most that fit into one word.
        effort: CheckEffort {
            games: 3,
            check_interval: 4,
            illegal_moves: 80,
            transformed_moves: 10,
            ..SMALL
        },
        variants: &[
            "mnk:7,7,5",
            "mnk:7,8,5",
            "mnk:7,8,8,misere",
            "mnk:8,7,4",
            "mnk:8,8,5",
            "mnk:1,16,16",
            "mnk:16,1,3",
            "mnk:16,3,3",
            "mnk:3,16,4,misere",
            "mnk:15,15,5",
            "mnk:16,15,6",
            "mnk:16,16,16",
            "mnk:16,16,7,misere",
        ],
    },
    VariantGroup {
        name: "tic-tac-two",
        effort: CheckEffort {
            games: 25,
            max_plies: 150,
            illegal_moves: 120,
            transformed_moves: 12,
            ..SMALL
        },
        variants: &[
            "tic-tac-two",
            "tic-tac-two:board=3",
            "tic-tac-two:board=3,pieces=9,after=9",
            "tic-tac-two:board=3,pieces=5",
            "tic-tac-two:board=3,pieces=5,after=5",
            "tic-tac-two:board=7",
            "tic-tac-two:board=7,grid=5,pieces=6,after=3",
            "tic-tac-two:board=7,grid=7,pieces=9,after=9",
            "tic-tac-two:grid=5",
            "tic-tac-two:grid=5,pieces=9,after=9",
            "tic-tac-two:pieces=3",
            "tic-tac-two:pieces=3,after=3",
            "tic-tac-two:pieces=9,after=5",
            "tic-tac-two:after=4",
        ],
    },
    VariantGroup {
        name: "depth 1",
        effort: SMALL,
        variants: &["ception:depth=1"],
    },
    VariantGroup {
        name: "depth 2",
        effort: MIDDLE,
        variants: &[
            "ultimate",
            "ception:end=most",
            "ception:free=any",
            "ception:free=any,end=most",
            "ception:5a",
            "ception:5a,end=most",
            "ception:5c",
            "ception:5c,end=most",
            "ception:5d",
            "ception:5d,end=most",
            "ception:4b",
            "ception:4b,end=most",
            "ception:4b,5a",
            "ception:4b,5a,end=most",
            "ception:4b,5c",
            "ception:4b,5c,end=most",
            "ception:4b,5d",
            "ception:4b,5d,end=most",
        ],
    },
    VariantGroup {
        name: "depth 3",
        effort: LARGE,
        variants: &[
            "ception:depth=3",
            "ception:depth=3,end=most",
            "ception:free=any,depth=3",
            "ception:5a,depth=3",
            "ception:5c,depth=3",
            "ception:5d,depth=3",
            "ception:4b,depth=3",
            "ception:4b,5a,depth=3,end=most",
            "ception:4b,5c,depth=3",
            "ception:4b,5d,depth=3",
        ],
    },
    VariantGroup {
        name: "depth 3, history",
        effort: LARGE,
        variants: &[
            "ception:depth=3,trail=history",
            "ception:free=any,depth=3,trail=history",
            "ception:free=any,depth=3,trail=history,end=most",
            "ception:5a,depth=3,trail=history",
            "ception:5c,depth=3,trail=history",
            "ception:5d,depth=3,trail=history,end=most",
            "ception:4b,depth=3,trail=history",
            "ception:4b,5a,depth=3,trail=history",
            "ception:4b,5c,depth=3,trail=history",
            "ception:4b,5d,depth=3,trail=history",
        ],
    },
    VariantGroup {
        name: "depth 4",
        effort: HUGE,
        variants: &[
            "ception:depth=4",
            "ception:free=any,depth=4,trail=history",
            "ception:5a,depth=4",
            "ception:5c,depth=4,trail=history",
            "ception:4b,5d,depth=4",
        ],
    },
    VariantGroup {
        name: "depth 5",
        effort: CheckEffort {
            games: 2,
            max_skipped_plies: 35_000,
            max_plies: 6,
            check_interval: 6,
            ..VAST
        },
        variants: &["ception:depth=5", "ception:4b,5c,depth=5,trail=history"],
    },
    VariantGroup {
        name: "depth 6",
        effort: VAST,
        variants: &["ception:depth=6", "ception:5d,depth=6,trail=history"],
    },
];

/// A game's folder of test data, `crates/rules/tests/games/NAME`.
#[derive(Clone, Debug)]
pub struct GameFolder {
    /// The name of the game.
    pub name: String,
    /// The variants of `variants.txt`, one a line, by their canonical names.
    pub variants: Vec<String>,
    path: PathBuf,
}

impl GameFolder {
    /// A file in the folder.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

/// The folders of all games that have one, in alphabetical order.
#[must_use]
pub fn game_folders() -> Vec<GameFolder> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rules/tests/games");
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let folders = entries.map(|entry| {
        let file = entry.path().join("variants.txt");
        let text = std::fs::read_to_string(&file);
        let text = text.unwrap_or_else(|error| panic!("{file:?}: {error}"));
        GameFolder {
            name: entry.file_name().to_string_lossy().into_owned(),
            variants: text.lines().map(str::to_owned).collect(),
            path: entry.path(),
        }
    });
    let mut folders: Vec<GameFolder> = folders.collect();
    folders.sort_by(|a, b| a.name.cmp(&b.name));
    folders
}

/// All variants of the table and of the folders.
pub fn all_variants() -> impl Iterator<Item = String> {
    let groups = GROUPS.iter().flat_map(|group| group.variants);
    let folders = game_folders().into_iter();
    groups
        .map(|name| (*name).to_owned())
        .chain(folders.flat_map(|folder| folder.variants))
}
