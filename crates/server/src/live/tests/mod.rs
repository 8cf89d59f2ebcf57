//! Games through the whole server, as visitors play them.

mod alone;
mod together;
mod watching;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use futures_util::StreamExt;
use noughts_store::Store;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::app::{App, router};
use crate::config::{Config, Rate};

/// A server, with no limit on how much anybody does.
struct House {
    app: App,
    router: Router,
}

impl House {
    async fn new() -> House {
        House::over(Store::in_memory().await.unwrap())
    }

    fn over(store: Store) -> House {
        let mut config = Config::new(store, std::env::temp_dir());
        config.limits.requests = Rate::UNLIMITED;
        config.limits.games = Rate::UNLIMITED;
        config.limits.games_of_address = Rate::UNLIMITED;
        config.limits.messages = Rate::UNLIMITED;
        let app = App::new(config);
        let router = router(&app);
        House { app, router }
    }

    fn store(&self) -> &Store {
        &self.app.config.store
    }

    /// Somebody who comes with a secret of their own.
    fn visitor(&self, number: u8) -> Visitor {
        Visitor {
            token: format!("{number:02x}").repeat(32),
            router: self.router.clone(),
        }
    }

    /// Stops, and leaves the store to the next one.
    async fn stop(self) {
        self.app.stop.begin();
        self.app.rooms.close(self.store()).await;
        self.store().close().await;
    }
}

/// Somebody who plays or watches.
#[derive(Clone)]
struct Visitor {
    token: String,
    router: Router,
}

impl Visitor {
    async fn ask(&self, request: Request<Body>) -> (u16, Value) {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), 1 << 24).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap_or_default())
    }

    fn request(&self, method: &str, path: &str, body: Option<&Value>) -> Request<Body> {
        let request = Request::builder()
            .method(method)
            .uri(format!("/api/v1{path}"))
            .header(header::HOST, "127.0.0.1:7272")
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        let request = match body {
            Some(_) => request.header(header::CONTENT_TYPE, "application/json"),
            None => request,
        };
        let body = body.map_or_else(Body::empty, |body| body.to_string().into());
        request.body(body).unwrap()
    }

    async fn get(&self, path: &str) -> (u16, Value) {
        self.ask(self.request("GET", path, None)).await
    }

    async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.ask(self.request("POST", path, Some(body))).await
    }

    /// Makes a game and gives its view.
    async fn make(&self, variant: &str, x: Value, o: Value) -> Value {
        let new = json!({"variant": variant, "x": x, "o": o});
        let (status, view) = self.post("/games", &new).await;
        assert_eq!(status, 201, "{view}");
        view
    }

    async fn read(&self, id: &str) -> Value {
        let (status, view) = self.get(&format!("/games/{id}")).await;
        assert_eq!(status, 200, "{view}");
        view
    }

    async fn act(&self, id: &str, action: &Value) -> (u16, Value) {
        self.post(&format!("/games/{id}/actions"), action).await
    }

    /// Does it in the newest state.
    async fn act_now(&self, id: &str, mut action: Value) -> (u16, Value) {
        action["rev"] = self.read(id).await["game"]["rev"].clone();
        self.act(id, &action).await
    }

    /// Does it, and it must work.
    async fn does(&self, id: &str, action: Value) -> Value {
        let (status, view) = self.act_now(id, action).await;
        assert_eq!(status, 200, "{view}");
        view
    }

    async fn moves(&self, id: &str, text: &str) -> Value {
        self.does(id, json!({"do": "move", "move": text})).await
    }

    /// Takes the seat that a view invites to.
    async fn join(&self, view: &Value, name: &str) -> (u16, Value) {
        let link = view["invite"].as_str().unwrap();
        let code = link.rsplit('/').next().unwrap();
        let guest = json!({"code": code, "name": name});
        self.post(&format!("/games/{}/join", id(view)), &guest)
            .await
    }

    async fn watch(&self, id: &str) -> Frames {
        let request = self.request("GET", &format!("/games/{id}/stream"), None);
        let response = self.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200);
        let kind = &response.headers()[header::CONTENT_TYPE];
        assert_eq!(kind, "application/x-ndjson");
        Frames(response.into_body())
    }
}

/// The lines of a stream.
struct Frames(Body);

impl Frames {
    async fn next(&mut self) -> Value {
        let body = std::mem::replace(&mut self.0, Body::empty());
        let mut stream = body.into_data_stream();
        let line = stream.next().await.expect("the stream goes on").unwrap();
        self.0 = Body::from_stream(stream);
        assert_eq!(line.last(), Some(&b'\n'));
        serde_json::from_slice(&line).unwrap()
    }

    /// Reads on until something is so.
    async fn until(&mut self, is_so: impl Fn(&Value) -> bool) -> Value {
        loop {
            let frame = self.next().await;
            if is_so(&frame) {
                return frame;
            }
        }
    }
}

fn id(view: &Value) -> String {
    view["game"]["id"].as_str().unwrap().into()
}

fn person(name: &str) -> Value {
    json!({"kind": "person", "name": name})
}

fn bot(name: &str) -> Value {
    json!({"kind": "bot", "bot": name})
}

fn invite() -> Value {
    json!({"kind": "invite"})
}

/// Two people apart, at a game of classic: Ada as X and Bob as O.
async fn two(house: &House) -> (Visitor, Visitor, String) {
    let (ada, bob) = (house.visitor(1), house.visitor(2));
    let made = ada.make("classic", person("Ada"), invite()).await;
    let (status, view) = bob.join(&made, "Bob").await;
    assert_eq!(status, 200, "{view}");
    (ada, bob, id(&made))
}
