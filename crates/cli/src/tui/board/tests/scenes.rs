//! Snapshots of every game as characters, and of some with styles.

use std::fmt::Write as _;

use noughts_engine::{ExactValue, GameValue, Value};
use noughts_rules::Variant;
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier, Style};

use super::super::Annotations;
use super::*;

/// A board to draw.
#[derive(Clone, Copy, Default)]
struct Scene {
    name: &'static str,
    variant: &'static str,
    /// The start position, if it isn't the default.
    from: &'static str,
    moves: &'static str,
    /// Keys as in [`press`].
    keys: &'static str,
    /// Whether values are shown.
    annotations: bool,
    hint: Option<&'static str>,
    /// It's a bot's turn.
    waiting: bool,
}

const SCENE: Scene = Scene {
    name: "",
    variant: "",
    from: "",
    moves: "",
    keys: "",
    annotations: false,
    hint: None,
    waiting: false,
};

const fn scene(name: &'static str, variant: &'static str, moves: &'static str) -> Scene {
    Scene {
        name,
        variant,
        moves,
        ..SCENE
    }
}

const SCENES: &[Scene] = &[
    scene("classic", "classic", "b2 a1 c1"),
    Scene {
        waiting: true,
        ..scene("classic_waiting", "classic", "b2 a1 c1")
    },
    Scene {
        annotations: true,
        hint: Some("a2"),
        ..scene("classic_analysis", "classic", "b2 a1 c1 a3")
    },
    scene("classic_won", "classic", "b2 a1 c1 a2 a3"),
    scene("misere_lost", "misere", "a1 b2 b1 c3 c1"),
    scene("flat_1", "mnk:1,1,1", ""),
    Scene {
        annotations: true,
        ..scene("flat_5x4", "mnk:5,4,4", "c2 c3 b2 d2 b3")
    },
    scene("flat_9x9", "mnk:9,9,5", "e5 e6 d5 f5 d4 c3 i9 a9"),
    scene("flat_16x16", "mnk:16,16,5", "h8 h9 i9 j10 g7 f6 p16 a16 b2"),
    Scene {
        annotations: true,
        hint: Some("l8"),
        ..scene(
            "flat_16x16_analysis",
            "mnk:16,16,5",
            "h8 a1 i8 a2 j8 a3 k8 a4",
        )
    },
    scene(
        "flat_16x16_won",
        "mnk:16,16,5",
        "h8 a1 i8 a2 j8 a3 k8 a4 l8",
    ),
    scene("flat_16x16_diagonal", "mnk:16,16,4", "a1 h1 b2 h2 c3 i2 d4"),
    scene("flat_16x1", "mnk:16,1,3", "h1 i1"),
    scene("grid_opening", "tic-tac-two", "c3 b2"),
    scene("grid_moved", "tic-tac-two", "b2 c2 d3 c4 @d3"),
    scene("grid_piece_moved", "tic-tac-two", "b2 c2 d3 c4 b2-b4"),
    Scene {
        from: ".x.../.ox../..ox./..o../..... x @d3",
        keys: "gy",
        ..scene("grid_preview", "tic-tac-two", "")
    },
    Scene {
        from: "xxx../ooo../...../...../..... x @c3",
        keys: "g7",
        ..scene("grid_preview_both", "tic-tac-two", "")
    },
    Scene {
        keys: "<^!>>v",
        ..scene("grid_held", "tic-tac-two", "b2 c2 c3 c4")
    },
    Scene {
        from: "....x/.xo../..x../..o../o.... x @c3",
        keys: ">>^^!<vvv",
        ..scene("grid_held_completes", "tic-tac-two", "")
    },
    Scene {
        keys: ">^",
        from: "...../.xx../.oo../...../..... x @c3",
        ..scene("grid_place_completes", "tic-tac-two", "")
    },
    Scene {
        annotations: true,
        ..scene("grid_analysis", "tic-tac-two", "b2 c2 c3 c4")
    },
    Scene {
        annotations: true,
        keys: "g",
        ..scene("grid_analysis_of_grid_moves", "tic-tac-two", "b2 c2 c3 c4")
    },
    Scene {
        annotations: true,
        keys: "!",
        ..scene("grid_analysis_of_a_piece", "tic-tac-two", "b2 c2 c3 c4")
    },
    Scene {
        hint: Some("@b2"),
        ..scene("grid_hint", "tic-tac-two", "b2 c2 c3 c4")
    },
    scene("grid_won", "tic-tac-two", "b2 c2 d3 c4 @d3 c3"),
    Scene {
        annotations: true,
        ..scene(
            "grid_7",
            "tic-tac-two:board=7,grid=5,pieces=6,after=3",
            "d4 c3 d5 e5 c4 e4 @e5",
        )
    },
    scene("nested_1", "ception:depth=1", "e a b"),
    scene("nested_1_won", "ception:depth=1", "e a b c h"),
    scene("ultimate", "ultimate", ULTIMATE),
    Scene {
        annotations: true,
        hint: Some("de"),
        ..scene("ultimate_analysis", "ultimate", ULTIMATE)
    },
    Scene {
        from: ULTIMATE_ENDING,
        ..scene("ultimate_board_won", "ultimate", "ec")
    },
    Scene {
        from: ULTIMATE_ENDING,
        keys: "<<<",
        ..scene("ultimate_free", "ultimate", "ec ce")
    },
    Scene {
        from: ULTIMATE_ENDING,
        ..scene("ultimate_won", "ultimate", "ec ci ic")
    },
    Scene {
        from: "xxxoo..../ooo....../........./xx......./.oo....../.......x./........./........./...x..... - x e",
        ..scene("nested_5a", "ception:5a", "ea")
    },
    Scene {
        from: "xxxooo.../ooo....../........./xx......./.......x./.......x./.......o./........./...x..... - o b",
        ..scene("nested_4b", "ception:4b,5c", "bh")
    },
    scene("nested_3_start", "ception:depth=3", ""),
    scene(
        "nested_3",
        "ception:depth=3",
        "eee eea eab abe beb ebi bid idc dcc",
    ),
    Scene {
        keys: "Z",
        ..scene(
            "nested_3_out",
            "ception:depth=3",
            "eee eea eab abe beb ebi bid idc dcc",
        )
    },
    Scene {
        keys: "7",
        ..scene("nested_4_digits", "ception:depth=4", "")
    },
    scene("nested_6", "ception:depth=6", "eeeeea eeeeab eeeabc eeabcd"),
    Scene {
        keys: "ZZ",
        ..scene(
            "nested_6_out",
            "ception:depth=6",
            "eeeeea eeeeab eeeabc eeabcd",
        )
    },
    scene("gravity", "connect-four", "d d d e c b c c e e f d b"),
    Scene {
        keys: "<<",
        annotations: true,
        hint: Some("f"),
        ..scene("gravity_analysis", "connect-four", "d d d e c b")
    },
    Scene {
        keys: "<",
        ..scene("gravity_full_column", "connect-four", "c c c c c c")
    },
    scene("gravity_won", "connect-four", "a b a b a b a"),
    scene("cube", "qubic", "2b2 3c3 1a1 4d4 2c2"),
    Scene {
        annotations: true,
        hint: Some("3b1"),
        ..scene("cube_analysis", "cube:3", "2b2 3c3 1a1")
    },
    scene("cube_won", "qubic", "1a1 1b1 2b2 1b2 3c3 1b3 4d4"),
    scene("cube_5", "cube:5", "3c3 1a1 5e5"),
    scene("notakto", "notakto", "b2 a1"),
    scene("notakto_3", "notakto:3", "2b2 1a1 2a2 2c2 3c3 1c2 3b1"),
    scene("notakto_5", "notakto:5", "2b2 1a1 2a2 2c2 5c3"),
    scene("notakto_lost", "notakto", "b2 a1 c3"),
    Scene {
        keys: "!>",
        ..scene("wild_choice", "wild", "b1=x a2=o c2=x b3=o")
    },
    Scene {
        annotations: true,
        hint: Some("b2=o"),
        ..scene("wild_analysis", "wild", "b1=x a2=o c2=x b3=o")
    },
    Scene {
        keys: "vvv!",
        ..scene("order_and_chaos", "order-and-chaos", "c3=x d4=o c4=o b2=x")
    },
    scene(
        "order_and_chaos_won",
        "order-and-chaos",
        "a1=o b2=o c3=o a6=x d4=o e5=o",
    ),
    Scene {
        keys: "!>",
        ..scene("numerical", "numerical", "b1=7 c3=4")
    },
    scene("numerical_won", "numerical", "b2=5 a1=2 b1=1 c3=8"),
    scene("morris_placing", "morris", "a1 c3 c1"),
    Scene {
        keys: "!<",
        ..scene("morris_moving", "morris", "a1 c3 b2 b1 c1 a3")
    },
    Scene {
        annotations: true,
        hint: Some("b2-a2"),
        ..scene("morris_analysis", "morris", "a1 c3 b2 b1 c1 a3")
    },
    scene("gobblers", "gobblers", "m@b2 l@b2 m@a1 s@c1 l@c1 m@a3 s@c3"),
    Scene {
        keys: "\t>^",
        ..scene("gobblers_taken", "gobblers", "m@b2 l@b2 m@a1 s@c1")
    },
    Scene {
        keys: "<^!v",
        annotations: true,
        ..scene("gobblers_moving", "gobblers", "m@b2 l@b2 m@a1 s@c1")
    },
    scene("gobblers_won", "gobblers", "l@a1 s@b1 m@b2 s@c1 l@c3"),
    Scene {
        keys: "^",
        ..scene("vanishing", "vanishing", "b1 b2 c3 a2 c2 c1")
    },
];

const ULTIMATE: &str = "ee ea aa ab ba ac cb bd da ag gb be ed df fa ai ib bf fi ih hg gc cd";

/// X owns a, and completes e and i.
const ULTIMATE_ENDING: &str = "xxxoo..../........./o......../........./xx.oo..../........./........./........./xx.oo.... - x e";

/// A terminal of 80×24 and a large one.
const AREAS: [Rect; 2] = [SMALL, LARGE];

impl Scene {
    fn state(&self) -> AnyGameState {
        let mut state = state_after(self.variant, "");
        if !self.from.is_empty() {
            let variant: Variant = state.variant();
            state = AnyGameState::from_text(variant, self.from)
                .unwrap_or_else(|error| panic!("{}: {error}", self.name));
        }
        for mv in self.moves.split_whitespace() {
            let done = state.play(mv);
            assert_eq!(done, Ok(()), "{}: {mv}", self.name);
        }
        state
    }

    fn draw(&self, state: &AnyGameState, theme: &Theme, area: Rect) -> (Board, Buffer) {
        let mut board = Board::new(state);
        let annotations = annotations(state, self.annotations);
        let view = BoardRenderContext {
            state,
            theme,
            active: state.outcome().is_none() && !self.waiting,
            annotations: annotations.as_ref(),
            hint: self.hint,
        };
        let mut buf = Buffer::empty(area);
        buf.set_style(area, theme.base());
        board.render(&view, area, &mut Buffer::empty(area));
        press(&mut board, state, self.keys);
        board.render(&view, area, &mut buf);
        (board, buf)
    }
}

/// Values of every kind, in rotation.
fn annotations(state: &AnyGameState, shown: bool) -> Option<Annotations> {
    let estimate = |mean| Value::Estimate { mean, error: 0.1 };
    let values = [
        Value::Exact(ExactValue::win(3)),
        Value::Exact(ExactValue::loss(14)),
        Value::Exact(ExactValue::DRAW),
        estimate(0.42),
        estimate(-0.17),
        estimate(0.02),
        Value::Exact(ExactValue::without_distance(GameValue::Win)),
    ];
    shown.then(|| {
        let moves = state.legal_moves().into_iter();
        Annotations(moves.zip(values.into_iter().cycle()).collect())
    })
}

fn characters(buf: &Buffer) -> String {
    let area = buf.area;
    let row = |y: u16| -> String { (0..area.width).map(|x| buf[(x, y)].symbol()).collect() };
    let rows: Vec<String> = (0..area.height).map(|y| row(y).trim_end().into()).collect();
    rows.join("\n")
}

#[test]
fn snapshots_of_characters() {
    for scene in SCENES {
        let state = scene.state();
        let mut text = String::new();
        for area in AREAS {
            for (theme, how) in [(PLAIN, "Unicode"), (ASCII, "ASCII")] {
                let (board, buf) = scene.draw(&state, &theme, area);
                if text.is_empty() {
                    let _ = writeln!(text, "{}", board.prompt(&state));
                    if let Some(breadcrumb) = board.breadcrumb(&state) {
                        let _ = writeln!(text, "{breadcrumb}");
                    }
                }
                let (width, height) = (area.width, area.height);
                let _ = writeln!(text, "\n== {width}x{height}, {how}\n{}", characters(&buf));
            }
        }
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(scene.name, text);
        });
    }
}

/// A letter for every style, and a legend.
fn styles(buf: &Buffer) -> String {
    let mut styles_seen: Vec<Style> = Vec::new();
    let mut text = String::new();
    for y in 0..buf.area.height {
        let mut row = String::new();
        for x in 0..buf.area.width {
            let style = buf[(x, y)].style();
            let index = styles_seen.iter().position(|&other| other == style);
            let index = index.unwrap_or_else(|| {
                styles_seen.push(style);
                styles_seen.len() - 1
            });
            row.push(match index {
                0 => ' ',
                n => char::from(b'A' + (n - 1) as u8),
            });
        }
        let _ = writeln!(text, "{}", row.trim_end());
    }
    for (n, style) in styles_seen.iter().enumerate() {
        let letter = match n {
            0 => ' ',
            n => char::from(b'A' + (n - 1) as u8),
        };
        let color = |color: Option<Color>| color.map_or("-".into(), |color| color.to_string());
        let mut line = format!("{letter} {} on {}", color(style.fg), color(style.bg));
        for (name, _) in style.add_modifier.iter_names() {
            let _ = write!(line, " {}", name.to_lowercase());
        }
        let _ = writeln!(text, "{line}");
    }
    text
}

#[test]
fn snapshots_of_styles() {
    let themes = [
        ("dark", Theme::new(ColorDepth::Rgb, Background::Dark, false)),
        (
            "light",
            Theme::new(ColorDepth::Rgb, Background::Light, false),
        ),
        (
            "unknown ground",
            Theme::new(ColorDepth::Rgb, Background::Terminal, false),
        ),
        (
            "sixteen colours",
            Theme::new(ColorDepth::Ansi, Background::Terminal, false),
        ),
        ("no colours", PLAIN),
    ];
    for name in [
        "classic_analysis",
        "classic_won",
        "grid_preview",
        "ultimate_free",
    ] {
        let scene = SCENES.iter().find(|scene| scene.name == name);
        let scene = scene.unwrap_or_else(|| panic!("{name}"));
        let state = scene.state();
        let mut text = String::new();
        for (how, theme) in themes {
            let (_, buf) = scene.draw(&state, &theme, SMALL);
            let _ = writeln!(text, "== {how}\n{}", styles(&buf));
        }
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("styles_{name}"), text);
        });
    }
}

/// Nothing is shown by color alone: scenes that differ also differ in characters.
#[test]
fn scenes_differ_without_colors() {
    for theme in [PLAIN, ASCII] {
        for area in AREAS {
            let rendered: Vec<(Scene, String)> = SCENES
                .iter()
                .map(|scene| {
                    (
                        *scene,
                        characters(&scene.draw(&scene.state(), &theme, area).1),
                    )
                })
                .collect();
            for (i, (scene, picture)) in rendered.iter().enumerate() {
                for (other, second) in &rendered[..i] {
                    assert_ne!(picture, second, "{} and {}", scene.name, other.name);
                }
            }
        }
    }
}

#[test]
fn color_depth_is_respected() {
    let ansi = Theme::new(ColorDepth::Ansi, Background::Terminal, false);
    for scene in SCENES {
        let state = scene.state();
        let (_, buf) = scene.draw(&state, &PLAIN, LARGE);
        let is_uncolored = |cell: &Cell| (cell.fg, cell.bg) == (Color::Reset, Color::Reset);
        assert!(buf.content.iter().all(is_uncolored), "{}", scene.name);
        let (_, buf) = scene.draw(&state, &ansi, LARGE);
        let is_terminal_color = |cell: &Cell| {
            // Always on the terminal's own background, light or dark.
            !matches!(cell.fg, Color::Rgb(..) | Color::Indexed(_)) && cell.bg == Color::Reset
        };
        assert!(buf.content.iter().all(is_terminal_color), "{}", scene.name);
    }
}

/// Highlights are distinguishable without colors.
#[test]
fn highlights_are_visible_without_colors() {
    let won = SCENES.iter().find(|scene| scene.name == "flat_16x16_won");
    let won = won.unwrap_or_else(|| panic!("a scene"));
    for (theme, row) in [(PLAIN, "[X|X|X|X|X]"), (ASCII, "[X|X|X|X|X]")] {
        let (_, buf) = won.draw(&won.state(), &theme, SMALL);
        assert!(characters(&buf).contains(row));
    }
    for style in [PLAIN.strong(), PLAIN.side(noughts_rules::Side::X)] {
        assert_eq!((style.fg, style.bg), (None, None));
        assert!(style.add_modifier.contains(Modifier::BOLD));
    }
}
