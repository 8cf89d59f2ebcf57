//! Every page in many states, for tests of all markup and for looking at.
//! `NOUGHTS_GALLERY=folder cargo test -p noughts-server gallery` writes the pages there,
//! with the styles embedded.

use std::collections::BTreeSet;
use std::time::Duration;

use maud::Markup;
use noughts_engine::Tablebases;
use noughts_rules::{AnyGameState, Outcome, Side, Termination, Variant, games};
use noughts_store::{GameId, Name, PlayerPage, PlayerRecord, Seat, Tally, Timestamp};

use super::layout;
use super::pages::{self, AnalysisSetup, GameList, GameListFilter, NewGameForm};
use super::parts::default_seats;
use crate::error::ApiErrorKind;
use crate::live::{GameSnapshot, Offer, Viewer};
use noughts_wire::OfferKind;

const UID: &str = "0123456789abcdef0123456789abcdef";
const UNSAFE: &str = "<b>\"&'x";

fn human(name: &str) -> Seat {
    Seat::Player(Name::new(name).expect("a name"))
}

fn state_after(variant: &str, moves: &str) -> AnyGameState {
    let mut state = AnyGameState::new(variant.parse().expect("a variant"));
    for mv in moves.split_whitespace() {
        state.play(mv).expect("legal");
    }
    state
}

/// A snapshot of a saved game.
fn saved_game(variant: &str, moves: &str, seats: [Seat; 2]) -> GameSnapshot {
    let state = state_after(variant, moves);
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
        move_times: vec![Duration::from_millis(1234); state.ply()].into(),
        ..GameSnapshot::unsaved(state, seats)
    }
}

const X: Viewer = viewer(true, false, false);
const BOTH: Viewer = viewer(true, true, false);
const SPECTATOR: Viewer = viewer(false, false, false);
const INVITE: noughts_store::Invite = noughts_store::Invite {
    code_hash: [0; 32],
    encrypted_code: None,
};
const HOST: Viewer = viewer(false, false, true);

const fn viewer(x: bool, o: bool, host: bool) -> Viewer {
    Viewer {
        x,
        o,
        host,
        path: String::new(),
        ply: None,
        invite_link: None,
    }
}

/// The first moves of an arbitrary game.
fn arbitrary_moves(variant: &str, count: usize) -> String {
    let mut state = AnyGameState::new(variant.parse().expect("a variant"));
    for i in 0..count {
        let moves = state.legal_moves();
        let Some(mv) = moves.get((i * 7 + 3) % moves.len().max(1)) else {
            break;
        };
        state.play(mv).expect("legal");
    }
    state.moves().join(" ")
}

fn snapshots() -> Vec<(&'static str, GameSnapshot, Viewer)> {
    let bot = |name: &str| Seat::Bot(name.into());
    let mut offered = saved_game("ultimate", "ee ea ae", [human("Ada"), human("Grace")]);
    offered.is_online = true;
    offered.offer = Some(Offer {
        kind: OfferKind::Draw,
        by: Side::O,
    });
    let mut invited = saved_game("tic-tac-two", "", [human("Ada"), Seat::Guest]);
    invited.claims.invites = [None, Some(INVITE)];
    invited.is_online = true;
    let link = Viewer {
        invite_link: Some(format!("https://example.org/join/{UID}/{UID}")),
        ..X
    };
    let mut thinking = saved_game("classic", "b2", [human("Ada"), bot("hard")]);
    thinking.thinking = true;
    let mut resigned = saved_game("classic", "b2 a1", [human("Ada"), human("Grace")]);
    resigned.over = Some((Some(Outcome::Win(Side::O)), Termination::Resigned));
    let mut watched = saved_game(
        "mnk:15,15,5",
        &arbitrary_moves("mnk:15,15,5", 12),
        [bot("best"), bot("mcts")],
    );
    watched.paused = true;
    let back = Viewer { ply: Some(2), ..X };
    let deep = Viewer {
        path: "4".into(),
        ..X
    };
    let mut away = saved_game(
        "ultimate",
        &arbitrary_moves("ultimate", 40),
        [human("Ada"), human(UNSAFE)],
    );
    away.is_online = true;
    away.connected = [true, false];
    vec![
        (
            "classic",
            saved_game("classic", "b2 a1", [human("Ada"), bot("medium")]),
            X,
        ),
        ("thinking", thinking, X),
        (
            "won",
            saved_game("classic", "b2 a1 c1 a2 a3", [human("Ada"), bot("medium")]),
            X,
        ),
        (
            "lost",
            saved_game(
                "classic",
                "a1 b2 a2 c1 b1 a3",
                [human("Ada"), bot("medium")],
            ),
            X,
        ),
        (
            "drawn",
            saved_game(
                "classic",
                "b2 a1 c1 a3 a2 c2 b3 b1 c3",
                [human("Ada"), human("Grace")],
            ),
            BOTH,
        ),
        ("resigned", resigned, SPECTATOR),
        (
            "back",
            saved_game("classic", "b2 a1 c1 a2 a3", [human("Ada"), bot("medium")]),
            back,
        ),
        (
            "two",
            saved_game(
                "tic-tac-two",
                "c3 b2 d4 b3 @d3",
                [human("Ada"), human("Grace")],
            ),
            BOTH,
        ),
        ("invited", invited, link),
        (
            "ultimate",
            saved_game(
                "ultimate",
                &arbitrary_moves("ultimate", 30),
                [human("Ada"), bot("hard")],
            ),
            X,
        ),
        ("away", away, X),
        ("offered", offered, X),
        ("watched", watched, HOST),
        (
            "deep",
            saved_game(
                "ception:depth=3",
                &arbitrary_moves("ception:depth=3", 25),
                [human("Ada"), bot("easy")],
            ),
            deep,
        ),
        (
            "deepest",
            saved_game(
                "ception:depth=6",
                &arbitrary_moves("ception:depth=6", 4),
                [human("Ada"), bot("easy")],
            ),
            X,
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
            (human(UNSAFE), tally),
            (Seat::Bot("hard".into()), tally),
            (Seat::Deleted, tally),
        ],
        has_more: false,
    }
}

pub(super) fn gallery() -> Vec<(String, Markup)> {
    let mut all: Vec<(String, Markup)> = snapshots()
        .into_iter()
        .map(|(name, snapshot, viewer)| {
            let state = layout::script_json(&UNSAFE);
            let page = pages::game(&snapshot, &viewer, state, &Tablebases::default());
            (format!("game-{name}"), page)
        })
        .collect();
    let fields = |text: &str| -> Vec<(String, String)> {
        let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
        pairs.map(|(a, b)| (a.into(), b.into())).collect()
    };
    let new_game_page = |text: &str| {
        pages::new_game(
            &NewGameForm::from_fields(&fields(text)),
            &Tablebases::default(),
        )
    };
    let invited_game = saved_game("ultimate", "", [human(UNSAFE), Seat::Guest]);
    let players = [("Ada", 3), (UNSAFE, 0)].map(|(name, wins)| {
        let tally = Tally {
            wins,
            ..Tally::default()
        };
        (Name::new(name).expect("a name"), tally)
    });
    let players = PlayerPage {
        players: players.to_vec(),
        next: "1700000000000-12-3".parse().ok(),
    };
    let empty = GameList {
        filter: GameListFilter {
            player: UNSAFE.into(),
            variant: UNSAFE.into(),
            before: Some(1),
            ..GameListFilter::default()
        },
        error: Some("this game doesn't exist".into()),
        ..GameList::default()
    };
    let error = ApiErrorKind::NotFound.error("this page doesn't exist");
    let other_pages = [
        ("home", pages::home(&[])),
        ("new", new_game_page("")),
        (
            "new-two",
            new_game_page("variant=tic-tac-two&pieces=6&p1-kind=computer"),
        ),
        (
            "new-mnk",
            new_game_page("variant=mnk:3,3,3&line=5&p2-kind=human&p2-name=<b>"),
        ),
        ("new-nested", new_game_page("variant=ception:4b,5d,depth=3")),
        ("join", pages::join(&invited_game, UID, UID, Side::O)),
        (
            "analysis",
            pages::analysis(&AnalysisSetup::from_form("classic", "", "b2 a1")),
        ),
        (
            "analysis-wrong",
            pages::analysis(&AnalysisSetup::from_form("ultimate", UNSAFE, "ee")),
        ),
        ("games-empty", pages::games(&empty)),
        ("players", pages::players(&players, true)),
        ("player", pages::player(&record(), 0, None)),
        ("rules", pages::rules_index()),
        ("rules-two", pages::variant_rules(Variant::TIC_TAC_TWO)),
        ("rules-ultimate", pages::variant_rules(Variant::ULTIMATE)),
        ("session", pages::session("0123456789abcdef")),
        ("error", super::error_page(&error)),
    ];
    all.extend(other_pages.map(|(name, page)| (name.to_owned(), page)));
    all
}

/// The opening tags of a page: each with its name and its attributes.
fn tags(page: &str) -> Vec<(&str, Vec<(&str, &str)>)> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once('<') {
        rest = after;
        if after.starts_with(['/', '!']) {
            continue;
        }
        let end = after.find([' ', '>']).unwrap_or(after.len());
        let (name, mut inside) = after.split_at(end);
        let mut attributes = Vec::new();
        while let Some(attribute) = inside.strip_prefix(' ') {
            let end = attribute.find(['=', ' ', '>']).unwrap_or(attribute.len());
            let (key, after) = attribute.split_at(end);
            match after.strip_prefix("=\"") {
                Some(value) => {
                    let (value, after) = value.split_once('"').unwrap_or((value, ""));
                    attributes.push((key, value));
                    inside = after;
                }
                None => {
                    attributes.push((key, ""));
                    inside = after;
                }
            }
        }
        tags.push((name, attributes));
        rest = inside;
    }
    tags
}

#[test]
fn ids_are_unique_and_references_resolve() {
    for (name, page) in gallery() {
        let tags = tags(&page.0);
        let values_of = |attribute: &str| -> Vec<&str> {
            let all = tags.iter().flat_map(|(_, attributes)| attributes);
            all.filter(|(key, _)| *key == attribute)
                .map(|(_, value)| *value)
                .collect()
        };
        let ids = values_of("id");
        let known: BTreeSet<&str> = ids.iter().copied().collect();
        let duplicates = ids
            .iter()
            .filter(|id| ids.iter().filter(|other| other == id).count() > 1);
        assert_eq!(
            duplicates.collect::<Vec<_>>(),
            Vec::<&&str>::new(),
            "{name}"
        );
        for reference in ["for", "aria-labelledby", "aria-describedby", "list"] {
            for id in values_of(reference) {
                // The game-over dialog's title is only rendered once the game is over.
                let is_rendered_later = id == "game-over-title";
                assert!(
                    known.contains(id) || is_rendered_later,
                    "{name}: {reference}={id}"
                );
            }
        }
        let h1 = tags.iter().filter(|(tag, _)| *tag == "h1").count();
        assert_eq!(h1, 1, "{name}");
    }
}

/// The Content-Security-Policy blocks inline scripts and styles.
#[test]
fn no_page_has_inline_scripts_or_styles() {
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
fn user_input_is_escaped() {
    for (name, page) in gallery() {
        assert!(!page.0.contains("<b>\"&"), "{name}");
        assert!(!page.0.contains("\"<b>"), "{name}");
    }
}

/// Every button and link needs an accessible name.
#[test]
fn buttons_and_links_have_accessible_names() {
    for (name, page) in gallery() {
        for tag in ["button", "a"] {
            for part in page.0.split(&format!("<{tag} ")).skip(1) {
                let (attributes, after) = part.split_once('>').unwrap_or((part, ""));
                let inside = after.split(&format!("</{tag}>")).next().unwrap_or("");
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
fn status_text_describes_last_move_and_turn() {
    let status_of = |name: &str| {
        let (_, snapshot, viewer) = snapshots()
            .into_iter()
            .find(|(snapshot_name, ..)| *snapshot_name == name)
            .expect("a snapshot of this name");
        let parts = super::render_parts(&snapshot, &viewer);
        let (_, status) = parts
            .into_iter()
            .find(|(id, _)| *id == "status")
            .expect("a part");
        status
            .0
            .replace("<p>", "")
            .replace("</p>", "")
            .replace("<b>", "")
            .replace("</b>", "")
    };
    for (name, expected) in [
        (
            "classic",
            "Medium played a1. Your turn: take an empty cell; 3 in a row wins.",
        ),
        ("thinking", "Ada played b2. Hard is thinking…"),
        ("won", "Ada played a3. Ada (X) wins: three in a row."),
        ("drawn", "Ada played c3. Draw: the board is full."),
        ("resigned", "Grace (O) wins: Ada resigned."),
        ("back", "Move 2 of 5: Medium (O) played a1."),
        (
            "invited",
            "Waiting for your opponent to open the invite link.",
        ),
        ("offered", "Ada played ae. It's Grace's turn in board e."),
        ("watched", "mcts played g10. Paused. Next to move: Best."),
    ] {
        assert_eq!(status_of(name), expected, "{name}");
    }
}

/// Guards against "Guest (X) (X)".
#[test]
fn two_guests_are_told_apart_once() {
    let snapshot = saved_game("gobblers", "", [Seat::Guest, Seat::Guest]);
    let parts = super::render_parts(&snapshot, &BOTH);
    let (_, status) = parts
        .into_iter()
        .find(|(id, _)| *id == "status")
        .expect("a part");
    assert!(status.0.contains("<b>Guest</b> (X): "), "{}", status.0);
}

/// The dialog congratulates the winner and consoles the loser.
#[test]
fn game_over_dialog_addresses_the_viewer() {
    let won = saved_game("classic", "b2 a1 c1 a2 a3", [human("Ada"), human("Grace")]);
    for (role, title) in [
        (X, "Congratulations, Ada!"),
        (viewer(false, true, false), "Not this time, Grace"),
        (BOTH, "Congratulations, Ada!"),
        (SPECTATOR, "Ada (X) wins"),
    ] {
        let parts = super::render_parts(&won, &role);
        let (_, end) = parts
            .into_iter()
            .find(|(id, _)| *id == "game-over")
            .expect("a part");
        assert!(end.0.contains(title), "{title}: {}", end.0);
    }
}

/// The buttons of pieces start moves, so only those of the player to move can be pressed.
#[test]
fn only_the_player_to_move_can_use_their_reserve() {
    let with_reserve = games::presets().into_iter().filter(|(variant, _)| {
        let state = AnyGameState::new(*variant);
        !state.view().reserve(Side::X).is_empty()
    });
    let mut checked = 0;
    for (variant, _) in with_reserve {
        let snapshot = GameSnapshot::unsaved(AnyGameState::new(variant), default_seats());
        for (viewer, side, is_enabled) in [(X, "x", true), (X, "o", false), (SPECTATOR, "x", false)]
        {
            let parts = super::render_parts(&snapshot, &viewer);
            let id = format!("panel-{side}");
            let panel = parts.into_iter().find(|(part, _)| **part == *id);
            let panel = panel.expect("a part").1.0;
            let start = panel.find("<button class=\"reserve\"").expect("a button");
            let button = &panel[start..][..panel[start..].find('>').expect("its end")];
            assert!(button.contains("data-target=\"="), "{variant}: {button}");
            assert_eq!(
                !button.contains(" disabled"),
                is_enabled,
                "{variant}: {button}"
            );
            checked += 1;
        }
    }
    assert!(checked > 0, "no game has a reserve");
}

/// Spectators don't get buttons for actions that the server would reject.
#[test]
fn only_the_host_controls_bots() {
    let show = saved_game(
        "classic",
        "b2 a1",
        ["easy", "hard"].map(|name| Seat::Bot(name.into())),
    );
    for (role, can_control) in [(HOST, true), (SPECTATOR, false)] {
        let parts = super::render_parts(&show, &role);
        let all: String = parts.into_iter().map(|(_, part)| part.0).collect();
        for action in ["pause", "slower", "faster", "takeback"] {
            let offered = all.contains(&format!("data-action=\"{action}\""));
            assert_eq!(offered, can_control, "{action} for {role:?}");
        }
    }
}

/// A move that sends to a won board gives a free move, and the status text explains why.
#[test]
fn status_text_explains_free_moves() {
    let text = "....o..../..o....../........./..o....../xxx....../........./........./........./......... - x -";
    let mut state = AnyGameState::from_text(Variant::ULTIMATE, text).expect("a position");
    state.play("ie").expect("legal");
    let mut snapshot = GameSnapshot::unsaved(state, default_seats());
    snapshot.seats = [human("Ada"), human("Grace")];
    let parts = super::render_parts(&snapshot, &BOTH);
    let (_, status) = parts
        .into_iter()
        .find(|(id, _)| *id == "status")
        .expect("a part");
    let expected = "O to move: board e is won; play anywhere else.";
    assert!(status.0.contains(expected), "{}", status.0);
}

#[test]
fn gallery_is_written_on_request() {
    let Ok(folder) = std::env::var("NOUGHTS_GALLERY") else {
        return;
    };
    let web = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src");
    let styles = ["page.css", "board.css"]
        .map(|file| std::fs::read_to_string(format!("{web}/{file}")).unwrap_or_default());
    let styles = format!("<style>{}{}</style></head>", styles[0], styles[1]);
    for (name, page) in gallery() {
        let page = page.0.replace("</head>", &styles);
        std::fs::write(format!("{folder}/{name}.html"), page).expect("written");
    }
}
