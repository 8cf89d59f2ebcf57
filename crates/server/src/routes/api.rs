//! `/api`: the API's documentation, rendered from its OpenAPI description.

use maud::{Markup, html};
use serde_json::Value;
use utoipa::openapi::OpenApi;

use crate::view::formatting::text_with_code;
use crate::view::layout::Page;

pub(super) async fn api(description: &OpenApi) -> Markup {
    let api = &serde_json::to_value(description).unwrap_or_default();
    let main = html! {
        div.headline {
            h1 { "API" }
            @for paragraph in text(&api["info"]["description"]).split("\n\n") {
                p { (text_with_code(paragraph)) }
            }
            p {
                "OpenAPI description: "
                a href="/api/openapi.json" { "/api/openapi.json" }
            }
        }
        div.narrow.api {
            @for tag in items(&api["tags"]) {
                section {
                    h2 { (text(&tag["description"])) }
                    @for (path, method, operation) in operations(api, text(&tag["name"])) {
                        (operation_article(path, &method, operation))
                    }
                }
            }
            section {
                h2 { "Types" }
                @for (name, schema) in members(&api["components"]["schemas"]) {
                    (schema_article(name, schema))
                }
            }
        }
    };
    let description = "Play noughts from a program: endpoints, parameters and responses.";
    Page::new("api", "API", description).render(&main)
}

/// An operation: method, path, parameters and responses.
fn operation_article(path: &str, method: &str, operation: &Value) -> Markup {
    let parameters = items(&operation["parameters"]);
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    html! {
        article.operation {
            h3 { code { (method) " " (path) } }
            @let description = [text(&operation["summary"]), text(&operation["description"])];
            @for description in description.into_iter().filter(|description| !description.is_empty()) {
                p { (text_with_code(description)) }
            }
            @if !parameters.is_empty() || !body.is_null() {
                dl {
                    @for parameter in parameters {
                        dt { code { (text(&parameter["name"])) } " " span.muted { (type_name(&parameter["schema"])) } }
                        dd { (text_with_code(text(&parameter["description"]))) }
                    }
                    @if !body.is_null() {
                        dt { "Body" }
                        dd { (type_name(body)) }
                    }
                }
            }
            dl.answers {
                @for (status, answer) in members(&operation["responses"]).filter(|(status, _)| !is_common(status)) {
                    dt { (status) }
                    dd {
                        (text_with_code(text(&answer["description"])))
                        @for (media, content) in members(&answer["content"]) {
                            " " span.muted { (media) ": " } (type_name(&content["schema"]))
                        }
                    }
                }
            }
        }
    }
}

/// Statuses that any operation can return aren't repeated for each.
fn is_common(status: &str) -> bool {
    matches!(
        status,
        "400" | "401" | "403" | "408" | "413" | "415" | "429" | "500" | "503"
    )
}

/// A schema: its fields, or its alternatives.
fn schema_article(name: &str, schema: &Value) -> Markup {
    html! {
        article.type id=(format!("type-{name}")) {
            h3 { code { (name) } }
            @let description = text(&schema["description"]);
            @if !description.is_empty() { p { (text_with_code(description)) } }
            (fields(schema))
        }
    }
}

fn fields(schema: &Value) -> Markup {
    let values: Vec<&str> = items(&schema["enum"]).iter().map(text).collect();
    let properties: Vec<(&str, &Value)> = members(&schema["properties"]).collect();
    html! {
        @if !values.is_empty() {
            p { @for value in values { code { (value) } " " } }
        }
        @if !properties.is_empty() {
            dl {
                @for (name, field) in properties {
                    dt { code { (name) } " " span.muted { (type_name(field)) } }
                    dd { (text_with_code(text(&field["description"]))) }
                }
            }
        }
        @for part in alternatives(schema) {
            @if part["$ref"].is_string() {
                p { (type_name(part)) }
            } @else {
                @let description = text(&part["description"]);
                @if !description.is_empty() { p.muted { (text_with_code(description)) } }
                (fields(part))
            }
        }
    }
}

/// The short name of a type; named schemas are links.
fn type_name(schema: &Value) -> Markup {
    if let Some(name) = text(&schema["$ref"]).rsplit('/').next()
        && !name.is_empty()
    {
        return html! { a href=(format!("#type-{name}")) { (name) } };
    }
    let mut parts = alternatives(schema).peekable();
    if parts.peek().is_some() {
        return html! {
            @for (i, part) in parts.enumerate() {
                @if i > 0 { " or " }
                (type_name(part))
            }
        };
    }
    let values = items(&schema["enum"]);
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(all) => all.iter().map(text).collect(),
        one => vec![text(one)],
    };
    html! {
        @if types.contains(&"array") {
            "list of " (type_name(&schema["items"]))
        } @else if values.is_empty() {
            (types.join(" or "))
        } @else {
            @for (i, value) in values.iter().enumerate() {
                @if i > 0 { " or " }
                code { (text(value)) }
            }
        }
    }
}

/// The operations with a tag, by path.
fn operations<'a>(api: &'a Value, tag: &str) -> Vec<(&'a str, String, &'a Value)> {
    let mut matching = Vec::new();
    for (path, item) in members(&api["paths"]) {
        for (method, operation) in members(item) {
            if items(&operation["tags"]).iter().any(|name| name == tag) {
                matching.push((path, method.to_uppercase(), operation));
            }
        }
    }
    matching
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The schemas that a schema is made of.
fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    let keys = ["oneOf", "anyOf", "allOf"].into_iter();
    keys.flat_map(|key| items(&schema[key]))
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members = value.as_object().into_iter().flatten();
    members.map(|(name, value)| (name.as_str(), value))
}
