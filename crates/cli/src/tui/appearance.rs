//! Which look there is: what the terminal says of itself, what the person chose
//! and what was remembered of it.

use serde::{Deserialize, Serialize};

use crate::tui::theme::{Colours, Ground, Theme};

/// What was chosen. Whatever is left open follows the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Appearance {
    pub(crate) paper: Paper,
    pub(crate) palette: ColorChoice,
    pub(crate) characters: Characters,
}

/// What the colours lie on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Paper {
    /// As far as the terminal tells.
    #[default]
    Auto,
    Dark,
    Light,
    /// The terminal's own, whatever it is.
    Own,
}

/// How many colours.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ColorChoice {
    #[default]
    Auto,
    True,
    Sixteen,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Characters {
    #[default]
    Auto,
    Unicode,
    Ascii,
}

/// What the surroundings say of the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Surroundings {
    /// `NO_COLOR` is set.
    pub(crate) no_color: bool,
    pub(crate) true_colour: bool,
    /// It has sixteen colours at most.
    pub(crate) limited_colors: bool,
    /// What `COLORFGBG` says, if anything.
    pub(crate) background: Option<Ground>,
    /// The locale is not one of UTF-8.
    pub(crate) no_unicode: bool,
    /// `--ascii` was given.
    pub(crate) ascii: bool,
}

impl Surroundings {
    /// As the environment tells.
    pub(crate) fn detect(ascii: bool) -> Surroundings {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable);
        Surroundings::read(
            &variable("NO_COLOR"),
            &variable("COLORTERM"),
            &variable("TERM"),
            &variable("COLORFGBG"),
            locale.iter().find(|value| !value.is_empty()),
            ascii,
        )
    }

    fn read(
        no_colour: &str,
        colorterm: &str,
        term: &str,
        colorfgbg: &str,
        locale: Option<&String>,
        ascii: bool,
    ) -> Surroundings {
        Surroundings {
            no_color: !no_colour.is_empty(),
            true_colour: ["truecolor", "24bit"].contains(&colorterm) || term.ends_with("-direct"),
            limited_colors: ["dumb", "linux"].contains(&term),
            background: ground(colorfgbg),
            no_unicode: locale.is_some_and(|locale| {
                let locale = locale.to_ascii_lowercase();
                !locale.contains("utf-8") && !locale.contains("utf8")
            }),
            ascii,
        }
    }
}

/// The number behind the last semicolon is the background's; of the sixteen, 7 and
/// those above 8 are light.
fn ground(colorfgbg: &str) -> Option<Ground> {
    let (_, background) = colorfgbg.rsplit_once(';')?;
    match background.parse::<u8>().ok()? {
        7 | 9..=15 => Some(Ground::Light),
        0..=8 => Some(Ground::Dark),
        _ => None,
    }
}

impl Appearance {
    /// Where the store keeps it.
    pub(crate) const SETTING_KEY: &str = "appearance";

    pub(crate) fn to_json(self) -> String {
        // Words alone: nothing that JSON could not say.
        serde_json::to_string(&self).unwrap_or_default()
    }

    /// What was kept; what is not understood follows the terminal.
    pub(crate) fn from_json(text: &str) -> Appearance {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// The look in these surroundings. `NO_COLOR` and `--ascii` are said for this
    /// run and come first.
    pub(crate) fn theme(self, around: &Surroundings) -> Theme {
        let ascii = match self.characters {
            _ if around.ascii => true,
            Characters::Auto => around.no_unicode,
            Characters::Unicode => false,
            Characters::Ascii => true,
        };
        let (colours, ground) = self.colours(around);
        Theme::new(colours, ground, ascii)
    }

    fn colours(self, around: &Surroundings) -> (Colours, Ground) {
        let chosen = match self.paper {
            Paper::Auto => around.background,
            Paper::Dark => Some(Ground::Dark),
            Paper::Light => Some(Ground::Light),
            Paper::Own => Some(Ground::Terminal),
        };
        let ground = chosen.unwrap_or(Ground::Terminal);
        let colours = match self.palette {
            _ if around.no_color => Colours::None,
            ColorChoice::None => Colours::None,
            ColorChoice::Sixteen => Colours::Ansi,
            ColorChoice::True => Colours::Rgb,
            ColorChoice::Auto if around.limited_colors || !around.true_colour => Colours::Ansi,
            // The terminal's own colours are made for a ground that we do not know.
            ColorChoice::Auto if chosen.is_none() => Colours::Ansi,
            ColorChoice::Auto => Colours::Rgb,
        };
        (colours, ground)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(
        no_colour: &str,
        colorterm: &str,
        term: &str,
        fgbg: &str,
        locale: &str,
    ) -> Surroundings {
        let locale = Some(locale.to_owned()).filter(|locale| !locale.is_empty());
        Surroundings::read(no_colour, colorterm, term, fgbg, locale.as_ref(), false)
    }

    #[test]
    fn the_terminal_decides_what_nobody_chose() {
        use Colours::{Ansi, None, Rgb};
        use Ground::{Dark, Light, Terminal};
        for (no_colour, colorterm, term, fgbg, locale, look) in [
            (
                "",
                "truecolor",
                "xterm-256color",
                "15;0",
                "en_GB.UTF-8",
                (Rgb, Dark, false),
            ),
            (
                "",
                "24bit",
                "xterm-256color",
                "0;default;15",
                "C.utf8",
                (Rgb, Light, false),
            ),
            (
                "",
                "truecolor",
                "xterm-256color",
                "",
                "en_GB.UTF-8",
                (Ansi, Terminal, false),
            ),
            ("", "", "xterm-256color", "15;0", "", (Ansi, Dark, false)),
            ("", "truecolor", "linux", "15;0", "", (Ansi, Dark, false)),
            (
                "1",
                "truecolor",
                "xterm-256color",
                "15;0",
                "C",
                (None, Dark, true),
            ),
            (
                "",
                "truecolor",
                "xterm",
                "?;what",
                "de_DE.ISO-8859-1",
                (Ansi, Terminal, true),
            ),
        ] {
            let around = around(no_colour, colorterm, term, fgbg, locale);
            let (colours, ground, ascii) = look;
            let expected = Theme::new(colours, ground, ascii);
            assert_eq!(Appearance::default().theme(&around), expected, "{around:?}");
        }
    }

    #[test]
    fn a_choice_comes_before_the_terminal_and_this_run_before_both() {
        let chosen = Appearance {
            paper: Paper::Light,
            palette: ColorChoice::True,
            characters: Characters::Unicode,
        };
        let poor = around("", "", "linux", "15;0", "C");
        assert_eq!(
            chosen.theme(&poor),
            Theme::new(Colours::Rgb, Ground::Light, false)
        );
        let run = Surroundings {
            no_color: true,
            ascii: true,
            ..poor
        };
        assert_eq!(
            chosen.theme(&run),
            Theme::new(Colours::None, Ground::Light, true)
        );
        assert_eq!(Appearance::from_json(&chosen.to_json()), chosen);
        assert_eq!(
            Appearance::from_json("{\"paper\":\"pink\"}"),
            Appearance::default()
        );
        assert_eq!(Appearance::from_json("{}"), Appearance::default());
    }
}
