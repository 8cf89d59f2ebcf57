//! The description of the API, made from the handlers: what every operation has in
//! common is added here, once.

use std::sync::OnceLock;

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use utoipa::openapi::link::Link;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{
    Components, Content, Info, License, OpenApi, Ref, RefOr, Schema, SecurityRequirement, response,
    tag,
};
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().route("/openapi.json", get(json))
}

async fn json() -> Response {
    let headers = [(CONTENT_TYPE, "application/json")];
    (headers, text()).into_response()
}

/// The description.
pub(crate) fn description() -> &'static OpenApi {
    static DESCRIPTION: OnceLock<OpenApi> = OnceLock::new();
    DESCRIPTION.get_or_init(describe)
}

fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| description().to_pretty_json().unwrap_or_default())
}

const ABOUT: &str = "Play the games of noughts from a program: make a game, move, follow it live, \
look at what was played, ask what a position is worth. The page uses this API and nothing else.\n\n\
A visitor is recognized by a token: browsers have it in a cookie, programs ask for one at \
`POST /api/v1/token` and send it as `Authorization: Bearer …`. Only tokens that this server issued are \
accepted; `DELETE /api/v1/session` ends a session for good. Who makes a game sits in the seats \
of its people. What went wrong is told as `{\"error\": {\"kind\", \"message\"}}`; the kinds are \
listed under `Kind`. A request that changes something names the state of the game that it is about, \
its `rev`, and is never applied twice. A state with the same `rev` may come again on a stream: \
who is there, what is offered and whether a bot thinks do not make a new one.\n\n\
So that there is something left for everybody, requests are counted: one address has 120 at once and \
30 a second, a socket 40 messages at once and 20 a second, a visitor 20 new games at once and 20 a \
minute, rematches and seats taken under a name included. Beyond that the answer is 429, and its header `Retry-After` has the seconds to wait; so it is \
with 503, where the server has too much to do. Nothing of such a request was done: wait, and send it \
again. A program that plays many moves does so on one socket, or waits for the opponent's move on a \
stream instead of asking again and again. Who runs the server can switch the counting off for \
programs of their own (`noughts serve --unlimited`).\n\n\
To start, with this server's address in `$SERVER`: `curl -X POST $SERVER/api/v1/token` returns a secret, and \
`curl -H \"Authorization: Bearer $TOKEN\" -H \"Content-Type: application/json\" -d \
'{\"variant\":\"classic\",\"x\":{\"kind\":\"person\"},\"o\":{\"kind\":\"bot\",\"bot\":\"medium\"}}' \
$SERVER/api/v1/games` makes a game.";

/// The groups of operations, in the order of the page.
const TAGS: [(&str, &str); 5] = [
    (
        "games",
        "Games: the ones there are to play, and those that are and were played",
    ),
    (
        "play",
        "Playing: making games, acting in them, following them",
    ),
    ("players", "People and their statistics"),
    ("analysis", "What positions and moves are worth"),
    ("positions", "Boards that are no stored games"),
];

/// Which operations are about playing.
const PLAYING: [(&str, &str); 8] = [
    ("post", "/token"),
    ("delete", "/session"),
    ("post", "/games"),
    ("get", "/games/{id}"),
    ("post", "/games/{id}/actions"),
    ("post", "/games/{id}/join"),
    ("get", "/games/{id}/socket"),
    ("get", "/games/{id}/stream"),
];

/// Where an id that is given with 201 leads: who gives it, where in the answer it is,
/// and the addresses that want it.
const IDS: [(&str, &str, &str); 2] = [
    (
        "/api/v1/games",
        "$response.body#/game/id",
        "/api/v1/games/{id}",
    ),
    (
        "/api/v1/positions",
        "$response.body#/id",
        "/api/v1/positions/{id}",
    ),
];

/// What can go wrong with any request: status and description.
const ANYWHERE: [(&str, &str); 6] = [
    ("400", "The request cannot be read"),
    (
        "401",
        "The token was not issued by this server, or its session has ended",
    ),
    (
        "403",
        "The request comes from another site, or to another name than the server's; or the visitor is banned",
    ),
    (
        "429",
        "Too many requests; the header Retry-After says when to come again",
    ),
    ("500", "A fault of the program, or the store cannot be used"),
    ("503", "The server has too much to do, or is stopping"),
];

fn describe() -> OpenApi {
    let mut api = super::router().into_openapi();
    let mut info = Info::new("noughts", "1");
    info.description = Some(ABOUT.into());
    info.license = Some(License::new("MIT OR Apache-2.0"));
    api.info = info;
    api.tags = Some(
        TAGS.map(|(name, about)| {
            tag::TagBuilder::new()
                .name(name)
                .description(Some(about))
                .build()
        })
        .into(),
    );
    let components = api.components.get_or_insert_with(Components::new);
    for (name, scheme) in schemes() {
        components.add_security_scheme(name, scheme);
    }
    for name in CLOSED {
        if let Some(schema) = components.schemas.get_mut(name) {
            close(schema);
        }
    }
    for (path, item) in &mut api.paths.paths {
        for (method, operation) in operations(item) {
            complete(path, method, operation);
        }
    }
    for (from, id, to) in IDS {
        link(&mut api, from, id, to);
    }
    api
}

/// Types of which each kind has these members and no others.
const CLOSED: [&str; 2] = ["Action", "NewSeat"];

/// Says that nothing else is heard in them.
fn close(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
        }
        RefOr::T(Schema::OneOf(kinds)) => kinds.items.iter_mut().for_each(close),
        _ => {}
    }
}

fn schemes() -> [(&'static str, SecurityScheme); 2] {
    let cookie = ApiKeyValue::with_description(
        "noughts",
        "What browsers have; `__Host-noughts` where the server is reached by HTTPS",
    );
    let bearer = Http::builder()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("64 hexadecimal digits from `POST /api/v1/token`"))
        .build();
    [
        ("token", SecurityScheme::Http(bearer)),
        ("cookie", SecurityScheme::ApiKey(ApiKey::Cookie(cookie))),
    ]
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let all = [
        ("get", item.get.as_mut()),
        ("post", item.post.as_mut()),
        ("delete", item.delete.as_mut()),
    ];
    all.into_iter()
        .filter_map(|(method, operation)| Some((method, operation?)))
}

fn complete(path: &str, method: &str, operation: &mut Operation) {
    operation.operation_id = Some(name(path, method));
    if PLAYING.contains(&(method, path.trim_start_matches("/api/v1"))) {
        operation.tags = Some(vec!["play".into()]);
    }
    // Who one is may be said in two ways, or not at all.
    let none: [&str; 0] = [];
    operation.security = Some(vec![
        SecurityRequirement::default(),
        SecurityRequirement::new("token", none),
        SecurityRequirement::new("cookie", none),
    ]);
    for (status, about) in ANYWHERE {
        add(operation, status, about);
    }
    if method == "post" {
        add(operation, "408", "The body did not come in time");
        add(operation, "413", "The body is too large");
        add(operation, "415", "The body is something else than JSON");
    }
}

/// What a program may call an operation: `post_games_id_actions`.
fn name(path: &str, method: &str) -> String {
    let words = path.trim_start_matches("/api/v1/").split(['/', '.']);
    let words = words.map(|word| word.trim_matches(['{', '}']));
    let words: Vec<&str> = std::iter::once(method).chain(words).collect();
    words.join("_")
}

/// Tells that the id in one answer is the one that other addresses want.
fn link(api: &mut OpenApi, from: &str, id: &str, to: &str) {
    let paths = &mut api.paths.paths;
    let wanting = paths.iter_mut().filter(|(path, _)| path.starts_with(to));
    let names: Vec<String> = wanting
        .flat_map(|(_, item)| operations(item))
        .filter_map(|(_, operation)| operation.operation_id.clone())
        .collect();
    let giving = paths.get_mut(from).and_then(|item| item.post.as_mut());
    let made = giving.and_then(|post| post.responses.responses.get_mut("201"));
    if let Some(RefOr::T(made)) = made {
        for name in names {
            let link = Link::builder().operation_id(&name).parameter("id", id);
            made.links.insert(name, link.build().into());
        }
    }
}

fn add(operation: &mut Operation, status: &str, about: &str) {
    let responses = &mut operation.responses.responses;
    if !responses.contains_key(status) {
        let schema = RefOr::Ref(Ref::from_schema_name("ErrorBody"));
        let answer = response::ResponseBuilder::new()
            .description(about)
            .content("application/json", Content::new(Some(schema)))
            .build();
        responses.insert(status.into(), answer.into());
    }
}
