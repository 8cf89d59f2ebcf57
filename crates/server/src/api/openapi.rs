//! The OpenAPI description, generated from the handlers. What all operations have in common is
//! added here.

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

pub(crate) fn description() -> &'static OpenApi {
    static DESCRIPTION: OnceLock<OpenApi> = OnceLock::new();
    DESCRIPTION.get_or_init(describe)
}

fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| description().to_pretty_json().unwrap_or_default())
}

const API_DESCRIPTION: &str = "Play the games of noughts from a program: make a game, move, follow it live, \
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

/// Operations that belong to the group `play`.
const PLAY_OPERATIONS: [(&str, &str); 8] = [
    ("post", "/token"),
    ("delete", "/session"),
    ("post", "/games"),
    ("get", "/games/{id}"),
    ("post", "/games/{id}/actions"),
    ("post", "/games/{id}/join"),
    ("get", "/games/{id}/socket"),
    ("get", "/games/{id}/stream"),
];

/// Ids returned with 201: the path that returns one, where in the response it is, and the paths
/// that take it.
const ID_LINKS: [(&str, &str, &str); 2] = [
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

/// Errors that any request can get: status and description.
const COMMON_ERRORS: [(&str, &str); 6] = [
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
    info.description = Some(API_DESCRIPTION.into());
    info.license = Some(License::new("MIT OR Apache-2.0"));
    api.info = info;
    api.tags = Some(
        TAGS.map(|(name, description)| {
            tag::TagBuilder::new()
                .name(name)
                .description(Some(description))
                .build()
        })
        .into(),
    );
    let components = api.components.get_or_insert_with(Components::new);
    for (name, scheme) in security_schemes() {
        components.add_security_scheme(name, scheme);
    }
    for name in CLOSED_SCHEMAS {
        if let Some(schema) = components.schemas.get_mut(name) {
            close_schema(schema);
        }
    }
    for (path, item) in &mut api.paths.paths {
        for (method, operation) in operations(item) {
            complete_operation(path, method, operation);
        }
    }
    for (from, id, to) in ID_LINKS {
        add_links(&mut api, from, id, to);
    }
    api
}

/// Schemas whose variants accept no additional properties.
const CLOSED_SCHEMAS: [&str; 2] = ["Action", "NewSeat"];

/// Disallows additional properties.
fn close_schema(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
        }
        RefOr::T(Schema::OneOf(kinds)) => kinds.items.iter_mut().for_each(close_schema),
        _ => {}
    }
}

fn security_schemes() -> [(&'static str, SecurityScheme); 2] {
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

fn complete_operation(path: &str, method: &str, operation: &mut Operation) {
    operation.operation_id = Some(operation_id(path, method));
    if PLAY_OPERATIONS.contains(&(method, path.trim_start_matches("/api/v1"))) {
        operation.tags = Some(vec!["play".into()]);
    }
    // A token, a cookie, or neither.
    let none: [&str; 0] = [];
    operation.security = Some(vec![
        SecurityRequirement::default(),
        SecurityRequirement::new("token", none),
        SecurityRequirement::new("cookie", none),
    ]);
    for (status, description) in COMMON_ERRORS {
        add_error(operation, status, description);
    }
    if method == "post" {
        add_error(operation, "408", "The body did not come in time");
        add_error(operation, "413", "The body is too large");
        add_error(operation, "415", "The body is something else than JSON");
    }
}

/// The operation's id, such as `post_games_id_actions`.
fn operation_id(path: &str, method: &str) -> String {
    let words = path.trim_start_matches("/api/v1/").split(['/', '.']);
    let words = words.map(|word| word.trim_matches(['{', '}']));
    let words: Vec<&str> = std::iter::once(method).chain(words).collect();
    words.join("_")
}

/// Adds links from a response with an id to the operations that take it.
fn add_links(api: &mut OpenApi, from: &str, id: &str, to: &str) {
    let paths = &mut api.paths.paths;
    let consumers = paths.iter_mut().filter(|(path, _)| path.starts_with(to));
    let names: Vec<String> = consumers
        .flat_map(|(_, item)| operations(item))
        .filter_map(|(_, operation)| operation.operation_id.clone())
        .collect();
    let producer = paths.get_mut(from).and_then(|item| item.post.as_mut());
    let created = producer.and_then(|post| post.responses.responses.get_mut("201"));
    if let Some(RefOr::T(created)) = created {
        for name in names {
            let link = Link::builder().operation_id(&name).parameter("id", id);
            created.links.insert(name, link.build().into());
        }
    }
}

fn add_error(operation: &mut Operation, status: &str, description: &str) {
    let responses = &mut operation.responses.responses;
    if !responses.contains_key(status) {
        let schema = RefOr::Ref(Ref::from_schema_name("ErrorBody"));
        let response = response::ResponseBuilder::new()
            .description(description)
            .content("application/json", Content::new(Some(schema)))
            .build();
        responses.insert(status.into(), response.into());
    }
}
