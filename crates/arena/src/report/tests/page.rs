//! The page: well formed, safe, small and self-contained.

use std::collections::HashSet;
use std::path::Path;

use super::{games, plan};
use crate::plan::{Plan, Scoring, Sprt};
use crate::played_game::{EndReason, PlayedGame};
use crate::report::{TournamentReport, render_html};
use noughts_rules::{Outcome, Side};

const HOSTILE_NAME: &str = "</script><b onclick=\"x\">&'`<!--";

fn page(plan: &Plan, games: &[PlayedGame]) -> String {
    render_html(&TournamentReport {
        title: "A report",
        created: Some("today"),
        plan,
        games,
    })
    .expect("a known game")
}

/// The JSON for the script.
fn data(page: &str) -> serde_json::Value {
    let from = page.find("id=\"data\">").expect("data") + "id=\"data\">".len();
    let to = from + page[from..].find("</script>").expect("an end");
    serde_json::from_str(&page[from..to]).expect("JSON")
}

/// The elements of the page in order, without the contents of style and script. Panics unless all
/// are closed and properly nested.
fn elements(page: &str) -> Vec<(String, String)> {
    const VOID: [&str; 2] = ["meta", "br"];
    let mut open: Vec<String> = Vec::new();
    let mut all = Vec::new();
    let mut rest = page.strip_prefix("<!doctype html>").expect("a page");
    while let Some(position) = rest.find('<') {
        assert!(
            !rest[..position].contains('>'),
            "a bare `>` in {:?}",
            &rest[..position]
        );
        rest = &rest[position + 1..];
        let end = rest.find('>').expect("an end");
        let inside = &rest[..end];
        rest = &rest[end + 1..];
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(
                open.pop().as_deref(),
                Some(name),
                "before {}",
                &rest[..60.min(rest.len())]
            );
            continue;
        }
        let is_empty = inside.ends_with('/');
        let (name, attributes) = inside.split_once(' ').unwrap_or((inside, ""));
        let name = name.trim_end_matches('/');
        all.push((name.to_owned(), attributes.to_owned()));
        if is_empty || VOID.contains(&name) {
            continue;
        }
        if name == "style" || name == "script" {
            let close = format!("</{name}>");
            let end = rest.find(&close).expect("an end");
            rest = &rest[end + close.len()..];
        } else {
            open.push(name.to_owned());
        }
    }
    assert_eq!(open, Vec::<String>::new());
    all
}

fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let from = attributes.find(&format!("{name}=\""))? + name.len() + 2;
    attributes[from..].split('"').next()
}

fn tournament() -> (Plan, Vec<PlayedGame>) {
    let mut plan = plan(
        "ultimate",
        &[
            "mcts",
            HOSTILE_NAME,
            "alpha-beta",
            "ein sehr langer Name eines Bots",
        ],
    );
    plan.scoring = Scoring::Penalty;
    let mut games = games(&plan, 6, 3);
    (games[5].outcome, games[5].reason) = (Outcome::Win(Side::X), EndReason::Crash);
    games[5].note = Some(HOSTILE_NAME.into());
    (plan, games)
}

fn tested() -> (Plan, Vec<PlayedGame>) {
    let mut plan = plan("tic-tac-two", &["new", "old"]);
    plan.sprt = Some(Sprt {
        elo0: 0.0,
        elo1: 30.0,
        alpha: 0.05,
        beta: 0.05,
    });
    let games = games(&plan, 120, 4);
    (plan, games)
}

#[test]
fn the_page_is_well_formed_and_labeled() {
    let empty = plan("classic", &["a", "b"]);
    for (plan, games) in [tournament(), tested(), (empty, Vec::new())] {
        let page = page(&plan, &games);
        let all = elements(&page);
        // IDs are unique, and references point to existing ones.
        let ids: Vec<&str> = all.iter().filter_map(|(_, a)| attribute(a, "id")).collect();
        let different: HashSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), different.len());
        for (name, attributes) in &all {
            for label in attribute(attributes, "aria-labelledby")
                .into_iter()
                .flat_map(|a| a.split(' '))
            {
                assert!(different.contains(label), "{label}");
            }
            if let Some(href) = attribute(attributes, "href") {
                let to = href.strip_prefix('#').expect("nothing outside is linked");
                assert!(different.contains(to) || to.starts_with('g'), "{to}");
            }
            if name == "th" {
                assert!(attribute(attributes, "scope").is_some());
            }
            if attributes.contains("role=\"img\"") {
                assert!(attribute(attributes, "aria-labelledby").is_some());
            }
        }
        let count = |name: &str| all.iter().filter(|(other, _)| other == name).count();
        assert_eq!(
            (count("h1"), count("main"), count("title")),
            (1, 1, 1 + count("desc"))
        );
        assert_eq!(
            data(&page)["games"].as_array().map(Vec::len),
            Some(games.len())
        );
    }
}

#[test]
fn the_page_loads_nothing() {
    let (plan, games) = tournament();
    let page = page(&plan, &games);
    for outside in [
        "http:", "https:", "src=", "url(", "@import", "fetch(", "XMLHttp", "import(",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn bot_names_are_escaped() {
    let (plan, games) = tournament();
    let page = page(&plan, &games);
    // Only the closing tags of the page's own two scripts.
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<b ") && !page.contains("<!--"));
    let data = data(&page);
    assert_eq!(data["bots"][1], HOSTILE_NAME);
    // The name is still readable.
    assert!(page.contains("&lt;/script&gt;&lt;b onclick=&quot;x&quot;&gt;&amp;'`&lt;!--"));
    // The title is also untrusted.
    let titled = render_html(&TournamentReport {
        title: HOSTILE_NAME,
        created: Some(HOSTILE_NAME),
        plan: &plan,
        games: &[],
    });
    let titled = titled.expect("a known game");
    assert_eq!(titled.matches("</script>").count(), 2);
}

/// A plan of a game that isn't registered got a classic board.
#[test]
fn an_unknown_game_has_no_page() {
    let (mut plan, games) = tournament();
    plan.variant = "treblecross".into();
    let page = render_html(&TournamentReport {
        title: "A report",
        created: None,
        plan: &plan,
        games: &games,
    });
    let error = page.expect_err("an unknown game").to_string();
    assert!(error.contains("treblecross"), "{error}");
}

#[test]
fn sections_appear_when_they_have_content() {
    let (plan, all) = tournament();
    let many = page(&plan, &all);
    for part in [
        "id=\"cross\"",
        ">Penalty<",
        "Slowest moves",
        "Games lost because a bot failed",
        "href=\"#g",
    ] {
        assert!(many.contains(part), "{part}");
    }
    assert!(!many.contains("id=\"sprt\""));
    let (plan, all) = tested();
    let two = page(&plan, &all);
    assert!(two.contains("id=\"sprt\"") && two.contains("Results of new vs old"));
    assert!(!two.contains("id=\"cross\""));
}

/// The conclusion comes first, and there is no `nan`.
#[test]
fn the_page_starts_with_a_conclusion() {
    let empty = plan("classic", &["a", "b"]);
    let three = plan("classic", &["a", "b", "c"]);
    let wins = plan("classic", &["good", "bad"]);
    let mut won = games(&wins, 12, 8);
    for game in &mut won {
        let side = if game.key.swapped { Side::O } else { Side::X };
        (game.outcome, game.reason, game.note) = (Outcome::Win(side), EndReason::Line, None);
    }
    let expected = [
        "No games have been played yet.",
        "No games have been played yet.",
        "good is better than bad: it scored 100% in 24 games",
    ];
    let reports = [(empty, Vec::new()), (three, Vec::new()), (wins, won)];
    for ((plan, games), expected) in reports.into_iter().zip(expected) {
        let page = page(&plan, &games);
        let body = &page[page.find("<main").expect("a body")..page.find("<script").expect("data")];
        let verdict = body.find("class=\"verdict\"").expect("a verdict");
        assert!(
            body[verdict..].starts_with(&format!("class=\"verdict\">{expected}")),
            "{body}"
        );
        assert!(Some(verdict) < body.find("<pre"));
        // The block below is for scripts.
        let (before, rest) = body.split_once("<pre").expect("the block");
        let (_, after) = rest.split_once("</pre>").expect("its end");
        for part in [before, after] {
            let words = part.split(|c: char| !c.is_alphanumeric());
            assert!(
                words
                    .into_iter()
                    .all(|word| !["nan", "NaN", "inf"].contains(&word)),
                "{part}"
            );
        }
    }
}

#[test]
fn the_data_contains_every_move() {
    let (plan, all) = tested();
    let data = data(&page(&plan, &all));
    for (game, row) in all.iter().zip(data["games"].as_array().expect("games")) {
        let words = |i: usize| -> Vec<&str> { row[i].as_str().expect("text").split(' ').collect() };
        assert_eq!(words(9), game.state.moves());
        assert_eq!(words(10).len(), game.state.ply());
        assert_eq!(words(11).len(), game.move_info.len());
        assert_eq!(words(12).len(), game.move_info.len());
        assert_eq!(row[0], plan.game_number(&game.key));
        assert_eq!(row[6], game.opening_plies);
        assert_eq!(row[7], game.state.ply());
    }
}

/// The size of a page with this many rounds of ultimate.
fn page_size(rounds: u32) -> usize {
    let plan = plan("ultimate", &["one bot", "another"]);
    page(&plan, &games(&plan, rounds, 5)).len()
}

#[test]
fn ten_thousand_games_are_below_15_megabytes() {
    let bytes_per_game = (page_size(200) - page_size(100)) / 200;
    assert!(bytes_per_game < 1450, "{bytes_per_game} bytes a game");
}

#[test]
#[ignore = "soak"]
fn soak_ten_thousand_games_are_below_15_megabytes() {
    let all = page_size(5000);
    println!("10,000 games of ultimate: {all} bytes");
    assert!(all < 15_000_000);
}

/// Writes pages for manual inspection: `NOUGHTS_REPORTS=some/folder`.
#[test]
fn write_pages_for_inspection() {
    let Some(folder) = std::env::var_os("NOUGHTS_REPORTS") else {
        return;
    };
    let deep = plan("ception:depth=4", &["a", "b"]);
    let flat = plan("mnk:15,15,5", &["a", "b"]);
    let deep_games = games(&deep, 2, 6);
    let flat_games = games(&flat, 10, 7);
    for (name, (plan, games)) in [
        ("tournament", tournament()),
        ("tested", tested()),
        ("deep", (deep, deep_games)),
        ("flat", (flat, flat_games)),
    ] {
        let path = Path::new(&folder).join(format!("{name}.html"));
        std::fs::write(path, page(&plan, &games)).expect("a folder that can be written to");
    }
}
