use std::collections::BTreeSet;

use serde_json::Value;

use super::{SeededServer, TestResponse, request};
use crate::api::description;

fn api() -> Value {
    serde_json::to_value(description()).expect("JSON")
}

/// Every operation with its path and method.
fn operations(api: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = api["paths"].as_object().expect("addresses").iter();
    paths
        .flat_map(|(path, item)| {
            let item = item.as_object().expect("operations").iter();
            item.map(move |(method, operation)| (path.as_str(), method.as_str(), operation))
        })
        .collect()
}

fn references<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                match (key.as_str(), value.as_str()) {
                    ("$ref", Some(target)) => drop(found.insert(target)),
                    _ => references(value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[test]
fn all_references_resolve() {
    let api = api();
    let mut found = BTreeSet::new();
    references(&api, &mut found);
    assert!(found.len() > 10);
    for target in found {
        let pointer = target.strip_prefix('#').expect("a place in the same text");
        assert!(api.pointer(pointer).is_some(), "{target}");
    }
}

/// Two types with the same name would be described as one.
#[test]
fn schema_names_are_unique() {
    let api = api();
    let schemas = &api["components"]["schemas"];
    for (name, field) in [
        ("PositionValue", "exact"),
        ("OptionValue", "about"),
        ("GameHeader", "started"),
        ("Game", "rev"),
        ("Seat", "kind"),
        ("LiveSeat", "connected"),
        ("Hint", "sentence"),
    ] {
        let text = schemas[name].to_string();
        assert!(text.contains(&format!("\"{field}\"")), "{name}: {text}");
    }
}

#[test]
fn every_operation_is_described() {
    let api = api();
    let tags: BTreeSet<&str> = api["tags"]
        .as_array()
        .expect("tags")
        .iter()
        .filter_map(|tag| tag["name"].as_str())
        .collect();
    let mut ids = BTreeSet::new();
    for (path, method, operation) in operations(&api) {
        let operation_name = format!("{method} {path}");
        assert!(path.starts_with("/api/v1/"), "{operation_name}");
        assert!(
            operation["summary"].is_string(),
            "{operation_name} has no summary"
        );
        let tag = operation["tags"][0].as_str().expect("a tag");
        assert!(tags.contains(tag), "{operation_name}: {tag}");
        let id = operation["operationId"].as_str().expect("an id");
        assert!(
            ids.insert(id.to_owned()),
            "{operation_name}: {id} is used twice"
        );
        let responses = operation["responses"].as_object().expect("answers");
        for status in ["400", "403", "429", "500", "503"] {
            assert!(
                responses.contains_key(status),
                "{operation_name} lacks {status}"
            );
        }
        for name in path.split(['{', '}']).skip(1).step_by(2) {
            let parameters = operation["parameters"].as_array().expect("parameters");
            let named = parameters
                .iter()
                .any(|p| p["name"] == name && p["in"] == "path");
            assert!(named, "{operation_name} does not describe {name}");
        }
    }
}

#[tokio::test]
async fn the_openapi_description_and_its_page_are_served() {
    let server = SeededServer::new().await;
    let page = |path: &str, accept: &str| {
        let request = axum::http::Request::builder()
            .uri(path)
            .header("host", "127.0.0.1")
            .header("accept", accept);
        request.body(axum::body::Body::empty()).expect("a request")
    };
    let json = server.send(page("/api/openapi.json", "*/*")).await;
    let json = TestResponse::from_response(json).await.json();
    assert_eq!(json, api());
    let html = TestResponse::from_response(server.send(page("/api", "text/html")).await).await;
    assert!(html.content_type.starts_with("text/html"));
    for (path, method, _) in operations(&api()) {
        let title = format!("{} {path}", method.to_uppercase());
        assert!(html.text().contains(&title), "{title}");
    }
}

/// Every status returned for a plain request is one that the description lists.
#[tokio::test]
async fn response_statuses_match_the_description() {
    let server = SeededServer::new().await;
    let api = api();
    for (path, method, operation) in operations(&api) {
        let path = path.trim_start_matches("/api/v1");
        let path = path.replace(['{', '}'], "");
        let body = (method == "post").then_some("{}");
        let response = server
            .send(request(&method.to_uppercase(), &path, body))
            .await;
        let status = response.status().as_str().to_owned();
        let responses = operation["responses"].as_object().expect("answers");
        assert!(responses.contains_key(&status), "{method} {path}: {status}");
        assert!(!status.starts_with('5'), "{method} {path}: {status}");
    }
}

/// Schemas that reject unknown members say so, and every kind of line is described.
#[test]
fn actions_are_closed_and_line_schemas_are_described() {
    let api = api();
    let schemas = &api["components"]["schemas"];
    for name in ["Action", "NewSeat"] {
        let kinds = schemas[name]["oneOf"].as_array().expect(name);
        assert!(kinds.len() > 2);
        for kind in kinds {
            assert_eq!(kind["additionalProperties"], false, "{name}: {kind}");
        }
    }
    for (path, part) in [
        ("/api/v1/games/{id}/stream", "StreamMessage"),
        ("/api/v1/analyses", "NdjsonLine_AnalysisUpdate"),
        ("/api/v1/games/{id}/review", "NdjsonLine_ReviewedPosition"),
    ] {
        let item = &api["paths"][path];
        let operation = [&item["get"], &item["post"]];
        let response =
            operation.map(|one| &one["responses"]["200"]["content"]["application/x-ndjson"]);
        let text = format!("{response:?}");
        assert!(text.contains(part), "{path}: {text}");
        let line = schemas[part].to_string();
        let end = match line.contains("StreamEnd") {
            true => schemas["StreamEnd"].to_string(),
            false => line,
        };
        assert!(end.contains("hutdown"), "{part}");
    }
}
