//! Every page in many states, for tests: what must hold of all markup, and pictures
//! to look at. `NOUGHTS_GALLERY=folder cargo test -p noughts-server gallery` writes
//! the pages there, with the styles in them.

use std::collections::BTreeSet;
use std::time::Duration;

use maud::Markup;
use noughts_engine::Tablebases;
use noughts_rules::{AnyGameState, Outcome, Side, Variant};
use noughts_store::{GameId, Name, PlayerPage, PlayerRecord, Seat, Tally, Termination, Timestamp};

use super::layout;
use super::pages::{self, AnalysisSetup, GameList, NewGameForm};
use super::parts::{ViewOptions, default_seats, unsaved_snapshot};
use crate::error::{Error, Kind};
use crate::live::{GameSnapshot, Offer, OfferKind, ViewerRole};

const UID: &str = "0123456789abcdef0123456789abcdef";
const EVIL: &str = "<b>\"&'x";

fn person(name: &str) -> Seat {
    Seat::Player(Name::new(name).expect("a name"))
}

fn played(variant: &str, moves: &str) -> AnyGameState {
    let mut play = AnyGameState::new(variant.parse().expect("a variant"));
    for mv in moves.split_whitespace() {
        play.play(mv).expect("legal");
    }
    play
}

/// A stored game.
fn game(variant: &str, moves: &str, seats: [Seat; 2]) -> GameSnapshot {
    let play = played(variant, moves);
    let tally = Tally {
        wins: 12,
        losses: 3,
        draws: 9,
    };
    GameSnapshot {
        ids: Some((UID.into(), GameId(7))),
        tallies: seats
            .each_ref()
            .map(|seat| seat.player_name().map(|_| tally)),
        move_times: vec![Duration::from_millis(1234); play.ply()],
        ..unsaved_snapshot(play, seats)
    }
}

const X: ViewerRole = you(true, false);
const BOTH: ViewerRole = you(true, true);
const NOBODY: ViewerRole = you(false, false);
const HOST: ViewerRole = ViewerRole {
    host: true,
    ..NOBODY
};

const fn you(x: bool, o: bool) -> ViewerRole {
    ViewerRole { x, o, host: false }
}

/// Thirty moves of a game, each the middle one of the legal ones.
fn some(variant: &str, many: usize) -> String {
    let mut play = AnyGameState::new(variant.parse().expect("a variant"));
    for i in 0..many {
        let moves = play.legal_moves();
        let Some(mv) = moves.get((i * 7 + 3) % moves.len().max(1)) else {
            break;
        };
        play.play(mv).expect("legal");
    }
    play.moves().join(" ")
}

fn tables() -> Vec<(&'static str, GameSnapshot, ViewerRole, ViewOptions)> {
    let look = ViewOptions::default;
    let bot = |name: &str| Seat::Bot(name.into());
    let mut offered = game("ultimate", "ee ea ae", [person("Ada"), person("Grace")]);
    offered.is_online = true;
    offered.offer = Some(Offer {
        kind: OfferKind::Draw,
        by: Side::O,
    });
    let mut invited = game("tic-tac-two", "", [person("Ada"), Seat::Guest]);
    invited.invited = [false, true];
    invited.is_online = true;
    let link = ViewOptions {
        invite_link: Some(format!("https://example.org/join/{UID}/{UID}")),
        ..look()
    };
    let mut thinking = game("classic", "b2", [person("Ada"), bot("hard")]);
    thinking.thinking = true;
    let mut resigned = game("classic", "b2 a1", [person("Ada"), person("Grace")]);
    resigned.over = Some((Some(Outcome::Win(Side::O)), Termination::Resigned));
    let mut watched = game(
        "mnk:15,15,5",
        &some("mnk:15,15,5", 12),
        [bot("best"), bot("mcts")],
    );
    watched.paused = true;
    let back = ViewOptions {
        ply: Some(2),
        ..look()
    };
    let deep = ViewOptions {
        path: "e".into(),
        ..look()
    };
    let mut away = game(
        "ultimate",
        &some("ultimate", 40),
        [person("Ada"), person(EVIL)],
    );
    away.is_online = true;
    away.connected = [true, false];
    vec![
        (
            "classic",
            game("classic", "b2 a1", [person("Ada"), bot("medium")]),
            X,
            look(),
        ),
        ("thinking", thinking, X, look()),
        (
            "won",
            game("classic", "b2 a1 c1 a2 a3", [person("Ada"), bot("medium")]),
            X,
            look(),
        ),
        (
            "lost",
            game(
                "classic",
                "a1 b2 a2 c1 b1 a3",
                [person("Ada"), bot("medium")],
            ),
            X,
            look(),
        ),
        (
            "drawn",
            game(
                "classic",
                "b2 a1 c1 a3 a2 c2 b3 b1 c3",
                [person("Ada"), person("Grace")],
            ),
            BOTH,
            look(),
        ),
        ("resigned", resigned, NOBODY, look()),
        (
            "back",
            game("classic", "b2 a1 c1 a2 a3", [person("Ada"), bot("medium")]),
            X,
            back,
        ),
        (
            "two",
            game(
                "tic-tac-two",
                "c3 b2 d4 b3 @d3",
                [person("Ada"), person("Grace")],
            ),
            BOTH,
            look(),
        ),
        ("invited", invited, X, link),
        (
            "ultimate",
            game(
                "ultimate",
                &some("ultimate", 30),
                [person("Ada"), bot("hard")],
            ),
            X,
            look(),
        ),
        ("away", away, X, look()),
        ("offered", offered, X, look()),
        ("watched", watched, HOST, look()),
        (
            "deep",
            game(
                "ception:depth=3",
                &some("ception:depth=3", 25),
                [person("Ada"), bot("easy")],
            ),
            X,
            deep,
        ),
        (
            "deepest",
            game(
                "ception:depth=6",
                &some("ception:depth=6", 4),
                [person("Ada"), bot("easy")],
            ),
            X,
            look(),
        ),
    ]
}

fn record() -> PlayerRecord {
    let tally = Tally {
        wins: 4,
        losses: 2,
        draws: 1,
    };
    PlayerRecord {
        name: Name::new("Ada").expect("a name"),
        since: Timestamp::from_millis(1_794_771_067_250),
        total: tally + tally,
        by_variant: vec![(Variant::CLASSIC, tally), (Variant::ULTIMATE, tally)],
        by_opponent: vec![
            (person(EVIL), tally),
            (Seat::Bot("hard".into()), tally),
            (Seat::Deleted, tally),
        ],
        has_more: false,
    }
}

pub(super) fn gallery() -> Vec<(String, Markup)> {
    let mut all: Vec<(String, Markup)> = tables()
        .into_iter()
        .map(|(name, snapshot, you, look)| {
            let state = layout::script_json(&EVIL);
            let page = pages::game(&snapshot, you, &look, state, &Tablebases::default());
            (format!("game-{name}"), page)
        })
        .collect();
    let fields = |text: &str| -> Vec<(String, String)> {
        let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
        pairs.map(|(a, b)| (a.into(), b.into())).collect()
    };
    let set = |text: &str| {
        pages::new_game(
            &NewGameForm::from_fields(&fields(text)),
            &Tablebases::default(),
        )
    };
    let waits = game("ultimate", "", [person(EVIL), Seat::Guest]);
    let people = [("Ada", 3), (EVIL, 0)].map(|(name, wins)| {
        let tally = Tally {
            wins,
            ..Tally::default()
        };
        (Name::new(name).expect("a name"), tally)
    });
    let people = PlayerPage {
        players: people.to_vec(),
        next: "1700000000000-12-3".parse().ok(),
    };
    let empty = GameList {
        player: EVIL.into(),
        variant: EVIL.into(),
        error: Some("that is no game".into()),
        has_newer: true,
        ..GameList::default()
    };
    let trouble = Error::new(Kind::NotFound, "there is no page at this address");
    let more = [
        ("home", pages::home(&[])),
        ("new", set("")),
        (
            "new-two",
            set("variant=tic-tac-two&pieces=6&p1-kind=computer"),
        ),
        (
            "new-mnk",
            set("variant=mnk:3,3,3&line=5&p2-kind=person&p2-name=<b>"),
        ),
        ("new-nested", set("variant=ception:4b,5d,depth=3")),
        ("join", pages::join(&waits, UID, UID, Side::O)),
        (
            "analysis",
            pages::analysis(&AnalysisSetup::from_form("classic", "", "b2 a1")),
        ),
        (
            "analysis-wrong",
            pages::analysis(&AnalysisSetup::from_form("ultimate", EVIL, "ee")),
        ),
        ("games-empty", pages::games(&empty)),
        ("players", pages::players(&people, true)),
        ("player", pages::player(&record(), 0, None)),
        ("rules", pages::rules_index()),
        ("rules-two", pages::variant_rules(Variant::TIC_TAC_TWO)),
        ("rules-ultimate", pages::variant_rules(Variant::ULTIMATE)),
        ("session", pages::session("0123456789abcdef")),
        ("error", super::error_page(&trouble)),
    ];
    all.extend(more.map(|(name, page)| (name.to_owned(), page)));
    all
}

/// The opening tags of a page, as `name` and `attribute="value"` texts.
fn tags(page: &str) -> Vec<(&str, Vec<(&str, &str)>)> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some((_, behind)) = rest.split_once('<') {
        rest = behind;
        if behind.starts_with(['/', '!']) {
            continue;
        }
        let end = behind.find([' ', '>']).unwrap_or(behind.len());
        let (name, mut inside) = behind.split_at(end);
        let mut attributes = Vec::new();
        while let Some(attribute) = inside.strip_prefix(' ') {
            let end = attribute.find(['=', ' ', '>']).unwrap_or(attribute.len());
            let (key, behind) = attribute.split_at(end);
            match behind.strip_prefix("=\"") {
                Some(value) => {
                    let (value, behind) = value.split_once('"').unwrap_or((value, ""));
                    attributes.push((key, value));
                    inside = behind;
                }
                None => {
                    attributes.push((key, ""));
                    inside = behind;
                }
            }
        }
        tags.push((name, attributes));
        rest = inside;
    }
    tags
}

#[test]
fn ids_are_unique_and_what_is_referred_to_is_there() {
    for (name, page) in gallery() {
        let tags = tags(&page.0);
        let of = |attribute: &str| -> Vec<&str> {
            let all = tags.iter().flat_map(|(_, attributes)| attributes);
            all.filter(|(key, _)| *key == attribute)
                .map(|(_, value)| *value)
                .collect()
        };
        let ids = of("id");
        let known: BTreeSet<&str> = ids.iter().copied().collect();
        let twice = ids
            .iter()
            .filter(|id| ids.iter().filter(|other| other == id).count() > 1);
        assert_eq!(twice.collect::<Vec<_>>(), Vec::<&&str>::new(), "{name}");
        for reference in ["for", "aria-labelledby", "aria-describedby", "list"] {
            for id in of(reference) {
                // The heading of the dialog at the end comes with the end.
                let later = id == "end-title";
                assert!(known.contains(id) || later, "{name}: {reference}={id}");
            }
        }
        let h1 = tags.iter().filter(|(tag, _)| *tag == "h1").count();
        assert_eq!(h1, 1, "{name}");
    }
}

/// The Content-Security-Policy refuses what is written into the page.
#[test]
fn no_page_has_code_or_styles_in_it() {
    for (name, page) in gallery() {
        for (tag, attributes) in tags(&page.0) {
            assert_ne!(tag, "style", "{name}");
            for (key, value) in &attributes {
                assert!(
                    !key.starts_with("on") && *key != "style",
                    "{name}: {tag} {key}"
                );
                assert!(!value.starts_with("javascript:"), "{name}: {value}");
            }
            if tag == "script" {
                let data = attributes.contains(&("type", "application/json"));
                let file = attributes.iter().any(|(key, _)| *key == "src");
                assert!(data || file, "{name}: a script of its own");
            }
        }
    }
}

#[test]
fn nothing_from_people_is_markup() {
    for (name, page) in gallery() {
        assert!(!page.0.contains("<b>\"&"), "{name}");
        assert!(!page.0.contains("\"<b>"), "{name}");
    }
}

/// Whatever has a button's role has a name that can be read out.
#[test]
fn buttons_and_links_have_names() {
    for (name, page) in gallery() {
        for tag in ["button", "a"] {
            for part in page.0.split(&format!("<{tag} ")).skip(1) {
                let (attributes, behind) = part.split_once('>').unwrap_or((part, ""));
                let inside = behind.split(&format!("</{tag}>")).next().unwrap_or("");
                let mut text = String::new();
                let mut outside = true;
                for letter in inside.chars() {
                    match letter {
                        '<' => outside = false,
                        '>' => outside = true,
                        _ if outside => text.push(letter),
                        _ => {}
                    }
                }
                let named = attributes.contains("aria-label=") || !text.trim().is_empty();
                assert!(named, "{name}: <{tag} {attributes}>");
            }
        }
    }
}

#[test]
fn sentences_say_what_happened_and_what_is_expected() {
    let said = |name: &str| {
        let (_, snapshot, you, look) = tables()
            .into_iter()
            .find(|(table, ..)| *table == name)
            .expect("a table");
        let parts = super::render_parts(&snapshot, you, &look);
        let (_, say) = parts
            .into_iter()
            .find(|(id, _)| *id == "say")
            .expect("a part");
        say.0
            .replace("<p>", "")
            .replace("</p>", "")
            .replace("<b>", "")
            .replace("</b>", "")
    };
    for (name, expected) in [
        (
            "classic",
            "medium played a1. Your move: take an empty cell; 3 in a row wins.",
        ),
        ("thinking", "Ada played b2. hard is thinking…"),
        ("won", "Ada played a3. Ada (X) wins: a line is complete."),
        ("drawn", "Ada played c3. A draw: no legal move is left."),
        ("resigned", "Grace (O) wins: Ada resigned."),
        ("back", "Move 2 of 5: medium (O) played a1."),
        (
            "invited",
            "Waiting for your friend. The game begins when somebody has opened the link.",
        ),
        (
            "offered",
            "Ada played ae: Grace is sent to board e. Grace is to move.",
        ),
        (
            "watched",
            "mcts played g10. Paused before the move of best.",
        ),
    ] {
        assert_eq!(said(name), expected, "{name}");
    }
}

/// Seed 002: the dialog congratulates or consoles.
#[test]
fn the_end_is_told_to_who_looks() {
    let won = game(
        "classic",
        "b2 a1 c1 a2 a3",
        [person("Ada"), person("Grace")],
    );
    for (you, title) in [
        (X, "Congratulations, Ada!"),
        (you(false, true), "Not this time, Grace"),
        (BOTH, "Congratulations, Ada!"),
        (NOBODY, "Ada (X) wins"),
    ] {
        let parts = super::render_parts(&won, you, &ViewOptions::default());
        let (_, end) = parts
            .into_iter()
            .find(|(id, _)| *id == "end")
            .expect("a part");
        assert!(end.0.contains(title), "{title}: {}", end.0);
    }
}

/// Whoever only watches is not offered what would be refused.
#[test]
fn only_the_host_holds_computers() {
    let show = game(
        "classic",
        "b2 a1",
        ["easy", "hard"].map(|name| Seat::Bot(name.into())),
    );
    for (you, holds) in [(HOST, true), (NOBODY, false)] {
        let parts = super::render_parts(&show, you, &ViewOptions::default());
        let all: String = parts.into_iter().map(|(_, part)| part.0).collect();
        for does in ["pause", "slower", "faster", "undo"] {
            let offered = all.contains(&format!("data-do=\"{does}\""));
            assert_eq!(offered, holds, "{does} for {you:?}");
        }
    }
}

/// Boards that were won send elsewhere, and the sentence gives the reason.
#[test]
fn a_won_board_says_why_one_may_play_anywhere() {
    let text = "....o..../..o....../........./..o....../xxx....../........./........./........./......... - x -";
    let mut play = AnyGameState::from_text(Variant::ULTIMATE, text).expect("a position");
    play.play("ie").expect("legal");
    let mut snapshot = unsaved_snapshot(play, default_seats());
    snapshot.seats = [person("Ada"), person("Grace")];
    let parts = super::render_parts(&snapshot, X, &ViewOptions::default());
    let (_, say) = parts
        .into_iter()
        .find(|(id, _)| *id == "say")
        .expect("a part");
    let told = "Board <b>e</b> is won (5b): <b>Grace</b> plays anywhere else.";
    assert!(say.0.contains(told), "{}", say.0);
}

#[test]
fn gallery_is_written_where_it_is_asked_for() {
    let Ok(folder) = std::env::var("NOUGHTS_GALLERY") else {
        return;
    };
    let web = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web");
    let styles = ["page.css", "board.css"]
        .map(|file| std::fs::read_to_string(format!("{web}/{file}")).unwrap_or_default());
    let styles = format!("<style>{}{}</style></head>", styles[0], styles[1]);
    for (name, page) in gallery() {
        let page = page.0.replace("</head>", &styles);
        std::fs::write(format!("{folder}/{name}.html"), page).expect("written");
    }
}
