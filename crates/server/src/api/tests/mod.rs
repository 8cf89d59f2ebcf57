//! The resources as a client sees them.

mod description;
mod resources;
mod streams;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use noughts_rules::Record;
use noughts_store::Store;
use serde_json::Value;
use tower::ServiceExt;

use crate::app::App;
use crate::config::Config;
use crate::server::router;

const GAMES: &str = "\
[Variant \"classic\"]
[X \"Ada\"]
[O \"hard\"]
[OKind \"bot\"]
[Date \"2026.11.01\"]
[Id \"00000000000000000000000000000001\"]

1. b2 b1 2. a1 a2 3. c3 1-0

[Variant \"classic\"]
[X \"Bob\"]
[O \"Ada\"]
[Date \"2026.11.02\"]
[Id \"00000000000000000000000000000002\"]

1. b2 a1 2. c1 a3 3. a2 c2 4. b1 b3 5. c3 1/2-1/2

[Variant \"ultimate\"]
[X \"Ada\"]
[O \"Bob\"]
[Date \"2026.11.03\"]
[Id \"00000000000000000000000000000003\"]

1. ee eb 2. be *
";

/// A server with a few stored games.
struct SeededServer {
    app: App,
    router: Router,
}

struct TestResponse {
    status: StatusCode,
    content_type: String,
    bytes: Vec<u8>,
}

impl SeededServer {
    async fn new() -> SeededServer {
        SeededServer::with_config(|_| ()).await
    }

    async fn with_config(settings: impl FnOnce(&mut Config)) -> SeededServer {
        let store = Store::in_memory().await.expect("opens");
        let records = Record::parse_all(GAMES).expect("records");
        store.import(&records).await.expect("games");
        let mut config = Config::new(store, "/nowhere".into());
        config.limits.requests = crate::config::RateLimit::UNLIMITED;
        settings(&mut config);
        let app = App::new(config);
        let router = router(&app);
        SeededServer { app, router }
    }

    async fn send(&self, request: Request<Body>) -> axum::response::Response {
        let response = self.router.clone().oneshot(request).await;
        response.expect("never fails")
    }

    async fn get(&self, path: &str) -> TestResponse {
        TestResponse::from_response(self.send(request("GET", path, None)).await).await
    }

    async fn post(&self, path: &str, body: &str) -> TestResponse {
        TestResponse::from_response(self.send(request("POST", path, Some(body))).await).await
    }
}

/// A request to a path below `/api/v1`.
fn request(method: &str, path: &str, body: Option<&str>) -> Request<Body> {
    let request = Request::builder()
        .method(method)
        .uri(format!("/api/v1{path}"))
        .header("host", "127.0.0.1:7272");
    match body {
        None => request.body(Body::empty()),
        Some(body) => request
            .header("content-type", "application/json")
            .body(body.to_owned().into()),
    }
    .expect("a request")
}

impl TestResponse {
    async fn from_response(response: axum::response::Response) -> TestResponse {
        let status = response.status();
        let content_type = response.headers().get("content-type");
        let content_type = content_type.and_then(|content_type| content_type.to_str().ok());
        let content_type = content_type.unwrap_or_default().to_owned();
        let bytes = to_bytes(response.into_body(), 16 << 20).await;
        let bytes = bytes.expect("a body").to_vec();
        TestResponse {
            status,
            content_type,
            bytes,
        }
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("text")
    }

    /// The JSON of a successful response.
    fn json(&self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.text());
        serde_json::from_slice(&self.bytes).expect("JSON")
    }

    /// The JSON of each line.
    fn lines(&self) -> Vec<Value> {
        assert_eq!(self.status, 200, "{}", self.text());
        assert_eq!(self.content_type, "application/x-ndjson");
        let lines = self.text().lines();
        lines
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }

    /// The status and message of an error response.
    fn error(&self) -> (u16, String) {
        let body: Value = serde_json::from_slice(&self.bytes).expect("JSON");
        let message = body["error"]["message"].as_str();
        let message = message.unwrap_or_else(|| panic!("an error, not {body}"));
        (self.status.as_u16(), message.to_owned())
    }
}
