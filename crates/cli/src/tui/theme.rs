//! Colors and styles by meaning, for any background; the characters are in `theme/symbols.rs`.
//! Nothing may be shown by color alone.

mod symbols;

use std::cmp::Ordering;

use noughts_engine::{GameValue, Value};
use noughts_rules::Side;
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;

use symbols::{ASCII, UNICODE};
pub(crate) use symbols::{CellBorder, Symbols};

/// The colors that the terminal can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColorDepth {
    /// None; bold, dim and reversed text remain.
    None,
    /// The terminal's own sixteen, on its own background.
    Ansi,
    /// 24-bit colors.
    Rgb,
}

/// The background of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Background {
    /// The terminal's own, which may be light or dark.
    Terminal,
    Dark,
    Light,
}

/// Colors and characters of the whole interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Theme {
    colors: ColorDepth,
    background: Background,
    ascii: bool,
}

struct Palette {
    background: Color,
    foreground: Color,
    dim: Color,
    hairline: Color,
    x: Color,
    o: Color,
    good: Color,
    bad: Color,
    accent: Color,
}

const fn rgb(hex: u32) -> Color {
    Color::Rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

const LIGHT: Palette = Palette {
    background: rgb(0xfaf8f4),
    foreground: rgb(0x23262b),
    dim: rgb(0x6b6f76),
    hairline: rgb(0xc4bfb4),
    x: rgb(0x0b5fa5),
    o: rgb(0xb5460a),
    good: rgb(0x2a7548),
    bad: rgb(0xa8253c),
    accent: rgb(0x7a5a00),
};

const DARK: Palette = Palette {
    background: rgb(0x15181d),
    foreground: rgb(0xe9e7e2),
    dim: rgb(0xa4a8ae),
    hairline: rgb(0x4a515c),
    x: rgb(0x6cb6ff),
    o: rgb(0xffa866),
    good: rgb(0x7fd49b),
    bad: rgb(0xff8fa0),
    accent: rgb(0xf2cc60),
};

/// Medium tones that are readable on light and dark backgrounds.
const ANY_BACKGROUND: Palette = Palette {
    background: Color::Reset,
    foreground: Color::Reset,
    dim: rgb(0x8a8e94),
    hairline: rgb(0x7c8086),
    x: rgb(0x3b8eea),
    o: rgb(0xe0702d),
    good: rgb(0x3f9f68),
    bad: rgb(0xd9536a),
    accent: rgb(0xb08a1e),
};

/// The terminal's sixteen colors. Most terminals make bright blue and red readable on light and
/// dark backgrounds, but not yellow and cyan.
const ANSI: Palette = Palette {
    background: Color::Reset,
    foreground: Color::Reset,
    dim: Color::Reset,
    hairline: Color::Reset,
    x: Color::LightBlue,
    o: Color::LightRed,
    good: Color::Green,
    bad: Color::Magenta,
    accent: Color::LightMagenta,
};

const PLAIN: Palette = Palette {
    x: Color::Reset,
    o: Color::Reset,
    good: Color::Reset,
    bad: Color::Reset,
    accent: Color::Reset,
    ..ANSI
};

impl Theme {
    pub(crate) const fn new(colors: ColorDepth, background: Background, ascii: bool) -> Theme {
        Theme {
            colors,
            background,
            ascii,
        }
    }

    /// Is everything drawn in ASCII?
    pub(crate) const fn ascii(&self) -> bool {
        self.ascii
    }

    /// The Unicode form of something, or the ASCII form.
    pub(crate) fn pick<T>(&self, unicode: T, ascii: T) -> T {
        if self.ascii { ascii } else { unicode }
    }

    pub(crate) const fn symbols(&self) -> &'static Symbols {
        if self.ascii { &ASCII } else { &UNICODE }
    }

    const fn palette(&self) -> &'static Palette {
        match (self.colors, self.background) {
            (ColorDepth::None, _) => &PLAIN,
            (ColorDepth::Ansi, _) => &ANSI,
            (ColorDepth::Rgb, Background::Terminal) => &ANY_BACKGROUND,
            (ColorDepth::Rgb, Background::Dark) => &DARK,
            (ColorDepth::Rgb, Background::Light) => &LIGHT,
        }
    }

    fn colored(color: Color) -> Style {
        match color {
            Color::Reset => Style::new(),
            color => Style::new().fg(color),
        }
    }

    /// The style that fills the screen before anything is drawn; empty if the terminal's own colors
    /// are used.
    pub(crate) fn base(&self) -> Style {
        let palette = self.palette();
        match palette.background {
            Color::Reset => Style::new(),
            background => Style::new().fg(palette.foreground).bg(background),
        }
    }

    pub(crate) fn text(&self) -> Style {
        Theme::colored(self.palette().foreground)
    }

    /// Headings, names and the cursor of a board.
    pub(crate) fn strong(&self) -> Style {
        self.text().add_modifier(Modifier::BOLD)
    }

    /// Labels and explanations.
    pub(crate) fn dim(&self) -> Style {
        Theme::subdued(self.palette().dim)
    }

    /// The thinnest lines.
    pub(crate) fn hairline(&self) -> Style {
        Theme::subdued(self.palette().hairline)
    }

    fn subdued(color: Color) -> Style {
        match color {
            // The ANSI grays are invisible on some terminals' backgrounds.
            Color::Reset => Style::new().add_modifier(Modifier::DIM),
            color => Style::new().fg(color),
        }
    }

    /// Keys, choices, hints and previews of moves.
    pub(crate) fn accent(&self) -> Style {
        Theme::colored(self.palette().accent).add_modifier(Modifier::BOLD)
    }

    /// The selected row of a list, which also has a pointer.
    pub(crate) fn selected(&self) -> Style {
        match self.background() {
            Some(_) => self.strong().patch(self.tint(self.accent(), 22)),
            None => Style::new().add_modifier(Modifier::REVERSED),
        }
    }

    /// The pointer of the selected row.
    pub(crate) fn pointer(&self) -> &'static str {
        self.pick("▸", ">")
    }

    /// Around a value that the left and right arrow keys change.
    pub(crate) fn arrows(&self) -> [&'static str; 2] {
        self.pick(["‹", "›"], ["<", ">"])
    }

    /// Where a text or list continues above and below.
    pub(crate) fn scroll_arrows(&self) -> [&'static str; 2] {
        self.pick(["↑", "↓"], ["^", "v"])
    }

    /// At the end of a truncated text.
    pub(crate) fn ellipsis(&self) -> &'static str {
        self.pick("…", "...")
    }

    /// Between the parts of a line.
    pub(crate) fn separator(&self) -> &'static str {
        self.pick("·", "-")
    }

    /// One column of a horizontal line.
    pub(crate) fn horizontal_line(&self) -> &'static str {
        self.pick("─", "-")
    }

    /// Errors and rejected moves.
    pub(crate) fn error(&self) -> Style {
        Theme::colored(self.palette().bad).add_modifier(Modifier::BOLD)
    }

    /// A side's marks, names and boards.
    pub(crate) fn side(&self, side: Side) -> Style {
        let palette = self.palette();
        Theme::colored(match side {
            Side::X => palette.x,
            Side::O => palette.o,
        })
        .add_modifier(Modifier::BOLD)
    }

    /// The color of a piece: a side's, if it has one.
    pub(crate) fn color(&self, side: Option<Side>) -> Style {
        side.map_or_else(|| self.strong(), |side| self.side(side))
    }

    /// A side's marks in the background: in a board that is decided.
    pub(crate) fn faded(&self, side: Side) -> Style {
        let style = self.side(side).remove_modifier(Modifier::BOLD);
        match (self.background(), style.fg) {
            (Some(background), Some(color)) => style.fg(mix(color, background, 45)),
            _ => style.add_modifier(Modifier::DIM),
        }
    }

    /// Good for the side to move.
    pub(crate) fn good(&self) -> Style {
        Theme::colored(self.palette().good)
    }

    /// Bad for the side to move.
    pub(crate) fn bad(&self) -> Style {
        Theme::colored(self.palette().bad)
    }

    /// Added to proved values.
    pub(crate) fn exact(&self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Added to estimates.
    pub(crate) fn estimate(&self) -> Style {
        Style::new().add_modifier(Modifier::ITALIC)
    }

    /// The style of a value: good or bad, proved or estimated.
    pub(crate) fn value(&self, value: Value) -> Style {
        let (advantage, added) = match value {
            Value::Exact(exact) => (exact.game_value().cmp(&GameValue::Draw), self.exact()),
            Value::Estimate { mean, .. } => (advantage(mean), self.estimate()),
        };
        match advantage {
            Ordering::Greater => self.good(),
            Ordering::Equal => Theme::colored(self.palette().dim),
            Ordering::Less => self.bad(),
        }
        .patch(added)
    }

    /// The background color, if it isn't the terminal's own.
    fn background(&self) -> Option<Color> {
        match self.palette().background {
            Color::Reset => None,
            background => Some(background),
        }
    }

    /// The background mixed with `percent` of the style's color; empty on the terminal's own
    /// background.
    pub(crate) fn tint(&self, style: Style, percent: u16) -> Style {
        match (self.background(), style.fg) {
            (Some(background), Some(color)) => Style::new().bg(mix(background, color, percent)),
            _ => Style::new(),
        }
    }

    pub(crate) fn panel_border(&self) -> border::Set<'static> {
        self.pick(border::ROUNDED, ascii_border("+", "|", "-"))
    }

    /// The border of the player to move.
    pub(crate) fn heavy_border(&self) -> border::Set<'static> {
        self.pick(border::THICK, ascii_border("#", "#", "="))
    }

    /// The pointer before a row of a list, and the row's style.
    pub(crate) fn list_row(&self, selected: bool) -> (&'static str, Style) {
        match selected {
            true => (self.pointer(), self.selected()),
            false => (" ", self.text()),
        }
    }
}

fn ascii_border(
    corner: &'static str,
    vertical: &'static str,
    horizontal: &'static str,
) -> border::Set<'static> {
    border::Set {
        top_left: corner,
        top_right: corner,
        bottom_left: corner,
        bottom_right: corner,
        vertical_left: vertical,
        vertical_right: vertical,
        horizontal_top: horizontal,
        horizontal_bottom: horizontal,
    }
}

/// Who an estimate favors: `Greater` for the player to move. A few percent count as even.
pub(crate) fn advantage(mean: f64) -> Ordering {
    if mean > 0.1 {
        Ordering::Greater
    } else if mean < -0.1 {
        Ordering::Less
    } else {
        Ordering::Equal
    }
}

/// Mixes `percent` of the second color into the first.
fn mix(first: Color, second: Color, percent: u16) -> Color {
    let (Color::Rgb(r0, g0, b0), Color::Rgb(r1, g1, b1)) = (first, second) else {
        return first;
    };
    let percent = percent.min(100);
    let channel = |a: u8, b: u8| {
        let sum = u16::from(a) * (100 - percent) + u16::from(b) * percent;
        (sum / 100) as u8
    };
    Color::Rgb(channel(r0, r1), channel(g0, g1), channel(b0, b1))
}
