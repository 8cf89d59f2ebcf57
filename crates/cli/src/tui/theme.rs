//! How things look: colours by what they mean, on any ground; the characters are in
//! `look/signs.rs`. What is drawn where is decided elsewhere; and nothing may be told
//! by the colours given here alone.

mod symbols;

use noughts_engine::{GameValue, Value};
use noughts_rules::Side;
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;

use symbols::{ASCII, UNICODE};
pub(crate) use symbols::{Symbols, Wrap};

/// Which colours the terminal shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Colours {
    /// None at all; bold, dim and reversed text remain.
    None,
    /// The terminal's own sixteen, on its own background.
    Ansi,
    /// True colours.
    Rgb,
}

/// What the colours lie on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ground {
    /// Whatever the terminal has: light or dark, nobody knows.
    Terminal,
    /// Ours, dark.
    Dark,
    /// Ours, light: paper and ink.
    Light,
}

/// How everything looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Theme {
    colours: Colours,
    ground: Ground,
    ascii: bool,
}

/// The true colours of a ground.
struct Palette {
    paper: Color,
    ink: Color,
    soft: Color,
    hair: Color,
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
    paper: rgb(0xfaf8f4),
    ink: rgb(0x23262b),
    soft: rgb(0x6b6f76),
    hair: rgb(0xc4bfb4),
    x: rgb(0x0b5fa5),
    o: rgb(0xb5460a),
    good: rgb(0x2a7548),
    bad: rgb(0xa8253c),
    accent: rgb(0x7a5a00),
};

const DARK: Palette = Palette {
    paper: rgb(0x15181d),
    ink: rgb(0xe9e7e2),
    soft: rgb(0xa4a8ae),
    hair: rgb(0x4a515c),
    x: rgb(0x6cb6ff),
    o: rgb(0xffa866),
    good: rgb(0x7fd49b),
    bad: rgb(0xff8fa0),
    accent: rgb(0xf2cc60),
};

/// Middle tones, to be read on light and on dark.
const EITHER: Palette = Palette {
    paper: Color::Reset,
    ink: Color::Reset,
    soft: rgb(0x8a8e94),
    hair: rgb(0x7c8086),
    x: rgb(0x3b8eea),
    o: rgb(0xe0702d),
    good: rgb(0x3f9f68),
    bad: rgb(0xd9536a),
    accent: rgb(0xb08a1e),
};

/// The terminal's sixteen colours. The bright blue and red are the ones that most
/// terminals make readable on light and on dark alike; yellow and cyan are not.
const ANSI: Palette = Palette {
    paper: Color::Reset,
    ink: Color::Reset,
    soft: Color::Reset,
    hair: Color::Reset,
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
    pub(crate) const fn new(colours: Colours, ground: Ground, ascii: bool) -> Theme {
        Theme {
            colours,
            ground,
            ascii,
        }
    }

    /// Is everything drawn in ASCII?
    pub(crate) const fn ascii(&self) -> bool {
        self.ascii
    }

    /// The characters.
    pub(crate) const fn symbols(&self) -> &'static Symbols {
        if self.ascii { &ASCII } else { &UNICODE }
    }

    const fn palette(&self) -> &'static Palette {
        match (self.colours, self.ground) {
            (Colours::None, _) => &PLAIN,
            (Colours::Ansi, _) => &ANSI,
            (Colours::Rgb, Ground::Terminal) => &EITHER,
            (Colours::Rgb, Ground::Dark) => &DARK,
            (Colours::Rgb, Ground::Light) => &LIGHT,
        }
    }

    fn coloured(colour: Color) -> Style {
        match colour {
            Color::Reset => Style::new(),
            colour => Style::new().fg(colour),
        }
    }

    /// What the whole screen is filled with before anything is drawn: ink on paper,
    /// or nothing where the terminal's own colours are used.
    pub(crate) fn base(&self) -> Style {
        let palette = self.palette();
        match palette.paper {
            Color::Reset => Style::new(),
            paper => Style::new().fg(palette.ink).bg(paper),
        }
    }

    /// Ordinary text.
    pub(crate) fn text(&self) -> Style {
        Theme::coloured(self.palette().ink)
    }

    /// Text that stands out: headings, names.
    pub(crate) fn strong(&self) -> Style {
        self.text().add_modifier(Modifier::BOLD)
    }

    /// What may be overlooked: labels, explanations.
    pub(crate) fn dim(&self) -> Style {
        self.quiet(self.palette().soft)
    }

    /// The thinnest lines.
    pub(crate) fn hairline(&self) -> Style {
        self.quiet(self.palette().hair)
    }

    fn quiet(&self, colour: Color) -> Style {
        match colour {
            // A grey of the sixteen is the background itself in some terminals.
            Color::Reset => Style::new().add_modifier(Modifier::DIM),
            colour => Style::new().fg(colour),
        }
    }

    /// What is to be noticed: keys, choices, the cursor of a list.
    pub(crate) fn accent(&self) -> Style {
        Theme::coloured(self.palette().accent).add_modifier(Modifier::BOLD)
    }

    /// The row of a list that Enter would pick. A sign goes with it, too.
    pub(crate) fn selected(&self) -> Style {
        match self.paper() {
            Some(_) => self.strong().patch(self.tint(self.accent(), 22)),
            None => Style::new().add_modifier(Modifier::REVERSED),
        }
    }

    /// The sign of that row.
    pub(crate) const fn pointer(&self) -> &'static str {
        if self.ascii { ">" } else { "▸" }
    }

    /// Around a value that the arrows to the left and right change.
    pub(crate) const fn arrows(&self) -> [&'static str; 2] {
        if self.ascii {
            ["<", ">"]
        } else {
            ["‹", "›"]
        }
    }

    /// Behind a text that was cut short.
    pub(crate) const fn ellipsis(&self) -> &'static str {
        if self.ascii { "..." } else { "…" }
    }

    /// Between parts of a line.
    pub(crate) const fn separator(&self) -> &'static str {
        if self.ascii { "-" } else { "·" }
    }

    /// A line across, one column of it.
    pub(crate) const fn horizontal_line(&self) -> &'static str {
        if self.ascii { "-" } else { "─" }
    }

    /// What went wrong, and why a move was refused.
    pub(crate) fn error(&self) -> Style {
        Theme::coloured(self.palette().bad).add_modifier(Modifier::BOLD)
    }

    /// Marks, names and boards of a player.
    pub(crate) fn side(&self, player: Side) -> Style {
        let palette = self.palette();
        Theme::coloured(match player {
            Side::X => palette.x,
            Side::O => palette.o,
        })
        .add_modifier(Modifier::BOLD)
    }

    /// A player's, but not to the fore: a mark in a board that is decided.
    pub(crate) fn faded(&self, player: Side) -> Style {
        let style = self.side(player).remove_modifier(Modifier::BOLD);
        match (self.paper(), style.fg) {
            (Some(paper), Some(colour)) => style.fg(mix(colour, paper, 45)),
            _ => style.add_modifier(Modifier::DIM),
        }
    }

    /// The last move.
    pub(crate) fn last_move(&self, player: Side) -> Style {
        self.side(player)
    }

    /// The line that decided the game.
    pub(crate) fn winning_line(&self, player: Side) -> Style {
        self.side(player).add_modifier(Modifier::BOLD)
    }

    /// The mark of a cell that may be played in.
    pub(crate) fn legal_move(&self) -> Style {
        self.dim()
    }

    /// The frame of a board or grid that the move may go to.
    pub(crate) fn target_board(&self, player: Side) -> Style {
        self.side(player)
    }

    /// The cell under the cursor.
    pub(crate) fn cursor(&self) -> Style {
        self.strong()
    }

    /// What a move that is not made yet would do.
    pub(crate) fn preview(&self) -> Style {
        self.accent()
    }

    /// A move that is pointed at.
    pub(crate) fn hint(&self) -> Style {
        self.accent()
    }

    /// Good for whoever moves.
    pub(crate) fn good(&self) -> Style {
        Theme::coloured(self.palette().good)
    }

    /// Bad for whoever moves.
    pub(crate) fn bad(&self) -> Style {
        Theme::coloured(self.palette().bad)
    }

    /// Neither.
    pub(crate) fn even(&self) -> Style {
        Theme::coloured(self.palette().soft)
    }

    /// Added to what is proved.
    pub(crate) fn exact(&self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Added to what is guessed.
    pub(crate) fn estimate(&self) -> Style {
        Style::new().add_modifier(Modifier::ITALIC)
    }

    /// A value: good or bad, proved or guessed.
    pub(crate) fn value(&self, value: Value) -> Style {
        match value {
            Value::Exact(exact) => match exact.game_value() {
                GameValue::Win => self.good(),
                GameValue::Draw => self.even(),
                GameValue::Loss => self.bad(),
            }
            .patch(self.exact()),
            Value::Estimate { mean, .. } => match Lean::from_mean(mean) {
                Lean::For => self.good(),
                Lean::Neither => self.even(),
                Lean::Against => self.bad(),
            }
            .patch(self.estimate()),
        }
    }

    /// The ground, where it is ours and can be tinted.
    fn paper(&self) -> Option<Color> {
        match self.palette().paper {
            Color::Reset => None,
            paper => Some(paper),
        }
    }

    /// A ground with a touch of this style's colour, so many parts of a hundred;
    /// none where the terminal's own ground shows.
    pub(crate) fn tint(&self, style: Style, parts: u16) -> Style {
        match (self.paper(), style.fg) {
            (Some(paper), Some(colour)) => Style::new().bg(mix(paper, colour, parts)),
            _ => Style::new(),
        }
    }

    /// The lines around a panel.
    pub(crate) const fn panel_border(&self) -> border::Set<'static> {
        if self.ascii {
            border::Set {
                top_left: "+",
                top_right: "+",
                bottom_left: "+",
                bottom_right: "+",
                vertical_left: "|",
                vertical_right: "|",
                horizontal_top: "-",
                horizontal_bottom: "-",
            }
        } else {
            border::ROUNDED
        }
    }
}

/// Whom a guess favours, where a few parts of a hundred are nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lean {
    For,
    Neither,
    Against,
}

impl Lean {
    pub(crate) fn from_mean(mean: f64) -> Lean {
        if mean > 0.1 {
            Lean::For
        } else if mean < -0.1 {
            Lean::Against
        } else {
            Lean::Neither
        }
    }
}

/// One colour with so many parts of a hundred of another.
fn mix(one: Color, other: Color, parts: u16) -> Color {
    let (Color::Rgb(r0, g0, b0), Color::Rgb(r1, g1, b1)) = (one, other) else {
        return one;
    };
    let parts = parts.min(100);
    let part = |a: u8, b: u8| {
        let sum = u16::from(a) * (100 - parts) + u16::from(b) * parts;
        (sum / 100) as u8
    };
    Color::Rgb(part(r0, r1), part(g0, g1), part(b0, b1))
}
