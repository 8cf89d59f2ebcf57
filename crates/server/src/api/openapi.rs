//! The OpenAPI description, generated from the handlers. What all operations have in common is
//! added here.

use std::sync::LazyLock;

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use noughts_rules::Variant;
use utoipa::openapi::link::Link;
use utoipa::openapi::path::{Operation, ParameterBuilder, PathItem};
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{
    Components, Content, Info, License, OpenApi, Ref, RefOr, Schema, SecurityRequirement, Tag,
    response,
};

pub(super) async fn json() -> impl IntoResponse {
    static TEXT: LazyLock<String> =
        LazyLock::new(|| description().to_pretty_json().unwrap_or_default());
    ([(CONTENT_TYPE, "application/json")], TEXT.as_str())
}

pub(crate) fn description() -> &'static OpenApi {
    static DESCRIPTION: LazyLock<OpenApi> = LazyLock::new(describe);
    &DESCRIPTION
}

const API_DESCRIPTION: &str = "Play the games of noughts from a program: create games, make moves, follow games live, \
browse past games, and analyze positions. The web page uses this API and nothing else.\n\n\
A visitor is identified by a token. Browsers keep it in a cookie; programs get one from \
`POST /api/v1/token` and send it as `Authorization: Bearer …`. Only tokens issued by this server are \
accepted; `DELETE /api/v1/session` ends a session permanently. When you create a game, you play all of its human \
seats except one that you open to an invited player. Errors are returned as \
`{\"error\": {\"kind\", \"message\"}}`; the kinds are listed under `ApiErrorKind`. A request that changes a \
game includes the `rev` of the state that it refers to, and is never applied twice. A stream may send a \
state with the same `rev` again: a player connecting, an offer or a bot starting to think doesn't change it.\n\n\
Requests are rate limited: an address can send bursts of 120 requests and then 30 per second, a socket bursts of 40 \
messages and then 20 per second, and a visitor can create bursts of 20 games and then 20 per minute, including \
rematches and seats joined or handed over under a name. Requests beyond that get 429, and the `Retry-After` header has the number of \
seconds to wait; the same goes for 503, when the server is overloaded. Such a request had no effect: wait, and send it \
again. To make many moves, use one socket, or wait for the opponent's move on a stream instead of polling. On your own \
server, you can turn the limits off with `noughts serve --unlimited`.\n\n\
To get started, with this server's address in `$SERVER`: `curl -X POST $SERVER/api/v1/token` returns a token, and \
`curl -H \"Authorization: Bearer $TOKEN\" -H \"Content-Type: application/json\" -d \
'{\"variant\":\"VARIANT\",\"x\":{\"kind\":\"human\"},\"o\":{\"kind\":\"bot\",\"name\":\"medium\"}}' \
$SERVER/api/v1/games` creates a game.";

/// The groups of operations, in the order of the page.
const TAGS: [(&str, &str); 5] = [
    ("games", "Game rules, and games in progress and finished"),
    ("play", "Create games, play them and follow them live"),
    ("players", "Players and their statistics"),
    ("analysis", "Values of positions and moves"),
    ("positions", "Positions outside of stored games"),
];

/// Ids returned with 201: the path that returns one, where in the response it is, the paths that
/// take it, and their 404.
const IDS: [(&str, &str, &str, &str); 2] = [
    (
        "/api/v1/games",
        "$response.body#/game/id",
        "/api/v1/games/{id}",
        "The game doesn't exist",
    ),
    (
        "/api/v1/positions",
        "$response.body#/id",
        "/api/v1/positions/{id}",
        "The position doesn't exist",
    ),
];

/// Errors that any request can get: status and description.
const COMMON_ERRORS: [(&str, &str); 6] = [
    ("400", "The request is invalid"),
    (
        "401",
        "The token wasn't issued by this server, or its session has ended",
    ),
    (
        "403",
        "The request comes from another site or uses an unknown host name, or the visitor is banned",
    ),
    (
        "429",
        "Too many requests; the `Retry-After` header has the number of seconds to wait",
    ),
    ("500", "Internal error"),
    (
        "503",
        "The server is overloaded or stopping, or the saved games can't be used",
    ),
];

fn describe() -> OpenApi {
    let mut api = super::router().into_openapi();
    let example = Variant::default().to_string();
    api.info = Info::builder()
        .title("noughts")
        .version("1")
        .description(Some(API_DESCRIPTION.replace("VARIANT", &example)))
        .license(Some(License::new("MIT OR Apache-2.0")))
        .build();
    let tag = |(name, description)| Tag::builder().name(name).description(Some(description));
    api.tags = Some(TAGS.map(|text| tag(text).build()).into());
    let components = api.components.get_or_insert_with(Components::new);
    for (name, scheme) in security_schemes() {
        components.add_security_scheme(name, scheme);
    }
    for name in CLOSED_SCHEMAS {
        if let Some(schema) = components.schemas.get_mut(name) {
            close_schema(schema);
        }
    }
    for schema in components.schemas.values_mut() {
        if let RefOr::T(Schema::Object(object)) = schema
            && let Some(RefOr::T(Schema::Object(variant))) = object.properties.get_mut("variant")
        {
            variant.examples = vec![example.clone().into()];
        }
    }
    for (path, item) in &mut api.paths.paths {
        for (method, operation) in operations(item) {
            for parameter in operation.parameters.iter_mut().flatten() {
                if let RefOr::T(parameter) = parameter
                    && parameter.name == "variant"
                {
                    let builder = ParameterBuilder::from(parameter.clone());
                    *parameter = builder.example(Some(example.clone().into())).build();
                }
            }
            complete_operation(path, method, operation);
        }
    }
    for (from, id, to, _) in IDS {
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
        "Used by browsers; named `__Host-noughts` if the server is reached over HTTPS",
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
    for (.., not_found) in IDS.iter().filter(|(_, _, to, _)| path.starts_with(to)) {
        add_error(operation, "404", not_found);
    }
    if path.starts_with("/api/v1/position") && !path.ends_with('}') {
        let invalid = "The variant, the position or a move is invalid";
        add_error(operation, "422", invalid);
    }
    if method == "post" {
        add_error(operation, "408", "The body didn't arrive in time");
        add_error(operation, "413", "The body is too large");
        add_error(operation, "415", "The body isn't JSON");
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
