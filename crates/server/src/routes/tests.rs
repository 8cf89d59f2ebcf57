//! The pages as a browser receives them.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, StatusCode, header};
use noughts_rules::Record;
use noughts_store::{Store, StoredPosition};
use tower::ServiceExt;

use crate::app::App;
use crate::assets;
use crate::config::{Config, RateLimit};
use crate::server::router;

const GAME: &str = "00000000000000000000000000000001";
const RECORD: &str = "\
[Variant \"classic\"]
[X \"Ada\"]
[O \"hard\"]
[OKind \"bot\"]
[Date \"2026.11.01\"]
[Id \"00000000000000000000000000000001\"]

1. b2 b1 2. a1 a2 3. c3 1-0
";

async fn server(records: &str) -> (Router, Store) {
    let store = Store::in_memory().await.expect("opens");
    let records = Record::parse_all(records).expect("records");
    store.import(&records).await.expect("games");
    let mut config = Config::new(store.clone(), "/nowhere".into());
    config.limits.requests = RateLimit::UNLIMITED;
    (router(&App::new(config)), store)
}

async fn get(server: &Router, path: &str, encoding: &str) -> Response<Body> {
    let request = Request::get(path)
        .header(header::HOST, "127.0.0.1:7272")
        .header(header::ACCEPT, "text/html,*/*;q=0.8")
        .header(header::ACCEPT_ENCODING, encoding)
        .body(Body::empty())
        .expect("a request");
    server.clone().oneshot(request).await.expect("never fails")
}

async fn body_text(response: Response<Body>) -> String {
    let bytes = to_bytes(response.into_body(), 4 << 20).await.expect("read");
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn header_value(response: &Response<Body>, name: header::HeaderName) -> &str {
    let header_value = response.headers().get(name);
    header_value.map_or("", |header_value| header_value.to_str().expect("readable"))
}

#[tokio::test]
async fn every_page_is_served_uncached() {
    let (server, store) = server(RECORD).await;
    let stored = StoredPosition {
        variant: noughts_rules::Variant::CLASSIC,
        position: "x../.o./... x".into(),
        moves: vec!["c3".into()],
    };
    let id = store.save_position(&stored.compress()).await.expect("kept");
    let (game, stored) = (format!("/games/{GAME}"), format!("/analysis?id={id}"));
    for (path, expected) in [
        ("/", "data-page=\"home\""),
        ("/new?variant=tic-tac-two", "value=\"tic-tac-two\""),
        (game.as_str(), "Ada"),
        ("/games?player=ada&variant=classic", GAME),
        (
            "/analysis?variant=ultimate&moves=ee+ea",
            "data-page=\"analysis\"",
        ),
        (stored.as_str(), "x../.o./... x"),
        ("/players", "Ada"),
        ("/players/ada", "Ada's record"),
        ("/rules", "/rules/ultimate"),
        ("/rules/ception:4b,5c,depth=3", "ception:4b,5c"),
        ("/api", "data-page=\"api\""),
        ("/session", "data-action=\"end-session\""),
    ] {
        let page = get(&server, path, "").await;
        assert_eq!(page.status(), StatusCode::OK, "{path}");
        assert_eq!(
            header_value(&page, header::CACHE_CONTROL),
            "no-store",
            "{path}"
        );
        assert!(header_value(&page, header::CONTENT_TYPE).starts_with("text/html"));
        let page = body_text(page).await;
        assert!(page.contains(expected), "{path}: {expected}");
    }
}

/// Guards against a section of options without any.
#[tokio::test]
async fn only_games_with_options_offer_to_change_them() {
    let (server, _) = server("").await;
    for (variant, has_options) in [("gobblers", false), ("numerical", false), ("morris", true)] {
        let page = get(&server, &format!("/new?variant={variant}"), "").await;
        let page = body_text(page).await;
        assert_eq!(page.contains("Change the rules"), has_options, "{variant}");
    }
}

#[tokio::test]
async fn missing_resources_give_an_error_page() {
    let (server, _) = server("").await;
    for (path, expected) in [
        ("/nothing", "Not found"),
        ("/games/00000000000000000000000000000009", "Not found"),
        ("/players/nobody", "There's no player with this name"),
        ("/rules/mnk:3,3,4", "at most 3 cells"),
        (
            "/analysis?id=12",
            "This position doesn't exist or is no longer stored",
        ),
    ] {
        let page = get(&server, path, "br, gzip").await;
        assert_eq!(page.status(), StatusCode::NOT_FOUND, "{path}");
        let page = body_text(page).await;
        assert!(page.contains(expected), "{path}: {page}");
    }
}

/// Regression test: pages returned 200 for variants that don't exist, with raw backticks in the message.
#[tokio::test]
async fn invalid_input_gives_status_422() {
    let (server, _) = server("").await;
    for (path, expected) in [
        ("/new?variant=nonsense", "<code>nonsense</code>"),
        ("/new?variant=mnk:3,3,4", "<code>mnk:3,3,4</code>"),
        ("/analysis?variant=nonsense", "<code>nonsense</code>"),
        ("/games?variant=nonsense", "<code>nonsense</code>"),
        ("/games?open=perhaps", "The status filter"),
        ("/analysis?variant=classic&position=xxxx", "Fix it below"),
        ("/analysis?variant=classic&moves=b2+b2", "Fix it below"),
    ] {
        let page = get(&server, path, "").await;
        assert_eq!(page.status(), StatusCode::UNPROCESSABLE_ENTITY, "{path}");
        let page = body_text(page).await;
        assert!(
            page.contains(expected) && page.contains("<form"),
            "{path}: {page}"
        );
        assert!(!page.contains('`'), "{path}: {page}");
    }
}

#[tokio::test]
async fn rules_redirect_to_the_canonical_url() {
    let (server, _) = server("").await;
    let page = get(&server, "/rules/mnk:3,3,3", "").await;
    assert_eq!(page.status(), StatusCode::PERMANENT_REDIRECT);
    assert_eq!(header_value(&page, header::LOCATION), "/rules/classic");
}

/// URLs with the current content hash are cached forever; an old hash returns the current file, uncached.
#[tokio::test]
async fn assets_are_immutable_only_under_their_hash() {
    let (server, _) = server("").await;
    for (path, status, cache_control) in [
        (assets::url("page.css"), StatusCode::OK, "immutable"),
        ("/assets/0000/page.css".into(), StatusCode::OK, "no-cache"),
        (assets::url("../Cargo.toml"), StatusCode::NOT_FOUND, ""),
    ] {
        let file = get(&server, &path, "").await;
        assert_eq!(file.status(), status, "{path}");
        let stored = header_value(&file, header::CACHE_CONTROL);
        assert!(stored.contains(cache_control), "{path}: {stored}");
    }
}

/// The size of the front page and all assets, compressed.
#[tokio::test]
async fn first_load_is_small() {
    let (server, _) = server("").await;
    let mut bytes = 0;
    for path in assets::all_urls().chain(["/".to_owned()]) {
        let response = get(&server, &path, "br, gzip").await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let body = to_bytes(response.into_body(), 4 << 20).await.expect("read");
        bytes += body.len();
    }
    assert!(bytes <= 150 << 10, "{bytes} bytes");
}

/// Following the pages of the list reaches every game.
#[tokio::test]
async fn game_list_pagination_reaches_all_games() {
    let mut records = String::new();
    for i in 0..120 {
        records += &format!(
            "[Variant \"classic\"]\n[X \"Ada\"]\n[O \"Bob\"]\n[Date \"2026.11.01\"]\n\
             [Id \"{i:032x}\"]\n\n1. b2 *\n\n"
        );
    }
    let (server, _) = server(&records).await;
    let mut seen = std::collections::BTreeSet::new();
    let mut next = Some("/games?player=ada".to_owned());
    let mut pages = 0;
    while let Some(path) = next {
        let page = body_text(get(&server, &path, "").await).await;
        let links = page.split("href=\"/games/").skip(1);
        seen.extend(links.filter_map(|link| Some(link.get(..32)?.to_owned())));
        let older = page.split("href=\"").find(|link| link.contains("before="));
        next = older.and_then(|link| Some(link.split('"').next()?.replace("&amp;", "&")));
        pages += 1;
        assert!(pages < 9, "it ends");
    }
    assert_eq!((seen.len(), pages), (120, 3));
}
