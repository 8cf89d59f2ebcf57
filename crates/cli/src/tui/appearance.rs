//! Chooses the theme from the player's saved settings, the environment and the command line.

use serde::{Deserialize, Serialize};

use crate::tui::theme::{Background, ColorDepth, Theme};

/// The player's settings. `Auto` follows what the terminal reports.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Appearance {
    #[serde(rename = "paper")]
    pub(crate) background: BackgroundChoice,
    #[serde(rename = "palette")]
    pub(crate) colors: ColorChoice,
    pub(crate) characters: CharsetChoice,
}

/// The background color.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BackgroundChoice {
    /// What the terminal reports, if anything.
    #[default]
    Auto,
    Dark,
    Light,
    /// The terminal's own background, whatever it is.
    Own,
}

/// The number of colors.
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
pub(crate) enum CharsetChoice {
    #[default]
    Auto,
    Unicode,
    Ascii,
}

/// What the environment and the command line say about the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct TerminalEnv {
    /// `NO_COLOR` is set.
    pub(crate) no_color: bool,
    pub(crate) true_color: bool,
    /// At most sixteen colors, as on the Linux console.
    pub(crate) limited_colors: bool,
    /// The background according to `COLORFGBG`, if it is set.
    pub(crate) background: Option<Background>,
    /// The locale isn't UTF-8.
    pub(crate) no_unicode: bool,
    /// `--ascii` was given.
    pub(crate) ascii: bool,
}

impl TerminalEnv {
    /// Reads the environment variables.
    pub(crate) fn detect(ascii: bool) -> TerminalEnv {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable);
        TerminalEnv::from_vars(
            &variable("NO_COLOR"),
            &variable("COLORTERM"),
            &variable("TERM"),
            &variable("COLORFGBG"),
            locale.iter().find(|value| !value.is_empty()),
            ascii,
        )
    }

    fn from_vars(
        no_color: &str,
        colorterm: &str,
        term: &str,
        colorfgbg: &str,
        locale: Option<&String>,
        ascii: bool,
    ) -> TerminalEnv {
        TerminalEnv {
            no_color: !no_color.is_empty(),
            true_color: ["truecolor", "24bit"].contains(&colorterm) || term.ends_with("-direct"),
            limited_colors: ["dumb", "linux"].contains(&term),
            background: background(colorfgbg),
            no_unicode: locale.is_some_and(|locale| {
                let locale = locale.to_ascii_lowercase();
                !locale.contains("utf-8") && !locale.contains("utf8")
            }),
            ascii,
        }
    }
}

/// Parses `COLORFGBG`: the number after the last semicolon is the background's ANSI color. 7 and
/// 9–15 are light.
fn background(colorfgbg: &str) -> Option<Background> {
    let (_, background) = colorfgbg.rsplit_once(';')?;
    match background.parse::<u8>().ok()? {
        7 | 9..=15 => Some(Background::Light),
        0..=8 => Some(Background::Dark),
        _ => None,
    }
}

impl Appearance {
    /// The key of this setting in the store.
    pub(crate) const SETTING_KEY: &str = "appearance";

    pub(crate) fn to_json(self) -> String {
        // Only unit variants: serialization can't fail.
        serde_json::to_string(&self).unwrap_or_default()
    }

    /// Reads a saved setting. Anything unknown falls back to `Auto`.
    pub(crate) fn from_json(text: &str) -> Appearance {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// The theme for this terminal. `NO_COLOR` and `--ascii` apply to this run and override the
    /// settings.
    pub(crate) fn theme(self, env: &TerminalEnv) -> Theme {
        let ascii = match self.characters {
            _ if env.ascii => true,
            CharsetChoice::Auto => env.no_unicode,
            CharsetChoice::Unicode => false,
            CharsetChoice::Ascii => true,
        };
        let (colors, background) = self.resolve_colors(env);
        Theme::new(colors, background, ascii)
    }

    fn resolve_colors(self, env: &TerminalEnv) -> (ColorDepth, Background) {
        let choice = match self.background {
            BackgroundChoice::Auto => env.background,
            BackgroundChoice::Dark => Some(Background::Dark),
            BackgroundChoice::Light => Some(Background::Light),
            BackgroundChoice::Own => Some(Background::Terminal),
        };
        let background = choice.unwrap_or(Background::Terminal);
        let colors = match self.colors {
            _ if env.no_color => ColorDepth::None,
            ColorChoice::None => ColorDepth::None,
            ColorChoice::Sixteen => ColorDepth::Ansi,
            ColorChoice::True => ColorDepth::Rgb,
            ColorChoice::Auto if env.limited_colors || !env.true_color => ColorDepth::Ansi,
            // True colors need a known background; without one the terminal's own sixteen are
            // safer.
            ColorChoice::Auto if choice.is_none() => ColorDepth::Ansi,
            ColorChoice::Auto => ColorDepth::Rgb,
        };
        (colors, background)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(no_color: &str, colorterm: &str, term: &str, fgbg: &str, locale: &str) -> TerminalEnv {
        let locale = Some(locale.to_owned()).filter(|locale| !locale.is_empty());
        TerminalEnv::from_vars(no_color, colorterm, term, fgbg, locale.as_ref(), false)
    }

    #[test]
    fn auto_settings_follow_the_terminal() {
        use Background::{Dark, Light, Terminal};
        use ColorDepth::{Ansi, None, Rgb};
        for (no_color, colorterm, term, fgbg, locale, theme) in [
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
            let env = env(no_color, colorterm, term, fgbg, locale);
            let (colors, background, ascii) = theme;
            let expected = Theme::new(colors, background, ascii);
            assert_eq!(Appearance::default().theme(&env), expected, "{env:?}");
        }
    }

    #[test]
    fn settings_override_the_terminal_and_this_run_overrides_both() {
        let choice = Appearance {
            background: BackgroundChoice::Light,
            colors: ColorChoice::True,
            characters: CharsetChoice::Unicode,
        };
        let limited = env("", "", "linux", "15;0", "C");
        assert_eq!(
            choice.theme(&limited),
            Theme::new(ColorDepth::Rgb, Background::Light, false)
        );
        let run = TerminalEnv {
            no_color: true,
            ascii: true,
            ..limited
        };
        assert_eq!(
            choice.theme(&run),
            Theme::new(ColorDepth::None, Background::Light, true)
        );
        assert_eq!(Appearance::from_json(&choice.to_json()), choice);
        assert_eq!(
            Appearance::from_json("{\"paper\":\"pink\"}"),
            Appearance::default()
        );
        assert_eq!(Appearance::from_json("{}"), Appearance::default());
    }
}
