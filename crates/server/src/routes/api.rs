//! `/api`: the API for people who read, made from its description.

use maud::{Markup, html};
use serde_json::Value;

use super::PageResponse;
use crate::api::description;
use crate::view::layout;

pub(super) async fn api() -> PageResponse {
    let description = serde_json::to_value(description()).unwrap_or_default();
    PageResponse(page(&description))
}

fn page(api: &Value) -> Markup {
    let main = html! {
        div.headline {
            h1 { "The API" }
            @for paragraph in text(&api["info"]["description"]).split("\n\n") {
                p { (prose(paragraph)) }
            }
            p {
                "The same for programs: "
                a href="/api/openapi.json" { "/api/openapi.json" }
                " (OpenAPI)."
            }
        }
        div.narrow.api {
            @for tag in items(&api["tags"]) {
                section {
                    h2 { (text(&tag["description"])) }
                    @for (path, method, operation) in operations(api, text(&tag["name"])) {
                        (entry(path, &method, operation))
                    }
                }
            }
            section {
                h2 { "What is said and heard" }
                @for (name, schema) in members(&api["components"]["schemas"]) {
                    (type_of(name, schema))
                }
            }
        }
    };
    let page = layout::Page {
        name: "api",
        title: "The API",
        description: "Play the games of noughts from a program: the API, its addresses and what they say.",
        initial_state: None,
        content: main,
    };
    page.render()
}

/// An address and what can be asked of it.
fn entry(path: &str, method: &str, operation: &Value) -> Markup {
    let parameters = items(&operation["parameters"]);
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    html! {
        article.operation {
            h3 { code { (method) " " (path) } }
            @let about = [text(&operation["summary"]), text(&operation["description"])];
            @for about in about.into_iter().filter(|about| !about.is_empty()) {
                p { (prose(about)) }
            }
            @if !parameters.is_empty() || !body.is_null() {
                dl {
                    @for parameter in parameters {
                        dt { code { (text(&parameter["name"])) } " " span.soft { (kind(&parameter["schema"])) } }
                        dd { (prose(text(&parameter["description"]))) }
                    }
                    @if !body.is_null() {
                        dt { "Body" }
                        dd { (kind(body)) }
                    }
                }
            }
            dl.answers {
                @for (status, answer) in members(&operation["responses"]).filter(|(status, _)| !is_common(status)) {
                    dt { (status) }
                    dd {
                        (prose(text(&answer["description"])))
                        @for (media, content) in members(&answer["content"]) {
                            " " span.soft { (media) ": " } (kind(&content["schema"]))
                        }
                    }
                }
            }
        }
    }
}

/// What can come back from anywhere is not repeated everywhere.
fn is_common(status: &str) -> bool {
    matches!(
        status,
        "400" | "401" | "403" | "408" | "413" | "415" | "429" | "500" | "503"
    )
}

/// A type: its fields, or what it can be.
fn type_of(name: &str, schema: &Value) -> Markup {
    html! {
        article.type id=(format!("type-{name}")) {
            h3 { code { (name) } }
            @if let about @ [_, ..] = text(&schema["description"]).as_bytes() {
                p { (prose(&String::from_utf8_lossy(about))) }
            }
            (fields(schema))
        }
    }
}

fn fields(schema: &Value) -> Markup {
    let words: Vec<&str> = items(&schema["enum"]).iter().map(text).collect();
    let alike = ["oneOf", "anyOf", "allOf"].map(|key| items(&schema[key]));
    let properties: Vec<(&str, &Value)> = members(&schema["properties"]).collect();
    html! {
        @if !words.is_empty() {
            p { @for word in words { code { (word) } " " } }
        }
        @if !properties.is_empty() {
            dl {
                @for (name, field) in properties {
                    dt { code { (name) } " " span.soft { (kind(field)) } }
                    dd { (prose(text(&field["description"]))) }
                }
            }
        }
        @for part in alike.into_iter().flatten() {
            @if part["$ref"].is_string() {
                p { (kind(part)) }
            } @else {
                @let about = text(&part["description"]);
                @if !about.is_empty() { p.soft { (prose(about)) } }
                (fields(part))
            }
        }
    }
}

/// What a value is, in a word or two; types of their own are linked.
fn kind(schema: &Value) -> Markup {
    if let Some(name) = text(&schema["$ref"]).rsplit('/').next()
        && !name.is_empty()
    {
        return html! { a href=(format!("#type-{name}")) { (name) } };
    }
    let parts = ["oneOf", "anyOf", "allOf"].map(|key| items(&schema[key]));
    let parts: Vec<&Value> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        return html! {
            @for (i, part) in parts.into_iter().enumerate() {
                @if i > 0 { " or " }
                (kind(part))
            }
        };
    }
    let words = items(&schema["enum"]);
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(all) => all.iter().map(text).collect(),
        one => vec![text(one)],
    };
    html! {
        @if types.contains(&"array") {
            "list of " (kind(&schema["items"]))
        } @else if words.is_empty() {
            (types.join(" or "))
        } @else {
            @for (i, word) in words.iter().enumerate() {
                @if i > 0 { " or " }
                code { (text(word)) }
            }
        }
    }
}

/// Text in which backquotes mark code.
fn prose(text: &str) -> Markup {
    html! {
        @for (i, part) in text.split('`').enumerate() {
            @if i % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// The operations of a group, by address.
fn operations<'a>(api: &'a Value, tag: &str) -> Vec<(&'a str, String, &'a Value)> {
    let mut found = Vec::new();
    for (path, item) in members(&api["paths"]) {
        for (method, operation) in members(item) {
            if items(&operation["tags"]).iter().any(|of| of == tag) {
                found.push((path, method.to_uppercase(), operation));
            }
        }
    }
    found
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members = value.as_object().into_iter().flatten();
    members.map(|(name, value)| (name.as_str(), value))
}
