//! `docs/games.md` says what the registry says. `cargo xtask docs` writes it again.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use noughts_rules::{
    AnyGameState, GameInfo, OptionDefault, OptionKind, OptionSpec, Preset, Variant, games,
};

const INTRODUCTION: &str = "\
# Games

What can be played, with every name, option and value, and the rules of each game's first variant with a few positions. The rules of any
other variant are on the web page (`/rules/VARIANT`), in the terminal game (`i`) and in plain mode (`rules`). Values and how they
are proved: [solved games](solved.md). Names of cells, moves and positions: [notation](notation.md).

In the drawings, `·` is a cell you can take, `(X)` the last move, and `[X]` part of a line. The tests compare this page with
what the games say about themselves; `cargo xtask docs` writes it again. To add a game, see [the tutorial](add-a-game.md).
";

#[test]
fn the_page_of_games_is_up_to_date() {
    let (path, expected) = (root().join("docs/games.md"), page());
    if env::var_os("NOUGHTS_DOCS").is_some_and(|value| value == "overwrite") {
        fs::write(&path, &expected).expect("the page can be written");
    }
    let current = fs::read_to_string(&path).unwrap_or_default();
    let mut lines = current.lines().zip(expected.lines());
    let first = lines.position(|(current, expected)| current != expected);
    assert!(
        current == expected,
        "docs/games.md isn't what the games say, from line {line} on; run `cargo xtask docs`",
        line = first.unwrap_or(current.lines().count()) + 1
    );
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    page += "\n| game | name | | with best play |\n|---|---|---|---|\n";
    for info in games::all() {
        for (variant, preset) in presets(info) {
            let known = variant.known_value().unwrap_or("Not known.");
            let (title, name, summary) = (preset.title, preset.name, preset.summary);
            let _ = writeln!(
                page,
                "| [{title}](#{anchor}) | `{name}` | {summary} | {known} |",
                anchor = anchor(info)
            );
        }
    }
    for info in games::all() {
        add_game(info, &mut page);
    }
    page
}

/// The presets of a game, each with its variant.
fn presets(info: &'static GameInfo) -> Vec<(Variant, &'static Preset)> {
    let presets = games::presets().into_iter();
    presets
        .filter(|(variant, _)| variant.info().name == info.name)
        .collect()
}

/// The address of a game's section, as GitHub makes it from the heading.
fn anchor(info: &GameInfo) -> String {
    let title = info.title.to_lowercase();
    let kept = title
        .chars()
        .filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-'));
    kept.map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

fn add_game(info: &'static GameInfo, page: &mut String) {
    let presets = presets(info);
    let _ = write!(
        page,
        "\n## {title}\n\n{summary} Name: `{syntax}`. The text of the rules with all options: [{file}](../{file}).\n",
        title = info.title,
        summary = info.summary,
        syntax = info.syntax,
        file = rules_file(info),
    );
    if let [(variant, preset), ..] = presets[..] {
        let mut state = AnyGameState::new(variant);
        for mv in preset.sample {
            state.play(mv).unwrap_or_else(|error| panic!("{error}"));
        }
        let _ = write!(page, "\n```text\n{}```\n", state.render());
        page.push_str(&rules(variant));
        for example in variant.examples() {
            let (title, text) = (&example.title, &example.text);
            let state = example.state(variant);
            let state = state.unwrap_or_else(|| panic!("{variant}: {example:?}"));
            let drawing = state.render();
            let _ = write!(page, "\n**{title}.** {text}\n\n```text\n{drawing}```\n");
        }
    }
    let aliases = presets
        .iter()
        .filter(|(_, preset)| !preset.aliases.is_empty());
    for (_, preset) in aliases {
        let names = preset.aliases.iter().map(|name| format!("`{name}`"));
        let names = names.collect::<Vec<_>>().join(", ");
        let _ = write!(page, "\nOther names for `{}`: {names}.\n", preset.name);
    }
    if !info.options.is_empty() {
        page.push_str("\n| option | written as | |\n|---|---|---|\n");
        for option in info.options {
            add_option(info, option, page);
        }
    }
}

/// The rules of a variant, with each heading in front of its section.
fn rules(variant: Variant) -> String {
    let mut text = String::new();
    let rules = variant.rules_text();
    let mut heading = String::new();
    for paragraph in rules.split("\n\n") {
        match paragraph.strip_prefix("## ") {
            Some(title) => heading = format!("**{title}.** "),
            None => {
                let _ = write!(text, "\n{heading}{paragraph}\n");
                heading.clear();
            }
        }
    }
    text
}

fn add_option(info: &GameInfo, option: &OptionSpec, page: &mut String) {
    let label = option.label;
    if let OptionKind::Words(words) = option.kind {
        for value in 0..words.len() as u8 {
            let spelled = match option.spell(value) {
                word if word.is_empty() => "nothing".to_owned(),
                word => format!("`{word}`"),
            };
            let is_default = option.default == OptionDefault::Value(value);
            let default = if is_default { " (default)" } else { "" };
            let about = option.description(value);
            let _ = writeln!(page, "| {label} | {spelled}{default} | {about} |");
        }
        return;
    }
    let written = match option.key {
        "" => option.name.to_owned(),
        key => format!("{key}N"),
    };
    let default = match option.default {
        OptionDefault::Required => "required".to_owned(),
        OptionDefault::Value(value) => format!("default {value}"),
        OptionDefault::SameAs(other) => format!("default: as {}", info.options[other].name),
    };
    let (values, about) = (option.allowed_values(), option.description(0));
    let _ = writeln!(
        page,
        "| {label} | `{written}`: {values}; {default} | {about} |"
    );
}

/// The file with the rules of a game: the one that has its text.
fn rules_file(info: &GameInfo) -> String {
    fn find(folder: &Path, text: &str) -> Option<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths.into_iter().find_map(|path| {
            if path.is_dir() {
                return find(&path, text);
            }
            let is_text = path.extension().is_some_and(|end| end == "md");
            (is_text && fs::read_to_string(&path).ok()? == text).then_some(path)
        })
    }
    let root = root();
    let file = find(&root.join("crates/rules/src/games"), info.rules);
    let file = file.unwrap_or_else(|| panic!("{}: no file has its rules", info.name));
    let path = file.strip_prefix(&root).expect("it is inside");
    path.display().to_string()
}
